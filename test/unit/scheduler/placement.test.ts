import { strict as assert } from 'node:assert';
import type {
  DeviceClass,
  KubeObject,
  NodeAffinity,
  NodeSelectorRequirement,
  PodSpec,
  ResourceClaim,
} from '../../../server/src/kubernetes/objects.ts';
import { latestRelease } from '../../../server/src/kubernetes/releases/index.ts';
import { defaultProfileOf, loadDevices } from '../../../server/src/scheduler/index.ts';
import { clusterOf, decideFits, decidePod, decideUnschedulable, node, pod } from './cluster-builder.ts';

/** The nodes that a pod with this spec fits on. */
function feasible(spec: Partial<PodSpec>): readonly string[] {
  const cluster = clusterOf(
    node('a', { labels: { disk: 'ssd', gen: '3' } }),
    node('b', { labels: { disk: 'hdd', gen: '12' } }),
    node('c', { labels: { gen: 'new' } }),
    pod('new', { spec }),
  );
  const decision = decidePod(cluster, 'new');
  return decision.kind === 'fits' ? decision.feasible : [];
}

function required(...terms: readonly (readonly NodeSelectorRequirement[])[]): Partial<PodSpec> {
  const nodeAffinity: NodeAffinity = {
    requiredDuringSchedulingIgnoredDuringExecution: {
      nodeSelectorTerms: terms.map((matchExpressions) => ({ matchExpressions })),
    },
  };
  return { affinity: { nodeAffinity } };
}

