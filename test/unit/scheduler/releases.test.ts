import { strict as assert } from 'node:assert';
import type { KubeObject, Pod } from '../../../server/src/kubernetes/objects.ts';
import { mergeMatchLabelKeys } from '../../../server/src/kubernetes/defaults/index.ts';
import { minors } from '../../../server/src/util/minors.ts';
import type { Release } from '../../../server/src/kubernetes/release.ts';
import { withGates } from '../../../server/src/kubernetes/feature-gates.ts';
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
      [75, 75],
    ]);
  });

  it('in the column of DynamicResources, which 1.34 does not have', () => {
    const columns = inEach((release) =>
      decideFits(clusterIn(release, node('a'), node('b'), pod('new')), 'new').scores!.plugins.includes(
        'DynamicResources',
      ),
    );
    assert.deepEqual(columns, [false, true, true, true]);
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
    assert.deepEqual(kinds(node('a')), ['fits', 'fits', 'unschedulable', 'unschedulable']);
    assert.deepEqual(kinds(declaring('RestartAllContainersOnContainerExits')), ['fits', 'fits', 'fits', 'fits']);
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
    const withoutDevice =
      '0/1 nodes are available: 1 cannot allocate all claims. still not schedulable, preemption: 0/1 nodes are available: 1 Preemption is not helpful for scheduling.';
    assert.deepEqual(messages, [plain, plain, withoutDevice, withoutDevice]);
    const withDevices = inEach((release) => decidePod(clusterIn(release, node('a'), deviceClass, slice, wants), 'new'));
    assert.deepEqual(
      withDevices.map(({ kind }) => kind),
      ['unschedulable', 'unschedulable', 'fits', 'fits'],
    );
  });

  it('in image volumes, which count as images of the pod from 1.36 on', () => {
    const image = { names: ['model:v1'], sizeBytes: 900 * 1024 * 1024 };
    const plain = node('a');
    const has = { ...plain, status: { ...plain.status, images: [image] } } as KubeObject;
    const wants = pod('new', { spec: { volumes: [{ name: 'm', image: { reference: 'model:v1' } }] } });
    const best = inEach((release) => decideFits(clusterIn(release, has, node('b'), wants), 'new').best);
    assert.deepEqual(best, [['a', 'b'], ['a', 'b'], ['a'], ['a']]);
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
    assert.deepEqual(kinds, ['fits', 'fits', 'unschedulable', 'unschedulable']);
  });

  // The following are published for 1.37, and not recorded: docs/maintainers/conformance.md.
  const before = ['1.34', '1.35', '1.36'] as const;

  it('in the message of a pod that preempts, which 1.37 ends with where (kubernetes#140180)', () => {
    const low = pod('low', { on: 'a', cpu: '3' });
    const high = pod('new', { cpu: '3', priority: 10 });
    const messages = inEach((release) => messageIn(release, node('a'), low, high));
    const plain = '0/1 nodes are available: 1 Insufficient cpu.';
    assert.deepEqual(messages, [
      ...before.map(() => plain),
      `${plain} preemption: found a potential placement for pod on node a, preempting 1 victims`,
    ]);
  });

  it('in what image volumes can reach: from 1.37 on no more than as many containers (kubernetes#138951)', () => {
    const image = { names: ['model:v1'], sizeBytes: 900 * 1024 * 1024 };
    const plain = node('a');
    const has = { ...plain, status: { ...plain.status, images: [image] } } as KubeObject;
    const wants = pod('new', { spec: { volumes: [{ name: 'm', image: { reference: 'model:v1' } }] } });
    const scores = inEach((release) => {
      const { scores: told } = decideFits(clusterIn(release, has, node('b'), wants), 'new');
      return told!.byNode.get('a')?.[told!.plugins.indexOf('ImageLocality')];
    });
    // 450 of 1000 MiB, and of 2000: (450 - 23) / (1000 - 23), (450 - 23) / (2000 - 23)
    assert.deepEqual(scores, [0, 0, 43, 21]);
  });

  it('in pods that are resized in place: 1.37 takes the largest of the whole pod (kubernetes#140047)', () => {
    const requests = (cpu: string) => ({ resources: { requests: { cpu } } });
    const resized: Pod = pod('resized', {
      on: 'a',
      spec: {
        containers: [
          { name: 'x', image: 'x', ...requests('1') },
          { name: 'y', image: 'y', ...requests('2') },
        ],
      },
      status: {
        containerStatuses: [
          { name: 'x', ...requests('2'), allocatedResources: { cpu: '2' } },
          { name: 'y', ...requests('1'), allocatedResources: { cpu: '1' } },
        ],
      } as unknown as NonNullable<Pod['status']>,
    });
    const kinds = inEach(
      (release) => decidePod(clusterIn(release, node('a'), resized, pod('new', { cpu: '1' })), 'new').kind,
    );
    // Wanted 3, granted 3, in force 3: of each container the larger it is 4.
    assert.deepEqual(kinds, [...before.map(() => 'unschedulable'), 'fits']);
  });

  it('in drivers that a node lacks: 1.37 keeps pods away where the driver wants it (kubernetes#135012)', () => {
    const driver = {
      apiVersion: 'storage.k8s.io/v1',
      kind: 'CSIDriver',
      metadata: { name: 'disk.example.com' },
      spec: { preventPodSchedulingIfMissing: true },
    } as KubeObject;
    const volume = {
      apiVersion: 'v1',
      kind: 'PersistentVolume',
      metadata: { name: 'v' },
      spec: {
        accessModes: ['ReadWriteOnce'],
        capacity: { storage: '1Gi' },
        csi: { driver: 'disk.example.com', volumeHandle: 'h' },
        claimRef: { namespace: 'default', name: 'c' },
      },
    } as KubeObject;
    const claim = {
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      metadata: { name: 'c', namespace: 'default', annotations: { 'pv.kubernetes.io/bind-completed': 'yes' } },
      spec: { accessModes: ['ReadWriteOnce'], volumeName: 'v', resources: { requests: { storage: '1Gi' } } },
      status: { phase: 'Bound' },
    } as KubeObject;
    const csiNode = {
      apiVersion: 'storage.k8s.io/v1',
      kind: 'CSINode',
      metadata: { name: 'b' },
      spec: { drivers: [{ name: 'disk.example.com', nodeID: 'b' }] },
    } as KubeObject;
    const wants = pod('new', { spec: { volumes: [{ name: 'd', persistentVolumeClaim: { claimName: 'c' } }] } });
    const objects = [driver, volume, claim, csiNode, wants];
    const alone = inEach((release) => messageIn(release, node('a'), ...objects));
    assert.deepEqual(alone.slice(0, 3), ['fits', 'fits', 'fits']);
    assert.match(
      alone[3]!,
      /^0\/1 nodes are available: 1 disk\.example\.com CSI driver is not installed on the node\./,
    );
    const best = inEach((release) => decideFits(clusterIn(release, node('a'), node('b'), ...objects), 'new').best);
    assert.deepEqual(best.at(-1), ['b']);
    const without = withGates(releaseOf('1.37'), new Map([['VolumeLimitScaling', false]]));
    assert.equal(messageIn(without, node('a'), ...objects), 'fits', 'the gate turns it off');
    // In 1.35 the driver has no say.
    const early = withGates(releaseOf('1.35'), new Map([['VolumeLimitScaling', true]]));
    const silent = [{ ...driver, spec: {} } as KubeObject, ...objects.slice(1)];
    assert.match(messageIn(early, node('a'), ...silent), /CSI driver is not installed on the node/);
    assert.equal(messageIn(releaseOf('1.37'), node('a'), ...silent), 'fits');
  });

  it('in the nomination of a pod with a gate: 1.37 holds its room (kubernetes#139057)', () => {
    const status = { nominatedNodeName: 'a' };
    const gated = pod('gated', { cpu: '3', priority: 10, status, spec: { schedulingGates: [{ name: 'x' }] } });
    const kinds = inEach(
      (release) => decidePod(clusterIn(release, node('a'), gated, pod('new', { cpu: '3' })), 'new').kind,
    );
    assert.deepEqual(kinds, [...before.map(() => 'fits'), 'unschedulable']);
  });

  it('in the storage that is left: 1.37 prefers the node with more of it (KEP 4049)', () => {
    const storageClass = {
      apiVersion: 'storage.k8s.io/v1',
      kind: 'StorageClass',
      metadata: { name: 'local' },
      provisioner: 'disk.example.com',
      volumeBindingMode: 'WaitForFirstConsumer',
    } as KubeObject;
    const driver = {
      apiVersion: 'storage.k8s.io/v1',
      kind: 'CSIDriver',
      metadata: { name: 'disk.example.com' },
      spec: { storageCapacity: true },
    } as KubeObject;
    const capacity = (on: string, size: string): KubeObject =>
      ({
        apiVersion: 'storage.k8s.io/v1',
        kind: 'CSIStorageCapacity',
        metadata: { name: on, namespace: 'kube-system' },
        storageClassName: 'local',
        nodeTopology: { matchLabels: { 'kubernetes.io/hostname': on } },
        capacity: size,
      }) as KubeObject;
    const claim = {
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      metadata: { name: 'c', namespace: 'default' },
      spec: { accessModes: ['ReadWriteOnce'], storageClassName: 'local', resources: { requests: { storage: '10Gi' } } },
    } as KubeObject;
    const wants = pod('new', { spec: { volumes: [{ name: 'd', persistentVolumeClaim: { claimName: 'c' } }] } });
    const objects = [storageClass, driver, capacity('a', '20Gi'), capacity('b', '100Gi'), claim, wants];
    const columns = inEach((release) => {
      const { scores } = decideFits(clusterIn(release, node('a'), node('b'), ...objects), 'new');
      const column = scores!.plugins.indexOf('VolumeBinding');
      return ['a', 'b'].map((name) => scores!.byNode.get(name)?.[column]);
    });
    assert.deepEqual(columns, [...before.map(() => [undefined, undefined]), [50, 90]]);
  });

  it('in nothing where the gate of numeric tolerations is off, and in values where it is on (KEP 5471)', () => {
    const taint = { key: 'sla', value: '950', effect: 'NoSchedule' };
    const toleration = { key: 'sla', operator: 'Gt', value: '900' };
    const objects = [node('a', { spec: { taints: [taint] } }), pod('new', { spec: { tolerations: [toleration] } })];
    const gates = new Map([['TaintTolerationComparisonOperators', true]]);
    const kinds = (on: boolean): readonly string[] =>
      inEach((release) => decidePod(clusterIn(on ? withGates(release, gates) : release, ...objects), 'new').kind);
    assert.ok(kinds(false).every((kind) => kind === 'unschedulable'));
    // 1.34 has no such gate.
    assert.deepEqual(kinds(true), ['unschedulable', 'fits', 'fits', 'fits']);
  });

  it('[#41] in the keys of spread constraints, which count where their gate is on (KEP 3243)', () => {
    const constraint = {
      maxSkew: 1,
      topologyKey: 'kubernetes.io/hostname',
      whenUnsatisfiable: 'DoNotSchedule',
      labelSelector: { matchLabels: { app: 'a' } },
      matchLabelKeys: ['pod-template-hash'],
    };
    const labels = (hash: string) => ({ app: 'a', 'pod-template-hash': hash });
    const host = (name: string) => node(name, { labels: { 'kubernetes.io/hostname': name } });
    // The old pod on a is of another template, so that both nodes are even; a is the only one with room.
    const old = pod('old', { on: 'a', labels: labels('1') });
    const next = mergeMatchLabelKeys(
      pod('new', { cpu: '2', labels: labels('2'), spec: { topologySpreadConstraints: [constraint] } }),
    );
    const full = pod('full', { on: 'b', cpu: '3' });
    const gates = new Map([['MatchLabelKeysInPodTopologySpread', false]]);
    const kinds = (off: boolean): readonly string[] =>
      inEach(
        (release) =>
          decidePod(clusterIn(off ? withGates(release, gates) : release, host('a'), host('b'), old, full, next), 'new')
            .kind,
      );
    assert.deepEqual([...new Set(kinds(false))], ['fits']);
    assert.deepEqual([...new Set(kinds(true))], ['unschedulable']);
  });

  it('in the nomination of a pod that fits nowhere where no plugin looks for victims', () => {
    const waiting = pod('new', { cpu: '8', status: { nominatedNodeName: 'a' } });
    const lost = inEach((release) => {
      const profile = defaultProfileOf(release);
      const profiles = [{ ...profile, enabled: { ...profile.enabled, postFilter: [] } }];
      const decision = decidePod(clusterIn(release, node('a'), waiting), 'new', { profiles });
      return decision.kind === 'unschedulable' && decision.losesNomination;
    });
    assert.deepEqual(lost, [false, true, true, true]);
  });

  it('in nothing that a pod without any of this would see', () => {
    const totals = inEach((release) => {
      const { scores } = decideFits(clusterIn(release, node('a'), node('b'), pod('new')), 'new');
      return [...scores!.totals];
    });
    assert.deepEqual(totals[0], totals[1]);
    assert.deepEqual(totals[1], totals[2]);
    assert.deepEqual(totals[2], totals[3]);
  });
});
