import { strict as assert } from 'node:assert';
import { minors } from '../../../server/src/util/minors.ts';
import { before136, object, volume, claim, warnings, since135, since136, judged } from './judged-documents.ts';

// Source: ValidatePersistentVolumeSpec, ValidatePersistentVolumeClaimSpec, validateStorageClass in pkg/apis/storage/validation
describe('refusals of storage, in the words of the API server', () => {
  const iscsi = { targetPortal: 'x'.repeat(63), iqn: 'x', lun: 0, initiatorName: 'y', secretRef: {} };
  judged([
    [
      'a portal, and names that are none',
      volume({ iscsi }),
      [
        `spec.iscsi.targetportal: Invalid value: "${iscsi.targetPortal}": Total length of <volume name>:<iscsi.targetPortal> must be under 64 characters if iscsi.initiatorName is specified.`,
        'spec.iscsi.iqn: Invalid value: "x": must be valid format',
        'spec.iscsi.secretRef.name: Required value',
        'spec.iscsi.initiatorname: Invalid value: "y": must be valid format',
      ],
    ],
    [
      'secrets, and the affinity of a volume',
      volume({
        cinder: { volumeID: 'v', secretRef: {} },
        nodeAffinity: {
          required: { nodeSelectorTerms: [{ matchExpressions: [{ key: 'a', operator: 'In', values: ['a b'] }] }] },
        },
      }),
      [
        'spec.nodeAffinity.required.nodeSelectorTerms[0].matchExpressions[0].values[0]: Invalid value: "a b"',
        'spec.cinder.secretRef.name: Required value',
        'spec.cinder.secretRef.namespace: Required value',
      ],
    ],
    ['a driver without a name', volume({ csi: { volumeHandle: 'h' } }), ['spec.csi.driver: Required value'], since135],
    [
      'sources that differ, of which a path is printed',
      claim({
        volumeMode: 'Any',
        volumeAttributesClassName: 'A',
        dataSource: { kind: 'PersistentVolumeClaim', name: 'a' },
        dataSourceRef: { kind: 'PersistentVolumeClaim', name: 'b' },
      }),
      [
        'spec.volumeMode: Unsupported value: "Any": supported values: "Block", "Filesystem"',
        'spec: Invalid value: {}: must match dataSourceRef',
        'spec.volumeAttributesClassName: Invalid value: "A"',
      ],
    ],
    [
      'no source in another namespace, which is dropped',
      claim({ dataSourceRef: { kind: 'Any', name: 'a', namespace: 'B' } }),
      [],
    ],
    [
      'a provisioner in small letters, and topologies that say nothing',
      object('storage.k8s.io/v1', 'StorageClass', { provisioner: 'A b', allowedTopologies: [{}, {}] }),
      [
        'provisioner: Invalid value: "a b"',
        'allowedTopologies[0].matchLabelExpressions: Duplicate value: ""',
        'allowedTopologies[0].matchLabelExpressions: Duplicate value: ""',
        ...['1', '1', '1'].map((index) => `allowedTopologies[${index}].matchLabelExpressions: Duplicate value: ""`),
      ],
    ],
  ]);
});

// Source: validateTokenRequests, validateVolumeLifecycleModes, ValidateVolumeAttachment, ValidateVolumeAttachmentV1,
// ValidateCSIStorageCapacity in pkg/apis/storage/validation/validation.go
describe('refusals of what storage drivers write, in the order of the API server', () => {
  const attachment = object('storage.k8s.io/v1', 'VolumeAttachment', {
    spec: { attacher: 'A_', nodeName: 'N_', source: { persistentVolumeName: '' } },
  });
  judged([
    [
      'tokens and modes of a driver',
      object('storage.k8s.io/v1', 'CSIDriver', {
        spec: {
          tokenRequests: [
            { audience: 'a', expirationSeconds: 1 },
            { audience: 'a', expirationSeconds: 1 },
            { audience: 'b', expirationSeconds: 4_294_967_297 },
            { audience: '', expirationSeconds: 600 },
          ],
          volumeLifecycleModes: ['Forever'],
        },
      }),
      [
        'spec.tokenRequests[0].expirationSeconds: Invalid value: 1: may not specify a duration less than 10 minutes',
        'spec.tokenRequests[1].audience: Duplicate value: "a"',
        'spec.tokenRequests[2].expirationSeconds: Invalid value: 4294967297: may not specify a duration larger than 2^32 seconds',
        'spec.volumeLifecycleModes: Unsupported value: "Forever": supported values: "Persistent", "Ephemeral"',
      ],
    ],
    [
      '[#41] where a driver has its tokens, when it asks for none',
      object('storage.k8s.io/v1', 'CSIDriver', { spec: { serviceAccountTokenInSecrets: false } }),
      [
        'spec.serviceAccountTokenInSecrets: Invalid value: false: serviceAccountTokenInSecrets is set but no tokenRequests are specified',
      ],
      since135,
    ],
    [
      '[#41] an attachment, the driver first',
      attachment,
      [
        'spec.attacher: Invalid value: "A_"',
        'spec.source.persistentVolumeName: Required value: must specify non empty persistentVolumeName',
        'spec.nodeName: Invalid value: "N_"',
        'spec.source.persistentVolumeName: Invalid value: ""',
      ],
      since136,
    ],
    [
      'an attachment',
      attachment,
      [
        'spec.source.persistentVolumeName: Required value: must specify non empty persistentVolumeName',
        'spec.nodeName: Invalid value: "N_"',
        'spec.attacher: Invalid value: "A_"',
        'spec.source.persistentVolumeName: Invalid value: ""',
      ],
      before136,
    ],
    [
      'an attachment of nothing',
      object('storage.k8s.io/v1', 'VolumeAttachment', { spec: { attacher: 'a', nodeName: 'n', source: {} } }),
      ['spec.source: Required value: must specify exactly one of inlineVolumeSpec and persistentVolumeName'],
    ],
    [
      'a capacity',
      object('storage.k8s.io/v1', 'CSIStorageCapacity', {
        capacity: '-1',
        storageClassName: 'C_',
        nodeTopology: { matchLabels: { 'a b': '' } },
      }),
      [
        'nodeTopology.matchLabels: Invalid value: "a b"',
        'storageClassName: Invalid value: "C_"',
        'capacity: Invalid value: "-1": must be greater than or equal to 0',
      ],
    ],
  ]);
});

// Source: WarningsOnCreate in pkg/registry/resource/resourceslice/strategy.go since pull request 134185
describe('a driver in capitals', () => {
  const slice = object('resource.k8s.io/v1', 'ResourceSlice', {
    spec: {
      driver: 'Gpu.example.com',
      nodeName: 'a',
      pool: { name: 'p', generation: 1, resourceSliceCount: 1 },
      devices: [{ name: 'd' }],
    },
  });
  it('is told of since 1.35', () => {
    const text = 'spec.driver: driver names should be lowercase; "Gpu.example.com" contains uppercase characters';
    for (const minor of minors) assert.deepEqual(warnings(slice, minor), minor < '1.35' ? [] : [text], minor);
  });
});
