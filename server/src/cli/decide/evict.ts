import { keyOf } from '../../kubernetes/names.ts';
import { evict, type EvictionRequest } from '../../disruption/eviction.ts';
import type { JsonObject } from '../../kubernetes/json.ts';
import { decodeKind, decodePod, objectAt, objectsAt, textAt, textsAt } from './case-input.ts';

/** Mode `evict`: what the eviction API answers. */
export function decideEvict(input: JsonObject): JsonObject {
  const pod = decodePod(objectAt(input, 'pod'));
  const budgets = decodeKind(objectsAt(input, 'objects'), 'PodDisruptionBudget');
  const eviction = objectAt(input, 'eviction');
  const answer = evict(pod, budgets, eviction === undefined ? {} : readEviction(eviction));
  const charged = answer.charged.map(
    ({ budget, disruptionsAllowed, disruptedPods }) =>
      [keyOf(budget), { disruptionsAllowed, disruptedPods: [...disruptedPods] }] as const,
  );
  const changed = charged.length === 0 ? {} : { budgets: Object.fromEntries(charged) };
  if (answer.allowed) return { allowed: true, ...changed };
  const { code, message, reason, cause, retryAfterSeconds } = answer;
  return {
    allowed: false,
    code,
    message,
    ...(reason === undefined ? {} : { reason }),
    ...(cause === undefined ? {} : { cause }),
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
    ...changed,
  };
}

function readEviction(eviction: JsonObject): EvictionRequest {
  const metadata = objectAt(eviction, 'metadata');
  const options = objectAt(eviction, 'deleteOptions') ?? {};
  const preconditions = objectAt(options, 'preconditions');
  const given = {
    name: textAt(metadata, 'name'),
    namespace: textAt(metadata, 'namespace'),
    uid: textAt(preconditions, 'uid'),
    resourceVersion: textAt(preconditions, 'resourceVersion'),
  };
  const present = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
  return { ...present, dryRun: textsAt(options, 'dryRun').includes('All') };
}
