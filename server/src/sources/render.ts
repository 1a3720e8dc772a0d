import { say } from '../kit/say.ts';
import { readFile, writeFile, mkdir, realpath } from 'node:fs/promises';
import { createHash } from 'node:crypto';
import { join, relative, resolve } from 'node:path';
import { minors, newestMinor } from '../kit/minors.ts';
import type { Json } from '../kubernetes/json.ts';
import { releaseOf } from '../kubernetes/releases/index.ts';
import { asList, asText } from '../manifests/read-data.ts';
import { substitute } from './substitute.ts';
import { list } from '../kit/words.ts';
import type { Fetched } from './fetched.ts';
import { lineOfEntry } from './place.ts';
import { postRender } from './post-render.ts';
import { type FileView, type RenderFolder, viewFiles, withRenderFolder } from './render-folder.ts';
import { isInside, realPath, type SourceFiles } from './source-files.ts';
import { type HelmRecipe, type KustomizeRecipe, mostNamed, type Refusal, type Source } from './source.ts';
import { runTool, type Tool, type ToolAnswer, type Tools } from './tools.ts';

/** What a tool made of a source. */
export type Rendering =
  | {
      readonly ok: true;
      readonly tool: 'kustomize' | 'helm';
      readonly text: string;
      /** The user's path of one that the text names relative to the overlay. */
      readonly originPath: (path: string) => string;
      /** What a reader should know: files outside the folder were read. */
      readonly notes: readonly string[];
    }
  | { readonly ok: false; readonly refusal: Refusal };

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

/** Renders a source with the tool that it needs. A recipe without a tool is none of its business. */
export async function render(
  source: Source,
  recipe: KustomizeRecipe | HelmRecipe,
  context: RenderContext,
  signal?: AbortSignal,
): Promise<Rendering> {
  const tool = recipe.tool === 'helm' ? context.tools.helm : context.tools.kustomize;
  const isChanged = recipe.tool === 'helm' && recipe.postRendering !== null;
  if (tool === null || (isChanged && context.tools.kustomize === null)) {
    const needed = recipe.tool === 'helm' && tool === null ? 'helm' : say`neither kubectl nor kustomize`;
    const message = needed === 'helm' ? say`${needed} is not installed` : say`${needed} is installed`;
    return { ok: false, refusal: { why: 'no-tool', message, place: source.place } };
  }
  return withRenderFolder(async (folder) => {
    const written = recipe.tool === 'helm' && recipe.areFilesOfUser !== true ? recipe.valueFiles : [];
    const reached = [...source.inputs, ...source.resources, ...written];
    const { boundary, fetched, files } = context;
    const roots = fetched.folder === null ? [boundary] : [fetched.folder, boundary];
    const outside = await allOutside(reached, roots);
    if (outside.length > 0) {
      const message = say`${list(outside, mostNamed)} ${outside.length === 1 ? 'leads' : 'lead'} out of the folder that is worked on`;
      return { ok: false, refusal: { why: 'not-supported', message, place: source.place } };
    }
    const view = await viewFiles(source, files.unsaved, roots, folder);
    return recipe.tool === 'helm'
      ? renderChart(source, recipe, tool, context, folder, view, signal)
      : renderKustomization(source, recipe, tool, context, folder, view, signal);
  });
}

/** Files that lie, or that a link leads, outside of some folders. */
async function allOutside(paths: readonly string[], roots: readonly string[]): Promise<readonly string[]> {
  const folders = await Promise.all(roots.map(realPath));
  const outside: string[] = [];
  for (const path of paths) {
    const real = await realPath(path);
    if (!folders.some((folder) => isInside(real, folder))) outside.push(path);
  }
  return outside;
}

