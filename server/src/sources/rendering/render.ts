import { say } from '../../util/say.ts';
import { writeFile, mkdir } from 'node:fs/promises';
import { createHash } from 'node:crypto';
import { join, relative, resolve, sep } from 'node:path';
import { minors, comparedMinor } from '../../util/minors.ts';
import type { Json } from '../../kubernetes/json.ts';
import { releaseOf } from '../../kubernetes/releases/index.ts';
import { asList, asMap, asText } from '../../manifests/read-data.ts';
import { substitute } from '../kustomize/substitute.ts';
import { list } from '../../util/words.ts';
import type { Fetched } from '../files/fetched.ts';
import { missOf, type Miss } from './idle-entries.ts';
import { noteWordsOfFailure } from './made-words.ts';
import { releaseName } from '../helm/chart.ts';
import { lineOfEntry } from '../kustomize/place.ts';
import { postRender } from '../flux/post-render.ts';
import { CopyError, PrivateCopy, type RenderFolder, withRenderFolder } from '../tools/render-folder.ts';
import { shownPath } from '../files/paths.ts';
import type { SourceFiles } from '../files/source-files.ts';
import {
  filesOfSource,
  type HelmRecipe,
  type InflatedChart,
  type KustomizeRecipe,
  mostNamed,
  type Refusal,
  type Source,
} from '../files/source.ts';
import {
  runTool,
  SandboxError,
  sandboxOf,
  type Tool,
  type ToolAnswer,
  type ToolRun,
  type Tools,
} from '../tools/tools.ts';
import { inflationArguments } from '../kustomize/kustomize-charts.ts';
import { plainJson } from '../kustomize/kustomize-values.ts';

/** What a tool made of a source. */
export type Rendering = {
  /** Names of the tools that ran without a sandbox of the operating system. */
  readonly withoutSandbox: readonly string[];
} & (
  | {
      readonly ok: true;
      readonly tool: 'kustomize' | 'helm';
      readonly text: string;
      /** The user's path of one that the text names relative to the overlay. */
      readonly originPath: (path: string) => string;
      /** What a reader should know: files outside the folder were read. */
      readonly notes: readonly string[];
    }
  | { readonly ok: false; readonly refusal: Refusal }
);

/** Of a source that no tool was run for. */
export function notRendered(refusal: Refusal): Rendering {
  return { ok: false, refusal, withoutSandbox: [] };
}

export interface RenderContext {
  /** What files may be read from: the repository, or the folder that is worked on. */
  readonly boundary: string;
  readonly fetched: Fetched;
  readonly workedOn: readonly string[];
  readonly tools: Tools;
  readonly files: SourceFiles;
  /** Minor release, `1.34`, that charts are rendered for. */
  readonly kubernetes: string;
}

/** That a tool which a source needs is not installed; null where it is. */
export function lackingTool(
  { place, standIns }: Source,
  recipe: KustomizeRecipe | HelmRecipe,
  { helm, kustomize }: Tools,
): Refusal | null {
  const needsHelm = recipe.tool === 'helm' || standIns.some(({ charts = [] }) => charts.length > 0);
  if (helm === null && needsHelm) {
    return { why: 'no-tool', message: say`${'helm'} is not installed`, place, tool: 'helm' };
  }
  const needsKustomize = recipe.tool === 'kustomize' || recipe.postRendering !== null;
  if (kustomize !== null || !needsKustomize) return null;
  return { why: 'no-tool', message: say`${say`neither kubectl nor kustomize`} is installed`, place, tool: 'kubectl' };
}

