import { containedWhile } from '../../util/contain.ts';
import { getOrInsert } from '../../util/maps.ts';
import { say } from '../../util/say.ts';
import { dirname, join, resolve } from 'node:path';
import type { Json, JsonObject } from '../../kubernetes/json.ts';
import { asList, asMap, asText, readData } from '../../manifests/read-data.ts';
import type { Fetched } from '../files/fetched.ts';
import { readChartEntry, unknownChart, withInflated } from './kustomize-charts.ts';
import { kustomizationNames } from './kustomization-names.ts';
import { documentsIn, every, listed, pluginFields, texts, textsIn, writtenInPlace } from './kustomize-values.ts';
import { isIgnoredByGit } from '../files/git-ignored.ts';
import { notFetched, type Remote, remoteOfEntry } from '../files/remote.ts';
import { isInside } from '../files/paths.ts';
import type { InflatedChart, PluginFiles, StandIns } from '../files/source.ts';
import type { SourceFiles } from '../files/source-files.ts';

/** Something that stops a rendering, with the words of the file that it stands in. */
export interface Obstacle {
  readonly why: 'remote' | 'chart' | 'ignored' | 'missing' | 'outside' | 'inflates-chart' | 'unreadable' | 'template';
  /** The entry as written. */
  readonly entry: string;
  /** The kustomization that holds it. */
  readonly file: string;
  /** From 0, where it is not that of the entry. */
  readonly line?: number;
  /** Whether the kustomization is rendered without it, which leaves everything else as it would be. */
  readonly isLeftOut?: true;
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
  readonly plugins: PluginFiles;
  /** Folders whose resources are generators, transformers or validators. */
  readonly pluginFolders: readonly string[];
  /** Whether it reads files that are not in or below its folder. */
  readonly readsOutside: boolean;
  /** Whether it has generators that decrypt Secrets: they are plugins, and it is rendered without them. */
  readonly decrypts: boolean;
  /** Whether `value` is without resources or charts that are not here. */
  readonly leavesOut: boolean;
  /** Charts that it inflates and that are here. */
  readonly charts: readonly InflatedChart[];
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
  readonly plugins: PluginFiles;
}

/**
 * What kustomize fetches: anything with a scheme, and what it hands to git.
 * Source: api/internal/git/repospec.go, api/loader/fileloader.go
 */
const remotePattern =
  /^\s*[A-Za-z][\w+.-]*:\/\/|^git::|^[\w.-]+@[\w.-]+:|^(?:www\.)?github\.com[/:]|\?(?:ref|version|timeout|submodules)=/i;

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

/** Whether a kustomization leaves what it lists as it is written. */
function onlyLists(value: JsonObject): boolean {
  return Object.keys(value).every((field) => ['apiVersion', 'kind', 'metadata', 'resources'].includes(field));
}

/** Reads kustomizations and follows them, without running anything. */
export class KustomizationGraph {
  readonly #files: SourceFiles;
  readonly #fetched: Fetched;
  readonly #known = new Map<string, Promise<KustomizationFile | null>>();
  /** Folders of the charts that kustomizations inflate, as far as these were read. */
  readonly inflated = new Set<string>();

  constructor(files: SourceFiles, fetched: Fetched) {
    this.#files = files;
    this.#fetched = fetched;
  }

