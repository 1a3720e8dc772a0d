import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import * as fc from 'fast-check';
import { answerLineLimit, restText } from '../../../server/src/report-model/answer.ts';
import { markdownLimit, reportMarkdown } from '../../../server/src/report-model/markdown.ts';
import type { Report } from '../../../server/src/report-model/report.ts';
import { shortNames } from '../../../server/src/report-model/short-names.ts';
import { runToEnd } from '../../../server/src/util/steps.ts';
import { branchOf, eventsOf, parseEvent, simulate, simulateEvents } from '../../../server/src/simulation/index.ts';
import { input, node, pod, podSpec, priorityClass, running, simulated, workload } from './cluster-builder.ts';
import { writtenHeader } from '../../../server/src/kubernetes/snapshot-header.ts';
import type { JsonObject } from '../../../server/src/kubernetes/json.ts';
import { loadSample } from './load-sample.ts';

const deployment = (name: string, cpu: number, replicas: number, spec: JsonObject = {}) =>
  workload('Deployment', name, replicas, podSpec(cpu, spec));

const lineOf = (report: Report, name: string) =>
  report.answer.groups.flatMap(({ lines }) => lines).find((line) => line.name === name);

describe('the answer of a report', () => {
  it('counts pods that nobody controls without the workloads that they are not', () => {
    const pods = Array.from({ length: 5 }, (_each, index) => pod(`p${index}`, 1));
    const { answer } = simulated([node('n0', 4), ...pods]);
    assert.equal(answer.headline, '4 pods are placed on n0; no pod is evicted; 1 pod stays pending.');
  });

  it('[#35] says of no amount that no node has it free where only some nodes lack it', () => {
    const spec = (memory: string, priorityClassName: string): JsonObject => ({
      priorityClassName,
      containers: [{ name: 'main', image: 'app', resources: { requests: { cpu: '2', memory } } }],
    });
    const full = (name: string, at: string, cpu: string, memory: string): JsonObject => ({
      ...pod(name, cpu, { nodeName: at, priorityClassName: 'low' }),
      spec: {
        nodeName: at,
        priorityClassName: 'low',
        containers: [{ name: 'main', image: 'app', resources: { requests: { cpu, memory } } }],
      },
      status: { phase: 'Running' },
    });
    const { answer } = simulated([
      priorityClass('low', 1),
      priorityClass('high', 100),
      node('a', 4, { memory: '16Gi' }),
      node('b', 4, { memory: '16Gi' }),
      full('x', 'a', '2500m', '2Gi'),
      full('y', 'b', '1', '12Gi'),
      workload('Deployment', 'web', 1, spec('6Gi', 'high')),
    ]);
    assert.equal(
      answer.cause,
      'web finds no node without evicting pods: none that it may use has 6 Gi and 2 cpu free.',
    );
  });

  it('[#35] says of more workloads only where some are shown', () => {
    const { answer } = simulated([node('n0', 4), ...['a', 'b', 'c'].map((name) => deployment(name, 1, 1))]);
    const [{ lines } = { lines: [] }] = answer.groups;
    assert.equal(restText(lines, 0), '3 workloads · 3 pods');
    assert.equal(restText(lines, 1), '2 more workloads · 2 pods');
  });

  it('groups large numbers everywhere', () => {
    const { answer } = simulated([
      ...Array.from({ length: 4 }, (_each, index) => node(`n${index}`, 400)),
      deployment('a', 1, 400),
      deployment('b', 1000, 1200),
      ...['c', 'd', 'e'].map((name) => deployment(name, 0.001, 1)),
    ]);
    const text = JSON.stringify([answer.headline, answer.balanceText, answer.groups.map(({ lines }) => lines)]);
    assert.match(text, /1,603 new pods = 403 scheduled \+ 1,200 pending/);
    assert.doesNotMatch(text, /\d{4,} (?:pods?|arrive|scheduled|pending|evicted|nodes?)/);
  });

  it('[PRE-19] names who evicts whom, what is scarce, and what becomes of the replacements', () => {
    const { answer } = runToEnd(simulate(loadSample(), { kind: 'workspace' }));
    assert.equal(
      answer.headline,
      'checkout evicts thumbnailer (down), search-indexer and nightly-report and breaks 1 budget; 5 pods stay pending.',
    );
    assert.equal(
      answer.cause,
      'checkout needs 1.6 cpu on one node. No node that it may use has more than 0.75 cpu free.',
    );
    const [evicted] = answer.groups;
    assert.deepEqual(
      evicted?.lines.map(({ name, count, marks }) => ({ name, count, marks })),
      [
        { name: 'thumbnailer', count: '1 of 1', marks: ['down'] },
        { name: 'search-indexer', count: '1 of 2', marks: ['budget broken'] },
        { name: 'nightly-report', count: '1 of 2', marks: [] },
      ],
    );
    assert.equal(evicted.lines[0]?.then, 'replacement pending, 0.3 cpu short on general-c');
    assert.deepEqual(
      answer.groups.map(({ kind, pods }) => [kind, pods]),
      [
        ['evicted', 3],
        ['pending', 5],
        ['gated', 1],
        ['scheduled', 3],
      ],
    );
  });

  it('names a place once, however many pods it takes', () => {
    const report = simulated([node('a', 4), node('b', 1), deployment('web', 1, 5)]);
    const [places] = lineOf(report, 'web')?.details ?? [];
    assert.equal(places, 'a at once and b at once');
  });

  it('groups what waits by its reason, and tells what no node could ever take', () => {
    const { answer } = runToEnd(simulate(loadSample(), { kind: 'workspace' }));
    const pending = answer.groups.find(({ kind }) => kind === 'pending');
    assert.deepEqual(
      pending?.lines.map(({ name, count, details }) => [name, count, details[0]]),
      [
        [
          'cpu',
          '4 pods',
          'the replacements of nightly-report, thumbnailer and search-indexer; recommender-training (never preempts)',
        ],
        ['cpu and memory', '1 pod', 'order-history-export (never preempts)'],
      ],
    );
    assert.match(
      pending.lines[1]?.then ?? '',
      /^it asks for 16 Gi and 1 cpu; the largest node it may use has 14 Gi; at most 0.1 cpu free, on general-c;/,
    );
  });

  it('tells a gap in a workload from one that is down, and from one that never stops', () => {
    const evicting = (owner: string, name: string) =>
      simulated([
        node('a', 4),
        node('b', 4),
        priorityClass('high', 1000),
        running(name, 4, 'a', 0, { owner }),
        deployment('new', 4, 1, { priorityClassName: 'high', nodeSelector: { 'kubernetes.io/hostname': 'a' } }),
      ]);
    assert.deepEqual(lineOf(evicting('ReplicaSet/old', 'old-x'), 'old')?.marks, []);
    assert.deepEqual(lineOf(evicting('StatefulSet/old', 'old-0'), 'old')?.marks, ['gap']);
  });

  it('[PRE-19] tells the worst first, whoever evicts: a workload that a drain takes down before one that loses a pod', () => {
    const at = (name: string) => ({ nodeSelector: { 'kubernetes.io/hostname': name } });
    const base = input([
      node('a', 4),
      node('b', 4),
      priorityClass('high', 1000),
      running('few-1-x', 4, 'a', 0, { owner: 'ReplicaSet/few-1' }),
      running('few-1-y', 1, 'b', 0, { owner: 'ReplicaSet/few-1' }),
      node('c', 4),
      running('few-1-z', 1, 'c', 0, { owner: 'ReplicaSet/few-1' }),
      running('gone-1-x', 1, 'b', 0, { owner: 'ReplicaSet/gone-1' }),
      deployment('new', 4, 1, { priorityClassName: 'high', ...at('a') }),
      workload('Deployment', 'few', 3, podSpec(4, at('a'))),
      workload('Deployment', 'gone', 1, podSpec(1, at('b'))),
    ]);
    const { answer } = runToEnd(
      simulateEvents(base, { kind: 'workspace' }, eventsOf(branchOf(base, ['drain node/b --force']))),
    );
    const lines = answer.groups.find(({ kind }) => kind === 'evicted')?.lines ?? [];
    assert.deepEqual(
      lines.map(({ name, marks, details }) => [name, marks.join(), details[0]]),
      [
        ['gone', 'down', 'drained from b'],
        ['few', '', 'for new (high 1000)'],
      ],
    );
  });

  it('[PRE-19] says that a Job is over whose retries evictions use up, and what stays on an unreachable node', () => {
    const job = (more: JsonObject): JsonObject => ({
      apiVersion: 'batch/v1',
      kind: 'Job',
      metadata: { name: 'once', namespace: 'default' },
      spec: { backoffLimit: 0, ...more, template: { spec: podSpec(4, { restartPolicy: 'Never' }) } },
    });
    const thenOf = (objects: readonly JsonObject[]): string => {
      const { answer } = simulated([
        node('a', 4),
        priorityClass('high', 1000),
        running('once-x', 4, 'a', 0, { owner: 'Job/once', labels: { 'job-name': 'once' } }),
        workload('Deployment', 'web', 1, podSpec(2, { priorityClassName: 'high' })),
        ...objects,
      ]);
      return answer.groups.find(({ kind }) => kind === 'evicted')?.lines[0]?.then ?? '';
    };
    assert.match(thenOf([job({})]), /its Job fails for good/);
    assert.match(thenOf([job({ backoffLimit: 3 })]), /replacement pending/);
    const rules = [{ action: 'Ignore', onPodConditions: [{ type: 'DisruptionTarget', status: 'True' }] }];
    assert.match(thenOf([job({ podFailurePolicy: { rules } })]), /replacement pending/);
    const base = input([
      node('a', 4),
      node('b', 4),
      running('db-0', 1, 'a', 0, { owner: 'StatefulSet/db', labels: { app: 'db' } }),
      workload('StatefulSet', 'db', 1, podSpec(1)),
    ]);
    const taint = 'taint node/a node.kubernetes.io/unreachable:NoExecute';
    const { answer } = runToEnd(simulateEvents(base, { kind: 'workspace' }, eventsOf(branchOf(base, [taint]))));
    const [line] = answer.groups.find(({ kind }) => kind === 'evicted')?.lines ?? [];
    assert.match(line?.details.join() ?? '', /stays terminating, as no kubelet answers on a: delete it by force/);
    assert.equal(line?.then, 'its replacement comes once it is gone');
  });

  it('[PRE-19] makes pods of a failed node anew: those of a StatefulSet once the node is gone or out of service', () => {
    const key = 'node.kubernetes.io/unreachable';
    const spec = { tolerations: [{ key, operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 300 }] };
    const standing = [
      node('a', 4),
      node('b', 4),
      running('db-0', 1, 'a', 0, { owner: 'StatefulSet/db', labels: { app: 'db' }, spec }),
      workload('StatefulSet', 'db', 1, podSpec(1)),
      running('web-x', 1, 'a', 0, { owner: 'ReplicaSet/web', labels: { app: 'web' }, spec }),
      workload('Deployment', 'web', 1, podSpec(1)),
    ];
    const clocksOf = (...more: readonly string[]): Readonly<Record<string, number>> => {
      const events = ['fail node/a at 10s', ...more].map((text) => {
        const event = parseEvent(text);
        assert.ok(!('problem' in event), text);
        return event;
      });
      const { steps, pods, answer } = runToEnd(simulateEvents(input(standing), { kind: 'workspace' }, events));
      assert.match(answer.headline, /^When a fails, 2 pods are evicted/);
      const placed = steps.filter(({ kind }) => kind === 'scheduled');
      return Object.fromEntries(placed.map(({ pod, clock }) => [pods[pod]!.name.split('-')[0]!, Math.round(clock)]));
    };
    // Not heard of for 50 s, and tolerated for 300.
    assert.deepEqual(clocksOf(), { web: 360 });
    assert.deepEqual(clocksOf('remove node/a at 1000s'), { web: 360, db: 1000 });
    const outOfService = 'taint node/a node.kubernetes.io/out-of-service:NoExecute at 1000s';
    assert.deepEqual(clocksOf(outOfService), { web: 360, db: 1000 });
  });

  it('#34 evicts who is on a node that was tainted before, after the seconds that are left of those it tolerates', () => {
    const key = 'node.kubernetes.io/unreachable';
    const spec = { tolerations: [{ key, operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 300 }] };
    const clockOf = (timeAdded: string | undefined, takenAt?: string): number | undefined => {
      const taint = { key, effect: 'NoExecute', ...(timeAdded === undefined ? {} : { timeAdded }) };
      const snapshot = [
        node('a', 4, { spec: { taints: [taint] } }),
        node('b', 4),
        running('web-x', 1, 'a', 0, { owner: 'ReplicaSet/web', labels: { app: 'web' }, spec }),
        running('bare', 1, 'a', 0, { spec }),
        running('stays', 1, 'a', 0, { spec: { tolerations: [{ operator: 'Exists' }] } }),
      ];
      const header = { context: 'prod', serverVersion: '1.34', takenAt: takenAt ?? '', missing: [] };
      const known = takenAt === undefined ? [] : [writtenHeader(header)];
      const report = runToEnd(simulate(input([], [...snapshot, ...known]), { kind: 'workspace' }));
      assert.match(report.answer.headline, /^The taint of a evicts 2 pods/);
      assert.equal(lineOf(report, 'web')?.then, 'replacement runs on b');
      assert.equal(lineOf(report, 'bare')?.then, 'nothing recreates it');
      return report.steps.find(({ kind, pod }) => kind === 'deleted' && report.pods[pod]!.name === 'web-x')?.clock;
    };
    assert.equal(clockOf(undefined), 300);
    assert.equal(clockOf('2026-03-01T10:00:00Z'), 300);
    assert.equal(clockOf('2026-03-01T10:00:00Z', '2026-03-01T10:04:00Z'), 60);
    assert.equal(clockOf('2026-03-01T10:00:00Z', '2026-03-01T12:00:00Z'), 0);
  });

  it('[PRE-19] tells a grace period of minutes, hours or days as such', () => {
    const graceOf = (...seconds: readonly number[]) => {
      const victims = seconds.map((terminationGracePeriodSeconds, index) => {
        const owner = 'ReplicaSet/old';
        return running(`old-${index}`, 2, 'a', 0, { owner, spec: { terminationGracePeriodSeconds } });
      });
      const high = { priorityClassName: 'high' };
      return lineOf(
        simulated([node('a', 4), priorityClass('high', 1000), ...victims, deployment('new', 4, 1, high)]),
        'old',
      )?.details[2];
    };
    assert.equal(graceOf(30, 86_399), '30 s to 23 h 59 min to end');
    assert.equal(graceOf(86_400, 86_400), '24 h to end');
    assert.equal(graceOf(30, 180_000), '30 s to 2 d 2 h to end');
  });

  it('says that all pods run where nobody arrives', () => {
    const report = simulated([node('a', 4), running('x', 1, 'a', 0), running('y', 1, 'a', 0)]);
    assert.equal(report.answer.headline, 'All 2 pods run; none are new.');
    assert.deepEqual(report.answer.groups, []);
  });

  it('adds up, whatever happens', () => {
    const size = fc.integer({ min: 1, max: 4 });
    const drafts = fc.record({ cpu: size, replicas: size, priority: fc.constantFrom('', 'mid', 'high') });
    fc.assert(
      fc.property(fc.array(drafts, { maxLength: 5 }), fc.array(size, { maxLength: 8 }), (arriving, standing) => {
        const objects = [
          node('a', 4),
          node('b', 4),
          priorityClass('mid', 100),
          priorityClass('high', 1000),
          ...standing
            .slice(0, 2)
            .map((cpu, index) =>
              running(`old-${index}`, cpu, index === 0 ? 'a' : 'b', 10 * index, { owner: 'ReplicaSet/old' }),
            ),
          ...arriving.map(({ cpu, replicas, priority }, index) =>
            deployment(`new-${index}`, cpu, replicas, priority === '' ? {} : { priorityClassName: priority }),
          ),
        ];
        const { answer, pods } = simulated(objects);
        const { balance: sum } = answer;
        assert.equal(sum.arriving, sum.scheduled + sum.pending + sum.gated + sum.refused);
        assert.equal(sum.evicted, sum.again + sum.stillPending + sum.stillGated + sum.stillRefused + sum.notReplaced);
        const waiting = pods.filter(({ after }) => after.state === 'pending' || after.state === 'nominated').length;
        assert.equal(sum.pending + sum.stillPending, waiting);
        for (const { kind, pods: counted, lines } of answer.groups) {
          assert.equal(
            lines.reduce((total, line) => total + line.pods.length, 0),
            counted,
            kind,
          );
        }
      }),
      { numRuns: 60 },
    );
  });

  it('[#35] names those that go down where they are few: it is not who evicts', () => {
    const nodes = ['n0', 'n1', 'n2', 'n3'];
    const left = ['n1', 'n2', 'n3'];
    const { answer } = simulated([
      ...nodes.map((name) => node(name, 4)),
      ...left.map((name) => node(`${name}-small`, 1)),
      ...nodes.map((name) => running(`w-${name}-x`, 4, name, 0, { owner: `ReplicaSet/w-${name}` })),
      ...left.map((name) => running(`w-${name}-y`, 1, `${name}-small`, 0, { owner: `ReplicaSet/w-${name}` })),
      priorityClass('high', 1000),
      deployment('big', 4, 4, { priorityClassName: 'high' }),
    ]);
    assert.match(answer.headline, /^w-n0 goes down: big evicts 4 pods of 4 workloads, /);
    assert.deepEqual(
      answer.emphasis.filter(({ text }) => text.includes('down')),
      [{ text: 'w-n0 goes down', tone: 'bad' }],
    );
  });

  it('[#35] says of many that they have no pod for a while, though all run again, and of nothing free that there is none', () => {
    const nodes = ['n0', 'n1', 'n2', 'n3'];
    const { answer } = simulated([
      ...nodes.flatMap((name) => [node(name, 4), node(`${name}-small`, 3)]),
      ...nodes.map((name) => running(`w-${name}-0`, 3, name, 0, { owner: `StatefulSet/w-${name}` })),
      priorityClass('high', 1000),
      deployment('big', 4, 4, { priorityClassName: 'high' }),
    ]);
    assert.match(answer.headline, /^4 workloads have no pod for a while: big evicts 4 pods of 4 workloads, /);
    const { answer: full } = simulated([
      node('a', 4),
      running('w-0', 4, 'a', 0),
      priorityClass('high', 1000),
      deployment('big', 4, 1, { priorityClassName: 'high' }),
    ]);
    assert.equal(full.cause, 'big needs 4 cpu on one node. No node that it may use has cpu free.');
  });

  it('[PRE-19] says once what all victims share, and which class those have that evict them', () => {
    const nodes = ['n0', 'n1', 'n2', 'n3'];
    const { answer } = simulated([
      ...nodes.map((name) => node(name, 4)),
      ...nodes.map((name, at) => running(`w${at}-x`, 4, name, 0, { owner: `ReplicaSet/w${at}` })),
      priorityClass('high', 1000),
      ...nodes.map((_name, at) => deployment(`big-${at}`, 4, 1, { priorityClassName: 'high' })),
    ]);
    assert.equal(
      answer.headline,
      '4 workloads go down: high (4 pods of 4 workloads) evicts 4 pods of 4 workloads, all priority 0, none has a budget; 4 pods stay pending.',
    );
    for (const { details } of answer.groups[0]!.lines) assert.ok(!details.includes('no budget'));
  });

  it('[PRE-19] begins with those that evict, of what is scheduled', () => {
    const nodes = Array.from({ length: 4 }, (_each, at) => `n${at}`);
    const { answer } = simulated([
      ...nodes.map((name) => node(name, 4)),
      node('room', 4),
      ...nodes.map((name, at) => running(`web-${at}`, 3, name, 0, { owner: 'ReplicaSet/web' })),
      priorityClass('high', 1000),
      deployment('a', 1, 1),
      deployment('big', 4, 4, { priorityClassName: 'high' }),
    ]);
    assert.deepEqual(
      answer.groups.find(({ kind }) => kind === 'scheduled')?.lines.map(({ name }) => name),
      ['big', 'a'],
    );
  });

  it('counts workloads past the eighth in one line, and keeps Markdown under 60,000 bytes', () => {
    const count = 300;
    const objects = [
      ...Array.from({ length: count }, (_, at) => node(`ip-10-0-0-${at}.eu-west-1.compute.internal`, 4)),
      ...Array.from({ length: count }, (_, at) =>
        running(`w${at}-x`, 4, `ip-10-0-0-${at}.eu-west-1.compute.internal`, 0, { owner: `ReplicaSet/w${at}` }),
      ),
      priorityClass('high', 1000),
      deployment('big', 4, count, { priorityClassName: 'high' }),
    ];
    const report = simulated(objects);
    const [evicted] = report.answer.groups;
    assert.equal(evicted?.lines.length, count);
    assert.equal(evicted.rest, `${count - answerLineLimit} more workloads · ${count - answerLineLimit} pods`);
    assert.equal(report.answer.names, 'names without ip-… .eu-west-1.compute.internal');
    const text = reportMarkdown(report);
    assert.ok(Buffer.byteLength(text) <= markdownLimit);
    assert.match(
      text,
      /^### 300 workloads go down: big evicts 300 pods of 300 workloads, all priority 0, none has a budget; 300 pods stay pending\n/,
    );
    assert.match(text, /Left out for length: [^\n]+\.\n$/);
  });
});

