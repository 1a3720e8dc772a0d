import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { runToEnd } from '../../../server/src/util/steps.ts';
import { decodeObject } from '../../../server/src/kubernetes/decode/index.ts';
import type { JsonObject } from '../../../server/src/kubernetes/json.ts';
import { assumedText } from '../../../server/src/report-model/assumed.ts';
import type { WholeReport } from '../../../server/src/report-model/report.ts';
import { growthFor } from '../../../server/src/language/session/growth.ts';
import { ArrivalPreviews, compareRuns, type Scenario, simulateEvents } from '../../../server/src/simulation/index.ts';
import { overviewOf } from '../../../server/src/simulation/report/overview.ts';
import { causesOf } from '../../../server/src/simulation/compare/causes-of.ts';
import { outcomeWithGrowth } from '../../../server/src/simulation/scenario/simulate-scenario.ts';
import type { Operation } from '../../../server/src/simulation/operations/operation.ts';
import { parseOperation } from '../../../server/src/simulation/operations/parse-operation.ts';
import { growthAfterDrain } from '../../../server/src/simulation/scenario/drain-growth.ts';
import { headlineOf, node, placeOf, podOf, podSpec, priorityClass, workload } from './cluster-builder.ts';
import { nodePool, machines, whatHelps, pendingLineOf, growing, grown, apps } from './growing.ts';

const important: Scenario = { kind: 'workload', workloadKind: 'Deployment', namespace: 'default', name: 'web' };

const evicting = [
  node('a', 2),
  priorityClass('high', 1000),
  workload('Deployment', 'batch', 1, podSpec(2)),
  workload('Deployment', 'web', 1, podSpec(2, { priorityClassName: 'high' })),
];

