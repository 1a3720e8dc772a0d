import {
  addQuantities,
  compareQuantities,
  formatQuantity,
  integerQuantity,
  type Quantity,
  subtractQuantities,
} from '../../kubernetes/quantity.ts';
import { podRequests, type ResourceAmounts, type ResourceSpec } from '../../kubernetes/pod-resources.ts';

/** Sums of resources as Karpenter works them out. Source: karpenter pkg/utils/resources/resources.go at v1.13.0 */
export const none = integerQuantity(0);
export const noAmounts: ResourceAmounts = new Map();

/** Each sum starts from nothing, so that an amount is printed canonical, not as it was written. */
export function merge(...lists: readonly ResourceAmounts[]): ResourceAmounts {
  const sums = new Map<string, Quantity>();
  for (const list of lists) {
    for (const [name, amount] of list) sums.set(name, addQuantities(sums.get(name) ?? none, amount));
  }
  return sums;
}

/** Only of what the first has. */
export function subtract(from: ResourceAmounts, amounts: ResourceAmounts): ResourceAmounts {
  return new Map([...from].map(([name, amount]) => [name, minus(amount, amounts.get(name))]));
}

/** Of what either has; not below nothing. */
export function subtractDownToNone(from: ResourceAmounts, amounts: ResourceAmounts): ResourceAmounts {
  const names = new Set([...from.keys(), ...amounts.keys()]);
  return new Map(
    [...names].map((name) => {
      const left = minus(from.get(name) ?? none, amounts.get(name));
      return [name, left.nanos < 0n ? none : left];
    }),
  );
}

function minus(amount: Quantity, other: Quantity | undefined): Quantity {
  return other === undefined || other.nanos === 0n ? amount : subtractQuantities(amount, other);
}

/** The requests of pods, and how many they are. */
export function requestsOf(specs: readonly (ResourceSpec | undefined)[]): ResourceAmounts {
  const sums = new Map(merge(...specs.map((spec) => podRequests(spec ?? {}))));
  return sums.set('pods', integerQuantity(specs.length, 'DecimalExponent'));
}

/** If any of what there is is negative, nothing fits. Source: Fits */
export function fits(requests: ResourceAmounts, total: ResourceAmounts): boolean {
  for (const amount of total.values()) if (amount.nanos < 0n) return false;
  for (const [name, amount] of requests) if (compareQuantities(amount, total.get(name) ?? none) > 0) return false;
  return true;
}

/** As JSON, which is how they stand in events. */
export function amountsText(amounts: ResourceAmounts): string {
  return JSON.stringify(printedAmounts(amounts));
}

export function printedAmounts(amounts: ResourceAmounts): Readonly<Record<string, string>> {
  return Object.fromEntries([...amounts].sort(byName).map(([name, amount]) => [name, formatQuantity(amount)]));
}

function byName([a]: readonly [string, Quantity], [b]: readonly [string, Quantity]): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
