import { strict as assert } from 'node:assert';
import { before, describe, it } from 'mocha';
import { gatesOf, withGates } from '../../../server/src/kubernetes/feature-gates.ts';
import type { KubeObject } from '../../../server/src/kubernetes/objects.ts';
import { releaseOf } from '../../../server/src/kubernetes/releases/index.ts';
import { loadDevices } from '../../../server/src/scheduler/index.ts';
import { clusterIn, decidePod, node, pod } from './cluster-builder.ts';

/**
 * What becomes of a pod in the situations of upstream's test of the plugin, by their names there; the objects are made here.
 * Facts: TestPlugin in pkg/scheduler/framework/plugins/dynamicresources/dynamicresources_test.go
 */

const apiVersion = 'resource.k8s.io/v1';
const made = (kind: string, name: string, more: object, metadata: object = {}): KubeObject => ({
  apiVersion,
  kind,
  metadata: { name, ...metadata },
  ...more,
});

const deviceClass = (more: object = {}): KubeObject => made('DeviceClass', 'gpu', { spec: more });
const slice = (on: string, devices: number, more: object = { attributes: { healthy: { bool: true } } }): KubeObject =>
  made('ResourceSlice', `${on}-gpus`, {
    spec: {
      driver: 'd',
      nodeName: on,
      pool: { name: on, generation: 1, resourceSliceCount: 1 },
      devices: Array.from({ length: devices }, (_, at) => ({ name: `gpu-${at}`, ...more })),
    },
  });
const claim = (name: string, exactly: object = {}, more: object = {}): KubeObject => {
  const requests = [
    { name: 'r', exactly: { deviceClassName: 'gpu', allocationMode: 'ExactCount', count: 1, ...exactly } },
  ];
  return made('ResourceClaim', name, { spec: { devices: { requests } }, ...more }, { namespace: 'default' });
};
const given = (on: string, more: object = {}, status: object = {}): object => ({
  status: {
    allocation: {
      devices: { results: [{ request: 'r', driver: 'd', pool: 'n1', device: 'gpu-0', ...more }] },
      nodeSelector: { nodeSelectorTerms: [{ matchFields: [{ key: 'metadata.name', operator: 'In', values: [on] }] }] },
    },
    ...status,
  },
});
const healthy = { selectors: [{ cel: { expression: 'device.attributes["d"].healthy' } }] };
const alternatives = (deviceClassName: string, each: readonly object[] = [{}]): KubeObject => {
  const one = { deviceClassName, allocationMode: 'ExactCount', count: 1 };
  const firstAvailable = each.map((more, at) => ({ name: `s${at === 0 ? '' : at}`, ...one, ...more }));
  const spec = { devices: { requests: [{ name: 'r', firstAvailable }] } };
  return made('ResourceClaim', 'c', { spec }, { namespace: 'default' });
};
/** An allocated claim whose device waits for two conditions, of which some are true. */
const bound = (name: string, driver: string, ...isTrue: readonly string[]): KubeObject => {
  const device = { driver, pool: 'n1', device: 'gpu-0' };
  const conditions = { bindingConditions: ['one', 'two'], bindingFailureConditions: ['failed'] };
  const results = [{ request: 'r', ...device, ...conditions }];
  const devices = [{ ...device, conditions: isTrue.map((type) => ({ type, status: 'True' })) }];
  const allocation = { allocationTimestamp: '2026-01-01T00:00:00Z', devices: { results } };
  return claim(name, {}, { status: { allocation, devices } });
};
const admin = { adminAccess: true };
const asks = (name: string, count = '1'): object => ({
  containers: [{ name: 'c', image: 'a', resources: { requests: { [name]: count }, limits: { [name]: count } } }],
});
const named = { resourceClaims: [{ name: 'g', resourceClaimName: 'c' }] };
const namesTwo = {
  resourceClaims: ['c', 'c2'].map((resourceClaimName) => ({ name: resourceClaimName, resourceClaimName })),
};
const ofTemplate = { resourceClaims: [{ name: 'g', resourceClaimTemplateName: 't' }] };
const resource = { extendedResourceName: 'example.com/gpu' };
const implicit = 'deviceclass.resource.kubernetes.io/gpu';

