import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { fieldErrorText } from '../../../server/src/admission/format/field-errors.ts';
import { validatePodTemplate } from '../../../server/src/admission/pods/pod.ts';
import type { JsonObject } from '../../../server/src/kubernetes/json.ts';
import { creationErrors, creationTexts, podOf, updateTexts } from './judged.ts';

const label =
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')";
const subdomain =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";

/** What is said of one volume, without the place it has in the list. */
function ofVolume(source: JsonObject, name = 'data'): string[] {
  return creationTexts({ volumes: [{ name, ...source }] }).map((text) => text.replace('spec.volumes[0].', ''));
}

const mode = 'must be a number between 0 and 0777 (octal), both inclusive';

/** Source → what is wrong with it. */
const sources: readonly (readonly [JsonObject, ...string[]])[] = [
  [{ emptyDir: {} }],
  [
    { emptyDir: { sizeLimit: '-1' } },
    'emptyDir.sizeLimit: Forbidden: SizeLimit field must be a valid resource quantity',
  ],
  [{ hostPath: {} }, 'hostPath.path: Required value'],
  [
    { hostPath: { path: '/a/../b', type: 'Folder' } },
    `hostPath.path: Invalid value: "/a/../b": must not contain '..'`,
    'hostPath.type: Unsupported value: "Folder": supported values: "", "BlockDevice", "CharDevice", "Directory", "DirectoryOrCreate", "File", "FileOrCreate", "Socket"',
  ],
  [
    { gitRepo: { directory: '/x' } },
    'gitRepo.repository: Required value',
    'gitRepo.directory: Invalid value: "/x": must be a relative path',
  ],
  [
    { gcePersistentDisk: { partition: 256 } },
    'persistentDisk.pdName: Required value',
    'persistentDisk.partition: Invalid value: 256: must be between 1 and 255, inclusive',
  ],
  [{ awsElasticBlockStore: {} }, 'awsElasticBlockStore.volumeID: Required value'],
  [{ secret: {} }, 'secret.secretName: Required value'],
  [
    { configMap: { defaultMode: 512, items: [{ path: '../x' }, { key: 'k', path: '..x', mode: -1 }] } },
    'configMap.name: Required value',
    `configMap.defaultMode: Invalid value: 512: ${mode}`,
    'configMap.items[0].key: Required value',
    `configMap.items[0].path: Invalid value: "../x": must not contain '..'`,
    `configMap.items[1].path: Invalid value: "..x": must not start with '..'`,
    `configMap.items[1].mode: Invalid value: -1: ${mode}`,
  ],
  [{ nfs: { server: 's' } }, 'nfs.path: Required value', 'nfs.path: Invalid value: "": must be an absolute path'],
  [
    { iscsi: { targetPortal: 'p', iqn: 'iqn.x', lun: 256, chapAuthSession: true, initiatorName: 'x' } },
    'iscsi.iqn: Invalid value: "iqn.x": must be valid format',
    'iscsi.lun: Invalid value: 256: must be between 0 and 255, inclusive',
    'iscsi.secretRef: Required value',
    'iscsi.initiatorname: Invalid value: "x": must be valid format starting with iqn, eui, or naa',
  ],
  [{ iscsi: { targetPortal: 'p', iqn: 'iqn.2015-08.com.example:x', lun: 1 } }],
  [
    {
      iscsi: {
        targetPortal: 'p'.repeat(60),
        iqn: 'iqn.2015-08.com.example:x',
        lun: 1,
        initiatorName: 'eui.0123456789abcdef',
      },
    },
    'name: Invalid value: "data": Total length of <volume name>:<iscsi.targetPortal> must be under 64 characters if iscsi.initiatorName is specified.',
  ],
  [{ glusterfs: { path: 'x' } }, 'glusterfs.endpoints: Required value'],
  [
    { flocker: { datasetName: 'a/b', datasetUUID: 'u' } },
    'flocker: Invalid value: "resource": datasetName and datasetUUID can not be specified simultaneously',
    `flocker.datasetName: Invalid value: "a/b": must not contain '/'`,
  ],
  [{ persistentVolumeClaim: {} }, 'persistentVolumeClaim.claimName: Required value'],
  [{ rbd: { image: 'i' } }, 'rbd.monitors: Required value'],
  [{ cinder: { volumeID: 'v', secretRef: {} } }, 'cinder.secretRef.name: Required value'],
  [{ cephfs: {} }, 'cephfs.monitors: Required value'],
  [
    { quobyte: { registry: 'a:1,b', volume: 'v' } },
    'quobyte.registry: Invalid value: "a:1,b": must be a host:port pair or multiple pairs separated by commas',
  ],
  [{ fc: {} }, 'fc.targetWWNs: Required value: must specify either targetWWNs or wwids, but not both'],
  [{ fc: { targetWWNs: ['x'] } }, 'fc.lun: Required value: lun is required if targetWWNs is specified'],
  [
    { flexVolume: { driver: 'd', options: { 'x.k8s.io/a': '1', 'k8s.example/a': '1' } } },
    'flexVolume.options[x.k8s.io/a]: Invalid value: "x.k8s.io/a": kubernetes.io and k8s.io namespaces are reserved',
  ],
  [{ azureFile: {} }, 'azureFile.secretName: Required value', 'azureFile.shareName: Required value'],
  [{ vsphereVolume: {} }, 'vsphereVolume.volumePath: Required value'],
  [{ photonPersistentDisk: {} }, 'photonPersistentDisk.pdID: Required value'],
  [{ portworxVolume: {} }, 'portworxVolume.volumeID: Required value'],
  [
    { azureDisk: { diskName: 'd', diskURI: 'https://x', cachingMode: 'All' } },
    'azureDisk.cachingMode: Unsupported value: "All": supported values: "None", "ReadOnly", "ReadWrite"',
  ],
  [
    { azureDisk: { diskName: 'd', diskURI: 'x', kind: 'Managed' } },
    'azureDisk.diskURI: Unsupported value: "x": supported values: "/subscriptions/{sub-id}/resourcegroups/{group-name}/providers/microsoft.compute/disks/{disk-id}"',
  ],
  [{ storageos: { volumeName: 'V' } }, `storageos.volumeName: Invalid value: "V": ${label}`],
  [{ scaleIO: { gateway: 'g' } }, 'scaleIO.system: Required value', 'scaleIO.volumeName: Required value'],
  [
    { csi: { driver: 'Good.example.com', nodePublishSecretRef: { name: 'S' } } },
    `csi.name: Invalid value: "S": ${subdomain}`,
  ],
  [{ csi: {} }, 'csi.driver: Required value'],
  [{ ephemeral: {} }, 'ephemeral.volumeClaimTemplate: Required value'],
  [{ image: {} }, 'image.reference: Required value'],
  [
    { image: { reference: 'a', pullPolicy: 'Now' } },
    'image.pullPolicy: Unsupported value: "Now": supported values: "Always", "IfNotPresent", "Never"',
  ],
];

