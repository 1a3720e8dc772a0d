import type { JsonObject } from '../../kubernetes/json.ts';
import { replay, type ReplayStep } from '../../scheduler/index.ts';
import { clusterOf, schedulerOf } from './cluster.ts';

/** Mode `replay`: the whole queue until nothing changes. */
export function decideReplay(input: JsonObject): JsonObject {
  return { steps: Array.from(replay(clusterOf(input), undefined, schedulerOf(input)), printStep) };
}

function printStep(step: ReplayStep): JsonObject {
  const { pass, pod, result } = step;
  switch (step.result) {
    case 'Scheduled':
      return { pass, pod, result, node: step.node };
    case 'Nominated':
      return { pass, pod, result, node: step.node, victims: step.victims, message: step.message };
    case 'Unschedulable':
    case 'NotModelled':
      return { pass, pod, result, message: step.message };
    case 'SchedulingGated':
      return { pass, pod, result };
  }
}
