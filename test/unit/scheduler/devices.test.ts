import { strict as assert } from 'node:assert';
import { before, describe, it } from 'mocha';
import type { JsonObject } from '../../../server/src/kubernetes/json.ts';
import type { KubeObject } from '../../../server/src/kubernetes/objects.ts';
import { latestRelease } from '../../../server/src/kubernetes/releases/index.ts';
import {
  LiveRun,
  type LiveEvent,
  loadDevices,
  type PlannedChange,
  readConfiguration,
} from '../../../server/src/scheduler/index.ts';
import { clusterOf, decideFits, decidePod, decideUnschedulable, node, pod } from './cluster-builder.ts';

const deviceClass = {
  apiVersion: 'resource.k8s.io/v1',
  kind: 'DeviceClass',
  metadata: { name: 'gpu' },
  spec: { selectors: [{ cel: { expression: "device.driver == 'gpu.example.com'" } }] },
};

function slice(nodeName: string, count: number): KubeObject {
  const devices = Array.from({ length: count }, (_, at) => ({ name: `gpu-${at}` }));
  const spec = {
    driver: 'gpu.example.com',
    nodeName,
    pool: { name: nodeName, generation: 1, resourceSliceCount: 1 },
    devices,
  };
  return { apiVersion: 'resource.k8s.io/v1', kind: 'ResourceSlice', metadata: { name: nodeName }, spec } as KubeObject;
}

function claim(name: string, count: number): KubeObject {
  const requests = [{ name: 'r', exactly: { deviceClassName: 'gpu', allocationMode: 'ExactCount', count } }];
  const metadata = { name, namespace: 'default' };
  return {
    apiVersion: 'resource.k8s.io/v1',
    kind: 'ResourceClaim',
    metadata,
    spec: { devices: { requests } },
  } as KubeObject;
}

const template = {
  apiVersion: 'resource.k8s.io/v1',
  kind: 'ResourceClaimTemplate',
  metadata: { name: 'one', namespace: 'default' },
  spec: { spec: { devices: { requests: [{ name: 'r', exactly: { deviceClassName: 'gpu' } }] } } },
};

function ofTemplate(name: string, priority = 0) {
  return pod(name, { spec: { priority, resourceClaims: [{ name: 'gpu', resourceClaimTemplateName: 'one' }] } });
}

