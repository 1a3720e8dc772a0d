import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { JsonObject } from '../../../server/src/kubernetes/json.ts';
import type { Report, WholeReport } from '../../../server/src/report-model/report.ts';
import { runToEnd } from '../../../server/src/util/steps.ts';
import {
  branchOf,
  compareRuns,
  eventsOf,
  simulate,
  type SimulationInput,
} from '../../../server/src/simulation/index.ts';
import { input, node, pod, podSpec, priorityClass, running, workload } from './cluster-builder.ts';

const ladder = [priorityClass('high', 1000), priorityClass('low', 10)];

function changed(before: readonly JsonObject[], after: readonly JsonObject[]): NonNullable<Report['comparison']> {
  const { comparison, scenario } = runToEnd(
    simulateChange(input([...ladder, ...before]), input([...ladder, ...after]), 'git HEAD'),
  );
  assert.deepEqual(scenario, { kind: 'change', since: 'git HEAD' });
  assert.ok(comparison !== null);
  return comparison;
}

function headline(
  before: readonly JsonObject[],
  after: readonly JsonObject[],
  classes: readonly JsonObject[] = ladder,
): string {
  const [earlier, now] = [input([...classes, ...before]), input([...(classes === ladder ? ladder : []), ...after])];
  return runToEnd(simulateChange(earlier, now, 'git HEAD')).answer.headline;
}

function saidOf({ pods }: NonNullable<Report['comparison']>): string[] {
  return pods.map(({ kind, name, before, after }) => `${kind} ${name}: ${before} → ${after}`);
}

function sentence({ sentence: parts }: NonNullable<Report['comparison']>): string {
  return parts.map(({ text }) => text).join('');
}

function simulateChange(
  earlier: SimulationInput,
  now: SimulationInput,
  since: string,
  operations: readonly string[] = [],
): Generator<void, Report> {
  const events = eventsOf(branchOf(now, operations));
  return compareRuns({ input: earlier, events: [] }, { input: now, events }, { kind: 'workspace' }, since);
}

