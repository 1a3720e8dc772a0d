import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { runToEnd } from '../../../server/src/kit/steps.ts';
import { decodeObject } from '../../../server/src/kubernetes/decode/index.ts';
import type { JsonObject } from '../../../server/src/kubernetes/json.ts';
import type { WholeReport } from '../../../server/src/contract/report.ts';
import { growthFor } from '../../../server/src/language/growth.ts';
import { ArrivalPreviews, type Scenario, simulateEvents } from '../../../server/src/simulation/index.ts';
import type { SimulationInput } from '../../../server/src/simulation/scene/input.ts';
import { headlineOf, node, placeOf, podOf, podSpec, priorityClass, workload } from './cluster-builder.ts';

const nodePool = (name: string, spec: JsonObject = {}, more: JsonObject = {}): JsonObject => ({
  apiVersion: 'karpenter.sh/v1',
  kind: 'NodePool',
  metadata: { name },
  spec: {
    ...more,
    template: {
      spec: {
        nodeClassRef: { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: 'default' },
        requirements: [{ key: 'karpenter.k8s.aws/instance-family', operator: 'In', values: ['m6i'] }],
        ...spec,
      },
    },
  },
});

const machines = (name: string, annotations: JsonObject): JsonObject => ({
  apiVersion: 'cluster.x-k8s.io/v1beta1',
  kind: 'MachineDeployment',
  metadata: {
    name,
    annotations: {
      'cluster.x-k8s.io/cluster-api-autoscaler-node-group-min-size': '0',
      'cluster.x-k8s.io/cluster-api-autoscaler-node-group-max-size': '2',
      'capacity.cluster-autoscaler.kubernetes.io/cpu': '4',
      'capacity.cluster-autoscaler.kubernetes.io/memory': '16Gi',
      ...annotations,
    },
  },
  spec: { replicas: 0 },
});

async function growing(objects: readonly JsonObject[], seconds?: number): Promise<SimulationInput> {
  const workspace = objects.map((value) => ({ object: decodeObject(value).object }));
  return { workspace, snapshot: [], growth: await growthFor([workspace], seconds) };
}

async function grown(
  objects: readonly JsonObject[],
  scenario: Scenario = { kind: 'workspace' },
  seconds?: number,
): Promise<WholeReport> {
  return runToEnd(simulateEvents(await growing(objects, seconds), scenario, []));
}

const important: Scenario = { kind: 'workload', workloadKind: 'Deployment', namespace: 'default', name: 'web' };
const evicting = [
  node('a', 2),
  priorityClass('high', 1000),
  workload('Deployment', 'batch', 1, podSpec(2)),
  workload('Deployment', 'web', 1, podSpec(2, { priorityClassName: 'high' })),
];

describe('clusters that grow', () => {
  it('[SCA-4] lets preemption come first, and the pool make a node for what was evicted', async () => {
    const report = await grown([nodePool('general'), ...evicting], important);
    assert.equal(headlineOf(report), 'web evicts batch; they come back on 1 new node of NodePool general.');
    const [event] = report.events;
    assert.deepEqual(event?.text, '1 node of NodePool general');
    assert.match(
      event.told.join(),
      /^for 1 pod of Deployment default\/batch: 9 of 1363 instance types fit \(m6i\.xlarge, /,
    );
    const back = report.pods.find(({ name, after }) => name.startsWith('batch-') && after.state === 'running');
    assert.equal(report.nodes[back?.after.node ?? -1]?.name, 'general+1');
  });

  it('[SCA-4] lets a node come the assumed seconds after a pod is pending, and says so', async () => {
    const objects = [nodePool('general'), node('a', 1), workload('Deployment', 'web', 1, podSpec(2))];
    const report = await grown(objects, { kind: 'workspace' }, 90);
    assert.equal(report.events[0]?.clock, 90);
    assert.ok(
      report.assumptions.some(({ text }) => text === '1 NodePool can add nodes, each 90 s after it is asked for'),
    );
    assert.ok(report.assumptions.every(({ text }) => !text.includes('not modelled: autoscalers')));
  });

  it('[SCA-4] says why no pool makes a node, in the words of Karpenter', async () => {
    const tainted = nodePool('gpu', { taints: [{ key: 'nvidia.com/gpu', effect: 'NoSchedule' }] });
    const small = nodePool('small', {}, { limits: { cpu: '1' } });
    const report = await grown([tainted, small, node('a', 1), workload('Deployment', 'web', 1, podSpec(2))]);
    const [pod] = report.pods;
    assert.deepEqual(report.decisions[pod?.decision ?? -1]?.wouldHelp.slice(0, 2), [
      'a node of NodePool small; Karpenter makes none: all available instance types exceed limits for nodepool (NodePool=small)',
      'a node of NodePool gpu; Karpenter makes none: did not tolerate taint (taint=nvidia.com/gpu:NoSchedule)',
    ]);
  });

  it('[SCA-5] adds nodes of a MachineDeployment up to its maximum, and says what Cluster Autoscaler says', async () => {
    const report = await grown([machines('workers', {}), node('a', 1), workload('Deployment', 'web', 3, podSpec(3))]);
    assert.deepEqual(
      report.nodes.map(({ name }) => name),
      ['a', 'workers+1', 'workers+2'],
    );
    const waiting = report.pods.filter(({ after }) => after.state === 'pending');
    assert.equal(waiting.length, 1);
    assert.equal(
      report.decisions[waiting[0]?.decision ?? -1]?.wouldHelp[0],
      "a new node; Cluster Autoscaler adds none: pod didn't trigger scale-up: 1 max node group size reached",
    );
  });

  it('[SCA-4] counts what a taint of the pool and its labels mean for the new node', async () => {
    const pool = nodePool('general', { taints: [{ key: 'team', value: 'a', effect: 'NoSchedule' }] });
    const spec = podSpec(2, {
      tolerations: [{ key: 'team', operator: 'Equal', value: 'a' }],
      nodeSelector: { 'karpenter.sh/nodepool': 'general' },
    });
    const report = await grown([pool, node('a', 8), workload('Deployment', 'web', 1, spec)]);
    assert.equal(placeOf(report, podOf(report, report.pods[0]!.name).name), 'running on general+1');
    assert.deepEqual(report.nodes[1]?.taints, ['team=a:NoSchedule']);
  });

  it('[SCA-4] says above a workload what comes after its preemption', async () => {
    const input = await growing([nodePool('general'), ...evicting]);
    const preview = runToEnd(new ArrivalPreviews(input).arrivalOf(important));
    assert.deepEqual(preview, {
      kind: 'preempts',
      text: 'preempts 1 pod on a, then 1 node of general',
      assumed: false,
    });
  });

  it('[SCA-4] loads nothing where no pool is', async () => {
    const workspace = evicting.map((value) => ({ object: decodeObject(value).object }));
    assert.equal(await growthFor([workspace]), undefined);
  });
});
