import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { unseenIn } from '../../../server/src/sources/targets/unseen.ts';
import { findIn } from './find-fixture.ts';
import { temporaryTree } from './temporary-tree.ts';

const tree = temporaryTree();

async function found(): Promise<string[]> {
  const { applied } = await findIn(tree.root, null, { whyNot: 'not-asked' });
  return applied.sources.map(({ source, refusal }) => `${source.name}: ${refusal?.why ?? 'rendered'}`);
}

/** The names of what is applied, as far as that is known without tools. */
async function names(): Promise<string[]> {
  const sources = await findIn(tree.root, null, { whyNot: 'not-asked' });
  const { files } = sources.rendered(sources.targets.preferred);
  return files.flatMap(({ documents }) =>
    documents.flatMap(({ document }) => document.objects.map(({ name }) => name)),
  );
}

const pod = (name: string): string => `apiVersion: v1\nkind: Pod\nmetadata: {name: ${name}}\n`;

describe('objects of Flux', () => {
  const release = (name: string): string =>
    `apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {name: ${name}}\nspec: {chart: {spec: {chart: ${name}, sourceRef: {kind: HelmRepository, name: all}}}}\n`;

  it('takes a patch of a HelmRelease for no release of its own', async () => {
    tree.write({
      'kustomization.yaml': 'resources: [release.yaml]\npatches: [{path: patch.yaml}]\n',
      'release.yaml': release('podinfo'),
      'patch.yaml': release('podinfo'),
    });
    assert.deepEqual(
      (await found()).filter((text) => text.startsWith('HelmRelease')),
      ['HelmRelease podinfo: remote'],
    );
  });

  it('takes a Kustomization without a repository and a path for a patch, whoever applies it', async () => {
    tree.write({
      'patches/apps.yaml':
        'apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: {name: apps}\nspec: {suspend: false}\n',
    });
    assert.deepEqual(await found(), ['Kustomization apps: not-applied']);
  });

  it('looks for a path in the repository, and for that of another artifact nowhere', async () => {
    const kustomization = (kind: string): string =>
      `apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: {name: apps}\nspec: {path: ./production, sourceRef: {kind: ${kind}, name: all}}\n`;
    tree.write({ 'clusters/production/apps.yaml': kustomization('GitRepository') });
    assert.deepEqual(await found(), ['Kustomization apps: missing']);
    tree.write({ 'clusters/production/apps.yaml': kustomization('ExternalArtifact'), 'production/pod.yaml': 'a: b\n' });
    assert.deepEqual(await found(), ['Kustomization apps: missing']);
  });

  it('names no empty repository, and the variables of a path', async () => {
    const why = async (spec: string): Promise<string | undefined> => {
      tree.write({
        'apps.yaml': `apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: {name: apps}\nspec: ${spec}\n`,
      });
      return (await findIn(tree.root, null, { whyNot: 'not-asked' })).applied.sources[0]?.refusal?.message;
    };
    assert.equal(await why('{path: ./gone}'), 'it does not say which repository its path is in');
    assert.equal(
      await why('{path: "./${REGION}", sourceRef: {kind: GitRepository, name: all}}'),
      'its path has variables that nothing here fills in',
    );
  });

  it('finds the paths of the artifact that Flux installs itself from in the repository', async () => {
    tree.write({
      'clusters/production/apps.yaml':
        'apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: {name: apps}\nspec: {path: ./production, sourceRef: {kind: OCIRepository, name: flux-system}}\n',
      'production/pod.yaml': pod('web'),
    });
    assert.deepEqual(await found(), ['Kustomization apps: not-asked']);
  });

  it('finds the paths of an artifact that is packed from a folder of the repository, and what is copied of it', async () => {
    const flux = 'apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\n';
    tree.write({
      'kubernetes/clusters/one/ks.yaml': `${flux}metadata: {name: apps}\nspec: {path: ./apps/web, sourceRef: {kind: OCIRepository, name: flux-system}}\n---\n${flux}metadata: {name: api}\nspec: {path: ./apps/api, sourceRef: {kind: ExternalArtifact, name: api}}\n`,
      'kubernetes/generator.yaml':
        'apiVersion: source.extensions.fluxcd.io/v1beta1\nkind: ArtifactGenerator\nmetadata: {name: all}\nspec: {sources: [{alias: repo, kind: OCIRepository, name: flux-system}], artifacts: [{name: api, copy: [{from: "@repo/apps/api/", to: "@artifact/apps/api/"}]}]}\n',
      'kubernetes/apps/web/pod.yaml': pod('web'),
      'kubernetes/apps/api/pod.yaml': pod('api'),
    });
    assert.deepEqual(await found(), ['Kustomization apps: not-asked', 'Kustomization api: not-asked']);
    // Of two folders nobody can tell which one is packed.
    tree.write({ 'other/apps/web/pod.yaml': pod('web') });
    assert.deepEqual(await found(), ['Kustomization apps: missing', 'Kustomization api: not-asked']);
  });

  it('knows what kustomizations below a folder without one take', async () => {
    tree.write({
      'apps.yaml':
        'apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: {name: apps}\nspec: {path: ./apps, sourceRef: {name: all}}\n',
      'apps/web/kustomization.yaml': 'resources: [pod.yaml, gone.yaml]\npatches: [{path: patch.yaml}]\n',
      'apps/web/pod.yaml': pod('web'),
      'apps/web/patch.yaml': pod('patch'),
    });
    assert.deepEqual(await found(), ['Kustomization apps: missing']);
    assert.deepEqual(await names(), ['apps', 'web']);
  });

  it('knows the components that an object adds', async () => {
    tree.write({
      'apps.yaml':
        'apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: {name: apps}\nspec: {path: ./apps, components: [../more], sourceRef: {name: all}}\n',
      'apps/kustomization.yaml': 'resources: []\n',
      'more/kustomization.yaml': 'kind: Component\npatches: [{path: patch.yaml}]\n',
      'more/patch.yaml': pod('patch'),
    });
    assert.deepEqual(await found(), ['Kustomization apps: not-asked']);
    assert.deepEqual(await names(), ['apps']);
  });
});

