import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { Remedy } from '../../../server/src/report-model/remedy.ts';
import { reportMarkdown } from '../../../server/src/report-model/markdown.ts';
import { runToEnd } from '../../../server/src/util/steps.ts';
import type { JsonObject } from '../../../server/src/kubernetes/json.ts';
import {
  applyOperation,
  ArrivalPreviews,
  findRemedies,
  parseOperation,
  simulate,
  simulateEvents,
  whatWouldHelp,
  WorkspaceRuns,
} from '../../../server/src/simulation/index.ts';
import type { Operation, SimulationInput } from '../../../server/src/simulation/index.ts';
import { figuresOf } from '../../../server/src/simulation/report/answer/figures.ts';
import { fewest } from '../../../server/src/simulation/remedies/trials/fewest.ts';
import { input, node, podSpec, priorityClass, running, workload } from './cluster-builder.ts';
import { loadSample } from './load-sample.ts';

const workspace = { kind: 'workspace' } as const;

function remediesOf(from: SimulationInput): readonly Remedy[] {
  return runToEnd(findRemedies(runToEnd(simulate(from, workspace)), from, workspace));
}

const told = (remedies: readonly Remedy[]) =>
  remedies.map(({ group, line, whatIf, effect }) => [group, line, whatIf.join('; '), effect]);

/** The figures of a whole run with the operations applied. */
function figuresAfter(from: SimulationInput, operations: readonly string[]) {
  const branch = operations.reduce(
    (before, text) => applyOperation(before, parseOperation(text) as Operation).input,
    from,
  );
  return figuresOf(runToEnd(simulate(branch, workspace)).answer);
}

