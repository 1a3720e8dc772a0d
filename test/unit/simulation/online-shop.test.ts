import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { Report } from '../../../server/src/report-model/report.ts';
import { runToEnd } from '../../../server/src/util/steps.ts';
import { simulate } from '../../../server/src/simulation/index.ts';
import { podOf, headlineOf } from './cluster-builder.ts';
import { loadSample } from './load-sample.ts';

describe('samples/online-shop', () => {
  const input = loadSample();
  const report = runToEnd(simulate(input, { kind: 'workspace' }));
  const decisionOf = (name: RegExp) => {
    const pod = report.pods.find((each) => name.test(each.name) && each.decision !== null);
    return report.decisions[pod?.decision ?? -1];
  };
  const nominations = report.steps.filter(({ kind }) => kind === 'nominated');
  const nodeName = (index: number | null | undefined) => report.nodes[index ?? -1]?.name;

  it('has a cluster worth looking at: four nodes and more than 20 running pods, owned by their workloads', () => {
    assert.equal(report.nodes.length, 4);
    const running = report.pods.filter(({ before }) => before.state === 'running');
    assert.ok(running.length >= 20);
    for (const pod of running) assert.notEqual(pod.workload, null, pod.name);
    assert.equal(report.workloads.find(({ name }) => name === 'nightly-report')?.kind, 'CronJob');
  });

  it('[PRE-6, PRE-12] shows a preemption that avoids a budget', () => {
    const decision = report.decisions[nominations[0]?.decision ?? -1];
    assert.equal(nodeName(nominations[0]?.node), 'general-a');
    assert.equal(decision?.decidedBy, 'pdbViolations');
    assert.match(decision.why, /Victims of lower priority \(100 against 1000\) on general-b are spared/);
    assert.deepEqual(
      report.victims.filter(({ node }) => nodeName(node) === 'general-a').map(({ budget }) => budget.state),
      ['none', 'none'],
    );
  });

  it('[PRE-6] shows a preemption that must violate one', () => {
    assert.equal(nodeName(nominations[1]?.node), 'general-b');
    const victim = report.victims.find(({ node }) => nodeName(node) === 'general-b');
    assert.deepEqual(victim?.budget, { state: 'violated', names: ['shop-batch/search-indexer'] });
  });

  it('[PRE-3] shows a pod that never preempts and waits', () => {
    const decision = decisionOf(/^recommender-training/);
    assert.equal(decision?.kind, 'unschedulable');
    assert.match(decision.ineligible, /preemptionPolicy=Never/);
    assert.ok(
      decision.wouldHelp.some((line) => line.startsWith('a class that may preempt: it would evict search-indexer')),
    );
  });

  it('shows a pod that no eviction can help', () => {
    const decision = decisionOf(/^order-history-export/);
    assert.equal(decision?.kind, 'unschedulable');
    assert.ok(!decision.wouldHelp.some((line) => line.includes('evict')));
    assert.deepEqual(decision.wouldHelp[0], 'a node with 16Gi memory: those that it may use have 14Gi at most');
  });

  it('[GATE-1] shows a gated pod and [PRE-1] one that simply fits', () => {
    assert.equal(podOf(report, 'loyalty-migration').after.state, 'gated');
    assert.equal(nodeName(podOf(report, 'orders-db-2').after.node), 'data-a');
  });

  it('[PRE-5] shows grace periods of different lengths on the clock', () => {
    assert.deepEqual([...new Set(report.steps.map(({ clock }) => clock))], [0, 10, 30, 60]);
  });

  it('tells the same of the arrival of checkout as of the whole workspace', () => {
    const arrival = runToEnd(
      simulate(input, { kind: 'workload', workloadKind: 'Deployment', namespace: 'shop', name: 'checkout' }),
    );
    assert.equal(
      headlineOf(arrival),
      'checkout evicts thumbnailer (down), search-indexer and nightly-report and breaks 1 budget; 3 pods stay pending, and 2 did before.',
    );
    const victims = (of: Report) => of.victims.map(({ pod }) => of.pods[pod]?.name);
    assert.deepEqual(victims(arrival), victims(report));
  });

  it('says what it assumed: where nodes and pods come from, and what budgets were derived', () => {
    const texts = report.assumptions.map(({ mark, text }) => `${mark} ${text}`);
    assert.ok(texts.includes('? Kubernetes 1.36, default scheduler profile'));
    assert.ok(texts.includes('= 4 nodes from the manifests'));
    assert.ok(texts.includes('= 26 running pods as declared'));
    assert.ok(
      texts.includes(
        '? allowed disruptions derived for shop/storefront, shop/catalog, shop-batch/search-indexer and shop/orders-db',
      ),
    );
    assert.ok(texts.some((text) => text.startsWith('? not modelled:')));
  });

  it('gives the same report for the same input, survives JSON, and leaves its input alone', () => {
    const frozen = deepFreeze(loadSample());
    const first = JSON.stringify(runToEnd(simulate(frozen, { kind: 'workspace' })));
    const second = JSON.stringify(runToEnd(simulate(frozen, { kind: 'workspace' })));
    assert.equal(first, second);
    assert.deepEqual(JSON.parse(first), JSON.parse(JSON.stringify(report)));
  });

  it('does not depend on the order of the files', () => {
    const reversed = runToEnd(
      simulate({ workspace: input.workspace.toReversed(), snapshot: [] }, { kind: 'workspace' }),
    );
    const told = (of: Report) =>
      of.pods.map(({ name, after }) => `${name} ${after.state} ${of.nodes[after.node ?? -1]?.name ?? ''}`).sort();
    assert.deepEqual(told(reversed), told(report));
    assert.equal(headlineOf(reversed), headlineOf(report));
  });

  it('can be stopped after any decision', () => {
    const steps = simulate(input, { kind: 'workspace' });
    assert.equal(steps.next().done, false);
    assert.deepEqual(steps.return(report), { value: report, done: true });
  });
});

function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const item of Object.values(value)) deepFreeze(item);
  }
  return value;
}
