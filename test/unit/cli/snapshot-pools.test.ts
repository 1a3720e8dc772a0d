import { strict as assert } from 'node:assert';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'mocha';
import type { JsonObject } from '../../../server/src/kubernetes/json.ts';
import { captured } from '../../../server/src/kubernetes/scheduling-fields.ts';
import { writtenHeader } from '../../../server/src/kubernetes/snapshot-header.ts';
import { podium } from './run-podium.ts';

const text = (object: JsonObject, field: string): string => object[field] as string;
const uidOf = (kind: string, name: string): string => `uid-${kind}-${name}`;

function stored(object: JsonObject, more: JsonObject = {}, ofMetadata: JsonObject = {}): JsonObject {
  const metadata = object['metadata'] as JsonObject;
  const uid = uidOf(text(object, 'kind'), text(metadata, 'name'));
  return { ...object, ...more, metadata: { ...metadata, uid, ...ofMetadata } };
}

/** As `podium snapshot` writes them. */
function snapshotOf(objects: readonly JsonObject[], autoscalerFlags: readonly string[] = []): string {
  const items = objects.map((each) => captured(each, text(each, 'apiVersion'), text(each, 'kind')));
  const of = { context: 'prod', serverVersion: 'v1.36.1', takenAt: '2026-11-01T09:00:00Z', missing: [] };
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'List',
    items: [...items, writtenHeader({ ...of, autoscalerFlags })],
  });
}

function node(name: string, cpu: string, metadata: JsonObject = {}, more: JsonObject = {}): JsonObject {
  const status = { allocatable: { cpu, memory: '16Gi', pods: '110' }, capacity: { cpu, memory: '16Gi', pods: '110' } };
  const own = { ...metadata, labels: { 'kubernetes.io/hostname': name, ...(metadata['labels'] as JsonObject) } };
  return stored({ apiVersion: 'v1', kind: 'Node', metadata: { name }, spec: more, status }, {}, own);
}

function web(cpu: string, replicas: number, pod: JsonObject = {}): JsonObject {
  const labels = { app: 'web' };
  const containers = [{ name: 'web', image: 'web:1', resources: { requests: { cpu } } }];
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web', namespace: 'shop' },
    spec: {
      replicas,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { ...pod, containers } },
    },
  };
}

/** The Deployment, its ReplicaSet, and its pods on some nodes. */
function running(deployment: JsonObject, nodes: readonly string[], ofPod: JsonObject = {}): readonly JsonObject[] {
  const { template, replicas } = deployment['spec'] as { readonly template: JsonObject; readonly replicas: number };
  const labels = { app: 'web', 'pod-template-hash': 'abc' };
  const owner = (kind: string, name: string): JsonObject => ({
    ownerReferences: [{ apiVersion: 'apps/v1', kind, name, uid: uidOf(kind, name), controller: true }],
  });
  const made = (kind: string, name: string, of: JsonObject): JsonObject => ({
    apiVersion: kind === 'Pod' ? 'v1' : 'apps/v1',
    kind,
    metadata: { name, namespace: 'shop', labels, ...of },
  });
  const spec = { replicas, selector: { matchLabels: labels }, template: { ...template, metadata: { labels } } };
  return [
    stored(deployment),
    stored(made('ReplicaSet', 'web-abc', owner('Deployment', 'web')), { spec, status: { replicas } }),
    ...nodes.map((nodeName, at) =>
      stored(made('Pod', `web-abc-${at}`, owner('ReplicaSet', 'web-abc')), {
        spec: { ...(template['spec'] as JsonObject), nodeName, ...ofPod },
        status: { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] },
      }),
    ),
  ];
}

const bound = 'cluster.x-k8s.io/cluster-api-autoscaler-node-group-';
const shape = 'capacity.cluster-autoscaler.kubernetes.io/';

