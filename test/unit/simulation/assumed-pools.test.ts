import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { assumedText } from '../../../server/src/report-model/assumed.ts';
import type { JsonObject } from '../../../server/src/kubernetes/json.ts';
import { assumedNodesOf } from '../../../server/src/simulation/cluster/assumed-nodes.ts';
import { branchOf } from '../../../server/src/simulation/scenario/branch-of.ts';
import { compareRuns, simulate } from '../../../server/src/simulation/index.ts';
import { runToEnd } from '../../../server/src/util/steps.ts';
import type { WholeReport } from '../../../server/src/report-model/report.ts';
import { growing } from './growing.ts';
import { input, node, pod, podSpec, simulated, workload } from './cluster-builder.ts';

const toleration = (key: string, value = '') => ({
  tolerations: [
    { key, operator: value === '' ? 'Exists' : 'Equal', ...(value === '' ? {} : { value }), effect: 'NoSchedule' },
  ],
});

const apart = (topologyKey: string) => ({
  affinity: {
    podAntiAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey, labelSelector: { matchLabels: { app: 'db' } } }],
    },
  },
});

const asks = (resources: Readonly<Record<string, string>>, more: JsonObject = {}) => ({
  containers: [
    { name: 'main', image: 'registry.example/app:1', resources: { requests: resources, limits: resources } },
  ],
  ...more,
});

const pendingIn = ({ pods }: WholeReport) => pods.filter(({ after }) => after.state === 'pending').length;

const textOf = (...objects: readonly JsonObject[]): string => {
  const report = simulated(objects);
  assert.equal(pendingIn(report), 0, report.answer.headline);
  return assumedText(report);
};

