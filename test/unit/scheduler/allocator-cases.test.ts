import { strict as assert } from 'node:assert';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, it } from 'mocha';
import { withGates } from '../../../server/src/kubernetes/feature-gates.ts';
import { nameOf } from '../../../server/src/kubernetes/names.ts';
import type { DeviceClass, ResourceClaim, ResourceSlice } from '../../../server/src/kubernetes/objects.ts';
import { isQuantityError, parseQuantity, type Quantity } from '../../../server/src/kubernetes/quantity.ts';
import { releaseOf } from '../../../server/src/kubernetes/releases/index.ts';
import { deviceEngine } from '../../../server/src/scheduler/framework/device-engine.ts';
import { nodeFactsOf } from '../../../server/src/scheduler/framework/node-facts.ts';
import { loadDevices } from '../../../server/src/scheduler/index.ts';
import type { Minor } from '../../../server/src/util/minors.ts';
import { node } from './cluster-builder.ts';

/**
 * All situations of upstream's own tables, by their names there, with what they give there in each minor; the objects are
 * made here, of what a row says of them. Facts: TestAllocator and TestLexicographicalAllocator in
 * dynamic-resource-allocation/structured/internal/allocatortesting of the branches release-1.34, release-1.35 and
 * release-1.36 (June 2026), and of 1 July 2026 for 1.37; of that, what pull request 140769 changed in
 * `…-all-in-use-insufficient`
 */
const rows = readFileSync(join(import.meta.dirname, 'allocator-cases.jsonl'), 'utf8')
  .trimEnd()
  .split('\n')
  .map((line) => JSON.parse(line) as Row);

type SliceSpec = ResourceSlice['spec'];
type Device = NonNullable<SliceSpec['devices']>[number];
type DeviceClaim = NonNullable<ResourceClaim['spec']['devices']>;
type Request = NonNullable<DeviceClaim['requests']>[number];
type Exactly = NonNullable<Request['exactly']>;

interface Row {
  readonly name: string;
  readonly minors: readonly Minor[];
  /** The gates that are on, without `DRA`; all other gates of devices are off. */
  readonly on?: readonly string[];
  /** Name and region; n1 in east1 where nothing is said. */
  readonly node?: string;
  /** A name alone is that of a class of the driver of this name. */
  readonly classes?: readonly (string | { name: string; selectors?: readonly string[]; config?: object[] })[];
  /** Of driver d in pool p, which has one slice of generation 1. */
  readonly slices?: readonly (Partial<Omit<SliceSpec, 'devices' | 'pool'>> & {
    readonly name: string;
    readonly pool?: string;
    readonly of?: number;
    readonly generation?: number;
    readonly on?: string;
    readonly devices?: readonly (Device | string)[];
  })[];
  readonly claims?: readonly (Omit<DeviceClaim, 'requests'> & { readonly name: string; readonly requests: Asked[] })[];
  readonly taken?: readonly string[];
  readonly shared?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /**
   * Per claim, in any order, as upstream compares them: `request: pool/device`, behind it `(consumed)`, `+` for a share, `*` for admin access, `!` for each
   * condition, `~` for tolerations; where; and the configurations. Absent: nothing is given.
   */
  readonly results?: readonly {
    readonly list: readonly string[];
    readonly where: string;
    readonly config?: object[];
  }[];
  /** Parts of the error. */
  readonly error?: readonly string[];
}

type Results = readonly { readonly list: readonly string[]; readonly where: string; readonly config?: object[] }[];

/** One device of class d, where nothing is said. */
type Asked = Omit<Partial<Exactly>, 'count' | 'selectors'> & {
  readonly name: string;
  readonly class?: string;
  readonly count?: number | 'All';
  readonly mode?: string;
  readonly cel?: readonly (string | null)[];
  readonly first?: readonly Asked[];
};

const gates = [
  ...['AdminAccess', 'ConsumableCapacity', 'DeviceBindingConditions', 'DeviceTaints', 'ListTypeAttributes'],
  ...['PartitionableDevices', 'PrioritizedList', 'ResourceClaimDeviceStatus'],
];

const selectorOf = (expression: string | null): object => (expression === null ? {} : { cel: { expression } });

function exactly({
  name: _name,
  class: className = 'd',
  count = 1,
  mode,
  cel,
  first: _first,
  ...more
}: Asked): Exactly {
  return {
    deviceClassName: className,
    allocationMode: mode ?? (count === 'All' ? 'All' : 'ExactCount'),
    ...(count === 'All' ? {} : { count }),
    ...(cel === undefined ? {} : { selectors: cel.map(selectorOf) }),
    ...more,
  };
}

function requestOf(asked: Asked): Request {
  const { name, first } = asked;
  if (first === undefined) return { name, exactly: exactly(asked) };
  return { name, firstAvailable: first.map((each) => ({ name: each.name, ...exactly(each) })) };
}

