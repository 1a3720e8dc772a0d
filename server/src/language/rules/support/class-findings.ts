import type { FieldError } from '../../../kubernetes/field-error.ts';
import { objectRefusals, refusalFinding } from './object-refusals.ts';
import type { Finding, ObjectSubject } from './rule.ts';

function ruleOf({ at: { path }, type }: FieldError): string {
  const [first, second] = path;
  if (first === 'value') return 'class-value-out-of-range';
  if (second === 'name' && type === 'FieldValueForbidden') return 'reserved-class-name';
  return 'invalid-priority-class';
}

/** What the API server says of a PriorityClass, as far as it belongs to one rule. */
export function* classFindings(subject: ObjectSubject, rule: string): Iterable<Finding> {
  const { fact, release } = subject;
  if (fact.kind !== 'PriorityClass') return;
  for (const refusal of objectRefusals(fact, release)) {
    if (ruleOf(refusal.error) === rule) yield* refusalFinding(subject, refusal);
  }
}