describe('short names', () => {
  const names = (nodes: readonly string[]) => {
    const short = shortNames({ pods: [], workloads: [], nodes: nodes.map((name) => ({ name })) });
    return { short: nodes.map((_, index) => short.node(index)), cut: short.cut };
  };

  it('leaves out what all nodes share, cut at a dot or a dash', () => {
    assert.deepEqual(names(['ip-10-0-0-9.eu.internal', 'ip-10-7-0-12.eu.internal']), {
      short: ['10-0-0-9', '10-7-0-12'],
      cut: 'names without ip-… .eu.internal',
    });
  });

  it('never cuts within an address', () => {
    const far = Array.from({ length: 300 }, (_, at) => `ip-10-0-${Math.floor(at / 256)}-${at % 256}.eu.internal`);
    assert.deepEqual([names(far).short[9], names(far).short[299]], ['10-0-0-9', '10-0-1-43']);
    assert.equal(names(['pool-1-2-abcd', 'pool-1-2-efgh']).short[0], 'abcd');
  });

  it('cuts names of a cluster as before when nodes of a what-if are among them', () => {
    const cluster = ['ip-10-0-0-9.eu.internal', 'ip-10-7-0-12.eu.internal'];
    assert.deepEqual(names([...cluster, `${cluster[0]!}+1`, 'added+1', 'added+2']), {
      short: ['10-0-0-9', '10-7-0-12', '10-0-0-9+1', 'added+1', 'added+2'],
      cut: 'names without ip-… .eu.internal',
    });
  });

  it('calls pods that a DaemonSet makes after their nodes as those are called', () => {
    const agents = ['ip-10-0-0-9.eu.internal', 'ip-10-7-0-12.eu.internal'];
    const report = simulated([...agents.map((name) => node(name, 4)), workload('DaemonSet', 'db-0', 1, podSpec(1))]);
    const nodes = [...report.nodes, { ...report.nodes[0]!, name: `${agents[0]!}+1` }];
    const pods = [...report.pods, { ...report.pods[0]!, name: `db-0-${agents[0]!}+1` }];
    const short = shortNames({ ...report, nodes, pods });
    assert.deepEqual(pods.map((_, index) => short.pod(index)).sort(), [
      'db-0 10-0-0-9',
      'db-0 10-0-0-9+1',
      'db-0 10-7-0-12',
    ]);
  });

  it('keeps names whole that would be cut to less than four letters, or are the same', () => {
    assert.deepEqual(names(['node-1', 'node-2']), { short: ['node-1', 'node-2'], cut: '' });
    assert.deepEqual(names(['same.x', 'same.x']), { short: ['same.x', 'same.x'], cut: '' });
    assert.deepEqual(names(['one']), { short: ['one'], cut: '' });
  });

  it('never gives two of ten thousand nodes one name', () => {
    const { short } = names(Array.from({ length: 10_000 }, (_, at) => `gke-pool-${at % 7}-${at}.zone-a.c.project`));
    assert.equal(new Set(short).size, 10_000);
  });
});
