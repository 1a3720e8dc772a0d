import { basename, dirname, join, posix } from 'node:path';
import { lstat, readdir, readFile } from 'node:fs/promises';
import { contained, containedWhile } from '../../util/contain.ts';
import { addTo, getOrInsert } from '../../util/maps.ts';
import { say } from '../../util/say.ts';
import { eachInSlices } from '../../util/run-in-slices.ts';
import type { JsonObject } from '../../kubernetes/json.ts';
import type { ManifestFile, ManifestObject, PlacedDocument } from '../../manifests/manifest.ts';
import { asMap, asText } from '../../manifests/read-data.ts';
import { placedPosition } from '../../manifests/text-positions.ts';
import { expandApplicationSet, foldersOfSet } from '../argocd/application-set.ts';
import { applicationSources } from '../argocd/argo.ts';
import { type WrittenSet, writtenSet } from '../argocd/written-set.ts';
import { isApplication, isDelivery, isFluxKustomization, isHelmRelease } from '../files/delivery-kinds.ts';
import { readMarked } from '../files/read-marked.ts';
import { type Chart, chartSources, type InstalledChart, readChart } from '../helm/chart.ts';
import type { ConfigMapHere, DeliveryObject, DiscoveryContext } from '../flux/delivery.ts';
import { helmfileSources, holdsReleases } from '../helm/helmfile.ts';
import { sourcesOfOtherTools } from './other-tools.ts';
import { fluxKustomizationSource, helmReleaseSource } from '../flux/flux.ts';
import { type KustomizationFile, KustomizationGraph } from '../kustomize/kustomization-graph.ts';
import type { MadeObject } from '../rendering/made-object.ts';
import { pathOf } from '../files/path-of.ts';
import { kustomizationNames } from '../kustomize/kustomization-names.ts';
import { kustomizationSource, makesNothing, unusedComponent } from '../kustomize/kustomization.ts';
import type { SourceFiles } from '../files/source-files.ts';
import { isInside, shownPath } from '../files/paths.ts';
import type { Fetched } from '../files/fetched.ts';
import { FillingRoom } from '../files/go-template-pieces.ts';
import { failedSource, noFiles, type Source, type SourcePlace } from '../files/source.ts';
import { holdsParts, holdsPatches, isKubeadmPatch, unusedPatch } from '../kustomize/unused-patch.ts';

export interface Workspace {
  /** The folder that is worked on. */
  readonly root: string;
  /** The repository that it lies in, or the folder itself. */
  readonly repository: string;
  /** Absolute paths of the files in it, without those that are left out. */
  readonly paths: readonly string[];
  /** Files that are neither YAML nor JSON by their names, and may be read by a tool. */
  readonly others: readonly string[];
  readonly files: SourceFiles;
  /** The plain manifests among them, by absolute path. */
  readonly manifests: ReadonlyMap<string, ManifestFile>;
  readonly fetched: Fetched;
  /** How charts are installed, where somebody says so. */
  readonly installed?: InstalledChart | null | undefined;
}

/** As many as 20,000 Applications of 5,000 characters each. */
const charactersFilledIn = 100_000_000;

/** Applications of one ApplicationSet that a tool is run for. */
const mostRendered = 1_000;

/** Finds what turns the files of a folder into objects. Reads YAML only, and runs nothing. */
export class Discovery {
  readonly graph: KustomizationGraph;
  #configMaps: Map<string, WrittenObject[]> | null = null;
  readonly #workspace: Workspace;
  readonly #charts = new Map<string, Promise<Chart | null>>();
  readonly #context: DiscoveryContext;
  #fluxRepositories: readonly ManifestObject[] | undefined;
  /** Folders with files, with `/` between their names. */
  #folders: ReadonlySet<string> | undefined;

  constructor(workspace: Workspace) {
    this.#workspace = workspace;
    this.graph = new KustomizationGraph(workspace.files, workspace.fetched);
    this.#context = {
      root: workspace.root,
      files: workspace.files,
      graph: this.graph,
      folderInRepository: (path) => this.#folder(path),
      folderOfPacked: (path) => this.#folderOfPacked(path),
      chartIn: (folder) => this.chart(folder),
      fetched: workspace.fetched,
      fluxRepository: (kind, namespace, name) => this.#fluxRepository(kind, namespace, name),
      artifactGenerators: () =>
        this.#repositories().flatMap(({ kind, value }) => (kind === 'ArtifactGenerator' ? [asMap(value['spec'])] : [])),
      isOwnRepository: (url, branch) => this.#isOwn(url, branch),
      configMap: (namespace, name) => Promise.resolve(this.#configMap(namespace, name, [])),
      parse: readMarked,
      fillingRoom: new FillingRoom(charactersFilledIn),
    };
  }

