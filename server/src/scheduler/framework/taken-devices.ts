import type { ResourceClaim } from '../../kubernetes/objects.ts';
import { keyOf } from '../../kubernetes/names.ts';
import { addQuantities, isQuantityError, parseQuantity } from '../../kubernetes/quantity.ts';
import { getOrInsert } from '../../util/maps.ts';
import type { TakenDevices } from './device-engine.ts';

/**
 * What the allocations of claims take; who only watches a device takes nothing.
 * Source: foreachAllocatedDevice in pkg/scheduler/framework/plugins/dynamicresources/allocateddevices.go
 */
export function takenDevices(
  claims: Iterable<ResourceClaim>,
  sharesDevices: boolean,
  before?: TakenDevices,
): TakenDevices {
  const devices = new Map(before?.devices);
  const capacity = new Map([...(before?.capacity ?? [])].map(([id, amounts]) => [id, new Map(amounts)] as const));
  for (const claim of claims) {
    for (const result of claim.status?.allocation?.devices?.results ?? []) {
      if (result.adminAccess === true) continue;
      const id = `${result.driver}/${result.pool}/${result.device}`;
      if (!sharesDevices || result.shareID === undefined) {
        devices.set(id, keyOf(claim));
        continue;
      }
      const amounts = getOrInsert(capacity, id, () => new Map());
      for (const [name, text] of Object.entries(result.consumedCapacity ?? {})) {
        const amount = parseQuantity(text);
        if (isQuantityError(amount)) continue;
        const before = amounts.get(name);
        amounts.set(name, before === undefined ? amount : addQuantities(before, amount));
      }
    }
  }
  return { devices, capacity };
}