describe('simulate: before and after a change', () => {
  const batch = running('batch', 3, 'a', 10);

  it('[ED-5] says who is evicted because of it', () => {
    const deployment = (className: string) =>
      workload('Deployment', 'web', 1, podSpec(2, { priorityClassName: className }));
    const comparison = changed([node('a', 4), batch, deployment('low')], [node('a', 4), batch, deployment('high')]);
    assert.deepEqual(
      saidOf(comparison).map((line) => line.replace(/web-[0-9a-z]+-0/g, 'web')),
      ['evicted batch: runs on a → evicted from a for default/web', 'placed web: stays pending → placed on a'],
    );
    assert.equal(
      sentence(comparison),
      'Giving web class high evicts 1 more pod (batch); finds a place for 1 more pod (web), compared with git HEAD.',
    );
  });

  it('[EVI-4] says first what the API server refuses of it, in its words', () => {
    const [low, high] = ['low', 'high'].map((className) => pod('web', 2, { priorityClassName: className }));
    const refused = headline([node('a', 4), batch, low!], [node('a', 4), batch, high!]);
    assert.match(refused, /^The API server refuses the change of Pod default\/web: .*may not change/);
    const raised = headline(
      [node('a', 4), batch],
      [node('a', 4), batch, priorityClass('low', 20)],
      [priorityClass('low', 10)],
    );
    assert.match(
      raised,
      /refuses the change of PriorityClass low: value: Forbidden: may not be changed in an update\.$/,
    );
  });

  it('[EVI-4] says in one line that nothing has changed', () => {
    const web = workload('Deployment', 'web', 1, podSpec(1));
    assert.equal(
      headline([node('a', 4), web], [node('a', 4), web]),
      'Nothing that scheduling depends on has changed since git HEAD.',
    );
  });

  it('[EVI-4] nor where a workload is written more than once, of which the first counts', () => {
    const [few, more] = [2, 3].map((replicas) => workload('StatefulSet', 'db', replicas, podSpec(replicas)));
    const twice = [node('a', 16), few!, more!];
    assert.equal(
      headline(twice, structuredClone([twice[0]!, few!, workload('StatefulSet', 'db', 4, podSpec(4))])),
      'StatefulSet/default/db has changed where it does not count: it is written more than once, and the first is used.',
    );
    assert.equal(
      headline(twice, structuredClone(twice)),
      'Nothing that scheduling depends on has changed since git HEAD.',
    );
  });

  describe('of a workload that is written in several files', () => {
    const range = { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } };
    const of = (...replicas: readonly number[]): SimulationInput => ({
      workspace: [
        { object: node('a', 16) },
        ...replicas.map((each, at) => ({
          object: workload('Deployment', 'web', each, podSpec(1)),
          origin: {
            uri: ['file:///repo/deploy/all.yaml', 'file:///repo/deploy/apps/web.yaml'][Math.min(at, 1)]!,
            range,
          },
        })),
      ],
      snapshot: [],
    });
    const run = (earlier: SimulationInput, now: SimulationInput) => runToEnd(simulateChange(earlier, now, 'git HEAD'));

    it('[#33] is that of the file which has changed, and reports say which file counts', () => {
      const { answer } = run(of(3, 3), of(3, 4));
      assert.equal(answer.headline, 'Scaling web to 4: all 4 pods run.');
      const copies = (report: WholeReport) =>
        report.assumptions.flatMap(({ text }) => (text.startsWith('written more than once') ? [text] : []));
      assert.deepEqual(copies(run(of(3, 3), of(3, 4)) as WholeReport), [
        'written more than once, of which these count: Deployment/default/web (apps/web.yaml)',
      ]);
      assert.deepEqual(copies(runToEnd(simulate(of(3, 4), { kind: 'workspace' }))), [
        'written more than once, of which these count: Deployment/default/web (all.yaml)',
      ]);
      assert.deepEqual(copies(runToEnd(simulate(of(3, 3), { kind: 'workspace' }))), []);
      assert.equal(run(of(3, 3), of(4, 3)).answer.headline, 'Scaling web to 4: all 4 pods run.');
    });

    it('[#33] is none where copies in one file differ from each other, and are as they were', () => {
      const twice = of(3, 4, 5);
      const other = { ...twice, workspace: [...twice.workspace, { object: priorityClass('other', 5) }] };
      assert.equal(run(twice, other).answer.headline, 'Adding PriorityClass other moves, evicts and blocks no pod.');
      assert.equal(run(twice, of(3, 4, 6)).answer.headline, 'Scaling web to 6: all 6 pods run.');
    });

    it('[#33] names the file that counts where another one is new', () => {
      assert.equal(
        run(of(3), of(3, 4)).answer.headline,
        'Deployment/default/web has changed where it does not count: it is written more than once, and that of all.yaml is used.',
      );
    });
  });

  it('[EVI-4] nor what bounds pods, where that is written more than once', () => {
    const budgets = [1, 2].map((maxUnavailable) => ({
      apiVersion: 'policy/v1',
      kind: 'PodDisruptionBudget',
      metadata: { name: 'db' },
      spec: { maxUnavailable, selector: { matchLabels: { app: 'db' } } },
    }));
    const twice = [node('a', 16), workload('StatefulSet', 'db', 2, podSpec(1)), ...budgets];
    const now = input(structuredClone(twice));
    assert.deepEqual(runToEnd(simulateChange(input(twice), now, 'git HEAD')).events, []);
  });

  it('[EVI-4] names the workload that gets what is generated anew', () => {
    const settings = (name: string): JsonObject[] => [
      { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data: {} },
      workload('Deployment', 'web', 1, podSpec(1, { volumes: [{ name: 'settings', configMap: { name } }] })),
    ];
    assert.match(
      headline([node('a', 4), ...settings('settings-1')], [node('a', 4), ...settings('settings-2')]),
      /^Changing the ConfigMap of web: it rolls out in 1 step; no pod fewer serves meanwhile\.$/,
    );
  });

  it('[EVI-4] is applied to a cluster in which everything runs that finds a place', () => {
    const workloads = (replicas: number) => [
      node('a', 4),
      workload('Deployment', 'big', 1, podSpec(8)),
      workload('Deployment', 'web', replicas, podSpec(1)),
      workload('Deployment', 'worker', 1, podSpec(1)),
    ];
    const comparison = changed(workloads(2), workloads(3));
    assert.equal(sentence(comparison), 'Scaling web to 3 finds a place for 1 new pod, compared with git HEAD.');
    assert.deepEqual(
      comparison.pods.map(({ kind }) => kind),
      ['added'],
    );
  });

  it('[EVI-4] and its reversal leave everything as it was', () => {
    const cluster = (cpu: number) => [node('a', 4), node('b', 4), workload('Deployment', 'web', 2, podSpec(cpu))];
    const there = changed(cluster(1), cluster(2));
    const back = changed(cluster(2), cluster(1));
    for (const { pods } of [there, back]) {
      assert.deepEqual(
        pods.filter(({ kind }) => kind !== 'moved'),
        [],
      );
    }
  });

  it('[EVI-4] leaves what is not written any more, unless it is pruned', () => {
    const web = workload('Deployment', 'web', 1, podSpec(2));
    const [before, after] = [[node('a', 4), web], [node('a', 4)]].map((objects) => input(objects));
    const since = 'git HEAD';
    const run = (prunes: boolean) =>
      runToEnd(
        compareRuns(
          { input: before!, events: [] },
          { input: after!, events: [], prunes },
          { kind: 'workspace' },
          since,
        ),
      );
    const kept = run(false);
    assert.deepEqual(kept.comparison?.pods, []);
    assert.equal(kept.answer.headline, 'Deployment/default/web is not written any more, and stays.');
    assert.deepEqual(
      kept.events.map(({ text }) => text),
      ['not written any more: Deployment/default/web'],
    );
    assert.deepEqual(
      run(true).comparison?.pods.map(({ kind }) => kind),
      ['removed'],
    );
  });

  it('[PRI-7] tells of a priority that changed, though every pod fares the same', () => {
    const deployment = (className: string) =>
      workload('Deployment', 'web', 1, podSpec(1, { priorityClassName: className }));
    const comparison = changed([node('a', 4), deployment('low')], [node('a', 4), deployment('high')]);
    assert.deepEqual(comparison.priorities, [{ workload: 0, before: 10, after: 1000 }]);
    assert.deepEqual(saidOf(comparison), [], 'another hash in the name is not another pod');
    assert.equal(
      sentence(comparison),
      'Giving web class high changes nothing for any pod, though the priority of 1 workload is another, compared with git HEAD.',
    );
  });

  it('follows replicas of an edited workload one by one', () => {
    const deployment = (replicas: number, cpu: number, nodeName: string) =>
      workload('Deployment', 'web', replicas, podSpec(cpu, { nodeSelector: { 'kubernetes.io/hostname': nodeName } }));
    const nodes = [node('a', 4), node('b', 4)];
    assert.deepEqual(
      saidOf(changed([...nodes, deployment(2, 1, 'a')], [...nodes, deployment(3, 2, 'b')])).map((line) =>
        line.replace(/-[0-9a-z]{6,10}-/, '-HASH-'),
      ),
      [
        'pending web-HASH-2:  → stays pending',
        'moved web-HASH-0: runs on a → placed on b',
        'added web-HASH-1:  → placed on b',
      ],
    );
  });

  it('[PRI-4] counts a refused pod as one that does not run', () => {
    const comparison = changed([node('a', 4)], [node('a', 4), pod('web', 1, { priorityClassName: 'gone' })]);
    assert.deepEqual(saidOf(comparison), ['pending web:  → refused by the API server']);
  });

  it('compares nodes by name, whatever their order in the files', () => {
    const comparison = changed([node('a', 4), node('b', 4), batch], [node('b', 4), node('a', 4), batch]);
    assert.deepEqual(saidOf(comparison), []);
    assert.equal(sentence(comparison), 'Compared with git HEAD, no pod fares differently.');
  });

  it('compares what is tried on top of a change with what was before the change', () => {
    const [before, after] = [[node('a', 1)], [node('a', 1), pod('web', 2)]].map((objects) =>
      input([...ladder, ...objects]),
    );
    const of = (...operations: readonly string[]) => {
      const { comparison } = runToEnd(simulateChange(before!, after!, 'git HEAD', operations));
      return comparison === null ? [] : [saidOf(comparison), comparison.causes.map(({ object }) => object)];
    };
    assert.deepEqual(of(), [['pending web:  → stays pending'], ['Pod/default/web']]);
    assert.deepEqual(of('add 1 node 4:8Gi', 'cordon node/nowhere'), [
      ['added web:  → placed on added+1'],
      ['Node/added+1', 'Pod/default/web'],
    ]);
  });

  describe('pods that end without being evicted', () => {
    const nodes = [node('a', 4), node('b', 4)];
    const web = workload('Deployment', 'web', 2, podSpec(1));
    const db = workload('StatefulSet', 'db', 1, podSpec(1));
    const base = input([...ladder, ...nodes, web, db]);
    const at = (seconds: number, ...operations: readonly string[]) =>
      eventsOf(branchOf(base, operations)).map((event) => ({ ...event, at: seconds }));
    const play = (...events: ReturnType<typeof eventsOf>) => {
      const report = runToEnd(
        compareRuns(
          { input: base, events: [] },
          { input: base, events },
          { kind: 'workspace' },
          'the run without the events',
        ),
      );
      const { comparison, answer } = report;
      assert.ok(comparison !== null);
      const count = (of: string): number => comparison.pods.filter(({ kind }) => kind === of).length;
      assert.equal(count('evicted') - count('spared'), answer.balance.evicted - comparison.before.evicted);
      return comparison;
    };
    const scenarios: readonly (readonly [what: string, operation: string, sentence: RegExp])[] = [
      ['finish', 'finish deployment/default/web', /^Finishing web at 60 s ends 2 pods \(web\),/],
      ['scale', 'scale deployment/default/web 1', /^Scaling web to 1 at 60 s ends 1 pod \(web\),/],
      ['delete', 'delete deployment/default/web', /^Removing Deployment default\/web at 60 s ends 2 pods \(web\),/],
      [
        'a new template',
        'priority deployment/default/web high',
        /^Giving web class high at 60 s changes nothing for any pod, though the priority of 1 workload is another,/,
      ],
      [
        'a new template of fixed names',
        'request statefulset/default/db cpu=2',
        /^Raising db to 2 cpu at 60 s changes nothing for any pod,/,
      ],
      ['remove node', 'remove node/a', /ends 2 pods, one each of db and web; finds a place for 2 new pods,/],
    ];
    for (const [what, operation, words] of scenarios) {
      it(`[ED-5] tells by ${what}`, () => {
        const comparison = play(...at(60, operation));
        assert.match(sentence(comparison), words);
        assert.ok(comparison.plan.effects.every(({ at }) => at.every(({ evicted }) => evicted === 0)));
      });
    }

    it('[EVI-4] not at once where a template is changed: it is rolled out', () => {
      const events = at(60, 'request deployment/default/web cpu=3');
      const { answer, events: done } = runToEnd(
        compareRuns({ input: base, events: [] }, { input: base, events }, { kind: 'workspace' }, 'nothing'),
      );
      assert.match(answer.headline, /^Raising web to 3 cpu at 60 s: its roll-out stops at 1 of 2, because /);
      assert.ok(done.some(({ text, clock }) => text === 'apply Deployment/default/web' && clock === 60));
    });

    it('[EVI-4] for a workload that arrives later, which is not there before', () => {
      const full = input([
        ...ladder,
        ...nodes,
        workload('Deployment', 'full', 2, podSpec(4)),
        pod('urgent', 2, { priorityClassName: 'high' }),
      ]);
      const events = eventsOf(branchOf(full, ['arrive pod/default/urgent'])).map((event) => ({ ...event, at: 10 }));
      const { comparison } = runToEnd(
        compareRuns({ input: full, events: [] }, { input: full, events }, { kind: 'workspace' }, 'nothing'),
      );
      assert.deepEqual(
        comparison?.pods.map(({ kind }) => kind),
        ['evicted', 'pending', 'added'],
      );
      assert.deepEqual(comparison.causes, []);
    });

    it('[ED-5] beside those that a drain evicts', () => {
      const comparison = play(...at(60, 'finish deployment/default/web', 'drain node/a --force'));
      assert.match(sentence(comparison), /^Finishing web at 60 s \(then drain a\) evicts 1 more pod /);
      assert.deepEqual(comparison.plan.effects.find(({ name }) => name === 'web')?.at.at(-1)?.text, '0 of 2, 2 ended');
    });

    it('[ED-5] and names what happens beside what is written otherwise', () => {
      const comparison = play(...at(0, 'class low value=20'), ...at(60, 'finish deployment/default/web'));
      assert.match(sentence(comparison), /^Raising low to 20 together with what happens \(finish web\) ends 2 pods/);
    });

    it('[ED-5] when pods with fixed names are evicted in both runs', () => {
      const drain = at(60, 'drain node/a', 'drain node/b');
      const same = runToEnd(
        compareRuns({ input: base, events: drain }, { input: base, events: drain }, { kind: 'workspace' }, 'itself'),
      );
      assert.ok(same.comparison !== null && same.comparison.before.evicted > 0);
      assert.deepEqual(saidOf(same.comparison), []);
    });
  });

  it('compares with nothing at all', () => {
    const comparison = runToEnd(simulateChange(input([]), input([node('a', 4), pod('web', 1)]), 'git HEAD')).comparison;
    assert.deepEqual(comparison === null ? [] : saidOf(comparison), ['added web:  → placed on a']);
  });
});
