import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  CancellationTokenSource,
  type CodeAction,
  type CodeLens,
  type Command,
  type CompletionItem,
  type Hover,
  type Location,
  ResponseError,
  type DocumentSymbol,
  type SymbolInformation,
  type WorkspaceEdit,
} from 'vscode-languageserver/node';
import type { ClusterStatus, EffectsProgress, WhatIfEdit } from '../../server/src/protocol.ts';
import type { Effect } from '../../server/src/report-model/effect.ts';
import type { Remedy } from '../../server/src/report-model/remedy.ts';
import type { Capacity } from '../../server/src/report-model/capacity.ts';
import type { Report, ReportDecision } from '../../server/src/report-model/report.ts';
import { TestClient } from './test-client.ts';

const classes = `apiVersion: scheduling.k8s.io/v1
kind: PriorityClass
metadata:
  name: high
value: 100000
---
apiVersion: scheduling.k8s.io/v1
kind: PriorityClass
metadata:
  name: low
value: 10
`;

const node = (cpu: string): string => `apiVersion: v1
kind: Node
metadata:
  name: node-a
  labels: { kubernetes.io/hostname: node-a }
status:
  allocatable: { cpu: "${cpu}", memory: 8Gi, pods: "110" }
`;

const deployment = (name: string, className: string, cpu: string): string => `apiVersion: apps/v1
kind: Deployment
metadata:
  name: ${name}
spec:
  replicas: 1
  selector: { matchLabels: { app: ${name} } }
  template:
    metadata: { labels: { app: ${name} } }
    spec:
      priorityClassName: ${className}
      containers:
        - name: app
          image: ${name}
          resources: { requests: { cpu: "${cpu}" } }
`;

const running = `apiVersion: v1
kind: Pod
metadata:
  name: old
  uid: 3b9f
spec:
  nodeName: node-a
  priorityClassName: low
  priority: 10
  containers:
    - name: app
      image: old
      resources: { requests: { cpu: "3" } }
status: { phase: Running, startTime: "2026-01-01T00:00:00Z" }
`;

