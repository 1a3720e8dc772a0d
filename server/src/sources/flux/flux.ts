import { folderOfArtifact } from './artifact-generator.ts';
import { own, put } from '../../util/own.ts';
import { say } from '../../util/say.ts';
import { dirname, join, posix, resolve } from 'node:path';
import type { Json, JsonObject } from '../../kubernetes/json.ts';
import { isManifestName } from '../../manifests/file-provider.ts';
import { asList, asMap, asPrinted, asText } from '../../manifests/read-data.ts';
import { type Chart, chartParts, releaseName } from '../helm/chart.ts';
import type { DeliveryObject, DiscoveryContext } from './delivery.ts';
import { reachParts, sharedBases } from '../kustomize/kustomization.ts';
import { commonMetadata, inlinePatches, postRenderingOf } from './post-render.ts';
import { releaseValues } from './release-values.ts';
import { notFetched, type Remote, remoteChart, remoteTagRange, remoteTree } from '../files/remote.ts';
import { isInside, pathLabels } from '../files/paths.ts';
import { type HelmRecipe, type KustomizeRecipe, noFiles, type Refusal, type Source } from '../files/source.ts';

/** Why several objects are not rendered. */
export const unfilledPath = 'variables of paths';

/**
 * What a Flux Kustomization applies. Source: fluxcd/pkg kustomize/kustomize_generator.go (a kustomization of all YAML
 * files where the folder has none; namespace, patches, images and components come on top), kustomize_varsub.go
 */
export async function fluxKustomizationSource(object: DeliveryObject, context: DiscoveryContext): Promise<Source> {
  const spec = asMap(object.value['spec']);
  const written = asText(spec['path']) || './';
  // Source: fluxcd/kustomize-controller, kustomization_controller.go (securejoin: what leads out of the artifact ends at
  // its top)
  const path = posix.join('/', written).slice(1) || './';
  const sourceRef = asMap(spec['sourceRef']);
  const { kind: artifact = 'GitRepository', name: artifactName } = sourceRef;
  const { folder, remotes } =
    artifact === 'GitRepository'
      ? await gitFolder(path, sourceRef, object, context)
      : {
          folder: (await isPackedHere(path, sourceRef, object, context))
            ? await context.folderOfPacked(path)
            : await folderOfArtifact(asText(artifactName), path, context),
          remotes: [],
        };
  const base = {
    id: `flux:${object.place.file}:${object.namespace}/${object.name}`,
    kind: 'flux-kustomization' as const,
    name: `Kustomization ${object.namespace === '' ? '' : `${object.namespace}/`}${object.name}`,
    place: object.place,
    groups: [`flux:${object.namespace}/${object.name}`],
    labels: pathLabels(object.place.file, context.root),
    prunes: spec['prune'] === true,
  };
  const refuse = (why: Refusal['why'], message: string, more: Pick<Refusal, 'cause' | 'ofSeveral'> = {}): Source => ({
    ...base,
    recipe: null,
    refusal: { why, message, place: object.place, ...more },
    ...noFiles,
    remotes,
    isPlain: true,
  });
  // A patch, which a script or another tool lays over one. Source: api/v1/kustomization_types.go (sourceRef is required)
  if (spec['sourceRef'] === undefined && spec['path'] === undefined) {
    return refuse('not-applied', say`it does not say which repository its path is in`);
  }
  if (spec['suspend'] === true) return refuse('not-supported', say`suspended`);
  if (folder === null) {
    // Both are filled in by what applies it: a `postBuild` of its parent, a patch.
    if (written.includes('${')) {
      return refuse('missing', say`its path has variables that nothing here fills in`, { cause: unfilledPath });
    }
    if (asText(artifactName) === '') return refuse('missing', say`it does not say which repository its path is in`);
    const of = `${asText(artifact)}/${asText(artifactName)}`;
    // Of an artifact that is packed elsewhere no folder is here; of a repository each is looked for by itself.
    const cause = artifact === 'GitRepository' ? {} : { cause: `folders of ${asText(artifact)}` };
    const isPackedElsewhere = artifact !== 'GitRepository' && repositoryOf(sourceRef, object, context) !== null;
    const why = remotes.length > 0 || isPackedElsewhere ? 'remote' : 'missing';
    return refuse(why, say`the folder ${written} of ${of} is not in the workspace`, {
      ofSeveral: say`their folders are not in the workspace`,
      ...cause,
    });
  }
  const found = await context.graph.at(folder);
  const components = asList(spec['components']).map((component) => resolve(folder, asText(component)));
  const files = found === null ? await manifestsBelow(folder, context) : [];
  const reach = await context.graph.reach(folder, ...components, ...files);
  const recipe: KustomizeRecipe = {
    tool: 'kustomize',
    folder,
    overlay: overlayOf(spec),
    files: found === null ? files : null,
    ...(await variables(spec, object, context)),
    namespace: asText(spec['targetNamespace']),
    readsOutside: false,
  };
  const parts = await reachParts(reach, context.files);
  return {
    ...base,
    ...parts,
    remotes: [...remotes, ...parts.remotes],
    recipe,
    resources: new Set([...parts.resources, ...files.filter((path) => isManifestName(path))]),
    isPlain:
      parts.isPlain && recipe.substitute === null && Object.keys(recipe.overlay).every((key) => key === 'namespace'),
    groups: [...base.groups, ...sharedBases(reach, '').map((group) => `${group}:delivered`)],
  };
}

