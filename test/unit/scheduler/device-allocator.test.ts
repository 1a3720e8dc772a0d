import { strict as assert } from 'node:assert';
import { before, describe, it } from 'mocha';
import type { DeviceClass, ResourceClaim, ResourceSlice } from '../../../server/src/kubernetes/objects.ts';
import { isQuantityError, parseQuantity, type Quantity } from '../../../server/src/kubernetes/quantity.ts';
import { releaseOf } from '../../../server/src/kubernetes/releases/index.ts';
import { deviceEngine } from '../../../server/src/scheduler/framework/device-engine.ts';
import { nodeFactsOf } from '../../../server/src/scheduler/framework/node-facts.ts';
import { loadDevices } from '../../../server/src/scheduler/index.ts';
import type { Minor } from '../../../server/src/util/minors.ts';
import { node } from './cluster-builder.ts';

/**
 * What the allocator gives in the situations of upstream's own table, by their names there; the objects are made here.
 * Facts: TestAllocator in dynamic-resource-allocation/structured/internal/allocatortesting/allocator_testing.go of 1.36
 */

type Device = NonNullable<ResourceSlice['spec']['devices']>[number];
type Request = NonNullable<NonNullable<ResourceClaim['spec']['devices']>['requests']>[number];
type Exactly = NonNullable<Request['exactly']>;
type Toleration = NonNullable<Exactly['tolerations']>[number];

/** A request of one device of class `d`: what is asked otherwise. */
type Asked = Partial<Exactly> & { readonly first?: readonly Partial<Exactly>[]; readonly cel?: string };

interface Case {
  readonly slices: readonly ResourceSlice[];
  /** Claims of requests r0, r1 and so on. */
  readonly claims: readonly (readonly Asked[])[];
  readonly matchAttribute?: string;
  readonly distinctAttribute?: string;
  /** Devices that another claim has, as `pool/device`. */
  readonly taken?: readonly string[];
  /** What shares take of the capacity `c` of a device. */
  readonly shared?: Readonly<Record<string, string>>;
  readonly minor?: Minor;
  /** `r0: p/d, r1: p/d(consumed)!`, claims behind `|`; `!` where binding waits for conditions. */
  readonly gives: string;
  /** What 1.37 gives. */
  readonly later?: string;
}

let slices = 0;

/** Of driver `d`, on node `n1` in pool `p`, which has one slice: what is otherwise. */
function slice(
  devices: readonly (string | Device)[],
  { pool = 'p', of = 1, generation = 1, ...more }: Partial<Omit<ResourceSlice['spec'], 'pool'>> & PoolOf = {},
): ResourceSlice {
  const where = 'nodeName' in more || 'nodeSelector' in more || 'perDeviceNodeSelection' in more;
  return {
    apiVersion: 'resource.k8s.io/v1',
    kind: 'ResourceSlice',
    metadata: { name: `slice-${slices++}` },
    spec: {
      driver: 'd',
      pool: { name: pool, generation, resourceSliceCount: of },
      ...(where ? {} : { nodeName: 'n1' }),
      ...(devices.length > 0
        ? { devices: devices.map((each) => (typeof each === 'string' ? { name: each } : each)) }
        : {}),
      ...more,
    },
  };
}

interface PoolOf {
  readonly pool?: string;
  readonly of?: number;
  readonly generation?: number;
}

const counters = (memory: string, name = 'set', of = 2): ResourceSlice =>
  slice([], { of, sharedCounters: [{ name, counters: { memory: { value: memory } } }] });

/** A partition; it has what it consumes as its capacity. */
const part = (name: string, memory: string, more: Partial<Device> = {}, counterSet = 'set'): Device => ({
  name,
  capacity: { memory: { value: memory } },
  consumesCounters: [{ counterSet, counters: { memory: { value: memory } } }],
  ...more,
});

const waiting = { bindingConditions: ['Ready'], bindingFailureConditions: ['Failed'] };

/** A device that many may share. */
const shareable = (name: string, value?: string, requestPolicy?: object): Device => ({
  name,
  allowMultipleAllocations: true,
  ...(value === undefined ? {} : { capacity: { c: { value, ...(requestPolicy && { requestPolicy }) } } }),
});
const inTwos = { default: '2', validRange: { min: '2', max: '4', step: '2' } };
const asks = (c: string, more: Asked = {}): Asked => ({ ...more, capacity: { requests: { c } } });
const all: Asked = { allocationMode: 'All' };
const attributes = (type: string): Partial<Device> => ({ attributes: { type: { string: type } } });
const ofType = (type: string): string => `device.attributes["d"].type == "${type}"`;
const atLeast = (memory: string): string => `device.capacity["d"].memory.compareTo(quantity("${memory}")) >= 0`;