describe('answers over a pipe', () => {
  let client: TestClient;

  afterEach(async () => {
    assert.equal(await client.stop(), 0);
  });

  it('announces what it can', async () => {
    client = await TestClient.start();
    const { capabilities, serverInfo } = client.initialized;
    assert.equal(serverInfo?.name, 'podium');
    assert.equal(capabilities.hoverProvider, true);
    assert.equal(capabilities.definitionProvider, true);
    assert.equal(capabilities.referencesProvider, true);
    assert.equal(capabilities.selectionRangeProvider, true);
    assert.equal(capabilities.foldingRangeProvider, true);
    assert.deepEqual(capabilities.documentLinkProvider, {});
    assert.deepEqual(capabilities.renameProvider, { prepareProvider: true });
    assert.deepEqual(capabilities.codeLensProvider, { resolveProvider: true });
    assert.deepEqual(capabilities.codeActionProvider, {
      codeActionKinds: ['quickfix', 'refactor.rewrite', 'source.fixAll.podium'],
    });
    assert.equal((capabilities.textDocumentSync as { change: number }).change, 2);
  });

  it('links what a kustomization names, selects by structure and folds, also in a file without an object', async () => {
    client = await TestClient.start({ files: { 'web.yaml': classes, 'base/kustomization.yaml': 'resources: []\n' } });
    const uri = await client.open('kustomization.yaml', 'resources:\n- web.yaml\n- base\n- ../../../../etc/x.yaml\n');
    const textDocument = { uri };
    const links = await client.request<{ target: string }[]>('textDocument/documentLink', { textDocument });
    assert.deepEqual(
      links.map(({ target }) => target),
      [client.uri('web.yaml'), client.uri('base/kustomization.yaml')],
    );
    const positions = [{ line: 1, character: 3 }];
    const [selection] = await client.request<unknown[]>('textDocument/selectionRange', { textDocument, positions });
    assert.ok(selection !== undefined);
    const folds = await client.request<unknown[]>('textDocument/foldingRange', { textDocument });
    assert.deepEqual(folds, [{ startLine: 0, endLine: 3 }]);
  });

  it('[ED-6] shows the outline, finds objects by name, highlights a class and renames it in every file', async () => {
    client = await TestClient.start({ files: { 'classes.yaml': classes } });
    const text = deployment('web', 'high', '2');
    const uri = await client.open('web.yaml', text);
    const lines = text.split('\n');
    const line = lines.findIndex((each) => each.includes('priorityClassName'));
    const textDocument = { uri };
    const at = { textDocument, position: { line, character: lines[line]!.indexOf('high') } };
    const symbols = await client.request<DocumentSymbol[]>('textDocument/documentSymbol', { textDocument });
    assert.deepEqual(
      symbols.map(({ name, detail }) => [name, detail]),
      [['web', 'Deployment · default']],
    );
    assert.deepEqual(await client.request('textDocument/prepareRename', at), {
      range: { start: at.position, end: { line, character: at.position.character + 4 } },
      placeholder: 'high',
    });
    const { documentChanges = [] } = await client.request<WorkspaceEdit>('textDocument/rename', {
      ...at,
      newName: 'highest',
    });
    assert.deepEqual(
      documentChanges.map((change) => 'textDocument' in change && [change.textDocument, change.edits.length]),
      [
        [{ uri: client.uri('classes.yaml'), version: null }, 1],
        [{ uri, version: 1 }, 1],
      ],
    );
    assert.equal((await client.request<unknown[]>('textDocument/documentHighlight', at)).length, 1);
    const found = await client.request<SymbolInformation[]>('workspace/symbol', { query: 'high' });
    assert.deepEqual(
      found.map(({ name, containerName }) => [name, containerName]),
      [['high', 'PriorityClass']],
    );
    await assert.rejects(
      client.request('textDocument/rename', { ...at, newName: 'Not A Name' }),
      /Not A Name: a lowercase RFC 1123 subdomain/,
    );
  });

  it('[#38] keeps in a lens that is cut that a budget breaks, and leaves out the nodes', async () => {
    const budget = `apiVersion: policy/v1
kind: PodDisruptionBudget
metadata: { name: old }
spec: { minAvailable: 1, selector: { matchLabels: { app: old } } }
`;
    const name = 'node-with-a-name-of-some-length';
    const objects = [
      classes,
      node('4').replaceAll('node-a', name),
      running.replace('name: old', 'name: old\n  labels: { app: old }').replaceAll('node-a', name),
      budget,
    ];
    client = await TestClient.start({ files: { 'cluster.yaml': objects.join('---\n') } });
    const uri = await client.open('web.yaml', deployment('web', 'high', '2'));
    const [lens] = await client.request<CodeLens[]>('textDocument/codeLens', { textDocument: { uri } });
    const { command } = await client.request<CodeLens>('codeLens/resolve', lens);
    assert.equal(command!.title, 'priority 100000 (high) · preempts 1 pod and breaks 1 budget');
  });

  it('[ED-4] previews an arrival that preempts, and keeps the last text while somebody types', async () => {
    client = await TestClient.start({ files: { 'cluster.yaml': [classes, node('4'), running].join('---\n') } });
    const uri = await client.open('web.yaml', deployment('web', 'high', '2'));
    const lenses = await client.request<CodeLens[]>('textDocument/codeLens', { textDocument: { uri } });
    assert.deepEqual(
      lenses.map(({ range, command }) => [range.start.line, command]),
      [[0, undefined]],
    );
    const resolved = await client.request<CodeLens>('codeLens/resolve', lenses[0]);
    assert.match(resolved.command!.title, /^priority 100000 \(high\) · preempts 1 pod on node-a/);
    assert.equal(resolved.command!.command, 'podium.simulateWorkload');
    assert.deepEqual(resolved.command!.arguments, [{ kind: 'Deployment', namespace: 'default', name: 'web', uri }]);
    // Sent together, so that the pause that ends typing cannot fall between them.
    const changed = client.change(uri, deployment('web', 'high', '1'));
    const again = await client.request<CodeLens>('codeLens/resolve', lenses[0]);
    await changed;
    assert.equal(again.command!.title, resolved.command!.title);
  });

  /** Waits for what a lens says once the editor is asked to show lenses again; one that was on its way may come first. */
  function lensesShown() {
    let refreshes = 0;
    client.connection.onRequest('workspace/codeLens/refresh', () => {
      refreshes += 1;
      client.notify();
      return null;
    });
    return {
      async after(edit: () => Promise<unknown>, lens: CodeLens | undefined, expected: RegExp): Promise<Command> {
        let seen = refreshes;
        await edit();
        for (let last = ''; ; seen += 1) {
          await client.until(
            () => refreshes > seen,
            () => `a refresh of code lenses, of which the last was ${last}`,
          );
          const { command } = await client.request<CodeLens>('codeLens/resolve', lens);
          last = command?.tooltip ?? command?.title ?? '';
          if (command !== undefined && expected.test(last)) return command;
        }
      },
    };
  }

  /** `web.yaml` in an editor, as it is committed. */
  async function openCommitted(more: Readonly<Record<string, string>> = {}) {
    const folder = await mkdtemp(join(tmpdir(), 'podium-git-'));
    const git = (...args: string[]): void => {
      execFileSync('git', ['-c', 'user.name=Test', '-c', 'user.email=test@example.com', ...args], { cwd: folder });
    };
    const web = deployment('web', 'low', '2');
    const files = { 'cluster.yaml': [classes, node('4')].join('---\n'), 'web.yaml': web, ...more };
    for (const [path, text] of Object.entries(files)) await writeFile(join(folder, path), text);
    git('init', '-q');
    git('add', '.');
    git('commit', '-q', '-m', 'first');
    client = await TestClient.start({
      folder,
      initializationOptions: { workspaceTrusted: true },
      capabilities: { workspace: { codeLens: { refreshSupport: true } } },
    });
    const shown = lensesShown();
    const uri = await client.open('web.yaml', web);
    const lenses = await client.request<CodeLens[]>('textDocument/codeLens', { textDocument: { uri } });
    return { folder, uri, lenses, shown };
  }

  it('[ED-4] tells above a workload that is committed otherwise what its roll-out does', async () => {
    const { folder, uri, lenses, shown } = await openCommitted();
    const first = await client.request<CodeLens>('codeLens/resolve', lenses[0]);
    assert.equal(first.command?.title, 'priority 10 (low) · fits on node-a');
    for (const [text, expected] of [
      [deployment('web', 'low', '3'), /· since HEAD: roll-out stops at 0 of 1: 1 new pod finds no node/],
      [deployment('web', 'high', '3'), /· since HEAD: roll-out evicts 1 pod of its own$/],
    ] as const) {
      const { tooltip = '' } = await shown.after(() => client.change(uri, text), lenses[0], expected);
      assert.match(tooltip, /^If the change is applied now:\n/);
    }
    await rm(folder, { recursive: true });
  });

  it('[#33] says above a changed workload that it is deployed anew where very many pods would be placed first', async () => {
    const many = deployment('many', 'low', '9').replace('replicas: 1', 'replicas: 20001');
    const { folder, uri, lenses, shown } = await openCommitted({ 'many.yaml': many });
    const expected = /· deployed anew: fits on node-a$/;
    await shown.after(() => client.change(uri, deployment('web', 'low', '3')), lenses[0], expected);
    await rm(folder, { recursive: true });
  });

  it('[ED-4] previews an arrival although the text changes while it is worked out for the first time', async () => {
    client = await TestClient.start({ files: { 'cluster.yaml': [classes, node('4'), running].join('---\n') } });
    const uri = await client.open('web.yaml', deployment('web', 'high', '2'));
    const [lens] = await client.request<CodeLens[]>('textDocument/codeLens', { textDocument: { uri } });
    // Sent together, so that the answer cannot come between them.
    const resolved = client.request<CodeLens>('codeLens/resolve', lens);
    await client.change(uri, deployment('web', 'high', '1'));
    const { title, tooltip } = (await resolved).command!;
    assert.match(title, /^priority 100000 \(high\) · fits on node-a/);
    // Which question is answered, as the side bar answers another.
    assert.match(tooltip ?? '', /^If it is deployed last \(the side bar .*\npriority 100000 \(high\) · fits on node-a/);
  });

  it('[ED-4] asks the editor to show lenses again once typing pauses', async () => {
    client = await TestClient.start({
      files: { 'cluster.yaml': [classes, node('4'), running].join('---\n') },
      capabilities: { workspace: { codeLens: { refreshSupport: true } } },
    });
    const shown = lensesShown();
    const uri = await client.open('web.yaml', deployment('web', 'high', '2'));
    const lenses = await client.request<CodeLens[]>('textDocument/codeLens', { textDocument: { uri } });
    await client.request<CodeLens>('codeLens/resolve', lenses[0]);
    await shown.after(() => client.change(uri, deployment('web', 'high', '1')), lenses[0], /fits on node-a/);
  });

  it('[ED-5] simulates a workload, says why it cannot, and tells when the report is out of date', async () => {
    client = await TestClient.start({ files: { 'cluster.yaml': [classes, node('4'), running].join('---\n') } });
    const uri = await client.open('web.yaml', deployment('web', 'high', '2'));
    const scenario = { kind: 'workload', workloadKind: 'Deployment', namespace: 'default', name: 'web', uri };
    let changed = 0;
    client.connection.onNotification('podium/modelChanged', () => {
      changed += 1;
      client.notify();
    });
    const report = await client.request<Report>('podium/simulate', { scenario });
    assert.equal(report.totals.evicted, 1);
    assert.equal(changed, 0);
    await client.change(uri, deployment('web', 'high', '1'));
    await client.until(
      () => changed === 1,
      () => 'podium/modelChanged',
    );
    await assert.rejects(client.request('podium/simulate', { scenario: { ...scenario, name: 'nobody' } }), /nobody/);
    await assert.rejects(client.request('podium/simulate', { scenario: { kind: 'other' } }), /not understood/);
  });

  it('[ED-5] tells how much room is left at the end of the run that was answered last, and of no other', async () => {
    client = await TestClient.start({ files: { 'cluster.yaml': [classes, node('4'), running].join('---\n') } });
    const uri = await client.open('web.yaml', deployment('web', 'high', '1'));
    const ask = (run: number) => client!.request<readonly Capacity[]>('podium/capacity', { run, workloads: [0, 99] });
    const scenario = { kind: 'workspace' };
    const forgotten = /not known any more\. Run it again/;
    await assert.rejects(ask(1), forgotten, 'nothing was simulated');
    const more = ['add 2 nodes like node-a'];
    await client.request<Report>('podium/simulate', { scenario, run: 1 });
    const [alone, ...others] = await ask(1);
    assert.deepEqual(others, []);
    await client.request<Report>('podium/simulate', { scenario, whatIf: more, run: 2 });
    const [helped] = await ask(2);
    assert.ok(helped!.free.count > alone!.free.count, 'after what was tried');
    await assert.rejects(ask(1), forgotten, 'of another run');
    await client.change(uri, deployment('web', 'high', '2'));
    await assert.rejects(ask(2), forgotten, 'of other manifests');
  });

  it('[ED-5] says at once what is being done, before the cluster is put together', async () => {
    client = await TestClient.start({ files: { 'cluster.yaml': [classes, node('4'), running].join('---\n') } });
    const lines: string[] = [];
    client.connection.onNotification('podium/simulationProgress', ({ text }: { readonly text: string }) => {
      lines.push(text);
    });
    await client.request<Report>('podium/simulate', { scenario: { kind: 'workspace' }, run: 1 });
    assert.match(lines[0] ?? '', /^Reading 1 file · 1 pod$/);
  });

  it('sends verdicts with a report, and the whole of a decision to whoever asks for it', async () => {
    client = await TestClient.start({ files: { 'cluster.yaml': [classes, node('4'), running].join('---\n') } });
    await client.open('web.yaml', deployment('web', 'high', '2'));
    const ask = (params: object) => client!.request<readonly ReportDecision[]>('podium/decisions', params);
    const scenario = { kind: 'workspace' };
    const forgotten = /not known any more\. Run it again/;
    await assert.rejects(ask({ indexes: [0] }), forgotten, 'nothing was simulated');
    const report = await client.request<Report>('podium/simulate', { scenario, run: 1 });
    const evicting = report.steps.find(({ victims }) => victims.length > 0)!.decision!;
    assert.deepEqual(Object.keys(report.decisions[evicting]!).sort(), [
      'kind',
      'mayVary',
      'message',
      'node',
      'pod',
      'wouldHelp',
    ]);
    const [decision, ...others] = await ask({ run: 1, indexes: [evicting] });
    assert.deepEqual(others, []);
    assert.deepEqual({ ...decision, ...report.decisions[evicting] }, decision);
    assert.deepEqual(
      decision!.candidates.map(({ chosen, victims }) => [chosen, victims.length]),
      [[true, 1]],
    );
    assert.match(decision!.why, /^Only on node-a does evicting lower-priority pods make room\./);
    const all = await ask({ run: 1, indexes: null });
    assert.deepEqual([all.length, all[evicting]], [report.decisions.length, decision]);
    assert.deepEqual(await ask({ run: 1, indexes: [99] }), []);
    await assert.rejects(ask({ run: 2, indexes: [evicting] }), forgotten, 'of another run');
  });

  it('says what operations do, what would help, and what to write', async () => {
    client = await TestClient.start({ files: { 'cluster.yaml': [classes, node('4'), running].join('---\n') } });
    const uri = await client.open('web.yaml', deployment('web', 'high', '2'));
    const scenario = { kind: 'workspace' };
    const scale = 'scale deployment/default/web 0';
    const report = await client.request<Report>('podium/simulate', { scenario, whatIf: [scale] });
    assert.deepEqual([report.totals.evicted, report.comparison?.before.evicted], [0, 1]);
    const told: EffectsProgress[] = [];
    client.connection.onNotification('podium/effectsProgress', (progress: EffectsProgress) => {
      told.push(progress);
    });
    const params = { scenario, whatIf: [scale, 'explode'], run: 7 };
    const effects = await client.request<readonly Effect[]>('podium/effects', params);
    assert.deepEqual(told[0], {
      run: 7,
      effects: [{ whatIf: scale, label: scale, figures: null, effect: 'trying…', problem: '' }],
    });
    assert.deepEqual(
      effects.map(({ label, effect }) => [label, effect]),
      [
        ['web to 0 replicas', 'no pod is evicted'],
        ['explode', ''],
      ],
    );
    assert.match(effects[1]!.problem, /unknown operation/);
    const remedies = await client.request<readonly Remedy[]>('podium/remedies', { scenario });
    assert.deepEqual(remedies[0]?.whatIf, ['add 1 node like node-a']);
    const { edit } = await client.request<WhatIfEdit>('podium/whatIfEdit', { operation: scale });
    assert.deepEqual((edit!.documentChanges[0] as { edits: unknown }).edits, [
      { range: { start: { line: 5, character: 12 }, end: { line: 5, character: 13 } }, newText: '0' },
    ]);
    assert.equal((edit!.documentChanges[0] as { textDocument: { uri: string } }).textDocument.uri, uri);
    await assert.rejects(client.request('podium/effects', { scenario, whatIf: 'scale' }), /not understood, at whatIf/);
    await assert.rejects(client.request('podium/whatIfEdit', {}), /not understood, at operation/);
  });

  it('gives up a simulation that is cancelled', async () => {
    const many = Array.from({ length: 300 }, (_, index) =>
      deployment(`web-${index}`, 'high', '100m').replace('replicas: 1', 'replicas: 20'),
    );
    client = await TestClient.start({
      files: { 'cluster.yaml': [classes, node('4000')].join('---\n'), 'many.yaml': many.join('---\n') },
    });
    const source = new CancellationTokenSource();
    const answer = client.connection.sendRequest('podium/simulate', { scenario: { kind: 'workspace' } }, source.token);
    source.cancel();
    await assert.rejects(answer, (error) => error instanceof ResponseError && error.code === -32800);
  });

  it('[ED-6] tells which cluster answers rest on', async () => {
    client = await TestClient.start({ files: { 'snapshot/nodes.yaml': node('4') } });
    let status: ClusterStatus | undefined;
    client.connection.onNotification('podium/clusterStatus', (params: ClusterStatus) => {
      status = params;
      client.notify();
    });
    const uri = await client.open('more.yaml', node('2').replaceAll('node-a', 'node-b'));
    await client.until(
      () => status?.nodes === 2,
      () => JSON.stringify(status),
    );
    assert.equal(status?.source, 'workspace');
    await client.close(uri);
    await client.until(
      () => status?.nodes === 1,
      () => JSON.stringify(status),
    );
  });

  it('[ED-3] reads the snapshot that the settings name, and compares gates with it', async () => {
    const pod = (gates: string): string => `apiVersion: v1
kind: Pod
metadata: { name: job, namespace: default }
spec:
  schedulingGates: [${gates}]
  containers: [{ name: app, image: app }]
`;
    client = await TestClient.start({
      files: { 'cluster/snapshot.yaml': pod('{ name: x/a }').replace('name: job,', 'name: job, uid: "1",') },
      settings: { cluster: { snapshot: 'cluster/snapshot.yaml' } },
    });
    const uri = await client.open('pod.yaml', pod('{ name: x/a }, { name: x/b }'));
    const diagnostics = await client.diagnostics(uri, (shown) => shown.some(({ code }) => code === 'gate-added'));
    assert.equal(diagnostics.length, 1);
    assert.match(JSON.stringify(diagnostics[0]!.message), /cluster snapshot/);
  });

  it('[ED-1] [ED-6] explains what is in the snapshot, which may be larger than a file that is edited', async () => {
    const padding = `# ${'x'.repeat(1022)}\n`.repeat(6 * 1024);
    const text = [classes, deployment('web', 'high', '1'), padding].join('---\n');
    client = await TestClient.start({
      files: { 'snapshot.yaml': text, 'other.yaml': deployment('other', 'nope', '1') },
      settings: { cluster: { snapshot: 'snapshot.yaml' } },
    });
    const uri = await client.open('snapshot.yaml', text);
    const other = await client.open('other.yaml', deployment('other', 'nope', '1'));
    await client.diagnostics(other, (diagnostics) => diagnostics.length === 1);
    assert.deepEqual(await client.diagnostics(uri), []);
    const small = text.slice(0, -padding.length);
    await client.change(uri, small);
    const line = small.split('\n').findIndex((each) => each.includes('priorityClassName'));
    const position = { line, character: 28 };
    const hover = await client.request<Hover>('textDocument/hover', { textDocument: { uri }, position });
    assert.match(JSON.stringify(hover), /Priority 100000/);
    const found = await client.request<Location[]>('textDocument/definition', { textDocument: { uri }, position });
    assert.deepEqual(
      found.map((location) => location.uri),
      [uri],
    );
  });

  it('[ED-3] [GATE-2] asks git for the committed version', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'podium-git-'));
    const git = (...args: string[]): void => {
      execFileSync('git', ['-c', 'user.name=Test', '-c', 'user.email=test@example.com', ...args], { cwd: folder });
    };
    const pod = (gates: string): string => `apiVersion: v1
kind: Pod
metadata: { name: job }
spec:
  schedulingGates: [${gates}]
  containers: [{ name: app, image: app }]
`;
    git('init', '-q');
    await writeFile(join(folder, 'pod.yaml'), pod('{ name: x/a }'));
    git('add', '.');
    git('commit', '-q', '-m', 'first');
    client = await TestClient.start({ folder, initializationOptions: { workspaceTrusted: true } });
    const uri = await client.open('pod.yaml', pod('{ name: x/a }, { name: x/b }'));
    const [diagnostic] = await client.diagnostics(uri, (shown) => shown.some(({ code }) => code === 'gate-added'));
    assert.match(JSON.stringify(diagnostic?.message), /git HEAD/);
    const actions = await client.request<CodeAction[]>('textDocument/codeAction', {
      textDocument: { uri },
      range: diagnostic?.range,
      context: { diagnostics: [] },
    });
    assert.deepEqual(
      actions.map(({ title }) => title),
      [
        'Take back the gate',
        'Open the documentation of gate-added',
        'Turn off gate-added for this line',
        'Turn off gate-added for this document',
      ],
    );
    // The next commit has the gate.
    await writeFile(join(folder, 'pod.yaml'), pod('{ name: x/a }, { name: x/b }'));
    git('commit', '-q', '-a', '-m', 'second');
    await client.connection.sendNotification('podium/repositoryChanged');
    await client.diagnostics(uri, (diagnostics) => diagnostics.length === 0);
    await rm(folder, { recursive: true });
  });

  it('[ED-5] simulates what a change does, against git HEAD, with what is not saved', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'podium-git-'));
    const git = (...args: string[]): void => {
      execFileSync('git', ['-c', 'user.name=Test', '-c', 'user.email=test@example.com', ...args], { cwd: folder });
    };
    git('init', '-q');
    await writeFile(join(folder, 'cluster.yaml'), [classes, node('3')].join('---\n'));
    await writeFile(join(folder, 'web.yaml'), deployment('web', 'low', '2'));
    await writeFile(join(folder, 'old.yaml'), deployment('old', 'low', '500m'));
    git('add', '.');
    git('commit', '-q', '-m', 'first');
    await rm(join(folder, 'old.yaml'));
    client = await TestClient.start({ folder, initializationOptions: { workspaceTrusted: true } });
    await client.open('web.yaml', deployment('web', 'high', '4'));
    const { scenario, comparison } = await client.request<Report>('podium/simulate', { scenario: { kind: 'change' } });
    assert.deepEqual(scenario, { kind: 'change', since: 'git HEAD' });
    assert.deepEqual(
      comparison?.pods.map(({ kind, name }) => `${kind} ${name.split('-')[0]!}`),
      ['pending web'],
    );
    assert.equal(comparison.priorities.length, 1);
    // What is tried comes on top, and is compared with what was committed all the same.
    const whatIf = ['add 1 node 8:16Gi'];
    const tried = await client.request<Report>('podium/simulate', { scenario: { kind: 'change' }, whatIf });
    assert.equal(tried.comparison?.since, 'git HEAD');
    assert.deepEqual(
      tried.comparison.pods.map(({ kind, name }) => `${kind} ${name.split('-')[0]!}`),
      ['moved web'],
    );
    await rm(folder, { recursive: true });
  });

  it('[ED-5] asks an editor that knows git what has changed', async () => {
    let repository = true;
    client = await TestClient.start({
      files: { 'cluster.yaml': [classes, node('3')].join('---\n'), 'web.yaml': deployment('web', 'high', '2') },
      initializationOptions: { git: true },
      answers: {
        'podium/committedText': () => ({ text: null }),
        'podium/earlierTexts': () => (repository ? [{ uri: client.uri('web.yaml'), text: null }] : null),
      },
    });
    const { comparison } = await client.request<Report>('podium/simulate', { scenario: { kind: 'change' } });
    assert.deepEqual(
      comparison?.pods.map(({ kind }) => kind),
      ['added'],
    );
    repository = false;
    await assert.rejects(
      client.request('podium/simulate', { scenario: { kind: 'change' } }),
      /No folder of the workspace is in a git repository\. There is nothing to compare with\./,
    );
  });

  it('finds and reads files through an editor that offers to', async () => {
    client = await TestClient.start({
      initializationOptions: { files: true, git: true },
      answers: {
        'podium/findFiles': () => ['memory:/classes.yaml', 'memory:/huge.yaml'],
        'podium/readFile': ({ uri }) =>
          uri.endsWith('classes.yaml')
            ? { bytes: Buffer.from(classes).toString('base64'), size: classes.length }
            : { bytes: null, size: 1e9 },
        'podium/committedText': () => ({ text: null }),
      },
    });
    const uri = await client.open('web.yaml', deployment('web', 'high', '2'));
    const position = { line: 10, character: 27 };
    const found = await client.request<Location[]>('textDocument/definition', { textDocument: { uri }, position });
    assert.deepEqual(found, [
      { uri: 'memory:/classes.yaml', range: { start: { line: 3, character: 8 }, end: { line: 3, character: 12 } } },
    ]);
  });

  it('[ED-6] follows files that change outside the editor', async () => {
    client = await TestClient.start({ files: { 'classes.yaml': classes } });
    const uri = await client.open('web.yaml', deployment('web', 'new', '2'));
    await client.diagnostics(uri, (diagnostics) => diagnostics.some(({ code }) => code === 'unknown-priority-class'));
    await client.write('classes.yaml', classes.replace('name: high', 'name: new'));
    const changes = [{ uri: client.uri('classes.yaml'), type: 2 }];
    await client.connection.sendNotification('workspace/didChangeWatchedFiles', { changes });
    await client.diagnostics(uri, (diagnostics) => diagnostics.length === 0);
    const items = await client.request<CompletionItem[]>('textDocument/completion', {
      textDocument: { uri },
      position: { line: 10, character: 27 },
    });
    assert.deepEqual(
      items.map(({ label }) => label),
      ['new', 'low'],
    );
  });

  it('takes severities from the settings, and says which settings it does not understand', async () => {
    client = await TestClient.start({
      settings: {
        rules: { 'unknown-priority-class': 'error', 'no-such-rule': 'error' },
        codeLens: { enabled: 'maybe' },
      },
    });
    const uri = await client.open('web.yaml', deployment('web', 'nope', '2'));
    await client.diagnostics(uri, ([diagnostic]) => diagnostic?.severity === 1);
    await client.until(
      () => client.log.some((line) => line.includes('podium.codeLens.enabled')),
      () => client.log.join('\n'),
    );
  });

  it('survives nonsense', async () => {
    client = await TestClient.start();
    const uri = await client.open(
      'bad.yaml',
      '{{{\n\t- : [\n&a *a\n---\napiVersion: v1\nkind: Pod\nspec: []\nmetadata: 7\n',
    );
    for (const method of ['textDocument/hover', 'textDocument/definition', 'textDocument/completion']) {
      await client.request(method, { textDocument: { uri }, position: { line: 999, character: 999 } });
    }
    assert.equal(
      await client.request('textDocument/hover', {
        textDocument: { uri: 'file:///none' },
        position: { line: 0, character: 0 },
      }),
      null,
    );
    await client.request('codeLens/resolve', {
      range: { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } },
      data: 7,
    });
    await client.diagnostics(uri);
  });
});