interface Case {
  /** Of the pod; it names claim c where nothing is said. */
  readonly spec?: object;
  readonly status?: object;
  readonly nodes?: readonly KubeObject[];
  readonly objects: readonly KubeObject[];
  readonly gates?: string;
  /** The node, or a part of the message. */
  readonly gives: string;
}

const owned = (uid: string): object => ({
  ownerReferences: [{ apiVersion: 'v1', kind: 'Pod', name: 'p', uid, controller: true }],
});
const ofPod = { resourceClaimStatuses: [{ name: 'g', resourceClaimName: 'c' }] };
const withOwner = (uid: string, metadata: object = {}): KubeObject => {
  const object = claim('c', {}, given('n1'));
  return { ...object, metadata: { ...object.metadata, ...owned(uid), ...metadata } };
};

/** A claim that the scheduler made for the pod in an attempt before. */
const leftover = (on: string): KubeObject => {
  const object = claim('p-extended', {}, given(on));
  const annotations = { 'resource.kubernetes.io/extended-resource-claim': 'true' };
  return { ...object, metadata: { ...object.metadata, ...owned('default/p'), annotations } };
};

const cases: Readonly<Record<string, Case>> = {
  empty: { spec: {}, objects: [], gives: 'n1' },
  'claim-reference': { objects: [claim('c', {}, given('n1'))], gives: 'n1' },
  'claim-template': { spec: ofTemplate, status: ofPod, objects: [withOwner('default/p')], gives: 'n1' },
  'missing-claim': { spec: ofTemplate, objects: [], gives: 'pod "default/p": ResourceClaim not created yet' },
  'deleted-claim': {
    spec: ofTemplate,
    status: ofPod,
    objects: [withOwner('default/p', { deletionTimestamp: '2026-01-01T00:00:00Z' })],
    gives: 'resourceclaim "c" is being deleted',
  },
  'wrong-claim': {
    spec: ofTemplate,
    status: ofPod,
    objects: [withOwner('other')],
    gives: 'ResourceClaim default/c was not created for Pod default/p (Pod is not owner)',
  },
  'no-resources': {
    objects: [claim('c'), deviceClass()],
    gives: '1 cannot allocate all claims. still not schedulable',
  },
  'with-resources': { objects: [claim('c'), deviceClass(), slice('n1', 1)], gives: 'n1' },
  'exhausted-resources': {
    objects: [claim('c'), claim('o', {}, given('n1')), deviceClass(), slice('n1', 1)],
    gives: '1 cannot allocate all claims. still not schedulable',
  },
  'tainted-device-disabled': {
    gates: 'DRADeviceTaints=false',
    objects: [claim('c'), deviceClass(), slice('n1', 1, { taints: [{ key: 'k', effect: 'NoSchedule' }] })],
    gives: 'n1',
  },
  'tainted-device-enabled': {
    objects: [claim('c'), deviceClass(), slice('n1', 1, { taints: [{ key: 'k', effect: 'NoSchedule' }] })],
    gives: '1 cannot allocate all claims',
  },
  'request-admin-access-with-DRAAdminAccess-featuregate': {
    objects: [claim('c', admin), claim('o', {}, given('n1')), deviceClass(), slice('n1', 1)],
    gives: 'n1',
  },
  'request-admin-access-without-DRAAdminAccess-featuregate': {
    gates: 'DRAAdminAccess=false',
    objects: [claim('c', admin), claim('o', {}, given('n1')), deviceClass(), slice('n1', 1)],
    gives: 'claim default/c, request r: admin access is requested, but the feature is disabled',
  },
  'structured-ignore-allocated-admin-access': {
    objects: [claim('c'), claim('o', admin, given('n1', admin)), deviceClass(), slice('n1', 1)],
    gives: 'n1',
  },
  'claim-parameters-CEL-runtime-error': {
    objects: [claim('c', healthy), deviceClass(), slice('n1', 1, {})],
    gives: 'claim default/c: selector #0: CEL runtime error: no such key: healthy',
  },
  'class-parameters-CEL-runtime-error': {
    objects: [claim('c'), deviceClass(healthy), slice('n1', 1, {})],
    gives: 'class gpu: selector #0: CEL runtime error: no such key: healthy',
  },
  'CEL-runtime-error-for-one-of-two-nodes': {
    nodes: [node('n1'), node('n2')],
    objects: [claim('c', healthy), deviceClass(), slice('n1', 1, {}), slice('n2', 1)],
    gives: 'claim default/c: selector #0: CEL runtime error: no such key: healthy',
  },
  'CEL-runtime-error-for-one-of-three-nodes': {
    nodes: [node('n1'), node('n2'), node('n3')],
    objects: [claim('c', healthy), deviceClass(), slice('n1', 1, {}), slice('n2', 1), slice('n3', 1)],
    gives: 'claim default/c: selector #0: CEL runtime error: no such key: healthy',
  },
  'missing-class': { objects: [claim('c')], gives: 'request r: device class gpu does not exist' },
  'wrong-topology': {
    objects: [claim('c', {}, given('n9'))],
    gives: '1 resourceclaim not available on the node. deallocation of ResourceClaim completed',
  },
  'good-topology': { objects: [claim('c', {}, given('n1'))], gives: 'n1' },
  'reserved-okay': {
    objects: [claim('c', {}, given('n1', {}, { reservedFor: [{ resource: 'pods', name: 'p', uid: 'default/p' }] }))],
    gives: 'n1',
  },
  'claim-with-prioritized-list-feature-disabled': {
    gates: 'DRAPrioritizedList=false',
    objects: [alternatives('gpu'), deviceClass()],
    gives:
      'claim default/c, request r: has subrequests, but the DRAPrioritizedList feature is disabled. no new claims to deallocate',
  },
  'claim-with-prioritized-list-unknown-device-class': {
    objects: [alternatives('gqu'), deviceClass()],
    gives: 'request r/s: device class gqu does not exist. no new claims to deallocate',
  },
  'claim-with-prioritized-list': { objects: [alternatives('gpu'), deviceClass(), slice('n1', 1)], gives: 'n1' },
  'extended-resource-name-with-node-resource': {
    spec: asks('example.com/gpu'),
    nodes: [node('n1', { more: { 'example.com/gpu': '2' } })],
    objects: [deviceClass(resource)],
    gives: 'n1',
  },
  'extended-resource-name-with-zero-allocatable': {
    spec: asks('example.com/gpu'),
    nodes: [node('n1', { more: { 'example.com/gpu': '0' } })],
    objects: [deviceClass(resource), slice('n1', 1)],
    gives: 'n1',
  },
  'non-DRA-extended-resource-name-with-zero-allocatable': {
    spec: asks('example.com/gpu'),
    nodes: [node('n1', { more: { 'example.com/gpu': '0' } })],
    objects: [deviceClass(), slice('n1', 1)],
    gives: 'Insufficient example.com/gpu',
  },
  'extended-resource-name-no-resource': {
    spec: asks('example.com/gpu'),
    objects: [deviceClass(resource)],
    gives: '1 cannot allocate all claims. still not schedulable',
  },
  'extended-resource-name-with-resources': {
    spec: asks('example.com/gpu'),
    objects: [deviceClass(resource), slice('n1', 1)],
    gives: 'n1',
  },
  'extended-resource-one-device-plugin-one-dra': {
    spec: {
      containers: [
        { name: 'c', image: 'a', resources: { limits: { 'example.com/gpu': '1', 'example.com/other': '1' } } },
      ],
    },
    nodes: [node('n1', { more: { 'example.com/other': '1' } })],
    objects: [deviceClass(resource), slice('n1', 1)],
    gives: 'n1',
  },
  'extended-resource-name-with-resources-has-claim': {
    spec: asks('example.com/gpu'),
    objects: [deviceClass(resource), slice('n1', 1), leftover('n1')],
    gives: '1 cannot schedule extended resource claim. deletion of ResourceClaim completed',
  },
  'extended-resource-name-with-resources-delete-claim': {
    spec: asks('example.com/gpu'),
    objects: [deviceClass(resource), slice('n1', 1), leftover('n2')],
    gives: '1 cannot schedule extended resource claim. deletion of ResourceClaim completed',
  },
  'implicit-extended-resource-name-two-containers-with-resources': {
    spec: {
      containers: [
        { name: 'c', image: 'a', resources: { limits: { [implicit]: '1' } } },
        { name: 'd', image: 'a', resources: { limits: { 'example.com/gpu': '2' } } },
      ],
    },
    objects: [deviceClass(resource), slice('n1', 3)],
    gives: 'n1',
  },
  'bound-claim-with-succeeded-binding-conditions': { objects: [bound('c', 'd', 'one', 'two')], gives: 'n1' },
  'bound-claim-with-failed-binding': {
    objects: [bound('c', 'd', 'one', 'two', 'failed')],
    gives: '1 resourceclaim not available on the node. deallocation of ResourceClaim completed',
  },
  'bound-claim-with-timed-out-binding': {
    objects: [bound('c', 'd')],
    gives: '1 resourceclaim not available on the node. deallocation of ResourceClaim completed',
  },
  'bound-claim-with-mixed-binding-conditions': {
    objects: [bound('c', 'd', 'one')],
    gives: '1 resourceclaim not available on the node. deallocation of ResourceClaim completed',
  },
  'multi-claims-binding-conditions-all-success': {
    spec: namesTwo,
    objects: [bound('c', 'd', 'one', 'two'), bound('c2', 'e', 'one', 'two')],
    gives: 'n1',
  },
  'multi-claims-binding-conditions-one-fail': {
    spec: namesTwo,
    objects: [bound('c', 'd', 'one', 'two'), bound('c2', 'e', 'one', 'two', 'failed')],
    gives: '1 resourceclaim not available on the node. deallocation of ResourceClaim completed',
  },
  'single-claim-prioritized-list-scoring': {
    nodes: [node('n1'), node('n2')],
    objects: [
      alternatives('gpu', [healthy, {}]),
      deviceClass(),
      slice('n1', 1, { attributes: { healthy: { bool: false } } }),
      slice('n2', 1),
    ],
    gives: 'n2',
  },
  'multiple-requests-prioritized-list-scoring': {
    nodes: [node('n1'), node('n2')],
    objects: [alternatives('gpu', [{ count: 2 }, {}]), deviceClass(), slice('n1', 1), slice('n2', 2)],
    gives: 'n2',
  },
  'implicit-extended-resource-name-with-resources': {
    spec: asks(implicit, '2'),
    objects: [deviceClass(resource), slice('n1', 2)],
    gives: 'n1',
  },
};

describe('[#40] the plugin of devices as in its tests', () => {
  before(loadDevices);

  for (const [name, { spec = named, status, nodes = [node('n1')], objects, gates = '', gives }] of Object.entries(
    cases,
  )) {
    it(name, () => {
      const switched = gatesOf(gates);
      assert.ok(typeof switched !== 'string');
      const wants = { ...pod('p', { spec }), ...(status && { status }) } as KubeObject;
      const metadata = { ...wants.metadata, uid: 'default/p' };
      const release = withGates(releaseOf('1.36'), switched);
      const decision = decidePod(clusterIn(release, ...nodes, ...objects, { ...wants, metadata }), 'p');
      const message = 'message' in decision ? decision.message : '';
      const told =
        decision.kind === 'fits' ? decision.node : `${message}${JSON.stringify(decision)}`.replaceAll('\\"', '"');
      assert.ok(gives === 'n1' ? told === gives : told.includes(gives), told.slice(0, 600));
    });
  }
});
