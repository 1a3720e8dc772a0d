import type { CompiledSelector } from '../../kubernetes/labels.ts';
import type { SimulationInput } from '../cluster/input.ts';
import { Inventory } from '../cluster/inventory.ts';
import { collectWorkloads } from '../cluster/workload-set.ts';

/** `KIND/NAMESPACE/NAME` of the workloads whose pods have labels. */
export function workloadsWith(input: SimulationInput, selector: CompiledSelector): readonly string[] {
  const inventory = new Inventory(input);
  return collectWorkloads(inventory, inventory.objects('Node'))
    .filter(({ existing, blueprint, kind }) => {
      const [pod] = [...existing.map(({ object }) => object), ...blueprint];
      return kind !== 'Pod' && selector.matches(pod?.metadata?.labels);
    })
    .map(({ kind, namespace, name }) => `${kind}/${namespace}/${name}`);
}
