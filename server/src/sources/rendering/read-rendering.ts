import { join, resolve } from 'node:path';
import { URI } from 'vscode-uri';
import { getOrInsert } from '../../util/maps.ts';
import { runInSlices } from '../../util/run-in-slices.ts';
import { isNamespaced } from '../../kubernetes/decode/index.ts';
import type { JsonObject } from '../../kubernetes/json.ts';
import { outputLimits } from '../../manifests/limits.ts';
import type {
  ManifestDocument,
  ManifestFile,
  ManifestObject,
  OffsetRange,
  PlacedDocument,
} from '../../manifests/manifest.ts';
import { readManifestFile } from '../../manifests/parse-manifest-file.ts';
import { asList, asMap, asText, readData } from '../../manifests/read-data.ts';
import type { KustomizationFile } from '../kustomize/kustomization-graph.ts';
import { noteMadeWords } from './made-words.ts';
import type { MadeObject, ReadingContext } from './made-object.ts';
import { objectPatches } from './object-patches.ts';
import { objectTextAt } from '../kustomize/object-text.ts';
import { placeHere } from './place-here.ts';
import { patchPlaces, readSetters } from '../kustomize/patch-places.ts';
import { readMarked } from '../files/read-marked.ts';
import { originAnnotation, transformationsAnnotation, withoutOwnAnnotations } from '../files/origin.ts';
import type { Rendering } from './render.ts';
import { ObjectOfManifest, ObjectOfTemplate, type FindPlace } from '../files/rendered-object.ts';
import type { FolderRecipe, HelmRecipe, InflatedChart, KustomizeRecipe, Source } from '../files/source.ts';
import { chartDescription } from '../helm/chart.ts';
import { isInside } from '../files/paths.ts';
import { writtenSet } from '../argocd/written-set.ts';
import { findInTemplate, type TemplateObject } from '../helm/template-places.ts';
import { readValuesFiles, type ValuesFiles, valuesPlaces } from '../helm/values-places.ts';

/** The objects of a rendering, each with what is known of where it comes from. */
export async function readRendering(
  source: Source,
  recipe: KustomizeRecipe | HelmRecipe,
  rendering: Rendering & { readonly ok: true },
  context: ReadingContext,
): Promise<MadeObject[]> {
  const steps = readManifestFile(`rendered:${source.id}`, rendering.text, null, undefined, outputLimits);
  const file = (await runInSlices(steps, () => true))!;
  const reader =
    recipe.tool === 'helm'
      ? new ChartReader(source, recipe, context)
      : new KustomizeReader(source, recipe, rendering, context);
  const made = await reader.read(file);
  await noteMadeWords(source, recipe, made, context.files);
  return placeHere(source, made, context);
}

/** The manifests of a folder that are applied as they stand, but for a namespace. */
export async function readFolder(source: Source, recipe: FolderRecipe, context: ReadingContext): Promise<MadeObject[]> {
  const made: MadeObject[] = [];
  for (const path of recipe.files) {
    const file = await context.parsed(path);
    for (const { document, index } of file?.documents ?? []) {
      for (const written of document.objects) {
        const value = withNamespace(written.value, recipe.namespace);
        made.push({ object: new ObjectOfManifest(source.name, value, written, nowhere), file: file!, index });
      }
    }
  }
  return placeHere(source, made, context);
}

/** What tools print is no template any more, whatever it says: values of a chart, alerts, dashboards. */
function valuesOf({ content, objects, text }: ManifestDocument): readonly JsonObject[] {
  if (content !== 'template') return objects.map(({ value }) => value);
  const value = asMap(readMarked(text).value);
  return asText(value['kind']) === '' ? [] : [value];
}

const nowhere: FindPlace = () => undefined;

/** An object of a namespaced kind that names no namespace gets one. */
function withNamespace(value: JsonObject, namespace: string): JsonObject {
  const metadata = asMap(value['metadata']);
  if (namespace === '' || !isNamespaced(asText(value['apiVersion']), asText(value['kind']))) return value;
  if (asText(metadata['namespace']) !== '') return value;
  return { ...value, metadata: { ...metadata, namespace } };
}

