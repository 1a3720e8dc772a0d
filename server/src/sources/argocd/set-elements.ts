import { own, put } from '../../util/own.ts';
import type { Json, JsonObject } from '../../kubernetes/json.ts';
import { compileGlob } from '../../manifests/glob-pattern.ts';
import { asList, asMap, asText } from '../../manifests/read-data.ts';
import { isObject } from '../../util/values.ts';
import type { DiscoveryContext } from '../flux/delivery.ts';
import { fillTemplate } from './fill-template.ts';
import { sanitizeName } from './go-template.ts';
import { shownPath } from '../files/paths.ts';

/** Whoever makes more Applications of one generator has made a mistake. */
const maxElements = 10_000;
/** What an element counts, in characters of what is filled in: it is copied, merged and looked at. */
const elementSize = 100;
/** Generators within generators. Argo CD takes a matrix or merge in another one, and none in that. */
const maxDepth = 4;

/** Why nobody can tell here what a generator makes: its own name, or that of one in it. */
export class UnknownGenerator extends Error {
  override readonly name = 'UnknownGenerator';
}

/**
 * What the template of an ApplicationSet is filled with, once for each Application. Throws `UnknownGenerator`.
 * Source: argo-cd, applicationset/generators: generator_spec_processor.go, list.go, git.go, matrix.go, merge.go
 */
export class SetElements {
  readonly #isGo: boolean;
  readonly #context: DiscoveryContext;

  constructor(isGo: boolean, context: DiscoveryContext) {
    this.#isGo = isGo;
    this.#context = context;
  }

  async of(generator: JsonObject, depth = 0): Promise<JsonObject[]> {
    const kinds = Object.keys(generator).filter((key) => key !== 'selector');
    const [kind] = kinds;
    // Source: argo-cd, applicationset/generators/generator_spec_processor.go (GetRelevantGenerators: of an empty one none)
    if (kind === undefined) return [];
    if (kinds.length !== 1 || depth > maxDepth) throw new UnknownGenerator(kinds.join(', '));
    const elements = await this.#made(kind, asMap(own(generator, kind)), depth);
    // Also of those that are left out again, as a matrix asks once for each of its first.
    const isTooMuch = elements.length > maxElements || !this.#context.fillingRoom.take(elements.length * elementSize);
    if (isTooMuch) throw new UnknownGenerator(kind);
    const selector = asMap(generator['selector']);
    return elements.filter((element) => isSelected(selector, element));
  }

