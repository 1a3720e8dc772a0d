import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { WholeReport } from '../../../server/src/report-model/report.ts';
import { runToEnd } from '../../../server/src/util/steps.ts';
import type { JsonObject } from '../../../server/src/kubernetes/json.ts';
import {
  KnownPods,
  figuresOf,
  simulate,
  type Scenario,
  type SimulationInput,
} from '../../../server/src/simulation/index.ts';
import { outcomeOfCluster } from '../../../server/src/simulation/scenario/simulate.ts';
import { branchOf } from '../../../server/src/simulation/scenario/branch-of.ts';
import { assumedNodesFor } from '../../../server/src/simulation/cluster/assumed-nodes.ts';
import { buildCluster } from '../../../server/src/simulation/cluster/build-cluster.ts';
import { areNodesAssumed } from '../../../server/src/simulation/cluster/inventory.ts';
import { budget, input, node, pod, podSpec, priorityClass, running, workload } from './cluster-builder.ts';
import { loadSample } from './load-sample.ts';

const all: Scenario = { kind: 'workspace' };
/** Others come before it, and evict. */
const web: Scenario = { kind: 'workload', workloadKind: 'Deployment', namespace: 'default', name: 'web' };

function reportOf(given: SimulationInput, scenario: Scenario): WholeReport | null {
  try {
    return runToEnd(simulate(given, scenario));
  } catch (error) {
    // The workload is gone.
    assert.equal((error as Error).name, 'UnknownScenarioError', (error as Error).stack);
    return null;
  }
}

/** As it is written: what is worked out when it is read is read. */
function written(given: SimulationInput, scenario: Scenario): string {
  return JSON.stringify(reportOf(given, scenario));
}

/** The same, with nothing to share. */
function alone(branch: SimulationInput): SimulationInput {
  const { known: _known, basis: _basis, ...given } = branch;
  // Those that are assumed were before all operations.
  return areNodesAssumed(branch) ? { ...given, standIns: assumedNodesFor(branch) } : given;
}

const zone = 'topology.kubernetes.io/zone';
const nodes = ['a', 'b', 'c', 'd'];
const spread = {
  topologySpreadConstraints: [
    {
      maxSkew: 1,
      topologyKey: zone,
      whenUnsatisfiable: 'DoNotSchedule',
      labelSelector: { matchLabels: { app: 'web' } },
    },
  ],
};
const apart = {
  affinity: {
    podAntiAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: [
        { topologyKey: 'kubernetes.io/hostname', labelSelector: { matchLabels: { app: 'db' } } },
      ],
    },
  },
};

function object(apiVersion: string, kind: string, name: string, more: JsonObject): JsonObject {
  return { apiVersion, kind, metadata: { name, namespace: 'default' }, ...more };
}

function waits(name: string, cpu: string, owner: string): JsonObject {
  const { spec, status: _status, ...others } = running(name, cpu, 'a', 0, { owner });
  const { nodeName: _nodeName, ...rest } = spec as JsonObject;
  return { ...others, spec: rest };
}

const stateful = workload('StatefulSet', 'db', 2, podSpec('700m', apart));
const claim = {
  metadata: { name: 'data' },
  spec: { accessModes: ['ReadWriteOnce'], storageClassName: 'fast', resources: { requests: { storage: '1Gi' } } },
};

/** Some of everything that a cluster is put together from, in manifests and in a cluster. */
const manifests: readonly JsonObject[] = [
  priorityClass('high', 1000),
  priorityClass('low', 10, { globalDefault: true }),
  node('d', 3, { labels: { [zone]: 'z2' } }),
  workload('Deployment', 'web', 4, podSpec(1, { ...spread, terminationGracePeriodSeconds: 10 })),
  workload('Deployment', 'big', 2, podSpec(2, { priorityClassName: 'high' })),
  workload('Deployment', 'gated', 1, podSpec(1, { schedulingGates: [{ name: 'x' }] })),
  { ...stateful, spec: { ...(stateful['spec'] as JsonObject), volumeClaimTemplates: [claim] } },
  {
    apiVersion: 'storage.k8s.io/v1',
    kind: 'StorageClass',
    metadata: { name: 'fast' },
    provisioner: 'example.com/disk',
  },
  workload('DaemonSet', 'agent', 0, podSpec('100m')),
  budget('web', { app: 'web' }, { minAvailable: 2 }),
  pod('loose', '500m', { priorityClassName: 'high' }),
  pod('alike', '300m'),
  pod('bound', '200m', { nodeName: 'b' }),
  pod('lost', '200m', { nodeName: 'nowhere' }),
  object('v1', 'Service', 'web', { spec: { selector: { app: 'web' } } }),
  object('v1', 'LimitRange', 'limits', {
    spec: { limits: [{ type: 'Container', defaultRequest: { memory: '1Gi' } }] },
  }),
  { apiVersion: 'v1', kind: 'Pod', metadata: { generateName: 'made-' }, spec: podSpec('100m') },
];

