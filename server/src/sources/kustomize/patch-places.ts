import { own } from '../../util/own.ts';
import { resolve } from 'node:path';
import type { RE2JS } from 're2js';
import { URI } from 'vscode-uri';
import type { Json, JsonObject, Path } from '../../kubernetes/json.ts';
import type { FilePlace, OffsetRange } from '../../manifests/manifest.ts';
import { asList, asMap, asPrinted, asText, type DataFile, readData } from '../../manifests/read-data.ts';
import { lineAt, lineStartsOf } from '../../manifests/text-positions.ts';
import { isScalar, isWrittenAs, pointerSteps, samePath, valueAtPath } from '../files/json-paths.ts';
import type { KustomizationFile } from './kustomization-graph.ts';
import type { FindPlace } from '../files/rendered-object.ts';
import type { SourceFiles } from '../files/source-files.ts';

/** Something that sets values of objects, and where it is written. */
interface Setter {
  /** The kustomization that it belongs to. */
  readonly kustomization: string;
  /** Where it sets the value of a path to what the object has; undefined where it does not. */
  find(object: PatchedObject, path: Path): FilePlace | undefined;
}

export interface PatchedObject {
  readonly kind: string;
  /** As it is written, and as it comes out. */
  readonly names: readonly string[];
  readonly value: JsonObject;
}

/** Everything in some kustomizations that sets values: patches, counts and namespaces, in the order in which it counts. */
export async function readSetters(kustomizations: readonly KustomizationFile[], files: SourceFiles): Promise<Setter[]> {
  const setters: Setter[] = [];
  // Bases come last in the list of what is reached, and count first.
  for (const { file, folder, value } of kustomizations.toReversed()) {
    const text = (await files.read(file)) ?? '';
    const own: TextOfFile = { uri: URI.file(file).toString(), text, data: readData(text) };
    for (const patch of writtenPatches(value)) {
      const path = patch.path === '' ? null : resolve(folder, patch.path);
      const patchText = path === null ? patch.text : await files.read(path);
      if (patchText === null) continue;
      const there =
        path === null ? null : { uri: URI.file(path).toString(), text: patchText, data: readData(patchText) };
      const data = there?.data ?? readData(patchText);
      const placeOf = (at: Path): FilePlace | undefined =>
        there === null ? placeInText(own, patch.at, { text: patchText, data }, at) : filePlace(there, data.locate(at));
      setters.push({ kustomization: file, find: await patchFinder(data.value, patch.target, placeOf) });
    }
    setters.push(fieldSetter(file, own));
  }
  return setters;
}

/** The last of the setters that gives a value counts, of the kustomizations that may have changed the object. */
export function patchPlaces(
  setters: readonly Setter[],
  writtenName: string,
  changedIn: ReadonlySet<string>,
): FindPlace {
  return (value, path) => {
    const object = {
      kind: asText(value['kind']),
      names: [writtenName, asText(asMap(value['metadata'])['name'])],
      value,
    };
    for (const setter of setters.toReversed()) {
      if (!changedIn.has(setter.kustomization)) continue;
      const place = setter.find(object, path);
      if (place !== undefined) return place;
    }
    return undefined;
  };
}

export interface TextOfFile {
  readonly uri: string;
  readonly text: string;
  readonly data: Pick<DataFile, 'value' | 'locate'>;
}

interface WrittenPatch {
  /** Empty for one that is written in the kustomization. */
  readonly path: string;
  readonly text: string;
  /** Where it stands in the kustomization. */
  readonly at: Path;
  readonly target: JsonObject;
}

function writtenPatches(value: JsonObject): WrittenPatch[] {
  const merges = asList(value['patchesStrategicMerge']).map((entry, index): WrittenPatch => {
    const text = asText(entry);
    return { path: text.includes('\n') ? '' : text, text, at: ['patchesStrategicMerge', index], target: {} };
  });
  const others = ['patchesJson6902', 'patches'].flatMap((field) =>
    asList(own(value, field)).map((entry, index): WrittenPatch => {
      const patch = asMap(entry);
      return {
        path: asText(patch['path']),
        text: asText(patch['patch']),
        at: [field, index, 'patch'],
        target: asMap(patch['target']),
      };
    }),
  );
  return [...merges, ...others];
}

