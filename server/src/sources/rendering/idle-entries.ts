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

/** What a kustomization names and kustomize does not find: where, and in words of their own. */
export interface Miss {
  readonly place: SourcePlace;
  /** Without a full stop. */
  readonly text: string;
}

/**
 * The patch or the entry of `replicas` that kustomize refuses, as it finds nothing of its name, or no target for it; null
 * for other messages. Sources: kustomize, api/resmap/reswrangler.go (ApplySmPatch, GetById),
 * api/internal/target/kusttarget_configplugin.go, api/builtins/ReplicaCountTransformer.go and PatchTransformer.go
 * @param resources the manifests that may have what is meant
 */
export async function missOf(
  message: string,
  file: string,
  resources: Iterable<string>,
  files: SourceFiles,
): Promise<Miss | null> {
  // `Deployment.v1.apps/web.[noNs]`
  const id = /strategic merge patch "([^"]*)"/.exec(message)?.[1];
  const kind = id?.split(/[./]/)[0] ?? '';
  const patched = id?.slice(id.indexOf('/') + 1, id.lastIndexOf('.'));
  const scaled = /esource with name (\S+) does not match a config with the following GVK/.exec(message)?.[1];
  const isAimless = message.includes('must specify a target for JSON patch');
  const wanted = patched ?? scaled ?? '';
  const text = wanted === '' && !isAimless ? null : await files.read(file);
  if (text === null) return null;
  const data = readData(text);
  const map = asMap(data.value);
  const isNamed = (written: string): boolean =>
    isAimless
      ? Array.isArray(readData(written).value)
      : written
          .split(/^---/m)
          .some((each) => asText(asMap(asMap(readData(each).value)['metadata'])['name']) === wanted);
  const fields = scaled === undefined ? ['patches', 'patchesStrategicMerge'] : ['replicas'];
  for (const field of fields) {
    for (const [index, entry] of asList(own(map, field)).entries()) {
      const path = typeof entry === 'string' ? entry : asText(asMap(entry)['path']);
      const inFile = path === '' || path.includes('\n') ? null : await files.read(join(file, '..', path));
      if (isAimless && asMap(entry)['target'] !== undefined) continue;
      const isIt =
        scaled === undefined
          ? isNamed(inFile ?? (typeof entry === 'string' ? entry : asText(asMap(entry)['patch'])))
          : asText(asMap(entry)['name']) === wanted;
      if (!isIt) continue;
      const place = { file, line: lineAt(lineStartsOf(text), data.locate([field, index])?.start ?? 0) };
      if (isAimless) {
        return { place, text: say`this patch is a list of operations and has no \`target\` that says what it changes` };
      }
      const [near] = nearestNames(wanted, await namesIn(resources, kind, files), mostChanges);
      const meant = near === undefined ? '' : say` (did you mean ${near}?)`;
      const what =
        scaled === undefined ? say`this patch is for ${kind} ${wanted}` : say`this entry of replicas is for ${wanted}`;
      return { place, text: say`${what}, which is not among the resources${meant}` };
    }
  }
  return null;
}

/** The names that manifests give objects of a kind, or of workloads that have replicas. */
async function namesIn(paths: Iterable<string>, kind: string, files: SourceFiles): Promise<ReadonlySet<string>> {
  const names = new Set<string>();
  for (const path of paths) {
    for (const written of ((await files.read(path)) ?? '').split(/^---/m)) {
      const { kind: own, metadata } = asMap(readData(written).value);
      const isMeant = kind === '' ? scaledKinds.has(asText(own)) : asText(own) === kind;
      if (isMeant) names.add(asText(asMap(metadata)['name']));
    }
  }
  return names;
}

/** Those that `replicas` reaches. Source: kustomize, api/internal/konfig/builtinpluginconsts/replicas.go */
const scaledKinds: ReadonlySet<string> = new Set(['Deployment', 'ReplicationController', 'ReplicaSet', 'StatefulSet']);

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