const inCluster: readonly JsonObject[] = [
  ...['a', 'b', 'c'].map((name, at) => node(name, 4, { labels: { [zone]: `z${at % 2}` } })),
  running('web-1', 1, 'a', 0, { owner: 'Deployment/web', labels: { app: 'web' } }),
  running('web-2', 1, 'b', 0, { owner: 'Deployment/web', labels: { app: 'web' } }),
  running('db-0', '700m', 'c', 0, { owner: 'StatefulSet/db', labels: { app: 'db' } }),
  running('agent-a', '100m', 'a', 0, { owner: 'DaemonSet/agent', labels: { app: 'agent' } }),
  running('other-1', '500m', 'a', 5, { owner: 'ReplicaSet/other' }),
  running('other-2', '500m', 'c', 5, { owner: 'ReplicaSet/other' }),
  waits('other-3', '500m', 'ReplicaSet/other'),
  running('gone', 1, 'elsewhere', 0),
  // On a node that an operation adds.
  running('early', 1, 'a+1', 0),
  running('classed', '300m', 'b', 0, { spec: { priorityClassName: 'high', priority: null } }),
  running('alone', '300m', 'c', 7),
  budget(
    'other',
    { app: 'other-1' },
    { minAvailable: 1 },
    { disruptionsAllowed: 1, desiredHealthy: 1, expectedPods: 2 },
  ),
];

const owners = [
  'deployment/web',
  'deployment/big',
  'deployment/gated',
  'statefulset/db',
  'daemonset/agent',
  'pod/loose',
];
const anyNode = fc.constantFrom(...nodes);
const anyOwner = fc.constantFrom(...owners);
const operation = fc.oneof(
  fc.tuple(fc.constantFrom('cordon', 'uncordon', 'remove'), anyNode).map(([verb, name]) => `${verb} node/${name}`),
  fc
    .tuple(anyNode, fc.constantFrom(`${zone}=z1`, `${zone}=z9`, `${zone}-`, 'disk=ssd'))
    .map(([name, label]) => `label node/${name} ${label}`),
  anyNode.map((name) => `taint node/${name} x=y:NoSchedule`),
  fc.constantFrom('add 1 node like a', 'add 2 nodes 2:8Gi', 'add 1 node like node/d'),
  fc.constantFrom('budget pdb/default/web minAvailable=1', 'remove pdb/default/web', 'remove pdb/default/other'),
  fc.constantFrom('class high value=2', 'class low value=5000', 'class high preemptionPolicy=Never'),
  fc.tuple(anyOwner, fc.nat(5)).map(([owner, replicas]) => `scale ${owner} ${replicas}`),
  fc.tuple(fc.constantFrom('delete', 'finish', 'ungate'), anyOwner).map(([verb, owner]) => `${verb} ${owner}`),
  fc.constantFrom('web-1', 'other-2', 'other-3', 'alone', 'classed', 'bound').map((name) => `delete pod/${name}`),
  fc.constantFrom('delete replicaset/other', 'scale replicaset/other 1', 'finish pod/other-1'),
  fc.tuple(anyOwner, fc.constantFrom('high', 'low')).map(([owner, name]) => `priority ${owner} ${name}`),
  anyOwner.map((owner) => `request ${owner} cpu=1500m`),
  anyOwner.map((owner) => `tolerate ${owner} x=y:NoSchedule`),
);

describe('a scene after operations', () => {
  /** Tries operations on one input, one list after the other, as somebody at the report does. */
  function tried(given: SimulationInput, lists: readonly (readonly string[])[]): void {
    const shared: SimulationInput = { ...given, known: new KnownPods() };
    const first = written(shared, all);
    assert.equal(first, written(given, all));
    for (const texts of lists) {
      const said = texts.join(', ');
      for (const { input: branch, problem } of branchOf(shared, texts)) {
        if (problem !== '') continue;
        for (const scenario of [all, web]) {
          const report = reportOf(alone(branch), scenario);
          assert.equal(written(branch, scenario), JSON.stringify(report), said);
          if (report === null) continue;
          const { figures, attempts, pods } = runToEnd(outcomeOfCluster(runToEnd(buildCluster(branch)), scenario));
          const expected = { ...figuresOf(report.answer), attempts: report.steps.length, pods: report.pods.length };
          assert.deepEqual({ ...figures, attempts, pods }, expected, said);
        }
      }
      assert.equal(written(shared, all), first, `as it is, after ${said}`);
    }
  }

  const lists = fc.array(fc.array(operation, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 4 });

  it('is the one that is made anew, whatever was tried before, in whatever order', () => {
    fc.assert(
      fc.property(lists, (each) => {
        tried(input(manifests, inCluster), each);
      }),
      { numRuns: 25 },
    );
  });

  it('is the one that is made anew where all nodes are assumed', () => {
    const isNode = ({ kind }: JsonObject): boolean => kind === 'Node';
    const objects = manifests.filter((each) => !isNode(each));
    const onAssumed = lists.map((each) =>
      each.map((texts) => texts.map((text) => text.replace(/node\/[a-d]\b/, 'node/assumed-a'))),
    );
    fc.assert(
      fc.property(onAssumed, (each) => {
        tried(input(objects), each);
      }),
      { numRuns: 12 },
    );
  });

  it('is the one that is made anew in the online shop', () => {
    tried(loadSample(), [
      ['cordon node/general-a', 'scale deployment/shop/checkout 1'],
      ['class batch-standard value=150000'],
      ['priority deployment/shop/cart shop-critical', 'remove node/general-b', 'add 2 nodes like general-a'],
      ['remove pdb/shop-batch/search-indexer', 'delete deployment/shop-batch/thumbnailer'],
      ['label node/general-a topology.kubernetes.io/zone=x', 'cordon node/general-c'],
    ]);
  });
});
