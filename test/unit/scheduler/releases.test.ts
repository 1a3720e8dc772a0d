import { strict as assert } from 'node:assert';
import type { KubeObject, Pod } from '../../../server/src/kubernetes/objects.ts';
import { minors } from '../../../server/src/kit/minors.ts';
import type { Release } from '../../../server/src/kubernetes/release.ts';
import { releaseOf } from '../../../server/src/kubernetes/releases/index.ts';
import { loadDevices, defaultProfileOf } from '../../../server/src/scheduler/index.ts';
import { clusterIn, decideFits, decidePod, node, pod } from './cluster-builder.ts';

/** The answers of all releases to one question, oldest first. */
function inEach<T>(ask: (release: Release) => T): readonly T[] {
  return minors.map((minor) => ask(releaseOf(minor)));
}

function messageIn(release: Release, ...objects: readonly KubeObject[]): string {
  const decision = decidePod(clusterIn(release, ...objects), 'new');
  return 'message' in decision ? decision.message : decision.kind;
}

describe('releases of Kubernetes differ', () => {
  it('in the balance of resources: 1.36 scores what the pod changes of it', () => {
    const busy = pod('busy', { on: 'a', cpu: '2', memory: '1Gi' });
    const scores = inEach((release) => {
      const cluster = clusterIn(release, node('a'), node('b'), busy, pod('new', { cpu: '1', memory: '2Gi' }));
      const { scores } = decideFits(cluster, 'new');
      const column = scores!.plugins.indexOf('NodeResourcesBalancedAllocation');
      return ['a', 'b'].map((name) => scores!.byNode.get(name)?.[column]);
    });
    assert.deepEqual(scores, [
      [81, 100],
      [81, 100],
      [75, 75],
    ]);
  });

  it('in the column of DynamicResources, which 1.34 does not have', () => {
    const columns = inEach((release) =>
      decideFits(clusterIn(release, node('a'), node('b'), pod('new')), 'new').scores!.plugins.includes(
        'DynamicResources',
      ),
    );
    assert.deepEqual(columns, [false, true, true]);
  });

  it('in declared features: a node of 1.36 must declare that it can restart all containers', () => {
    const rules = [{ action: 'RestartAllContainers', exitCodes: { operator: 'In', values: [1] } }];
    const wants = pod('new', { container: { restartPolicy: 'Never', restartPolicyRules: rules } });
    const declaring = (...declaredFeatures: readonly string[]): KubeObject => {
      const plain = node('a');
      return { ...plain, status: { ...plain.status, declaredFeatures } } as KubeObject;
    };
    const kinds = (on: KubeObject): readonly string[] =>
      inEach((release) => decidePod(clusterIn(release, on, wants), 'new').kind);
    assert.deepEqual(kinds(node('a')), ['fits', 'fits', 'unschedulable']);
    assert.deepEqual(kinds(declaring('RestartAllContainersOnContainerExits')), ['fits', 'fits', 'fits']);
    // The lists are merged: behind a name out of order nothing is found.
    assert.equal(kinds(declaring('Zebra', 'RestartAllContainersOnContainerExits'))[2], 'unschedulable');
    assert.equal(
      messageIn(releaseOf('1.36'), node('a'), wants),
      "0/1 nodes are available: 1 node(s) didn't match Pod's required features. no new claims to deallocate, preemption: 0/1 nodes are available: 1 Preemption is not helpful for scheduling.",
    );
  });

  it('in a resource behind which there is a class of devices: 1.36 wants a device of it', async () => {
    await loadDevices();
    const deviceClass = {
      apiVersion: 'resource.k8s.io/v1',
      kind: 'DeviceClass',
      metadata: { name: 'gpu' },
      spec: { extendedResourceName: 'example.com/gpu' },
    } as KubeObject;
    const slice = {
      apiVersion: 'resource.k8s.io/v1',
      kind: 'ResourceSlice',
      metadata: { name: 's' },
      spec: {
        driver: 'gpu.example.com',
        nodeName: 'a',
        pool: { name: 'a', generation: 1, resourceSliceCount: 1 },
        devices: [{ name: 'gpu-0' }],
      },
    } as KubeObject;
    const wants = pod('new', { container: { resources: { requests: { 'example.com/gpu': '1' } } } });
    const messages = inEach((release) => messageIn(release, node('a'), deviceClass, wants));
    const plain =
      '0/1 nodes are available: 1 Insufficient example.com/gpu. no new claims to deallocate, preemption: 0/1 nodes are available: 1 Preemption is not helpful for scheduling.';
    assert.deepEqual(messages, [
      plain,
      plain,
      '0/1 nodes are available: 1 cannot allocate all claims. still not schedulable, preemption: 0/1 nodes are available: 1 Preemption is not helpful for scheduling.',
    ]);
    const withDevices = inEach((release) => decidePod(clusterIn(release, node('a'), deviceClass, slice, wants), 'new'));
    assert.deepEqual(
      withDevices.map(({ kind }) => kind),
      ['unschedulable', 'unschedulable', 'fits'],
    );
  });

  it('in image volumes, which count as images of the pod from 1.36 on', () => {
    const image = { names: ['model:v1'], sizeBytes: 900 * 1024 * 1024 };
    const plain = node('a');
    const has = { ...plain, status: { ...plain.status, images: [image] } } as KubeObject;
    const wants = pod('new', { spec: { volumes: [{ name: 'm', image: { reference: 'model:v1' } }] } });
    const best = inEach((release) => decideFits(clusterIn(release, has, node('b'), wants), 'new').best);
    assert.deepEqual(best, [['a', 'b'], ['a', 'b'], ['a']]);
  });

  it('in running pods whose resources as a whole were resized: 1.36 charges what was granted', () => {
    const resized: Pod = pod('resized', {
      on: 'a',
      spec: { resources: { requests: { cpu: '1' } } },
      status: { resources: { requests: { cpu: '3' } } },
    });
    const kinds = inEach(
      (release) => decidePod(clusterIn(release, node('a'), resized, pod('new', { cpu: '2' })), 'new').kind,
    );
    assert.deepEqual(kinds, ['fits', 'fits', 'unschedulable']);
  });

  it('in the nomination of a pod that fits nowhere where no plugin looks for victims', () => {
    const waiting = pod('new', { cpu: '8', status: { nominatedNodeName: 'a' } });
    const lost = inEach((release) => {
      const profile = defaultProfileOf(release);
      const profiles = [{ ...profile, enabled: { ...profile.enabled, postFilter: [] } }];
      const decision = decidePod(clusterIn(release, node('a'), waiting), 'new', { profiles });
      return decision.kind === 'unschedulable' && decision.losesNomination;
    });
    assert.deepEqual(lost, [false, true, true]);
  });

  it('in nothing that a pod without any of this would see', () => {
    const totals = inEach((release) => {
      const { scores } = decideFits(clusterIn(release, node('a'), node('b'), pod('new')), 'new');
      return [...scores!.totals];
    });
    assert.deepEqual(totals[0], totals[1]);
    assert.deepEqual(totals[1], totals[2]);
  });
});
