import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { runToEnd } from '../../../server/src/util/steps.ts';
import type { JsonObject } from '../../../server/src/kubernetes/json.ts';
import type { WholeReport } from '../../../server/src/report-model/report.ts';
import { simulateEvents } from '../../../server/src/simulation/index.ts';
import { headlineOf, node, podSpec, workload } from './cluster-builder.ts';
import { nodePool, machines, whatHelps, pendingLineOf, growing, grown } from './growing.ts';

describe('clusters that grow: groups of Cluster Autoscaler, and what is not known', () => {
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
      "a new node; Cluster Autoscaler adds none: pod didn't trigger scale-up: 1 max node group size reached (MachineDeployment/workers)",
    );
  });

  it('[SCA-5] takes the shape of a node that is there where the group does not write it', async () => {
    const bare = (name: string): JsonObject => ({
      apiVersion: 'cluster.x-k8s.io/v1beta1',
      kind: 'MachineDeployment',
      metadata: {
        name,
        annotations: {
          'cluster.x-k8s.io/cluster-api-autoscaler-node-group-min-size': '0',
          'cluster.x-k8s.io/cluster-api-autoscaler-node-group-max-size': '3',
        },
      },
      spec: { replicas: 1 },
    });
    const member = {
      ...node('m', 4),
      metadata: { name: 'm', labels: { disk: 'ssd' }, annotations: { 'cluster.x-k8s.io/owner-name': 'workers-x7k2p' } },
    };
    const web = workload('Deployment', 'web', 2, podSpec(3, { nodeSelector: { disk: 'ssd' } }));
    const report = await grown([bare('workers'), member, web]);
    assert.deepEqual(
      report.nodes.map(({ name, comes }) => [name, comes]),
      [
        ['m', undefined],
        ['workers+1', 60],
      ],
    );
    const unknown = await grown([bare('workers'), node('a', 1), workload('Deployment', 'web', 1, podSpec(3))]);
    // It may add one: nothing is claimed.
    assert.match(
      pendingLineOf(unknown) ?? '',
      /; whether MachineDeployment\/workers would make a node is not known: how large its nodes are is not written$/,
    );
  });

  it('#39 says of a group whose shape is not known what its labels and taints rule out, in the words of its tool', async () => {
    const shapeless = { 'capacity.cluster-autoscaler.kubernetes.io/cpu': '' };
    const key = 'capacity.cluster-autoscaler.kubernetes.io/';
    const said = async (annotations: JsonObject, spec: JsonObject = {}): Promise<string> =>
      pendingLineOf(
        await grown([
          machines('workers', { ...shapeless, ...annotations }),
          machines('small', { [`${key}cpu`]: '1' }),
          node('a', 1),
          workload('Deployment', 'web', 1, podSpec(3, spec)),
        ]),
      ) ?? '';
    assert.match(
      await said({ [`${key}taints`]: 'gpu=true:NoSchedule' }),
      /; Cluster Autoscaler adds no node: pod didn't trigger scale-up: 1 Insufficient cpu, 1 node\(s\) had untolerated taint\(s\) \(/,
    );
    assert.match(
      await said({ [`${key}labels`]: 'disk=hdd' }, { nodeSelector: { disk: 'ssd' } }),
      /: 2 node\(s\) didn't match Pod's node affinity\/selector \(/,
    );
    assert.match(
      await said({ [`${key}labels`]: 'disk=ssd' }, { nodeSelector: { disk: 'ssd' } }),
      /; whether MachineDeployment\/workers would make a node is not known: how large its nodes are is not written; MachineDeployment\/small makes no node: /,
    );
  });

  it('#39 reads of a node group of eksctl the types it mixes, the usual one, how it is bought, and Windows', async () => {
    const pendingWith = async (group: JsonObject, nodeSelector: JsonObject = {}, cpu = 3): Promise<string> => {
      const cluster = {
        apiVersion: 'eksctl.io/v1alpha5',
        kind: 'ClusterConfig',
        metadata: { name: 'prod', region: 'eu-west-1' },
        managedNodeGroups: [{ name: 'ng', minSize: 0, maxSize: 2, ...group }],
      };
      const web = workload('Deployment', 'web', 1, podSpec(cpu, { nodeSelector }));
      return pendingLineOf(await grown([cluster, node('a', 1), web]))?.replace(/^.*?; (?=whether|Cluster)/, '') ?? '';
    };
    const instancesDistribution = { instanceTypes: ['m6i.xlarge', 'm5.xlarge'] };
    assert.equal(await pendingWith({ instanceType: 'mixed', instancesDistribution }), '');
    // m5.large, which has 2 cpu.
    assert.match(await pendingWith({}), /: 1 Insufficient cpu \(nodegroup\/ng\)$/);
    assert.equal(await pendingWith({}, {}, 1.5), '');
    assert.match(
      await pendingWith({ instanceSelector: { vCPUs: 4 } }),
      /^whether nodegroup\/ng would make a node is not known/,
    );
    const bought = 'eks.amazonaws.com/capacityType';
    assert.equal(await pendingWith({ instanceType: 'm6i.xlarge', spot: true }, { [bought]: 'SPOT' }), '');
    assert.match(await pendingWith({ instanceType: 'm6i.xlarge' }, { [bought]: 'SPOT' }), /: 1 node\(s\) didn't match/);
    const windows = { instanceType: 'm6i.xlarge', amiFamily: 'WindowsServer2022FullContainer' };
    assert.match(await pendingWith(windows, { 'kubernetes.io/os': 'linux' }), /: 1 node\(s\) didn't match/);
    assert.match(
      await pendingWith(windows, { 'kubernetes.io/os': 'windows' }),
      /^whether nodegroup\/ng would make a node/,
    );
  });

  it('#39 lets nodes come as those that a pool has, where its types are not known, and says of no pod that none would', async () => {
    const nodeClassRef = { group: 'karpenter.azure.com', kind: 'AKSNodeClass', name: 'default' };
    const labels = {
      'karpenter.sh/nodepool': 'azure',
      'node.kubernetes.io/instance-type': 'Standard_D4s_v5',
      'topology.kubernetes.io/zone': 'westeurope-1',
    };
    const there = node('aks-1', 4, { labels, spec: { providerID: 'azure:///aks-1' } });
    const said = async (cpu: number, more: JsonObject = {}, spec: JsonObject = {}): Promise<WholeReport> =>
      grown([
        nodePool('azure', { nodeClassRef, requirements: [], ...more }),
        there,
        workload('Deployment', 'web', 3, podSpec(cpu, spec)),
      ]);
    const report = await said(3);
    assert.equal(
      headlineOf(report),
      'web is placed on aks-1, azure+1 and azure+2; no pod is evicted; 2 new nodes of NodePool azure come.',
    );
    assert.ok(
      report.assumptions
        .map(({ text }) => text)
        .some((text) => text.startsWith('new nodes of NodePool azure are as those that it has')),
    );
    const notKnown =
      /whether NodePool azure would make a node is not known: the instance types of AKSNodeClass default/;
    assert.match(pendingLineOf(await said(5)) ?? '', notKnown);
    const elsewhere = { nodeSelector: { 'topology.kubernetes.io/zone': 'westeurope-2' } };
    assert.match(pendingLineOf(await said(3, {}, elsewhere)) ?? '', notKnown);
    const tainted = await said(3, { taints: [{ key: 'x', effect: 'NoSchedule' }] });
    assert.match(pendingLineOf(tainted) ?? '', /NodePool azure makes no node: did not tolerate taint/);
  });

  it('#39 claims nothing of types that are not known, and says what the rest of the pool rules out', async () => {
    const nodeClassRef = { group: 'karpenter.azure.com', kind: 'AKSNodeClass', name: 'default' };
    const family = (operator: string, ...values: readonly string[]): JsonObject => ({
      key: 'karpenter.azure.com/sku-family',
      operator,
      values,
    });
    const said = async (pool: JsonObject, more: JsonObject = {}, spec: JsonObject = {}): Promise<string> => {
      const requirements = [family('In', 'D')];
      const report = await grown([
        nodePool('azure', { nodeClassRef, requirements, ...pool }, more),
        node('a', 1),
        workload('Deployment', 'web', 1, podSpec(2, spec)),
      ]);
      return (pendingLineOf(report) ?? '').replace(/^.*?; (?=whether|NodePool)/, '');
    };
    const unknown =
      'whether NodePool azure would make a node is not known: the instance types of AKSNodeClass default are not known here, only those of EC2 with Linux, on demand or spot';
    assert.equal(await said({}), unknown);
    assert.equal(
      await said({ nodeClassRef: {} }),
      'whether NodePool azure would make a node is not known: it names no node class',
    );
    assert.equal(await said({}, { limits: { cpu: '2' } }), unknown);
    assert.equal(await said({}, {}, { nodeSelector: { 'karpenter.azure.com/sku-cpu': '4' } }), unknown);
    assert.equal(await said({}, { limits: { cpu: '1' } }), 'NodePool azure makes no node: cpu: 0 of 1 used');
    assert.equal(
      await said({ taints: [{ key: 'x', effect: 'NoSchedule' }] }),
      'NodePool azure makes no node: did not tolerate taint (taint=x:NoSchedule)',
    );
    const key = 'karpenter.azure.com/sku-family';
    assert.equal(
      await said({}, {}, { nodeSelector: { [key]: 'N' } }),
      `NodePool azure makes no node: incompatible requirements, key ${key}, ${key} In [N] not in ${key} In [D]`,
    );
    const terms = ['N', 'D'].map((value) => ({ matchExpressions: [family('In', value)] }));
    const affinity = {
      nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: terms } },
    };
    assert.equal(await said({}, {}, { affinity }), unknown);
    assert.equal(
      await said({}, {}, { nodeSelector: { team: 'a' } }),
      'NodePool azure makes no node: incompatible requirements, label "team" does not have known values',
    );
  });

  it('#39 says of a ComputeClass that pods select that its machines are not known', async () => {
    const computeClass = {
      apiVersion: 'cloud.google.com/v1',
      kind: 'ComputeClass',
      metadata: { name: 'cheap' },
      spec: {},
    };
    const nodeSelector = { 'cloud.google.com/compute-class': 'cheap' };
    const web = workload('Deployment', 'web', 1, podSpec(2, { nodeSelector }));
    const input = await growing([computeClass, node('a', 1), web]);
    const report = runToEnd(simulateEvents(input, { kind: 'workspace' }, []));
    assert.match(pendingLineOf(report) ?? '', /; whether ComputeClass cheap would make a node is not known: /);
    assert.deepEqual(
      whatHelps(report, input).filter((each) => each.startsWith('add ')),
      [],
    );
  });

  it('[SCA-5] assumes the nodes that a group says it has, where nobody names a node', async () => {
    const group = { ...machines('workers', {}), spec: { replicas: 2 } };
    const report = await grown([group, workload('Deployment', 'web', 3, podSpec(3))]);
    assert.deepEqual(
      report.nodes.map(({ name, comes }) => [name, comes !== undefined]),
      [
        ['workers-a', false],
        ['workers-b', false],
      ],
    );
    assert.equal(report.answer.balance.pending, 1);
    assert.match(pendingLineOf(report) ?? '', /1 max node group size reached \(MachineDeployment\/workers\)$/);
  });

  it("[SCA-5] keeps the limits of OpenShift's ClusterAutoscaler and the flags of Cluster Autoscaler", async () => {
    const said = async (...more: readonly JsonObject[]): Promise<string> => {
      const objects = [machines('workers', {}), node('a', 1), workload('Deployment', 'web', 1, podSpec(3))];
      return pendingLineOf(await grown([...objects, ...more])) ?? '';
    };
    const ofOpenShift = (spec: JsonObject): JsonObject => ({
      apiVersion: 'autoscaling.openshift.io/v1',
      kind: 'ClusterAutoscaler',
      metadata: { name: 'default' },
      spec,
    });
    assert.equal(await said(ofOpenShift({ resourceLimits: { cores: { min: 0, max: 16 } } })), '');
    assert.match(
      await said(ofOpenShift({ resourceLimits: { cores: { min: 0, max: 4 } } })),
      /exceeded quota: .*resources: cpu/,
    );
    assert.match(await said(ofOpenShift({ podPriorityThreshold: 5 })), /priority is below 5 \(--expendable/);
    const flags = workload('Deployment', 'autoscaler', 1, {
      containers: [
        {
          name: 'a',
          image: 'registry.k8s.io/autoscaling/cluster-autoscaler:v1.34.0',
          command: ['./cluster-autoscaler', '--expendable-pods-priority-cutoff=7'],
        },
      ],
    });
    assert.match(await said(flags), /priority is below 7 \(--expendable/);
  });

  it('[SCA-5] asks the group first that the ConfigMap of the priority expander prefers', async () => {
    const priorities: JsonObject = {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'cluster-autoscaler-priority-expander', namespace: 'kube-system' },
      data: { priorities: '10: [".*small.*"]\n50: ["(large|huge)$"]\n' },
    };
    const large = { 'capacity.cluster-autoscaler.kubernetes.io/cpu': '64' };
    const objects = [machines('small', {}), machines('large', large), workload('Deployment', 'web', 1, podSpec(3))];
    const names = async (...more: readonly JsonObject[]): Promise<readonly string[]> =>
      (await grown([node('a', 1), ...objects, ...more])).nodes.map(({ name }) => name);
    assert.deepEqual(await names(), ['a', 'small+1']);
    assert.deepEqual(await names(priorities), ['a', 'large+1']);
    const scaler = workload('Deployment', 'scaler', 1, {
      containers: [{ name: 'c', image: 'cluster-autoscaler:v1.36.0', command: ['./ca', '--expander=priority'] }],
    });
    const isSaid = async (...more: readonly JsonObject[]): Promise<boolean> => {
      const { assumptions } = await grown([node('a', 1), ...objects, scaler, ...more]);
      return assumptions.some(({ text }) => text.includes('priorities that are not known'));
    };
    assert.deepEqual([await isSaid(), await isSaid(priorities)], [true, false]);
  });

  it('[SCA-4] counts the capacity that a NodeOverlay gives to types, the heaviest first', async () => {
    const overlay = (name: string, weight: number, fuse: string, more: readonly JsonObject[] = []): JsonObject => ({
      apiVersion: 'karpenter.sh/v1alpha1',
      kind: 'NodeOverlay',
      metadata: { name },
      spec: {
        weight,
        requirements: [{ key: 'karpenter.k8s.aws/instance-size', operator: 'In', values: ['xlarge'] }, ...more],
        capacity: { 'example.com/fuse': fuse },
      },
    });
    const resources = { requests: { cpu: '1', 'example.com/fuse': '3' }, limits: { 'example.com/fuse': '3' } };
    const spec = { containers: [{ name: 'c', image: 'a', resources }] };
    const come = async (...overlays: readonly JsonObject[]): Promise<readonly (readonly string[])[]> => {
      const report = await grown([
        nodePool('general'),
        node('a', 1),
        workload('Deployment', 'web', 1, spec),
        ...overlays,
      ]);
      return report.events.map(({ told }) => told);
    };
    assert.deepEqual(await come(), []);
    assert.deepEqual(await come(overlay('few', 1, '2')), []);
    assert.deepEqual(await come(overlay('few', 1, '2'), overlay('many', 2, '4')), [
      ['for 1 pod of Deployment default/web: 1 of 10 instance types fit (m6i.xlarge)'],
    ]);
    const other = { key: 'karpenter.sh/nodepool', operator: 'In', values: ['other'] };
    assert.deepEqual(await come(overlay('many', 2, '4', [other])), []);
  });
});
