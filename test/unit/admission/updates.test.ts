import assert from 'node:assert/strict';
import { applyOver, changeRefusals } from '../../../server/src/admission/request/update.ts';
import { fieldErrorText } from '../../../server/src/admission/format/field-errors.ts';
import { decodeObject } from '../../../server/src/kubernetes/decode/index.ts';
import type { JsonObject } from '../../../server/src/kubernetes/json.ts';
import type { KubeObject } from '../../../server/src/kubernetes/objects.ts';
import type { Minor } from '../../../server/src/util/minors.ts';
import { latestRelease, releaseOf } from '../../../server/src/kubernetes/releases/index.ts';
import { cronJob, selector, containers, template, workload } from './judged-workload.ts';

describe('what may change in a workload', () => {
  const changed = (next: KubeObject, old: KubeObject): string[] =>
    changeRefusals(next, old, latestRelease).map(fieldErrorText);
  const wider = { matchLabels: { app: 'web', tier: 'front' } };

  for (const kind of ['Deployment', 'ReplicaSet', 'DaemonSet']) {
    it(`is not the selector of a ${kind}`, () => {
      assert.deepEqual(changed(workload(kind, { selector: wider }), workload(kind)), [
        'spec.selector: Invalid value: {"matchLabels":{"app":"web","tier":"front"}}: field is immutable',
      ]);
      assert.deepEqual(
        changed(workload(kind, { replicas: 3, template: template({ restartPolicy: 'Always' }) }), workload(kind)),
        [],
      );
    });
  }

  // Source: validateUpgradeDowngradeClusterIPs, validateLoadBalancerClassField in pkg/apis/core/validation/validation.go
  it('is not the address of a Service, nor who balances it', () => {
    const service = (spec: JsonObject): KubeObject =>
      decodeObject({
        apiVersion: 'v1',
        kind: 'Service',
        metadata: { name: 'a' },
        spec: { ports: [{ port: 80 }], ...spec },
      }).object;
    const refused = (next: JsonObject, old: JsonObject): string[] => changed(service(next), service(old));
    const headless = ['spec.clusterIPs[0]: Invalid value: ["None"]: may not change once set'];
    assert.deepEqual(refused({ clusterIP: 'None' }, {}), headless, 'the server has given it one');
    assert.deepEqual(refused({ clusterIP: 'None' }, { clusterIP: '10.0.0.1' }), headless);
    assert.deepEqual(refused({ clusterIP: '10.0.0.1' }, {}), [], 'it may be the one that the server has given');
    assert.deepEqual(refused({}, { clusterIP: 'None' }), [], 'what is left out stays');
    assert.deepEqual(refused({ type: 'ExternalName', externalName: 'a.example' }, { clusterIP: 'None' }), []);
    const balanced = (loadBalancerClass: string): JsonObject => ({ type: 'LoadBalancer', loadBalancerClass });
    assert.deepEqual(refused(balanced('b'), balanced('a')), [
      'spec.loadBalancerClass: Invalid value: "b": may not change once set',
    ]);
    assert.deepEqual(refused({}, balanced('a')), []);
  });

  it('is the selector of a ReplicationController', () => {
    assert.deepEqual(
      changed(
        workload('ReplicationController', { selector: { app: 'api' } }),
        workload('ReplicationController', { selector: { app: 'web' } }),
      ),
      [],
    );
  });

  it('is only a part of a StatefulSet', () => {
    const claims = (storage: string): JsonObject => ({
      volumeClaimTemplates: [
        { metadata: { name: 'data' }, spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage } } } },
      ],
    });
    const old = workload('StatefulSet', claims('1Gi'));
    assert.deepEqual(
      changed(
        workload('StatefulSet', {
          ...claims('1024Mi'),
          replicas: 3,
          podManagementPolicy: 'OrderedReady',
          minReadySeconds: 5,
        }),
        old,
      ),
      [],
    );
    const named = workload('StatefulSet', { ...claims('1Gi'), serviceName: 'web', podManagementPolicy: 'Parallel' });
    assert.equal(changed(workload('StatefulSet'), named).length, 1, 'what was applied and is left out goes');
    const stored = { ...named, metadata: { ...named.metadata, uid: 'u1' } };
    assert.deepEqual(changed(workload('StatefulSet'), stored), [], 'what nobody applied stays as it is');
    assert.equal(changed(workload('StatefulSet', { serviceName: 'other' }), named).length, 1);
    const [error] = changeRefusals(workload('StatefulSet', claims('2Gi')), old, latestRelease);
    assert.match(
      fieldErrorText(error!),
      /^spec: Forbidden: updates to statefulset spec for fields other than 'replicas', .* are forbidden$/,
    );
    assert.deepEqual(error!.at.path, ['spec', 'volumeClaimTemplates', 0, 'spec', 'resources', 'requests', 'storage']);
  });

  it('is not the template of a job, its completions or its mode', () => {
    const old = workload('Job');
    const other = template({ restartPolicy: 'OnFailure' });
    assert.deepEqual(
      changed(workload('Job', { parallelism: 4, completions: 1, completionMode: 'NonIndexed' }), old),
      [],
    );
    const [error] = changeRefusals(workload('Job', { template: other }), old, latestRelease);
    assert.match(fieldErrorText(error!), /^spec\.template: Invalid value: \{.*\}: field is immutable$/);
    assert.deepEqual([...error!.at.path, ...error!.within!], ['spec', 'template', 'spec', 'restartPolicy']);
    assert.match(
      changed(workload('Job', { template: other }), workload('Job', { suspend: true }))[0] ?? '',
      /^spec\.template\.spec: Invalid value: /,
    );
    assert.deepEqual(changed(workload('Job', { completions: 2 }), old), [
      'spec.completions: Invalid value: 2: field is immutable',
    ]);
    assert.deepEqual(changed(workload('Job', { completionMode: 'Indexed', completions: 2 }), old), [
      'spec.completions: Invalid value: 2: can only be modified in tandem with spec.parallelism',
      'spec.completionMode: Invalid value: "Indexed": field is immutable',
    ]);
    const byHand = { manualSelector: true, selector };
    assert.deepEqual(changed(workload('Job', { ...byHand, selector: wider }), workload('Job', byHand)), [
      'spec.selector: Invalid value: {"matchLabels":{"app":"web","tier":"front"}}: field is immutable',
    ]);
  });

  it('is the scheduling of a job that is suspended, as each minor has it', () => {
    const spec = (more: JsonObject): JsonObject => template({ restartPolicy: 'Never', ...more });
    const resources = { requests: { cpu: '1' } };
    const describe = (status: JsonObject, more: JsonObject): string[] => {
      const suspended = { ...workload('Job', { suspend: true }), status } as KubeObject;
      const next = workload('Job', { suspend: true, template: spec(more) });
      return (['1.34', '1.35', '1.36'] as const).map((minor) => {
        const fields = changeRefusals(next, suspended, releaseOf(minor)).map(({ at: { text: field } }) => field);
        return fields.join();
      });
    };
    const moved = { nodeSelector: { pool: 'batch' } };
    const startTime = '2026-01-01T00:00:00Z';
    const hasStopped = { startTime, conditions: [{ type: 'Suspended', status: 'True' }] };
    assert.deepEqual(describe({}, moved), ['', '', '']);
    assert.deepEqual(describe({ startTime }, moved), ['spec.template', 'spec.template', 'spec.template']);
    assert.deepEqual(describe(hasStopped, moved), ['spec.template', 'spec.template', '']);
    assert.deepEqual(describe({ ...hasStopped, active: 1 }, moved), [
      'spec.template',
      'spec.template',
      'spec.template',
    ]);
    const sized = { containers: [{ ...containers[0]!, resources }] };
    assert.deepEqual(describe({}, sized), ['spec.template', 'spec.template', '']);
    assert.deepEqual(describe({}, { hostname: 'a' }), ['spec.template', 'spec.template', 'spec.template.spec']);
  });
});

