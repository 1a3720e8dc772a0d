import assert from 'node:assert/strict';
import { withGates } from '../../../server/src/kubernetes/feature-gates.ts';
import type { KubeObject, Pod } from '../../../server/src/kubernetes/objects.ts';
import { v136 } from '../../../server/src/kubernetes/releases/v1-36.ts';
import type { Arrival, ClusterState, LiveEvent } from '../../../server/src/scheduler/index.ts';
import { clusterIn, node, pod, type PodShape } from './cluster-builder.ts';
import { runLive } from './run-live.ts';

/**
 * What the sources of 1.36 say of groups of pods: pkg/scheduler/schedule_one_podgroup.go,
 * framework/plugins/gangscheduling/gangscheduling.go, framework/preemption/podgrouppreemption.go. The tables are read
 * from there; no running scheduler was asked.
 */
const gang = withGates(
  v136,
  new Map([
    ['GenericWorkload', true],
    ['GangScheduling', true],
  ]),
);
const together = withGates(
  v136,
  new Map([
    ['GenericWorkload', true],
    ['GangScheduling', true],
    ['WorkloadAwarePreemption', true],
  ]),
);

function group(name: string, spec: object): KubeObject {
  const metadata = { name, namespace: 'default' };
  return { apiVersion: 'scheduling.k8s.io/v1alpha2', kind: 'PodGroup', metadata, ...{ spec } };
}

const gangOf = (name: string, minCount: number, more: object = {}): KubeObject =>
  group(name, { schedulingPolicy: { gang: { minCount } }, ...more });

function member(name: string, podGroupName: string, shape: PodShape = {}): Pod {
  return pod(name, { ...shape, spec: { ...shape.spec, schedulingGroup: { podGroupName } } });
}

const arrivals = (pods: readonly Pod[]): Arrival[] => pods.map((each) => ({ at: 0, pod: each }));

/** `0 scheduled high a`, with the victims of a nomination. */
function saidOf(cluster: ClusterState, pods: readonly Pod[]): string[] {
  return [...runLive(cluster, arrivals(pods))].map(lineOf);
}

function lineOf({ clock, kind, pod: key, node: on, victims }: LiveEvent): string {
  const evicts = victims.length === 0 ? '' : `-> ${victims.map(({ pod: victim }) => victim.slice(8)).join()}`;
  return [clock, kind, key.slice(8), on ?? '', evicts].filter((each) => each !== '').join(' ');
}

function messages(cluster: ClusterState, pods: readonly Pod[]): Map<string, string> {
  const last = new Map<string, string>();
  for (const event of runLive(cluster, arrivals(pods))) {
    if (event.message !== '') last.set(event.pod.slice(8), event.message);
  }
  return last;
}

