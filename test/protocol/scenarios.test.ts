import assert from 'node:assert/strict';
import { fileURLToPath } from 'node:url';
import type { CodeLens, CompletionItem } from 'vscode-languageserver';
import type { Effect } from '../../server/src/report-model/effect.ts';
import type { Report, WholeReport } from '../../server/src/report-model/report.ts';
import { podium } from '../unit/cli/run-podium.ts';
import { TestClient } from './test-client.ts';

const node =
  'apiVersion: v1\nkind: Node\nmetadata: {name: general-a}\nstatus: {allocatable: {cpu: "4", memory: 8Gi, pods: "110"}}\n';
const web =
  'apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web, namespace: shop}\nspec:\n  selector: {matchLabels: {app: web}}\n  template:\n    metadata: {labels: {app: web}}\n    spec: {containers: [{name: c, image: x}]}\n';

describe('scenarios in an editor', () => {
  let client: TestClient;

  before(async () => {
    client = await TestClient.start({ files: { 'node.yaml': node, 'web.yaml': web } });
  });

  after(() => client.stop());

  it('says what is wrong in a file *.podium.yaml, where it stands, and nothing once it is right', async () => {
    const text = 'title: x\nevents:\n  - drain node/general-a at noon\n  - fly away\nwhen: now\n';
    const uri = await client.open('upgrade.podium.yaml', text);
    const found = await client.diagnostics(uri, (diagnostics) => diagnostics.length > 0);
    assert.deepEqual(
      found.map(({ range, code, message }) => [range.start.line, code, (message as string).split(';')[0]]),
      [
        [4, 'scenario', '`when` is no key of a scenario here'],
        [2, 'scenario', "'noon' is no time"],
        [3, 'scenario', "unknown operation 'fly'"],
      ],
    );
    await client.change(uri, text.replace('when: now\n', ''));
    const events = await client.diagnostics(uri, (diagnostics) => diagnostics.length === 2);
    assert.deepEqual(
      events.map(({ range, message }) => [range.start.line, (message as string).split(';')[0]]),
      [
        [2, "'noon' is no time"],
        [3, "unknown operation 'fly'"],
      ],
    );
    await client.change(
      uri,
      'events:\n  - drain node/general-b\n  - add 1 node like general-a\n  - drain node/general-a+1\n---\nevents: []\n',
    );
    const later = await client.diagnostics(uri, (diagnostics) =>
      diagnostics.some(({ range }) => range.start.line === 4),
    );
    assert.deepEqual(
      later.map(({ range, message }) => [range.start.line, message]),
      [
        [1, 'there is no Node general-b; did you mean general-a?'],
        [4, 'a scenario is one document; what follows `---` is not read'],
      ],
    );
    await client.change(uri, 'events:\n  - drain node/general-a at 60s\n');
    await client.diagnostics(uri, (diagnostics) => diagnostics.length === 0);
  });

  it('[ED-5] answers the questions that say what is expected, and says where they stand', async () => {
    const uri = await client.open(
      'asked.podium.yaml',
      'events:\n  - remove node/general-a\nquestions:\n  - pending\n  - pending = 0\n  - running deployment/shop/web = 0\n',
    );
    const listed = await client.request('podium/questions', { uri, run: false });
    assert.deepEqual(listed, [
      { text: 'pending = 0', line: 4, answer: '', details: [], isMet: null },
      { text: 'running deployment/shop/web = 0', line: 5, answer: '', details: [], isMet: null },
    ]);
    const answered = await client.request<{ readonly isMet: boolean; readonly answer: string }[]>('podium/questions', {
      uri,
      run: true,
    });
    assert.deepEqual(
      answered.map(({ isMet, answer }) => [isMet, answer]),
      [
        [false, '1 pod is pending'],
        [true, 'no pod of Deployment shop/web is running'],
      ],
    );
    assert.deepEqual(await client.request('podium/questions', { uri: `${uri}.gone`, run: false }), []);
    await client.close(uri);
  });

  it('completes keys, operations, and what these are about', async () => {
    const uri = await client.open(
      'other.podium.yaml',
      'ev\nevents:\n  - \n  - drain n\n  - scale \nquestions:\n  - \n  - fit d\n  - drained n\nlasts:\n  j\n',
    );
    const labels = async (line: number, character: number): Promise<readonly string[]> => {
      const items = await client.request<CompletionItem[]>('textDocument/completion', {
        textDocument: { uri },
        position: { line, character },
      });
      return items.map(({ label }) => label);
    };
    assert.deepEqual(await labels(0, 2), [
      'title',
      'cluster',
      'workload',
      'questions',
      'start',
      'until',
      'lasts',
      'readyAfter',
      'events',
    ]);
    assert.ok((await labels(2, 4)).includes('arrive'));
    assert.deepEqual(await labels(3, 11), ['node/general-a']);
    assert.deepEqual(await labels(4, 10), ['deployment/shop/web']);
    assert.deepEqual(await labels(6, 4), ['evicted', 'pending', 'running', 'drained', 'removable', 'fit', 'threats']);
    assert.deepEqual(await labels(7, 9), ['deployment/shop/web']);
    assert.deepEqual(await labels(8, 13), ['node/general-a']);
    assert.deepEqual(await labels(10, 3), []);
  });

  it('takes it for no manifest: its one lens runs it', async () => {
    const uri = await client.open('odd.podium.yaml', 'events: []\n');
    await client.diagnostics(uri, (diagnostics) => diagnostics.length === 0);
    const lenses = await client.request<CodeLens[]>('textDocument/codeLens', { textDocument: { uri } });
    assert.deepEqual(
      lenses.map(({ command }) => command?.title),
      ['▶ Run'],
    );
  });
});

