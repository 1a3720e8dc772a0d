import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it } from 'mocha';
import { describeWithTools } from '../../support/kubernetes-tools.ts';
import { findIn } from './find-fixture.ts';
import { temporaryTree } from './temporary-tree.ts';

const tree = temporaryTree();

describeWithTools('what kustomize makes of names', () => {
  it('is what it makes without looking for origins, where a name is the hash of all that is written', async () => {
    tree.write({
      'base/kustomization.yaml': 'resources: [job.yaml]\n',
      'base/job.yaml': [
        'apiVersion: batch/v1',
        'kind: Job',
        'metadata:',
        '  name: init',
        '  annotations: ',
        '    internal.config.kubernetes.io/needsHashSuffix: enabled',
        'spec: {template: {spec: {restartPolicy: Never, containers: [{name: a, image: a}]}}}\n',
      ].join('\n'),
      'prod/kustomization.yaml': 'namePrefix: prod-\nresources: [../base]\n',
    });
    const { applied } = await findIn(tree.root, 'v34');
    const names = applied.sources.flatMap(({ made }) => made.map(({ object }) => object.name));
    // `kubectl kustomize prod` of these files.
    assert.deepEqual(names, ['prod-init-bfbg4665c9']);
  });
});

describeWithTools('what is rendered without a cluster', () => {
  it('knows the versions and kinds that the cluster serves', async () => {
    const has = (what: string): string => `{{ .Capabilities.APIVersions.Has "${what}" }}`;
    const asked = ['policy/v1/PodDisruptionBudget', 'policy/v1/PodDisruption', 'apiregistration.k8s.io/v1'];
    tree.write({
      'chart/Chart.yaml': 'apiVersion: v2\nname: chart\nversion: 1.0.0\n',
      'chart/templates/pod.yaml': `apiVersion: v1\nkind: Pod\nmetadata:\n  name: ${asked.map(has).join('-')}\n`,
    });
    const { applied } = await findIn(tree.root, 'v34');
    assert.deepEqual(
      applied.sources.flatMap(({ made }) => made.map(({ object }) => object.name)),
      ['true-false-true'],
    );
  });

  it('leaves open what a Secret may fill in, and takes defaults', async () => {
    const from = (kind: string): string => `[{kind: ${kind}, name: more}]`;
    tree.write({
      'apps/kustomization.yaml': 'resources: [pod.yaml]\n',
      'apps/pod.yaml': 'apiVersion: v1\nkind: Pod\nmetadata: {name: "${A}-${B}${C:=c}"}\n',
      'secret.yaml': `apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: {name: a}\nspec: {path: ./apps, postBuild: {substitute: {A: a}, substituteFrom: ${from('Secret')}}}\n`,
      'plain.yaml':
        'apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: {name: b}\nspec: {path: ./apps, postBuild: {substitute: {A: a}}}\n',
    });
    const { applied } = await findIn(tree.root, 'v34');
    assert.deepEqual(
      applied.sources.map(({ source, made }) => [source.name, ...made.map(({ object }) => object.name)]),
      [
        ['Kustomization b', 'a-c'],
        ['Kustomization a', 'a-${B}c'],
      ],
    );
  });

  it('takes the ConfigMap of its own cluster, and leaves open what only that of another one has (#36)', async () => {
    const flux = (name: string, path: string, more = ''): string =>
      `apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: {name: ${name}, namespace: flux}\nspec: {path: ${path}${more}}\n`;
    const from = ', postBuild: {substituteFrom: [{kind: ConfigMap, name: settings}]}';
    const settings = (data: string): string =>
      `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: settings, namespace: flux}\ndata: {${data}}\n`;
    const pod = 'apiVersion: v1\nkind: Pod\nmetadata: {name: "${A}-${B}"}\n';
    tree.write({
      'a/flux.yaml': flux('a', './a/all'),
      'a/all/settings.yaml': settings('A: a'),
      'b/flux.yaml': flux('b', './b/all'),
      'b/all/settings.yaml': settings('A: b, B: b'),
      'b/all/infra.yaml': flux('b-infra', './b/infra'),
      'b/infra/apps.yaml': flux('b-apps', './apps', from),
      'apps/pod.yaml': pod,
      'other/pod.yaml': pod,
      'other.yaml': flux('other', './other', from),
    });
    const { applied } = await findIn(tree.root, 'v34');
    const pods = applied.sources.flatMap(({ source, made }) =>
      made.flatMap(({ object }) => (object.kind === 'Pod' ? [[source.name, object.name]] : [])),
    );
    assert.deepEqual(pods.toSorted(), [
      ['Kustomization flux/b-apps', 'b-b'],
      ['Kustomization flux/other', 'a-${B}'],
    ]);
  });
});

describeWithTools('value files', () => {
  it('that lie outside of what is worked on are not given to helm', async () => {
    const outside = mkdtempSync(join(tmpdir(), 'podium-outside-'));
    writeFileSync(join(outside, 'secret.yaml'), 'name: stolen\n');
    tree.write({
      'chart/Chart.yaml': 'apiVersion: v2\nname: chart\nversion: 1.0.0\n',
      'chart/templates/pod.yaml': 'apiVersion: v1\nkind: Pod\nmetadata:\n  name: {{ .Values.name | default "none" }}\n',
      'app.yaml': [
        'apiVersion: argoproj.io/v1alpha1',
        'kind: Application',
        'metadata: {name: app}',
        `spec: {source: {path: chart, helm: {valueFiles: [../../${outside.split('/').at(-1)!}/secret.yaml]}}}\n`,
      ].join('\n'),
    });
    try {
      const { applied } = await findIn(tree.root, 'v34');
      assert.deepEqual(
        applied.sources.map(({ made, refusal }) => [made.length, refusal?.why]),
        [[0, 'not-supported']],
      );
    } finally {
      rmSync(outside, { recursive: true });
    }
  });
});

