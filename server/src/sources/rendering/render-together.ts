import { createHash } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import { asMap, asText } from '../../manifests/read-data.ts';
import { plainJson } from '../kustomize/kustomize-values.ts';
import {
  kustomizationOf,
  namesAreHashes,
  notesOf,
  ownAnnotations,
  type RenderContext,
  type Rendering,
  unrestricted,
} from './render.ts';
import { PrivateCopy, withRenderFolder } from '../tools/render-folder.ts';
import type { SourceFiles } from '../files/source-files.ts';
import type { KustomizeRecipe, Source } from '../files/source.ts';
import { runTool, sandboxOf } from '../tools/tools.ts';

export interface Member {
  readonly source: Source;
  readonly recipe: KustomizeRecipe;
  /** Objects that keep their names, by kind and name: a run makes each once. */
  readonly fixed: readonly string[];
}

/** Files of the members of one run: what kustomize compares each with each. */
const mostFiles = 600;

/**
 * Fields of kustomizations that mean the same below another kustomization. Generators are not among them: their names are
 * hashed last, and the hash is of the name too; nor are those that all kustomizations above and beside get to feel.
 */
const joining: ReadonlySet<string> = new Set([
  ...['apiVersion', 'kind', 'metadata', 'resources', 'bases', 'components', 'namespace', 'namePrefix', 'nameSuffix'],
  ...['labels', 'commonLabels', 'commonAnnotations', 'images', 'replicas', 'replacements'],
  ...['patches', 'patchesStrategicMerge', 'patchesJson6902'],
]);

