import {
  compileSelector,
  failingPart,
  type CompiledSelector,
  type SelectorRefusal,
  type SelectorResult,
} from '../cel/index.ts';
import type { PoolDevice } from './inventory.ts';

type Compiled = CompiledSelector | SelectorRefusal;

interface Known {
  readonly compiled: Compiled;
  readonly results: WeakMap<PoolDevice['device'], SelectorResult>;
}

/** Selectors that are kept compiled; a cluster has few. */
const mostKept = 2_000;

/** Selectors of one release, with what they said of each device: that does not change. */
export class Selectors {
  readonly #hasIncludes: boolean;
  readonly #known = new Map<string, Known>();

  constructor(hasIncludes: boolean) {
    this.#hasIncludes = hasIncludes;
  }

  /** Whether the device passes, or the text of what went wrong, with how. */
  ask(expression: string, { device, slice }: Pick<PoolDevice, 'device' | 'slice'>): boolean | string {
    let known = this.#known.get(expression);
    if (known === undefined) {
      if (this.#known.size >= mostKept) this.#known.clear();
      known = { compiled: compileSelector(expression, this.#hasIncludes), results: new WeakMap() };
      this.#known.set(expression, known);
    }
    const { compiled, results } = known;
    if (!('matches' in compiled)) return `CEL compile error: ${compiled.error}`;
    let result = results.get(device);
    if (result === undefined) results.set(device, (result = compiled.matches(slice.spec.driver, device)));
    return typeof result === 'boolean' ? result : `CEL runtime error: ${result.error}`;
  }

  /** Of one that a device does not pass. */
  whyNot(expression: string, { device, slice }: Pick<PoolDevice, 'device' | 'slice'>): string {
    return failingPart(expression, this.#hasIncludes, slice.spec.driver, device);
  }
}

const bySelectors: readonly [Selectors, Selectors] = [new Selectors(false), new Selectors(true)];

export function selectorsOf(hasIncludes: boolean): Selectors {
  return bySelectors[hasIncludes ? 1 : 0];
}
