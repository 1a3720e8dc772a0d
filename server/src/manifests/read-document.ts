import type { Json, JsonObject, Path } from '../kubernetes/json.ts';
import { readJson } from './json-reader.ts';
import type { ReadLimits } from './limits.ts';
import { maxProblems } from './limits.ts';
import type {
  CursorPlace,
  EntryPart,
  Located,
  ManifestComment,
  ManifestDocument,
  ManifestObject,
  ManifestProblem,
  OffsetRange,
} from './manifest.ts';
import type { SourceMap, SourceNode } from './source-tree.ts';
import { behindAlias } from './source-tree.ts';
import { hasTemplatedField } from './template-actions.ts';
import { lineAt, lineStartsOf } from './text-positions.ts';
import { cursorAt, locate, placeAt } from './tree-navigation.ts';
import type { YamlReading } from './yaml-reader.ts';
import { readYaml } from './yaml-reader.ts';

/** Reads one document. Never throws. */
export function readDocument(text: string, limits: ReadLimits): ManifestDocument {
  return new ReadDocument(text, limits);
}

const nothingRead: YamlReading = { root: null, problems: [], comments: [], template: false, unclosed: [] };

class ReadDocument implements ManifestDocument {
  readonly text: string;
  readonly content: ManifestDocument['content'];
  readonly objects: readonly ManifestObject[];
  readonly problems: readonly ManifestProblem[];
  /** Undefined for text that cannot be a manifest and has not been asked about. */
  #reading: YamlReading | undefined;
  #lineStarts: readonly number[] | undefined;
  #comments: readonly ManifestComment[] | undefined;
  #objectsByPath: ReadonlyMap<string, ManifestObject> | undefined;

  constructor(text: string, limits: ReadLimits) {
    this.text = text;
    this.objects = [];
    this.problems = [];
    // YAML that no `kubectl` is meant for (values of charts, configuration of other programs) is not even parsed.
    if (!text.includes('apiVersion') || !text.includes('kind')) {
      this.content = isBlank(text) ? 'empty' : 'data';
      return;
    }
    if (text.length > limits.documentLength) {
      this.content = looksLikeManifest(text) ? 'manifest' : 'data';
      this.problems = [tooLarge('document-too-large', 'document', text, limits.documentLength)];
      this.#reading = nothingRead;
      return;
    }
    const reading = read(text);
    this.#reading = reading;
    if (reading.template) {
      this.content = 'template';
      return;
    }
    this.problems = worthTelling(reading.problems, this.lineStarts);
    const objects: ManifestObject[] = [];
    if (reading.root !== null) collectObjects(reading.root, [], '', '', objects);
    this.objects = objects;
    const isBroken = this.problems.length > 0 && looksLikeManifest(text);
    if (objects.length > 0 || isManifest(reading.root) || isBroken) this.content = 'manifest';
    else this.content = isBlank(text) ? 'empty' : 'data';
  }

  get lineStarts(): readonly number[] {
    return (this.#lineStarts ??= lineStartsOf(this.text));
  }

  comments(): readonly ManifestComment[] {
    return (this.#comments ??= this.#read().comments.map((range) => ({
      text: this.text.slice(range.start, range.end),
      range,
    })));
  }

  at(offset: number): Located | null {
    const { root } = this.#read();
    if (root === null || this.objects.length === 0) return null;
    const place = placeAt(root, offset);
    if (place === null) return null;
    const object = this.#objectWith(place.path);
    if (object === null) return null;
    return { object, path: place.path.slice(object.path.length), on: place.on, range: place.range };
  }

  pathAt(offset: number): CursorPlace {
    const { root, unclosed } = this.#read();
    const place = cursorAt(root, this.text, this.lineStarts, offset, unclosed);
    const object = this.#objectWith(place.path);
    return { ...place, path: place.path.slice(object?.path.length ?? 0), object };
  }

  #read(): YamlReading {
    return (this.#reading ??= read(this.text));
  }

  /** The innermost object that a path of the document leads into. */
  #objectWith(path: Path): ManifestObject | null {
    const objects = (this.#objectsByPath ??= new Map(this.objects.map((object) => [object.path.join('/'), object])));
    let found = objects.get('') ?? null;
    // Objects of a list are at `items/3`, those of a list in a list at `items/3/items/0`.
    for (let length = 2; length <= path.length && path[length - 2] === 'items'; length += 2) {
      found = objects.get(path.slice(0, length).join('/')) ?? found;
    }
    return found;
  }
}

/**
 * Text to tree: strict JSON through its own reader, everything else as YAML. The spec of a CustomResourceDefinition,
 * thousands of lines of schema, is no manifest and is not read.
 */
