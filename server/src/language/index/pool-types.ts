import type { FactsReader } from './fact.ts';
import type * as KnownPoolTypes from './known-pool-types.ts';

let loaded: typeof KnownPoolTypes | undefined;

/** What is known of the types of instances; undefined until it is loaded, which it is where a NodePool is declared. */
export function poolTypes(): typeof KnownPoolTypes | undefined {
  return loaded;
}

/** Whoever answers about NodePools waits for it. */
export async function loadPoolTypes(facts: FactsReader): Promise<void> {
  if (loaded !== undefined || facts.ofKind('NodePool').length === 0) return;
  loaded = await import('./known-pool-types.ts');
}
