import { say } from '../../util/say.ts';
import { basename, join, resolve, sep } from 'node:path';
import type { JsonObject } from '../../kubernetes/json.ts';
import { asList, asMap, asText, readData } from '../../manifests/read-data.ts';
import { isInside, shownPath } from '../files/paths.ts';
import type { SourceFiles } from '../files/source-files.ts';
import type { Fetched } from '../files/fetched.ts';
import { notFetched, type Remote, remoteChart } from '../files/remote.ts';
import type { FetchedDependency, HelmRecipe, Refusal, Source, StandIns } from '../files/source.ts';

/** A Helm chart as it lies on disk. */
export interface Chart {
  readonly folder: string;
  readonly name: string;
  readonly isLibrary: boolean;
  /** All files of it and of the charts in it. */
  readonly files: readonly string[];
  /** Value files beside `values.yaml`. */
  readonly variants: readonly string[];
  /** Files of the charts of the workspace that it depends on, which are laid into it. */
  readonly laidIn: readonly string[];
  /** Value files that chart-testing installs it with (`ct install`): `ci/*-values.yaml`. */
  readonly testValues: readonly string[];
  readonly dependsOnTooMany: boolean;
  /** A dependency that is named and neither there nor fetched. */
  readonly missing: string | null;
  /** By which it is rendered without those; empty where it has no templates, or one that it depends on lacks one. */
  readonly standIns: readonly StandIns[];
  /** Dependencies that are not in its folder. */
  readonly remotes: readonly Remote[];
  /** Those of them that were fetched. */
  readonly dependencies: readonly FetchedDependency[];
}

/** How somebody says that charts are installed. */
export interface InstalledChart {
  /** Absolute paths of the charts. */
  readonly folders: readonly string[];
  /** Absolute paths, the last wins. */
  readonly valueFiles: readonly string[];
  readonly release: string | undefined;
  readonly namespace: string | undefined;
}

/** Other value files of a chart: `values-prod.yaml`, `values.prod.yaml`. */
const variantName = /^values[-._](.+)\.ya?ml$/;
/** A JSON schema of values that is written as YAML. */
const schemaName = /^values[-._](?:.+[-._])?schema\.ya?ml$/;
/** Source: helm/chart-testing, pkg/chart/chart.go (ValuesFilePathsForCI) */
const testValuesName = /^ci[\\/][^\\/]*-values\.yaml$/;

/** @param within what dependencies with a `file:` address may be read from: the repository */
export async function readChart(
  folder: string,
  files: SourceFiles,
  fetched: Fetched,
  within: string,
): Promise<Chart | null> {
  const chart = await chartDescription(folder, files);
  if (chart === null) return null;
  const below = await files.tree(folder);
  const inChart = (path: string): string => path.slice(folder.length + 1);
  const isVariant = (name: string): boolean => !name.includes(sep) && variantName.test(name) && !schemaName.test(name);
  const otherCharts = new OtherCharts(files, fetched, within);
  const { absent, ...others } = await otherCharts.of(folder, chart, []);
  const laidIn = await Promise.all(others.dependencies.map((dependency) => files.tree(dependency.folder)));
  return {
    folder,
    name: asText(chart['name']) || basename(folder),
    isLibrary: chart['type'] === 'library',
    files: below,
    laidIn: laidIn.flat().filter((path) => isInside(path, within)),
    variants: below.filter((path) => isVariant(inChart(path))),
    testValues: below.filter((path) => testValuesName.test(inChart(path))),
    dependsOnTooMany: otherCharts.areTooMany,
    ...others,
    standIns: below.some((path) => inChart(path).startsWith(`templates${sep}`))
      ? await withoutDependencies(folder, absent, files)
      : [],
  };
}

/** Descriptions of a chart without some of the charts that it depends on. */
async function withoutDependencies(
  folder: string,
  absent: readonly string[],
  files: SourceFiles,
): Promise<readonly StandIns[]> {
  if (absent.length === 0) return [];
  const found: StandIns[] = [];
  for (const file of descriptions.map((name) => join(folder, name))) {
    const value = asMap(readData((await files.read(file)) ?? '').value);
    const all = asList(value['dependencies']);
    const dependencies = all.filter((each) => !absent.includes(asText(asMap(each)['name'])));
    if (dependencies.length === all.length) continue;
    found.push({ file, value: { ...value, dependencies }, paths: new Map(), leavesOut: true });
  }
  return found;
}

/** Charts of Helm 2 have their dependencies in a file of their own. */
const descriptions = ['Chart.yaml', 'requirements.yaml'];