async function renderKustomization(
  source: Source,
  recipe: KustomizeRecipe,
  tool: Tool,
  context: RenderContext,
  folder: RenderFolder,
  view: FileView,
  signal: AbortSignal | undefined,
): Promise<Rendering> {
  const overlay = join(folder.path, 'overlay');
  await mkdir(overlay);
  const toOverlay = async (path: string): Promise<string> =>
    relative(overlay, await realPath(view.toTool(path))).replaceAll('\\', '/');
  const targets = recipe.folder === null ? recipe.files : [recipe.folder];
  const components = asList(recipe.overlay['components']).map((path) => resolve(recipe.folder ?? '.', asText(path)));
  const kustomization: Record<string, Json> = {
    apiVersion: 'kustomize.config.k8s.io/v1beta1',
    kind: 'Kustomization',
    ...recipe.overlay,
    resources: await Promise.all(targets.map(toOverlay)),
    ...(components.length === 0 ? {} : { components: await Promise.all(components.map(toOverlay)) }),
    ...((await namesAreHashes(source, context.files))
      ? {}
      : { buildMetadata: ['originAnnotations', 'transformerAnnotations'] }),
  };
  await writeFile(join(overlay, 'kustomization.yaml'), JSON.stringify(kustomization));
  const build = tool.program === 'kustomize' ? 'build' : 'kustomize';
  const run = (path: string, isUnrestricted: boolean): Promise<ToolAnswer> =>
    runTool(
      tool,
      [build, ...(isUnrestricted ? ['--load-restrictor', 'LoadRestrictionsNone'] : []), path],
      folder,
      context.workedOn,
      signal,
    );
  let answer = await run(overlay, recipe.unrestricted || recipe.folder === null);
  const isRestricted = answer.text === null && answer.message.includes('is not in or below');
  const notes = isRestricted ? [say`${source.name} reads files outside its folder`] : [];
  if (isRestricted) answer = await run(overlay, true);
  if (answer.text === null && recipe.folder !== null && answer.failure === 'tool-error') {
    // Without the overlay the words of the tool name the user's own paths.
    const plain = await run(view.toTool(recipe.folder), isRestricted || recipe.unrestricted);
    if (plain.text === null) answer = plain;
  }
  if (answer.text === null) return failed(source, answer, context, folder, view);
  return {
    ok: true,
    tool: 'kustomize',
    text: recipe.substitute === null ? answer.text : substituted(answer.text, recipe.substitute, !recipe.hasUnknown),
    originPath: (path) => view.fromTool(resolve(overlay, path)),
    notes,
  };
}

/**
 * Whether the name of an object is made of all that is written in it, so that annotations of ours would change it.
 * Source: kustomize, api/hasher/hasher.go (only data counts of ConfigMaps and Secrets, which generators make)
 */
async function namesAreHashes({ resources }: Source, files: SourceFiles): Promise<boolean> {
  for (const file of resources) {
    if (hashedName.test((await files.read(file)) ?? '')) return true;
  }
  return false;
}

