import { strict as assert } from 'node:assert';
import type { JsonObject } from '../../../server/src/kubernetes/json.ts';
import type { Report } from '../../../server/src/report-model/report.ts';
import { runToEnd } from '../../../server/src/util/steps.ts';
import { simulate } from '../../../server/src/simulation/index.ts';
import { input, node, placeOf, pod, running, simulated, workload } from './cluster-builder.ts';

function claim(name: string, spec: JsonObject = {}, more: JsonObject = {}): JsonObject {
  return {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { name, namespace: 'default' },
    spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } }, ...spec },
    ...more,
  };
}

function storageClass(name: string, more: JsonObject): JsonObject {
  return {
    apiVersion: 'storage.k8s.io/v1',
    kind: 'StorageClass',
    metadata: { name },
    provisioner: 'd.example.com',
    ...more,
  };
}

const using = (claimName: string): JsonObject => ({ volumes: [{ name: 'v', persistentVolumeClaim: { claimName } }] });
const noted = ({ assumptions }: Report): string[] =>
  assumptions.flatMap(({ text }) => (text.endsWith('served by new volumes') ? [text] : []));

describe('simulate: claims and volumes', () => {
  it('lets the pods of a StatefulSet have volumes for the claims it makes, and says so', () => {
    const set = workload('StatefulSet', 'db', 2, pod('x', 1)['spec'] as JsonObject);
    const spec = { ...(set['spec'] as JsonObject), volumeClaimTemplates: [claim('data')] };
    const report = simulated([node('a', 4), { ...set, spec }]);
    assert.equal(placeOf(report, 'db-1'), 'running on a');
    assert.deepEqual(noted(report), ['2 claims served by new volumes']);
  });

  it('leaves a claim of the cluster as it is, also when a StatefulSet would make it', () => {
    const set = workload('StatefulSet', 'db', 1, pod('x', 1)['spec'] as JsonObject);
    const spec = { ...(set['spec'] as JsonObject), volumeClaimTemplates: [claim('data')] };
    const lost = claim('data-db-0', { volumeName: 'pv' }, { status: { phase: 'Lost' } });
    const report = runToEnd(simulate(input([node('a', 4), { ...set, spec }], [lost]), { kind: 'workspace' }));
    assert.equal(placeOf(report, 'db-0'), 'pending');
  });

  it('[#34] says of a pod with nodeName that nothing binds its claim of a class that waits, the default one too', () => {
    const late = storageClass('late', { volumeBindingMode: 'WaitForFirstConsumer' });
    const usual = {
      ...late,
      metadata: { name: 'late', annotations: { 'storageclass.kubernetes.io/is-default-class': 'true' } },
    };
    const on = { nodeName: 'a', ...using('data') };
    for (const [cls, of] of [
      [late, { storageClassName: 'late' }],
      [usual, {}],
    ] as const) {
      const { answer } = simulated([node('a', 4), cls, claim('data', of), pod('p', 1, on)]);
      assert.match(answer.headline, /1 pod does not start, as nothing makes its volume/);
      const [line] = answer.groups.find(({ kind }) => kind === 'scheduled')?.lines ?? [];
      assert.match(
        line?.details.join() ?? '',
        /claim data waits for its first pod to be scheduled, and nodeName leaves the scheduler out/,
      );
    }
    assert.match(
      simulated([
        node('a', 4),
        late,
        claim('data', { storageClassName: 'late' }),
        pod('p', 1, on),
        pod('q', 1, using('data')),
      ]).answer.headline,
      /^(?!.*does not start)/,
    );
  });

  it('makes the claim of an ephemeral volume with its pod', () => {
    const volumeClaimTemplate = { spec: claim('x')['spec'] as JsonObject };
    const report = simulated([
      node('a', 4),
      pod('p', 1, { volumes: [{ name: 'v', ephemeral: { volumeClaimTemplate } }] }),
    ]);
    assert.equal(placeOf(report, 'p'), 'running on a');
  });

  it('finds volumes that are only written down, and keeps the pod where they are', () => {
    const volume = {
      apiVersion: 'v1',
      kind: 'PersistentVolume',
      metadata: { name: 'disk-b' },
      spec: {
        accessModes: ['ReadWriteOnce'],
        capacity: { storage: '2Gi' },
        storageClassName: 'local',
        local: { path: '/d' },
        nodeAffinity: {
          required: {
            nodeSelectorTerms: [
              { matchExpressions: [{ key: 'kubernetes.io/hostname', operator: 'In', values: ['b'] }] },
            ],
          },
        },
      },
    };
    const local = storageClass('local', {
      provisioner: 'kubernetes.io/no-provisioner',
      volumeBindingMode: 'WaitForFirstConsumer',
    });
    const objects = [node('a', 4), node('b', 4), volume, local, claim('c', { storageClassName: 'local' })];
    const report = simulated([...objects, pod('p', 1, using('c'))]);
    assert.equal(placeOf(report, 'p'), 'running on b');
    assert.deepEqual(noted(report), []);
  });

  it('keeps a claim unbound whose class the cluster does not have', () => {
    const objects = [claim('c', { storageClassName: 'gone' }), pod('p', 1, using('c'))];
    const snapshot = [node('a', 4), storageClass('fast', {}), running('r', 1, 'a', 0)];
    const report = runToEnd(simulate(input(objects, snapshot), { kind: 'workspace' }));
    assert.equal(placeOf(report, 'p'), 'pending');
  });

  it('#34 leaves a pod pending whose claim names a class that is not declared beside others, and names the nearest', () => {
    const objects = [node('a', 4), claim('c', { storageClassName: 'fast-sdd' }), pod('p', 1, using('c'))];
    const report = simulated([...objects, storageClass('fast-ssd', { volumeBindingMode: 'WaitForFirstConsumer' })]);
    assert.equal(placeOf(report, 'p'), 'pending');
    assert.match(report.answer.headline, /there is no StorageClass fast-sdd, which claim c names/);
    const alone = simulated(objects);
    assert.equal(placeOf(alone, 'p'), 'running on a');
    assert.ok(alone.assumptions.some(({ text }) => text === 'StorageClass fast-sdd is assumed to exist'));
  });

  it('makes a volume only where the driver has room for it', () => {
    const waiting = storageClass('late', { volumeBindingMode: 'WaitForFirstConsumer' });
    const driver = {
      apiVersion: 'storage.k8s.io/v1',
      kind: 'CSIDriver',
      metadata: { name: 'd.example.com' },
      spec: { storageCapacity: true },
    };
    const room = {
      apiVersion: 'storage.k8s.io/v1',
      kind: 'CSIStorageCapacity',
      metadata: { name: 'b', namespace: 'kube-system' },
      storageClassName: 'late',
      capacity: '2Gi',
      nodeTopology: { matchLabels: { 'kubernetes.io/hostname': 'b' } },
    };
    const objects = [node('a', 4), node('b', 4), waiting, driver, room, claim('c', { storageClassName: 'late' })];
    assert.equal(placeOf(simulated([...objects, pod('p', 1, using('c'))]), 'p'), 'running on b');
  });

  it('lets pods of one claim run on several nodes, once the first one has got the volume made', () => {
    const waiting = storageClass('late', { volumeBindingMode: 'WaitForFirstConsumer' });
    const objects = [node('a', 4), node('b', 4), waiting, claim('c', { storageClassName: 'late' })];
    const report = simulated([...objects, pod('p', 3, using('c')), pod('q', 3, using('c'))]);
    assert.deepEqual([placeOf(report, 'p'), placeOf(report, 'q')], ['running on a', 'running on b']);
  });
});
