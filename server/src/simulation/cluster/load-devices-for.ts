import type { Declared } from '../../kubernetes/objects.ts';
import { loadDevices, needsDevices } from '../../scheduler/load-devices.ts';

/** Has the engine know devices before a simulation, where any of the objects has to do with them. */
export async function loadDevicesFor(...inputs: readonly (readonly Declared[])[]): Promise<void> {
  for (const declared of inputs) {
    for (const { object } of declared) {
      if (needsDevices([object])) return loadDevices();
    }
  }
}
