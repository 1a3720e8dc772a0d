import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { WholeReport } from '../../../server/src/report-model/report.ts';
import { isReport } from '../../../server/src/report-model/report.ts';
import { runToEnd } from '../../../server/src/util/steps.ts';
import type { JsonObject } from '../../../server/src/kubernetes/json.ts';
import { compareRuns, parseEvent, type ScenarioEvent, simulateEvents } from '../../../server/src/simulation/index.ts';
import { budget, input, node, podSpec, priorityClass, workload } from './cluster-builder.ts';

const runs = 120;
const nodes = ['a', 'b', 'c'];
const scaled = ['deployment/web', 'deployment/big', 'statefulset/db', 'deployment/held', 'deployment/late', 'rc/old'];
const owners = [...scaled, 'daemonset/agent', 'job/batch', 'cronjob/nightly'];
const least = 2;

const drain = (name: string): string => `drain node/${name} --force --ignore-daemonsets --delete-emptydir-data`;

const operation = fc.oneof(
  fc
    .tuple(fc.constantFrom(...nodes), fc.constantFrom('', ' --disable-eviction', ' --grace-period=0'))
    .map(([name, flag]) => `${drain(name)}${flag}`),
  fc.constantFrom(...nodes).map((name) => `cordon node/${name}`),
  fc.constantFrom(...nodes).map((name) => `uncordon node/${name}`),
  fc.constantFrom(...nodes).map((name) => `remove node/${name}`),
  fc.constantFrom(...nodes).map((name) => `taint node/${name} x=y:NoExecute`),
  fc.constantFrom(...nodes).map((name) => `taint node/${name} x-`),
  fc.constantFrom('add 1 node like a', 'add 2 nodes 2:8Gi', 'budget pdb/default/web minAvailable=1'),
  fc.tuple(fc.constantFrom(...scaled), fc.nat(4)).map(([owner, replicas]) => `scale ${owner} ${replicas}`),
  fc.constantFrom(...owners).map((owner) => `priority ${owner} high`),
  fc.constantFrom(...owners).map((owner) => `request ${owner} cpu=1500m`),
  fc.constantFrom(...owners).map((owner) => `request ${owner} cpu=200m`),
  fc.constantFrom(...scaled).map((owner) => `unready ${owner}`),
  fc.constantFrom(...nodes).map((name) => `fail node/${name}`),
  fc.constantFrom(...owners).map((owner) => `delete ${owner}`),
  fc.constantFrom(...owners).map((owner) => `finish ${owner}`),
  fc.constantFrom('deployment/late', 'statefulset/db').map((owner) => `arrive ${owner}`),
  fc
    .tuple(fc.constantFrom(...nodes), fc.constantFrom(...owners))
    .map(([name, owner]) => `pressure node/${name} ${owner}=9Gi`),
);

const timed = fc
  .tuple(operation, fc.option(fc.constantFrom(0, 1, 30, 31, 45, 90, 700), { nil: null }))
  .map(([text, at]): string => (at === null ? text : `${text} at ${at}s`));

function objects(cpus: readonly number[]): readonly JsonObject[] {
  const finalizers = ['example.com/kept'];
  const held = workload('Deployment', 'held', 1, podSpec('500m'));
  const template = (held['spec'] as JsonObject)['template'] as JsonObject;
  const once = { ...template, spec: { ...(template['spec'] as JsonObject), restartPolicy: 'Never' } };
  const job = { parallelism: 2, completions: 2, template: once };
  return [
    ...nodes.map((name, index) => node(name, cpus[index]!, { memory: '10Gi' })),
    priorityClass('high', 1000),
    workload('Deployment', 'web', 3, podSpec(1, { terminationGracePeriodSeconds: 10 })),
    workload('Deployment', 'big', 1, podSpec(2, { priorityClassName: 'high' })),
    workload('StatefulSet', 'db', 2, podSpec('700m')),
    workload('Deployment', 'late', 2, podSpec(1, { priorityClassName: 'high' })),
    workload('DaemonSet', 'agent', 0, podSpec('100m')),
    { apiVersion: 'batch/v1', kind: 'Job', metadata: { name: 'batch' }, spec: job },
    {
      apiVersion: 'batch/v1',
      kind: 'CronJob',
      metadata: { name: 'nightly' },
      spec: { schedule: '*/5 * * * *', jobTemplate: { spec: job } },
    },
    {
      apiVersion: 'v1',
      kind: 'ReplicationController',
      metadata: { name: 'old' },
      spec: { replicas: 2, selector: { app: 'held' }, template },
    },
    {
      ...held,
      spec: {
        ...(held['spec'] as JsonObject),
        template: { ...template, metadata: { ...(template['metadata'] as JsonObject), finalizers } },
      },
    },
    budget('web', { app: 'web' }, { minAvailable: least }),
  ];
}

const found: readonly [[number, number, number], string[], boolean][] = [
  // A nomination that is taken before a node is added, and explained after it.
  [[2, 2, 2], ['request deployment/late cpu=1500m at 31s', 'add 1 node like a', 'cordon node/a'], false],
  // Two drains of one node, and two nodes at a time.
  [[2, 2, 2], [drain('a'), `${drain('a')} at 0s`], false],
  [[3, 2, 3], ['finish deployment/late at 0s', drain('a'), `${drain('b')} at 0s`], false],
  // Pods that are not drawn, as they are where they were, or leave later, count for a budget.
  [[4, 4, 5], ['add 1 node like a', drain('a')], true],
  [[5, 5, 2], ['finish cronjob/nightly', drain('b'), 'uncordon node/b at 30s', 'arrive deployment/late'], true],
  // A drain of a node that does not answer, whose taint is looked at when its pods are evicted already.
  [[2, 2, 5], [`${drain('a')} at 90s`, 'fail node/a at 0s'], false],
  // A workload that is taken away while it is rolled out.
  [[2, 2, 2], ['request deployment/late cpu=1500m at 30s', 'delete deployment/late'], true],
];

