import { join } from 'node:path';
import { addTo } from '../../util/maps.ts';
import { nearestNames } from '../../util/nearest-names.ts';
import { own } from '../../util/own.ts';
import { say } from '../../util/say.ts';
import { isObject } from '../../util/values.ts';
import type { Json, JsonObject, Path } from '../../kubernetes/json.ts';
import type { ManifestFile } from '../../manifests/manifest.ts';
import { asList, asMap, asText, type DataFile, readData } from '../../manifests/read-data.ts';
import { lineAt, lineStartsOf } from '../../manifests/text-positions.ts';
import type { AppliedSource } from './applied-source.ts';
import type { IdleEntry } from '../rendering/idle-entries.ts';
import { valueAtPath } from '../files/json-paths.ts';
import { objectTextAt } from '../kustomize/object-text.ts';
import type { HelmRecipe, Source, SourcePlace } from '../files/source.ts';
import type { SourceFiles } from '../files/source-files.ts';
import { chartDescription } from '../helm/chart.ts';
import { valuesIn } from '../helm/values-places.ts';

/** Letters by which a name may differ from the one that is meant. */
const mostChanges = 3;
/** Text of templates that is looked at. */
const mostText = 4_000_000;

/** Fields of pods that somebody who schedules sets; charts are made with empty ones, read or not. */
const schedules = /^(?:affinity|nodeSelector|priorityClassName|schedulerName|tolerations|topologySpreadConstraints)$/;

/** What the templates of a chart, and of those that it depends on, take from the values. */
interface Read {
  /** Of each path that is named, its steps: a tree whose leaves are read whole. */
  readonly tree: ReadTree;
  /** Words of the actions of templates, which may name values in other ways. */
  readonly words: ReadonlySet<string>;
  /** False where a chart that it depends on is packed, and may have templates that read others. */
  readonly isWhole: boolean;
}

type ReadTree = Map<string, ReadTree>;

/** Values that no template of a chart reads, and that the chart's own do not name. */
export async function idleValues(
  source: Source,
  recipe: HelmRecipe,
  files: SourceFiles,
  parsed: (path: string) => Promise<ManifestFile | null>,
): Promise<readonly IdleEntry[]> {
  const { chart } = recipe;
  const description = (await chartDescription(chart, files)) ?? {};
  if (asText(description['type']) === 'library') return [];
  const ownFile = join(chart, 'values.yaml');
  const ownValues = (await files.read(ownFile)) ?? '';
  const written = await writtenValues(source, recipe, files, parsed);
  const data = readData(ownValues);
  if (isObject(data.value)) {
    const placeOf = placesIn(ownValues, data, [], ownFile, 0);
    written.push({ value: asMap(data.value), placeOf, isOwn: true });
  }
  if (written.length === 0) return [];
  const read = await readBy(recipe, description, ownValues, files);
  if (read === null) return [];
  const subcharts = asList(description['dependencies']).map(asMap);
  const others = new Set(['global', 'tags', ...subcharts.flatMap(({ name, alias }) => [asText(name), asText(alias)])]);
  const chosen = subcharts.flatMap(({ condition }) => asText(condition).split(','));
  for (const path of chosen) for (const step of path.split('.', 1)) others.add(step.trim());
  const defaults = asMap(data.value);
  return written.flatMap(({ value, placeOf, isOwn = false }) =>
    [...unread(value, read.tree, isOwn ? {} : defaults, [])].flatMap(({ path, known, beside }): IdleEntry[] => {
      const [first = ''] = path;
      const key = path.at(-1)!;
      if (others.has(first) || read.words.has(key)) return [];
      const place = placeOf(path);
      if (place === null) return [];
      // A chart may bring values along for whoever looks at it; one that is not read but for its letters is misspelt.
      const isSure = !isOwn && read.isWhole;
      const atMost = isSure ? mostChanges : Math.min(2, Math.floor(key.length / 4));
      const [letters] = nearestNames(key, isSure ? known : without(known, beside), atMost);
      const isPlain = read.isWhole && schedules.test(key) && isSaid(valueAtPath(value, path));
      if (!isSure && letters === undefined && !isPlain) return [];
      const near = letters ?? [...known].find((each) => isAlike(each, key));
      const name = path.join('.');
      const message =
        near === undefined
          ? say`No template of the chart reads the value ${name}.`
          : say`No template of the chart reads the value ${name}; did you mean ${[...path.slice(0, -1), near].join('.')}?`;
      return [{ place, message, isValue: true }];
    }),
  );
}

function isSaid(value: Json | undefined): boolean {
  return value !== null && value !== '' && (typeof value !== 'object' || Object.keys(value).length > 0);
}

interface Written {
  readonly value: JsonObject;
  /** Null for what is not written there, and for what is an anchor that other places refer to. */
  readonly placeOf: (path: Path) => SourcePlace | null;
  /** Of the chart itself. */
  readonly isOwn?: boolean;
}

async function writtenValues(
  { place }: Source,
  { chart, valueFiles, values }: HelmRecipe,
  files: SourceFiles,
  parsed: (path: string) => Promise<ManifestFile | null>,
): Promise<Written[]> {
  const found: Written[] = [];
  for (const file of valueFiles) {
    if (file === join(chart, 'values.yaml')) continue;
    const text = (await files.read(file)) ?? '';
    const data = readData(text);
    if (!isObject(data.value)) continue;
    found.push({ value: asMap(data.value), placeOf: placesIn(text, data, [], file, 0) });
  }
  const object = values.length === 0 ? null : objectTextAt(await parsed(place.file), place.line, () => true);
  if (object === null) return found;
  for (const prefix of valuesIn) {
    const value = valueAtPath(object.data.value, prefix);
    const start = object.inFile({ uri: object.uri, range: { start: origin, end: origin } })?.range.start.line ?? 0;
    if (isObject(value)) {
      found.push({ value: asMap(value), placeOf: placesIn(object.text, object.data, prefix, place.file, start) });
    }
  }
  return found;
}

