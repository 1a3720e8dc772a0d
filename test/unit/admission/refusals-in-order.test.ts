import { strict as assert } from 'node:assert';
import { reviewCreation } from '../../../server/src/admission/request/create.ts';
import { reviewUpdate } from '../../../server/src/admission/request/update.ts';
import { presetState } from '../../../server/src/cli/decide/preset-state.ts';
import type { JsonObject } from '../../../server/src/kubernetes/json.ts';
import type { LimitRange } from '../../../server/src/kubernetes/objects.ts';
import { documentValue } from '../../../server/src/manifests/document-value.ts';
import { releaseOf } from '../../../server/src/kubernetes/releases/index.ts';
import { type Minor, minors } from '../../../server/src/util/minors.ts';

const container = { name: 'c', image: 'i' };
const template = { metadata: { labels: { a: 'b' } }, spec: { containers: [container] } };
const selector = { matchLabels: { a: 'b' } };

function object(apiVersion: string, kind: string, parts: JsonObject, metadata: JsonObject = {}): JsonObject {
  return { apiVersion, kind, metadata: { name: 'x', ...metadata }, ...parts };
}

function pod(spec: JsonObject, metadata: JsonObject = {}): JsonObject {
  return object('v1', 'Pod', { spec: { containers: [container], ...spec } }, metadata);
}

function job(spec: JsonObject): JsonObject {
  const never = { spec: { restartPolicy: 'Never', containers: [container] } };
  return object('batch/v1', 'Job', { spec: { template: never, ...spec } });
}

function statefulSet(spec: JsonObject): JsonObject {
  return object('apps/v1', 'StatefulSet', { spec: { selector, template, ...spec } });
}

function volume(spec: JsonObject): JsonObject {
  const common = { accessModes: ['ReadWriteOnce'], capacity: { storage: '1Gi' } };
  return object('v1', 'PersistentVolume', { spec: { ...common, ...spec } });
}

function claim(spec: JsonObject): JsonObject {
  const common = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } };
  return object('v1', 'PersistentVolumeClaim', { spec: { ...common, ...spec } });
}

function autoscaler(spec: JsonObject): JsonObject {
  const scaleTargetRef = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'x' };
  return object('autoscaling/v2', 'HorizontalPodAutoscaler', { spec: { scaleTargetRef, maxReplicas: 1, ...spec } });
}

/** The refusals of a document, each without what it says of formats; empty where it is accepted. */
function refusals(document: JsonObject, minor: Minor): string[] {
  const { causes = [], message = '' } = reviewCreation(document, presetState('apply'), releaseOf(minor));
  if (causes.length === 0) return message === '' ? [] : [message];
  return causes.map((cause) =>
    `${cause.field}: ${cause.message}`.replace(/: (?:a lowercase|name part|a valid).*$/, ''),
  );
}

function warnings(document: JsonObject, minor: Minor): readonly string[] {
  return reviewCreation(document, presetState('apply'), releaseOf(minor)).warnings ?? [];
}

type Row = readonly [what: string, document: JsonObject, refused: readonly string[], minors?: readonly Minor[]];

const since136: readonly Minor[] = minors.filter((minor) => minor >= '1.36');
const since135: readonly Minor[] = minors.filter((minor) => minor >= '1.35');

function judged(rows: readonly Row[]): void {
  for (const [what, document, refused, which = minors] of rows) {
    it(what, () => {
      for (const minor of which) assert.deepEqual(refusals(document, minor), refused, minor);
    });
  }
}

