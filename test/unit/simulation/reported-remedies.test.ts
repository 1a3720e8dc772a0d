import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { JsonObject } from '../../../server/src/kubernetes/json.ts';
import { runToEnd } from '../../../server/src/util/steps.ts';
import { simulate, simulateEvents, WorkspaceRuns, ArrivalPreviews } from '../../../server/src/simulation/index.ts';
import type { SimulationInput } from '../../../server/src/simulation/index.ts';
import { figuresOf } from '../../../server/src/simulation/report/answer/figures.ts';
import { input, node, pod, podSpec, priorityClass, running, workload } from './cluster-builder.ts';
import { growing, machines, nodePool, pendingLineOf, whatHelps } from './growing.ts';

const workspace = { kind: 'workspace' } as const;

/** What is proposed; where nothing can be pressed, what is advised. */
function helps(from: SimulationInput): readonly string[] {
  return whatHelps(runToEnd(simulate(from, workspace)), from);
}

/** How it ends when the proposal is tried as the command line has it. */
function pendingAfter(from: SimulationInput, whatIf: string): number {
  const runs = new WorkspaceRuns(from, new ArrivalPreviews(from));
  return figuresOf(runToEnd(runs.report(workspace, whatIf.split('; '))).answer).pending;
}

const tainted = (key: string, value: string): JsonObject => ({ taints: [{ key, value, effect: 'NoSchedule' }] });
const required = (term: JsonObject): JsonObject => ({
  affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [term] } } },
});
const spot = 'kubernetes.azure.com/scalesetpriority';

