import type { DeviceClass, ResourceClaim, ResourceSlice } from '../../kubernetes/objects.ts';
import type { Quantity } from '../../kubernetes/quantity.ts';
import type { Release } from '../../kubernetes/release.ts';
import type { SelectorCompiler } from '../../kubernetes/selector-compiler.ts';
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

/** What keeps a device that reaches a node from a request, looked at alone. */
export interface DeviceVerdict {
  readonly pool: string;
  /** Empty where a whole pool is in the way. */
  readonly device: string;
  /** Why it is not given; null where it would be, alone. */
  readonly obstacle: DeviceObstacle | null;
}

/** What a request asks for, and what it is told of each device. */
export interface RequestVerdicts {
  /** Of `WantedClaim`s the index. */
  readonly claim: number;
  /** `name`, or `name/alternative`. */
  readonly request: string;
  /** Which of the claim's requests: alternatives are of one. */
  readonly of: number;
  readonly className: string;
  /** 0 for all that there are. */
  readonly need: number;
  /** Devices that do may serve other requests besides: shares of them are given, or admin access. */
  readonly isShared: boolean;
  readonly verdicts: readonly DeviceVerdict[];
  /** Other classes that would do on this node now, with how many devices. */
  readonly instead: readonly { readonly className: string; readonly count: number }[];
}

export type DeviceObstacle =
  /** Too little is left; empty where the device gives no such amount. */
  | { readonly kind: 'capacity'; readonly text: string }
  | { readonly kind: 'counters' }
  | { readonly kind: 'error'; readonly text: string }
  /** What it needs of Kubernetes is off in this version. */
  | { readonly kind: 'gate' }
  | { readonly kind: 'node' }
  | { readonly kind: 'pool'; readonly text: string }
  /** The part of the selector that is false, with what the device has. */
  | { readonly kind: 'selector'; readonly of: 'class' | 'request'; readonly text: string }
  | { readonly kind: 'taint'; readonly key: string; readonly value: string; readonly effect: string }
  | { readonly kind: 'taken'; readonly by: string };

/** A device that is offered. */
export interface OfferedDevice {
  readonly slice: ResourceSlice;
  readonly device: NonNullable<ResourceSlice['spec']['devices']>[number];
  /** Classes whose selectors it passes, sorted bytewise. */
  readonly classes: readonly string[];
}

/** The part of the engine that knows devices: loaded when there are any. */
export interface DeviceEngine {
  newAllocator(source: DeviceSource, filterTimeout?: number): DeviceAllocator;
  readonly refuse: SelectorCompiler;
  /** What a selector says against a device; null where the device passes. */
  judge(
    expression: string,
    offered: Pick<OfferedDevice, 'device' | 'slice'>,
    release: Release,
  ): { readonly kind: 'error' | 'selector'; readonly text: string } | null;
  /** The devices of all nodes, pool after pool; of slices that were replaced none. */
  offered(source: Omit<DeviceSource, 'taken'>): readonly OfferedDevice[];
  /** What keeps each device that reaches the node from each request, in the order of the allocator. */
  explain(source: DeviceSource, node: NodeFacts, claims: readonly WantedClaim[]): readonly RequestVerdicts[];
}

let engine: DeviceEngine | undefined;

/** Undefined until it is loaded. */
export function deviceEngine(): DeviceEngine | undefined {
  return engine;
}

export function setDeviceEngine(loaded: DeviceEngine): void {
  engine = loaded;
}
