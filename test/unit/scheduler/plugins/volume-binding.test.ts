import { strict as assert } from 'node:assert';
import type { KubeObject } from '../../../../server/src/kubernetes/objects.ts';
import { type ReplayStep, replay } from '../../../../server/src/scheduler/index.ts';
import { clusterOf, decideFits, decideUnschedulable, node } from '../cluster-builder.ts';
import { boundClaim, claim, podUsing, podWith, storageClass, volume } from './volume-objects.ts';

const zone = (value: string): { readonly labels: Readonly<Record<string, string>> } => ({ labels: { zone: value } });
const nodes = [node('n1', zone('a')), node('n2', zone('b'))];
const making = storageClass({ provisioner: 'disk.example.com' });

const noMatch = "node(s) didn't find available persistent volumes to bind";
const noSpace = 'node(s) did not have enough free storage';

describe('VolumeBinding', () => {
  describe('turns a pod down before any node', () => {
    const unbound = 'pod has unbound immediate PersistentVolumeClaims';
    const cases: readonly { readonly why: string; readonly objects: readonly KubeObject[]; readonly reason: string }[] =
      [
        {
          why: 'the claim waits for a volume and its class is immediate',
          objects: [claim('c'), storageClass({ volumeBindingMode: 'Immediate' })],
          reason: unbound,
        },
        { why: 'its class does not exist', objects: [claim('c')], reason: unbound },
        { why: 'it has no class', objects: [claim('c', { className: '' })], reason: unbound },
        {
          why: 'a volume is named but binding never completed',
          objects: [boundClaim('c', 'pv', { annotations: {} }), volume('pv'), storageClass()],
          reason: unbound,
        },
        {
          why: 'the volume is lost',
          objects: [boundClaim('c', 'pv', { phase: 'Lost' })],
          reason: 'persistentvolumeclaim "c" bound to non-existent persistentvolume "pv"',
        },
        {
          why: 'the claim is being deleted',
          objects: [
            boundClaim('c', 'pv', {
              metadata: { name: 'c', namespace: 'default', deletionTimestamp: '2025-01-01T00:00:00Z' },
            }),
            volume('pv'),
          ],
          reason: 'persistentvolumeclaim "c" is being deleted',
        },
      ];
    for (const { why, objects, reason } of cases) {
      it(why, () => {
        const { preFilter, message, preemption } = decideUnschedulable(
          clusterOf(...nodes, ...objects, podUsing('p', ['c'])),
          'p',
        );
        assert.deepEqual(preFilter?.reasons, [reason]);
        assert.equal(preFilter.plugin, 'VolumeBinding');
        assert.equal(preemption, null);
        assert.equal(message, `0/2 nodes are available: ${reason}. not found`);
      });
    }

    it("the claim of an ephemeral volume is not there yet, or is somebody else's", () => {
      const pod = podWith('p', [{ name: 'scratch', ephemeral: {} }]);
      assert.deepEqual(decideUnschedulable(clusterOf(...nodes, pod), 'p').preFilter?.reasons, [
        'waiting for ephemeral volume controller to create the persistentvolumeclaim "p-scratch"',
      ]);
      const foreign = boundClaim('p-scratch', 'pv');
      assert.deepEqual(decideUnschedulable(clusterOf(...nodes, pod, foreign, volume('pv')), 'p').preFilter?.reasons, [
        'PVC default/p-scratch was not created for pod default/p (pod is not owner)',
      ]);
    });
  });

  it('keeps a pod where its bound volume can be reached, and does not preempt elsewhere', () => {
    const cluster = clusterOf(...nodes, boundClaim('c', 'pv'), volume('pv', { on: ['n2'] }), podUsing('p', ['c']));
    const { feasible, refusals } = decideFits(cluster, 'p');
    assert.deepEqual(feasible, ['n2']);
    assert.deepEqual(
      { ...refusals.get('n1') },
      {
        code: 'UnschedulableAndUnresolvable',
        plugin: 'VolumeBinding',
        reasons: ["node(s) didn't match PersistentVolume's node affinity"],
      },
    );
  });

  describe('looks for a volume for a claim that waits for its consumer', () => {
    const wanted = claim('c', { size: '5Gi' });
    const cases: readonly {
      readonly why: string;
      readonly objects: readonly KubeObject[];
      readonly feasible: readonly string[];
    }[] = [
      {
        why: 'takes one that is large enough',
        objects: [wanted, volume('pv', { size: '5Gi' })],
        feasible: ['n1', 'n2'],
      },
      { why: 'passes by one that is too small', objects: [wanted, volume('pv', { size: '4Gi' })], feasible: [] },
      {
        why: 'passes by one of another class',
        objects: [wanted, volume('pv', { size: '5Gi', className: 'other' })],
        feasible: [],
      },
      {
        why: 'passes by one that is not available',
        objects: [wanted, volume('pv', { size: '5Gi', phase: 'Released' })],
        feasible: [],
      },
      {
        why: 'passes by one that others claim',
        objects: [wanted, volume('pv', { size: '5Gi', spec: { claimRef: { namespace: 'default', name: 'x' } } })],
        feasible: [],
      },
      {
        why: 'takes one kept for it, available or not',
        objects: [
          wanted,
          volume('pv', { size: '5Gi', phase: 'Pending', spec: { claimRef: { namespace: 'default', name: 'c' } } }),
        ],
        feasible: ['n1', 'n2'],
      },
      {
        why: 'takes no other while one is kept for it that the node cannot reach',
        objects: [
          wanted,
          volume('kept', { size: '9Gi', on: ['n2'], spec: { claimRef: { namespace: 'default', name: 'c' } } }),
          volume('free', { size: '5Gi' }),
        ],
        feasible: ['n2'],
      },
      {
        why: 'passes by one that lacks an access mode',
        objects: [claim('c', { modes: ['ReadWriteMany'] }), volume('pv')],
        feasible: [],
      },
      {
        why: 'passes by one of another mode',
        objects: [claim('c', { spec: { volumeMode: 'Block' } }), volume('pv')],
        feasible: [],
      },
      {
        why: 'passes by one of another attributes class',
        objects: [claim('c', { spec: { volumeAttributesClassName: 'fast' } }), volume('pv')],
        feasible: [],
      },
      {
        why: 'passes by one that its selector does not want',
        objects: [
          claim('c', { spec: { selector: { matchLabels: { disk: 'ssd' } } } }),
          volume('pv', { labels: { disk: 'hdd' } }),
        ],
        feasible: [],
      },
      {
        why: 'passes by one that is going away',
        objects: [claim('c'), volume('pv', { metadata: { name: 'pv', deletionTimestamp: '2025-01-01T00:00:00Z' } })],
        feasible: [],
      },
      {
        why: 'takes one that only some nodes reach',
        objects: [wanted, volume('pv', { size: '5Gi', on: ['n1'] })],
        feasible: ['n1'],
      },
    ];
    for (const { why, objects, feasible } of cases) {
      it(why, () => {
        const cluster = clusterOf(...nodes, storageClass(), ...objects, podUsing('p', ['c']));
        if (feasible.length > 0) {
          assert.deepEqual(decideFits(cluster, 'p').feasible, feasible);
          return;
        }
        const { refusals } = decideUnschedulable(cluster, 'p');
        assert.deepEqual(refusals.get('n1')?.reasons, [noMatch]);
        assert.equal(refusals.get('n1')?.code, 'UnschedulableAndUnresolvable');
      });
    }

    it('serves the smallest claim first, so that a large volume is not wasted', () => {
      const objects = [
        claim('large', { size: '9Gi' }),
        claim('small', { size: '1Gi' }),
        volume('v10', { size: '10Gi' }),
        volume('v2', { size: '2Gi' }),
      ];
      const cluster = clusterOf(node('n1'), storageClass(), ...objects, podUsing('p', ['large', 'small']));
      const state = finished(replay(cluster));
      assert.equal(state.objects.persistentVolumeClaims.get('default/small')?.spec?.volumeName, 'v2');
      assert.equal(state.objects.persistentVolumeClaims.get('default/large')?.spec?.volumeName, 'v10');
    });

    it('needs one volume for each claim', () => {
      const cluster = clusterOf(
        node('n1'),
        storageClass(),
        claim('a'),
        claim('b'),
        volume('pv'),
        podUsing('p', ['a', 'b']),
      );
      assert.deepEqual(decideUnschedulable(cluster, 'p').refusals.get('n1')?.reasons, [noMatch]);
    });
  });

  describe('lets a volume be made', () => {
    const driver: KubeObject = {
      apiVersion: 'storage.k8s.io/v1',
      kind: 'CSIDriver',
      metadata: { name: 'disk.example.com' },
      ...{ spec: { storageCapacity: true } },
    };
    const capacity = (name: string, zoneOfIt: string, limits: Readonly<Record<string, string>>): KubeObject => ({
      apiVersion: 'storage.k8s.io/v1',
      kind: 'CSIStorageCapacity',
      metadata: { name, namespace: 'kube-system' },
      ...{ storageClassName: 'late', nodeTopology: { matchLabels: { zone: zoneOfIt } }, ...limits },
    });
    const inZoneB = [{ matchLabelExpressions: [{ key: 'zone', values: ['b'] }] }];
    const cases: readonly {
      readonly why: string;
      readonly objects: readonly KubeObject[];
      readonly n1: string | null;
    }[] = [
      { why: 'where a provisioner is', objects: [making], n1: null },
      {
        why: 'only in the topologies of the class',
        objects: [storageClass({ provisioner: 'x', allowedTopologies: inZoneB })],
        n1: noMatch,
      },
      {
        why: 'not where the list of topologies has an empty term only',
        objects: [storageClass({ provisioner: 'x', allowedTopologies: [{}] })],
        n1: noMatch,
      },
      {
        why: 'whatever the capacity while the driver does not ask',
        objects: [making, capacity('b', 'b', { capacity: '1Ti' })],
        n1: null,
      },
      { why: 'where there is capacity', objects: [making, driver, capacity('a', 'a', { capacity: '2Gi' })], n1: null },
      {
        why: 'not where there is none',
        objects: [making, driver, capacity('b', 'b', { capacity: '2Gi' })],
        n1: noSpace,
      },
      {
        why: 'not where no volume may be as large',
        objects: [making, driver, capacity('a', 'a', { capacity: '2Gi', maximumVolumeSize: '1Mi' })],
        n1: noSpace,
      },
      {
        why: 'not where capacity is too small',
        objects: [making, driver, capacity('a', 'a', { capacity: '1Mi' })],
        n1: noSpace,
      },
    ];
    for (const { why, objects, n1 } of cases) {
      it(why, () => {
        const cluster = clusterOf(node('n1', zone('a')), ...objects, claim('c'), podUsing('p', ['c']));
        if (n1 === null) assert.deepEqual(decideFits(cluster, 'p').feasible, ['n1']);
        else assert.deepEqual(decideUnschedulable(cluster, 'p').refusals.get('n1')?.reasons, [n1]);
      });
    }

    it('only on the node that was selected before', () => {
      const selected = claim('c', { annotations: { 'volume.kubernetes.io/selected-node': 'n2' } });
      assert.deepEqual(decideFits(clusterOf(...nodes, making, selected, podUsing('p', ['c'])), 'p').feasible, ['n2']);
    });
  });

  describe('when a pod is bound', () => {
    it('binds its claims, so that the next pod finds the volume taken', () => {
      const objects = [claim('a'), claim('b'), volume('pv', { on: ['n2'] })];
      const cluster = clusterOf(...nodes, storageClass(), ...objects, podUsing('p', ['a']), podUsing('q', ['b']));
      assert.deepEqual(outcomes(replay(cluster)), { 'default/p': 'n2', 'default/q': 'Unschedulable' });
      assert.equal(cluster.objects.persistentVolumeClaims.get('default/a')?.spec?.volumeName, undefined);
    });

    it('keeps the next pod with the same claim where the volume is', () => {
      const objects = [claim('a'), volume('pv', { on: ['n2'] })];
      const cluster = clusterOf(...nodes, storageClass(), ...objects, podUsing('p', ['a']), podUsing('q', ['a']));
      assert.deepEqual(outcomes(replay(cluster)), { 'default/p': 'n2', 'default/q': 'n2' });
    });

    it('keeps the next pod with the same claim where a volume is being made', () => {
      const cluster = clusterOf(...nodes, making, claim('a'), podUsing('p', ['a']), podUsing('q', ['a']));
      assert.deepEqual(outcomes(replay(cluster)), { 'default/p': 'n1', 'default/q': 'n1' });
    });
  });
});

function finished<T>(run: Generator<ReplayStep, T>): T {
  let step = run.next();
  while (step.done !== true) step = run.next();
  return step.value;
}

/** Pod → its node, or why it has none, as the first pass left it. */
function outcomes(run: Iterable<ReplayStep>): Record<string, string> {
  const first = [...run].filter((step) => step.pass === 1);
  return Object.fromEntries(first.map((step) => [step.pod, step.result === 'Scheduled' ? step.node : step.result]));
}