describe('objects of Flux that take all of another repository', () => {
  it('take nothing of this one, whatever namespace an overlay gives them', async () => {
    const git =
      'apiVersion: source.toolkit.fluxcd.io/v1\nkind: GitRepository\nmetadata: {name: far, namespace: flux-system}\nspec: {url: "https://git.example/far"}\n';
    const kustomization = (namespace: string): string =>
      `apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: {name: far, namespace: ${namespace}}\nspec: {sourceRef: {kind: GitRepository, name: far}}\n`;
    for (const namespace of ['flux-system', 'elsewhere']) {
      tree.write({
        '.git/config': '[remote "origin"]\n  url = https://git.example/near\n',
        'far.yaml': `${git}---\n${kustomization(namespace)}`,
        'pod.yaml': pod('web'),
      });
      assert.deepEqual(await found(), [`Kustomization ${namespace}/far: remote`]);
      assert.deepEqual(await names(), ['far', 'far', 'web']);
    }
  });

  it('take nothing of another branch of this one, nor of an artifact that is packed elsewhere (#36)', async () => {
    const objects = (kind: string, name: string, spec: string): string =>
      `apiVersion: source.toolkit.fluxcd.io/v1\nkind: ${kind}\nmetadata: {name: ${name}}\nspec: ${spec}\n---\napiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: {name: ${name}}\nspec: {sourceRef: {kind: ${kind}, name: ${name}}}\n`;
    const near = (branch: string): string =>
      objects('GitRepository', 'near', `{url: "https://git.example/near", ref: {branch: ${branch}}}`);
    const configuration = '[remote "origin"]\n  url = https://git.example/near\n[branch "main"]\n  remote = origin\n';
    tree.write({ '.git/config': configuration, 'near.yaml': near('team'), 'pod.yaml': pod('web') });
    assert.deepEqual(await found(), ['Kustomization near: remote']);
    tree.write({
      'near.yaml': near('main'),
      'far.yaml': objects('OCIRepository', 'far', '{url: "oci://far.example"}'),
    });
    assert.deepEqual(await found(), ['Kustomization far: remote', 'Kustomization near: not-asked']);
  });

  it('do not take what Flux packs into no artifact: the files of other tools (#36)', async () => {
    tree.write({
      'all.yaml':
        'apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: {name: all}\nspec: {path: ./, sourceRef: {name: all}}\n',
      '.github/workflows/test.yaml': 'on: push\n',
      'apps/.gitlab-ci.yml': 'stages: []\n',
      'apps/pod.yaml': pod('web'),
    });
    const { applied } = await findIn(tree.root, null, { whyNot: 'not-asked' });
    const [{ source } = {}] = applied.sources;
    assert.deepEqual([...(source?.resources ?? [])].map((path) => path.slice(tree.root.length)).sort(), [
      '/all.yaml',
      '/apps/pod.yaml',
    ]);
  });
});

