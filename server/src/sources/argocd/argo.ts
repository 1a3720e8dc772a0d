import { say } from '../../util/say.ts';
import { basename, join, resolve } from 'node:path';
import type { Json, JsonObject } from '../../kubernetes/json.ts';
import { compileGlob } from '../../manifests/glob-pattern.ts';
import { asList, asMap, asPrinted, asText } from '../../manifests/read-data.ts';
import { type Chart, chartParts, releaseName } from '../helm/chart.ts';
import type { DeliveryObject, DiscoveryContext } from '../flux/delivery.ts';
import { fetchedFolder } from '../flux/flux.ts';
import { kustomizationNames } from '../kustomize/kustomization-names.ts';
import { kustomizeRecipe, reachParts, sharedBases } from '../kustomize/kustomization.ts';
import { type Remote, remoteChart, remoteTree, withoutPassword } from '../files/remote.ts';
import { isInside, pathLabels, shownPath } from '../files/paths.ts';
import type { SourceFiles } from '../files/source-files.ts';
import { type HelmRecipe, noFiles, type Recipe, type Refusal, type Source } from '../files/source.ts';

type Parts = Omit<Source, 'id' | 'kind' | 'name' | 'place' | 'groups' | 'labels' | 'prunes'> & {
  readonly bases: readonly string[];
};

/** What an Application applies; one source for each of its `sources`. */
export async function applicationSources(object: DeliveryObject, context: DiscoveryContext): Promise<Source[]> {
  const spec = asMap(object.value['spec']);
  // Source: argo-cd, pkg/apis/application/v1alpha1/types.go (HasMultipleSources: an empty list is none)
  const several = asList(spec['sources']).map(asMap);
  const all = several.length === 0 ? [asMap(spec['source'])] : several;
  const destination = asMap(spec['destination']);
  const namespace = asText(destination['namespace']);
  const cluster = asText(destination['server']) || asText(destination['name']);
  const sources: Source[] = [];
  for (const [index, source] of all.entries()) {
    // A source that only lends its value files to others.
    if (asText(source['ref']) !== '' && source['path'] === undefined && source['chart'] === undefined) continue;
    const { bases, ...parts } = await partsOf(source, all, namespace, object, context);
    sources.push({
      ...parts,
      id: `argo:${object.place.file}:${object.namespace}/${object.name}/${index}`,
      kind: 'argo-application',
      name: `Application ${object.name}${all.length === 1 ? '' : ` (source ${index + 1})`}`,
      place: object.place,
      groups: [`argo:${object.namespace}/${object.name}/${index}`, ...bases],
      labels: [...pathLabels(object.place.file, context.root), cluster].filter((label) => label !== ''),
      prunes: asMap(asMap(spec['syncPolicy'])['automated'])['prune'] === true,
    });
  }
  return sources;
}

async function partsOf(
  source: JsonObject,
  all: readonly JsonObject[],
  namespace: string,
  object: DeliveryObject,
  context: DiscoveryContext,
): Promise<Parts> {
  const url = asText(source['repoURL']);
  const chartName = asText(source['chart']);
  if (chartName !== '') {
    // Argo CD names a registry without its protocol.
    const repository = url === '' || url.includes('://') ? url : `oci://${url}`;
    const remote = remoteChart(repository, chartName, revisionOf(source).replace(/^\*$/, ''));
    const fetched = await context.fetched.path(remote);
    const chart = fetched === null ? null : await context.chartIn(fetched);
    if (chart !== null) return chartOf(chart, [remote], source, all, namespace, object, context);
    const message = say`the chart ${chartName} of ${withoutPassword(url)} is not in the workspace`;
    return refused('remote', message, object, [remote], say`their charts are not in the workspace`);
  }
  const path = asText(source['path']);
  const own = (await context.isOwnRepository(url)) ? await context.folderInRepository(path) : null;
  const remote = remoteTree(url, revisionOf(source));
  const remotes = own === null ? [remote] : [];
  const folder = own ?? (await fetchedFolder(remote, path, context));
  if (folder === null) {
    if (url === '') return refused('missing', say`it does not say which repository its path is in`, object);
    return refused(
      'remote',
      say`the folder ${path} of ${withoutPassword(url)} is not in the workspace`,
      object,
      remotes,
      say`their folders are not in the workspace`,
    );
  }
  if (source['plugin'] !== undefined) return refused('not-supported', say`it is made by a plugin of Argo CD`, object);
  const chart = await context.chartIn(folder);
  if (chart !== null) return chartOf(chart, remotes, source, all, namespace, object, context);
  if ((await context.graph.at(folder)) !== null) {
    const options = asMap(source['kustomize']);
    const components = asList(options['components']).map((component) => resolve(folder, asText(component)));
    const reach = await context.graph.reach(folder, ...components);
    const { patches, paths } = await patchesOf(options, folder, context.files);
    const overlay = { ...overlayOf(options), ...(patches.length === 0 ? {} : { patches }) };
    const parts = await reachParts(reach, context.files);
    return {
      ...parts,
      inputs: new Set([...parts.inputs, ...paths]),
      remotes: [...remotes, ...parts.remotes],
      recipe: { ...kustomizeRecipe(folder, reach), overlay, namespace },
      isPlain: parts.isPlain && Object.keys(overlay).length === 0,
      bases: sharedBases(reach, folder).map((base) => `${base}:delivered`),
    };
  }
  const { files, others } = await directoryFiles(folder, asMap(source['directory']), context.files);
  const recipe: Recipe = { tool: 'none', files, namespace };
  return {
    recipe,
    refusal: null,
    // What one Application leaves out may be applied by a kustomization.
    inputs: new Set(others.filter((file) => !kustomizationNames.includes(basename(file)))),
    resources: new Set(files),
    remotes,
    standIns: [],
    plugins: new Map(),
    isPlain: true,
    bases: [],
  };
}

