import type { PodInfo } from '../framework/pod-info.ts';

export const schedulingGates = 'SchedulingGates';

/**
 * PreEnqueue: a pod with gates never enters the active queue. Null when the pod may.
 * Source: pkg/scheduler/framework/plugins/schedulinggates/scheduling_gates.go
 */
export function gateMessage(pod: PodInfo): string | null {
  return pod.gates.length === 0 ? null : `waiting for scheduling gates: [${pod.gates.join(' ')}]`;
}
