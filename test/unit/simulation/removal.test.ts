import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { runToEnd } from '../../../server/src/util/steps.ts';
import type { JsonObject } from '../../../server/src/kubernetes/json.ts';
import { decodeObject } from '../../../server/src/kubernetes/decode/index.ts';
import { growthFor } from '../../../server/src/language/session/growth.ts';
import { simulateEvents } from '../../../server/src/simulation/index.ts';
import { parseQuestion, type Question } from '../../../server/src/simulation/scenario/question.ts';
import { budget, node, podSpec, workload } from './cluster-builder.ts';

const nodePool: JsonObject = {
  apiVersion: 'karpenter.sh/v1',
  kind: 'NodePool',
  metadata: { name: 'general' },
  spec: {
    template: {
      spec: {
        nodeClassRef: { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: 'default' },
        requirements: [{ key: 'karpenter.k8s.aws/instance-family', operator: 'In', values: ['m6i'] }],
      },
    },
  },
};

const machines: JsonObject = {
  apiVersion: 'cluster.x-k8s.io/v1beta1',
  kind: 'MachineDeployment',
  metadata: {
    name: 'workers',
    annotations: {
      'cluster.x-k8s.io/cluster-api-autoscaler-node-group-min-size': '0',
      'cluster.x-k8s.io/cluster-api-autoscaler-node-group-max-size': '2',
    },
  },
};

const ofPool = (name: string, cpu: number): JsonObject => {
  const labels = {
    'karpenter.sh/nodepool': 'general',
    'node.kubernetes.io/instance-type': 'm6i.xlarge',
    'karpenter.sh/capacity-type': 'on-demand',
    'topology.kubernetes.io/zone': 'z',
    'kubernetes.io/hostname': name,
  };
  return { ...node(name, cpu), metadata: { name, labels } };
};

const running = (name: string, on: string, cpu: number, more: JsonObject = {}, spec: JsonObject = {}): JsonObject => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: {
    name,
    namespace: 'default',
    labels: { app: name },
    ownerReferences: [{ apiVersion: 'apps/v1', kind: 'ReplicaSet', name, uid: name, controller: true }],
    ...more,
  },
  spec: { ...podSpec(cpu), ...spec, nodeName: on },
  status: { phase: 'Running' },
});

async function asked(objects: readonly JsonObject[], question: string) {
  const workspace = objects.map((value) => ({ object: decodeObject(value).object }));
  const input = { workspace, snapshot: [], growth: await growthFor([workspace]) };
  const report = runToEnd(simulateEvents(input, { kind: 'workspace' }, [], {}, [parseQuestion(question) as Question]));
  return report.questions[0]!;
}

