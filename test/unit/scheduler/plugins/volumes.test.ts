import { strict as assert } from 'node:assert';
import type { KubeObject, Pod } from '../../../../server/src/kubernetes/objects.ts';
import { clusterOf, decideFits, decideUnschedulable, node, victimsOf } from '../cluster-builder.ts';
import {
  boundClaim,
  claim,
  csiNode,
  podUsing,
  podWith,
  type PodVolume,
  storageClass,
  volume,
} from './volume-objects.ts';

describe('VolumeRestrictions', () => {
  it('turns a pod down whose claim does not exist, before any node', () => {
    const { preFilter, message } = decideUnschedulable(clusterOf(node('n1'), podUsing('p', ['nope'])), 'p');
    assert.equal(preFilter?.plugin, 'VolumeRestrictions');
    assert.equal(message, '0/1 nodes are available: persistentvolumeclaim "nope" not found. not found');
  });

  describe('keeps disks that cannot be shared apart', () => {
    const gce = (pdName: string, readOnly = false): PodVolume => ({
      name: 'v',
      gcePersistentDisk: { pdName, readOnly },
    });
    const ebs = (volumeID: string): PodVolume => ({ name: 'v', awsElasticBlockStore: { volumeID, readOnly: true } });
    const iscsi = (iqn: string, readOnly = false): PodVolume => ({
      name: 'v',
      iscsi: { iqn, lun: 0, targetPortal: 'x', readOnly },
    });
    const rbd = (monitors: readonly string[], image: string, pool?: string, readOnly = false): PodVolume => ({
      name: 'v',
      rbd: { monitors, image, readOnly, ...(pool === undefined ? {} : { pool }) },
    });
    const cases: readonly {
      readonly what: string;
      readonly wanted: PodVolume;
      readonly taken: PodVolume;
      readonly fits: boolean;
    }[] = [
      { what: 'one GCE disk', wanted: gce('d'), taken: gce('d', true), fits: false },
      { what: 'one GCE disk, both read only', wanted: gce('d', true), taken: gce('d', true), fits: true },
      { what: 'two GCE disks', wanted: gce('d'), taken: gce('e'), fits: true },
      { what: 'one EBS volume, even read only', wanted: ebs('d'), taken: ebs('d'), fits: false },
      { what: 'one iSCSI target', wanted: iscsi('d'), taken: iscsi('d', true), fits: false },
      { what: 'one iSCSI target, both read only', wanted: iscsi('d', true), taken: iscsi('d', true), fits: true },
      {
        what: 'one RBD image with a monitor in common',
        wanted: rbd(['a', 'b'], 'i'),
        taken: rbd(['b', 'c'], 'i', 'rbd'),
        fits: false,
      },
      { what: 'RBD images of clusters apart', wanted: rbd(['a'], 'i'), taken: rbd(['b'], 'i'), fits: true },
      { what: 'RBD images of two pools', wanted: rbd(['a'], 'i', 'p'), taken: rbd(['a'], 'i', 'q'), fits: true },
    ];
    for (const { what, wanted, taken, fits } of cases) {
      it(`${what}: ${fits ? 'fits' : 'does not fit'}`, () => {
        const cluster = clusterOf(
          node('n1'),
          podWith('run', [taken], { on: 'n1', priority: 5 }),
          podWith('p', [wanted], { priority: 5 }),
        );
        if (fits) {
          assert.deepEqual(decideFits(cluster, 'p').feasible, ['n1']);
        } else {
          assert.deepEqual(decideUnschedulable(cluster, 'p').refusals.get('n1')?.reasons, [
            'node(s) had no available disk',
          ]);
        }
      });
    }

    it('by preemption too', () => {
      const cluster = clusterOf(
        node('n1'),
        podWith('run', [gce('d')], { on: 'n1' }),
        podWith('p', [gce('d')], { priority: 5 }),
      );
      assert.deepEqual(victimsOf(decideUnschedulable(cluster, 'p')), { n1: ['default/run'] });
    });
  });

  describe('lets one pod of the cluster use a ReadWriteOncePod claim', () => {
    const onePod = boundClaim('c', 'pv', { modes: ['ReadWriteOncePod'] });
    const objects = [node('n1'), node('n2'), onePod, volume('pv')];
    const inUse =
      'node(s) unavailable due to PersistentVolumeClaim with ReadWriteOncePod access mode ' +
      'already in-use by another pod';

    it('which blocks every node, and preemption helps on the one that runs it', () => {
      const cluster = clusterOf(
        ...objects,
        podUsing('run', ['c'], { on: 'n1' }),
        podUsing('p', ['c'], { priority: 5 }),
      );
      const decision = decideUnschedulable(cluster, 'p');
      for (const name of ['n1', 'n2']) {
        assert.deepEqual(decision.refusals.get(name)?.reasons, [inUse]);
      }
      assert.deepEqual(victimsOf(decision), { n1: ['default/run'] });
    });

    it('while a claim of that name in another namespace is another claim', () => {
      const other: Pod = podUsing('run', ['c'], { on: 'n1', metadata: { name: 'run', namespace: 'team' } });
      assert.deepEqual(decideFits(clusterOf(...objects, other, podUsing('p', ['c'])), 'p').feasible, ['n1', 'n2']);
    });

    it('but a dry run compares names only: a pod of another namespace looks like the way out', () => {
      const run = podUsing('run', ['c'], { on: 'n1', priority: 9 });
      const other = podUsing('run', ['c'], { on: 'n2', metadata: { name: 'run', namespace: 'team' } });
      const decision = decideUnschedulable(
        clusterOf(...objects, run, other, podUsing('p', ['c'], { priority: 5 })),
        'p',
      );
      assert.deepEqual(victimsOf(decision), { n2: ['team/run'] });
    });
  });
});

