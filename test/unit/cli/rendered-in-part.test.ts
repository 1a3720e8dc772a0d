import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { packedChart } from '../../support/chart-servers.ts';
import { describeWithTools, toolFolder } from '../../support/kubernetes-tools.ts';
import { temporaryTree } from '../sources/temporary-tree.ts';
import { podium } from './run-podium.ts';

const far = 'https://example.invalid/all.yaml';

describeWithTools('kustomizations that take something from elsewhere', () => {
  const tree = temporaryTree();
  const run = async (...args: string[]): Promise<string> => {
    const env = { PATH: `${toolFolder('v34')}:${process.env['PATH'] ?? ''}` };
    const { stdout } = await podium(args, { cwd: tree.root, env });
    return stdout;
  };
  const deployment = (image: string, more = ''): string => `apiVersion: apps/v1
kind: Deployment
metadata: { name: web }
spec:
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web } }
    spec: { ${more}containers: [{ name: web, image: ${image} }] }
`;
  const inPart = (field: string): void => {
    tree.write({
      'app/kustomization.yaml': `resources: [web.yaml]\n${field}\nreplicas: [{ name: web, count: -3 }]\n`,
      'app/web.yaml': deployment('nginx'),
    });
  };

  const fields: Readonly<Record<string, readonly [string, string]>> = {
    'a resource': [`bases: ["${far}"]`, `the entry ${far} is not in the workspace, and nothing is fetched unasked`],
    'a resource, whatever the case of its key': [
      `Bases: ["${far}"]`,
      `the entry ${far} is not in the workspace, and nothing is fetched unasked`,
    ],
    'a resource, also with letters that are taken for others': [
      `Ba\u017fes: ["${far}"]`,
      `the entry ${far} is not in the workspace, and nothing is fetched unasked`,
    ],
    'a chart': [
      'helmCharts: [{ name: redis, repo: "https://example.invalid/charts", version: 1.0.0, releaseName: redis }]',
      'the chart redis is not in the workspace, and nothing is fetched unasked',
    ],
    'a chart that is inflated in a way of its own': [
      'helmCharts: [{ name: redis, repo: "https://example.invalid/charts", kubeVersion: "1.20" }]',
      'the chart redis is inflated by kustomize, which Podium does not let it do',
    ],
  };
  for (const [title, [field, why]] of Object.entries(fields)) {
    it(`[ED-2] are rendered without ${title}, and say so (#36)`, async () => {
      inPart(field);
      const answer = await run('check', '.');
      const words = why.replace(/[.*?[\]\\]/g, '\\$&');
      assert.match(answer, new RegExp(`information: Rendered in part: ${words}\\.`));
      assert.match(answer, /error: spec\.replicas: Invalid value: -3/, 'the rest is judged as it is applied');
      assert.match(answer, /Not seen: 1 source is rendered in part: app\./);
      assert.match(await run('sources', '.'), new RegExp(`^app {2}1 object, 1 workload\n +in part: ${words}`));
      const report = await run('simulate', '.');
      assert.match(report, /parts of 1 source/);
    });
  }

  it('[ED-2] do not call missing what the rest may bring, nor an entry idle that may be for it (#36)', async () => {
    tree.write({
      'app/kustomization.yaml': `resources: [web.yaml, "${far}"]\nimages: [{ name: other, newTag: "2" }]\n`,
      'app/web.yaml': deployment('nginx', 'priorityClassName: far, '),
    });
    const answer = await run('check', '.');
    assert.doesNotMatch(answer, /warning/);
    assert.match(answer, /Not said: 1 problem \(unknown-priority-class 1\)/);
  });

  it('[ED-2] are not rendered where a patch is for what is not here, or nothing else is taken (#36)', async () => {
    const patch = 'apiVersion: apps/v1\nkind: Deployment\nmetadata: { name: far }\nspec: { replicas: 2 }\n';
    tree.write({
      'app/kustomization.yaml': `resources: [web.yaml, "${far}"]\npatches: [{ path: patch.yaml }]\n`,
      'app/patch.yaml': patch,
      'app/web.yaml': deployment('nginx'),
      'only/kustomization.yaml': `resources: ["${far}"]\n`,
      'replaced/kustomization.yaml': `resources: [web.yaml, "${far}"]\nconfigMapGenerator: [{ name: far, behavior: replace, literals: [a=b] }]\n`,
      'replaced/web.yaml': deployment('nginx'),
    });
    const answer = await run('check', '.');
    assert.match(answer, /Not rendered: the entry https:\/\/example\.invalid\/all\.yaml is not in the workspace/);
    assert.match(answer, /Not seen: 3 sources are not rendered: app, only and replaced\./);
  });

  it('[ED-2] are rendered without files that git ignores, which are on some machines only (#36)', async () => {
    const generator = (env: string): string =>
      `resources: [web.yaml]\nsecretGenerator: [{ name: login, envs: ["${env}"], files: ["key=env/key.pem"], literals: [a=b] }]\n` +
      'replicas: [{ name: web, count: -3 }]\n';
    tree.write({
      '.gitignore': '*.log\nenv/\n!kept.env\n',
      'a/kustomization.yaml': generator('env/password.env'),
      'a/web.yaml': deployment('nginx'),
      'b/kustomization.yaml': generator('env/other.env'),
      'b/web.yaml': deployment('nginx'),
      'patched/kustomization.yaml': 'resources: [web.yaml]\npatches: [{ path: env/patch.yaml }]\n',
      'patched/web.yaml': deployment('nginx'),
    });
    const answer = await run('check', '.');
    assert.match(
      answer,
      /information: Rendered in part: the entries env\/key\.pem and env\/password\.env are not there, and ignored by git\. 2 more sources for the same reason\./,
    );
    assert.match(answer, /^a\/kustomization.*error: spec\.replicas: Invalid value: -3/m);
    assert.match(
      answer,
      /Not seen: 2 sources are rendered in part: a and b\. Their entries are not there, and ignored by git\./,
    );
    assert.doesNotMatch(answer, /warning: (?:Not rendered|Rendered in part)/);
    assert.match(
      await run('sources', '.'),
      /^a +2 objects, 1 workload\n[^]*^patched +not rendered: the entry env\/patch\.yaml is not there, and ignored by git/m,
    );
    tree.write({ 'c/kustomization.yaml': generator('kept.env'), 'c/web.yaml': deployment('nginx') });
    assert.match(await run('sources', '.'), /^c +not rendered: the entry kept\.env is not there/m, 'it is not ignored');
  });

  it('[ED-2] name the values of a chart that are not there, and not the chart (#36)', async () => {
    const kustomization = (values: string): string =>
      `resources: [web.yaml]\nhelmCharts: [{ name: own, valuesFile: ${values} }]\nreplicas: [{ name: web, count: -3 }]\n`;
    const files = {
      '.gitignore': '/app/secret.yaml\n',
      'app/charts/own/Chart.yaml': 'apiVersion: v2\nname: own\nversion: 1.0.0\n',
      'app/web.yaml': deployment('nginx'),
    };
    tree.write({ ...files, 'app/kustomization.yaml': kustomization('valeus.yaml') });
    assert.match(await run('check', '.'), /warning: Not rendered: the entry valeus\.yaml is not there\./);
    tree.write({ 'app/kustomization.yaml': kustomization('secret.yaml') });
    const answer = await run('check', '.');
    assert.match(answer, /information: Rendered in part: the entry secret\.yaml is not there, and ignored by git\./);
    assert.match(answer, /error: spec\.replicas: Invalid value: -3/);
  });

  it('[ED-2] say so in data, too (#36)', async () => {
    inPart(`bases: ["${far}"]`);
    const { sources } = JSON.parse(await run('sources', '.', '--format', 'json')) as {
      sources: readonly { refusal: unknown; leftOut: unknown }[];
    };
    const message = `the entry ${far} is not in the workspace, and nothing is fetched unasked`;
    assert.deepEqual(
      sources.map(({ refusal, leftOut }) => ({ refusal, leftOut })),
      [{ refusal: null, leftOut: { why: 'remote', message, path: 'app/kustomization.yaml', line: 2 } }],
    );
  });

  describe('charts whose dependencies are not here', () => {
    const chart = (apiVersion: string, more = ''): string =>
      `apiVersion: ${apiVersion}\nname: app\nversion: 1.0.0\n${more}`;
    const dependencies = 'dependencies: [{ name: cache, version: 1.0.0, repository: "https://example.invalid" }]\n';
    const web = deployment('nginx').replace('spec:', 'spec:\n  replicas: {{ .Values.replicas }}');
    const missing = 'the chart cache that app depends on is not in the charts folder \\(helm dependency build\\)';

    const kinds: Readonly<Record<string, Readonly<Record<string, string>>>> = {
      'of its description': { 'app/Chart.yaml': chart('v2', dependencies) },
      'of Helm 2': { 'app/Chart.yaml': chart('v1'), 'app/requirements.yaml': dependencies },
    };
    for (const [title, files] of Object.entries(kinds)) {
      it(`[ED-2] are rendered without dependencies ${title}, and say so (#36)`, async () => {
        tree.write({
          ...files,
          'app/templates/web.yaml': web,
          'app/values.yaml': 'replicas: -3\ncache: { on: true }\ncaches: 1\n',
        });
        const { code, stdout } = await podium(['check', '.'], {
          cwd: tree.root,
          env: { PATH: `${toolFolder('v34')}:${process.env['PATH'] ?? ''}` },
        });
        assert.match(stdout, new RegExp(`warning: Rendered in part: ${missing}\\.`));
        assert.match(stdout, /^app\/values\.yaml:1:.*error: spec\.replicas: Invalid value: -3/m);
        assert.doesNotMatch(stdout, /No template of the chart reads/);
        assert.equal(code, 1);
        assert.match(await run('sources', '.'), new RegExp(`^app {2}1 object, 1 workload\n +in part: ${missing}`));
      });
    }

    it('[ED-2] and are packed say of a value that is misspelt by a letter or two that nobody reads it (#36)', async () => {
      const library = 'dependencies: [{ name: common, version: 1.0.0 }]\n';
      const packed = join(tree.root, 'app/charts/common-1.0.0.tgz');
      tree.write({
        'app/Chart.yaml': chart('v2', library),
        'app/templates/web.yaml': web,
        'app/values.yaml': 'replicaz: 3\nreadByWhatIsPacked: 1\n',
        'app/charts/README.md': '',
      });
      writeFileSync(packed, packedChart('common', '1.0.0', { 'templates/_helpers.tpl': '' }));
      const out = await run('check', '.');
      assert.match(
        out,
        /^app\/values\.yaml:1:1: warning: No template of the chart reads the value replicaz; did you mean replicas\?/m,
      );
      assert.doesNotMatch(out, /readByWhatIsPacked/);
    });

    it('[ED-2] fail the check by themselves: nothing passes that could not be seen (#36)', async () => {
      tree.write({ 'app/Chart.yaml': chart('v2', dependencies), 'app/templates/web.yaml': deployment('nginx') });
      const env = { PATH: `${toolFolder('v34')}:${process.env['PATH'] ?? ''}` };
      const { code, stderr } = await podium(['check', '.'], { cwd: tree.root, env });
      assert.equal(code, 1);
      assert.match(stderr, /not checked: 1 source is rendered in part: app\./);
    });

    it('[ED-2] are not rendered where their templates need them, or they have none (#36)', async () => {
      tree.write({
        'app/Chart.yaml': chart('v2', dependencies),
        'app/templates/web.yaml': '{{ include "cache.all" . }}\n',
        'empty/Chart.yaml': chart('v2', dependencies),
      });
      const listed = await run('sources', '.');
      assert.match(listed, new RegExp(`^app +not rendered: ${missing}`, 'm'));
      assert.match(listed, new RegExp(`^empty +not rendered: ${missing}`, 'm'));
    });
  });
});
