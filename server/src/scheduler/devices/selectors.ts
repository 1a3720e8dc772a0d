import type { Release } from '../../kubernetes/release.ts';
import { getOrInsert } from '../../util/maps.ts';
import {
  compileSelector,
  failingPart,
  type CompiledSelector,
  type SelectorRefusal,
  type SelectorResult,
  type StoredScope,
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
  readonly #scope: StoredScope;
  readonly #hasHints: boolean;
  readonly #known = new Map<string, Known>();

  constructor(scope: StoredScope, hasHints: boolean) {
    this.#scope = scope;
    this.#hasHints = hasHints;
  }

  /** Whether the device passes, or the text of what went wrong, with how. */
  ask(expression: string, { device, slice }: Pick<PoolDevice, 'device' | 'slice'>): boolean | string {
    const known = getOrInsert(this.#known, expression, () => {
      if (this.#known.size >= mostKept) this.#known.clear();
      return {
        compiled: compileSelector(expression, this.#scope),
        results: new WeakMap<PoolDevice['device'], SelectorResult>(),
      };
    });
    const { compiled, results } = known;
    if (!('matches' in compiled)) return `CEL compile error: ${compiled.error}`;
    const result = getOrInsert(results, device, () => compiled.matches(slice.spec.driver, device));
    if (typeof result === 'boolean') return result;
    const text = `CEL runtime error: ${result.error}`;
    return this.#hasHints && text.includes('no such key:') ? text + hint : text;
  }

  /** Of one that a device does not pass. */
  whyNot(expression: string, { device, slice }: Pick<PoolDevice, 'device' | 'slice'>): string {
    return failingPart(expression, this.#scope, slice.spec.driver, device);
  }
}

/** Source: EnhanceRuntimeError in dynamic-resource-allocation/cel/errors.go */
const hint =
  '. consider using CEL optional chaining (.? followed by orValue()) or guarding the check with has() for optional fields';

const byScope = new Map<string, Selectors>();

export function selectorsOf({ devices, featureGates }: Release): Selectors {
  const { selectorsInclude: includes, selectorsReadLists, namesDevicesInErrors: hasHints } = devices;
  const scope = { includes, readsLists: selectorsReadLists || featureGates.has('DRAListTypeAttributes') };
  const key = JSON.stringify([scope, hasHints]);
  return getOrInsert(byScope, key, () => new Selectors(scope, hasHints));
}
