import { reviewUpdate } from '../../admission/request/update.ts';
import type { JsonObject } from '../../kubernetes/json.ts';
import { documentValue } from '../../manifests/document-value.ts';
import { minorOf, printAnswer } from './apply.ts';
import { textAt } from './case-input.ts';
import { presetState } from './preset-state.ts';

/** Mode `update`: a stored object and its next version, as `kubectl apply` and as `kubectl replace`. */
export function decideUpdate(input: JsonObject): JsonObject {
  const [old, next] = (['old', 'new'] as const).map((key) => documentValue(textAt(input, key) ?? ''));
  if (old === undefined || next === undefined || 'problem' in old || 'problem' in next) {
    return { error: 'the texts of the case cannot be read' };
  }
  const review = (how: 'apply' | 'replace'): JsonObject =>
    printAnswer(reviewUpdate(old.value, next.value, how, presetState('update'), minorOf(input)));
  return { expected: review('apply'), replace: review('replace') };
}