const noSchedule = { taints: [{ key: 'k', value: 'v', effect: 'NoSchedule' }] };
const noExecute = { taints: [{ key: 'k', value: 'w', effect: 'NoExecute' }] };
const both = { taints: [...noSchedule.taints, ...noExecute.taints] };
const toleratesSchedule: Toleration = { operator: 'Exists', key: 'k', effect: 'NoSchedule' };
const toleratesExecute: Toleration = { operator: 'Equal', key: 'k', value: 'w', effect: 'NoExecute' };

const cases: Readonly<Record<string, Case>> = {
  'obsolete-slice': { slices: [slice(['a']), slice(['b'], { generation: 2 })], claims: [[{}]], gives: 'r0: p/b' },
  'duplicate-slice': { slices: [slice(['a']), slice(['a'])], claims: [[{}]], gives: 'none' },
  'no-classes': {
    slices: [slice(['a'])],
    claims: [[{ deviceClassName: 'x' }]],
    gives:
      'error claim default/c0, request r0: could not retrieve device class x: deviceclass.resource.k8s.io "x" not found',
  },
  'all-devices-many': {
    slices: [slice(['a']), slice(['a'], { pool: 'q' })],
    claims: [[all]],
    gives: 'r0: p/a, r0: q/a',
  },
  'all-devices-of-the-incomplete-pool': {
    slices: [slice(['a'], { of: 2 })],
    claims: [[all]],
    gives: 'error claim default/c0, request r0: asks for all devices, but resource pool d/p is currently being updated',
  },
  'all-devices-plus-another': {
    slices: [slice(['a', 'b']), slice(['a'], { pool: 'q', driver: 'e' })],
    claims: [[all, { deviceClassName: 'e' }]],
    gives: 'r0: p/a, r0: p/b, r1: q/a',
  },
  'all-devices-no-solution': { slices: [slice(['a', 'b'])], claims: [[all, {}]], gives: 'none' },
  'all-devices-slice-without-devices': { slices: [slice([])], claims: [[all]], gives: 'none' },
  'all-devices-some-allocated': { slices: [slice(['a', 'b'])], claims: [[all]], taken: ['p/a'], gives: 'none' },
  'all-devices-some-allocated-admin-access': {
    slices: [slice(['a', 'b'])],
    claims: [[{ ...all, adminAccess: true }]],
    taken: ['p/a'],
    gives: 'r0: p/a, r0: p/b',
  },
  'all-devices-some-allocating-admin-access': {
    slices: [slice(['a', 'b'])],
    claims: [[{ adminAccess: true }, { ...all, adminAccess: true }]],
    gives: 'none',
  },
  'count-devices-some-allocated-admin-access': {
    slices: [slice(['a', 'b'])],
    claims: [[{ count: 2, adminAccess: true }]],
    taken: ['p/a'],
    gives: 'r0: p/a, r0: p/b',
  },
  'separate-claims-share-device-admin-access': {
    slices: [slice(['a', 'b'])],
    claims: [[{ adminAccess: true }], [{ adminAccess: true }]],
    gives: 'r0: p/a | r0: p/a',
  },
  'admin-access-claims-device-allocating-for-non-admin-access': {
    slices: [slice(['a', 'b'])],
    claims: [[{}], [{ adminAccess: true }]],
    gives: 'r0: p/a | r0: p/a',
  },
  'prioritized-list-max-allocation-allocation-mode-all': {
    slices: [slice(Array.from({ length: 31 }, (_, at) => `${at}`)), slice(['0', '1'], { pool: 'q', driver: 'e' })],
    claims: [[{ first: [all, { count: 2 }] }, { deviceClassName: 'e', count: 2 }]],
    gives: 'r0/s1: p/0, r0/s1: p/1, r1: q/0, r1: q/1',
  },
  'partitionable-devices-single-device': {
    slices: [slice([part('a', '4Gi')], { of: 2 }), counters('8Gi')],
    claims: [[{}]],
    gives: 'r0: p/a',
  },
  'partitionable-devices-prioritized-list': {
    slices: [slice([part('a', '4Gi'), part('b', '6Gi'), part('c', '4Gi')], { of: 2 }), counters('8Gi')],
    claims: [
      [
        {},
        {
          first: [
            { selectors: [{ cel: { expression: atLeast('6Gi') } }] },
            { selectors: [{ cel: { expression: atLeast('4Gi') } }] },
          ],
        },
      ],
    ],
    gives: 'r0: p/a, r1/s1: p/c',
  },
  'partitionable-devices-multiple-devices': {
    slices: [slice([part('a', '4Gi'), part('b', '6Gi'), part('c', '4Gi')], { of: 2 }), counters('8Gi')],
    claims: [[{}, {}]],
    gives: 'r0: p/a, r1: p/c',
  },
  'partitionable-devices-no-capacity-available': {
    slices: [slice([part('a', '4Gi'), part('b', '16Gi')], { of: 2 }), counters('18Gi')],
    claims: [[{}]],
    taken: ['p/b'],
    gives: 'none',
  },
  'partitionable-devices-overallocated-capacity-pool': {
    slices: [slice([part('a', '4Gi'), part('b', '20Gi')], { of: 2 }), counters('18Gi')],
    claims: [[{}]],
    taken: ['p/b'],
    gives: 'none',
  },
  'partitionable-devices-disabled-other-device-do-not-consume-counters': {
    slices: [slice([part('a', '4Gi'), 'b'], { of: 2 }), counters('18Gi')],
    claims: [[{}]],
    minor: '1.35',
    gives: 'r0: p/b',
  },
  'partitionable-devices-per-device-node-selection-nodename': {
    slices: [
      slice([part('a', '4Gi', { nodeName: 'n1' }), part('b', '6Gi', { nodeName: 'n2' })], {
        of: 2,
        perDeviceNodeSelection: true,
      }),
      counters('18Gi'),
    ],
    claims: [
      [
        {
          first: [
            { selectors: [{ cel: { expression: atLeast('6Gi') } }] },
            { selectors: [{ cel: { expression: atLeast('4Gi') } }] },
          ],
        },
      ],
    ],
    gives: 'r0/s1: p/a',
  },
  'partitionable-devices-same-counter-set-name-in-different-resource-slices': {
    slices: [slice(['a'], { of: 4 }), counters('1', 'set', 4), slice(['b'], { of: 4 }), counters('1', 'set', 4)],
    claims: [[{}]],
    gives: 'invalid-pools',
  },
  'partitionable-devices-device-counter-consumption-references-unknown-counter-set': {
    slices: [slice([part('a', '8Gi', {}, 'other')], { of: 2 }), counters('8Gi')],
    claims: [[{}]],
    gives: 'invalid-pools',
  },
  'partitionable-devices-device-counter-consumption-references-unknown-counter-in-counter-set': {
    slices: [
      slice([part('a', '8Gi')], { of: 2 }),
      slice([], { of: 2, sharedCounters: [{ name: 'set', counters: { other: { value: '8Gi' } } }] }),
    ],
    claims: [[{}]],
    gives: 'invalid-pools',
  },
  'partitionable-devices-device-counter-consumption-references-counter-set-in-other-pool': {
    slices: [
      slice([part('a', '8Gi')]),
      slice([], { pool: 'q', sharedCounters: [{ name: 'set', counters: { memory: { value: '8Gi' } } }] }),
    ],
    claims: [[{}]],
    gives: 'invalid-pools',
  },
  'partitionable-devices-devices-on-different-nodes-consume-same-counter-set': {
    slices: [
      counters('8Gi', 'set', 3),
      slice([part('a', '6Gi'), part('b', '2Gi')], { of: 3 }),
      slice([part('c', '6Gi')], { of: 3, nodeName: 'n2' }),
    ],
    claims: [
      [
        {
          first: [
            { selectors: [{ cel: { expression: atLeast('6Gi') } }] },
            { selectors: [{ cel: { expression: atLeast('2Gi') } }] },
          ],
        },
      ],
    ],
    taken: ['p/c'],
    gives: 'r0/s1: p/b',
  },
  'partitionable-devices-validation-error-on-non-targeting-slice': {
    slices: [
      counters('8Gi', 'set', 3),
      slice([part('a', '6Gi')], { of: 3 }),
      slice([part('c', '6Gi', {}, 'other')], { of: 3, nodeName: 'n2' }),
    ],
    claims: [[{}]],
    gives: 'invalid-pools',
  },
  'tainted-two-devices': {
    slices: [
      slice([
        { name: 'a', ...noSchedule },
        { name: 'b', ...noExecute },
      ]),
    ],
    claims: [[{}]],
    gives: 'none',
  },
  'tainted-two-devices-tolerated': {
    slices: [
      slice([
        { name: 'a', ...noSchedule },
        { name: 'b', ...noExecute },
      ]),
    ],
    claims: [[{ tolerations: [toleratesExecute] }]],
    gives: 'r0: p/b',
  },
  'tainted-two-devices-prioritized-list-tolerated': {
    slices: [
      slice([
        { name: 'a', ...noSchedule },
        { name: 'b', ...noExecute },
      ]),
    ],
    claims: [[{ first: [{}, { tolerations: [toleratesExecute] }] }]],
    gives: 'r0/s1: p/b',
  },
  'tainted-no-effect': {
    slices: [slice([{ name: 'a', taints: [{ key: 'k', value: 'v', effect: 'None' }] }])],
    claims: [[{}]],
    gives: 'r0: p/a',
  },
  'tainted-one-device-two-taints': {
    slices: [slice([{ name: 'a', ...both }])],
    claims: [[{ tolerations: [toleratesSchedule] }]],
    gives: 'none',
  },
  'tainted-one-device-two-taints-both-tolerated': {
    slices: [slice([{ name: 'a', ...both }])],
    claims: [[{ tolerations: [toleratesSchedule, toleratesExecute] }]],
    gives: 'r0: p/a',
  },
  'tainted-disabled': { slices: [slice([{ name: 'a', ...both }])], claims: [[{}]], minor: '1.35', gives: 'r0: p/a' },
  'tainted-admin-access': {
    slices: [slice([{ name: 'a', ...noSchedule }])],
    claims: [[{ adminAccess: true }]],
    taken: ['p/a'],
    gives: 'none',
  },
  'tainted-all-devices-single': { slices: [slice([{ name: 'a', ...noSchedule }])], claims: [[all]], gives: 'none' },
  'device-binding-conditions': { slices: [slice([{ name: 'a', ...waiting }])], claims: [[{}]], gives: 'r0: p/a!' },
  'binding-conditions-multiple-devices': {
    slices: [slice(['a', 'b', 'c'].map((name) => ({ name, ...waiting })))],
    claims: [[{ count: 2 }, {}]],
    gives: 'r0: p/a!, r0: p/b!, r1: p/c!',
  },
  'binding-conditions-with-and-without': {
    slices: [slice(['a', { name: 'b', ...waiting }])],
    claims: [[{}, {}]],
    gives: 'r0: p/a, r1: p/b!',
  },
  'binding-conditions-without-feature-gate': {
    slices: [slice([{ name: 'a', ...waiting }])],
    claims: [[{}]],
    minor: '1.35',
    gives: 'none',
  },
  'partitionable-devices-with-binding-conditions-some-devices-no-conditions': {
    slices: [
      slice([part('a', '2Gi', waiting), part('b', '2Gi'), part('c', '4Gi', waiting)], { of: 2 }),
      counters('8Gi'),
    ],
    claims: [[{ count: 3 }]],
    gives: 'r0: p/a!, r0: p/b, r0: p/c!',
  },
  'partitionable-devices-with-binding-conditions-and-taints': {
    slices: [slice([part('a', '4Gi', { ...waiting, ...noSchedule }), part('b', '4Gi')], { of: 2 }), counters('8Gi')],
    claims: [[{ count: 2 }]],
    gives: 'none',
  },
  'partitionable-devices-with-binding-conditions-and-taints-tolerated': {
    slices: [slice([part('a', '4Gi', { ...waiting, ...noSchedule }), part('b', '4Gi')], { of: 2 }), counters('8Gi')],
    claims: [[{ count: 2, tolerations: [toleratesSchedule] }]],
    gives: 'r0: p/a!, r0: p/b',
  },
  'consumable-capacity-disabled-feature': {
    slices: [slice(['a'])],
    claims: [[asks('1')]],
    minor: '1.34',
    gives:
      'error claim default/c0, request r0: has capacity requests, but the DRAConsumableCapacity feature is disabled',
  },
  'consumable-capacity-multi-allocatable-device-with-missing-capacity-request': {
    slices: [slice([{ name: 'a', allowMultipleAllocations: true, capacity: { other: { value: '1' } } }])],
    claims: [[asks('1')]],
    gives: 'none',
  },
  'consumable-capacity-multi-allocatable-device-without-capacity-without-capacity-request': {
    slices: [slice([shareable('a')])],
    claims: [[{}], [{}]],
    gives: 'r0: p/a | r0: p/a',
  },
  'consumable-capacity-multi-allocatable-device-without-policy-without-capacity-request': {
    slices: [slice([shareable('a', '1'), shareable('b', '1')])],
    claims: [[{}], [{}]],
    gives: 'r0: p/a(1) | r0: p/b(1)',
  },
  'consumable-capacity-multi-allocatable-device-without-policy-without-capacity-request-block': {
    slices: [slice([shareable('a', '2')])],
    claims: [[{}], [{}]],
    gives: 'none',
  },
  'consumable-capacity-multi-allocatable-device-without-policy-with-capacity-request': {
    slices: [slice([shareable('a', '2')])],
    claims: [[asks('1')], [asks('1')]],
    gives: 'r0: p/a(1) | r0: p/a(1)',
  },
  'consumable-capacity-multi-allocatable-device-with-policy-without-capacity-request': {
    slices: [slice([shareable('a', '4', inTwos)])],
    claims: [[{}], [{}]],
    gives: 'r0: p/a(2) | r0: p/a(2)',
  },
  'consumable-capacity-multi-allocatable-device-with-zero-request-policy': {
    slices: [slice([shareable('a', '1', { default: '0', validValues: ['0'] })])],
    claims: [[{}], [{}]],
    gives: 'r0: p/a(0) | r0: p/a(0)',
  },
  'consumable-capacity-multi-allocatable-device-violates-zero-request-policy': {
    slices: [slice([shareable('a', '1', { default: '0', validValues: ['0'] })])],
    claims: [[asks('1')]],
    gives: 'none',
  },
  'consumable-capacity-multi-allocatable-device-with-range-policy-with-capacity-request': {
    slices: [slice([shareable('a', '4', inTwos)])],
    claims: [[asks('1')], [asks('1')]],
    gives: 'r0: p/a(2) | r0: p/a(2)',
  },
  'consumable-capacity-multi-allocatable-device-with-range-policy-step': {
    slices: [slice([shareable('a', '4', inTwos)])],
    claims: [[asks('3')]],
    gives: 'r0: p/a(4)',
  },
  'consumable-capacity-multi-allocatable-device-with-valid-values-policy-round-up': {
    slices: [slice([shareable('a', '3', { default: '1', validValues: ['1', '3'] })])],
    claims: [[asks('2')]],
    gives: 'r0: p/a(3)',
  },
  'consumable-capacity-multi-allocatable-device-with-exceeded-consumable-capacity-request': {
    slices: [slice([shareable('a', '2', inTwos)])],
    claims: [[asks('1')], [asks('2')]],
    gives: 'none',
  },
  'consumable-capacity-multi-allocatable-device-with-request-over-max-sharing-policy': {
    slices: [slice([shareable('a', '10', inTwos)])],
    claims: [[asks('6')]],
    gives: 'none',
  },
  'consumable-capacity-multi-allocatable-device-with-allocated-capacity-use-remaining': {
    slices: [slice([shareable('a', '4', inTwos)])],
    claims: [[asks('2')]],
    shared: { 'p/a': '2' },
    gives: 'r0: p/a(2)',
  },
  'consumable-capacity-multi-allocatable-device-with-allocated-capacity-next-device': {
    slices: [slice([shareable('a', '2', inTwos), shareable('b', '2', inTwos)])],
    claims: [[asks('2')]],
    shared: { 'p/a': '2' },
    gives: 'r0: p/b(2)',
  },
  'consumable-capacity-with-multi-allocatable-device-backtrack': {
    slices: [
      slice([
        { ...shareable('b', '2', inTwos), ...attributes('1') },
        { ...shareable('a', '4', inTwos), ...attributes('2') },
      ]),
    ],
    claims: [[asks('2'), asks('2')], [asks('2')]],
    matchAttribute: 'd/type',
    gives: 'r0: p/a(2), r1: p/a(2) | r0: p/b(2)',
  },
  'consumable-capacity-multi-allocatable-device-with-subrequest': {
    slices: [slice([shareable('a', '2', inTwos)])],
    claims: [[{ first: [asks('4'), asks('2'), {}] }]],
    gives: 'r0/s1: p/a(2)',
  },
  'consumable-capacity-multi-allocatable-device-allocation-mode-all-filter-out-no-capacity': {
    slices: [slice([shareable('a', '2'), shareable('b')])],
    claims: [[asks('2', all)]],
    gives: 'r0: p/a(2)',
  },
  'consumable-capacity-multi-allocatable-device-allocation-mode-all-filter-out-insufficient-capacity': {
    slices: [slice([shareable('a', '2'), shareable('b', '1')])],
    claims: [[asks('2', all)]],
    gives: 'r0: p/a(2)',
  },
  'consumable-capacity-multi-allocatable-device-allocation-mode-all-allocating-sufficient': {
    slices: [slice([shareable('a', '2'), shareable('b', '1')])],
    claims: [[asks('1'), asks('1', all)]],
    gives: 'r0: p/a(1), r1: p/a(1), r1: p/b(1)',
  },
  'consumable-capacity-multi-allocatable-device-allocation-mode-all-allocating-insufficient': {
    slices: [slice([shareable('a', '1'), shareable('b', '1')])],
    claims: [[asks('1'), asks('1', all)]],
    gives: 'none',
  },
  'consumable-capacity-multi-allocatable-device-allocation-mode-all-in-use-insufficient': {
    slices: [slice([shareable('a', '1'), shareable('b', '1')])],
    claims: [[asks('1', all)]],
    shared: { 'p/a': '1' },
    gives: 'r0: p/b(1)',
  },
  'consumable-capacity-dedicated-device-with-multiple-consumable-capacity-request': {
    slices: [slice([{ name: 'a', capacity: { c: { value: '2', requestPolicy: inTwos } } }])],
    claims: [[asks('1')], [asks('1')]],
    gives: 'none',
  },
  'allow-multiple-allocations-exclude-multi-allocatable-device-by-class-selector': {
    slices: [slice([shareable('a', '1')])],
    claims: [[asks('1', { cel: 'device.allowMultipleAllocations == false' })]],
    gives: 'none',
  },
  'allow-multiple-allocations-not-allocate-multi-allocatable-device-which-already-dedicated': {
    slices: [slice([shareable('a', '2', inTwos)])],
    claims: [[asks('1')]],
    taken: ['p/a'],
    gives: 'none',
  },
  'allow-multiple-allocations-with-shared-device-counter-cross-cycle': {
    slices: [
      slice(
        ['a', 'b'].map((name) => part(name, '1', { allowMultipleAllocations: true, ...attributes(name) })),
        { of: 2 },
      ),
      counters('1'),
    ],
    claims: [[{ cel: ofType('b') }]],
    shared: { 'p/a': '1' },
    gives: 'none',
  },
  'with-distinct-constraints': {
    slices: [
      slice([
        { name: 'a', ...attributes('x') },
        { name: 'b', ...attributes('x') },
        { name: 'c', ...attributes('y') },
      ]),
    ],
    claims: [[{}, {}]],
    distinctAttribute: 'd/type',
    gives: 'r0: p/a, r1: p/c',
  },
  'distinct-constraint-one-multi-allocatable-device-with-distinct-constraint': {
    slices: [slice([{ ...shareable('a', '4', inTwos), ...attributes('x') }])],
    claims: [[asks('1'), asks('1')]],
    distinctAttribute: 'd/type',
    gives: 'none',
  },
  'allocation-mode-all-with-multi-host-resource-pool': {
    slices: [slice(['a'], { of: 2 }), slice(['b'], { of: 2, nodeName: 'n2' })],
    claims: [[all]],
    gives: 'r0: p/a',
  },
  'multi-host-resource-pool-with-stale-slice-for-current-node': {
    slices: [slice(['a'], { of: 2 }), slice(['b'], { of: 2, generation: 2, nodeName: 'n2' })],
    claims: [[{}]],
    gives: 'none',
  },
  'multi-host-resource-pool-complete-update-from-node-1-to-node-2': {
    slices: [
      ...['a', 'b'].map((name) => slice([name], { of: 2 })),
      ...['a', 'b'].map((name) => slice([name], { of: 2, generation: 2, nodeName: 'n2' })),
    ],
    claims: [[{}]],
    gives: 'r0: p/a',
  },
  'multi-host-resource-pool-incomplete-update-from-node-2-to-node-1': {
    slices: [
      ...['a', 'b'].map((name) => slice([name], { of: 2, nodeName: 'n2' })),
      slice(['a'], { of: 2, generation: 2 }),
    ],
    claims: [[{}]],
    gives: 'none',
  },
  'different-resourceslices-in-pool-can-target-different-nodes': {
    slices: [slice(['a'], { of: 2, nodeName: 'n2' }), slice(['b'], { of: 2 })],
    claims: [[{}]],
    gives: 'r0: p/b',
  },
  'invalid-pool-is-ok-if-devices-can-be-allocated-from-other': {
    slices: [slice(['a'], { of: 2 }), slice(['a'], { of: 2 }), slice(['b'], { pool: 'q' })],
    claims: [[{}]],
    gives: 'r0: q/b',
  },
  'invalid-pool-is-error-if-no-other-device-can-be-allocated': {
    slices: [slice(['a'], { of: 2 }), slice(['a'], { of: 2 }), slice(['b'], { pool: 'q' })],
    claims: [[{}]],
    taken: ['q/b'],
    gives: 'invalid-pools',
  },
  'no-allocation-from-incomplete-pools': { slices: [slice(['a'], { of: 2 })], claims: [[{}]], gives: 'none' },
  'check-combinations-with-backtracking-across-slices-and-pools': {
    slices: [
      slice([{ name: 'a', ...attributes('X') }], { of: 2 }),
      slice([{ name: 'b', ...attributes('Y') }], { of: 2 }),
      slice([{ name: 'c', ...attributes('Y'), bindingConditions: ['Ready'], bindingFailureConditions: [] }], {
        pool: 'q',
      }),
    ],
    claims: [[{ count: 2 }, { cel: ofType('X') }]],
    gives: 'r0: p/b, r0: q/c!, r1: p/a',
  },
  'check-combinations-with-prioritized-list': {
    slices: [slice(['X', 'Y', 'Y'].map((type, at) => ({ name: 'abc'[at]!, ...attributes(type) })))],
    claims: [
      [
        { first: [{ count: 3, selectors: [{ cel: { expression: ofType('Y') } }] }, { count: 2 }] },
        { first: [{ count: 2 }, { selectors: [{ cel: { expression: ofType('X') } }] }] },
      ],
    ],
    gives: 'r0/s1: p/b, r0/s1: p/c, r1/s1: p/a',
  },
};

