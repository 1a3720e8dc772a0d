import { classOfClaim, hasClass } from '../kubernetes/storage-class-of.ts';
import { firstUntolerated, NO_SCHEDULE_EFFECTS, taintText, tolerates } from '../kubernetes/taints.ts';
import { compileNodeSelectorTerm, compileRequiredNodeAffinity } from '../kubernetes/node-selector.ts';
import { compileRequirements, labelValue } from '../kubernetes/labels.ts';
import type { PersistentVolumeClaim, PodSpec } from '../kubernetes/objects.ts';
import { nodeTermTexts, requirementText } from '../kubernetes/requirement-text.ts';
import type { Blocker, Blockers } from './decision.ts';
import type { DecideOptions } from './decide.ts';
import type { ClusterState } from './framework/cluster-state.ts';
import type { ActivePlugin } from './framework/framework.ts';
import { portsConflict } from './framework/host-ports.ts';
import type { NodeInfo } from './framework/node-info.ts';
import { nominatedBefore, withNominated } from './framework/node-view.ts';
import type { Cycle } from './framework/plugin.ts';
import type { PodInfo } from './framework/pod-info.ts';
import { defaultProfileOf } from './framework/profile.ts';
import type { Status } from './framework/status.ts';
import { termMatches, termsOf, withNamespacesSelected } from './plugins/affinity-terms.ts';
import { missingForDevices } from './plugins/device-blockers.ts';
import { attachedVolumesOf } from './plugins/csi-volumes.ts';
import { lacksDeviceEngine } from './plugins/dynamic-resources.ts';
import { frameworkOf } from './plugins/registry.ts';
import { podClaims, volumesOnNode } from './plugins/volume-binder.ts';
import { bindCompleted, claimOf, claimUsesOf } from './plugins/volume-claims.ts';
import { topologyKeys } from './plugins/volume-zone.ts';
import { isReachableBound } from './plugins/volume-reach.ts';
import { allowsTopology } from './plugins/volume-provisioning.ts';
import { classTopologies } from './made-volumes.ts';
import { gatesOf } from './decide.ts';

/** Pods that are named in an explanation. */
const podsNamed = 3;

/**
 * Everything that keeps a pod from each node. The scheduler stops at the first filter that refuses a node; to know what
 * would place the pod, all of them are asked. The state is not changed.
 */
export function everyBlocker(cluster: ClusterState, pod: PodInfo, options: DecideOptions = {}): Blockers {
  const profiles = options.profiles ?? [defaultProfileOf(cluster.release)];
  const profile = profiles.find((each) => each.schedulerName === pod.schedulerName);
  const none: Blockers['on'] = () => [];
  if (profile === undefined) {
    const known = profiles.map(({ schedulerName }) => schedulerName);
    return { ofPod: [{ kind: 'scheduler', name: pod.schedulerName, known }], on: none };
  }
  const gated = gatesOf(pod, profile);
  if (gated !== null) return { ofPod: [{ kind: 'gate', gates: gated.gates }], on: none };
  if (lacksDeviceEngine(cluster, pod)) {
    const reasons = ['the pod needs devices, whose allocation is not modelled'];
    return { ofPod: [{ kind: 'other', plugin: 'DynamicResources', reasons }], on: none };
  }
  const cycle: Cycle = { cluster, pod, args: profile.args };
  const { rejections, filters } = frameworkOf(profile).everyPreFilter(cycle);
  const schedulers = new Set(profiles.map((each) => each.schedulerName));
  // Two plugins may turn the pod down for one claim, and a filter for each node once more.
  const ofPod = distinct(rejections.flatMap((status) => explainRejection(cycle, status)));
  const known = new Set(ofPod.map((each) => JSON.stringify(each)));
  const lacksClaim = ofPod.some(({ kind }) => kind === 'claim');
  // What looks a claim up that is not there fails on each node for that alone.
  const isSaid = (each: Blocker): boolean =>
    known.has(JSON.stringify(each)) || (lacksClaim && each.kind === 'other' && volumePlugins.has(each.plugin));
  return {
    ofPod,
    on(name) {
      const node = cluster.node(name);
      if (node === undefined) return [];
      const nominated = nominatedBefore(cluster.nominations, node.index, pod, schedulers);
      const view = nominated.length === 0 ? node : withNominated(node, nominated);
      const found = filters.flatMap((active) => explainFilter(cycle, active, view));
      return distinct(found).filter((each) => !isSaid(each));
    },
  };
}

