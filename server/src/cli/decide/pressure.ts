import { keyOf } from '../../kubernetes/names.ts';
import { rankForMemoryPressure } from '../../disruption/node-pressure.ts';
import type { JsonObject } from '../../kubernetes/json.ts';
import { isQuantityError, parseQuantity } from '../../kubernetes/quantity.ts';
import { decodePod, objectAt, objectsAt } from './case-input.ts';

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
