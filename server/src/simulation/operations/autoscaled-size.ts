import { workloadKey } from '../../kubernetes/names.ts';
import { autoscalingsOf } from '../cluster/autoscaled-workloads.ts';
import type { AutoscaledSize, SimulationInput } from '../cluster/input.ts';
import { Inventory } from '../cluster/inventory.ts';
import { collectWorkloads } from '../cluster/workload-set.ts';
import { applyOperation } from './apply-operation.ts';

/**
 * The same input with autoscaled workloads at their fewest or most pods, or as many as the cluster has, else the fewest.
 * Pods beyond that are deleted as their controllers delete them. Those at zero are not scaled, and of several autoscalers
 * none scales by usage.
 */
export function withAutoscaled(input: SimulationInput, size: AutoscaledSize): SimulationInput {
  const inventory = new Inventory(input);
  const workloads = collectWorkloads(inventory, []);
  const autoscalings = autoscalingsOf(inventory, workloads, input.snapshot);
  let sized = input;
  for (const { declared, kind, namespace, name } of workloads) {
    const autoscaling = autoscalings.get(workloadKey(kind, namespace, name));
    if (autoscaling === undefined || declared === undefined) continue;
    const { min, max, replicas, isOff, rivals } = autoscaling;
    const isFixed = isOff || rivals.length > 0 || size === 'present';
    const wanted = isFixed ? replicas : size === 'minimum' ? min : max;
    sized = applyOperation(sized, { verb: 'scale', target: { kind, namespace, name }, replicas: wanted }).input;
  }
  // Operations on it begin with what it is now.
  return { ...sized, autoscaled: size, basis: undefined };
}
