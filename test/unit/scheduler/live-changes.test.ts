import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Node, PersistentVolumeClaim } from '../../../server/src/kubernetes/objects.ts';
import {
  ClusterState,
  clusterObjectsOf,
  decide,
  type Arrival,
  type LiveEvent,
  type PlannedChange,
} from '../../../server/src/scheduler/index.ts';
import { runLive } from './run-live.ts';
import { budget, clusterOf, node, pod, type PodShape } from './cluster-builder.ts';
import { objectsOf, randomCluster } from './random-cluster.ts';

/** `5 scheduled p a`; what is planned besides is left out. */
function saidOf(cluster: ClusterState, planned: readonly (Arrival | PlannedChange)[]): string[] {
  const events: LiveEvent[] = [];
  const run = runLive(cluster, planned, { maxSeconds: 299 });
  for (let next = run.next(); next.done !== true; next = run.next()) events.push(next.value);
  return events
    .filter(({ kind }) => kind !== 'arrived' && kind !== 'changed')
    .map(({ clock, kind, pod: key, node: on }) =>
      [clock, kind, key.replace('default/', ''), on ?? ''].join(' ').trim(),
    );
}

/** The cluster as it is in the end. */
function runToEnd(cluster: ClusterState, planned: readonly (Arrival | PlannedChange)[]): ClusterState {
  const run = runLive(cluster, planned, { maxSeconds: 299 });
  for (;;) {
    const step = run.next();
    if (step.done === true) return step.value.cluster;
  }
}

const nodeAt = (at: number, object: Node): PlannedChange => ({ at, change: { kind: 'Node', object } });
const podAt = (at: number, name: string, shape: PodShape): PlannedChange => ({
  at,
  change: { kind: 'Pod', object: pod(name, shape) },
});
const taint = { key: 'dedicated', effect: 'NoSchedule' } as const;
const toleration = { key: 'dedicated', operator: 'Exists' } as const;