/** What names something that an event before has taken away is refused, and is no run. */
function played(cpus: readonly number[], texts: readonly string[], isCompared: boolean): WholeReport | null {
  const events = texts.map((text) => parseEvent(text));
  assert.ok(
    events.every((event): event is ScenarioEvent => !('problem' in event)),
    texts.join('\n'),
  );
  try {
    const cluster = input(objects(cpus));
    const scenario = { kind: 'workspace' } as const;
    if (!isCompared) return runToEnd(simulateEvents(cluster, scenario, events));
    return runToEnd(compareRuns({ input: cluster, events: [] }, { input: cluster, events }, scenario, 'nothing'));
  } catch (error) {
    assert.equal((error as Error).name, 'UnknownObjectError', (error as Error).stack);
    return null;
  }
}

describe('a scenario of random events', () => {
  const scenarios = fc.tuple(
    fc.tuple(fc.integer({ min: 2, max: 5 }), fc.integer({ min: 2, max: 5 }), fc.integer({ min: 2, max: 5 })),
    fc.array(timed, { minLength: 1, maxLength: 6 }),
    fc.boolean(),
  );

  /** Calls `check` with the report of each run. */
  function holds(check: (report: WholeReport, texts: readonly string[]) => void): void {
    let finished = 0;
    fc.assert(
      fc.property(scenarios, ([cpus, texts, isCompared]) => {
        const report = played(cpus, texts, isCompared);
        if (report === null) return;
        finished += 1;
        check(report, texts);
      }),
      { numRuns: runs, examples: found.map((each) => [each]) },
    );
    assert.ok(finished > runs / 4);
  }

  it('adds up: who arrives, who is evicted, and what becomes of them', () => {
    holds((report) => {
      assert.ok(isReport(JSON.parse(JSON.stringify(report))));
      const { balance } = report.answer;
      assert.equal(balance.arriving, balance.scheduled + balance.pending + balance.gated + balance.refused);
      const fates = [
        balance.again,
        balance.stillPending,
        balance.stillGated,
        balance.stillRefused,
        balance.notReplaced,
      ];
      assert.equal(
        balance.evicted,
        fates.reduce((sum, each) => sum + each, 0),
      );
      const { victims, drains, pressures, taints = [] } = report;
      const left = [...victims, ...[...drains, ...pressures, ...taints].flatMap(({ evicted }) => evicted)].map(
        ({ pod }) => pod,
      );
      assert.equal(new Set(left).size, left.length, 'no pod is evicted twice');
      assert.equal(balance.evicted, left.length);
      assert.deepEqual(
        report.steps.map(({ clock }) => clock),
        report.steps.map(({ clock }) => clock).toSorted((a, b) => a - b),
      );
    });
  });

  it('has every pod in one place at a time, and on no node more than it has', () => {
    holds((report) => {
      const { pods, nodes: all, timeline } = report;
      for (const [pod, { after }] of pods.entries()) {
        const stays = timeline
          .filter((stay) => stay.pod === pod && stay.kind !== 'waits')
          .sort((a, b) => a.start - b.start);
        for (const [at, stay] of stays.entries()) {
          assert.ok(stay.end >= stay.start);
          assert.ok(at === 0 || stays[at - 1]!.end <= stay.start, `${pods[pod]!.name} is in two places`);
        }
        // A comparison draws nobody who was there all the time.
        if (after.state === 'running') assert.equal(stays.at(-1)?.node ?? after.node, after.node);
      }
      for (const [index, { name, allocatable }] of all.entries()) {
        const here = pods.filter(({ after }) => after.state === 'running' && after.node === index);
        const cpu = here.reduce((sum, { requests }) => sum + (requests['cpu'] ?? 0), 0);
        assert.ok(cpu <= (allocatable['cpu'] ?? 0), `${name} has ${cpu}`);
      }
    });
  });

  it('keeps budgets in what it evicts through the API', () => {
    holds((report, texts) => {
      const other = /budget |(?:delete|scale|finish|priority|request) deployment\/web/;
      if (texts.some((text) => other.test(text))) return;
      const { pods, workloads, drains, timeline } = report;
      const web = workloads.findIndex(({ name }) => name === 'web');
      const isWeb = (pod: number): boolean => pods[pod]!.workload === web;
      // Preemption may break a budget.
      if (report.victims.some(({ pod }) => isWeb(pod))) return;
      for (const { asksBudgets, evicted } of drains) {
        if (!asksBudgets) continue;
        for (const { clock } of evicted.filter(({ pod }) => isWeb(pod))) {
          const left = pods.filter(({ before, after }, pod) => {
            const stays = timeline.filter((stay) => stay.pod === pod);
            const isHere = stays.some(
              ({ kind, start, end }) => kind === 'runs' && start <= clock && (end > clock || after.state === 'running'),
            );
            // A comparison draws nobody before something happens to it.
            const isStillHere = before.state === 'running' && stays.every(({ start }) => start > clock);
            return isWeb(pod) && (isHere || isStillHere);
          });
          assert.ok(left.length >= least, `${left.length} run at ${clock} s`);
        }
      }
    });
  });
});
