import assert from 'node:assert/strict';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, it } from 'mocha';
import { describeWithTools, type ToolRelease, toolFolder, toolReleases } from '../../support/kubernetes-tools.ts';
import { startStubServer, type StubCluster, type StubServer } from '../../support/stub-api-server.ts';
import { type Outcome, podium } from './run-podium.ts';

const secret = 'never-keep-me';

const node = (index: number): object => ({
  metadata: { name: `node-${index}`, labels: { 'kubernetes.io/hostname': `node-${index}` } },
  status: {
    allocatable: { cpu: '8', memory: '32Gi', pods: '110' },
    nodeInfo: { kubeletVersion: 'v1.35.1' },
    conditions: [{ type: 'Ready', status: 'True', message: secret }],
    images: [{ names: ['registry.example/a:v1'], sizeBytes: 1000 }],
  },
});

const pod = (index: number): object => ({
  metadata: {
    name: `web-${index}`,
    namespace: 'shop',
    uid: `uid-${index}`,
    labels: { app: 'web' },
    annotations: { note: secret, 'kubernetes.io/config.source': 'api' },
    managedFields: [{ manager: secret }],
    ownerReferences: [{ apiVersion: 'apps/v1', kind: 'StatefulSet', name: 'web', uid: 'w', controller: true }],
  },
  spec: {
    nodeName: 'node-0',
    serviceAccountName: secret,
    containers: [
      {
        name: 'web',
        image: 'registry.example/a:v1',
        command: [secret],
        args: [secret],
        env: [{ name: 'TOKEN', value: secret }],
        envFrom: [{ secretRef: { name: secret } }],
        livenessProbe: { exec: { command: [secret] } },
        lifecycle: { preStop: { exec: { command: [secret] } } },
        resources: { requests: { cpu: '100m', memory: '64Mi' } },
      },
    ],
    volumes: [
      { name: 'token', secret: { secretName: secret } },
      { name: 'data', persistentVolumeClaim: { claimName: 'data' } },
    ],
  },
  status: { phase: 'Running', message: secret, containerStatuses: [{ name: 'web', ready: true, imageID: secret }] },
});

const workload = {
  metadata: { name: 'web', namespace: 'shop', uid: 'w' },
  spec: {
    replicas: 2,
    selector: { matchLabels: { app: 'web' } },
    template: {
      metadata: { labels: { app: 'web' }, annotations: { note: secret } },
      spec: {
        containers: [
          {
            name: 'web',
            image: 'a',
            command: [secret],
            resources: { requests: { cpu: '100m', memory: '64Mi' } },
          },
        ],
      },
    },
  },
};

const cluster: StubCluster = {
  lists: {
    '/api/v1/nodes': [node(0), node(1)],
    '/api/v1/pods': [pod(0), pod(1)],
    '/apis/apps/v1/statefulsets': [workload],
    '/apis/storage.k8s.io/v1/storageclasses': [
      { metadata: { name: 'fast' }, provisioner: 'csi.example', parameters: { password: secret } },
    ],
  },
};

