import { decide, type DecideOptions } from './decide.ts';
import type { Decision, FitsDecision, GroupWait, NodeName, UnschedulableDecision } from './decision.ts';
import type { ClusterState } from './framework/cluster-state.ts';
import type { PodInfo } from './framework/pod-info.ts';
import { defaultProfileOf } from './framework/profile.ts';
import { frameworkOf } from './plugins/registry.ts';
import { copyOf } from './shared-failures.ts';
import { preemptForGroup } from './group-preemption.ts';
import { minCountOf, placedOf, sizeOf } from './group-members.ts';

/** What a cycle over a PodGroup found for one of its pods. */
export interface Member {
  readonly pod: PodInfo;
  readonly decision: Decision;
  /** Where it fits, or would once its victims are gone; null where it fits nowhere. */
  readonly node: NodeName | null;
  readonly preempts: boolean;
}

export interface GroupResult {
  /**
   * - `placed`: enough of its pods have a node; those that have none stay pending.
   * - `preempting`: they would, once victims are gone: the whole group waits for them.
   * - `waiting`: they do not, so that none is placed.
   * - `failed`: an error ended the cycle.
   */
  readonly kind: 'placed' | 'preempting' | 'waiting' | 'failed';
  /** In the order in which they were tried; after an error not all. */
  readonly members: readonly Member[];
  /** The message of the condition `PodGroupScheduled`, empty when it is true. */
  readonly message: string;
  /** Pods that the whole group evicts. */
  readonly victims: readonly PodInfo[];
  /** Where its pods would be once they are gone. */
  readonly then: ReadonlyMap<string, NodeName>;
  /** As the cycle left the cluster: its pods are where they fit. */
  readonly around: ClusterState;
}

const unschedulable = 'pod group is unschedulable';
const permitWaits =
  'waiting for minCount pods from a gang to be scheduled, one or more plugins asked to wait and no plugin rejected pod';

/**
 * One scheduling cycle of a PodGroup: its pods are tried one after the other, each with those before it in place, and
 * the group is placed when Permit lets one of them through. The cluster is not changed.
 * Source: pkg/scheduler/schedule_one_podgroup.go of 1.36 (podGroupCycle, podGroupSchedulingDefaultAlgorithm)
 */
export function groupCycle(
  cluster: ClusterState,
  group: string,
  pods: readonly PodInfo[],
  options: DecideOptions,
): GroupResult {
  const found = tryGroup(cluster, group, pods, options);
  const isTogether = cluster.release.featureGates.has('WorkloadAwarePreemption');
  if (found.kind !== 'waiting' || !isTogether) return found;
  const answer = preemptForGroup(cluster, group, pods, options, (state) => tryGroup(state, group, pods, options));
  if ('message' in answer) return { ...found, message: `${found.message}, ${answer.message}` };
  return { ...found, kind: 'preempting', victims: answer.victims, then: answer.then };
}

function tryGroup(cluster: ClusterState, group: string, pods: readonly PodInfo[], options: DecideOptions): GroupResult {
  const state = cluster.branch();
  const members: Member[] = [];
  const base = { members, victims: [], then: new Map<string, NodeName>(), around: state };
  const problem = schedulersDiffer(pods);
  if (problem !== null) return { ...base, kind: 'failed', message: problem };
  const minCount = minCountOf(cluster, group) ?? 0;
  let placed = placedOf(state, group);
  let preempts = false;
  let isFeasible = false;
  for (const pod of pods) {
    const member = tryMember(state, pod, options);
    members.push(member);
    const failure = failureOf(member.decision);
    if (failure !== null) {
      return { ...base, kind: 'failed', message: `failed to schedule other pod from a pod group: ${failure}` };
    }
    if (member.node === null) continue;
    placed += 1;
    preempts ||= member.preempts;
    if (placed >= minCount) isFeasible = true;
  }
  if (!isFeasible) return { ...base, kind: 'waiting', message: unschedulable };
  if (!preempts) return { ...base, kind: 'placed', message: '' };
  return { ...base, kind: 'preempting', message: `${unschedulable}, pod group is waiting for preemption to complete` };
}