describe('NodeVolumeLimits', () => {
  const volumes = ['a', 'b', 'c'].flatMap((name): KubeObject[] => [
    boundClaim(name, `pv-${name}`),
    volume(`pv-${name}`),
  ]);
  const attachment = (name: string, nodeName: string, attacher = 'disk.example.com'): KubeObject => ({
    apiVersion: 'storage.k8s.io/v1',
    kind: 'VolumeAttachment',
    metadata: { name },
    ...{ spec: { attacher, nodeName, source: { persistentVolumeName: name } } },
  });
  const making = storageClass({ provisioner: 'disk.example.com' });
  const cases: readonly { readonly what: string; readonly objects: readonly KubeObject[]; readonly fits: boolean }[] = [
    {
      what: 'as many as the driver can attach',
      objects: [csiNode('n1', 3), podUsing('run', ['a'], { on: 'n1' }), podUsing('p', ['b', 'c'])],
      fits: true,
    },
    {
      what: 'one more',
      objects: [csiNode('n1', 2), podUsing('run', ['a'], { on: 'n1' }), podUsing('p', ['b', 'c'])],
      fits: false,
    },
    {
      what: 'a volume that is there already',
      objects: [csiNode('n1', 1), podUsing('run', ['a'], { on: 'n1' }), podUsing('p', ['a'])],
      fits: true,
    },
    { what: 'a volume used twice', objects: [csiNode('n1', 1), podUsing('p', ['a', 'a'])], fits: true },
    {
      what: 'a driver without a limit',
      objects: [
        { ...csiNode('n1', 0), ...{ spec: { drivers: [{ name: 'disk.example.com', nodeID: 'n1' }] } } },
        podUsing('p', ['a']),
      ],
      fits: true,
    },
    { what: 'a node without CSI', objects: [csiNode('n2', 0), podUsing('p', ['a'])], fits: true },
    {
      what: 'a volume still attached although its pod is gone',
      objects: [csiNode('n1', 1), attachment('pv-a', 'n1'), podUsing('p', ['b'])],
      fits: false,
    },
    {
      what: 'that volume itself, which counts as attached and as new',
      objects: [csiNode('n1', 1), attachment('pv-a', 'n1'), podUsing('p', ['a'])],
      fits: false,
    },
    {
      what: 'that volume while a pod uses it',
      objects: [csiNode('n1', 1), attachment('pv-a', 'n1'), podUsing('run', ['a'], { on: 'n1' }), podUsing('p', ['a'])],
      fits: true,
    },
    {
      what: 'a volume that another driver attached',
      objects: [csiNode('n1', 1), attachment('pv-a', 'n1', 'other.example.com'), podUsing('p', ['b'])],
      fits: true,
    },
    {
      what: 'an attachment whose volume does not exist',
      objects: [csiNode('n1', 1), attachment('pv-gone', 'n1'), podUsing('p', ['b'])],
      fits: true,
    },
    {
      what: 'a volume attached to another node',
      objects: [csiNode('n1', 1), attachment('pv-a', 'n2'), podUsing('p', ['b'])],
      fits: true,
    },
    {
      what: 'volumes that are yet to be made',
      objects: [csiNode('n1', 1), making, claim('x'), claim('y'), podUsing('p', ['x', 'y'])],
      fits: false,
    },
    {
      what: 'one volume that is yet to be made',
      objects: [csiNode('n1', 1), making, claim('x'), podUsing('p', ['x'])],
      fits: true,
    },
  ];
  for (const { what, objects, fits } of cases) {
    it(`${what}: ${fits ? 'fits' : 'does not fit'}`, () => {
      const cluster = clusterOf(node('n1'), ...volumes, ...objects);
      if (fits) {
        assert.deepEqual(decideFits(cluster, 'p').feasible, ['n1']);
        return;
      }
      const refusal = decideUnschedulable(cluster, 'p').refusals.get('n1');
      assert.deepEqual(refusal?.reasons, ['node(s) exceed max volume count']);
      assert.equal(refusal.code, 'Unschedulable');
    });
  }

  it('is met by preemption', () => {
    const objects = [csiNode('n1', 1), podUsing('run', ['a'], { on: 'n1' }), podUsing('p', ['b'], { priority: 5 })];
    const decision = decideUnschedulable(clusterOf(node('n1'), ...volumes, ...objects), 'p');
    assert.deepEqual(victimsOf(decision), { n1: ['default/run'] });
  });
});