/** What 1.37 mends, by its release notes (kubernetes/sig-release, releases/release-1.37): pull request → situation. */
const mended: Readonly<Record<string, Case>> = {
  'a device that is refused gives its counters back (140431)': {
    slices: [slice([part('a', '8Gi', noSchedule), part('b', '8Gi')], { of: 2 }), counters('8Gi')],
    claims: [[{}]],
    gives: 'none',
    later: 'r0: p/b',
  },
  'a share that is left again gives its counters back (140431)': {
    slices: [
      slice(
        [
          part('a', '8Gi', { ...shareable('a'), ...attributes('x') }),
          { name: 'b', ...attributes('x') },
          part('c', '8Gi', attributes('y')),
        ],
        { of: 2 },
      ),
      counters('8Gi'),
    ],
    claims: [[{}, { cel: ofType('y') }]],
    gives: 'none',
    later: 'r0: p/b, r1: p/c',
  },
  'drivers with a pool of one name have counters of their own (140435)': {
    slices: [
      slice([part('a', '4Gi')], { of: 2 }),
      counters('4Gi'),
      slice([part('a', '8Gi')], { of: 2, driver: 'e' }),
      slice([], { of: 2, driver: 'e', sharedCounters: [{ name: 'set', counters: { memory: { value: '8Gi' } } }] }),
    ],
    claims: [[{}, { deviceClassName: 'e' }]],
    gives: 'none',
    later: 'r0: p/a, r1: p/a',
  },
  'a share without consumed capacity takes its counters once (140437)': {
    slices: [slice([part('a', '8Gi', { ...shareable('a'), capacity: {} })], { of: 2 }), counters('8Gi')],
    claims: [[{}]],
    shared: { 'p/a': '' },
    gives: 'none',
    later: 'r0: p/a',
  },
  'a negative amount ends the attempt (140442)': {
    slices: [slice([shareable('a', '4')])],
    claims: [[asks('-1')]],
    gives: 'r0: p/a(-1)',
    later: 'error capacity "c": capacity value is negative',
  },
  'an amount that cannot be rounded ends the attempt (140442)': {
    slices: [slice([shareable('a', '4', inTwos)])],
    claims: [[asks('9223372036854775807')]],
    gives: 'none',
    later:
      'error capacity "c": capacity request cannot be represented in the device\'s range arithmetic: request 9223372036854775807 is not a representable milli value',
  },
  'steps may be thousandths (140161)': {
    slices: [slice([shareable('a', '1', { default: '200m', validRange: { min: '200m', max: '1', step: '100m' } })])],
    claims: [[asks('250m')], [{}], [asks('500m')]],
    gives: 'none',
    later: 'r0: p/a(300m) | r0: p/a(200m) | r0: p/a(500m)',
  },
  'values are distinct within a request (140600)': {
    slices: [slice(['x', 'y', 'x', 'z'].map((type, at) => ({ name: 'abcd'[at]!, ...attributes(type) })))],
    claims: [[{ count: 3 }]],
    distinctAttribute: 'd/type',
    gives: 'r0: p/a, r0: p/b, r0: p/c',
    later: 'r0: p/a, r0: p/b, r0: p/d',
  },
  'errors of selectors name the device, and what helps (cel/errors.go)': {
    slices: [slice(['a'])],
    claims: [[{ cel: ofType('x') }]],
    gives: 'error claim default/c0: selector #0: CEL runtime error: no such key: type',
    later:
      'error claim default/c0: selector #0 on device d/p/a: CEL runtime error: no such key: type. consider using CEL optional chaining (.? followed by orValue()) or guarding the check with has() for optional fields',
  },
  'counters reach the nodes that they are for (pools_incubating.go)': {
    slices: [
      slice([], { pool: 'q', of: 2, nodeName: 'n2', sharedCounters: [{ name: 'set', counters: {} }] }),
      slice(['a']),
    ],
    claims: [[all]],
    gives: 'error claim default/c0, request r0: asks for all devices, but resource pool d/q is currently being updated',
    later: 'r0: p/a',
  },
};