const volumePlugins: ReadonlySet<string> = new Set([
  'VolumeRestrictions',
  'NodeVolumeLimits',
  'VolumeBinding',
  'VolumeZone',
]);

function distinct(blockers: readonly Blocker[]): readonly Blocker[] {
  const seen = new Map(blockers.map((each) => [JSON.stringify(each), each]));
  return [...seen.values()];
}

/** Why a node is none for the pods of a DaemonSet, whose controller asks for labels before taints. */
export function whyNoDaemon(spec: PodSpec, facts: NodeInfo['facts']): readonly Blocker[] {
  if (!compileRequiredNodeAffinity(spec).matches(facts)) return explainLabels(spec, facts, []);
  return firstUntolerated(facts.hardTaints, spec.tolerations, NO_SCHEDULE_EFFECTS) === undefined
    ? []
    : explainTaints(spec, facts);
}

function explainFilter(cycle: Cycle, { plugin, state }: ActivePlugin, node: NodeInfo): readonly Blocker[] {
  const status = plugin.filter!(cycle, state, node);
  if (status === null) return [];
  const explained =
    plugin.explain?.(cycle, state, node, status) ?? explainers.get(plugin.name)?.(cycle, node, status) ?? [];
  return explained.length > 0 ? explained : [{ kind: 'other', plugin: status.plugin, reasons: status.reasons }];
}

type Explainer = (cycle: Cycle, node: NodeInfo, status: Status) => readonly Blocker[];

const explainers: ReadonlyMap<string, Explainer> = new Map<string, Explainer>([
  ['NodeUnschedulable', () => [{ kind: 'cordon' }]],
  ['NodeName', ({ pod }) => [{ kind: 'node-name', name: pod.nodeName }]],
  ['TaintToleration', ({ pod }, { facts }) => explainTaints(pod.pod.spec, facts)],
  ['NodeAffinity', ({ pod }, { facts }, { reasons }) => explainLabels(pod.pod.spec, facts, reasons)],
  ['NodePorts', explainPorts],
  ['NodeResourcesFit', ({ pod }, node, { reasons }) => reasons.flatMap((reason) => explainAmount(reason, pod, node))],
  ['VolumeRestrictions', (cycle) => claimsInUse(cycle)],
  ['NodeVolumeLimits', explainVolumeLimit],
  ['VolumeBinding', explainVolumes],
  ['VolumeZone', explainZones],
]);

/** The taint of a cordoned node comes and goes with `unschedulable`. */
function explainTaints(
  spec: PodSpec | undefined,
  { hardTaints, unschedulable }: NodeInfo['facts'],
): readonly Blocker[] {
  const tolerations = spec?.tolerations ?? [];
  const left = hardTaints.filter((taint) => !tolerations.some((toleration) => tolerates(toleration, taint)));
  const others = left.filter(({ key }) => !unschedulable || key !== 'node.kubernetes.io/unschedulable');
  return others.length === 0 ? [{ kind: 'cordon' }] : [{ kind: 'taint', taints: others.map(taintText) }];
}

/** Of the selector what the node does not have; of required affinity its terms, which are alternatives. */
function explainLabels(
  spec: PodSpec | undefined,
  facts: NodeInfo['facts'],
  reasons: readonly string[],
): readonly Blocker[] {
  const missing = Object.entries(spec?.nodeSelector ?? {})
    .filter(([key, value]) => labelValue(facts.labels, key) !== value)
    .map(([key, value]) => `${key}=${value}`);
  const terms = spec?.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms ?? [];
  const meets = terms.some((term) => compileNodeSelectorTerm(term).matches(facts));
  const [first] = terms;
  const affinity =
    terms.length === 0 || meets || first === undefined
      ? []
      : terms.length === 1
        ? unmetParts(first, facts)
        : [terms.map((term) => nodeTermTexts(term).join(', ')).join(' or ')];
  const wanted = [...missing, ...affinity];
  return wanted.length === 0 ? [{ kind: 'other', plugin: 'NodeAffinity', reasons }] : [{ kind: 'labels', wanted }];
}

function unmetParts(term: Parameters<typeof compileNodeSelectorTerm>[0], facts: NodeInfo['facts']): readonly string[] {
  const { matchExpressions = [], matchFields = [] } = term;
  const unmet = [
    ...matchExpressions.filter((each) => !compileNodeSelectorTerm({ matchExpressions: [each] }).matches(facts)),
    ...matchFields.filter((each) => !compileNodeSelectorTerm({ matchFields: [each] }).matches(facts)),
  ];
  return unmet.length === 0 ? nodeTermTexts(term) : unmet.map(requirementText);
}