/** Renders a source with the tool that it needs. A recipe without a tool is none of its business. */
export async function render(
  source: Source,
  recipe: KustomizeRecipe | HelmRecipe,
  context: RenderContext,
  timeout: number,
  signal?: AbortSignal,
): Promise<Rendering> {
  const lacking = lackingTool(source, recipe, context.tools);
  if (lacking !== null) return notRendered(lacking);
  const tool = (recipe.tool === 'helm' ? context.tools.helm : context.tools.kustomize)!;
  const { boundary, files } = context;
  const outside: string[] = [];
  for (const path of filesOfSource({ ...source, recipe })) {
    if (await files.isOutside(path)) outside.push(shownPath(path, boundary));
  }
  if (outside.length > 0) {
    const message = say`${list(outside, mostNamed)} ${outside.length === 1 ? 'leads' : 'lead'} out of the folder that is worked on`;
    return notRendered({ why: 'not-supported', message, place: source.place });
  }
  for (let attempt = 1; ; attempt++) {
    try {
      return await withRenderFolder((folder) =>
        renderIn(source, recipe, { ...context, tool, folder, timeout, signal }),
      );
    } catch (error) {
      if (error instanceof CopyError) {
        const message = error.message.replaceAll(`${boundary}${sep}`, '');
        return notRendered({ why: 'too-much', message, place: source.place });
      }
      if (!(error instanceof SandboxError) || attempt === maxAttempts) throw error;
    }
  }
}

/** With a sandbox, with another one when that has ended, and without. */
const maxAttempts = 3;

interface Work extends RenderContext {
  readonly tool: Tool;
  readonly folder: RenderFolder;
  readonly timeout: number;
  readonly signal: AbortSignal | undefined;
}

async function renderIn(source: Source, recipe: KustomizeRecipe | HelmRecipe, work: Work): Promise<Rendering> {
  const { tool, folder, workedOn, timeout, signal } = work;
  const sandbox = await sandboxOf(tool, workedOn);
  if (sandbox.kind === 'none' && source.standIns.some(({ buildsPlugins }) => buildsPlugins)) {
    return notRendered(inSandboxOnly(say`a kustomization builds its generators or transformers`, tool, source));
  }
  const copy = new PrivateCopy(folder, work.files);
  await copy.addSource(source, sandbox.kind === 'none');
  const run = { tool, sandbox, folder, workedOn, timeout, signal };
  return recipe.tool === 'helm'
    ? renderChart(source, recipe, work, run, copy)
    : renderKustomization(source, recipe, work, run, copy);
}

async function renderKustomization(
  source: Source,
  recipe: KustomizeRecipe,
  context: RenderContext,
  run: Omit<ToolRun, 'args'>,
  copy: PrivateCopy,
): Promise<Rendering> {
  const { sandbox, tool } = run;
  // Where the folder has no kustomization the overlay stands for it, as Flux writes one there.
  const folder = copy.at(recipe.folder);
  const overlay = recipe.files === null ? join(run.folder.path, 'overlay') : folder;
  const toOverlay = (path: string): string => relative(overlay, copy.at(path)).replaceAll('\\', '/');
  const kustomization = {
    ...kustomizationOf(recipe, toOverlay),
    ...((await namesAreHashes(source, context.files)) ? {} : { buildMetadata: ownAnnotations }),
  };
  await mkdir(overlay, { recursive: true });
  await writeFile(join(overlay, 'kustomization.yaml'), plainJson(kustomization));
  const charts = source.standIns.flatMap((each) => each.charts ?? []);
  const failure = charts.length === 0 ? null : await inflate(charts, source, context, run, copy);
  if (failure !== null) return failure;
  const build = tool.program === 'kustomize' ? 'build' : 'kustomize';
  // What it may read then is the copy, and nothing else: without a sandbox it could be any file.
  const restriction = sandbox.kind === 'none' ? [] : unrestricted;
  const ask = (path: string): Promise<ToolAnswer> =>
    runTool({ ...run, args: [build, ...restriction, sandbox.inside(path)] });
  let answer = await ask(overlay);
  if (answer.isRestricted === true) {
    const refusal = inSandboxOnly(say`it reads files outside its folder`, tool, source);
    return { ok: false, refusal, withoutSandbox: unconfined(run) };
  }
  if (
    answer.text === null &&
    recipe.files === null &&
    answer.failure === 'tool-error' &&
    source.leftOut === undefined
  ) {
    // Without the overlay the words of the tool name the user's own paths.
    const plain = await ask(folder);
    if (plain.text === null) answer = plain;
  }
  if (answer.text === null) return failed(source, answer, context, run, copy);
  return {
    ok: true,
    tool: 'kustomize',
    text: answer.text,
    originPath: (path) => copy.from(resolve(overlay, path)),
    notes: notesOf(source, recipe),
    withoutSandbox: unconfined(run),
  };
}

