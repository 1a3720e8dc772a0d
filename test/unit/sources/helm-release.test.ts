import assert from 'node:assert/strict';
import { it } from 'mocha';
import { unseenIn } from '../../../server/src/sources/targets/unseen.ts';
import { asMap } from '../../../server/src/manifests/read-data.ts';
import { describeWithTools } from '../../support/kubernetes-tools.ts';
import { findIn } from './find-fixture.ts';
import { temporaryTree } from './temporary-tree.ts';

const tree = temporaryTree();

const chart = {
  'chart/Chart.yaml': 'apiVersion: v2\nname: web\nversion: 1.0.0\n',
  'chart/values.yaml': 'replicas: 1\nclass: low\nimage: {tag: a, list: []}\n',
  'chart/templates/web.yaml': [
    'apiVersion: apps/v1',
    'kind: Deployment',
    'metadata: {name: web}',
    'spec:',
    '  replicas: {{ .Values.replicas }}',
    '  selector: {matchLabels: {app: web}}',
    '  template:',
    '    metadata: {labels: {app: web}, annotations: {values: {{ toJson .Values | quote }}}}',
    '    spec:',
    '      priorityClassName: {{ .Values.class }}',
    '      containers: [{name: web, image: "web:{{ .Values.image.tag }}"}]',
    '',
  ].join('\n'),
  'chart/templates/hook.yaml':
    'apiVersion: v1\nkind: Pod\nmetadata: {name: hook, annotations: {helm.sh/hook: pre-install}}\nspec: {containers: [{name: a, image: a}]}\n',
};

function release(spec: object): Readonly<Record<string, string>> {
  return {
    'release.yaml': JSON.stringify({
      apiVersion: 'helm.toolkit.fluxcd.io/v2',
      kind: 'HelmRelease',
      metadata: { name: 'web', namespace: 'prod' },
      spec: { chart: { spec: { chart: 'chart', sourceRef: { kind: 'GitRepository', name: 'own' } } }, ...spec },
    }),
  };
}

function configMap(name: string, data: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const metadata = { name, namespace: 'prod' };
  return { [`${name}.yaml`]: JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata, data }) };
}

async function made(): Promise<{ readonly objects: readonly Rendered[]; readonly unseen: readonly string[] }> {
  const found = await findIn(tree.root, 'v34');
  const { applied, targets } = found;
  const own = applied.sources.filter(({ source }) => source.kind === 'helm-release');
  return {
    objects: own.flatMap((each) =>
      each.made.map(({ object, file }) => {
        const spec = asMap(object.value['spec']);
        const pod = object.kind === 'Pod' ? spec : asMap(asMap(spec['template'])['spec']);
        const metadata = asMap(asMap(spec['template'])['metadata']);
        const values = asMap(metadata['annotations'])['values'];
        return {
          name: object.name,
          file: file.uri.split('/').at(-1)!,
          replicas: spec['replicas'],
          class: pod['priorityClassName'],
          image: (pod['containers'] as readonly { readonly image: string }[])[0]!.image,
          values: typeof values === 'string' ? (JSON.parse(values) as unknown) : null,
          annotations: Object.keys(asMap(asMap(object.value['metadata'])['annotations'])),
        };
      }),
    ),
    unseen: unseenIn(found.rendered(targets.preferred), applied.inputs).map(
      ({ kind, name, why }) => `${kind} ${name}: ${why}`,
    ),
  };
}

interface Rendered {
  readonly name: string;
  readonly file: string;
  readonly replicas: unknown;
  readonly class: unknown;
  readonly image: string;
  readonly values: unknown;
  readonly annotations: readonly string[];
}

