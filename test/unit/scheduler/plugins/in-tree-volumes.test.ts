import { strict as assert } from 'node:assert';
import type { CSINode, KubeObject, PersistentVolume } from '../../../../server/src/kubernetes/objects.ts';
import type { Release } from '../../../../server/src/kubernetes/release.ts';
import { latestRelease } from '../../../../server/src/kubernetes/releases/index.ts';
import { v135 } from '../../../../server/src/kubernetes/releases/v1-35.ts';
import { clusterIn, clusterOf, decideFits, decideUnschedulable, node } from '../cluster-builder.ts';
import {
  boundClaim,
  claim,
  csiNode,
  podUsing,
  podWith,
  type PodVolume,
  storageClass,
  volume,
  type VolumeShape,
} from './volume-objects.ts';

const movedPlugins = 'storage.alpha.kubernetes.io/migrated-plugins';

/** A volume that has no other source than the shape's. */
function volumeOf(name: string, shape: VolumeShape): PersistentVolume {
  const made = volume(name, shape);
  const spec = Object.entries(made.spec ?? {}).filter(([key]) => key !== 'csi');
  return { ...made, spec: { ...Object.fromEntries(spec), ...shape.spec } };
}

describe('NodeVolumeLimits counts volumes of old plugins as those of the driver that took over', () => {
  const nodeOf = (driver: string, count: number, moved = ''): CSINode => ({
    ...csiNode('n1', 0, moved === '' ? {} : { [movedPlugins]: moved }),
    spec: { drivers: [{ name: driver, nodeID: 'n1', allocatable: { count } }] },
  });
  const withSource = (name: string, source: VolumeShape['spec'], labels = {}): readonly KubeObject[] => [
    boundClaim(`c-${name}`, name),
    volumeOf(name, { labels, spec: source }),
  ];
  const ebs = (volumeID: string): PodVolume => ({ name: 'v', awsElasticBlockStore: { volumeID } });
  const pd = (pdName: string): PodVolume => ({ name: 'v', gcePersistentDisk: { pdName } });
  const px: PodVolume = { name: 'v', portworxVolume: { volumeID: 'x' } };
  const ofClass = (provisioner: string): readonly KubeObject[] => [
    storageClass({ provisioner }),
    claim('x'),
    podUsing('p', ['x']),
  ];
  const zone = 'topology.kubernetes.io/zone';
  const azure = { diskName: 'd', diskURI: '/d' };
  const cases: readonly {
    readonly what: string;
    readonly objects: readonly KubeObject[];
    readonly fits: boolean;
    readonly release?: Release;
  }[] = [
    { what: 'an EBS volume', objects: [nodeOf('ebs.csi.aws.com', 0), podWith('p', [ebs('vol-1')])], fits: false },
    { what: 'a GCE disk', objects: [nodeOf('pd.csi.storage.gke.io', 0), podWith('p', [pd('d')])], fits: false },
    {
      what: 'a managed Azure disk',
      objects: [
        nodeOf('disk.csi.azure.com', 0),
        podWith('p', [{ name: 'v', azureDisk: { ...azure, kind: 'Managed' } }]),
      ],
      fits: false,
    },
    {
      what: 'a Cinder volume',
      objects: [nodeOf('cinder.csi.openstack.org', 0), podWith('p', [{ name: 'v', cinder: { volumeID: 'x' } }])],
      fits: false,
    },
    {
      what: 'a Portworx volume, where the node says that it moved',
      objects: [nodeOf('pxd.portworx.com', 0, 'kubernetes.io/portworx-volume'), podWith('p', [px])],
      fits: false,
    },
    {
      what: 'a Portworx volume, where the node does not say so',
      objects: [nodeOf('pxd.portworx.com', 0, 'kubernetes.io/aws-ebs'), podWith('p', [px])],
      fits: false,
    },
    {
      what: 'a Portworx volume of 1.35, where the node does not say so',
      objects: [nodeOf('pxd.portworx.com', 0, 'kubernetes.io/aws-ebs'), podWith('p', [px])],
      release: v135,
      fits: true,
    },
    {
      what: 'a vSphere volume, which is never counted',
      objects: [
        nodeOf('csi.vsphere.vmware.com', 0, 'kubernetes.io/vsphere-volume'),
        podWith('p', [{ name: 'v', vsphereVolume: { volumePath: 'x' } }]),
      ],
      fits: true,
    },
    {
      what: 'an EBS volume named in two ways, which is one',
      objects: [
        nodeOf('ebs.csi.aws.com', 1),
        ...withSource('old', { awsElasticBlockStore: { volumeID: 'aws://us-east-1a/vol-1' } }),
        podUsing('run', ['c-old'], { on: 'n1' }),
        podWith('p', [ebs('vol-1')]),
      ],
      fits: true,
    },
    {
      what: 'a GCE disk whose zone is known once, and not known the other time',
      objects: [
        nodeOf('pd.csi.storage.gke.io', 1),
        ...withSource('old', { gcePersistentDisk: { pdName: 'd', readOnly: true } }, { [zone]: 'us-central1-a' }),
        podUsing('run', ['c-old'], { on: 'n1' }),
        podWith('p', [pd('d')]),
      ],
      fits: false,
    },
    {
      what: 'a GCE disk of two zones, and the same in the words of the driver',
      objects: [
        nodeOf('pd.csi.storage.gke.io', 1),
        ...withSource('old', { gcePersistentDisk: { pdName: 'd' } }, { [zone]: 'us-central1-a__us-central1-b' }),
        ...withSource('new', {
          csi: {
            driver: 'pd.csi.storage.gke.io',
            volumeHandle: 'projects/UNSPECIFIED/regions/us-central1/disks/d',
          },
        }),
        podUsing('run', ['c-new'], { on: 'n1' }),
        podUsing('p', ['c-old']),
      ],
      fits: true,
    },
    {
      what: 'a GCE disk of zones in two regions, which has no name',
      objects: [
        nodeOf('pd.csi.storage.gke.io', 0),
        ...withSource('old', { gcePersistentDisk: { pdName: 'd' } }, { [zone]: 'us-central1-a__us-east1-b' }),
        podUsing('p', ['c-old']),
      ],
      fits: true,
    },
    {
      what: 'an attachment of an old volume, which is not looked at',
      objects: [
        nodeOf('ebs.csi.aws.com', 1),
        ...withSource('old', { awsElasticBlockStore: { volumeID: 'vol-1' } }),
        {
          kind: 'VolumeAttachment',
          metadata: { name: 'old' },
          ...{ spec: { attacher: 'ebs.csi.aws.com', nodeName: 'n1', source: { persistentVolumeName: 'old' } } },
        },
        podWith('p', [ebs('vol-2')]),
      ],
      fits: true,
    },
    {
      what: 'a volume that an old provisioner will make',
      objects: [nodeOf('ebs.csi.aws.com', 0), ...ofClass('kubernetes.io/aws-ebs')],
      fits: false,
    },
    {
      what: 'a volume that a provisioner makes which never moved',
      objects: [nodeOf('kubernetes.io/azure-file', 0), ...ofClass('kubernetes.io/azure-file')],
      fits: true,
    },
  ];
  for (const { what, objects, fits, release = latestRelease } of cases) {
    it(`${what}: ${fits ? 'fits' : 'does not fit'}`, () => {
      const cluster = clusterIn(release, node('n1'), ...objects);
      if (fits) {
        assert.deepEqual(decideFits(cluster, 'p').feasible, ['n1']);
      } else {
        assert.deepEqual(decideUnschedulable(cluster, 'p').refusals.get('n1')?.reasons, [
          'node(s) exceed max volume count',
        ]);
      }
    });
  }
});