const origin = { line: 0, character: 0 };

function placesIn(
  text: string,
  data: Pick<DataFile, 'locate'>,
  prefix: Path,
  file: string,
  firstLine: number,
): Written['placeOf'] {
  const starts = lineStartsOf(text);
  return (path) => {
    const range = data.locate([...prefix, ...path], 'key');
    if (range === undefined) return null;
    const line = lineAt(starts, range.start);
    const [words = ''] = text.slice(starts[line] ?? 0).split('\n', 1);
    return /:\s*&/.test(words) ? null : { file, line: firstLine + line };
  };
}

/** The paths that values have and templates do not read, with the names that they read instead. */
function* unread(
  written: JsonObject,
  read: ReadTree,
  defaults: JsonObject,
  at: readonly string[],
): Iterable<{
  readonly path: readonly string[];
  readonly known: ReadonlySet<string>;
  readonly beside: ReadonlySet<string>;
}> {
  // What is empty may be what was meant.
  const beside = new Set(Object.keys(written).filter((key) => isSaid(written[key])));
  for (const [key, value] of Object.entries(written)) {
    const path = [...at, key];
    const below = read.get(key);
    const usual = own(defaults, key);
    if (below === undefined) {
      if (usual === undefined) yield { path, known: new Set(read.keys()), beside };
    } else if (below.size > 0 && isObject(value)) {
      yield* unread(asMap(value), below, asMap(usual), path);
    }
  }
}

/** Null where templates may read any value. */
async function readBy(
  { chart, dependencies }: HelmRecipe,
  description: JsonObject,
  ownValues: string,
  files: SourceFiles,
): Promise<Read | null> {
  const laidIn = (await files.tree(join(chart, 'charts'))).filter((path) => /[\\/]templates[\\/]|\.tgz$/.test(path));
  const isWhole = !laidIn.some((path) => path.endsWith('.tgz'));
  const fetched = await Promise.all(dependencies.map(({ folder }) => files.tree(join(folder, 'templates'))));
  const needed = asList(description['dependencies']).length;
  const subcharts = new Set(laidIn.map((path) => path.split(/[\\/]templates[\\/]/, 1)[0]));
  if (needed > dependencies.length + subcharts.size) return null;
  let text = '';
  const unpacked = laidIn.filter((path) => !path.endsWith('.tgz'));
  for (const path of [...(await files.tree(join(chart, 'templates'))), ...unpacked, ...fetched.flat()]) {
    text += `\n${(await files.read(path)) ?? ''}`;
    if (text.length > mostText) return null;
  }
  if (text === '') return null;
  if (/\btpl\b/.test(text)) {
    // What is in other files may be a template then.
    if (text.includes('.Files')) return null;
    text += ownValues;
  }
  // Whoever hands over all values may read any.
  if (/\.Values(?![\w.])/.test(text)) return null;
  const tree: ReadTree = new Map();
  const read = text.replaceAll(/\b(?:get|hasKey|index) +\$?(\.Values(?:\.\w+)+) +"(\w+)"/g, '$1.$2');
  for (const [, path = ''] of read.matchAll(/\.Values\.(\w+(?:\.\w+)*)/g)) addPath(tree, path.split('.'));
  const actions = text
    .split('{{')
    .slice(1)
    .map((action) => action.split('}}', 1)[0]!.replaceAll(/\.Values\.[\w.]+/g, ''));
  return { tree, words: new Set(actions.join('\n').match(/[\w-]+/g)), isWhole };
}

/** A name that is read itself has nothing below it that is not. */
function addPath(tree: ReadTree, path: readonly string[]): void {
  let at = tree;
  for (const [index, step] of path.entries()) {
    const known = at.get(step);
    if (known?.size === 0) return;
    if (index === path.length - 1) at.set(step, new Map());
    else if (known === undefined) at.set(step, new Map());
    const next = known ?? at.get(step)!;
    at = next;
  }
}

function without(names: ReadonlySet<string>, others: ReadonlySet<string>): readonly string[] {
  return [...names].filter((name) => !others.has(name));
}

/** One begins as the other: `replicaCount`, `replicas`. */
function isAlike(one: string, other: string): boolean {
  const shared = Math.min(one.length, other.length, 6);
  return shared >= 5 && one.slice(0, shared) === other.slice(0, shared);
}

/** Values of a file that several charts are handed are idle where all of them pass over them. */
export function withoutSharedValues(applied: readonly AppliedSource[]): readonly AppliedSource[] {
  const takers = new Map<string, AppliedSource[]>();
  for (const one of applied) {
    const { recipe } = one.source;
    if (recipe?.tool !== 'helm') continue;
    for (const file of recipe.valueFiles) addTo(takers, file, one);
  }
  const chartOf = ({ source: { recipe } }: AppliedSource): string => (recipe?.tool === 'helm' ? recipe.chart : '');
  return applied.map((one) => {
    const idle = one.idle?.filter(
      ({ place, isValue }) =>
        isValue !== true ||
        (takers.get(place.file) ?? []).every(
          (other) =>
            chartOf(other) === chartOf(one) ||
            other.idle?.some((each) => each.place.line === place.line && each.place.file === place.file) === true,
        ),
    );
    return idle === undefined || idle.length === one.idle?.length ? one : { ...one, idle };
  });
}
