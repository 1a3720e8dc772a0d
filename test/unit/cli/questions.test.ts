import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Report } from '../../../server/src/report-model/report.ts';
import { podium } from './run-podium.ts';

function node(name: string): object {
  const amounts = { cpu: '2', memory: '8Gi', pods: '110' };
  return { apiVersion: 'v1', kind: 'Node', metadata: { name }, status: { capacity: amounts, allocatable: amounts } };
}

function deployment(name: string, replicas: number, className?: string): object {
  const labels = { app: name };
  const spec = { ...pod, ...(className === undefined ? {} : { priorityClassName: className }) };
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name },
    spec: { replicas, selector: { matchLabels: labels }, template: { metadata: { labels }, spec } },
  };
}

const pod = { containers: [{ name: 'c', image: 'x', resources: { requests: { cpu: '1' } } }] };

const high = { apiVersion: 'scheduling.k8s.io/v1', kind: 'PriorityClass', metadata: { name: 'high' }, value: 1000 };

describe('the questions of a scenario', () => {
  let folder: string;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'podium-questions-'));
    const objects = [node('a'), node('b'), high, deployment('web', 2), deployment('cart', 1, 'high')];
    await writeFile(join(folder, 'all.yaml'), objects.map((each) => JSON.stringify(each)).join('\n---\n'));
  });

  after(async () => {
    await rm(folder, { recursive: true, force: true });
  });

  async function ask(events: readonly string[], questions: readonly string[], ...more: readonly string[]) {
    const file = join(folder, 'ask.podium.yaml');
    await writeFile(file, JSON.stringify({ events, questions }));
    return podium(['simulate', '--scenario', file, ...more]);
  }

  it('are answered from where everything stands at the end, in their order', async () => {
    const { stdout, stderr, code } = await ask(
      ['drain node/b at 60s'],
      [
        'pending',
        'evicted deployment/web',
        'running deployment/cart',
        'drained node/b',
        'drained node/a',
        'fit deployment/cart',
        'threats deployment/web',
      ],
      '--format',
      'json',
      '--fail-on',
      'pending',
    );
    assert.equal(code, 1, stderr);
    const { questions } = JSON.parse(stdout) as Report;
    assert.deepEqual(
      questions.map(({ answer }) => answer),
      [
        '1 pod is pending',
        '1 pod of Deployment default/web is evicted or ended',
        '1 pod of Deployment default/cart is running',
        'yes, at 90 s, 1 pod evicted',
        'a is not drained',
        '0 more fit without evicting a pod',
        '1 of 2 pods could be evicted by one more pod of a declared workload',
      ],
    );
    assert.match(
      questions[0]!.details[0]!,
      /^default\/web-\S+: it asks for 1 cpu; no cpu free on a, the only node it may use/,
    );
    assert.match(questions[2]!.details[0]!, / on a$/);
    assert.match(questions[5]!.details.join('\n'), /1 if lower priorities are evicted and no budget is broken/);
  });

  it('[#35] count pods that find no node, have gates or are refused apart, as headlines do', async () => {
    const gates = [{ name: 'example.com/approval' }];
    const gated = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'g' }, spec: { ...pod, schedulingGates: gates } };
    await writeFile(join(folder, 'gated.json'), JSON.stringify(gated));
    const { stdout } = await ask(['drain node/b at 60s'], ['pending']);
    await rm(join(folder, 'gated.json'));
    assert.match(stdout, /^ {2}pending: 2 pods are pending \(1 without a node, 1 gated\)$/m);
  });

  it('say what is expected, and fail the command where it is not so', async () => {
    const asked = [
      'pending = 0',
      'running deployment/web >= 2',
      'drained node/b = yes',
      'drained node/a = no',
      'pending',
    ];
    const { stdout, code, stderr } = await ask(['drain node/b at 60s'], asked);
    assert.equal(code, 1, stderr);
    assert.match(stdout, /^ {2}✗ pending = 0: 1 pod is pending$/m);
    assert.match(stdout, /^ {2}✗ running deployment\/web >= 2: 1 pod of Deployment default\/web is running$/m);
    assert.match(stdout, /^ {2}✓ drained node\/b = yes: yes, at /m);
    assert.match(stdout, /^ {2}✓ drained node\/a = no: a is not drained$/m);
    assert.match(stdout, /^ {2}pending: 1 pod is pending$/m);
    assert.match(
      stdout,
      /\nnot as expected: pending = 0: 1 pod is pending\nnot as expected: running deployment\/web >= 2: [^\n]+\n$/,
    );
    const met = await ask([], ['pending = 0', 'evicted <= 0', 'fit deployment/web >= 1']);
    assert.equal(met.code, 0, met.stdout);
    assert.equal(met.stdout.includes('not as expected'), false);
    const { stdout: markdown } = await ask([], ['pending = 0', 'pending = 1', 'pending'], '--format', 'markdown');
    assert.match(markdown, /- ✓ `pending = 0`: no pod is pending\n- ✗ `pending = 1`: no pod is pending\n- `pending`: /);
  });

  it('are refused with an expectation that cannot be', async () => {
    for (const [question, problem] of [
      ['pending = none', "'= none' is not understood; write = N | >= N | <= N"],
      ['pending = -1', "'= -1' is not understood"],
      ['pending = yes', "'= yes' is not understood"],
      ['drained node/a = 1', "'= 1' is not understood; write = yes or = no"],
      ['drained node/a >= yes', "'>= yes' is not understood"],
      ['fit = 2', "'fit' is not understood; write fit KIND/NAMESPACE/NAME"],
    ] as const) {
      const { code, stderr } = await ask([], [question]);
      assert.equal(code, 2, question);
      assert.ok(stderr.includes(problem), stderr);
    }
  });

  it('stand in the terminal behind the answer', async () => {
    const { stdout } = await ask([], ['pending deployment/web', 'fit deployment/web']);
    assert.match(
      stdout,
      /^Questions +of the end\n {2}pending deployment\/web: no pod of Deployment default\/web is pending$/m,
    );
    assert.match(stdout, /^ {2}fit deployment\/web: 1 more fits without evicting a pod$/m);
  });

  it('are answered in the terminal with a few names, unless all are asked for', async () => {
    const events = ['scale deployment/web 9 at 10s'];
    const { stdout } = await ask(events, ['pending']);
    const section = (text: string): readonly string[] =>
      /^Questions[^\n]*\n((?: .*\n)+)/m.exec(text)![1]!.trimEnd().split('\n');
    assert.match(section(stdout).at(-1)!, /^ {4}and \d+ more lines · --show pods$/);
    const all = await ask(events, ['pending'], '--show', 'pods');
    assert.doesNotMatch(all.stdout, /more lines · --show pods/);
    assert.ok(section(all.stdout).length > section(stdout).length);
  });

  it('stand in Markdown, with what was done', async () => {
    const { stdout } = await ask(['drain node/b at 60s'], ['pending', 'drained node/b'], '--format', 'markdown');
    assert.match(
      stdout,
      /^#### Questions · 2\n\n- `pending`: 1 pod is pending\n {2}- default\/web-\S+: it asks for 1 cpu/m,
    );
    assert.match(stdout, /^- `drained node\/b`: yes, at 90 s, 1 pod evicted$/m);
    assert.match(stdout, /<summary>What is done · 1<\/summary>/);
    assert.match(stdout, /^\| 60 s \| `drain node\/b at 60s` \| .*node\/b cordoned.*<br>/m);
    const many = await ask(['scale deployment/web 40 at 10s'], ['pending'], '--format', 'markdown');
    assert.match(many.stdout, /^ {2}- and \d+ more$/m);
  });

  it('ask of a pod by its name, or by that of its workload', async () => {
    const { stdout } = await ask([], ['threats pod/web', 'threats deployment/web'], '--format', 'json');
    const [byPod, byWorkload] = (JSON.parse(stdout) as Report).questions.map(({ answer }) => answer);
    assert.equal(byPod, byWorkload);
  });

  for (const [question, pattern] of [
    [
      'why',
      /questions\.0: unknown question 'why'; known are evicted, pending, running, drained, removable, fit, threats/,
    ],
    ['drained deployment/web', /questions\.0: .* write drained node\/NAME/],
    ['fit', /write fit KIND\/NAMESPACE\/NAME/],
    ['pending node/a', /write pending \[KIND/],
    ['pending deployment/wev', /there is no Deployment default\/wev; did you mean default\/web/],
    ['fit deployment/wev', /there is no workload Deployment\/default\/wev; did you mean/],
    ['drained node/c', /there is no Node c/],
  ] as const) {
    it(`are refused where they are not understood: ${question}`, async () => {
      const { code, stderr } = await ask([], [question]);
      assert.equal(code, 2);
      assert.match(stderr, pattern);
    });
  }
});