describe('objects of Argo CD', () => {
  it('take the one source where the list of several is empty', async () => {
    tree.write({
      'app.yaml':
        'apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {name: web}\nspec: {source: {path: web}, sources: [], destination: {namespace: shop}}\n',
      'web/pod.yaml': pod('web'),
    });
    assert.deepEqual(await found(), ['Application web: rendered']);
  });

  it('leave kustomizations to others that the patterns of a folder leave out', async () => {
    tree.write({
      'app.yaml':
        'apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {name: all}\nspec: {source: {path: infra, directory: {recurse: true, exclude: "{argocd,other}/**"}}, destination: {namespace: shop}}\n',
      'infra/pod.yaml': pod('web'),
      'infra/argocd/kustomization.yaml': 'resources: [pod.yaml]\n',
      'infra/argocd/pod.yaml': pod('argocd'),
      'infra/other/pod.yaml': pod('other'),
    });
    assert.deepEqual(await found(), ['Application all: rendered', 'infra/argocd: not-asked']);
    assert.deepEqual(await names(), ['all', 'argocd', 'web']);
  });
});

describe('objects that are encrypted whole', () => {
  it('are counted as not seen', async () => {
    const cipher = 'ENC[AES256_GCM,data:TBo=,iv:N/mQ=,tag:a,type:str]';
    tree.write({ 'a.sops.yaml': `apiVersion: ${cipher}\nkind: ${cipher}\nmetadata:\n  name: ${cipher}\n` });
    const sources = await findIn(tree.root, null, { whyNot: 'not-asked' });
    const unseen = unseenIn(sources.rendered(sources.targets.preferred), sources.applied.inputs);
    assert.deepEqual(
      unseen.map(({ kind, name, why }) => `${kind} ${name}: ${why}`),
      ['encrypted a.sops.yaml: encrypted by SOPS'],
    );
  });
});

describe('components', () => {
  it('that nobody takes in are told of, and nothing of them is applied', async () => {
    tree.write({
      'base/kustomization.yaml': 'resources: [pod.yaml]\n',
      'base/pod.yaml': pod('web'),
      'more/kustomization.yaml': 'kind: Component\nresources: [pod.yaml]\npatches: [{path: patch.yaml}]\n',
      'more/pod.yaml': pod('more'),
      'more/patch.yaml': pod('web'),
    });
    assert.deepEqual(await found(), ['base: not-asked', 'more: not-applied']);
    assert.deepEqual(await names(), ['web']);
    tree.write({ 'base/kustomization.yaml': 'resources: [pod.yaml]\ncomponents: [../more]\n' });
    assert.deepEqual(await found(), ['base: not-asked']);
  });
});

