import { nameOf } from '../../kubernetes/names.ts';
import { compileNodeSelector, type NodeMatcher, type SelectableNode } from '../../kubernetes/node-selector.ts';
import type { Device, NodeSelector, ResourceSlice } from '../../kubernetes/objects.ts';
import type { Release } from '../../kubernetes/release.ts';
import { addTo, getOrInsert } from '../../util/maps.ts';
import { compareBytewise } from '../framework/order.ts';

/** A device of a pool that reaches a node. */
export interface PoolDevice {
  /** `driver/pool/name`, as upstream prints it. */
  readonly id: string;
  readonly device: Device;
  readonly slice: ResourceSlice;
  readonly pool: Pool;
  /** Who asks for no capacity gets the whole device, and there is room for that. */
  readonly isTakenWhole: boolean;
}

/** Counter set → counter → what there is of it. */
export type CounterSets = ReadonlyMap<string, Readonly<Record<string, { readonly value: string }>>>;

/** The devices of a driver that belong together, as far as a node sees them. */
export interface Pool {
  readonly driver: string;
  readonly name: string;
  /** Not all of its slices are there. */
  readonly isIncomplete: boolean;
  /** Why its devices cannot be given; null when they can. */
  readonly invalid: string | null;
  readonly devices: readonly PoolDevice[];
  readonly counters: CounterSets;
  /** Slices that do not reach the node: their devices may take of the counters. */
  readonly elsewhere: readonly ResourceSlice[];
}

export function poolIdOf({ driver, name }: Pick<Pool, 'driver' | 'name'>): string {
  return `${driver}/${name}`;
}

/** The slices of a cluster, and the pools that each node sees. */
export class Inventory {
  readonly release: Release;
  readonly #onNode = new Map<string, ResourceSlice[]>();
  readonly #shared: ResourceSlice[] = [];
  readonly #byPool = new Map<string, ResourceSlice[]>();
  readonly #pools = new WeakMap<SelectableNode, readonly Pool[]>();