describe('pod groups', () => {
  const workers = (count: number, shape: PodShape = {}): Pod[] =>
    Array.from({ length: count }, (_, index) => member(`w${index}`, 'job', { cpu: '2', ...shape }));

  it('[PRE-1] places a gang once all its pods are there, and all of them', () => {
    const cluster = clusterIn(gang, node('a', { cpu: 4 }), node('b', { cpu: 4 }), gangOf('job', 3));
    const lines = saidOf(cluster, workers(3));
    assert.deepEqual(lines.slice(0, 3), ['0 gated w0', '0 gated w1', '0 arrived w2']);
    assert.deepEqual(
      lines.slice(3).map((line) => line.split(' ')[1]),
      ['scheduled', 'scheduled', 'scheduled'],
    );
  });

  it('[PRE-1] places none of a gang of which one fits nowhere', () => {
    const cluster = clusterIn(gang, node('a', { cpu: 4 }), gangOf('job', 3));
    const lines = saidOf(cluster, workers(3));
    assert.equal(lines.filter((line) => line.includes('scheduled') && !line.includes('unschedulable')).length, 0);
    const waits =
      'pod group is unschedulable, waiting for minCount pods from a gang to be scheduled, one or more plugins asked to wait and no plugin rejected pod';
    // The pod that completes the gang is let in first, and so tried first.
    assert.deepEqual(
      messages(cluster, workers(3)),
      new Map([
        ['w0', waits],
        [
          'w1',
          '0/1 nodes are available: 1 Insufficient cpu. no new claims to deallocate, preemption: 0/1 nodes are available: 1 No preemption victims found for incoming pod.',
        ],
        ['w2', waits],
      ]),
    );
  });

  it('[PRE-1] leaves over who has no room where a gang wants fewer, and in a group without a gang', () => {
    for (const own of [gangOf('job', 2), group('job', { schedulingPolicy: { basic: {} } })]) {
      const lines = saidOf(clusterIn(gang, node('a', { cpu: 4 }), own), workers(3));
      assert.equal(lines.filter((line) => line.includes(' scheduled ')).length, 2);
      const over = lines.filter((line) => line.includes('unschedulable')).map((line) => line.split(' ')[2]);
      assert.equal(new Set(over).size, 1);
    }
  });

  it('[PRE-1] holds pods back without their PodGroup, and without enough of them', () => {
    const alone = messages(clusterIn(gang, node('a')), workers(1));
    assert.deepEqual(alone, new Map([['w0', `waiting for pods's pod group "job" to appear in scheduling queue`]]));
    const few = messages(clusterIn(gang, node('a'), gangOf('job', 2)), workers(1));
    assert.deepEqual(few, new Map([['w0', 'waiting for minCount pods from a gang to appear in scheduling queue']]));
  });

  it('[PRE-1] looks at no group where the gate is off', () => {
    const lines = saidOf(clusterIn(v136, node('a', { cpu: 2 }), gangOf('job', 3)), workers(1));
    assert.deepEqual(lines, ['0 arrived w0', '0 scheduled w0 a']);
  });

  it('[PRE-1] counts the pods of a gang that run', () => {
    const running = member('old', 'job', { cpu: '2', on: 'a' });
    const lines = saidOf(clusterIn(gang, node('a', { cpu: 4 }), gangOf('job', 2), running), workers(1));
    assert.deepEqual(lines, ['0 arrived w0', '0 scheduled w0 a']);
  });

  it('[PRE-4] waits whole for the victims of one of its pods, and is placed when they are gone', () => {
    const low = pod('low', { on: 'b', cpu: '2', spec: { terminationGracePeriodSeconds: 5 } });
    const cluster = clusterIn(gang, node('a', { cpu: 2 }), node('b', { cpu: 2 }), gangOf('job', 2), low);
    const lines = saidOf(cluster, workers(2, { priority: 5 }));
    assert.deepEqual(lines.slice(0, 4), ['0 gated w0', '0 arrived w1', '0 nominated w1 a', '0 nominated w0 b -> low']);
    assert.deepEqual(lines.slice(-3), ['5 gone low b', '5 scheduled w1 a', '5 scheduled w0 b']);
  });

  it('[PRE-4] evicts for a pod whose group is then not placed, as 1.36 does', () => {
    const low = pod('low', { on: 'b', cpu: '2', spec: { terminationGracePeriodSeconds: 5 } });
    const cluster = clusterIn(gang, node('b', { cpu: 2 }), gangOf('job', 2), low);
    const lines = saidOf(cluster, workers(2, { priority: 5 }));
    assert.ok(lines.includes('0 nominated w1 b -> low'), lines.join('\n'));
    assert.ok(!lines.some((line) => line.includes(' scheduled ')), lines.join('\n'));
  });

  it('[PRE-4] evicts nobody in vain where groups preempt as a whole', () => {
    const low = pod('low', { on: 'b', cpu: '2' });
    const cluster = clusterIn(together, node('b', { cpu: 2 }), gangOf('job', 2, { priority: 5 }), low);
    const lines = saidOf(cluster, workers(2, { priority: 5 }));
    assert.ok(!lines.some((line) => line.includes('->')), lines.join('\n'));
  });

  it('[PRE-4] evicts for the whole group the fewest of the whole cluster, by the priority of the group', () => {
    const low = (name: string, on: string, priority: number): Pod =>
      pod(name, { on, cpu: '2', priority, spec: { terminationGracePeriodSeconds: 5 } });
    const objects = [
      node('a', { cpu: 2 }),
      node('b', { cpu: 2 }),
      node('c', { cpu: 2 }),
      low('one', 'a', 1),
      low('two', 'b', 2),
      low('three', 'c', 3),
    ];
    const lines = saidOf(clusterIn(together, ...objects, gangOf('job', 2, { priority: 5 })), workers(2));
    assert.ok(
      lines.some((line) => line.endsWith('-> two,one')),
      lines.join('\n'),
    );
    assert.equal(lines.filter((line) => line.includes(' scheduled ')).length, 2);
    // Its pods' own priority does not count.
    const none = saidOf(clusterIn(together, ...objects, gangOf('job', 2)), workers(2, { priority: 9 }));
    assert.ok(!none.some((line) => line.includes('->')), none.join('\n'));
  });

  it('[PRE-4] evicts a group that may only be disrupted whole with all its pods, and last among equals', () => {
    const old = (index: number, on: string): Pod =>
      member(`old${index}`, 'old', { on, cpu: '2', spec: { terminationGracePeriodSeconds: 5 } });
    const cluster = clusterIn(
      together,
      node('a', { cpu: 2 }),
      node('b', { cpu: 2 }),
      gangOf('old', 2, { disruptionMode: 'PodGroup' }),
      gangOf('job', 1, { priority: 5 }),
      old(0, 'a'),
      old(1, 'b'),
    );
    const lines = saidOf(cluster, workers(1));
    assert.ok(
      lines.some((line) => line.endsWith('-> old0,old1')),
      lines.join('\n'),
    );
  });

  it('[PRE-1] tries none of a group whose pods name several schedulers', () => {
    const [one, other] = workers(2);
    const cluster = clusterIn(gang, node('a', { cpu: 8 }), gangOf('job', 2));
    const pods = [one!, { ...other!, spec: { ...other!.spec!, schedulerName: 'other' } }];
    assert.ok(!saidOf(cluster, pods).some((line) => line.includes(' scheduled ')));
  });
});
