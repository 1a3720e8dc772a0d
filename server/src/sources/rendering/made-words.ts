import type { Json } from '../../kubernetes/json.ts';
import { asText } from '../../manifests/read-data.ts';
import type { MadeObject } from './made-object.ts';
import { textsIn } from '../kustomize/kustomize-values.ts';
import type { SourceFiles } from '../files/source-files.ts';
import { filesOfSource, type HelmRecipe, type KustomizeRecipe, type Source } from '../files/source.ts';

/**
 * Words that renderings of this process made and that stand in none of the files that they were made of: what a template
 * generates, hashes, encodes. They may be secret, so they are not quoted in what leaves the machine.
 */
const made = new Set<string>();
/** As many are remembered, the oldest first forgotten. */
const mostMade = 100_000;

/** Bytes of a packed chart. */
const maxUnpacked = 64 * 1024 * 1024;

/** Shorter ones, of which people make names, tell nothing. */
const word = /[\p{L}\p{M}\p{N}]{6,}/gu;
/** Amounts, versions and counts are worked out. */
const amount = /^(?:\d{1,9}[A-Za-z]{0,2}|v\d{1,2}(?:alpha|beta)\d{1,2})$/;
/** What kinds hold that is never quoted. */
const unquoted: ReadonlySet<string> = new Set(['ConfigMap', 'Secret', 'CustomResourceDefinition']);

export async function noteMadeWords(
  source: Source,
  recipe: Recipe,
  objects: readonly MadeObject[],
  files: SourceFiles,
): Promise<void> {
  const candidates = new Set<string>();
  for (const { object } of objects) {
    const value: Json = unquoted.has(asText(object.value['kind'])) ? (object.value['metadata'] ?? null) : object.value;
    for (const text of textsIn(value)) gather(text, candidates);
  }
  await note(source, recipe, candidates, files);
}

/** The same of what a tool says when it fails: what it quotes, and what a template has it say (`fail`, `required`). */
export async function noteWordsOfFailure(source: Source, message: string, files: SourceFiles): Promise<void> {
  const { recipe } = source;
  if (recipe === null || recipe.tool === 'none') return;
  const candidates = new Set<string>();
  const at = message.indexOf('execution error at (');
  if (at >= 0) gather(message.slice(message.indexOf('):', at)), candidates);
  for (const [quoted] of message.matchAll(/"[^"]*"|`[^`]*`/g)) gather(quoted, candidates);
  await note(source, recipe, candidates, files);
}

function gather(text: string, candidates: Set<string>): void {
  for (const [found] of text.matchAll(word)) if (!made.has(found) && !amount.test(found)) candidates.add(found);
}

type Recipe = KustomizeRecipe | HelmRecipe;

async function note(
  source: Source,
  recipe: Recipe,
  candidates: ReadonlySet<string>,
  files: SourceFiles,
): Promise<void> {
  if (candidates.size === 0) return;
  // What the API calls its kinds, fields and values is no secret, also where a template generates it.
  const { apiWords } = await import('../../kubernetes/api/index.ts');
  let left = [...candidates]
    .map((candidate) => ({ candidate, lower: candidate.toLowerCase() }))
    .filter(({ lower }) => !apiWords().has(lower));
  const texts: string[] = [];
  const look = (text: string): void => {
    const written = text.toLowerCase();
    texts.push(written);
    left = left.filter(({ lower }) => !written.includes(lower));
  };
  look(JSON.stringify(recipe));
  if (recipe.tool === 'kustomize') look([...(recipe.substitute?.values() ?? [])].join('\n'));
  for (const file of filesOfSource({ ...source, recipe })) {
    if (left.length === 0) return;
    look(`${file}\n${(await unpacked(file, files)) ?? (await files.read(file)) ?? ''}`);
  }
  const words = new Set([...texts.join('\n').matchAll(/[\p{L}\p{M}\p{N}]{3,}/gu)].map(([found]) => found));
  for (const { candidate, lower } of left) {
    if (isJoined(lower, words, 3)) continue;
    made.add(candidate);
    if (made.size > mostMade) made.delete(made.values().next().value!);
  }
}

/** Words of paths stand in files that another source than that which made them has, and name targets. */
export function quoteWordsOfPaths(paths: Iterable<string>): void {
  if (made.size === 0) return;
  for (const path of paths) for (const [found] of path.matchAll(word)) made.delete(found);
}

/** What a packed chart holds, as one text: files stand in an archive as they are. */
async function unpacked(file: string, files: SourceFiles): Promise<string | undefined> {
  const bytes = file.endsWith('.tgz') ? await files.bytes(file) : null;
  if (bytes === null || typeof bytes === 'string') return undefined;
  // A worker of a browser, which loads this file, has no such module, and renders no charts.
  const { gunzipSync } = await import('node:zlib');
  try {
    return gunzipSync(bytes, { maxOutputLength: maxUnpacked }).toString('utf8');
  } catch {
    return undefined;
  }
}

/** Whether a word is made of some that are written. */
function isJoined(text: string, words: ReadonlySet<string>, parts: number): boolean {
  if (words.has(text)) return true;
  for (let at = 3; parts > 1 && at <= text.length - 3; at++) {
    if (words.has(text.slice(0, at)) && isJoined(text.slice(at), words, parts - 1)) return true;
  }
  return false;
}

/** A text without such words; in JSON the letter after a backslash is none of the word. */
export function withoutMadeWords(text: string): string {
  if (made.size === 0) return text;
  return text.replace(/\\?[\p{L}\p{M}\p{N}]{6,}/gu, (found) => {
    if (!found.startsWith('\\')) return made.has(found) ? instead : found;
    for (const start of [1, 2]) if (made.has(found.slice(start))) return found.slice(0, start) + instead;
    return found;
  });
}

/** The same of all texts in a value. An error is what it was: it says why there is no answer. */
export function withoutMadeWordsIn<T>(value: T): T {
  return made.size === 0 || value instanceof Error ? value : (JSON.parse(withoutMadeWords(JSON.stringify(value))) as T);
}

const instead = '[made by the rendering]';
