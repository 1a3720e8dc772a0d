import { autoscaledReplicas, mayGrow, scales } from '../../../disruption/autoscaling.ts';
import { allowedDisruptions, budgetArithmetic, countsControllers } from '../../../disruption/budget-status.ts';
import type { HorizontalPodAutoscaler, PodDisruptionBudget } from '../../../kubernetes/objects.ts';
import { replicasOf } from '../../../kubernetes/pod-template.ts';
import type { Fact, FactsReader } from '../../facts.ts';
import { selectedIn } from './selection.ts';

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
  const selected = selectedIn(facts, budget.namespace, spec?.selector);
  // A DaemonSet has as many pods as nodes match; manifests do not say how many those are.
  if (selected.length === 0 || selected.some(({ kind }) => kind === 'DaemonSet' && !countsControllers(spec))) {
    return undefined;
  }
  const unscaled = countsControllers(spec)
    ? selected.find(({ kind }) => kind !== 'Pod' && !scaled.has(kind))
    : undefined;
  const autoscalers = selected.map((workload) => autoscalerOf(workload, facts));
  const pods = selected
    .map((workload, index) => podsOf(workload, autoscalers[index]))
    .reduce((sum, count) => sum + count, 0);
  const scale = selected
    .map((workload, index) => (workload.kind === 'Pod' ? 0 : podsOf(workload, autoscalers[index])))
    .reduce((sum, count) => sum + count, 0);
  const arithmetic = budgetArithmetic(spec, scale, pods);
  if ('failure' in arithmetic) return undefined;
  return {
    selected,
    pods,
    desiredHealthy: arithmetic.desiredHealthy,
    allowed: unscaled === undefined ? allowedDisruptions(arithmetic, pods) : 0,
    autoscaled: selected.find((_workload, index) => autoscalers[index] !== undefined && mayGrow(autoscalers[index])),
    unscaled,
  };
}

function podsOf({ object }: Fact, autoscaler: HorizontalPodAutoscaler | undefined): number {
  const written = replicasOf(object);
  return autoscaler === undefined ? written : autoscaledReplicas(written, autoscaler);
}

function autoscalerOf(workload: Fact, facts: FactsReader): HorizontalPodAutoscaler | undefined {
  const found = facts
    .ofKind('HorizontalPodAutoscaler')
    .find(
      ({ namespace, object }) =>
        namespace === workload.namespace && scales(object as HorizontalPodAutoscaler, workload.kind, workload.name),
    );
  return found?.object as HorizontalPodAutoscaler | undefined;
}
