import { loadDevices } from '../../scheduler/load-devices.ts';
import type { FactsReader } from './fact.ts';

const kinds = ['DeviceClass', 'ResourceClaim', 'ResourceClaimTemplate', 'ResourceSlice'] as const;

/** Loads what knows devices and their selectors, where anything that has to do with them is declared. */
export async function loadDevicesFor(facts: Pick<FactsReader, 'ofKind'>): Promise<void> {
  if (kinds.some((kind) => facts.ofKind(kind).length > 0)) await loadDevices();
}
