import { join } from 'node:path';
import { nearestNames } from '../../util/nearest-names.ts';
import { own } from '../../util/own.ts';
import { say } from '../../util/say.ts';
import { isObject } from '../../util/values.ts';
import type { Json, JsonObject, Path } from '../../kubernetes/json.ts';
import { asList, asMap, asText, readData } from '../../manifests/read-data.ts';
import { lineAt, lineStartsOf } from '../../manifests/text-positions.ts';
import type { MadeObject } from './made-object.ts';
import { readTarget } from '../kustomize/patch-places.ts';
import type { SourcePlace } from '../files/source.ts';
import type { SourceFiles } from '../files/source-files.ts';

/** Something that is written and has no effect, and that the tool which reads it does not refuse. */
export interface IdleEntry {
  readonly place: SourcePlace;
  /** One sentence. */
  readonly message: string;
  /** Of a value the charts that are handed it must all pass over it. */
  readonly isValue?: true;
}

/** Letters by which a name may differ from the one that is meant. */
const mostChanges = 3;

/** An operation of a JSON patch on the name or the kind of its target. */
const renaming = /path["']? *: *["']?\/(?:metadata\/name|kind)(?![\w/])/;

/** Patches with a target that is not there, and `images` that no container has: kustomize passes over both. */
export async function idleInKustomization(
  file: string,
  made: readonly MadeObject[],
  files: SourceFiles,
): Promise<readonly IdleEntry[]> {
  const text = await files.read(file);
  if (text === null || made.length === 0) return [];
  const data = readData(text);
  const map = asMap(data.value);
  const at = (path: Path): SourcePlace => ({
    file,
    line: lineAt(lineStartsOf(text), data.locate(path)?.start ?? 0),
  });
  const found: IdleEntry[] = [];
  const patches = [...asList(map['patches']), ...asList(map['patchesJson6902'])].map(asMap);
  const texts = await Promise.all(patches.map((patch) => textOf(patch, file, files)));
  // What a patch renames is not there any more under the name that was its target.
  const isRenaming =
    texts.some((each) => renaming.test(each)) ||
    patches.some((patch) => Object.keys(asMap(patch['options'])).some((option) => option.startsWith('allow')));
  const names = made.map(({ object }) => ({ kind: object.kind, name: object.name }));
  for (const field of ['patches', 'patchesJson6902'] as const) {
    if (isRenaming) break;
    for (const [index, entry] of asList(field === 'patches' ? map['patches'] : map['patchesJson6902']).entries()) {
      const patch = asMap(entry);
      const target = asMap(patch['target']);
      const [kind, name] = [asText(target['kind']), asText(target['name'])];
      // What a patch takes away is not there any more, and labels may be what an object had before.
      if (name === '' || /\$patch['"]?\s*:\s*['"]?delete/.test(await textOf(patch, file, files))) continue;
      const isTarget = await readTarget(target);
      // A prefix or a suffix may have come after the patch.
      const isHit = names.some(
        (each) => isTarget({ kind: each.kind, names: [each.name], value: {} }) || isWithin(each, kind, name),
      );
      if (isHit) continue;
      const known = names
        .filter((each) => kind === '' || each.kind === kind)
        .map((each) => withoutAffixes(each.name, asText(map['namePrefix']), asText(map['nameSuffix'])));
      const [near] = nearestNames(name, new Set(known), mostChanges);
      const what = `${kind === '' ? 'object' : kind} ${name}`;
      found.push({
        place: at([field, index, 'target']),
        message:
          near === undefined
            ? say`This patch has no effect: there is no ${what} among the resources.`
            : say`This patch has no effect: there is no ${what} among the resources; did you mean ${near}?`,
      });
    }
  }
  if (map['configurations'] !== undefined) return found;
  const images = new Set(made.flatMap(({ object }) => [...imagesIn(object.value)]));
  for (const [index, entry] of asList(map['images']).entries()) {
    const image = asMap(entry);
    const [name, now] = [asText(image['name']), asText(image['newName'])];
    if (name === '' || images.has(name) || (now !== '' && images.has(now))) continue;
    const [near] = nearestNames(name, images, mostChanges);
    found.push({
      place: at(['images', index, 'name']),
      message:
        near === undefined
          ? say`This entry has no effect: no container has the image ${name}.`
          : say`This entry has no effect: no container has the image ${name}; did you mean ${near}?`,
    });
  }
  return found;
}

/**
 * Where the patch or the entry of `replicas` stands that kustomize refuses, as it finds nothing of its name; null for
 * other messages. Sources: kustomize, api/resmap/reswrangler.go (ApplySmPatch, GetById),
 * api/internal/target/kusttarget_configplugin.go and api/builtins/ReplicaCountTransformer.go
 */
export async function placeOfMiss(message: string, file: string, files: SourceFiles): Promise<SourcePlace | null> {
  const patched = / strategic merge patch "([^"/]*)\/([^"]+)\.[^".]*"/.exec(message)?.[2];
  const scaled = /esource with name (\S+) does not match a config with the following GVK/.exec(message)?.[1];
  const wanted = patched ?? scaled;
  const text = wanted === undefined ? null : await files.read(file);
  if (wanted === undefined || text === null) return null;
  const data = readData(text);
  const map = asMap(data.value);
  const isNamed = (written: string): boolean =>
    written.split(/^---/m).some((each) => asText(asMap(asMap(readData(each).value)['metadata'])['name']) === wanted);
  const fields = patched === undefined ? ['replicas'] : ['patches', 'patchesStrategicMerge'];
  for (const field of fields) {
    for (const [index, entry] of asList(own(map, field)).entries()) {
      const path = typeof entry === 'string' ? entry : asText(asMap(entry)['path']);
      const inFile = path === '' || path.includes('\n') ? null : await files.read(join(file, '..', path));
      const isIt =
        patched === undefined
          ? asText(asMap(entry)['name']) === wanted
          : isNamed(inFile ?? (typeof entry === 'string' ? entry : asText(asMap(entry)['patch'])));
      if (isIt) return { file, line: lineAt(lineStartsOf(text), data.locate([field, index])?.start ?? 0) };
    }
  }
  return null;
}

async function textOf(patch: JsonObject, file: string, files: SourceFiles): Promise<string> {
  const path = asText(patch['path']);
  return path === '' ? asText(patch['patch']) : ((await files.read(join(file, '..', path))) ?? '$patch: delete');
}

function isWithin(each: { readonly kind: string; readonly name: string }, kind: string, name: string): boolean {
  return (kind === '' || each.kind === kind) && each.name.includes(name);
}

/** Names of images, without their tags and digests, wherever they stand. */
function* imagesIn(value: Json): Generator<string> {
  if (Array.isArray(value)) {
    for (const item of asList(value)) yield* imagesIn(item);
  } else if (isObject(value)) {
    for (const [key, item] of Object.entries(value)) {
      if (key === 'image' && typeof item === 'string') yield withoutTag(item);
      else yield* imagesIn(item);
    }
  }
}

function withoutTag(image: string): string {
  const [name = ''] = image.split('@', 1);
  const colon = name.lastIndexOf(':');
  return colon > name.lastIndexOf('/') ? name.slice(0, colon) : name;
}

/** A name as it was before the kustomization gave it a prefix and a suffix. */
function withoutAffixes(name: string, prefix: string, suffix: string): string {
  const start = name.startsWith(prefix) ? prefix.length : 0;
  return name.slice(start, name.endsWith(suffix) ? name.length - suffix.length : undefined);
}
