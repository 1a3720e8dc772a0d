import assert from 'node:assert/strict';
import {
  addDefaultTolerations,
  defaultNamespace,
  defaultNode,
  defaultPersistentVolume,
  defaultPersistentVolumeClaim,
  defaultPod,
  defaultPriorityClass,
  defaultStorageClass,
  mergeMatchLabelKeys,
} from '../../../server/src/kubernetes/defaults/index.ts';
import type { Pod, PodSpec, ResourceRequirements } from '../../../server/src/kubernetes/objects.ts';

const complete: PodSpec = {
  schedulerName: 'default-scheduler',
  restartPolicy: 'Always',
  terminationGracePeriodSeconds: 30,
  containers: [
    {
      name: 'main',
      resources: { limits: { cpu: '1' }, requests: { cpu: '500m' } },
      ports: [{ containerPort: 80, protocol: 'TCP' }],
    },
  ],
};

function defaultedSpec(spec: Partial<PodSpec>): PodSpec {
  return defaultPod({ spec: { containers: [], ...spec } }).spec!;
}

function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}

describe('defaults of pods', () => {
  it('return the very object when nothing is missing', () => {
    const pod: Pod = { metadata: { name: 'a' }, spec: complete };
    assert.equal(defaultPod(pod), pod);
  });

  it('share what does not change, and never change their input', () => {
    const container = complete.containers[0]!;
    const pod: Pod = Object.freeze({ spec: Object.freeze({ containers: Object.freeze([container]) }) });
    const result = defaultPod(pod);
    assert.equal(result.spec?.containers[0], container);
    assert.equal(result.spec.schedulerName, 'default-scheduler');
    assert.equal(defaultPod({ metadata: { name: 'other' }, spec: pod.spec! }).spec, result.spec);
  });

  it('take requests from limits, in containers and init containers', () => {
    const resources: ResourceRequirements = { limits: { cpu: '2', memory: '1Gi' }, requests: { cpu: '1' } };
    const spec = defaultedSpec({ containers: [{ name: 'a', resources }], initContainers: [{ name: 'b', resources }] });
    for (const container of [spec.containers[0], spec.initContainers?.[0]]) {
      assert.deepEqual(plain(container?.resources?.requests), { cpu: '1', memory: '1Gi' });
    }
  });

  it('treat a resource called __proto__ as a resource', () => {
    const limits = JSON.parse('{"__proto__": "1"}') as Record<string, string>;
    const spec = defaultedSpec({ containers: [{ name: 'a', resources: { limits, requests: { cpu: '1' } } }] });
    assert.deepEqual(Object.keys(spec.containers[0]?.resources?.requests ?? {}), ['cpu', '__proto__']);
  });

  it('round amounts up to thousandths', () => {
    const resources: ResourceRequirements = { requests: { cpu: '0.1m', memory: '1.0001' } };
    const spec = defaultedSpec({ containers: [{ name: 'a', resources }], overhead: { cpu: '100u' } });
    assert.deepEqual(plain(spec.containers[0]?.resources?.requests), { cpu: '1m', memory: '1001m' });
    assert.deepEqual(plain(spec.overhead), { cpu: '1m' });
  });

  it('give every port of the host network its host port', () => {
    const ports = [{ containerPort: 80 }, { containerPort: 81, hostPort: 8081, protocol: 'UDP' }];
    const spec = defaultedSpec({
      hostNetwork: true,
      containers: [{ name: 'a', ports }],
      initContainers: [{ name: 'b', ports }],
    });
    for (const container of [spec.containers[0], spec.initContainers?.[0]]) {
      assert.deepEqual(container?.ports, [{ containerPort: 80, protocol: 'TCP', hostPort: 80 }, ports[1]]);
    }
    const [port] = defaultedSpec({ containers: [{ name: 'a', ports }] }).containers[0]?.ports ?? [];
    assert.deepEqual(port, { containerPort: 80, protocol: 'TCP' });
  });

  const podLevel: readonly (readonly [string, ResourceRequirements, ResourceRequirements, ResourceRequirements])[] = [
    ['requests from limits', { limits: { cpu: '2' } }, {}, { limits: { cpu: '2' }, requests: { cpu: '2' } }],
    [
      'requests from containers first',
      { limits: { cpu: '2', memory: '1Gi' } },
      { requests: { cpu: '500m' } },
      { limits: { cpu: '2', memory: '1Gi' }, requests: { cpu: '500m', memory: '1Gi' } },
    ],
    ['nothing without limits', { requests: { cpu: '1' } }, { requests: { memory: '1Gi' } }, { requests: { cpu: '1' } }],
    [
      'no extended resources',
      { limits: { cpu: '2' } },
      { requests: { 'example.com/gpu': '1' }, limits: { 'example.com/gpu': '1' } },
      { limits: { cpu: '2' }, requests: { cpu: '2' } },
    ],
    [
      'huge pages from the limits of containers',
      { requests: { cpu: '1' } },
      { limits: { 'hugepages-2Mi': '4Mi' } },
      { limits: { 'hugepages-2Mi': '4Mi' }, requests: { cpu: '1', 'hugepages-2Mi': '4Mi' } },
    ],
    [
      'sums before rounding',
      { limits: { cpu: '1' } },
      { requests: { cpu: '0.4m' } },
      { limits: { cpu: '1' }, requests: { cpu: '1m' } },
    ],
  ];
  for (const [what, resources, container, expected] of podLevel) {
    it(`for the pod as a whole: ${what}`, () => {
      const spec = defaultedSpec({
        resources,
        containers: [
          { name: 'a', resources: container },
          { name: 'b', ...(what.startsWith('sums') ? { resources: container } : {}) },
        ],
      });
      assert.deepEqual(plain(spec.resources), expected);
    });
  }

  it('add tolerations of failing nodes only where asked to, and only those that are missing', () => {
    assert.equal(defaultedSpec({}).tolerations, undefined);
    const added = addDefaultTolerations({
      spec: { containers: [], tolerations: [{ key: 'node.kubernetes.io/not-ready', operator: 'Exists' }] },
    });
    assert.deepEqual(added.spec?.tolerations?.slice(1), [
      { key: 'node.kubernetes.io/unreachable', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 300 },
    ]);
    assert.equal(addDefaultTolerations(added), added);
    const all: Pod = { spec: { containers: [], tolerations: [{ operator: 'Exists' }] } };
    assert.equal(addDefaultTolerations(all), all);
  });
});

