import type { SelectableNode } from '../../kubernetes/node-selector.ts';
import type { DeviceAllocator, Devices, DeviceSource, NoDevices, WantedClaim } from '../framework/device-engine.ts';
import type { NodeFacts } from '../framework/node-facts.ts';
import { defaultPluginArgs } from '../framework/profile.ts';
import { AttemptFailure } from './attempt-failure.ts';
import { type Amounts, fitsCapacity } from './capacity.ts';
import { constraintsOf } from './constraints.ts';
import { AvailableCounters } from './counters.ts';
import { Inventory, matchesNode, type Pool, type PoolDevice, poolIdOf } from './inventory.ts';
import { endsOf, remembered } from './remembered.ts';
import { alternativesOf, type Request, requestsOf, type WrittenRequest } from './requests.ts';
import { resultOf } from './result.ts';
import { mostResults, Search, TooLong, triesIn } from './search.ts';
import type { ReadyClaim, SearchSettings } from './search-settings.ts';
import { type Selectors, selectorsOf } from './selectors.ts';

const inventories = new WeakMap<DeviceSource['slices'], Inventory>();

/** The slices of a cluster are sorted once. */
export function inventoryOf({ slices, release }: DeviceSource): Inventory {
  let inventory = inventories.get(slices);
  if (inventory?.release !== release) inventories.set(slices, (inventory = new Inventory(slices, release)));
  return inventory;
}

class Found implements Devices {
  readonly kind = 'allocated';
  readonly #make: () => Devices['results'];
  #results: Devices['results'] | undefined;

  constructor(make: () => Devices['results']) {
    this.#make = make;
  }

  get results(): Devices['results'] {
    return (this.#results ??= this.#make());
  }
}

const noAmounts: Amounts = new Map();

/** Of further nodes an attempt finds nothing where the search becomes long. */
const mostTimeouts = 4;

/** Source: dynamic-resource-allocation/structured/internal/incubating/allocator_incubating.go */
export class Allocator implements DeviceAllocator {
  readonly #source: DeviceSource;
  readonly #inventory: Inventory;
  readonly #selectors: Selectors;
  readonly #counters: AvailableCounters;
  readonly #settings: Omit<SearchSettings, 'ends'>;
  readonly #known = new Map<WantedClaim['spec'], ReadyClaim>();
  #timeouts = 0;

  /** @param filterTimeout milliseconds for a node; 0 for as long as it takes */
  constructor(source: DeviceSource, filterTimeout = defaultPluginArgs.DynamicResources.filterTimeout) {
    this.#source = source;
    this.#inventory = inventoryOf(source);
    const { release, taken } = source;
    const { featureGates, devices } = release;
    this.#selectors = selectorsOf(release);
    this.#counters = new AvailableCounters((id) => taken.devices.has(id) || taken.capacity.has(id), devices);
    this.#settings = {
      release,
      taken,
      hasCapacity: featureGates.has('DRAConsumableCapacity'),
      hasCounters: featureGates.has('DRAPartitionableDevices'),
      hasTaints: featureGates.has('DRADeviceTaints'),
      counters: this.#counters,
      mostTries: triesIn(filterTimeout),
    };
  }

