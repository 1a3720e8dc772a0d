import { isNumber } from '../../util/exact-integer.ts';
/**
 * The releases of helmfile, as far as they are plain: its templates run programs, so none is run. What only asks for
 * the environment or the release is filled in. Source: helmfile, docs/index.md
 */
import { basename, dirname, join, resolve } from 'node:path';
import { own } from '../../util/own.ts';
import { say } from '../../util/say.ts';
import type { Json, JsonObject } from '../../kubernetes/json.ts';
import { asList, asMap, asText } from '../../manifests/read-data.ts';
import { type Chart, chartParts, releaseName } from './chart.ts';
import type { Fetched } from '../files/fetched.ts';
import { isInside, shownPath } from '../files/paths.ts';
import { readMarked } from '../files/read-marked.ts';
import { type Remote, remoteChart } from '../files/remote.ts';
import type { SourceFiles } from '../files/source-files.ts';
import { type HelmRecipe, noFiles, type Refusal, type Source } from '../files/source.ts';

interface HelmfileContext {
  /** The folder that is worked on. */
  readonly root: string;
  readonly repository: string;
  readonly files: SourceFiles;
  readonly fetched: Fetched;
  readonly chartIn: (folder: string) => Promise<Chart | null>;
}

/** Helmfiles of helmfiles are followed this deep. */
const deepest = 8;
const mostReleases = 5_000;

/** @param others files with other names that hold releases */
export async function helmfileSources(
  paths: readonly string[],
  others: readonly string[],
  context: HelmfileContext,
): Promise<Source[]> {
  const sources: Source[] = [];
  const read = new Set<string>();
  const readAll = async (found: readonly string[], depth: number): Promise<void> => {
    for (const path of found) {
      if (read.has(path) || sources.length >= mostReleases) continue;
      read.add(path);
      const text = await context.files.read(path);
      if (text === null) continue;
      const { releases, others } = await releasesOf(path, text, context);
      sources.push(...releases);
      const next = others.filter((other) => isInside(other, context.repository));
      if (depth < deepest) await readAll(next, depth + 1);
    }
  };
  await readAll([...paths.filter(isHelmfile), ...others], 0);
  return sources;
}