/** Kustomize itself reads only what is in or below the folder of a kustomization. */
export const unrestricted = ['--load-restrictor', 'LoadRestrictionsNone'];

export function notesOf(source: Source, { readsOutside }: KustomizeRecipe): readonly string[] {
  return readsOutside ? [say`${source.name} reads files outside its folder`] : [];
}

/** @param what the tool does that only a sandbox makes harmless */
function inSandboxOnly(what: string, { program }: Tool, { place }: Source): Refusal {
  const message = say`${what}, which Podium lets ${program} do in a sandbox only, and this system gives none`;
  return { why: 'no-sandbox', message, place };
}

/** Has helm render what kustomizations take of charts; null where it does. */
async function inflate(
  charts: readonly InflatedChart[],
  source: Source,
  context: RenderContext,
  run: Omit<ToolRun, 'args'>,
  copy: PrivateCopy,
): Promise<Rendering | null> {
  const helm = context.tools.helm!;
  const sandbox = await sandboxOf(helm, run.workedOn);
  const own = { ...run, tool: helm, sandbox };
  for (const [index, chart] of charts.entries()) {
    const into = join(run.folder.path, `chart-${index}`);
    const inside = (path: string): string => sandbox.inside(path);
    const named = { ...chart, release: releaseName(chart.release) };
    const args = await inflationArguments(named, into, (path) => inside(copy.at(path)), inside);
    args.push('--kube-version', `${context.kubernetes}.0`, '--api-versions', servedKinds(context.kubernetes));
    // Nobody has looked for what its schema refers to.
    const answer = await runTool({ ...own, args: [...args, '--skip-schema-validation'] });
    if (answer.text === null) return failed(source, answer, context, own, copy);
    await copy.write(copy.at(chart.target), answer.text);
  }
  return null;
}

/** By which what comes out is traced to where it is written. */
export const ownAnnotations = ['originAnnotations', 'transformerAnnotations'];

/** What is given to the tool, with paths as it is to find them. */
export function kustomizationOf(recipe: KustomizeRecipe, shown: (path: string) => string): Record<string, Json> {
  const { components, ...overlay } = recipe.overlay;
  const added = asList(components).map((path) => shown(resolve(recipe.folder, asText(path))));
  return {
    apiVersion: 'kustomize.config.k8s.io/v1beta1',
    kind: 'Kustomization',
    ...overlay,
    resources: (recipe.files ?? [recipe.folder]).map(shown),
    // A kustomization of the folder's own takes them in itself.
    ...(recipe.files === null || added.length === 0 ? {} : { components: added }),
  };
}

/**
 * Whether the name of an object is made of all that is written in it, so that annotations of ours would change it.
 * Source: kustomize, api/hasher/hasher.go (only data counts of ConfigMaps and Secrets, which generators make)
 */
export async function namesAreHashes({ resources }: Source, files: SourceFiles): Promise<boolean> {
  for (const file of resources) {
    if (hashedName.test((await files.read(file)) ?? '')) return true;
  }
  return false;
}

