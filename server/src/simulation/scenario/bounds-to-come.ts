import { say } from '../../util/say.ts';
import { count, list } from '../../util/words.ts';
import { formatQuantity } from '../../kubernetes/quantity.ts';
import { keyOf, namespaceOf } from '../../kubernetes/names.ts';
import type { PodDisruptionBudget, ResourceQuota } from '../../kubernetes/objects.ts';
import { readResourceList } from '../../kubernetes/pod-resources.ts';
import type { SimulationInput } from '../cluster/input.ts';
import type { SimulatedCluster } from '../cluster/simulated-cluster.ts';
import type { Run } from '../run/run.ts';

/** Resources of a quota that are named. */
const mostResources = 3;

/**
 * What changed budgets and quotas mean from now on: pods that run stay, whatever they say. Empty where both are as they
 * were.
 *
 * @param asked what was there before operations
 */
export function boundsToCome(
  asked: SimulationInput,
  { inventory, budgets: kept }: SimulatedCluster,
  run: Run,
): readonly string[] {
  const before = new Map<string, PodDisruptionBudget | ResourceQuota>();
  for (const { object } of asked.snapshot) {
    if (object.kind !== 'PodDisruptionBudget' && object.kind !== 'ResourceQuota') continue;
    before.set(`${object.kind}/${keyOf(object)}`, object);
  }
  const isOther = (object: PodDisruptionBudget | ResourceQuota, kind: string): boolean => {
    const was = before.get(`${kind}/${keyOf(object)}`);
    return was !== undefined && JSON.stringify(was.spec) !== JSON.stringify(object.spec);
  };
  const { budgets, disruptionsAllowed } = run.cluster.state;
  const allowed = new Map(budgets.budgets.map(({ key }, index) => [key, disruptionsAllowed[index] ?? 0]));
  const ofBudgets = inventory
    .objects('PodDisruptionBudget')
    .filter((budget) => isOther(budget, 'PodDisruptionBudget') && (kept.keeps(keyOf(budget))?.expectedPods ?? 0) > 0)
    .map((budget) => budgetLine(keyOf(budget), allowed.get(keyOf(budget)) ?? 0));
  const ofQuotas = [...run.quotas.used()]
    .filter(([quota]) => isOther(quota, 'ResourceQuota'))
    .flatMap(([quota, used]) => {
      const full = [...readResourceList(quota.spec?.hard)].flatMap(([resource, hard]) => {
        const nanos = used.get(resource)?.nanos ?? 0n;
        const amount = formatQuantity({ nanos, format: hard.format, text: '' });
        return nanos < hard.nanos ? [] : [say`${amount} of ${formatQuantity(hard)} ${resource}`];
      });
      if (full.length === 0) return [];
      const amounts = list(full, mostResources);
      return [
        say`quota ${keyOf(quota)} is used up (${amounts}): pods that run stay, and no more are created in ${namespaceOf(quota)}`,
      ];
    });
  return [...ofBudgets, ...ofQuotas];
}

/** Source: pkg/registry/core/pod/storage/eviction.go (checkAndDecrement) */
function budgetLine(name: string, allowed: number): string {
  return allowed <= 0
    ? say`budget ${name} lets no pod go: each eviction is refused (429), and drains hang`
    : say`budget ${name} lets ${count(allowed, 'pod')} go at a time`;
}