describe('what would help', () => {
  it('is run for each group of the sample, and says what comes of it', () => {
    assert.deepEqual(told(remediesOf(loadSample())), [
      ['evicted', null, 'add 1 node like general-a', 'no pod is evicted, 2 pending'],
      [
        'evicted',
        null,
        'priority deployment/shop/checkout batch-low',
        'no pod is evicted, 4 pending (Deployment shop/checkout)',
      ],
      ['pending', 0, 'add 2 nodes like general-a', 'no pod is evicted, 1 pending'],
      ['pending', 1, 'add 2 nodes like general-a 4:32Gi', 'no pod is evicted, no pod pending'],
      [
        'gated',
        null,
        'ungate pod/shop-batch/loyalty-migration',
        'it stays pending, 3 evicted, 1 budget broken, 6 pending',
      ],
    ]);
  });

  it('[#35] has the remedy with the fewest evictions first, and says which of two lines of one name it is for', () => {
    const job = (name: string, parallelism: number, cpu: number): JsonObject => ({
      apiVersion: 'batch/v1',
      kind: 'Job',
      metadata: { name, namespace: 'default' },
      spec: {
        parallelism,
        completions: parallelism,
        template: { spec: podSpec(cpu, { priorityClassName: 'urgent', restartPolicy: 'Never' }) },
      },
    });
    const web = (name: string, on: string) => running(name, 3, on, 1000, { owner: 'ReplicaSet/web' });
    const from = input([
      priorityClass('urgent', 5000),
      ...['n0', 'n1'].map((name) => node(name, 8)),
      ...[web('web-0', 'n0'), web('web-1', 'n0'), web('web-2', 'n1'), web('web-3', 'n1')],
      ...[job('nightly', 4, 2), job('small', 2, 1), job('huge', 2, 16)],
    ]);
    const report = runToEnd(simulate(from, workspace));
    const remedies = runToEnd(findRemedies(report, from, workspace)).filter(({ group }) => group === 'pending');
    assert.deepEqual(told(remedies), [
      ['pending', 1, 'add 1 node like n0', 'no pod is evicted, 2 pending'],
      ['pending', 0, 'add 2 nodes like n0 16:64Gi', '2 evicted, 2 pending'],
    ]);
    assert.match(reportMarkdown({ ...report, remedies }), /^- cpu \(2 pods\): .*add 1 node like n0/m);
  });

  it('(#35) is run with the Jobs that CronJobs start, where a scenario says the time', () => {
    const cronJob = (name: string): JsonObject => ({
      apiVersion: 'batch/v1',
      kind: 'CronJob',
      metadata: { name, namespace: 'default' },
      spec: {
        schedule: '0 2 * * *',
        jobTemplate: { spec: { template: { spec: podSpec(3, { restartPolicy: 'Never' }) } } },
      },
    });
    const from: SimulationInput = {
      ...input([node('w1', 4), ...['a', 'b', 'c'].map(cronJob)]),
      calendar: { start: Date.parse('2026-11-27T01:50:00Z'), until: 3600, lasts: new Map() },
    };
    const report = runToEnd(simulateEvents(from, workspace, []));
    assert.equal(figuresOf(report.answer).pending, 2);
    assert.deepEqual(told(runToEnd(whatWouldHelp(report, from, workspace, []))), [
      ['pending', null, 'add 2 nodes like w1', 'no pod pending'],
    ]);
  });

  it('has the figures of the whole run with the same operations', () => {
    for (const { whatIf, figures } of remediesOf(loadSample())) {
      assert.deepEqual(figures, figuresAfter(loadSample(), whatIf), whatIf.join('; '));
    }
  });

  it('counts nodes until all pods of a reason run, and leaves other reasons alone', () => {
    const small = workload('Deployment', 'small', 392, podSpec(2));
    const gpu = workload('Deployment', 'gpu', 120, podSpec('100m', { nodeSelector: { gpu: 'a100' } }));
    const full = ['ip-10-0-0-4', 'ip-10-0-0-5'].flatMap((name): JsonObject[] => [
      node(name, '3800m'),
      running(`on-${name}`, 3, name, 0),
    ]);
    const remedies = remediesOf(input([...full, small, gpu]));
    const [first] = remedies.filter(({ whatIf }) => whatIf[0]?.startsWith('add'));
    assert.deepEqual(first?.whatIf, ['add 392 nodes like ip-10-0-0-4']);
    assert.equal(first.label, '+392 nodes like 10-0-0-4');
    assert.equal(first.effect, '120 pending (1,489.6 cpu, 24.5 Ti)');
    const gpuLine = remedies.find(({ whatIf }) => whatIf[0]?.includes('gpu=a100') === true);
    assert.deepEqual(gpuLine?.whatIf, ['add 4 nodes like ip-10-0-0-4 gpu=a100']);
  });

  for (const [what, pod, spec, expected] of [
    [
      'tolerates the taint',
      {},
      { spec: { taints: [{ key: 'dedicated', value: 'db', effect: 'NoSchedule' }] } },
      'tolerate deployment/default/app dedicated=db:NoSchedule',
    ],
    ['uncordons the node', {}, { spec: { unschedulable: true } }, 'uncordon node/only'],
    ['adds a node with the label', { nodeSelector: { disk: 'ssd' } }, {}, 'add 1 node like only disk=ssd'],
  ] as const) {
    it(`${what} where that is all that is in the way`, () => {
      const from = input([node('only', 4, spec), workload('Deployment', 'app', 1, podSpec(1, pod))]);
      const [remedy] = remediesOf(from);
      assert.deepEqual(remedy?.whatIf, [expected]);
      assert.equal(remedy.effect, 'no pod pending');
    });
  }

  it('[#34] lets all pods tolerate the taint that they wait for, each by its own toleration', () => {
    const closed = node('gpus', 4, { spec: { taints: [{ key: 'dedicated', value: 'gpu', effect: 'NoSchedule' }] } });
    const pods = ['a', 'b'].map((name) => workload('Deployment', name, 1, podSpec(1)));
    const remedy = remediesOf(input([closed, ...pods])).find(({ whatIf }) => whatIf[0]?.startsWith('tolerate'));
    assert.deepEqual(remedy?.whatIf, [
      'tolerate deployment/default/a dedicated=gpu:NoSchedule',
      'tolerate deployment/default/b dedicated=gpu:NoSchedule',
    ]);
    assert.equal(remedy.effect, 'no pod pending');
  });

  it('[PRI-4] helps nobody by having the API server refuse the pod that waits', () => {
    const from = input([
      priorityClass('too-high', 1_000_000_001),
      node('only', 1),
      running('there', 1, 'only', 0),
      workload('Deployment', 'app', 1, podSpec(1)),
    ]);
    assert.deepEqual(
      remediesOf(from).map(({ whatIf }) => whatIf.join('; ')),
      ['add 1 node like only'],
    );
  });

  it('finds a class that gets a pod its place, and says whom that evicts', () => {
    const from = input([
      priorityClass('low', 10),
      priorityClass('high', 1000),
      node('only', 4),
      running('old', 4, 'only', 100),
      workload(
        'Deployment',
        'app',
        1,
        podSpec(4, { priorityClassName: 'low', nodeSelector: { 'kubernetes.io/hostname': 'only' } }),
      ),
    ]);
    const [remedy] = remediesOf(from);
    assert.deepEqual(remedy?.whatIf, ['priority deployment/default/app high']);
    assert.equal(remedy.effect, '1 evicted, no pod pending (Pod default/old)');
  });

  it('says so where nothing that was tried helps, and of what the API server refuses', () => {
    const gpus = podSpec(1);
    const pod = { ...gpus, containers: [{ name: 'a', image: 'a', resources: { limits: { 'example.com/gpu': '1' } } }] };
    const refused = workload('Deployment', 'refused', 1, podSpec(1, { priorityClassName: 'nowhere' }));
    const remedies = remediesOf(input([node('only', 4), workload('Deployment', 'app', 1, pod), refused]));
    assert.deepEqual(told(remedies), [
      ['pending', null, '', 'run the device plugin of example.com/gpu on a node that has the devices'],
      ['refused', null, '', 'create PriorityClass nowhere'],
    ]);
  });

  it('says what to do about each answer of the API server, and by which object it comes', () => {
    const range = (item: JsonObject): JsonObject => ({
      apiVersion: 'v1',
      kind: 'LimitRange',
      metadata: { name: 'small', namespace: 'default' },
      spec: { limits: [{ type: 'Container', ...item }] },
    });
    const advice = (...objects: JsonObject[]): string =>
      remediesOf(input([node('n1', 4), ...objects])).find(({ group }) => group === 'refused')!.effect;
    const web = (more: JsonObject = {}): JsonObject => workload('Deployment', 'web', 1, podSpec(1, more));
    assert.match(advice(range({ min: { cpu: '2' } }), web()), /LimitRange small allows/);
    assert.match(
      advice(range({ default: { cpu: '500m' } }), web()),
      /^write a limit of cpu .*: LimitRange small gives/,
    );
    const gold = priorityClass('gold', 1000);
    const silver = web({ priorityClassName: 'silver' });
    assert.equal(advice(gold, silver), 'create PriorityClass silver, or name one that is there: gold');
    const misspelt = remediesOf(input([node('n1', 4), gold, web({ priorityClassName: 'golt' })]));
    assert.deepEqual(
      misspelt.map(({ whatIf, effect }) => [whatIf, effect]),
      [
        [['priority deployment/default/web gold'], 'no pod is refused'],
        [[], 'name PriorityClass gold, or create golt'],
      ],
    );
    assert.equal(
      advice(gold, web({ priorityClassName: 'system-cluster-critcal' })),
      'name PriorityClass system-cluster-critical: names that begin with system- are reserved',
    );
    assert.match(advice(gold, web({ priorityClassName: 'system-web' })), /^use a class of your own/);
  });

  it('#34 offers a DaemonSet the change that evicts no pod before the class that does', () => {
    const web = running('web', 3.5, 'a', 0, { owner: 'ReplicaSet/web', labels: { app: 'web' } });
    const remedies = remediesOf(input([node('a', 4), web, workload('DaemonSet', 'agent', 1, podSpec(1))]));
    assert.deepEqual(
      remedies.map(({ whatIf }) => whatIf),
      [
        ['request daemonset/default/agent cpu=500m'],
        ['class agent-daemons value=1', 'priority daemonset/default/agent agent-daemons'],
      ],
    );
  });

  it('names nothing that could not be typed', () => {
    const name = "only node';rm -rf";
    const from = input([node(name, 4), running('old', 4, name, 0), workload('Deployment', 'app', 1, podSpec(4))]);
    for (const { whatIf } of remediesOf(from)) {
      for (const text of whatIf) assert.doesNotMatch(text, /rm/);
    }
  });

  it('leaves what it has no time for to whoever asks', () => {
    const from = loadSample();
    const remedies = runToEnd(findRemedies(runToEnd(simulate(from, workspace)), from, workspace, {}, 100));
    assert.deepEqual(told(remedies.slice(0, 1)), [['evicted', null, 'add 1 node like general-a', 'not run yet']]);
    assert.ok(remedies.every(({ figures }) => figures === null));
  });

  it('stands in Markdown under the answer', () => {
    const from = loadSample();
    const report = { ...runToEnd(simulate(from, workspace)), remedies: remediesOf(from) };
    const text = reportMarkdown(report);
    assert.match(
      text,
      /Would help:\n\n- against evictions: `podium simulate . --what-if 'add 1 node like general-a'`: no pod is evicted, 2 pending\n/,
    );
    assert.match(text, /- cpu and memory: `podium simulate . --what-if 'add 2 nodes like general-a 4:32Gi'`/);
  });

  it('tells of operations that are tried one after the other, of drains too, and gives the report of the last', () => {
    const from = loadSample();
    const runs = new WorkspaceRuns(from, new ArrivalPreviews(from));
    const texts = (operations: readonly string[]) =>
      runToEnd(runs.effects(workspace, operations)).map(({ effect, problem }) => effect + problem);
    const [drained] = texts(['drain node/general-c --ignore-daemonsets']);
    assert.match(drained!, /^2 pods blocked, /);
    assert.match(texts(['drain node/general-c'])[0]!, /^it does not begin, 3 evicted/);
    const both = ['add 1 node like general-a', 'drain node/general-a --ignore-daemonsets'];
    const [added, second] = texts(both);
    assert.equal(added, 'no pod is evicted, 2 pending');
    assert.match(second!, /^drained, 9 evicted, 1 budget broken, 5 pending$/);
    const report = runToEnd(runs.report(workspace, both));
    assert.deepEqual(figuresOf(report.answer), runToEnd(runs.effects(workspace, both))[1]!.figures);
    assert.equal(report.comparison?.before.evicted, 3);
    const [cordoned] = report.comparison.causes.filter(({ object }) => object === 'Node/general-a');
    assert.deepEqual([cordoned!.field, cordoned!.old, cordoned!.new], ['spec.unschedulable', null, true]);
    assert.ok(runToEnd(runs.remedies(workspace, both)).every(({ group }) => group !== 'blocked'));
    assert.match(texts(['drain node/nowhere'])[0]!, /there is no Node nowhere/);
    // Without any again, everything is as it was.
    assert.equal(runToEnd(runs.report(workspace, [])).comparison, null);
  });

  it('finds the fewest from any guess, asking few times', () => {
    for (const wanted of [1, 2, 3, 7, 100, 392, 4096]) {
      for (const guess of [1, 2, 50, wanted, 4096]) {
        let asked = 0;
        const search = fewest(guess, 4096, function* (amount) {
          asked += 1;
          yield;
          return amount >= wanted;
        });
        assert.equal(runToEnd(search), wanted);
        assert.ok(asked <= 26, `${asked} questions for ${wanted} from ${guess}`);
      }
    }
    const never = fewest(1, 16, function* () {
      yield;
      return false;
    });
    assert.equal(runToEnd(never), null);
  });

  describe('for a drain', () => {
    const after = (...operations: readonly string[]): readonly Remedy[] => {
      const sample = loadSample();
      const runs = new WorkspaceRuns(sample, new ArrivalPreviews(sample));
      return runToEnd(runs.remedies(workspace, operations)).filter(({ group }) => group === 'blocked');
    };

    it('is the flag that kubectl asks for, in a drain that takes the place of the one that is refused', () => {
      const [remedy, ...others] = after('drain node/general-a');
      assert.deepEqual(others, []);
      assert.equal(remedy?.group, 'blocked');
      assert.deepEqual(remedy.whatIf, ['drain node/general-a --ignore-daemonsets']);
      assert.equal(remedy.label, 'drain general-a --ignore-daemonsets');
      assert.match(remedy.effect, /^drained, /);
    });

    it('is the least that lets the API server evict who is blocked, and never no budget', () => {
      const drain = 'drain node/general-c --ignore-daemonsets';
      const sample = loadSample();
      const runs = new WorkspaceRuns(sample, new ArrivalPreviews(sample));
      const remedies = runToEnd(runs.remedies(workspace, [drain]));
      assert.deepEqual(
        remedies.filter(({ group }) => group === 'blocked').map(({ whatIf }) => whatIf),
        [
          ['add 1 node like general-c', 'budget pdb/shop/storefront maxUnavailable=1'],
          ['budget pdb/shop/storefront maxUnavailable=1'],
        ],
      );
      for (const { whatIf, figures } of remedies.filter((each) => each.figures !== null)) {
        const { answer } = runToEnd(runs.report(workspace, [drain, ...whatIf]));
        assert.deepEqual(figures, figuresOf(answer), whatIf.join());
      }
    });

    it('is nothing where nobody is blocked', () => {
      assert.deepEqual(after('drain node/general-a --ignore-daemonsets'), []);
    });
  });

  it('[#34] deletes the pod that a StatefulSet was left with, where its template is mended', () => {
    const asking = (memory: string): JsonObject =>
      workload('StatefulSet', 'db', 3, {
        containers: [{ name: 'main', image: 'a', resources: { requests: { memory } } }],
      });
    const broken = asking('100Gi');
    const { spec } = broken as { spec: { template: JsonObject } };
    const stuck = {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: {
        name: 'db-0',
        namespace: 'default',
        labels: { app: 'db', 'controller-revision-hash': 'db-1' },
        ownerReferences: [{ apiVersion: 'apps/v1', kind: 'StatefulSet', name: 'db', uid: 'db', controller: true }],
      },
      spec: spec.template['spec'] ?? null,
      status: { phase: 'Pending' },
    };
    const stored = { ...broken, status: { currentRevision: 'db-1', updateRevision: 'db-1', replicas: 1 } };
    const from = input([asking('1Gi')], [node('a', 4), stored, stuck]);
    const remedies = runToEnd(whatWouldHelp(runToEnd(simulateEvents(from, workspace, [])), from, workspace, []));
    assert.deepEqual(
      remedies.map(({ whatIf, effect }) => [whatIf.join('; '), effect]),
      [
        ['delete pod/default/db-0', 'no pod pending'],
        ['add 1 node like a 4:128Gi', 'no pod pending'],
      ],
    );
  });

  it('[#34] changes no request and no class of a pod that is there already', () => {
    const asking = { ...running('solo', 2, '', 0, { spec: { nodeName: '' } }), status: { phase: 'Pending' } };
    const cluster = [node('a', 2), priorityClass('high', 1000), running('other', 1, 'a', 0), asking];
    const from = input([], cluster);
    const remedies = runToEnd(whatWouldHelp(runToEnd(simulateEvents(from, workspace, [])), from, workspace, []));
    assert.deepEqual(
      remedies.map(({ whatIf }) => whatIf),
      [['add 1 node like a']],
    );
  });

  it('[#34] scales up what a pod is to be near and of which there is none, and asks for no label that is there', () => {
    const near = {
      requiredDuringSchedulingIgnoredDuringExecution: [
        { labelSelector: { matchLabels: { app: 'cache' } }, topologyKey: 'kubernetes.io/hostname' },
      ],
    };
    const web = workload('Deployment', 'web', 1, podSpec(1, { affinity: { podAffinity: near } }));
    assert.deepEqual(
      told(remediesOf(input([node('a', 4), workload('Deployment', 'cache', 0, podSpec(1)), web]))).map((each) =>
        each.slice(2),
      ),
      [
        ['scale deployment/default/cache 1', 'no pod pending'],
        ['', 'deploy a pod of app=cache, or ask for it as preferred affinity'],
      ],
    );
  });

  it('[#34] leaves room for what a RuntimeClass adds, and names the init container that asks for the most', () => {
    const kata = {
      apiVersion: 'node.k8s.io/v1',
      kind: 'RuntimeClass',
      metadata: { name: 'kata' },
      handler: 'kata',
      overhead: { podFixed: { cpu: '250m' } },
    };
    const boxed = workload('Deployment', 'boxed', 1, podSpec('3900m', { runtimeClassName: 'kata' }));
    assert.deepEqual(
      remediesOf(input([node('a', 4), kata, boxed])).map(({ whatIf }) => whatIf.join()),
      ['add 1 node like a 8:64Gi', 'request deployment/default/boxed cpu=3750m'],
    );
    const first = { name: 'migrate', image: 'app', resources: { requests: { cpu: '6' } } };
    const web = workload('Deployment', 'web', 1, podSpec('200m', { initContainers: [first] }));
    assert.deepEqual(
      remediesOf(input([node('a', 4), web])).map(({ whatIf, effect }) => whatIf.join() || effect),
      ['add 1 node like a 8:64Gi', 'ask for at most 4 cpu in init container migrate'],
    );
  });

  it('[#34] gives new nodes what a RuntimeClass selects, and says of DaemonSets of several containers what they may ask for', () => {
    const kata = {
      apiVersion: 'node.k8s.io/v1',
      kind: 'RuntimeClass',
      metadata: { name: 'kata' },
      handler: 'kata',
      scheduling: { nodeSelector: { pool: 'boxes' } },
    };
    const taints = [{ key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule' }];
    const failed = node('a', 4, { labels: { pool: 'boxes' }, spec: { taints } });
    const boxed = workload('Deployment', 'boxed', 1, podSpec(6, { runtimeClassName: 'kata' }));
    assert.deepEqual(
      remediesOf(input([failed, node('b', 8), kata, boxed])).flatMap(({ whatIf }) => whatIf),
      ['add 1 node like b pool=boxes'],
    );
    const [main] = podSpec(3)['containers'] as JsonObject[];
    const agent = workload('DaemonSet', 'agent', 0, { containers: [main!, { ...main, name: 'side' }] });
    assert.deepEqual(
      remediesOf(input([node('a', 8), node('b', 4), agent])).map(({ effect }) => effect),
      ['ask for at most 4 cpu, or select nodes that are larger'],
    );
  });

  it('[#34] says of a Job, whose template cannot be changed, how it is made anew and what that does', () => {
    const build = {
      apiVersion: 'batch/v1',
      kind: 'Job',
      metadata: { name: 'build', namespace: 'default' },
      spec: { template: { spec: { ...podSpec(6), restartPolicy: 'Never' } } },
    };
    const [, , anew] = remediesOf(input([node('a', 4), build, node('b', 4)]));
    const [only] = remediesOf(
      input([
        node('a', 4),
        {
          ...build,
          spec: {
            ...build.spec,
            template: {
              spec: { ...podSpec(6), nodeSelector: { 'kubernetes.io/hostname': 'a' }, restartPolicy: 'Never' },
            },
          },
        },
      ]),
    );
    assert.equal(anew, undefined);
    assert.match(
      only?.effect ?? '',
      /^the template of a Job cannot be changed: kubectl delete job build -n default, then apply it with this: build asks for 4 cpu, no pod pending/,
    );
  });

  it('is at most two fixes for a group, whatever reasons its pods wait for', () => {
    const gated = ['one', 'two', 'three'].map((name) =>
      workload('Deployment', name, 1, podSpec('100m', { schedulingGates: [{ name: `example.com/${name}` }] })),
    );
    const found = remediesOf(input([node('a', '4'), ...gated]));
    assert.equal(found.filter(({ group, whatIf }) => group === 'gated' && whatIf.length > 0).length, 2);
  });
});
