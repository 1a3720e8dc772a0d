import type { PodSpec } from '../../kubernetes/objects.ts';
import type { ClusterState } from '../framework/cluster-state.ts';
import type { PodInfo } from '../framework/pod-info.ts';
import type { PluginArgs } from '../framework/profile.ts';
import { matchesAllTerms, termMatches, termsOf, withNamespacesSelected } from '../plugins/affinity-terms.ts';
import { portsConflict } from '../plugins/node-ports.ts';
import { spreadConstraintsOf } from '../plugins/spread-constraints.ts';
import type { ClusterEvent } from './cluster-event.ts';

/** What the hints look at besides the event. */
export interface HintContext {
  readonly cluster: ClusterState;
  /** The arguments of the waiting pod's profile. */
  readonly args: PluginArgs;
}

type Volume = NonNullable<PodSpec['volumes']>[number];

type Hint = (waiting: PodInfo, event: ClusterEvent, context: HintContext) => boolean;

/**
 * Whether an event may let a pod pass that the plugin turned down (upstream's Queue and QueueSkip). A plugin that is
 * not listed wants to hear of every event, as one does upstream that registers none.
 * Source: isSchedulableAfter… of each plugin in pkg/scheduler/framework/plugins
 */
const hints: ReadonlyMap<string, Hint> = new Map<string, Hint>([
  ['NodeUnschedulable', () => false],
  ['NodeName', () => false],
  ['TaintToleration', () => false],
  ['NodeAffinity', () => false],
  ['VolumeBinding', () => false],
  ['VolumeZone', () => false],
  ['DynamicResources', () => false],
  ['DefaultPreemption', () => false],
  ['NodeResourcesFit', (_waiting, { kind }) => kind === 'podDeleted'],
  ['NodePorts', afterPortsChange],
  ['NodeVolumeLimits', ({ pod }, event) => left(event) && hasLimitedVolume(event.pod.pod.spec?.volumes, pod.spec?.volumes)],
  ['VolumeRestrictions', afterVolumesChange],
  ['PodTopologySpread', afterSpreadChange],
  ['InterPodAffinity', afterAffinityChange],
]);

/** Whether one of the plugins that turned the pod down may let it pass now. */
export function mayHelp(
  rejectedBy: ReadonlySet<string>,
  waiting: PodInfo,
  event: ClusterEvent,
  context: HintContext,
): boolean {
  for (const plugin of rejectedBy) {
    const hint = hints.get(plugin);
    if (hint === undefined || hint(waiting, event, context)) return true;
  }
  return false;
}

/** A pod has left its node. One that was only nominated held no ports, volumes or labels there. */
function left({ kind, pod }: ClusterEvent): boolean {
  return kind === 'podDeleted' && pod.nodeName !== '';
}

/** Source: nodeports/node_ports.go (isSchedulableAfterPodDeleted) */
function afterPortsChange(waiting: PodInfo, event: ClusterEvent): boolean {
  return left(event) && waiting.hostPorts.some((port) => event.pod.hostPorts.some((taken) => portsConflict(port, taken)));
}

/** Source: nodevolumelimits/csi.go (isSchedulableAfterPodDeleted) */
function hasLimitedVolume(gone: readonly Volume[] | undefined, wanted: readonly Volume[] | undefined): boolean {
  const isLimited = (volume: Volume): boolean => claimOf(volume) !== undefined || volume.ephemeral !== undefined || isDisk(volume);
  return (gone ?? []).some(isLimited) && (wanted ?? []).some(isLimited);
}

/** Source: volumerestrictions/volume_restrictions.go (isSchedulableAfterPodDeleted) */
function afterVolumesChange(waiting: PodInfo, event: ClusterEvent): boolean {
  if (!left(event) || event.pod.namespace !== waiting.namespace) return false;
  const wanted = waiting.pod.spec?.volumes ?? [];
  const claims = new Set(wanted.map(claimOf));
  return (event.pod.pod.spec?.volumes ?? []).some((volume) => {
    const claim = claimOf(volume);
    return claim === undefined ? isDisk(volume) && wanted.some(isDisk) : claims.has(claim);
  });
}

function claimOf(volume: Volume): string | undefined {
  return volume.persistentVolumeClaim?.claimName;
}

/** The in-tree volumes that only one node, or one writer, can mount. */
function isDisk({ gcePersistentDisk, awsElasticBlockStore, rbd, iscsi }: Volume): boolean {
  return [gcePersistentDisk, awsElasticBlockStore, rbd, iscsi].some((disk) => disk !== undefined);
}

/** Source: podtopologyspread/plugin.go (isSchedulableAfterPodChange) */
function afterSpreadChange(waiting: PodInfo, { pod }: ClusterEvent, { cluster, args }: HintContext): boolean {
  if (pod.nodeName === '' || pod.namespace !== waiting.namespace) return false;
  const constraints = spreadConstraintsOf(cluster, waiting, 'DoNotSchedule', args.PodTopologySpread);
  return constraints.some(({ selector }) => selector.matches(pod.class.labels));
}

/**
 * A new pod may be what the waiting one wants to be near; one that is gone may be what it kept away from, or what kept
 * it away. Source: interpodaffinity/plugin.go (isSchedulableAfterPodChange)
 */
function afterAffinityChange(waiting: PodInfo, { kind, pod }: ClusterEvent, { cluster, args }: HintContext): boolean {
  if (pod.nodeName === '') return false;
  const keepSelector = args.InterPodAffinity.namespaceSelectorMatchesNoLabels;
  const own = withNamespacesSelected(termsOf(waiting.class), cluster, keepSelector);
  if (kind === 'podAdded') return matchesAllTerms(own.requiredAffinity, pod.class);
  if (matchesAllTerms(own.requiredAntiAffinity, pod.class)) return true;
  const labels = cluster.objects.fixed.namespaces.get(waiting.namespace);
  return termsOf(pod.class).requiredAntiAffinity.some((term) => termMatches(term, waiting.class, labels));
}
