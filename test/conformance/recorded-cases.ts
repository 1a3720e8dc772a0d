import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import type { Json, JsonObject } from '../../server/src/kubernetes/json.ts';

/** One line of a file of recorded decisions. */
export type RecordedCase = JsonObject & { readonly id: string; readonly expected: JsonObject };

const dataFolder = new URL('data/', import.meta.url);

/** The cases of `data/<name>.jsonl.gz`. */
export function readCases(name: string): readonly RecordedCase[] {
  const text = gunzipSync(readFileSync(new URL(`${name}.jsonl.gz`, dataFolder))).toString('utf8');
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as RecordedCase);
}

/**
 * Decides every case of a file, prints how many agree, and fails on the first that do not.
 * `comparable` turns a decision, recorded or made, into what must be equal: sets into sorted lists, and the like.
 */
export function checkAgreement(
  name: string,
  decide: (input: JsonObject) => JsonObject,
  comparable: (decision: JsonObject) => Json,
): void {
  const cases = readCases(name);
  const disagreements = cases.flatMap((recorded) => {
    const { expected, ...input } = recorded;
    const wanted = comparable(expected);
    const got = comparable(decide(input));
    try {
      assert.deepStrictEqual(got, wanted);
      return [];
    } catch (error) {
      return [`${recorded.id}: ${error instanceof Error ? error.message : String(error)}`];
    }
  });
  process.stdout.write(`      ${name}: ${cases.length - disagreements.length} of ${cases.length} agree\n`);
  assert.ok(cases.length > 0, `no cases in ${name}`);
  assert.equal(disagreements.length, 0, disagreements.slice(0, 5).join('\n\n'));
}

/** A list as a set with repetitions: sorted by its items' text. */
export function asMultiset(list: Json | undefined): Json {
  if (!Array.isArray(list)) return [];
  return (list as readonly Json[]).map(sortKeys).sort((one, other) => compareText(JSON.stringify(one), JSON.stringify(other)));
}

/** Field errors as a multiset; of a detail the first line counts. */
export function asFieldErrors(list: Json | undefined): Json {
  if (!Array.isArray(list)) return [];
  const errors = (list as readonly { type: string; field: string; detail: string }[]).map(({ type, field, detail }) => ({
    type,
    field,
    detail: detail.split('\n')[0] ?? '',
  }));
  return asMultiset(errors);
}

function sortKeys(value: Json): Json {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return (value as readonly Json[]).map(sortKeys);
  return Object.fromEntries(
    Object.entries(value)
      .sort(([one], [other]) => compareText(one, other))
      .map(([key, item]) => [key, sortKeys(item)]),
  );
}

function compareText(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
