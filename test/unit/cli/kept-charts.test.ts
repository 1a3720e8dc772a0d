import assert from 'node:assert/strict';
import type { Report } from '../../../server/src/report-model/report.ts';
import { describeWithTools, toolFolder } from '../../support/kubernetes-tools.ts';
import { chart, deployment, keptRepository } from './kept-repository.ts';
import { podium } from './run-podium.ts';

/** What real repositories hold besides manifests, and how they hold them: each is a kind of file that many have. */
describeWithTools('charts in repositories as people keep them', () => {
  const { tree, run } = keptRepository();

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
      const podOf = (spec: string, name: string): string =>
        `apiVersion: v1\nkind: Pod\nmetadata: { name: p }\nspec: { ${spec}containers: [{ name: ${name}, image: a }] }\n`;
      tree.write({ 'pod.yaml': podOf('serviceAccountName: V_KSA, ', 'a') });
      const left = await run('check', '.');
      assert.match(
        left,
        /warning: spec\.nfs\.server: Required value[^]*warning: metadata\.name: Invalid value: "team-"[^]*warning: spec\.externalIPs[^]*warning: "" is no amount/,
      );
      assert.doesNotMatch(left, /error|override_me|AUTOMATIC/);
      // What somebody calls so is a mistake.
      tree.write({ 'pod.yaml': podOf('', 'MY_APP') });
      assert.match(await run('check', 'pod.yaml'), /error: spec\.containers\[0\]\.name: Invalid value: "MY_APP"/);
      tree.write({ 'prod.yaml': 'class: fast\n' });
      assert.match(await run('check', 'c', '--values', 'prod.yaml'), /error: spec\.nfs\.server: Required value/);
    });

    it('[ED-2] does not fail the check for what a chart of Applications makes without the values of a place (#36)', async () => {
      const application = (namespace: string): string =>
        `apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: { name: web, namespace: argocd }\nspec:\n` +
        `  source: { path: web, helm: { valueFiles: ["values-{{ .Values.place }}.yaml"] } }\n` +
        `  destination: { namespace: ${namespace} }\n`;
      tree.write({
        'apps/Chart.yaml': chart('apps'),
        'apps/values.yaml': 'place:\n',
        'apps/values-prod.yaml': 'place: prod\n',
        'apps/templates/web.yaml': application('shop'),
        'web/Chart.yaml': chart('web'),
        'web/values-prod.yaml': 'cpu: 1\n',
        'web/templates/web.yaml': deployment('web'),
      });
      const told = await run('check', '.');
      assert.doesNotMatch(told, /^Not checked/m);
      assert.match(
        told,
        /information: Not rendered: the chart that makes it is installed with values that are not known/,
      );
      // With the values of a place, what is missing is.
      tree.write({ 'apps/values-prod.yaml': 'place: production\n' });
      assert.match(await run('check', '.'), /^Not checked: [^\n]*values-production\.yaml/m);
    });

    it('[ED-2] holds no quota of one chart that nothing installs against the pods of another (#36)', async () => {
      const quota = 'apiVersion: v1\nkind: ResourceQuota\n';
      const named = '{ name: q, namespace: "{{ .Release.Namespace }}" }';
      const charts = (name: string, more = ''): Record<string, string> => ({
        [`${name}/Chart.yaml`]: chart(name.split('/')[1]!),
        [`${name}/templates/web.yaml`]: deployment('web').replace(
          'name: web',
          '$&, namespace: "{{ .Release.Namespace }}"',
        ),
        ...(more === '' ? {} : { [`${name}/templates/quota.yaml`]: more }),
      });
      tree.write({
        ...charts('apps/shop/chart', `${quota}metadata: ${named}\nspec: { hard: { pods: "1", requests.cpu: "1" } }\n`),
        ...charts('apps/mail'),
      });
      const told = await run('check', '.');
      assert.match(told, /apps\/shop\/chart\/templates\/web\.yaml[^\n]*requests\.cpu/);
      assert.doesNotMatch(told, /apps\/mail/);
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

  it('[ED-2] charges no quota of an unnamed namespace with a chart that nobody installs (#36)', async () => {
    const quota = 'apiVersion: v1\nkind: ResourceQuota\nmetadata: { name: q }\nspec: { hard: { requests.cpu: 1 } }\n';
    const asking = deployment('web').replace('image: nginx', 'image: nginx, resources: { requests: { cpu: 2 } }');
    tree.write({ 'web/Chart.yaml': chart('web'), 'web/templates/d.yaml': asking, 'samples/quota.yaml': quota });
    assert.match(await run('check', '.'), /^No problems/);
    tree.write({ 'web/templates/q.yaml': quota });
    assert.match(await run('check', '.'), /exceeded quota/);
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
});