const hashedName =
  /^[ \t]+["']?(?:internal\.config\.kubernetes|kustomize\.config\.k8s)\.io\/(?:needs-hash|needsHashSuffix)\b/m;

/** Objects that say so are left as they are. Source: fluxcd/pkg kustomize/kustomize_varsub.go */
function substituted(text: string, values: ReadonlyMap<string, string>, areAll: boolean): string {
  return text
    .split(/^---$/m)
    .map((document) =>
      /^ {4}kustomize\.toolkit\.fluxcd\.io\/substitute: ["']?disabled/m.test(document)
        ? document
        : substitute(document, values, areAll),
    )
    .join('---');
}

async function renderChart(
  source: Source,
  recipe: HelmRecipe,
  tool: Tool,
  context: RenderContext,
  folder: RenderFolder,
  view: FileView,
  signal: AbortSignal | undefined,
): Promise<Rendering> {
  const args = ['template', recipe.release, view.toTool(recipe.chart), '--namespace', recipe.namespace];
  args.push('--include-crds', '--skip-tests', '--kube-version', `${context.kubernetes}.0`);
  args.push('--api-versions', servedKinds(context.kubernetes));
  if (await hasRemoteSchema(source, context.files)) args.push('--skip-schema-validation');
  for (const file of recipe.valueFiles) args.push('-f', view.toTool(file));
  for (const [index, values] of recipe.values.entries()) {
    const file = join(folder.path, `values-${index}.json`);
    await writeFile(file, JSON.stringify(values));
    args.push('-f', file);
  }
  for (const { name, value, isString } of recipe.parameters) {
    args.push(isString ? '--set-string' : '--set', `${name}=${value.replaceAll(',', '\\,')}`);
  }
  let answer = await runTool(tool, args, folder, context.workedOn, signal);
  const { kustomize } = context.tools;
  if (answer.text !== null && recipe.postRendering !== null && kustomize !== null) {
    answer = await postRender(answer.text, recipe.postRendering, kustomize, folder, context.workedOn, signal);
  }
  if (answer.text === null) return failed(source, answer, context, folder, view);
  return { ok: true, tool: 'helm', text: answer.text, originPath: (path) => view.fromTool(path), notes: [] };
}

/** Without a cluster helm knows groups and versions only, and charts ask for `policy/v1/PodDisruptionBudget` as well. */
function servedKinds(kubernetes: string): string {
  const minor = minors.find((each) => each === kubernetes) ?? newestMinor;
  const { served } = releaseOf(minor);
  return [...served].flatMap(([apiVersion, kinds]) => kinds.map((kind) => `${apiVersion}/${kind}`)).join(',');
}

/** Helm fetches what a schema of values refers to, without a proxy and without asking. */
async function hasRemoteSchema({ inputs }: Source, files: SourceFiles): Promise<boolean> {
  for (const file of inputs) {
    // Nobody looks into a packed chart.
    if (file.endsWith('.tgz')) return true;
    if (!file.endsWith('values.schema.json')) continue;
    if (/"\$(?:ref|schema|id)"\s*:\s*"(?!https?:\/\/json-schema\.org\/)[^"#]*:/.test((await files.read(file)) ?? '')) {
      return true;
    }
  }
  return false;
}

async function failed(
  source: Source,
  { failure, message }: ToolAnswer,
  context: RenderContext,
  folder: RenderFolder,
  view: FileView,
): Promise<Rendering> {
  const root = await realpath(context.boundary).catch(() => context.boundary);
  const copy = view.toTool(context.boundary);
  // Paths of the copy and absolute ones tell nothing that a relative one does not.
  const words = message
    .replace(/ Use --debug flag to render out invalid YAML$/, '')
    .replaceAll(`${copy}/`, '')
    .replaceAll(`${root}/`, '')
    .replaceAll(`${folder.path}/`, '');
  const why = failure === null || failure === 'aborted' ? 'tool-error' : failure;
  return { ok: false, refusal: { why, message: words, place: await failurePlace(source, message, context.files) } };
}

/** Helm names file, line and column of a template; kustomize quotes the entry that it stumbled over. */
async function failurePlace(source: Source, message: string, files: SourceFiles): Promise<Refusal['place']> {
  const words = message.split(/[()\s]+/).map((word) => word.split(':'));
  const templates = words.filter(([path = '']) => path.includes('/templates/'));
  // What a template makes may be no YAML, of which helm names no line.
  const template = templates.find(([, line = '']) => /^\d+$/.test(line)) ?? templates.find(([, line]) => line === '');
  const recipe = source.recipe;
  if (template !== undefined && recipe?.tool === 'helm') {
    const [path = '', line] = template;
    const file = join(recipe.chart, path.split('/').slice(1).join('/'));
    if ((await files.kindOf(file)) === 'file') return { file, line: Math.max(Number(line) - 1, 0) };
  }
  // Of bases in bases the innermost is the cause.
  const entered = [...message.matchAll(/ resources from '([^']+)'/g)].reverse();
  for (const [, entry = ''] of [...entered, ...message.matchAll(/'([^']+)'/g)]) {
    for (const file of source.inputs) {
      if (!/kustomization\.ya?ml$|Kustomization$/.test(file)) continue;
      const line = await lineOfEntry(file, entry, files);
      if (line !== null) return { file, line };
    }
  }
  return source.place;
}

/** What a rendering is made from, as a hash: as long as it stays, the same comes out. */
export async function inputsHash(source: Source, { files, tools, kubernetes }: RenderContext): Promise<string> {
  const { recipe } = source;
  const hash = createHash('sha256');
  const tool = recipe?.tool === 'helm' ? tools.helm : recipe?.tool === 'kustomize' ? tools.kustomize : null;
  const second = recipe?.tool === 'helm' && recipe.postRendering !== null ? tools.kustomize : null;
  const substituted = recipe?.tool === 'kustomize' && recipe.substitute !== null ? [...recipe.substitute] : null;
  hash.update(JSON.stringify([source.id, recipe, substituted, tool, second, kubernetes]));
  for (const file of [...source.inputs, ...source.resources, ...(recipe?.tool === 'helm' ? recipe.valueFiles : [])]) {
    const text = (await files.read(file)) ?? (await readFile(file).catch(() => ''));
    hash.update(file).update('\0').update(text).update('\0');
  }
  return hash.digest('hex');
}
