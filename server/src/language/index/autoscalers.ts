import type { HorizontalPodAutoscaler } from '../../kubernetes/objects.ts';
import { type WorkloadKey, workloadKey } from '../../kubernetes/names.ts';
import { derived } from './derived.ts';
import type { Fact } from './fact.ts';

/** The first autoscaler of each workload that has any. */
export const autoscalers = derived(['HorizontalPodAutoscaler'], (declared): ReadonlyMap<WorkloadKey, Fact> => {
  const byScaled = new Map<WorkloadKey, Fact>();
  for (const fact of declared) {
    const { kind, name } = (fact.object as HorizontalPodAutoscaler).spec.scaleTargetRef;
    const key = workloadKey(kind, fact.namespace, name);
    if (!byScaled.has(key)) byScaled.set(key, fact);
  }
  return byScaled;
});
