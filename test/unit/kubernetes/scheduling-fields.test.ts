import { strict as assert } from 'node:assert';
import { describe, it } from 'mocha';
import type { JsonObject } from '../../../server/src/kubernetes/json.ts';
import { captured, stripped, trimmed } from '../../../server/src/kubernetes/scheduling-fields.ts';

describe('what a snapshot keeps of claims', () => {
  it('[PLA-21] is what they ask for and have, without what drivers are handed', () => {
    const opaque = { driver: 'gpu.example.com', parameters: { token: 'secret' } };
    const result = { request: 'r', driver: 'gpu.example.com', pool: 'n1', device: 'gpu-0' };
    const claim = {
      metadata: { name: 'c', namespace: 'a', uid: 'u', annotations: { note: 'x' } },
      spec: { devices: { requests: [{ name: 'r', exactly: { deviceClassName: 'gpu' } }], config: [{ opaque }] } },
      status: {
        allocation: { devices: { results: [result], config: [{ source: 'FromClaim', opaque }] } },
        reservedFor: [{ resource: 'pods', name: 'p', uid: 'p' }],
        devices: [{ driver: 'gpu.example.com', pool: 'n1', device: 'gpu-0', data: { serial: '1' } }],
      },
    };
    assert.deepEqual(stripped(claim, 'resource.k8s.io/v1', 'ResourceClaim'), {
      apiVersion: 'resource.k8s.io/v1',
      kind: 'ResourceClaim',
      metadata: { name: 'c', namespace: 'a', uid: 'u' },
      spec: { devices: { requests: [{ name: 'r', exactly: { deviceClassName: 'gpu' } }] } },
      status: {
        allocation: { devices: { results: [result] } },
        reservedFor: [{ resource: 'pods', name: 'p', uid: 'p' }],
        devices: [{ driver: 'gpu.example.com', pool: 'n1', device: 'gpu-0' }],
      },
    });
  });
});

describe('what a snapshot keeps of volumes and annotations', () => {
  it('[#33] is what tells images and disks apart, and what controllers and autoscalers write for themselves', () => {
    const volumes = [{ name: 'model', image: { reference: 'example.com/model:1', pullPolicy: 'Always' } }];
    const annotations = {
      'controller.kubernetes.io/pod-deletion-cost': '5',
      vpaUpdates: 'cpu',
      'example.com/token': 'x',
    };
    const pod = captured({ metadata: { name: 'a', annotations }, spec: { volumes } }, 'v1', 'Pod');
    assert.deepEqual(pod['spec'], { volumes: [{ name: 'model', image: { reference: 'example.com/model:1' } }] });
    assert.deepEqual(pod['metadata'], {
      name: 'a',
      annotations: { 'controller.kubernetes.io/pod-deletion-cost': '5', vpaUpdates: 'cpu' },
    });
    const conditions = [{ type: 'Progressing', status: 'True', lastUpdateTime: '2026-11-01T08:00:00Z' }];
    const containerStatuses = [{ name: 'a', restartCount: 3 }];
    assert.deepEqual(captured({ metadata: {}, status: { conditions } }, 'apps/v1', 'Deployment')['status'], {
      conditions,
    });
    const running = captured({ metadata: {}, status: { containerStatuses } }, 'v1', 'Pod');
    assert.deepEqual(running['status'], { containerStatuses });
    const azureDisk = { diskName: 'd', diskURI: '/disks/d', cachingMode: 'None' };
    const volume = captured(
      { metadata: { name: 'v' }, spec: { azureDisk, azureFile: { secretName: 's' } } },
      'v1',
      'PersistentVolume',
    );
    assert.deepEqual(volume['spec'], { azureDisk: { diskName: 'd', diskURI: '/disks/d' }, azureFile: {} });
  });
});

