import type { Edit } from '../../util/edits.ts';
import type { ManifestFile, ManifestObject } from '../../manifests/manifest.ts';
import type { WorkloadKey } from '../../kubernetes/names.ts';
import { addTo, getOrInsert, groupBy } from '../../util/maps.ts';
import type { AppliedSource } from './applied-source.ts';
import type { AppliedSources } from './apply-sources.ts';
import { pathOf } from '../files/path-of.ts';
import { filesOfSource, type Source } from '../files/source.ts';
import { isInTarget, type Target } from './targets.ts';
import { workloadsOf } from './two-ways.ts';
import { prunedObjects } from './pruned.ts';
import { viewedFile } from './viewed-file.ts';

/** What would be applied together: files with the objects that sources make of them. */
export interface RenderedTarget {
  readonly target: string;
  /** In the order of their URIs. */
  readonly files: readonly ManifestFile[];
  /** Those among them that are not as in every target, by URI. */
  readonly own: ReadonlyMap<string, ManifestFile>;
  /** Those of every target, by URI. */
  readonly common: ReadonlyMap<string, ManifestFile>;
  readonly sources: readonly AppliedSource[];
  /** What became of sources whose files are edited and not finished, where what they made before counts. */
  readonly unfinished?: readonly AppliedSource[];
  /** Files whose objects are read as they are written, because their source was not rendered. */
  readonly unrendered: ReadonlyMap<string, AppliedSource>;
  /** Files that are no part of what is applied. */
  readonly excluded: ReadonlySet<string>;
}

/**
 * Makes the world of a target, of which there may be many. A file that a source takes has the objects that the source
 * makes; where that was not rendered, its manifests count as they are written. What is no manifest of its own has none.
 *
 * @param isExcluded by URI: files that are no part of what is applied
 */
export function renderedTargetsOf(
  plain: readonly ManifestFile[],
  { sources, inputs }: AppliedSources,
  isExcluded: (uri: string) => boolean,
): (target: Target) => RenderedTarget {
  const owners = ownersOf(sources);
  const sorted = plain.toSorted(byUri);
  const excluded = new Set<string>();
  /** By path, files whose own objects count in no target, or only in some. */
  const owned = new Map<string, { readonly file: ManifestFile; readonly by: readonly AppliedSource[] }>();
  const common = new Map<string, ManifestFile>();
  const positions = new Map<string, number>();
  for (const [position, file] of sorted.entries()) {
    const { uri } = file;
    if (isExcluded(uri)) excluded.add(uri);
    const path = pathOf(uri) ?? uri;
    const by = owners.get(path) ?? [];
    const isAlike = by.length === 0 && !inputs.has(path);
    if (!excluded.has(uri) && !isAlike) owned.set(path, { file, by });
    common.set(uri, isAlike && !excluded.has(uri) ? file : viewedFile(file, nothing));
    positions.set(uri, position);
  }
  const workloads = sorted.flatMap((file) => {
    const keys = [...new Set(file.documents.flatMap(({ document }) => [...workloadsOf(document.objects)]))];
    return keys.length === 0 || common.get(file.uri) !== file ? [] : [{ file, keys }];
  });
  return (target) => {
    const members = sources.filter((applied) => isInTarget(target, applied));
    const made = madeIn(members);
    const own = new Map<string, ManifestFile>();
    for (const { file, keys } of target.instead === undefined ? [] : workloads) {
      if (keys.some((key) => target.instead!.has(key))) own.set(file.uri, viewedFile(file, nothing));
    }
    for (const [uri, { file, objects }] of made) {
      const position = positions.get(uri);
      if (position === undefined) {
        own.set(uri, viewedFile(file, objects));
      } else if (!excluded.has(uri)) {
        own.set(uri, withMade(sorted[position]!, objects, !owned.has(pathOf(uri) ?? uri)));
      }
    }
    const unrendered = new Map<string, AppliedSource>();
    const memberSet = new Set(members);
    const failedPaths = new Set(
      members.flatMap(({ refusal, source }) => (refusal === null ? [] : [...source.resources])),
    );
    for (const path of failedPaths) {
      const { file, by = [] } = owned.get(path) ?? {};
      const failed = by.find((owner) => memberSet.has(owner) && owner.refusal !== null);
      if (file === undefined || failed === undefined) continue;
      unrendered.set(file.uri, failed);
      const written = setsNamespaces(failed.source) ? withoutBounds(file) : file;
      const objects = made.get(file.uri)?.objects ?? nothing;
      own.set(file.uri, withMade(failed.source.isPlain ? written : opened(written), objects, true));
    }
    const files = [...common.values()];
    const others: ManifestFile[] = [];
    for (const [uri, file] of own) {
      const position = positions.get(uri);
      if (position === undefined) others.push(file);
      else files[position] = file;
    }
    const all = others.length === 0 ? files : [...files, ...others].sort(byUri);
    return { target: target.name, files: all, own, common, sources: members, unrendered, excluded };
  };
}