function refused(
  why: Refusal['why'],
  message: string,
  { place }: DeliveryObject,
  remotes: readonly Remote[] = [],
  ofSeveral?: string,
): Parts {
  const refusal = { why, message, place, ...(ofSeveral === undefined ? {} : { ofSeveral }) };
  return { recipe: null, refusal, ...noFiles, remotes, isPlain: true, bases: [] };
}

/** Empty for the newest. */
function revisionOf(source: JsonObject): string {
  return asText(source['targetRevision']);
}

async function chartOf(
  chart: Chart,
  remotes: readonly Remote[],
  source: JsonObject,
  all: readonly JsonObject[],
  namespace: string,
  object: DeliveryObject,
  context: DiscoveryContext,
): Promise<Parts> {
  const lent = await lentFiles(source, all, context);
  return {
    ...chartParts(chart),
    remotes: [...remotes, ...lent, ...chart.remotes],
    recipe: await helmRecipe(chart, source, all, namespace, object, context),
    bases: [],
  };
}

/** Later ones win: the chart's values, value files, `values`, `valuesObject`, parameters. */
async function helmRecipe(
  { folder: chart, dependencies }: Chart,
  source: JsonObject,
  all: readonly JsonObject[],
  namespace: string,
  object: DeliveryObject,
  context: DiscoveryContext,
): Promise<HelmRecipe> {
  const helm = asMap(source['helm']);
  const valueFiles: string[] = [];
  for (const file of asList(helm['valueFiles']).map(asText)) {
    const path = await valueFile(file, chart, all, context);
    const isOptional = helm['ignoreMissingValueFiles'] === true;
    if (path !== null && (!isOptional || (await context.files.kindOf(path)) === 'file')) valueFiles.push(path);
  }
  const written = asText(helm['values']);
  const values = [written === '' ? {} : asMap(context.parse(written).value), asMap(helm['valuesObject'])];
  return {
    tool: 'helm',
    chart,
    dependencies,
    release: releaseName(asText(helm['releaseName']) || object.name),
    namespace: namespace || 'default',
    valueFiles,
    values: values.filter((each) => Object.keys(each).length > 0),
    configMaps: [],
    postRendering: null,
    parameters: asList(helm['parameters'])
      .map(asMap)
      .map((each) => ({
        name: asText(each['name']),
        value: asPrinted(each['value']),
        isString: each['forceString'] === true,
      })),
  };
}

/** `$name/path` is a file of the source that has that `ref`; a leading slash is the repository's folder. */
async function valueFile(
  file: string,
  chart: string,
  all: readonly JsonObject[],
  context: DiscoveryContext,
): Promise<string | null> {
  const [first = '', ...rest] = file.split('/');
  const isReference = first.startsWith('$');
  if (!isReference && !file.startsWith('/')) return resolve(chart, file);
  const lender = all.find(({ ref }) => ref === first.slice(1));
  if (isReference && lender === undefined) return null;
  const inRepository = isReference ? rest.join('/') : file.slice(1);
  const way = join(inRepository, '..');
  const remote = lender === undefined ? null : await lentRemote(lender, context);
  const folder = remote === null ? await context.folderInRepository(way) : await fetchedFolder(remote, way, context);
  return folder === null ? null : join(folder, basename(inRepository));
}

