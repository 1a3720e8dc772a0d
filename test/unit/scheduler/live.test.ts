import assert from 'node:assert/strict';
import fc from 'fast-check';
import { latestRelease } from '../../../server/src/kubernetes/releases/index.ts';
import { v134 } from '../../../server/src/kubernetes/releases/v1-34.ts';
import {
  readConfiguration,
  replay,
  type Arrival,
  type ClusterState,
  type LiveEvent,
  type LiveOptions,
} from '../../../server/src/scheduler/index.ts';
import { type LiveOutcome, runLive } from './run-live.ts';
import { clusterIn, clusterOf, node, pod, type PodShape } from './cluster-builder.ts';
import { objectsOf, randomCluster, type RandomCluster } from './random-cluster.ts';

interface Run {
  readonly events: readonly LiveEvent[];
  readonly outcome: LiveOutcome;
}

function run(cluster: ClusterState, arrivals: readonly Arrival[] = [], options: LiveOptions = {}): Run {
  const events: LiveEvent[] = [];
  const steps = runLive(cluster, arrivals, options);
  for (;;) {
    const step = steps.next();
    if (step.done === true) return { events, outcome: step.value };
    events.push(step.value);
  }
}

function arrival(at: number, name: string, shape: PodShape = {}, gatesRemovedAt?: number): Arrival {
  return { at, pod: pod(name, shape), gatesRemovedAt };
}

/** `0 scheduled high a` */
function saidOf({ events }: Run): string[] {
  return events.map(({ clock, kind, pod: key, node: on }) =>
    [clock, kind, key.replace('default/', ''), on ?? ''].join(' ').trim(),
  );
}

type Spec = NonNullable<PodShape['spec']>;
const grace = (terminationGracePeriodSeconds: number): Spec => ({ terminationGracePeriodSeconds });
const gated: Spec = { schedulingGates: [{ name: 'example.com/wait' }] };

/** Pods that want nothing but room, of which there is little. */
const crowdedCluster: fc.Arbitrary<RandomCluster> = fc
  .record({
    sizes: fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 4 }),
    running: fc.array(fc.record({ cpu: fc.integer({ min: 1, max: 3 }), priority: fc.nat({ max: 3 }), on: fc.nat() }), {
      maxLength: 12,
    }),
    pending: fc.array(fc.record({ cpu: fc.integer({ min: 1, max: 4 }), priority: fc.nat({ max: 5 }) }), {
      minLength: 1,
      maxLength: 6,
    }),
  })
  .map(({ sizes, running, pending }) => ({
    nodes: sizes.map((cpu, index) => node(`node-${index}`, { cpu })),
    running: running.map(({ cpu, priority, on }, index) =>
      pod(`running-${index}`, { cpu: String(cpu), priority, on: `node-${on % sizes.length}` }),
    ),
    pending: pending.map(({ cpu, priority }, index) => pod(`pending-${index}`, { cpu: String(cpu), priority })),
    budgets: [],
  }));

