import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Pod } from '../../../server/src/kubernetes/objects.ts';
import { defaultPluginArgs, SchedulingQueue, type PodInfo } from '../../../server/src/scheduler/index.ts';
import { Heap } from '../../../server/src/scheduler/queue/heap.ts';
import type { Behaviours } from '../../../server/src/kubernetes/release.ts';
import { latestRelease, releaseOf } from '../../../server/src/kubernetes/releases/index.ts';
import { mayHelp } from '../../../server/src/scheduler/queue/queueing-hints.ts';
import { clusterOf, decideUnschedulable, node, pod, type PodShape } from './cluster-builder.ts';

const empty = clusterOf();
const fit: ReadonlySet<string> = new Set(['NodeResourcesFit']);
const everything = (): boolean => true;

function waiting(name: string, shape: PodShape = {}): PodInfo {
  return empty.arriving(pod(name, shape));
}

/** Takes the next pod and says that it fits nowhere. */
function fail(queue: SchedulingQueue, now: number, rejectedBy = fit): string | undefined {
  const next = queue.pop();
  if (next !== undefined) queue.addUnschedulable(next.pod, rejectedBy, now);
  return next?.pod.name;
}

describe('scheduling queue', () => {
  it('[PRE-1] goes by priority, then by time in the queue, and a pod that fails holds nobody back', () => {
    const queue = new SchedulingQueue();
    queue.add(waiting('low', { priority: 1 }), 0);
    queue.add(waiting('early', { priority: 5 }), 1);
    queue.add(waiting('late', { priority: 5 }), 2);
    assert.deepEqual(
      [fail(queue, 2), fail(queue, 2), fail(queue, 2), fail(queue, 2)],
      ['early', 'late', 'low', undefined],
    );
  });

  it('[PRE-18] puts a pod that failed behind newcomers of its priority', () => {
    const queue = new SchedulingQueue();
    queue.add(waiting('first'), 0);
    queue.add(waiting('newcomer'), 0);
    fail(queue, 1);
    queue.move(everything, everything, 9);
    assert.deepEqual([queue.pop()?.pod.name, queue.pop()?.pod.name], ['newcomer', 'first']);
  });

  it('takes pods of one moment and priority in the order in which they came, whatever their names and ages', () => {
    const queue = new SchedulingQueue();
    queue.add(waiting('z', { metadata: { name: 'z', creationTimestamp: '2026-01-02T00:00:00Z' } }), 0);
    queue.add(waiting('a', { metadata: { name: 'a', creationTimestamp: '2026-01-01T00:00:00Z' } }), 0);
    assert.deepEqual([fail(queue, 0), fail(queue, 0)], ['z', 'a']);
    queue.move(everything, everything, 9);
    assert.deepEqual([queue.pop()?.pod.name, queue.pop()?.pod.name], ['z', 'a']);
  });

  it('[PRE-18] [GATE-8] counts the pods in each part', () => {
    const queue = new SchedulingQueue();
    queue.addGated(waiting('gated'), 0);
    queue.add(waiting('active', { priority: -1 }), 0);
    queue.add(waiting('failing'), 0);
    queue.add(waiting('moved', { priority: 1 }), 0);
    fail(queue, 0);
    queue.move(everything, everything, 0);
    fail(queue, 0);
    assert.deepEqual(queue.counts(), { active: 1, backoff: 1, unschedulable: 1, gated: 1 });
  });

  it('[GATE-3] tries a pod at once when its gates are removed', () => {
    const queue = new SchedulingQueue();
    const gated = waiting('gated');
    queue.addGated(gated, 0);
    assert.equal(queue.pop(), undefined);
    queue.openGates(gated, 100);
    assert.deepEqual(queue.counts(), { active: 1, backoff: 0, unschedulable: 0, gated: 0 });
    assert.equal(queue.pop()?.pod, gated);
  });

  it('[PRE-18] doubles the back-off from 1 to 10 seconds, cut to whole seconds', () => {
    const queue = new SchedulingQueue();
    queue.add(waiting('pod'), 0);
    const ends: (number | null)[] = [];
    for (let i = 0; i < 6; i++) {
      fail(queue, 100.7);
      queue.move(everything, everything, 100.7);
      ends.push(queue.nextFlush(everything));
    }
    // It is tried again when the second of its expiry is over.
    assert.deepEqual(ends, [102, 103, 105, 109, 111, 111]);
  });

  it('[PRE-18] moves a pod out of back-off when the second of its expiry is over', () => {
    const queue = new SchedulingQueue();
    queue.add(waiting('pod'), 0);
    fail(queue, 0);
    queue.move(everything, everything, 0);
    queue.flush(1.9);
    assert.equal(queue.counts().backoff, 1);
    queue.flush(2);
    assert.equal(queue.counts().active, 1);
  });

  it('[PRE-18] takes the next pod out of back-off early when nothing is active, but not one that failed with an error', () => {
    const queue = new SchedulingQueue();
    queue.add(waiting('a'), 0);
    queue.add(waiting('b', { priority: 1 }), 0);
    fail(queue, 0);
    fail(queue, 0);
    queue.move(everything, everything, 0);
    assert.deepEqual([queue.pop()?.pod.name, queue.pop()?.pod.name], ['b', 'a']);
    queue.addUnschedulable(waiting('a'), new Set(), 0);
    assert.equal(queue.counts().backoff, 1);
    assert.equal(queue.pop(), undefined);
    queue.flush(2);
    assert.equal(queue.pop()?.pod.name, 'a');
  });

  it('[PRE-18] leaves nobody waiting for an event longer than five minutes, checked every 30 seconds', () => {
    const queue = new SchedulingQueue();
    queue.add(waiting('pod'), 0);
    fail(queue, 7);
    assert.equal(queue.nextFlush(everything), 330);
    queue.flush(329);
    assert.equal(queue.counts().unschedulable, 1);
    queue.flush(330);
    assert.equal(queue.counts().active, 1);
  });

  it('is a heap whatever goes in and out', () => {
    const steps = fc.array(fc.record({ value: fc.nat({ max: 50 }), out: fc.boolean() }), { maxLength: 200 });
    fc.assert(
      fc.property(steps, (all) => {
        const heap = new Heap<number>((a, b) => a - b);
        const model = new Set<number>();
        for (const { value, out } of all) {
          if (out) {
            assert.equal(heap.delete(value), model.delete(value));
          } else {
            heap.push(value);
            model.add(value);
          }
          assert.equal(heap.peek(), model.size === 0 ? undefined : Math.min(...model));
        }
      }),
    );
  });
});

