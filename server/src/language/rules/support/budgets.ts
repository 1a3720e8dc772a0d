import { workloadKey } from '../../../kubernetes/names.ts';
import { autoscaledReplicas, boundsOf, mayGrow } from '../../../disruption/autoscaling.ts';
import { allowedDisruptions, budgetArithmetic, countsControllers } from '../../../disruption/budget-status.ts';
import type { HorizontalPodAutoscaler, PodDisruptionBudget } from '../../../kubernetes/objects.ts';
import { replicasOf } from '../../../kubernetes/pod-template.ts';
import type { Fact, FactsReader } from '../../index/fact.ts';
import { autoscalers } from '../../index/autoscalers.ts';
import { keptBy } from './kept.ts';
import { workloadsOfBudget } from './overlaps.ts';

/** Kinds with a scale. Source: the finders in pkg/controller/disruption/disruption.go */
const scaled: ReadonlySet<string> = new Set(['Deployment', 'ReplicaSet', 'ReplicationController', 'StatefulSet']);

/** What a budget allows while all pods of the declared workloads are healthy. */
export interface BudgetOutlook {
  readonly selected: readonly Fact[];
  readonly pods: number;
  readonly desiredHealthy: number;
  readonly allowed: number;
  /** The workload whose number of pods an autoscaler may raise, so that later more may be allowed. */
  readonly autoscaled: Fact | undefined;
  /** A workload that the disruption controller cannot count, so that it allows nothing. */
  readonly unscaled: Fact | undefined;
}

/** Undefined when it selects nothing, or when the number of its pods cannot be known from manifests. */
export function budgetOutlook(budget: Fact, facts: FactsReader): BudgetOutlook | undefined {
  const { spec } = budget.object as PodDisruptionBudget;
  const selected = workloadsOfBudget(budget, facts);
  if (selected.length === 0) return undefined;
  const { pods, scale, autoscaled, hasDaemons, uncounted } = countPods(selected, autoscalers(facts));
  const counts = countsControllers(spec);
  // A DaemonSet has as many pods as nodes match; manifests do not say how many those are.
  if (hasDaemons && !counts) return undefined;
  const unscaled = counts ? uncounted : undefined;
  const arithmetic = budgetArithmetic(spec, scale, pods);
  if ('failure' in arithmetic) return undefined;
  return {
    selected,
    pods,
    desiredHealthy: arithmetic.desiredHealthy,
    allowed: unscaled === undefined ? allowedDisruptions(arithmetic, pods) : 0,
    autoscaled,
    unscaled,
  };
}

const countPods = keptBy((selected: readonly Fact[], autoscaled: ReturnType<typeof autoscalers>) => {
  let pods = 0;
  let scale = 0;
  let hasDaemons = false;
  let uncounted: Fact | undefined;
  let growing: Fact | undefined;
  for (const workload of selected) {
    // Thousands of budgets may each select thousands of pods. Nothing scales a pod.
    if (workload.kind === 'Pod') {
      pods += 1;
      continue;
    }
    const scaler = autoscaled.get(workloadKey(workload.kind, workload.namespace, workload.name));
    const autoscaler = scaler?.object as HorizontalPodAutoscaler | undefined;
    const written = replicasOf(workload.object);
    const count = autoscaler === undefined ? written : autoscaledReplicas(written, boundsOf(autoscaler));
    pods += count;
    scale += count;
    if (workload.kind === 'DaemonSet') hasDaemons = true;
    if (!scaled.has(workload.kind)) uncounted ??= workload;
    if (growing === undefined && autoscaler !== undefined && mayGrow(autoscaler)) growing = workload;
  }
  return { pods, scale, autoscaled: growing, hasDaemons, uncounted };
});
