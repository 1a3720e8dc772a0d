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
export function autoscaledReplicas(
  written: number,
  { min, max }: { readonly min: number; readonly max: number },
  live?: number,
): number {
  if ((live ?? written) === 0) return 0;
  return live === undefined ? min : Math.max(min, Math.min(live, max));
}

/** The bounds within which an autoscaler keeps the number of pods. */
export function boundsOf(autoscaler: HorizontalPodAutoscaler): { readonly min: number; readonly max: number } {
  return { min: minReplicasOf(autoscaler), max: autoscaler.spec.maxReplicas };
}