// Source: filterAttachableVolumes, checkAttachableInlineVolume in pkg/scheduler/framework/plugins/nodevolumelimits/csi.go
describe('NodeVolumeLimits fails where a volume in a pod cannot be translated for its driver', () => {
  const nodeOf = (count?: number): CSINode => ({
    ...csiNode('n1', 0),
    spec: {
      drivers: count === undefined ? [] : [{ name: 'ebs.csi.aws.com', nodeID: 'n1', allocatable: { count } }],
    },
  });
  const azure = (kind?: string): PodVolume => ({
    name: 'v',
    azureDisk: { diskName: 'd', diskURI: '/d', ...(kind === undefined ? {} : { kind }) },
  });
  const ebs = (volumeID: string): PodVolume => ({ name: 'v', awsElasticBlockStore: { volumeID } });
  const scratch: PodVolume = {
    name: 'v',
    ephemeral: { volumeClaimTemplate: { spec: { accessModes: ['ReadWriteOnce'], resources: {} } } },
  };
  const failing = 'running "NodeVolumeLimits" filter plugin: ';
  const converting = `${failing}converting volume(v) from inline to csi: `;
  const cases: readonly {
    readonly what: string;
    readonly objects: readonly KubeObject[];
    /** None where the pod fits. */
    readonly message?: string;
  }[] = [
    {
      what: 'an Azure disk of no kind, which the API server makes a shared one',
      objects: [nodeOf(), podWith('p', [azure()])],
      message: `${converting}kind(Shared) is not supported in csi migration`,
    },
    {
      what: 'a dedicated Azure disk',
      objects: [nodeOf(), podWith('p', [azure('Dedicated')])],
      message: `${converting}kind(Dedicated) is not supported in csi migration`,
    },
    { what: 'a managed Azure disk, in any case', objects: [nodeOf(), podWith('p', [azure('managed')])] },
    { what: 'a shared Azure disk on a node without CSINode', objects: [podWith('p', [azure()])] },
    {
      what: 'an EBS volume by a URL without one',
      objects: [nodeOf(), podWith('p', [ebs('aws://eu-west-1a/')])],
      message: `${converting}failed to translate Kubernetes ID to EBS Volume ID Invalid format for AWS volume (aws://eu-west-1a/)`,
    },
    {
      what: 'the first of two that cannot be translated',
      objects: [nodeOf(), podWith('p', [ebs('aws://a/x'), { ...azure(), name: 'w' }])],
      message: `${converting}failed to translate Kubernetes ID to EBS Volume ID Invalid format for AWS volume (aws://a/x)`,
    },
    {
      what: 'a pod that runs there with such a volume, where the new one brings a volume and the node has limits',
      objects: [nodeOf(9), podWith('run', [azure()], { on: 'n1' }), podWith('p', [ebs('vol-1')])],
      message: `${converting}kind(Shared) is not supported in csi migration`,
    },
    {
      what: 'such a pod on a node without limits',
      objects: [nodeOf(), podWith('run', [azure()], { on: 'n1' }), podWith('p', [ebs('vol-1')])],
    },
    {
      what: 'such a pod, beside a new one whose volume no driver attaches',
      objects: [
        nodeOf(9),
        podWith('run', [azure()], { on: 'n1' }),
        podWith('p', [{ name: 'v', vsphereVolume: { volumePath: 'x' } }]),
      ],
    },
    {
      what: 'the claim of an ephemeral volume of a running pod that belongs to another',
      objects: [nodeOf(9), claim('run-v'), podWith('run', [scratch], { on: 'n1' }), podWith('p', [ebs('vol-1')])],
      message: `${failing}PVC default/run-v was not created for pod default/run (pod is not owner)`,
    },
    {
      what: 'a running pod whose claim is not there',
      objects: [nodeOf(9), podUsing('run', ['gone'], { on: 'n1' }), podWith('p', [ebs('vol-1')])],
    },
  ];
  for (const { what, objects, message } of cases) {
    it(`${what}: ${message === undefined ? 'fits' : 'ends the attempt'}`, () => {
      const cluster = clusterOf(node('n1'), ...objects);
      if (message === undefined) {
        assert.deepEqual(decideFits(cluster, 'p').feasible, ['n1']);
      } else {
        const decision = decideUnschedulable(cluster, 'p');
        assert.equal(decision.message, message);
        assert.deepEqual(decision.failure?.errors, [message]);
        assert.equal(decision.preemption, null);
      }
    });
  }
});

