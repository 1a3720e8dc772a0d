import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { Overview } from '../../../server/src/report-model/overview.ts';
import type { Unseen, UnseenKind } from '../../../server/src/kubernetes/unseen.ts';
import { runToEnd } from '../../../server/src/util/steps.ts';
import { ArrivalPreviews, simulate, type SimulationInput } from '../../../server/src/simulation/index.ts';
import { overviewOf } from '../../../server/src/simulation/report/overview.ts';
import { unseenGroups } from '../../../server/src/simulation/report/unseen.ts';
import { budget, input, node, pod, podSpec, priorityClass, running, workload } from './cluster-builder.ts';
import { loadSample } from './load-sample.ts';

function overview(of: SimulationInput): Overview {
  return runToEnd(new ArrivalPreviews(of).inCluster(overviewOf));
}

describe('the overview of a workspace', () => {
  it('[#38] ends where the simulation of the workspace ends, and counts who has no node as its headline does', () => {
    const sample = loadSample();
    const { nodes, pods, workloads, answer } = runToEnd(simulate(sample, { kind: 'workspace' }));
    const told = overview(sample);
    const names = nodes.map(({ name }) => name).sort();
    assert.deepEqual(
      told.nodes.rows.map(({ name }) => name),
      names,
    );
    const waits = pods.filter(({ after }) => ['pending', 'nominated', 'gated', 'rejected'].includes(after.state));
    assert.deepEqual(told.waiting, { pending: 5, text: '5 pending · 1 gated' });
    assert.match(answer.headline, /5 pods stay pending/);
    const titles = waits.map(({ workload: index }) => workloads[index ?? -1]!.name);
    assert.deepEqual(told.pending.rows.map(({ name }) => name).sort(), [...new Set(titles)].sort());
    assert.ok(told.pending.rows.every(({ reason }) => reason !== ''));
    const on = (name: string) =>
      pods.filter(({ after }) => after.state === 'running' && nodes[after.node ?? -1]?.name === name).length;
    assert.deepEqual(
      told.nodes.rows.map(({ requested }) => requested['pods']),
      names.map(on),
    );
  });

  it('has the ladder of classes, highest first, with those that nobody declares and the pods without one', () => {
    const { classes } = overview(
      input([
        priorityClass('low', 10, { globalDefault: false, preemptionPolicy: 'Never' }),
        priorityClass('high', 1000),
        node('a', 8),
        workload('Deployment', 'web', 2, podSpec(1, { priorityClassName: 'high' })),
        workload('Deployment', 'asleep', 0, podSpec(1, { priorityClassName: 'high' })),
        pod('plain', 1),
        pod('greedy', 9, { priorityClassName: 'low' }),
      ]),
    );
    assert.deepEqual(
      classes.rows.map(({ name, value, from, pods, workloads }) => [name, value, from, pods, workloads]),
      [
        ['system-node-critical', 2_000_001_000, 'built-in', 0, 0],
        ['system-cluster-critical', 2_000_000_000, 'built-in', 0, 0],
        ['high', 1000, 'workspace', 2, 2],
        ['low', 10, 'workspace', 1, 1],
        ['', 0, 'pods', 1, 1],
      ],
    );
    assert.deepEqual(
      classes.rows[2]!.uses.rows.map(({ name, pods, waiting }) => [name, pods, waiting]),
      [
        ['asleep', 0, 0],
        ['web', 2, 0],
      ],
    );
    assert.deepEqual(
      classes.rows[3]!.uses.rows.map(({ name, waiting }) => [name, waiting]),
      [['greedy', 1]],
    );
    assert.equal(classes.rows[3]!.preempts, false);
  });

  it('[ED-9] says of quotas what is used once everything is deployed, those that are full first', () => {
    const quota = (name: string, hard: Readonly<Record<string, string>>) => ({
      apiVersion: 'v1',
      kind: 'ResourceQuota' as const,
      metadata: { namespace: 'default', name },
      spec: { hard },
    });
    const { quotas, waiting } = overview(
      input([
        node('a', 8),
        quota('roomy', { pods: '20', cpu: '6' }),
        quota('tight', { pods: '2' }),
        workload('Deployment', 'web', 3, podSpec(1)),
      ]),
    );
    assert.deepEqual(
      quotas.rows.map(({ name, limits }) => [name, ...limits.map(({ usage, isFull }) => [usage, isFull])]),
      [
        ['tight', ['pods 2 of 2', true]],
        ['roomy', ['pods 2 of 20', false], ['cpu 2 of 6', false]],
      ],
    );
    assert.deepEqual(waiting, { pending: 0, text: '1 refused' });
  });

  it('says of budgets what they allow and which nodes cannot be drained because of them', () => {
    const labels = { app: 'batch' };
    const rows = (objects: Parameters<typeof input>[0]) =>
      overview(input(objects)).budgets.rows.map(({ name, allowed, pods, desired, blocks }) => {
        return { name, allowed, pods, desired, blocks: blocks.rows };
      });
    const pods = [running('x', 1, 'a', 0, { labels }), running('y', 1, 'b', 0, { labels })];
    const nodes = [node('a', 4), node('b', 4), node('c', 4)];
    assert.deepEqual(rows([...nodes, ...pods, budget('keeps', labels, { minAvailable: 2 })]), [
      { name: 'keeps', allowed: 0, pods: 2, desired: 2, blocks: ['a', 'b'] },
    ]);
    assert.deepEqual(rows([...nodes, ...pods, budget('lets', labels, { minAvailable: 1 })]), [
      { name: 'lets', allowed: 1, pods: 2, desired: 1, blocks: [] },
    ]);
    // The eviction API refuses pods of two budgets, and an empty selector selects every pod of its namespace.
    const all = budget('all', {}, { maxUnavailable: 1, selector: {} });
    assert.deepEqual(rows([...nodes, ...pods, budget('lets', labels, { minAvailable: 1 }), all]), [
      { name: 'all', allowed: 0, pods: 2, desired: 0, blocks: ['a', 'b'] },
      { name: 'lets', allowed: 1, pods: 2, desired: 1, blocks: ['a', 'b'] },
    ]);
  });

  it('does not count what drains leave where it is, or let go', () => {
    const labels = { app: 'agent' };
    const agents = workload('DaemonSet', 'agent', 1, podSpec(1), labels);
    const held = overview(input([node('a', 4), agents, budget('agents', labels, { minAvailable: 1 })]));
    assert.deepEqual(
      held.budgets.rows.map(({ pods, blocks }) => [pods, blocks.rows]),
      [[1, []]],
    );
    const ill = running('ill', 1, 'a', 0, { labels });
    const unready = { ...ill, status: { phase: 'Running', conditions: [{ type: 'Ready', status: 'False' }] } };
    const always = budget('ill', labels, { minAvailable: 1, unhealthyPodEvictionPolicy: 'AlwaysAllow' });
    const free = overview(input([node('a', 4), unready, always]));
    assert.deepEqual(
      free.budgets.rows.map(({ pods, healthy, allowed, blocks }) => [pods, healthy, allowed, blocks.rows]),
      [[1, 0, 0, []]],
    );
  });

  it('tells what waits, is gated and is refused apart, with the words of who said so', () => {
    const { pending } = overview(
      input([
        node('a', 4),
        priorityClass('high', 1000),
        workload('Deployment', 'large', 3, podSpec(3, { priorityClassName: 'high' })),
        pod('gated', 1, { schedulingGates: [{ name: 'example.com/wait' }] }),
        pod('refused', 1, { priorityClassName: 'high', priority: 5 }),
      ]),
    );
    assert.deepEqual(
      pending.rows.map(({ name, state, pods, of }) => [name, state, pods, of]),
      [
        ['large', 'pending', 2, 3],
        ['refused', 'rejected', 1, 1],
        ['gated', 'gated', 1, 1],
      ],
    );
    assert.deepEqual(
      pending.rows.map(({ lacks }) => lacks),
      ['cpu', '', ''],
    );
    assert.match(pending.rows[0]!.reason, /^it asks for 3 cpu; at most 1 cpu free, on a/);
    assert.match(pending.rows[1]!.reason, /the integer value of priority \(5\) must not be provided/);
  });

  it('[ED-5] says of sources that are rendered in part that parts of them are not seen', () => {
    const rest = (name: string) => ({
      kind: 'partial' as const,
      name,
      count: 1,
      why: 'its charts are not here',
      origin: null,
    });
    const whatOf = (...names: readonly string[]) => unseenGroups(names.map(rest)).map(({ what }) => what);
    assert.deepEqual(whatOf('app'), ['parts of app']);
    assert.deepEqual(whatOf('app', 'web'), ['parts of 2 sources']);
  });

  it('[ED-5] [#38] says in a row why something is not seen in as few words as fit beside its name', () => {
    const briefly = (kind: UnseenKind, why: string, more: Partial<Unseen> = {}): string | undefined =>
      unseenGroups([{ kind, name: 'app', count: 1, why, origin: null, ...more }])[0]?.why;
    assert.equal(briefly('source', 'helm is not installed', { lacksTool: 'helm' }), 'helm is missing');
    assert.equal(
      briefly('source', 'neither kubectl nor kustomize is installed', { lacksTool: 'kubectl' }),
      'kubectl is missing',
    );
    const remote = 'its chart app of https://charts.example is not in the workspace, and nothing is fetched unasked';
    assert.equal(briefly('source', remote, { absence: 'not-fetched' }), 'not fetched');
    assert.equal(briefly('source', 'Error: something that helm says at length', { hasFailed: true }), 'failed');
    const values = 'it takes values from ConfigMap web, which is not in the workspace';
    assert.equal(briefly('values', values), 'lacks values');
    assert.equal(briefly('source', 'rendering needs your permission'), 'not rendered');
    const kinds: readonly UnseenKind[] = [
      ...(['source', 'values', 'partial', 'operator', 'part', 'placeholder'] as const),
      ...(['template', 'document', 'encrypted', 'file', 'version'] as const),
    ];
    for (const kind of kinds) {
      const said = briefly(kind, 'a sentence that is longer than a row of the side bar') ?? '';
      assert.ok(said.length > 0 && said.length <= 16, said);
    }
  });

  it('knows a workspace that declares nothing', () => {
    assert.equal(overview(input([])).isEmpty, true);
    assert.equal(overview(input([node('a', 1)])).isEmpty, false);
    assert.equal(overview(input([priorityClass('high', 1)])).isEmpty, false);
  });

  it('has lists with an end, that say how much is past it', () => {
    const many = Array.from({ length: 2500 }, (_, index) => index);
    const objects = [
      node('a', 1),
      ...many.map((index) => priorityClass(`c-${index}`, index)),
      ...many.map((index) => budget(`b-${index}`, { app: `x-${index}` }, { minAvailable: 1 })),
      ...many.map((index) => pod(`p-${index}`, 5, { priorityClassName: 'c-1' })),
    ];
    const { classes, budgets, pending, waiting } = overview(input(objects));
    assert.deepEqual([classes.rows.length, classes.more], [1000, 1502]);
    assert.deepEqual([budgets.rows.length, budgets.more], [1000, 1500]);
    assert.deepEqual([pending.rows.length, pending.more, waiting.text], [1000, 1500, '2,500 pending']);
  });
});