  async #made(kind: string, generator: JsonObject, depth: number): Promise<JsonObject[]> {
    const inner = asList(generator['generators']).map(asMap);
    if (kind === 'list') return this.#listed(generator);
    if (kind === 'git') return this.#ofRepository(generator);
    if (kind === 'matrix' && inner.length === 2) return this.#matrix(inner[0]!, inner[1]!, depth);
    if (kind === 'merge' && inner.length > 1) return this.#merged(generator, inner, depth);
    throw new UnknownGenerator(kind);
  }

  #listed(list: JsonObject): JsonObject[] {
    const more = asText(list['elementsYaml']);
    const elements = asList(list['elements']).map(asMap);
    return [
      ...(this.#isGo ? elements : elements.map((element) => withFlatValues(element))),
      ...(more === '' ? [] : this.#parsedList(more)),
    ];
  }

  #parsedList(text: string): JsonObject[] {
    const { value, problem } = this.#context.parse(text);
    if (problem !== null || !Array.isArray(value)) throw new UnknownGenerator('list');
    return asList(value).map(asMap);
  }

  /** Each of the second for each of the first, which fills in what the second asks for. */
  async #matrix(first: JsonObject, second: JsonObject, depth: number): Promise<JsonObject[]> {
    const made: JsonObject[] = [];
    for (const left of await this.of(first, depth + 1)) {
      for (const right of await this.of(asMap(this.#filled(second, left)), depth + 1)) {
        made.push(this.#isGo ? merged(right, left) : { ...left, ...right });
        if (made.length > maxElements) throw new UnknownGenerator('matrix');
      }
    }
    return made;
  }

  async #merged(generator: JsonObject, inner: readonly JsonObject[], depth: number): Promise<JsonObject[]> {
    const keys = asList(generator['mergeKeys']).map(asText);
    if (keys.length === 0) throw new UnknownGenerator('merge');
    const sets: Map<string, JsonObject>[] = [];
    for (const each of inner) {
      const elements = await this.of(each, depth + 1);
      const byKey = new Map(elements.map((one) => [JSON.stringify(keys.map((key) => own(one, key) ?? null)), one]));
      // Argo CD stops where a key does not tell elements apart.
      if (byKey.size < elements.length) throw new UnknownGenerator('merge');
      sets.push(byKey);
    }
    const [base = new Map<string, JsonObject>(), ...others] = sets;
    return [...base].map(([key, element]) =>
      others.reduce<JsonObject>((all, other) => {
        const more = other.get(key) ?? {};
        return this.#isGo ? merged(all, more) : { ...all, ...more };
      }, element),
    );
  }

  async #ofRepository(git: JsonObject): Promise<JsonObject[]> {
    const repository = await this.#context.folderInRepository('.');
    if (repository === null || !(await this.#context.isOwnRepository(asText(git['repoURL'])))) {
      throw new UnknownGenerator('git');
    }
    const below = (await this.#context.files.below(repository)).map((file) => ({
      file,
      path: shownPath(file, repository),
    }));
    if (!this.#context.fillingRoom.take(below.length)) throw new UnknownGenerator('git');
    const values = asMap(git['values']);
    const prefix = asText(git['pathParamPrefix']);
    const elements: JsonObject[] = [];
    const add = (element: JsonObject): void => {
      const filled = asMap(this.#filled(values, element));
      if (Object.keys(filled).length === 0) elements.push(element);
      else elements.push(this.#isGo ? { ...element, values: filled } : { ...element, ...flat(filled, 'values.') });
    };
    if (git['directories'] !== undefined) {
      const folders = foldersOf(below.map(({ path }) => path));
      for (const path of picked(folders, git['directories'], folderTest)) {
        add(pathElement(path, null, prefix, this.#isGo));
      }
      return elements;
    }
    if (git['files'] === undefined) throw new UnknownGenerator('git');
    const files = new Map(below.map(({ file, path }) => [path, file]));
    for (const path of picked([...files.keys()], git['files'], pathTest)) {
      const text = await this.#context.files.read(files.get(path)!);
      if (text === null) continue;
      const { value, problem } = this.#context.parse(text);
      if (problem !== null || elements.length > maxElements) throw new UnknownGenerator('git');
      const slash = path.lastIndexOf('/');
      const folder = pathElement(slash === -1 ? '.' : path.slice(0, slash), path.slice(slash + 1), prefix, this.#isGo);
      const found = Array.isArray(value) ? (value as readonly Json[]) : [value];
      if (found.length > maxElements) throw new UnknownGenerator('git');
      for (const one of found) {
        add({ ...(this.#isGo ? asMap(one) : flat(asMap(one))), ...folder });
      }
    }
    return elements;
  }

  #filled(value: Json, element: JsonObject): Json {
    const filled = fillTemplate(value, element, this.#isGo, this.#context.fillingRoom);
    if (filled === null) throw new UnknownGenerator('git');
    return filled;
  }
}

/** Paths that an entry asks for and none excludes, in order. */
function picked(
  paths: readonly string[],
  written: Json,
  testOf: (pattern: string) => (path: string) => boolean,
): string[] {
  const entries = asList(written).map(asMap);
  const tests = (isOut: boolean): ((path: string) => boolean)[] =>
    entries.filter((entry) => (entry['exclude'] === true) === isOut).map((entry) => testOf(asText(entry['path'])));
  const [isIn, isOut] = [tests(false), tests(true)];
  return paths
    .filter((path) => isIn.some((matches) => matches(path)) && !isOut.some((matches) => matches(path)))
    .sort();
}

/** All folders with files in them or below, but for hidden ones. Source: reposerver/repository.go (GetGitDirectories) */
function foldersOf(paths: readonly string[]): string[] {
  const folders = new Set<string>();
  for (const path of paths) {
    if (/(?:^|\/)\.[^/]*\//.test(path)) continue;
    // What is above a folder that is known is known.
    for (
      let at = path.lastIndexOf('/');
      at > 0 && !folders.has(path.slice(0, at));
      at = path.lastIndexOf('/', at - 1)
    ) {
      folders.add(path.slice(0, at));
    }
  }
  return [...folders];
}

/** As Go's `path.Match`: no star goes beyond a slash, however many stand there. */
function folderTest(pattern: string): (path: string) => boolean {
  const matches = compileGlob(pattern.replace(/\*+/g, '*'));
  const depth = pattern.split('/').length;
  return (path) => path.split('/').length === depth && matches(path);
}

/** Source: util/git/client.go (LsFiles, which asks `git ls-files`) */
function pathTest(pattern: string): (path: string) => boolean {
  return compileGlob(pattern, 'pathspec');
}

/** What a git generator says of a folder, and of the file in it. */
function pathElement(path: string, file: string | null, prefix: string, isGo: boolean): JsonObject {
  const segments = path.split('/');
  const basename = segments.at(-1)!;
  const about: JsonObject = {
    basename,
    basenameNormalized: sanitizeName(basename),
    ...(file === null ? {} : { filename: file, filenameNormalized: sanitizeName(file) }),
  };
  if (isGo) {
    const element = { path: { path, segments, ...about } };
    return prefix === '' ? element : { [prefix]: element };
  }
  const name = prefix === '' ? 'path' : `${prefix}.path`;
  return {
    [name]: path,
    ...flat(about, `${name}.`),
    ...Object.fromEntries(segments.map((step, index) => [`${name}[${index}]`, step])),
  };
}

/** `{a: {b: 1}}` as `{'a.b': '1'}`. */
function flat(value: JsonObject, before = ''): JsonObject {
  const entries = Object.entries(value).flatMap(([key, item]): [string, Json][] => {
    const isNested = typeof item === 'object' && item !== null && Object.keys(item).length > 0;
    return isNested
      ? Object.entries(flat(item as JsonObject, `${before}${key}.`))
      : [[before + key, typeof item === 'object' ? '' : String(item)]];
  });
  return Object.fromEntries(entries);
}

function withFlatValues({ values, ...element }: JsonObject): JsonObject {
  return values === undefined ? element : { ...element, ...flat(asMap(values), 'values.') };
}

/** What the second says goes before, map by map. */
function merged(first: JsonObject, second: JsonObject): JsonObject {
  const all: Record<string, Json> = { ...first };
  for (const [key, value] of Object.entries(second)) {
    const both = isObject(value) && isObject(own(all, key));
    put(all, key, both ? merged(asMap(own(all, key)), asMap(value)) : value);
  }
  return all;
}

/** Source: argo-cd, applicationset/utils/selector.go, where values are any texts */
function isSelected({ matchLabels, matchExpressions }: JsonObject, element: JsonObject): boolean {
  const has = flat(element);
  return (
    Object.entries(asMap(matchLabels)).every(([key, value]) => own(has, key) === value) &&
    asList(matchExpressions)
      .map(asMap)
      .every(({ key, operator, values }) => {
        const value = own(has, asText(key));
        const isListed = value !== undefined && asList(values).includes(value);
        if (operator === 'Exists') return value !== undefined;
        if (operator === 'DoesNotExist') return value === undefined;
        return operator === 'In' ? isListed : !isListed;
      })
  );
}