/**
 * Whether an artifact is packed from the repository, or from a folder of it: that which Flux installs itself from, which
 * `flux bootstrap` and the Flux operator call by this name, and one in whose address the repository is named.
 */
async function isPackedHere(
  path: string,
  reference: JsonObject,
  object: DeliveryObject,
  context: DiscoveryContext,
): Promise<boolean> {
  if (reference['name'] === 'flux-system') return true;
  const url = asText(repositoryOf(reference, object, context)?.['url']);
  if (path === './' || !url.startsWith('oci://')) return false;
  const parts = url
    .slice('oci://'.length)
    .split('/')
    .filter((part) => part !== '');
  for (const part of parts.slice(1)) if (await context.isOwnRepository(part)) return true;
  return false;
}

/** A folder that an object names of a repository, and what would have to be fetched for it. */
async function gitFolder(
  path: string,
  reference: JsonObject,
  object: DeliveryObject,
  context: DiscoveryContext,
): Promise<{ readonly folder: string | null; readonly remotes: readonly Remote[] }> {
  const repository = repositoryOf(reference, object, context);
  const isWhole = !/[^./\\]/.test(path);
  const branch = isWhole ? asText(asMap(repository?.['ref'])['branch']) : '';
  const isOwn = repository === null || (await context.isOwnRepository(asText(repository['url']), branch));
  const own = await context.folderInRepository(path);
  if (repository === null || (isOwn && own !== null)) return { folder: own, remotes: [] };
  const remote = gitRemote(repository);
  // A clone may have another name than its origin, so a folder of that name counts while there is nothing better. All
  // that is worked on is no such folder.
  const named = isWhole ? null : own;
  return { folder: (await fetchedFolder(remote, path, context)) ?? named, remotes: [remote] };
}

/** The repository of Flux that an object names, as it is written; null where it is not in the workspace. */
function repositoryOf(
  reference: JsonObject,
  { namespace }: DeliveryObject,
  context: DiscoveryContext,
): JsonObject | null {
  const kind = asText(reference['kind']) || 'GitRepository';
  return context.fluxRepository(kind, asText(reference['namespace']) || namespace, asText(reference['name']));
}

/** Source: source-controller, api/v1/gitrepository_types.go (GitRepositoryRef) */
function gitRemote(repository: JsonObject): Remote {
  const url = asText(repository['url']);
  const { branch, tag, semver, name, commit } = asMap(repository['ref']);
  if (semver !== undefined && commit === undefined && name === undefined) {
    return remoteTagRange(url, asText(semver));
  }
  return remoteTree(url, asText(commit) || asText(name) || asText(tag) || asText(branch) || 'master');
}

/** A folder of a repository that was fetched. */
export async function fetchedFolder(
  remote: Remote,
  path: string,
  { fetched, files }: DiscoveryContext,
): Promise<string | null> {
  const top = await fetched.path(remote);
  if (top === null) return null;
  const folder = join(top, path).replace(/[\\/]$/, '');
  return isInside(folder, top) && (await files.kindOf(folder)) === 'folder' ? folder : null;
}