function amount(text: string): Quantity {
  const parsed = parseQuantity(text);
  assert.ok(!isQuantityError(parsed));
  return parsed;
}

function inOrder(results: Results): Results {
  const text = (each: object): string => JSON.stringify(each);
  return [...results].sort((a, b) => (text(a) < text(b) ? -1 : 1));
}

function given(row: Row, minor: Minor): Pick<Row, 'results'> | string {
  const isOn = (gate: string): boolean => (row.on ?? []).includes(gate);
  const [name, region] = (row.node ?? 'n1 east1').split(' ') as [string, string];
  const classes = (row.classes ?? []).map((each): DeviceClass => {
    const named = typeof each === 'string' ? { name: each, selectors: [`device.driver == "${each}"`] } : each;
    const { name: own, selectors, ...more } = named;
    const spec = { ...more, ...(selectors && { selectors: selectors.map(selectorOf) }) } as DeviceClass['spec'];
    return { apiVersion: 'resource.k8s.io/v1', kind: 'DeviceClass', metadata: { name: own }, spec };
  });
  const slices = (row.slices ?? []).map(
    ({ name: own, driver = 'd', pool = 'p', of = 1, generation = 1, on, devices, ...more }): ResourceSlice => ({
      apiVersion: 'resource.k8s.io/v1',
      kind: 'ResourceSlice',
      metadata: { name: own },
      spec: {
        driver,
        pool: { name: pool, generation, resourceSliceCount: of },
        ...(on === undefined ? {} : { nodeName: on }),
        ...(devices && { devices: devices.map((each) => (typeof each === 'string' ? { name: each } : each)) }),
        ...more,
      },
    }),
  );
  const capacity = Object.entries(row.shared ?? {}).map(
    ([id, amounts]) => [id, new Map(Object.entries(amounts).map(([of, text]) => [of, amount(text)]))] as const,
  );
  const allocator = deviceEngine()!.newAllocator({
    release: withGates(releaseOf(minor), new Map(gates.map((gate) => [`DRA${gate}`, isOn(gate)]))),
    slices,
    classes: new Map(classes.map((each) => [nameOf(each), each])),
    taken: { devices: new Map((row.taken ?? []).map((id) => [id, 'default/other'])), capacity: new Map(capacity) },
  });
  const answer = allocator.allocate(
    nodeFactsOf(node(name, { labels: { region, planet: 'earth' } }), 0),
    (row.claims ?? []).map(({ name: own, requests, ...more }) => ({
      namespace: '',
      name: own,
      spec: { devices: { requests: requests.map(requestOf), ...more } },
    })),
  );
  if (answer.kind === 'error') return answer.text.replaceAll('claim /', 'claim ');
  if (answer.kind === 'invalid-pools') return 'invalid resource pools were encountered';
  if (answer.kind !== 'allocated') return {};
  const results = answer.results.map(({ devices, nodeSelector }) => ({
    list: (devices?.results ?? [])
      .map((each) => {
        const { request, driver, pool, device, consumedCapacity, shareID, adminAccess, tolerations = [] } = each;
        const conditions = [...(each.bindingConditions ?? []), ...(each.bindingFailureConditions ?? [])];
        return [
          `${request}: ${driver === 'd' ? '' : `${driver}/`}${pool}/${device}`,
          consumedCapacity && `(${Object.values(consumedCapacity).join()})`,
          shareID && '+',
          adminAccess && '*',
          ...conditions.map((condition) => `!${condition}`),
          tolerations.length > 0 && '~',
        ]
          .filter(Boolean)
          .join('');
      })
      .sort(),
    where: (nodeSelector?.nodeSelectorTerms ?? [])
      .map(({ matchFields = [], matchExpressions = [] }) =>
        [...matchFields, ...matchExpressions]
          .map(({ key, operator, values = [] }) => `${key} ${operator} ${[...values].sort().join()}`)
          .sort()
          .join('; '),
      )
      .join(' or '),
    ...(devices?.config && { config: devices.config as object[] }),
  }));
  return results.length === 0 ? {} : { results: inOrder(results) };
}

describe('[#40] all situations of the tests of the allocator', () => {
  before(loadDevices);

  for (const row of rows) {
    const { name, minors, error, results } = row;
    for (const minor of minors) {
      it(`${name}, in ${minor}`, () => {
        const answer = given(row, minor);
        const text = typeof answer === 'string' ? answer : '';
        for (const part of error ?? []) assert.ok(text.includes(part), JSON.stringify(answer));
        if (error !== undefined) return;
        assert.deepEqual(answer, results === undefined ? {} : { results: inOrder(results) });
      });
    }
  }
});
