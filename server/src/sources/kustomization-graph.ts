import { say } from '../kit/say.ts';
import { dirname, join, resolve } from 'node:path';
import type { Json, JsonObject } from '../kubernetes/json.ts';
import { asList, asMap, asText, readData } from '../manifests/read-data.ts';
import type { Fetched } from './fetched.ts';
import { kustomizationNames } from './kustomization-names.ts';
import { notFetched, type Remote, remoteOfEntry } from './remote.ts';
import { isInside, type SourceFiles } from './source-files.ts';

/** Something that stops a rendering, with the words of the file that it stands in. */
export interface Obstacle {
  readonly why: 'remote' | 'missing' | 'inflates-chart' | 'unreadable' | 'template';
  /** The entry as written. */
  readonly entry: string;
  /** The kustomization that holds it. */
  readonly file: string;
  /** From 0, where it is not that of the entry. */
  readonly line?: number;
}

/** What stands for remote entries of a kustomization that were fetched. */
export interface StandIns {
  /** The kustomization. */
  readonly file: string;
  readonly value: JsonObject;
  /** Absolute paths, by the entry as written. */
  readonly paths: ReadonlyMap<string, string>;
}

/** One kustomization as it is written. */
export interface KustomizationFile {
  readonly folder: string;
  readonly file: string;
  readonly value: JsonObject;
  readonly isComponent: boolean;
  /** Folders that it takes as resources, and as components. */
  readonly bases: readonly string[];
  readonly components: readonly string[];
  /** Files that are manifests. */
  readonly resources: readonly string[];
  /** Files that change or make objects, and are no manifests themselves. */
  readonly inputs: readonly string[];
  readonly obstacles: readonly Obstacle[];
  readonly remotes: readonly Remote[];
  readonly standIns: StandIns['paths'];
  /** Whether it changes what its resources say beyond their namespace. */
  readonly transforms: boolean;
}

/** All that a rendering of a folder reads. */
export interface Reach {
  readonly kustomizations: readonly KustomizationFile[];
  readonly resources: ReadonlySet<string>;
  readonly inputs: ReadonlySet<string>;
  readonly obstacles: readonly Obstacle[];
  readonly remotes: readonly Remote[];
  readonly standIns: readonly StandIns[];
}

/**
 * What kustomize fetches: anything with a scheme, and what it hands to git.
 * Source: api/internal/git/repospec.go, api/loader/fileloader.go
 */
const remotePattern =
  /^[A-Za-z][\w+.-]*:\/\/|^git::|^[\w.-]+@[\w.-]+:|^(?:www\.)?github\.com[/:]|\?(?:ref|version|timeout|submodules)=/;

/** What stands behind the `key=` of a generator; the query of an address has one as well. */
export function addressOf(entry: string): string {
  const key = /^[\w.-]+=/.exec(entry)?.[0] ?? '';
  return entry.slice(key.length);
}

/** Whether an entry of a path-like field would be fetched; also behind the `key=` of generators. */
function isRemote(entry: string): boolean {
  const path = addressOf(entry);
  return remotePattern.test(entry) || remotePattern.test(path) || /=[A-Za-z][\w+.-]*:\/\//.test(entry);
}

const changing: readonly string[] = [
  'commonLabels',
  'configurations',
  'generators',
  'images',
  'namePrefix',
  'nameSuffix',
  'patches',
  'patchesJson6902',
  'patchesStrategicMerge',
  'replacements',
  'replicas',
  'transformers',
  'vars',
];

/** Reads kustomizations and follows them, without running anything. */
export class KustomizationGraph {
  readonly #files: SourceFiles;
  readonly #fetched: Fetched;
  readonly #known = new Map<string, Promise<KustomizationFile | null>>();

  constructor(files: SourceFiles, fetched: Fetched) {
    this.#files = files;
    this.#fetched = fetched;
  }

  /** The kustomization of a folder; null when there is none, or it is a Flux object of that name. */
  at(folder: string): Promise<KustomizationFile | null> {
    let known = this.#known.get(folder);
    if (known === undefined) this.#known.set(folder, (known = this.#read(folder)));
    return known;
  }