/** The chart of a HelmRelease, wherever it is, and what has to be fetched for it. */
async function chartOf(
  object: DeliveryObject,
  chartSpec: JsonObject,
  chartRef: JsonObject,
  context: DiscoveryContext,
): Promise<{ readonly chart: Chart | null; readonly remotes: readonly Remote[] }> {
  const reference = asMap(chartSpec['sourceRef']);
  const name = asText(chartSpec['chart']);
  if (reference['kind'] === 'GitRepository' || reference['kind'] === 'Bucket') {
    const { folder, remotes } =
      reference['kind'] === 'Bucket'
        ? { folder: await context.folderInRepository(name), remotes: [] }
        : await gitFolder(name, reference, object, context);
    return { chart: folder === null ? null : await context.chartIn(folder), remotes };
  }
  if (chartRef['kind'] === 'ExternalArtifact') {
    const folder = await folderOfArtifact(asText(chartRef['name']), '.', context);
    return { chart: folder === null ? null : await context.chartIn(folder), remotes: [] };
  }
  const remote = chartRemote(object, chartSpec, chartRef, context);
  const folder = await context.fetched.path(remote);
  return { chart: folder === null ? null : await context.chartIn(folder), remotes: [remote] };
}

/** Source: source-controller, api/v1/ocirepository_types.go (a registry's address ends with the chart), helmchart_types.go */
function chartRemote(
  object: DeliveryObject,
  chartSpec: JsonObject,
  chartRef: JsonObject,
  context: DiscoveryContext,
): Remote {
  const isDirect = asText(chartRef['name']) !== '';
  const reference = isDirect ? chartRef : { kind: 'HelmRepository', ...asMap(chartSpec['sourceRef']) };
  const repository = repositoryOf(reference, object, context);
  const kind = asText(reference['kind']);
  const name = asText(reference['name']);
  if (repository === null) {
    return notFetched(asText(chartSpec['chart']) || name, '', say`its ${kind} ${name} is not in the workspace`);
  }
  const url = asText(repository['url']);
  if (!isDirect) return remoteChart(url, asText(chartSpec['chart']), asText(chartSpec['version']).replace(/^\*$/, ''));
  // Source: source-controller, api/v1/ocirepository_types.go (OCIRepositoryRef: which takes precedence over which)
  const { tag, semver, digest } = asMap(repository['ref']);
  const version = asText(digest) || asText(semver) || asText(tag);
  return remoteChart(dirname(url), url.slice(url.lastIndexOf('/') + 1), version);
}

/**
 * What Flux packs into no artifact, as it is of other tools.
 * Source: pkg/sourceignore/sourceignore.go (ExcludeCI, ExcludeExtra)
 */
const notPacked =
  /[\\/]\.(?:github|circleci)[\\/]|[\\/](?:\.(?:travis|gitlab-ci|drone|goreleaser|sops)\.yml|\.sops\.yaml|\.flux\.yaml|appveyor\.yml|cloudbuild\.yaml|codeship-(?:services|steps)\.yml)$/;

