import { join } from 'node:path';
import { nearestNames } from '../../util/nearest-names.ts';
import { own } from '../../util/own.ts';
import { say } from '../../util/say.ts';
import { isObject } from '../../util/values.ts';
import type { Json, JsonObject, Path } from '../../kubernetes/json.ts';
import { asList, asMap, asPrinted, asText, readData } from '../../manifests/read-data.ts';
import { lineAt, lineStartsOf } from '../../manifests/text-positions.ts';
import type { MadeObject } from './made-object.ts';
import type { KustomizationFile, Reach } from '../kustomize/kustomization-graph.ts';
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

/** A patch that takes an object or a part of it away. */
const removing = /\$patch['"]?\s*:\s*['"]?delete/;

/** An operation of a JSON patch on the name or the kind of its target. */
const renaming = /path["']? *: *["']?\/(?:metadata\/name|kind)(?![\w/])/;

/**
 * Patches with a target that is not there, and `images` that no container has, of all kustomizations of a rendering:
 * kustomize passes over both. What a component changes may be elsewhere.
 */
export async function idleInKustomizations(
  { kustomizations, resources }: Reach,
  made: readonly MadeObject[],
  files: SourceFiles,
): Promise<readonly IdleEntry[]> {
  if (made.length === 0) return [];
  const read = kustomizations.filter(({ decrypts }) => !decrypts);
  const patches = read.flatMap((kustomization) =>
    ['patches', 'patchesJson6902'].flatMap((field) =>
      asList(own(kustomization.value, field)).map((entry, index) => ({
        kustomization,
        at: [field, index, 'target'],
        patch: asMap(entry),
      })),
    ),
  );
  const texts = await Promise.all(patches.map(({ patch, kustomization: { file } }) => textOf(patch, file, files)));
  // What a patch renames is not there any more under the name that was its target.
  const renames = patches.filter(
    ({ patch }, index) =>
      renaming.test(texts[index]!) || Object.keys(asMap(patch['options'])).some((option) => option.startsWith('allow')),
  );
  const isRenaming = new Set(renames.map(({ kustomization }) => kustomization));
  const names = made.map(({ object }) => ({ kind: object.kind, name: object.name }));
  const taken = new Set(kustomizations.flatMap(({ bases, components }) => [...bases, ...components]));
  const isOuter = ({ folder }: KustomizationFile): boolean => !taken.has(folder);
  const found: IdleEntry[] = [];
  const add = async ({ file }: KustomizationFile, at: Path, message: string): Promise<void> => {
    const text = (await files.read(file)) ?? '';
    const line = lineAt(lineStartsOf(text), readData(text).locate(at)?.start ?? 0);
    found.push({ place: { file, line }, message });
  };
  for (const [index, { kustomization, at, patch }] of patches.entries()) {
    const target = asMap(patch['target']);
    const [kind, name] = [asText(target['kind']), asText(target['name'])];
    if (name === '' || kustomization.isComponent || isRenaming.has(kustomization)) continue;
    // What a patch takes away is not there any more, and labels may be what an object had before.
    if (removing.test(texts[index]!)) continue;
    const isTarget = await readTarget(target);
    const isOne = (each: { readonly kind: string }, called: string): boolean =>
      isTarget({ kind: each.kind, names: [called], value: {} });
    if (names.some((each) => isOne(each, each.name))) continue;
    const written = await writtenNames(resources, files);
    // A prefix or a suffix may have come after the patch.
    if (names.some((each) => each.name.includes(name) && isOne(each, name) && !written.has(each.name))) continue;
    // What takes in a base may rename and take away what is patched there.
    const isNamed = await readTarget({ name });
    const isThere = [...written].some((each) => isNamed({ kind: '', names: [each], value: {} }));
    if (isThere && !isOuter(kustomization)) continue;
    const { namePrefix, nameSuffix } = kustomization.value;
    const known = names
      .filter((each) => kind === '' || each.kind === kind)
      .map((each) => withoutAffixes(each.name, asText(namePrefix), asText(nameSuffix)));
    const [near] = nearestNames(name, new Set(known), mostChanges);
    const what = `${kind === '' ? 'object' : kind} ${name}`;
    await add(
      kustomization,
      at,
      near === undefined
        ? say`This patch has no effect: there is no ${what} among the resources.`
        : say`This patch has no effect: there is no ${what} among the resources; did you mean ${near}?`,
    );
  }
  if (read.some(({ value }) => value['configurations'] !== undefined)) return found;
  const entries = read.flatMap((kustomization) =>
    asList(kustomization.value['images']).map((entry, index) => {
      const image = asMap(entry);
      const [name, now] = [asText(image['name']), asText(image['newName'])];
      return { kustomization, index, name, now, tag: asPrinted(image['newTag'] ?? image['digest']) };
    }),
  );
  const tagged = [...new Set(made.flatMap(({ object }) => [...imagesIn(object.value)]))];
  const images = new Set(tagged.map(withoutTag));
  const isMade = (now: string, tag: string): boolean =>
    tagged.some((each) => withoutTag(each) === now && each.endsWith(tag));
  for (const { kustomization, index, name, now, tag } of entries) {
    const isOuterMost = isOuter(kustomization);
    if (name === '' || kustomization.isComponent || images.has(name)) continue;
    if (now !== '' && isMade(now, isOuterMost ? tag : '')) continue;
    // What takes in a base may give its containers other images.
    const isSet = entries.some((other) => other.now === name) || texts.some((text) => text.includes(name));
    if (!isOuterMost && (isSet || (await isWritten(name, resources, files)))) continue;
    const [near] = nearestNames(name, images, mostChanges);
    await add(
      kustomization,
      ['images', index, 'name'],
      near === undefined
        ? say`This entry has no effect: no container has the image ${name}.`
        : say`This entry has no effect: no container has the image ${name}; did you mean ${near}?`,
    );
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
  const id = /strategic merge patch "([^"]*)"|find unique target for patch (\S+)/.exec(message)?.slice(1).find(Boolean);
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
      // One of that name is of another namespace or group.
      const meant = near === undefined || near === wanted ? '' : say` (did you mean ${near}?)`;
      const what =
        scaled === undefined ? say`this patch is for ${kind} ${wanted}` : say`this entry of replicas is for ${wanted}`;
      return { place, text: say`${what}, which is not among the resources${meant}` };
    }
  }
  return null;
}

async function isWritten(name: string, paths: Iterable<string>, files: SourceFiles): Promise<boolean> {
  for (const path of paths) if ((await files.read(path))?.includes(name) === true) return true;
  return false;
}

/** The names that manifests give objects, and some more; they are not parsed, as overlays without number have one base. */
async function writtenNames(paths: Iterable<string>, files: SourceFiles): Promise<ReadonlySet<string>> {
  const names = new Set<string>();
  for (const path of paths) {
    for (const [, name = ''] of ((await files.read(path)) ?? '').matchAll(writtenName)) names.add(name);
  }
  return names;
}

const writtenName = /(?<=^ {1,4}|[{,] ?)["']?name["']?: *["']?((?:\$\{[^\s{}]*\}|[^\s"',}])+)/gm;

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

/** Images, wherever they stand. */
function* imagesIn(value: Json): Generator<string> {
  if (Array.isArray(value)) {
    for (const item of asList(value)) yield* imagesIn(item);
  } else if (isObject(value)) {
    for (const [key, item] of Object.entries(value)) {
      if (key === 'image' && typeof item === 'string') yield item;
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
