import type { KubeObject } from '../kubernetes/objects.ts';
import { setSelectorCompiler } from '../kubernetes/selector-compiler.ts';
import { deviceEngine, setDeviceEngine } from './framework/device-engine.ts';

/** Kinds without which no pod can have devices. */
const kinds: ReadonlySet<string> = new Set(['DeviceClass', 'ResourceClaim', 'ResourceClaimTemplate', 'ResourceSlice']);

/** Whether the engine needs to know devices, to answer for a cluster with such objects. */
export function needsDevices(objects: Iterable<Pick<KubeObject, 'kind'>>): boolean {
  for (const { kind } of objects) if (kinds.has(kind ?? '')) return true;
  return false;
}

/** Loads the part of the engine that knows devices, unless it is there. */
export async function loadDevices(): Promise<void> {
  if (deviceEngine() !== undefined) return;
  const { engine } = await import('./devices/index.ts');
  setDeviceEngine(engine);
  setSelectorCompiler(engine.refuse);
}
