import assert from 'node:assert/strict';
import type { Report } from '../../../server/src/report-model/report.ts';
import { describeWithTools } from '../../support/kubernetes-tools.ts';
import { deployment, keptRepository } from './kept-repository.ts';

/** What real repositories hold besides manifests, and how they hold them: each is a kind of file that many have. */
describeWithTools('kustomizations in repositories as people keep them', () => {
  const { tree, run } = keptRepository();

  it('[PLA-1] reads the bases of an overlay that is named where there is no git repository', async () => {
    tree.write({
      'base/kustomization.yaml': 'resources: [d.yaml]\n',
      'base/d.yaml': deployment('web'),
      'overlays/prod/kustomization.yaml': 'resources: [../../base]\n',
    });
    assert.match(await run('simulate', 'overlays/prod', '--summary'), /^web is placed/);
  });

  it('[ED-2] tells once of kustomizations that take what a tool lays beside them (#36)', async () => {
    tree.write(
      Object.fromEntries(['a', 'b'].map((name) => [`${name}/kustomization.yaml`, `resources: [vendor/${name}]\n`])),
    );
    const lines = (await run('check', '.')).split('\n').filter((line) => line.includes('[not-rendered]'));
    assert.equal(lines.length, 1, lines.join('\n'));
    assert.match(lines[0] ?? '', /the entry vendor\/a is not there\. 1 more source for the same reason/);
  });

  it('[ED-2] tells once of variables that a script writes beside each kustomization (#36)', async () => {
    tree.write(
      Object.fromEntries(
        ['a', 'b'].map((name) => [
          `${name}/kustomization.yaml`,
          `configMapGenerator: [{ name: settings, envs: [${name}.env] }]\n`,
        ]),
      ),
    );
    const lines = (await run('check', '.')).split('\n').filter((line) => line.includes('[not-rendered]'));
    assert.equal(lines.length, 1, lines.join('\n'));
    assert.match(lines[0] ?? '', /the entry a\.env is not there\. 1 more source for the same reason/);
  });

  it('[ED-2] tells once of a folder that is not there, from wherever it is named (#36)', async () => {
    tree.write({
      'a/kustomization.yaml': 'components: [../domain]\n',
      'b/deep/kustomization.yaml': 'components: [../../domain]\n',
    });
    const lines = (await run('check', '.')).split('\n').filter((line) => line.includes('[not-rendered]'));
    assert.equal(lines.length, 1, lines.join('\n'));
    assert.match(lines[0] ?? '', /the entry \.\.\/domain is not there\. 1 more source for the same reason/);
  });

  it('[ED-2] misses nothing of an object of Flux that the kustomization of the others does not list (#36)', async () => {
    const flux = (name: string): string =>
      `apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: { name: ${name}, namespace: flux-system }\n` +
      `spec: { path: ./apps/${name}, sourceRef: { kind: GitRepository, name: flux-system } }\n`;
    tree.write({
      'cluster/kustomization.yaml': 'resources: [../apps/web/ks.yaml] # ../apps/game/ks.yaml is turned off\n',
      'apps/web/ks.yaml': flux('web/app'),
      'apps/web/app/web.yaml': deployment('web'),
      'apps/game/ks.yaml': flux('game/app'),
    });
    const out = await run('check', '.');
    assert.doesNotMatch(out, /Not checked/);
    assert.match(
      out,
      /1 part of a manifest is not applied: Kustomization flux-system\/game\/app\. No kustomization lists it/,
    );
  });

  it('[ED-2] has a target whose name holds a variable, though what takes in the base takes it away (#36)', async () => {
    tree.write({
      'base/kustomization.yaml': `resources: [pools.yaml]
patches: [{ target: { kind: Pool, name: .*-win }, patch: '[{ "op": "add", "path": "/spec", "value": {} }]' }]
`,
      'base/pools.yaml': ['win', 'linux']
        .map((os) => `apiVersion: example.com/v1\nkind: Pool\nmetadata:\n  name: "\${CLUSTER_NAME}-${os}"\n`)
        .join('---\n'),
      'linux/kustomization.yaml': `resources: [../base]
patches:
  - target: { kind: Pool, name: .*-win }
    patch: |
      $patch: delete
      apiVersion: example.com/v1
      kind: Pool
      metadata: { name: any }
`,
    });
    const out = await run('check', '.');
    assert.doesNotMatch(out, /no effect/);
    assert.match(await run('sources', '.'), /linux +1 object/);
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

  it('[PLA-1] answers for the overlay that is named, and not for a part of it that nobody takes in', async () => {
    tree.write({
      'base/kustomization.yaml': 'resources: [d.yaml]\n',
      'base/d.yaml': deployment('web'),
      'overlays/zone/kustomization.yaml': 'resources: [../../base]\nreplicas: [{ name: web, count: 5 }]\n',
      'overlays/zone/extra/kustomization.yaml': 'resources: [../../../base]\nreplicas: [{ name: web, count: 2 }]\n',
    });
    assert.match(await run('simulate', 'overlays/zone'), /web {2}\?5 of 5/);
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
});
