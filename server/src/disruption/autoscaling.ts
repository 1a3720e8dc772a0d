import type { HorizontalPodAutoscaler } from '../kubernetes/objects.ts';

/**
 * What an autoscaler leaves of the number of pods that a workload asks for. The disruption controller counts
 * `spec.replicas` of the scale, and that is the autoscaler's to write: between its bounds.
 * Source: reconcileAutoscaler in pkg/controller/podautoscaler/horizontal.go
 */

/** Source: SetDefaults_HorizontalPodAutoscaler in pkg/apis/autoscaling/v2/defaults.go */
const defaultMinReplicas = 1;

export function minReplicasOf({ spec }: HorizontalPodAutoscaler): number {
  return spec.minReplicas ?? defaultMinReplicas;
}

/** Whether the number of pods may become larger than the least that the autoscaler keeps. */
export function mayGrow(autoscaler: HorizontalPodAutoscaler): boolean {
  return autoscaler.spec.maxReplicas > minReplicasOf(autoscaler);
}

/**
 * The number of pods to count: `live`, the one that a cluster has, within the bounds; without it the fewest, so that
 * nothing is promised. A workload at zero is not scaled at all.
 */
export function autoscaledReplicas(written: number, autoscaler: HorizontalPodAutoscaler, live?: number): number {
  if ((live ?? written) === 0) return 0;
  const least = minReplicasOf(autoscaler);
  return live === undefined ? least : Math.max(least, Math.min(live, autoscaler.spec.maxReplicas));
}