describe('what would help in situations that were reported', () => {
  it('[#34] tolerates the taint of a kind of nodes that the pod selects, and never that of the control plane', () => {
    const labels = { [spot]: 'spot' };
    const nodes = [node('system', 4), node('spot', 4, { labels, spec: tainted(spot, 'spot') })];
    const toleration = `tolerate deployment/default/web ${spot}=spot:NoSchedule`;
    const selecting = podSpec(1, { nodeSelector: labels });
    assert.deepEqual(helps(input([...nodes, workload('Deployment', 'web', 1, selecting)])), [toleration]);
    const term = { matchExpressions: [{ key: spot, operator: 'In', values: ['spot'] }] };
    const affine = workload('Deployment', 'web', 1, podSpec(1, required(term)));
    assert.deepEqual(helps(input([...nodes, affine])), [toleration]);
    const agent = workload('DaemonSet', 'agent', 0, selecting);
    assert.deepEqual(helps(input([...nodes, agent])), [`tolerate daemonset/default/agent ${spot}=spot:NoSchedule`]);
    const role = 'node-role.kubernetes.io/control-plane';
    const control = node('cp', 4, { labels: { [role]: '' }, spec: tainted(role, '') });
    const there = workload('Deployment', 'web', 1, podSpec(1, { nodeSelector: { [role]: '' } }));
    assert.doesNotMatch(helps(input([node('a', 1), control, there])).join(), /tolerate/);
  });

  it('[#34] opens a node that is large enough where all others are too small', () => {
    const big = node('big', 32, { spec: tainted('team', 'ml') });
    const [first] = helps(input([node('a', 2), big, workload('Deployment', 'web', 1, podSpec(16))]));
    assert.equal(first, 'tolerate deployment/default/web team=ml:NoSchedule');
  });

  it('[#34] makes room on a node that the pod asks for by name, and adds none like it', () => {
    const nodes = [node('a', 2), node('b', 8), running('other', 2, 'a', 0)];
    const advice =
      'make room on a, which it asks for by name: move or shrink pods that run there, or let it use other nodes';
    for (const term of [
      { matchFields: [{ key: 'metadata.name', operator: 'In', values: ['a'] }] },
      { matchExpressions: [{ key: 'kubernetes.io/hostname', operator: 'In', values: ['a'] }] },
    ]) {
      assert.deepEqual(helps(input([...nodes, pod('solo', 1, required(term))])), [advice]);
    }
    assert.deepEqual(helps(input([...nodes, pod('solo', 1, { nodeSelector: { 'kubernetes.io/hostname': 'a' } })])), [
      advice,
    ]);
  });

  it('[#34] deletes the pod of a StatefulSet that a mended template does not replace', () => {
    const set = workload('StatefulSet', 'db', 3, {
      ...podSpec(3),
      affinity: {
        podAntiAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: [
            { labelSelector: { matchLabels: { app: 'db' } }, topologyKey: 'kubernetes.io/hostname' },
          ],
        },
      },
    });
    const from = input([node('a', 4), node('b', 4), node('c', 4), running('other', 2, 'c', 0), set]);
    const mended = 'request statefulset/default/db cpu=2; delete pod/default/db-2';
    assert.ok(helps(from).includes(mended), helps(from).join());
    assert.equal(pendingAfter(from, mended), 0);
  });

  it('[#34] says that the template of a Job cannot be changed, and proposes no command that is refused', () => {
    const job = {
      apiVersion: 'batch/v1',
      kind: 'Job',
      metadata: { name: 'train', namespace: 'default' },
      spec: { template: { metadata: { labels: { app: 'train' } }, spec: podSpec(1, { restartPolicy: 'Never' }) } },
    };
    const labels = { team: 'ml' };
    const closed = node('a', 4, { labels, spec: tainted('team', 'ml') });
    const { template } = job.spec;
    const selecting = { ...job, spec: { template: { ...template, spec: { ...template.spec, nodeSelector: labels } } } };
    assert.deepEqual(helps(input([closed, selecting])), [
      'the template of a Job cannot be changed: kubectl delete job train -n default, then apply it with this: train tolerates team=ml, no pod pending',
    ]);
  });

  it('[#34] opens a pool and adds to it where its one node takes one of the pods', () => {
    const port = { ports: [{ containerPort: 80, hostPort: 8080 }] };
    const spec = podSpec(1, { nodeSelector: { team: 'x' } }) as { readonly containers: readonly JsonObject[] };
    const web = workload('Deployment', 'web', 2, { ...spec, containers: [{ ...spec.containers[0]!, ...port }] });
    const from = input([node('a', 4), node('x', 4, { labels: { team: 'x' }, spec: tainted('team', 'x') }), web]);
    const both = 'tolerate deployment/default/web team=x:NoSchedule; add 1 node like x';
    assert.equal(helps(from)[0], both);
    assert.equal(pendingAfter(from, both), 0);
  });

  it('[#34] adds nodes that have room for the DaemonSets that come with them', () => {
    const role = 'node-role.kubernetes.io/control-plane';
    const agent = workload('DaemonSet', 'agent', 0, podSpec(3));
    const from = input([node('cp', 8, { spec: tainted(role, '') }), agent, pod('solo', 2)]);
    const [first = ''] = helps(from);
    assert.match(first, /^add 1 node 8:/);
    assert.equal(pendingAfter(from, first), 0);
  });

  it('[#34] says what a DaemonSet may ask for at most, where it asks for far more than its nodes have', () => {
    const large = { containers: [{ name: 'main', image: 'app', resources: { requests: { cpu: '90' } } }] };
    assert.deepEqual(helps(input([node('a', 2), workload('DaemonSet', 'agent', 0, large)])), [
      'ask for at most 2 cpu, or select nodes that are larger',
    ]);
  });

  it('[#34] says of a smaller Deployment that its roll-out finds no room beside the old pods', () => {
    const from = input([node('a', 16), running('other', 7, 'a', 0), workload('Deployment', 'web', 2, podSpec(8))]);
    const [first, ...others] = helps(from);
    assert.equal(first, 'add 1 node like a');
    assert.deepEqual(others, []);
    const bound = workload('Deployment', 'web', 2, podSpec(8, { nodeSelector: { 'kubernetes.io/hostname': 'a' } }));
    assert.match(
      helps(input([node('a', 14), bound])).join(),
      /deploy it anew with this \(strategy Recreate\), as a roll-out finds no room beside the old pods: web asks for 6 cpu/,
    );
  });

  it('[#34] lets a pod go that is in the cluster, whose manifest no longer has the gate', () => {
    const applied = pod('solo', 1, { schedulingGates: [{ name: 'example.com/wait' }] });
    const metadata = applied['metadata'] as JsonObject;
    const stored = (annotations: JsonObject): JsonObject => ({
      ...applied,
      metadata: { ...metadata, uid: 'u', creationTimestamp: '2026-01-01T00:00:00Z', annotations },
      status: { phase: 'Pending' },
    });
    const noted = { 'kubectl.kubernetes.io/last-applied-configuration': JSON.stringify(applied) };
    const gatedWith = (annotations: JsonObject): number =>
      figuresOf(
        runToEnd(simulateEvents(input([pod('solo', 1)], [node('a', 4), stored(annotations)]), workspace, [])).answer,
      ).gated;
    assert.deepEqual([gatedWith(noted), gatedWith({})], [0, 1]);
    assert.deepEqual(helps(input([applied], [node('a', 4), stored({})])), [
      'ungate pod/default/solo',
      `in the cluster: kubectl patch pod solo -n default --type=json -p '[{"op":"remove","path":"/spec/schedulingGates"}]'`,
    ]);
  });

  it('[#34] gives no application the class of placeholders, whose eviction is what they are for', () => {
    const web = workload('Deployment', 'web', 1, podSpec(3));
    const balloon = running('balloon', 3, 'a', -5, { owner: 'ReplicaSet/balloon' });
    const from = input([priorityClass('placeholder', -5), node('a', 4), web], [balloon]);
    assert.deepEqual(
      helps(from).filter((each) => each.startsWith('priority')),
      [],
    );
  });

  it('[#34] [#39] raises two limits together where each helps half', async () => {
    const zone = 'topology.kubernetes.io/zone';
    const full = (name: string): JsonObject => ({
      ...machines(name, {
        'cluster.x-k8s.io/cluster-api-autoscaler-node-group-max-size': '1',
        'capacity.cluster-autoscaler.kubernetes.io/labels': `${zone}=${name}`,
      }),
      spec: { replicas: 1 },
    });
    const spread = {
      maxSkew: 1,
      topologyKey: zone,
      whenUnsatisfiable: 'DoNotSchedule',
      labelSelector: { matchLabels: { app: 'web' } },
    };
    const web = workload('Deployment', 'web', 4, podSpec(3, { topologySpreadConstraints: [spread] }));
    const from = await growing([full('a'), full('b'), web]);
    const report = runToEnd(simulateEvents(from, workspace, []));
    assert.equal(whatHelps(report, from)[0], 'limit machinedeployment/a nodes=2; limit machinedeployment/b nodes=2');
  });

  it('[#39] tells Cluster Autoscaler of volumes and claims, and what a pool would have to make', async () => {
    const zone = 'topology.kubernetes.io/zone';
    const inZone = (key: string, values: readonly string[]): JsonObject => ({
      required: { nodeSelectorTerms: [{ matchExpressions: [{ key, operator: 'In', values: [...values] }] }] },
    });
    const volume = {
      apiVersion: 'v1',
      kind: 'PersistentVolume',
      metadata: { name: 'disk' },
      spec: {
        capacity: { storage: '1Gi' },
        accessModes: ['ReadWriteOnce'],
        storageClassName: 'ssd',
        csi: { driver: 'csi.example.com', volumeHandle: 'disk' },
        claimRef: { namespace: 'default', name: 'data' },
        nodeAffinity: inZone(zone, ['c']),
      },
    };
    const claim = {
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      metadata: { name: 'data', namespace: 'default' },
      spec: {
        accessModes: ['ReadWriteOnce'],
        storageClassName: 'ssd',
        volumeName: 'disk',
        resources: { requests: { storage: '1Gi' } },
      },
      status: { phase: 'Bound' },
    };
    const volumes = [{ name: 'data', persistentVolumeClaim: { claimName: 'data' } }];
    const solo = pod('solo', 1, { volumes });
    const group = machines('a', { 'capacity.cluster-autoscaler.kubernetes.io/labels': `${zone}=a` });
    const grouped = await growing([node('n', 4, { labels: { [zone]: 'a' } }), group, volume, claim, solo]);
    const report = runToEnd(simulateEvents(grouped, workspace, []));
    assert.match(
      pendingLineOf(report) ?? '',
      /pod didn't trigger scale-up: 1 node\(s\) didn't match PersistentVolume's node affinity/,
    );
    assert.deepEqual(whatHelps(report, grouped), [
      `let a pool make nodes with ${zone}=c, where volume disk is, or restore a snapshot of it where nodes are`,
    ]);
    const near = nodePool('general', { requirements: [{ key: zone, operator: 'In', values: ['a', 'b'] }] });
    const selecting = pod('solo', 1, { volumes, nodeSelector: { 'karpenter.sh/nodepool': 'general' } });
    const pooled = await growing([near, volume, claim, selecting]);
    assert.deepEqual(whatHelps(runToEnd(simulateEvents(pooled, workspace, [])), pooled), [
      `let the requirements of a pool allow ${zone} c, where its volume is or may be made, or have the volume where a pool makes nodes`,
    ]);
  });
});