  /** The kustomization of a folder; null when there is none, or it is a Flux object of that name. */
  at(folder: string): Promise<KustomizationFile | null> {
    return getOrInsert(this.#known, folder, () => this.#read(folder));
  }

  /** Everything that the rendering of folders would read. */
  async reach(...folders: readonly string[]): Promise<Reach> {
    const kustomizations = await this.#following(folders);
    const all = [...kustomizations.values()];
    const obstacles = all.flatMap((each) => each.obstacles);
    const remotes = all.flatMap((each) => each.remotes);
    const inputs = new Set(all.flatMap((each) => [each.file, ...each.inputs]));
    const plugins = new Map(all.flatMap((each) => [...each.plugins]));
    const building = new Set<string>();
    for (const { folder, file, pluginFolders } of all) {
      // They are set up in the folder of the kustomization that names them.
      for (const { resources, value, file: built } of (await this.#following(pluginFolders)).values()) {
        if (!onlyLists(value)) building.add(built);
        for (const path of resources) {
          const found = await this.#plugin(path, (await this.#files.read(path)) ?? '', folder, file);
          obstacles.push(...found.obstacles);
          remotes.push(...found.remotes);
          for (const input of found.inputs) inputs.add(input);
          plugins.set(path, found.values);
        }
      }
    }
    return {
      kustomizations: all,
      resources: new Set(all.flatMap(({ resources }) => resources)),
      inputs,
      obstacles,
      remotes,
      standIns: all.map(({ file, value, standIns, decrypts, leavesOut, charts }) => ({
        file,
        value,
        paths: standIns,
        ...(decrypts ? { isLess: true } : {}),
        ...(leavesOut ? { leavesOut: true as const } : {}),
        ...(charts.length > 0 ? { charts } : {}),
        ...(building.has(file) ? { buildsPlugins: true as const } : {}),
      })),
      plugins,
    };
  }

  /** Kustomizations with all that they take in, by folder. */
  async #following(folders: readonly string[]): Promise<Map<string, KustomizationFile>> {
    const kustomizations = new Map<string, KustomizationFile>();
    const waiting = folders.toReversed();
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      if (kustomizations.has(next)) continue;
      const found = await this.at(next);
      if (found === null) continue;
      kustomizations.set(next, found);
      waiting.push(...found.bases, ...found.components);
    }
    return kustomizations;
  }

