import type { DeviceClass, ResourceClaim, ResourceSlice } from '../../kubernetes/objects.ts';
import type { Quantity } from '../../kubernetes/quantity.ts';
import type { Release } from '../../kubernetes/release.ts';
import type { NodeFacts } from './node-facts.ts';

export type ResourceClaimSpec = ResourceClaim['spec'];
export type AllocationResult = NonNullable<NonNullable<ResourceClaim['status']>['allocation']>;

/** A claim that wants devices. */
export interface WantedClaim {
  readonly namespace: string;
  readonly name: string;
  readonly spec: ResourceClaimSpec;
}

/** What the allocations of all claims of a cluster take. */
export interface TakenDevices {
  /** `driver/pool/name` → the key of the claim that has it for itself. */
  readonly devices: ReadonlyMap<string, string>;
  /** Of devices that are shared: what their shares take. */
  readonly capacity: ReadonlyMap<string, ReadonlyMap<string, Quantity>>;
}

/** Why a node has no devices for the claims: `error` ends the attempt. */
export type NoDevices =
  | { readonly kind: 'error'; readonly text: string }
  | { readonly kind: 'invalid-pools' }
  | { readonly kind: 'none' }
  | { readonly kind: 'timeout' };

/** The devices for each of the claims, in their order. */
export interface Devices {
  readonly kind: 'allocated';
  readonly results: readonly AllocationResult[];
}

/** Finds devices for the claims of one pod; what it was made of does not change. */
export interface DeviceAllocator {
  allocate(node: NodeFacts, claims: readonly WantedClaim[]): Devices | NoDevices;
}

export interface DeviceSource {
  readonly release: Release;
  readonly slices: readonly ResourceSlice[];
  readonly classes: ReadonlyMap<string, DeviceClass>;
  readonly taken: TakenDevices;
}

/** What a request says of the devices of a node, one after the other. */
export interface DeviceVerdict {
  readonly request: string;
  /** `driver/pool/name`. */
  readonly device: string;
  /** Why it is not given. */
  readonly obstacle: DeviceObstacle | null;
}

export type DeviceObstacle =
  | { readonly kind: 'capacity' }
  | { readonly kind: 'counters' }
  | { readonly kind: 'error'; readonly text: string }
  | { readonly kind: 'node' }
  | { readonly kind: 'pool'; readonly isIncomplete: boolean }
  | { readonly kind: 'selector'; readonly of: 'class' | 'request'; readonly expression: string }
  | { readonly kind: 'taint'; readonly key: string; readonly value: string; readonly effect: string }
  | { readonly kind: 'taken'; readonly by: string };

/** The part of the engine that knows devices: loaded when there are any. */
export interface DeviceEngine {
  newAllocator(source: DeviceSource): DeviceAllocator;
  /** What keeps each device that reaches the node from each request, looked at alone. */
  explain(source: DeviceSource, node: NodeFacts, claims: readonly WantedClaim[]): readonly DeviceVerdict[];
}

let engine: DeviceEngine | undefined;

/** Undefined until it is loaded. */
export function deviceEngine(): DeviceEngine | undefined {
  return engine;
}

export function setDeviceEngine(loaded: DeviceEngine): void {
  engine = loaded;
}