describe('nodes that autoscalers could remove', () => {
  it('[SCA-7] says of a node of a NodePool where its pods would go', async () => {
    const { answer, details, isMet } = await asked(
      [nodePool, ofPool('a', 4), ofPool('b', 4), running('web', 'a', 1)],
      'removable node/a = yes',
    );
    assert.deepEqual([answer, details, isMet], ['yes, Karpenter would remove it', ['default/web moves to b'], true]);
  });

  it('[SCA-7] names everything that keeps Karpenter from it, and that the rest would not fit', async () => {
    const { answer, details } = await asked(
      [
        nodePool,
        ofPool('a', 8),
        ofPool('b', 1),
        running('kept', 'a', 1, { annotations: { 'karpenter.sh/do-not-disrupt': 'true' } }),
        running('web', 'a', 1),
        budget('web', { app: 'web' }, { minAvailable: 1 }),
        running('large', 'a', 3, {}, { nodeSelector: { disk: 'ssd' } }),
      ],
      'removable node/a',
    );
    assert.equal(answer, 'no, Karpenter keeps it');
    assert.deepEqual(details.slice(0, 2), [
      'pod has "karpenter.sh/do-not-disrupt" annotation (Pod=default/kept)',
      'pdb prevents pod evictions (PodDisruptionBudget=[default/web])',
    ]);
    assert.match(
      details[2] ?? '',
      /^Not all pods would schedule, default\/large => incompatible requirements, label "disk"/,
    );
  });

  it('[SCA-7] names the budgets of a NodePool that let no node go, and when those with a schedule do', async () => {
    const of = (budgets: readonly JsonObject[]): readonly JsonObject[] => [
      { ...nodePool, spec: { ...(nodePool['spec'] as JsonObject), disruption: { budgets } } },
      ofPool('a', 4),
      ofPool('b', 4),
      running('web', 'a', 1),
    ];
    const closed = await asked(of([{ nodes: '0', reasons: ['Drifted'] }, { nodes: '0' }]), 'removable node/a');
    assert.equal(closed.answer, 'no, Karpenter keeps it');
    assert.deepEqual(closed.details, [
      'No allowed disruptions for disruption reason Underutilized due to blocking budget (NodePool general: nodes 0)',
    ]);
    const nightly = await asked(
      of([{ nodes: '10%' }, { nodes: '0', schedule: '0 9 * * 1-5', duration: '8h' }]),
      'removable node/a',
    );
    assert.equal(nightly.answer, 'yes, Karpenter would remove it');
    assert.deepEqual(nightly.details, [
      'default/web moves to b',
      'not for 8h from each 0 9 * * 1-5 (UTC): a budget allows no disruptions (NodePool general: nodes 0)',
    ]);
    const empty = await asked(of([{ nodes: '0', reasons: ['Empty'] }]), 'removable node/b');
    assert.equal(empty.answer, 'no, Karpenter keeps it');
  });

  it('#39 answers of a pool whose types are not known by what is there: pods, budgets and the other nodes', async () => {
    const { template } = nodePool['spec'] as { readonly template: { readonly spec: JsonObject } };
    const nodeClassRef = { group: 'karpenter.azure.com', kind: 'AKSNodeClass', name: 'default' };
    const azure = (disruption: JsonObject = {}): JsonObject => ({
      ...nodePool,
      spec: { disruption, template: { spec: { ...template.spec, nodeClassRef } } },
    });
    const nodes = [ofPool('a', 4), ofPool('b', 4)];
    const lines = async (...objects: readonly JsonObject[]): Promise<readonly string[]> => {
      const { answer, details } = await asked([...nodes, ...objects], 'removable node/a');
      return [answer, ...details];
    };
    assert.deepEqual(await lines(azure(), running('web', 'a', 1)), [
      'yes, Karpenter would remove it',
      '1 pod would move to other nodes',
    ]);
    assert.deepEqual(await lines(azure(), running('web', 'a', 3), running('api', 'b', 3)), [
      'no, Karpenter keeps it',
      '1 pod of 1 would find no other node: default/web',
    ]);
    const kept = { annotations: { 'karpenter.sh/do-not-disrupt': 'true' } };
    assert.deepEqual(await lines(azure({ budgets: [{ nodes: '0' }] }), running('web', 'a', 1, kept)), [
      'no, Karpenter keeps it',
      'No allowed disruptions for disruption reason Underutilized due to blocking budget (NodePool general: nodes 0)',
      'pod has "karpenter.sh/do-not-disrupt" annotation (Pod=default/web)',
    ]);
    const empty = { consolidationPolicy: 'WhenEmpty', consolidateAfter: '0s' };
    assert.deepEqual(await lines(azure(empty), running('web', 'a', 1)), [
      'no, Karpenter keeps it',
      'NodePool "general" has non-empty consolidation disabled',
    ]);
  });

  it('#39 names a budget of pods that are kept for something else, too', async () => {
    const kept = running('web', 'a', 1, {
      annotations: { 'karpenter.sh/do-not-disrupt': 'true' },
      labels: { app: 'web' },
    });
    const { details } = await asked(
      [nodePool, ofPool('a', 4), ofPool('b', 4), budget('web', { app: 'web' }, { maxUnavailable: 0 }), kept],
      'removable node/a',
    );
    assert.deepEqual(details, [
      'pod has "karpenter.sh/do-not-disrupt" annotation (Pod=default/web)',
      'pdb prevents pod evictions (PodDisruptionBudget=[default/web])',
    ]);
  });

  it('#39 names the annotation of a node beside a budget of its pool', async () => {
    const spec = { ...(nodePool['spec'] as JsonObject), disruption: { budgets: [{ nodes: '0' }] } };
    const node = ofPool('a', 4);
    const annotations = { 'karpenter.sh/do-not-disrupt': 'true' };
    const kept = { ...node, metadata: { ...(node['metadata'] as JsonObject), annotations } };
    const { details } = await asked(
      [{ ...nodePool, spec }, kept, ofPool('b', 4), running('web', 'a', 1)],
      'removable node/a',
    );
    assert.deepEqual(details, [
      'disruption is blocked through the "karpenter.sh/do-not-disrupt" annotation',
      'No allowed disruptions for disruption reason Underutilized due to blocking budget (NodePool general: nodes 0)',
    ]);
  });

  it('[SCA-7] does not claim what depends on prices', async () => {
    const { details } = await asked([nodePool, ofPool('a', 4), running('web', 'a', 1)], 'removable node/a');
    assert.deepEqual(details, [
      'its pods do not fit on the other nodes; one new node takes them, and whether that is cheaper is not known',
    ]);
  });

  it('[SCA-7] says what keeps Cluster Autoscaler from it, in its words', async () => {
    const { answer, details } = await asked(
      [
        machines,
        node('a', 8),
        node('b', 1),
        running('bare', 'a', 1, { ownerReferences: [] }),
        running('dns', 'a', 0, { namespace: 'kube-system' }),
        running('kept', 'a', 0, { annotations: { 'cluster-autoscaler.kubernetes.io/safe-to-evict': 'false' } }),
        running('cache', 'a', 0, {}, { volumes: [{ name: 'v', emptyDir: {} }] }),
        running('spared', 'a', 0, {
          ownerReferences: [],
          annotations: { 'cluster-autoscaler.kubernetes.io/safe-to-evict': 'true' },
        }),
        running('large', 'a', 3),
      ],
      'removable node/a = no',
    );
    assert.equal(answer, 'no, Cluster Autoscaler keeps it');
    assert.deepEqual(details, [
      'its pods request 50 % of its cpu: Cluster Autoscaler removes nodes below 50 %',
      'default/bare is not replicated',
      'non-daemonset, non-mirrored, non-pdb-assigned kube-system pod present: dns',
      'pod annotated as not safe to evict present: kept',
      'pod with local storage present: cache',
      '1 pod of 6 would find no other node: default/large',
    ]);
  });

  it('[SCA-7] says that one can go, and that nothing is known where no pool is', async () => {
    const nodes = [node('a', 8), node('b', 8), running('web', 'a', 1)];
    const { answer } = await asked([machines, ...nodes], 'removable node/a');
    assert.equal(answer, 'yes, Cluster Autoscaler would remove it');
    assert.equal((await asked(nodes, 'removable node/a')).answer, 'nothing says how this cluster grows');
    await assert.rejects(() =>
      asked([machines, ...nodes, workload('Deployment', 'x', 1, podSpec(1))], 'removable node/c'),
    );
  });
});
