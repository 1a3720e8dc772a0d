import { validatePriorityClass } from '../../../admission/priority/priority-class.ts';
import type { FieldError } from '../../../kubernetes/field-error.ts';
import type { Fact } from '../../facts.ts';
import { fieldErrorFinding } from './narrow.ts';
import type { Finding } from '../rule.ts';

/** Which of the class rules an error belongs to. */
type ClassRule = 'reserved-class-name' | 'class-value-out-of-range' | 'namespace' | 'invalid-priority-class';

function ruleOf(error: FieldError): ClassRule {
  if (error.field === 'metadata.name' && error.type === 'FieldValueForbidden') return 'reserved-class-name';
  if (error.field === 'value') return 'class-value-out-of-range';
  if (error.field === 'metadata.namespace') return 'namespace';
  return 'invalid-priority-class';
}

/** What the API server says of a PriorityClass, as far as it belongs to one rule. */
export function* classFindings(fact: Fact, rule: ClassRule): Iterable<Finding> {
  if (fact.kind !== 'PriorityClass') return;
  for (const error of validatePriorityClass(fact.object)) {
    if (ruleOf(error) === rule) yield fieldErrorFinding(fact, error);
  }
}