describe('validatePod: volumes', () => {
  for (const [source, ...texts] of sources) {
    it(`judges ${JSON.stringify(source)}`, () => {
      assert.deepEqual(ofVolume(source), texts);
    });
  }

  it('wants a name, a good one, and each once', () => {
    const volumes = [{ emptyDir: {} }, { name: 'A' }, { name: 'a' }, { name: 'a', emptyDir: {} }];
    assert.deepEqual(creationTexts({ volumes }), [
      'spec.volumes[0].name: Required value',
      `spec.volumes[1].name: Invalid value: "A": ${label}`,
      'spec.volumes[3].name: Duplicate value: "a"',
    ]);
  });

  it('takes a volume without a source for an empty directory, and the first of several sources', () => {
    assert.deepEqual(ofVolume({}), []);
    const errors = creationErrors({
      volumes: [{ name: 'a', cephfs: {}, secret: { secretName: 's' }, downwardAPI: {}, configMap: {} }],
    });
    assert.deepEqual(errors.map(fieldErrorText), [
      'spec.volumes[0].cephFS: Forbidden: may not specify more than 1 volume type',
      'spec.volumes[0].downwarAPI: Forbidden: may not specify more than 1 volume type',
      'spec.volumes[0].configMap: Forbidden: may not specify more than 1 volume type',
    ]);
    assert.deepEqual(errors[0]?.at.path, ['spec', 'volumes', 0, 'cephfs']);
  });

  it('judges files of the downward API, and marks the item that upstream does not name', () => {
    const file = (fields: JsonObject): string[] => ofVolume({ downwardAPI: { items: [fields] } });
    assert.deepEqual(file({ path: 'labels', fieldRef: { fieldPath: "metadata.labels['app']" } }), []);
    assert.deepEqual(file({ path: 'x' }), [
      'downwardAPI: Required value: one of fieldRef and resourceFieldRef is required',
    ]);
    assert.deepEqual(
      file({ path: '/x', fieldRef: { fieldPath: 'spec.nodeName' }, resourceFieldRef: { resource: 'limits.cpu' } }),
      [
        'downwardAPI.path: Invalid value: "/x": must be a relative path',
        'downwardAPI.fieldRef.fieldPath: Unsupported value: "spec.nodeName": supported values: "metadata.annotations", "metadata.labels", "metadata.name", "metadata.namespace", "metadata.uid"',
        'downwardAPI: Invalid value: "resource": fieldRef and resourceFieldRef can not be specified simultaneously',
      ],
    );
    assert.deepEqual(file({ path: 'x', resourceFieldRef: { resource: 'limits.cpu', divisor: '1k' } }), [
      'downwardAPI.resourceFieldRef.containerName: Required value',
      `downwardAPI.resourceFieldRef.divisor: Invalid value: "limits.cpu": only divisor's values 1m and 1 are supported with the cpu resource`,
    ]);
    const [error] = creationErrors({
      volumes: [{ name: 'a', downwardAPI: { items: [{ path: '/x', fieldRef: { fieldPath: 'metadata.uid' } }] } }],
    });
    assert.deepEqual(error?.at.path, ['spec', 'volumes', 0, 'downwardAPI', 'items', 0, 'path']);
  });

  it('judges what is projected: names, tokens, paths that meet', () => {
    const items = [{ key: 'k', path: 'x' }];
    const projected = {
      sources: [
        { secret: { items } },
        { configMap: { name: 'c', items }, downwardAPI: {} },
        { serviceAccountToken: { expirationSeconds: 60, path: '../t' } },
        { serviceAccountToken: {} },
        // By default the API server drops trust bundles, and an empty source is none.
        { clusterTrustBundle: { path: 'x' } },
      ],
    };
    assert.deepEqual(ofVolume({ projected }), [
      'projected.sources[0].secret.name: Required value',
      'projected: Invalid value: "c": conflicting duplicate paths',
      'projected.sources[1]: Forbidden: may not specify more than 1 volume type per source',
      'projected.sources[2].serviceAccountToken.expirationSeconds: Invalid value: 60: may not specify a duration less than 10 minutes',
      `projected.path: Invalid value: "../t": must not contain '..'`,
      'projected.path: Required value',
    ]);
  });

  it('lets a stored token stay outside its volume', () => {
    const token = (path: string): JsonObject => ({
      volumes: [{ name: 'a', projected: { sources: [{ serviceAccountToken: { path } }] } }],
    });
    assert.deepEqual(updateTexts(token('/x'), token('/x')), []);
    assert.match(updateTexts(token('/x'), token('x'))[0] ?? '', /must be a relative path$/);
  });

  it('judges the claim of an ephemeral volume, and its name', () => {
    const volumeClaimTemplate = {
      metadata: { name: 'x', labels: { a: 'b' }, creationTimestamp: null },
      spec: { accessModes: ['ReadWriteOncePod', 'ReadOnlyMany', 'Any'], storageClassName: 'S', volumeMode: 'Raw' },
    };
    assert.deepEqual(ofVolume({ ephemeral: { volumeClaimTemplate } }), [
      'ephemeral.volumeClaimTemplate.metadata.name: Forbidden: cannot be set',
      'ephemeral.volumeClaimTemplate.spec.accessModes: Unsupported value: "Any": supported values: "ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce", "ReadWriteOncePod"',
      'ephemeral.volumeClaimTemplate.spec.accessModes: Forbidden: may not use ReadWriteOncePod with other access modes',
      'ephemeral.volumeClaimTemplate.spec.resources[storage]: Required value',
      `ephemeral.volumeClaimTemplate.spec.storageClassName: Invalid value: "S": ${subdomain}`,
      'ephemeral.volumeClaimTemplate.spec.volumeMode: Unsupported value: "Raw": supported values: "Block", "Filesystem"',
    ]);
    const spec = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } };
    const good = { name: 'data', ephemeral: { volumeClaimTemplate: { spec } } };
    const other = { name: 'other', persistentVolumeClaim: { claimName: 'web-data' } };
    assert.deepEqual(creationTexts({ volumes: [good, other] }), [
      'spec.volumes[1].persistentVolumeClaim.claimName: Invalid value: "web-data": must not reference a PVC that gets created for an ephemeral volume',
    ]);
    const source = { ...spec, resources: { requests: { storage: '0' } }, dataSource: { kind: 'Snapshot', name: 's' } };
    assert.deepEqual(ofVolume({ ephemeral: { volumeClaimTemplate: { spec: source } } }), [
      'ephemeral.volumeClaimTemplate.spec.resources[storage]: Invalid value: "0": must be greater than zero',
      `ephemeral.volumeClaimTemplate.spec.dataSource: Invalid value: "Snapshot": must be 'PersistentVolumeClaim' when referencing the default apiGroup`,
    ]);
  });
});