describeWithTools('a HelmRelease', () => {
  it('[#36] that two sources make is counted once where it is not rendered', async () => {
    const flux = (name: string, path: string): string =>
      JSON.stringify({
        apiVersion: 'kustomize.toolkit.fluxcd.io/v1',
        kind: 'Kustomization',
        metadata: { name, namespace: 'flux-system' },
        spec: { path, sourceRef: { kind: 'GitRepository', name: 'flux-system' } },
      });
    const spec = { chart: { spec: { chart: 'web', sourceRef: { kind: 'HelmRepository', name: 'far' } } } };
    const written = release(spec)['release.yaml']!;
    tree.write({
      'app/base/kustomization.yaml': 'resources: [release.yaml]\n',
      'app/base/release.yaml': written,
      'app/staging/kustomization.yaml': 'resources: [../base]\n',
      'app/here/kustomization.yaml': 'resources: [../base]\n',
      'cluster/app.yaml': flux('app', './app/here'),
    });
    const { unseen } = await made();
    assert.deepEqual(unseen, [
      'source HelmRelease prod/web: the chart web of HelmRepository/far is not in the workspace',
    ]);
    const found = await findIn(tree.root, 'v34');
    assert.deepEqual(
      unseenIn(found.rendered(found.targets.preferred), found.applied.inputs).map(({ count }) => count),
      [1],
    );
  });

  it('takes values of ConfigMaps in their order, whole and by path, as Flux does', async () => {
    tree.write({
      ...chart,
      ...configMap('base', { 'values.yaml': 'replicas: 2\nclass: mid\nimage: {tag: b}\n' }),
      ...configMap('more', { tag: '7', list: '{x,1,"2"}', quoted: "'8'", class: 'high' }),
      ...release({
        values: { replicas: 3, other: { a: 1 } },
        valuesFrom: [
          { kind: 'ConfigMap', name: 'base' },
          { kind: 'ConfigMap', name: 'more', valuesKey: 'tag', targetPath: 'image.tag' },
          { kind: 'ConfigMap', name: 'more', valuesKey: 'list', targetPath: 'image.list' },
          { kind: 'ConfigMap', name: 'more', valuesKey: 'quoted', targetPath: 'other.b[1].c\\.d' },
          { kind: 'ConfigMap', name: 'more', valuesKey: 'class', targetPath: 'class' },
        ],
      }),
    });
    const { objects, unseen } = await made();
    const { values, ...web } = objects.find(({ name }) => name === 'web')!;
    assert.deepEqual(web, {
      name: 'web',
      file: 'web.yaml',
      replicas: 3,
      class: 'high',
      image: 'web:7',
      annotations: [],
    });
    assert.deepEqual(values, {
      replicas: 3,
      class: 'high',
      image: { tag: 7, list: ['x', 1, '"2"'] },
      other: { a: 1, b: [null, { 'c.d': '8' }] },
    });
    assert.deepEqual(unseen, []);
  });

  it('lets values count more than what is set by a path where both were merged before, as maps of Go do', async () => {
    tree.write({
      ...chart,
      ...configMap('base', { 'values.yaml': 'image: {pull: always}\n', tag: 'set' }),
      ...release({
        values: { image: { tag: 'written' }, other: { a: 'written' }, class: 'written' },
        valuesFrom: [
          { kind: 'ConfigMap', name: 'base' },
          ...['other.a', 'image.tag', 'class'].map((targetPath) => ({
            kind: 'ConfigMap',
            name: 'base',
            valuesKey: 'tag',
            targetPath,
          })),
        ],
      }),
    });
    const { objects } = await made();
    assert.deepEqual(objects.find(({ name }) => name === 'web')!.values, {
      replicas: 1,
      class: 'written',
      image: { tag: 'written', pull: 'always', list: [] },
      other: { a: 'set' },
    });
  });

  it('names values of Secrets and of what is not here, but for what is optional, and counts them', async () => {
    tree.write({
      ...chart,
      ...release({
        valuesFrom: [
          { kind: 'Secret', name: 'token', targetPath: 'token' },
          { kind: 'ConfigMap', name: 'elsewhere' },
          { kind: 'Secret', name: 'perhaps', targetPath: 'token', optional: true },
          { kind: 'ConfigMap', name: 'perhaps', optional: true },
        ],
      }),
    });
    const { objects, unseen } = await made();
    assert.deepEqual(objects.map(({ name }) => name).toSorted(), ['hook', 'web']);
    assert.deepEqual(unseen, [
      'values HelmRelease prod/web: it takes values from Secret token, which is not read',
      'values HelmRelease prod/web: it takes values from ConfigMap elsewhere, which is not in the workspace',
    ]);
  });

  it('is not rendered where Flux refuses its values', async () => {
    tree.write({
      ...chart,
      ...configMap('base', { text: 'a,b' }),
      ...release({ valuesFrom: [{ kind: 'ConfigMap', name: 'base', valuesKey: 'text', targetPath: 'a' }] }),
    });
    const { objects, unseen } = await made();
    assert.deepEqual(objects, []);
    assert.deepEqual(unseen, ['source HelmRelease prod/web: ConfigMap base (text): key "b" has no value']);
  });

  it('is refused for a path of a hundred thousand indexes in one another, and takes a list of thousands', async () => {
    const values = { valuesFrom: [{ kind: 'ConfigMap', name: 'base', valuesKey: 'text', targetPath: '' }] };
    const withPath = (targetPath: string) => ({ valuesFrom: [{ ...values.valuesFrom[0]!, targetPath }] });
    const files = { ...chart, ...configMap('base', { text: 'x' }) };
    for (const path of [`a${'[0]'.repeat(100_000)}`, `a${'[0].b'.repeat(100_000)}`]) {
      tree.write({ ...files, ...release(withPath(path)) });
      const { unseen } = await made();
      assert.deepEqual(unseen, [
        'source HelmRelease prod/web: ConfigMap base (text): more than 1000 indexes in one another',
      ]);
    }
    const indexes = Array.from({ length: 20_000 }, (_, index) => `list[${index}]=x`).join(',');
    tree.write({ ...files, ...release(withPath(`${indexes},a`)) });
    const { unseen } = await made();
    assert.deepEqual(unseen, []);
  });

  const postRenderers = [
    {
      kustomize: {
        patches: [
          {
            target: { kind: 'Deployment' },
            patch: '[{"op": "replace", "path": "/spec/template/spec/priorityClassName", "value": "patched"}]',
            path: 'http://127.0.0.1:1/patch.yaml',
          },
        ],
        images: [{ name: 'a', newTag: 'new' }],
      },
    },
    {
      kustomize: {
        patchesStrategicMerge: [
          { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'web' }, spec: { replicas: 9 } },
        ],
      },
    },
  ];

  it('is changed by its post-renderers, one after the other, hooks too, and its objects keep their templates', async () => {
    tree.write({ ...chart, ...release({ postRenderers }) });
    const { objects, unseen } = await made();
    assert.deepEqual(unseen, []);
    assert.deepEqual(
      objects.map((each) => ({ ...each, values: null })).toSorted((a, b) => a.name.localeCompare(b.name)),
      [
        {
          name: 'hook',
          file: 'hook.yaml',
          replicas: undefined,
          class: undefined,
          values: null,
          image: 'a:new',
          annotations: ['helm.sh/hook'],
        },
        { name: 'web', file: 'web.yaml', replicas: 9, class: 'patched', values: null, image: 'web:a', annotations: [] },
      ],
    );
  });

  it('and a Kustomization give labels and annotations to objects, and to no pods', async () => {
    const commonMetadata = { labels: { team: 'a' }, annotations: { owner: 'b' } };
    tree.write({
      ...chart,
      ...release({ commonMetadata }),
      'flux.yaml': JSON.stringify({
        apiVersion: 'kustomize.toolkit.fluxcd.io/v1',
        kind: 'Kustomization',
        metadata: { name: 'apps', namespace: 'flux-system' },
        spec: { path: './apps', commonMetadata },
      }),
      'apps/own.yaml': chart['chart/templates/web.yaml'].replace(/{{[^{}]*}}/g, '1').replace('name: web', 'name: own'),
    });
    const { applied } = await findIn(tree.root, 'v34');
    const metadata = applied.sources
      .flatMap((each) => each.made)
      .filter(({ object }) => object.kind === 'Deployment')
      .map(({ object: { name, value } }) => {
        const { labels, annotations } = asMap(value['metadata']);
        const ofPods = asMap(asMap(asMap(value['spec'])['template'])['metadata']);
        return { name, labels, annotations, ofPods: [ofPods['labels'], Object.keys(asMap(ofPods['annotations']))] };
      });
    const ofPods = [{ app: 'web' }, ['values']];
    assert.deepEqual(
      JSON.parse(JSON.stringify(metadata.toSorted((a, b) => a.name.localeCompare(b.name)))),
      ['own', 'web'].map((name) => ({ name, ...commonMetadata, ofPods })),
    );
  });

  it('leaves hooks as they are where it says so', async () => {
    tree.write({ ...chart, ...release({ postRenderers, postRenderStrategy: 'nohooks' }) });
    const { objects } = await made();
    assert.deepEqual(objects.map(({ name, image, replicas }) => [name, image, replicas]).toSorted(), [
      ['hook', 'a', undefined],
      ['web', 'web:a', 9],
    ]);
  });

  it('takes a ConfigMap that the same Kustomization generates, by its hashed name, and templates in its values', async () => {
    tree.write({
      ...chart,
      'flux.yaml':
        'apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: {name: apps, namespace: flux-system}\nspec: {path: ./apps, targetNamespace: prod}\n',
      'apps/kustomization.yaml':
        'resources: [release.yaml]\nconfigMapGenerator: [{name: more, files: [values.yaml=more.yml]}]\nconfigurations: [names.yaml]\n',
      'apps/names.yaml':
        'nameReference: [{kind: ConfigMap, version: v1, fieldSpecs: [{path: spec/valuesFrom/name, kind: HelmRelease}]}]\n',
      'apps/more.yml': 'class: generated\nhost: "{{ .Release.Name }}.example.org"\n',
      'apps/release.yaml': [
        'apiVersion: helm.toolkit.fluxcd.io/v2',
        'kind: HelmRelease',
        'metadata: {name: web}',
        'spec:',
        '  chart: {spec: {chart: chart, sourceRef: {kind: GitRepository, name: own}}}',
        '  valuesFrom: [{kind: ConfigMap, name: more}]',
        '  values: {own: "{{ .Release.Name }}"}',
        '',
      ].join('\n'),
    });
    const { objects, unseen } = await made();
    assert.deepEqual(unseen, []);
    assert.deepEqual(objects.find(({ name }) => name === 'web')!.values, {
      replicas: 1,
      class: 'generated',
      image: { tag: 'a', list: [] },
      host: '{{ .Release.Name }}.example.org',
      own: '{{ .Release.Name }}',
    });
  });

  const written = [
    'apiVersion: helm.toolkit.fluxcd.io/v2',
    'kind: HelmRelease',
    'metadata: {name: web, namespace: prod}',
    'spec:',
    '  chart: {spec: {chart: chart, sourceRef: {kind: GitRepository, name: own}}}',
  ];

  /** Where the values of the Deployment are written: `file:line`, from 1. */
  async function places(): Promise<Record<string, string>> {
    const { applied } = await findIn(tree.root, 'v34');
    const { object } = applied.sources.flatMap((each) => each.made).find((each) => each.object.kind === 'Deployment')!;
    const found = {
      replicas: object.rendering!.writtenAt(['spec', 'replicas']),
      class: object.rendering!.writtenAt(['spec', 'template', 'spec', 'priorityClassName']),
    };
    return Object.fromEntries(
      Object.entries(found).map(([name, at]) => [
        name,
        at === undefined ? '' : `${at.uri.split('/').at(-1)!}:${at.range.start.line + 1}:${at.range.start.character}`,
      ]),
    );
  }

  it('is mended at the lines of its patches', async () => {
    tree.write({
      ...chart,
      'release.yaml': [
        'apiVersion: v1\nkind: Namespace\nmetadata: {name: prod}\n---',
        ...written,
        '  postRenderers:',
        '    - kustomize:',
        '        patches:',
        '          - target: {kind: Deployment, name: web}',
        '            patch: |',
        '              - op: replace',
        '                path: /spec/replicas',
        '                value: 7',
        '    - kustomize:',
        '        patchesStrategicMerge:',
        '          - apiVersion: apps/v1',
        '            kind: Deployment',
        '            metadata: {name: web}',
        '            spec:',
        '              template:',
        '                spec:',
        '                  priorityClassName: patched',
        '',
      ].join('\n'),
    });
    assert.deepEqual(await places(), { replicas: 'release.yaml:17:23', class: 'release.yaml:26:37' });
  });

  it('is mended at the lines of ConfigMaps, whole and by path, and of the files that they are generated from', async () => {
    tree.write({
      ...chart,
      'maps.yaml': [
        'apiVersion: v1',
        'kind: ConfigMap',
        'metadata: {name: base, namespace: prod}',
        'data:',
        '  class: high',
        '  values.yaml: |',
        '    image: {tag: b}',
        '    replicas: 4',
        '    class: mid',
        '',
      ].join('\n'),
      'release.yaml': [
        ...written,
        '  valuesFrom:',
        '    - {kind: ConfigMap, name: base}',
        '    - {kind: ConfigMap, name: base, valuesKey: class, targetPath: class}',
        '',
      ].join('\n'),
    });
    assert.deepEqual(await places(), { replicas: 'maps.yaml:8:14', class: 'maps.yaml:5:9' });
    tree.write({
      'maps.yaml': '',
      'flux.yaml':
        'apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: {name: apps, namespace: flux-system}\nspec: {path: ./apps}\n',
      'apps/kustomization.yaml':
        'namespace: prod\nresources: [release.yaml]\nconfigMapGenerator: [{name: base, files: [values.yaml=more.yml], options: {disableNameSuffixHash: true}}]\n',
      'apps/more.yml': '# Values\nreplicas: 5\nclass: generated\n',
      'apps/release.yaml': [...written, '  valuesFrom: [{kind: ConfigMap, name: base}]', ''].join('\n'),
      'release.yaml': '',
    });
    assert.deepEqual(await places(), { replicas: 'more.yml:2:10', class: 'more.yml:3:7' });
    tree.write({
      'apps/kustomization.yaml': [
        'namespace: prod',
        'resources: [release.yaml]',
        'configMapGenerator:',
        '  - name: base',
        '    literals:',
        '      - "class=\'literal\'"',
        '      - replicas=6',
        '    options: {disableNameSuffixHash: true}',
        '',
      ].join('\n'),
      'apps/release.yaml': [
        ...written,
        '  valuesFrom:',
        '    - {kind: ConfigMap, name: base, valuesKey: class, targetPath: class}',
        '    - {kind: ConfigMap, name: base, valuesKey: replicas, targetPath: replicas}',
        '',
      ].join('\n'),
    });
    assert.deepEqual(await places(), { replicas: 'kustomization.yaml:7:8', class: 'kustomization.yaml:6:8' });
  });
});
