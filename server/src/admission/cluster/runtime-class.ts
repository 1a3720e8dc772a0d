import type { FieldError } from '../../kubernetes/field-error.ts';
import type { RuntimeClass, Toleration } from '../../kubernetes/objects.ts';
import type { Release } from '../../kubernetes/release.ts';
import { type Batches, duplicate, inBatches, invalid, invalidFormat } from '../format/field-errors.ts';
import { FieldPath } from '../format/field-path.ts';
import { goList, goString } from '../format/go-zero.ts';
import { judgeLabels } from '../format/label-selector.ts';
import { dnsLabelProblems } from '../format/names.ts';
import { validateOverheadAmounts } from '../pods/resources.ts';
import { judgeTolerations } from '../pods/tolerations.ts';

/** Source for this file: pkg/apis/node/validation/validation.go */

const handlerAt = FieldPath.to('handler');
const schedulingAt = FieldPath.to('scheduling');

/** Judges a new class, without its metadata (ValidateRuntimeClass). */
export function* judgeRuntimeClass({ handler, overhead, scheduling }: RuntimeClass, release: Release): Batches {
  yield invalidFormat(handlerAt, goString(handler), dnsLabelProblems(goString(handler)));
  const at = FieldPath.to('overhead');
  const rules = { claimNames: new Set<string>(), allowIndivisibleHugePages: false };
  yield validateOverheadAmounts(overhead?.podFixed, rules, { at: at.child('podFixed'), printedAt: at });
  yield* judgeLabels(scheduling?.nodeSelector, schedulingAt.child('nodeSelector'));
  const tolerations = goList(scheduling?.tolerations);
  const tolerationsAt = schedulingAt.child('tolerations');
  yield* judgeTolerations(tolerations, { release, allowNumericTolerations: false }, tolerationsAt);
  const seen = new Set<string>();
  yield* inBatches(tolerations, (toleration, index) => {
    const key = listKey(toleration);
    if (seen.has(key)) return [duplicate(tolerationsAt.index(index), toleration)];
    seen.add(key);
    return [];
  });
}

/** The fields that the API lists as keys of the list. */
function listKey({ key, operator, value, effect }: Toleration): string {
  return JSON.stringify([key, operator, value, effect].map(goString));
}

/** ValidateRuntimeClassUpdate, without the metadata: nothing but the handler is looked at. */
export function validateRuntimeClassUpdate(next: RuntimeClass, old: RuntimeClass): FieldError[] {
  const [now, before] = [goString(next.handler), goString(old.handler)];
  return now === before ? [] : [invalid(handlerAt, now, 'field is immutable')];
}
