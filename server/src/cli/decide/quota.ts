import { keyOf } from '../../kubernetes/names.ts';
import { type LimitedResource, type QuotaVerdict, reviewQuotas } from '../../admission/quota/quota.ts';
import type { JsonObject } from '../../kubernetes/json.ts';
import {
  decodeKind,
  decodePod,
  objectAt,
  objectsAt,
  printAmounts,
  printErrors,
  textAt,
  textsAt,
} from './case-input.ts';

/** Mode `quota`: a new pod against quotas. */
export function decideQuota(input: JsonObject): JsonObject {
  const pod = decodePod(objectAt(input, 'pod'));
  const quotas = decodeKind(objectsAt(input, 'objects'), 'ResourceQuota');
  const limited = objectsAt(input, 'limited').map(readLimited);
  const review = reviewQuotas(pod, quotas, limited);
  const sameNamespace = keyOf({ metadata: { ...pod.metadata, name: '' } });
  const used = [...review.used].map(([quota, amounts]) => [keyOf(quota), printAmounts(amounts)] as const);
  return {
    usage: printAmounts(review.usage),
    quotas: review.verdicts.map((verdict) => printVerdict(verdict, sameNamespace)),
    ...(review.refusal === undefined ? {} : { error: review.refusal }),
    ...(used.length === 0 ? {} : { used: Object.fromEntries(used) }),
  };
}

function printVerdict({ quota, invalid, matches, scopes, charged }: QuotaVerdict, podNamespace: string): JsonObject {
  const name = keyOf(quota);
  if (invalid.length > 0) return { name, invalid: printErrors(invalid) };
  return {
    name,
    matches,
    ...(scopes.length > 0 && name.startsWith(podNamespace) ? { scopes: [...scopes] } : {}),
    ...(matches ? { charged: printAmounts(charged) } : {}),
  };
}

function readLimited(value: JsonObject): LimitedResource {
  return {
    matchScopes: objectsAt(value, 'matchScopes').map((scope) => ({
      scopeName: textAt(scope, 'scopeName') ?? '',
      operator: textAt(scope, 'operator') ?? '',
      values: textsAt(scope, 'values'),
    })),
    matchContains: textsAt(value, 'matchContains'),
  };
}