describe('rejectors', () => {
  it('[PRE-18] are the plugins that refused a node, and those that narrowed the nodes down', () => {
    const affinity = (name: string): NonNullable<PodShape['spec']> => ({
      affinity: {
        nodeAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: {
            nodeSelectorTerms: [{ matchFields: [{ key: 'metadata.name', operator: 'In', values: [name] }] }],
          },
        },
      },
    });
    const cluster = clusterOf(
      node('a', { cpu: 1 }),
      node('b', { spec: { taints: [{ key: 'x', effect: 'NoSchedule' }] } }),
      pod('any', { cpu: '2' }),
      pod('pinned', { cpu: '2', spec: affinity('a') }),
    );
    assert.deepEqual([...decideUnschedulable(cluster, 'any').rejectedBy].sort(), [
      'NodeResourcesFit',
      'TaintToleration',
    ]);
    assert.deepEqual([...decideUnschedulable(cluster, 'pinned').rejectedBy].sort(), [
      'NodeAffinity',
      'NodeResourcesFit',
    ]);
  });

  it('are none without nodes', () => {
    assert.equal(decideUnschedulable(clusterOf(pod('lost')), 'lost').rejectedBy.size, 0);
  });
});

describe('queueing hints', () => {
  const cluster = clusterOf(node('a'));

  function helps(
    plugin: string,
    wanted: Pod,
    kind: 'podAdded' | 'podDeleted',
    other: Pod,
    behaviours: Behaviours = latestRelease.behaviours,
  ): boolean {
    const context = { cluster, args: defaultPluginArgs, behaviours };
    return mayHelp(new Set([plugin]), cluster.arriving(wanted), { kind, pod: cluster.arriving(other) }, context);
  }

  it('[PRE-18] a pod that leaves helps against lack of resources, one that comes does not', () => {
    assert.equal(helps('NodeResourcesFit', pod('w'), 'podDeleted', pod('x', { on: 'a' })), true);
    assert.equal(helps('NodeResourcesFit', pod('w'), 'podAdded', pod('x', { on: 'a' })), false);
  });

  it('[PRE-18] no pod helps against taints, selectors or names', () => {
    for (const plugin of ['TaintToleration', 'NodeAffinity', 'NodeName', 'NodeUnschedulable']) {
      assert.equal(helps(plugin, pod('w'), 'podDeleted', pod('x', { on: 'a' })), false);
    }
  });

  it('[PRE-18] a plugin that is not known hears of everything', () => {
    assert.equal(helps('Coscheduling', pod('w'), 'podAdded', pod('x', { on: 'a' })), true);
  });

  it('[PRE-18] host ports are freed only by the pod that held them', () => {
    const holds = (hostPort: number): PodShape => ({ container: { ports: [{ containerPort: 80, hostPort }] } });
    assert.equal(helps('NodePorts', pod('w', holds(80)), 'podDeleted', pod('x', { on: 'a', ...holds(80) })), true);
    assert.equal(helps('NodePorts', pod('w', holds(80)), 'podDeleted', pod('x', { on: 'a', ...holds(81) })), false);
    const nominated = pod('x', { ...holds(80), status: { nominatedNodeName: 'a' } });
    assert.equal(helps('NodePorts', pod('w', holds(80)), 'podDeleted', nominated), true, 'room was kept for it');
  });

  it('[PRE-18] spread is changed only by pods that the selector counts', () => {
    const labelSelector = { matchLabels: { app: 'web' } };
    const topologySpreadConstraints = [
      { maxSkew: 1, topologyKey: 'zone', whenUnsatisfiable: 'DoNotSchedule', labelSelector },
    ];
    const wanted = pod('w', { spec: { topologySpreadConstraints } });
    assert.equal(helps('PodTopologySpread', wanted, 'podAdded', pod('x', { on: 'a', labels: { app: 'web' } })), true);
    assert.equal(helps('PodTopologySpread', wanted, 'podDeleted', pod('x', { on: 'a', labels: { app: 'db' } })), false);
    const elsewhere = pod('x', { on: 'a', metadata: { name: 'x', namespace: 'other', labels: { app: 'web' } } });
    assert.equal(helps('PodTopologySpread', wanted, 'podAdded', elsewhere), false);
  });

  it('[PRE-18] affinity waits for pods that come, anti-affinity for pods that go', () => {
    const terms = {
      requiredDuringSchedulingIgnoredDuringExecution: [
        { topologyKey: 'zone', labelSelector: { matchLabels: { app: 'web' } } },
      ],
    };
    const near = pod('w', { spec: { affinity: { podAffinity: terms } } });
    const away = pod('w', { spec: { affinity: { podAntiAffinity: terms } } });
    const web = pod('x', { on: 'a', labels: { app: 'web' } });
    assert.deepEqual(
      [helps('InterPodAffinity', near, 'podAdded', web), helps('InterPodAffinity', near, 'podDeleted', web)],
      [true, false],
    );
    assert.deepEqual(
      [helps('InterPodAffinity', away, 'podAdded', web), helps('InterPodAffinity', away, 'podDeleted', web)],
      [false, true],
    );
  });

  it('[PRE-18] hears that a pod is gone which kept it away, where the minor does', () => {
    const labelSelector = { matchLabels: { app: 'web' } };
    const requiredDuringSchedulingIgnoredDuringExecution = [{ topologyKey: 'zone', labelSelector }];
    const hermit = pod('x', {
      on: 'a',
      spec: { affinity: { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution } } },
    });
    const web = pod('w', { labels: { app: 'web' } });
    const deaf = { ...latestRelease.behaviours, hintsSeeAntiAffinityOfOthers: false };
    assert.equal(helps('InterPodAffinity', web, 'podDeleted', hermit), true);
    assert.equal(helps('InterPodAffinity', web, 'podDeleted', hermit, deaf), false);
  });

  it('[PRE-18] (#41) hears that one of several pods is gone which it keeps away from, from 1.37 on', () => {
    const term = (app: string) => ({ topologyKey: 'zone', labelSelector: { matchLabels: { app } } });
    const requiredDuringSchedulingIgnoredDuringExecution = [term('web'), term('db')];
    const affinity = { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution } };
    const away = pod('w', { spec: { affinity } });
    const web = pod('x', { on: 'a', labels: { app: 'web' } });
    assert.equal(helps('InterPodAffinity', away, 'podDeleted', web), false);
    assert.equal(helps('InterPodAffinity', away, 'podDeleted', web, releaseOf('1.37').behaviours), true);
  });

  it('[PRE-17] [PRE-18] counts pods that are only nominated, where the minor does', () => {
    const labelSelector = { matchLabels: { app: 'web' } };
    const requiredDuringSchedulingIgnoredDuringExecution = [{ topologyKey: 'zone', labelSelector }];
    const affinity = { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution } };
    const away = pod('w', { spec: { affinity } });
    const nominated = pod('x', { labels: { app: 'web' }, status: { nominatedNodeName: 'a' } });
    const blind = { ...latestRelease.behaviours, hintsSeeNominatedPods: false };
    assert.equal(helps('InterPodAffinity', away, 'podDeleted', nominated), true);
    assert.equal(helps('InterPodAffinity', away, 'podDeleted', nominated, blind), false);
  });

  it('[PRE-18] every change of taints helps who registers for new nodes and not for taints', () => {
    const before = cluster.node('a')!.facts;
    const event = { kind: 'nodeChanged', change: 'taints', before, node: before } as const;
    const context = { cluster, args: defaultPluginArgs, behaviours: latestRelease.behaviours };
    const told = (plugin: string): boolean =>
      mayHelp(new Set([plugin]), cluster.arriving(pod('w', { cpu: '64' })), event, context);
    const deaf = ['TaintToleration', 'NodeUnschedulable', 'NodeVolumeLimits', 'PodTopologySpread'];
    const woken = [
      'NodeResourcesFit',
      'NodeAffinity',
      'NodeName',
      'NodePorts',
      'InterPodAffinity',
      'VolumeBinding',
      'VolumeZone',
      'VolumeRestrictions',
    ];
    assert.deepEqual([...woken, ...deaf].filter(told), woken);
  });

  it('[PRE-18] a claim for one pod at a time is freed by its user', () => {
    const uses = (claimName: string): PodShape => ({
      spec: { volumes: [{ name: 'v', persistentVolumeClaim: { claimName } }] },
    });
    const user = (claimName: string): Pod => pod('x', { on: 'a', ...uses(claimName) });
    assert.equal(helps('VolumeRestrictions', pod('w', uses('data')), 'podDeleted', user('data')), true);
    assert.equal(helps('VolumeRestrictions', pod('w', uses('data')), 'podDeleted', user('logs')), false);
    assert.equal(helps('NodeVolumeLimits', pod('w', uses('data')), 'podDeleted', user('logs')), true);
    assert.equal(helps('NodeVolumeLimits', pod('w', uses('data')), 'podDeleted', pod('x', { on: 'a' })), false);
  });
});
