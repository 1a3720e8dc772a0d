import type { Pod, PodDisruptionBudget } from '../kubernetes/objects.ts';
import type { Release } from '../kubernetes/release.ts';
import { addTo } from '../util/maps.ts';
import { evict, type EvictionAnswer } from './eviction.ts';
import { deletePod, isHeld } from './pod-deletion.ts';
import { namespaceOf } from '../kubernetes/names.ts';

/** What a drain meets besides the pods of its node. */
export interface DrainBudgets {
  readonly budgets: readonly PodDisruptionBudget[];
  /** Names of namespaces that are being deleted: nothing in them can be evicted. */
  readonly terminatingNamespaces: ReadonlySet<string>;
  /** `--grace-period`; the pod's own when absent. */
  readonly gracePeriodSeconds?: number | undefined;
}

/**
 * What becomes of a pod that is to be evicted, as long as nothing else changes:
 * - `gone`: it ends. `terminating`: the eviction is accepted, and the pod does not end.
 * - `retried`: refused, and asked again every five seconds. `failed`: refused for good.
 * - `race`: several want what its budget has left, and who gets it is chance.
 */
export type DrainedPodState = 'gone' | 'terminating' | 'retried' | 'failed' | 'race';

export interface DrainedPod {
  readonly pod: Pod;
  /** The answer to an eviction of this pod alone, before the drain. */
  readonly alone: EvictionAnswer;
  readonly state: DrainedPodState;
}

/** Pods that compete for what one budget has left: only the number of those that win is sure. */
export interface DrainRace {
  readonly budget: PodDisruptionBudget;
  readonly pods: readonly Pod[];
  readonly evicted: number;
}

export interface EvictedNode {
  readonly pods: readonly DrainedPod[];
  readonly races: readonly DrainRace[];
  /** What the budgets allow afterwards, of those that were charged. */
  readonly allowedAfter: ReadonlyMap<PodDisruptionBudget, number>;
}

/**
 * All pods of a node evicted at once. What ends and what does not is told for a cluster in which kubelets work and
 * nothing is replaced.
 * Source: kubectl pkg/drain/drain.go (evictPods)
 */
export function evictAll(
  pods: readonly Pod[],
  { budgets, terminatingNamespaces, gracePeriodSeconds }: DrainBudgets,
  release: Release,
): EvictedNode {
  const answers = pods.map((pod) => {
    const namespaceTerminates = terminatingNamespaces.has(namespaceOf(pod));
    return {
      pod,
      alone: evict(pod, budgets, { namespaceTerminates, dryRun: ['All'] }, release),
      real: evict(pod, budgets, { namespaceTerminates, gracePeriodSeconds }, release),
    };
  });
  const contenders = new Map<PodDisruptionBudget, Pod[]>();
  for (const { pod, real } of answers) {
    for (const { budget } of real.charged) addTo(contenders, budget, pod);
  }
  const races: DrainRace[] = [];
  const allowedAfter = new Map<PodDisruptionBudget, number>();
  for (const [budget, wanting] of contenders) {
    const allowed = budget.status?.disruptionsAllowed ?? 0;
    const evicted = Math.min(allowed, wanting.length);
    allowedAfter.set(budget, allowed - evicted);
    if (evicted < wanting.length) races.push({ budget, pods: wanting, evicted });
  }
  const racing = new Set(races.flatMap((race) => race.pods));
  return {
    pods: answers.map(({ pod, alone, real }) => ({ pod, alone, state: racing.has(pod) ? 'race' : stateOf(pod, real) })),
    races,
    allowedAfter,
  };
}

function stateOf(pod: Pod, answer: EvictionAnswer): DrainedPodState {
  if (answer.allowed) return endOf(pod, answer.pod.state === 'gone');
  if (answer.namespaceTerminates === true) {
    return pod.metadata?.deletionTimestamp === undefined ? 'retried' : endOf(pod, false);
  }
  if (answer.code === 404) return 'gone';
  return answer.code === 429 ? 'retried' : 'failed';
}

/** All pods of a node deleted, with `--disable-eviction`: budgets are not asked. Source: deletePods */
export function deleteAll(
  pods: readonly Pod[],
  gracePeriodSeconds?: number,
): readonly (readonly [Pod, 'gone' | 'terminating'])[] {
  return pods.map((pod) => [pod, endOf(pod, deletePod(pod, { gracePeriodSeconds }).state === 'gone')] as const);
}

/** Kubelets end what begins to terminate. What did so before, or has a finalizer, is held by something else. */
function endOf(pod: Pod, goneAtOnce: boolean): 'gone' | 'terminating' {
  const stays = pod.metadata?.deletionTimestamp !== undefined || isHeld(pod);
  return goneAtOnce || !stays ? 'gone' : 'terminating';
}
