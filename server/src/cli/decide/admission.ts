import { validatePod } from '../../admission/pods/pod.ts';
import { validatePodUpdate } from '../../admission/pods/update.ts';
import {
  secondGlobalDefault,
  validatePriorityClass,
  validatePriorityClassUpdate,
} from '../../admission/priority/priority-class.ts';
import { priorityRefusalText, resolvePriority } from '../../admission/priority/priority.ts';
import type { Answer } from '../../admission/request/answer.ts';
import { reviewCreation } from '../../admission/request/create.ts';
import { reviewUpdate } from '../../admission/request/update.ts';
import { validateDisruptionBudget } from '../../admission/workloads/disruption-budget.ts';
import { defaultPriorityClass } from '../../kubernetes/defaults/index.ts';
import type { Json, JsonObject } from '../../kubernetes/json.ts';
import { documentValue } from '../../manifests/document-value.ts';
import {
  decodeAs,
  decodeKind,
  decodePod,
  decodeUnmergedPod,
  objectAt,
  objectsAt,
  printErrors,
  recordedCreation,
  releaseAt,
  textAt,
} from './case-input.ts';
import { presetState } from './preset-state.ts';

/** Mode `admit`: the priority of a new pod. */
export function decideAdmit(input: JsonObject): JsonObject {
  const pod = decodePod(objectAt(input, 'pod'));
  const classes = decodeKind(objectsAt(input, 'objects'), 'PriorityClass');
  const resolution = resolvePriority(pod.spec ?? {}, classes);
  if (!resolution.admitted) return { error: priorityRefusalText(pod, resolution) };
  const { priority, className, preemptionPolicy } = resolution;
  return { priority, priorityClassName: className, preemptionPolicy };
}

/** Mode `apply`: one document as a user writes it, created. */
export function decideApply(input: JsonObject): JsonObject {
  const read = documentValue(textAt(input, 'text') ?? '');
  if ('problem' in read) {
    return {
      accepted: false,
      client: true,
      message: `error parsing STDIN: error converting YAML to JSON: ${read.problem}`,
    };
  }
  return printAnswer(reviewCreation(read.value, presetState('apply'), releaseAt(input)));
}

function printAnswer(answer: Answer): JsonObject {
  return { ...answer } as unknown as Record<string, Json>;
}

/** Mode `update`: a stored object and its next version, as `kubectl apply` and as `kubectl replace`. */
export function decideUpdate(input: JsonObject): JsonObject {
  const [old, next] = (['old', 'new'] as const).map((key) => documentValue(textAt(input, key) ?? ''));
  if (old === undefined || next === undefined || 'problem' in old || 'problem' in next) {
    return { error: 'the texts of the case cannot be read' };
  }
  const review = (how: 'apply' | 'replace'): JsonObject =>
    printAnswer(reviewUpdate(old.value, next.value, how, presetState('update'), releaseAt(input)));
  return { expected: review('apply'), replace: review('replace') };
}

/**
 * Mode `validate`: `new` is created; when the case has an `old` pod, that is also updated to `new`. What was recorded is
 * the validation alone: `matchLabelKeys` are not merged into selectors.
 */
export function decideValidate(input: JsonObject): JsonObject {
  const release = releaseAt(input);
  const options = { ...recordedCreation, release };
  const next = decodeUnmergedPod(objectAt(input, 'new'), release);
  const old = objectAt(input, 'old');
  const create = validatePod(next, options);
  const update = old === undefined ? [] : validatePodUpdate(next, decodeUnmergedPod(old, release), options);
  return {
    ...(create.length === 0 ? {} : { create: printErrors(create, release) }),
    ...(update.length === 0 ? {} : { update: printErrors(update, release) }),
  };
}

/** Mode `validate-class`: a PriorityClass is created, or updated when the case has an `old` one. */
export function decideValidateClass(input: JsonObject): JsonObject {
  const stored = decodeKind(objectsAt(input, 'objects'), 'PriorityClass');
  const next = defaultPriorityClass(decodeAs(objectAt(input, 'new'), 'PriorityClass'));
  const oldInput = objectAt(input, 'old');
  const old = oldInput === undefined ? undefined : defaultPriorityClass(decodeAs(oldInput, 'PriorityClass'));
  const errors = old === undefined ? validatePriorityClass(next) : validatePriorityClassUpdate(next, old);
  const second = secondGlobalDefault(next, stored, old === undefined ? 'create' : 'update');
  return {
    ...(errors.length === 0 ? {} : { [old === undefined ? 'create' : 'update']: printErrors(errors) }),
    ...(second === undefined ? {} : { forbidden: second.text }),
  };
}

/** Mode `validate-budget`: a PodDisruptionBudget is created. */
export function decideValidateBudget(input: JsonObject): JsonObject {
  const errors = validateDisruptionBudget(decodeAs(objectAt(input, 'new'), 'PodDisruptionBudget'));
  return errors.length === 0 ? {} : { create: printErrors(errors) };
}