// Source: ValidatePodSpec, validateContainerCommon, validateInitContainers, validatePodMetadataAndSpec, ValidatePodCreate
describe('refusals of a pod, in the order of the API server', () => {
  judged([
    [
      'the parts of the spec',
      pod({
        os: { name: 'beos' },
        hostAliases: [{ ip: 'x' }],
        tolerations: [{ key: 'a b', operator: 'Exists' }],
        subdomain: 'S',
        hostname: 'H',
        activeDeadlineSeconds: 0,
        nodeName: 'N',
        serviceAccountName: 'A',
        hostUsers: false,
        hostPID: true,
        schedulingGates: [{ name: '' }],
        readinessGates: [{ conditionType: '' }],
        dnsConfig: { nameservers: ['x'] },
        affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [] } } },
        securityContext: { runAsUser: -1 },
        nodeSelector: { 'a b': '' },
        dnsPolicy: 'Any',
        restartPolicy: 'Any',
        containers: [{ ...container, image: ' i' }],
      }),
      [
        'spec.restartPolicy: Unsupported value: "Any": supported values: "Always", "OnFailure", "Never"',
        'spec.dnsPolicy: Unsupported value: "Any": supported values: "ClusterFirstWithHostNet", "ClusterFirst", "Default", "None"',
        'spec.nodeSelector: Invalid value: "a b"',
        'spec.securityContext.runAsUser: Invalid value: -1: must be between 0 and 4294967295, inclusive',
        'spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms: Required value: must have at least one node selector term',
        'spec.dnsConfig.nameservers[0]: Invalid value: "x": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)',
        ...['spec.readinessGates[0].conditionType', 'spec.schedulingGates[0]'].flatMap((at) =>
          // Of an empty name two things are said.
          Array.from({ length: 2 }, () => `${at}: Invalid value: ""`),
        ),
        'spec.HostPID: Forbidden: when `hostUsers` is false',
        'spec.serviceAccountName: Invalid value: "A"',
        'spec.nodeName: Invalid value: "N"',
        'spec.activeDeadlineSeconds: Invalid value: 0: must be between 1 and 2147483647, inclusive',
        'spec.hostname: Invalid value: "H"',
        'spec.subdomain: Invalid value: "S"',
        'spec.tolerations[0].key: Invalid value: "a b"',
        'spec.hostAliases[0].ip: Invalid value: "x": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)',
        'spec.os: Unsupported value: "beos": supported values: "linux", "windows"',
        'spec.containers[0].image: Invalid value: " i": must not have leading or trailing whitespace',
        'spec.nodeName: Forbidden: cannot be set until all schedulingGates have been cleared',
      ],
    ],
    [
      'the policy of the image behind mounts',
      pod({ containers: [{ ...container, imagePullPolicy: 'Any', volumeMounts: [{ name: 'v', mountPath: '/v' }] }] }),
      [
        'spec.containers[0].volumeMounts[0].name: Not found: "v"',
        'spec.containers[0].imagePullPolicy: Unsupported value: "Any": supported values: "Always", "IfNotPresent", "Never"',
      ],
    ],
    [
      'another host name on the network of the node',
      pod({ hostnameOverride: 'A'.repeat(65), hostNetwork: true, setHostnameAsFQDN: true }),
      [
        'spec.hostnameOverride: Forbidden: may not be specified when setHostnameAsFQDN is true',
        'spec.hostnameOverride: Forbidden: may not be specified when hostNetwork is true',
        'spec.hostnameOverride: Too long: may not be more than 64 bytes',
        `spec.hostnameOverride: Invalid value: "${'A'.repeat(65)}"`,
      ],
      since135,
    ],
    [
      'variables of files in another volume',
      pod({
        volumes: [{ name: 'v', configMap: { name: 'm' } }, { name: 'e' }],
        containers: [
          {
            ...container,
            env: ['v', 'e'].map((volumeName) => ({
              name: 'A',
              valueFrom: { fileKeyRef: { volumeName, path: '/p', key: 'k' } },
            })),
          },
        ],
      }),
      [
        'spec.containers[0].env[0].valueFrom.fileKeyRef.volumeName: Invalid value: "v": referenced volume must be of type emptyDir',
      ],
      since135,
    ],
    [
      'restart rules of a sidecar, without what is wrong with them',
      pod({ initContainers: [{ ...container, name: 'd', restartPolicy: 'Always', restartPolicyRules: [{}] }] }),
      [
        'spec.initContainers[0].restartPolicyRules: Forbidden: restartPolicyRules are not allowed for init containers with restart policy Always',
      ],
      ['1.35'],
    ],
    [
      'no stop signal, which is dropped',
      pod({ initContainers: [{ ...container, name: 'd', lifecycle: { stopSignal: 'SIGTERM' } }] }),
      [],
    ],
  ]);
});