describeWithTools('an object of Argo CD or Flux that a chart makes, which nobody installs', () => {
  const chart = (name: string): string => `apiVersion: v2\nname: ${name}\nversion: 1.0.0\n`;
  const application = (name: string, path: string): string =>
    [
      'apiVersion: argoproj.io/v1alpha1',
      'kind: Application',
      `metadata: {name: ${name}}`,
      `spec: {source: {path: ${path}}, destination: {namespace: ${name}}}\n`,
    ].join('\n');
  const pod = 'apiVersion: v1\nkind: Pod\nmetadata:\n  name: {{ .Release.Name }}-pod\n';

  async function made(): Promise<string[][]> {
    const { applied } = await findIn(tree.root, 'v34');
    return applied.sources.map(({ source, made, refusal }) => [
      source.name,
      ...made.map(({ object }) => object.name),
      ...(refusal === null ? [] : [refusal.why]),
    ]);
  }

  it('is followed, and what it installs is installed by nothing else', async () => {
    tree.write({
      'apps/Chart.yaml': chart('apps'),
      'apps/values.yaml': 'names: [web, db]\n',
      'apps/templates/apps.yaml': `{{- range .Values.names }}\n---\n${application('{{ . }}', 'service')}{{- end }}\n`,
      'service/Chart.yaml': chart('service'),
      'service/templates/pod.yaml': pod,
      'alone/Chart.yaml': chart('alone'),
      'alone/templates/pod.yaml': pod,
    });
    assert.deepEqual(await made(), [
      ['alone', 'alone-pod'],
      ['apps', 'web', 'db'],
      ['Application web', 'web-pod'],
      ['Application db', 'db-pod'],
    ]);
  });

  it('leaves a chart as it is that it cannot render', async () => {
    tree.write({
      'apps/Chart.yaml': chart('apps'),
      'apps/templates/app.yaml': application('web', 'service').replace(
        'path: service',
        'path: service, helm: {valueFiles: [none.yaml]}',
      ),
      'service/Chart.yaml': chart('service'),
      'service/templates/pod.yaml': pod,
    });
    assert.deepEqual(await made(), [
      ['apps', 'web'],
      ['service', 'service-pod'],
      ['Application web', 'tool-error'],
    ]);
  });

  it('may install the chart that makes it', async () => {
    tree.write({
      'argo/Chart.yaml': chart('argo'),
      'argo/templates/app.yaml': application('argo', 'argo'),
      'argo/templates/pod.yaml': pod,
    });
    assert.deepEqual(await made(), [['Application argo', 'argo-pod', 'argo']]);
  });
});

describeWithTools('what cannot be rendered', () => {
  async function refusedAt(): Promise<string[]> {
    const { applied } = await findIn(tree.root, 'v34');
    return applied.sources.flatMap(({ refusal }) =>
      refusal === null ? [] : [`${refusal.place.file.slice(tree.root.length + 1)}:${refusal.place.line + 1}`],
    );
  }

  it('is told at the template that makes no YAML, of which helm names no line', async () => {
    tree.write({
      'chart/Chart.yaml': 'apiVersion: v2\nname: other\nversion: 1.0.0\n',
      'chart/templates/pod.yaml': 'apiVersion: v1\nkind: Pod\nmetadata:\n  name: { { include "x" . } }\n',
    });
    assert.deepEqual(await refusedAt(), ['chart/templates/pod.yaml:1']);
  });

  it('is told at the entry of the innermost base', async () => {
    tree.write({
      'prod/kustomization.yaml': 'resources:\n  - ../base\n',
      'base/kustomization.yaml': 'resources:\n  - pod.yaml\n  - broken.yaml\n',
      'base/pod.yaml': 'apiVersion: v1\nkind: Pod\nmetadata: {name: web}\n',
      'base/broken.yaml': 'a: b\n c: [d\n',
    });
    assert.deepEqual(await refusedAt(), ['base/kustomization.yaml:3']);
  });

  it('is told where a circle of bases closes', async () => {
    tree.write({
      'a/kustomization.yaml': 'resources:\n  - ../b\n',
      'b/kustomization.yaml': 'resources:\n  - pod.yaml\n  - ../a\n',
      'b/pod.yaml': 'apiVersion: v1\nkind: Pod\nmetadata: {name: web}\n',
    });
    assert.deepEqual(await refusedAt(), ['b/kustomization.yaml:3']);
  });

  it('is told at an entry of the first line, too', async () => {
    tree.write({
      'a/kustomization.yaml': 'resources: [../b]\n',
      'b/kustomization.yaml': 'resources: [pod.yaml, ../a]\n',
      'b/pod.yaml': 'apiVersion: v1\nkind: Pod\nmetadata: {name: web}\n',
    });
    assert.deepEqual(await refusedAt(), ['b/kustomization.yaml:1']);
  });

  it('is told at the fault of a kustomization that is no YAML', async () => {
    tree.write({
      'a/kustomization.yaml': '# of shop\nnamespace: shop\nresources:\n  - pod.yaml\n  - [b\nlabels: {}\n',
      'a/pod.yaml': 'apiVersion: v1\nkind: Pod\nmetadata: {name: web}\n',
      'b/kustomization.yaml': 'resources: []\nnamePrefix: {{ .Values.name }}\n',
    });
    assert.deepEqual(await refusedAt(), ['a/kustomization.yaml:6', 'b/kustomization.yaml:2']);
  });
});
