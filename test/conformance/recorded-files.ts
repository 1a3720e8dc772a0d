import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { JsonObject } from '../../server/src/kubernetes/json.ts';

/** Where the recorded cases are: those of one minor in a folder of its name, the others beside the folders. */
export const dataFolder = join(import.meta.dirname, 'data');

const ending = '.jsonl.gz';

/** Roll-outs are compared at levels, since much of them is chance (`rollout-levels.ts`). */
export const rolloutFiles = ['v1.34/rollout', 'v1.36/rollout'] as const;

/** The recorded files of a folder and of those in it, as `v1.36/cycle-wild`, sorted; without those of roll-outs. */
export function recordedFiles(folder: string = dataFolder): readonly string[] {
  return allFiles(folder).filter((name) => !(rolloutFiles as readonly string[]).includes(name));
}

function allFiles(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true })
    .map((name) => String(name).replaceAll('\\', '/'))
    .filter((name) => name.endsWith(ending))
    .map((name) => name.slice(0, -ending.length))
    .sort();
}

/** The cases of a file, as lines. */
export function readLines(name: string, folder: string = dataFolder): readonly string[] {
  const text = gunzipSync(readFileSync(join(folder, `${name}${ending}`))).toString('utf8');
  return text.split('\n').filter((line) => line !== '');
}

/** The cases of a file. */
export function readCases(name: string): readonly JsonObject[] {
  return readLines(name).map((line) => JSON.parse(line) as JsonObject);
}
