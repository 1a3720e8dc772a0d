import type { FleetPod } from './fleet-pod.ts';

const phases = { Pending: 0, Running: 2, Failed: 2, Succeeded: 2 } as const;

/**
 * The order in which a controller gives pods up: the first goes first.
 * Source: ActivePodsWithRanks.Less in pkg/controller/controller_utils.go
 * @param rankOf how many related active pods are on the node of a pod; left out by a Job
 */
export function inOrderOfDeletion(
  pods: Iterable<FleetPod>,
  now: number,
  rankOf: (pod: FleetPod) => number = () => 0,
): readonly FleetPod[] {
  const less = (a: FleetPod, b: FleetPod): number =>
    Number(b.node === null) - Number(a.node === null) ||
    phases[a.phase] - phases[b.phase] ||
    Number(a.isReady) - Number(b.isReady) ||
    a.deletionCost - b.deletionCost ||
    rankOf(b) - rankOf(a) ||
    (a.isReady && b.isReady ? younger(seconds(a.readySince), seconds(b.readySince), now, a, b) : 0) ||
    b.restarts - a.restarts ||
    younger(seconds(a.created), seconds(b.created), now, a, b);
  return [...pods].sort(less);
}

/** Times of the API have no fractions. */
function seconds(time: number | null): number {
  return Math.floor(time ?? 0);
}

/**
 * The younger first, but ages of one power of two, in nanoseconds, are told apart by the UID.
 * Source: logarithmicRankDiff
 */
function younger(a: number, b: number, now: number, one: FleetPod, other: FleetPod): number {
  if (a === b) return 0;
  const rank = rankOfAge(now - a) - rankOfAge(now - b);
  return rank === 0 ? (uidOf(one) < uidOf(other) ? -1 : 1) : rank;
}

function rankOfAge(age: number): number {
  return age <= 0 ? -1 : Math.floor(Math.log2(age * 1e9));
}

function uidOf({ simulated }: FleetPod): string {
  return simulated.pod.metadata?.uid ?? '';
}