describe('clusters that grow', () => {
  const since = async (
    before: readonly JsonObject[],
    now: readonly JsonObject[],
    whatIf: readonly string[] = [],
  ): Promise<WholeReport> => {
    const input = await growing(now);
    const events = whatIf.map((text) => ({ operation: parseOperation(text) as Operation, at: 0, text }));
    const earlier = { input: now === before ? input : await growing(before), events: [] };
    return runToEnd(compareRuns(earlier, { input, events }, { kind: 'workspace' }, 'git HEAD'));
  };

  const shop = (nodeSelector: JsonObject): JsonObject => workload('Deployment', 'web', 6, podSpec(3, { nodeSelector }));

  const team = (name: string): JsonObject => ({ 'example.com/team': name });

  const ofTeam = (name: string, more: JsonObject = {}): JsonObject => {
    const pool = nodePool('general', {}, more);
    const { template, ...spec } = pool['spec'] as { readonly template: JsonObject };
    return { ...pool, spec: { ...spec, template: { ...template, metadata: { labels: team(name) } } } };
  };

  const ofWeb = { scalableRef: { apiGroup: 'apps', kind: 'Deployment', name: 'web' } };
  const buffer = (spec: JsonObject): JsonObject => ({
    apiVersion: 'autoscaling.x-k8s.io/v1beta1',
    kind: 'CapacityBuffer',
    metadata: { name: 'room', namespace: 'default' },
    spec,
  });

  it('[SCA-4] says that a pool must give devices, where pools make the nodes', async () => {
    const gpus = { containers: [{ name: 'web', image: 'web:1', resources: { limits: { 'nvidia.com/gpu': '1' } } }] };
    const from = await growing([node('a', 2), nodePool('general'), workload('Deployment', 'web', 1, gpus)]);
    const report = runToEnd(simulateEvents(from, { kind: 'workspace' }, []));
    assert.deepEqual(whatHelps(report, from), [
      'let a pool make nodes that offer nvidia.com/gpu, or run its device plugin on a node that has the devices',
    ]);
  });

  it('[SCA-4] lets preemption come first, and the pool make a node for what was evicted', async () => {
    const report = await grown([nodePool('general'), ...evicting], important);
    assert.equal(headlineOf(report), 'web evicts batch; they come back on 1 new node of NodePool general.');
    // Next to those who come back: "they" are not the ones that stay pending.
    const runs = {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: {
        name: 'batch-5d8f7c9b4d-abcde',
        labels: { app: 'batch' },
        ownerReferences: [{ apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'batch-5d8f7c9b4d', controller: true }],
      },
      spec: podSpec(2, { nodeName: 'a' }),
      status: { phase: 'Running' },
    };
    const hopeless = workload('Deployment', 'huge', 1, podSpec(500));
    const beside = await grown([nodePool('general'), ...evicting, runs, hopeless]);
    assert.match(
      headlineOf(beside),
      /^web evicts batch; they come back on 1 new node of NodePool general; 1 pod stays pending\.$/,
    );
    const [event] = report.events;
    assert.deepEqual(event?.text, '1 node of NodePool general');
    assert.match(
      event.told.join(),
      /^for 1 pod of Deployment default\/batch: 9 of 10 instance types fit \(m6i\.xlarge, /,
    );
    const back = report.pods.find(({ name, after }) => name.startsWith('batch-') && after.state === 'running');
    assert.equal(report.nodes[back?.after.node ?? -1]?.name, 'general+1');
  });

  it('#39 says whether a CapacityBuffer would have saved what is evicted', async () => {
    const saved = /^keep room for 1 pod of web before: a CapacityBuffer, or placeholder pods of a lower priority$/;
    const helpWith = async (pool: JsonObject): Promise<readonly string[]> => {
      const input = await growing([pool, ...evicting]);
      return whatHelps(runToEnd(simulateEvents(input, important, [])), input, important);
    };
    const helped = await helpWith(nodePool('general'));
    assert.ok(
      helped.some((each) => saved.test(each)),
      helped.join(),
    );
    // Its types have no room for the pod.
    const small = [{ key: 'node.kubernetes.io/instance-type', operator: 'In', values: ['t3.small'] }];
    const none = await helpWith(nodePool('small', { requirements: small }));
    assert.ok(!none.some((each) => saved.test(each)), none.join());
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
      'a node of NodePool small; Karpenter makes none: all available instance types exceed limits for nodepool (NodePool=small); cpu: 0 of 1 used',
      'a node of NodePool gpu; Karpenter makes none: did not tolerate taint (taint=nvidia.com/gpu:NoSchedule)',
    ]);
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
      text: 'evicts 1, then 1 node of general',
      assumed: false,
    });
  });

  it('#39 names in the headline of a workload only nodes that come for it or for what it evicts', async () => {
    const disk = workload('Deployment', 'web', 1, podSpec(2, { nodeSelector: { disk: 'ssd' } }));
    const api = workload('Deployment', 'api', 1, podSpec(2));
    const report = await grown([nodePool('general'), node('a', 1), api, disk], important);
    assert.doesNotMatch(headlineOf(report), /new node/);
    const back = await grown([nodePool('general'), ...evicting, api], important);
    assert.match(headlineOf(back), /^web evicts api; 1 new node of NodePool general comes/);
  });

  it('[#39] shows pods in the side bar on the nodes that pools make for them, and says of the others why none comes', async () => {
    const held = workload('Deployment', 'large', 1, podSpec(500, { nodeSelector: { size: 'large' } }));
    const from = await growing([nodePool('general'), apps({}), held]);
    const { pending, nodes } = runToEnd(new ArrivalPreviews(from).inCluster(overviewOf));
    assert.deepEqual(
      pending.rows.map(({ name }) => name),
      ['large'],
    );
    assert.match(pending.rows[0]!.reason, /NodePool general makes no node: incompatible requirements/);
    assert.deepEqual(
      nodes.rows.map(({ name, requested }) => [name, requested['cpu']]),
      [['general+1', 1000]],
    );
  });

  it('#39 says above a workload only what comes for it and for what it evicts', async () => {
    const above = async (name: string, ...objects: readonly JsonObject[]): Promise<string> => {
      const scenario = { kind: 'workload', workloadKind: 'Deployment', namespace: 'default', name } as const;
      return runToEnd(new ArrivalPreviews(await growing(objects)).arrivalOf(scenario))?.text ?? '';
    };
    const others = [
      nodePool('general'),
      node('a', 1),
      workload('Deployment', 'api', 1, podSpec(2)),
      workload('Deployment', 'huge', 1, podSpec(500)),
    ];
    assert.equal(await above('api', ...others), 'fits on 1 node of general');
    assert.match(await above('huge', ...others), /^pending: /);
  });

  it('[SCA-4] says why no node comes, where all nodes are those that pools make, as the reason (#39)', async () => {
    const objects = [
      nodePool('general', {}, { limits: { cpu: '4' } }),
      nodePool('strict', { requirements: [{ key: 'size', operator: 'In', values: ['<<SIZE>>'] }] }),
      workload('Deployment', 'api', 1, podSpec(1)),
      workload('Deployment', 'large', 1, podSpec(3, { nodeSelector: { size: 'large' } })),
      workload('Deployment', 'web', 4, podSpec(3)),
    ];
    const report = await grown(objects);
    const { cause, groups } = report.answer;
    assert.match(
      cause,
      /^web finds no node: NodePool general makes no node: all available instance types exceed limits/,
    );
    const lines = groups.find(({ kind }) => kind === 'pending')!.lines;
    assert.deepEqual([...new Set(lines.map(({ name }) => name))], ['node pools']);
    assert.doesNotMatch(lines.map(({ then }) => then).join('\n'), /no node has|lack|free, on|regex/);
    const above = runToEnd(new ArrivalPreviews(await growing(objects)).arrivalOf({ ...important, name: 'large' }));
    assert.match(above!.text, /^pending: NodePool strict makes no node: ignoring nodepool, not ready: .* restricted; /);
  });

  it('[SCA-4] names the pool with the least in the way, whatever its weight', async () => {
    const taint = (key: string): JsonObject => ({ key, effect: 'NoSchedule' });
    const report = await grown([
      nodePool('heavy', { taints: [taint('a'), taint('b')] }, { weight: 50 }),
      nodePool('large', { taints: [taint('a'), taint('b'), taint('c')] }, { weight: 40 }),
      nodePool('near', { taints: [taint('c')] }),
      nodePool('full', { taints: [taint('d')] }, { limits: { cpu: '1' } }),
      node('a', 1),
      workload('Deployment', 'web', 1, podSpec(2)),
    ]);
    assert.match(
      pendingLineOf(report) ?? '',
      /; NodePool near, the nearest of 4 pools, makes no node: did not tolerate taint \(taint=c:NoSchedule\)$/,
    );
    const lines = report.decisions[report.pods[0]?.decision ?? -1]?.wouldHelp.slice(0, 4) ?? [];
    assert.deepEqual(
      lines.map((line) => /NodePool (\w+)/.exec(line)?.[1]),
      ['near', 'heavy', 'full', 'large'],
    );
  });

  it('#39 keeps a limit of nodes when several pods ask at once, and adds nodes by hand beside a static pool', async () => {
    const spread = { maxSkew: 1, topologyKey: 'kubernetes.io/hostname', whenUnsatisfiable: 'DoNotSchedule' };
    const labelSelector = { matchLabels: { app: 'web' } };
    const web = workload(
      'Deployment',
      'web',
      3,
      podSpec(1.5, { topologySpreadConstraints: [{ ...spread, labelSelector }] }),
    );
    const report = await grown([nodePool('general', {}, { limits: { nodes: '2' } }), node('a', 1), web]);
    assert.deepEqual(
      report.nodes.map(({ name }) => name),
      ['a', 'general+1', 'general+2'],
    );
    assert.match(
      pendingLineOf(report) ?? '',
      /node limits have been exhausted for nodepool \(NodePool=general\); nodes: 2 of 2/,
    );
    const input = await growing([
      nodePool('static', {}, { replicas: 2 }),
      node('a', 1),
      workload('Deployment', 'web', 1, podSpec(2)),
    ]);
    const pending = runToEnd(simulateEvents(input, { kind: 'workspace' }, []));
    assert.match(whatHelps(pending, input)[0] ?? '', /^add 1 node/);
  });

  it('#39 does not say that a pool would make a node for pods that Karpenter leaves out for their claims', async () => {
    const claims = { resourceClaims: [{ name: 'gpu', resourceClaimTemplateName: 'gpu' }] };
    const spec = podSpec(1, claims);
    const [container] = spec['containers'] as readonly JsonObject[];
    const resources = { ...(container!['resources'] as JsonObject), claims: [{ name: 'gpu' }] };
    const web = workload('Deployment', 'web', 1, { ...spec, containers: [{ ...container, resources }] });
    const request = { name: 'r', exactly: { deviceClassName: 'gpu' } };
    const template = {
      apiVersion: 'resource.k8s.io/v1',
      kind: 'ResourceClaimTemplate',
      metadata: { name: 'gpu', namespace: 'default' },
      spec: { spec: { devices: { requests: [request] } } },
    };
    const deviceClass = { apiVersion: 'resource.k8s.io/v1', kind: 'DeviceClass', metadata: { name: 'gpu' }, spec: {} };
    const report = await grown([nodePool('general'), node('a', 4), template, deviceClass, web]);
    assert.match(
      pendingLineOf(report) ?? '',
      /; Karpenter makes no node: pod has Dynamic Resource Allocation requirements that are not yet supported by Karpenter$/,
    );
  });

  it('#39 uses the first of NodePools of one name', async () => {
    const limited = (cpu: string): JsonObject => nodePool('general', {}, { limits: { cpu } });
    const report = await grown([
      limited('1'),
      limited('100'),
      node('a', 1),
      workload('Deployment', 'web', 1, podSpec(2)),
    ]);
    assert.match(pendingLineOf(report) ?? '', /; NodePool general makes no node: all available .*; cpu: 0 of 1 used/);
  });

  it('#39 counts what it takes to ask pools among what is tried', async () => {
    const pools = ['a', 'b'].map((name) => nodePool(name));
    const web = workload('Deployment', 'web', 3, podSpec(500));
    const { cost } = runToEnd(outcomeWithGrowth(await growing([...pools, node('n', 1), web]), { kind: 'workspace' }));
    assert.equal(cost, 50 * 2 * 3);
  });

  it('#39 assumes no nodes for a workload that is scaled from 0 and that a pool makes nodes for', async () => {
    const input = await growing([nodePool('general'), workload('Deployment', 'web', 0, podSpec(1))]);
    const scale = { operation: parseOperation('scale deployment/default/web 2') as Operation, at: 0, text: 'scale' };
    const report = runToEnd(simulateEvents(input, { kind: 'workspace' }, [scale]));
    assert.deepEqual(
      report.nodes.map(({ name }) => name),
      ['general+1'],
    );
  });

  it('#39 counts nodes that come among none that are known', async () => {
    const report = await grown([nodePool('general'), node('a', 4), workload('Deployment', 'web', 2, podSpec(3))]);
    assert.equal(report.nodes.length, 2);
    assert.ok(report.assumptions.some(({ text }) => text === '1 node from the manifests'));
  });

  it('#39 says that the cluster has as many nodes as it may have, and of whom it is that a priority is too low', async () => {
    const autoscaler = {
      apiVersion: 'autoscaling.openshift.io/v1',
      kind: 'ClusterAutoscaler',
      metadata: { name: 'default' },
      spec: { podPriorityThreshold: -5, resourceLimits: { maxNodesTotal: 2 } },
    };
    const report = await grown([
      autoscaler,
      machines('workers', {}),
      node('a', 1),
      priorityClass('low', -7),
      workload('Deployment', 'low', 1, podSpec(3, { priorityClassName: 'low' })),
      workload('Deployment', 'web', 2, podSpec(3)),
    ]);
    const line = pendingLineOf(report) ?? '';
    assert.match(line, /low: Cluster Autoscaler adds no node: its priority is below -5/);
    assert.match(line, /web: Cluster Autoscaler adds no node: max total nodes in cluster reached/);
  });

  it('[SCA-4] names the field of a pool that was changed as its manifest has it', async () => {
    const withLimit = (cpu: string) => growing([nodePool('general', {}, { limits: { cpu } })]);
    assert.deepEqual(
      causesOf(await withLimit('8'), await withLimit('24')).causes.map(({ object, field, old, new: now }) => [
        object,
        field,
        old,
        now,
      ]),
      [['NodePool/general', 'spec.limits.cpu', '8', '24']],
    );
  });

  it('[#39] applies a changed workload to a cluster in which pools have made the nodes that it runs on', async () => {
    const { answer, comparison } = await since([ofTeam('a'), shop(team('a'))], [ofTeam('a'), shop(team('b'))]);
    assert.match(answer.headline, /roll-out stops at 0 of 6: 3 new pods find no node beside the old ones, which go on/);
    assert.deepEqual(
      comparison?.pods.map(({ kind }) => kind).filter((kind) => kind === 'placed'),
      [],
    );
    const files = [ofTeam('a'), shop(team('a'))];
    const drained = await since(files, files, ['drain node/general+1']);
    assert.match(drained.answer.headline, /^Draining general\+1 evicts \d pods?; 1 new node of NodePool general comes/);
  });

  it('[#39] compares a changed pool as everything is deployed anew, and says why no node comes', async () => {
    const files = [ofTeam('a'), shop(team('a'))];
    const other = await since(files, [ofTeam('b'), shop(team('a'))]);
    assert.match(other.answer.headline, /^Changing the node labels of general leaves 6 more pods pending \(web\)/);
    assert.match(pendingLineOf(other) ?? '', /NodePool general makes no node: incompatible requirements/);
    assert.ok(other.assumptions.some(({ text }) => text.includes('deployed anew')));
    const limited = await since(files, [ofTeam('a', { limits: { cpu: '8' } }), shop(team('a'))]);
    assert.match(
      limited.answer.headline,
      /^Setting spec.limits.cpu of NodePool general to 8 leaves \d more pods? pending/,
    );
    assert.match(pendingLineOf(limited) ?? '', /exceed limits for nodepool/);
    const group = (cpu: string): JsonObject => {
      const workers = machines('workers', { 'capacity.cluster-autoscaler.kubernetes.io/cpu': cpu });
      return { ...workers, spec: { replicas: 1 } };
    };
    const smaller = await since([group('4'), shop({})], [group('2'), shop({})]);
    assert.match(smaller.answer.headline, /leaves \??\d more pods? pending \(web\)/);
    for (const each of [other, limited, smaller]) {
      assert.match(each.answer.headline, /; nodes and allocations that are there stay until they are replaced\.$/);
    }
    assert.match((await since(files, files, ['limit nodepool/general cpu=8'])).answer.headline, /more pods? pending/);
  });

  it('[SCA-4] keeps the limit of a pool whose nodes come one after the other', async () => {
    const pool = nodePool('general', {}, { limits: { cpu: '12' } });
    const report = await grown([pool, node('a', 1), workload('Deployment', 'web', 8, podSpec(3))]);
    const coming = report.nodes.filter(({ comes }) => comes !== undefined);
    // 8 and 4 cpu.
    assert.deepEqual([coming.length, report.answer.balance.pending], [2, 5]);
  });

  it('[SCA-4] assumes no nodes for pods that pools make nodes for, where nobody names a node', async () => {
    const web = workload('Deployment', 'web', 2, podSpec(3));
    const pool = nodePool('general');
    const report = await grown([pool, web]);
    assert.deepEqual(
      report.nodes.map(({ name, assumed }) => [name, assumed]),
      [['general+1', false]],
    );
    const tainted = nodePool('gpu', { taints: [{ key: 'gpu', effect: 'NoSchedule' }] });
    const apart = await grown([tainted, web]);
    assert.deepEqual(
      apart.nodes.map(({ name, assumed }) => [name, assumed]),
      ['a', 'b', 'c'].map((letter) => [`assumed-${letter}`, true]),
    );
    assert.equal(assumedText(apart), '? Assumed: 3 × 4 cpu/16 Gi beside the declared pools.');
    // Too small nodes of a pool are what a pod has to do with, beside DaemonSets, too.
    const large = workload('Deployment', 'large', 1, podSpec(3.9));
    const small = nodePool('general', {
      requirements: [{ key: 'node.kubernetes.io/instance-type', operator: 'In', values: ['m5.xlarge'] }],
    });
    const daemons = workload('DaemonSet', 'agent', 0, podSpec('200m'));
    const short = await grown([small, large, daemons]);
    assert.ok(short.nodes.every(({ assumed }) => !assumed));
    assert.match(pendingLineOf(short) ?? '', /NodePool general makes no node: no instance type has enough resources/);
    // Nobody gives the label, and no assumed node has it.
    const misspelt = workload(
      'Deployment',
      'job',
      1,
      podSpec(1, { nodeSelector: { 'karpenter.sh/nodepool': 'genral' } }),
    );
    const left = await grown([pool, web, misspelt]);
    assert.equal(left.answer.balance.pending, 1);
    assert.ok(left.nodes.every(({ assumed }) => !assumed));
  });

  it('[SCA-4] marks the nodes that come, and adds up those of a pool', async () => {
    const spread = { maxSkew: 1, topologyKey: 'kubernetes.io/hostname', whenUnsatisfiable: 'DoNotSchedule' };
    const spec = podSpec(3, {
      topologySpreadConstraints: [{ ...spread, labelSelector: { matchLabels: { app: 'web' } } }],
    });
    const pool = nodePool('general', {}, { limits: { cpu: '200' } });
    const report = await grown([pool, node('a', 1), workload('Deployment', 'web', 4, spec)]);
    assert.match(headlineOf(report), /; 4 new nodes of NodePool general come\.$/);
    assert.deepEqual(
      report.nodes.map(({ name, comes }) => [name, comes !== undefined]),
      [['a', false], ...[1, 2, 3, 4].map((each) => [`general+${each}`, true])],
    );
  });

  it('[SCA-4] is not asked for about more pods and pools than a run can wait for, and says so', async () => {
    const pools = Array.from({ length: 401 }, (_, at) => nodePool(`p${at}`));
    const report = await grown([node('a', 1), ...pools, workload('Deployment', 'web', 500, podSpec(2))]);
    assert.equal(report.nodes.length, 1);
    const said = report.assumptions.map(({ text }) => text);
    assert.ok(
      said.includes('not asked: 401 NodePools about 500 pending pods, which are too many at once'),
      said.join(),
    );
  });

  it('[SCA-4] says on which new nodes the pods of a drained node come back, and what that unblocks', async () => {
    const options = { ignoreDaemonSets: true, deleteEmptyDirData: false, force: false, disableEviction: false };
    const web = workload('Deployment', 'web', 2, podSpec(3));
    const after = async (...more: readonly JsonObject[]) =>
      runToEnd(
        growthAfterDrain(
          await growing([nodePool('general'), node('a', 4), node('b', 4), web, ...more]),
          ['a', 'b'],
          options,
        ),
      );
    const free = await after();
    assert.deepEqual(free?.comes, [
      { pool: 'NodePool general', nodes: 1, workloads: [{ kind: 'Deployment', namespace: 'default', name: 'web' }] },
    ]);
    assert.deepEqual(free.pending, []);
    const budget = {
      apiVersion: 'policy/v1',
      kind: 'PodDisruptionBudget',
      metadata: { name: 'web', namespace: 'default' },
      spec: { minAvailable: 1, selector: { matchLabels: { app: 'web' } } },
    };
    // The second is let go when the first is back, on a node that takes a minute to come.
    assert.ok((await after(budget))!.drainedAt! > 60);
  });

  it('[SCA-4] tells pods of a drained node that new nodes take from those that stay pending, and why they do', async () => {
    const options = { ignoreDaemonSets: true, deleteEmptyDirData: false, force: false, disableEviction: false };
    const important = podSpec(2, { priorityClassName: 'high' });
    const growth = runToEnd(
      growthAfterDrain(
        await growing([
          machines('workers', {}),
          node('a', 2),
          priorityClass('high', 1000),
          workload('Deployment', 'web', 1, important),
          workload('Deployment', 'batch', 3, podSpec(3)),
        ]),
        ['a'],
        options,
      ),
    );
    const left = growth!.pending;
    assert.ok(left.length > 0 && left.every(({ pod }) => pod.includes('/batch-')), JSON.stringify(left));
    assert.match(left[0]!.answers[0]!.text, /max node group size reached/);
  });

  it('[SCA-4] takes zones that only pods name for zones of the cluster', async () => {
    const pod = podSpec(2, { nodeSelector: { 'topology.kubernetes.io/zone': 'eu-west-1b' } });
    const report = await grown([nodePool('general'), workload('Deployment', 'web', 1, pod)]);
    assert.deepEqual(
      report.nodes.map(({ name }) => name),
      ['general+1'],
    );
  });

  it('[SCA-4] has the room of a CapacityBuffer before anything is deployed, so that no pod is evicted, and makes it anew', async () => {
    const report = await grown([nodePool('general'), ...evicting, buffer({ ...ofWeb, replicas: 1 })], important);
    assert.deepEqual(report.victims, []);
    assert.deepEqual(
      report.events.map(({ text, told }) => [text, told[0]?.replace(/:.*/, '')]),
      [
        ['1 node of NodePool general, which buffers hold', 'for 1 pod of CapacityBuffer default/room'],
        ['1 node of NodePool general', 'for 1 pod of CapacityBuffer default/room'],
      ],
    );
    assert.ok(
      report.assumptions.some(({ text }) => text === '1 CapacityBuffer holds room: default/room for 1 pod'),
      report.assumptions.map(({ text }) => text).join(),
    );
    assert.doesNotMatch(headlineOf(report), /new node/);
  });

  it('[SCA-4] reads how many pods a buffer holds room for: a share, limits, and those of a PodTemplate', async () => {
    const template = {
      apiVersion: 'v1',
      kind: 'PodTemplate',
      metadata: { name: 'small', namespace: 'default' },
      template: { spec: podSpec(1) },
    };
    const held = async (spec: JsonObject): Promise<string | undefined> => {
      const objects = [nodePool('general'), node('a', 64), template, workload('Deployment', 'web', 3, podSpec(2))];
      const { assumptions } = await grown([...objects, buffer(spec)]);
      return assumptions.map(({ text }) => text).find((text) => text.includes('CapacityBuffer'));
    };
    const room = (pods: string): string => `1 CapacityBuffer holds room: default/room for ${pods}`;
    assert.equal(await held({ ...ofWeb, percentage: 50 }), room('2 pods'));
    assert.equal(await held({ ...ofWeb, replicas: 9, limits: { cpu: '7' } }), room('3 pods'));
    assert.equal(await held({ podTemplateRef: { name: 'small' }, limits: { cpu: '4' } }), room('4 pods'));
    assert.equal(await held({ podTemplateRef: { name: 'other' }, replicas: 1 }), 'not counted: 1 CapacityBuffer');
    assert.equal(
      await held({ ...ofWeb, replicas: 1, provisioningStrategy: 'buffer.gke.io/standby-capacity' }),
      'not counted: 1 CapacityBuffer',
    );
  });

  it('[SCA-4] loads nothing where no pool is', async () => {
    const workspace = evicting.map((value) => ({ object: decodeObject(value).object }));
    assert.equal(await growthFor([workspace]), undefined);
  });
});
