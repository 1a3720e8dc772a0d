import type { ManifestFile, ManifestObject } from '../manifests/manifest.ts';
import type { AppliedSource } from './applied-source.ts';
import type { AppliedSources } from './apply-sources.ts';
import { pathOf } from './path-of.ts';
import { isOf, type Target } from './targets.ts';
import { viewedFile } from './viewed-file.ts';

/** What would be applied together: files with the objects that sources make of them. */
export interface World {
  readonly target: string;
  /** In the order of their URIs. */
  readonly files: readonly ManifestFile[];
  readonly sources: readonly AppliedSource[];
  /** Files whose objects are read as they are written, because their source was not rendered. */
  readonly unrendered: ReadonlyMap<string, AppliedSource>;
  /** Files that are no part of what is applied. */
  readonly excluded: ReadonlySet<string>;
}

/**
 * The files of a target. A file that a source takes has the objects that the source makes; where that was not rendered,
 * its manifests count as they are written. What is no manifest of its own has none.
 *
 * @param isExcluded by URI: files that are no part of what is applied
 */
export function makeWorld(
  plain: readonly ManifestFile[],
  { sources, inputs }: AppliedSources,
  target: Target,
  isExcluded: (uri: string) => boolean,
): World {
  const members = sources.filter((applied) => isOf(target, applied));
  const owners = ownersOf(sources);
  const memberSet = new Set(members);
  const made = madeIn(members);
  const unrendered = new Map<string, AppliedSource>();
  const excluded = new Set<string>();
  const files = new Map<string, ManifestFile>();
  for (const file of plain) {
    if (isExcluded(file.uri)) {
      excluded.add(file.uri);
      files.set(file.uri, viewedFile(file, new Map()));
      continue;
    }
    const path = pathOf(file.uri) ?? file.uri;
    const owned = owners.get(path) ?? [];
    if (owned.length === 0 && !inputs.has(path)) {
      files.set(file.uri, withMade(file, made.get(file.uri)?.objects ?? new Map(), true));
      continue;
    }
    const failed = owned.find((owner) => memberSet.has(owner) && owner.refusal !== null);
    if (failed !== undefined) unrendered.set(file.uri, failed);
    files.set(file.uri, withMade(file, made.get(file.uri)?.objects ?? new Map(), failed !== undefined));
  }
  for (const [uri, { file, objects }] of made) if (!files.has(uri)) files.set(uri, viewedFile(file, objects));
  const sorted = [...files.values()].sort((a, b) => (a.uri < b.uri ? -1 : a.uri > b.uri ? 1 : 0));
  return { target: target.name, files: sorted, sources: members, unrendered, excluded };
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
