import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import type { JsonObject } from '../../server/src/kubernetes/json.ts';

/** The recorded cases of `data/<name>.jsonl.gz`, for tests that change them. */
export function readCases(name: string): readonly JsonObject[] {
  const file = new URL(`data/${name}.jsonl.gz`, import.meta.url);
  return gunzipSync(readFileSync(file))
    .toString('utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as JsonObject);
}