/** The files among some that each source is made of. Of the values of a chart only those count that it is rendered with. */
export function filesAmong(
  sources: readonly AppliedSource[],
  files: ReadonlySet<string>,
): ReadonlyMap<AppliedSource, readonly string[]> {
  const valuesOf = ({ source: { recipe } }: AppliedSource) => (recipe?.tool === 'helm' ? recipe.valueFiles : []);
  const values = new Set(sources.flatMap(valuesOf));
  return new Map(
    sources.map((one) => {
      const { inputs, resources } = one.source;
      const own = [...inputs, ...resources].filter((file) => !values.has(file));
      return [one, [...own, ...valuesOf(one)].filter((file) => files.has(file))];
    }),
  );
}

/** Files, by URI, of which nothing comes: what a chart installs is also kept for those without Helm. */
function idleFiles({ files, sources }: RenderedTarget): ReadonlySet<string> {
  const read = new Set(sources.flatMap(({ source }) => filesOfSource(source)));
  const isIdle = ({ uri, documents }: ManifestFile): boolean =>
    !read.has(pathOf(uri) ?? '') && documents.every(({ document }) => document.objects.length === 0);
  return new Set(files.filter(isIdle).map(({ uri }) => uri));
}

/** Names of sources that are not rendered, and in which, or in the files of which, something was edited. */
export function editedUnrendered({ files, sources }: RenderedTarget, edits: readonly Edit[]): readonly string[] {
  const editsIn = groupBy(edits, (edit) => pathOf(edit.uri) ?? '');
  const changed = files.filter(({ uri }) => editsIn.has(pathOf(uri) ?? ''));
  const starts = new Map(changed.map(({ uri, documents }) => [pathOf(uri), documents.map(({ line }) => line)]));
  const edited = filesAmong(sources, new Set(editsIn.keys()));
  const names = sources.flatMap((one) => {
    const { name, place } = one.source;
    if (one.refusal === null || one.refusal.why === 'not-applied') return [];
    const lines = starts.get(place.file) ?? [];
    const documentOf = (at: number): number => lines.findLastIndex((line) => line <= at);
    const isWrittenIn = ({ line }: Edit): boolean => documentOf(line) === documentOf(place.line);
    return edited.get(one)!.length > 0 || editsIn.get(place.file)?.some(isWrittenIn) === true ? [name] : [];
  });
  return [...new Set(names)];
}

/** A world and an earlier one, as they are compared. */
export interface ComparedTargets {
  readonly now: readonly ManifestFile[];
  readonly earlier: readonly ManifestFile[];
  /** What counts as unchanged because it was not rendered then. */
  readonly notRendered: readonly AppliedSource[];
  /** Objects of the earlier world that are removed when nothing makes them any more. */
  readonly pruned: ReadonlySet<WorkloadKey>;
  /** Files, by URI, of which nothing comes now. */
  readonly idle: ReadonlySet<string>;
}

/**
 * What a source makes that fails in one of two worlds nobody knows: there it makes what it does in the other, as nothing
 * of it is a change, least of all a removal.
 */
export function comparedTargets(now: RenderedTarget, earlier: RenderedTarget): ComparedTargets {
  const before = withFailedFrom(earlier, now.sources);
  return {
    now: withFailedFrom(now, earlier.sources).files,
    earlier: before.files,
    notRendered: before.failed,
    pruned: prunedObjects(earlier.sources),
    idle: idleFiles(now),
  };
}