describe('placement on nodes', () => {
  // Source: RunScorePlugins in pkg/scheduler/framework/runtime/framework.go; leastRequestedScore calculates in int64
  it('ends the attempt where an amount beyond int64 makes a score of less than 0', () => {
    const cluster = clusterOf(node('a', { memory: '120Pi' }), node('b'), pod('new', { cpu: '4' }));
    const { message, failure, preemption } = decideUnschedulable(cluster, 'new');
    assert.equal(
      message,
      'applying score defaultWeights on Score plugins: plugin "NodeResourcesFit" returns an invalid score -18, it should in the range of [0, 100] after normalizing',
    );
    assert.deepEqual(failure, { errors: [message], feasible: ['a', 'b'], refusals: new Map() });
    assert.equal(preemption, null);
    // A node that is looked at alone is not scored.
    const alone = clusterOf(node('a', { memory: '120Pi' }), pod('new', { cpu: '4' }));
    assert.deepEqual(decideFits(alone, 'new').best, ['a']);
  });

  it('[PLA-1] takes only nodes that carry every label of nodeSelector', () => {
    assert.deepEqual(feasible({ nodeSelector: { disk: 'ssd' } }), ['a']);
    assert.deepEqual(feasible({ nodeSelector: { disk: 'ssd', gen: '12' } }), []);
  });

  it('[PLA-2] takes any term, but all expressions of a term', () => {
    const ssd = { key: 'disk', operator: 'In', values: ['ssd'] };
    const hdd = { key: 'disk', operator: 'In', values: ['hdd'] };
    assert.deepEqual(feasible(required([ssd], [hdd])), ['a', 'b']);
    assert.deepEqual(feasible(required([ssd, hdd])), []);
  });

  it('[PLA-2] weighs preferred terms', () => {
    const prefer = (weight: number, value: string) => ({
      weight,
      preference: { matchExpressions: [{ key: 'disk', operator: 'In', values: [value] }] },
    });
    const nodeAffinity = { preferredDuringSchedulingIgnoredDuringExecution: [prefer(80, 'ssd'), prefer(40, 'hdd')] };
    const cluster = clusterOf(
      node('a', { labels: { disk: 'ssd' } }),
      node('b', { labels: { disk: 'hdd' } }),
      node('c'),
      pod('new', { spec: { affinity: { nodeAffinity } } }),
    );
    const { scores, best } = decideFits(cluster, 'new');
    const at = scores!.plugins.indexOf('NodeAffinity');
    assert.deepEqual(
      ['a', 'b', 'c'].map((name) => scores!.byNode.get(name)![at]),
      [200, 100, 0],
    );
    assert.deepEqual(best, ['a']);
  });

  it('[PLA-2] narrows the nodes down by matchFields, and says so of the others', () => {
    const terms = [{ matchFields: [{ key: 'metadata.name', operator: 'In', values: ['n1'] }] }];
    const nodeAffinity = { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: terms } };
    const cluster = clusterOf(
      node('n1', { cpu: 1 }),
      node('n2'),
      pod('new', { cpu: '2', spec: { affinity: { nodeAffinity } } }),
    );
    assert.match(
      decideUnschedulable(cluster, 'new').message,
      /^0\/2 nodes are available: 1 Insufficient cpu, 1 node\(s\) didn't satisfy plugin\(s\) \[NodeAffinity\]\./,
    );
  });

  describe('of a pod that is nominated and names its nodes', () => {
    const terms = [{ matchFields: [{ key: 'metadata.name', operator: 'In', values: ['n1'] }] }];
    const nodeAffinity = { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: terms } };
    const nominatedTo = (nominatedNodeName: string, cpu: string): ReturnType<typeof pod> =>
      pod('new', { cpu, spec: { affinity: { nodeAffinity } }, status: { nominatedNodeName } });

    it('[PLA-2] the plugin that refused the nominated node is among those that the other nodes did not satisfy', () => {
      const cluster = clusterOf(node('n1', { cpu: 1 }), node('n2'), nominatedTo('n1', '2'));
      assert.match(
        decideUnschedulable(cluster, 'new').message,
        /^0\/2 nodes are available: 1 Insufficient cpu, 1 node\(s\) didn't satisfy plugin\(s\) \[NodeAffinity NodeResourcesFit\]\./,
      );
    });

    it('[PLA-2] the nominated node keeps what the filters said of it, though it is not among the nodes named', () => {
      const decision = decideUnschedulable(
        clusterOf(node('n1', { cpu: 1 }), node('n2'), node('n3'), nominatedTo('n2', '2')),
        'new',
      );
      assert.match(
        decision.message,
        /^0\/3 nodes are available: 1 Insufficient cpu, 1 node\(s\) didn't match Pod's node affinity\/selector, 1 node\(s\) didn't satisfy plugin\(s\) \[NodeAffinity\]\./,
      );
      assert.equal(decision.refusals.get('n2')?.plugin, 'NodeAffinity');
    });

    it('[PLA-2] and so it does when the pod fits on another node', () => {
      const { best, refusals } = decideFits(
        clusterOf(node('n1'), node('n2'), node('n3'), nominatedTo('n2', '2')),
        'new',
      );
      assert.deepEqual(best, ['n1']);
      assert.deepEqual([...refusals.keys()], ['n2']);
    });

    it('[PLA-2] while a nominated node that does not exist changes nothing', () => {
      const cluster = clusterOf(node('n1', { cpu: 1 }), node('n2'), nominatedTo('gone', '2'));
      assert.match(
        decideUnschedulable(cluster, 'new').message,
        /1 node\(s\) didn't satisfy plugin\(s\) \[NodeAffinity\]\./,
      );
    });
  });

  describe('by preferred terms that cannot be read', () => {
    const preference = { matchExpressions: [{ key: 'disks', operator: 'Gt', values: ['1.5'] }] };
    const nodeAffinity = { preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 1, preference }] };
    const unreadable = pod('new', { spec: { affinity: { nodeAffinity } } });

    it('[PLA-3] fails where nodes would have to be scored', () => {
      const { message, preemption, refusals } = decideUnschedulable(
        clusterOf(node('n1'), node('n2'), unreadable),
        'new',
      );
      assert.equal(
        message,
        'running PreScore plugin "NodeAffinity": [0].matchExpressions[0].values[0]: Invalid value: "1.5": ' +
          "for 'Gt', 'Lt' operators, the value must be an integer",
      );
      assert.equal(preemption, null);
      assert.equal(refusals.size, 0);
    });

    it('[PLA-3] names every value that it cannot read', () => {
      const preferences = [
        { matchExpressions: [{ key: 'disk', operator: 'In', values: ['ssd', 'a b'] }] },
        {
          matchExpressions: [
            { key: 'disk', operator: 'Exists' },
            { key: 'gen', operator: 'Lt', values: ['-1'] },
          ],
        },
      ];
      const preferredDuringSchedulingIgnoredDuringExecution = preferences.map((each) => ({
        weight: 1,
        preference: each,
      }));
      const spec = { affinity: { nodeAffinity: { preferredDuringSchedulingIgnoredDuringExecution } } };
      const { message } = decideUnschedulable(clusterOf(node('n1'), node('n2'), pod('new', { spec })), 'new');
      assert.match(
        message,
        /^running PreScore plugin "NodeAffinity": \[\[0\]\.matchExpressions\[0\]\.values\[1\]\[disk\]: Invalid value: "a b": a valid label must be .*, \[1\]\.matchExpressions\[1\]\.values\[0\]\[gen\]: Invalid value: "-1": a valid label .*\]$/,
      );
    });

    it('[PLA-3] takes the only node that fits', () => {
      assert.deepEqual(decideFits(clusterOf(node('n1'), unreadable), 'new').best, ['n1']);
    });
  });

  it('[PLA-3] knows every operator, and integers only for Gt and Lt', () => {
    const by = (operator: string, key: string, ...values: readonly string[]) =>
      feasible(required([{ key, operator, values }]));
    assert.deepEqual(by('NotIn', 'disk', 'ssd'), ['b', 'c']);
    assert.deepEqual(by('Exists', 'disk'), ['a', 'b']);
    assert.deepEqual(by('DoesNotExist', 'disk'), ['c']);
    assert.deepEqual(by('Gt', 'gen', '5'), ['b']);
    assert.deepEqual(by('Lt', 'gen', '5'), ['a']);
    assert.deepEqual(by('Gt', 'gen', '1.5'), []);
  });

  it('[PLA-4] wants nodeSelector and node affinity to hold', () => {
    const spec = required([{ key: 'gen', operator: 'Gt', values: ['1'] }]);
    assert.deepEqual(feasible({ ...spec, nodeSelector: { disk: 'hdd' } }), ['b']);
  });

  it('[PLA-5] [PLA-16] applies addedAffinity of the profile that the pod names, to no other pod', () => {
    const addedAffinity: NodeAffinity = {
      requiredDuringSchedulingIgnoredDuringExecution: {
        nodeSelectorTerms: [{ matchExpressions: [{ key: 'pool', operator: 'In', values: ['batch'] }] }],
      },
    };
    const batch = {
      ...defaultProfileOf(latestRelease),
      schedulerName: 'batch',
      args: { ...defaultProfileOf(latestRelease).args, NodeAffinity: { addedAffinity } },
    };
    const profiles = [defaultProfileOf(latestRelease), batch];
    const cluster = clusterOf(
      node('n1'),
      node('n2', { labels: { pool: 'batch' } }),
      pod('plain'),
      pod('special', { spec: { schedulerName: 'batch' } }),
    );
    assert.deepEqual(decideFits(cluster, 'plain', { profiles }).feasible, ['n1', 'n2']);
    const special = decideFits(cluster, 'special', { profiles });
    assert.deepEqual(special.feasible, ['n2']);
    assert.deepEqual(special.refusals.get('n1')?.reasons, ["node(s) didn't match scheduler-enforced node affinity"]);
    assert.equal(decidePod(cluster, 'special').kind, 'not-modelled');
  });

  it('[PLA-13] keeps pods off tainted nodes unless they tolerate the taint', () => {
    const taints = [{ key: 'dedicated', value: 'gpu', effect: 'NoSchedule' }];
    const cluster = clusterOf(
      node('n1', { spec: { taints } }),
      pod('plain'),
      pod('tolerant', { spec: { tolerations: [{ key: 'dedicated', operator: 'Exists' }] } }),
    );
    assert.match(decideUnschedulable(cluster, 'plain').message, /1 node\(s\) had untolerated taint\(s\)/);
    assert.equal(decideFits(cluster, 'tolerant').node, 'n1');
  });

  it('[PLA-13] reports a cordoned node as unschedulable, before its taint', () => {
    const taints = [{ key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule' }];
    const cluster = clusterOf(node('n1', { spec: { unschedulable: true, taints } }), pod('new'));
    assert.equal(decideUnschedulable(cluster, 'new').refusals.get('n1')?.plugin, 'NodeUnschedulable');
  });

  it('[GATE-1] does not look at a pod with gates', () => {
    const gates = [{ name: 'example.com/a' }, { name: 'example.com/b' }];
    const cluster = clusterOf(node('n1'), pod('gated', { spec: { schedulingGates: gates } }));
    const decision = decidePod(cluster, 'gated');
    assert.equal(decision.kind, 'gated');
    assert.equal(decision.message, 'waiting for scheduling gates: [example.com/a example.com/b]');
  });

  it('[GATE-3] schedules a pod whose gates are gone', () => {
    assert.equal(decideFits(clusterOf(node('n1'), pod('free', { spec: { schedulingGates: [] } })), 'free').node, 'n1');
  });

  it('treats no pod with resource claims as one without', async () => {
    const claim: ResourceClaim = {
      apiVersion: 'resource.k8s.io/v1',
      kind: 'ResourceClaim',
      metadata: { name: 'gpu', namespace: 'default' },
      spec: { devices: { requests: [{ name: 'r', exactly: { deviceClassName: 'gpu' } }] } },
    };
    const deviceClass: DeviceClass = {
      apiVersion: 'resource.k8s.io/v1',
      kind: 'DeviceClass',
      metadata: { name: 'gpu' },
      spec: {},
    };
    const wants = pod('claims', { spec: { resourceClaims: [{ name: 'gpu', resourceClaimName: 'gpu' }] } });
    const answer = (...objects: readonly KubeObject[]): string => {
      const decision = decidePod(clusterOf(node('n1'), wants, ...objects), 'claims');
      return decision.kind === 'unschedulable' ? decision.message : decision.kind;
    };
    await loadDevices();
    assert.equal(
      answer(claim, deviceClass),
      '0/1 nodes are available: 1 cannot allocate all claims. still not schedulable, preemption: 0/1 nodes are available: 1 Preemption is not helpful for scheduling.',
    );
    const end =
      'no new claims to deallocate, preemption: 0/1 nodes are available: 1 Preemption is not helpful for scheduling.';
    assert.equal(answer(), `0/1 nodes are available: could not find ResourceClaim "default/gpu". ${end}`);
    assert.equal(answer(claim), `0/1 nodes are available: request r: device class gpu does not exist. ${end}`);
    const allocation = {
      nodeSelector: {
        nodeSelectorTerms: [{ matchFields: [{ key: 'metadata.name', operator: 'In', values: ['n2'] }] }],
      },
    };
    assert.equal(
      answer({
        ...claim,
        status: { allocation, reservedFor: [{ name: 'x', resource: 'pods', uid: 'x' }] },
      } as ResourceClaim),
      '0/1 nodes are available: 1 resourceclaim not available on the node. still not schedulable, preemption: 0/1 nodes are available: 1 Preemption is not helpful for scheduling.',
    );
  });

  it('answers without nodes as upstream does', () => {
    assert.equal(decideUnschedulable(clusterOf(pod('new')), 'new').message, 'no nodes available to schedule pods');
  });

  it('says that the answer may vary where the real scheduler stops at some of the feasible nodes', () => {
    const nodes = Array.from({ length: 200 }, (_, i) => node(`n${i}`));
    const cluster = clusterOf(...nodes, pod('new'));
    assert.equal(decideFits(cluster, 'new').mayVary, true);
    const all = { ...defaultProfileOf(latestRelease), percentageOfNodesToScore: 100 };
    assert.equal(decideFits(cluster, 'new', { profiles: [all] }).mayVary, false);
  });

  it('ignores finished pods and pods of unknown nodes', () => {
    const cluster = clusterOf(
      node('n1', { cpu: 1 }),
      pod('done', { on: 'n1', cpu: '1', status: { phase: 'Succeeded' } }),
      pod('lost', { on: 'gone', cpu: '1' }),
      pod('new', { cpu: '1' }),
    );
    assert.equal(decideFits(cluster, 'new').node, 'n1');
    assert.deepEqual(
      cluster.orphans.map(({ key }) => key),
      ['default/lost'],
    );
  });

  it('lets hostile names and labels be just text', () => {
    const labels = JSON.parse('{"__proto__": "x", "constructor": "y"}') as Record<string, string>;
    const cluster = clusterOf(
      node('__proto__', { labels }),
      node('constructor', { labels: {} }),
      pod('new', { labels, spec: { nodeSelector: labels } }),
    );
    assert.deepEqual(decideFits(cluster, 'new').feasible, ['__proto__']);
  });
});
