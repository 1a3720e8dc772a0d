import { strict as assert } from 'node:assert';
import { clusterOf, decideFits, node, pod } from './cluster-builder.ts';

describe('cluster state', () => {
  const objects = [
    node('n1', { cpu: 2 }),
    node('n2', { cpu: 2 }),
    pod('a', { on: 'n1', cpu: '1' }),
    pod('new', { cpu: '2' }),
  ];

  it('keeps a branch apart from what it was made from, both ways', () => {
    const cluster = clusterOf(...objects);
    const branch = cluster.branch();
    branch.removeRunning('default/a');
    assert.deepEqual(decideFits(branch, 'new').feasible, ['n1', 'n2']);
    assert.deepEqual(decideFits(cluster, 'new').feasible, ['n2']);
    cluster.bind(cluster.arriving(pod('b', { cpu: '1' })), 'n2');
    assert.equal(cluster.node('n2')?.pods.length, 1);
    assert.equal(branch.node('n2')?.pods.length, 0);
    assert.equal(branch.pod('default/b'), undefined);
    assert.equal(cluster.pod('default/a')?.nodeName, 'n1');
  });

  it('counts pods by class as they come and go', () => {
    const cluster = clusterOf(
      node('n1'),
      node('n2'),
      ...['a', 'b', 'c'].map((name, i) => pod(name, { on: i < 2 ? 'n1' : 'n2', labels: { app: 'web' } })),
    );
    const podClass = cluster.pod('default/a')!.class;
    assert.equal(cluster.pod('default/c')!.class, podClass);
    const first = cluster.nodeSet.indexOf('n1')!;
    assert.equal(cluster.nodesOfClass(podClass).get(first), 2);
    const branch = cluster.branch();
    branch.markTerminating('default/a', true);
    branch.removeRunning('default/c');
    assert.deepEqual([...branch.nodesOfClass(podClass)], [[first, 1]]);
    assert.equal(branch.countOfClass(branch.pod('default/a')!.class), 1);
    assert.equal(cluster.countOfClass(podClass), 3);
  });

  it('moves the last pod into the gap, and an updated pod to the end', () => {
    const cluster = clusterOf(node('n1'), ...['a', 'b', 'c', 'd'].map((name) => pod(name, { on: 'n1' })));
    const order = (): string[] => cluster.node('n1')!.pods.map(({ name }) => name);
    assert.deepEqual(order(), ['a', 'b', 'c', 'd']);
    cluster.markTerminating('default/a', true);
    assert.deepEqual(order(), ['d', 'b', 'c', 'a']);
    cluster.removeRunning('default/b');
    assert.deepEqual(order(), ['d', 'a', 'c']);
  });

  it('lists nodes round robin over the zones, in the order of their names', () => {
    const zone = (name: string) => ({ 'topology.kubernetes.io/zone': name });
    const cluster = clusterOf(
      node('d', { labels: zone('b') }),
      node('c', { labels: zone('a') }),
      node('b', { labels: zone('a') }),
      node('a', { labels: zone('b') }),
    );
    assert.deepEqual(
      cluster.nodes.map(({ name }) => name),
      ['a', 'b', 'd', 'c'],
    );
  });

  it('sums amounts beyond doubles exactly, and goes back to doubles after', () => {
    const cluster = clusterOf(
      node('n1', { memory: '4Ei' }),
      pod('a', { on: 'n1', memory: '3Ei' }),
      pod('b', { on: 'n1', memory: '1' }),
    );
    assert.equal(cluster.node('n1')?.exact?.requested.memory, 3n * 2n ** 60n + 1n);
    const small = clusterOf(node('n1'), pod('a', { on: 'n1', memory: '3Ei' }), pod('b', { on: 'n1', memory: '1' }));
    small.removeRunning('default/a');
    assert.equal(small.node('n1')?.exact, null);
    assert.equal(small.node('n1')?.requestedMemory, 1);
  });

  it('frees a host port with the first of two pods that hold it', () => {
    const ports = [{ containerPort: 80, hostPort: 80 }];
    const cluster = clusterOf(
      node('n1'),
      pod('a', { on: 'n1', container: { ports } }),
      pod('b', { on: 'n1', container: { ports } }),
      pod('new', { container: { ports } }),
    );
    cluster.removeRunning('default/a');
    assert.equal(decideFits(cluster, 'new').node, 'n1');
  });
});