  chart(folder: string): Promise<Chart | null> {
    return getOrInsert(this.#charts, folder, () => {
      const { files, fetched, root, repository } = this.#workspace;
      const read = (): Promise<Chart | null> => readChart(folder, files, fetched, repository);
      return containedWhile(say`this chart`, read, (text) => {
        this.failed.push(failedSource('chart', shownPath(folder, root), chartPlace(folder), text));
        return null;
      });
    });
  }

  /** Charts on which Podium failed. */
  readonly failed: Source[] = [];

  /** The objects of Flux and Argo CD that are written in manifests; patches of such objects are none. */
  async delivery(): Promise<DeliveryObject[]> {
    const inputs = await this.inputs();
    const found: DeliveryObject[] = [];
    await eachInSlices(this.#workspace.manifests, ([path, file]) => {
      if (!inputs.has(path)) found.push(...deliveryObjects(path, file));
    });
    return found;
  }

  /**
   * The sources of an object of Flux or Argo CD.
   *
   * @param beside what the sources made that it was found in, from the inside out: generated ConfigMaps are written
   * nowhere else, and clusters have one each of a name
   */
  sourcesOf(object: DeliveryObject, beside: readonly (readonly MadeObject[])[] = []): Promise<Source[]> {
    const { kind, name, place } = object;
    return containedWhile(
      say`this object`,
      () => this.#sourcesOf(object, beside),
      (text) => [
        failedSource(isApplication(object) ? 'argo-application' : 'helm-release', `${kind} ${name}`, place, text),
      ],
    );
  }

  async #sourcesOf(object: DeliveryObject, beside: readonly (readonly MadeObject[])[]): Promise<Source[]> {
    const context: DiscoveryContext = {
      ...this.#context,
      configMap: (namespace, name) => Promise.resolve(this.#configMap(namespace, name, beside)),
    };
    if (isFluxKustomization(object)) return [await fluxKustomizationSource(object, context)];
    if (isHelmRelease(object)) return [await helmReleaseSource(object, context)];
    if (isApplication(object)) return applicationSources(object, this.#context);
    const { applications, refusal } = await expandApplicationSet(object, this.#context);
    const sources: Source[] = [];
    let rendered = 0;
    for (const application of applications) {
      for (const found of await applicationSources(application, this.#context)) {
        if (found.refusal === null && found.recipe !== null && found.recipe.tool !== 'none') rendered += 1;
        const source = rendered <= mostRendered ? found : tooMany(found);
        sources.push({ ...source, id: `${source.id}#${application.name}` });
      }
    }
    if (refusal !== null) {
      sources.push({
        id: `argo-set:${object.place.file}:${object.name}`,
        kind: 'argo-application',
        name: `ApplicationSet ${object.name}`,
        place: object.place,
        recipe: null,
        refusal,
        applies: await foldersOfSet(object, this.#context),
        ...noFiles,
        isPlain: true,
        groups: [],
        labels: [],
      });
    }
    return sources;
  }

  /** Releases of helmfile, and what other tools make that Podium does not run. */
  async ofOtherTools(): Promise<Source[]> {
    const { paths, others, files, root, fetched, repository, manifests } = this.#workspace;
    const charts = await this.charts();
    const isHelmfile = ([path, { documents }]: readonly [string, ManifestFile]): boolean =>
      documents.some(({ document: { content, text } }) => content !== 'manifest' && holdsReleases(text)) &&
      !charts.some(({ folder }) => isInside(path, folder));
    const unnamed = [...manifests].filter(isHelmfile).map(([path]) => path);
    const releases = await containedWhile(
      say`helmfile`,
      () =>
        helmfileSources([...paths, ...others], unnamed, {
          root,
          repository,
          files,
          fetched,
          chartIn: (folder) => this.chart(folder),
        }),
      (): Source[] => [],
    );
    return [...releases, ...(await sourcesOfOtherTools([...paths, ...others], root, files))];
  }

  /** Kustomizations that no other one and no delivered source takes in. */
  async kustomizations(delivered: readonly Source[]): Promise<Source[]> {
    const { paths, files, root } = this.#workspace;
    const charts = await this.charts();
    const taken = new Set<string>();
    const found: KustomizationFile[] = [];
    const components: KustomizationFile[] = [];
    // Bundles of Rancher Fleet, which lays kustomizations over what a chart makes.
    const bundles = paths.filter((path) => basename(path) === 'fleet.yaml').map((path) => dirname(path));
    for (const path of paths) {
      if (
        !kustomizationNames.includes(basename(path)) ||
        charts.some(({ folder }) => isInside(path, join(folder, 'templates')))
      ) {
        continue;
      }
      const kustomization = await this.graph.at(dirname(path));
      if (kustomization?.file !== path) continue;
      for (const folder of [...kustomization.bases, ...kustomization.components]) taken.add(folder);
      const isLaidOver = makesNothing(kustomization) && bundles.some((folder) => isInside(path, folder));
      (kustomization.isComponent || isLaidOver ? components : found).push(kustomization);
    }
    for (const { inputs } of delivered) for (const file of inputs) taken.add(dirname(file));
    const free = found.filter(({ folder }) => !taken.has(folder));
    // Of those that take in each other none is free; the first stands for them.
    const reached = new Set<string>(delivered.flatMap(({ inputs }) => [...inputs]));
    for (const { folder } of free) {
      for (const { file } of (await this.graph.reach(folder)).kustomizations) reached.add(file);
    }
    for (const kustomization of found) {
      if (reached.has(kustomization.file)) continue;
      free.push(kustomization);
      for (const { file } of (await this.graph.reach(kustomization.folder)).kustomizations) reached.add(file);
    }
    const unused = components.filter(({ file, folder }) => !reached.has(file) && !taken.has(folder));
    const patches = await this.#unusedPatches([...found, ...components], delivered);
    const sources = await Promise.all([
      ...free.map((kustomization) =>
        containedWhile(
          say`this kustomization`,
          () => kustomizationSource(kustomization, this.graph, files, root),
          (text) => {
            const place = { file: kustomization.file, line: 0 };
            return failedSource('kustomization', shownPath(kustomization.folder, root), place, text);
          },
        ),
      ),
      ...unused.map((component) => unusedComponent(component, this.graph, root)),
    ]);
    return [...sources, ...patches];
  }

  /** Parts of manifests in folders of kustomizations that do not take them, and parts that kubeadm takes. */
  async #unusedPatches(all: readonly KustomizationFile[], delivered: readonly Source[]): Promise<Source[]> {
    const taken = new Set([
      ...[...all, ...delivered].flatMap(({ inputs, resources }) => [...inputs, ...resources]),
      ...all.map(({ file }) => file),
    ]);
    const folders = new Set(all.map(({ folder }) => folder));
    const { manifests, root } = this.#workspace;
    const isBeside = (path: string): boolean => {
      for (let at = dirname(path); isInside(at, root); at = dirname(at)) {
        if (folders.has(at)) return true;
        if (at === dirname(at)) break;
      }
      return false;
    };
    const mayBePatch = (path: string): boolean => all.length > 0 || /patch|overlay/.test(basename(path));
    const charts = await this.charts();
    const found: Source[] = [];
    await eachInSlices(manifests, ([path, file]) => {
      if (taken.has(path) || !holdsParts(file) || charts.some(({ folder }) => isInside(path, folder))) return;
      const isPatch = isKubeadmPatch(path) || isBeside(path) || (mayBePatch(path) && holdsPatches(file));
      if (isPatch) found.push(unusedPatch(path, root));
    });
    return found;
  }

  /** Files that are no manifests of their own, whoever takes them: patches, generators' inputs, all of a chart. */
  async inputs(): Promise<Set<string>> {
    const inputs = new Set((await this.charts()).flatMap(({ files }) => files));
    for (const path of this.#workspace.paths) {
      if (!kustomizationNames.includes(basename(path))) continue;
      const kustomization = await this.graph.at(dirname(path));
      if (kustomization === null) continue;
      inputs.add(kustomization.file);
      for (const file of kustomization.inputs) inputs.add(file);
    }
    return inputs;
  }

  /** Charts that lie in no other one. */
  async charts(): Promise<Chart[]> {
    const folders = this.#workspace.paths
      .filter((path) => basename(path) === 'Chart.yaml')
      .map((path) => dirname(path));
    const outer = folders.filter(
      (folder) => !folders.some((other) => other !== folder && isInside(folder, join(other, 'charts'))),
    );
    return (await Promise.all(outer.map((folder) => this.chart(folder)))).filter((chart) => chart !== null);
  }

  /** Sources of charts that nobody installs by an object, nor as a part of another chart. */
  async ownCharts(delivered: readonly Source[]): Promise<Source[]> {
    const { root, installed: asked = null } = this.#workspace;
    const charts = await this.charts();
    const taken = new Set(delivered.flatMap(({ recipe }) => (recipe?.tool === 'helm' ? [recipe.chart] : [])));
    for (const folder of this.graph.inflated) taken.add(folder);
    for (const { missing, standIns, dependsOnTooMany, dependencies } of charts) {
      const isRendered = (missing === null || standIns.length > 0) && !dependsOnTooMany;
      for (const { folder } of isRendered ? dependencies : []) taken.add(folder);
    }
    for (const folder of asked?.folders ?? []) taken.delete(folder);
    const free = charts.filter(({ folder }) => !taken.has(folder));
    const sources = free.flatMap((chart) =>
      contained(
        say`this chart`,
        () => chartSources(chart, root, asked),
        (text) => [failedSource('chart', shownPath(chart.folder, root), chartPlace(chart.folder), text)],
      ),
    );
    return [...sources, ...this.failed.splice(0)];
  }

  /** A path of the repository, or of the folder that is worked on. */
  async #folder(path: string): Promise<string | null> {
    const { files, repository, root } = this.#workspace;
    for (const folder of [repository, root]) {
      const found = join(folder, path);
      if (isInside(found, folder) && (await files.kindOf(found)) === 'folder') return found.replace(/[\\/]$/, '');
    }
    return null;
  }

  async #folderOfPacked(path: string): Promise<string | null> {
    const found = await this.#folder(path);
    const end = posix.join('/', path, '/');
    if (found !== null || end === '/') return found;
    this.#folders ??= new Set(this.#workspace.paths.map((file) => dirname(file).replaceAll('\\', '/')));
    const tops = new Set<string>();
    for (const folder of this.#folders) {
      const at = `${folder}/`.indexOf(end, this.#workspace.root.length);
      if (at !== -1) tops.add(folder.slice(0, at));
    }
    const [top] = tops;
    return top === undefined || tops.size > 1 ? null : join(top, path).replace(/[\\/]$/, '');
  }

  /** Compares the last part of the address, as a fork has another owner; without remotes nobody can tell. */
  async #isOwn(url: string, branch = ''): Promise<boolean> {
    const text = await configurationOf(this.#workspace.repository);
    const branches = [...text.matchAll(/^[ \t]*\[branch "([^"\n]*)"\]/gm)].map(([, name]) => name);
    if (branch !== '' && branches.length > 0 && !branches.includes(branch)) return false;
    const remotes = [...text.matchAll(/^[ \t]*url[ \t]*=[ \t]*(\S.*)$/gm)].map(([, address]) =>
      repositoryName(address ?? ''),
    );
    return url === '' || remotes.length === 0 || remotes.includes(repositoryName(url)) || url.includes('{{');
  }

  /** An overlay may set the namespace that is not written with it, or another; so the only one of a name is meant. */
  #fluxRepository(kind: string, namespace: string, name: string): JsonObject | null {
    const named = this.#repositories().filter((object) => object.kind === kind && object.name === name);
    const found =
      named.find((object) => object.namespace === namespace) ??
      named.find((object) => object.namespace === '' || namespace === '') ??
      (named.length === 1 ? named[0] : undefined);
    return found === undefined ? null : asMap(found.value['spec']);
  }

  #repositories(): readonly ManifestObject[] {
    return (this.#fluxRepositories ??= [...this.#workspace.manifests.values()].flatMap(({ documents }) =>
      documents.flatMap(({ document }) =>
        document.objects.filter(({ apiVersion }) => /^source\.(?:toolkit|extensions)\.fluxcd\.io\//.test(apiVersion)),
      ),
    ));
  }

  #configMap(namespace: string, name: string, beside: readonly (readonly MadeObject[])[]): ConfigMapHere | null {
    const isIt = ({ object }: { readonly object: ManifestObject }): boolean =>
      object.kind === 'ConfigMap' &&
      object.name === name &&
      (object.namespace === '' || object.namespace === namespace || namespace === '');
    const made = beside.flatMap((each) => each.find(isIt) ?? [])[0];
    const written = made === undefined ? (this.#writtenConfigMaps.get(name) ?? []).filter(isIt) : [];
    const found = made === undefined ? written[0] : { ...made, placed: made.file.documents[made.index]! };
    if (found === undefined) return null;
    const { object, file, placed } = found;
    const { line } = placedPosition(placed, object.locateNearest(['kind'], 'key').start);
    const place = { file: pathOf(file.uri) ?? file.uri, line };
    return { data: asMap(object.value['data']), place, isOneOfSeveral: written.length > 1 };
  }

  /** By name, in the order of the files. */
  get #writtenConfigMaps(): ReadonlyMap<string, readonly WrittenObject[]> {
    if (this.#configMaps === null) {
      this.#configMaps = new Map();
      for (const file of this.#workspace.manifests.values()) {
        for (const placed of file.documents) {
          for (const object of placed.document.objects) {
            if (object.kind !== 'ConfigMap') continue;
            addTo(this.#configMaps, object.name, { object, file, placed });
          }
        }
      }
    }
    return this.#configMaps;
  }
}