function requestOf({ first, cel, ...exactly }: Asked, at: number): Request {
  const whole = (asked: Partial<Exactly>): Exactly => ({
    deviceClassName: 'd',
    allocationMode: 'ExactCount',
    ...(asked.allocationMode === 'All' ? {} : { count: 1 }),
    ...(cel === undefined ? {} : { selectors: [{ cel: { expression: cel } }] }),
    ...asked,
  });
  const name = `r${at}`;
  if (first === undefined) return { name, exactly: whole(exactly) };
  return { name, firstAvailable: first.map((each, index) => ({ name: `s${index}`, ...whole(each) })) };
}

function amount(text: string): Quantity {
  const parsed = parseQuantity(text);
  assert.ok(!isQuantityError(parsed));
  return parsed;
}

function given({ slices: all, claims, taken = [], shared = {}, minor = '1.36', ...constraint }: Case): string {
  const classes = ['d', 'e'].map((name): [string, DeviceClass] => [
    name,
    {
      apiVersion: 'resource.k8s.io/v1',
      kind: 'DeviceClass',
      metadata: { name },
      spec: { selectors: [{ cel: { expression: `device.driver == "${name}"` } }] },
    },
  ]);
  const { gives: _gives, later: _later, ...constraints } = constraint;
  const allocator = deviceEngine()!.newAllocator({
    release: releaseOf(minor),
    slices: all,
    classes: new Map(classes),
    taken: {
      devices: new Map(taken.map((id) => [`d/${id}`, 'default/other'])),
      capacity: new Map(
        Object.entries(shared).map(([id, text]) => [`d/${id}`, new Map(text === '' ? [] : [['c', amount(text)]])]),
      ),
    },
  });
  const answer = allocator.allocate(
    nodeFactsOf(node('n1'), 0),
    claims.map((requests, at) => ({
      namespace: 'default',
      name: `c${at}`,
      spec: {
        devices: {
          requests: requests.map(requestOf),
          ...(at === 0 && Object.keys(constraints).length > 0 ? { constraints: [constraints] } : {}),
        },
      },
    })),
  );
  if (answer.kind === 'error') return `error ${answer.text}`;
  if (answer.kind !== 'allocated') return answer.kind;
  return answer.results
    .map(({ devices }) =>
      (devices?.results ?? [])
        .map(({ request, pool, device, consumedCapacity, bindingConditions }) => {
          const consumed = consumedCapacity === undefined ? '' : `(${Object.values(consumedCapacity).join()})`;
          return `${request}: ${pool}/${device}${consumed}${bindingConditions === undefined ? '' : '!'}`;
        })
        .join(', '),
    )
    .join(' | ');
}

describe('[#40] devices as in the tests of the allocator', () => {
  before(loadDevices);

  for (const [name, each] of Object.entries(cases)) {
    it(name, () => {
      assert.equal(given(each), each.gives);
    });
  }

  for (const [what, each] of Object.entries(mended)) {
    it(`since 1.37, ${what}`, () => {
      assert.equal(given(each), each.gives);
      assert.equal(given({ ...each, minor: '1.37' }), each.later);
    });
  }
});