describeWithTools('podium snapshot', () => {
  const folder = mkdtempSync(join(tmpdir(), 'podium-snapshot-'));
  let server: StubServer | undefined;

  afterEach(async () => {
    await server?.close();
    server = undefined;
  });
  after(() => {
    rmSync(folder, { recursive: true });
  });

  async function snapshot(of: StubCluster, args: readonly string[], release: ToolRelease = 'v34'): Promise<Outcome> {
    server = await startStubServer(of);
    const PATH = `${toolFolder(release)}:${process.env['PATH'] ?? ''}`;
    return podium(['snapshot', ...args], { cwd: folder, env: { PATH, KUBECONFIG: server.kubeconfig } });
  }

  for (const release of toolReleases) {
    it(`writes what scheduling depends on, with the kubectl of ${release}, and nothing that may be secret`, async () => {
      const { code, stdout, stderr } = await snapshot(cluster, ['-o', `${release}.json`], release);
      assert.equal(code, 0, stderr);
      assert.equal(stdout, '');
      const [asking, wrote] = stderr.split('\n');
      assert.match(asking!, /^podium: asking the context stub\/one with .*kubectl$/);
      assert.match(wrote!, /^podium: wrote v3\d\.json: 6 objects of stub\/one, Kubernetes v1\.35\.1: 2 nodes, 2 pods$/);
      const text = readFileSync(join(folder, `${release}.json`), 'utf8');
      assert.equal(text.includes(secret), false, text);
      const { kind, items } = JSON.parse(text) as { kind: string; items: Record<string, unknown>[] };
      assert.equal(kind, 'List');
      assert.deepEqual(
        items.map((item) => item['kind']),
        ['Node', 'Node', 'Pod', 'Pod', 'StatefulSet', 'StorageClass', 'ClusterSnapshot'],
      );
      const first = items[2] as { metadata: object; spec: { volumes: object } };
      assert.deepEqual((first.metadata as { annotations: object }).annotations, {
        'kubernetes.io/config.source': 'api',
      });
      assert.deepEqual(first.spec.volumes, [{ name: 'data', persistentVolumeClaim: { claimName: 'data' } }]);
      const header = items.at(-1)!;
      assert.equal(header['serverVersion'], 'v1.35.1');
      assert.deepEqual(
        server!.requests.filter((path) => /secrets|configmaps/.test(path)),
        [],
      );
    });
  }

  it('[SCA-4] asks for what says how a cluster grows, where something of it is installed', async () => {
    const pools: StubCluster = {
      lists: {
        ...cluster.lists,
        '/apis/karpenter.sh/v1/nodepools': [
          {
            metadata: { name: 'general', uid: 'n' },
            spec: { limits: { cpu: '8' }, template: { spec: { requirements: [], taints: [] } } },
          },
        ],
        '/apis/karpenter.k8s.aws/v1/ec2nodeclasses': [
          {
            metadata: { name: 'default', uid: 'e' },
            spec: { kubelet: { maxPods: 20 }, userData: secret, tags: { a: secret } },
            status: { subnets: [{ id: 'subnet-1', zone: 'eu-west-1a' }] },
          },
        ],
        '/apis/autoscaling.x-k8s.io/v1alpha1/capacitybuffers': [
          { metadata: { name: 'room', namespace: 'shop', uid: 'b' }, spec: { replicas: 2 } },
        ],
        '/apis/cluster.x-k8s.io/v1beta2/machinedeployments': [
          {
            metadata: {
              name: 'workers',
              namespace: 'shop',
              uid: 'm',
              annotations: { 'capacity.cluster-autoscaler.kubernetes.io/cpu': '4', note: secret },
            },
            spec: {
              replicas: 1,
              template: { spec: { bootstrap: { dataSecretName: secret }, taints: [{ key: 'a' }] } },
            },
          },
        ],
        '/apis/apps/v1/deployments': [
          {
            metadata: { name: 'cluster-autoscaler', namespace: 'kube-system', uid: 'c' },
            spec: {
              template: {
                spec: {
                  containers: [
                    {
                      name: 'main',
                      image: 'registry.k8s.io/autoscaling/cluster-autoscaler:v1.36.0',
                      command: ['./cluster-autoscaler', '--expander=priority', `--cluster-name=${secret}`],
                    },
                  ],
                },
              },
            },
          },
        ],
      },
      notServed: ['machinesets', 'machinepools'],
      forbidden: ['nodeclaims'],
    };
    const { code, stdout, stderr } = await snapshot(pools, []);
    assert.equal(code, 0, stderr);
    assert.equal(stdout.includes(secret), false, stdout);
    const { items } = JSON.parse(stdout) as { items: { kind: string; apiVersion: string; spec: object }[] };
    const header: object | undefined = items.at(-1);
    assert.deepEqual({ ...header, takenAt: '' }, { ...header, takenAt: '', autoscalerFlags: ['--expander=priority'] });
    const found = items.filter(({ apiVersion }) => /karpenter|x-k8s/.test(apiVersion));
    assert.deepEqual(
      found.map(({ apiVersion, kind, spec }) => [apiVersion, kind, spec]),
      [
        ['karpenter.sh/v1', 'NodePool', { limits: { cpu: '8' }, template: { spec: { requirements: [], taints: [] } } }],
        ['karpenter.k8s.aws/v1', 'EC2NodeClass', { kubelet: { maxPods: 20 } }],
        ['autoscaling.x-k8s.io/v1alpha1', 'CapacityBuffer', { replicas: 2 }],
        [
          'cluster.x-k8s.io/v1beta2',
          'MachineDeployment',
          { replicas: 1, template: { spec: { taints: [{ key: 'a' }] } } },
        ],
      ],
    );
    assert.match(stderr, /without nodeclaims: what autoscalers would add is not known \(.*Forbidden/);
    assert.ok(!stderr.includes('without machine'), stderr);
    const isAsked = (group: string): boolean => server!.requests.some((path) => path.startsWith(`/apis/${group}/`));
    assert.equal(isAsked('machine.openshift.io'), false);
  });

  it('[SCA-4] (#41) asks for kinds behind feature gates where the API server serves them', async () => {
    const gated: StubCluster = {
      lists: {
        ...cluster.lists,
        '/apis/scheduling.k8s.io/v1alpha2/podgroups': [
          {
            metadata: { name: 'trainer', namespace: 'ml', uid: 'g' },
            spec: { schedulingPolicy: { gang: { minCount: 3 } } },
          },
        ],
      },
      notServed: ['devicetaintrules'],
    };
    const { code, stdout, stderr } = await snapshot(gated, []);
    assert.equal(code, 0, stderr);
    const { items } = JSON.parse(stdout) as { items: { kind: string; apiVersion: string; spec: object }[] };
    assert.deepEqual(
      items.filter(({ kind }) => kind === 'PodGroup').map(({ apiVersion, spec }) => [apiVersion, spec]),
      [['scheduling.k8s.io/v1alpha2', { schedulingPolicy: { gang: { minCount: 3 } } }]],
    );
    assert.ok(!/podgroups|devicetaintrules/.test(stderr), stderr);
  });

  it('reads long lists page by page', async () => {
    const pods = Array.from({ length: 5_001 }, (_, index) => pod(index));
    const { code, stdout } = await snapshot({ lists: { ...cluster.lists, '/api/v1/pods': pods } }, []);
    assert.equal(code, 0);
    const { items } = JSON.parse(stdout) as { items: { kind: string }[] };
    assert.equal(items.filter(({ kind }) => kind === 'Pod').length, 5_001);
    assert.equal(server!.requests.filter((path) => path.startsWith('/api/v1/pods?')).length, 3);
  });

  it('names kinds that are refused or not served, and what follows', async () => {
    const refusing = {
      ...cluster,
      forbidden: ['poddisruptionbudgets'],
      notServed: ['csistoragecapacities'],
    };
    const { code, stderr } = await snapshot(refusing, ['-o', 'refused.json']);
    assert.equal(code, 0);
    assert.match(
      stderr,
      /without poddisruptionbudgets: evictions do not respect budgets of the cluster \(.*Forbidden.*User "reader"/,
    );
    assert.match(stderr, /without csistoragecapacities: .*NotFound/);
    writeFileSync(join(folder, 'pod.yaml'), 'apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec: {containers: []}\n');
    const answer = await podium(
      ['simulate', 'pod.yaml', '--snapshot', 'refused.json', '--no-render', '--format', 'json'],
      { cwd: folder },
    );
    assert.equal(answer.code, 0, answer.stderr);
    const { assumptions, snapshot: taken } = JSON.parse(answer.stdout) as {
      assumptions: { mark: string; text: string }[];
      snapshot: { context: string };
    };
    assert.equal(taken.context, 'stub/one');
    assert.ok(assumptions.some(({ text }) => text.startsWith('Kubernetes 1.35')));
    const about = assumptions.filter(({ text }) => text.includes('snapshot'));
    assert.deepEqual(
      about.map(({ mark, text }) => `${mark} ${text}`),
      [
        '= the cluster snapshot of stub/one is less than a minute old',
        '! the cluster snapshot is without poddisruptionbudgets',
        '! the cluster snapshot is without csistoragecapacities',
        '= 2 nodes from the cluster snapshot',
      ],
    );
  });

  it('says which objects of the workspace are new, changed and the same', async () => {
    const { code } = await snapshot(cluster, ['-o', 'compared.json']);
    assert.equal(code, 0);
    const manifest = (name: string, memory: string): string => `apiVersion: apps/v1
kind: StatefulSet
metadata: { name: ${name}, namespace: shop }
spec:
  replicas: 2
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web } }
    spec:
      containers:
        - { name: web, image: a, env: [{ name: A, value: b }], resources: { requests: { cpu: "0.1", memory: ${memory} } } }
`;
    const answerFor = async (text: string): Promise<Record<string, { text: string; detail: string }[]>> => {
      writeFileSync(join(folder, 'web.yaml'), text);
      const args = ['simulate', 'web.yaml', '--snapshot', 'compared.json', '--no-render', '--format', 'json'];
      const { stdout, stderr } = await podium(args, { cwd: folder });
      assert.equal(stderr, '');
      return JSON.parse(stdout) as Record<string, { text: string; detail: string }[]>;
    };
    const told = async (text: string): Promise<string[]> =>
      (await answerFor(text))['assumptions']!.flatMap((each) =>
        each.text.includes('as in the cluster') ? [each.text, each.detail.split('.')[0]!] : [],
      );
    assert.deepEqual(await told(manifest('web', '65536Ki')), [
      'of 1 object, 0 new, 0 changed, 1 the same as in the cluster',
      'The same are StatefulSet shop/web',
    ]);
    assert.deepEqual(await told(`${manifest('web', '1Gi')}---\n${manifest('api', '1Gi')}`), [
      'of 2 objects, 1 new, 1 changed, 0 the same as in the cluster',
      'New are StatefulSet shop/api; changed are StatefulSet shop/web',
    ]);
    const { pods } = await answerFor(manifest('web', '1Gi'));
    assert.equal(pods!.length, 4, 'two that run, and those that replace them');
  });

  it('writes nothing where no answer could rest on it', async () => {
    for (const [of, words] of [
      [{ ...cluster, forbidden: ['nodes'] }, /nodes cannot be read.*Forbidden/],
      [{ ...cluster, unauthorized: true }, /[Ll]ogged in|credentials|Unauthorized/],
    ] as const) {
      const { code, stderr } = await snapshot(of, ['-o', 'nothing.json']);
      assert.equal(code, 2);
      assert.match(stderr, words);
      await server?.close();
      server = undefined;
    }
    assert.equal(existsSync(join(folder, 'nothing.json')), false);
    assert.deepEqual(
      readdirSync(folder).filter((name) => name.includes('.part')),
      [],
    );
  });

  it('asks nothing of a context that is not there', async () => {
    const { code, stderr } = await snapshot(cluster, ['--context', 'stub/thre']);
    assert.equal(code, 2);
    assert.match(stderr, /there is no context 'stub\/thre'.*there are stub\/one and stub\/two/);
    assert.deepEqual(server!.requests, []);
  });

  it('takes no kubeconfig of the folder that is worked on', async () => {
    writeFileSync(join(folder, 'config'), '{}');
    const env = { PATH: `${toolFolder('v34')}:${process.env['PATH'] ?? ''}` };
    mkdirSync(join(folder, '.git'));
    mkdirSync(join(folder, 'inner'));
    const beside = mkdtempSync(join(tmpdir(), 'podium-beside-'));
    symlinkSync(folder, join(beside, 'folder'));
    symlinkSync(join(folder, 'config'), join(beside, 'config'));
    for (const [cwd, KUBECONFIG] of [
      [folder, join(folder, 'config')],
      [folder, 'config'],
      [join(beside, 'folder'), join(folder, 'config')],
      [folder, join(beside, 'folder/config')],
      [folder, join(beside, 'config')],
      [join(folder, 'inner'), join(folder, 'config')],
      [join(beside, 'folder/inner'), join(beside, 'config')],
    ] as const) {
      const { code, stderr } = await podium(['snapshot'], { cwd, env: { ...env, KUBECONFIG } });
      assert.equal(code, 2);
      assert.match(stderr, /KUBECONFIG names .*config, which is in a folder that Podium reads/);
    }
  });
});