/** A chart that a kustomization inflates. */
interface Inflated {
  readonly values: ValuesFiles;
  readonly templates: readonly ManifestFile[];
}

class KustomizeReader {
  readonly #source: Source;
  readonly #recipe: KustomizeRecipe;
  readonly #originPath: (path: string) => string;
  readonly #context: ReadingContext;
  readonly #inflated = new Map<string, Promise<Inflated>>();

  constructor(
    source: Source,
    recipe: KustomizeRecipe,
    { originPath }: Rendering & { ok: true },
    context: ReadingContext,
  ) {
    this.#source = source;
    this.#recipe = recipe;
    this.#originPath = originPath;
    this.#context = context;
  }

  async read(rendered: ManifestFile): Promise<MadeObject[]> {
    const setters = await readSetters(await this.#kustomizations(), this.#context.files);
    const fallback = await this.#context.parsed(this.#source.place.file);
    const own = 'patches' in this.#recipe.overlay ? await patchesOf(this.#source, this.#context) : nowhere;
    const made: MadeObject[] = [];
    for (const { document } of rendered.documents) {
      for (const value of valuesOf(document)) {
        const annotations = asMap(asMap(value['metadata'])['annotations']);
        const origin = asMap(readData(asText(annotations[originAnnotation])).value);
        const changedIn = new Set(this.#changedIn(asText(annotations[transformationsAnnotation])));
        const clean = withNamespace(withoutOwnAnnotations(value), this.#recipe.namespace);
        const found = await this.#written(origin, clean);
        const ofPatches = patchPlaces(setters, found?.object.name ?? '', changedIn);
        const find: FindPlace = (of, path) => own(of, path) ?? ofPatches(of, path);
        const name = this.#source.name;
        if (found !== null) {
          const object = new ObjectOfManifest(name, clean, found.object, find);
          made.push({ object, file: found.file, index: found.placed.index });
          continue;
        }
        const set = await this.#set(asText(origin['path']), clean);
        if (set !== null) {
          const { file, index, head } = set;
          made.push({ object: new ObjectOfTemplate(name, clean, { keyOf: () => undefined, head }, find), file, index });
          continue;
        }
        const inTemplate = await this.#inTemplate(asText(origin['path']), clean);
        if (inTemplate !== null) {
          const { template, values, file } = inTemplate;
          const ofValues = valuesPlaces(template, values, [], []);
          const place: FindPlace = (of, path) => find(of, path) ?? ofValues(of, path);
          const object = new ObjectOfTemplate(name, clean, template, place);
          made.push({ object, file, index: template.placed.index });
          continue;
        }
        const configured = asText(origin['configuredIn']);
        const file = configured === '' ? fallback : await this.#context.parsed(this.#originPath(configured));
        if (file === null) continue;
        made.push({ object: new ObjectOfTemplate(name, clean, wholeLine(file), find), file, index: 0 });
      }
    }
    return made;
  }

  /** An ApplicationSet in the file that kustomize names, which the manifest reader takes for a template. */
  async #set(
    path: string,
    { kind, metadata }: JsonObject,
  ): Promise<{ readonly file: ManifestFile; readonly index: number; readonly head: OffsetRange } | null> {
    if (path === '' || kind !== 'ApplicationSet') return null;
    const file = await this.#context.parsed(this.#originPath(path));
    const name = asText(asMap(metadata)['name']);
    for (const placed of file?.documents ?? []) {
      const set = writtenSet(placed);
      const written = asText(asMap(set?.value['metadata'])['name']);
      if (set !== null && name.includes(written)) return { file: file!, index: placed.index, head: set.head };
    }
    return null;
  }

  /** Where a template makes an object, of a chart that the kustomization inflates. */
  async #inTemplate(
    path: string,
    { kind, metadata }: JsonObject,
  ): Promise<(Inflated & { readonly template: TemplateObject; readonly file: ManifestFile }) | null> {
    const target = path === '' ? '' : this.#originPath(path);
    const chart = this.#source.standIns.flatMap(({ charts = [] }) => charts).find((each) => each.target === target);
    if (chart === undefined) return null;
    const inflated = getOrInsert(this.#inflated, target, () => this.#readInflated(chart));
    const { values, templates } = await inflated;
    const documents = templates.flatMap((file) => file.documents);
    const template = findInTemplate(documents, asText(kind), asText(asMap(metadata)['name']), 0);
    const file = templates.find((each) => each.documents.some((placed) => placed === template?.placed));
    return template === null || file === undefined ? null : { values, templates, template, file };
  }

  async #readInflated({ folder, valueFiles }: InflatedChart): Promise<Inflated> {
    const { files, parsed } = this.#context;
    const recipe = { chart: folder, valueFiles, values: [], parameters: [], configMaps: [] };
    const paths = await files.tree(join(folder, 'templates'));
    const templates = await Promise.all(paths.map((path) => parsed(path)));
    return {
      values: await readValuesFiles(this.#source, recipe, files, parsed),
      templates: templates.filter((file) => file !== null),
    };
  }

  async #kustomizations(): Promise<readonly KustomizationFile[]> {
    const { folder, files, overlay } = this.#recipe;
    const components = asList(overlay['components']).map((path) => resolve(folder, asText(path)));
    // Flux takes in the kustomizations below a folder that has none.
    const folders = [folder, ...(files ?? []), ...components];
    const reached = await Promise.all(folders.map((each) => this.#context.graph.reach(each)));
    return reached.flatMap(({ kustomizations }) => kustomizations);
  }

  #changedIn(annotation: string): string[] {
    return asList(readData(annotation).value).flatMap((entry) => {
      const path = asText(asMap(entry)['configuredIn']);
      return path === '' ? [] : [this.#originPath(path)];
    });
  }

  /** The object in the file that kustomize names, by its kind and by what is left of its name, or the only one. */
  async #written(
    origin: JsonObject,
    { kind, metadata }: JsonObject,
  ): Promise<{ object: ManifestObject; file: ManifestFile; placed: PlacedDocument } | null> {
    const path = asText(origin['path']);
    if (path === '' || origin['repo'] !== undefined) return null;
    const file = await this.#context.parsed(this.#originPath(path));
    if (file === null) return null;
    const name = asText(asMap(metadata)['name']);
    const alike = file.documents.flatMap((placed) =>
      placed.document.objects.filter((object) => object.kind === kind).map((object) => ({ object, file, placed })),
    );
    const named = alike.filter(({ object, placed }) => {
      // A placeholder of Flux in the name is filled in later.
      const { start, end } = object.locateNearest(['metadata', 'name'], 'value');
      return name.includes(object.name) || placed.document.text.slice(start, end).includes('${');
    });
    const [best] = named.toSorted((one, other) => other.object.name.length - one.object.name.length);
    return best ?? (alike.length === 1 ? alike[0]! : null);
  }
}

/** Where the patches of the object that is the source stand. */
async function patchesOf({ place }: Source, { parsed }: ReadingContext): Promise<FindPlace> {
  const own = objectTextAt(await parsed(place.file), place.line, ({ value }) => value['spec'] !== undefined);
  return own === null ? nowhere : objectPatches(own);
}

/** The first line of a file, for what has no better place in it. */
function wholeLine({ documents }: ManifestFile): { keyOf: () => undefined; head: { start: number; end: number } } {
  const text = documents[0]?.document.text ?? '';
  const [line = ''] = text.split(/[\r\n]/, 1);
  return { keyOf: () => undefined, head: { start: 0, end: line.length } };
}

class ChartReader {
  readonly #source: Source;
  readonly #recipe: HelmRecipe;
  readonly #context: ReadingContext;
  readonly #folders = new Map<string, Promise<string | null>>();
  readonly #seen = new Map<string, number>();
  #values: ValuesFiles | undefined;
  #patches: FindPlace = nowhere;

  constructor(source: Source, recipe: HelmRecipe, context: ReadingContext) {
    this.#source = source;
    this.#recipe = recipe;
    this.#context = context;
  }

  async read(rendered: ManifestFile): Promise<MadeObject[]> {
    this.#values = await readValuesFiles(this.#source, this.#recipe, this.#context.files, this.#context.parsed);
    if (this.#recipe.postRendering !== null) this.#patches = await patchesOf(this.#source, this.#context);
    const made: MadeObject[] = [];
    for (const { document } of rendered.documents) {
      const from = /^# Source: (.+?)\r?$/m.exec(document.text)?.[1] ?? '';
      for (const value of valuesOf(document)) {
        const object = await this.#made(from, withNamespace(value, this.#recipe.namespace));
        if (object !== null) made.push(object);
      }
    }
    return made;
  }

  async #made(from: string, value: JsonObject): Promise<MadeObject | null> {
    const { files, parsed } = this.#context;
    const name = this.#source.name;
    const steps = from.split('/').slice(1);
    const at = await this.#templateOf(steps);
    const file = at === null ? null : await parsed(at.path);
    const kind = asText(value['kind']);
    const key = `${from}\n${kind}`;
    const nth = this.#seen.get(key) ?? 0;
    this.#seen.set(key, nth + 1);
    const written = at !== null && /(?:^|\/)crds\//.test(from) ? null : file;
    const template =
      written === null ? null : findInTemplate(written.documents, kind, asText(asMap(value['metadata'])['name']), nth);
    if (file !== null && at !== null && template !== null) {
      const ownPaths = at.names.length === 0 ? [] : [join(at.folder, 'values.yaml')];
      const own = await Promise.all(
        ownPaths.map(async (path) => {
          const text = (await files.read(path)) ?? '';
          return { uri: URI.file(path).toString(), text, data: readData(text) };
        }),
      );
      const ofValues = valuesPlaces(template, this.#values!, at.names, own);
      const find: FindPlace = (of, path) => this.#patches(of, path) ?? ofValues(of, path);
      const object = new ObjectOfTemplate(name, value, template, find, hasOnlyOwnValues(this.#recipe));
      return { object, file, index: template.placed.index };
    }
    const shown = file ?? (await parsed(join(this.#recipe.chart, 'Chart.yaml')));
    return shown === null
      ? null
      : { object: new ObjectOfTemplate(name, value, wholeLine(shown), this.#patches), file: shown, index: 0 };
  }

  /**
   * The file of a template. Below `charts/` stands the name or the alias of a subchart, which need not be its folder's.
   */
  async #templateOf(steps: readonly string[]): Promise<{ path: string; folder: string; names: string[] } | null> {
    let folder = this.#recipe.chart;
    const names: string[] = [];
    let rest = [...steps];
    while (rest[0] === 'charts' && rest.length > 2) {
      const name = rest[1]!;
      const inner = await this.#subchart(folder, name);
      if (inner === null) return null;
      names.push(name);
      folder = inner;
      rest = rest.slice(2);
    }
    const path = join(folder, ...rest);
    return (await this.#context.files.kindOf(path)) === 'file' ? { path, folder, names } : null;
  }

  #subchart(folder: string, name: string): Promise<string | null> {
    const key = `${folder}\n${name}`;
    return getOrInsert(this.#folders, key, () => this.#findSubchart(folder, name));
  }

  async #findSubchart(folder: string, name: string): Promise<string | null> {
    const { files } = this.#context;
    const direct = join(folder, 'charts', name);
    if ((await files.kindOf(direct)) === 'folder') return direct;
    const dependency = asList((await chartDescription(folder, files))?.['dependencies'])
      .map(asMap)
      .find(({ alias }) => alias === name);
    const real = asText(dependency?.['name']);
    if (real !== '' && real !== name) return this.#subchart(folder, real);
    for (const file of this.#source.inputs) {
      const isDirect =
        file.startsWith(join(folder, 'charts')) &&
        file.slice(join(folder, 'charts').length + 1).split(/[\\/]/).length === 2;
      if (!isDirect || !file.endsWith('Chart.yaml')) continue;
      if (asMap(readData((await files.read(file)) ?? '').value)['name'] === name) return join(file, '..');
    }
    return null;
  }
}

function hasOnlyOwnValues({ chart, areFilesOfUser, valueFiles, ...given }: HelmRecipe): boolean {
  if (areFilesOfUser === true || valueFiles.some((file) => !isInside(file, chart))) return false;
  return [given.values, given.configMaps, given.parameters].every((some) => some.length === 0);
}
