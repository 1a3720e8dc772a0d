import { say } from '../../util/say.ts';
import { valueAt } from '../../util/values.ts';
import { isQuantityError, parseQuantity, quantityMilliValue } from '../../kubernetes/quantity.ts';
import type { Facts } from '../index/facts.ts';
import type { Asked, Choice } from './context.ts';

/** Amounts that people begin with, by resource. */
const usual: ReadonlyMap<string, readonly string[]> = new Map([
  ['cpu', ['100m', '250m', '500m', '1', '2']],
  ['memory', ['128Mi', '256Mi', '512Mi', '1Gi', '2Gi']],
  ['ephemeral-storage', ['1Gi', '2Gi', '10Gi']],
  ['storage', ['1Gi', '10Gi', '50Gi', '100Gi']],
]);

/** Of a quota, for many pods. */
const usualOfMany: ReadonlyMap<string, readonly string[]> = new Map([
  ['cpu', ['4', '8', '16', '32']],
  ['memory', ['8Gi', '16Gi', '32Gi', '64Gi']],
  ['storage', ['50Gi', '100Gi', '500Gi']],
  ['pods', ['10', '20', '50']],
]);

/** Amounts of the resource that is the last step, each with its share of the smallest node. */
export function* amounts({ place: { field }, path, context: { facts } }: Asked): Generator<Choice> {
  const isOfMany = field.startsWith('ResourceQuotaSpec.');
  const resource = String(path.at(-1)).replace(/^(?:requests|limits)\./, '');
  const node = isOfMany ? undefined : smallestNode(facts, resource);
  for (const label of (isOfMany ? usualOfMany : usual).get(resource) ?? []) {
    const share = node === undefined ? '' : shareOf(label, node);
    yield { label, detail: share, ...(/^\d+$/.test(label) ? { isWord: true } : {}) };
  }
}

interface NodeAmount {
  readonly name: string;
  readonly allocatable: bigint;
}

/** The node that has least of a resource, where nodes say what they have. */
function smallestNode(facts: Facts, resource: string): NodeAmount | undefined {
  let smallest: NodeAmount | undefined;
  for (const { name, manifest } of facts.ofKind('Node')) {
    const allocatable = milli(valueAt(manifest.value, ['status', 'allocatable', resource]));
    if (allocatable > 0n && (smallest === undefined || allocatable < smallest.allocatable)) {
      smallest = { name, allocatable };
    }
  }
  return smallest;
}

function shareOf(amount: string, { name, allocatable }: NodeAmount): string {
  const percent = (milli(amount) * 100n + allocatable / 2n) / allocatable;
  return percent < 1n ? say`less than 1 % of ${name}` : say`${String(percent)} % of ${name}`;
}

function milli(written: unknown): bigint {
  if (typeof written !== 'string' && typeof written !== 'number') return 0n;
  const quantity = parseQuantity(written);
  return isQuantityError(quantity) ? 0n : quantityMilliValue(quantity);
}