/**
 * What a chart says of itself.
 * Source: helm, internal/chart/v2/loader/load.go (LoadFiles)
 *
 * @returns null where there is no chart
 */
export async function chartDescription(folder: string, files: SourceFiles): Promise<JsonObject | null> {
  const text = await files.read(join(folder, 'Chart.yaml'));
  if (text === null) return null;
  const requirements = asMap(readData((await files.read(join(folder, 'requirements.yaml'))) ?? '').value);
  return { ...asMap(readData(text).value), ...requirements };
}

/** Charts of one chart that are laid in, each counted as often as it is. */
const mostDependencies = 500;

/** Charts that a chart depends on and that are not in its folder. */
class OtherCharts {
  readonly #files: SourceFiles;
  readonly #fetched: Fetched;
  readonly #within: string;
  #taken = 0;

  constructor(files: SourceFiles, fetched: Fetched, within: string) {
    this.#files = files;
    this.#fetched = fetched;
    this.#within = within;
  }

  /** Whether there are more than are laid in: charts that all take the same two double at each step. */
  get areTooMany(): boolean {
    return this.#taken > mostDependencies;
  }

  /** @param above folders of the charts that it is a dependency of */
  async of(
    folder: string,
    chart: JsonObject,
    above: readonly string[],
  ): Promise<Pick<Chart, 'missing' | 'remotes' | 'dependencies'> & { readonly absent: readonly string[] }> {
    const wanted = asList(chart['dependencies']).map(asMap);
    const present = wanted.length === 0 ? [] : await this.#files.tree(join(folder, 'charts'));
    const locked: JsonObject[] = [];
    for (const lock of wanted.length === 0 ? [] : ['Chart.lock', 'requirements.lock']) {
      const text = (await this.#files.read(join(folder, lock))) ?? '';
      locked.push(...asList(asMap(readData(text).value)['dependencies']).map(asMap));
    }
    const remotes: Remote[] = [];
    const dependencies: FetchedDependency[] = [];
    const absent: string[] = [];
    let lacksInner: string | null = null;
    for (const dependency of wanted) {
      const name = asText(dependency['name']);
      if (name === '' || (await isThere(name, folder, present, this.#files))) continue;
      const local = await this.#local(folder, dependency);
      const remote = local === null ? remoteDependency(dependency, locked) : null;
      const found = local ?? (remote === null ? null : await this.#fetched.path(remote));
      if (remote !== null) remotes.push(remote);
      if (found === null || above.includes(found) || (await this.#files.kindOf(found)) !== 'folder') {
        absent.push(name);
        continue;
      }
      this.#taken += 1;
      if (this.areTooMany) break;
      dependencies.push({ name, folder: found });
      if (local === null) continue;
      const inner = (await chartDescription(local, this.#files)) ?? {};
      const others = await this.of(local, inner, [...above, folder]);
      lacksInner ??= others.missing;
      remotes.push(...others.remotes);
      for (const each of others.dependencies) dependencies.push({ ...each, name: join(name, 'charts', each.name) });
    }
    return { missing: absent[0] ?? lacksInner, absent: lacksInner === null ? absent : [], remotes, dependencies };
  }

  /**
   * The folder of a chart with a `file:` address, as `helm dependency build` lays it in.
   * Source: helm, pkg/downloader/manager.go (tarFromLocalDir)
   */
  async #local(folder: string, dependency: JsonObject): Promise<string | null> {
    const path = /^file:\/\/(.*)$/.exec(asText(dependency['repository']))?.[1];
    if (path === undefined) return null;
    const found = resolve(folder, path);
    const isChart = isInside(found, this.#within) && (await this.#files.kindOf(join(found, 'Chart.yaml'))) === 'file';
    return isChart ? found : null;
  }
}

async function isThere(name: string, folder: string, present: readonly string[], files: SourceFiles): Promise<boolean> {
  if ((await files.kindOf(join(folder, 'charts', name))) === 'folder') return true;
  const isPacked = present.some((path) => basename(path).startsWith(`${name}-`) && path.endsWith('.tgz'));
  return isPacked || holdsChart(present, name, files);
}

/** Null for what lies on disk, or should. A lock says which version a range has come to. */
function remoteDependency(dependency: JsonObject, locked: readonly JsonObject[]): Remote | null {
  const name = asText(dependency['name']);
  const repository = asText(dependency['repository']);
  if (repository === '' || repository.startsWith('file:')) return null;
  if (/^(?:@|alias:)/.test(repository)) {
    return notFetched(
      name,
      '',
      say`its repository ${repository} is a name of Helm's configuration, which Podium does not read`,
    );
  }
  const lock = locked.find((each) => each['name'] === name && each['repository'] === repository);
  return remoteChart(repository, name, asText(lock?.['version']) || asText(dependency['version']));
}

/** A subchart's folder need not have its name. */
async function holdsChart(present: readonly string[], name: string, files: SourceFiles): Promise<boolean> {
  for (const path of present) {
    if (basename(path) !== 'Chart.yaml') continue;
    const text = await files.read(path);
    if (text !== null && asMap(readData(text).value)['name'] === name) return true;
  }
  return false;
}

/** The part of a value file's name that tells it apart: `prod` of `values-prod.yaml`. */
function variantLabel(file: string): string {
  return variantName.exec(basename(file))?.[1] ?? basename(file);
}

/** Why a chart cannot be rendered; null when nothing is known against it. */
function chartRefusal(chart: Chart): Refusal | null {
  const place = { file: join(chart.folder, 'Chart.yaml'), line: 0 };
  if (chart.dependsOnTooMany) {
    return { why: 'too-much', message: say`it depends on more than ${mostDependencies} charts`, place };
  }
  if (chart.missing === null) return null;
  const message = say`the chart ${chart.missing} that ${chart.name} depends on is not in the charts folder (helm dependency build)`;
  const ofSeveral = say`their charts are not in the charts folder (helm dependency build)`;
  return { why: 'missing', message, ofSeveral, place, cause: 'dependencies of charts' };
}

/** The sources that a chart is by itself: with its own values, and with each other value file beside them. */
export function chartSources(chart: Chart, root: string, installed: InstalledChart | null): Source[] {
  if (chart.isLibrary) return [];
  const shown = shownPath(chart.folder, root);
  const name = shown === '.' ? chart.name : shown;
  if (installed?.folders.includes(chart.folder) === true) return [installedChart(chart, name, installed)];
  const variants: readonly (string | null)[] = [null, ...chart.variants];
  return variants.map((variant) => {
    const recipe: HelmRecipe = {
      tool: 'helm',
      chart: chart.folder,
      dependencies: chart.dependencies,
      release: releaseName(chart.name),
      namespace: 'default',
      valueFiles: variant === null ? [] : [variant],
      testValues: variant === null ? chart.testValues : [],
      values: [],
      configMaps: [],
      postRendering: null,
      parameters: [],
    };
    const file = basename(variant ?? '');
    return {
      ...chartParts(chart),
      id: `chart:${chart.folder}${variant === null ? '' : `:${file}`}`,
      kind: 'chart',
      name: variant === null ? name : `${name} -f ${file}`,
      place: { file: join(chart.folder, 'Chart.yaml'), line: 0 },
      recipe,
      groups: chart.variants.length === 0 ? [] : [`chart:${chart.folder}`],
      labels: chart.variants.length === 0 ? [] : [variant === null ? 'default' : variantLabel(variant)],
    };
  });
}

function installedChart(chart: Chart, name: string, { valueFiles, release, namespace }: InstalledChart): Source {
  return {
    ...chartParts(chart),
    id: `chart:${chart.folder}`,
    kind: 'chart',
    name: [name, ...valueFiles.map((file) => `-f ${basename(file)}`)].join(' '),
    place: { file: join(chart.folder, 'Chart.yaml'), line: 0 },
    recipe: {
      tool: 'helm',
      chart: chart.folder,
      dependencies: chart.dependencies,
      release: releaseName(release ?? chart.name),
      namespace: namespace ?? 'default',
      valueFiles,
      areFilesOfUser: true,
      values: [],
      configMaps: [],
      postRendering: null,
      parameters: [],
    },
    groups: [],
    labels: [],
  };
}

/** What every source that renders a chart has in common. */
export function chartParts(
  chart: Chart,
): Pick<Source, 'refusal' | 'leftOut' | 'inputs' | 'resources' | 'isPlain' | 'remotes' | 'standIns' | 'plugins'> {
  const refusal = chartRefusal(chart);
  return {
    ...(refusal !== null && chart.standIns.length > 0 ? { refusal: null, leftOut: refusal } : { refusal }),
    inputs: new Set([...chart.files, ...chart.laidIn]),
    resources: new Set(),
    isPlain: false,
    remotes: chart.remotes,
    standIns: chart.standIns,
    plugins: new Map(),
  };
}

/** Source: helm, pkg/chartutil/validate_name.go (ValidateReleaseName: 53 characters of a DNS name) */
export function releaseName(name: string): string {
  let letters = name
    .toLowerCase()
    .replace(/[^a-z0-9.-]/g, '-')
    .replace(/^[-.]+/, '')
    .slice(0, 53);
  while (/[-.]$/.test(letters)) letters = letters.slice(0, -1);
  return letters || 'release';
}