/** Where a patch gives a path of an object the value that the object has. */
export async function patchFinder(
  patch: Json,
  target: JsonObject,
  placeOf: (at: Path) => FilePlace | undefined,
): Promise<Setter['find']> {
  const isTarget = await readTarget(target);
  return (object, path) => {
    if (Array.isArray(patch)) {
      if (!isTarget(object)) return undefined;
      const operations = asList(patch).map(asMap);
      for (const index of operations.keys()) {
        const at = operationPath(operations[operations.length - 1 - index]!, object, path);
        if (at !== undefined) return placeOf([operations.length - 1 - index, ...at]);
      }
      return undefined;
    }
    const map = asMap(patch);
    const isSame = map['kind'] === object.kind && object.names.includes(asText(asMap(map['metadata'])['name']));
    if (!isSame && (Object.keys(target).length === 0 || !isTarget(object))) return undefined;
    const there = samePath(object.value, path, map);
    if (there === undefined || !isSameValue(valueAtPath(map, there), valueAtPath(object.value, path), path)) {
      return undefined;
    }
    return placeOf(there);
  };
}

/** A place in a text that stands in a file: its own line where it is a literal block, or the key that it stands at. */
export function placeInText(
  own: TextOfFile,
  block: Path,
  content: Pick<TextOfFile, 'text' | 'data'>,
  at: Path,
): FilePlace | undefined {
  return placeInBlock(own, block, content, at) ?? filePlace(own, own.data.locate(block, 'key'));
}

/** A place in a literal block, whose lines stand there as they are. */
function placeInBlock(
  own: TextOfFile,
  block: Path,
  content: Pick<TextOfFile, 'text' | 'data'>,
  at: Path,
): FilePlace | undefined {
  const outer = filePlace(own, own.data.locate(block));
  const inner = filePlace({ uri: own.uri, text: content.text }, content.data.locate(at));
  if (outer === undefined || inner === undefined) return undefined;
  const lines = own.text.split(/\r\n|\r|\n/);
  if (lines[outer.range.start.line]?.[outer.range.start.character] !== '|') return undefined;
  const first = outer.range.start.line + 1;
  const [top = ''] = content.text.split('\n', 1);
  const indent = (lines[first]?.length ?? 0) - top.length;
  if (top.trim() === '' || indent < 0 || lines[first] !== ' '.repeat(indent) + top) return undefined;
  const moved = ({ line, character }: FilePlace['range']['start']): FilePlace['range']['start'] => ({
    line: first + line,
    character: indent + character,
  });
  return { uri: own.uri, range: { start: moved(inner.range.start), end: moved(inner.range.end) } };
}

/** Where a JSON patch operation holds the value of a path. */
function operationPath({ op, path: pointer, value }: JsonObject, object: PatchedObject, path: Path): Path | undefined {
  if ((op !== 'add' && op !== 'replace') || value === undefined) return undefined;
  const steps = pointerSteps(asText(pointer));
  const isAbove = steps.every(
    (step, index) => step === String(path[index]) || (step === '-' && typeof path[index] === 'number'),
  );
  if (!isAbove || steps.length > path.length) return undefined;
  const rest = path.slice(steps.length);
  const there = valueAtPath(value, rest);
  return isSameValue(there, valueAtPath(object.value, path), path) ? ['value', ...rest] : undefined;
}

/**
 * Which objects a patch is meant for. Its target has regular expressions of Go's kind, anchored; where one is none,
 * kustomize refuses the patch, and it fits nothing.
 * Source: api/types/selector.go (NewSelectorRegex, anchorRegex)
 */
