import assert from 'node:assert/strict';
import type { JsonObject } from '../../../server/src/kubernetes/json.ts';
import type { Report } from '../../../server/src/report-model/report.ts';
import { runToEnd } from '../../../server/src/util/steps.ts';
import { simulate } from '../../../server/src/simulation/index.ts';
import { node, pod, priorityClass, running } from './cluster-builder.ts';

function reportOn(...objects: readonly JsonObject[]): Report {
  const workspace = objects.map((object) => ({ object }));
  return runToEnd(simulate({ workspace, snapshot: [] }, { kind: 'workspace' }));
}

function configuration(profiles: JsonObject['profiles']): JsonObject {
  return {
    apiVersion: 'kubescheduler.config.k8s.io/v1',
    kind: 'KubeSchedulerConfiguration',
    profiles: profiles ?? null,
  };
}

const nodeSelectorTerms = [{ matchExpressions: [{ key: 'pool', operator: 'In', values: ['blue'] }] }];
const addedAffinity = { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms } };
const blueOnly = { schedulerName: 'blue', pluginConfig: [{ name: 'NodeAffinity', args: { addedAffinity } }] };

describe('declared schedulers in a simulation', () => {
  const nodes = [node('a', 4), node('b', 4, { labels: { pool: 'blue' } })];

  it('[PLA-5] places the pods of each scheduler by its own profile, beside the default one', () => {
    const report = reportOn(
      ...nodes,
      configuration([blueOnly]),
      pod('plain', 1),
      pod('ours', 1, { schedulerName: 'blue' }),
    );
    const places = new Map(
      report.pods.map(({ name, after }) => [name, after.node === null ? null : report.nodes[after.node]?.name]),
    );
    assert.equal(places.get('ours'), 'b');
    assert.notEqual(places.get('plain') ?? null, null);
    assert.match(report.assumptions[0]?.text ?? '', /2 scheduler profiles: blue and default-scheduler/);
  });

  it('[PRE-20] does not preempt when preemption is switched off', () => {
    const off = configuration([{ plugins: { postFilter: { disabled: [{ name: 'DefaultPreemption' }] } } }]);
    const pods = [
      running('low-a', 4, 'a', 0),
      running('low-b', 4, 'b', 0),
      pod('high', 3, { priorityClassName: 'high' }),
    ];
    const totalsOf = (report: Report): number[] => [report.totals.preemptionAttempts, report.totals.preemptionVictims];
    assert.deepEqual(totalsOf(reportOn(...nodes, priorityClass('high', 1000), ...pods)), [1, 1]);
    assert.deepEqual(totalsOf(reportOn(...nodes, priorityClass('high', 1000), off, ...pods)), [0, 0]);
  });

  for (const [point, plugin, text] of [
    [
      'preFilter',
      'NodeResourcesFit',
      'running "NodeResourcesFit" filter plugin: error reading "PreFilterNodeResourcesFit" from cycleState: not found',
    ],
    [
      'preScore',
      'InterPodAffinity',
      'running Score plugins: plugin "InterPodAffinity" failed with: failed to read "PreScoreInterPodAffinity" from cycleState: not found',
    ],
  ] as const) {
    it(`[PLA-6] fails every attempt where ${point} of ${plugin} is off, as the scheduler does, and says so`, () => {
      const broken = configuration([{ plugins: { [point]: { disabled: [{ name: plugin }] } } }]);
      const report = reportOn(...nodes, broken, pod('web', 1));
      assert.equal(report.pods[0]?.after.state, 'pending');
      assert.equal(report.decisions[report.pods[0].decision ?? -1]?.message, text);
      assert.ok(report.assumptions.some((each) => each.text === `every attempt fails for want of ${plugin}'s state`));
    });
  }

  it('[PRE-18] lets pods back off as long as the configuration says', () => {
    const slow = { ...configuration(null), podInitialBackoffSeconds: 60, podMaxBackoffSeconds: 60 };
    const pods = [
      running('low', 4, 'a', 0, { spec: { terminationGracePeriodSeconds: 5 } }),
      pod('high', 3, { priorityClassName: 'high' }),
    ];
    const waitingAt5 = (report: Report): number[] =>
      report.steps
        .filter(({ kind }) => kind === 'gone')
        .flatMap(({ queues: { active, backoff } }) => [active, backoff]);
    const objects = [node('a', 4), priorityClass('high', 1000), ...pods];
    assert.deepEqual(waitingAt5(reportOn(...objects)), [1, 0]);
    assert.deepEqual(waitingAt5(reportOn(...objects, slow)), [0, 1]);
  });

  it('says what it does not model, and that a configuration has mistakes', () => {
    const plugins = { multiPoint: { enabled: [{ name: 'Coscheduling' }] } };
    const report = reportOn(...nodes, configuration([{ plugins, percentageOfNodesToScore: 400 }]), pod('plain', 1));
    const texts = report.assumptions.map(({ text }) => text);
    assert.ok(texts.includes('scheduler plugins that are not modelled: Coscheduling'));
    assert.ok(texts.includes('1 mistake in the scheduler configuration'));
  });
});
