import type { ResourceAmounts } from '../../kubernetes/pod-resources.ts';
import { quantityMilliValue, quantityValue } from '../../kubernetes/quantity.ts';
import { type ExactResources, noScalars } from './resources.ts';
import { isScalarResourceName } from './scalar-resource-name.ts';

/** Resources together with the number of pods, which only nodes have. */
export interface CountedResources extends ExactResources {
  readonly pods: bigint;
}

/**
 * Amounts as the integers that the scheduler computes with: CPU in thousandths, the rest in units, rounded up. Names it
 * does not keep account of are dropped.
 * Source: pkg/scheduler/framework/types.go (Resource.Add)
 */
export function toSchedulerResources(amounts: ResourceAmounts): CountedResources {
  let milliCpu = 0n;
  let memory = 0n;
  let ephemeralStorage = 0n;
  let pods = 0n;
  let scalars: Map<string, bigint> | undefined;
  for (const [name, amount] of amounts) {
    if (name === 'cpu') milliCpu = quantityMilliValue(amount);
    else if (name === 'memory') memory = quantityValue(amount);
    else if (name === 'ephemeral-storage') ephemeralStorage = quantityValue(amount);
    else if (name === 'pods') pods = quantityValue(amount);
    else if (isScalarResourceName(name)) (scalars ??= new Map()).set(name, quantityValue(amount));
  }
  return { milliCpu, memory, ephemeralStorage, pods, scalars: scalars ?? noScalars };
}