// Source: ValidateStatefulSetSpec, ValidatePodTemplateSpecForStatefulSet, ValidateReplicationControllerSpec, validateJobSpec
describe('refusals of workloads, in the order of the API server', () => {
  const label = 'spec.template.labels: Invalid value: "-x"';
  judged([
    [
      'the claims and the service of a StatefulSet',
      statefulSet({ volumeClaimTemplates: [{ metadata: { name: 'd' }, spec: {} }], replicas: -1, serviceName: 'A' }),
      [
        'spec.volumeClaimTemplates[0].spec.accessModes: Required value: at least 1 access mode is required',
        'spec.volumeClaimTemplates[0].spec.resources[storage]: Required value',
        'spec.replicas: Invalid value: -1: must be greater than or equal to 0',
        'spec.serviceName: Invalid value: "A"',
      ],
    ],
    [
      'labels of a StatefulSet twice, and of its host nothing',
      statefulSet({
        template: { metadata: { labels: { a: 'b', '-x': '' } }, spec: { hostname: 'A', containers: [container] } },
      }),
      [label, label],
    ],
    [
      'the numbers of a ReplicationController',
      object('v1', 'ReplicationController', { spec: { replicas: -1, minReadySeconds: -1, template } }),
      ['spec.minReadySeconds', 'spec.replicas'].map(
        (at) => `${at}: Invalid value: -1: must be greater than or equal to 0`,
      ),
    ],
    [
      'who manages a Job, and what a rule must say',
      job({
        managedBy: '',
        successPolicy: {},
        completionMode: 'Any',
        podFailurePolicy: { rules: [{ onExitCodes: {} }] },
      }),
      [
        'spec.managedBy: Required value',
        'spec.completionMode: Unsupported value: "Any": supported values: "NonIndexed", "Indexed"',
        'spec.podFailurePolicy.rules[0].action: Required value: valid values: ["Count" "FailIndex" "FailJob" "Ignore"]',
        'spec.podFailurePolicy.rules[0].onExitCodes.operator: Required value: valid values: ["In" "NotIn"]',
        'spec.podFailurePolicy.rules[0].onExitCodes.values: Invalid value: null: at least one value is required',
        'spec.successPolicy: Invalid value: {"Rules":null}: requires indexed completion mode',
      ],
    ],
    [
      'how many indexes may fail',
      job({
        completionMode: 'Indexed',
        completions: 200_000,
        parallelism: 10_001,
        backoffLimitPerIndex: 1,
        maxFailedIndexes: 100_001,
      }),
      [
        'spec.maxFailedIndexes: Invalid value: 100001: must be less than or equal to 100000',
        ...(['parallelism: Invalid value: 10001', 'maxFailedIndexes: Invalid value: 100001'] as const).map(
          (at) =>
            `spec.${at}: must be less than or equal to 10000 when completions are above 100000 and used with backoff limit per index`,
        ),
      ],
    ],
  ]);
});

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