function machines(name: string, of: JsonObject, kind = 'MachineDeployment'): JsonObject {
  const annotations = { [`${bound}min-size`]: '0', [`${bound}max-size`]: '2', ...of };
  const spec = { replicas: 0, template: { spec: {} } };
  return { apiVersion: 'cluster.x-k8s.io/v1beta1', kind, metadata: { name, namespace: 'machines', annotations }, spec };
}
const sized = (cpu: string): JsonObject => ({ [`${shape}cpu`]: cpu, [`${shape}memory`]: '16Gi' });

describe('[SCA-4] [#39] [#40] manifests beside what a snapshot says of pools and devices', () => {
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'podium-snapshot-pools-'));
  });
  after(async () => {
    await rm(folder, { recursive: true });
  });

  const asked = async (
    command: readonly string[],
    files: readonly JsonObject[],
    cluster: readonly JsonObject[],
    flags: readonly string[] = [],
  ): Promise<string> => {
    await writeFile(join(folder, 'all.json'), JSON.stringify({ apiVersion: 'v1', kind: 'List', items: files }));
    await writeFile(join(folder, 'cluster.podium.json'), snapshotOf(cluster, flags));
    const [name = '', ...options] = command;
    const args = [name, 'all.json', '--snapshot', 'cluster.podium.json', ...options];
    return (await podium(args, { cwd: folder })).stdout.replaceAll(/\s+/g, ' ');
  };
  const scaled = async (...args: Parameters<typeof asked> extends [unknown, ...infer Rest] ? Rest : never) =>
    asked(['simulate', '--what-if', 'scale deployment/shop/web 5', '--summary'], ...args);

  it('counts a node group once, that both have, with the MachineSet that is made of it', async () => {
    const group = machines('workers', sized('4'));
    const owner = { kind: 'MachineDeployment', name: 'workers', uid: uidOf('MachineDeployment', 'workers') };
    const set = machines('workers-x7k2p', sized('4'), 'MachineSet');
    const apps = web('3', 1);
    const cluster = [
      node('a', '3'),
      ...running(apps, ['a']),
      stored(group),
      stored(set, {}, { ownerReferences: [{ apiVersion: 'cluster.x-k8s.io/v1beta1', ...owner, controller: true }] }),
    ];
    assert.match(await scaled([apps, group], cluster), /3 of 5 pods of web run, 2 pending/);
  });

  it('keeps what a controller has written of the shape of a group, and how many nodes it has', async () => {
    const apps = web('3', 1);
    const group = machines('workers', {});
    const there = stored(machines('workers', sized('4')), { spec: { replicas: 1, template: { spec: {} } } });
    const cluster = [node('a', '3'), ...running(apps, ['a']), there];
    assert.match(await scaled([apps, group], cluster), /2 of 5 pods of web run, 3 pending/);
  });

  it('takes annotations away that were applied and are not written any more', async () => {
    const apps = web('3', 1);
    const applied = sized('4');
    const shaped = machines('workers', applied);
    const noted = (of: JsonObject): JsonObject => ({
      'kubectl.kubernetes.io/last-applied-configuration': JSON.stringify(of),
    });
    const bySsa = {
      operation: 'Apply',
      manager: 'flux',
      fieldsV1: {
        'f:metadata': { 'f:annotations': Object.fromEntries(Object.keys(applied).map((key) => [`f:${key}`, {}])) },
      },
    };
    const annotations = (shaped['metadata'] as JsonObject)['annotations'] as JsonObject;
    for (const by of [{ annotations: { ...annotations, ...noted(shaped) } }, { managedFields: [bySsa] }]) {
      const cluster = [node('a', '3'), ...running(apps, ['a']), stored(shaped, {}, by)];
      const answer = await scaled([apps, machines('workers', {})], cluster);
      assert.match(answer, /1 of 5 pods of web run, 4 pending/);
      assert.match(await scaled([apps, shaped], cluster), /3 of 5 pods of web run, 2 pending/);
    }
  });

  it('says of a pool that is written otherwise what becomes of its nodes, and of new ones', async () => {
    const pool = (spec: JsonObject, limits: JsonObject = {}): JsonObject => ({
      apiVersion: 'karpenter.sh/v1',
      kind: 'NodePool',
      metadata: { name: 'general' },
      spec: { limits, template: { spec } },
    });
    const cpus = (value: string): JsonObject => ({
      nodeClassRef: { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: 'default' },
      requirements: [{ key: 'karpenter.k8s.aws/instance-cpu', operator: 'In', values: [value] }],
    });
    const labels = { 'karpenter.sh/nodepool': 'general', 'karpenter.k8s.aws/instance-cpu': '4' };
    const expire = { expireAfter: '720h' };
    const kept = stored(pool({ ...cpus('4'), ...expire }, { cpu: '100' }));
    const told = async (files: readonly JsonObject[], nodes = ['a', 'b']): Promise<string> => {
      const cluster = [kept, ...nodes.map((name) => node(name, '4', { labels })), ...running(web('1', 1), ['a'])];
      return asked(['simulate'], files, cluster);
    };
    assert.doesNotMatch(await told([pool(cpus('4'), { cpu: 100 })]), /node pools/);
    const begins = 'node pools change NodePool general: new nodes are made as it says now;';
    const has = async (file: JsonObject, text: string, nodes?: string[]): Promise<void> => {
      const answer = await told([file], nodes);
      assert.ok(answer.includes(`${begins} ${text}`), answer);
    };
    await has(pool(cpus('4'), { cpu: '8' }), 'its 2 nodes stay');
    await has(pool(cpus('8'), { cpu: '100' }), 'Karpenter replaces 2 of its 2 nodes (drift)');
    const tainted = { ...cpus('4'), taints: [{ key: 'a', effect: 'NoSchedule' }] };
    await has(pool(tainted, { cpu: '100' }), 'Karpenter replaces its only node (drift)', ['a']);
  });

  it('knows the flags of Cluster Autoscaler, whose command is left out', async () => {
    const apps = web('3', 1);
    const cluster = [node('a', '3'), ...running(apps, ['a']), stored(machines('workers', sized('4')))];
    assert.match(await scaled([apps], cluster), /3 of 5 pods of web run, 2 pending/);
    const limited = await scaled([apps], cluster, ['--max-nodes-total=2']);
    assert.match(limited, /2 of 5 pods of web run, 3 pending/);
  });

  it('makes a node for the pods of one that is removed: its NodeClaim goes with it', async () => {
    const apps = web('1', 1);
    const labels = { 'karpenter.sh/nodepool': 'general', 'node.kubernetes.io/instance-type': 'm6i.large' };
    const states = ['Launched', 'Registered', 'Initialized', 'Ready'].map((type) => ({ type, status: 'True' }));
    const nodeClassRef = { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: 'default' };
    const requirements = [{ key: 'karpenter.k8s.aws/instance-family', operator: 'In', values: ['m6i'] }];
    const pool = {
      apiVersion: 'karpenter.sh/v1',
      kind: 'NodePool',
      metadata: { name: 'general' },
      spec: { template: { spec: { nodeClassRef, requirements } } },
    };
    const amounts = { cpu: '2', memory: '8Gi', pods: '29' };
    const claim = {
      apiVersion: 'karpenter.sh/v1',
      kind: 'NodeClaim',
      metadata: { name: 'general-abc', labels },
      spec: { nodeClassRef, requirements },
      status: { nodeName: 'a', providerID: 'i-1', conditions: states, capacity: amounts, allocatable: amounts },
    };
    const own = { ...labels, 'karpenter.sh/registered': 'true', 'karpenter.sh/initialized': 'true' };
    const cluster = [
      node('a', '2', { labels: own }, { providerID: 'i-1' }),
      ...running(apps, ['a']),
      stored(pool),
      stored(claim),
    ];
    const told = await asked(['simulate', '--what-if', 'delete node/a'], [apps], cluster);
    assert.match(told, /1 node of NodePool general/);
    assert.doesNotMatch(told, /expects the pod on/);
  });

  it('lets pods of DaemonSets have new nodes first', async () => {
    const apps = web('2', 1);
    const label = { app: 'agent' };
    const containers = [{ name: 'agent', image: 'agent:1', resources: { requests: { cpu: '100m' } } }];
    const critical = { priorityClassName: 'system-node-critical', tolerations: [{ operator: 'Exists' }] };
    const agent = {
      apiVersion: 'apps/v1',
      kind: 'DaemonSet',
      metadata: { name: 'agent', namespace: 'kube-system' },
      spec: {
        selector: { matchLabels: label },
        template: { metadata: { labels: label }, spec: { ...critical, containers } },
      },
    };
    const cluster = [
      node('a', '2100m'),
      ...running(apps, ['a']),
      stored(machines('workers', sized('4'))),
      stored(agent),
    ];
    const told = await scaled([apps], cluster);
    assert.match(told, /3 of 5 pods of web run, 2 pending/);
    assert.doesNotMatch(told, /evicts/);
  });

  it('gives new pods the tolerations that running ones got when they were made', async () => {
    const taint = { key: 'cloud.google.com/compute-class', value: 'cheap', effect: 'NoSchedule' };
    const apps = web('1', 1);
    const cluster = (tolerations: readonly JsonObject[]) => [
      node('a', '8', {}, { taints: [taint] }),
      ...running(apps, ['a'], { tolerations }),
    ];
    assert.match(await scaled([apps], cluster([])), /4 pending/);
    const tolerations = [{ key: taint.key, operator: 'Equal', value: 'cheap', effect: 'NoSchedule' }];
    assert.match(await scaled([apps], cluster(tolerations)), /all 5 pods run/);
  });

  const api = 'resource.k8s.io/v1';
  const claimOf = (exactly: JsonObject): JsonObject => ({
    apiVersion: api,
    kind: 'ResourceClaim',
    metadata: { name: 'shared', namespace: 'shop' },
    spec: { devices: { requests: [{ name: 'gpu', exactly: { deviceClassName: 'gpu', ...exactly } }] } },
  });

  it('leaves a claim its device, and finds that nothing of it is changed', async () => {
    const asks = (name: string): JsonObject => ({
      resourceClaims: [{ name: 'gpu', ...(name === '' ? {} : { resourceClaimName: name }) }],
    });
    const apps = web('1', 1, asks('shared'));
    const gpuClass = {
      apiVersion: api,
      kind: 'DeviceClass',
      metadata: { name: 'gpu' },
      spec: { selectors: [{ cel: { expression: "device.driver == 'gpu.example.com'" } }] },
    };
    const slice = {
      apiVersion: api,
      kind: 'ResourceSlice',
      metadata: { name: 'a-gpus' },
      spec: {
        driver: 'gpu.example.com',
        nodeName: 'a',
        pool: { name: 'a', generation: 1, resourceSliceCount: 1 },
        devices: [{ name: 'gpu-0' }],
      },
    };
    const other = {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'other', namespace: 'shop' },
      spec: {
        resourceClaims: [{ name: 'gpu', resourceClaimName: 'second' }],
        containers: [{ name: 'other', image: 'other:1', resources: { claims: [{ name: 'gpu' }] } }],
      },
    };
    const second = { ...claimOf({}), metadata: { name: 'second', namespace: 'shop' } };
    const status = {
      allocation: {
        devices: { results: [{ request: 'gpu', driver: 'gpu.example.com', pool: 'a', device: 'gpu-0' }] },
        nodeSelector: {
          nodeSelectorTerms: [{ matchFields: [{ key: 'metadata.name', operator: 'In', values: ['a'] }] }],
        },
      },
      reservedFor: [{ resource: 'pods', name: 'web-abc-0', uid: uidOf('Pod', 'web-abc-0') }],
    };
    const there = stored(claimOf({ allocationMode: 'ExactCount', count: 1 }), { status });
    const cluster = [node('a', '8'), ...running(apps, ['a']), stored(gpuClass), stored(slice), there];
    const files = [apps, gpuClass, claimOf({}), other, second];
    assert.match(await asked(['simulate', '--summary'], files, cluster), /other stays pending/);
    assert.doesNotMatch(await asked(['check'], files, cluster), /immutable/);
  });
});