describe('a scenario file that is run in an editor', () => {
  const objects = `${node}---\n${node.replace('general-a', 'general-b')}---\n${web.replace('name: c, image: x', 'name: c, image: x, resources: {requests: {cpu: "1", memory: 1Gi}}')}`;
  const report =
    'apiVersion: batch/v1\nkind: CronJob\nmetadata: {name: report, namespace: shop}\nspec:\n  schedule: "30 1 * * *"\n  jobTemplate: {spec: {template: {spec: {restartPolicy: Never, containers: [{name: c, image: x}]}}}}\n';
  const scaler =
    'apiVersion: autoscaling/v2\nkind: HorizontalPodAutoscaler\nmetadata: {name: web, namespace: shop}\nspec: {minReplicas: 1, maxReplicas: 3, scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: web}}\n';
  const elsewhere = web.replace('name: web', 'name: elsewhere');
  const scenario = [
    'cluster: {paths: [../manifests], snapshot: ../cluster.yaml, autoscaled: maximum, kubernetes: "1.35"}',
    'start: 2026-03-02T01:00:00Z',
    'until: 2h',
    'lasts: {cronjob/shop/report: 20m}',
    'events:',
    '  - drain node/general-a at 10m',
    '  - pressure node/general-b deployment/shop/web=9Gi at 1h',
    'questions: [pending, running deployment/shop/web, drained node/general-a, fit deployment/shop/web]',
    '',
  ].join('\n');
  let client: TestClient;

  before(async () => {
    client = await TestClient.start({
      files: {
        'cluster.yaml': objects.replace(web, ''),
        'manifests/all.yaml': `${objects}---\n${report}---\n${scaler}`,
        'other/elsewhere.yaml': elsewhere,
        'drills/night.podium.yaml': scenario,
        'drills/broken.podium.yaml': 'events:\n  - fly away\n',
        'drills/lost.podium.yaml': 'cluster: {snapshot: /nowhere.yaml}\nevents: []\n',
        'drills/unknown.podium.yaml': 'cluster: {paths: [..]}\nevents: [drain node/none at 5s]\n',
      },
    });
  });

  after(() => client.stop());

  const told = ({ events, questions, steps, totals, answer, comparison, timeline, kubernetes, workloads }: Report) => ({
    ...{ events, questions, totals, answer, comparison, timeline, kubernetes },
    steps: steps.map(({ kind, clock, pod }) => [kind, clock, pod]),
    workloads: workloads.map(({ kind, namespace, name }) => [kind, namespace, name]),
  });

  async function onCommandLine(path: string, ...more: readonly string[]): Promise<Report> {
    const args = ['simulate', '--scenario', path, '--format', 'json', ...more];
    const { stdout, stderr } = await podium(args);
    assert.ok(stdout.startsWith('{'), stderr);
    return JSON.parse(stdout) as WholeReport;
  }

  it('gives what the command line gives: cluster, start, events, questions', async () => {
    const uri = client.uri('drills/night.podium.yaml');
    const answered = await client.request<Report>('podium/simulate', { scenario: { kind: 'file', uri } });
    const path = `${client.folder}/drills/night.podium.yaml`;
    assert.deepEqual(told(answered), told(await onCommandLine(path)));
    assert.deepEqual(
      answered.events.map(({ clock, text }) => [clock, text.split(' ')[0]]),
      [
        [600, 'drain'],
        [1800, 'cronjob/shop/report'],
        [3600, 'pressure'],
      ],
    );
    assert.equal(answered.questions.length, 4);
    assert.ok(!answered.workloads.some(({ name }) => name === 'elsewhere'), 'it is not below the paths');
    assert.equal(answered.workloads.find(({ name }) => name === 'web')?.replicas, 3);
    assert.deepEqual(await client.request('podium/remedies', { scenario: { kind: 'file', uri } }), []);
  });

  it('tries operations on top of its events, and follows what is typed into it', async () => {
    const whatIf = ['scale deployment/shop/web 1'];
    const uri = await client.open('drills/night.podium.yaml', scenario);
    const asked = { scenario: { kind: 'file', uri }, whatIf };
    const answered = await client.request<Report>('podium/simulate', asked);
    const path = `${client.folder}/drills/night.podium.yaml`;
    assert.deepEqual(told(answered), told(await onCommandLine(path, '--what-if', whatIf[0]!)));
    const [effect] = await client.request<readonly Effect[]>('podium/effects', asked);
    assert.equal(effect?.problem, '');
    let changed = 0;
    client.connection.onNotification('podium/modelChanged', () => {
      changed += 1;
      client.notify();
    });
    await client.change(uri, scenario.replace('at 10m', 'at 20m'));
    await client.until(
      () => changed === 1,
      () => 'podium/modelChanged',
    );
    const later = await client.request<Report>('podium/simulate', { scenario: { kind: 'file', uri } });
    assert.equal(later.events[0]?.clock, 1200);
  });

  it('says why a scenario cannot be run', async () => {
    const run = (name: string) =>
      client.request('podium/simulate', { scenario: { kind: 'file', uri: client.uri(`drills/${name}.podium.yaml`) } });
    await assert.rejects(run('broken'), /line 2: events\.0: unknown operation 'fly'/i);
    await assert.rejects(run('lost'), /the snapshot \/nowhere\.yaml is no file of the workspace/i);
    await assert.rejects(run('unknown'), /there is no Node none/i);
    await assert.rejects(run('missing'), /the file cannot be read/i);
  });

  it('runs the samples as the command line does', async () => {
    const folder = fileURLToPath(new URL('../../samples/online-shop', import.meta.url));
    const editor = await TestClient.start({ folder });
    try {
      for (const name of ['night', 'upgrade']) {
        const uri = editor.uri(`${name}.podium.yaml`);
        const answered = await editor.request<Report>('podium/simulate', { scenario: { kind: 'file', uri } });
        assert.deepEqual(told(answered), told(await onCommandLine(`${folder}/${name}.podium.yaml`)));
        assert.ok(answered.events.length > 0);
      }
    } finally {
      await editor.stop({ keepsFolder: true });
    }
  });
});
