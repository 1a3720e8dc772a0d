import { strict as assert } from 'node:assert';
import type { KubeObject } from '../../../server/src/kubernetes/objects.ts';
import { provisionFor } from '../../../server/src/scheduler/index.ts';
import { clusterOf, decideFits, node, pod } from './cluster-builder.ts';
import { claim, csiNode, podUsing, storageClass } from './plugins/volume-objects.ts';

const zone = 'topology.disk.example.com/zone';
const making = storageClass({ provisioner: 'disk.example.com' });
const selected = claim('c', { annotations: { 'volume.kubernetes.io/selected-node': 'n1' } });

/** Nodes that the second pod may go to, once the volume was made for the first on `n1`. */
function feasibleAfterwards(...objects: readonly KubeObject[]): readonly string[] {
  const nodes = ['a', 'a', 'b'].map((value, i) => node(`n${i + 1}`, { labels: { [zone]: value } }));
  const first = podUsing('first', ['c'], { on: 'n1' });
  const cluster = clusterOf(...nodes, ...objects, first, podUsing('p', ['c']));
  assert.deepEqual(decideFits(cluster, 'p').feasible, ['n1']);
  provisionFor(cluster, cluster.pod('default/first')!, cluster.node('n1')!);
  return decideFits(cluster, 'p').feasible;
}

describe('volumes that are made for a pod that was bound', () => {
  it('lie in the topology of its node, as the driver tells it', () => {
    const { spec, ...rest } = csiNode('n1', 9);
    const told = { ...rest, spec: { drivers: spec.drivers.map((each) => ({ ...each, topologyKeys: [zone] })) } };
    assert.deepEqual(feasibleAfterwards(making, told, selected), ['n1', 'n2']);
  });

  it('lie in the topologies of the class, where the driver tells nothing', () => {
    const inB = { matchLabelExpressions: [{ key: zone, values: ['b'] }] };
    const inA = { matchLabelExpressions: [{ key: zone, values: ['a'] }] };
    assert.deepEqual(feasibleAfterwards({ ...making, ...{ allowedTopologies: [inA] } }, selected), ['n1', 'n2']);
    assert.deepEqual(feasibleAfterwards({ ...making, ...{ allowedTopologies: [inA, inB] } }, selected), [
      'n1',
      'n2',
      'n3',
    ]);
  });

  it('are reached from everywhere, where nobody tells', () => {
    assert.deepEqual(feasibleAfterwards(making, selected), ['n1', 'n2', 'n3']);
  });

  it('are not made for claims of other nodes', () => {
    const cluster = clusterOf(
      node('n1'),
      node('n2'),
      making,
      selected,
      podUsing('first', ['c'], { on: 'n2' }),
      pod('p'),
    );
    provisionFor(cluster, cluster.pod('default/first')!, cluster.node('n2')!);
    assert.equal(cluster.objects.persistentVolumeClaims.get('default/c')?.spec?.volumeName, undefined);
  });
});
