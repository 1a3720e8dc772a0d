import type { EvictionRemedy } from '../../../disruption/eviction-remedy.ts';
import { keyOf } from '../../../kubernetes/names.ts';
import type { Pod, PodDisruptionBudget } from '../../../kubernetes/objects.ts';
import { settledPods } from '../../capacity/settled-workspace.ts';
import type { SimulationInput } from '../../cluster/input.ts';
import { Inventory } from '../../cluster/inventory.ts';
import { StandingCluster } from '../../cluster/standing-cluster.ts';
import {
  appliedTo,
  isOtherBound,
  looserBudgets,
  oneMoreFor,
  redundantBudgets,
  uncordoningOthers,
} from './unblock-drain.ts';

/** In larger clusters nothing is tried. */
const mostObjects = 10_000;

/**
 * Operations each of which lets a refused eviction through, the least first. Where more pods of the budget have to become
 * ready it does what it is for, and all that helps is room for them.
 * @param kind of what would help, where it does not come by itself
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
  const node = inventory.nodeSource === 'assumed' ? '' : (pod.spec?.nodeName ?? '');
  const proposals = {
    'single-budget': () => redundantBudgets(inventory, stuck),
    'wider-budget': () => [...oneMoreFor(inventory, stuck), ...looserBudgets(inventory, budgets)],
    'ready-pods': () => [
      ...uncordoningOthers(inventory, new Set()),
      ...(node === '' ? [] : [`add 1 node like ${node}`]),
    ],
    'unready-allowed': () => looserBudgets(inventory, budgets).filter((each) => !isOtherBound(each)),
  };
  const found: string[] = [];
  for (const operation of kind in proposals ? proposals[kind as keyof typeof proposals]() : []) {
    const changed = appliedTo(input, [operation]);
    if (changed !== null && isGranted(new StandingCluster(changed, yield* settledPods(changed)))) found.push(operation);
  }
  return found;
}
