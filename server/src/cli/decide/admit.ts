import { priorityRefusalText, resolvePriority } from '../../admission/priority/priority.ts';
import type { JsonObject } from '../../kubernetes/json.ts';
import { decodeKind, decodePod, objectAt, objectsAt } from './case-input.ts';

/** Mode `admit`: the priority of a new pod. */
export function decideAdmit(input: JsonObject): JsonObject {
  const pod = decodePod(objectAt(input, 'pod'));
  const classes = decodeKind(objectsAt(input, 'objects'), 'PriorityClass');
  const resolution = resolvePriority(pod.spec ?? {}, classes);
  if (!resolution.admitted) return { error: priorityRefusalText(pod, resolution) };
  const { priority, className, preemptionPolicy } = resolution;
  return { priority, priorityClassName: className, preemptionPolicy };
}
