import type { ResourceList } from '../objects.ts';
import { formatQuantity, isQuantityError, parseQuantity, roundUpToMilli } from '../quantity.ts';

/**
 * Rounds every amount up to thousandths; returns the list itself when nothing changes.
 * Source: pkg/apis/core/v1/defaults.go SetDefaults_ResourceList
 */
export function roundResourceList<List extends ResourceList>(list: List): List {
  let rounded: Record<string, string | number> | undefined;
  for (const name in list) {
    if (!Object.hasOwn(list, name)) continue;
    const quantity = parseQuantity(list[name]!);
    if (isQuantityError(quantity)) continue;
    const amount = roundUpToMilli(quantity);
    if (amount === quantity) continue;
    rounded ??= copyList(list);
    rounded[name] = formatQuantity(amount);
  }
  return (rounded as List | undefined) ?? list;
}

/** Takes from `source` what `list` lacks; returns `list` itself when it lacks nothing. */
export function fillResourceList<List extends ResourceList>(list: List | undefined, source: List): List {
  let filled: Record<string, string | number> | undefined;
  for (const name in source) {
    if (!Object.hasOwn(source, name) || (list !== undefined && Object.hasOwn(list, name))) continue;
    filled ??= copyList(list);
    filled[name] = source[name]!;
  }
  return (filled as List | undefined) ?? list ?? source;
}

/** A copy that any key can be written to: without a prototype, as the keys come from manifests. */
export function copyList(list: ResourceList | undefined): Record<string, string | number> {
  return Object.assign(Object.create(null) as Record<string, string | number>, list);
}