  /** Everything that the rendering of folders would read. */
  async reach(...folders: readonly string[]): Promise<Reach> {
    const kustomizations = new Map<string, KustomizationFile>();
    const obstacles: Obstacle[] = [];
    const waiting = folders.toReversed();
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      if (kustomizations.has(next)) continue;
      const found = await this.at(next);
      if (found === null) continue;
      kustomizations.set(next, found);
      obstacles.push(...found.obstacles);
      waiting.push(...found.bases, ...found.components);
    }
    const all = [...kustomizations.values()];
    return {
      kustomizations: all,
      resources: new Set(all.flatMap(({ resources }) => resources)),
      inputs: new Set(all.flatMap(({ inputs, file }) => [file, ...inputs])),
      obstacles,
      remotes: all.flatMap(({ remotes }) => remotes),
      standIns: all.flatMap(({ file, value, standIns }) =>
        standIns.size === 0 ? [] : [{ file, value, paths: standIns }],
      ),
    };
  }

  async #read(folder: string): Promise<KustomizationFile | null> {
    for (const name of kustomizationNames) {
      const file = join(folder, name);
      const text = await this.#files.read(file);
      if (text === null) continue;
      const data = readData(text);
      const map = asMap(data.value);
      if (asText(map['apiVersion']).startsWith('kustomize.toolkit.fluxcd.io/')) continue;
      const { problem, problemLine: line, isTemplate } = data;
      const why = isTemplate ? 'template' : 'unreadable';
      return this.#follow(folder, file, map, problem === null ? [] : [{ why, entry: problem, file, line }]);
    }
    return null;
  }

  async #follow(
    folder: string,
    file: string,
    value: JsonObject,
    problems: readonly Obstacle[],
  ): Promise<KustomizationFile> {
    const bases: string[] = [];
    const components: string[] = [];
    const resources: string[] = [];
    const inputs: string[] = [];
    const obstacles: Obstacle[] = [...problems];
    const remotes: Remote[] = [];
    const standIns = new Map<string, string>();
    const follow = async (entry: string, mayBeFolder: boolean): Promise<string | null> => {
      const { remote, path } = remoteOfEntry(addressOf(entry), mayBeFolder);
      remotes.push(remote);
      const found = this.#fetched.path(remote);
      if (found === null || (await this.#files.kindOf(found)) === null) return null;
      // A file is fetched into a folder with a kustomization of its own, as a file of elsewhere is no resource.
      const there = remote.kind === 'file' && mayBeFolder ? dirname(found) : join(found, path);
      if (!isInside(there, found) && remote.kind !== 'file') return null;
      standIns.set(entry, there);
      return there;
    };
    const take = async (entry: string, folders: string[] | null, plain: string[]): Promise<void> => {
      // More than one line is YAML written in place.
      if (entry === '' || entry.includes('\n')) return;
      const path = isRemote(entry) ? await follow(entry, folders !== null) : resolve(folder, entry);
      if (path === null) {
        obstacles.push({ why: 'remote', entry, file });
        return;
      }
      const kind = await this.#files.kindOf(path);
      if (kind === 'file') plain.push(path);
      else if (kind === 'folder' && folders !== null && (await this.#hasKustomization(path))) folders.push(path);
      else obstacles.push({ why: 'missing', entry, file });
    };
    for (const field of ['resources', 'bases']) {
      for (const entry of texts(value[field])) await take(entry, bases, resources);
    }
    for (const entry of texts(value['components'])) await take(entry, components, resources);
    for (const entry of ['crds', 'configurations', 'patchesStrategicMerge'].flatMap((field) => texts(value[field]))) {
      await take(entry, null, inputs);
    }
    for (const entry of [...fields(value, pathFields), ...generatorInputs(value)]) await take(entry, null, inputs);
    for (const field of ['generators', 'transformers', 'validators']) {
      for (const entry of texts(value[field])) {
        const isWritten = entry.includes('\n');
        if (!isWritten) await take(entry, components, inputs);
        const text = isWritten ? entry : await this.#files.read(resolve(folder, entry));
        for (const obstacle of builtinObstacles(text ?? '', file)) {
          obstacles.push(obstacle);
          if (obstacle.why !== 'remote') continue;
          remotes.push(notFetched('', obstacle.entry, say`a generator or transformer of kustomize names it`));
        }
      }
    }
    for (const field of ['helmCharts', 'helmChartInflationGenerator']) {
      for (const chart of asList(value[field])) {
        const { name, chartName } = asMap(chart);
        obstacles.push({ why: 'inflates-chart', entry: asText(name) || asText(chartName) || field, file });
      }
    }
    return {
      folder,
      file,
      value,
      isComponent: value['kind'] === 'Component',
      bases,
      components,
      resources,
      inputs,
      obstacles,
      remotes,
      standIns,
      transforms: components.length > 0 || changing.some((field) => value[field] !== undefined),
    };
  }

  async #hasKustomization(folder: string): Promise<boolean> {
    for (const name of kustomizationNames) {
      if ((await this.#files.kindOf(join(folder, name))) === 'file') return true;
    }
    return false;
  }
}

const pathFields: readonly (readonly [list: string, field: string])[] = [
  ['patches', 'path'],
  ['patchesJson6902', 'path'],
  ['replacements', 'path'],
];

function fields(value: JsonObject, names: typeof pathFields): string[] {
  const written = names.flatMap(([list, field]) => asList(value[list]).map((item) => asText(asMap(item)[field])));
  return [...written, asText(asMap(value['openapi'])['path'])];
}

/** Files that ConfigMaps and Secrets are made from; their keys stand before a `=`. */
function generatorInputs(value: JsonObject): string[] {
  return ['configMapGenerator', 'secretGenerator']
    .flatMap((field) => asList(value[field]).map(asMap))
    .flatMap(({ files, envs, env }) => [...texts(files).map(withoutKey), ...texts(envs), asText(env)]);
}

function withoutKey(entry: string): string {
  return isRemote(entry) ? entry : entry.slice(entry.indexOf('=') + 1);
}

/** A generator or transformer of kustomize's own can fetch as well. */
function builtinObstacles(text: string, file: string): Obstacle[] {
  const inflates = /^kind:\s*HelmChartInflationGenerator/m.test(text);
  if (inflates) return [{ why: 'inflates-chart', entry: 'HelmChartInflationGenerator', file }];
  const address = /[\w+.-]{1,16}:\/\/\S+|git@[^\s:@]+:\S+/.exec(text)?.[0];
  return address === undefined ? [] : [{ why: 'remote', entry: address, file }];
}

function texts(value: Json | undefined): string[] {
  return asList(value).map(asText);
}
