import { strict as assert } from 'node:assert';
import { describe, it } from 'mocha';
import { runToEnd } from '../../../server/src/util/steps.ts';
import type { KubeObject } from '../../../server/src/kubernetes/objects.ts';
import type { WholeReport } from '../../../server/src/report-model/report.ts';
import { parseEvent } from '../../../server/src/simulation/operations/parse-operation.ts';
import { compareRuns } from '../../../server/src/simulation/compare/compare-runs.ts';
import { simulateEvents } from '../../../server/src/simulation/scenario/simulate-scenario.ts';
import { compareFiles, declared, gold, node, of, pod, running, web, withPodSpec } from './running-web.ts';

const revisionAnnotation = 'deployment.kubernetes.io/revision';

describe('a change of what a server has stored', () => {
  it('[#33] takes a field away that was written at the commit, also after a question that knows of no commit', () => {
    const selected = withPodSpec('500m', { nodeSelector: { 'kubernetes.io/hostname': 'a' } });
    const stored = { ...selected, metadata: { ...selected.metadata, uid: 'web' } };
    const snapshot = declared([...running.filter(({ kind }) => kind !== 'Deployment'), stored]);
    const [earlier, now] = [selected, web('500m')].map((own) => ({ workspace: declared([own]), snapshot }));
    runToEnd(simulateEvents(now!, { kind: 'workspace' }, []));
    const report = runToEnd(
      compareRuns({ input: earlier!, events: [] }, { input: now!, events: [] }, { kind: 'workspace' }, 'git HEAD'),
    );
    assert.match(report.answer.headline, /rolls out in 2 steps/);
  });

  it('[#33] takes a class away that was applied', () => {
    const given = web('500m', {}, 'gold');
    const applied = { 'kubectl.kubernetes.io/last-applied-configuration': JSON.stringify(given) };
    const stored = { ...given, metadata: { ...given.metadata, uid: 'web', annotations: applied } };
    const snapshot = declared([...running.filter(({ kind }) => kind !== 'Deployment'), stored]);
    const [earlier, now] = [given, web('500m')].map((own) => ({ workspace: declared([own]), snapshot }));
    const alone = runToEnd(simulateEvents(now!, { kind: 'workspace' }, []));
    assert.match(alone.answer.headline, /^web rolls out in 2 steps/);
    const report = runToEnd(
      compareRuns({ input: earlier!, events: [] }, { input: now!, events: [] }, { kind: 'workspace' }, 'git HEAD'),
    );
    assert.match(report.answer.headline, /^Taking class gold from web: it rolls out in 2 steps/);
  });

  it('[#33] lists what is edited of what is stored, not what the server and controllers have set', () => {
    const { metadata } = web('500m');
    const set = { uid: 'web', creationTimestamp: '2026-11-01T08:00:00Z', annotations: { [revisionAnnotation]: '1' } };
    const stored = { ...web('500m', { replicas: 2 }), metadata: { ...metadata, ...set } };
    const snapshot = declared([...running.filter(({ kind }) => kind !== 'Deployment'), stored]);
    const unsized = web('500m', { replicas: undefined });
    const fieldsOf = (report: WholeReport) => report.comparison?.causes.map(({ field }) => field);
    const asked = (before: KubeObject, after: KubeObject, whatIfs: readonly string[]) => {
      const [earlier, now] = [before, after].map((own) => ({ workspace: declared([own]), snapshot }));
      const events = whatIfs.map(
        (text) => parseEvent(text) as Exclude<ReturnType<typeof parseEvent>, { problem: unknown }>,
      );
      const input = before === after ? earlier! : now!;
      return runToEnd(
        compareRuns({ input: earlier!, events: [] }, { input, events }, { kind: 'workspace' }, 'git HEAD'),
      );
    };
    const scaled = asked(unsized, unsized, ['scale deployment/shop/web 3 at 0s']);
    assert.deepEqual(fieldsOf(scaled), ['spec.replicas']);
    const edited = asked(unsized, web('600m', { replicas: undefined }), []);
    assert.deepEqual(fieldsOf(edited), ['spec.template.spec.containers[0].resources.requests.cpu']);
  });

  it('[#33] takes a pod that has waited, and finds its place, for one that is ready', () => {
    const waiting = structuredClone(pod('web-old-b', 'b')) as unknown as {
      spec: { nodeName?: string };
      status: object;
    };
    delete waiting.spec.nodeName;
    waiting.status = { phase: 'Pending', conditions: [{ type: 'PodScheduled', status: 'False' }] };
    const others = running.filter(({ metadata }) => metadata?.name !== 'web-old-b');
    const snapshot = declared([...others, waiting as unknown as KubeObject]);
    const [earlier, now] = [web('500m'), web('500m', { replicas: 3 })].map((own) => ({
      workspace: declared([own]),
      snapshot,
    }));
    const report = runToEnd(
      compareRuns({ input: earlier!, events: [] }, { input: now!, events: [] }, { kind: 'workspace' }, 'git HEAD'),
    );
    assert.equal(report.answer.headline, 'Scaling web to 3: all 3 pods run.');
    assert.deepEqual(report.events[0]?.told, [
      'At least 2 pods ready of 2 meanwhile',
      'Readiness is assumed: after the initial delay of a probe, else at once',
    ]);
  });

  it('[#33] ends the pod of a DaemonSet on a node that loses the label it asks for, and of a taint no more than that does', () => {
    const agent = {
      apiVersion: 'apps/v1',
      kind: 'DaemonSet',
      metadata: { name: 'agent', namespace: 'shop' },
      spec: {
        selector: { matchLabels: { app: 'agent' } },
        template: {
          metadata: { labels: { app: 'agent' } },
          spec: { ...of('100m', 'agent:1').spec, nodeSelector: { role: 'worker' } },
        },
      },
    } as unknown as KubeObject;
    const nodes = ['a', 'b'].map((name) => {
      const { metadata, ...rest } = node(name);
      return { ...rest, metadata: { ...metadata, labels: { ...metadata?.labels, role: 'worker' } } };
    });
    const pods = ['a', 'b'].map((on) => {
      const { metadata, ...rest } = pod(`agent-${on}`, on);
      const owner = { apiVersion: 'apps/v1', kind: 'DaemonSet', name: 'agent', uid: 'agent', controller: true };
      return { ...rest, metadata: { ...metadata, labels: { app: 'agent' }, ownerReferences: [owner] } };
    });
    const snapshot = declared([...nodes, agent, ...pods, ...running.filter(({ kind }) => kind !== 'Node')]);
    const left = (text: string, ...workspace: readonly KubeObject[]): readonly string[] => {
      const event = parseEvent(text);
      assert.ok(!('problem' in event));
      const world = { workspace: declared(workspace), snapshot };
      const report = runToEnd(simulateEvents(world, { kind: 'workspace' }, [event]));
      const names = report.pods.filter(({ after }) => after.state === 'running').map(({ name }) => name);
      return names.filter((name) => name.startsWith('agent'));
    };
    assert.deepEqual(left('label node/b role=other at 0s'), ['agent-a']);
    assert.deepEqual(left('label node/b role=other at 10s'), ['agent-a']);
    assert.deepEqual(left('label node/b role=other at 0s', web('600m')), ['agent-a']);
    assert.deepEqual(left('label node/b role=other at 10s', web('600m')), ['agent-a']);
    assert.deepEqual(left('label node/b rack=r1 at 0s'), ['agent-a', 'agent-b']);
    assert.deepEqual(left('taint node/b closed=yes:NoSchedule at 0s'), ['agent-a', 'agent-b']);
  });

  it('[#33] makes of a Job that has succeeded in part no more pods than are left to succeed', () => {
    const sum = (parallelism: number, completions: number | undefined, succeeded: number): KubeObject =>
      ({
        apiVersion: 'batch/v1',
        kind: 'Job',
        metadata: { name: 'sum', namespace: 'shop' },
        spec: {
          parallelism,
          completions,
          template: { spec: { ...of('100m', 'sum:1').spec, restartPolicy: 'Never' } },
        },
        status: { active: 1, succeeded },
      }) as unknown as KubeObject;
    const { metadata, ...rest } = pod('sum-a', 'a');
    const owner = { apiVersion: 'batch/v1', kind: 'Job', name: 'sum', uid: 'sum', controller: true };
    const atWork = { ...rest, metadata: { ...metadata, labels: { app: 'sum' }, ownerReferences: [owner] } };
    const runs = (completions: number | undefined, succeeded: number, parallelism = 3) => {
      const snapshot = declared([...running, sum(3, completions, succeeded), atWork]);
      const [earlier, now] = [3, parallelism].map((each) => ({
        workspace: declared([sum(each, completions, succeeded)]),
        snapshot,
      }));
      const report = runToEnd(
        compareRuns({ input: earlier!, events: [] }, { input: now!, events: [] }, { kind: 'workspace' }, 'git HEAD'),
      );
      return report.pods.filter(({ name, after }) => name.startsWith('sum') && after.state === 'running').length;
    };
    assert.equal(runs(3, 2), 1);
    assert.equal(runs(3, 2, 6), 1);
    assert.equal(runs(5, 2), 3);
    assert.equal(runs(5, 2, 2), 2);
    // One success is enough.
    assert.equal(runs(undefined, 1), 1);
    assert.equal(runs(undefined, 1, 6), 1);
    assert.equal(runs(undefined, 0, 6), 6);
  });

  for (const [what, kind, spec] of [
    ['a Job', 'Job', { parallelism: 2, completions: 2 }],
    ['an Indexed Job', 'Job', { parallelism: 2, completions: 2, completionMode: 'Indexed' }],
    ['a StatefulSet', 'StatefulSet', { replicas: 2, serviceName: 'sum', podManagementPolicy: 'Parallel' }],
  ] as const) {
    it(`[#33] tells what comes of the pods of ${what} that a roll-out evicts`, () => {
      const pods = {
        metadata: { labels: { app: 'sum' } },
        spec: { ...of('900m', 'sum:1').spec, restartPolicy: 'Never' },
      };
      const always = { ...pods, spec: { ...pods.spec, restartPolicy: 'Always' } };
      const sum = {
        apiVersion: kind === 'Job' ? 'batch/v1' : 'apps/v1',
        kind,
        metadata: { name: 'sum', namespace: 'shop' },
        spec: {
          ...spec,
          ...(kind === 'Job' ? {} : { selector: { matchLabels: { app: 'sum' } } }),
          template: kind === 'Job' ? pods : always,
        },
      } as unknown as KubeObject;
      const { victims, pods: all } = compareFiles([gold, web('500m'), sum], [gold, web('1', {}, 'gold'), sum]);
      const evicted = victims.filter(({ pod: victim }) => all[victim]!.name.startsWith('sum'));
      assert.notEqual(evicted.length, 0);
      assert.deepEqual(
        evicted.filter(({ replacement }) => replacement === null),
        [],
      );
    });
  }
});