describe('[PLA-1] assumed nodes', () => {
  it('[PLA-1] do not rest on an autoscaler of a version that is not served (#36)', () => {
    const autoscaler = {
      apiVersion: 'autoscaling/v2beta2',
      kind: 'HorizontalPodAutoscaler',
      metadata: { name: 'web' },
    };
    assert.equal(textOf(workload('Deployment', 'web', 1, podSpec(1)), autoscaler), '? Assumed: 3 × 4 cpu/16 Gi.');
  });

  it('are as many as the pods need at 80 %, and at least three in three zones', () => {
    assert.equal(textOf(pod('web', 1)), '? Assumed: 3 × 4 cpu/16 Gi.');
    // 40 cores, of nodes of which 80 % are used.
    assert.equal(textOf(workload('Deployment', 'web', 40, podSpec(1))), '? Assumed: 14 × 4 cpu/16 Gi.');
    const large = simulated([workload('Deployment', 'web', 3, asks({ cpu: '6', memory: '20Gi' }))]);
    assert.equal(pendingIn(large), 0);
    assert.equal(new Set(large.nodes.map(({ zone }) => zone)).size, 3);
  });

  it('are as many as the pods that have the ports of their node, also on its network (#36)', () => {
    const ports = (more: JsonObject): JsonObject => ({
      nodeSelector: { role: 'monitor' },
      containers: [{ name: 'main', image: 'registry.example/app:1', ports: [{ containerPort: 7000, ...more }] }],
    });
    const monitors = (spec: JsonObject) => workload('StatefulSet', 'monitor', 5, spec);
    const wanted = '? Assumed: 5 × 4 cpu/16 Gi role=monitor.';
    assert.equal(textOf(monitors(ports({ hostPort: 7000 }))), wanted);
    assert.equal(textOf(monitors({ ...ports({}), hostNetwork: true })), wanted);
  });

  it('are pools of what pods ask for: architecture, labels, affinity, taints, devices', () => {
    const arm = podSpec(1, { nodeSelector: { 'kubernetes.io/arch': 'arm64' }, ...toleration('arch', 'arm64') });
    const ssd = podSpec(1, {
      affinity: {
        nodeAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: {
            nodeSelectorTerms: [{ matchExpressions: [{ key: 'disk', operator: 'In', values: ['ssd', 'nvme'] }] }],
          },
        },
      },
    });
    const gpu = asks({ cpu: '1', 'nvidia.com/gpu': '1' }, toleration('nvidia.com/gpu'));
    const report = simulated([
      workload('Deployment', 'api', 20, arm),
      workload('Deployment', 'train', 1, gpu),
      workload('StatefulSet', 'db', 1, ssd),
    ]);
    assert.equal(pendingIn(report), 0);
    assert.equal(
      assumedText(report),
      '? Assumed: 10 nodes in 3 pools: 7 × 4 cpu/16 Gi arm64, 2 × 4 cpu/16 Gi gpu and 1 × 4 cpu/16 Gi disk=ssd.',
    );
    assert.deepEqual(
      [...new Set(report.nodes.flatMap(({ taints }) => taints))],
      ['arch=arm64:NoSchedule', 'nvidia.com/gpu:NoSchedule'],
    );
  });

  it('suffice for pods that are kept apart, for zones that are named, and for nodes that are', () => {
    const labelled = (name: string, replicas: number, spec: JsonObject) =>
      workload('StatefulSet', name, replicas, spec, { app: 'db' });
    assert.match(textOf(labelled('db', 5, podSpec(0.1, apart('kubernetes.io/hostname')))), /^\? Assumed: 5 ×/);
    assert.match(textOf(labelled('db', 5, podSpec(0.1, apart('topology.kubernetes.io/zone')))), /^\? Assumed: 5 ×/);
    assert.match(textOf(labelled('db', 2, podSpec(0.1, apart('example.com/rack')))), /^\? Assumed: 3 ×/);
    const inZone = podSpec(1, { nodeSelector: { 'topology.kubernetes.io/zone': 'eu-west-1b' } });
    const report = simulated([workload('Deployment', 'web', 2, inZone)]);
    assert.deepEqual([...new Set(report.nodes.map(({ zone }) => zone))], ['eu-west-1b']);
    assert.equal(pendingIn(report), 0);
    const there = podSpec(1, { nodeSelector: { 'kubernetes.io/hostname': 'pi-3' } });
    assert.ok(simulated([workload('Deployment', 'web', 1, there)]).nodes.some(({ name }) => name === 'pi-3'));
    assert.equal(textOf(pod('fixed', 1, { nodeName: 'pi-4' })).includes('pi-4'), true);
  });

  it('are not made for what no node can be, and say so', () => {
    const never = podSpec(1, {
      nodeSelector: { 'kubernetes.io/arch': 'arm64' },
      affinity: {
        nodeAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: {
            nodeSelectorTerms: [
              { matchExpressions: [{ key: 'kubernetes.io/arch', operator: 'In', values: ['amd64'] }] },
            ],
          },
        },
      },
    });
    assert.equal(pendingIn(simulated([workload('Deployment', 'web', 2, never)])), 2);
    assert.equal(pendingIn(simulated([pod('huge', 5000)])), 1);
  });

  it('are told as assumed, and no pod as placed on one of them', () => {
    const { answer } = simulated([pod('web', 1)]);
    assert.equal(answer.headline, 'web is placed on assumed nodes; no pod is evicted.');
    assert.deepEqual(answer.groups[0]?.lines[0]?.details, ['assumed nodes, at once', 'evicts no pod']);
  });

  it('stay the same when an operation or a commit asks for more', () => {
    const now = input([workload('Deployment', 'web', 2, podSpec(1))]);
    const [step] = branchOf(now, ['scale Deployment/default/web 40']);
    const scaled = runToEnd(simulate(step!.input, { kind: 'workspace' }));
    assert.equal(scaled.nodes.length, 3);
    assert.ok(pendingIn(scaled) > 0);
    const later = input([workload('Deployment', 'web', 40, podSpec(1))]);
    const compared = runToEnd(
      compareRuns({ input: now, events: [] }, { input: later, events: [] }, { kind: 'workspace' }, 'git HEAD'),
    );
    assert.equal(compared.nodes.length, 14);
    assert.equal(pendingIn(compared), 0);
  });

  it('[#36] are also those on which the pods ran before a change, and offer all that a named one is asked for', () => {
    const on = (pool: string): JsonObject => workload('Deployment', 'web', 1, podSpec(1, { nodeSelector: { pool } }));
    const compared = runToEnd(
      compareRuns(
        { input: input([on('large')]), events: [] },
        { input: input([on('small')]), events: [] },
        { kind: 'workspace' },
        'git HEAD',
      ),
    );
    assert.match(compared.answer.headline, /rolls out/);
    const node = { 'kubernetes.io/hostname': 'gpu-box' };
    const media = { ...pod('media', 1), spec: asks({ 'gpu.example/card': '1' }, { nodeSelector: node }) };
    textOf(pod('web', 1, { nodeSelector: node }), media);
    const limits = { cpu: '6', 'gpu.example/card': '1' };
    const container = { name: 'main', image: 'app', resources: { limits } };
    textOf({ ...workload('Deployment', 'media', 1, { containers: [container] }) });
  });

  it('are those that somebody describes: a size, or pools with labels, taints and devices', () => {
    const sized = assumedNodesOf('auto:8:32Gi');
    const pools = assumedNodesOf('2:8:32Gi:50,kubernetes.io/arch=arm64,arch=arm64:NoSchedule + 1,nvidia.com/gpu:4');
    assert.ok(typeof sized !== 'string' && typeof pools !== 'string');
    const web = workload('Deployment', 'web', 40, podSpec(1));
    const of = (assumedNodes: typeof sized) =>
      runToEnd(simulate({ ...input([web]), assumedNodes }, { kind: 'workspace' }));
    assert.equal(assumedText(of(sized)), '? Assumed: 7 × 8 cpu/32 Gi.');
    const described = of(pools);
    assert.equal(
      assumedText(described),
      '? Assumed: 3 nodes in 2 pools: 2 × 8 cpu/32 Gi arm64 and 1 × 4 cpu/16 Gi gpu.',
    );
    assert.deepEqual(described.nodes[0]?.taints, ['arch=arm64:NoSchedule']);
    assert.equal(described.nodes[2]?.allocatable['nvidia.com/gpu'], 4);
    for (const wrong of ['0', '2:lots', '3:4:5:6:7', '1,gpu', 'auto+3']) {
      assert.equal(typeof assumedNodesOf(wrong), 'string', wrong);
    }
  });

  it('are those that pods ask for where of no pool is known which nodes it makes (#39)', async () => {
    const workspace = [
      workload('Deployment', 'web', 1, podSpec(1, { nodeSelector: { 'cloud.google.com/compute-class': 'gpus' } })),
      { apiVersion: 'cloud.google.com/v1', kind: 'ComputeClass', metadata: { name: 'gpus' }, spec: {} },
    ];
    const from = await growing(workspace);
    const report = runToEnd(simulate(from, { kind: 'workspace' }));
    assert.equal(assumedText(report), '? Assumed: 3 × 4 cpu/16 Gi compute-class=gpus.');
    assert.equal(pendingIn(report), 0);
  });

  it('#39 do not have the misspelt name of the ComputeClass that pods select', async () => {
    const computeClass = {
      apiVersion: 'cloud.google.com/v1',
      kind: 'ComputeClass',
      metadata: { name: 'general' },
      spec: {},
    };
    for (const [name, pending] of [
      ['genreal', 1],
      ['general', 0],
      ['autopilot', 0],
    ] as const) {
      const nodeSelector = { 'cloud.google.com/compute-class': name };
      const from = await growing([workload('Deployment', 'web', 1, podSpec(1, { nodeSelector })), computeClass]);
      assert.equal(pendingIn(runToEnd(simulate(from, { kind: 'workspace' }))), pending, name);
    }
  });

  it('have names of their own, also where pools share the label that tells them from others (#36)', () => {
    const web = workload('Deployment', 'web', 6, podSpec(1, { nodeSelector: { intent: 'apps' } }));
    const spare = workload('Deployment', 'spare', 2, podSpec(1, { nodeSelector: { intent: 'apps', size: 'xlarge' } }));
    const { nodes } = simulated([spare, web]);
    assert.deepEqual([...new Set(nodes.map(({ pool }) => pool))].sort(), ['intent=apps', 'intent=apps size=xlarge']);
    const wanted = assumedNodesOf('2:4:16Gi,team=shop+3:8:32Gi,team=shop,nvidia.com/gpu:1');
    assert.ok(typeof wanted !== 'string');
    const described = runToEnd(simulate({ ...input([web]), assumedNodes: wanted }, { kind: 'workspace' }));
    assert.equal(new Set(described.nodes.map(({ name }) => name)).size, 5);
  });

  it('are for what is read: an autoscaler of a version that is not served asks for nothing (#41)', () => {
    const old = { apiVersion: 'autoscaling/v2beta1', kind: 'HorizontalPodAutoscaler', metadata: { name: 'web' } };
    const report = simulated([old, workload('Deployment', 'web', 2, podSpec(1))]);
    assert.equal(report.nodes.length, 3);
  });

  it('are nothing where a node is named', () => {
    assert.equal(assumedText(simulated([node('a', 4), pod('web', 1)])), '');
  });
});