describe('live scheduling', () => {
  it('[PRE-1] tries pods in order of priority; one that cannot be scheduled holds nobody back', () => {
    const result = run(clusterOf(node('a', { cpu: 2 })), [
      arrival(0, 'low', { cpu: '1' }),
      arrival(0, 'high', { cpu: '1', priority: 2 }),
      arrival(0, 'huge', { cpu: '9', priority: 9 }),
    ]);
    assert.deepEqual(saidOf(result).slice(3, 6), ['0 unschedulable huge', '0 scheduled high a', '0 scheduled low a']);
    assert.equal(result.outcome.ended, 'settled');
  });

  it('[PRE-4] [PRE-5] nominates the preemptor, and places it when the grace period of its victims is over', () => {
    const cluster = clusterOf(node('a', { cpu: 2 }), pod('low', { on: 'a', cpu: '2' }));
    const result = run(cluster, [arrival(5, 'high', { cpu: '1', priority: 10 })]);
    assert.deepEqual(saidOf(result), ['5 arrived high', '5 nominated high a', '35 gone low a', '35 scheduled high a']);
    assert.equal(cluster.pod('default/low')?.terminating, false, 'the given state is not changed');
    assert.equal(result.outcome.cluster.pod('default/high')?.nodeName, 'a');
  });

  it('[PRE-5] goes by the grace period of each victim', () => {
    const cluster = clusterOf(
      node('a', { cpu: 2 }),
      pod('slow', { on: 'a', cpu: '1', spec: grace(60) }),
      pod('quick', { on: 'a', cpu: '1', spec: grace(0) }),
    );
    assert.deepEqual(saidOf(run(cluster, [arrival(0, 'high', { cpu: '2', priority: 10 })])), [
      '0 arrived high',
      '0 nominated high a',
      '0 gone quick a',
      '0 unschedulable high',
      '60 gone slow a',
      '60 scheduled high a',
    ]);
  });

  it('[PRE-14] does not preempt again while victims terminate', () => {
    const cluster = clusterOf(
      node('a', { cpu: 2 }),
      node('b', { cpu: 2 }),
      pod('low-a', { on: 'a', cpu: '2' }),
      pod('low-b', { on: 'b', cpu: '2', priority: 1 }),
      pod('other', {
        on: 'b',
        priority: 1,
        spec: grace(5),
        metadata: { name: 'other', deletionTimestamp: '2026-01-01T00:00:00Z' },
      }),
    );
    const result = run(cluster, [arrival(0, 'high', { cpu: '2', priority: 10 })]);
    const again = result.events.find(({ kind, clock }) => kind === 'unschedulable' && clock === 5);
    assert.match(again?.message ?? '', /not eligible due to a terminating pod on the nominated node\.$/);
    assert.deepEqual(result.events.at(-1)?.preemption, { attempts: 2, victims: 1 });
  });

  it('[PRE-4] [PRE-17] gives the node to a higher pod that arrives meanwhile; the lower nomination goes where it must', () => {
    const arrivals = [arrival(0, 'middle', { cpu: '2', priority: 10 }), arrival(10, 'top', { cpu: '2', priority: 20 })];
    for (const clears of [false, true]) {
      const release = clears ? v134 : latestRelease;
      const cluster = clusterIn(release, node('a', { cpu: 2 }), pod('low', { on: 'a', cpu: '2' }));
      const result = run(cluster, arrivals);
      const nomination = result.events.find(({ kind, pod: key }) => kind === 'nominated' && key === 'default/top');
      const cleared = clears ? ['default/middle'] : [];
      assert.deepEqual([nomination?.clock, nomination?.victims, nomination?.cleared], [10, [], cleared]);
      const places = result.events
        .filter(({ kind }) => kind === 'scheduled')
        .map(({ clock, pod: key }) => [clock, key]);
      assert.deepEqual(places, [[30, 'default/top']]);
      assert.equal(result.outcome.cluster.pod('default/middle')?.nominatedNodeName, '');
    }
  });

  it('[PRE-4] lands elsewhere when room appears on another node', () => {
    const leaving = { name: 'leaving', deletionTimestamp: '2026-01-01T00:00:00Z' };
    const cluster = clusterOf(
      node('a', { cpu: 2 }),
      node('b', { cpu: 2 }),
      pod('low', { on: 'a', cpu: '2' }),
      pod('leaving', { on: 'b', cpu: '2', priority: 99, spec: grace(3), metadata: leaving }),
    );
    const result = run(cluster, [arrival(0, 'high', { cpu: '2', priority: 10 })]);
    const placed = result.events.find(({ kind }) => kind === 'scheduled');
    assert.deepEqual([placed?.clock, placed?.node, placed?.lostNomination], [3, 'b', 'a']);
  });

  it('[PRE-21] writes an event on each victim, and counts attempts and victims', () => {
    const cluster = clusterOf(
      node('a', { cpu: 2 }),
      pod('one', { on: 'a', cpu: '1' }),
      pod('two', { on: 'a', cpu: '1' }),
    );
    const preemptor = arrival(0, 'high', {
      cpu: '2',
      priority: 10,
      metadata: { name: 'high', namespace: 'default', uid: 'uid-7' },
    });
    const nomination = run(cluster, [preemptor]).events.find(({ kind }) => kind === 'nominated');
    assert.deepEqual(
      nomination?.victims.map(({ note }) => note),
      ['Preempted by pod uid-7 on node a', 'Preempted by pod uid-7 on node a'],
    );
    assert.deepEqual(nomination.preemption, { attempts: 1, victims: 2 });
  });

  it('[GATE-1] [GATE-3] [GATE-8] holds a gated pod, counts it, and tries it when its gates are removed', () => {
    const result = run(clusterOf(node('a')), [
      arrival(0, 'held', { spec: gated }, 40),
      arrival(0, 'never', { spec: gated }),
    ]);
    assert.deepEqual(saidOf(result), ['0 gated held', '0 gated never', '40 gates-removed held', '40 scheduled held a']);
    assert.deepEqual(
      result.events.map(({ queues }) => queues.gated),
      [1, 2, 1, 1],
    );
    assert.match(result.events[0]?.message ?? '', /scheduling gates/);
  });

  it('[PRE-20] only waits when preemption is switched off', () => {
    const plugins = { postFilter: { disabled: [{ name: 'DefaultPreemption' }] } };
    const { profiles } = readConfiguration({ profiles: [{ plugins }] }, latestRelease);
    const cluster = clusterOf(node('a', { cpu: 2 }), pod('low', { on: 'a', cpu: '2' }));
    const result = run(cluster, [arrival(0, 'high', { cpu: '1', priority: 10 })], { profiles });
    assert.deepEqual(saidOf(result), ['0 arrived high', '0 unschedulable high']);
  });

  it('[PRE-3] waits with preemptionPolicy Never, ahead of lower pods, and can be preempted', () => {
    const never: Spec = { preemptionPolicy: 'Never' };
    const leaving = { name: 'leaving', deletionTimestamp: '2026-01-01T00:00:00Z' };
    const cluster = clusterOf(
      node('a', { cpu: 1 }),
      pod('leaving', { on: 'a', cpu: '1', spec: grace(20), metadata: leaving }),
    );
    const result = run(cluster, [
      arrival(0, 'lower', { cpu: '1', priority: 1, spec: never }),
      arrival(1, 'polite', { cpu: '1', priority: 5, spec: never }),
      arrival(30, 'pushy', { cpu: '1', priority: 9 }),
    ]);
    assert.deepEqual(
      saidOf(result).filter((line) => / (scheduled|nominated|gone) /.test(line)),
      [
        '20 gone leaving a',
        '20 scheduled polite a',
        '30 nominated pushy a',
        '60 gone polite a',
        '60 scheduled pushy a',
      ],
    );
  });

  it('[PRE-18] retries on the events that can help only, and everybody after five minutes', () => {
    const cluster = clusterOf(node('a', { cpu: 4 }), pod('picky', { spec: { nodeSelector: { disk: 'ssd' } } }));
    const result = run(cluster, [arrival(10, 'other', { cpu: '1' })]);
    assert.deepEqual(saidOf(result), [
      '0 arrived picky',
      '0 unschedulable picky',
      '10 arrived other',
      '10 scheduled other a',
      '330 unschedulable picky',
    ]);
  });

  it('refuses a name that is taken, and leaves pods with spec.nodeName alone', () => {
    const result = run(clusterOf(node('a'), pod('x', { on: 'a' })), [
      arrival(0, 'x'),
      arrival(1, 'direct', { on: 'a' }),
    ]);
    assert.deepEqual(saidOf(result), ['0 refused x', '1 bound direct a']);
    assert.equal(result.events[0]?.message, 'pods "x" already exists');
  });

  it('ends at its bounds', () => {
    const cluster = clusterOf(node('a', { cpu: 2 }), pod('low', { on: 'a', cpu: '2' }));
    const arrivals = [arrival(0, 'high', { cpu: '1', priority: 10 })];
    assert.equal(run(cluster, arrivals, { maxSeconds: 29 }).outcome.ended, 'time');
    assert.equal(run(cluster, arrivals, { maxAttempts: 1 }).outcome.ended, 'attempts');
    assert.equal(run(clusterOf(), [arrival(0, 'lost')]).outcome.ended, 'settled');
  });

  describe('in any cluster', () => {
    interface Scene {
      readonly cluster: RandomCluster;
      readonly times: readonly number[];
      readonly seed: number | undefined;
    }
    const clusters: fc.Arbitrary<Scene> = fc.record({
      cluster: randomCluster,
      times: fc.array(fc.oneof(fc.integer({ min: -5, max: 90 }), fc.constant(NaN)), { minLength: 4, maxLength: 4 }),
      seed: fc.option(fc.nat(), { nil: undefined }),
    });
    const someRuns = { numRuns: 40 };
    const runCluster = ({ cluster, times, seed }: Scene): Run => {
      const state = clusterOf(...objectsOf({ ...cluster, pending: [] }));
      const arrivals = cluster.pending.map((each, index) => ({ pod: each, at: times[index % times.length]! }));
      return run(state, arrivals, { seed });
    };

    it('always settles, and time only goes forward', () => {
      fc.assert(
        fc.property(clusters, (simulated) => {
          const { events, outcome } = runCluster(simulated);
          assert.equal(outcome.ended, 'settled');
          for (const [index, { clock }] of events.entries()) assert.ok(clock >= (events[index - 1]?.clock ?? 0));
        }),
        someRuns,
      );
    });

    it('[PRE-10] no victim has the priority of its preemptor or a higher one', () => {
      fc.assert(
        fc.property(clusters, (simulated) => {
          for (const { priority, victims } of runCluster(simulated).events) {
            for (const victim of victims) assert.ok(victim.priority < priority);
          }
        }),
        someRuns,
      );
    });

    it('tells the same of the same', () => {
      const withoutDecisions = ({ events }: Run): object[] =>
        events.map((event) => ({ ...event, decision: event.decision?.kind }));
      fc.assert(
        fc.property(clusters, (simulated) => {
          assert.deepEqual(withoutDecisions(runCluster(simulated)), withoutDecisions(runCluster(simulated)));
        }),
        someRuns,
      );
    });

    it('takes the decisions of a replay where all grace periods are equal and only room is wanted', () => {
      fc.assert(
        fc.property(crowdedCluster, (cluster) => {
          const state = clusterOf(...objectsOf(cluster));
          const decided = run(state).events.flatMap(({ kind, pod: key, node: on }) =>
            kind === 'scheduled' || kind === 'nominated' ? [`${kind} ${key} ${on ?? ''}`] : [],
          );
          const replayed = [...replay(state)].flatMap((each) =>
            each.result === 'Scheduled' || each.result === 'Nominated'
              ? [`${each.result.toLowerCase()} ${each.pod} ${each.node}`]
              : [],
          );
          assert.deepEqual(decided, replayed);
        }),
        { numRuns: 150 },
      );
    });

    it('loses no pod: each ends on a node, evicted or waiting', () => {
      fc.assert(
        fc.property(clusters, (simulated) => {
          const { events, outcome } = runCluster(simulated);
          const gone = new Set(events.flatMap(({ left }) => left));
          for (const { metadata } of [...simulated.cluster.running, ...simulated.cluster.pending]) {
            const key = `default/${metadata?.name ?? ''}`;
            assert.notEqual(outcome.cluster.pod(key) === undefined, !gone.has(key), key);
          }
        }),
        someRuns,
      );
    });
  });
});