describe('what may change in other objects', () => {
  const changed = (next: JsonObject, old: JsonObject): string[] =>
    changeRefusals(decodeObject(next).object, decodeObject(old).object, latestRelease).map(fieldErrorText);
  const claim = (storage: string, more: JsonObject = {}, rest: JsonObject = {}): JsonObject => ({
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { name: 'data' },
    spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage } }, ...more },
    ...rest,
  });
  const specText =
    'spec: Forbidden: spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims';

  it('is the size of a claim only where it is bound, and never below what it has', () => {
    const bound = { status: { phase: 'Bound', capacity: { storage: '5Gi' } } };
    assert.deepEqual(changed(claim('9Gi'), claim('8Gi')), [specText]);
    assert.deepEqual(changed(claim('9Gi'), claim('8Gi', {}, bound)), []);
    assert.deepEqual(changed(claim('6Gi'), claim('8Gi', {}, bound)), []);
    assert.deepEqual(changed(claim('5Gi'), claim('8Gi', {}, bound)), [
      'spec.resources.requests.storage: Forbidden: field can not be less than status.capacity',
    ]);
    assert.deepEqual(changed(claim('8Gi', { storageClassName: 'fast' }), claim('8Gi', { storageClassName: 'slow' })), [
      specText,
    ]);
    assert.deepEqual(changed(claim('8Gi', { resources: {} }), claim('8Gi')), [
      specText,
      'spec.resources.requests.storage: Forbidden: field can not be less than status.capacity',
    ]);
  });

  // Source: ValidatePersistentVolumeClaimUpdate, validateStorageClassUpgradeFromAnnotation
  it('[#41] is not the class that an annotation of a claim names, but where it is named', () => {
    const name = 'volume.beta.kubernetes.io/storage-class';
    const noted = (note: string, more: JsonObject = {}): JsonObject => ({
      ...claim('8Gi', more),
      metadata: { name: 'data', annotations: { [name]: note } },
    });
    const immutable = `metadata.annotations.${name}: Invalid value: `;
    assert.deepEqual(changed(claim('8Gi', { storageClassName: 'a' }), noted('a')), []);
    assert.deepEqual(changed(noted('b'), noted('a')), [`${immutable}"b": field is immutable`]);
    assert.deepEqual(changed(claim('8Gi', { storageClassName: 'b' }), noted('a')), [
      `${immutable}"": field is immutable`,
      specText,
    ]);
    assert.deepEqual(changed(claim('8Gi', { storageClassName: 'a' }), claim('8Gi')), []);
  });

  // Source: validatePvNodeAffinity, which lets labels of nodes be renamed
  it('[#41] are not the nodes of a volume, but for the names that their labels have now', () => {
    const volume = (key: string, value = 'a'): JsonObject => ({
      apiVersion: 'v1',
      kind: 'PersistentVolume',
      metadata: { name: 'a' },
      spec: {
        capacity: { storage: '1Gi' },
        accessModes: ['ReadWriteOnce'],
        hostPath: { path: '/a' },
        nodeAffinity: {
          required: { nodeSelectorTerms: [{ matchExpressions: [{ key, operator: 'In', values: [value] }] }] },
        },
      },
    });
    const [beta, now] = ['failure-domain.beta.kubernetes.io/zone', 'topology.kubernetes.io/zone'];
    assert.deepEqual(changed(volume(now), volume(beta)), []);
    const refused = /^nodeAffinity: Invalid value: .*: field is immutable, except for updating from beta label to GA$/;
    for (const next of [volume(beta), volume(now, 'b'), volume('zone')]) {
      assert.match(changed(next, volume(now))[0] ?? '', refused);
    }
  });

  // Source: validateResourceSliceSpec in pkg/apis/resource/validation/validation.go
  it('[#40] are not the pool, the driver and the node of a slice of devices', () => {
    const slice = (spec: JsonObject): JsonObject => ({
      apiVersion: 'resource.k8s.io/v1',
      kind: 'ResourceSlice',
      metadata: { name: 'a' },
      spec: {
        driver: 'gpu.example.com',
        nodeName: 'n',
        pool: { name: 'p', generation: 1, resourceSliceCount: 1 },
        devices: [{ name: 'd' }],
        ...spec,
      },
    });
    const generation = { name: 'p', generation: 2, resourceSliceCount: 1 };
    assert.deepEqual(changed(slice({ pool: generation, devices: [] }), slice({})), []);
    assert.deepEqual(
      changed(slice({ pool: { ...generation, name: 'q' }, driver: 'tpu.example.com', nodeName: 'm' }), slice({})),
      [
        'spec.pool.name: Invalid value: "q": field is immutable',
        'spec.driver: Invalid value: "tpu.example.com": field is immutable',
        'spec.nodeName: Invalid value: "m": field is immutable',
      ],
    );
  });

  // Source: ValidateResourceClaimUpdate, ValidateUpdate in pkg/registry/resource/resourceclaim/strategy.go
  it('[#40] are not the requests of a claim, which since 1.35 are not judged beside that', () => {
    const claimed = (requests: JsonObject[]): KubeObject =>
      decodeObject({
        apiVersion: 'resource.k8s.io/v1',
        kind: 'ResourceClaim',
        metadata: { name: 'a' },
        spec: { devices: { requests } },
      }).object;
    const request = (name: string): JsonObject => ({ name, exactly: { deviceClassName: 'gpu' } });
    const fields = (minor: Minor): readonly string[] =>
      (applyOver(claimed([request('r')]), claimed([request('R_')]), releaseOf(minor)).refusal?.causes ?? []).map(
        ({ field }) => field,
      );
    assert.deepEqual(fields('1.36'), ['spec']);
    assert.deepEqual(fields('1.34'), ['spec.devices.requests[0].name', 'spec', 'spec.devices.requests[0].name']);
  });

  // Source: ValidateNodeUpdate in pkg/apis/core/validation/validation.go
  it('[#41] are not the ranges of a node, nor its old name in the cloud', () => {
    const node = (spec: JsonObject): JsonObject => ({ apiVersion: 'v1', kind: 'Node', metadata: { name: 'a' }, spec });
    const range = 'spec.podCIDRs: Forbidden: node updates may not change podCIDR except from "" to valid';
    const both = node({ podCIDRs: ['10.0.0.0/24', 'fd00::/64'] });
    assert.deepEqual(changed(node({ podCIDRs: ['10.0.1.0/24', 'fd01::/64'] }), both), [range, range]);
    assert.deepEqual(changed(node({ podCIDRs: ['10.0.1.0/24'] }), both), [range]);
    assert.deepEqual(changed(node({ externalID: 'b' }), node({ externalID: 'a' })), [
      'spec.externalID: Forbidden: may not be updated',
    ]);
  });

  it('is not the source of a volume, the provisioner of a class, or the scopes of a quota', () => {
    const volume = (path: string): JsonObject => ({
      apiVersion: 'v1',
      kind: 'PersistentVolume',
      metadata: { name: 'a' },
      spec: { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'], hostPath: { path } },
    });
    assert.match(changed(volume('/b'), volume('/a'))[0] ?? '', /^spec\.persistentvolumesource: Forbidden: /);
    const storageClass = (provisioner: string): JsonObject => ({
      apiVersion: 'storage.k8s.io/v1',
      kind: 'StorageClass',
      metadata: { name: 'a' },
      provisioner,
    });
    assert.equal(changed(storageClass('b.example'), storageClass('a.example')).length, 1);
    const quota = (scopes: readonly string[]): JsonObject => ({
      apiVersion: 'v1',
      kind: 'ResourceQuota',
      metadata: { name: 'a' },
      spec: { hard: { pods: '1' }, scopes: [...scopes] },
    });
    assert.deepEqual(changed(quota(['BestEffort']), quota([])), [
      'spec.scopes: Invalid value: ["BestEffort"]: field is immutable',
    ]);
    assert.deepEqual(changed(quota([]), quota([])), []);
  });
});