  allocate(node: NodeFacts, claims: readonly WantedClaim[]): Devices | NoDevices {
    const pools = this.#inventory.poolsOf(node);
    const { classes, taken } = this.#source;
    return remembered({ attempt: this, inventory: this.#inventory, classes, taken }, node, pools, claims, () =>
      this.#search(node, pools, claims),
    );
  }

  #search(node: NodeFacts, pools: readonly Pool[], claims: readonly WantedClaim[]): Devices | NoDevices {
    try {
      const ready = claims.map((claim) => this.#ready(claim, node, pools));
      const settings = { ...this.#settings, ends: endsOf(this.#inventory, claims) };
      const search = new Search(settings, pools, ready, (request, device, claim) =>
        this.isSelectable(request, device, node, claim),
      );
      const found = search.run(this.#timeouts < mostTimeouts);
      if (found !== null) {
        const { release } = this.#source;
        // Of most nodes nobody asks what they would give.
        return new Found(() =>
          ready.map(({ claim }, at) => resultOf(claim, found.given[at]!, found.chosen[at]!, node.name, release)),
        );
      }
      const { skipsBadPools } = this.#source.release.devices;
      return skipsBadPools && pools.some(({ invalid }) => invalid !== null)
        ? { kind: 'invalid-pools' }
        : { kind: 'none' };
    } catch (error) {
      if (error instanceof AttemptFailure) return { kind: 'error', text: error.message };
      if (!(error instanceof TooLong)) throw error;
      if (!error.isKnown) this.#timeouts += 1;
      return { kind: 'timeout' };
    }
  }

  /** What does not depend on the node is worked out once. */
  #ready(claim: WantedClaim, node: NodeFacts, pools: readonly Pool[]): ReadyClaim {
    const known = this.#known.get(claim.spec);
    if (known !== undefined) return known;
    const ready = this.#makeReady(claim, node, pools);
    const isAlike = ready.constraints.length === 0 && ready.requests.flat().every(({ all }) => all === null);
    if (isAlike) this.#known.set(claim.spec, ready);
    return ready;
  }

  #makeReady(claim: WantedClaim, node: NodeFacts, pools: readonly Pool[]): ReadyClaim {
    const { featureGates, devices } = this.#source.release;
    const label = `claim ${claim.namespace}/${claim.name}`;
    const withoutCapacity = featureGates.has('DRAConsumableCapacity') ? 'ignored' : devices.capacityRequestsWithoutGate;
    let least = 0;
    const requests = requestsOf(claim).map((request) => {
      const alternatives = alternativesOf(request);
      const off = (of: string, what: string, gate: string): AttemptFailure =>
        new AttemptFailure(`${label}, ${of}: has ${what}, but the ${gate} feature is disabled`);
      const [first] = alternatives;
      if (first?.parent !== '' && !featureGates.has('DRAPrioritizedList')) {
        throw off(`request ${request.name}`, 'subrequests', 'DRAPrioritizedList');
      }
      if (first?.isAdmin === true && !featureGates.has('DRAAdminAccess')) {
        throw new AttemptFailure(
          `${label}, request ${request.name}: admin access is requested, but the feature is disabled`,
        );
      }
      const asking = alternatives.find(({ hasCapacity }) => hasCapacity);
      if (asking !== undefined && withoutCapacity !== 'ignored') {
        const isAlternative = withoutCapacity === 'alternative refused' && asking.parent !== '';
        const of = isAlternative ? `subrequest ${asking.name}` : `request ${request.name}`;
        throw off(of, 'capacity requests', 'DRAConsumableCapacity');
      }
      const read = alternatives.map((each) => this.#readyRequest(each, claim, node, pools));
      least += Math.min(...read.map(({ count }) => count));
      return read;
    });
    if (least > mostResults) {
      throw new AttemptFailure(
        `${label}: number of requested devices ${least} exceeds the claim limit of ${mostResults}`,
      );
    }
    const constraints = constraintsOf(claim.spec, this.#source.release);
    if (typeof constraints === 'number') {
      throw new AttemptFailure(`${label}, constraint #${constraints}: empty constraint (unsupported constraint type?)`);
    }
    return { claim, requests, constraints };
  }

  /** Source: validateDeviceRequest */
  #readyRequest(written: WrittenRequest, claim: WantedClaim, node: NodeFacts, pools: readonly Pool[]): Request {
    const label = `claim ${claim.namespace}/${claim.name}, request ${written.name}`;
    if (written.emptySelector !== -1) {
      throw new AttemptFailure(
        `${label}, selector #${written.emptySelector}: CEL expression empty (unsupported selector type?)`,
      );
    }
    if (written.className === '') {
      throw new AttemptFailure(`${label}: missing device class name (unsupported request type?)`);
    }
    const deviceClass = this.#source.classes.get(written.className);
    if (deviceClass === undefined) {
      throw new AttemptFailure(
        `${label}: could not retrieve device class ${written.className}: deviceclass.resource.k8s.io "${written.className}" not found`,
      );
    }
    if (written.mode !== 'ExactCount' && !written.wantsAll) {
      throw new AttemptFailure(`${label}: unsupported count mode ${written.mode}`);
    }
    const request: Request = { ...written, class: deviceClass, all: null };
    if (!written.wantsAll) return request;
    const all: PoolDevice[] = [];
    const { accountsExactly } = this.#source.release.devices;
    for (const pool of pools) {
      const problem = pool.isIncomplete ? 'being updated' : pool.invalid === null ? null : 'invalid';
      if (problem !== null) {
        throw new AttemptFailure(
          `${label}: asks for all devices, but resource pool ${poolIdOf(pool)} is currently ${problem}`,
        );
      }
      for (const device of pool.devices) {
        if (!this.isSelectable(request, device, node, claim)) continue;
        if (this.#settings.hasCapacity && !this.#hasRoom(request, device, accountsExactly)) continue;
        all.push(device);
      }
    }
    return { ...request, all, count: all.length };
  }

  #hasRoom({ capacity }: Request, { id, device }: PoolDevice, isEmpty = false): boolean {
    const { taken, release } = this.#source;
    const before = (isEmpty ? undefined : taken.capacity.get(id)) ?? noAmounts;
    return fitsCapacity(capacity, device, before, noAmounts, release);
  }

  #onDevice(error: string, { id }: PoolDevice): string {
    const isNamed = this.#source.release.devices.namesDevicesInErrors && error.startsWith('CEL runtime');
    return isNamed ? ` on device ${id}` : '';
  }

  /** Whether class, request and node allow a device, whatever else is given. Source: isSelectable */
  isSelectable(request: Request, device: PoolDevice, node: SelectableNode, claim: WantedClaim): boolean {
    const { featureGates } = this.#source.release;
    const { bindingConditions = [] } = device.device;
    if (bindingConditions.length > 0 && !featureGates.has('DRADeviceBindingConditions')) return false;
    const ofClass = request.class.spec.selectors ?? [];
    for (const [at, { cel }] of ofClass.entries()) {
      const answer = this.#selectors.ask(cel?.expression ?? '', device);
      if (typeof answer === 'string') {
        throw new AttemptFailure(
          `class ${request.className}: selector #${at}${this.#onDevice(answer, device)}: ${answer}`,
        );
      }
      if (!answer) return false;
    }
    for (const [at, expression] of request.selectors.entries()) {
      const answer = this.#selectors.ask(expression, device);
      if (typeof answer === 'string') {
        throw new AttemptFailure(
          `claim ${claim.namespace}/${claim.name}: selector #${at}${this.#onDevice(answer, device)}: ${answer}`,
        );
      }
      if (!answer) return false;
    }
    return device.slice.spec.perDeviceNodeSelection !== true || matchesNode(device.device, node);
  }
}