/** Whether a text that is no manifest lists releases with their charts. */
export function holdsReleases(text: string): boolean {
  return /^releases:[ \t]*(?:#.*)?$/m.test(text) && /^[ \t]+(?:-[ \t]+)?chart:[ \t]/m.test(text);
}

function isHelmfile(path: string): boolean {
  const name = basename(path);
  return (
    /^helmfile\.ya?ml(?:\.gotmpl)?$/.test(name) ||
    (basename(dirname(path)) === 'helmfile.d' && /\.ya?ml(?:\.gotmpl)?$/.test(name))
  );
}

/** What decides, when helmfile runs, whether lines are there at all. */
const control = /\{\{-?\s*(?:if|else|range|with|end|define|template|block|include)\b/;

/** `{{ .Environment.Name }}`; what helmfile is to fill in late stands in a template that is text: `` {{`…`}} ``. */
const fillable = /\{\{-? {0,4}\.(Environment\.Name|Release\.Name|Release\.Namespace) {0,4}-?\}\}/g;

interface Read {
  readonly releases: readonly Source[];
  /** Other helmfiles that it names. */
  readonly others: readonly string[];
}

async function releasesOf(path: string, text: string, context: HelmfileContext): Promise<Read> {
  const shown = shownPath(path, context.root);
  const whole = (why: Refusal['why'], message: string): Read => {
    const place = { file: path, line: 0 };
    const refusal = { why, message, place };
    const name = `helmfile ${shown}`;
    const id = `helmfile:${path}`;
    const source: Source = {
      id,
      kind: 'helmfile',
      name,
      place,
      recipe: null,
      refusal,
      ...noFiles,
      isPlain: true,
      groups: [],
      labels: [],
    };
    return { releases: [source], others: [] };
  };
  // What is behind `---` is read on its own by helmfile, and mostly only names environments.
  const parts: JsonObject[] = [];
  for (const part of text.split(/^---[ \t]*$/m)) {
    const { value, problem } = readMarked(part);
    if (control.test(part) || (problem !== null && part.includes('{{'))) {
      return whole('not-supported', say`its templates decide what its releases are, and helmfile is not run`);
    }
    if (problem !== null) return whole('unreadable', problem);
    parts.push(asMap(value));
  }
  const all = (key: string): readonly Json[] => parts.flatMap((part) => asList(own(part, key)));
  const repositories = new Map(
    all('repositories')
      .map(asMap)
      .map((each) => [asText(each['name']), asText(each['url'])] as const),
  );
  const templates = parts.reduce<JsonObject>((merged, part) => ({ ...merged, ...asMap(part['templates']) }), {});
  const environments = [...new Set(parts.flatMap((part) => Object.keys(asMap(part['environments']))))];
  const others = all('helmfiles').map((each) =>
    resolve(dirname(path), typeof each === 'string' ? each : asText(asMap(each)['path'])),
  );
  const lines = text.split('\n');
  const releases: Source[] = [];
  for (const [index, written] of all('releases').entries()) {
    const release = withTemplates(asMap(written), templates);
    if (release['installed'] === false) continue;
    const name = asText(release['name']);
    const line = Math.max(
      0,
      lines.findIndex((each) => nameIn(each) === name),
    );
    const asksForEnvironment = JSON.stringify(release).includes('.Environment.Name');
    for (const environment of asksForEnvironment && environments.length > 0 ? environments : ['default']) {
      const filled = filledIn(release, environment);
      releases.push(
        await releaseSource(filled, {
          ...context,
          path,
          place: { file: path, line },
          repositories,
          id: `helmfile:${path}:${index}:${environment}`,
          groups: asksForEnvironment ? [`helmfile:${path}:${index}`] : [],
          labels: asksForEnvironment ? [environment] : [],
        }),
      );
    }
  }
  return { releases, others };
}

/** Whose name a line of a release has. */
function nameIn(line: string): string {
  const [key = '', value = ''] = line.replace(/^[ \t]*-?[ \t]*/, '').split(':', 2);
  return key === 'name' ? value.trim().replaceAll(/["']/g, '') : '';
}

/** Templates of releases, which they inherit; what they say themselves wins. */
function withTemplates(release: JsonObject, templates: JsonObject): JsonObject {
  const inherited = asList(release['inherit']).map((each) => asMap(own(templates, asText(asMap(each)['template']))));
  return Object.assign({}, ...inherited, release) as JsonObject;
}

function filledIn(release: JsonObject, environment: string): JsonObject {
  const known = new Map([
    ['Environment.Name', environment],
    ['Release.Name', asText(release['name'])],
    ['Release.Namespace', asText(release['namespace'])],
  ]);
  const fill = (value: Json): Json => {
    if (typeof value === 'string') {
      const text = value.replaceAll('{{`', '').replaceAll('`}}', '');
      return text.replaceAll(fillable, (_, what: string) => known.get(what) ?? '');
    }
    if (Array.isArray(value)) return value.map(fill);
    if (typeof value !== 'object' || value === null || isNumber(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, fill(each)]));
  };
  return asMap(fill(release));
}

interface ReleaseContext extends HelmfileContext, Pick<Source, 'id' | 'place' | 'groups' | 'labels'> {
  readonly path: string;
  /** Addresses by name. */
  readonly repositories: ReadonlyMap<string, string>;
}

async function releaseSource(release: JsonObject, context: ReleaseContext): Promise<Source> {
  const { id, place, groups, labels, files } = context;
  const name = asText(release['name']);
  const base = { id, kind: 'helmfile' as const, name: `helmfile release ${name}`.trim(), place, groups, labels };
  const { chart, remotes, message, why } = await chartOf(release, context);
  if (chart === null) {
    return { ...base, recipe: null, refusal: { why, message, place }, ...noFiles, remotes, isPlain: false };
  }
  const valueFiles: string[] = [];
  const values: JsonObject[] = [];
  let open = isOpen([name, release['namespace'] ?? '']) ? say`its name is filled in by a template` : '';
  let cause: string | undefined;
  if (release['condition'] !== undefined) open = say`a condition of helmfile decides whether it is installed`;
  for (const each of asList(release['values'])) {
    if (typeof each !== 'string') {
      if (isOpen(each)) open ||= say`its values are filled in by a template`;
      else values.push(asMap(each));
      continue;
    }
    const file = resolve(dirname(context.path), each);
    const text = each.includes('{{') ? null : await files.read(file);
    if (text === null) {
      open ||= say`its values file ${each} is not here`;
    } else if (!file.endsWith('.gotmpl') || !text.includes('{{')) {
      valueFiles.push(file);
    } else if (open === '') {
      open = say`its values file ${each} is a template`;
      cause = 'values of helmfile';
    }
  }
  const parameters = asList(release['set'])
    .map(asMap)
    .map((each) => ({
      name: asText(each['name']),
      value: asText(each['value']),
      isString: false,
    }));
  if (isOpen(asList(release['set']))) open ||= say`its values are filled in by a template`;
  const recipe: HelmRecipe = {
    tool: 'helm',
    chart: chart.folder,
    dependencies: chart.dependencies,
    release: releaseName(name),
    namespace: asText(release['namespace']) || 'default',
    valueFiles,
    values,
    configMaps: [],
    postRendering: null,
    parameters,
  };
  const parts = chartParts(chart);
  const byTemplate: Refusal = {
    why: 'not-supported',
    message: open,
    place,
    ...(cause === undefined ? {} : { cause, ofSeveral: say`their values files are templates` }),
  };
  const refusal: Refusal | null = open === '' ? parts.refusal : byTemplate;
  const lacks = asList(release['secrets']).length === 0 ? [] : [say`its secrets are encrypted`];
  return { ...base, ...parts, refusal, remotes: [...remotes, ...chart.remotes], recipe, lacks };
}

function isOpen(value: Json | readonly Json[]): boolean {
  return JSON.stringify(value).includes('{{');
}

interface FoundChart {
  readonly chart: Chart | null;
  readonly remotes: readonly Remote[];
  /** Why there is none. */
  readonly message: string;
  readonly why: Refusal['why'];
}

/** On disk, or of a repository that helmfile names, where it was fetched. */
async function chartOf(release: JsonObject, context: ReleaseContext): Promise<FoundChart> {
  const written = asText(release['chart']);
  const why = 'not-supported';
  const none = (message: string): FoundChart => ({ chart: null, remotes: [], message, why });
  if (written === '') return none(say`it names no chart`);
  if (written.includes('{{')) return none(say`the name of its chart is filled in by a template`);
  const local = resolve(dirname(context.path), written);
  const isNear =
    isInside(local, context.repository) && (await context.files.kindOf(join(local, 'Chart.yaml'))) === 'file';
  if (isNear) return { ...none(say`its chart cannot be read`), chart: await context.chartIn(local) };
  const missing = say`the chart ${written} is not in the workspace`;
  if (written.startsWith('.') || written.startsWith('/')) return none(missing);
  const slash = written.indexOf('/');
  const url = written.startsWith('oci://')
    ? written.slice(0, written.lastIndexOf('/'))
    : (context.repositories.get(written.slice(0, slash)) ?? '');
  const name = written.startsWith('oci://') ? written.slice(written.lastIndexOf('/') + 1) : written.slice(slash + 1);
  if (url === '') return { ...none(missing), why: 'remote' };
  const remote = remoteChart(url.includes('://') ? url : `oci://${url}`, name, asText(release['version']));
  const folder = await context.fetched.path(remote);
  const chart = folder === null ? null : await context.chartIn(folder);
  return { chart, remotes: [remote], message: missing, why: 'remote' };
}
