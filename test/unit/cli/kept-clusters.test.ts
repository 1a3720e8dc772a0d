import assert from 'node:assert/strict';
import { join } from 'node:path';
import { parse } from 'yaml';
import type { Report } from '../../../server/src/report-model/report.ts';
import { describeWithTools } from '../../support/kubernetes-tools.ts';
import { deployment, keptRepository } from './kept-repository.ts';
import { podium } from './run-podium.ts';

/** What real repositories hold besides manifests, and how they hold them: each is a kind of file that many have. */
describeWithTools('the cluster of repositories as people keep them', () => {
  const { tree, run } = keptRepository();

  it('[PLA-1] gives a node that is written for its labels the size of an assumed node, and marks what it decides', async () => {
    tree.write({
      'node.yaml': 'apiVersion: v1\nkind: Node\nmetadata: { name: n1, labels: { disk: ssd } }\n',
      'web.yaml': deployment('web').replace('spec: { containers', 'spec: { nodeSelector: { disk: ssd }, containers'),
    });
    const out = await run('simulate', '.');
    assert.match(out, /^web is placed on n1/);
    assert.match(out, /\? The size of 1 node is assumed: 4 cpu\/16 Gi\./);
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

  it('[ED-2] gives advice that is the same at many places in one line (#36)', async () => {
    const labelled =
      'apiVersion: v1\nkind: PersistentVolume\nmetadata: { name: NAME, namespace: shop }\nspec: { storageClassName: a, accessModes: [ReadWriteOnce], capacity: { storage: 1 }, nfs: { server: a, path: /a } }\n';
    for (const name of ['a', 'b', 'c', 'd', 'e', 'f']) tree.write({ [`${name}.yaml`]: labelled.replace('NAME', name) });
    const out = await run('check', '.');
    assert.equal(out.match(/: hint: /g)?.length, 1, out);
    assert.match(out, /\n {4}also at b\.yaml:3:\d+, c\.yaml:3:\d+, d\.yaml:3:\d+, and 2 more places: --format json\n/);
    assert.match(out, /\n6 hints in 6 of 6 files\./);
  });

  it('[ED-2] refuses for sure what names a reserved class that does not exist (#36)', async () => {
    tree.write({
      'web.yaml': deployment('web').replace('containers:', 'priorityClassName: system-critical, containers:'),
    });
    assert.match(await run('check', '.'), /error: /);
    assert.match(await run('simulate', '.'), /^1 pod of web is refused: /);
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
