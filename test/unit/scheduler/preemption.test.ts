import { strict as assert } from 'node:assert';
import { latestRelease } from '../../../server/src/kubernetes/releases/index.ts';
import { defaultProfileOf, replay } from '../../../server/src/scheduler/index.ts';
import { budget, clusterOf, decideFits, decideUnschedulable, node, pod, victimsOf } from './cluster-builder.ts';

describe('preemption', () => {
  it('[PRE-2] evicts as few, and as unimportant, pods as make room', () => {
    const cluster = clusterOf(
      node('n1', { cpu: 2 }),
      pod('a', { on: 'n1', cpu: '500m', priority: 1 }),
      pod('b', { on: 'n1', cpu: '500m', priority: 2 }),
      pod('c', { on: 'n1', cpu: '1', priority: 3 }),
      pod('high', { cpu: '1', priority: 10 }),
    );
    assert.deepEqual(victimsOf(decideUnschedulable(cluster, 'high')), { n1: ['default/b', 'default/a'] });
  });

  it('[PRE-3] leaves the others alone for a pod whose policy is Never, and says so', () => {
    const cluster = clusterOf(
      node('n1', { cpu: 1 }),
      pod('low', { on: 'n1', cpu: '1' }),
      pod('patient', { cpu: '1', priority: 10, spec: { preemptionPolicy: 'Never' } }),
    );
    const { preemption, message } = decideUnschedulable(cluster, 'patient');
    assert.equal(preemption?.eligible, false);
    assert.equal(preemption.ineligibleReason, 'not eligible due to preemptionPolicy=Never.');
    assert.match(message, /no new claims to deallocate, preemption: not eligible due to preemptionPolicy=Never\.$/);
  });

  it('[PRE-3] may preempt a pod whose own policy is Never', () => {
    const cluster = clusterOf(
      node('n1', { cpu: 1 }),
      pod('patient', { on: 'n1', cpu: '1', spec: { preemptionPolicy: 'Never' } }),
      pod('high', { cpu: '1', priority: 10 }),
    );
    assert.deepEqual(victimsOf(decideUnschedulable(cluster, 'high')), { n1: ['default/patient'] });
  });

  it('[PRE-6] takes the node where no budget breaks, though its victim is more important', () => {
    const cluster = clusterOf(
      node('n1', { cpu: 1 }),
      node('n2', { cpu: 1 }),
      pod('guarded', { on: 'n1', cpu: '1', priority: 1, labels: { app: 'db' } }),
      pod('other', { on: 'n2', cpu: '1', priority: 5 }),
      budget('db', { app: 'db' }, 0),
      pod('high', { cpu: '1', priority: 10 }),
    );
    const { choice, candidates } = decideUnschedulable(cluster, 'high').preemption!;
    assert.equal(choice?.node, 'n2');
    assert.equal(choice.decidedBy, 'pdbViolations');
    assert.deepEqual(candidates.get('n1')?.violatedBudgets, ['default/db']);
  });

  it('[PRE-6] breaks a budget when nothing else helps', () => {
    const cluster = clusterOf(
      node('n1', { cpu: 1 }),
      pod('guarded', { on: 'n1', cpu: '1', labels: { app: 'db' } }),
      budget('db', { app: 'db' }, 0),
      pod('high', { cpu: '1', priority: 10 }),
    );
    const candidate = decideUnschedulable(cluster, 'high').preemption?.candidates.get('n1');
    assert.equal(candidate?.pdbViolations, 1);
  });

  it('[PRE-7] knows no candidate where the pod would not fit with all lower pods gone', () => {
    const cluster = clusterOf(
      node('n1', { cpu: 2 }),
      pod('low', { on: 'n1', cpu: '1' }),
      pod('equal', { on: 'n1', cpu: '1', priority: 10 }),
      pod('high', { cpu: '1500m', priority: 10 }),
    );
    const { preemption } = decideUnschedulable(cluster, 'high');
    assert.equal(preemption?.candidates.size, 0);
    assert.deepEqual(preemption.dryRun.get('n1')?.reasons, ['Insufficient cpu']);
  });

  it('[PRE-10] never evicts pods of the same priority', () => {
    const cluster = clusterOf(
      node('n1', { cpu: 1 }),
      pod('equal', { on: 'n1', cpu: '1', priority: 10 }),
      pod('high', { cpu: '1', priority: 10 }),
    );
    assert.equal(
      decideUnschedulable(cluster, 'high').message,
      '0/1 nodes are available: 1 Insufficient cpu. no new claims to deallocate, preemption: 0/1 nodes are available: 1 No preemption victims found for incoming pod.',
    );
  });

  describe('[PRE-11] the choice of the node', () => {
    const high = pod('high', { cpu: '2', priority: 100 });
    const twoNodes = [node('n1', { cpu: 2 }), node('n2', { cpu: 2 })];

    it('prefers the lowest highest victim', () => {
      const cluster = clusterOf(
        ...twoNodes,
        pod('a', { on: 'n1', cpu: '2', priority: 10 }),
        pod('b', { on: 'n2', cpu: '1', priority: 9 }),
        pod('c', { on: 'n2', cpu: '1', priority: 9 }),
        high,
      );
      const choice = decideUnschedulable(cluster, 'high').preemption?.choice;
      assert.deepEqual([choice?.node, choice?.decidedBy], ['n2', 'highestPriority']);
    });

    it('then the lowest sum, so that one victim beats two', () => {
      const cluster = clusterOf(
        ...twoNodes,
        pod('a', { on: 'n1', cpu: '1', priority: 5 }),
        pod('b', { on: 'n1', cpu: '1', priority: -5 }),
        pod('c', { on: 'n2', cpu: '2', priority: 5 }),
        high,
      );
      const choice = decideUnschedulable(cluster, 'high').preemption?.choice;
      assert.deepEqual([choice?.node, choice?.decidedBy], ['n2', 'prioritySum']);
    });

    it('then the latest start of the most important victim', () => {
      const cluster = clusterOf(
        ...twoNodes,
        pod('a', { on: 'n1', cpu: '2', status: { startTime: '2026-01-02T00:00:00Z' } }),
        pod('b', { on: 'n2', cpu: '2', status: { startTime: '2026-01-01T00:00:00Z' } }),
        high,
      );
      const { choice, candidates } = decideUnschedulable(cluster, 'high').preemption!;
      assert.deepEqual([choice?.node, choice?.decidedBy], ['n1', 'latestStart']);
      assert.equal(candidates.get('n2')?.earliestStart, '2026-01-01T00:00:00Z');
    });

    it('returns the whole tie and takes the smallest name, or one drawn by the seed', () => {
      const nodes = ['n1', 'n2', 'n3', 'n4'].map((name) => node(name, { cpu: 2 }));
      const low = nodes.map(({ metadata }) => pod(`low-${metadata!.name}`, { on: metadata!.name!, cpu: '2' }));
      const cluster = clusterOf(...nodes, ...low, high);
      const choice = decideUnschedulable(cluster, 'high').preemption?.choice;
      assert.deepEqual(choice?.nominated, ['n1', 'n2', 'n3', 'n4']);
      assert.deepEqual([choice.node, choice.decidedBy], ['n1', 'tie']);
      const drawn = [1, 2, 3, 4, 5, 6].map(
        (seed) => decideUnschedulable(cluster, 'high', { seed }).preemption?.choice?.node,
      );
      assert.ok(new Set(drawn).size > 1);
    });

    it('draws for each pod by itself', () => {
      const nodes = ['n1', 'n2'].map((name) => node(name, { cpu: 2 }));
      const low = nodes.map(({ metadata }) => pod(`low-${metadata!.name}`, { on: metadata!.name!, cpu: '2' }));
      const others = ['high-a', 'high-b'].map((name) => pod(name, { cpu: '2', priority: 10 }));
      const cluster = clusterOf(...nodes, ...low, ...others);
      const draws = Array.from({ length: 32 }, (_, seed) =>
        ['high-a', 'high-b']
          .map((name) => decideUnschedulable(cluster, name, { seed }).preemption?.choice?.node)
          .join(' '),
      );
      assert.deepEqual([...new Set(draws)].sort(), ['n1 n1', 'n1 n2', 'n2 n1', 'n2 n2']);
    });
  });

  it('[PRE-14] does not preempt again while a victim of its own is still leaving', () => {
    const leaving = pod('low', {
      on: 'n1',
      cpu: '1',
      metadata: { name: 'low', namespace: 'default', deletionTimestamp: '2026-01-01T00:00:00Z' },
      status: {
        conditions: [{ type: 'DisruptionTarget', status: 'True', reason: 'PreemptionByScheduler' }],
      },
    });
    const cluster = clusterOf(
      node('n1', { cpu: 1 }),
      leaving,
      pod('high', { cpu: '1', priority: 10, status: { nominatedNodeName: 'n1' } }),
    );
    assert.equal(
      decideUnschedulable(cluster, 'high').preemption?.ineligibleReason,
      'not eligible due to a terminating pod on the nominated node.',
    );
  });

  it('[PRE-15] tries no node that refuses the pod for good', () => {
    const cluster = clusterOf(
      node('n1', { cpu: 1, spec: { taints: [{ key: 'k', value: 'v', effect: 'NoSchedule' }] } }),
      node('n2', { cpu: 1, labels: { disk: 'hdd' } }),
      pod('low', { on: 'n1', cpu: '1' }),
      pod('high', { cpu: '1', priority: 10, spec: { nodeSelector: { disk: 'ssd' } } }),
    );
    const { preemption, message } = decideUnschedulable(cluster, 'high');
    assert.equal(preemption?.dryRun.size, 0);
    assert.match(message, /2 Preemption is not helpful for scheduling\.$/);
  });

  it('[PRE-16] [PRE-12] spends the budget on the most important victim, so that a higher pod may go before a lower one', () => {
    const cluster = clusterOf(
      node('n1', { cpu: 2 }),
      pod('ten', { on: 'n1', cpu: '1', priority: 10, labels: { app: 'db' } }),
      pod('one', { on: 'n1', cpu: '1', priority: 1, labels: { app: 'db' } }),
      budget('db', { app: 'db' }, 1),
      pod('high', { cpu: '1', priority: 100 }),
    );
    assert.deepEqual(victimsOf(decideUnschedulable(cluster, 'high')), { n1: ['default/ten'] });
  });

  it('[PRE-13] looks at no QoS class', () => {
    const guaranteed = { resources: { requests: { cpu: '1', memory: '1Gi' }, limits: { cpu: '1', memory: '1Gi' } } };
    const cluster = clusterOf(
      node('n1', { cpu: 2 }),
      pod('guaranteed', { on: 'n1', priority: 1, container: guaranteed }),
      pod('burstable', { on: 'n1', cpu: '1', priority: 2 }),
      pod('high', { cpu: '1', priority: 10 }),
    );
    assert.deepEqual(victimsOf(decideUnschedulable(cluster, 'high')), { n1: ['default/guaranteed'] });
  });

  it('[PRE-4] [PRE-17] clears the nomination of a lower pod when a higher one takes the node', () => {
    const cluster = clusterOf(
      node('n1', { cpu: 2 }),
      pod('running', { on: 'n1', cpu: '2', priority: 1 }),
      pod('middle', { cpu: '2', priority: 5, status: { nominatedNodeName: 'n1' } }),
      pod('high', { cpu: '2', priority: 10 }),
    );
    const steps = [...replay(cluster)].map((step) => `${step.pass} ${step.pod} ${step.result}`);
    assert.deepEqual(steps, [
      '1 default/high Nominated',
      '1 default/middle Unschedulable',
      '2 default/high Scheduled',
      '2 default/middle Unschedulable',
      '3 default/middle Unschedulable',
    ]);
  });

  it('[PRE-4] holds the room of a nominated pod free against lower ones only', () => {
    const objects = [
      node('n1', { cpu: 2 }),
      pod('nominated', { cpu: '2', priority: 5, status: { nominatedNodeName: 'n1' } }),
      pod('lower', { cpu: '1', priority: 4 }),
      pod('higher', { cpu: '1', priority: 6 }),
    ];
    const cluster = clusterOf(...objects);
    assert.match(decideUnschedulable(cluster, 'lower').message, /Insufficient cpu/);
    assert.equal(decideFits(cluster, 'higher').node, 'n1');
    assert.deepEqual(decideFits(cluster, 'nominated').best, ['n1']);
  });

  it('[PRE-20] only waits when preemption is switched off', () => {
    const cluster = clusterOf(
      node('n1', { cpu: 1 }),
      pod('low', { on: 'n1', cpu: '1' }),
      pod('high', { cpu: '1', priority: 10 }),
    );
    const postFilter = defaultProfileOf(latestRelease).enabled.postFilter.filter(
      (name) => name !== 'DefaultPreemption',
    );
    const profile = {
      ...defaultProfileOf(latestRelease),
      enabled: { ...defaultProfileOf(latestRelease).enabled, postFilter },
    };
    const { preemption, message } = decideUnschedulable(cluster, 'high', { profiles: [profile] });
    assert.equal(preemption, null);
    assert.equal(message, '0/1 nodes are available: 1 Insufficient cpu. no new claims to deallocate');
  });

  it('[PRI-11] compares priorities as integers, wherever they come from', () => {
    const cluster = clusterOf(
      node('n1', { cpu: 1 }),
      pod('running', { on: 'n1', cpu: '1', priority: 7, spec: { priorityClassName: 'gold' } }),
      pod('new', { cpu: '1', priority: 7, spec: { priorityClassName: 'silver' } }),
    );
    assert.equal(decideUnschedulable(cluster, 'new').preemption?.candidates.size, 0);
  });

  it('says that the answer may vary where the real scheduler stops at some of more than 100 candidates', () => {
    const many = (count: number) => {
      const names = Array.from({ length: count }, (_, i) => `n${i}`);
      return clusterOf(
        ...names.map((name) => node(name, { cpu: 1 })),
        ...names.map((name) => pod(`low-${name}`, { on: name, cpu: '1' })),
        pod('high', { cpu: '1', priority: 10 }),
      );
    };
    assert.equal(decideUnschedulable(many(101), 'high').mayVary, true);
    assert.equal(decideUnschedulable(many(100), 'high').mayVary, false);
  });

  it('[PRE-6] says so too where all of them break a budget: the real scheduler keeps the first hundred', () => {
    const names = Array.from({ length: 101 }, (_, i) => `n${i}`);
    const cluster = clusterOf(
      ...names.map((name) => node(name, { cpu: 1 })),
      ...names.map((name) => pod(`low-${name}`, { on: name, cpu: '1', labels: { app: 'db' } })),
      budget('db', { app: 'db' }, 0),
      pod('high', { cpu: '1', priority: 10 }),
    );
    assert.equal(decideUnschedulable(cluster, 'high').mayVary, true);
  });

  it('[PRE-6] counts budgets of one name once, as the later of them says', () => {
    const cluster = clusterOf(
      node('n1', { cpu: 1 }),
      pod('low', { on: 'n1', cpu: '1', labels: { app: 'db' } }),
      budget('db', { app: 'db' }, 0),
      budget('db', { app: 'db' }, 1),
      pod('high', { cpu: '1', priority: 10 }),
    );
    assert.equal(decideUnschedulable(cluster, 'high').preemption?.candidates.get('n1')?.pdbViolations, 0);
  });
});