  constructor(slices: readonly ResourceSlice[], release: Release) {
    this.release = release;
    // The informer's order is chance before 1.36, and later the slices of a pool are sorted: names it is.
    const sorted = [...slices].sort((a, b) => compareBytewise(nameOf(a), nameOf(b)));
    for (const slice of sorted) {
      const { nodeName = '', sharedCounters = [], driver, pool } = slice.spec;
      const isShared = sharedCounters.length > 0 && release.devices.countersReachAllNodes;
      if (nodeName === '' || isShared) this.#shared.push(slice);
      else addTo(this.#onNode, nodeName, slice);
      addTo(this.#byPool, `${driver}/${pool.name}`, slice);
    }
  }

  /** The pools that reach a node, in the order in which they are searched. Source: GatherPools */
  poolsOf(node: SelectableNode): readonly Pool[] {
    return getOrInsert(this.#pools, node, () => this.#gather(node));
  }

  #gather(node: SelectableNode): readonly Pool[] {
    const relevant = [...(this.#onNode.get(node.name) ?? []), ...this.#shared].filter((slice) =>
      this.#reaches(slice, node),
    );
    const { sortsPools } = this.release.devices;
    // Devices that are simpler to bind come first.
    const ordered = sortsPools
      ? relevant
      : [...relevant.filter((each) => !hasConditions(each)), ...relevant.filter(hasConditions)];
    const byPool = new Map<string, ResourceSlice[]>();
    for (const slice of ordered) {
      const { driver, pool } = slice.spec;
      const id = `${driver}/${pool.name}`;
      const before = byPool.get(id)?.[0]?.spec.pool.generation ?? pool.generation;
      if (pool.generation > before) byPool.set(id, [slice]);
      else if (pool.generation === before) addTo(byPool, id, slice);
    }
    const pools = [...byPool].flatMap(([id, slices]) => this.#pool(id, slices) ?? []);
    pools.sort((a, b) => compareBytewise(a.driver, b.driver) || compareBytewise(a.name, b.name));
    const isLast = (pool: Pool): boolean => pool.devices.some(({ device }) => device.bindingConditions !== undefined);
    return [...pools.filter((pool) => !isLast(pool)), ...pools.filter(isLast)];
  }

  #reaches({ spec }: ResourceSlice, node: SelectableNode): boolean {
    const { nodeName = '', allNodes = false, nodeSelector, perDeviceNodeSelection, sharedCounters = [] } = spec;
    const { featureGates, devices } = this.release;
    if (!featureGates.has('DRAPartitionableDevices')) {
      if (perDeviceNodeSelection !== undefined) return false;
      if (devices.skipsBadPools && sharedCounters.length > 0) return false;
    } else if (sharedCounters.length > 0 && devices.countersReachAllNodes) {
      return true;
    }
    if (nodeName !== '' || allNodes || nodeSelector !== undefined) {
      return matchesNode({ nodeName, allNodes, nodeSelector }, node);
    }
    return perDeviceNodeSelection === true && (spec.devices ?? []).some((device) => matchesNode(device, node));
  }

  /** Null for one that is about to be replaced. */
  #pool(id: string, slices: readonly ResourceSlice[]): Pool | null {
    const [first] = slices as [ResourceSlice];
    const { generation, resourceSliceCount: count } = first.spec.pool;
    if (slices.length === count || !this.release.devices.countsSlicesOfOtherNodes) {
      return this.#built(slices, slices, slices.length !== count);
    }
    const all = this.#byPool.get(id)!;
    if (all.some(({ spec }) => spec.pool.generation > generation)) return null;
    const current = all.filter(({ spec }) => spec.pool.generation === generation);
    return this.#built(slices, current, current.length !== count);
  }

  /** `all`: with those of other nodes. Source: buildPool */
  #built(slices: readonly ResourceSlice[], all: readonly ResourceSlice[], isIncomplete: boolean): Pool {
    const { driver, pool } = slices[0]!.spec;
    const { featureGates, devices: behaviours } = this.release;
    const hasCounters = featureGates.has('DRAPartitionableDevices') && !behaviours.countersOfSlices;
    const own = new Set(slices);
    const elsewhere = all.filter((slice) => !own.has(slice));
    const withDevices = hasCounters ? slices.filter(({ spec }) => (spec.sharedCounters ?? []).length === 0) : slices;
    const counters = new Map<string, Readonly<Record<string, { readonly value: string }>>>();
    const invalid =
      duplicateDevice(withDevices) ?? (hasCounters ? wrongCounters([...slices, ...elsewhere], counters) : null);
    const devices: PoolDevice[] = [];
    const made: Pool = {
      driver,
      name: pool.name,
      isIncomplete,
      invalid: isIncomplete && behaviours.skipsBadPools ? null : invalid,
      devices,
      counters,
      elsewhere,
    };
    if (behaviours.skipsBadPools && (isIncomplete || invalid !== null)) return made;
    for (const slice of withDevices) {
      for (const device of slice.spec.devices ?? []) {
        devices.push({
          id: `${driver}/${pool.name}/${device.name}`,
          device,
          slice,
          pool: made,
          isTakenWhole:
            device.allowMultipleAllocations !== true &&
            Object.values(device.capacity ?? {}).every(({ requestPolicy }) => requestPolicy === undefined),
        });
      }
    }
    return made;
  }
}

function hasConditions({ spec }: ResourceSlice): boolean {
  return (spec.devices ?? []).some(({ bindingConditions }) => bindingConditions !== undefined);
}

function duplicateDevice(slices: readonly ResourceSlice[]): string | null {
  const names = new Set<string>();
  for (const { spec } of slices) {
    for (const { name } of spec.devices ?? []) {
      if (names.has(name)) return `duplicate device name ${name}`;
      names.add(name);
    }
  }
  return null;
}

/** Fills in the counter sets of all slices of a pool, and says what is wrong with them or with who takes of them. */
function wrongCounters(
  slices: readonly ResourceSlice[],
  counters: Map<string, Readonly<Record<string, { readonly value: string }>>>,
): string | null {
  for (const { spec } of slices) {
    for (const { name, counters: own = {} } of spec.sharedCounters ?? []) {
      if (counters.has(name)) return `duplicate counter set name ${name}`;
      counters.set(name, own);
    }
  }
  for (const { spec } of slices) {
    for (const { consumesCounters = [] } of spec.devices ?? []) {
      for (const { counterSet, counters: consumed = {} } of consumesCounters) {
        const known = counters.get(counterSet);
        if (known === undefined) return `counter set ${counterSet} not found`;
        const missing = Object.keys(consumed).find((name) => !Object.hasOwn(known, name));
        if (missing !== undefined) return `counter ${missing} not found in counter set ${counterSet}`;
      }
    }
  }
  return null;
}

interface NodeChoice {
  readonly nodeName?: string | undefined;
  readonly allNodes?: boolean | undefined;
  readonly nodeSelector?: NodeSelector | undefined;
}

const matchers = new WeakMap<NodeSelector, NodeMatcher>();

/** Whether a slice or a device is for a node. Source: NodeMatches */
export function matchesNode(
  { nodeName = '', allNodes = false, nodeSelector }: NodeChoice,
  node: SelectableNode,
): boolean {
  if (nodeName !== '') return nodeName === node.name;
  if (allNodes) return true;
  if (nodeSelector === undefined) return false;
  const matcher = getOrInsert(matchers, nodeSelector, () => compileNodeSelector(nodeSelector));
  return matcher.matches(node);
}
