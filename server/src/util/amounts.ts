/**
 * Amounts of resources as people who run clusters write them. Cpu is given in millicores, memory and storage in bytes,
 * anything else in units.
 */
import { say } from './say.ts';
import { count, grouped } from './words.ts';

const binaryUnits = ['', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'] as const;

/** `600m` or `1.5` cores, `1.5Gi` memory, `2` devices. */
export function formatAmount(resource: string, amount: number): string {
  if (resource === 'cpu' && amount !== 0 && Math.abs(amount) < 1000) return `${rounded(amount, 0)}m`;
  const { divisor, unit, digits } = scaleOf(resource, amount);
  return `${rounded(amount / divisor, digits)}${unit}`;
}

/** An amount with what it is of: `1.6 cpu`, `16 Gi`, `2 nvidia.com/gpu`, `1 pod`. */
export function namedAmount(resource: string, amount: number): string {
  if (resource === 'pods') return count(amount, 'pod');
  const { divisor, unit } = scaleOf(resource, amount);
  const figure = rounded(amount / divisor, 2);
  if (!isBytes(resource)) return `${figure} ${resource}`;
  return `${figure} ${unit || 'bytes'}${resource === 'memory' ? '' : ` ${resource}`}`;
}

/** Whether cpu is asked for in cores that is probably meant in millicores: `1000` where no node is nearly that large. */
export function isMeantInMillicores(resource: string, need: number, capacity: number): boolean {
  const cores = need / 1000;
  return resource === 'cpu' && Number.isInteger(cores) && cores >= 100 && cores <= capacity && cores * 125 >= capacity;
}

/** `3.65 of 3.8` cores, `6.4 of 14 Gi`, `1 of 2` devices: both in the unit of what there is. */
export function formatUsage(resource: string, used: number, available: number, between = say` of `): string {
  const { divisor, unit, digits } = scaleOf(resource, available);
  const [first, second] = [used, available].map((amount) => rounded(amount / divisor, digits));
  return say`${first!}${between}${second!}${unit === '' ? '' : ` ${unit}`}`;
}

/** `cpu 5.6 of 6`, `limits.memory 26.5 of 32 Gi`: a resource of a quota, what is used of it and what there is, in billionths. */
export function quotaUsage(resource: string, used: bigint, hard: bigint): string {
  const requested = resource.replace(/^requests\./, '');
  const kind = requested.replace(/^limits\./, '');
  const [first, second] = [used, hard].map((nanos) => Number(nanos) / (kind === 'cpu' ? 1e6 : 1e9));
  return say`${requested} ${formatUsage(kind, first!, second!)}`;
}

/** The unit that suits an amount, and how many digits behind the point are worth telling. */
function scaleOf(resource: string, amount: number): { divisor: number; unit: string; digits: number } {
  if (resource === 'cpu') return { divisor: 1000, unit: '', digits: 3 };
  if (!isBytes(resource)) return { divisor: 1, unit: '', digits: 3 };
  let power = 0;
  while (power < binaryUnits.length - 1 && Math.abs(amount) >= 1024 ** (power + 1)) power++;
  return { divisor: 1024 ** power, unit: binaryUnits[power]!, digits: 1 };
}

function isBytes(resource: string): boolean {
  return ['memory', 'storage', 'ephemeral-storage'].includes(resource) || resource.startsWith('hugepages-');
}

function rounded(value: number, digits: number): string {
  return grouped(Number(value.toFixed(digits)));
}
