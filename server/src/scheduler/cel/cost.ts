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

const ofOne: ReadonlySet<string> = new Set(
  (
    'masked prefixLength family isUnspecified isLoopback isLinkLocalMulticast isLinkLocalUnicast isGlobalUnicast ' +
    'format.named sign asInteger isInteger asApproximateFloat isGreaterThan isLessThan compareTo add sub major minor ' +
    'patch getScheme getHostname getHost getPort getEscapedPath getQuery'
  ).split(' '),
);

/** Functions whose calls cost by what they are given. */
const measured: ReadonlySet<string> = new Set(
  (
    'isSorted sum max min indexOf lastIndexOf url lowerAscii upperAscii substring trim cidr isIP isCIDR quantity ' +
    'isQuantity semver isSemver ip replace split ip.isCanonical join find findAll containsIP containsCIDR validate ' +
    'lists.range reverse slice flatten distinct sort @sortByAssociatedKeys sets.contains sets.intersects ' +
    'sets.equivalent _==_ _!=_'
  ).split(' '),
);
const measuredOverloads =
  /^(?:starts_with_string|ends_with_string|string_to_bytes|bytes_to_string|strings_quote|string_format|in_list|add_string|add_bytes|matches_string|contains_string|(?:less|greater)(?:_equals)?_(?:string|bytes))$/;

/** Whether every call of it costs 1. */
export function costsOne(name: string, overload: string): boolean {
  return ofOne.has(name) || (!measured.has(name) && !measuredOverloads.test(overload));
}

/**
 * What a call costs, beyond its arguments.
 * Source: CostEstimator.CallCost in apiserver/pkg/cel/library/cost.go, CostTracker.costCall in cel-go
 */
export function callCost(name: string, overload: string, args: readonly Value[], result: Value): number {
  const [first = null, second = null] = args;
  if (ofOne.has(name)) return 1;
  switch (name) {
    case 'isSorted':
    case 'sum':
    case 'max':
    case 'min':
    case 'indexOf':
    case 'lastIndexOf':
      return isList(first) ? first.reduce<number>((sum, each) => sum + traversal(each), 0) : traversal(first);
    case 'url':
    case 'lowerAscii':
    case 'upperAscii':
    case 'substring':
    case 'trim':
    case 'cidr':
    case 'isIP':
    case 'isCIDR':
    case 'quantity':
    case 'isQuantity':
    case 'semver':
    case 'isSemver':
      return traversal(first);
    case 'ip':
      return overload === 'cidr_ip' ? 1 : traversal(first);
    case 'replace':
    case 'split':
    case 'ip.isCanonical':
      return traversal(first, 2);
    case 'join':
      return traversal(result, 2);
    case 'find':
    case 'findAll':
      return regexCost(first, second);
    case 'containsIP':
      return traversal(first, 2) + (typeof second === 'string' ? traversal(second) : 0);
    case 'containsCIDR':
      return traversal(first, 2) + traversal(first) + 1 + (typeof second === 'string' ? traversal(second) : 0);
    case 'validate':
      return (
        Math.ceil((1 + sizeOf(second)) * perCharacter) * Math.ceil((first as Format).regexSize * perRegexCharacter)
      );
    case 'lists.range':
    case 'reverse':
    case 'slice':
      return allocating(sizeOf(result));
    case 'flatten':
      return allocating(sizeOf(first), second === null ? 1 : Number(second));
    case 'distinct':
    case 'sort':
      return selfCompared(first);
    case '@sortByAssociatedKeys':
      return selfCompared(second);
    case 'sets.contains':
    case 'sets.intersects':
      return sizeOf(first) * sizeOf(second) + 1;
    case 'sets.equivalent':
      return sizeOf(first) * sizeOf(second) * 2 + 1;
    case '_==_':
      if (isOfKubernetes(first)) return 1;
      return Math.ceil(Math.min(sizeOf(first), sizeOf(second)) * perCharacter);
    case '_!=_':
      return Math.ceil(Math.min(sizeOf(first), sizeOf(second)) * perCharacter);
    default:
      return costOfOverload(overload, first, second);
  }
}

function isOfKubernetes(value: Value): boolean {
  return [QuantityValue, IpAddress, IpNetwork, Format, Url, Semver].some((kind) => value instanceof kind);
}

function costOfOverload(overload: string, first: Value, second: Value): number {
  switch (overload) {
    case 'starts_with_string':
    case 'ends_with_string':
    case 'string_to_bytes':
    case 'bytes_to_string':
    case 'strings_quote':
    case 'string_format':
      return traversal(first);
    case 'in_list':
      return sizeOf(second);
    case 'add_string':
    case 'add_bytes':
      return Math.ceil((sizeOf(first) + sizeOf(second)) * perCharacter);
    case 'matches_string':
      return regexCost(first, second);
    case 'contains_string':
      return traversal(first) * traversal(second);
    default:
      if (!measuredOverloads.test(overload)) return 1;
      return Math.ceil(Math.min(sizeOf(first), sizeOf(second)) * perCharacter);
  }
}