function read(written: string): YamlReading {
  const isDefinition = /^kind:[ \t]*["']?CustomResourceDefinition\b/m.test(written);
  const spec = isDefinition ? written.search(/^spec:/m) : -1;
  const text = spec === -1 ? written : written.slice(0, spec);
  if (/^\uFEFF?\s*\{/.test(text)) {
    const json = readJson(text);
    if (json !== null) {
      const template = text.includes('{{') && hasTemplatedField(json.root);
      return { ...nothingRead, root: json.root, problems: template ? [] : json.problems, template };
    }
  }
  return readYaml(text);
}

/** Nothing but white space, comments, directives and document markers. */
function isBlank(text: string): boolean {
  return text.split('\n').every((line) => /^\uFEFF?(?:\s*(?:#.*)?|(?:---|\.\.\.)(?:\s+(?:#.*)?)?|%.*)$/s.test(line));
}

/** In the order of the text; after an error, other errors of its line are mostly its consequences. */
function worthTelling(problems: readonly ManifestProblem[], lineStarts: readonly number[]): ManifestProblem[] {
  if (problems.length < 2) return [...problems];
  const told: ManifestProblem[] = [];
  let errorLine = -1;
  for (const problem of problems.toSorted((a, b) => a.range.start - b.range.start)) {
    const line = lineAt(lineStarts, problem.range.start);
    if (problem.severity === 'error' && line === errorLine) continue;
    if (problem.severity === 'error') errorLine = line;
    told.push(problem);
    if (told.length === maxProblems) break;
  }
  return told;
}

export function tooLarge(
  code: 'document-too-large' | 'file-too-large',
  what: 'document' | 'file',
  text: string,
  limit: number,
): ManifestProblem {
  const size = (length: number): string => `${(length / 1024 / 1024).toFixed(1)} MB`;
  const message = `This ${what} has ${size(text.length)}; Podium reads a ${what} of up to ${size(limit)}.`;
  const firstLine = text.slice(0, 200).search(/[\r\n]/);
  const range = { start: 0, end: firstLine === -1 ? Math.min(text.length, 200) : firstLine };
  return { code, severity: 'warning', message, range };
}

/** For text that cannot be read as it is: somebody wrote an apiVersion and a kind. */
export function looksLikeManifest(text: string): boolean {
  return /^(?:apiVersion:|\s*\{?\s*"apiVersion"\s*:)/m.test(text) && /^(?:kind:|.*"kind"\s*:)/m.test(text);
}

function textOf(value: Json | undefined): string {
  return typeof value === 'string' ? value : '';
}

function isManifest(root: SourceNode | null): boolean {
  return root?.kind === 'map' && textOf(root.value['apiVersion']) !== '' && textOf(root.value['kind']) !== '';
}

/**
 * The API objects at a node. As for `kubectl`, whatever has a list `items` is a list of objects, and those that name
 * no kind have the kind that the list is named after.
 * Source: staging/src/k8s.io/apimachinery/pkg/apis/meta/v1/unstructured/helpers.go (decodeToList)
 */
function collectObjects(
  node: SourceNode,
  path: Path,
  listApiVersion: string,
  itemKind: string,
  objects: ManifestObject[],
): void {
  const map = behindAlias(node);
  if (map?.kind !== 'map') return;
  let value = map.value;
  let apiVersion = textOf(value['apiVersion']);
  let kind = textOf(value['kind']);
  if (apiVersion === '' && kind === '' && itemKind !== '') {
    apiVersion = listApiVersion;
    kind = itemKind;
    value = Object.assign(Object.create(null), { apiVersion, kind }, value) as JsonObject;
  }
  if (apiVersion === '' || kind === '') return;
  const items = map.entries.findLast((entry) => entry.name === 'items');
  const list = items === undefined ? null : behindAlias(items.value);
  if (list?.kind === 'list' && path.length < maxListDepth) {
    const ofItems = kind === 'List' ? '' : kind.replace(/List$/, '');
    list.items.forEach((item, index) => {
      collectObjects(item, [...path, 'items', index], apiVersion, ofItems, objects);
    });
    return;
  }
  objects.push(new SourceObject(map, path, apiVersion, kind, value));
}

/** Lists in lists are followed this far, counted in steps of the path. */
const maxListDepth = 6;

class SourceObject implements ManifestObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  readonly value: JsonObject;
  readonly path: Path;
  readonly #node: SourceMap;

  constructor(node: SourceMap, path: Path, apiVersion: string, kind: string, value: JsonObject) {
    const metadata = value['metadata'];
    const meta = isObject(metadata) ? metadata : undefined;
    this.apiVersion = apiVersion;
    this.kind = kind;
    this.namespace = textOf(meta?.['namespace']);
    this.name = textOf(meta?.['name']);
    this.value = value;
    this.path = path;
    this.#node = node;
  }

  locate(path: Path, part: EntryPart = 'entry'): OffsetRange | undefined {
    return locate(this.#node, path, part);
  }

  locateNearest(path: Path, part: EntryPart = 'entry'): OffsetRange {
    for (let length = path.length; length > 0; length--) {
      // What is missing is reported at the key of the map it is missing from, not over the whole map.
      const range = locate(this.#node, path.slice(0, length), length === path.length ? part : 'key');
      if (range !== undefined) return range;
    }
    const kind = locate(this.#node, ['kind'], 'entry');
    if (kind !== undefined) return kind;
    const first = this.#node.entries[0];
    return first === undefined
      ? { start: this.#node.start, end: this.#node.end }
      : { start: first.keyStart, end: first.keyEnd };
  }
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