describe('VolumeZone', () => {
  const zone = 'topology.kubernetes.io/zone';
  const betaZone = 'failure-domain.beta.kubernetes.io/zone';
  const region = 'topology.kubernetes.io/region';
  const cases: readonly {
    readonly what: string;
    readonly volume: Readonly<Record<string, string>>;
    readonly node: Readonly<Record<string, string>>;
    readonly fits: boolean;
  }[] = [
    { what: 'the same zone', volume: { [zone]: 'a' }, node: { [zone]: 'a' }, fits: true },
    { what: 'another zone', volume: { [zone]: 'a' }, node: { [zone]: 'b' }, fits: false },
    { what: 'one of several zones', volume: { [zone]: 'a__b' }, node: { [zone]: 'b' }, fits: true },
    {
      what: 'a list with an empty zone, which is not looked at',
      volume: { [zone]: 'a__' },
      node: { [zone]: 'b' },
      fits: true,
    },
    {
      what: 'an old label of the volume and a new one of the node',
      volume: { [betaZone]: 'a' },
      node: { [zone]: 'a' },
      fits: true,
    },
    {
      what: 'a new label of the volume and an old one of the node',
      volume: { [zone]: 'a' },
      node: { [betaZone]: 'a' },
      fits: false,
    },
    { what: 'a node that says its region only', volume: { [zone]: 'a' }, node: { [region]: 'r' }, fits: false },
    { what: 'a node that says nothing', volume: { [zone]: 'a' }, node: {}, fits: true },
    {
      what: 'another region',
      volume: { [zone]: 'a', [region]: 'r' },
      node: { [zone]: 'a', [region]: 's' },
      fits: false,
    },
  ];
  for (const { what, volume: labels, node: nodeLabels, fits } of cases) {
    it(`${what}: ${fits ? 'fits' : 'does not fit'}`, () => {
      const objects = [boundClaim('c', 'pv'), volume('pv', { labels }), podUsing('p', ['c'])];
      const cluster = clusterOf(node('n1', { labels: nodeLabels }), ...objects);
      if (fits) {
        assert.deepEqual(decideFits(cluster, 'p').feasible, ['n1']);
      } else {
        assert.deepEqual(decideUnschedulable(cluster, 'p').refusals.get('n1')?.reasons, [
          'node(s) had no available volume zone',
        ]);
      }
    });
  }

  it('is first to notice that a bound volume does not exist', () => {
    const { preFilter, message } = decideUnschedulable(
      clusterOf(node('n1'), boundClaim('c', 'gone'), podUsing('p', ['c'])),
      'p',
    );
    assert.equal(preFilter?.plugin, 'VolumeZone');
    assert.equal(message, '0/1 nodes are available: persistentvolume "gone" not found. not found');
  });
});
