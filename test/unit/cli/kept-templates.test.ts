import assert from 'node:assert/strict';
import { describeWithTools } from '../../support/kubernetes-tools.ts';
import { chart, deployment, keptRepository, refused } from './kept-repository.ts';
import { podium } from './run-podium.ts';

/** What real repositories hold besides manifests, and how they hold them: each is a kind of file that many have. */
describeWithTools('tests, templates and other tools in repositories as people keep them', () => {
  const { tree, run } = keptRepository();

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
      'documentation (#36)': 'docs/samples/any.yaml',
      'documentation on a website (#36)': 'website/docs/any.yaml',
    };
    for (const [title, marker] of Object.entries(folders)) {
      it(`[ED-2] are left out and counted: ${title}`, async () => {
        const folder = marker.slice(0, marker.lastIndexOf('/'));
        tree.write({ 'web.yaml': deployment('web'), [marker]: 'a: [1\n', [`${folder}/deep/ns.yaml`]: refused });
        assert.match(
          await run('check', '.'),
          /^No problems in 3 files\.[^]*Left out: 2 files of tests, examples and earlier releases/,
        );
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
      assert.match(
        await run('check', '.'),
        /^No problems in 3 files\.[^]*Left out: 2 files of tests, examples and earlier releases/,
      );
    });

    it('[ED-2] are all releases that a project has published but the newest, where there are three (#36)', async () => {
      const release = (name: string): Record<string, string> => ({ [`install/${name}/all.yaml`]: refused });
      tree.write({ ...release('v0.9.0'), ...release('v0.10.0-rc1') });
      assert.match(await run('check', '.'), /^install\/v0\.10\.0-rc1[^]*\n2 errors/);
      tree.write(release('v0.11.0'));
      const out = await run('check', '.');
      assert.match(out, /^install\/v0\.11\.0\/all\.yaml[^]*\n1 error in 1 of 3 files/);
      assert.match(out, /Left out: 2 files of tests, examples and earlier releases/);
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
      assert.match(await run('check', '.'), /^No Kubernetes manifests[^]*Left out: 1 file of tests/);
      tree.write({ 'example/ns.yaml': refused });
      assert.match(await run('check', '.'), /^No Kubernetes manifests[^]*Left out: 2 files of tests/);
      tree.write({ 'plain/examples/ns.yaml': refused });
      assert.match(await run('check', 'plain'), /Not_A_Name/);
      // A cluster of a template may be called so.
      tree.write({ 'clusters/example/ns.yaml': refused });
      assert.match(await run('check', 'clusters', 'chart'), /Not_A_Name/);
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
      assert.match(await run('check', '.'), /warning: Not rendered: the entry \.\.\/base is not there/);
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
      // A directive of a patch that stands in the component makes no part of the component itself.
      const patch = 'apiVersion: v1\n    kind: Service\n    metadata: { name: old }\n    $patch: delete\n';
      const component = `apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\nresources: [web.yaml]\npatches:\n- patch: |-\n    ${patch}`;
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

  it('[ED-2] takes names that ask for one for what somebody is still to fill in, and other bad names for mistakes (#36)', async () => {
    const named = (name: string): string => `apiVersion: v1\nkind: Pod\nmetadata: { name: "${name}" }\n`;
    const names = ['service_name', 'your_app', '[JOB_NAME]', '__JOB__', '<name>'];
    tree.write(Object.fromEntries(names.map((name, index) => [`${index}.yaml`, named(name)])));
    const out = await run('check', '.');
    assert.match(out, /^No problems in 5 files\.[^]*5 templates are not read: Pod service_name, Pod your_app, /);
    tree.write(Object.fromEntries(names.map((_, index) => [`${index}.yaml`, ''])));
    for (const wrong of ['web_server', 'my_app_name']) {
      tree.write({ 'pod.yaml': named(wrong) });
      assert.match(
        await run('check', '.'),
        new RegExp(`pod\\.yaml:3:\\d+: error: metadata\\.name: Invalid value: "${wrong}"`),
      );
    }
  });

  it('[ED-2] marks lines of a template that begins with an action, and an unknown field where its name is written (#36)', async () => {
    tree.write({
      'c/Chart.yaml': chart('c'),
      'c/values.yaml': 'enabled: true\nother: false\nreplicas: 2\n',
      'c/templates/_labels.tpl': '{{- define "labels" }}\napp: web\n{{- end }}\n',
      'c/templates/web.yaml': `{{- if .Values.enabled }}
apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
spec:
  selector:
    matchLabels:
{{ include "labels" . | indent 6 }}
{{ if .Values.other }}{{ end }}
  template:
    metadata:
      labels:
{{ include "labels" . | indent 8 }}
    spec:
      replicas: {{ .Values.replicas }}
      containers:
        - name: web
          image: nginx
          volumeMounts: [{ name: data, mountPath: /data }]
{{- end }}
`,
    });
    const out = await run('check', '.');
    assert.match(out, /^c\/templates\/web\.yaml:16:7: error: .*unknown field "spec\.template\.spec\.replicas"/m);
    assert.match(out, /^c\/templates\/web\.yaml:20:11: error: .*volumeMounts\[0\]\.name: Not found: "data"/m);
  });

  it('[ED-2] takes for templates what ytt and Octopus fill in where YAML has a comment, and broken text with <words> (#36)', async () => {
    const web = (image: string): string =>
      `apiVersion: v1\nkind: Pod\nmetadata: { name: web }\nspec:\n  containers:\n  - name: web\n    image: ${image}\n`;
    tree.write({
      'a/ytt.yaml': `#@ load("@ytt:data", "data")\n${web('#@ data.values.image')}`,
      'b/token.yaml': web('#{WEB_IMAGE}'),
      'c/words.yaml': web('<registry, default: docker.io>'),
      'd/account.yaml': web('nginx').replace('spec:', 'spec:\n  serviceAccountName: ACCOUNT_NAME'),
      'e/terraform.yaml': `${web('nginx')}%{ if large }  hostNetwork: true%{ endif }\n`,
    });
    const out = await run('check', '.');
    assert.match(out, /^No problems/);
    assert.match(out, /ytt\.yaml\. Written for ytt\./);
    assert.match(out, /token\.yaml\. \{WEB_IMAGE\} is filled in before it is applied\./);
    assert.match(out, /words\.yaml and terraform\.yaml\. Written with template actions/);
    // Nobody hides a manifest behind a comment that changes nothing.
    tree.write({
      'f/noted.yaml': `#@ reviewed by ops\n${web('nginx #@ newest').replace('name: web }', 'name: Web }')}`,
    });
    assert.match(await run('check', 'f'), /f\/noted\.yaml:\d+:\d+: error: metadata\.name: /);
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

  it('[ED-2] counts what operators of game servers and models make pods of (#36)', async () => {
    tree.write({
      'fleet.yaml': 'apiVersion: agones.dev/v1\nkind: Fleet\nmetadata: { name: arena }\n',
      'model.yaml': 'apiVersion: serving.kserve.io/v1alpha1\nkind: LLMInferenceService\nmetadata: { name: chat }\n',
    });
    const out = await run('check', '.');
    assert.match(out, /2 objects of operators make pods: Fleet and LLMInferenceService\./);
  });

  it('[ED-2] blames no budget for pods that an operator makes of an object beside it (#36)', async () => {
    tree.write({
      'bus.yaml': 'apiVersion: argoproj.io/v1alpha1\nkind: EventBus\nmetadata: { name: default }\n',
      'budget.yaml':
        'apiVersion: policy/v1\nkind: PodDisruptionBudget\nmetadata: { name: bus }\nspec: { maxUnavailable: 1, selector: { matchLabels: { eventbus-name: default } } }\n',
      'web.yaml': deployment('web'),
    });
    assert.doesNotMatch(await run('check', '.'), /protects nothing/);
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
      'redis/fleet.yaml': 'helm:\n  repo: https://charts.example.com\n  chart: redis\n',
      'app/fleet.yaml': 'helm:\n  chart: ./chart\n',
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
      '1 bundle of Rancher Fleet with a remote chart',
      '1 Timoni module or bundle',
      '1 folder of CUE',
      '1 Jinja template of manifests',
      '1 Ansible file that applies manifests',
      '1 Go template of manifests',
    ]) {
      assert.ok(out.includes(`${name} `), name);
    }
  });
});
