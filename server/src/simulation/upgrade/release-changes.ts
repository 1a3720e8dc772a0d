import { say } from '../../util/say.ts';
import { type Minor, minors } from '../../util/minors.ts';
import type { FeatureGate, Release } from '../../kubernetes/release.ts';
import type { KubeObject } from '../../kubernetes/objects.ts';
import { releaseOf } from '../../kubernetes/releases/index.ts';

/** Something that a plugin of the scheduler does from some minor on. */
export interface ReleaseChange {
  readonly plugin: string;
  readonly holds: (release: Release) => boolean;
  /** What objects of a kind, or of any, have where it concerns them; of all others nothing tells. */
  readonly signs?: readonly { readonly kind?: string; readonly text: string }[];
  /** To be read after "since 1.36". */
  readonly text: string;
}

const gate =
  (name: FeatureGate) =>
  ({ featureGates }: Release): boolean =>
    featureGates.has(name);

const resized = [{ kind: 'Pod', text: '"allocatedResources"' }];

const labelsOfBoundPods = say`a bound pod carries the zone and the region of its node, so that selectors find it by them (PodTopologyLabelsAdmission)`;

/** What decides where pods go. Sources: the pull requests; where a gate decides, its name. */
const releaseChanges: readonly ReleaseChange[] = [
  {
    plugin: 'NodeResourcesBalancedAllocation',
    holds: ({ behaviours }) => behaviours.scoresChangeOfBalance,
    text: say`balanced allocation counts how a pod changes the balance of a node, not how balanced the node is with it (kubernetes#135573)`,
  },
  {
    plugin: 'ImageLocality',
    holds: ({ behaviours }) => behaviours.countsImageVolumes,
    text: say`image volumes count as images that a node has (kubernetes#130231)`,
  },
  {
    plugin: 'ImageLocality',
    holds: ({ behaviours }) => behaviours.boundsImageVolumes,
    text: say`image volumes count no more than images of containers (kubernetes#138951)`,
  },
  {
    plugin: 'VolumeBinding',
    holds: gate('StorageCapacityScoring'),
    text: say`nodes with more free storage are preferred for new volumes (StorageCapacityScoring)`,
  },
  {
    plugin: 'DynamicResources',
    holds: ({ plugins }) => plugins['DynamicResources']?.weight !== undefined,
    text: say`nodes that have an earlier alternative of a device request are preferred (kubernetes#134711)`,
  },
  ...['DynamicResources', 'NodeResourcesFit'].map((plugin) => ({
    plugin,
    holds: gate('DRAExtendedResource'),
    signs: [{ kind: 'DeviceClass', text: '"extendedResourceName"' }, { text: 'deviceclass.resource.kubernetes.io/' }],
    text: say`an extended resource may be a device of a DeviceClass (DRAExtendedResource)`,
  })),
  {
    plugin: 'DynamicResources',
    holds: gate('DRADeviceTaints'),
    signs: [{ kind: 'ResourceSlice', text: '"taints"' }],
    text: say`a taint of a device keeps it from claims that do not tolerate it (DRADeviceTaints)`,
  },
  {
    plugin: 'DynamicResources',
    holds: gate('DRAPartitionableDevices'),
    signs: [{ kind: 'ResourceSlice', text: '"consumesCounters"' }],
    text: say`devices that share the counters of their pool are given (DRAPartitionableDevices)`,
  },
  {
    plugin: 'DynamicResources',
    holds: gate('DRAConsumableCapacity'),
    signs: [
      { kind: 'ResourceSlice', text: '"allowMultipleAllocations"' },
      { kind: 'ResourceSlice', text: '"requestPolicy"' },
    ],
    text: say`claims may share the capacity of a device (DRAConsumableCapacity)`,
  },
  {
    plugin: 'DynamicResources',
    holds: gate('DRADeviceBindingConditions'),
    signs: [{ kind: 'ResourceSlice', text: '"bindingConditions"' }],
    text: say`devices that have to be made ready are given (DRADeviceBindingConditions)`,
  },
  {
    plugin: 'NodeResourcesFit',
    holds: gate('InPlacePodLevelResourcesVerticalScaling'),
    signs: resized,
    text: say`what a resize in place has granted to a pod as a whole is charged (InPlacePodLevelResourcesVerticalScaling)`,
  },
  {
    plugin: 'NodeResourcesFit',
    holds: ({ behaviours }) => behaviours.resizesWholePods,
    signs: resized,
    text: say`a pod that is resized in place is charged once for all its containers (kubernetes#140047)`,
  },
  {
    plugin: 'NodeDeclaredFeatures',
    holds: ({ plugins }) => plugins['NodeDeclaredFeatures'] !== undefined && !plugins['NodeDeclaredFeatures'].optional,
    text: say`a node must declare the features that a pod needs (NodeDeclaredFeatures)`,
  },
  {
    plugin: 'NodeVolumeLimits',
    holds: gate('VolumeLimitScaling'),
    text: say`a CSI driver may keep pods off nodes that do not have it (VolumeLimitScaling)`,
  },
  {
    plugin: 'NodeVolumeLimits',
    holds: ({ behaviours }) => behaviours.alwaysMigratesPortworx,
    text: say`Portworx volumes count as those of its CSI driver`,
  },
  ...['InterPodAffinity', 'PodTopologySpread'].map((plugin) => ({
    plugin,
    holds: gate('PodTopologyLabelsAdmission'),
    text: labelsOfBoundPods,
  })),
];

/** Changes of a plugin between two minors that concern some objects. */
export function changesOf(
  plugin: string,
  from: Release,
  to: Release,
  objects: readonly KubeObject[],
): readonly ReleaseChange[] {
  const concerns = ({ signs }: ReleaseChange): boolean =>
    signs?.some(({ kind, text }) =>
      objects.some((object) => (kind ?? object.kind) === object.kind && JSON.stringify(object).includes(text)),
    ) !== false;
  return releaseChanges.filter(
    (each) => each.plugin === plugin && each.holds(from) !== each.holds(to) && concerns(each),
  );
}

/** The first minor behind `from` for which something is as for `to`. */
export function sinceWhen(from: Minor, to: Minor, of: (release: Release) => unknown): Minor {
  const after = of(releaseOf(to));
  return between(from, to).find((minor) => of(releaseOf(minor)) === after) ?? to;
}

/** The minors behind one up to another. */
function between(from: Minor, to: Minor): readonly Minor[] {
  return minors.slice(minors.indexOf(from) + 1, minors.indexOf(to) + 1);
}
