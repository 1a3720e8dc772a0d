import type { PriorityClass } from '../objects.ts';

/** Source: pkg/apis/scheduling/v1/defaults.go SetDefaults_PriorityClass */
export function defaultPriorityClass(priorityClass: PriorityClass): PriorityClass {
  if (priorityClass.preemptionPolicy !== undefined) return priorityClass;
  return { ...priorityClass, preemptionPolicy: 'PreemptLowerPriority' };
}