// Source: pkg/apis/autoscaling/validation, validateScopedResourceSelectorRequirement, ValidateNode, parseCIDR
describe('refusals of what else there is, in the words of the API server', () => {
  const amounts = { type: 'AverageValue', averageValue: '-0.5' };
  judged([
    [
      'a maximum below 0, and an amount as Go writes it',
      autoscaler({
        maxReplicas: -1,
        minReplicas: 1,
        metrics: [{ type: 'Resource', resource: { name: 'cpu', target: amounts } }],
      }),
      [
        'spec.maxReplicas: Invalid value: -1: must be greater than or equal to 1',
        'spec.maxReplicas: Invalid value: -1: must be greater than or equal to `minReplicas`',
        'spec.metrics[0].resource.target.averageValue: Invalid value: "-500m": must be positive',
      ],
      since136,
    ],
    [
      'the target of an older autoscaler',
      { ...autoscaler({ targetCPUUtilizationPercentage: 0 }), apiVersion: 'autoscaling/v1' },
      ['spec.metrics[0].resource.target.averageUtilization: Invalid value: 0: must be greater than 0'],
    ],
    [
      'scopes that conflict, of which the other list is printed',
      object('v1', 'ResourceQuota', {
        spec: {
          scopeSelector: {
            matchExpressions: ['BestEffort', 'NotBestEffort'].map((scopeName) => ({ scopeName, operator: 'Exists' })),
          },
        },
      }),
      ['spec.scopeSelector.matchExpressions: Invalid value: null: conflicting scopes'],
    ],
    [
      'pages of several sizes, which a node may have',
      object('v1', 'Node', { status: { capacity: { 'hugepages-2Mi': '2Mi', 'hugepages-1Gi': '1Gi' } } }),
      [],
    ],
    ...(
      [
        ['10.0.0.1/24', 'must not have bits set beyond the prefix length'],
        ['10.0.0.00/24', 'must not have leading 0s in IP or prefix length'],
        ['::ffff:10.0.0.0/120', 'must not have an IPv4-mapped IPv6 address'],
        ['fe80::1/64', 'must not have bits set beyond the prefix length'],
        ['::ffff:a00:0/120', 'must not have an IPv4-mapped IPv6 address'],
      ] as const
    ).map(([podCIDR, problem]): Row => [
      `the range ${podCIDR}`,
      object('v1', 'Node', { spec: { podCIDR } }),
      [`spec.podCIDRs[0]: Invalid value: "${podCIDR}": ${problem}`],
      since136,
    ]),
    [
      'several containers beyond a bound once',
      pod(
        { containers: ['a', 'b'].map((name) => ({ ...container, name, resources: { limits: { cpu: 2 } } })) },
        { namespace: 'limited' },
      ),
      ['pods "x" is forbidden: maximum cpu usage per Container is 1, but limit is 2'],
    ],
  ]);

  // Source: strconv.Quote, encoding/json
  it('quote as Go does', () => {
    const name = 'é\u00a0\u0001\u{1f600}\u{e0001}<"\\';
    const [text] = refusals(pod({}, { name }), '1.36');
    assert.equal(text, 'metadata.name: Invalid value: "é\\u00a0\\x01\u{1f600}\\U000e0001<\\"\\\\"');
    const { message = '' } = reviewCreation(pod({ '"': 1 }), presetState('apply'), releaseOf('1.36'));
    assert.match(message, /strict decoding error: unknown field "spec\.\\""$/);
    const [unsupported] = refusals(pod({ restartPolicy: '<' }), '1.36');
    assert.match(unsupported ?? '', /^spec\.restartPolicy: Unsupported value: "\\u003c": /);
  });
});

// Source: pkg/api/pod/warnings.go, pkg/api/{persistentvolume,job,node}, WarningsOnCreate and WarningsOnUpdate in pkg/registry
describe('warnings of an API server', () => {
  const http = { name: 'http', containerPort: 80 };
  const rows: readonly (readonly [
    what: string,
    document: JsonObject,
    warned: readonly string[],
    minors?: readonly Minor[],
  ])[] = [
    [
      'ports of the same name, and an address without a port',
      pod({
        containers: [
          { ...container, ports: [{ ...http, hostIP: '1.2.3.4' }] },
          { ...container, name: 'd', ports: [{ ...http, containerPort: 81 }] },
        ],
      }),
      [
        'spec.containers[0].ports[0]: hostIP set without hostPort: {Name:http HostPort:0 ContainerPort:80 Protocol:TCP HostIP:1.2.3.4}',
        'spec.containers[1].ports[0]: duplicate port name "http" with spec.containers[0].ports[0], services and probes that select ports by name will use spec.containers[0].ports[0]',
      ],
    ],
    [
      'paths that overlap, and sources that are none',
      pod({
        volumes: [
          { name: 'a', configMap: { name: 'm', items: ['p/', 'p/q', 'pq'].map((path) => ({ key: 'k', path })) } },
          {
            name: 'b',
            projected: {
              sources: [
                {},
                { secret: { name: 's', items: [{ key: 'k', path: 'p' }] } },
                { serviceAccountToken: { path: 'p' } },
              ],
            },
          },
        ],
      }),
      [
        'volume "a" (ConfigMap "m"): overlapping paths: "p/q" with "p"',
        'volume "b" (Projected) has no sources provided',
        'volume "b" (Projected): overlapping paths: "p" (ServiceAccountToken) with "p" (Secret "s")',
      ],
    ],
    [
      'addresses that are written otherwise, and secrets without names',
      pod({ hostAliases: [{ ip: 'FE80::0:1' }], imagePullSecrets: [{}, {}] }),
      [
        'spec.imagePullSecrets[0].name: invalid empty name ""',
        'spec.imagePullSecrets[1].name: invalid empty name ""',
        'spec.imagePullSecrets[1].name: duplicate name ""',
        'spec.hostAliases[0].ip: IPv6 address "FE80::0:1" should be in RFC 5952 canonical format ("fe80::1")',
      ],
    ],
    [
      'addresses with zeros in front, where they are taken',
      pod({ dnsConfig: { nameservers: ['010.0.0.1'] } }),
      ['spec.dnsConfig.nameservers[0]: non-standard IP address "010.0.0.1" is invalid: use "10.0.0.1"'],
      ['1.34', '1.35'],
    ],
    [
      'profiles in annotations, of containers that there are',
      pod(
        { securityContext: { seccompProfile: { type: 'RuntimeDefault' } } },
        {
          annotations: {
            'seccomp.security.alpha.kubernetes.io/pod': 'runtime/default',
            'container.seccomp.security.alpha.kubernetes.io/c': 'runtime/default',
            'container.seccomp.security.alpha.kubernetes.io/d': 'runtime/default',
          },
        },
      ),
      [
        'metadata.annotations[container.seccomp.security.alpha.kubernetes.io/c]: non-functional in v1.27+; use the "seccompProfile" field instead',
      ],
    ],
    [
      'claims of a StatefulSet',
      statefulSet({
        revisionHistoryLimit: -1,
        volumeClaimTemplates: [
          {
            metadata: { name: 'd' },
            spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1500m' } } },
          },
        ],
      }),
      [
        'spec.volumeClaimTemplates[0].resources.requests[storage]: fractional byte value "1500m" is invalid, must be an integer',
        'spec.revisionHistoryLimit: a negative value retains all historical revisions; a value >= 0 is recommended',
      ],
    ],
    [
      'volumes that no longer work, and no part of a byte',
      volume({ storageos: { volumeName: 'v' }, capacity: { storage: '1500m' } }),
      ['spec.storageOS: deprecated in v1.22, non-functional in v1.25+'],
    ],
    [
      'quotas that ask for more than they limit',
      object('v1', 'ResourceQuota', { spec: { hard: { cpu: '2', 'limits.cpu': '1' } } }),
      ['ResourceQuota cpu (2) should be less than limits.cpu (1)'],
      since135,
    ],
    [
      'ranges that name an address, where they are taken',
      object('v1', 'Node', { spec: { podCIDR: '10.0.0.1/24' } }),
      [
        'spec.podCIDRs[0]: CIDR value "10.0.0.1/24" is ambiguous in this context (should be "10.0.0.0/24" or "10.0.0.1/32"?)',
      ],
      ['1.34', '1.35'],
    ],
  ];
  for (const [what, document, warned, which = minors] of rows) {
    it(what, () => {
      for (const minor of which) assert.deepEqual(warnings(document, minor), warned, minor);
    });
  }

  it('are told of an update where it changes what is warned of', () => {
    const odd = { ...template, spec: { containers: [container], terminationGracePeriodSeconds: -1 } };
    const deployment = (replicas: number, name = 'a.b'): JsonObject => ({
      ...object('apps/v1', 'Deployment', { spec: { replicas, selector, template: odd } }),
      metadata: { name },
    });
    const told = (old: JsonObject, next: JsonObject): readonly string[] =>
      reviewUpdate(old, next, 'replace', presetState('update'), releaseOf('1.36')).warnings ?? [];
    assert.deepEqual(told(deployment(1), deployment(1)), []);
    assert.deepEqual(told(deployment(1), deployment(2)), [
      'spec.template.spec.terminationGracePeriodSeconds: must be >= 0; negative values are invalid and will be treated as 1',
    ]);
    const old = pod({ terminationGracePeriodSeconds: -1 });
    assert.deepEqual(told(old, pod({ terminationGracePeriodSeconds: -1 }, { labels: { a: 'b' } })), []);
  });
});

const before136: readonly Minor[] = minors.filter((minor) => minor < '1.36');

// Source: ValidateNode, validateNodeSwapStatus, validateNodeDeclaredFeatures; ParseCIDRs in k8s.io/utils/net
describe('refusals of a node, in the order of the API server', () => {
  judged([
    [
      'swap, declared features and ranges of pods',
      object('v1', 'Node', {
        spec: { podCIDRs: ['10.0.0.0/24', 'bad'] },
        status: { declaredFeatures: ['B', 'A', 'A', 'low'], nodeInfo: { swap: { capacity: 0 } } },
      }),
      [
        'metadata.nodeSwapStatus.capacity: Invalid value: 0: must be greater than zero',
        'status.declaredFeatures[1]: Invalid value: "A": list must be sorted alphabetically',
        'status.declaredFeatures[2]: Duplicate value: "A"',
        'status.declaredFeatures[3]: Invalid value: "low": invalid feature name "low": must start with an UpperCamelCase segment, with subsequent segments separated by \'/\' (e.g., MyFeature or MyFeature/mySubFeature), and contain only alphanumeric characters and slashes',
        'spec.podCIDRs[1]: Invalid value: "bad": must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)',
        'spec.podCIDRs: Internal error: invalid PodCIDRs. failed to check with dual stack with error:invalid CIDR[1]: <nil> (invalid CIDR address: bad)',
        'spec.podCIDRs: Invalid value: ["10.0.0.0/24","bad"]: may specify no more than one CIDR for each IP family',
      ],
      since136,
    ],
  ]);
});

// Source: validateTokenRequests, validateVolumeLifecycleModes, ValidateVolumeAttachment, ValidateVolumeAttachmentV1,
// ValidateCSIStorageCapacity in pkg/apis/storage/validation/validation.go
describe('refusals of what storage drivers write, in the order of the API server', () => {
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
      'an attachment',
      object('storage.k8s.io/v1', 'VolumeAttachment', {
        spec: { attacher: 'A_', nodeName: 'N_', source: { persistentVolumeName: '' } },
      }),
      [
        'spec.source.persistentVolumeName: Required value: must specify non empty persistentVolumeName',
        'spec.nodeName: Invalid value: "N_"',
        'spec.attacher: Invalid value: "A_"',
        'spec.source.persistentVolumeName: Invalid value: ""',
      ],
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

// Source: ValidateServiceCreate in pkg/apis/core/validation/validation.go, KEP-5311
describe('the name of a service', () => {
  const service = object('v1', 'Service', { spec: { clusterIP: 'None' } }, { name: '1a' });
  judged([
    [
      'begins with a letter',
      service,
      [
        "metadata.name: Invalid value: \"1a\": a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')",
      ],
      before136,
    ],
    ['begins with a digit, too', service, [], since136],
  ]);
});

// Source: validateService in pkg/apis/core/validation/validation.go
describe('a service', () => {
  const service = (spec: JsonObject): JsonObject => object('v1', 'Service', { spec });
  const port = { port: 80 };
  const ofBalancers = "Forbidden: may only be used when `type` is 'LoadBalancer'";
  judged([
    ['has ports', service({}), ['spec.ports: Required value']],
    ['has none where each pod is told by its name', service({ clusterIP: 'None' }), []],
    [
      'of several ports each has a name, and one that no other has',
      service({ ports: [port, { name: 'A_', port: 0 }, { name: 'a', port: 81 }, { name: 'a', port: 82 }] }),
      [
        'spec.ports[0].name: Required value',
        'spec.ports[1].name: Invalid value: "A_"',
        'spec.ports[1].port: Invalid value: 0: must be between 1 and 65535, inclusive',
        'spec.ports[1].targetPort: Invalid value: 0: must be between 1 and 65535, inclusive',
        'spec.ports[3].name: Duplicate value: "a"',
      ],
    ],
    [
      'does not listen twice',
      service({
        ports: [
          { name: 'a', ...port },
          { name: 'b', ...port, targetPort: 'x--y' },
          { name: 'c', ...port, protocol: 'UDP' },
        ],
      }),
      [
        'spec.ports[1].targetPort: Invalid value: "x--y": must not contain consecutive hyphens',
        'spec.ports[1]: Duplicate value: {"Name":"","Protocol":"TCP","AppProtocol":null,"Port":80,"TargetPort":0,"NodePort":0}',
      ],
    ],
    [
      'of a type that there is not',
      service({ type: 'Ingress', ports: [{ ...port, protocol: 'http', appProtocol: '!' }], sessionAffinity: 'Cookie' }),
      [
        'spec.ports[0].protocol: Unsupported value: "http": supported values: "SCTP", "TCP", "UDP"',
        'spec.ports[0].appProtocol: Invalid value: "!"',
        'spec.sessionAffinity: Unsupported value: "Cookie": supported values: "ClientIP", "None"',
        'spec.type: Unsupported value: "Ingress": supported values: "ClusterIP", "ExternalName", "LoadBalancer", "NodePort"',
      ],
    ],
    [
      'without an address is not reached from outside',
      service({ type: 'NodePort', clusterIP: 'None', ports: [port] }),
      ['spec.clusterIPs[0]: Invalid value: "None": may not be set to \'None\' for NodePort services'],
    ],
    [
      'that is a name has no address',
      service({ type: 'ExternalName', clusterIP: '10.0.0.1', externalName: '.' }),
      ['spec.clusterIPs: Forbidden: may not be set for ExternalName services', 'spec.externalName: Required value'],
    ],
    ['is a name with a dot at its end', service({ type: 'ExternalName', externalName: 'a.example.' }), []],
    [
      'of the cluster alone',
      service({
        ports: [{ ...port, nodePort: 30_080 }],
        externalTrafficPolicy: 'Local',
        healthCheckNodePort: 30_081,
        loadBalancerSourceRanges: ['10.0.0.0/33'],
        allocateLoadBalancerNodePorts: false,
        loadBalancerClass: 'a',
      }),
      [
        "spec.ports[0].nodePort: Forbidden: may not be used when `type` is 'ClusterIP'",
        `spec.LoadBalancerSourceRanges: ${ofBalancers}`,
        'spec.LoadBalancerSourceRanges[0]: Invalid value: "10.0.0.0/33": must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)',
        `spec.allocateLoadBalancerNodePorts: ${ofBalancers}`,
        `spec.loadBalancerClass: ${ofBalancers}`,
        'spec.externalTrafficPolicy: Invalid value: "Local": may only be set for externally-accessible services',
        "spec.healthCheckNodePort: Invalid value: 30081: may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` is 'Local'",
      ],
    ],
    [
      'of all nodes',
      service({
        type: 'LoadBalancer',
        ports: [
          { name: 'a', ...port, nodePort: 30_080 },
          { name: 'b', port: 81, nodePort: 30_080 },
        ],
        externalTrafficPolicy: 'Near',
        internalTrafficPolicy: 'Near',
        trafficDistribution: 'Near',
        externalIPs: ['10.0.0'],
        loadBalancerClass: '!',
        sessionAffinity: 'ClientIP',
        sessionAffinityConfig: { clientIP: { timeoutSeconds: 86_401 } },
      }),
      [
        'spec.sessionAffinityConfig.clientIP.timeoutSeconds: Invalid value: 86401: must be greater than 0 and less than 86400',
        'spec.externalIPs[0]: Invalid value: "10.0.0": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)',
        'spec.ports[1].nodePort: Duplicate value: 30080',
        'spec.loadBalancerClass: Invalid value: "!"',
        'spec.externalTrafficPolicy: Unsupported value: "Near": supported values: "Cluster", "Local"',
        'spec.internalTrafficPolicy: Unsupported value: "Near": supported values: "Cluster", "Local"',
        'spec.trafficDistribution: Unsupported value: "Near": supported values: "PreferClose", "PreferSameZone", "PreferSameNode"',
      ],
    ],
  ]);
});

// Source: PrepareForCreate in pkg/registry/core/pod/strategy.go and others; ValidateObjectMetaAccessor
describe('a generation that somebody writes', () => {
  judged([
    ['counts for nothing where the server counts them', pod({}, { generation: -1 }), []],
    [
      'is judged where it does not',
      object('v1', 'LimitRange', { spec: { limits: [] } }, { generation: -1 }),
      ['metadata.generation: Invalid value: -1: must be greater than or equal to 0'],
    ],
  ]);
});

// Source: UnmarshalTypeError; Unmarshal in apimachinery/pkg/util/json/json.go, which keeps integers of 64 bits
describe('integers beyond 2^53', () => {
  const said = (text: string): string[] => {
    const read = documentValue(text);
    assert.ok('value' in read);
    return refusals(read.value, '1.34');
  };
  const manifest = (metadata: string, spec: string): string =>
    `apiVersion: v1\nkind: Pod\nmetadata: { name: x${metadata} }\nspec: { containers: [{ name: c, image: i${spec} }] }\n`;
  const mismatch = 'Pod in version "v1" cannot be handled as a Pod: json: cannot unmarshal number';
  for (const [what, metadata, spec, refused] of [
    [
      'are no text',
      ', labels: { a: 9007199254740993 }',
      '',
      [`${mismatch} into Go struct field ObjectMeta.metadata.labels of type string`],
    ],
    [
      'do not fit 32 bits',
      '',
      ', ports: [{ containerPort: 9007199254740993 }]',
      [
        `${mismatch} 9007199254740993 into Go struct field ContainerPort.spec.containers.ports.containerPort of type int32`,
      ],
    ],
    [
      'do not fit 64 bits, though they are rounded to what would',
      '',
      ', securityContext: { runAsUser: -9223372036854775809 }',
      [
        `${mismatch} -9223372036854776000 into Go struct field SecurityContext.spec.containers.securityContext.runAsUser of type int64`,
      ],
    ],
    [
      'are told in all their digits',
      '',
      ', securityContext: { runAsUser: 9223372036854775807 }',
      [
        'spec.containers[0].securityContext.runAsUser: Invalid value: 9223372036854775807: must be between 0 and 4294967295, inclusive',
      ],
    ],
    [
      'are exact amounts',
      '',
      ', resources: { requests: { memory: 9007199254740995 }, limits: { memory: 9007199254740993 } }',
      [
        'spec.containers[0].resources.requests: Invalid value: "9007199254740995": must be less than or equal to memory limit of 9007199254740993',
      ],
    ],
  ] as const) {
    it(what, () => {
      assert.deepEqual(said(manifest(metadata, spec)), refused);
    });
  }
});

// Source: runLimitFunc, PodValidateLimitFunc, PersistentVolumeClaimValidateLimitFunc, maxRequestConstraint in
// plugin/pkg/admission/limitranger/admission.go
describe('refusals of a LimitRange', () => {
  const state = presetState('apply');
  const range = (limits: LimitRange['spec']): LimitRange => ({
    metadata: { name: 'r', namespace: 'default' },
    ...(limits === undefined ? {} : { spec: limits }),
  });
  const answer = (document: JsonObject, ...limitRanges: readonly LimitRange[]): string =>
    reviewCreation(document, { ...state, limitRanges }, releaseOf('1.34')).message ?? '';
  const claims = range({
    limits: [{ type: 'PersistentVolumeClaim', min: { storage: '2Gi', 'example.com/a': '1' }, max: { storage: '3Gi' } }],
  });

  it('counts what a pod requests as a whole', () => {
    const document = pod({ resources: { requests: { cpu: '2' }, limits: { cpu: '2' } } });
    const limits = range({ limits: [{ type: 'Pod', max: { cpu: '1' } }] });
    assert.equal(answer(document, limits), 'pods "x" is forbidden: maximum cpu usage per Pod is 1, but limit is 2');
  });

  it('says what the first range refuses that refuses something', () => {
    const limits = (cpu: string): LimitRange => range({ limits: [{ type: 'Pod', min: { cpu } }] });
    const document = pod({ containers: [{ ...container, resources: { requests: { cpu: '2' } } }] });
    assert.equal(
      answer(document, limits('1'), limits('3'), limits('4')),
      'pods "x" is forbidden: minimum cpu usage per Pod is 3, but request is 2',
    );
  });

  it('bounds what claims request', () => {
    assert.equal(
      answer(claim({}), claims),
      'persistentvolumeclaims "x" is forbidden: [minimum storage usage per PersistentVolumeClaim is 2Gi, but request is 1Gi, minimum example.com/a usage per PersistentVolumeClaim is 1.  No request is specified]',
    );
    assert.equal(
      answer(claim({ resources: { requests: { storage: '4Gi', 'example.com/a': '1' } } }), claims),
      'persistentvolumeclaims "x" is forbidden: maximum storage usage per PersistentVolumeClaim is 3Gi, but request is 4Gi',
    );
  });

  it('bounds claims that change, too', () => {
    const old = claim({});
    const next = { ...old, metadata: { name: 'x', labels: { a: 'b' } } };
    const { message } = reviewUpdate(old, next, 'apply', { ...state, limitRanges: [claims] }, releaseOf('1.34'));
    assert.match(message ?? '', /^persistentvolumeclaims "x" is forbidden: \[minimum storage/);
  });
});

// Source: BeforeCreate in apiserver/pkg/registry/rest/create.go; ValidateObjectMetaAccessorUpdate, which is asked for
// all kinds and for each
describe('the end of an object', () => {
  const ended = { deletionTimestamp: '2026-01-02T03:04:05+01:00', deletionGracePeriodSeconds: 5 };
  it('is nothing that an update writes, as no creation does', () => {
    const [old, next] = [claim({}), { ...claim({}), metadata: { name: 'x', ...ended } }];
    const { causes = [] } = reviewUpdate(old, next, 'apply', presetState('update'), releaseOf('1.34'));
    const once = [
      'metadata.deletionGracePeriodSeconds: Invalid value: 5: field is immutable; may only be changed via deletion',
      'metadata.deletionTimestamp: Invalid value: "2026-01-02T02:04:05Z": field is immutable; may only be changed via deletion',
    ];
    assert.deepEqual([...new Set(causes.map(({ field, message }) => `${field}: ${message}`))], once);
    assert.equal(causes.length, 4);
    assert.deepEqual(refusals(next, '1.34'), []);
  });
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

// Source: SetDefaults_* in pkg/apis/{core,batch,autoscaling,storage,scheduling}/v*/defaults.go, copyHPAScalingRules
describe('empty texts and lists where Go has a pointer, which defaults do not replace', () => {
  const unsupported = (at: string, ...supported: string[]): string =>
    `${at}: Unsupported value: "": supported values: ${supported.map((each) => `"${each}"`).join(', ')}`;
  const volumeMode = unsupported('spec.volumeMode', 'Block', 'Filesystem');
  const scaleUp = (rules: JsonObject): JsonObject => autoscaler({ behavior: { scaleUp: rules } });
  const httpGet = { port: 80 };
  judged([
    ['of claims', claim({ volumeMode: '' }), [volumeMode]],
    ['of volumes', volume({ hostPath: { path: '/a' }, volumeMode: '' }), [volumeMode]],
    [
      'of jobs',
      job({ completionMode: '', podReplacementPolicy: '' }),
      [
        unsupported('spec.completionMode', 'NonIndexed', 'Indexed'),
        unsupported('spec.podReplacementPolicy', 'Failed', 'TerminatingOrFailed'),
      ],
    ],
    [
      'of autoscalers',
      scaleUp({ selectPolicy: '' }),
      [unsupported('spec.behavior.scaleUp.selectPolicy', 'Disabled', 'Max', 'Min')],
    ],
    [
      'of rules without policies',
      scaleUp({ policies: [] }),
      ['spec.behavior.scaleUp.policies: Required value: must specify at least one Policy'],
    ],
    [
      'of storage classes',
      object('storage.k8s.io/v1', 'StorageClass', { provisioner: 'a', volumeBindingMode: '' }),
      [unsupported('volumeBindingMode', 'Immediate', 'WaitForFirstConsumer')],
    ],
    [
      'of priority classes',
      object('scheduling.k8s.io/v1', 'PriorityClass', { value: 1, preemptionPolicy: '' }),
      ['preemptionPolicy: Required value'],
    ],
    [
      'of disks of Azure',
      pod({ volumes: [{ name: 'v', azureDisk: { diskName: 'a', diskURI: 'https://a', cachingMode: '' } }] }),
      [unsupported('spec.volumes[0].azureDisk.cachingMode', 'None', 'ReadOnly', 'ReadWrite')],
    ],
    [
      'and no seconds of a probe',
      pod({ containers: [{ ...container, livenessProbe: { httpGet, terminationGracePeriodSeconds: 0 } }] }),
      ['spec.containers[0].livenessProbe.terminationGracePeriodSeconds: Invalid value: 0: must be greater than 0'],
    ],
    [
      'but no numbers of a probe',
      pod({ containers: [{ ...container, livenessProbe: { httpGet, periodSeconds: 0 } }] }),
      [],
    ],
    ['and no text that is none', pod({ dnsPolicy: '', restartPolicy: '', schedulerName: '' }), []],
  ]);
});
