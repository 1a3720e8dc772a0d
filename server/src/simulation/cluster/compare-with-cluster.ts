import { isNumber } from '../../util/exact-integer.ts';
import { own } from '../../util/own.ts';
import { isList } from '../../util/values.ts';
import { titleOf } from '../../util/words.ts';
import { isKnownKind } from '../../kubernetes/decode/index.ts';
import type { Json, JsonObject } from '../../kubernetes/json.ts';
import { namespaceOfKind } from '../../kubernetes/names.ts';
import type { KubeObject } from '../../kubernetes/objects.ts';
import { compareQuantities, isQuantityError, parseQuantity } from '../../kubernetes/quantity.ts';
import { stripped } from '../../kubernetes/scheduling-fields.ts';
import type { SimulationInput } from './input.ts';

/** Objects of the workspace, as they stand to those of a cluster. */
export interface ClusterComparison {
  /** Titles: `Deployment shop/web`. */
  readonly added: readonly string[];
  readonly changed: readonly string[];
  readonly same: readonly string[];
}

/**
 * Which objects of the workspace a cluster has not got, has otherwise, and has as they are, by the fields that scheduling
 * depends on. Null without a snapshot. What the workspace does not say, the cluster may have: defaults, and status.
 */
export function compareWithCluster({
  workspace,
  written,
  snapshot,
  earlierCluster,
}: SimulationInput): ClusterComparison | null {
  if (snapshot.length === 0 || earlierCluster !== undefined) return null;
  const inCluster = new Map<string, KubeObject>();
  for (const { object } of snapshot) inCluster.set(keyOf(object), object);
  const comparison = { added: [] as string[], changed: [] as string[], same: [] as string[] };
  const seen = new Set<string>();
  for (const { object } of written ?? workspace) {
    const { apiVersion = '', kind = '', metadata } = object;
    const key = keyOf(object);
    if (!isKnownKind(apiVersion, kind) || seen.has(key) || (metadata?.name ?? '') === '') continue;
    seen.add(key);
    const there = inCluster.get(key);
    const list = there === undefined ? comparison.added : isSame(object, there) ? comparison.same : comparison.changed;
    const namespace = namespaceOfKind(apiVersion, kind, metadata?.namespace);
    list.push(titleOf({ kind, namespace, name: metadata?.name ?? '' }));
  }
  return comparison;
}

function keyOf({ apiVersion = '', kind = '', metadata }: KubeObject): string {
  const namespace = namespaceOfKind(apiVersion, kind, metadata?.namespace);
  const name = metadata?.name ?? '';
  const group = apiVersion.includes('/') ? apiVersion.slice(0, apiVersion.indexOf('/')) : '';
  return JSON.stringify([group, kind, namespace, name]);
}

function isSame(wanted: KubeObject, there: KubeObject): boolean {
  const { apiVersion = '', kind = '' } = wanted;
  const mine = stripped(wanted as unknown as JsonObject, apiVersion, kind);
  const theirs = stripped(there as unknown as JsonObject, apiVersion, kind);
  return Object.keys(mine).every((field) => {
    if (field === 'apiVersion' || field === 'kind' || field === 'status') return true;
    if (field !== 'metadata') return isPart(mine[field], own(theirs, field));
    const [metadata, other] = [mine[field] as JsonObject, theirs[field] as JsonObject];
    return ['labels', 'annotations'].every((part) => isPart(own(metadata, part), own(other, part)));
  });
}

/** Whether all that is said in one value is said in the other, quantities by their amount. */
function isPart(wanted: Json | undefined, there: Json | undefined): boolean {
  if (wanted === undefined || wanted === null) return true;
  if (isList(wanted)) {
    if (wanted.length === 0 && there === undefined) return true;
    return isList(there) && there.length === wanted.length && wanted.every((each, at) => isPart(each, there[at]));
  }
  if (typeof wanted === 'object' && !isNumber(wanted)) {
    const entries = Object.entries(wanted);
    if (typeof there !== 'object' || there === null || isList(there)) {
      return there === undefined && entries.every(([, value]) => isPart(value, undefined));
    }
    return entries.every(([name, value]) => isPart(value, own(there, name)));
  }
  return wanted === there || isSameAmount(wanted, there);
}

function isSameAmount(wanted: string | number | boolean, there: Json | undefined): boolean {
  if (typeof wanted === 'boolean' || (typeof there !== 'string' && typeof there !== 'number')) return false;
  const [mine, theirs] = [parseQuantity(wanted), parseQuantity(there)];
  return !isQuantityError(mine) && !isQuantityError(theirs) && compareQuantities(mine, theirs) === 0;
}