/** What of a kustomization keeps its name when it is rendered in one run with others; null where it cannot be. */
export async function mayJoin(
  source: Source,
  recipe: KustomizeRecipe,
  files: SourceFiles,
): Promise<Member['fixed'] | null> {
  const { standIns, plugins, inputs, resources } = source;
  if (recipe.files !== null || plugins.size > 0 || inputs.size + resources.size > mostFiles) return null;
  const isJoining = (value: object): boolean => Object.keys(value).every((field) => joining.has(field));
  if (!isJoining(recipe.overlay)) return null;
  const isPlain = standIns.every(
    ({ value, paths, charts }) => charts === undefined && paths.size === 0 && isJoining(asMap(value)),
  );
  if (!isPlain) return null;
  if (await namesAreHashes(source, files)) return null;
  // A namespace that is set is the name of each Namespace, too.
  const namespace = asText(recipe.overlay['namespace']) || asText(asMap(standIns[0]?.value)['namespace']);
  const fixed: string[] = [];
  for (const file of resources) {
    for (const document of ((await files.read(file)) ?? '').split(/^---/m)) {
      const kind = unprefixed.exec(document)?.[1];
      if (kind === undefined) continue;
      const name = /(?:^|[\s{,])["']?name["']?: *["']?([^\s"',}]+)/.exec(document)?.[1] ?? file;
      fixed.push(`${kind} ${kind === 'Namespace' && namespace !== '' ? namespace : name}`);
    }
  }
  return fixed;
}

/** As many of those that wait as one run takes, the first among them. */
export function together<M extends Member>(waiting: readonly M[], most: number): readonly M[] {
  const found: M[] = [];
  const taken = new Set<string>();
  let size = 0;
  for (const one of waiting) {
    const { source, fixed } = one;
    if (fixed.some((each) => taken.has(each))) continue;
    size += source.inputs.size + source.resources.size;
    if (found.length === most || size > mostFiles) break;
    for (const each of fixed) taken.add(each);
    found.push(one);
  }
  return found;
}

/**
 * Renders kustomizations in one run of the tool, which costs little more than one of them: a kustomization takes them all
 * in, each with a prefix of its own for the names, by which what comes out is told apart and which is taken away again.
 * Null for those of which that is not certain, and for the one that has failed: `left` are then to be tried again.
 */
export async function renderTogether(
  members: readonly Member[],
  context: RenderContext,
  timeout: number,
  signal: AbortSignal | undefined,
): Promise<Joint> {
  const tool = context.tools.kustomize;
  if (tool === null) return noneOf(members);
  const { workedOn, files } = context;
  const sandbox = await sandboxOf(tool, workedOn);
  if (sandbox.kind === 'none') return noneOf(members);
  for (const { source } of members) {
    for (const path of [...source.inputs, ...source.resources]) if (await files.isOutside(path)) return noneOf(members);
  }
  return withRenderFolder(async (folder) => {
    // Each has files of its own, by which what keeps its name is told apart.
    const copies = members.map((_, index) => new PrivateCopy(folder, files, `files-${index}`));
    for (const [index, { source }] of members.entries()) await copies[index]!.addSource(source, false);
    const mark = createHash('sha256')
      .update(members.map(({ source }) => source.id).join('\n'))
      .digest('hex')
      .slice(0, 12);
    const write = async (name: string, kustomization: object): Promise<string> => {
      const path = join(folder.path, name);
      await mkdir(path);
      await writeFile(join(path, 'kustomization.yaml'), plainJson(kustomization as never));
      return path;
    };
    const wraps: string[] = [];
    for (const [index, { recipe }] of members.entries()) {
      const overlay = join(folder.path, `overlay-${index}`);
      const inside = (path: string): string => relative(overlay, copies[index]!.at(path)).replaceAll('\\', '/');
      await write(`overlay-${index}`, kustomizationOf(recipe, inside));
      await write(`wrap-${index}`, { namePrefix: `p${mark}-${index}-`, resources: [`../overlay-${index}`] });
      wraps.push(`../wrap-${index}`);
    }
    const all = await write('all', { resources: wraps, buildMetadata: ownAnnotations });
    const build = tool.program === 'kustomize' ? 'build' : 'kustomize';
    const args = [build, ...unrestricted, sandbox.inside(all)];
    const { text, message } = await runTool({ tool, sandbox, folder, workedOn, timeout, signal, args });
    if (text === null) return withoutFailed(members, message);
    const texts = takenApart(text, mark, copies, all);
    const renderings = texts.map((own, index): Rendering | null => {
      if (own === null) return null;
      const { source, recipe } = members[index]!;
      const originPath = (path: string): string => copies[index]!.from(resolve(all, path));
      const notes = notesOf(source, recipe);
      return { ok: true, tool: 'kustomize', text: own, originPath, notes, withoutSandbox: [] };
    });
    return { renderings, left: [] };
  });
}

export interface Joint {
  /** In the order of the members. */
  readonly renderings: readonly (Rendering | null)[];
  /** Indices of members to be tried again without the others. */
  readonly left: readonly number[];
}

function noneOf(members: readonly Member[]): Joint {
  return { renderings: members.map(() => null), left: [] };
}

/** The tool names the folder that it has failed in first. */
function withoutFailed(members: readonly Member[], message: string): Joint {
  const failed = Number(/wrap-(\d+)/.exec(message)?.[1] ?? -1);
  return { ...noneOf(members), left: failed === -1 ? [] : [...members.keys()].filter((index) => index !== failed) };
}

/** Kinds that get no prefix. Source: kustomize, api/internal/builtins/PrefixTransformer.go (prefixFieldSpecsToSkip) */
const unprefixed = /^["' ]*kind["']?: *["']?(APIService|CustomResourceDefinition|Namespace)\b/m;

/** What is of whom; null for those of which a document is not theirs alone, as a name of another was found for their own. */
function takenApart(
  text: string,
  mark: string,
  copies: readonly PrivateCopy[],
  all: string,
): readonly (string | null)[] {
  const parts: string[][] = copies.map(() => []);
  const uncertain = new Set<number>();
  const prefix = new RegExp(`p${mark}-(\\d+)-`, 'g');
  const name = new RegExp(`^ {2}name: ["']?p${mark}-`, 'm');
  for (const document of text.split(/^---\n/m)) {
    if (document.trim() === '') continue;
    const owners = new Set(Array.from(document.matchAll(prefix), ([, index]) => Number(index)));
    if (!name.test(document) || unprefixed.test(document)) {
      const origin = /^ {4}config\.kubernetes\.io\/origin: \|\n {6}path: (.+)$/m.exec(document)?.[1];
      const taker = copies.findIndex((copy) => origin !== undefined && copy.holds(resolve(all, origin)));
      if (taker === -1) return copies.map(() => null);
      owners.add(taker);
    }
    const [owner = -1] = owners;
    const own = withoutPrefix(document, mark);
    if (own === null || owners.size > 1) for (const index of owners) uncertain.add(index);
    else parts[owner]?.push(own);
  }
  return parts.map((own, index) => (uncertain.has(index) ? null : own.join('---\n')));
}

/** Null where a text might be read as something else without its prefix: `name: 123`. */
function withoutPrefix(document: string, mark: string): string | null {
  const prefix = new RegExp(`p${mark}-\\d+-`, 'g');
  const plain = new RegExp(`(?:: |- )p${mark}-\\d+-(.*)$`, 'gm');
  const isPlain = (rest: string): boolean =>
    /^(?:[A-Za-z]|\$\{)[\w.${}:=/-]*$/.test(rest) &&
    !rest.endsWith(':') &&
    !/^(?:true|false|null|yes|no|on|off|y|n)$/i.test(rest);
  for (const [, rest = ''] of document.matchAll(plain)) if (!isPlain(rest)) return null;
  return document.replaceAll(prefix, '');
}
