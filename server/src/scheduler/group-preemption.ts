import type { DecideOptions } from './decide.ts';
import type { NodeName } from './decision.ts';
import type { ClusterState } from './framework/cluster-state.ts';
import type { PodInfo } from './framework/pod-info.ts';
import { defaultProfileOf } from './framework/profile.ts';
import { frameworkOf } from './plugins/registry.ts';
import { groupOf, podGroup } from './group-members.ts';

/** What is evicted together: a pod, or all pods of a PodGroup that may only be disrupted whole. */
interface Unit {
  readonly pods: PodInfo[];
  readonly priority: number;
  /** Of the first of them; null of one that has not started, which counts as now. */
  readonly startedAt: number | null;
  readonly isGroup: boolean;
}

/** What becomes of the group in a cluster. */
interface Tried {
  readonly kind: string;
  readonly message: string;
  readonly members: readonly { readonly pod: PodInfo; readonly node: NodeName | null }[];
}

type GroupPreemption =
  { readonly victims: readonly PodInfo[]; readonly then: ReadonlyMap<string, NodeName> } | { readonly message: string };

/**
 * Who must go from the whole cluster so that a PodGroup is placed: all of lower priority, and then those are let back,
 * the most important first, with whom it is placed all the same. The cluster is not changed.
 * Source: pkg/scheduler/framework/preemption/podgrouppreemption.go of 1.36 (PodGroupEvaluator.Preempt)
 */
export function preemptForGroup(
  cluster: ClusterState,
  group: string,
  pods: readonly PodInfo[],
  { profiles }: DecideOptions,
  tried: (state: ClusterState) => Tried,
): GroupPreemption {
  const profile = (profiles ?? [defaultProfileOf(cluster.release)]).find(
    ({ schedulerName }) => schedulerName === pods[0]!.schedulerName,
  )!;
  if (!frameworkOf(profile).isEnabled('postFilter', 'DefaultPreemption')) {
    return { message: 'default preemption plugin is not registered, workload aware preemption is disabled' };
  }
  const preemptor = podGroup(cluster, group);
  if (preemptor?.hasTopology === true) {
    return { message: 'workload aware preemption is not supported for pod groups with scheduling constraints' };
  }
  if (pods.some(({ pod }) => pod.spec?.preemptionPolicy === 'Never')) {
    return { message: 'not eligible due to preemptionPolicy=Never.' };
  }
  const units = unitsOf(cluster).filter(({ priority }) => priority < (preemptor?.priority ?? 0));
  if (units.length === 0) return { message: 'No preemption victims found for incoming preemptor' };
  const state = cluster.branch();
  const remove = (unit: Unit): void => {
    for (const { key } of unit.pods) state.removeRunning(key);
  };
  const putBack = (unit: Unit): void => {
    for (const pod of unit.pods) state.bind(pod, pod.nodeName, pod.startedAt);
  };
  for (const unit of units) remove(unit);
  let result = tried(state);
  if (result.kind !== 'placed') return { message: result.message };
  units.sort(byImportance);
  const { violating, others } = splitByBudget(units, cluster);
  const victims: Unit[] = [];
  for (const unit of [...violating, ...others]) {
    putBack(unit);
    const again = tried(state);
    if (again.kind === 'placed') {
      result = again;
      continue;
    }
    remove(unit);
    victims.push(unit);
  }
  const then = new Map(result.members.flatMap(({ pod, node }) => (node === null ? [] : [[pod.key, node] as const])));
  return { victims: victims.sort(byImportance).flatMap((unit) => unit.pods), then };
}

/** Source: newDomainForWorkloadPreemption, which has them in the order of a map of Go */
function unitsOf(cluster: ClusterState): Unit[] {
  const units: Unit[] = [];
  const whole = new Map<string, Unit>();
  for (const { pods } of cluster.nodes) {
    for (const pod of pods) {
      const key = groupOf(cluster, pod);
      const group = key === null ? undefined : podGroup(cluster, key);
      const isGroup = key !== null;
      if (key === null || group?.isDisruptedWhole !== true) {
        units.push({ pods: [pod], priority: pod.priority, startedAt: pod.startedAt, isGroup });
        continue;
      }
      const known = whole.get(key);
      if (known !== undefined) {
        known.pods.push(pod);
        continue;
      }
      const unit: Unit = { pods: [pod], priority: group.priority ?? 0, startedAt: pod.startedAt, isGroup };
      whole.set(key, unit);
      units.push(unit);
    }
  }
  return units;
}

/** Source: moreImportantVictim */
function byImportance(a: Unit, b: Unit): number {
  if (a.priority !== b.priority) return b.priority - a.priority;
  if (a.isGroup !== b.isGroup) return a.isGroup ? -1 : 1;
  if (a.isGroup && a.pods.length !== b.pods.length) return b.pods.length - a.pods.length;
  const [one, other] = [a.startedAt ?? Infinity, b.startedAt ?? Infinity];
  return one === other ? 0 : one - other;
}

/** Each budget is spent on the units in this order. Source: filterVictimsWithPDBViolation */
function splitByBudget(
  units: readonly Unit[],
  { budgets: table, disruptionsAllowed }: ClusterState,
): { readonly violating: readonly Unit[]; readonly others: readonly Unit[] } {
  const left = [...disruptionsAllowed];
  const breaks = ({ class: own, name }: PodInfo): boolean => {
    for (const index of table.matchesOf(own)) {
      if (table.budgets[index]!.disruptedPods.has(name)) continue;
      left[index]! -= 1;
      if (left[index]! < 0) return true;
    }
    return false;
  };
  const violating = new Set(units.filter(({ pods }) => pods.some(breaks)));
  return { violating: [...violating], others: units.filter((unit) => !violating.has(unit)) };
}