/** What a server of a minor refuses when a stored object gets one more label, and nothing else. */
function refusedOnceMore(stored: KubeObject): string {
  const next = { ...stored, metadata: { ...stored.metadata, labels: { more: 'x' } } };
  return applyOver(stored, next, releaseOf('1.36')).refusal?.message ?? '';
}

// Sources: GetValidationOptionsFromPodTemplate in pkg/api/pod/util.go, and the strategies in pkg/registry
describe('[#41] what is stored with a fault that a rule came late for', () => {
  const bad = [{ key: 'a', operator: 'In', values: ['-bad-'] }];
  const object = (apiVersion: string, kind: string, fields: JsonObject): KubeObject =>
    decodeObject({ apiVersion, kind, metadata: { name: 'a' }, ...fields }).object;
  const claim = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } };
  const autoscaler = (spec: JsonObject): KubeObject =>
    object('autoscaling/v2', 'HorizontalPodAutoscaler', {
      spec: { maxReplicas: 3, scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'a' }, ...spec },
    });
  const required = { nodeSelectorTerms: [{ matchExpressions: bad }] };
  const ofNodes = { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: required } };
  const term = { topologyKey: 'zone', labelSelector: { matchExpressions: bad } };
  const ofPods = { podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [term] } };
  const tokens = [{ name: 't', projected: { sources: [{ serviceAccountToken: { path: '/a' } }] } }];
  const spread = [{ maxSkew: 1, topologyKey: 'zone', whenUnsatisfiable: 'DoNotSchedule', labelSelector: selector }];
  const unfitting = spread.map((each) => ({ ...each, labelSelector: { matchLabels: { a: '-bad-' } } }));
  const metrics = [
    {
      type: 'Object',
      object: {
        describedObject: { apiVersion: 'a/b/c', kind: 'K', name: 'a' },
        metric: { name: 'a' },
        target: { type: 'Value', value: '1' },
      },
    },
  ];

  const spared: Readonly<Record<string, KubeObject>> = {
    'a template with a value of required node affinity': workload('Deployment', {
      template: template({ affinity: ofNodes }),
    }),
    'a template with a value of pod affinity': workload('StatefulSet', { template: template({ affinity: ofPods }) }),
    'a template with the selector of a constraint': workload('DaemonSet', {
      template: template({ topologySpreadConstraints: unfitting }),
    }),
    'a template with the path of a token': workload('ReplicaSet', { template: template({ volumes: tokens }) }),
    'a template of a CronJob': cronJob({
      jobTemplate: { spec: { template: template({ restartPolicy: 'Never', affinity: ofNodes }) } },
    }),
    'a schedule with a time zone': cronJob({ schedule: 'TZ=UTC 0 3 * * *' }),
    'a time zone': cronJob({ timeZone: 'No/Where' }),
    'the selector of a budget': object('policy/v1', 'PodDisruptionBudget', {
      spec: { minAvailable: 1, selector: { matchExpressions: bad } },
    }),
    'the selector of a claim': object('v1', 'PersistentVolumeClaim', {
      spec: { ...claim, selector: { matchExpressions: bad } },
    }),
    'the nodes of a volume': object('v1', 'PersistentVolume', {
      spec: {
        capacity: { storage: '1Gi' },
        accessModes: ['ReadWriteOnce'],
        hostPath: { path: '/a' },
        nodeAffinity: { required },
      },
    }),
    'what an autoscaler scales': autoscaler({ scaleTargetRef: { apiVersion: 'v1', kind: 'Deployment', name: 'a' } }),
    'what a metric of an autoscaler describes': autoscaler({ metrics }),
    'an address of a Service': object('v1', 'Service', {
      spec: { ports: [{ port: 80 }], externalIPs: ['010.0.0.1'] },
    }),
  };
  for (const [what, stored] of Object.entries(spared)) {
    it(`may be updated: ${what}`, () => {
      assert.equal(refusedOnceMore(stored), '');
    });
  }

  it('may not get such a fault anew', () => {
    const stored = autoscaler({});
    const next = autoscaler({ scaleTargetRef: { apiVersion: 'v1', kind: 'Deployment', name: 'a' } });
    assert.match(
      applyOver(stored, next, releaseOf('1.36')).refusal?.message ?? '',
      /apiVersion: Invalid value: "v1": apiVersion must specify API group$/,
    );
  });

  it('may not break a rule that always was: labels that a selector asks for, a zone told twice', () => {
    const budget = object('policy/v1', 'PodDisruptionBudget', { spec: { selector: { matchLabels: { a: '-bad-' } } } });
    assert.match(refusedOnceMore(budget), /spec\.selector\.matchLabels: Invalid value: "-bad-"/);
    assert.match(
      refusedOnceMore(cronJob({ schedule: 'TZ=UTC 0 3 * * *', timeZone: 'UTC' })),
      /: cannot use both timeZone field and TZ or CRON_TZ in schedule$/,
    );
  });
});
