import type { DeviceEngine } from '../framework/device-engine.ts';
import { Allocator } from './allocator.ts';
import { explain } from './explain.ts';
import { offered } from './offered.ts';

/** The part of the engine that knows devices. */
export const engine: DeviceEngine = {
  newAllocator: (source) => new Allocator(source),
  explain,
  offered,
};