describe('VolumeBinding places a bound volume of an old plugin by the zones of its driver, where the node has moved to it', () => {
  const [zoneKey, oldZoneKey] = ['topology.kubernetes.io/zone', 'failure-domain.beta.kubernetes.io/zone'];
  const [regionKey, oldRegionKey] = ['topology.kubernetes.io/region', 'failure-domain.beta.kubernetes.io/region'];
  const driverKey = 'topology.ebs.csi.aws.com/zone';
  const affinity = (...expressions: readonly (readonly [key: string, ...values: string[]])[]): VolumeShape['spec'] => ({
    nodeAffinity: {
      required: {
        nodeSelectorTerms: [
          { matchExpressions: expressions.map(([key, ...values]) => ({ key, operator: 'In' as const, values })) },
        ],
      },
    },
  });
  const ebs = { awsElasticBlockStore: { volumeID: 'vol-1' } };
  const cases: readonly {
    readonly why: string;
    readonly volume: VolumeShape;
    readonly node: Readonly<Record<string, string>>;
    readonly moved?: string;
    readonly fits: boolean;
  }[] = [
    {
      why: 'the zone of the affinity becomes the zone of the driver',
      volume: { spec: { ...ebs, ...affinity([zoneKey, 'a']) } },
      node: { [driverKey]: 'a' },
      fits: true,
    },
    {
      why: 'so the zone that other parts of Kubernetes know is not enough',
      volume: { spec: { ...ebs, ...affinity([zoneKey, 'a']) } },
      node: { [zoneKey]: 'a' },
      fits: false,
    },
    {
      why: 'but it is where the node has not moved',
      volume: { spec: { ...ebs, ...affinity([zoneKey, 'a']) } },
      node: { [zoneKey]: 'a' },
      moved: 'kubernetes.io/gce-pd',
      fits: true,
    },
    {
      why: 'the old keys of zone and region are replaced',
      volume: { spec: { ...ebs, ...affinity([oldZoneKey, 'a'], [oldRegionKey, 'r']) } },
      node: { [driverKey]: 'a', [regionKey]: 'r' },
      fits: true,
    },
    {
      why: 'the region keeps its key beside a current zone',
      volume: { spec: { ...ebs, ...affinity([zoneKey, 'a'], [oldRegionKey, 'r']) } },
      node: { [driverKey]: 'a', [regionKey]: 'r' },
      fits: false,
    },
    {
      why: 'without a zone in the affinity the label tells it',
      volume: { labels: { [oldZoneKey]: 'a__b' }, spec: ebs },
      node: { [driverKey]: 'b', [zoneKey]: 'b' },
      fits: true,
    },
    {
      why: 'and keeps other zones out',
      volume: { labels: { [oldZoneKey]: 'a' }, spec: ebs },
      node: { [driverKey]: 'b', [zoneKey]: 'a' },
      fits: false,
    },
    {
      why: 'in addition to what the affinity says of other labels',
      volume: { labels: { [zoneKey]: 'a' }, spec: { ...ebs, ...affinity(['disk', 'ssd']) } },
      node: { [driverKey]: 'a', [zoneKey]: 'a', disk: 'hdd' },
      fits: false,
    },
    {
      why: 'a volume without any zone is everywhere',
      volume: { spec: ebs },
      node: {},
      fits: true,
    },
    {
      why: 'a Cinder volume goes by the key of its driver',
      volume: { labels: { [zoneKey]: 'a' }, spec: { cinder: { volumeID: 'x' } } },
      node: { 'topology.cinder.csi.openstack.org/zone': 'a', [zoneKey]: 'a' },
      moved: 'kubernetes.io/cinder',
      fits: true,
    },
    {
      why: 'a GCE disk too',
      volume: { labels: { [zoneKey]: 'us-central1-a' }, spec: { gcePersistentDisk: { pdName: 'x' } } },
      node: { 'topology.gke.io/zone': 'us-central1-b', [zoneKey]: 'us-central1-a' },
      moved: 'kubernetes.io/gce-pd',
      fits: false,
    },
    {
      why: 'an Azure disk is placed as it is written',
      volume: { labels: { [zoneKey]: 'a' }, spec: { azureDisk: { diskName: 'd', diskURI: '/d', kind: 'Managed' } } },
      node: { [zoneKey]: 'a' },
      moved: 'kubernetes.io/azure-disk',
      fits: true,
    },
  ];
  for (const { why, volume: shape, node: labels, moved = 'kubernetes.io/aws-ebs', fits } of cases) {
    it(why, () => {
      const cluster = clusterOf(
        node('n1', { labels }),
        csiNode('n1', 9, { [movedPlugins]: moved }),
        boundClaim('c', 'pv'),
        volumeOf('pv', shape),
        podUsing('p', ['c']),
      );
      if (fits) {
        assert.deepEqual(decideFits(cluster, 'p').feasible, ['n1']);
      } else {
        assert.deepEqual(decideUnschedulable(cluster, 'p').refusals.get('n1')?.reasons, [
          "node(s) didn't match PersistentVolume's node affinity",
        ]);
      }
    });
  }
});