function chartPlace(folder: string): SourcePlace {
  return { file: join(folder, 'Chart.yaml'), line: 0 };
}

function tooMany(source: Source): Source {
  if (source.refusal !== null || source.recipe?.tool === 'none') return source;
  const message = say`its ApplicationSet makes more than ${mostRendered} that have to be rendered`;
  return { ...source, refusal: { why: 'too-much', message, place: source.place } };
}

interface WrittenObject {
  readonly object: ManifestObject;
  readonly file: ManifestFile;
  readonly placed: PlacedDocument;
}

/** What git says of a repository: of no use to what is rendered. */
async function configurationOf(repository: string): Promise<string> {
  const path = join(repository, '.git', 'config');
  const found = await lstat(path).catch(() => null);
  return found?.isFile() === true && found.size < mostOfConfiguration ? readFile(path, 'utf8') : '';
}

const mostOfConfiguration = 1024 * 1024;

function repositoryName(url: string): string {
  return (
    url
      .trim()
      .replace(/\/$/, '')
      .replace(/\.git$/, '')
      .split(/[/:]/)
      .at(-1) ?? ''
  ).toLowerCase();
}

/** The objects of Flux and Argo CD in a file. */
function deliveryObjects(path: string, file: ManifestFile): DeliveryObject[] {
  return file.documents.flatMap((placed) => {
    const set = writtenSet(placed);
    if (set !== null) return [setAt(path, placed, set)];
    return placed.document.objects.flatMap((object) => {
      const { apiVersion, kind, namespace, name, value } = object;
      if (!isDelivery(object)) return [];
      const { line } = placedPosition(placed, object.locateNearest(['kind'], 'key').start);
      return [{ apiVersion, kind, namespace, name, value, place: { file: path, line } }];
    });
  });
}

