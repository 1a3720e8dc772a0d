import type { Pod } from '../kubernetes/objects.ts';

/** Source: IsPodReady in pkg/api/v1/pod/util.go */
export function isPodReady(pod: Pod): boolean {
  const ready = pod.status?.conditions?.find((condition) => condition.type === 'Ready');
  return ready?.status === 'True';
}

/** A running pod whose manifest tells nothing of its conditions counts as ready. */
export function isHealthy(pod: Pod): boolean {
  return pod.status?.conditions === undefined || isPodReady(pod);
}