/** The pod takes its place in `state`. Source: podGroupPodSchedulingAlgorithm */
function tryMember(state: ClusterState, pod: PodInfo, options: DecideOptions): Member {
  const decision = decide(state, pod, options);
  const choice = decision.kind === 'unschedulable' ? (decision.preemption?.choice ?? null) : null;
  const node = decision.kind === 'fits' ? decision.node : (choice?.node ?? null);
  if (decision.kind === 'fits') reserve(state, pod, decision, options);
  // Its victims are still there for those that follow.
  if (node !== null) state.bind(pod, node);
  return { pod, decision, node, preempts: choice !== null };
}

function reserve(state: ClusterState, pod: PodInfo, { node }: FitsDecision, { profiles }: DecideOptions): void {
  const all = profiles ?? [defaultProfileOf(state.release)];
  const profile = all.find(({ schedulerName }) => schedulerName === pod.schedulerName)!;
  frameworkOf(profile).reserve({ cluster: state, pod }, state.node(node)!);
}

function failureOf(decision: Decision): string | null {
  return decision.kind === 'unschedulable' && decision.failure !== null ? decision.message : null;
}

/** Source: frameworkForPodGroup */
function schedulersDiffer([first, ...others]: readonly PodInfo[]): string | null {
  const other = others.find(({ schedulerName }) => schedulerName !== first!.schedulerName);
  if (other === undefined) return null;
  const got = `${JSON.stringify(other.schedulerName)} and ${JSON.stringify(first!.schedulerName)}`;
  return `all pods in a single pod group should have the same .spec.schedulerName set, got: ${got}`;
}

/**
 * What the pods of a group are told that is not placed, in their order. One that fits nowhere has its own answer, one
 * that fits waits for the others. Source: submitPodGroupAlgorithmResult
 * @param givesUp whether it is not tried again, as it evicts pods in vain each time
 */
export function waitsOf(
  cluster: ClusterState,
  group: string,
  pods: readonly PodInfo[],
  result: GroupResult,
  givesUp: boolean,
): readonly UnschedulableDecision[] {
  const wait = groupWait(cluster, group, result, givesUp);
  const members = new Map(result.members.map((member) => [member.pod.key, member]));
  return pods.map(({ key }) => {
    const member = members.get(key);
    const own = member?.decision;
    if (own?.kind === 'unschedulable') {
      const isOwn =
        result.kind === 'failed' ? own.failure !== null : result.kind === 'preempting' || member?.node === null;
      if (isOwn) return copyOf(own, { group: wait });
    }
    const message = result.kind === 'waiting' ? `${unschedulable}, ${permitWaits}` : result.message;
    return { ...blank, pod: key, mayVary: own?.mayVary ?? false, message, group: wait };
  });
}

const blank: Omit<UnschedulableDecision, 'pod' | 'mayVary' | 'message'> = {
  kind: 'unschedulable',
  refusals: new Map(),
  sharedRefusals: { nodes: [], places: new Map() },
  rejectedBy: new Set(),
  preFilter: null,
  preemption: null,
  losesNomination: true,
  failure: null,
  freedClaims: [],
  deletedClaim: null,
  repeats: null,
};

/** What a pod that fits nowhere found: the others of its group in their places. */
interface GroupSurroundings {
  readonly pod: PodInfo;
  readonly cluster: ClusterState;
}

const surroundings = new WeakMap<GroupWait, GroupSurroundings>();

/** The first pod of a group that fits nowhere, and the cluster with those that do; undefined where all do. */
export function blockedMember(wait: GroupWait): GroupSurroundings | undefined {
  return surroundings.get(wait);
}

function groupWait(
  cluster: ClusterState,
  group: string,
  { kind, members, around }: GroupResult,
  givesUp: boolean,
): GroupWait {
  const placed = placedOf(cluster, group);
  const wait: GroupWait = {
    name: group.slice(group.indexOf('/') + 1),
    wanted: minCountOf(cluster, group) ?? 0,
    placed: placed + members.filter(({ node }) => node !== null).length,
    size: sizeOf(cluster, group),
    waitsFor: kind === 'preempting' ? 'victims' : 'room',
    evictsInVain: givesUp,
  };
  const blocked = members.find(({ node }) => node === null)?.pod;
  if (blocked !== undefined) surroundings.set(wait, { pod: blocked, cluster: around });
  return wait;
}
