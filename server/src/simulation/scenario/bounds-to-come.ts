import { matchingResources } from '../../admission/quota/usage.ts';
import { say } from '../../util/say.ts';
import { count, list } from '../../util/words.ts';
import { boundsOf } from '../../disruption/autoscaling.ts';
import { keyOf, keyOfObject, namespaceOf, workloadKey } from '../../kubernetes/names.ts';
import type {
  HorizontalPodAutoscaler,
  KubeObject,
  PodDisruptionBudget,
  ResourceQuota,
} from '../../kubernetes/objects.ts';
import { replicasOf } from '../../kubernetes/pod-template.ts';
import { readResourceList } from '../../kubernetes/pod-resources.ts';
import { compareQuantities, formatQuantity, type Quantity } from '../../kubernetes/quantity.ts';
import type { SimulationInput } from '../cluster/input.ts';
import type { SimulatedCluster } from '../cluster/simulated-cluster.ts';
import type { Run } from '../run/run.ts';
import type { ChangedWorkload } from './changed-workloads.ts';

/** Resources of a quota that are named. */
const mostResources = 3;

/**
 * What new or changed budgets and quotas, and changed autoscalers mean from now on: pods that run stay, whatever the first two say, and an
 * autoscaler acts later. Empty where all are as they were.
 *
 * @param asked what was there before operations
 * @param changed workloads that are changed in the run
 */
export function boundsToCome(
  asked: SimulationInput,
  { inventory, budgets: kept }: SimulatedCluster,
  run: Run,
  changed: readonly ChangedWorkload[],
): readonly string[] {
  // Of objects that are written more than once the first counts.
  const before = new Map<string, KubeObject>();
  for (const { object } of asked.snapshot) {
    const key = keyOfObject(object);
    if (!before.has(key)) before.set(key, object);
  }
  // Where nothing was there, everything is new.
  const hasBefore = asked.snapshot.length > 0;
  const { budgets: table, disruptionsAllowed } = run.cluster.state;
  const allowed = new Map(table.budgets.map(({ key }, index) => [key, disruptionsAllowed[index] ?? 0]));
  const ofBudgets = inventory.objects('PodDisruptionBudget').flatMap((budget) => {
    const key = keyOf(budget);
    const was: PodDisruptionBudget | undefined = before.get(keyOfObject(budget));
    const isOther = was !== budget && hasBefore && JSON.stringify(was?.spec) !== JSON.stringify(budget.spec);
    return isOther && (kept.keeps(key)?.expectedPods ?? 0) > 0 ? [budgetLine(key, allowed.get(key) ?? 0)] : [];
  });
  const ofQuotas = [...run.quotas.used()].flatMap(([quota, used]) => {
    const was: ResourceQuota | undefined = before.get(keyOfObject(quota));
    return was === quota || !hasBefore ? [] : quotaLines(was, quota, used);
  });
  const ofAutoscalers = inventory.objects('HorizontalPodAutoscaler').flatMap((autoscaler) => {
    const was = before.get(keyOfObject(autoscaler)) as HorizontalPodAutoscaler | undefined;
    const { kind, name } = autoscaler.spec.scaleTargetRef;
    const target = workloadKey(kind, namespaceOf(autoscaler), name);
    const edited = changed.find(({ key, refusal }) => key === target && refusal === '');
    const scaled = edited?.next ?? before.get(target);
    const replicas = scaled === undefined ? 0 : replicasOf(scaled);
    const isSaid = changed.some(({ by }) => by === keyOf(autoscaler));
    return was === undefined || was === autoscaler || replicas === 0 || isSaid
      ? []
      : autoscalerLines(was, autoscaler, replicas);
  });
  return [...ofBudgets, ...ofQuotas, ...ofAutoscalers];
}

/** Source: reconcileAutoscaler in pkg/controller/podautoscaler/horizontal.go: outside its bounds it acts at once. */
function autoscalerLines(
  was: HorizontalPodAutoscaler,
  autoscaler: HorizontalPodAutoscaler,
  replicas: number,
): readonly string[] {
  const [before, { min, max }] = [boundsOf(was), boundsOf(autoscaler)];
  if (before.min === min && before.max === max) return [];
  const { name } = autoscaler.spec.scaleTargetRef;
  const by = say`autoscaler ${keyOf(autoscaler)} then`;
  if (replicas < min) return [say`${by} scales ${name} from ${replicas} to ${count(min, 'pod')}`];
  if (replicas > max) return [say`${by} scales ${name} from ${replicas} to ${count(max, 'pod')}`];
  return [say`${by} keeps ${min} to ${count(max, 'pod')} of ${name}`];
}

/** Source: pkg/registry/core/pod/storage/eviction.go (checkAndDecrement) */
function budgetLine(name: string, allowed: number): string {
  return allowed <= 0
    ? say`budget ${name} lets no pod go: each eviction is refused (429), and drains hang`
    : say`budget ${name} lets ${count(allowed, 'pod')} go at a time`;
}

/** Of what pods are counted for and is another amount than before. */
function quotaLines(
  was: ResourceQuota | undefined,
  quota: ResourceQuota,
  used: ReadonlyMap<string, Quantity>,
): readonly string[] {
  const before = readResourceList(was?.spec?.hard);
  const hard = readResourceList(quota.spec?.hard);
  const full = matchingResources([...hard.keys()]).flatMap((resource) => {
    const [old, limit, amount] = [before.get(resource), hard.get(resource)!, used.get(resource)];
    const isOther = old === undefined || compareQuantities(old, limit) !== 0;
    if (!isOther || amount === undefined || compareQuantities(amount, limit) < 0) return [];
    return [say`${formatQuantity({ ...amount, text: '' })} of ${formatQuantity(limit)} ${resource}`];
  });
  if (full.length === 0) return [];
  return [
    say`quota ${keyOf(quota)} is used up (${list(full, mostResources)}): pods that run stay, and none that asks for more of it is created`,
  ];
}
