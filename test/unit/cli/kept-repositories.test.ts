import assert from 'node:assert/strict';
import { join } from 'node:path';
import { parse } from 'yaml';
import type { Report } from '../../../server/src/report-model/report.ts';
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
      'testData (#36)': 'lib/testData/any.yaml',
      'fixtures of a specification': 'spec/fixtures/any.yaml',
      'data of tests': 'tests/data/any.yaml',
      'end-to-end tests (#36)': 'test/e2e/kind/any.yaml',
      'a folder of tests (#36)': 'operator/tests/common/any.yaml',
      'fake data': 'fake/data/any.yaml',
    };
    for (const [title, marker] of Object.entries(folders)) {
      it(`[ED-2] are left out and counted: ${title}`, async () => {
        const folder = marker.slice(0, marker.lastIndexOf('/'));
        tree.write({ 'web.yaml': deployment('web'), [marker]: 'a: [1\n', [`${folder}/deep/ns.yaml`]: refused });
        assert.match(await run('check', '.'), /^No problems in 3 files\.[^]*Left out: 2 files of tests and examples/);
      });
    }

    it('[ED-2] are what code of tests reads: in a folder with tests of Go, and by its name beside those of Python (#36)', async () => {
      tree.write({
        'test/agent/baseline/ns.yaml': refused,
        'tool/test_release.yaml': refused,
        'web.yaml': deployment('web'),
      });
      assert.match(await run('check', '.'), /\n2 errors/);
      tree.write({ 'test/agent/baseline_test.go': 'package test\n', 'tool/test_tool.py': '', 'tool/tool_test.go': '' });
      assert.match(await run('check', '.'), /^No problems in 3 files\.[^]*Left out: 2 files of tests and examples/);
    });

    it('[ED-2] of which nothing is broken to a simulation (#36)', async () => {
      tree.write({ 'testdata/a.yaml': 'a: [1\n', 'web.yaml': deployment('web') });
      const { stderr } = await podium(['simulate', '.'], { cwd: tree.root });
      assert.equal(stderr, '');
    });

    it('[ED-2] are judged where they are named, or taken in', async () => {
      tree.write({ 'testdata/ns.yaml': refused, 'web.yaml': deployment('web') });
      assert.match(await run('check', 'testdata/ns.yaml'), /Not_A_Name/);
      assert.match(await run('check', '.', '--exclude', '!testdata/**'), /Not_A_Name/);
    });

    it('[ED-2] are the examples of a chart that lies elsewhere, and no others', async () => {
      tree.write({ 'chart/Chart.yaml': chart('web'), 'site/examples/ns.yaml': refused });
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
      assert.match(out, /1 file is encrypted: a\.yaml\. Encrypted by git-crypt\./);
      assert.match(out, /1 file is encrypted: b\.yaml\. Encrypted by SOPS\./);
    });

    it('[ED-2] takes a kustomization with statements of Jinja for a template', async () => {
      tree.write({
        'kustomization.yaml': 'resources: [web.yaml]\n{% if zone %}\ncomponents: [x]\n{% endif %}\n',
        'web.yaml': deployment('web'),
      });
      const out = await run('check', '.');
      assert.doesNotMatch(out, /yaml-syntax|error/);
      assert.match(out, /Not rendered: written for another program to fill in/);
    });

    it('[ED-2] misses nothing that kustomizations among templates name, which are copied elsewhere (#36)', async () => {
      tree.write({
        'new-cluster/templates/web/kustomization.yaml': 'resources: [../base]\n',
        'new-cluster/templates/mail/kustomization.yaml': 'resources: [../base]\n',
        'new-cluster/templates/mail/settings.yaml': 'cluster: {{ name }}\n',
      });
      const out = await run('check', '.');
      assert.doesNotMatch(out, /warning|error|not there/);
      assert.match(out, /Not rendered: written for another program to fill in\. 1 more source/);
      tree.write({ 'new-cluster/templates/mail/settings.yaml': 'cluster: one\n' });
      assert.match(await run('check', '.'), /warning: Not rendered: its entry \.\.\/base is not there/);
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

    it('[ED-2] leaves a Job unjudged that has neither a name nor an image, and is laid over another one (#36)', async () => {
      const job = 'apiVersion: batch/v1\nkind: Job\nspec: { template: { spec: { containers: [{ name: job }] } } }\n';
      tree.write({ 'ci/overlay.yaml': job });
      assert.match(
        await run('check', '.'),
        /^ci\/overlay\.yaml:1:1: information: Not rendered: written for use in a kustomization, and used by none[^]*\n\n1 information in 1 of 1 file/,
      );
      tree.write({ 'ci/overlay.yaml': job.replace('spec:', 'metadata: { name: job }\nspec:') });
      assert.match(await run('check', '.'), /error: spec\.template\.spec\.containers\[0\]\.image: Required value/);
    });

    it('[ED-2] says of several parts what it says of one (#36)', async () => {
      const component = 'apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\nresources: [web.yaml]\n';
      for (const name of ['a', 'b']) {
        tree.write({ [`${name}/kustomization.yaml`]: component, [`${name}/web.yaml`]: deployment(name) });
      }
      assert.match(
        (await run('simulate', '.')).replaceAll(/\s+/g, ' '),
        /2 parts of manifests are not applied: a and b\. Written for use in a kustomization, and used by none\./,
      );
    });

    it('[ED-2] leaves what holds directives of a patch and nobody takes in unjudged (#36)', async () => {
      tree.write({
        'kustomization.yaml': 'resources: [web.yaml]\npatches:\n# - path: proxy.yaml\n',
        'web.yaml': deployment('web'),
        'proxy.yaml':
          'apiVersion: v1\nkind: Service\nmetadata: { name: web }\nspec:\n  ports:\n    - $patch: delete\n      port: 80\n    - { port: 443 }\n',
      });
      const out = await run('check', '.');
      assert.doesNotMatch(out, /error/);
      assert.match(
        out,
        /proxy\.yaml:1:1: information: Not rendered: written for use in a kustomization, and used by none/,
      );
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
      assert.match(await run('sources', '.'), /^app {2}1 object, 1 workload\n\n1 of 1 source rendered/);
      assert.match(await run('sources', 'middle'), /^middle {2}1 object, 1 workload$/m);
    });

    it('[ED-2] renders dependencies of requirements.yaml, where charts of Helm 2 have them (#36)', async () => {
      tree.write({
        'app/Chart.yaml': 'apiVersion: v1\nname: app\nversion: 1.0.0\n',
        'app/requirements.yaml': 'dependencies: [{ name: base, version: 1.0.0, repository: "file://../base" }]\n',
        'base/Chart.yaml': 'apiVersion: v1\nname: base\nversion: 1.0.0\n',
        'base/templates/d.yaml': deployment('base'),
      });
      assert.match(await run('sources', '.'), /^app {2}1 object, 1 workload$/m);
    });

    it('[ED-2] is no error what a chart leaves to whoever installs it: nothing, or a word to be replaced (#36)', async () => {
      const volume = (server: string): string =>
        `apiVersion: v1\nkind: PersistentVolume\nmetadata: { name: v }\nspec:\n  capacity: { storage: 1Gi }\n` +
        `  accessModes: [ReadWriteOnce]\n  storageClassName: {{ .Values.class }}\n  nfs: { path: /, server: "${server}" }\n` +
        `---\napiVersion: v1\nkind: Namespace\nmetadata: { name: "team-{{ .Values.team }}" }\n` +
        `---\napiVersion: v1\nkind: Service\nmetadata: { name: s }\nspec: { ports: [{ port: 80 }], externalIPs: ["{{ .Values.ip }}"] }\n` +
        `---\napiVersion: v1\nkind: ResourceQuota\nmetadata: { name: q }\nspec: { hard: { pods: "{{ .Values.pods }}" } }\n`;
      tree.write({
        'c/Chart.yaml': chart('c'),
        'c/values.yaml': 'class: override_me\nip: SET-PER-REGION\n',
        'c/templates/v.yaml': volume('{{ .Values.server }}'),
      });
      tree.write({
        'claim.yaml':
          'apiVersion: v1\nkind: PersistentVolumeClaim\nmetadata: { name: v }\n' +
          'spec: { accessModes: [ReadWriteOnce], storageClassName: AUTOMATIC_REPLACE, resources: { requests: { storage: AUTOMATIC_REPLACE } } }\n',
      });
      const left = await run('check', '.');
      assert.match(
        left,
        /warning: spec\.nfs\.server: Required value[^]*warning: metadata\.name: Invalid value: "team-"[^]*warning: spec\.externalIPs[^]*warning: "" is no amount/,
      );
      assert.doesNotMatch(left, /error|override_me|AUTOMATIC/);
      tree.write({ 'prod.yaml': 'class: fast\n' });
      assert.match(await run('check', 'c', '--values', 'prod.yaml'), /error: spec\.nfs\.server: Required value/);
    });

    it('[ED-2] is no error what is a path by what a chart leaves out before it (#36)', async () => {
      const mount = '{ name: d, mountPath: /d, subPath: "{{ .Values.user }}/d" }';
      tree.write({
        'c/Chart.yaml': chart('c'),
        'c/templates/p.yaml': `apiVersion: v1\nkind: Pod\nmetadata: { name: p }\nspec: { containers: [{ name: a, image: a, volumeMounts: [${mount}] }], volumes: [{ name: d, emptyDir: {} }] }\n`,
      });
      assert.match(await run('check', '.'), /warning: [^:]*subPath: Invalid value: "\/d"/);
    });

    it('[ED-2] quotes the groups and versions of the API, also where a template puts them together (#36)', async () => {
      tree.write({
        'c/Chart.yaml': chart('c'),
        'c/templates/i.yaml':
          'apiVersion: {{ printf "%s%s.k8s.io/v1%s" "netw" "orking" "beta1" }}\nkind: Ingress\nmetadata: { name: i }\n',
      });
      assert.match(await run('check', '.'), /in version "networking\.k8s\.io\/v1beta1"/);
    });

    it('[ED-2] ends where each chart takes the same two, and renders those that take few (#31)', async () => {
      const steps = 24;
      for (let step = 0; step <= steps; step++) {
        const both = ['a', 'b'].map(
          (each) => `{ name: ${each}${step + 1}, version: 1.0.0, repository: "file://../${each}${step + 1}" }`,
        );
        const depends = step === steps ? '' : `dependencies: [${both.join(', ')}]\n`;
        for (const each of ['a', 'b']) tree.write({ [`${each}${step}/Chart.yaml`]: chart(`${each}${step}`, depends) });
      }
      const out = await run('sources', '.');
      assert.match(out, /^a0 +not rendered: it depends on more than 500 charts/m);
      assert.match(out, /^a17 +0 objects/m);
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
      assert.match(await run('simulate', '.', '--summary'), /^6 new pods/m);
    });

    describe('values that nobody reads', () => {
      const scaled = deployment('web').replace('spec:\n', 'spec:\n  replicas: {{ .Values.replicaCount }}\n');
      const helped = {
        'c/Chart.yaml': chart('c'),
        'c/values.yaml': 'image: { tag: x, name: y }\n',
        'c/templates/d.yaml': scaled,
        'c/templates/_read.tpl': '{{ define "read" }}{{ .Values.image.tag }}{{ toYaml .Values.pod }}{{ end }}',
      };
      const found = async (): Promise<string[]> => {
        const out = await run('check', '.');
        return out.split('\n').filter((line) => line.includes('[entry-has-no-effect]'));
      };

      it('[ED-2] are told though a word of a template is the same, and below those that are', async () => {
        tree.write({
          ...helped,
          'c/values-prod.yaml': 'replicas: 3\nimage: { tga: z, name: w }\npod: { any: 1 }\nx-same: &same { a: 1 }\n',
        });
        const lines = await found();
        assert.equal(lines.length, 2, lines.join('\n'));
        assert.match(lines[0]!, /values-prod\.yaml:1:1: warning: .*the value replicas; did you mean replicaCount\?/);
        assert.match(lines[1]!, /values-prod\.yaml:2:1: warning: .*the value image\.tga; did you mean image\.tag\?/);
      });

      it('[ED-2] are told in the object of Flux that hands them over', async () => {
        tree.write({
          ...helped,
          'release.yaml': `apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: { name: c, namespace: shop }
spec:
  interval: 1m
  chart: { spec: { chart: ./c, sourceRef: { kind: GitRepository, name: flux-system } } }
  values:
    replicaCount: 2
    imgae: { tag: "2" }
`,
        });
        const lines = await found();
        assert.equal(lines.length, 1, lines.join('\n'));
        assert.match(lines[0]!, /^release\.yaml:9:.*the value imgae; did you mean image\?/);
      });

      it('[ED-2] are those that no chart reads which is handed their file', async () => {
        const other = {
          'o/Chart.yaml': chart('o'),
          'o/templates/d.yaml': deployment('o').replace('spec:\n', 'spec:\n  replicas: {{ .Values.common }}\n'),
        };
        const release = (name: string): string => `- { name: ${name}, chart: ./${name}, values: [shared.yaml] }\n`;
        tree.write({
          ...helped,
          ...other,
          'shared.yaml': 'common: 1\nrest: 2\n',
          'helmfile.yaml': `releases:\n${release('c')}${release('o')}`,
        });
        const lines = await found();
        assert.deepEqual(
          lines.map((line) => line.split(': ')[0]),
          ['shared.yaml:2:1'],
        );
      });

      it('[ED-2] are not told of charts whose templates may read any', async () => {
        tree.write({ ...helped, 'c/templates/all.txt': '{{ toYaml .Values }}', 'c/values-prod.yaml': 'replicas: 3\n' });
        assert.deepEqual(await found(), []);
      });
    });

    it('[ED-2] marks a value that two containers take alike where it is written', async () => {
      const resources = (of: string): string => `        {{- with .Values.${of} }}
        resources:
          {{- toYaml . | nindent 10 }}
        {{- end }}
`;
      tree.write({
        'web/Chart.yaml': chart('web'),
        'web/values.yaml':
          'resources: { requests: { memory: 2Gi }, limits: { memory: 1Gi } }\nside:\n  resources: { requests: { memory: 1Mi }, limits: { memory: 1Mi } }\n',
        'web/templates/web.yaml': `apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
spec:
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web } }
    spec:
      containers:
      - name: web
        image: nginx
${resources('resources')}      - name: side
        image: nginx
${resources('side.resources')}`,
      });
      assert.match(await run('check', '.'), /^web\/values\.yaml:1:34: error: .*memory limit of 1Gi/m);
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
    assert.match(out, /\? The size of 1 node is assumed: 4 cpu\/16 Gi\./);
  });

  describe('helmfile', () => {
    const scaled = deployment('web').replace('spec:', 'spec:\n  replicas: {{ .Values.replicas }}');
    const app = { 'app/Chart.yaml': chart('app'), 'app/templates/d.yaml': scaled, 'app/values.yaml': 'replicas: 1\n' };

    it('[ED-2] is found, and its plain releases are rendered in the place of the defaults of their charts', async () => {
      tree.write({
        ...app,
        'helmfile.yaml': 'releases:\n- { name: web, namespace: shop, chart: ./app, values: [prod.yaml, { a: 1 }] }\n',
        'prod.yaml': 'replicas: 5\n',
      });
      assert.match(await run('sources', '.'), /^helmfile release web +1 object, 1 workload\n\n1 of 1 source rendered/);
      assert.match(await run('simulate', '.'), /web {2}\?5 of 5/);
    });

    it('[ED-2] has targets by its environments, and names what it can not say', async () => {
      tree.write({
        ...app,
        'deploy/helmfile.yaml.gotmpl': `environments: { prod: {}, dev: {} }
---
repositories: [{ name: far, url: https://charts.example.com }]
releases:
- { name: web, chart: ../app, values: ['values/{{ .Environment.Name }}.yaml'] }
- { name: off, chart: ../app, installed: false }
- { name: remote, chart: far/redis, version: 1.2.3 }
- { name: open, chart: ../app, values: [open.yaml.gotmpl] }
`,
        'deploy/values/prod.yaml': 'replicas: 7\n',
        'deploy/values/dev.yaml': 'replicas: 2\n',
        'deploy/open.yaml.gotmpl': 'replicas: {{ env "N" }}\n',
        'other/helmfile.yaml': 'releases:\n{{ if eq 1 1 }}\n- { name: never, chart: ../app }\n{{ end }}\n',
      });
      const out = await run('sources', '.');
      for (const line of [
        /^helmfile release web +1 object, 1 workload \[prod\]$/m,
        /^helmfile release remote +not rendered: the chart far\/redis is not in the workspace/m,
        /^helmfile release open +not rendered: its values file open\.yaml\.gotmpl is a template/m,
        /^helmfile other\/helmfile\.yaml +not rendered: its templates decide what its releases are/m,
      ]) {
        assert.match(out, line);
      }
      assert.doesNotMatch(out, /release off/);
      assert.match(await run('simulate', '.'), /web {2}\?7 of 7/);
    });

    it('[ED-2] says in one line of releases whose values are templates what they have in common (#36)', async () => {
      tree.write({
        'web/Chart.yaml': chart('web'),
        'helmfile.yaml':
          'releases:\n  - { name: a, chart: ./web, values: [a.yaml.gotmpl] }\n  - { name: b, chart: ./web, values: [b.yaml.gotmpl] }\n',
        'a.yaml.gotmpl': 'a: {{ env "A" }}\n',
        'b.yaml.gotmpl': 'a: {{ env "B" }}\n',
      });
      assert.match(await run('check', '.'), /2 sources are not rendered: [^.]*\. Their values files are templates\./);
    });

    it('[ED-2] fetches no chart for a release that names none (#36)', async () => {
      tree.write({
        'helmfile.yaml':
          'defaultInherit: base\nreleases:\n  - name: web\n  - name: api\n    chart: oci://a.example/charts/api\n',
      });
      const lines = (await run('check', '.')).split('\n').filter((line) => line.includes('[not-rendered]'));
      assert.equal(lines.length, 2);
      assert.match(lines[0]!, /it names no chart\. \(in/);
      assert.match(lines[1]!, /charts\/api is not in the workspace\. `podium sources PATH --fetch`/);
    });

    it('[ED-2] is found by its releases, and what its templates decide is told once', async () => {
      tree.write({
        ...app,
        'clusters/public.yaml': `releases:\n${['a', 'b'].map((name) => `- name: ${name}\n  chart: ../app\n  values: [${name}.yaml.gotmpl]\n`).join('')}- name: c\n  chart: ../app\n  values: [c.yaml.gotmpl]\n`,
        'clusters/a.yaml.gotmpl': 'replicas: {{ env "N" }}\n',
        'clusters/b.yaml.gotmpl': 'replicas: {{ env "N" }}\n',
        'clusters/c.yaml.gotmpl': 'replicas: 3\n',
        'other/helmfile.yaml': 'releases:\n{{- $root := requiredEnv "ROOT" }}\n- { name: never, chart: ../app }\n',
      });
      const lines = (await run('check', '.')).split('\n').filter((line) => line.includes('[not-rendered]'));
      assert.equal(lines.length, 2, lines.join('\n'));
      assert.match(
        lines[0] ?? '',
        /^clusters\/public\.yaml:2:.*a\.yaml\.gotmpl is a template\. 1 more source for the same/,
      );
      assert.match(
        lines[1] ?? '',
        /^other\/helmfile\.yaml:1:1: information: .*its templates decide what its releases are/,
      );
      assert.match(await run('sources', '.'), /^helmfile release c +1 object, 1 workload$/m);
    });
  });

  it('[ED-2] tells once of charts whose dependencies are not there', async () => {
    const lacking = (name: string): string =>
      chart(name, 'dependencies: [{ name: far, version: 1.0.0, repository: https://charts.example.com }]\n');
    tree.write({ 'a/Chart.yaml': lacking('a'), 'b/Chart.yaml': lacking('b'), 'c/Chart.yaml': lacking('c') });
    const lines = (await run('check', '.')).split('\n').filter((line) => line.includes('[not-rendered]'));
    assert.equal(lines.length, 1, lines.join('\n'));
    assert.match(
      lines[0] ?? '',
      /^a\/Chart\.yaml:1:1: .*\(helm dependency build\)\. 2 more sources for the same reason/,
    );
  });

  it('[ED-2] tells once of kustomizations that take what a tool lays beside them (#36)', async () => {
    tree.write(
      Object.fromEntries(['a', 'b'].map((name) => [`${name}/kustomization.yaml`, `resources: [vendor/${name}]\n`])),
    );
    const lines = (await run('check', '.')).split('\n').filter((line) => line.includes('[not-rendered]'));
    assert.equal(lines.length, 1, lines.join('\n'));
    assert.match(lines[0] ?? '', /its entry vendor\/a is not there\. 1 more source for the same reason/);
  });

  it('[ED-2] misses nothing in what Rancher Fleet lays over a chart (#36)', async () => {
    const patch = 'apiVersion: apps/v1\nkind: Deployment\nmetadata: { name: far }\nspec: { replicas: 2 }\n';
    tree.write({
      'web/overlays/dev/kustomization.yaml': 'patchesStrategicMerge: [web.yaml]\n',
      'web/overlays/dev/web.yaml': patch,
    });
    assert.match(await run('check', '.'), /warning: Not rendered: this patch is for Deployment far/);
    tree.write({ 'web/fleet.yaml': 'helm: { chart: far }\nkustomize: { dir: overlays/dev }\n' });
    const out = await run('check', '.');
    assert.doesNotMatch(out, /warning|error/);
    assert.match(
      out,
      /kustomization\.yaml:1:1: information: Not rendered: written for use in a kustomization, and used by none/,
    );
  });

  it('[ED-2] means no object by the name that a patch has for one of another namespace (#36)', async () => {
    tree.write({
      'kustomization.yaml': 'resources: [web.yaml]\npatchesStrategicMerge: [patch.yaml]\n',
      'web.yaml': deployment('web').replace('name: web', 'name: web, namespace: shop'),
      'patch.yaml': 'apiVersion: apps/v1\nkind: Deployment\nmetadata: { name: web }\nspec: { replicas: 2 }\n',
    });
    const out = await run('check', '.');
    assert.match(out, /this patch is for Deployment web, which is not among the resources/);
    assert.doesNotMatch(out, /did you mean/);
  });

  it('[PLA-1] knows a cluster by the folder of its account, where only some objects tell clusters apart by their names (#36)', async () => {
    const application = (name: string, path: string): string =>
      `apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: { name: ${name}, namespace: argocd }\nspec:\n` +
      `  source: { repoURL: "https://a.example/team/config.git", path: ${path} }\n  destination: { namespace: ${name} }\n`;
    const clusters = {
      'aws/111/clusters/shop-prod': 'a',
      'aws/222/clusters/shop-dev': 'b',
      'aws/333/clusters/shop-prod': 'c',
    };
    for (const [folder, name] of Object.entries(clusters)) {
      tree.write({
        [`${folder}/apps/argocd/root.yaml`]: application('root', `${folder}/apps/web`),
        [`${folder}/apps/web/d.yaml`]: deployment(`web-${name}`),
      });
      for (const [app, except] of Object.entries({ api: 'c', mail: 'a' })) {
        if (name === except) continue;
        tree.write({
          [`${folder}/apps/argocd/${app}.yaml`]: application(app, `${folder}/apps/${app}`),
          [`${folder}/apps/${app}/d.yaml`]: deployment(`${app}-${name}`),
        });
      }
    }
    const { workloads } = JSON.parse(await run('simulate', '.', '--format', 'json')) as Report;
    assert.deepEqual(workloads.map(({ name }) => name).sort(), ['api-a', 'web-a']);
  });

  it('[ED-2] refuses nothing that a kustomization changes which is not rendered (#36)', async () => {
    tree.write({
      'kustomization.yaml':
        'resources: [web.yaml]\nconfigMapGenerator: [{ name: s, envs: [settings.env] }]\nreplacements:\n' +
        '  - source: { kind: ConfigMap, name: s, fieldPath: data.HOST }\n    targets: [{ select: { kind: Deployment }, fieldPaths: [spec.template.metadata.labels.app] }]\n',
      'web.yaml': deployment('web').replaceAll('app: web', 'app: "to be replaced"'),
    });
    const out = await run('simulate', '.');
    assert.doesNotMatch(out, /refused/);
    assert.match(out, /1 source is not rendered[^]*\+ web {2}\?1 of 1/);
  });

  it('[ED-2] applies of an overlay that is named what kustomize builds, and says what lies beside it (#36)', async () => {
    tree.write({
      'base/kustomization.yaml': 'resources: [web.yaml]\n',
      'base/web.yaml': deployment('web'),
      'overlays/prod/kustomization.yaml': 'resources: [../../base]\nnameSuffix: -prod\n',
      'overlays/prod/old.yaml': deployment('old'),
      'overlays/prod/by-hand/job.yaml': deployment('job'),
      'overlays/prod/nodes.yaml': 'apiVersion: v1\nkind: Node\nmetadata: { name: n1 }\n',
      'other.yaml': deployment('other'),
    });
    const out = await run('simulate', 'overlays/prod');
    assert.match(out, /^web-prod is placed on n1/);
    assert.match(
      out.replaceAll(/\s+/g, ' '),
      /! 2 [^!]* not applied: by-hand\/job\.yaml and prod\/old\.yaml\. The kustomization there does not list/,
    );
    const whole = (await run('simulate', '.')).replaceAll(/\s+/g, ' ');
    assert.match(whole, /^other and web-prod are placed on n1/);
    assert.match(whole, /! 2 [^!]* not applied: by-hand\/job\.yaml and prod\/old\.yaml\. The kustomization/);
    assert.match(
      await run('check', '.'),
      /Not seen: 2 parts of manifests are not applied: by-hand[^]* does not list it/,
    );
    assert.match(await run('simulate', 'overlays/prod', 'overlays/prod/old.yaml'), /^old and web-prod are placed/);
    assert.match(await run('simulate', 'other.yaml', 'overlays/prod'), /^other and web-prod are placed/);
  });

  it('[ED-2] gives no advice on what a program writes, nor on a namespace that a kustomization sets (#36)', async () => {
    const kind = 'apiVersion: storage.k8s.io/v1\nkind: StorageClass\n';
    const named = `${kind}metadata: { name: a, namespace: shop }\nprovisioner: a\n`;
    tree.write({
      'made.yaml': `---\n# This manifest was generated by flux. DO NOT EDIT.\n${named}`,
      'app/kustomization.yaml': 'namespace: shop\nresources: [pool.yaml]\n',
      'app/pool.yaml':
        'apiVersion: karpenter.sh/v1\nkind: NodePool\nmetadata: { name: a }\nspec: { template: { spec: { requirements: [], nodeClassRef: { group: karpenter.k8s.aws, kind: EC2NodeClass, name: a } } } }\n',
    });
    assert.match(await run('check', '.'), /^No problems/);
    tree.write({ 'made.yaml': named });
    assert.match(await run('check', '.'), /made\.yaml:3:\d+: hint: No StorageClass belongs to a namespace/);
    tree.write({ 'made.yaml': `# DO NOT EDIT\n${named.replace('provisioner: a', 'provisioner: ""')}` });
    assert.match(await run('check', '.'), /made\.yaml[^\n]* error: provisioner/);
  });

  it('[ED-2] asks for no toleration of a pool where what tolerates it may be what is not seen (#36)', async () => {
    tree.write({
      'pool.yaml':
        'apiVersion: karpenter.sh/v1\nkind: NodePool\nmetadata: { name: a }\nspec: { template: { spec: { requirements: [], taints: [{ key: team, value: a, effect: NoSchedule }], nodeClassRef: { group: karpenter.k8s.aws, kind: EC2NodeClass, name: a } } } }\n',
      'web.yaml': deployment('web'),
    });
    assert.match(await run('check', '.'), /No workload that is declared here tolerates team=a/);
    tree.write({
      'team.yaml':
        'apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: { name: a, namespace: a }\nspec: { path: ./manifests, sourceRef: { kind: GitRepository, name: a } }\n',
    });
    assert.doesNotMatch(await run('check', '.'), /No workload that is declared here tolerates/);
  });

  it('[ED-2] judges no patch that another repository takes, wherever it lies (#36)', async () => {
    const named = 'apiVersion: apps/v1\nkind: Deployment\nmetadata: { name: web }\n';
    tree.write({
      'app/kustomization.yaml': 'resources: [web.yaml]\n',
      'app/web.yaml': deployment('web'),
      'extras/labels.yaml': `${named}spec: { template: { metadata: { labels: { a: b } } } }\n`,
      'extras/name.yaml': named,
      'extras/policy.yaml':
        '$patch: delete\napiVersion: policy/v1beta1\nkind: PodSecurityPolicy\nmetadata: { name: web }\n',
    });
    const out = await run('check', '.');
    assert.doesNotMatch(out, /error/);
    assert.match(out, /Not seen: 3 parts of manifests are not applied/);
  });

  it('[ED-2] gives advice that is the same at many places in one line (#36)', async () => {
    const labelled =
      'apiVersion: v1\nkind: PersistentVolume\nmetadata: { name: NAME, namespace: shop }\nspec: { storageClassName: a, accessModes: [ReadWriteOnce], capacity: { storage: 1 }, nfs: { server: a, path: /a } }\n';
    for (const name of ['a', 'b', 'c', 'd', 'e', 'f']) tree.write({ [`${name}.yaml`]: labelled.replace('NAME', name) });
    const out = await run('check', '.');
    assert.equal(out.match(/: hint: /g)?.length, 1, out);
    assert.match(out, /\n {4}also at b\.yaml:3:\d+, c\.yaml:3:\d+, d\.yaml:3:\d+, and 2 more places: --format json\n/);
    assert.match(out, /\n6 hints in 6 of 6 files\./);
  });

  const doubted: Readonly<Record<string, readonly [spec: string, when: RegExp]>> = {
    'a PriorityClass that nobody declares': [
      'priorityClassName: shop',
      /unless the cluster has PriorityClass shop, which/,
    ],
    'a RuntimeClass that nobody declares': [
      'runtimeClassName: kata',
      /unless the cluster has RuntimeClass kata, which/,
    ],
    'a class to be filled in': ['priorityClassName: <class>', /unless something else fills in <class>/],
    'a node to be filled in': ['nodeName: <worker>', /unless something else fills in <worker>/],
  };
  for (const [title, [spec, when]] of Object.entries(doubted)) {
    it(`[ED-2] refuses no pod for sure that check does not, and says when: ${title} (#36)`, async () => {
      tree.write({
        'web.yaml': deployment('web').replace('containers:', `${spec}, containers:`),
        'node.yaml': 'apiVersion: v1\nkind: Node\nmetadata: { name: n1 }\n',
      });
      assert.doesNotMatch(await run('check', '.'), /warning|error/);
      const out = (await run('simulate', '.')).replaceAll(/\s+/g, ' ');
      assert.match(out, /^\?1 pod of web is refused: /);
      assert.match(out, when);
    });
  }

  it('[ED-2] refuses for sure what names a reserved class that does not exist (#36)', async () => {
    tree.write({
      'web.yaml': deployment('web').replace('containers:', 'priorityClassName: system-critical, containers:'),
    });
    assert.match(await run('check', '.'), /error: /);
    assert.match(await run('simulate', '.'), /^1 pod of web is refused: /);
  });

  it('[ED-2] refuses not for sure what a chart leaves to whoever installs it (#36)', async () => {
    const template = deployment('web', '{{ .Values.image | quote }}');
    tree.write({ 'c/Chart.yaml': chart('c'), 'c/values.yaml': 'image: ""\n', 'c/templates/web.yaml': template });
    assert.match(await run('check', '.'), /warning: /);
    const left = (await run('simulate', '.')).replaceAll(/\s+/g, ' ');
    assert.match(left, /^\?1 pod of web is refused: [^]*unless whoever installs the chart gives it other values/);
    tree.write({ 'c/templates/web.yaml': template.replace('spec:', 'spec:\n  replica: 1') });
    assert.match(await run('simulate', '.'), /^1 pod of web is refused: /);
  });

  it('[ED-2] tells not of a chart and a kustomization in one folder that both declare an object (#36)', async () => {
    const settings = 'apiVersion: v1\nkind: ServiceAccount\nmetadata: { name: web }\n';
    tree.write({
      'app/Chart.yaml': chart('app'),
      'app/templates/account.yaml': settings,
      'app/kustomization.yaml': 'resources: [account.yaml]\n',
      'app/account.yaml': settings,
    });
    assert.match(await run('check', '.'), /^No problems/);
    const service = 'apiVersion: v1\nkind: Service\nmetadata: { name: web }\nspec: { ports: [{ port: 80 }] }\n';
    tree.write({ 'app/templates/service.yaml': service, 'app/account.yaml': service });
    assert.match(await run('check', '.'), /^No problems/);
    tree.write({ 'app/templates/again.yaml': service });
    assert.match(await run('check', '.'), /warning: Service default\/web is declared before/);
  });

  it('[ED-2] takes what a catalogue has in folders beside each other for no single cluster (#36)', async () => {
    const budget = (name: string): string =>
      `apiVersion: policy/v1\nkind: PodDisruptionBudget\nmetadata: { name: ${name} }\nspec: { maxUnavailable: 1, selector: { matchLabels: { app: web } } }\n`;
    for (const each of ['one', 'two', 'three']) {
      tree.write({ [`${each}/web.yaml`]: deployment('web'), [`${each}/budget.yaml`]: budget(each) });
    }
    tree.write({
      'quota/quota.yaml':
        'apiVersion: v1\nkind: ResourceQuota\nmetadata: { name: small }\nspec: { hard: { requests.cpu: 2, pods: 2 } }\n',
      'quota/job.yaml': deployment('job').replace('image: nginx', 'image: nginx, resources: { requests: { cpu: 1 } }'),
    });
    assert.match(await run('check', '.'), /^No problems/);
    const out = (await run('simulate', '.')).replaceAll(/\s+/g, ' ');
    assert.match(out, /× web \?1 pod [^×→]* unless ResourceQuota small is of another namespace: neither names its own/);
    tree.write({ 'one/second.yaml': budget('second') });
    assert.match(
      await run('check', '.'),
      /^one\/budget\.yaml[^\n]*The budget "second" selects pods of Deployment default\/web too/,
    );
  });

  it('[ED-2] takes rings and stages, which declare the same workload, for as many clusters (#36)', async () => {
    const quota =
      'apiVersion: v1\nkind: ResourceQuota\nmetadata: { name: q, namespace: shop }\nspec: { hard: { pods: 3 } }\n';
    const budget = (name: string): string =>
      `apiVersion: policy/v1\nkind: PodDisruptionBudget\nmetadata: { name: ${name}, namespace: shop }\nspec: { minAvailable: 0, selector: { matchLabels: { app: web } } }\n`;
    const pod = (name: string): string =>
      `apiVersion: v1\nkind: Pod\nmetadata: { name: ${name}, namespace: shop, labels: { app: web } }\nspec: { containers: [{ name: a, image: nginx }] }\n`;
    tree.write({ 'quota.yaml': quota });
    for (const ring of ['one', 'two']) {
      tree.write({
        [`${ring}/web.yaml`]: `${pod('web')}---\n${pod(ring)}`,
        [`${ring}/budget.yaml`]: budget(ring),
        [`${ring}/job.yaml`]: pod(`job-${ring}`),
      });
    }
    assert.match(await run('check', '.'), /^No problems/);
    tree.write({ 'one/more.yaml': pod('more'), 'one/second.yaml': budget('second') });
    const out = await run('check', '.');
    assert.match(out, /quota\.yaml:4:23: warning: Running together, the workloads declared here ask for 4 of pods/);
    assert.match(out, /^one\/budget\.yaml[^\n]*The budget "second" selects/);
    assert.doesNotMatch(out, /^two/m);
  });

  it('[ED-2] takes bare pods beside their budgets in folders of a catalogue for no single cluster (#36)', async () => {
    for (const ring of ['one', 'two']) {
      tree.write({
        [`${ring}/pod.yaml`]: `apiVersion: v1\nkind: Pod\nmetadata: { name: ${ring}, labels: { app: web } }\nspec: { containers: [{ name: a, image: nginx }] }\n`,
        [`${ring}/budget.yaml`]: `apiVersion: policy/v1\nkind: PodDisruptionBudget\nmetadata: { name: ${ring} }\nspec: { minAvailable: 0, selector: { matchLabels: { app: web } } }\n`,
      });
    }
    assert.match(await run('check', '.'), /^No problems/);
  });

  it('[ED-2] bounds no pods by a LimitRange of a folder beside them, where neither names its namespace (#36)', async () => {
    const range =
      'apiVersion: v1\nkind: LimitRange\nmetadata: { name: small }\nspec: { limits: [{ type: Container, max: { cpu: 1 } }] }\n';
    tree.write({
      'limits/range.yaml': range,
      'web/web.yaml': deployment('web').replace('image: nginx', 'image: nginx, resources: { requests: { cpu: 2 } }'),
      'mail/mail.yaml': deployment('mail'),
    });
    assert.match(await run('check', '.'), /^No problems/);
    const out = (await run('simulate', '.', '--show', 'assumptions')).replaceAll(/\s+/g, ' ');
    assert.match(out, /× web \?1 pod [^×→]* unless LimitRange small is of another namespace: neither names its own/);
    assert.match(out, /\? LimitRange small [^?=]* gives what containers do not ask for: mail 1 cpu/);
    tree.write({ 'range.yaml': range });
    assert.match(await run('check', '.'), /web\.yaml[^\n]*warning: [^\n]*maximum cpu usage per Container is 1/);
  });

  it('[ED-2] charges no quota of an unnamed namespace with a chart that nobody installs (#36)', async () => {
    const quota = 'apiVersion: v1\nkind: ResourceQuota\nmetadata: { name: q }\nspec: { hard: { requests.cpu: 1 } }\n';
    const asking = deployment('web').replace('image: nginx', 'image: nginx, resources: { requests: { cpu: 2 } }');
    tree.write({ 'web/Chart.yaml': chart('web'), 'web/templates/d.yaml': asking, 'samples/quota.yaml': quota });
    assert.match(await run('check', '.'), /^No problems/);
    tree.write({ 'web/templates/q.yaml': quota });
    assert.match(await run('check', '.'), /exceeded quota/);
  });

  it('[ED-2] tells of a refused volume and a refused label, and not of what needs them (#36)', async () => {
    const volume = 'spec: { volumes: [{ name: a, nfs: { path: /, server: "" } }], containers';
    tree.write({
      'label.yaml': deployment('web').replaceAll('app: web', 'app: web-'),
      'volume.yaml': deployment('api', 'nginx, volumeMounts: [{ name: a, mountPath: /a }]').replace(
        'spec: { containers',
        volume,
      ),
    });
    const out = await run('check', '.');
    assert.match(
      out,
      /spec\.selector\.matchLabels: Invalid value: "web-"[^]*volumes\[0\]\.nfs\.server: Required value/,
    );
    assert.doesNotMatch(out, /Not found|invalid label selector/);
  });

  it('[ED-2] judges no pods by a quota of a namespace that only a kustomization knows which is not rendered', async () => {
    const quota = 'apiVersion: v1\nkind: ResourceQuota\nmetadata: { name: small }\nspec: { hard: { pods: "0" } }\n';
    tree.write({
      'team/kustomization.yaml': 'namespace: team\nresources: [quota.yaml, gone.yaml]\n',
      'team/quota.yaml': quota,
      'web.yaml': deployment('web'),
    });
    assert.doesNotMatch(await run('check', '.'), /quota-refuses-pods/);
    tree.write({ 'team/kustomization.yaml': 'resources: [quota.yaml, gone.yaml]\n' });
    assert.match(await run('check', '.'), /quota-refuses-pods/);
  });

  it('#36 counts software once that is installed by manifests or by a chart, whatever their namespaces', async () => {
    const budget =
      'apiVersion: policy/v1\nkind: PodDisruptionBudget\nmetadata: { name: web }\nspec: { minAvailable: 0, selector: { matchLabels: { app: web } } }\n';
    const own = budget.replace('name: web', 'name: own');
    tree.write({
      'deploy/web.yaml': `${deployment('web')}---\n${own}`,
      'charts/app/Chart.yaml': chart('app'),
      'charts/app/values.yaml': 'replicas: 1\n',
      'charts/app/templates/d.yaml': `${deployment('web').replace('spec:', 'spec:\n  replicas: -1')}---\n${budget}`,
      'charts/other/Chart.yaml': chart('other'),
      'charts/other/templates/d.yaml': deployment('other'),
    });
    assert.match(await run('simulate', '.', '--summary'), /^other and web are placed/);
    assert.doesNotMatch(await run('check', '.'), /budget-overlap|declared-twice/);
    const said = await run('simulate', '.', '--show', 'assumptions');
    assert.match(said, /\? charts\/app not counted, as other manifests install the same/);
    const text = await run('sources', '.');
    assert.match(text, /^charts\/app +2 objects, 1 workload$/m);
    assert.match(text, /^charts\/other +1 object, 1 workload$/m);
    // Each way is judged and simulated by itself.
    assert.match(
      await run('check', '.'),
      /charts\/app\/templates\/d\.yaml:.*replicas.*must be greater than or equal to 0/,
    );
    const other = await run('simulate', '.', '--target', 'charts/app', '--format', 'json');
    const { workloads } = JSON.parse(other) as { workloads: { name: string }[] };
    assert.deepEqual(
      workloads.map(({ name }) => name),
      ['web'],
    );
  });

  it('[PLA-1] answers for the overlay that is named, and not for a part of it that nobody takes in', async () => {
    tree.write({
      'base/kustomization.yaml': 'resources: [d.yaml]\n',
      'base/d.yaml': deployment('web'),
      'overlays/zone/kustomization.yaml': 'resources: [../../base]\nreplicas: [{ name: web, count: 5 }]\n',
      'overlays/zone/extra/kustomization.yaml': 'resources: [../../../base]\nreplicas: [{ name: web, count: 2 }]\n',
    });
    assert.match(await run('simulate', 'overlays/zone'), /web {2}\?5 of 5/);
  });

  it('[ED-2] renders the charts that kustomizations inflate, where they are on disk, and changes what comes out', async () => {
    const app = deployment('{{ .Release.Name }}').replace('spec:', 'spec:\n  replicas: {{ .Values.replicas }}');
    tree.write({
      'kustomization.yaml': `namePrefix: prod-
helmGlobals: { chartHome: local }
helmCharts:
  - { name: app, releaseName: web, namespace: shop, valuesFile: prod.yaml, valuesInline: { zone: a } }
  - { name: app, releaseName: --help, repo: https://charts.example.com, version: 1.0.0 }
patches:
  - { target: { kind: Deployment, name: web }, patch: '[{"op":"add","path":"/spec/template/spec/priorityClassName","value":"gold"}]' }
`,
      'prod.yaml': 'replicas: 4\n',
      'local/app/Chart.yaml': chart('app'),
      'local/app/values.yaml': 'replicas: 1\nzone: none\n',
      'local/app/templates/d.yaml': app,
      'shared/map.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: map }\n',
      'classes.yaml': 'apiVersion: scheduling.k8s.io/v1\nkind: PriorityClass\nmetadata: { name: gold }\nvalue: 7\n',
      'far/kustomization.yaml': 'helmCharts: [{ name: gone, repo: https://charts.example.com }]\n',
    });
    const text = await run('sources', '.');
    assert.match(text, /2 objects, 2 workloads/);
    assert.match(text, /^far +not rendered: the chart gone is not in the workspace/m);
    assert.doesNotMatch(text, /^local/m);
    const { workloads } = JSON.parse(await run('simulate', '.', '--format', 'json')) as Report;
    assert.deepEqual(
      workloads.map(({ name, replicas, className }) => [name, replicas, className]),
      [
        ['prod-help', 1, null],
        ['prod-web', 4, 'gold'],
      ],
    );
  });

  it('[ED-2] marks what is wrong with a chart that a kustomization inflates in its values and templates (#36)', async () => {
    const app = (name: string): string =>
      `${deployment(name).replace('nginx }', 'nginx, args: [a] }')}      affinity: {{- toYaml .Values.affinity | nindent 8 }}\n`
        .replace(`metadata: { name: ${name} }`, `metadata:\n  name: ${name}`)
        .replace('spec: { containers: [', 'spec:\n      containers:\n        - ')
        .replace(' }] }\n', ' }\n');
    tree.write({
      'kustomization.yaml': 'helmGlobals: { chartHome: . }\nhelmCharts: [{ name: app, valuesFile: prod.yaml }]\n',
      'prod.yaml': 'affinity:\n  nodeAffinty: {}\n',
      'app/Chart.yaml': chart('app'),
      'app/values.yaml': 'affinity: {}\n',
      'app/templates/hook.yaml': app('app-hook'),
      'app/templates/web.yaml': app('app-web').replace('    spec:', '    volumes: []\n    spec:'),
    });
    const out = await run('check', '.');
    assert.match(out, /^prod\.yaml:2:\d+: error: .*nodeAffinty/m);
    assert.match(out, /^app\/templates\/web\.yaml:\d+:\d+: error: .*volumes/m);
    assert.doesNotMatch(out, /^kustomization\.yaml:1/m);
  });

  it('[ED-2] renders a kustomization without the plugins that decrypt its Secrets, and says so', async () => {
    tree.write({
      'kustomization.yaml': 'resources: [d.yaml]\ngenerators: [secrets.yaml]\nnamespace: shop\n',
      'secrets.yaml': 'apiVersion: viaduct.ai/v1\nkind: ksops\nmetadata: { name: secrets }\nfiles: [s.enc.yaml]\n',
      'd.yaml': deployment('web'),
      'other/kustomization.yaml': 'resources: [d.yaml]\ngenerators: [made.yaml]\n',
      'other/made.yaml': 'apiVersion: example.com/v1\nkind: Other\nmetadata: { name: other }\n',
      'other/d.yaml': deployment('api'),
    });
    const text = await run('sources', '.');
    assert.match(text, /1 object, 1 workload/);
    assert.match(text, /^other +not rendered: it needs the plugin Other, and Podium lets kustomize run none/m);
    const { unseen } = JSON.parse(await run('check', '.', '--format', 'json')) as { unseen: { why: string }[] };
    assert.deepEqual(
      unseen.map(({ why }) => why),
      ['its secrets are encrypted', 'it needs the plugin Other, and Podium lets kustomize run none'],
    );
  });

  it('[ED-2] renders many kustomizations in a few runs, each as it comes out by itself', async () => {
    const files: Record<string, string> = {
      'base/kustomization.yaml': 'resources: [all.yaml]\n',
      'base/all.yaml': `apiVersion: v1\nkind: Namespace\nmetadata: { name: shop }\n---\n${deployment('web')}`,
      'shared/map.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: map }\n',
      'classes.yaml': 'apiVersion: scheduling.k8s.io/v1\nkind: PriorityClass\nmetadata: { name: gold }\nvalue: 7\n',
      // A reference to a name that another kustomization changes stays as it is.
      'y/kustomization.yaml': 'namePrefix: y-\nresources: [class.yaml]\n',
      'y/class.yaml': 'apiVersion: scheduling.k8s.io/v1\nkind: PriorityClass\nmetadata: { name: gold }\nvalue: 9\n',
      'x/kustomization.yaml': 'namespace: x\nresources: [d.yaml]\n',
      'x/d.yaml': deployment('x').replace('spec: { containers', 'spec: { priorityClassName: gold, containers'),
      'number/kustomization.yaml': 'namespace: number\nresources: [d.yaml]\n',
      'number/d.yaml': deployment('web').replace('metadata: { name: web }', 'metadata: { name: "17" }'),
      'broken/kustomization.yaml':
        'resources: [../base]\npatches: [{ target: { kind: Deployment }, patch: "[{op: replace, path: /spec/none/here, value: 1}]" }]\n',
    };
    for (let index = 0; index < 16; index++) {
      files[`o${index}/kustomization.yaml`] =
        `namespace: n${index}\nresources: [../base]\nreplicas: [{ name: web, count: ${index + 1} }]\n`;
      files[`s${index}/kustomization.yaml`] =
        `namespace: n${index}\nresources: [d.yaml, ../shared/map.yaml]\nreplicas: [{ name: web, count: ${index + 1} }]\n`;
      files[`s${index}/d.yaml`] = deployment('web');
    }
    tree.write(files);
    const text = await run('sources', '.');
    for (let index = 0; index < 16; index++) assert.match(text, new RegExp(`^o${index} +2 objects, 1 workload`, 'm'));
    for (let index = 0; index < 16; index++) {
      assert.match(
        text,
        new RegExp(`^s${index} +2 objects, 1 workload.*\\n +s${index} reads files outside its folder`, 'm'),
      );
    }
    assert.match(text, /^broken +not rendered: .*none/m);
    const { workloads } = JSON.parse(await run('simulate', '.', '--format', 'json')) as Report;
    const found = new Map(workloads.map((each) => [`${each.namespace}/${each.name}`, each]));
    for (let index = 0; index < 16; index++) assert.equal(found.get(`n${index}/web`)?.replicas, index + 1);
    assert.equal(found.get('x/x')?.className, 'gold');
    assert.equal(found.get('x/x')?.priority, 7);
    assert.ok(found.has('number/17'));
  });

  it('[ED-2] finds folders of Flux in an artifact that the repository is packed into, and above its top (#36)', async () => {
    const object = (kind: string, group: string, name: string, spec: string): string =>
      `apiVersion: ${group}\nkind: ${kind}\nmetadata: { name: ${name}, namespace: flux-system }\nspec: ${spec}\n`;
    const kustomization = (name: string, path: string, from: string): string =>
      object(
        'Kustomization',
        'kustomize.toolkit.fluxcd.io/v1',
        name,
        `{ path: ${path}, targetNamespace: shop, sourceRef: { kind: ${from} } }`,
      );
    tree.write({
      'kubernetes/apps/web/d.yaml': deployment('web'),
      'components/mail/d.yaml': deployment('mail'),
      'kubernetes/cluster/repositories.yaml': object(
        'OCIRepository',
        'source.toolkit.fluxcd.io/v1',
        'cluster',
        '{ url: "oci://ghcr.io/shop/manifests/fleet" }',
      ),
      'kubernetes/cluster/web.yaml': kustomization('web', './apps/web', 'OCIRepository, name: cluster'),
      'kubernetes/cluster/mail.yaml': kustomization('mail', '../components/mail', 'GitRepository, name: flux-system'),
      '.git/config': '[remote "origin"]\n\turl = https://github.com/shop/fleet.git\n',
    });
    const out = await run('sources', '.');
    assert.match(out, /^Kustomization flux-system\/mail +1 object, 1 workload/m);
    assert.match(out, /^Kustomization flux-system\/web +1 object, 1 workload/m);
    tree.write({ '.git/config': '[remote "origin"]\n\turl = https://github.com/shop/other.git\n' });
    assert.match(
      await run('sources', '.'),
      /flux-system\/web +not rendered: the folder \.\/apps\/web of OCIRepository/,
    );
  });

  it('[ED-2] follows what an ArtifactGenerator of Flux copies into an artifact', async () => {
    const object = (kind: string, group: string, spec: string): string =>
      `apiVersion: ${group}\nkind: ${kind}\nmetadata: { name: apps, namespace: flux-system }\nspec: ${spec}\n`;
    tree.write({
      'apps/web/d.yaml': deployment('web'),
      'cluster/generator.yaml': object(
        'ArtifactGenerator',
        'source.extensions.fluxcd.io/v1beta1',
        '{ sources: [{ alias: repo, kind: GitRepository, name: flux-system }], artifacts: [{ name: all, copy: [{ from: "@repo/apps/**", to: "@artifact/made/" }] }] }',
      ),
      'cluster/web.yaml': object(
        'Kustomization',
        'kustomize.toolkit.fluxcd.io/v1',
        '{ path: ./made/web, prune: true, interval: 1m, targetNamespace: shop, sourceRef: { kind: ExternalArtifact, name: all } }',
      ),
    });
    assert.match(await run('sources', '.'), /^Kustomization flux-system\/apps +1 object, 1 workload/m);
  });

  it('[#36] has seen a manifest that kubectl has read, whatever of Helm stands in its annotations', async () => {
    const sum = `checksum/config: '{{ include (print $.Template.BasePath "/config.yaml") . | sha256sum }}'`;
    tree.write({
      'kustomization.yaml': 'resources: [web.yaml]\n',
      'web.yaml': deployment('web').replace(
        'labels: { app: web } }\n    spec',
        `labels: { app: web }, annotations: { ${sum} } }\n    spec`,
      ),
    });
    assert.match(await run('check', '.'), /^No problems in 2 files\.$/m);
    assert.doesNotMatch(await run('check', '.'), /Not seen/);
  });

  it('[ED-2] names the language of templates, and leaves out a HelmRelease without a chart, which is a patch', async () => {
    const pool = (more: string): string => `apiVersion: v1\nkind: Service\nmetadata: { name: web }\nspec:\n${more}`;
    tree.write({
      'jinja.yaml': pool('  ports:\n  {% for port in ports %}\n  - port: {{ port }}\n  {% endfor %}\n'),
      'filled.yaml': pool('  type: @TYPE@\n  externalName: "@HOST@"\n'),
      'go.yaml': pool('  type: {{ .Values.type }}\n'),
      'patch.yaml':
        'apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: { name: web }\nspec: { values: { replicas: 3 } }\n',
    });
    const out = await run('check', '.');
    assert.match(out, /jinja\.yaml\. Written in Jinja\./);
    assert.match(out, /filled\.yaml\. @TYPE@ is filled in before it is applied\./);
    assert.doesNotMatch(out, /yaml-syntax/);
    assert.match(out, /go\.yaml\. Written in the template language of Go, outside of a chart\./);
    assert.match(out, /1 part of a manifest is not applied: HelmRelease [^.]*\. It names no chart\./);
  });

  it('[ED-2] count no template of a kind that makes nothing, as policies and alerts have actions of their own (#36)', async () => {
    tree.write({
      'policy.yaml':
        'apiVersion: kyverno.io/v1\nkind: ClusterPolicy\nmetadata: { name: p }\nspec: { rules: [{ key: "{{ request.operation }}" }] }\n',
      'rollout.yaml':
        'apiVersion: argoproj.io/v1alpha1\nkind: Rollout\nmetadata: { name: r }\nspec: { strategy: "{{ strategy }}" }\n',
    });
    assert.match(await run('check', '.'), /Not seen: 1 template is not read: rollout\.yaml\./);
  });

  it('[ED-2] takes what a script fills in by words in capitals for a template (#36)', async () => {
    tree.write({
      'braces.yaml':
        'apiVersion: v1\nkind: Service\nmetadata: { name: web }\nspec:\n  type: ClusterIP\n  clusterIP: {PREFIX}.16\n',
      'capitals.yaml':
        'apiVersion: v1\nkind: Pod\nmetadata: { name: wipe-HOST }\nspec: { nodeName: HOST, containers: [{ name: a, image: a }] }\n',
    });
    const out = await run('check', '.');
    assert.match(
      out,
      /^No problems[^]*2 templates are not read: braces\.yaml and Pod wipe-HOST\. \{PREFIX\} is filled in/,
    );
  });

  it('[ED-2] takes for templates what ytt and Octopus fill in where YAML has a comment, and broken text with <words> (#36)', async () => {
    const web = (image: string): string =>
      `apiVersion: v1\nkind: Pod\nmetadata: { name: web }\nspec:\n  containers:\n  - name: web\n    image: ${image}\n`;
    tree.write({
      'a/ytt.yaml': `#@ load("@ytt:data", "data")\n${web('#@ data.values.image')}`,
      'b/token.yaml': web('#{WEB_IMAGE}'),
      'c/words.yaml': web('<registry, default: docker.io>'),
      'd/account.yaml': web('nginx').replace('spec:', 'spec:\n  serviceAccountName: ACCOUNT_NAME'),
    });
    const out = await run('check', '.');
    assert.match(out, /^No problems/);
    assert.match(out, /ytt\.yaml\. Written for ytt\./);
    assert.match(out, /token\.yaml\. \{WEB_IMAGE\} is filled in before it is applied\./);
    assert.match(out, /words\.yaml\. Written with template actions/);
    // Nobody hides a manifest behind a comment that changes nothing.
    tree.write({
      'e/noted.yaml': `#@ reviewed by ops\n${web('nginx #@ newest').replace('name: web }', 'name: Web }')}`,
    });
    assert.match(await run('check', 'e'), /e\/noted\.yaml:\d+:\d+: error: metadata\.name: /);
  });

  it('[ED-2] takes words in capitals in the place of entries for what a program fills in (#36)', async () => {
    const web = deployment('web');
    tree.write({
      'label.yaml': web
        .replace('spec:', '  labels:\n    app: web\n    DATE_LABEL\nspec:')
        .replace('{ name: web }', '\n  name: web'),
      'image.yaml': web
        .replace(/containers:.*/, 'containers:\n      - name: web\n        WEB_IMAGE|-image: nginx-|')
        .replace('spec: {', 'spec:\n     '),
    });
    const out = await run('check', '.');
    assert.match(out, /^No problems in 2 files\./);
    assert.match(
      out,
      /2 templates are not read: image\.yaml and label\.yaml\. WEB_IMAGE is filled in before it is applied/,
    );
    const settings = 'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: a }\ndata:\n  LOG_LEVEL\n  A: b\n';
    tree.write({ 'label.yaml': settings, 'image.yaml': '' });
    assert.match(await run('check', '.'), /error: .*\[yaml-syntax\]/);
  });

  it('[ED-2] takes a shell command with manifests, and an inventory of Ansible, for what they are (#36)', async () => {
    tree.write({
      'web.yaml': `# Try it:\nkubectl apply -f - <<EOF\n${deployment('web')}---\n${deployment('api')}EOF\n`,
    });
    assert.match(
      await run('check', '.'),
      /^No problems[^]*2 templates are not read: 2 web\.yaml\. Written as a shell command/,
    );
    tree.write({ 'hosts.yaml': '[cluster:children]\nnodes\n', 'web.yaml': deployment('web') });
    assert.match(await run('check', '.'), /^No problems in 2 files\.\nJudged[^\n]*\n$/);
    const script = `apiVersion: v1\nkind: ConfigMap\nmetadata: { name: a }\ndata:\n  run: |\n    cat <<EOF\nhello\nEOF\n`;
    tree.write({ 'web.yaml': script });
    assert.match(await run('check', '.'), /error: .*\[yaml-syntax\]/);
  });

  it('[ED-2] tells once what repositories of Flux have to be fetched, and budgets what OLM makes (#36)', async () => {
    const object = (kind: string, group: string, name: string, spec: string): string =>
      `apiVersion: ${group}\nkind: ${kind}\nmetadata: { name: ${name}, namespace: flux-system }\nspec: ${spec}\n`;
    const files = Object.fromEntries(
      ['one', 'two'].map((name) => [
        `cluster/${name}.yaml`,
        `${object('GitRepository', 'source.toolkit.fluxcd.io/v1', name, `{ url: "https://git.example/${name}" }`)}---\n${object('Kustomization', 'kustomize.toolkit.fluxcd.io/v1', name, `{ path: ./x, sourceRef: { kind: GitRepository, name: ${name} } }`)}`,
      ]),
    );
    tree.write({
      ...files,
      'a/version.yaml': object('ClusterServiceVersion', 'operators.coreos.com/v1alpha1', 'a', '{}'),
      'bundle/version.yaml': object('ClusterServiceVersion', 'operators.coreos.com/v1alpha1', 'a', '{}'),
      'bundle/budget.yaml':
        'apiVersion: policy/v1\nkind: PodDisruptionBudget\nmetadata: { name: a }\nspec: { minAvailable: 1, selector: { matchLabels: { a: b } } }\n',
    });
    const out = await run('check', '.');
    assert.match(out, /information: Not rendered: the folder \.\/x of GitRepository\/one .* 1 more source .*--fetch/);
    assert.equal(out.match(/\[[a-z-]+\]$/gm)?.length, 1);
  });

  it('[ED-2] names and counts what other tools make', async () => {
    tree.write({
      'web.yaml': deployment('web'),
      'environments/prod/spec.json': '{ "apiVersion": "tanka.dev/v1alpha1", "kind": "Environment" }',
      'environments/prod/main.jsonnet': '{}',
      'lib/a.jsonnet': '{}',
      'cdk/cdk8s.yaml': 'language: python\n',
      'skaffold.yaml':
        'apiVersion: skaffold/v4beta11\nkind: Config\ndeploy:\n  helm:\n    releases: [{name: web, chartPath: chart}]\n',
      'plain/skaffold.yaml': 'apiVersion: skaffold/v4beta11\nkind: Config\nmanifests: {rawYaml: [web.yaml]}\n',
      'module/timoni.cue': 'package main\n',
      'cue/a.cue': 'package a\n',
      'roles/proxy/templates/proxy.yaml.j2': deployment('{{ name }}'),
      'roles/proxy/templates/proxy.conf.j2': 'listen {{ port }}\n',
      'roles/proxy/tasks/main.yml': '- name: proxy\n  kubernetes.core.k8s:\n    state: present\n',
      'deploy/web.yaml.gotmpl': deployment('{{ .Name }}'),
      'README.md.gotmpl': deployment('{{ .Name }}'),
    });
    const out = await run('sources', '.');
    for (const name of [
      '1 Tanka environment',
      '1 folder of jsonnet',
      '1 cdk8s app',
      '1 Skaffold file with releases of helm',
      '1 Timoni module or bundle',
      '1 folder of CUE',
      '1 Jinja template of manifests',
      '1 Ansible file that applies manifests',
      '1 Go template of manifests',
    ]) {
      assert.ok(out.includes(`${name} `), name);
    }
  });

  describe('feature gates', () => {
    const autoscaler = `apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: { name: web }
spec:
  minReplicas: 0
  maxReplicas: 1
  scaleTargetRef: { apiVersion: apps/v1, kind: Deployment, name: web }
  metrics: [{ type: External, external: { metric: { name: up }, target: { type: Value, value: "1" } } }]
`;

    it('[ED-2] are named where one would lift a refusal, which is a warning', async () => {
      tree.write({ 'hpa.yaml': autoscaler, 'web.yaml': deployment('web') });
      const out = await run('check', '.');
      assert.match(
        out,
        /hpa\.yaml:\d+:\d+: warning: .*greater than or equal to 1\. The feature gate HPAScaleToZero allows it/,
      );
      assert.match(await run('check', '.', '--feature-gates', 'HPAScaleToZero=true'), /^No problems/);
      const { code, stderr } = await podium(['check', '.', '--feature-gates', 'HPAScaleToZreo=true'], {
        cwd: tree.root,
      });
      assert.deepEqual([code, stderr.includes('did you mean HPAScaleToZero?')], [2, true]);
    });

    const configurations: Readonly<Record<string, readonly [string, string]>> = {
      'Talos, as a template': [
        'talos/controlplane.yaml.j2',
        'machine: {}\ncluster:\n  apiServer:\n    extraArgs:\n      feature-gates: HPAScaleToZero=true,ImageVolume=true\n',
      ],
      kubeadm: [
        'bootstrap/kubeadm.yaml',
        'apiVersion: kubeadm.k8s.io/v1beta4\nkind: ClusterConfiguration\napiServer:\n  extraArgs:\n    - name: feature-gates\n      value: "HPAScaleToZero=true"\n',
      ],
      'kubeadm, as before 1.31': [
        'bootstrap/kubeadm.yaml',
        'apiVersion: kubeadm.k8s.io/v1beta3\nkind: ClusterConfiguration\napiServer:\n  extraArgs:\n    feature-gates: >-\n      ImageVolume=true,\n      HPAScaleToZero=true\n',
      ],
      'kubeadm, with the value before the name': [
        'bootstrap/kubeadm.yaml',
        'apiServer:\n  extraArgs:\n    - value: HPAScaleToZero=true\n      name: feature-gates\n',
      ],
      'kind, with a patch of kubeadm': [
        'hack/kind.yaml',
        'apiVersion: kind.x-k8s.io/v1alpha4\nkind: Cluster\nkubeadmConfigPatches:\n  - |\n    kind: ClusterConfiguration\n    apiServer:\n      extraArgs:\n        # a comment\n        feature-gates: "HPAScaleToZero=true"\n',
      ],
      'kind, in one line': [
        'hack/kind.yaml',
        'apiVersion: kind.x-k8s.io/v1alpha4\nkind: Cluster\nfeatureGates: {"ImageVolume": false, "HPAScaleToZero": true}\n',
      ],
      kind: [
        'hack/kind.yaml',
        'apiVersion: kind.x-k8s.io/v1alpha4\nkind: Cluster\nfeatureGates:\n  "ImageVolume": false\n  "HPAScaleToZero": true\n',
      ],
    };
    for (const [title, [path, text]] of Object.entries(configurations)) {
      it(`[ED-2] are found in the configuration of a cluster: ${title}`, async () => {
        tree.write({ 'hpa.yaml': autoscaler, 'web.yaml': deployment('web'), [path]: text });
        assert.match(await run('check', '.'), /^No problems/);
        tree.write({ [path]: text.replace('HPAScaleToZero', 'Something') });
        assert.match(await run('check', '.'), /HPAScaleToZero allows it/);
      });
    }

    const served: Readonly<Record<string, readonly [string, string]>> = {
      'Talos, by version': [
        'talos/talconfig.yaml',
        'patches:\n  - |-\n    cluster:\n      apiServer:\n        extraArgs:\n          runtime-config: admissionregistration.k8s.io/v1beta1=true\n',
      ],
      'kubeadm, all of beta': [
        'kubeadm/config.yaml',
        'apiServer:\n  extraArgs:\n    - name: runtime-config\n      value: api/beta=true\n',
      ],
      'kind, by version': [
        'kind.yaml',
        'apiVersion: kind.x-k8s.io/v1alpha4\nkind: Cluster\nruntimeConfig:\n  # off by default\n  "admissionregistration.k8s.io/v1beta1": "true"\n',
      ],
    };
    const policy = `apiVersion: admissionregistration.k8s.io/v1beta1
kind: MutatingAdmissionPolicyBinding
metadata: { name: web }
spec: { policyName: web }
`;
    for (const [title, [path, text]] of Object.entries(served)) {
      it(`[ED-2] and API versions are found in the configuration of a cluster: ${title} (#36)`, async () => {
        tree.write({ 'policy.yaml': policy, [path]: text });
        assert.match(await run('check', '.'), /^No problems/);
        tree.write({ [path]: text.replace('true', 'false') });
        assert.match(await run('check', '.'), /\[kind-not-served\]/);
      });
    }

    it('[ED-2] API versions are switched on as gates are (#36)', async () => {
      tree.write({ 'policy.yaml': policy });
      const switched = '--feature-gates';
      assert.match(await run('check', '.', switched, 'admissionregistration.k8s.io/v1beta1=true'), /^No problems/);
    });
  });

  it('[PLA-1] says which LimitRange gives containers what they do not ask for', async () => {
    tree.write({
      'web.yaml': deployment('web'),
      'ci/range.yaml':
        'apiVersion: v1\nkind: LimitRange\nmetadata: { name: bounds }\nspec: { limits: [{ type: Container, max: { cpu: "16" } }] }\n',
    });
    const out = await run('simulate', '.', '--show', 'assumptions');
    assert.match(out, /= LimitRange bounds \(ci\/range\.yaml\) gives what containers do not ask for: web 16 cpu\n/);
  });

  it('[PLA-1] finds the snapshot of the cluster that is kept with the manifests', async () => {
    const node = {
      apiVersion: 'v1',
      kind: 'Node',
      metadata: { name: 'real' },
      status: { allocatable: { cpu: '4', memory: '8Gi', pods: '110' } },
    };
    const files = {
      'apps/web.yaml': deployment('web'),
      'cluster.podium.json': JSON.stringify({ apiVersion: 'v1', kind: 'List', items: [node] }),
    };
    tree.write(files);
    assert.match(await run('simulate', 'apps'), /^web is placed on real/);
    assert.match(await run('simulate', 'apps', '--assume-nodes', '3'), /^web is placed on assumed nodes/);
    assert.match(await run('check', '.'), /^No problems in 1 file\./);
    tree.write({ '.git/config': '' });
    const { stdout } = await podium(['simulate', '.'], { cwd: join(tree.root, 'apps') });
    assert.match(stdout, /^web is placed on real/);
  });

  it('[PLA-1] takes the snapshot that is named for no manifest, where it lies among these', async () => {
    const node = {
      apiVersion: 'v1',
      kind: 'Node',
      metadata: { name: 'real', uid: 'real' },
      status: { allocatable: { cpu: '4', memory: '8Gi', pods: '110' } },
    };
    const web = { ...(parse(deployment('web')) as object), metadata: { name: 'web', uid: 'web' } };
    tree.write({
      'a/dump.json': JSON.stringify({ apiVersion: 'v1', kind: 'List', items: [node, web] }),
      'apps/web.yaml': deployment('web').replace('spec:', 'spec:\n  replicas: 2'),
    });
    const named = await run('simulate', '.', '--snapshot', 'a/dump.json');
    assert.match(named, /^web is placed on real/);
    assert.match(named, /web {2}2 of 2/);
    assert.match(await run('check', '.', '--snapshot', 'a/dump.json'), /^No problems in 1 file\./);
    tree.write({ 'podium.yaml': 'snapshot: a/dump.json\n' });
    assert.equal(await run('simulate', '.'), named);
  });

  it('[ED-2] marks in a base what is wrong with an object that a patch renames (#36)', async () => {
    tree.write({
      'base/kustomization.yaml': 'resources: [web.yaml]\n',
      'base/web.yaml': deployment('web').replace('containers:', 'priorityClassName: absent, containers:'),
      'prod/kustomization.yaml':
        'resources: [../base]\npatches: [{ target: { name: web }, patch: "- { op: replace, path: /metadata/name, value: api }" }]\n',
    });
    assert.match(await run('check', '.'), /^base\/web\.yaml:8:\d+: information: No PriorityClass/m);
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
    assert.match(
      await run('check', '.'),
      /^prod\/patch\.yaml:\d+:\d+: error: .*image: Required value\. No container wbe is there to patch; did you mean web\?/,
    );
  });

  it('[ED-2] has what no kustomization lists meet nothing that is applied (#36)', async () => {
    const range =
      'apiVersion: v1\nkind: LimitRange\nmetadata: { name: l }\nspec: { limits: [{ type: Container, min: { cpu: "1" } }] }\n';
    tree.write({
      'prod/kustomization.yaml': 'resources: [web.yaml]\n',
      'prod/web.yaml': deployment('web', 'nginx, resources: { requests: { cpu: 100m } }'),
      'prod/budget.yaml':
        'apiVersion: policy/v1\nkind: PodDisruptionBudget\nmetadata: { name: b }\nspec: { minAvailable: 1, selector: { matchLabels: { app: old } } }\n',
      'prod/limits.yaml': range,
    });
    assert.match(await run('check', '.'), /^No problems in 4 files\./);
    tree.write({ 'prod/kustomization.yaml': 'resources: [web.yaml, budget.yaml, limits.yaml]\n' });
    assert.match(
      await run('check', '.'),
      /minimum cpu usage[^]*protects nothing|protects nothing[^]*minimum cpu usage/,
    );
  });

  it('[ED-2] tells once of several clusters why something is not rendered (#36)', async () => {
    const patch =
      'apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: { name: flux-system, namespace: flux-system }\nspec: { timeout: 2m }\n';
    for (const name of ['a', 'b', 'c']) {
      const apps = `apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: { name: apps, namespace: flux-system }\nspec: { path: ./apps/${name}, sourceRef: { kind: GitRepository, name: flux-system } }\n`;
      tree.write({
        [`clusters/${name}/apps.yaml`]: apps,
        [`clusters/${name}/checks.yaml`]: patch,
        [`apps/${name}/web.yaml`]: deployment('web'),
      });
    }
    const out = await run('check', '.');
    assert.equal(out.match(/: information: Not rendered/g)?.length, 1, out);
    assert.match(out, /clusters\/a\/checks\.yaml.* path is in\. 2 more sources for the same reason\./);
  });

  it('[ED-2] fails no chart whose ApplicationSet gives it values that nobody here knows (#36)', async () => {
    tree.write({
      'web/Chart.yaml': chart('web'),
      'web/templates/d.yaml': `{{- if eq .Values.enabled "true" }}\n${deployment('web')}{{- end }}\n`,
      'web/values.yaml': 'enabled: true\n',
    });
    assert.match(await run('check', '.'), /web\/templates\/d\.yaml:1:1: warning: Not rendered: .*incompatible types/);
    tree.write({
      'set.yaml':
        'apiVersion: argoproj.io/v1alpha1\nkind: ApplicationSet\nmetadata: { name: web }\nspec:\n  generators: [{ plugin: { configMapRef: { name: a } } }]\n  template:\n    metadata: { name: web }\n    spec: { source: { repoURL: a, path: web/, helm: { valuesObject: { enabled: "{{ .enabled }}" } } }, destination: { namespace: a } }\n',
    });
    const { stdout, code } = await podium(['check', '.'], {
      cwd: tree.root,
      env: { PATH: `${toolFolder('v34')}:${process.env['PATH'] ?? ''}` },
    });
    assert.match(stdout, /information: Not rendered: its ApplicationSet gives it values that are not known/);
    assert.equal(code, 0);
  });

  it('[ED-2] advises nothing because of classes of the system, which are meant to evict anybody (#36)', async () => {
    const agent = deployment('agent').replace('kind: Deployment', 'kind: DaemonSet');
    const other = deployment('other').replace('{ containers', '{ priorityClassName: high, containers');
    const dns = deployment('dns').replace('{ containers', '{ priorityClassName: system-cluster-critical, containers');
    tree.write({
      'agent.yaml': agent,
      'high.yaml': 'apiVersion: scheduling.k8s.io/v1\nkind: PriorityClass\nmetadata: { name: high }\nvalue: 1000\n',
      'dns.yaml': dns.replace('name: dns }', 'name: dns, namespace: kube-system }'),
    });
    assert.match(await run('check', '.'), /^No problems/);
    tree.write({ 'other.yaml': other });
    assert.match(await run('check', '.'), /hint: .*1 workload may evict the pods of this DaemonSet|hint: 1 workload/);
  });

  it('[ED-2] says once of a workload that its roll-out waits for claims (#36)', async () => {
    const claim = (name: string): string =>
      `apiVersion: v1\nkind: PersistentVolumeClaim\nmetadata: { name: ${name} }\nspec: { accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Gi } } }\n`;
    const volume = (name: string): string => `{ name: ${name}, persistentVolumeClaim: { claimName: ${name} } }`;
    tree.write({
      'web.yaml': deployment('web').replace('{ containers', `{ volumes: [${volume('a')}, ${volume('b')}], containers`),
      'a.yaml': claim('a'),
      'b.yaml': claim('b'),
    });
    const out = await run('check', '.');
    assert.equal(out.match(/roll-out-waits-for-claim/g)?.length, 1, out);
  });
});