describe('matchLabelKeys', () => {
  const term = {
    topologyKey: 'zone',
    labelSelector: { matchLabels: { a: 'b' } },
    matchLabelKeys: ['app', 'gone'],
    mismatchLabelKeys: ['tenant'],
  };
  const merged = [
    { key: 'app', operator: 'In', values: ['web'] },
    { key: 'tenant', operator: 'NotIn', values: ['t1'] },
  ];
  const metadata = { labels: { app: 'web', tenant: 't1' } };

  it('become requirements of all four lists of terms and of spread constraints', () => {
    const lists = {
      requiredDuringSchedulingIgnoredDuringExecution: [term],
      preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 1, podAffinityTerm: term }],
    };
    const spread = {
      topologyKey: 'zone',
      maxSkew: 1,
      whenUnsatisfiable: 'DoNotSchedule',
      labelSelector: {},
      matchLabelKeys: ['app'],
    };
    const { spec } = mergeMatchLabelKeys({
      metadata,
      spec: {
        containers: [],
        affinity: { podAffinity: lists, podAntiAffinity: lists },
        topologySpreadConstraints: [spread],
      },
    });
    for (const each of [spec?.affinity?.podAffinity, spec?.affinity?.podAntiAffinity]) {
      assert.deepEqual(
        each?.requiredDuringSchedulingIgnoredDuringExecution?.[0]?.labelSelector?.matchExpressions,
        merged,
      );
      assert.deepEqual(
        each.preferredDuringSchedulingIgnoredDuringExecution?.[0]?.podAffinityTerm.labelSelector?.matchExpressions,
        merged,
      );
    }
    assert.deepEqual(spec?.topologySpreadConstraints?.[0]?.labelSelector?.matchExpressions, merged.slice(0, 1));
  });

  it('change nothing without a selector or without a matching label', () => {
    const { labelSelector, ...bare } = term;
    const pod = (each: object): Pod => ({
      metadata,
      spec: {
        containers: [],
        affinity: { podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [each as typeof term] } },
      },
    });
    const without = pod(bare);
    assert.equal(mergeMatchLabelKeys(without), without);
    const unlabelled = pod({ ...bare, labelSelector, matchLabelKeys: ['gone'], mismatchLabelKeys: [] });
    assert.equal(mergeMatchLabelKeys(unlabelled), unlabelled);
  });
});

describe('defaults of cluster objects', () => {
  it('nodes: what can be allocated is the capacity, unless they say', () => {
    const capacity = { cpu: '4', memory: '8Gi' };
    assert.deepEqual(defaultNode({ status: { capacity } }).status?.allocatable, capacity);
    const partial = { status: { capacity, allocatable: { cpu: '3' } } };
    assert.equal(defaultNode(partial), partial);
    assert.deepEqual(plain(defaultNode({ status: { allocatable: { cpu: '1.0001' } } }).status?.allocatable), {
      cpu: '1001m',
    });
  });

  it('namespaces carry their name as a label', () => {
    const defaulted = defaultNamespace({ metadata: { name: 'shop', labels: { a: 'b' } } });
    assert.deepEqual(defaulted.metadata?.labels, { a: 'b', 'kubernetes.io/metadata.name': 'shop' });
    assert.equal(defaultNamespace(defaulted), defaulted);
    const nameless = { metadata: {} };
    assert.equal(defaultNamespace(nameless), nameless);
  });

  it('storage and priority classes', () => {
    assert.deepEqual(defaultStorageClass({ provisioner: 'p' }), {
      provisioner: 'p',
      reclaimPolicy: 'Delete',
      volumeBindingMode: 'Immediate',
    });
    assert.deepEqual(defaultPersistentVolume({}), {
      spec: { persistentVolumeReclaimPolicy: 'Retain', volumeMode: 'Filesystem' },
      status: { phase: 'Pending' },
    });
    assert.deepEqual(defaultPersistentVolumeClaim({ status: { phase: 'Bound' } }), {
      spec: { volumeMode: 'Filesystem' },
      status: { phase: 'Bound' },
    });
    assert.equal(defaultPriorityClass({ value: 1 }).preemptionPolicy, 'PreemptLowerPriority');
  });
});