describe('live scheduling while the cluster changes', () => {
  it('[PRE-14] marks the attempt of a pod as one that may vary whose nominated node was closed or went', () => {
    const victim = pod('low', { on: 'a', cpu: '4', spec: { terminationGracePeriodSeconds: 9 } });
    const cluster = clusterOf(node('a'), node('b', { cpu: 1 }), victim, pod('high', { cpu: '4', priority: 5 }));
    const after = (...planned: readonly PlannedChange[]): boolean[] =>
      [...runLive(cluster, planned, { maxSeconds: 299 })]
        .filter(({ pod: key, clock, decision }) => key === 'default/high' && clock > 0 && decision !== null)
        .map(({ decision }) => decision!.mayVary);
    assert.deepEqual(after(), [false]);
    assert.equal(after(nodeAt(5, node('a', { spec: { unschedulable: true } })))[0], true);
    assert.equal(after(nodeAt(5, node('a', { spec: { taints: [taint] } })))[0], true);
    // Other changes of the node race with nothing.
    assert.deepEqual(after(nodeAt(5, node('a', { labels: { x: 'y' } }))), [false]);
  });

  it('[PRE-18] places a pod on a node that is added, if that one can take it', () => {
    const cluster = clusterOf(node('a', { cpu: 1 }), pod('p', { cpu: '2' }));
    assert.deepEqual(saidOf(cluster, [nodeAt(5, node('b', { cpu: 1 })), nodeAt(9, node('c', { cpu: 4 }))]), [
      '0 unschedulable p',
      '9 scheduled p c',
    ]);
    assert.equal(cluster.nodeSet.size, 1, 'the given state is not changed');
  });

  it('[PRE-18] hears that a taint is gone, and that a node is cordoned no longer', () => {
    for (const spec of [{ taints: [taint] }, { unschedulable: true }]) {
      const cluster = clusterOf(node('a', { spec }), pod('p'));
      assert.deepEqual(saidOf(cluster, [nodeAt(5, node('a', { spec, labels: { x: 'y' } })), nodeAt(8, node('a'))]), [
        '0 unschedulable p',
        '8 scheduled p a',
      ]);
    }
  });

  it('[PRE-18] hears of labels that a selector waits for, and of more room', () => {
    const selective = clusterOf(node('a'), pod('p', { spec: { nodeSelector: { disk: 'ssd' } } }));
    assert.deepEqual(
      saidOf(selective, [nodeAt(4, node('a', { cpu: 8 })), nodeAt(6, node('a', { labels: { disk: 'ssd' } }))]),
      ['0 unschedulable p', '6 scheduled p a'],
    );
    const tight = clusterOf(node('a', { cpu: 2 }), pod('p', { cpu: '4' }));
    const grown = [
      nodeAt(4, node('a', { cpu: 2, memory: '99Gi' })),
      nodeAt(5, node('a', { cpu: 3 })),
      nodeAt(6, node('a', { cpu: 4 })),
    ];
    assert.deepEqual(saidOf(tight, grown), ['0 unschedulable p', '6 scheduled p a']);
  });

  it('[PRE-18] hears of a claim, a volume and a class that a pod waits for', () => {
    const claim = (spec: PersistentVolumeClaim['spec']): PersistentVolumeClaim => ({
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      metadata: { name: 'data', namespace: 'default' },
      spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } }, ...spec },
    });
    const wanting = pod('p', { spec: { volumes: [{ name: 'v', persistentVolumeClaim: { claimName: 'data' } }] } });
    const late = { apiVersion: 'storage.k8s.io/v1', kind: 'StorageClass', metadata: { name: 'late' } } as const;
    const planned: PlannedChange[] = [
      {
        at: 3,
        change: {
          kind: 'PersistentVolumeClaim',
          object: { ...claim({}), metadata: { name: 'other', namespace: 'default' } },
        },
      },
      { at: 5, change: { kind: 'PersistentVolumeClaim', object: claim({ storageClassName: 'late' }) } },
      {
        at: 7,
        change: {
          kind: 'StorageClass',
          object: { ...late, provisioner: 'example.com/disk', volumeBindingMode: 'WaitForFirstConsumer' },
        },
      },
    ];
    assert.deepEqual(saidOf(clusterOf(node('a'), wanting), planned), [
      '0 unschedulable p',
      '5 unschedulable p',
      '7 scheduled p a',
    ]);
  });

  it('[PRE-18] hears that a node can attach more volumes', () => {
    const limited = (count: number): PlannedChange => ({
      at: count * 10,
      change: {
        kind: 'CSINode',
        object: {
          apiVersion: 'storage.k8s.io/v1',
          kind: 'CSINode',
          metadata: { name: 'a' },
          spec: { drivers: [{ name: 'example.com/disk', nodeID: 'a', allocatable: { count } }] },
        },
      },
    });
    const objects = ['one', 'two'].flatMap((name) => [
      {
        apiVersion: 'v1',
        kind: 'PersistentVolume',
        metadata: { name },
        spec: {
          accessModes: ['ReadWriteOnce'],
          capacity: { storage: '1Gi' },
          csi: { driver: 'example.com/disk', volumeHandle: name },
          claimRef: { namespace: 'default', name },
        },
      },
      {
        apiVersion: 'v1',
        kind: 'PersistentVolumeClaim',
        metadata: { name, namespace: 'default', annotations: { 'pv.kubernetes.io/bind-completed': 'yes' } },
        spec: { accessModes: ['ReadWriteOnce'], volumeName: name, resources: { requests: { storage: '1Gi' } } },
        status: { phase: 'Bound' },
      },
    ]);
    const using = (claimName: string): PodShape => ({
      spec: { volumes: [{ name: 'v', persistentVolumeClaim: { claimName } }] },
    });
    const cluster = clusterOf(node('a'), ...objects, pod('user', { on: 'a', ...using('one') }));
    const arrival: Arrival = { at: 11, pod: pod('p', using('two')) };
    assert.deepEqual(saidOf(cluster, [limited(1), arrival, limited(2)]), ['11 unschedulable p', '20 scheduled p a']);
  });

  it('[PRE-18] gives a pod that is deleted by hand its grace period, and its room to others then', () => {
    const cluster = clusterOf(
      node('a', { cpu: 1 }),
      pod('old', { on: 'a', cpu: '1', spec: { terminationGracePeriodSeconds: 7 } }),
      pod('p', { cpu: '1' }),
    );
    assert.deepEqual(
      saidOf(cluster, [
        { at: 2, deleted: { kind: 'Pod', key: 'default/old' } },
        { at: 3, deleted: { kind: 'Pod', key: 'default/nobody' } },
      ]),
      ['0 unschedulable p', '2 deleted old a', '9 gone old a', '9 scheduled p a'],
    );
  });

  it('[PRE-17] [PRE-18] frees what was kept for a nominated pod when that one is deleted', () => {
    const cluster = clusterOf(
      node('a', { cpu: 2 }),
      pod('low', { on: 'a', cpu: '1', spec: { terminationGracePeriodSeconds: 90 } }),
      pod('other', { cpu: '1' }),
      pod('high', { cpu: '2', priority: 5 }),
    );
    assert.deepEqual(saidOf(cluster, [{ at: 4, deleted: { kind: 'Pod', key: 'default/high' } }]), [
      '0 nominated high a',
      '0 unschedulable other',
      '4 gone high',
      '4 scheduled other a',
      '90 gone low a',
    ]);
  });

  it('[PRE-18] hears of labels of pods, and of pods that ask for less', () => {
    const requiredDuringSchedulingIgnoredDuringExecution = [
      { topologyKey: 'kubernetes.io/hostname', labelSelector: { matchLabels: { app: 'web' } } },
    ];
    const near = pod('p', { spec: { affinity: { podAffinity: { requiredDuringSchedulingIgnoredDuringExecution } } } });
    assert.deepEqual(
      saidOf(clusterOf(node('a'), pod('x', { on: 'a' }), near), [
        podAt(3, 'x', { on: 'a', labels: { app: 'db' } }),
        podAt(5, 'x', { on: 'a', labels: { app: 'web' } }),
      ]),
      ['0 unschedulable p', '5 scheduled p a'],
    );
    const full = clusterOf(node('a', { cpu: 2 }), pod('x', { on: 'a', cpu: '2' }), pod('p', { cpu: '1' }));
    assert.deepEqual(saidOf(full, [podAt(5, 'x', { on: 'a', cpu: '1' })]), ['0 unschedulable p', '5 scheduled p a']);
  });

  it('[GATE-3] [PRE-18] tries a pod again that tolerates more, asks for less, or has no gates any more', () => {
    const spec = { taints: [taint] };
    const after = (before: PodShape, now: PodShape): string[] =>
      saidOf(clusterOf(node('a', { cpu: 2, spec }), pod('p', before)), [podAt(5, 'p', now)]);
    const tolerating = { spec: { tolerations: [toleration] } };
    assert.deepEqual(after({}, tolerating), ['0 unschedulable p', '5 scheduled p a']);
    assert.deepEqual(after({}, { labels: { x: 'y' } }), ['0 unschedulable p']);
    assert.deepEqual(after({ ...tolerating, cpu: '3' }, { ...tolerating, cpu: '2' }), [
      '0 unschedulable p',
      '5 scheduled p a',
    ]);
    const gated = { spec: { ...tolerating.spec, schedulingGates: [{ name: 'example.com/wait' }] } };
    assert.deepEqual(after(gated, tolerating), ['0 gated p', '5 gates-removed p', '5 scheduled p a']);
  });

  it('[PRE-18] deletes nodes: they count in no message, and who waited for a better spread is tried again', () => {
    const deleted = (at: number, name: string): PlannedChange => ({ at, deleted: { kind: 'Node', key: name } });
    const full = clusterOf(node('a', { cpu: 1 }), node('b', { cpu: 1 }), pod('x', { on: 'b' }), pod('p', { cpu: '2' }));
    const outcome = runToEnd(full, [deleted(5, 'b'), nodeAt(7, node('a', { cpu: 1, labels: { x: 'y' } }))]);
    assert.deepEqual([outcome.nodeSet.size, outcome.pod('default/x')?.nodeName], [1, 'b']);
    const labelSelector = { matchLabels: { app: 'web' } };
    const labels = { app: 'web' };
    const topologySpreadConstraints = [
      { maxSkew: 1, topologyKey: 'kubernetes.io/hostname', whenUnsatisfiable: 'DoNotSchedule', labelSelector },
    ];
    const uneven = clusterOf(
      node('a'),
      node('b', { cpu: 1 }),
      pod('one', { on: 'a', labels }),
      pod('p', { cpu: '2', labels, spec: { topologySpreadConstraints } }),
    );
    assert.deepEqual(saidOf(uneven, [deleted(5, 'b'), deleted(6, 'b')]), ['0 unschedulable p', '5 scheduled p a']);
  });

  it('takes the room of a pod whose node was deleted when that pod is deleted, and finds it when the node is back', () => {
    const cluster = clusterOf(node('a', { cpu: 2 }), pod('x', { on: 'a', cpu: '2' }), pod('p', { cpu: '2' }));
    const gone: PlannedChange = { at: 1, deleted: { kind: 'Node', key: 'a' } };
    const back = nodeAt(5, node('a', { cpu: 2 }));
    assert.deepEqual(saidOf(cluster, [gone, back]), ['0 unschedulable p', '5 unschedulable p']);
    const left: PlannedChange = { at: 2, deleted: { kind: 'Pod', key: 'default/x' } };
    assert.deepEqual(saidOf(cluster, [gone, left, { ...back, at: 40 }]), [
      '0 unschedulable p',
      '2 deleted x a',
      '32 gone x a',
      '32 unschedulable p',
      '40 scheduled p a',
    ]);
  });

  it('[PRE-14] asks a budget for what its status says now, and none that is deleted', () => {
    const labels = { app: 'web' };
    const cluster = clusterOf(
      node('a', { cpu: 2 }),
      node('b', { cpu: 2 }),
      pod('kept', { on: 'a', cpu: '2', labels }),
      pod('other', { on: 'b', cpu: '2', priority: 1 }),
      budget('web', labels, 1),
    );
    const arrival: Arrival = { at: 5, pod: pod('p', { cpu: '2', priority: 10 }) };
    const victim = (planned: readonly (Arrival | PlannedChange)[]): string | undefined =>
      saidOf(cluster, [...planned, arrival]).find((line) => line.includes('gone'));
    const spent: PlannedChange = {
      at: 1,
      change: { kind: 'PodDisruptionBudget', object: budget('web', labels, 0) },
    };
    const deleted: PlannedChange = { at: 2, deleted: { kind: 'PodDisruptionBudget', key: 'default/web' } };
    assert.equal(victim([]), '35 gone kept a');
    assert.equal(victim([spent]), '35 gone other b');
    assert.equal(victim([spent, deleted]), '35 gone kept a');
  });

  it('decides on a node that was put in as on one that was there', () => {
    fc.assert(
      fc.property(randomCluster, fc.boolean(), (cluster, replaced) => {
        const [last, ...others] = cluster.nodes.toReversed();
        const whole = clusterOf(...objectsOf(cluster));
        const before = replaced
          ? [...others.toReversed(), node(last?.metadata?.name ?? '', { cpu: 1 })]
          : others.toReversed();
        const changed = ClusterState.from({ ...clusterObjectsOf(objectsOf(cluster)), nodes: before });
        changed.putNode(last!);
        assert.deepEqual(
          changed.nodeSet.facts.map(({ name }) => name).sort(),
          whole.nodeSet.facts.map(({ name }) => name).sort(),
        );
        for (const pending of cluster.pending) {
          const answer = (state: ClusterState): object => {
            const decision = decide(state, state.arriving(pending));
            if (decision.kind === 'fits') return [decision.node, decision.best, decision.scores?.totals];
            if (decision.kind !== 'unschedulable') return decision;
            return [decision.message, decision.preemption?.choice, decision.preemption?.candidates];
          };
          assert.deepEqual(answer(changed), answer(whole));
        }
      }),
      { numRuns: 60 },
    );
  });
});
