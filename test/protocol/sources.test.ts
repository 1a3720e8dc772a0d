import assert from 'node:assert/strict';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync, watch } from 'node:fs';
import { tmpdir } from 'node:os';
import { execFileSync } from 'node:child_process';
import { delimiter, dirname, join } from 'node:path';
import { afterEach, beforeEach, it } from 'mocha';
import type {
  CodeAction,
  CodeLens,
  Diagnostic,
  Hover,
  InlayHint,
  MarkupContent,
  Position,
  WorkspaceDiagnosticReport,
} from 'vscode-languageserver/node';
import type { Report } from '../../server/src/report-model/report.ts';
import type { ClusterStatus, MayRenderParams, TargetsResult } from '../../server/src/protocol.ts';
import { describeWithTools, toolFolder, toolReleases } from '../support/kubernetes-tools.ts';
import { TestClient, type TestClientOptions, testsPodiumLsp } from './test-client.ts';

const pod = `apiVersion: v1
kind: Pod
metadata: { name: web }
spec: { containers: [{ name: web, image: web }] }
`;

/** The server of the extension and that of the command line are tried with the tools of one release each. */
const releases = toolReleases.filter((release) => (release === 'v32') === testsPodiumLsp);

for (const release of releases) {
  describeWithTools(`sources in an editor, with the tools of ${release}`, () => {
    let folder: string;
    let client: TestClient | undefined;
    let states: ClusterStatus[];

    const start = async (fixture?: string, options: TestClientOptions = {}): Promise<TestClient> => {
      states = [];
      if (fixture !== undefined) cpSync(`test/fixtures/sources/${fixture}`, folder, { recursive: true });
      client = await TestClient.start({
        folder,
        env: { PATH: `${toolFolder(release)}:${process.env['PATH'] ?? ''}` },
        early: true,
        initializationOptions: { workspaceTrusted: true },
        ...options,
      });
      client.connection.onNotification('podium/clusterStatus', (status: ClusterStatus) => {
        states.push(status);
        client!.notify();
      });
      return client;
    };
    const textOf = (path: string): string => readFileSync(join(folder, path), 'utf8');
    const open = (path: string): Promise<string> => client!.open(path, textOf(path));
    const save = (uri: string): Promise<void> =>
      client!.connection.sendNotification('textDocument/didSave', { textDocument: { uri } });
    const simulate = (): Promise<Report> =>
      client!.request<Report>('podium/simulate', { scenario: { kind: 'workspace' } });
    const status = async (wanted: (state: ClusterStatus['applied']) => boolean): Promise<ClusterStatus['applied']> => {
      const last = (): ClusterStatus['applied'] => states.at(-1)?.applied ?? null;
      await client!.until(
        () => states.length > 0 && wanted(last()),
        () => `a status; the last was ${JSON.stringify(last())}`,
      );
      return last();
    };
    const lensesOf = async (uri: string): Promise<string[]> => {
      const lenses = await client!.request<CodeLens[]>('textDocument/codeLens', { textDocument: { uri } });
      const resolved = await Promise.all(lenses.map((lens) => client!.request<CodeLens>('codeLens/resolve', lens)));
      return resolved.map(({ range, command }) => `${range.start.line}: ${command?.title ?? ''}`);
    };
    const workloadsOf = ({ workloads }: Report): string[] =>
      workloads
        .map(
          ({ kind, namespace, name, replicas, className }) =>
            `${kind} ${namespace}/${name} ${replicas} ${className ?? '-'}`,
        )
        .sort();

    beforeEach(() => {
      folder = mkdtempSync(join(tmpdir(), 'podium-sources-'));
    });

    afterEach(async () => {
      await client?.stop();
      client = undefined;
    });

    it('[#36] judges what the kustomization beside it does not list, and applies none of it', async () => {
      cpSync('test/fixtures/sources/6-mixed/deploy', folder, { recursive: true });
      const extra = textOf('extra-not-listed.yaml').replace('name: c', 'name: c, imag: c');
      writeFileSync(join(folder, 'extra-not-listed.yaml'), extra);
      await start();
      const report = await simulate();
      assert.deepEqual(workloadsOf(report), ['Deployment mixed/app 3 -']);
      assert.match(report.assumptions.map(({ text, detail }) => `${text}. ${detail}`).join('\n'), /does not list it/);
      const uri = await open('extra-not-listed.yaml');
      const found = await client!.diagnostics(uri);
      assert.ok(found.some(({ code }) => code === 'unknown-field'));
    });

    it('[ED-5] compares with a commit what templates and other files made of it', async () => {
      const write = (path: string, text: string): void => {
        mkdirSync(dirname(join(folder, path)), { recursive: true });
        writeFileSync(join(folder, path), text);
      };
      const helpers = (cpu: string): string => `{{- define "cpu" -}}\n${cpu}\n{{- end }}\n`;
      write('web/Chart.yaml', 'apiVersion: v2\nname: web\nversion: 1.0.0\n');
      write('web/values.yaml', 'replicas: 1\n');
      write('web/templates/_helpers.tpl', helpers('100m'));
      write(
        'web/templates/web.yaml',
        'apiVersion: apps/v1\nkind: Deployment\nmetadata: { name: web }\nspec:\n  selector: { matchLabels: { app: web } }\n  template:\n    metadata: { labels: { app: web } }\n    spec:\n      containers:\n        - name: web\n          image: web\n          resources: { requests: { cpu: {{ include "cpu" . }} } }\n',
      );
      const git = (...args: string[]): void => {
        const user = ['-c', 'user.name=Test', '-c', 'user.email=test@example.com'];
        execFileSync('git', [...user, ...args], { cwd: folder, stdio: 'ignore' });
      };
      git('init');
      git('add', '.');
      git('commit', '-m', 'first');
      write('web/templates/_helpers.tpl', helpers('200m'));
      await start();
      const { comparison } = await client!.request<Report>('podium/simulate', { scenario: { kind: 'change' } });
      assert.deepEqual(
        comparison?.causes.map(({ old, new: now, origin }) => [old, now, origin?.uri.replace(/.*\//, '')]),
        [['100m', '200m', '_helpers.tpl']],
      );
      // Half typed it counts as it was.
      const uri = await open('web/templates/web.yaml');
      await client!.change(uri, textOf('web/templates/web.yaml').replace('name: web', 'name: {{ .Val'));
      const half = await client!.request<Report>('podium/simulate', { scenario: { kind: 'change' } });
      assert.deepEqual(half.comparison?.causes, comparison.causes);
    });

    it('simulates what the target makes of the files, and says which it is', async () => {
      await start('1-kustomize');
      const report = await simulate();
      assert.deepEqual(workloadsOf(report), [
        'Deployment shop/prod-canary 1 prod-background',
        'Deployment shop/prod-web 6 prod-critical',
        'StatefulSet shop/prod-worker 5 prod-background',
      ]);
      assert.match(JSON.stringify(report.assumptions), /the target prod is applied/);
    });

    it('says above a workload of a base what each chosen target gets, and simulates the one that was asked for', async () => {
      await start('1-kustomize', { settings: { sources: ['prod', 'dev'] } });
      const uri = await open('base/web.yaml');
      await simulate();
      assert.deepEqual(await lensesOf(uri), ['0: prod: nodes assumed · dev: nodes assumed']);
      const workload = { kind: 'workload', workloadKind: 'Deployment', uri };
      const inDev = { ...workload, namespace: 'shop-dev', name: 'web-dev', target: 'dev' };
      const report = await client!.request<Report>('podium/simulate', { scenario: inDev });
      assert.match(report.answer.headline, /web-dev/);
      const origin = report.workloads.find(({ name }) => name === 'web-dev')?.origin;
      assert.deepEqual([origin?.uri, origin?.range.start.line], [uri, 3]);
    });

    it('[#38] names what is made of one text several times in its lenses, and gives a hint once that is the same', async () => {
      const write = (path: string, text: string): void => {
        mkdirSync(dirname(join(folder, path)), { recursive: true });
        writeFileSync(join(folder, path), text);
      };
      write('kustomization.yaml', 'resources: [a, b]\n');
      write('a/kustomization.yaml', 'namespace: team-a\nresources: [../base]\n');
      write('b/kustomization.yaml', 'namespace: team-b\nresources: [../base]\n');
      write('base/kustomization.yaml', 'resources: [web.yaml]\n');
      write(
        'base/web.yaml',
        'apiVersion: v1\nkind: Pod\nmetadata: { name: web }\nspec:\n  containers: [{ name: web, image: web }]\n',
      );
      await start();
      const uri = await open('base/web.yaml');
      await simulate();
      assert.deepEqual(await lensesOf(uri), [
        '0: team-a: priority 0 · nodes assumed',
        '0: team-b: priority 0 · nodes assumed',
      ]);
      const range = { start: { line: 0, character: 0 }, end: { line: 9, character: 0 } };
      const hints = await client!.request<InlayHint[]>('textDocument/inlayHint', { textDocument: { uri }, range });
      assert.deepEqual(
        hints.map(({ label }) => label),
        ['priority 0'],
      );
    });

    it('has lenses listed again when more targets are chosen, though those that are shown were worked out since', async () => {
      const settings = { sources: ['prod'] };
      await start('1-kustomize', { settings, capabilities: { workspace: { codeLens: { refreshSupport: true } } } });
      let refreshes = 0;
      client!.connection.onRequest('workspace/codeLens/refresh', () => {
        refreshes += 1;
        client!.notify();
        return null;
      });
      const uri = await open('base/web.yaml');
      await simulate();
      const shown = await client!.request<CodeLens[]>('textDocument/codeLens', { textDocument: { uri } });
      settings.sources = ['prod', 'dev'];
      await client!.connection.sendNotification('workspace/didChangeConfiguration', { settings: null });
      await status((applied) => (applied?.targets.length ?? 0) === 2);
      // As an editor does that shows them while the others are made.
      await Promise.all(shown.map((lens) => client!.request<CodeLens>('codeLens/resolve', lens)));
      for (let seen = 0, text = ''; !/prod: .* dev: /.test(text); seen += 1) {
        await client!.until(
          () => refreshes > seen,
          () => `a refresh of lenses, of which the last was ${text}`,
        );
        text = String(await lensesOf(uri));
      }
    });

    it('does not try again what was too slow until it changes', async () => {
      const tools = mkdtempSync(join(tmpdir(), 'podium-late-'));
      const begun = join(tools, 'begun');
      // The first rendering outlasts its deadline of 30 s.
      const script = `#!/bin/sh
if [ "$1" = kustomize ]; then echo x >> '${begun}'; fi
if [ "$1" = kustomize ] && /bin/mkdir '${tools}/late' 2>/dev/null; then exec /bin/sleep 600; fi
exec '${toolFolder(release)}/kubectl' "$@"
`;
      writeFileSync(join(tools, 'kubectl'), script, { mode: 0o755 });
      await start('1-kustomize', { env: { PATH: `${tools}:${process.env['PATH'] ?? ''}` } });
      assert.match(JSON.stringify((await simulate()).assumptions), /does not answer within 30 s/);
      await client!.connection.sendNotification('workspace/didChangeConfiguration', { settings: null });
      assert.match(JSON.stringify((await simulate()).assumptions), /does not answer within 30 s/);
      assert.equal(readFileSync(begun, 'utf8'), 'x\n');
      const uri = await open('base/web.yaml');
      await client!.change(uri, `${textOf('base/web.yaml')}\n# another text\n`);
      await status((applied) => applied?.unseen.length === 0);
      assert.match(JSON.stringify(workloadsOf(await simulate())), /shop\/prod-web 6/);
    });

    it('counts text that is not saved, and leaves the files alone', async () => {
      await start('1-kustomize');
      const uri = await open('overlays/prod/web-prod.yaml');
      assert.match(JSON.stringify(workloadsOf(await simulate())), /prod-web 6/);
      const text = textOf('overlays/prod/web-prod.yaml');
      await client!.change(uri, text.replace('replicas: 6', 'replicas: 4'));
      assert.match(JSON.stringify(workloadsOf(await simulate())), /prod-web 4/);
      assert.equal(textOf('overlays/prod/web-prod.yaml'), text);
    });

    it('tells what a workload lacks that is no patch, and refuses its pods as well', async () => {
      await start('1-kustomize');
      const job =
        'apiVersion: batch/v1\nkind: Job\nmetadata: {name: once}\nspec: {template: {spec: {containers: [{name: a, image: a}]}}}\n';
      writeFileSync(join(folder, 'job.yaml'), job);
      const uri = await open('job.yaml');
      const found = await client!.diagnostics(uri, (all) => all.some(({ severity }) => severity === 1));
      assert.deepEqual(
        found.map(({ code, severity }) => `${severity} ${String(code)}`),
        ['1 invalid-workload'],
      );
      const patch = await open('overlays/prod/web-prod.yaml');
      assert.deepEqual(await client!.diagnostics(patch), []);
      const { workloads, pods } = await simulate();
      const once = workloads.findIndex(({ name }) => name === 'once');
      assert.deepEqual(
        pods.filter(({ workload }) => workload === once).map(({ after }) => after.state),
        ['rejected'],
      );
    });

    it('shows what is wrong where it is mended, once, with the sources that show it', async () => {
      await start('1-kustomize', { settings: { sources: ['prod', 'dev'] } });
      const patch = await open('overlays/prod/web-prod.yaml');
      const base = await open('base/worker.yaml');
      await client!.change(patch, textOf('overlays/prod/web-prod.yaml').replace('cpu: 500m', 'cpu: lots'));
      await client!.change(
        base,
        textOf('base/worker.yaml').replace(
          'serviceName: worker',
          'serviceName: worker\n  updateStrategy: {type: Sometimes}',
        ),
      );
      // Until it is saved the last text that can be read counts.
      await save(patch);
      const inPatch = await client!.diagnostics(patch, (all) => all.length > 0);
      assert.deepEqual(
        inPatch.map(({ range }) => range.start.line),
        [12],
      );
      assert.match(messageOf(inPatch[0]!), /\(in overlays\/prod\)$/);
      const inBase = await client!.diagnostics(base, (all) => all.length > 0);
      assert.equal(inBase.length, 1);
      assert.match(messageOf(inBase[0]!), /Sometimes.*\(in overlays\/dev and overlays\/prod\)$/);
    });

    it('shows what comes from the values of a chart in those', async () => {
      await start('5-argo');
      const uri = await open('charts/cart/values-eu.yaml');
      await client!.change(uri, 'replicas: 2\ncpu: a-lot\n');
      const [found] = await client!.diagnostics(uri, (all) => all.length > 0);
      assert.deepEqual(found?.range.start, { line: 1, character: 5 });
      assert.match(messageOf(found), /quantities must match.*\(in Application cart\)$/);
    });

    const hoverAt = async (path: string, words: string): Promise<string> => {
      const uri = await open(path);
      await simulate();
      const lines = textOf(path).split('\n');
      const line = lines.findIndex((text) => text.includes(words));
      const position = { line, character: lines[line]!.length - 1 };
      const found = await client!.request<Hover | null>('textDocument/hover', { textDocument: { uri }, position });
      const { value } = (found?.contents ?? { value: '' }) as MarkupContent;
      return value.slice(value.indexOf('**What is applied')).replaceAll(/\(file:[^)]*\/([^/)]*)\)/g, '($1)');
    };

    it('says over a base, a patch and values what each target gets of them', async () => {
      await start('1-kustomize', { settings: { sources: ['prod', 'dev'] } });
      assert.equal(
        await hoverAt('base/web.yaml', 'replicas:'),
        '**What is applied:**\n\n- prod: `Deployment shop/prod-web` `6`, [written elsewhere](web-prod.yaml#L6)\n- dev: `Deployment shop-dev/web-dev` `1`',
      );
      // A strategic patch, one of JSON in the kustomization, and a field of that.
      const web = '**What is applied:**\n\n- prod: `Deployment shop/prod-web`';
      assert.equal(await hoverAt('overlays/prod/web-prod.yaml', 'replicas: 6'), `${web} \`6\``);
      assert.equal(await hoverAt('overlays/prod/web-prod.yaml', 'cpu: 500m'), `${web} \`500m\``);
      const worker = '**What is applied:**\n\n- prod: `StatefulSet shop/prod-worker`';
      assert.equal(await hoverAt('overlays/prod/kustomization.yaml', 'value: "1"'), `${worker} \`1\``);
      assert.equal(await hoverAt('overlays/prod/kustomization.yaml', 'count: 5'), `${worker} \`5\``);
      await client!.stop();
      await start('5-argo');
      const cart = '**What is applied:**\n\n- Application cart: `Deployment cart/cart-eu`';
      assert.equal(await hoverAt('charts/cart/values-eu.yaml', 'cpu:'), `${cart} \`90m\``);
      assert.equal(await hoverAt('apps/cart.yaml', 'parameters:'), `${cart} \`7\``);
    });

    it('says over the values, patches and ConfigMaps of a HelmRelease what its workloads get', async () => {
      const files = {
        'chart/Chart.yaml': 'apiVersion: v2\nname: web\nversion: 1.0.0\n',
        'chart/values.yaml': 'replicas: 1\nclass: low\ncpu: 1m\nmemory: 1Mi\n',
        'chart/templates/web.yaml':
          'apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspec:\n  replicas: {{ .Values.replicas }}\n  selector: {matchLabels: {app: web}}\n  template:\n    metadata: {labels: {app: web}}\n    spec:\n      priorityClassName: {{ .Values.class }}\n      containers:\n        - name: web\n          image: web\n          resources:\n            requests:\n              cpu: {{ .Values.cpu }}\n              memory: {{ .Values.memory }}\n',
        'maps.yaml':
          'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: base, namespace: prod}\ndata:\n  values.yaml: |\n    cpu: 20m\n',
        'release.yaml':
          'apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {name: web, namespace: prod}\nspec:\n  chart: {spec: {chart: chart, sourceRef: {kind: GitRepository, name: own}}}\n  valuesFrom: [{kind: ConfigMap, name: base}]\n  values:\n    class: high\n    memory: 3Mi\n  postRenderers:\n    - kustomize:\n        patches:\n          - target: {kind: Deployment}\n            patch: \'[{"op": "replace", "path": "/spec/replicas", "value": 4}]\'\n',
      };
      mkdirSync(join(folder, 'chart/templates'), { recursive: true });
      for (const [path, text] of Object.entries(files)) writeFileSync(join(folder, path), text);
      await start();
      const web = '**What is applied:**\n\n- HelmRelease prod/web: `Deployment prod/web`';
      assert.equal(await hoverAt('release.yaml', 'class: high'), `${web} \`high\``);
      assert.equal(await hoverAt('release.yaml', 'memory: 3Mi'), `${web} \`3Mi\``);
      assert.equal(await hoverAt('release.yaml', 'patch: '), `${web} \`4\``);
      assert.equal(await hoverAt('maps.yaml', 'cpu: 20m'), `${web} \`20m\``);
    });

    it('says what cannot be rendered at the line that is the cause, in the words of the tool', async () => {
      const settings: { exclude: readonly string[] } = { exclude: ['samples/**'] };
      await start('1-kustomize', { settings });
      const uri = await open('overlays/prod/kustomization.yaml');
      const text = textOf('overlays/prod/kustomization.yaml');
      await client!.change(uri, text.replace('  - ../../base', '  - ../../bass'));
      const [missing] = await client!.diagnostics(uri, (all) => all.length > 0);
      assert.equal(missing?.code, 'not-rendered');
      assert.deepEqual(missing.range, { start: { line: 5, character: 2 }, end: { line: 5, character: 14 } });
      const waysOn = await client!.request<CodeAction[] | null>('textDocument/codeAction', {
        textDocument: { uri },
        range: missing.range,
        context: { diagnostics: [missing], only: ['quickfix'] },
      });
      assert.deepEqual(
        waysOn?.map(({ title, command }) => [title, command?.command]),
        [
          ['Show what is not seen', 'podium.overview.focus'],
          ['Exclude the folder overlays/prod', 'podium.exclude'],
          ['Open the documentation of not-rendered', 'podium.openRuleDocs'],
        ],
      );
      await client!.change(uri, `${text}\nnoSuchField: true\n`);
      const [unknown] = await client!.diagnostics(uri, (all) =>
        all.some((each) => messageOf(each).includes('noSuchField')),
      );
      assert.match(messageOf(unknown!), /^Not rendered: .*unknown field "noSuchField".* \(in overlays\/prod\)$/);
      settings.exclude = waysOn[1]?.command?.arguments?.[0] as readonly string[];
      assert.deepEqual(settings.exclude, ['samples/**', 'overlays/prod/**']);
      await client!.connection.sendNotification('workspace/didChangeConfiguration', { settings: null });
      await client!.diagnostics(uri, (all) => all.length === 0);
    });

    it('[#36] [#38] says what is wrong in a workspace that is a chart and nothing else', async () => {
      const files = {
        'Chart.yaml': 'apiVersion: v2\nname: shop\nversion: 1.0.0\n',
        'values.yaml': 'class: nobody\n',
        'templates/pod.yaml': `apiVersion: v1
kind: Pod
metadata: { name: web }
spec: { priorityClassName: '{{ .Values.class }}', containers: [{ name: web, image: web }] }
`,
      };
      await start(undefined, { files, capabilities: { textDocument: { diagnostic: {} } } });
      // Nothing of it is open, and no file of it is a manifest.
      await client!.request('podium/targets', {});
      const { items } = await client!.request<WorkspaceDiagnosticReport>('workspace/diagnostic', {
        previousResultIds: [],
      });
      assert.deepEqual(
        items.map((item) => [item.uri, item.kind === 'full' && item.items.map(({ code }) => code)]),
        [[client!.uri('values.yaml'), ['unknown-priority-class']]],
      );
    });

    it('never judges a patch as a manifest', async () => {
      const write = (path: string, change: (text: string) => string): void => {
        writeFileSync(
          join(folder, path),
          change(readFileSync(join('test/fixtures/sources/1-kustomize', path), 'utf8')),
        );
      };
      cpSync('test/fixtures/sources/1-kustomize', folder, { recursive: true });
      // Nobody applies the count that the patch has.
      write('overlays/prod/web-prod.yaml', (text) => text.replace('replicas: 6', 'replicas: -1'));
      write('overlays/prod/kustomization.yaml', (text) =>
        text.replace('replicas:', 'replicas:\n  - name: web\n    count: 6'),
      );
      await start();
      const uri = await open('overlays/prod/web-prod.yaml');
      assert.match(JSON.stringify(workloadsOf(await simulate())), /prod-web 6/);
      // What is wrong with the text alone is the last word of the server.
      await client!.change(uri, `${textOf('overlays/prod/web-prod.yaml')}bad: [\n`);
      await client!.diagnostics(uri, (all) => all.some(({ code }) => code === 'yaml-syntax'));
      const others = client!.published.flatMap(({ diagnostics }) =>
        diagnostics.filter(({ code }) => code !== 'yaml-syntax'),
      );
      assert.deepEqual(others, []);
    });

    it('judges what nobody uses as a patch as the API server would, once that is known', async () => {
      // It has its containers whole, which patches do not.
      const deployment =
        'apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspec: {template: {spec: {containers: [{name: web, image: web:1}]}}}\n';
      await start('1-kustomize', { files: { 'web.yaml': deployment } });
      const uri = await open('web.yaml');
      const found = await client!.diagnostics(uri, (all) => all.some(({ severity }) => severity === 1));
      assert.ok(found.some(({ message }) => JSON.stringify(message).startsWith('"spec.selector: Required value')));
    });

    it('counts in the headline and the status what is not rendered', async () => {
      await start('4-flux');
      await open('apps/base/api.yaml');
      const report = await simulate();
      assert.match(report.answer.headline, /; 1 HelmRelease is not rendered\.$/);
      const applied = await status((state) => (state?.unseen.length ?? 0) > 0);
      assert.equal(applied?.rendering, 'on');
      assert.match(
        applied.unseen.map(({ text }) => text).join(),
        /1 source is not rendered: HelmRelease shop-prod\/far-away/,
      );
    });

    it('[#36] says in a report what is a template outside of a chart, which no file needs to be open for', async () => {
      await start(undefined, {
        files: {
          'web.yaml': pod,
          'jobs/backup.yaml': 'apiVersion: batch/v1\nkind: CronJob\nmetadata:\n  name: {{ name }}\n',
        },
      });
      const { unseen } = await simulate();
      assert.deepEqual(
        unseen.map(({ kind, name }) => [kind, name]),
        [['template', 'backup.yaml']],
      );
    });

    const chart: Readonly<Record<string, string>> = {
      'chart/Chart.yaml': 'apiVersion: v2\nname: shop\nversion: 1.0.0\n',
      'chart/values.yaml': 'cart:\n  replicas: 2\n',
      'chart/templates/_helpers.tpl': '{{- define "labels" }}{ app: cart }{{ end }}\n',
      'chart/templates/cart.yaml':
        'apiVersion: apps/v1\nkind: Deployment\nmetadata: { name: cart }\nspec:\n  replicas: {{ .Values.cart.replicas }}\n  selector: { matchLabels: {{ include "labels" . }} }\n  template:\n    metadata: { labels: {{ include "labels" . }} }\n    spec: { containers: [{ name: a, image: a }] }\n',
    };

    it('says of charts that are not fetched that helm is not installed, and what they are', async () => {
      const tools = mkdtempSync(join(tmpdir(), 'podium-kubectl-'));
      symlinkSync(join(toolFolder(release), 'kubectl'), join(tools, 'kubectl'));
      const helmRelease = (name: string): string => `apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: ${name}, namespace: shop}
spec: {chart: {spec: {chart: ${name}, sourceRef: {kind: HelmRepository, name: charts}}}}
---
`;
      const repository = `apiVersion: source.toolkit.fluxcd.io/v1
kind: HelmRepository
metadata: {name: charts, namespace: shop}
spec: {url: https://charts.example}
`;
      const files = { 'releases.yaml': helmRelease('a') + helmRelease('b') + repository };
      await start(undefined, { files, env: { PATH: tools } });
      await open('releases.yaml');
      await simulate();
      const applied = await status((state) => (state?.unseen.length ?? 0) > 0);
      assert.deepEqual([applied?.missing, applied?.isRemote], [['helm'], true]);
      assert.deepEqual(
        applied?.unseen.map(({ what }) => what),
        ['2 HelmReleases'],
      );
    });

    it('[#38] says of a chart that needs helm and nothing else that nothing is to be fetched', async () => {
      const tools = mkdtempSync(join(tmpdir(), 'podium-kubectl-'));
      symlinkSync(join(toolFolder(release), 'kubectl'), join(tools, 'kubectl'));
      await start(undefined, { files: chart, env: { PATH: tools } });
      await simulate();
      const applied = await status((state) => (state?.unseen.length ?? 0) > 0);
      assert.deepEqual([applied?.missing, applied?.isRemote], [['helm'], false]);
    });

    it('[ED-5] [#38] names in an editor that asks its user what fetches a chart, or that helm is missing', async () => {
      const tools = mkdtempSync(join(tmpdir(), 'podium-kubectl-'));
      symlinkSync(join(toolFolder(release), 'kubectl'), join(tools, 'kubectl'));
      const base = 'resources: [https://github.com/example/base?ref=v1]\n';
      const chart = 'helmCharts: [{ name: web, repo: https://charts.example, version: 1.0.0 }]\n';
      const told = async (text: string): Promise<string> => {
        await start(undefined, {
          files: { 'kustomization.yaml': text },
          env: { PATH: tools },
          initializationOptions: { workspaceTrusted: true, asksBeforeRendering: true },
        });
        client!.connection.onRequest('podium/mayRender', () => true);
        const uri = await open('kustomization.yaml');
        const shown = await client!.diagnostics(uri, (all) => all.some(({ code }) => code === 'not-rendered'));
        await client!.stop();
        client = undefined;
        return JSON.stringify(shown);
      };
      assert.match(await told(base), /“Podium: Fetch Remote Charts and Bases…” fetches/);
      assert.match(await told(chart), /helm, which fetches charts, is not installed/);
    });

    it('counts what an edit makes unreadable once it is saved, in a file that is of no source', async () => {
      await start('1-kustomize', { files: { 'node.yaml': 'apiVersion: v1\nkind: Node\nmetadata: {name: a}\n' } });
      const uri = await open('node.yaml');
      assert.deepEqual((await simulate()).unseen, []);
      await client!.change(uri, 'apiVersion: v1\nkind: Node\nmetadata: {name: a\n');
      assert.deepEqual((await simulate()).unseen, []);
      await save(uri);
      assert.deepEqual(
        (await simulate()).unseen.map(({ kind, name }) => [kind, name]),
        [['document', 'node.yaml']],
      );
    });

    /** What is typed in a file that a tool reads, and the text before which it is; empty for the end. */
    const halfTyped: readonly (readonly [path: string, typed: string, before: string])[] = [
      ['chart/templates/cart.yaml', '{{ .Val', 'cart }'],
      ['chart/templates/cart.yaml', '{{- if .Values.cart }}', 'apiVersion'],
      ['chart/templates/cart.yaml', '3x', '{{ .Values'],
      ['chart/templates/_helpers.tpl', '{{- define "x', ''],
      ['chart/values.yaml', 're', ''],
      ['chart/values.yaml', '- ', 'replicas'],
      ['overlays/prod/kustomization.yaml', 're', ''],
      ['overlays/prod/kustomization.yaml', 'd', '\ncomponents'],
      ['overlays/prod/kustomization.yaml', 'https://github.com/', '../../base'],
      ['overlays/prod/web-prod.yaml', 'x', '\nmetadata'],
      ['base/kustomization.yaml', '\n  -', '\n  - classes'],
      ['base/web.yaml', '"', 'Deployment'],
    ];

    for (const [path, typed, where] of halfTyped) {
      it(`[ED-7] [#38] counts what ${path} was while ${JSON.stringify(typed)} is typed in it, until it is saved`, async () => {
        const isOfChart = path.startsWith('chart');
        await start(isOfChart ? undefined : '1-kustomize', isOfChart ? { files: chart } : {});
        const name = path.replace(/.*\//, '');
        const seen = async (): Promise<readonly unknown[]> => {
          const report = await simulate();
          return [workloadsOf(report), report.unseen.map(({ name, why }) => `${name}: ${why}`)];
        };
        const isUnfinished = async (): Promise<boolean> =>
          JSON.stringify((await simulate()).assumptions).includes(`${name} is not finished`);
        const uri = await open(path);
        const before = await seen();
        const textBefore = textOf(path);
        const offset = where === '' ? textBefore.length : textBefore.indexOf(where);
        assert.ok(offset >= 0);
        const caretAt = async (text: string): Promise<Position> => {
          const lines = text.split('\n');
          const at = { line: lines.length - 1, character: lines.at(-1)!.length };
          await client!.connection.sendNotification('podium/caret', { uri, ...at });
          return at;
        };
        const place = await caretAt(textBefore.slice(0, offset));
        await client!.change(uri, typed, { start: place, end: place });
        await caretAt(textBefore.slice(0, offset) + typed);
        assert.deepEqual(await seen(), before);
        assert.ok(await isUnfinished());
        writeFileSync(join(folder, path), textBefore.slice(0, offset) + typed + textBefore.slice(offset));
        await save(uri);
        assert.notDeepEqual(await seen(), before);
        assert.ok(!(await isUnfinished()));
      });
    }

    it('[#31] counts what was saved, also before the disk shows it', async () => {
      await start('1-kustomize');
      const uri = await open('overlays/prod/web-prod.yaml');
      const before = workloadsOf(await simulate());
      await client!.change(uri, 'x', { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } });
      assert.deepEqual(workloadsOf(await simulate()), before);
      await save(uri);
      assert.notDeepEqual(workloadsOf(await simulate()), before);
    });

    it('[#31] knows at once that an edit makes a part of what was a manifest', async () => {
      const pod = 'apiVersion: v1\nkind: Pod\nmetadata: {name: extra}\nspec: {containers: [{name: a, image: a}]}\n';
      await start('1-kustomize', { files: { 'base/extra.yaml': pod } });
      const uri = await open('base/extra.yaml');
      const whyOfExtra = async (): Promise<string> =>
        (await simulate()).unseen
          .filter(({ name }) => name.endsWith('extra.yaml'))
          .map(({ why }) => why)
          .join('\n');
      assert.doesNotMatch(await whyOfExtra(), /used by none/);
      // While it cannot be read, what it was before counts.
      await client!.change(uri, pod.replace('containers: [{name: a, image: a}]', 'contai [{name: a}]'));
      assert.doesNotMatch(await whyOfExtra(), /used by none/);
      await save(uri);
      assert.match(await whyOfExtra(), /written for use in a kustomization, and used by none/);
      await client!.change(uri, pod);
      assert.doesNotMatch(await whyOfExtra(), /used by none/);
      await client!.change(uri, pod.replace('containers: [{name: a, image: a}]', 'priority: 1'));
      assert.match(await whyOfExtra(), /written for use in a kustomization, and used by none/);
    });

    it('[ED-7] [#38] says what is wrong with a template once the caret has left the line that is typed', async () => {
      await start(undefined, { files: chart });
      const uri = await open('chart/templates/cart.yaml');
      await simulate();
      const type = async (character: number, text: string): Promise<readonly unknown[]> => {
        const caret = { uri, line: 4, character: character + text.length };
        await client!.connection.sendNotification('podium/caret', { ...caret, character });
        const at = { line: 4, character };
        await client!.change(uri, text, { start: at, end: at });
        await client!.connection.sendNotification('podium/caret', caret);
        await simulate();
        const typed = await client!.diagnostics(uri);
        await client!.connection.sendNotification('podium/caret', { ...caret, line: 1 });
        const left = await client!.diagnostics(uri, (shown) => shown.length > 0);
        await client!.change(uri, textOf('chart/templates/cart.yaml'));
        await client!.diagnostics(uri, (shown) => shown.length === 0);
        return [typed, left].map((shown) => shown.map(({ code, range }) => `${range.start.line} ${code}`));
      };
      assert.deepEqual(await type(12, '3x'), [[], ['4 wrong-type']]);
      assert.deepEqual(await type(12, '{{ '), [[], ['4 not-rendered']]);
    });

    it('lists what could be applied with the number of objects', async () => {
      await start('1-kustomize');
      const { rendering, targets } = await client!.request<TargetsResult>('podium/targets', {});
      assert.equal(rendering, 'on');
      assert.deepEqual(
        targets.map(({ name, workloads, chosen }) => [name, workloads, chosen]),
        [
          ['dev', 3, false],
          ['prod', 3, true],
        ],
      );
    });

    it('says from which places Nodes come, and no more once podium.exclude names one', async () => {
      const status = 'status: {allocatable: {cpu: 4, memory: 16Gi, pods: 110}}';
      const node = (name: string): string => `apiVersion: v1\nkind: Node\nmetadata: {name: ${name}}\n${status}\n`;
      const write = (): void => {
        for (const place of ['cluster', 'e2e']) mkdirSync(join(folder, place), { recursive: true });
        writeFileSync(join(folder, 'cluster', 'nodes.yaml'), `${node('a')}---\n${node('b')}`);
        writeFileSync(join(folder, 'e2e', 'node.yaml'), node('c'));
      };
      write();
      await start();
      await open('cluster/nodes.yaml');
      const report = await simulate();
      assert.match(report.answer.headline, /; the nodes come from 2 places\.$/);
      assert.ok(
        report.assumptions.some(
          ({ mark, text }) => mark === '?' && text.startsWith('3 nodes from 2 places: cluster (2) and e2e (1);'),
        ),
      );
      const placed = async (amount: number): Promise<ClusterStatus> => {
        await client!.until(
          () => states.at(-1)?.nodePlaces.length === amount,
          () => JSON.stringify(states.at(-1)),
        );
        return states.at(-1)!;
      };
      const two = await placed(2);
      assert.deepEqual(two.nodePlaces, [
        { folder: 'cluster', nodes: 2, globs: ['cluster/nodes.yaml'] },
        { folder: 'e2e', nodes: 1, globs: ['e2e/node.yaml'] },
      ]);
      assert.match(two.detail, /They come from 2 places: cluster \(2\) and e2e \(1\)\./);
      await client!.stop();
      write();
      await start(undefined, { settings: { exclude: two.nodePlaces[1]!.globs } });
      await open('cluster/nodes.yaml');
      assert.doesNotMatch((await simulate()).answer.headline, /places/);
      await placed(1);
    });

    it('leaves out what podium.exclude names', async () => {
      await start('1-kustomize', { settings: { exclude: ['overlays/prod/**', 'components/**'] } });
      assert.deepEqual(workloadsOf(await simulate()), [
        'Deployment shop-dev/web-dev 1 -',
        'Pod shop-dev/sandbox-dev 1 -',
        'StatefulSet shop-dev/worker-dev 2 background-dev',
      ]);
    });

    it('runs nothing in a workspace that is not trusted, and says so', async () => {
      const tools = markingTools(folder);
      await start('1-kustomize', { initializationOptions: {}, env: { PATH: tools } });
      await open('base/web.yaml');
      const report = await simulate();
      assert.match(JSON.stringify(report.assumptions), /not trusted/);
      assert.equal((await status((state) => state !== null))?.rendering, 'not-trusted');
      assert.equal(existsSync(join(tools, 'RAN')), false);
      assert.equal(
        workloadsOf(report).some((line) => line.includes('web-prod') || line.includes(' 6 ')),
        false,
      );
    });

    it('runs nothing for the problems of files that are not open, and the tools once one is', async () => {
      const tools = markingTools(folder);
      const broken = 'kind: Pod\napiVersion: v1\nmetadata: { name: lost }\nspec: {}\n';
      writeFileSync(join(folder, 'lost.yaml'), broken);
      await start('1-kustomize', { env: { PATH: tools } });
      await client!.diagnostics(client!.uri('lost.yaml'), (shown) => shown.some(({ code }) => code === 'invalid-pod'));
      assert.equal(existsSync(join(tools, 'RAN')), false);
      const mark = watch(tools, () => client?.notify());
      await open('base/web.yaml');
      await client!.until(
        () => existsSync(join(tools, 'RAN')),
        () => 'a tool that runs',
      );
      mark.close();
    });

    it('asks before the first rendering, with tool, version and path, and takes no for an answer', async () => {
      const asked: MayRenderParams[] = [];
      let answer = false;
      await start('1-kustomize', {
        initializationOptions: { workspaceTrusted: true, asksBeforeRendering: true },
        answers: {
          'podium/mayRender': (params) => {
            asked.push(params as unknown as MayRenderParams);
            client?.notify();
            return answer;
          },
        },
      });
      await open('base/web.yaml');
      await client!.until(
        () => asked.length > 0,
        () => 'the question',
      );
      assert.deepEqual(
        asked[0]!.tools.map(({ program, path }) => [program, path]),
        ['kubectl', 'helm'].map((name) => [name, join(toolFolder(release), name)]),
      );
      assert.match(asked[0]!.tools[0]!.version, /^v1\.\d+\.\d+/);
      await status((state) => state?.rendering === 'not-allowed');
      assert.match(JSON.stringify((await simulate()).assumptions), /Rendering needs your permission/);
      assert.equal(asked.length, 1);
      answer = true;
      await client!.connection.sendNotification('podium/renderingChanged', { workspaceTrusted: true });
      await status((state) => state?.rendering === 'on');
      assert.match(JSON.stringify(workloadsOf(await simulate())), /prod-web 6/);
    });

    it('runs nothing that a kustomization or the workspace names', async () => {
      const marking = markingTools(folder);
      cpSync(marking, join(folder, 'bin'), { recursive: true });
      // Where PATH leads into the workspace, by itself or by a link, nothing of it is run.
      const link = join(mkdtempSync(join(tmpdir(), 'podium-link-')), 'bin');
      symlinkSync(join(folder, 'bin'), link);
      await start('2-remote', { env: { PATH: [join(folder, 'bin'), link, toolFolder(release)].join(delimiter) } });
      await open('plugin/kustomization.yaml');
      const report = await simulate();
      assert.ok(report.unseen.some(({ why }) => why.includes('not fetched') || why.includes('nothing is fetched')));
      assert.equal(existsSync(join(folder, 'plugin/EXECUTED')), false);
      assert.equal(existsSync(join(marking, 'RAN')), false);
    });
  });
}

const messageOf = ({ message }: Diagnostic): string => (typeof message === 'string' ? message : message.value);

/** Tools outside the workspace that leave a mark where they are run; they need no other program, as PATH may have none. */
function markingTools(workspace: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'podium-marking-'));
  for (const tool of ['kubectl', 'helm', 'kustomize']) {
    writeFileSync(join(folder, tool), `#!/bin/sh\n: >${folder}/RAN\n: >${workspace}/RAN\n`, { mode: 0o755 });
  }
  return folder;
}
