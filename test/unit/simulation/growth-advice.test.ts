import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { runToEnd } from '../../../server/src/util/steps.ts';
import type { JsonObject } from '../../../server/src/kubernetes/json.ts';
import { compareRuns, simulateEvents } from '../../../server/src/simulation/index.ts';
import { findRemedies } from '../../../server/src/simulation/remedies/find-remedies.ts';
import { headlineOf, node, podSpec, workload } from './cluster-builder.ts';
import { nodePool, machines, whatHelps, pendingLineOf, growing, grown, apps } from './growing.ts';

describe('clusters that grow: what is proposed', () => {
  it('#34 is told of pools where no node is: which of them gives no node that the pod asks for, and what would help', async () => {
    const told = async (...objects: JsonObject[]): Promise<readonly [string, readonly string[]]> => {
      const from = await growing(objects);
      const report = runToEnd(simulateEvents(from, { kind: 'workspace' }, []));
      return [headlineOf(report), whatHelps(report, from)];
    };
    assert.deepEqual(await told(nodePool('default'), apps({ nodegroup: 'apps' })), [
      'web stays pending: NodePool default makes no node: incompatible requirements, label "nodegroup" does not have known values.',
      ['give the nodes of a pool the label nodegroup (spec.template.metadata.labels), or do not select it'],
    ]);
    const [headline, remedies] = await told(
      nodePool('gpu', { taints: [{ key: 'gpu', effect: 'NoSchedule' }] }),
      apps({ 'kubernetes.io/arch': 'amd64', 'karpenter.k8s.aws/instance-family': 'm6i' }),
    );
    assert.match(
      headline,
      /^web stays pending: NodePool gpu makes no node: did not tolerate taint \(taint=gpu:NoSchedule\)/,
    );
    assert.deepEqual(remedies, ['tolerate deployment/default/web gpu:NoSchedule']);
  });

  it('[#39] says what to select where Karpenter leaves the pod aside for what it selects', async () => {
    const told = async (nodeSelector: JsonObject): Promise<readonly string[]> => {
      const from = await growing([nodePool('default'), apps(nodeSelector)]);
      return whatHelps(runToEnd(simulateEvents(from, { kind: 'workspace' }, [])), from);
    };
    assert.deepEqual(await told({ 'karpenter.sh/capacity-type': 'ondemand' }), [
      'select one of on-demand, reserved and spot of karpenter.sh/capacity-type, and not ondemand',
    ]);
    assert.deepEqual(await told({ 'kubernetes.io/hostname': 'ip-10-0-0-1' }), [
      'do not select kubernetes.io/hostname: Karpenter makes no node for a pod that does, whatever its pools give',
    ]);
  });

  it('[#39] tells what DaemonSets take of a new node, which Karpenter adds to what the pod asks for', async () => {
    const small = nodePool('small', {
      requirements: [{ key: 'node.kubernetes.io/instance-type', operator: 'In', values: ['t3.medium'] }],
    });
    const web = workload('Deployment', 'web', 1, podSpec('1500m'));
    const reason = async (...more: JsonObject[]): Promise<string> =>
      pendingLineOf(await grown([small, web, ...more])) ?? '';
    assert.match(
      await reason(workload('DaemonSet', 'agent', 0, podSpec('500m'))),
      /resources=\{"cpu":"2",.*\}; of that the DaemonSets on each node ask for cpu=500m/,
    );
    assert.doesNotMatch(await reason(workload('Deployment', 'large', 1, podSpec(3))), /DaemonSets/);
  });

  it('[#39] names the pool that is meant, and advises nothing where the one that is selected may make a node', async () => {
    const compute = (name: string): JsonObject => ({
      apiVersion: 'cloud.google.com/v1',
      kind: 'ComputeClass',
      metadata: { name },
      spec: { priorities: [{ machineFamily: 'c4' }] },
    });
    const told = async (nodeSelector: JsonObject): Promise<readonly string[]> => {
      const from = await growing([compute('batch-jobs'), nodePool('general'), node('a', 1), apps(nodeSelector)]);
      return whatHelps(runToEnd(simulateEvents(from, { kind: 'workspace' }, [])), from);
    };
    const key = 'cloud.google.com/compute-class';
    assert.deepEqual(await told({ [key]: 'batch-job' }), [`select ${key}=batch-jobs, as the pool is called`]);
    assert.deepEqual(await told({ 'karpenter.sh/nodepool': 'genral' }), [
      'select karpenter.sh/nodepool=general, as the pool is called',
    ]);
    assert.deepEqual(await told({ [key]: 'batch-jobs' }), ['nothing is known that would help']);
  });

  it('[#39] offers no node by hand to a roll-out where pools make all nodes', async () => {
    const pool = nodePool('general', {}, { limits: { cpu: '8' } });
    const [earlier, now] = await Promise.all(
      [3, 7].map(async (cpu) => ({
        input: await growing([pool, workload('Deployment', 'web', 2, podSpec(cpu))]),
        events: [],
      })),
    );
    const { events, answer } = runToEnd(compareRuns(earlier!, now!, { kind: 'workspace' }, 'git HEAD'));
    assert.match(answer.headline, /its roll-out stops at 0 of 2/);
    const told = events.flatMap((event) => event.told).join('\n');
    assert.match(told, /Tried, and does not help/);
    assert.doesNotMatch(told, /1 node more/);
  });

  it('[#39] lets pods stay pending for a pool that makes no node of any kind, and says what of it is in the way', async () => {
    const told = async (
      values: readonly string[],
      minValues?: number,
    ): Promise<readonly [string, readonly string[]]> => {
      const family = {
        key: 'karpenter.k8s.aws/instance-family',
        operator: 'In',
        values,
        ...(minValues && { minValues }),
      };
      const from = await growing([
        nodePool('default', { requirements: [family] }),
        workload('Deployment', 'web', 1, podSpec(1)),
      ]);
      const report = runToEnd(simulateEvents(from, { kind: 'workspace' }, []));
      return [headlineOf(report), whatHelps(report, from)];
    };
    const fewer = ['lower minValues in the requirements of a pool, or let them allow more values that there are'];
    const [headline, helps] = await told(['m5', 'c5'], 3);
    assert.match(headline, /^web stays pending: NodePool default makes no node: ignoring nodepool, not ready/);
    assert.deepEqual(helps, fewer);
    assert.deepEqual(await told(['m5', 'c5', 'm6ii'], 3), [
      'web stays pending: NodePool default makes no node: NodePool requirements filtered out all compatible available instance types due to minValues incompatibility.',
      fewer,
    ]);
    assert.deepEqual(await told(['m6ii']), [
      'web stays pending: NodePool default makes no node: NodePool requirements filtered out all compatible available instance types.',
      ['let the requirements of a pool allow instance types that there are'],
    ]);
  });

  it('#39 does not advise to select labels that a pool gives where these are selected', async () => {
    const nodeClassRef = { group: 'karpenter.azure.com', kind: 'AKSNodeClass', name: 'default' };
    const web = workload('Deployment', 'web', 1, podSpec(2, { nodeSelector: { 'karpenter.sh/nodepool': 'azure' } }));
    const input = await growing([nodePool('azure', { nodeClassRef }), node('a', 1), web]);
    const report = runToEnd(simulateEvents(input, { kind: 'workspace' }, []));
    assert.deepEqual(
      whatHelps(report, input).filter((each) => each.startsWith('select labels')),
      [],
    );
    const misspelt = apps({ 'karpenter.sh/capacitytype': 'spot' });
    const other = await growing([nodePool('general'), node('a', 1), misspelt]);
    const helped = whatHelps(runToEnd(simulateEvents(other, { kind: 'workspace' }, [])), other);
    assert.match(helped.join(), /^select labels/);
  });

  it('[SCA-4] says on the line of a pending pod what each pool says', async () => {
    const tainted = nodePool('gpu', { taints: [{ key: 'nvidia.com/gpu', effect: 'NoSchedule' }] });
    const small = nodePool('small', {}, { limits: { cpu: '1' } });
    const none = nodePool('none', {
      requirements: [{ key: 'karpenter.k8s.aws/instance-family', operator: 'In', values: ['m6ii'] }],
    });
    const azure = nodePool('azure', {
      nodeClassRef: { group: 'karpenter.azure.com', kind: 'AKSNodeClass', name: 'a' },
    });
    const report = await grown([
      tainted,
      small,
      none,
      azure,
      node('a', 1),
      workload('Deployment', 'web', 1, podSpec(2)),
    ]);
    assert.equal(
      pendingLineOf(report),
      'it asks for 2 cpu; the largest node it may use has 1 cpu; ' +
        'NodePool small, the nearest of 4 pools, makes no node: all available instance types exceed limits for nodepool (NodePool=small); cpu: 0 of 1 used',
    );
    assert.deepEqual(
      report.nearestPools?.map(({ pool, pods }) => [pool, pods]),
      [['NodePool small', [0]]],
    );
  });

  it('#39 names the one requirement of a pool without which it would make a node, within its limits', async () => {
    const family = { key: 'karpenter.k8s.aws/instance-family', operator: 'In', values: ['m6i'] };
    const cores = { key: 'karpenter.k8s.aws/instance-cpu', operator: 'In', values: ['2', '4'] };
    const narrow = { requirements: [family, cores] };
    const lineWith = async (limits: JsonObject): Promise<string> => {
      const web = workload('Deployment', 'web', 1, podSpec(10));
      return pendingLineOf(await grown([nodePool('narrow', narrow, { limits }), node('a', 1), web])) ?? '';
    };
    assert.match(
      await lineWith({}),
      /makes no node: no instance type has enough resources, .*; without its requirement karpenter\.k8s\.aws\/instance-cpu 7 instance types would fit, the smallest m6i\.4xlarge$/,
    );
    assert.doesNotMatch(await lineWith({ cpu: '8' }), /without its requirement/);
  });

  it('[SCA-4] names a pool that cannot be used as the nearest where its labels are those that a pod asks for', async () => {
    const requirements = [{ key: 'topology.kubernetes.io/zone', operator: 'In', values: ['<<AZ>>'] }];
    const odcr = nodePool('odcr', { requirements });
    const spec = odcr['spec'] as { readonly template: JsonObject };
    const labelled = {
      ...odcr,
      spec: { template: { ...spec.template, metadata: { labels: { 'workload-type': 'odcr' } } } },
    };
    const others = ['a', 'b', 'c'].map((name) => nodePool(name));
    const web = workload('Deployment', 'web', 1, podSpec(2, { nodeSelector: { 'workload-type': 'odcr' } }));
    const report = await grown([...others, labelled, node('n', 1), web]);
    assert.match(
      pendingLineOf(report) ?? '',
      /; NodePool odcr makes no node: ignoring nodepool, not ready: invalid value: .*; NodePool c, NodePool b and NodePool a make no node: /,
    );
  });

  it('#39 advises what the nearest pool asks for, and names a pool that is written twice once', async () => {
    const labelled = (name: string, team: string, cpu: string): JsonObject => {
      const pool = nodePool(name, {}, { limits: { cpu } });
      const spec = pool['spec'] as { readonly template: JsonObject };
      return { ...pool, spec: { ...spec, template: { ...spec.template, metadata: { labels: { team } } } } };
    };
    const web = workload('Deployment', 'web', 1, podSpec(2, { nodeSelector: { team: 'a' } }));
    const input = await growing([
      labelled('a', 'a', '2'),
      labelled('b', 'b', '9'),
      labelled('b', 'b', '9'),
      node('n', 1),
      web,
    ]);
    const report = runToEnd(simulateEvents(input, { kind: 'workspace' }, []));
    assert.match(
      pendingLineOf(report) ?? '',
      /; NodePool a makes no node: .*; NodePool b makes no node: incompatible requirements, key team/,
    );
    const misplaced = 'let the requirements of a pool allow';
    assert.deepEqual(
      whatHelps(report, input).filter((each) => each.includes(misplaced)),
      [],
    );
  });

  it('#39 proposes nodes by hand where what is declared adds none', async () => {
    const template = {
      apiVersion: 'v1',
      kind: 'PodTemplate',
      metadata: { name: 't', namespace: 'default' },
      template: {},
    };
    const fixed = machines('fixed', { 'cluster.x-k8s.io/cluster-api-autoscaler-node-group-min-size': '2' });
    for (const object of [template, fixed]) {
      const input = await growing([object, node('a', 1), workload('Deployment', 'web', 1, podSpec(2))]);
      const report = runToEnd(simulateEvents(input, { kind: 'workspace' }, []));
      assert.match(whatHelps(report, input)[0] ?? '', /^add 1 node/);
    }
  });

  it('#39 proposes to tolerate the taint of a group, and says which of the pods of a line the tool speaks of', async () => {
    const closed = machines('closed', {
      'capacity.cluster-autoscaler.kubernetes.io/taints': 'example.com/a=b:NoSchedule',
    });
    const input = await growing([closed, node('a', 1), workload('Deployment', 'web', 1, podSpec(2))]);
    const report = runToEnd(simulateEvents(input, { kind: 'workspace' }, []));
    assert.deepEqual(whatHelps(report, input).slice(0, 1), [
      'tolerate deployment/default/web example.com/a=b:NoSchedule',
    ]);
  });

  it('[SCA-4] proposes the limit of a pool that would make a node then, as high as it has to be', async () => {
    const input = await growing([
      nodePool('general', {}, { limits: { cpu: '5', memory: '1000Gi' } }),
      nodePool('closed', { taints: [{ key: 'a', effect: 'NoSchedule' }] }, { limits: { cpu: '1' } }),
      node('a', 1),
      workload('Deployment', 'web', 3, podSpec(3)),
    ]);
    const report = runToEnd(simulateEvents(input, { kind: 'workspace' }, []));
    // One m6i.xlarge of 4 cpu has come.
    assert.deepEqual(
      report.limits?.map(({ pool, pods, amounts }) => [pool, pods.length, amounts]),
      [['nodepool/general', 2, [{ resource: 'cpu', used: '4', perNode: '4' }]]],
    );
    const [remedy] = runToEnd(findRemedies(report, input, { kind: 'workspace' }));
    assert.deepEqual(remedy?.whatIf, ['limit nodepool/general cpu=12']);
    assert.equal(remedy.label, 'general up to 12 cpu');
    assert.equal(remedy.figures?.pending, 0);
  });

  it('[SCA-4] proposes no limit where it is not what is in the way', async () => {
    const input = await growing([
      nodePool('closed', { taints: [{ key: 'a', effect: 'NoSchedule' }] }, { limits: { cpu: '1' } }),
      node('a', 1),
      workload('Deployment', 'web', 1, podSpec(3)),
    ]);
    const report = runToEnd(simulateEvents(input, { kind: 'workspace' }, []));
    assert.equal(report.limits, undefined);
    const remedies = runToEnd(findRemedies(report, input, { kind: 'workspace' }));
    assert.ok(remedies.every(({ whatIf }) => whatIf.every((operation) => !operation.startsWith('limit '))));
  });

  it('[SCA-5] proposes the maximum of a group that would take the pods then', async () => {
    const tainted = { 'capacity.cluster-autoscaler.kubernetes.io/taints': 'a=b:NoSchedule' };
    const input = await growing([
      machines('workers', {}),
      machines('closed', tainted),
      node('a', 1),
      workload('Deployment', 'web', 5, podSpec(3)),
    ]);
    const report = runToEnd(simulateEvents(input, { kind: 'workspace' }, []));
    assert.deepEqual(
      report.limits?.map(({ pool, pods, amounts }) => [pool, pods.length, amounts]),
      [['machinedeployment/workers', 3, [{ resource: 'nodes', used: '2', perNode: '1' }]]],
    );
    const [remedy] = runToEnd(findRemedies(report, input, { kind: 'workspace' }));
    assert.deepEqual(remedy?.whatIf, ['limit machinedeployment/workers nodes=5']);
    assert.equal(remedy.figures?.pending, 0);
  });

  it('[SCA-4] proposes to tolerate the taint of a pool that then makes a node, and no node by hand', async () => {
    const tolerations = async (key: string): Promise<readonly string[]> => {
      const tainted = nodePool('tainted', { taints: [{ key, effect: 'NoSchedule' }] });
      const input = await growing([tainted, node('a', 1), workload('Deployment', 'web', 1, podSpec(2))]);
      const report = runToEnd(simulateEvents(input, { kind: 'workspace' }, []));
      const operations = runToEnd(findRemedies(report, input, { kind: 'workspace' })).flatMap(({ whatIf }) => whatIf);
      assert.ok(operations.every((operation) => !operation.startsWith('add ')));
      return operations.filter((operation) => operation.startsWith('tolerate '));
    };
    assert.deepEqual(await tolerations('example.com/batch'), [
      'tolerate deployment/default/web example.com/batch:NoSchedule',
    ]);
    // #34: nobody takes a node with GPUs, or one of the addons, for what asks for none of it.
    assert.deepEqual(await tolerations('nvidia.com/gpu'), []);
    assert.deepEqual(await tolerations('CriticalAddonsOnly'), []);
  });
});