  /** What a generator, a transformer or a validator would read: it is set up of values that may stand anywhere in it. */
  async #plugin(
    named: string,
    text: string,
    folder: string,
    file: string,
  ): Promise<Pick<KustomizationFile, 'inputs' | 'obstacles' | 'remotes'> & { readonly values: readonly Json[] }> {
    const values = documentsIn(text);
    if (values === null) {
      const obstacle: Obstacle = { why: 'unreadable', entry: say`${named} cannot be read`, file, line: 0 };
      return { inputs: [], obstacles: [obstacle], remotes: [], values: [] };
    }
    const inputs: string[] = [];
    const obstacles: Obstacle[] = [];
    const remotes: Remote[] = [];
    for (const found of values.flatMap((value) => [...textsIn(value)])) {
      if (/^HelmChartInflationGenerator$/i.test(found)) {
        obstacles.push({ why: 'inflates-chart', entry: 'HelmChartInflationGenerator', file });
      }
      if (isRemote(found) || found.includes('://') || /git@[^\s:@]+:\S+/.test(found)) {
        const entry = /[\w+.-]{1,16}:\/\/\S+|git@[^\s:@]+:\S+/.exec(found)?.[0] ?? found;
        obstacles.push({ why: 'remote', entry, file });
        remotes.push(notFetched('', entry, say`a generator or transformer of kustomize names it`));
        continue;
      }
      if (found === '' || found.includes('\n')) continue;
      for (const written of new Set([found, withoutKey(found)])) {
        const path = resolve(folder, written);
        if ((await this.#files.kindOf(path)) === 'file') inputs.push(path);
      }
    }
    return { inputs, obstacles, remotes, values };
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
      return containedWhile(
        say`this kustomization`,
        () => this.#follow(folder, file, map, problem === null ? [] : [{ why, entry: problem, file, line }]),
        (failure) => this.#follow(folder, file, {}, [{ why: 'unreadable', entry: failure, file, line: 0 }]),
      );
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
    const generated: string[] = [];
    const obstacles: Obstacle[] = [...problems];
    const remotes: Remote[] = [];
    const standIns = new Map<string, string>();
    const plugins = new Map<string, readonly Json[]>();
    const pluginFolders: string[] = [];
    const leftOut = new Set<string>();
    let leavesCharts = false;
    let readsOutside = false;
    const follow = async (entry: string, mayBeFolder: boolean): Promise<string | null> => {
      const { remote, path } = remoteOfEntry(addressOf(entry), mayBeFolder);
      remotes.push(remote);
      const found = await this.#fetched.path(remote);
      if (found === null || (await this.#files.kindOf(found)) === null) return null;
      // A file is fetched into a folder with a kustomization of its own, as a file of elsewhere is no resource.
      const there = remote.kind === 'file' && mayBeFolder ? dirname(found) : join(found, path);
      if (!isInside(there, found) && remote.kind !== 'file') return null;
      standIns.set(entry, there);
      return there;
    };
    /** Notes what is not here. Only what changes nothing of others is left out: no component and no patch. */
    const leave = (why: Obstacle['why'], entry: string, isLeftOut: boolean): void => {
      if (isLeftOut) leftOut.add(entry);
      obstacles.push({ why, entry, file, ...(isLeftOut ? { isLeftOut } : {}) });
    };
    const take = async (entry: string, folders: string[] | null, plain: string[]): Promise<void> => {
      // More than one line is YAML written in place.
      if (entry === '' || entry.includes('\n')) return;
      const path = isRemote(entry) ? await follow(entry, folders !== null) : resolve(folder, entry);
      if (path === null) {
        leave('remote', entry, folders === bases);
        return;
      }
      const kind = await this.#files.kindOf(path);
      if (kind === 'file') {
        plain.push(path);
        readsOutside ||= !isInside(path, folder);
      } else if (kind === 'folder' && folders !== null && (await this.#hasKustomization(path))) {
        // Kustomize goes on from where a link leads.
        const unlinked = (await this.#files.unlinked(path)) ?? path;
        if (unlinked !== path) standIns.set(entry, unlinked);
        folders.push(unlinked);
      } else {
        if (await this.#files.isOutside(path)) obstacles.push({ why: 'outside', entry, file });
        else if (!(await isIgnoredByGit(path, this.#files))) obstacles.push({ why: 'missing', entry, file });
        else leave('ignored', entry, folders === bases || plain === generated);
      }
    };
    for (const field of ['resources', 'bases']) {
      for (const entry of texts(value, field)) await take(entry, bases, resources);
    }
    for (const entry of texts(value, 'components')) await take(entry, components, resources);
    for (const entry of ['crds', 'configurations'].flatMap((field) => texts(value, field))) {
      await take(entry, null, inputs);
    }
    for (const entry of texts(value, 'patchesStrategicMerge')) {
      if (writtenInPlace(entry) === null) await take(entry, null, inputs);
    }
    for (const entry of fields(value, pathFields)) await take(entry, null, inputs);
    for (const entry of generatorInputs(value)) await take(entry, null, generated);
    inputs.push(...generated);
    const decrypting = new Set<string>();
    for (const entry of texts(value, 'generators')) {
      if (await this.#decrypts(folder, entry)) decrypting.add(entry);
    }
    for (const entry of pluginFields.flatMap((field) => texts(value, field))) {
      if (decrypting.has(entry)) continue;
      let path: string | null = null;
      if (writtenInPlace(entry) === null) {
        const files: string[] = [];
        await take(entry, pluginFolders, files);
        [path = null] = files;
        inputs.push(...files);
        if (path === null) continue;
      }
      const text = path === null ? entry : ((await this.#files.read(path)) ?? '');
      const found = await this.#plugin(path === null ? say`a generator or transformer` : entry, text, folder, file);
      obstacles.push(...found.obstacles);
      remotes.push(...found.remotes);
      inputs.push(...found.inputs);
      if (path !== null) plugins.set(path, found.values);
    }
    const charts: InflatedChart[] = [];
    for (const field of ['helmCharts', 'helmChartInflationGenerator']) {
      for (const chart of listed(value, field)) {
        const isKnown = field === 'helmCharts';
        const { inflated, remote, missing } = isKnown
          ? await readChartEntry(asMap(chart), value, folder, this.#files, this.#fetched)
          : unknownChart;
        if (remote !== null) remotes.push(remote);
        if (inflated !== null) {
          charts.push({ ...inflated, target: join(folder, `podium-chart-${charts.length}.yaml`) });
          this.inflated.add(inflated.folder);
          inputs.push(...(await this.#files.tree(inflated.folder)), ...inflated.valueFiles);
          continue;
        }
        const [name] = [...every(chart, 'name'), ...every(chart, 'chartName')]
          .map(asText)
          .filter((each) => each !== '');
        leavesCharts = true;
        for (const entry of missing) await take(entry, null, generated);
        if (missing.length > 0) continue;
        const why = remote === null ? 'inflates-chart' : 'chart';
        obstacles.push({ why, entry: name ?? field, file, isLeftOut: true });
      }
    }
    const whole = standInFor(value, decrypting, charts);
    const leavesOut = leavesCharts || leftOut.size > 0;
    return {
      folder,
      file,
      value: leavesOut ? withoutLeftOut(whole, leftOut) : whole,
      leavesOut,
      charts,
      readsOutside,
      decrypts: decrypting.size > 0,
      isComponent: every(value, 'kind').includes('Component'),
      bases,
      // Folders of plugins are taken in as components are: nothing in them is applied by itself.
      components: [...components, ...pluginFolders],
      resources,
      inputs,
      obstacles,
      remotes,
      standIns,
      plugins,
      pluginFolders,
      transforms: components.length > 0 || changing.some((field) => every(value, field).length > 0),
    };
  }

  /** Whether a file has nothing but generators that decrypt Secrets. */
  async #decrypts(folder: string, entry: string): Promise<boolean> {
    if (entry === '' || isRemote(entry)) return false;
    const text = entry.includes('\n') ? entry : await this.#files.read(resolve(folder, entry));
    const values = text === null ? null : documentsIn(text);
    return values !== null && values.length > 0 && values.every((value) => /sops/i.test(asText(asMap(value)['kind'])));
  }

  async #hasKustomization(folder: string): Promise<boolean> {
    for (const name of kustomizationNames) {
      if ((await this.#files.kindOf(join(folder, name))) === 'file') return true;
    }
    return false;
  }
}

function standInFor(value: JsonObject, decrypting: ReadonlySet<string>, charts: readonly InflatedChart[]): JsonObject {
  const less = decrypting.size === 0 ? value : withoutGenerators(value, decrypting);
  return charts.length === 0 ? less : withInflated(less, charts);
}

/** Without charts that are not here, and without resources and files of generators that are elsewhere. */
function withoutLeftOut(value: JsonObject, entries: ReadonlySet<string>): JsonObject {
  const isKept = (entry: Json): boolean => typeof entry !== 'string' || !entries.has(withoutKey(entry));
  const less = (made: Json): JsonObject => {
    const rest = Object.entries(asMap(made)).filter(([key]) => !/^(?:files|envs?)$/iu.test(key));
    const [files, envs] = ['files', 'envs'].map((field) => listed(made, field).filter(isKept));
    const env = every(made, 'env').filter((entry) => entry !== '' && isKept(entry));
    return { ...Object.fromEntries(rest), files: files!, envs: [...envs!, ...env] };
  };
  const rest = Object.entries(value).flatMap(([key, written]): [string, Json][] => {
    if (/^(?:helmCharts|helmChartInflationGenerator|helmGlobals|resources|bases)$/iu.test(key)) return [];
    return [[key, /^(?:configMap|secret)Generator$/iu.test(key) ? asList(written).map(less) : written]];
  });
  const resources = ['resources', 'bases'].flatMap((field) => listed(value, field));
  return { ...Object.fromEntries(rest), resources: resources.filter(isKept) };
}

function withoutGenerators(value: JsonObject, entries: ReadonlySet<string>): JsonObject {
  const isKept = (entry: Json): boolean => typeof entry !== 'string' || !entries.has(entry);
  const fields = Object.entries(value).flatMap(([key, written]): [string, Json][] => {
    if (!/^generators$/iu.test(key)) return [[key, written]];
    const kept = asList(written).filter(isKept);
    return kept.length === 0 ? [] : [[key, kept]];
  });
  return Object.fromEntries(fields);
}

const pathFields: readonly (readonly [list: string, field: string])[] = [
  ['patches', 'path'],
  ['patchesJson6902', 'path'],
  ['replacements', 'path'],
];

function fields(value: JsonObject, names: typeof pathFields): string[] {
  const written = names.flatMap(([list, field]) => listed(value, list).flatMap((item) => every(item, field)));
  return [...written, ...every(value, 'openapi').flatMap((each) => every(each, 'path'))].map(asText);
}

/** Files that ConfigMaps and Secrets are made from; their keys stand before a `=`. */
function generatorInputs(value: JsonObject): string[] {
  return ['configMapGenerator', 'secretGenerator']
    .flatMap((field) => listed(value, field))
    .flatMap((made) => [
      ...texts(made, 'files').map(withoutKey),
      ...texts(made, 'envs'),
      ...every(made, 'env').map(asText),
    ]);
}

function withoutKey(entry: string): string {
  return isRemote(entry) ? entry : entry.slice(entry.indexOf('=') + 1);
}