describe('VolumeBinding fails an attempt for a volume that the driver of its node cannot know', () => {
  const zone = 'topology.kubernetes.io/zone';
  const moved = csiNode('n1', 0, {
    [movedPlugins]: 'kubernetes.io/gce-pd,kubernetes.io/aws-ebs,kubernetes.io/azure-disk',
  });
  const bound = (spec: VolumeShape['spec'], labels = {}): readonly KubeObject[] => [
    boundClaim('c', 'v'),
    volumeOf('v', { labels, spec }),
    podUsing('p', ['c']),
  ];
  const disk = { gcePersistentDisk: { pdName: 'd' } };
  const start = 'running "VolumeBinding" filter plugin: could not translate pv: ';
  for (const [what, objects, text] of [
    [
      'a GCE disk with zones of another cloud',
      bound(disk, { [zone]: 'westeurope1__westeurope2' }),
      'failed to get region from zones: zone in unexpected format, expected: {locale}-{region}-{zone}, got: westeurope1',
    ],
    [
      'a GCE disk with zones in two regions',
      bound(disk, { [zone]: 'us-east1-b__us-central1-a' }),
      'failed to get region from zones: multiple or no regions gotten from zones, got: map[us-central1:{} us-east1:{}]',
    ],
    [
      'an EBS volume whose name is none',
      bound({ awsElasticBlockStore: { volumeID: 'aws://a/disk' } }),
      'failed to translate Kubernetes ID to EBS Volume ID Invalid format for AWS volume (aws://a/disk)',
    ],
    [
      'an Azure disk of a kind that is none of its driver',
      bound({ azureDisk: { diskName: 'd', diskURI: 'u', kind: 'Shared' } }),
      'kind(Shared) is not supported in csi migration',
    ],
  ] as const) {
    it(what, () => {
      const decision = decideUnschedulable(clusterOf(node('n1'), moved, ...objects), 'p');
      assert.equal(decision.message, `${start}${text}`);
      assert.equal(decision.preemption, null);
    });
  }

  it('and takes it as it is written where the node has not moved', () => {
    const objects = bound(disk, { [zone]: 'westeurope1__westeurope2' });
    assert.deepEqual(decideFits(clusterOf(node('n1'), csiNode('n1', 0), ...objects), 'p').feasible, ['n1']);
  });
});
