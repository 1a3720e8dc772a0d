import { IpAddress, IpNetwork } from './addresses.ts';
import {
  Bytes,
  charactersIn,
  CelMap,
  Format,
  isList,
  Optional,
  QuantityValue,
  Semver,
  typeNameOf,
  Url,
  type Value,
} from './values.ts';

/** Source: cel-go common/cost.go */
export const perCharacter = 0.1;
export const perRegexCharacter = 0.25;
export const listCost = 10;
export const mapCost = 30;

/** Source: actualSize in interpreter/runtimecost.go */
function sizeOf(value: Value): number {
  if (typeof value === 'string') return charactersIn(value);
  if (isList(value)) return value.length;
  if (value instanceof CelMap) return value.size;
  if (value instanceof Bytes) return value.text.length;
  if (value instanceof IpAddress) return value.bits / 8;
  if (value instanceof IpNetwork) return value.address.bits / 8 + 1;
  if (value instanceof Optional && value.value !== undefined) return sizeOf(value.value);
  return 1;
}

function traversal(value: Value, times = 1): number {
  return Math.ceil(sizeOf(value) * times * perCharacter);
}

function regexCost(text: Value, pattern: Value): number {
  return Math.ceil((1 + sizeOf(text)) * perCharacter) * Math.ceil(sizeOf(pattern) * perRegexCharacter);
}

function allocating(size: number, factor = 1): number {
  return Math.floor(size * factor) + 1 + listCost;
}

function selfCompared(list: Value): number {
  const size = sizeOf(list);
  const first = isList(list) ? typeNameOf(list[0] ?? null) : '';
  return allocating(size * size, first === 'string' || first === 'bytes' ? 2 + perCharacter : 2);
}

/** What a call costs beyond its arguments, of which two are looked at. */
type Cost = (first: Value, second: Value, result: Value, overload: string) => number;

const one: Cost = () => 1;
const ofFirst: Cost = (first) => traversal(first);
const ofFirstTwice: Cost = (first) => traversal(first, 2);
const ofMadeList: Cost = (_first, _second, result) => allocating(sizeOf(result));
const ofShorter: Cost = (first, second) => Math.ceil(Math.min(sizeOf(first), sizeOf(second)) * perCharacter);
const ofEachItem: Cost = (first) =>
  isList(first) ? first.reduce<number>((sum, each) => sum + traversal(each), 0) : traversal(first);

function ofText(value: Value): number {
  return typeof value === 'string' ? traversal(value) : 0;
}

function isOfKubernetes(value: Value): boolean {
  return [QuantityValue, IpAddress, IpNetwork, Format, Url, Semver].some((kind) => value instanceof kind);
}

function costs(rows: readonly (readonly [names: string, cost: Cost])[]): ReadonlyMap<string, Cost> {
  return new Map(rows.flatMap(([names, cost]) => names.split(' ').map((name) => [name, cost] as const)));
}

/** Source: CostEstimator.CallCost in apiserver/pkg/cel/library/cost.go, CostTracker.costCall in cel-go */
const byName = costs([
  ['masked prefixLength family isUnspecified isLoopback isLinkLocalMulticast isLinkLocalUnicast isGlobalUnicast', one],
  ['format.named sign asInteger isInteger asApproximateFloat isGreaterThan isLessThan compareTo add sub', one],
  ['major minor patch getScheme getHostname getHost getPort getEscapedPath getQuery', one],
  ['isSorted sum max min indexOf lastIndexOf', ofEachItem],
  ['url lowerAscii upperAscii substring trim cidr isIP isCIDR quantity isQuantity semver isSemver', ofFirst],
  ['ip', (first, _second, _result, overload) => (overload === 'cidr_ip' ? 1 : traversal(first))],
  ['replace split ip.isCanonical', ofFirstTwice],
  ['join', (_first, _second, result) => traversal(result, 2)],
  ['find findAll', regexCost],
  ['containsIP', (first, second) => traversal(first, 2) + ofText(second)],
  ['containsCIDR', (first, second) => traversal(first, 2) + traversal(first) + 1 + ofText(second)],
  [
    'validate',
    (first, second) =>
      Math.ceil((1 + sizeOf(second)) * perCharacter) * Math.ceil((first as Format).regexSize * perRegexCharacter),
  ],
  ['lists.range reverse slice', ofMadeList],
  ['flatten', (first, second) => allocating(sizeOf(first), second === null ? 1 : Number(second))],
  ['distinct sort', selfCompared],
  ['@sortByAssociatedKeys', (_first, second) => selfCompared(second)],
  ['sets.contains sets.intersects', (first, second) => sizeOf(first) * sizeOf(second) + 1],
  ['sets.equivalent', (first, second) => sizeOf(first) * sizeOf(second) * 2 + 1],
  ['_==_', (first, second, ...rest) => (isOfKubernetes(first) ? 1 : ofShorter(first, second, ...rest))],
  ['_!=_', ofShorter],
]);

/** Of calls that are not known by their name. */
const byOverload = costs([
  ['starts_with_string ends_with_string string_to_bytes bytes_to_string strings_quote string_format', ofFirst],
  ['in_list', (_first, second) => sizeOf(second)],
  ['add_string add_bytes', (first, second) => Math.ceil((sizeOf(first) + sizeOf(second)) * perCharacter)],
  ['matches_string', regexCost],
  ['contains_string', (first, second) => traversal(first) * traversal(second)],
  ['less_string less_bytes less_equals_string less_equals_bytes', ofShorter],
  ['greater_string greater_bytes greater_equals_string greater_equals_bytes', ofShorter],
]);

/** What calls of a function cost beyond their arguments. The overload is empty where the values decide it. */
export function costOf(name: string, overload: string): (args: readonly Value[], result: Value) => number {
  const cost = byName.get(name) ?? byOverload.get(overload) ?? one;
  return ([first = null, second = null], result) => cost(first, second, result, overload);
}