export async function readTarget(target: JsonObject): Promise<(object: PatchedObject) => boolean> {
  const [kind, name] = [asText(target['kind']), asText(target['name'])];
  if (kind === '' && name === '') return () => true;
  // Loaded by those who need it: the expressions come from a repository, and JavaScript's take time without end.
  const library = await import('re2js');
  const compiled = (pattern: string): RE2JS | null => {
    try {
      return pattern.length > maxPattern ? null : library.RE2JS.compile(pattern);
    } catch {
      return null;
    }
  };
  const fits = (pattern: string): ((texts: readonly string[]) => boolean) => {
    if (pattern === '') return () => true;
    const expression = compiled(pattern);
    return (texts) => texts.some((text) => expression?.testExact(text) === true);
  };
  const [fitsKind, fitsName] = [fits(kind), fits(name)];
  return (object) => fitsKind([object.kind]) && fitsName(object.names);
}

/** Characters of a regular expression that is followed at all. */
const maxPattern = 1_000;

/** Fields of a kustomization that set one value: `replicas`, `namespace`, `images`. */
function fieldSetter(kustomization: string, own: TextOfFile): Setter {
  const map = asMap(own.data.value);
  return {
    kustomization,
    find({ names, value }, path) {
      const way = path.join('.');
      if (way === 'spec.replicas') {
        const index = asList(map['replicas']).findIndex((entry) => names.includes(asText(asMap(entry)['name'])));
        const count = asMap(asList(map['replicas'])[index])['count'];
        return index !== -1 && count === valueAtPath(value, path)
          ? filePlace(own, own.data.locate(['replicas', index, 'count']))
          : undefined;
      }
      if (way === 'metadata.namespace' && map['namespace'] === valueAtPath(value, path)) {
        return filePlace(own, own.data.locate(['namespace']));
      }
      const there = imagePath(map['images'], value, path) ?? pairPath(map, value, path);
      return there === undefined ? undefined : filePlace(own, own.data.locate(there));
    },
  };
}

/** The label or annotation that is given to all objects; the last counts. */
function pairPath(map: JsonObject, value: JsonObject, path: Path): Path | undefined {
  const [holder = '', key = ''] = path.slice(-2);
  const ofLabels = [['commonLabels', key], ...asList(map['labels']).map((_, index) => ['labels', index, 'pairs', key])];
  const of = holder === 'annotations' ? [['commonAnnotations', key]] : ofLabels;
  const mayBe = ['annotations', 'labels', 'matchLabels', 'selector'].includes(`${holder}`);
  const isGiven = (each: Path): boolean => valueAtPath(map, each) === valueAtPath(value, path);
  return mayBe && valueAtPath(value, path) !== undefined ? of.findLast(isGiven) : undefined;
}

/** What of the entry that gives an image its name and its tag or digest; the last counts. */
function imagePath(images: Json | undefined, value: JsonObject, path: Path): Path | undefined {
  const image = path.at(-1) === 'image' ? asText(valueAtPath(value, path)) : '';
  const index = asList(images).findLastIndex((entry) => {
    const { name, newName = name, newTag, digest } = asMap(entry);
    const rest = image.slice(asPrinted(newName).length);
    return (
      image.startsWith(asPrinted(newName)) && /^(?:[:@].*)?$/.test(rest) && rest.includes(asPrinted(newTag ?? digest))
    );
  });
  if (image === '' || index === -1) return undefined;
  const entry = asMap(asList(images)[index]);
  return ['images', index, ['newTag', 'digest', 'newName'].find((field) => own(entry, field) !== undefined) ?? 'name'];
}

function isSameValue(a: Json | undefined, b: Json | undefined, path: Path): boolean {
  if (a === undefined || b === undefined) return false;
  return isScalar(a) || isScalar(b) ? isWrittenAs(a, b, path) : true;
}

export function filePlace(
  { uri, text }: Pick<TextOfFile, 'uri' | 'text'>,
  range: OffsetRange | undefined,
): FilePlace | undefined {
  if (range === undefined) return undefined;
  const starts = lineStartsOf(text);
  const position = (offset: number): FilePlace['range']['start'] => {
    const line = lineAt(starts, offset);
    return { line, character: offset - starts[line]! };
  };
  return { uri, range: { start: position(range.start), end: position(range.end) } };
}