function explainPorts({ pod }: Cycle, node: NodeInfo): readonly Blocker[] {
  const taken = pod.hostPorts.filter((port) => node.hostPorts.some((other) => portsConflict(port, other)));
  const holders = node.pods.filter(({ hostPorts }) =>
    hostPorts.some((other) => taken.some((port) => portsConflict(port, other))),
  );
  return [
    {
      kind: 'port',
      ports: taken.map(({ port, protocol }) => `${port}/${protocol}`),
      pods: holders.slice(0, podsNamed).map(({ key }) => key),
    },
  ];
}

/** Source of the reasons: pkg/scheduler/framework/plugins/noderesources/fit.go (fitsRequest) */
function explainAmount(reason: string, { requests }: PodInfo, node: NodeInfo): readonly Blocker[] {
  const { allocatable, allowedPods } = node.facts;
  const amount = (resource: string, need: number, capacity: number, used: number): readonly Blocker[] => [
    { kind: 'amount', resource, need, capacity, free: Math.max(0, capacity - used) },
  ];
  if (reason === 'Too many pods') return amount('pods', 1, allowedPods, node.pods.length);
  const resource = /^Insufficient (.+)$/.exec(reason)?.[1];
  switch (resource) {
    case undefined:
      return [];
    case 'cpu':
      return amount(resource, requests.milliCpu, allocatable.milliCpu, node.requestedMilliCpu);
    case 'memory':
      return amount(resource, requests.memory, allocatable.memory, node.requestedMemory);
    case 'ephemeral-storage':
      return amount(resource, requests.ephemeralStorage, allocatable.ephemeralStorage, node.requestedEphemeralStorage);
    default: {
      const need = requests.scalars.get(resource) ?? 0;
      const used = node.requestedScalars.get(resource) ?? 0;
      return amount(resource, need, allocatable.scalars.get(resource) ?? 0, used);
    }
  }
}

/** Claims of which only one pod at a time may make use. */
function claimsInUse({ cluster, pod }: Cycle): readonly Blocker[] {
  return claimUsesOf(pod).flatMap((use): readonly Blocker[] => {
    const claim = claimOf(cluster.objects, pod, use);
    if (claim?.spec?.accessModes?.includes('ReadWriteOncePod') !== true) return [];
    const holders = [...cluster.running()].filter(
      (each) =>
        each.namespace === pod.namespace && claimUsesOf(each).some(({ claimName }) => claimName === use.claimName),
    );
    const names = holders.slice(0, podsNamed).map(({ key }) => key);
    return [{ kind: 'claim', claim: use.claimName, problem: 'in-use', names }];
  });
}

function explainVolumeLimit({ cluster: { objects }, pod }: Cycle, node: NodeInfo): readonly Blocker[] {
  const { volumes } = attachedVolumesOf(objects, pod);
  return (objects.fixed.csiNodes.get(node.name)?.spec.drivers ?? []).flatMap(({ name, allocatable }) => {
    const limit = allocatable?.count;
    const need = new Set(volumes.flatMap(({ id, driver }) => (driver === name ? [id] : []))).size;
    if (limit === undefined || need === 0) return [];
    const here = node.pods
      .flatMap((each) => attachedVolumesOf(objects, each).volumes)
      .filter(({ driver }) => driver === name);
    return [{ kind: 'volume-limit', driver: name, limit, used: new Set(here.map(({ id }) => id)).size, need }];
  });
}

