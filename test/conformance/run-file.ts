import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { decideCase } from '../../server/src/cli/decide/index.ts';
import type { JsonObject } from '../../server/src/kubernetes/json.ts';
import { differences } from './compare.ts';

interface Case {
  readonly id: string;
  readonly mode: string;
  readonly expected: JsonObject;
}

export interface FileResult {
  readonly cases: number;
  /** One entry per case that differs. */
  readonly disagreements: readonly { readonly id: string; readonly differences: readonly string[] }[];
}

/** Decides every case of a `.jsonl.gz` file as `podium decide` does, and compares. */
export function runFile(path: string): FileResult {
  const lines = gunzipSync(readFileSync(path)).toString('utf8').split('\n');
  const disagreements: { id: string; differences: readonly string[] }[] = [];
  let cases = 0;
  for (const line of lines) {
    if (line.trim() === '') continue;
    cases++;
    const { expected, ...input } = JSON.parse(line) as Case & JsonObject;
    const { id, mode, ...answer } = decideCase(input);
    const found = differences({ id: input.id, mode: input.mode, ...expected }, { id, mode, ...answer });
    if (found.length > 0) disagreements.push({ id: input.id, differences: found });
  }
  return { cases, disagreements };
}
