import type { ClusterState } from './framework/cluster-state.ts';
import { deviceEngine, type OfferedDevice } from './framework/device-engine.ts';

export type { OfferedDevice } from './framework/device-engine.ts';

/** The devices of a cluster; none where the part of the engine that knows them is not loaded. */
export function offeredDevices({ objects, release }: ClusterState): readonly OfferedDevice[] {
  const { resourceSlices: slices, deviceClasses: classes } = objects.fixed;
  return slices.length === 0 ? [] : (deviceEngine()?.offered({ slices, classes, release }) ?? []);
}