/** The repository of a source that lends its value files; null for the one that is worked on. */
async function lentRemote(lender: JsonObject, context: DiscoveryContext): Promise<Remote | null> {
  const url = asText(lender['repoURL']);
  return (await context.isOwnRepository(url)) ? null : remoteTree(url, revisionOf(lender));
}

/** Repositories whose value files a source takes. */
async function lentFiles(source: JsonObject, all: readonly JsonObject[], context: DiscoveryContext): Promise<Remote[]> {
  const files = asList(asMap(source['helm'])['valueFiles']).map(asText);
  const lenders = all.filter(
    ({ ref }) => ref !== undefined && files.some((file) => file.startsWith(`$${asText(ref)}/`)),
  );
  const remotes = await Promise.all(lenders.map((lender) => lentRemote(lender, context)));
  return remotes.filter((remote) => remote !== null);
}

const overlayFields = ['namePrefix', 'nameSuffix', 'images', 'components', 'namespace'] as const;

function overlayOf(options: JsonObject): JsonObject {
  const overlay: Record<string, Json> = {};
  for (const field of overlayFields) {
    if (options[field] !== undefined && field !== 'images') overlay[field] = options[field];
  }
  const images = asList(options['images']).map(asText);
  if (images.length > 0) overlay['images'] = images.map(imageOf);
  // Argo CD writes the count as text or as a number.
  const replicas = asList(options['replicas']).map(asMap);
  if (replicas.length > 0) {
    overlay['replicas'] = replicas.map(({ name, count }) => ({ name: asText(name), count: Number(count) }));
  }
  const labels = asMap(options['commonLabels']);
  if (Object.keys(labels).length > 0) overlay['commonLabels'] = labels;
  return overlay;
}

/**
 * Patches with the text of the files that they name, which lie in the folder: the overlay lies elsewhere, and kustomize
 * would fetch an address. Source: argo-cd, pkg/apis/application/v1alpha1/types.go (KustomizePatch)
 */
async function patchesOf(
  options: JsonObject,
  folder: string,
  files: SourceFiles,
): Promise<{ readonly patches: readonly JsonObject[]; readonly paths: readonly string[] }> {
  const patches: JsonObject[] = [];
  const paths: string[] = [];
  for (const { path, patch, target, options: changes } of asList(options['patches']).map(asMap)) {
    const file = resolve(folder, asText(path));
    const read = asText(path) !== '' && isInside(file, folder) ? await files.read(file) : null;
    if (read !== null) paths.push(file);
    patches.push({
      patch: asText(patch) || (read ?? ''),
      ...(target === undefined ? {} : { target }),
      ...(changes === undefined ? {} : { options: changes }),
    });
  }
  return { patches, paths };
}

/** `name=newName:tag`, as `kustomize edit set image` takes it. */
function imageOf(text: string): JsonObject {
  const [name = '', replacement = name] = text.includes('=')
    ? text.split('=', 2)
    : [text.slice(0, nameEnd(text)), text];
  const end = nameEnd(replacement);
  const rest = replacement.slice(end + 1);
  return {
    name,
    newName: replacement.slice(0, end),
    ...(rest === '' ? {} : replacement[end] === '@' ? { digest: rest } : { newTag: rest }),
  };
}

/** Where the name of an image ends, and its tag or digest begins: a colon before a slash is that of a port. */
function nameEnd(image: string): number {
  const last = image.lastIndexOf('/') + 1;
  const mark = image.slice(last).search(/[:@]/);
  return mark === -1 ? image.length : last + mark;
}

/** The manifests of a folder, as `directory` picks them, and those that its patterns leave out. */
async function directoryFiles(
  folder: string,
  options: JsonObject,
  sourceFiles: SourceFiles,
): Promise<{ readonly files: readonly string[]; readonly others: readonly string[] }> {
  const include = asText(options['include']);
  const exclude = asText(options['exclude']);
  const isIncluded = include === '' ? () => true : compileGlob(include);
  const isExcluded = exclude === '' ? () => false : compileGlob(exclude);
  const files: string[] = [];
  const others: string[] = [];
  for (const file of await sourceFiles.below(folder)) {
    const path = shownPath(file, folder);
    if (!/\.(?:ya?ml|json)$/.test(path) || (options['recurse'] !== true && path.includes('/'))) continue;
    (isIncluded(path) && !isExcluded(path) ? files : others).push(file);
  }
  return { files, others };
}
