import type { Edit } from '../../util/edits.ts';
import type { ManifestFile, ManifestObject } from '../../manifests/manifest.ts';
import type { WorkloadKey } from '../../kubernetes/names.ts';
import type { AppliedSource } from './applied-source.ts';
import type { AppliedSources } from './apply-sources.ts';
import { pathOf } from '../files/path-of.ts';
import type { Source } from '../files/source.ts';
import { isInTarget, type Target } from './targets.ts';
import { workloadsOf } from './two-ways.ts';
import { prunedObjects } from './pruned.ts';
import { viewedFile } from './viewed-file.ts';

/** What would be applied together: files with the objects that sources make of them. */
export interface RenderedTarget {
  readonly target: string;
  /** In the order of their URIs. */
  readonly files: readonly ManifestFile[];
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
  const uris = new Set(sorted.map(({ uri }) => uri));
  const excluded = new Set<string>();
  /** Files whose own objects count in no target, or only in some. */
  const owned = new Map<string, { readonly by: readonly AppliedSource[]; readonly empty: ManifestFile }>();
  /** All others, as they are where nothing else is made of them. */
  const alike = new Map<string, ManifestFile>();
  for (const file of sorted) {
    if (isExcluded(file.uri)) excluded.add(file.uri);
    const path = pathOf(file.uri) ?? file.uri;
    const ofFile = owners.get(path) ?? [];
    if (excluded.has(file.uri)) alike.set(file.uri, viewedFile(file, nothing));
    else if (ofFile.length === 0 && !inputs.has(path)) alike.set(file.uri, file);
    else owned.set(file.uri, { by: ofFile, empty: viewedFile(file, nothing) });
  }
  return (target) => {
    const members = sources.filter((applied) => isInTarget(target, applied));
    const memberSet = new Set(members);
    const made = madeIn(members);
    const unrendered = new Map<string, AppliedSource>();
    const isInstead = ({ documents }: ManifestFile): boolean =>
      target.instead !== undefined &&
      documents.some(({ document }) => [...workloadsOf(document.objects)].some((each) => target.instead!.has(each)));
    const files = sorted.map((file): ManifestFile => {
      const { uri } = file;
      const objects = made.get(uri)?.objects ?? nothing;
      const same = alike.get(uri);
      if (same !== undefined && objects.size === 0 && isInstead(file)) return viewedFile(file, nothing);
      if (same !== undefined && (objects.size === 0 || excluded.has(uri))) return same;
      if (same !== undefined) return withMade(file, objects, true);
      const { by, empty } = owned.get(uri)!;
      const failed = by.find((owner) => memberSet.has(owner) && owner.refusal !== null);
      if (failed !== undefined) unrendered.set(uri, failed);
      if (failed === undefined && objects.size === 0) return empty;
      if (failed === undefined) return withMade(file, objects, false);
      const written = setsNamespaces(failed.source) ? withoutBounds(file) : file;
      return withMade(failed.source.isPlain ? written : opened(written), objects, true);
    });
    const others = [...made]
      .filter(([uri]) => !uris.has(uri))
      .map(([, { file, objects }]) => viewedFile(file, objects));
    const all = others.length === 0 ? files : [...files, ...others].sort(byUri);
    return { target: target.name, files: all, sources: members, unrendered, excluded };
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

/** Names of sources that are not rendered, and in which, or in the files of which, something was edited. */
export function editedUnrendered({ files, sources }: RenderedTarget, edits: readonly Edit[]): readonly string[] {
  const editsIn = new Map<string, Edit[]>();
  for (const edit of edits) {
    const path = pathOf(edit.uri) ?? '';
    const known = editsIn.get(path);
    if (known === undefined) editsIn.set(path, [edit]);
    else known.push(edit);
  }
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
  let known = open.get(file);
  if (known === undefined) open.set(file, (known = { ...file, isOpen: true }));
  return known;
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
      const known = owners.get(path);
      if (known === undefined) owners.set(path, [applied]);
      else known.push(applied);
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
      let known = byFile.get(file.uri);
      if (known === undefined) byFile.set(file.uri, (known = { file, objects: new Map() }));
      const objects = known.objects.get(index);
      if (objects === undefined) known.objects.set(index, [object]);
      else objects.push(object);
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