describe('devices', () => {
  before(loadDevices);

  it('[PLA-21] are taken first fit, and named in the decision', () => {
    const wants = pod('wants', { spec: { resourceClaims: [{ name: 'g', resourceClaimName: 'two' }] } });
    const cluster = clusterOf(node('n1'), node('n2'), deviceClass, slice('n2', 3), claim('two', 2), wants);
    const { node: chosen, devices } = decideFits(cluster, 'wants');
    assert.equal(chosen, 'n2');
    assert.deepEqual(
      devices.map(({ claim: name, results }) => [name, results.map(({ device }) => device)]),
      [['two', ['gpu-0', 'gpu-1']]],
    );
  });

  it('[PLA-21] are searched no longer than the scheduler does, which gives up where a count cannot be met', () => {
    const wants = pod('wants', { spec: { resourceClaims: [{ name: 'g', resourceClaimName: 'many' }] } });
    const message = (devices: number): string => {
      const cluster = clusterOf(node('n1'), deviceClass, slice('n1', devices), claim('many', devices + 1), wants);
      return decideUnschedulable(cluster, 'wants').message;
    };
    assert.match(message(22), /1 cannot allocate all claims/);
    assert.equal(
      message(24),
      'running "DynamicResources" filter plugin: node n1: timed out trying to allocate devices',
    );
  });

  it('[#40] are searched as long, and may take as long to get ready, as the configuration says', () => {
    const configured = (args: string) => ({
      profiles: readConfiguration(
        JSON.parse(
          `{"apiVersion":"kubescheduler.config.k8s.io/v1","kind":"KubeSchedulerConfiguration","profiles":[{"pluginConfig":[{"name":"DynamicResources","args":${args}}]}]}`,
        ) as JsonObject,
        latestRelease,
      ).profiles,
      now: Date.parse('2026-01-01T00:05:00Z'),
    });
    const wants = pod('wants', { spec: { resourceClaims: [{ name: 'g', resourceClaimName: 'many' }] } });
    const message = (args: string): string =>
      decideUnschedulable(
        clusterOf(node('n1'), deviceClass, slice('n1', 22), claim('many', 23), wants),
        'wants',
        configured(args),
      ).message;
    assert.match(message('{}'), /1 cannot allocate all claims/);
    assert.match(message('{"filterTimeout":"100ms"}'), /timed out trying to allocate devices/);

    const allocation = {
      allocationTimestamp: '2026-01-01T00:00:00Z',
      devices: {
        results: [
          {
            request: 'r',
            driver: 'gpu.example.com',
            pool: 'n1',
            device: 'gpu-0',
            bindingConditions: ['Ready'],
            bindingFailureConditions: ['Failed'],
          },
        ],
      },
    };
    const bound = { ...claim('many', 1), status: { allocation } } as KubeObject;
    const cluster = clusterOf(node('n1'), deviceClass, slice('n1', 1), bound, wants);
    assert.equal(decidePod(cluster, 'wants', configured('{}')).kind, 'fits');
    assert.match(
      decideUnschedulable(cluster, 'wants', configured('{"bindingTimeout":"60s"}')).message,
      /1 resourceclaim not available on the node/,
    );
  });

  it('[#40] are searched no longer where constraints, counters, shares or a last request cannot be met', () => {
    const wants = pod('wants', { spec: { resourceClaims: [{ name: 'g', resourceClaimName: 'c' }] } });
    const twenty = (make: (at: number) => object): object[] =>
      Array.from({ length: 20 }, (_, at) => ({ name: `gpu-${at}`, ...make(at) }));
    const request = (name: string, count: number, more: object = {}): object => ({
      name,
      exactly: { deviceClassName: 'gpu', allocationMode: 'ExactCount', count, ...more },
    });
    const message = (devices: object[], requests: object[], constraints: object[] = []): string => {
      const nodes = ['n1', 'n2', 'n3'];
      const slices = nodes.map((name) => {
        const { spec, ...more } = slice(name, 0) as KubeObject & { spec: object };
        return { ...more, spec: { ...spec, devices, pool: { name, generation: 1, resourceSliceCount: 2 } } };
      });
      const counters = slices.map(({ spec, metadata, ...more }) => {
        const { devices: _devices, ...others } = spec;
        const sharedCounters = [{ name: 'set', counters: { memory: { value: '20Gi' } } }];
        return { ...more, metadata: { name: `${metadata?.name}-counters` }, spec: { ...others, sharedCounters } };
      });
      const asks = { ...claim('c', 1), spec: { devices: { requests, constraints } } };
      const objects = [deviceClass, ...slices, ...counters, asks] as KubeObject[];
      return decideUnschedulable(clusterOf(...nodes.map((name) => node(name)), ...objects, wants), 'wants').message;
    };
    const attribute = 'gpu.example.com/numa';
    const parts = twenty(() => ({
      consumesCounters: [{ counterSet: 'set', counters: { memory: { value: '2Gi' } } }],
    }));
    const inHalves = twenty((at) => ({ attributes: { numa: { int: at % 2 } } }));
    const shared = twenty(() => ({ allowMultipleAllocations: true, capacity: { c: { value: '4' } } }));
    const ones = (count: number, more: object = {}): object[] =>
      Array.from({ length: count }, (_, at) => request(`r${at}`, 1, more));
    const none = [{ cel: { expression: 'device.driver == "other"' } }];
    assert.match(
      message(inHalves, [request('r', 11)], [{ matchAttribute: attribute }]),
      /3 cannot allocate all claims/,
    );
    assert.match(message(parts, [request('r', 11)]), /3 cannot allocate all claims/);
    const givesUp = /^running "DynamicResources" filter plugin: node n\d: timed out trying to allocate devices/;
    assert.match(message(inHalves, [...ones(10), request('last', 1, { selectors: none })]), givesUp);
    const amounts = (c: string): object => ({ capacity: { requests: { c } } });
    assert.match(message(shared, [...ones(9, amounts('1')), request('last', 1, amounts('5'))]), givesUp);
    // 45 of 42, in shares that all differ: after the first node it is known how the others answer, which are alike.
    const three = twenty(() => ({ allowMultipleAllocations: true, capacity: { c: { value: '14' } } })).slice(0, 3);
    const unequal = Array.from({ length: 9 }, (_, at) => request(`r${at}`, 1, amounts(String(at + 1))));
    assert.match(message(three, unequal), /3 cannot allocate all claims/);
  });

  it('[PLA-21] of a pod that is gone are free for the one that waits, and priority frees none', () => {
    const cluster = clusterOf(node('n1'), deviceClass, slice('n1', 1), template);
    const run = new LiveRun(cluster, {});
    const lines: string[] = [];
    const settle = (): void => {
      for (const { kind, pod: key, message } of run.settle() as Iterable<LiveEvent>) {
        lines.push(`${kind} ${key} ${message}`);
      }
    };
    run.arrive(cluster.arriving(ofTemplate('first')));
    settle();
    run.arrive(cluster.arriving(ofTemplate('urgent', 1000)));
    settle();
    assert.equal(cluster.pod('default/first')?.nodeName, 'n1');
    assert.equal(cluster.pod('default/urgent')?.nodeName, '');
    assert.match(
      lines.join('\n'),
      /unschedulable default\/urgent 0\/1 nodes are available: 1 cannot allocate all claims/,
    );
    run.deleteNow('default/first', 1);
    settle();
    assert.equal(cluster.pod('default/urgent')?.nodeName, 'n1');
    assert.equal(cluster.objects.resourceClaim('default/first-gpu'), undefined);
  });

  it('[PLA-21] are asked for by a pod whose claim is not there only once it is', () => {
    const wants = pod('wants', { spec: { resourceClaims: [{ name: 'g', resourceClaimName: 'late' }] } });
    const cluster = clusterOf(node('n1'), deviceClass, slice('n1', 1));
    const run = new LiveRun(cluster, {});
    run.arrive(cluster.arriving(wants));
    const kinds = [...(run.settle() as Iterable<LiveEvent>)].map(({ kind, message }) => `${kind}: ${message}`);
    assert.deepEqual(kinds, ['gated: could not find ResourceClaim "default/late"']);
    run.plan({ at: 10, change: { kind: 'ResourceClaim', object: claim('late', 1) as never } });
    Array.from(run.settle() as Iterable<LiveEvent>);
    assert.equal(cluster.pod('default/wants')?.nodeName, 'n1');
  });

  // Which events make the scheduler look again at a pod that found no devices.
  // Source: dynamicresources/dynamicresources.go (EventsToRegister, isSchedulableAfterClaimChange), and the situations of
  // Test_isSchedulableAfterClaimChange in dynamicresources_test.go
  const allocated = (name: string, status: object): KubeObject => ({ ...claim(name, 1), status }) as KubeObject;
  const given = {
    allocation: {
      devices: { results: [{ request: 'r', driver: 'gpu.example.com', pool: 'far', device: 'gpu-0' }] },
      nodeSelector: {
        nodeSelectorTerms: [{ matchFields: [{ key: 'metadata.name', operator: 'In', values: ['far'] }] }],
      },
    },
    reservedFor: [],
  };
  const changed = (object: KubeObject, metadata: object): KubeObject => ({
    ...object,
    metadata: { ...object.metadata, ...metadata },
  });
  const changes: readonly (readonly [what: string, isAsked: boolean, change: PlannedChange])[] = [
    ['a slice with the devices comes', true, put('ResourceSlice', slice('n1', 2))],
    ['a slice of another node comes', true, put('ResourceSlice', slice('n2', 1))],
    ['a slice goes', false, { at: 100, deleted: { kind: 'ResourceSlice', key: 'n1' } }],
    ['the class changes', true, put('DeviceClass', changed(deviceClass, { labels: { a: 'b' } }))],
    ['another claim comes', false, put('ResourceClaim', claim('third', 1))],
    [
      'its claim changes, but for its status',
      false,
      put('ResourceClaim', changed(claim('mine', 2), { labels: { a: 'b' } })),
    ],
    ['its claim is given devices', true, put('ResourceClaim', { ...claim('mine', 2), status: given } as KubeObject)],
    ['another claim is given devices', false, put('ResourceClaim', allocated('free', given))],
    ['another claim gives its devices back', true, put('ResourceClaim', allocated('held', {}))],
    [
      'another claim is reserved for no pod any more',
      false,
      put('ResourceClaim', allocated('held', { ...given, reservedFor: undefined })),
    ],
    ['a node gets a label', true, put('Node', changed(node('n1'), { labels: { a: 'b' } }))],
    ['a node gets an annotation', false, put('Node', changed(node('n1'), { annotations: { a: 'b' } }))],
  ];
  for (const [what, isAsked, change] of changes) {
    it(`[PLA-21] are ${isAsked ? '' : 'not '}looked for again when ${what}`, () => {
      const wants = pod('wants', { spec: { resourceClaims: [{ name: 'g', resourceClaimName: 'mine' }] } });
      const cluster = clusterOf(
        node('n1'),
        deviceClass,
        slice('n1', 1),
        claim('mine', 2),
        claim('free', 1),
        allocated('held', given),
      );
      const run = new LiveRun(cluster, {});
      run.arrive(cluster.arriving(wants));
      // Whatever happens, it is looked at again when five minutes are over.
      const isTried = (): boolean =>
        [...(run.settle() as Iterable<LiveEvent>)].some(
          ({ kind, clock }) => (kind === 'unschedulable' || kind === 'scheduled') && clock < 300,
        );
      assert.ok(isTried());
      run.plan(change);
      assert.equal(isTried(), isAsked);
    });
  }
});

function put(kind: 'DeviceClass' | 'Node' | 'ResourceClaim' | 'ResourceSlice', object: KubeObject): PlannedChange {
  return { at: 100, change: { kind, object } as never };
}
