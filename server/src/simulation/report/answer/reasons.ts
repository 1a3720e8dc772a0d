import { say } from '../../../kit/say.ts';
import type { Amounts, ReportDecision, ReportNode, ReportPod } from '../../../contract/report.ts';

/** Why a pod waits, in one word or two, with the figures that say how far it is from a place. */
export interface Reason {
  /** Pods with the same key share a line. */
  readonly key: string;
  readonly name: string;
  /** The resource, where an amount is in the way. */
  readonly resource: string | null;
  /** What a pod of it asks for, and the most that a node it may use has free; null for other reasons. */
  readonly shortage: Shortage | null;
  /** The scheduler's words for what refuses it on most nodes. */
  readonly words: string;
}

export interface Shortage {
  readonly resource: string;
  readonly need: number;
  /** The most that is free on a node that refuses it for its amounts alone. */
  readonly free: number;
  readonly node: number;
  /** No node that it may use has so much, even when empty. */
  readonly hopeless: boolean;
  /** The most that such a node has in all. */
  readonly capacity: number;
}

/** What a plugin's refusal is about. */
const subjects: Readonly<Record<string, string>> = {
  DynamicResources: say`devices`,
  InterPodAffinity: say`pod affinity`,
  NodeAffinity: say`node labels`,
  NodeDeclaredFeatures: say`node features`,
  NodeName: say`node name`,
  NodePorts: say`host port`,
  NodeUnschedulable: say`cordoned nodes`,
  NodeVolumeLimits: say`volumes`,
  PodTopologySpread: say`spread`,
  TaintToleration: say`taints`,
  VolumeBinding: say`volumes`,
  VolumeRestrictions: say`volumes`,
  VolumeZone: say`volumes`,
};

/** What a refusal of this plugin is about, in a word or two. */
export function subjectOf(plugin: string): string {
  return subjects[plugin] ?? plugin;
}

/** The resource that a reason of NodeResourcesFit says is short, as a list of at most one. */
export function shortResource(reason: string): readonly string[] {
  return reason === 'Too many pods' ? ['pods'] : (insufficient.exec(reason)?.slice(1) ?? []);
}

const insufficient = /^Insufficient (.+)$/;

/**
 * The scarcest resource, or the filter that refuses on most nodes.
 * @param requested what is asked for on each node at the moment of the decision
 */
export function reasonOf(
  pod: ReportPod,
  decision: Pick<ReportDecision, 'kind' | 'message' | 'refusals'> | undefined,
  nodes: readonly ReportNode[],
  requested: readonly Amounts[],
): Reason {
  if (decision === undefined) return other(say`not tried`, say`not tried yet`);
  if (decision.kind === 'not-modelled') return other(say`not modelled`, decision.message);
  const { refusals } = decision;
  const shortage = shortageOf(pod, refusals, nodes, requested);
  const filters = new Map<string, { nodes: number; words: string }>();
  for (const group of refusals) {
    if (group.plugin === 'NodeResourcesFit') continue;
    const name = subjectOf(group.plugin);
    const filter = filters.get(name) ?? { nodes: 0, words: group.reasons.join(', ') };
    filters.set(name, { ...filter, nodes: filter.nodes + group.nodes.length });
  }
  const [most] = [...filters].sort(([, a], [, b]) => b.nodes - a.nodes);
  const short = refusals.reduce(
    (sum, group) => (group.plugin === 'NodeResourcesFit' ? sum + group.nodes.length : sum),
    0,
  );
  if (most !== undefined && (shortage === null || most[1].nodes > short)) return other(most[0], most[1].words);
  if (shortage === null) return other(say`the scheduler`, decision.message);
  const { resource } = shortage;
  return { key: resource, name: resource, resource, shortage, words: `Insufficient ${resource}` };
}

function other(name: string, words: string): Reason {
  return { key: `${name}: ${words}`, name, resource: null, shortage: null, words };
}

interface Room {
  /** By node. */
  readonly free: Float64Array;
  readonly capacity: Float64Array;
}

/** By what is asked for on each node: thousands of pods may be short of the same. */
const rooms = new WeakMap<readonly Amounts[], Map<string, Room>>();

function roomFor(resource: string, nodes: readonly ReportNode[], requested: readonly Amounts[]): Room {
  const byResource = rooms.get(requested) ?? new Map<string, Room>();
  rooms.set(requested, byResource);
  let room = byResource.get(resource);
  if (room === undefined) {
    const capacity = Float64Array.from(nodes, ({ allocatable }) => allocatable[resource] ?? 0);
    const free = capacity.map((amount, node) => Math.max(0, amount - (requested[node]?.[resource] ?? 0)));
    byResource.set(resource, (room = { free, capacity }));
  }
  return room;
}

/** Of the resources that are short on a node that nothing else refuses, the one with the least of what is needed. */
function shortageOf(
  pod: ReportPod,
  refusals: ReportDecision['refusals'],
  nodes: readonly ReportNode[],
  requested: readonly Amounts[],
): Shortage | null {
  const byResource = new Map<string, Shortage>();
  for (const group of refusals) {
    if (group.plugin !== 'NodeResourcesFit') continue;
    for (const resource of group.reasons.flatMap(shortResource)) {
      const need = resource === 'pods' ? 1 : (pod.requests[resource] ?? 0);
      const known = byResource.get(resource);
      let [free, at, largest] = [known?.free ?? -1, known?.node ?? -1, known?.capacity ?? 0];
      const room = roomFor(resource, nodes, requested);
      for (const node of group.nodes) {
        const left = room.free[node]!;
        if (left > free) {
          free = left;
          at = node;
        }
        if (room.capacity[node]! > largest) largest = room.capacity[node]!;
      }
      if (at < 0) continue;
      byResource.set(resource, { resource, need, free, node: at, capacity: largest, hopeless: need > largest });
    }
  }
  const share = ({ need, free }: Shortage) => (need === 0 ? 1 : free / need);
  return (
    [...byResource.values()].sort((a, b) => Number(b.hopeless) - Number(a.hopeless) || share(a) - share(b))[0] ?? null
  );
}