describe('parts of manifests', () => {
  const patch = pod('kube-scheduler') + 'spec: {containers: [{name: web, resources: {requests: {cpu: 1m}}}]}\n';
  const deployment = 'apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspec: {replicas: 3}\n';

  it('that kubeadm takes are no pods', async () => {
    tree.write({ 'kind/patches/kube-scheduler0+merge.yaml': patch, 'pod.yaml': pod('web') });
    assert.deepEqual(await found(), ['kind/patches/kube-scheduler0+merge.yaml: not-applied']);
    assert.deepEqual(await names(), ['web']);
  });

  it('that are called patches are no workloads where there is no kustomization at all', async () => {
    const text = `apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: minio}\nspec: {template: {spec: {containers: [{name: minio, env: []}]}}}\n`;
    tree.write({ 'store-patch.yaml': text, 'store.yaml': text });
    assert.deepEqual(await found(), ['store-patch.yaml: not-applied']);
  });

  it('that a kustomization beside them does not take are no workloads', async () => {
    tree.write({
      'config/kustomization.yaml': 'resources: [pod.yaml]\n#patches: [{path: patches/replicas.yaml}]\n',
      'config/pod.yaml': pod('web'),
      'config/patches/replicas.yaml': deployment,
    });
    assert.deepEqual(await found(), ['config: not-asked', 'config/patches/replicas.yaml: not-applied']);
    assert.deepEqual(await names(), ['web']);
    const sources = await findIn(tree.root, null, { whyNot: 'not-asked' });
    assert.deepEqual(
      unseenIn(sources.rendered(sources.targets.preferred), sources.applied.inputs).map(
        ({ kind, name }) => `${kind}: ${name}`,
      ),
      ['source: config', 'part: config/patches/replicas.yaml'],
    );
  });

  it('of tests are left out', async () => {
    tree.write({
      'e2e/00-install.yaml': pod('web'),
      'e2e/00-assert.yaml': deployment,
      'e2e/01-errors.yaml': deployment,
      'chainsaw/chainsaw-test.yaml':
        'apiVersion: chainsaw.kyverno.io/v1alpha1\nkind: Test\nmetadata: {name: a}\nspec: {steps: [{try: [{apply: {file: pod.yaml}}, {assert: {file: there.yaml}}, {error: {file: no-*.yaml}}, {assert: {file: pod.yaml}}]}]}\n',
      'chainsaw/pod.yaml': pod('applied'),
      'chainsaw/there.yaml': deployment,
      'chainsaw/no-pod.yaml': pod('gone'),
    });
    assert.deepEqual(await found(), []);
    assert.deepEqual(await names(), []);
  });

  it('of definitions are no definitions', async () => {
    const crd = (spec: string): string =>
      `apiVersion: apiextensions.k8s.io/v1beta1\nkind: CustomResourceDefinition\nmetadata: {name: as.b.c}\n${spec}`;
    tree.write({
      'config/kustomization.yaml': 'resources: [crd.yaml]\n#patches: [{path: patches/cainjection.yaml}]\n',
      'config/crd.yaml': crd('spec:\n  group: b.c\n'),
      'config/patches/cainjection.yaml': crd(''),
      'config/patches/webhook.yaml': crd('spec:\n  conversion: {strategy: Webhook}\n'),
    });
    assert.deepEqual(await found(), [
      'config: not-asked',
      'config/patches/cainjection.yaml: not-applied',
      'config/patches/webhook.yaml: not-applied',
    ]);
  });

  it('of the configurations of webhooks are none: a patch that nobody takes has no webhooks (#36)', async () => {
    const configuration = (kind: string, webhooks: string): string =>
      `apiVersion: admissionregistration.k8s.io/v1beta1\nkind: ${kind}WebhookConfiguration\nmetadata: {name: a}\n${webhooks}`;
    tree.write({
      'config/kustomization.yaml': 'resources: [manifests.yaml]\n#patches: [{path: cainjection.yaml}]\n',
      'config/manifests.yaml': configuration('Mutating', 'webhooks: []\n'),
      'config/cainjection.yaml': `${configuration('Mutating', '')}---\n${configuration('Validating', '')}`,
    });
    assert.deepEqual(await found(), ['config: not-asked', 'config/cainjection.yaml: not-applied']);
  });

  it('that are patches of workloads are none, wherever they lie beside kustomizations', async () => {
    const patch =
      'apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspec: {template: {spec: {containers: [';
    tree.write({
      'config/kustomization.yaml': 'resources: [pod.yaml]\n',
      'config/pod.yaml': pod('applied'),
      'other/patch.yaml': `${patch}{name: a, args: [b]}]}}}\n`,
      'other/whole.yaml': `${patch}{name: a, image: b}]}}}\n`,
    });
    assert.deepEqual(await found(), ['config: not-asked', 'other/patch.yaml: not-applied']);
    assert.deepEqual(await names(), ['applied', 'web']);
  });

  it('stay manifests where nothing says that they are parts: the API server refuses them', async () => {
    tree.write({
      'deploy/web.yaml': deployment,
      'deploy/kube-scheduler.yaml': pod('whole') + 'spec: {containers: [{name: a, image: a}]}\n',
    });
    assert.deepEqual(await found(), []);
    assert.deepEqual(await names(), ['whole', 'web']);
  });
});

describe('tools that may not run yet', () => {
  it('#38 asks for no permission where the tool is not installed', async () => {
    tree.write({
      'app/kustomization.yaml': 'resources: [pod.yaml]\n',
      'app/pod.yaml': pod('a'),
      'chart/Chart.yaml': 'apiVersion: v2\nname: chart\nversion: 1.0.0\n',
      'chart/templates/pod.yaml': pod('b'),
    });
    const kustomize = { program: 'kubectl', path: '/usr/bin/kubectl' } as const;
    const { applied } = await findIn(tree.root, null, { whyNot: 'not-allowed', tools: { kustomize, helm: null } });
    assert.deepEqual(
      applied.sources.map(({ source, refusal }) => `${source.name}: ${refusal?.message ?? 'rendered'}`).sort(),
      ['app: rendering needs your permission', 'chart: helm is not installed'],
    );
  });
});