describe('validatePod: mounts and devices', () => {
  const volumes = [
    { name: 'a' },
    { name: 'b', persistentVolumeClaim: { claimName: 'c' } },
    { name: 'oci', image: { reference: 'x' } },
  ];
  const ofContainer = (fields: JsonObject): string[] =>
    creationTexts({ volumes, containers: [{ name: 'main', image: 'x', ...fields }] }).map((text) =>
      text.replace('spec.containers[0].', ''),
    );

  it('wants volumes that exist, and paths that differ', () => {
    const volumeMounts = [
      { name: 'a', mountPath: '/x' },
      { name: 'b', mountPath: '/x' },
      { name: 'oci', mountPath: '/models' },
      { name: 'c' },
    ];
    assert.deepEqual(ofContainer({ volumeMounts }), [
      'volumeMounts[1].mountPath: Invalid value: "/x": must be unique',
      'volumeMounts[3].name: Not found: "c"',
      'volumeMounts[3].mountPath: Required value',
    ]);
  });

  it('takes a volume with a mistake for none', () => {
    const containers = [{ name: 'main', image: 'x', volumeMounts: [{ name: 'a', mountPath: '/x' }] }];
    assert.deepEqual(creationTexts({ volumes: [{ name: 'a', secret: {} }], containers }), [
      'spec.volumes[0].secret.secretName: Required value',
      'spec.containers[0].volumeMounts[0].name: Not found: "a"',
    ]);
  });

  it('judges sub-paths and options at the path that upstream prints', () => {
    const volumeMounts = [
      { name: 'a', mountPath: '/1', subPath: '../x', subPathExpr: '/y' },
      { name: 'a', mountPath: '/2', mountPropagation: 'Bidirectional' },
      { name: 'a', mountPath: '/3', mountPropagation: 'Both', recursiveReadOnly: 'Enabled' },
      { name: 'a', mountPath: '/4', recursiveReadOnly: 'Yes' },
    ];
    assert.deepEqual(ofContainer({ volumeMounts }), [
      `volumeMounts.subPath: Invalid value: "../x": must not contain '..'`,
      'volumeMounts[0].subPathExpr: Invalid value: "/y": subPathExpr and subPath are mutually exclusive',
      'volumeMounts.subPathExpr: Invalid value: "/y": must be a relative path',
      'volumeMounts.mountPropagation: Forbidden: Bidirectional mount propagation is available only to privileged containers',
      'volumeMounts.mountPropagation: Unsupported value: "Both": supported values: "Bidirectional", "HostToContainer", "None"',
      'volumeMounts.recursiveReadOnly: Forbidden: may only be specified when readOnly is true',
      'volumeMounts.recursiveReadOnly: Forbidden: may only be specified when mountPropagation is None or not specified',
      'volumeMounts.recursiveReadOnly: Unsupported value: "Yes": supported values: "Disabled", "Enabled", "IfPossible"',
    ]);
  });

  it('judges block devices', () => {
    const volumeMounts = [{ name: 'b', mountPath: '/dev/b' }];
    const volumeDevices = [{ name: 'a', devicePath: '/dev/../a' }, { name: 'b', devicePath: '/dev/b' }, { name: 'b' }];
    assert.deepEqual(ofContainer({ volumeMounts, volumeDevices }), [
      'volumeMounts[0].name: Invalid value: "b": must not already exist in volumeDevices',
      'volumeDevices[0].name: Invalid value: "a": can only use volume source type of PersistentVolumeClaim or Ephemeral for block mode',
      `volumeDevices[0].devicePath: Invalid value: "/dev/../a": can not contain backsteps ('..')`,
      'volumeDevices[1].name: Invalid value: "b": must not already exist in volumeMounts',
      'volumeDevices[1].devicePath: Invalid value: "/dev/b": must not already exist as a path in volumeMounts',
      'volumeDevices[2].name: Invalid value: "b": must be unique',
      'volumeDevices[2].devicePath: Required value',
      'volumeDevices[2].name: Invalid value: "b": must not already exist in volumeMounts',
    ]);
  });

  it('mounts the claims of a StatefulSet', () => {
    const { spec } = podOf({
      containers: [{ name: 'main', image: 'x', volumeMounts: [{ name: 'data', mountPath: '/d' }] }],
    });
    assert.ok(spec !== undefined);
    assert.deepEqual(validatePodTemplate({ spec }, ['spec', 'template'], ['data']), []);
    assert.equal(validatePodTemplate({ spec }, ['spec', 'template']).length, 1);
  });
});
