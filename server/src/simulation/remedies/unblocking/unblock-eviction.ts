import type { EvictionRemedy } from '../../../disruption/eviction-remedy.ts';
import { keyOf } from '../../../kubernetes/names.ts';
import type { Pod, PodDisruptionBudget } from '../../../kubernetes/objects.ts';
import { settledPods } from '../../capacity/settled-workspace.ts';
import type { SimulationInput } from '../../cluster/input.ts';
import { Inventory } from '../../cluster/inventory.ts';
import { StandingCluster } from '../../cluster/standing-cluster.ts';
import { appliedTo, isOtherBound, looserBudgets, oneMoreFor, redundantBudgets } from './unblock-drain.ts';

/** In larger clusters nothing is tried. */
const mostObjects = 10_000;

/**
 * Operations each of which lets a refused eviction through, the least first. None where more pods of the budget have
 * only to become ready: then it does what it is for.
 */
export function* unblockEviction(
  input: SimulationInput,
  pod: Pod,
  kind: EvictionRemedy['kind'],
  budgets: readonly PodDisruptionBudget[],
  isGranted: (cluster: StandingCluster) => boolean,
): Generator<void, readonly string[]> {
  if (input.workspace.length + input.snapshot.length > mostObjects) return [];
  const inventory = new Inventory(input);
  const stuck = new Set([keyOf(pod)]);
  const proposals = {
    'single-budget': () => redundantBudgets(inventory, stuck),
    'wider-budget': () => [...oneMoreFor(inventory, stuck), ...looserBudgets(inventory, budgets)],
    'unready-allowed': () => looserBudgets(inventory, budgets).filter((each) => !isOtherBound(each)),
  };
  const found: string[] = [];
  for (const operation of kind in proposals ? proposals[kind as keyof typeof proposals]() : []) {
    const changed = appliedTo(input, [operation]);
    if (changed !== null && isGranted(new StandingCluster(changed, yield* settledPods(changed)))) found.push(operation);
  }
  return found;
}
