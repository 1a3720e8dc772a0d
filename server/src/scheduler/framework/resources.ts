/**
 * Resources as the scheduler counts them: int64 in Go. Podium keeps them as doubles, which are exact for every value
 * that occurs, and falls back to bigint where a value is so large that sums or the products of scoring would not be.
 * Source: pkg/scheduler/framework/types.go (Resource)
 */

/** CPU in thousandths, everything else in whole units. */
export interface Resources {
  readonly milliCpu: number;
  readonly memory: number;
  readonly ephemeralStorage: number;
  /** Extended resources, hugepages and the like, by name. */
  readonly scalars: ReadonlyMap<string, number>;
}

/** The same in arbitrary precision; sums wrap at 64 bits as Go's do. */
export interface ExactResources {
  readonly milliCpu: bigint;
  readonly memory: bigint;
  readonly ephemeralStorage: bigint;
  readonly scalars: ReadonlyMap<string, bigint>;
}

/**
 * Up to here a double is safe: scoring multiplies by 100, and a sum is checked after each addition, so that no
 * intermediate value passes 2^53. As memory this is 81 TiB.
 */
export const safeLimit = Math.floor(Number.MAX_SAFE_INTEGER / 100);

export const noScalars: ReadonlyMap<string, never> = new Map<string, never>();

export const noExactResources: ExactResources = { milliCpu: 0n, memory: 0n, ephemeralStorage: 0n, scalars: noScalars };

export function isSafe(value: bigint): boolean {
  return value >= 0n && value <= safeLimit;
}

export function areSafe(resources: ExactResources): boolean {
  if (!isSafe(resources.milliCpu) || !isSafe(resources.memory) || !isSafe(resources.ephemeralStorage)) return false;
  for (const value of resources.scalars.values()) if (!isSafe(value)) return false;
  return true;
}

/** As doubles. Exact only when `areSafe`. */
export function toNumbers(resources: ExactResources): Resources {
  return {
    milliCpu: Number(resources.milliCpu),
    memory: Number(resources.memory),
    ephemeralStorage: Number(resources.ephemeralStorage),
    scalars: resources.scalars.size === 0 ? noScalars : mapValues(resources.scalars, Number),
  };
}

export function toExact(resources: Resources): ExactResources {
  return {
    milliCpu: BigInt(resources.milliCpu),
    memory: BigInt(resources.memory),
    ephemeralStorage: BigInt(resources.ephemeralStorage),
    scalars: resources.scalars.size === 0 ? noScalars : mapValues(resources.scalars, BigInt),
  };
}

/** The int64 that Go's addition leaves. */
export function int64(value: bigint): bigint {
  return BigInt.asIntN(64, value);
}

export function addExact(a: ExactResources, b: ExactResources): ExactResources {
  const scalars = new Map(a.scalars);
  for (const [name, value] of b.scalars) scalars.set(name, int64((a.scalars.get(name) ?? 0n) + value));
  return {
    milliCpu: int64(a.milliCpu + b.milliCpu),
    memory: int64(a.memory + b.memory),
    ephemeralStorage: int64(a.ephemeralStorage + b.ephemeralStorage),
    scalars,
  };
}

function mapValues<A, B>(map: ReadonlyMap<string, A>, change: (value: A) => B): ReadonlyMap<string, B> {
  const result = new Map<string, B>();
  for (const [key, value] of map) result.set(key, change(value));
  return result;
}
