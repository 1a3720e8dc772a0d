import assert from 'node:assert/strict';
import { describeWithTools, toolFolder } from '../../support/kubernetes-tools.ts';
import { temporaryTree } from '../sources/temporary-tree.ts';
import { podium } from './run-podium.ts';

/** What real repositories hold besides manifests, and how they hold them: each is a kind of file that many have. */
describeWithTools('repositories as people keep them', () => {
  const tree = temporaryTree();
  const run = async (...args: string[]): Promise<string> => {
    const env = { PATH: `${toolFolder('v34')}:${process.env['PATH'] ?? ''}` };
    const { stdout } = await podium(args, { cwd: tree.root, env });
    return stdout;
  };
  const deployment = (name: string, image = 'nginx'): string => `apiVersion: apps/v1
kind: Deployment
metadata: { name: ${name} }
spec:
  selector: { matchLabels: { app: ${name} } }
  template:
    metadata: { labels: { app: ${name} } }
    spec: { containers: [{ name: ${name}, image: ${image} }] }
`;
  const refused = 'apiVersion: v1\nkind: Namespace\nmetadata: { name: Not_A_Name }\n';
  const chart = (name: string, more = ''): string => `apiVersion: v2\nname: ${name}\nversion: 1.0.0\n${more}`;

  describe('tests and examples', () => {
    const folders: Readonly<Record<string, string>> = {
      'chainsaw, by its test': 'conformance/chainsaw-test.yaml',
      'kyverno, by its test': 'policies/kyverno-test.yaml',
      'kuttl, by an assertion': 'e2e/01-assert.yaml',
      testdata: 'pkg/testdata/any.yaml',
      'fixtures of a specification': 'spec/fixtures/any.yaml',
      'data of tests': 'tests/data/any.yaml',
      'fake data': 'fake/data/any.yaml',
    };
    for (const [title, marker] of Object.entries(folders)) {
      it(`[ED-2] are left out and counted: ${title}`, async () => {
        const folder = marker.slice(0, marker.lastIndexOf('/'));
        tree.write({ 'web.yaml': deployment('web'), [marker]: 'a: [1\n', [`${folder}/deep/ns.yaml`]: refused });
        assert.match(await run('check', '.'), /^No problems in 3 files\.[^]*Left out: 2 files of tests and examples/);
      });
    }

    it('[ED-2] are judged where they are named, or taken in', async () => {
      tree.write({ 'testdata/ns.yaml': refused, 'web.yaml': deployment('web') });
      assert.match(await run('check', 'testdata/ns.yaml'), /Not_A_Name/);
      assert.match(await run('check', '.', '--exclude', '!testdata/**'), /Not_A_Name/);
    });

    it('[ED-2] are the examples of a chart that lies beside them, and no others', async () => {
      tree.write({ 'chart/Chart.yaml': chart('web'), 'examples/ns.yaml': refused });
      assert.match(await run('check', '.'), /^No problems/);
      tree.write({ 'plain/examples/ns.yaml': refused });
      assert.match(await run('check', 'plain'), /Not_A_Name/);
    });

    it('[ED-2] leave out a suite of gator by what it says', async () => {
      const suite = 'kind: Suite\napiVersion: test.gatekeeper.sh/v1alpha1\nmetadata: { name: a }\n';
      tree.write({ 'gator/suite.yaml': suite, 'gator/samples/ns.yaml': refused, 'web.yaml': deployment('web') });
      assert.match(await run('check', '.'), /^No problems/);
      tree.write({ 'gator/suite.yaml': suite.replace('Suite', 'Other') });
      assert.match(await run('check', '.'), /Not_A_Name/);
    });
  });

  describe('files that are no manifests', () => {
    it('[ED-2] counts what git-crypt and SOPS have encrypted', async () => {
      tree.write({
        'a.yaml': '\0GITCRYPT\0\u0001\u0002',
        'b.yaml': 'apiVersion: v1\nkind: ENC[AES256_GCM,data:x]\nmetadata: { name: b }\nsops: {}\n',
      });
      const out = await run('check', '.');
      assert.match(out, /^No problems in 2 files\./);
      assert.match(out, /2 files are encrypted/);
    });

    it('[ED-2] takes a kustomization with statements of Jinja for a template', async () => {
      tree.write({
        'kustomization.yaml': 'resources: [web.yaml]\n{% if zone %}\ncomponents: [x]\n{% endif %}\n',
        'web.yaml': deployment('web'),
      });
      const out = await run('check', '.');
      assert.doesNotMatch(out, /yaml-syntax|error/);
      assert.match(out, /template that another program fills in/);
    });

    it('[ED-2] renders a kustomization whose literals and patches hold template actions as text', async () => {
      tree.write({
        'kustomization.yaml': [
          'resources: [web.yaml]',
          'configMapGenerator:',
          '  - name: links',
          '    literals: [\'URL="https://a/{{ .Namespace }}"\']',
          'patches:',
          '  - patch: \'[{"op": "add", "path": "/metadata/annotations", "value": {"note": "{{ .Release.Name }}"}}]\'',
          '    target: { kind: Deployment }',
        ].join('\n'),
        'web.yaml': deployment('web'),
      });
      assert.match(await run('sources', '.'), /2 objects, 1 workload/);
    });

    it('[ED-2] leaves a claim that is a patch and nobody takes in unjudged', async () => {
      tree.write({
        'storage_patch.yaml':
          'apiVersion: v1\nkind: PersistentVolumeClaim\nmetadata: { name: a }\nspec: { storageClassName: fast }\n',
      });
      assert.doesNotMatch(await run('check', '.'), /error/);
    });
  });

  describe('charts', () => {
    const template = '{{ required "count is needed" .Values.count }}';

    it('[ED-2] renders dependencies with a file address, and those of them', async () => {
      const depends = (name: string): string =>
        `dependencies: [{ name: ${name}, version: 1.0.0, repository: "file://../${name}" }]\n`;
      tree.write({
        'app/Chart.yaml': chart('app', depends('middle')),
        'middle/Chart.yaml': chart('middle', depends('base')),
        'middle/templates/d.yaml': deployment('middle'),
        'base/Chart.yaml': chart('base', 'type: library\n'),
        'base/templates/_name.tpl': '{{ define "base.name" }}x{{ end }}',
      });
      assert.match(await run('sources', '.'), /^app {5}1 object, 1 workload$/m);
    });

    it('[ED-2] says of a chart that depends on itself what is missing', async () => {
      const depends = (name: string): string =>
        `dependencies: [{ name: ${name}, version: 1.0.0, repository: "file://../${name}" }]\n`;
      tree.write({ 'a/Chart.yaml': chart('a', depends('b')), 'b/Chart.yaml': chart('b', depends('a')) });
      assert.match(await run('sources', '.'), /^a {2}not rendered: the chart a that a depends on/m);
    });

    it('[ED-2] renders a chart that needs values with those of its tests, and says so', async () => {
      tree.write({
        'c/Chart.yaml': chart('c'),
        'c/values.yaml': '',
        'c/ci/two-values.yaml': 'count: 2\n',
        'c/templates/d.yaml': deployment('web').replace('spec:\n', `spec:\n  replicas: ${template}\n`),
      });
      const out = await run('sources', '.');
      assert.match(
        out,
        /^c {2}1 object, 1 workload\n {3}c does not render with its default values: ci\/two-values\.yaml/,
      );
    });

    it('[ED-2] takes a schema of values for no value file', async () => {
      tree.write({
        'c/Chart.yaml': chart('c'),
        'c/values.yaml': '',
        'c/values.schema.yaml': 'type: object\n',
        'c/templates/d.yaml': deployment('web'),
      });
      assert.match(await run('sources', '.'), /^c {2}1 object, 1 workload\n\n1 of 1/);
    });

    it('[ED-2] prefers what is called like production, wherever the word stands, and not what is before it', async () => {
      const values = ['dev', 'preprod', 'non-prod', 'eu-prod', 'staging'];
      tree.write({
        'c/Chart.yaml': chart('c'),
        'c/values.yaml': 'count: 1\n',
        'c/templates/d.yaml': deployment('web').replace('spec:\n', 'spec:\n  replicas: {{ .Values.count }}\n'),
        ...Object.fromEntries(values.map((name, at) => [`c/values-${name}.yaml`, `count: ${at + 3}\n`])),
      });
      assert.match(await run('simulate', '.', '--summary'), /^6 arrive/m);
    });

    it('[ED-2] marks a list of values that a template takes from one of two places', async () => {
      const tolerations =
        '      tolerations:\n        {{- toYaml (.Values.web.tolerations | default .Values.tolerations) | nindent 8 }}\n';
      tree.write({
        'c/Chart.yaml': chart('c'),
        'c/values.yaml': 'web: { tolerations: [] }\ntolerations:\n  - key: a\n    operator: Exists\n    value: b\n',
        'c/templates/d.yaml': `${deployment('web').replace('spec: { containers: [{ name: web, image: nginx }] }', `spec:\n      containers:\n        - name: web\n          image: nginx\n          env:\n            - name: X\n              value: "1"`)}${tolerations}`,
      });
      assert.match(await run('check', '.'), /^c\/values\.yaml:5:12: error/);
    });
  });

  it('[PLA-1] reads the bases of an overlay that is named where there is no git repository', async () => {
    tree.write({
      'base/kustomization.yaml': 'resources: [d.yaml]\n',
      'base/d.yaml': deployment('web'),
      'overlays/prod/kustomization.yaml': 'resources: [../../base]\n',
    });
    assert.match(await run('simulate', 'overlays/prod', '--summary'), /^web is placed/);
  });

  it('[PLA-1] gives a node that is written for its labels the size of an assumed node, and marks what it decides', async () => {
    tree.write({
      'node.yaml': 'apiVersion: v1\nkind: Node\nmetadata: { name: n1, labels: { disk: ssd } }\n',
      'web.yaml': deployment('web').replace('spec: { containers', 'spec: { nodeSelector: { disk: ssd }, containers'),
    });
    const out = await run('simulate', '.');
    assert.match(out, /^web is placed on n1/);
    assert.match(out, /\? 1 node of 4 cpu and 16 Gi assumed/);
  });

  it('[ED-2] marks a container that only a patch has in the patch', async () => {
    const patch = deployment('web')
      .replace('name: web, image: nginx', 'name: wbe, args: [a]')
      .replace(/ {2}selector.*\n/, '');
    tree.write({
      'base/kustomization.yaml': 'resources: [d.yaml]\n',
      'base/d.yaml': deployment('web'),
      'prod/kustomization.yaml': 'resources: [../base]\npatches: [{ path: patch.yaml }]\n',
      'prod/patch.yaml': patch,
    });
    assert.match(await run('check', '.'), /^prod\/patch\.yaml:\d+:\d+: error: .*image: Required value/);
  });
});