/** All manifests below a folder; a folder in it that has a kustomization counts as one resource. */
async function manifestsBelow(folder: string, { graph, files }: DiscoveryContext): Promise<string[]> {
  const below = (await files.below(folder)).filter((path) => /\.ya?ml$/.test(path) && !notPacked.test(path));
  const taken: string[] = [];
  const own = new Set<string>();
  for (const path of below) {
    let inner = path.slice(0, Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')));
    let found: string | null = null;
    for (
      ;
      inner.length > folder.length;
      inner = inner.slice(0, Math.max(inner.lastIndexOf('/'), inner.lastIndexOf('\\')))
    ) {
      if (own.has(inner) || (await graph.at(inner)) !== null) found = inner;
    }
    if (found === null) {
      taken.push(path);
    } else if (!own.has(found)) {
      own.add(found);
      taken.push(found);
    }
  }
  return taken;
}

const overlayFields: readonly (readonly [from: string, to: string])[] = [
  ['targetNamespace', 'namespace'],
  ['patches', 'patches'],
  ['images', 'images'],
  ['namePrefix', 'namePrefix'],
  ['nameSuffix', 'nameSuffix'],
];

function overlayOf(spec: JsonObject): JsonObject {
  const overlay: Record<string, Json> = {};
  for (const [from, to] of overlayFields) {
    const value = own(spec, from);
    if (value !== undefined) put(overlay, to, from === 'patches' ? inlinePatches(value) : value);
  }
  Object.assign(overlay, commonMetadata(spec['force'] === true ? forcing(spec) : spec));
  if (spec['components'] !== undefined) overlay['components'] = asList(spec['components']);
  return overlay;
}

/** With `force` all objects are as those whose annotation asks for it. Source: fluxcd/pkg, ssa/manager_apply.go */
function forcing(spec: JsonObject): JsonObject {
  const { annotations, ...others } = asMap(spec['commonMetadata']);
  const asked = { ...asMap(annotations), 'kustomize.toolkit.fluxcd.io/force': 'enabled' };
  return { ...spec, commonMetadata: { ...others, annotations: asked } };
}

/** Values for `${name}`; null where nothing is substituted. Secrets are never read. */
async function variables(
  spec: JsonObject,
  object: DeliveryObject,
  { configMap }: DiscoveryContext,
): Promise<Pick<KustomizeRecipe, 'substitute' | 'hasUnknown'>> {
  const postBuild = asMap(spec['postBuild']);
  const known = new Map<string, string>();
  let hasUnknown = false;
  for (const from of asList(postBuild['substituteFrom']).map(asMap)) {
    const here = from['kind'] === 'ConfigMap' ? await configMap(object.namespace, asText(from['name'])) : null;
    const data = here?.data ?? {};
    hasUnknown ||= Object.keys(data).length === 0 || here?.isOneOfSeveral === true;
    for (const [name, value] of Object.entries(data)) known.set(name, asText(value));
  }
  for (const [name, value] of Object.entries(asMap(postBuild['substitute']))) known.set(name, asPrinted(value));
  const isAsked = postBuild['substitute'] !== undefined || postBuild['substituteFrom'] !== undefined;
  return { substitute: isAsked ? known : null, hasUnknown };
}

/** What a HelmRelease installs. Source: helm-controller, api/v2/helmrelease_types.go (GetReleaseName, GetReleaseNamespace) */
export async function helmReleaseSource(object: DeliveryObject, context: DiscoveryContext): Promise<Source> {
  const spec = asMap(object.value['spec']);
  const chartSpec = asMap(asMap(spec['chart'])['spec']);
  const reference = asMap(chartSpec['sourceRef']);
  const chartRef = asMap(spec['chartRef']);
  const name = asText(chartSpec['chart']) || asText(chartRef['name']);
  const of = asText(reference['name']) === '' ? chartRef : reference;
  const from = `${asText(of['kind']) || 'HelmRepository'}/${asText(of['name'])}`.replace(/\/$/, '');
  const target = asText(spec['targetNamespace']);
  const base = {
    id: `helm-release:${object.place.file}:${object.namespace}/${object.name}`,
    kind: 'helm-release' as const,
    name: `HelmRelease ${object.namespace === '' ? '' : `${object.namespace}/`}${object.name}`,
    place: object.place,
    groups: [],
    labels: pathLabels(object.place.file, context.root),
    isPlain: false,
  };
  const { chart, remotes } = await chartOf(object, chartSpec, chartRef, context);
  if (chart === null) {
    const refusal: Refusal = {
      // What has no chart is a part of one: a patch.
      why: name === '' ? 'not-applied' : 'remote',
      ...(name === ''
        ? { message: say`it names no chart` }
        : {
            message: say`the chart ${name} of ${from} is not in the workspace`,
            ofSeveral: say`their charts are not in the workspace`,
          }),
      place: object.place,
    };
    return { ...base, recipe: null, refusal, ...noFiles, remotes };
  }
  const { values, lacks, error, configMaps } = await releaseValues(spec, (name) =>
    context.configMap(object.namespace, name),
  );
  const recipe: HelmRecipe = {
    tool: 'helm',
    chart: chart.folder,
    dependencies: chart.dependencies,
    release: releaseName(asText(spec['releaseName']) || (target === '' ? object.name : `${target}-${object.name}`)),
    namespace: target || object.namespace || 'default',
    valueFiles: asList(chartSpec['valuesFiles']).map((file) => join(chart.folder, asText(file))),
    values: [values],
    configMaps,
    postRendering: postRenderingOf(spec),
    parameters: [],
  };
  const parts = chartParts(chart);
  const refusal: Refusal | null =
    error === null ? parts.refusal : { why: 'unreadable', message: error, place: object.place };
  return { ...base, ...parts, refusal, remotes: [...remotes, ...chart.remotes], recipe, lacks };
}
