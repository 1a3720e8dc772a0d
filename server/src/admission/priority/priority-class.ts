import type { FieldError } from '../../kubernetes/field-error.ts';
import type { PriorityClass } from '../../kubernetes/objects.ts';
import { allOf, type Batches, forbidden, invalid } from '../format/field-errors.ts';
import { FieldPath } from '../format/field-path.ts';
import { forbiddenText } from '../format/forbidden.ts';
import { goList, goNumber, goString } from '../format/go-zero.ts';
import { dnsSubdomainProblems } from '../format/names.ts';
import { judgeFinalizers, judgeObjectMeta, type MetaRules, validateObjectMetaUpdate } from '../format/object-meta.ts';
import { validatePreemptionPolicy } from './preemption-policy.ts';
import { defaultPreemptionPolicy, globalDefaultClass, systemPriorityClasses } from './priority.ts';

/** Source: HighestUserDefinablePriority in pkg/apis/scheduling/types.go */
export const highestUserDefinablePriority = 1_000_000_000;

/** Source: SystemPriorityClassPrefix in pkg/apis/scheduling/types.go */
export const systemPriorityClassPrefix = 'system-';

const metaRules: MetaRules = { namespaced: false, nameProblems: dnsSubdomainProblems, coreFinalizers: true };
const metaPath = FieldPath.to('metadata');

/**
 * Judges a new class. A second global default is judged apart: see `secondGlobalDefault`.
 * Source: ValidatePriorityClass in pkg/apis/scheduling/validation/validation.go
 */
export function validatePriorityClass(priorityClass: PriorityClass): FieldError[] {
  return allOf(judgePriorityClass(priorityClass));
}

export function* judgePriorityClass(priorityClass: PriorityClass): Batches {
  yield* judgeObjectMeta(priorityClass.metadata, metaRules, metaPath);
  const name = goString(priorityClass.metadata?.name);
  if (name.startsWith(systemPriorityClassPrefix)) {
    const problem = systemClassProblem(name, priorityClass);
    if (problem !== undefined) {
      const detail = `priority class names with '${systemPriorityClassPrefix}' prefix are reserved for system use only. error: ${problem}`;
      yield [forbidden(metaPath.child('name'), detail)];
    }
  } else if (goNumber(priorityClass.value) > highestUserDefinablePriority) {
    const detail = `maximum allowed value of a user defined priority is ${highestUserDefinablePriority}`;
    yield [forbidden(FieldPath.to('value'), detail)];
  }
  yield validatePreemptionPolicy(priorityClass.preemptionPolicy, FieldPath.to('preemptionPolicy'));
}

/**
 * Judges an update of a class. An absent policy is the default one, in both.
 * Source: validateCommonFields in apiserver/pkg/registry/rest/update.go; ValidatePriorityClassUpdate in
 * pkg/apis/scheduling/validation/validation.go
 */
export function validatePriorityClassUpdate(next: PriorityClass, old: PriorityClass): FieldError[] {
  const errors = [
    ...allOf(judgeFinalizers(goList(next.metadata?.finalizers), metaPath.child('finalizers'))),
    ...validateObjectMetaUpdate(next.metadata, old.metadata, metaRules, metaPath),
  ];
  if (goNumber(next.value) !== goNumber(old.value)) {
    errors.push(forbidden(FieldPath.to('value'), 'may not be changed in an update.'));
  }
  const policy = next.preemptionPolicy ?? defaultPreemptionPolicy;
  if (policy !== (old.preemptionPolicy ?? defaultPreemptionPolicy)) {
    errors.push(invalid(FieldPath.to('preemptionPolicy'), policy, 'field is immutable'));
  }
  return errors;
}

/** The refusal of a class that would be a second global default. */
export interface SecondGlobalDefault {
  /** The class that already is the default. */
  readonly existing: PriorityClass;
  /** The whole answer that a client gets. */
  readonly text: string;
}

/**
 * Says whether a class that is created, or updated, would be a second global default among the stored ones.
 * On an update the class may be the default already.
 * Source: validatePriorityClass in plugin/pkg/admission/priority/admission.go
 */
export function secondGlobalDefault(
  next: PriorityClass,
  stored: readonly PriorityClass[],
  operation: 'create' | 'update',
): SecondGlobalDefault | undefined {
  if (next.globalDefault !== true) return undefined;
  const existing = globalDefaultClass(stored);
  if (existing === undefined) return undefined;
  const existingName = goString(existing.metadata?.name);
  if (operation === 'update' && existingName === goString(next.metadata?.name)) return undefined;
  const detail = `PriorityClass ${existingName} is already marked as default. Only one default can exist`;
  return { existing, text: forbiddenText('priorityclasses.scheduling.k8s.io', next.metadata, detail) };
}

/** Source: IsKnownSystemPriorityClass in pkg/apis/scheduling/v1/helpers.go */
function systemClassProblem(name: string, priorityClass: PriorityClass): string | undefined {
  const value = systemPriorityClasses.get(name);
  if (value === undefined) return `${name} is not a known system priority class`;
  if (goNumber(priorityClass.value) !== value) return `value of ${name} PriorityClass must be ${value}`;
  if (priorityClass.globalDefault === true) return `globalDefault of ${name} PriorityClass must be false`;
  return undefined;
}