const hashedName =
  /^[ \t]+["']?(?:internal\.config\.kubernetes|kustomize\.config\.k8s)\.io\/(?:needs-hash|needsHashSuffix)\b/m;

/** Objects that say so are left as they are. Source: fluxcd/pkg kustomize/kustomize_varsub.go */
export function substituted(text: string, { substitute: values, hasUnknown }: KustomizeRecipe): string {
  if (values === null) return text;
  return text
    .split(/^---$/m)
    .map((document) =>
      /^ {4}kustomize\.toolkit\.fluxcd\.io\/substitute: ["']?disabled/m.test(document)
        ? document
        : substitute(document, values, !hasUnknown),
    )
    .join('---');
}

async function renderChart(
  source: Source,
  recipe: HelmRecipe,
  context: RenderContext,
  run: Omit<ToolRun, 'args'>,
  copy: PrivateCopy,
): Promise<Rendering> {
  const inside = (path: string): string => run.sandbox.inside(path);
  const args = ['template', recipe.release, inside(copy.at(recipe.chart)), '--namespace', recipe.namespace];
  args.push('--include-crds', '--skip-tests', '--kube-version', `${context.kubernetes}.0`);
  args.push('--api-versions', servedKinds(context.kubernetes));
  if (await hasOpenSchema(source, recipe, context.files)) args.push('--skip-schema-validation');
  for (const file of recipe.valueFiles) args.push('-f', inside(copy.at(file)));
  for (const [index, values] of recipe.values.entries()) {
    const file = join(run.folder.path, `values-${index}.json`);
    await writeFile(file, plainJson(values));
    args.push('-f', inside(file));
  }
  for (const { name, value, isString } of recipe.parameters) {
    args.push(isString ? '--set-string' : '--set', `${name}=${value.replaceAll(',', '\\,')}`);
  }
  let answer = await runTool({ ...run, args });
  const withoutSandbox = [...unconfined(run)];
  const { kustomize } = context.tools;
  if (answer.text !== null && recipe.postRendering !== null && kustomize !== null) {
    const second = { ...run, tool: kustomize, sandbox: await sandboxOf(kustomize, run.workedOn) };
    withoutSandbox.push(...unconfined(second));
    answer = await postRender(answer.text, recipe.postRendering, second);
  }
  if (answer.text === null) return { ...(await failed(source, answer, context, run, copy)), withoutSandbox };
  const { text } = answer;
  return { ok: true, tool: 'helm', text, originPath: (path) => copy.from(path), notes: [], withoutSandbox };
}

function unconfined({ tool, sandbox }: Pick<ToolRun, 'tool' | 'sandbox'>): readonly string[] {
  return sandbox.kind === 'none' ? [tool.program] : [];
}

/**
 * Without a cluster helm knows groups and versions of client-go only, and charts ask for `apiregistration.k8s.io/v1` and
 * `policy/v1/PodDisruptionBudget` as well.
 */
function servedKinds(kubernetes: string): string {
  const minor = minors.find((each) => each === kubernetes) ?? comparedMinor;
  const { served } = releaseOf(minor);
  return [...served]
    .flatMap(([apiVersion, kinds]) => [apiVersion, ...kinds.map((kind) => `${apiVersion}/${kind}`)])
    .join(',');
}

/**
 * Helm fetches what a schema of values refers to, without a proxy and without asking, and reads files by it: schemas are
 * used that refer to themselves alone.
 */
async function hasOpenSchema({ inputs }: Source, { dependencies }: HelmRecipe, files: SourceFiles): Promise<boolean> {
  const fetched = await Promise.all(dependencies.map(({ folder }) => files.tree(folder)));
  for (const file of [...inputs, ...fetched.flat()]) {
    // Nobody looks into a packed chart.
    if (/\.(?:tgz|tar\.gz|tar)$/i.test(file)) return true;
    if (!/values\.schema\.json$/i.test(file)) continue;
    try {
      if (refersElsewhere(JSON.parse((await files.read(file)) ?? '') as Json)) return true;
    } catch {
      return true;
    }
  }
  return false;
}

/** Drafts of JSON Schema that every reader of schemas has with it. */
const draft = /^https?:\/\/json-schema\.org\/(?:draft-0[4-7]|draft\/20\d\d-\d\d)\/schema#?$/;

function refersElsewhere(schema: Json): boolean {
  if (Array.isArray(schema)) return (schema as readonly Json[]).some(refersElsewhere);
  return Object.entries(asMap(schema)).some(([key, value]) => {
    const isReference = /^\$(?:ref|dynamicRef|recursiveRef)$/i.test(key) && typeof value === 'string';
    if (isReference && !value.startsWith('#')) return true;
    if (/^\$?schema$/i.test(key) && typeof value === 'string' && !draft.test(value)) return true;
    return refersElsewhere(value);
  });
}

async function failed(
  source: Source,
  { failure, message }: ToolAnswer,
  context: RenderContext,
  run: Omit<ToolRun, 'args'>,
  copy: PrivateCopy,
): Promise<Rendering> {
  const { folder, sandbox } = run;
  let words = message.replace(/ Use --debug flag to render out invalid YAML$/, '');
  // Paths of the copy and absolute ones tell nothing that a relative one does not.
  for (const [path, shown] of [
    [copy.at(context.boundary), ''],
    [join(copy.at('/'), '.'), '/'],
    [folder.path, ''],
  ] as const) {
    for (const written of [path, sandbox.inside(path)]) words = words.replaceAll(`${written}/`, shown);
  }
  await noteWordsOfFailure(source, words, context.files);
  const { place, text } = await failureOf(source, message, context.files);
  const plugin = /external plugins disabled; unable to load external plugin '([^']*)'/.exec(message)?.[1];
  const why = failure === null || failure === 'aborted' ? 'tool-error' : failure;
  const refusal: Refusal =
    plugin === undefined
      ? { why, message: text === '' ? words : say`${text}; kustomize says: ${words}`, place }
      : {
          why: 'not-supported',
          message: say`it needs the plugin ${plugin}, and Podium lets kustomize run none`,
          place,
        };
  return { ok: false, refusal, withoutSandbox: unconfined(run) };
}