/** Bound claims whose volume the node cannot reach, and others for which there is none here. */
function explainVolumes({ cluster: { objects }, pod }: Cycle, node: NodeInfo, { reasons }: Status): readonly Blocker[] {
  const csiNode = objects.fixed.csiNodes.get(node.name);
  const unreached = boundVolumes(objects, pod).flatMap(({ claim, volume }): readonly Blocker[] =>
    volume === undefined || isReachableBound(volume, node, csiNode)
      ? []
      : [
          {
            kind: 'volume',
            claim,
            volume: volume.metadata?.name ?? '',
            wanted: (volume.spec?.nodeAffinity?.required?.nodeSelectorTerms ?? []).map((term) =>
              nodeTermTexts(term).join(', '),
            ),
          },
        ],
  );
  if (unreached.length > 0) return unreached;
  const claims = podClaims(objects, pod);
  const lacking = claims.delayed.filter(({ claim, candidates, selectedNode }) => {
    const alone = {
      bound: [],
      delayed: [{ claim, candidates, selectedNode }],
      hasUnboundImmediate: false,
    };
    const { matched, enoughStorage } = volumesOnNode(objects, alone, node);
    return !matched || !enoughStorage;
  });
  return lacking.map(({ claim, candidates }) => {
    const className = classOfClaim(claim);
    const name = claim.metadata?.name ?? '';
    // A volume that is still to be made lies where its class lets it be made.
    const storageClass = objects.fixed.storageClasses.get(className);
    const topologies = [...candidates.prebound, ...candidates.free].length > 0 ? [] : classTopologies(storageClass);
    return topologies.length > 0 && !allowsTopology(storageClass!, node.facts.labels)
      ? { kind: 'volume', claim: name, volume: '', wanted: topologies.map((term) => nodeTermTexts(term).join(', ')) }
      : { kind: 'volume-choice', claim: name, className, reason: reasons.join(', ') };
  });
}

function boundVolumes(objects: Cycle['cluster']['objects'], pod: PodInfo) {
  return claimUsesOf(pod).flatMap((use) => {
    const volumeName = claimOf(objects, pod, use)?.spec?.volumeName ?? '';
    const volume = objects.persistentVolumes.get(volumeName);
    return volumeName === '' ? [] : [{ claim: use.claimName, volume }];
  });
}

function explainZones({ cluster: { objects }, pod }: Cycle, { facts: { labels } }: NodeInfo): readonly Blocker[] {
  return boundVolumes(objects, pod).flatMap(({ claim, volume }): readonly Blocker[] => {
    const own = volume?.metadata?.labels;
    const wanted = topologyKeys.flatMap((key) => {
      const zones = labelValue(own, key)?.split('__');
      if (zones === undefined) return [];
      const requirement = { key, operator: 'In' as const, values: zones };
      return compileRequirements([requirement]).matches(labels) ? [] : [requirementText(requirement)];
    });
    return wanted.length === 0 ? [] : [{ kind: 'volume', claim, volume: volume?.metadata?.name ?? '', wanted }];
  });
}

function explainRejection(cycle: Cycle, { plugin, reasons }: Status): readonly Blocker[] {
  const other: Blocker = { kind: 'other', plugin, reasons };
  if (plugin === 'DynamicResources') {
    const missing = missingForDevices(cycle);
    return missing === null ? [other] : [missing];
  }
  if (!plugin.startsWith('Volume') && plugin !== 'NodeVolumeLimits') return [other];
  const { cluster, pod } = cycle;
  const found = claimUsesOf(pod).flatMap((use): readonly Blocker[] => {
    const claim = claimOf(cluster.objects, pod, use);
    const problem = claim === undefined ? ('missing' as const) : problemOf(cycle, claim);
    if (problem === null) return [];
    const names = problem === 'other' ? reasons : claim === undefined ? [] : [classOfClaim(claim)];
    return [{ kind: 'claim', claim: use.claimName, problem, names: names.filter((name) => name !== '') }];
  });
  return found.length > 0 ? found : [other];
}

function problemOf(
  { cluster: { objects } }: Cycle,
  claim: PersistentVolumeClaim,
): (Blocker & { kind: 'claim' })['problem'] | null {
  if (claim.status?.phase === 'Lost' || claim.metadata?.deletionTimestamp !== undefined) return 'other';
  const isBound = labelValue(claim.metadata?.annotations, bindCompleted) !== undefined;
  if ((claim.spec?.volumeName ?? '') !== '' && isBound) return null;
  const className = classOfClaim(claim);
  if (!hasClass(claim)) return 'no-class';
  const storageClass = objects.fixed.storageClasses.get(className);
  // Volumes that were made by hand may have a class of which there is no object.
  const isStatic = [...objects.persistentVolumes.values()].some(({ spec }) => spec?.storageClassName === className);
  if (className !== '' && storageClass === undefined && !isStatic) return 'unknown-class';
  return storageClass?.volumeBindingMode === 'WaitForFirstConsumer' ? null : 'unbound';
}

/** Which pods the required affinity of a pod asks for. */
export function podsNeededBy(cluster: ClusterState, pod: PodInfo): (other: PodInfo) => boolean {
  const { requiredAffinity } = withNamespacesSelected(termsOf(pod.class), cluster, true);
  return (other) => requiredAffinity.some((term) => termMatches(term, other.class, undefined));
}
