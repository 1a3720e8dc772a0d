import { required } from '../../admission/format/field-errors.ts';
import { FieldPath } from '../../admission/format/field-path.ts';
import { validateWorkload } from '../../admission/workloads/workload.ts';
import type { FieldError } from '../../kubernetes/field-error.ts';
import type { Fact } from '../facts.ts';
import { valueAt } from '../value-at.ts';
import { fieldErrorFinding } from './support/narrow.ts';
import { isPlaceholder } from './support/placeholders.ts';
import { isWholeWorkload } from './support/whole-workload.ts';
import type { ObjectRule } from './rule.ts';

export const invalidWorkload: ObjectRule = {
  code: 'invalid-workload',
  title: 'A workload that the API server refuses, for another reason than its pods',
  severity: 'error',
  scope: 'object',
  *check({ fact }) {
    for (const error of errorsOf(fact)) {
      // What is missing may be missing because the manifest is a patch of another one.
      const isLacking = valueAt(fact.manifest.value, error.path) === undefined;
      yield { ...fieldErrorFinding(fact, error), ...(isLacking ? { severity: 'warning' as const } : {}) };
    }
  },
};

function errorsOf(fact: Fact): readonly FieldError[] {
  switch (isWholeWorkload(fact)) {
    case false:
      return [];
    case undefined:
      return [required(FieldPath.to('spec', 'selector'))];
    case true:
      return validateWorkload(fact.object).filter((error) => !isToldElsewhere(error));
  }
}

/** A name that is not known yet; and a restart policy that no pod may have, which is told of the pod. */
function isToldElsewhere({ path, value }: FieldError): boolean {
  if (typeof value !== 'string') return false;
  return isPlaceholder(value) || (path.at(-1) === 'restartPolicy' && !['Always', 'OnFailure', 'Never'].includes(value));
}
