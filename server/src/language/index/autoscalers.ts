import type { HorizontalPodAutoscaler } from '../../kubernetes/objects.ts';
import { type WorkloadKey, workloadKey } from '../../kubernetes/names.ts';
import { derived } from './derived.ts';
import type { Fact } from './fact.ts';

/** The first autoscaler of each workload that has any; a ScaledObject that is paused is none. */
export const autoscalers = derived(
  ['HorizontalPodAutoscaler', 'ScaledObject'],
  (...lists): ReadonlyMap<WorkloadKey, Fact> => {
    const byScaled = new Map<WorkloadKey, Fact>();
    for (const fact of lists.flat()) {
      if (fact.object.kind !== 'HorizontalPodAutoscaler') continue;
      const { kind, name } = (fact.object as HorizontalPodAutoscaler).spec.scaleTargetRef;
      const key = workloadKey(kind, fact.namespace, name);
      if (!byScaled.has(key)) byScaled.set(key, fact);
    }
    return byScaled;
  },
);