describe('what a snapshot keeps of what was applied', () => {
  const env = [{ name: 'TOKEN', value: 'secret' }];
  const spec = {
    replicas: 3,
    template: {
      metadata: { labels: { app: 'web' } },
      spec: {
        nodeSelector: { pool: 'db' },
        schedulerName: 'default-scheduler',
        containers: [
          { name: 'app', image: 'app:1', env, resources: { requests: { cpu: '1' } }, imagePullPolicy: 'Always' },
          { name: 'injected', image: 'proxy:1' },
        ],
      },
    },
  };
  const written = {
    template: {
      metadata: { labels: { app: 'web' } },
      spec: {
        nodeSelector: { pool: 'db' },
        containers: [{ name: 'app', image: 'app:1', env, resources: { requests: { cpu: '1' } } }],
      },
    },
  };
  const kept = {
    template: {
      metadata: { labels: { app: 'web' } },
      spec: {
        nodeSelector: { pool: 'db' },
        containers: [{ name: 'app', image: 'app:1', resources: { requests: { cpu: '1' } } }],
      },
    },
  };
  const noted = 'kubectl.kubernetes.io/last-applied-configuration';
  const stored = (metadata: JsonObject): JsonObject => ({ metadata: { name: 'web', uid: 'u', ...metadata }, spec });
  const appliedIn = (object: JsonObject): unknown => {
    const { metadata } = object as { readonly metadata: { readonly annotations?: Readonly<Record<string, string>> } };
    const text = metadata.annotations?.[noted];
    return text === undefined ? undefined : JSON.parse(text);
  };

  const gates = { schedulingGates: [{ name: 'example.com/wait' }] };

  for (const [how, keep] of Object.entries({ captured, 'read from a file': trimmed })) {
    it(`[#33] is what decides of it, where it was applied by kubectl and is ${how}`, () => {
      const object = stored({ annotations: { [noted]: JSON.stringify({ kind: 'Deployment', spec: written }) } });
      assert.deepEqual(appliedIn(keep(object, 'apps/v1', 'Deployment')), { spec: kept });
      assert.equal(appliedIn(keep(object, 'v1', 'Pod')), undefined);
      const gated = { metadata: { annotations: { [noted]: JSON.stringify({ spec: gates }) } }, spec: gates };
      assert.deepEqual(appliedIn(keep(gated, 'v1', 'Pod')), { spec: gates });
      for (const text of ['{', `{"spec":{"template":${'['.repeat(100_000)}${']'.repeat(100_000)}}}`]) {
        assert.equal(appliedIn(keep(stored({ annotations: { [noted]: text } }), 'apps/v1', 'Deployment')), undefined);
      }
    });

    it(`[#33] is what its managers own, where the server has applied it and it is ${how}`, () => {
      const owned = (fields: JsonObject): JsonObject => ({
        'f:spec': { 'f:template': { 'f:metadata': { 'f:labels': { 'f:app': {} } }, 'f:spec': fields } },
      });
      const container = {
        '.': {},
        'f:name': {},
        'f:image': {},
        'f:env': { '.': {}, 'k:{"name":"TOKEN"}': { '.': {}, 'f:name': {}, 'f:value': {} } },
        'f:resources': {},
      };
      const managedFields = [
        { manager: 'flux', operation: 'Apply', fieldsV1: owned({ 'f:nodeSelector': { 'f:pool': {} } }) },
        {
          manager: 'argocd',
          operation: 'Apply',
          fieldsV1: owned({ 'f:containers': { 'k:{"name":"app"}': container, 'k:{': {}, 'v:"x"': {} } }),
        },
        { manager: 'hpa', operation: 'Update', subresource: 'scale', fieldsV1: { 'f:spec': { 'f:replicas': {} } } },
      ];
      const object = stored({ managedFields });
      assert.deepEqual(appliedIn(keep(object, 'apps/v1', 'Deployment')), { spec: kept });
      const others = stored({ managedFields: managedFields.slice(2) });
      assert.equal(appliedIn(keep(others, 'apps/v1', 'Deployment')), undefined);
      // Helm compares a release with the one before; what others update is nobody's to take away.
      const by = (manager: string): unknown => {
        const updated = managedFields.slice(0, 2).map((each) => ({ ...each, manager, operation: 'Update' }));
        return appliedIn(keep(stored({ managedFields: updated }), 'apps/v1', 'Deployment'));
      };
      assert.deepEqual(
        [by('helm'), by('helm-controller'), by('kubectl-edit')],
        [{ spec: kept }, { spec: kept }, undefined],
      );
    });
  }
});