function setAt(path: string, placed: PlacedDocument, { value, head }: WrittenSet): DeliveryObject {
  const { namespace, name } = asMap(value['metadata']);
  const place = { file: path, line: placedPosition(placed, head.start).line };
  const apiVersion = asText(value['apiVersion']);
  return { apiVersion, kind: 'ApplicationSet', namespace: asText(namespace), name: asText(name), value, place };
}

/** The nearest folder with a repository at or above one; null where there is none. */
export async function repositoryAt(folder: string): Promise<string | null> {
  for (let at = folder; ; at = dirname(at)) {
    const names: readonly string[] = await readdir(at).catch(() => []);
    if (names.includes('.git')) return at;
    if (at === dirname(at)) return null;
  }
}

/**
 * Where there is no repository, the nearest folder that holds a folder and all kustomizations and charts that it takes,
 * up to the one that Podium was started in: `podium simulate overlays/prod` reads `base`, too.
 */
export async function folderOfAll(
  folder: string,
  upTo: string,
  paths: readonly string[],
  files: SourceFiles,
  fetched: Fetched,
): Promise<string> {
  const foldersWith = (names: readonly string[]): string[] =>
    paths.filter((path) => names.includes(basename(path))).map((path) => dirname(path));
  const { kustomizations } = await new KustomizationGraph(files, fetched).reach(...foldersWith(kustomizationNames));
  const charts = await Promise.all(foldersWith(['Chart.yaml']).map((chart) => readChart(chart, files, fetched, upTo)));
  let found = folder;
  for (const { folder: taken } of [...kustomizations, ...charts.flatMap((chart) => chart?.dependencies ?? [])]) {
    if (isInside(taken, upTo)) while (!isInside(taken, found)) found = dirname(found);
  }
  return found;
}
