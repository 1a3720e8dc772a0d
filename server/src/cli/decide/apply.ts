import { reviewCreation } from '../../admission/request/create.ts';
import type { Answer } from '../../admission/request/answer.ts';
import type { Minor } from '../../kubernetes/api/index.ts';
import type { Json, JsonObject } from '../../kubernetes/json.ts';
import { documentValue } from '../../manifests/document-value.ts';
import { textAt } from './case-input.ts';
import { presetState } from './preset-state.ts';

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
  return printAnswer(reviewCreation(read.value, presetState('apply'), minorOf(input)));
}

export function minorOf(input: JsonObject): Minor {
  const minor = textAt(input, 'kubernetes');
  return minor === '1.35' || minor === '1.36' ? minor : '1.34';
}

export function printAnswer(answer: Answer): JsonObject {
  return { ...answer } as unknown as Record<string, Json>;
}
