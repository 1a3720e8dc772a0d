import assert from 'node:assert/strict';
import type { WholeReport } from '../../../server/src/report-model/report.ts';
import { runToEnd } from '../../../server/src/util/steps.ts';
import type { JsonObject } from '../../../server/src/kubernetes/json.ts';
import { parseEvent, type ScenarioEvent, simulateEvents } from '../../../server/src/simulation/index.ts';
import { budget, input, node, podSpec, running } from './cluster-builder.ts';

function played(objects: readonly JsonObject[], snapshot: readonly JsonObject[], ...texts: string[]): WholeReport {
  const events = texts.map((text) => parseEvent(text));
  assert.ok(events.every((event): event is ScenarioEvent => !('problem' in event)));
  return runToEnd(simulateEvents(input(objects, snapshot), { kind: 'workspace' }, events));
}

/** `web-0 at 30` for each pod that a drain evicts, drain by drain. */
function evictedBy({ drains, pods }: WholeReport): string[][] {
  return drains.map(({ evicted }) => evicted.map(({ pod, clock }) => `${pods[pod]!.name} at ${clock}`));
}

const replaced = { owner: 'ReplicaSet/web', labels: { app: 'web' } };
const selector = { matchLabels: { app: 'web' } };
const replicaSet = (replicas: number): JsonObject => ({
  apiVersion: 'apps/v1',
  kind: 'ReplicaSet',
  metadata: { name: 'web', namespace: 'default' },
  spec: { replicas, selector, template: { metadata: { labels: { app: 'web' } }, spec: podSpec(1) } },
});

describe('[EVI-2] budgets while a cluster is in motion', () => {
  const nodes = ['a', 'b', 'c'].map((name) => node(name, 2));
  const web = ['a', 'b', 'c'].map((name) => running(`web-${name}`, 1, name, 0, replaced));

  it('are shared by drains that run at the same time', () => {
    const keepsTwo = budget('web', { app: 'web' }, { minAvailable: 2 });
    const cluster = [...nodes, replicaSet(3), ...web];
    const report = played([keepsTwo], cluster, 'drain node/a --force at 0s', 'drain node/b --force at 0s');
    // The second goes as soon as the replacement of the first runs, and asks every five seconds.
    assert.deepEqual(evictedBy(report), [['web-a at 0'], ['web-b at 5']]);
  });

  it('are charged once for a pod that two drains want to evict', () => {
    const keepsTwo = budget('web', { app: 'web' }, { minAvailable: 2 });
    const cluster = [...nodes, replicaSet(3), ...web];
    const report = played([keepsTwo], cluster, 'drain node/a --force', 'drain node/a --force at 0s');
    assert.deepEqual(evictedBy(report), [['web-a at 0'], []]);
    assert.equal(report.answer.balance.evicted, 1);
  });

  it('that select one pod together refuse it for good, whatever they allow', () => {
    const both = ['one', 'two'].map((name) => budget(name, { app: 'web' }, { maxUnavailable: 3 }));
    const report = played(both, [...nodes, replicaSet(3), ...web], 'drain node/a --force at 1s');
    assert.deepEqual(evictedBy(report), [[]]);
    const [drain] = report.drains;
    assert.deepEqual(
      drain!.failed.map(({ pod }) => report.pods[pod]!.name),
      ['web-a'],
    );
  });

  it('with a status go on from it, and count who else has left', () => {
    const status = { disruptionsAllowed: 1, currentHealthy: 3, desiredHealthy: 2, expectedPods: 3 };
    const keepsTwo = budget('web', { app: 'web' }, { minAvailable: 2 }, status);
    // Nowhere is there room for a replacement.
    const full = [...nodes.map((each) => structuredClone(each)), replicaSet(3), keepsTwo];
    const fillers = ['a', 'b', 'c'].map((name) => running(`filler-${name}`, 1, name, 0));
    const report = played([], [...full, ...web, ...fillers], 'remove node/c', 'drain node/b --force');
    const [drain] = report.drains;
    assert.deepEqual(evictedBy(report), [['filler-b at 0']]);
    assert.deepEqual(
      drain!.blocked.map(({ pod }) => report.pods[pod]!.name),
      ['web-b'],
    );
  });

  for (const [when, at] of [
    ['before', 1],
    ['while', 31],
  ] as const) {
    it(`with a status count whoever leaves ${when} it is asked`, () => {
      const status = { disruptionsAllowed: 1, currentHealthy: 3, desiredHealthy: 2, expectedPods: 3 };
      const keepsTwo = budget('web', { app: 'web' }, { minAvailable: 2 }, status);
      const stays = running('stays', 1, 'b', 0, { spec: { terminationGracePeriodSeconds: 60 } });
      const fillers = ['a', 'c'].map((name) => running(`filler-${name}`, 1, name, 0));
      const cluster = [...nodes, replicaSet(3), keepsTwo, ...web, stays, ...fillers];
      const report = played(
        [],
        cluster,
        `remove node/c at ${at}s`,
        'drain node/a --force at 30s',
        'drain node/b --force at 40s',
      );
      const [first, second] = evictedBy(report);
      // A third of them may go at 30 s only where node c still has its own.
      assert.equal(first!.includes('web-a at 30'), when === 'while');
      assert.equal(
        second!.some((each) => each.startsWith('web-b')),
        false,
      );
    });
  }

  it('with a status allow more once a workload has more pods that run', () => {
    const status = { disruptionsAllowed: 0, currentHealthy: 3, desiredHealthy: 3, expectedPods: 3 };
    const keepsThree = budget('web', { app: 'web' }, { minAvailable: 3 }, status);
    const drains = 'drain node/a --force';
    const blocked = played([], [...nodes, replicaSet(3), keepsThree, ...web], drains);
    assert.equal(blocked.drains[0]!.evicted.length, 0);
    const scaled = played([], [...nodes, replicaSet(3), keepsThree, ...web], 'scale replicaset/web 4', drains);
    assert.notEqual(scaled.drains[0]!.drainedAt, null);
  });
});