function withFailedFrom(
  { files, sources, unrendered }: RenderedTarget,
  others: readonly AppliedSource[],
): { readonly files: readonly ManifestFile[]; readonly failed: readonly AppliedSource[] } {
  const rendered = new Map(others.flatMap((each) => (each.refusal === null ? [[each.source.id, each] as const] : [])));
  const failed = sources.filter(({ source, refusal }) => refusal !== null && rendered.has(source.id));
  if (failed.length === 0) return { files, failed };
  const own = new Set(sources.map(({ source }) => source.id));
  const ids = new Set(failed.map(({ source }) => source.id));
  /** It, or what is made by what it makes, as a HelmRelease in a Kustomization of Flux. */
  const isOfFailed = ({ source, parent }: AppliedSource): boolean =>
    ids.has(source.id) || (!own.has(source.id) && parent !== null && isOfFailed(parent));
  const kept = files.map((file) =>
    ids.has(unrendered.get(file.uri)?.source.id ?? '') ? viewedFile(file, renderedIn(file)) : file,
  );
  const made = madeIn([...rendered.values()].filter(isOfFailed));
  const before = [...made.values()].map(({ file, objects }) => viewedFile(file, objects));
  return { files: [...kept, ...before].sort(byUri), failed };
}

/** The objects of a file that sources have made. */
function renderedIn({ documents }: ManifestFile): ReadonlyMap<number, readonly ManifestObject[]> {
  return new Map(
    documents.map(({ index, document }) => [index, document.objects.filter((each) => each.rendering !== undefined)]),
  );
}

const open = new WeakMap<ManifestFile, ManifestFile>();

function opened(file: ManifestFile): ManifestFile {
  return getOrInsert(open, file, () => ({ ...file, isOpen: true }));
}

/** Whether a source says in which namespaces its objects are, where they do not. */
function setsNamespaces({ standIns, recipe }: Source): boolean {
  const ofRecipe =
    recipe !== null && (recipe.namespace !== '' || ('overlay' in recipe && 'namespace' in recipe.overlay));
  return ofRecipe || standIns.some(({ value }) => value['namespace'] !== undefined);
}

/** Without what bounds the pods of a namespace, where nobody knows which one it is. */
function withoutBounds(file: ManifestFile): ManifestFile {
  const isBound = ({ kind, namespace }: ManifestObject): boolean =>
    namespace === '' && (kind === 'ResourceQuota' || kind === 'LimitRange');
  if (!file.documents.some(({ document }) => document.objects.some(isBound))) return file;
  return viewedFile(
    file,
    new Map(file.documents.map(({ index, document }) => [index, document.objects.filter((each) => !isBound(each))])),
  );
}

const nothing: ReadonlyMap<number, readonly ManifestObject[]> = new Map();

function byUri(a: ManifestFile, b: ManifestFile): number {
  return a.uri < b.uri ? -1 : a.uri > b.uri ? 1 : 0;
}

function ownersOf(sources: readonly AppliedSource[]): Map<string, AppliedSource[]> {
  const owners = new Map<string, AppliedSource[]>();
  for (const applied of sources) {
    for (const path of applied.source.resources) {
      addTo(owners, path, applied);
    }
  }
  return owners;
}

interface MadeInFile {
  readonly file: ManifestFile;
  readonly objects: Map<number, ManifestObject[]>;
}

function madeIn(members: readonly AppliedSource[]): Map<string, MadeInFile> {
  const byFile = new Map<string, MadeInFile>();
  for (const { made } of members) {
    for (const { object, file, index } of made) {
      const known = getOrInsert(byFile, file.uri, () => ({ file, objects: new Map() }));
      addTo(known.objects, index, object);
    }
  }
  return byFile;
}

function withMade(
  file: ManifestFile,
  made: ReadonlyMap<number, readonly ManifestObject[]>,
  keepsWritten: boolean,
): ManifestFile {
  if (keepsWritten && made.size === 0) return file;
  if (!keepsWritten) return viewedFile(file, made);
  const all = new Map<number, readonly ManifestObject[]>(
    file.documents.map(({ index, document }) => [index, [...document.objects, ...(made.get(index) ?? [])]]),
  );
  return viewedFile(file, all);
}