/**
 * Where the cause of a failure stands, and what it is where more is known than the tool says. Helm names file, line and
 * column of a template; kustomize quotes the entry that it stumbled over.
 */
async function failureOf(source: Source, message: string, files: SourceFiles): Promise<Miss> {
  const at = (place: Refusal['place']): Miss => ({ place, text: '' });
  const words = message.split(/[()\s]+/).map((word) => word.split(':'));
  const templates = words.filter(([path = '']) => path.includes('/templates/'));
  // What a template makes may be no YAML, of which helm names no line.
  const template = templates.find(([, line = '']) => /^\d+$/.test(line)) ?? templates.find(([, line]) => line === '');
  const recipe = source.recipe;
  if (template !== undefined && recipe?.tool === 'helm') {
    const [path = '', line] = template;
    const file = join(recipe.chart, path.split('/').slice(1).join('/'));
    if ((await files.kindOf(file)) === 'file') return at({ file, line: Math.max(Number(line) - 1, 0) });
  }
  // Of bases in bases the innermost is the cause.
  const entered = [...message.matchAll(/ resources from '([^']+)'/g)].reverse();
  for (const [, entry = ''] of [...entered, ...message.matchAll(/'([^']+)'/g)]) {
    for (const file of source.inputs) {
      if (!isKustomization(file)) continue;
      const line = await lineOfEntry(file, entry, files);
      if (line !== null) return at({ file, line });
    }
  }
  for (const file of source.inputs) {
    const miss = isKustomization(file) ? await missOf(message, file, source.resources, files) : null;
    if (miss !== null) return miss;
  }
  return at(source.place);
}

function isKustomization(file: string): boolean {
  return /kustomization\.ya?ml$|Kustomization$/.test(file);
}

/** What a rendering is made from, as hashes: as long as they stay, the same comes out. */
export async function inputsHash(
  source: Source,
  { files, tools, kubernetes }: RenderContext,
): Promise<{
  /** Before variables are filled in: several sources may build the same. */
  readonly built: string;
  readonly whole: string;
}> {
  const { recipe } = source;
  const hash = createHash('sha256');
  const tool = recipe?.tool === 'helm' ? tools.helm : recipe?.tool === 'kustomize' ? tools.kustomize : null;
  const second = recipe?.tool === 'helm' && recipe.postRendering !== null ? tools.kustomize : null;
  const substituted = recipe?.tool === 'kustomize' && recipe.substitute !== null ? [...recipe.substitute] : null;
  hash.update(JSON.stringify([{ ...recipe, hasUnknown: null }, substituted === null, tool, second, kubernetes]));
  for (const file of filesOfSource(source)) {
    hash
      .update(file)
      .update('\0')
      .update((await files.bytes(file)) ?? '')
      .update('\0');
  }
  const built = hash.digest('hex');
  const own = JSON.stringify([built, source.id, substituted, recipe?.tool === 'kustomize' && recipe.hasUnknown]);
  return { built, whole: createHash('sha256').update(own).digest('hex') };
}
