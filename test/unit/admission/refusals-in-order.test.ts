import { strict as assert } from 'node:assert';
import { reviewCreation } from '../../../server/src/admission/request/create.ts';
import { reviewUpdate } from '../../../server/src/admission/request/update.ts';
import { presetState } from '../../../server/src/cli/decide/preset-state.ts';
import type { JsonObject } from '../../../server/src/kubernetes/json.ts';
import type { LimitRange } from '../../../server/src/kubernetes/objects.ts';
import { releaseOf } from '../../../server/src/kubernetes/releases/index.ts';
import {
  container,
  template,
  object,
  pod,
  job,
  statefulSet,
  claim,
  autoscaler,
  refusals,
  type Row,
  since136,
  since135,
  judged,
} from './judged-documents.ts';

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
