import { type EvictionAnswer, type EvictionRequest, evict } from '../../disruption/eviction.ts';
import { rankForMemoryPressure } from '../../disruption/node-pressure.ts';
import type { JsonObject } from '../../kubernetes/json.ts';
import { keyOf } from '../../kubernetes/names.ts';
import { isQuantityError, parseQuantity } from '../../kubernetes/quantity.ts';
import { decodeKind, decodePod, objectAt, objectsAt, releaseAt, textAt, textsAt } from './case-input.ts';

/** Mode `evict`: what the eviction API answers, and what it leaves behind. */
export function decideEvict(input: JsonObject): JsonObject {
  const pod = decodePod(objectAt(input, 'pod'));
  const objects = objectsAt(input, 'objects');
  const eviction = objectAt(input, 'eviction');
  const request = eviction === undefined ? {} : readEviction(eviction);
  const answer = evict(pod, decodeKind(objects, 'PodDisruptionBudget'), request, releaseAt(input));
  return { ...printAnswer(answer), ...printEffects(answer) };
}

/** Whether the eviction is allowed, and if not why. */
export function printAnswer(answer: EvictionAnswer): JsonObject {
  if (answer.allowed) return { allowed: true };
  const { code, message, reason, cause, retryAfterSeconds } = answer;
  return {
    allowed: false,
    code,
    message,
    ...(reason === undefined ? {} : { reason }),
    ...(cause === undefined ? {} : { cause }),
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
  };
}

function printEffects({ charged, pod, disruptionTarget }: EvictionAnswer): JsonObject {
  const budgets = charged.map(({ budget, disruptionsAllowed, disruptedPods }) => {
    const before = budget.status?.conditions?.find(({ type }) => type === 'DisruptionAllowed');
    const isNew = before?.status !== 'False' || before.reason !== 'InsufficientPods';
    const condition = { status: 'False', reason: 'InsufficientPods' };
    return [
      keyOf(budget),
      {
        disruptionsAllowed,
        disruptedPods: [...disruptedPods],
        ...(disruptionsAllowed === 0 && isNew ? { condition } : {}),
      },
    ] as const;
  });
  return {
    ...(budgets.length === 0 ? {} : { budgets: Object.fromEntries(budgets) }),
    pod: pod.state,
    ...(pod.state === 'terminating' ? { graceSeconds: pod.graceSeconds } : {}),
    ...(disruptionTarget ? { disruptionTarget } : {}),
  };
}

function readEviction(eviction: JsonObject): EvictionRequest {
  const metadata = objectAt(eviction, 'metadata');
  const options = objectAt(eviction, 'deleteOptions') ?? {};
  const preconditions = objectAt(options, 'preconditions');
  const grace = options['gracePeriodSeconds'];
  const orphans = options['orphanDependents'];
  const given = {
    name: textAt(metadata, 'name'),
    namespace: textAt(metadata, 'namespace'),
    uid: textAt(preconditions, 'uid'),
    resourceVersion: textAt(preconditions, 'resourceVersion'),
    gracePeriodSeconds: typeof grace === 'number' ? grace : undefined,
    propagationPolicy: textAt(options, 'propagationPolicy'),
    orphanDependents: typeof orphans === 'boolean' ? orphans : undefined,
  };
  return {
    ...Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)),
    dryRun: textsAt(options, 'dryRun'),
    ignoreStoreReadErrorWithClusterBreakingPotential:
      options['ignoreStoreReadErrorWithClusterBreakingPotential'] === true,
  };
}

/** Mode `pressure`: the kubelet's order of eviction under memory pressure. */
export function decidePressure(input: JsonObject): JsonObject {
  const usage = new Map(Object.entries(objectAt(input, 'usage') ?? {}));
  const groups = rankForMemoryPressure(objectsAt(input, 'pods').map(decodePod), (pod) => {
    const text = usage.get(keyOf(pod));
    if (typeof text !== 'string' && typeof text !== 'number') return undefined;
    const quantity = parseQuantity(text);
    return isQuantityError(quantity) ? undefined : quantity;
  });
  return { order: groups.map((group) => group.map(({ pod }) => keyOf(pod)).sort()) };
}
