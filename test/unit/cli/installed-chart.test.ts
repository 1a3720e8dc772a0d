import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, it } from 'mocha';
import { describeWithTools, toolFolder } from '../../support/kubernetes-tools.ts';
import { type Outcome, podium } from './run-podium.ts';

interface Made {
  readonly workloads: readonly { readonly namespace: string; readonly name: string; readonly replicas: number }[];
  readonly pods: readonly unknown[];
}

describeWithTools('what the command line is told of charts and roots', () => {
  const folder = mkdtempSync(join(tmpdir(), 'podium-installed-'));

  const node = (name: string, version: string): string =>
    `apiVersion: v1\nkind: Node\nmetadata: { name: ${name} }\nstatus:\n  allocatable: { cpu: "8", memory: 32Gi, pods: "110" }\n  nodeInfo: { kubeletVersion: ${version} }\n`;
  const files: Readonly<Record<string, string>> = {
    'charts/web/Chart.yaml': 'apiVersion: v2\nname: web\nversion: 1.0.0\n',
    'charts/web/values.yaml': 'replicas: 1\n',
    'charts/web/templates/app.yaml': [
      'apiVersion: apps/v1',
      'kind: Deployment',
      'metadata:',
      '  name: {{ .Release.Name }}-{{ .Capabilities.KubeVersion.Minor }}',
      'spec:',
      '  replicas: {{ .Values.replicas }}',
      '  selector: { matchLabels: { app: web } }',
      '  template:',
      '    metadata: { labels: { app: web } }',
      '    spec: { containers: [{ name: main, image: web }] }',
      '',
    ].join('\n'),
    'values-prod.yaml': 'replicas: 3\n',
    'nodes/a.yaml': node('a', 'v1.35.2'),
    'snapshot.yaml': `${node('b', 'v1.34.1')}---\napiVersion: v1\nkind: Namespace\nmetadata: { name: shop }\n`,
    'root/Kustomization': 'namespace: shop\nresources: [app.yaml]\n',
    'root/app.yaml':
      'apiVersion: v1\nkind: Pod\nmetadata: { name: web }\nspec: { containers: [{ name: a, image: a }] }\n',
  };

  before(() => {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
  });
  after(() => {
    rmSync(folder, { recursive: true });
  });

  const run = (args: readonly string[]): Promise<Outcome> => {
    const PATH = `${toolFolder('v34')}:${process.env['PATH'] ?? ''}`;
    return podium(args, { cwd: folder, env: { PATH } });
  };
  async function made(...args: readonly string[]): Promise<string[]> {
    const { stdout, stderr } = await run(['simulate', ...args, '--format', 'json']);
    assert.equal(stderr, '');
    return (JSON.parse(stdout) as Made).workloads.map(
      ({ namespace, name, replicas }) => `${namespace}/${name} ${replicas}`,
    );
  }

  it('installs a chart with values, under a name, in a namespace', async () => {
    assert.deepEqual(await made('charts/web'), ['default/web-36 1']);
    assert.deepEqual(await made('charts/web', '-f', 'values-prod.yaml'), ['default/web-36 3']);
    assert.deepEqual(await made('charts/web', '-f', 'values-prod.yaml', '--release', 'shop', '-n', 'prod'), [
      'prod/shop-36 3',
    ]);
  });

  it('renders charts for the Kubernetes that answers', async () => {
    assert.deepEqual(await made('charts/web', '--kubernetes', '1.34'), ['default/web-34 1']);
    assert.deepEqual(await made('charts/web', 'nodes'), ['default/web-35 1']);
    assert.deepEqual(await made('charts/web', 'nodes', '--snapshot', 'snapshot.yaml'), ['default/web-34 1']);
  });

  it('refuses values where no chart is named, and files that are not there', async () => {
    for (const [args, words] of [
      [['nodes', '-f', 'values-prod.yaml'], /--values, --release and --namespace are for a PATH that is a chart/],
      [['charts/web', '-f', 'values-test.yaml'], /no such file: values-test\.yaml/],
    ] as const) {
      const { code, stderr } = await run(['simulate', ...args]);
      assert.equal(code, 2);
      assert.match(stderr, words);
    }
  });

  it('takes a file named Kustomization for a root', async () => {
    assert.deepEqual(await made('root'), ['shop/web 1']);
  });

  it('evicts pods of what would be applied', async () => {
    const { stdout, code } = await run(['evict', 'shop/web', 'root', 'nodes', '--format', 'json']);
    assert.equal(code, 0, stdout);
  });
});
