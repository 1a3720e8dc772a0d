import { keyOf, nameOf } from '../../kubernetes/names.ts';
import type { Node, PodDisruptionBudget } from '../../kubernetes/objects.ts';
import type { ReplacingControllers } from '../run/replacements.ts';
import type { Run } from '../run/run.ts';
import type { BudgetStatuses } from '../scene/budget-statuses.ts';
import type { Inventory } from '../scene/inventory.ts';
import { DrainRun, type DrainSettings } from './drain-run.ts';
import type { Operation } from './operation.ts';

/** What of the objects of a cluster a drain looks at. */
export function drainSurroundings(
  inventory: Inventory,
  now: number,
): Pick<DrainSettings, 'surroundings' | 'terminatingNamespaces'> {
  const daemonSets = new Set(inventory.objects('DaemonSet').map(keyOf));
  const terminating = inventory
    .objects('Namespace')
    .filter(({ metadata }) => metadata?.deletionTimestamp !== undefined);
  return {
    surroundings: {
      now,
      hasDaemonSet: (namespace, name) => daemonSets.has(`${namespace}/${name}`),
      repeatsCannotDelete: inventory.kubernetes.release.behaviours.drainRepeatsCannotDelete,
    },
    terminatingNamespaces: new Set(terminating.map(nameOf)),
  };
}

/** Drains a node of a cluster in motion; budgets are as they stand. */
export function startDrain(
  { options }: Operation & { readonly verb: 'drain' },
  node: Node,
  run: Run,
  controllers: ReplacingControllers,
  inventory: Inventory,
  budgets: BudgetStatuses,
  told: string[],
): void {
  const drain = new DrainRun(run, controllers, {
    ...drainSurroundings(inventory, 0),
    flags: options,
    podSelector: () => true,
    disableEviction: options.disableEviction,
    gracePeriodSeconds: options.gracePeriodSeconds,
    budgets: budgetsNow(run, budgets),
    tell: ({ kind, text, pod, clock }) => {
      if (kind === 'evicted') return;
      const line = `${clock} s  ${pod === null ? '' : `${pod.key} `}${kind === 'hangs' ? 'is still there; the drain hangs' : text}`;
      // A refusal is repeated every five seconds.
      if (kind !== 'refused' || !told.some((each) => each.endsWith(`${pod?.key ?? ''} ${text}`))) told.push(line);
    },
    judged: () => undefined,
  });
  drain.start([node]);
}

function budgetsNow(run: Run, statuses: BudgetStatuses): readonly PodDisruptionBudget[] {
  const { state } = run.cluster;
  const allowed = new Map(state.budgets.budgets.map(({ key }, index) => [key, state.disruptionsAllowed[index] ?? 0]));
  return statuses.budgets.map((budget) => {
    const disruptionsAllowed = allowed.get(keyOf(budget)) ?? 0;
    const { desiredHealthy = 0, expectedPods = 0 } = statuses.keeps(keyOf(budget)) ?? {};
    const status = {
      expectedPods,
      desiredHealthy,
      currentHealthy: desiredHealthy + disruptionsAllowed,
      observedGeneration: budget.metadata?.generation ?? 0,
      ...budget.status,
      disruptionsAllowed,
    };
    return { ...budget, status };
  });
}
