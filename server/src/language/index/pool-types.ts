import type { FactsReader } from './fact.ts';
import type * as KnownPoolTypes from './known-pool-types.ts';

let loaded: typeof KnownPoolTypes | undefined;

/** What is known of the types of instances; undefined until it is loaded, which it is where a pool is declared. */
export function poolTypes(): typeof KnownPoolTypes | undefined {
  return loaded;
}

const poolKinds = [
  'NodePool',
  'EC2NodeClass',
  'CapacityBuffer',
  'MachineDeployment',
  'MachineSet',
  'MachinePool',
  'ClusterConfig',
] as const;

/** Whoever answers about pools waits for it. */
export async function loadPoolTypes(facts: FactsReader): Promise<void> {
  if (loaded !== undefined || poolKinds.every((kind) => facts.ofKind(kind).length === 0)) return;
  loaded = await import('./known-pool-types.ts');
}
