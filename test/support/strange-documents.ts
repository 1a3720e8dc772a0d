/** Documents that nobody writes on purpose: names of JavaScript's prototypes everywhere, and random ones. */
import { withText } from './prototype-text.ts';

type Json = string | number | boolean | null | Json[] | { [name: string]: Json };

const pod = {
  priorityClassName: 'high',
  schedulerName: 'default-scheduler',
  nodeSelector: { disk: 'fast' },
  tolerations: [{ key: 'dedicated', operator: 'Equal', value: 'web', effect: 'NoSchedule', tolerationSeconds: 30 }],
  topologySpreadConstraints: [
    {
      maxSkew: 1,
      topologyKey: 'zone',
      whenUnsatisfiable: 'DoNotSchedule',
      labelSelector: { matchLabels: { app: 'web' } },
      matchLabelKeys: ['app'],
    },
  ],
  affinity: {
    nodeAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: {
        nodeSelectorTerms: [{ matchExpressions: [{ key: 'zone', operator: 'In', values: ['a'] }] }],
      },
    },
    podAntiAffinity: {
      preferredDuringSchedulingIgnoredDuringExecution: [
        { weight: 1, podAffinityTerm: { topologyKey: 'host', labelSelector: { matchLabels: { app: 'web' } } } },
      ],
    },
  },
  overhead: { cpu: '1m' },
  runtimeClassName: 'gvisor',
  resourceClaims: [{ name: 'gpu', resourceClaimTemplateName: 'gpu' }],
  volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'data' } }],
  containers: [
    {
      name: 'a',
      image: 'a',
      env: [{ name: 'A', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } }],
      ports: [{ containerPort: 80, hostPort: 80, protocol: 'TCP' }],
      resources: { requests: { cpu: '500m', 'example.com/gpu': '1' }, limits: { cpu: '1', 'example.com/gpu': '1' } },
      volumeMounts: [{ name: 'data', mountPath: '/data' }],
      readinessProbe: { httpGet: { path: '/', port: 80 } },
    },
  ],
};
const labels = { app: 'web' };
const metadata = { name: 'web', namespace: 'shop', labels, annotations: { note: 'x' } };

/** One of each kind that is read otherwise than the others. */
const plainDocuments: readonly { readonly path: string; readonly value: Json }[] = [
  { path: 'pod.yaml', value: { apiVersion: 'v1', kind: 'Pod', metadata, spec: pod } },
  {
    path: 'deployment.yaml',
    value: {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata,
      spec: {
        replicas: 2,
        selector: { matchLabels: labels, matchExpressions: [{ key: 'tier', operator: 'Exists' }] },
        strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: '25%' } },
        template: { metadata: { labels }, spec: { containers: [{ name: 'a', image: 'a' }] } },
      },
    },
  },
  {
    path: 'cron-job.yaml',
    value: {
      apiVersion: 'batch/v1',
      kind: 'CronJob',
      metadata,
      spec: {
        schedule: '@daily',
        timeZone: 'UTC',
        jobTemplate: {
          spec: {
            completionMode: 'Indexed',
            podFailurePolicy: { rules: [{ action: 'Ignore', onPodConditions: [{ type: 'DisruptionTarget' }] }] },
            template: { spec: { restartPolicy: 'Never', containers: [{ name: 'a', image: 'a' }] } },
          },
        },
      },
    },
  },
  {
    path: 'class.yaml',
    value: {
      apiVersion: 'scheduling.k8s.io/v1',
      kind: 'PriorityClass',
      metadata: { name: 'high' },
      value: 1000,
      preemptionPolicy: 'Never',
    },
  },
  {
    path: 'budget.yaml',
    value: {
      apiVersion: 'policy/v1',
      kind: 'PodDisruptionBudget',
      metadata,
      spec: { minAvailable: '50%', unhealthyPodEvictionPolicy: 'AlwaysAllow', selector: { matchLabels: labels } },
    },
  },
  {
    path: 'node.yaml',
    value: {
      apiVersion: 'v1',
      kind: 'Node',
      metadata: { name: 'node-a', labels: { disk: 'fast', zone: 'a' } },
      spec: { taints: [{ key: 'dedicated', value: 'web', effect: 'NoSchedule' }] },
      status: {
        allocatable: { cpu: '4', memory: '8Gi', pods: '10', 'example.com/gpu': '1' },
        conditions: [{ type: 'Ready', status: 'True' }],
        images: [{ names: ['a'], sizeBytes: 1 }],
        nodeInfo: { kubeletVersion: 'v1.35.0' },
      },
    },
  },
  {
    path: 'quota.yaml',
    value: {
      apiVersion: 'v1',
      kind: 'ResourceQuota',
      metadata,
      spec: {
        hard: { pods: '3', 'requests.cpu': '1' },
        scopeSelector: { matchExpressions: [{ scopeName: 'PriorityClass', operator: 'In', values: ['high'] }] },
      },
      status: { used: { pods: '1' } },
    },
  },
  {
    path: 'limits.yaml',
    value: {
      apiVersion: 'v1',
      kind: 'LimitRange',
      metadata,
      spec: { limits: [{ type: 'Container', default: { cpu: '1' }, maxLimitRequestRatio: { cpu: '2' } }] },
    },
  },
  {
    path: 'autoscaler.yaml',
    value: {
      apiVersion: 'autoscaling/v2',
      kind: 'HorizontalPodAutoscaler',
      metadata,
      spec: {
        maxReplicas: 5,
        scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' },
        metrics: [
          { type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 5 } } },
        ],
      },
    },
  },
  {
    path: 'volume.yaml',
    value: {
      apiVersion: 'v1',
      kind: 'PersistentVolume',
      metadata: { name: 'data' },
      spec: {
        capacity: { storage: '1Gi' },
        accessModes: ['ReadWriteOnce'],
        storageClassName: 'fast',
        local: { path: '/data' },
        claimRef: { namespace: 'shop', name: 'data' },
      },
    },
  },
  {
    path: 'kube-scheduler.yaml',
    value: {
      apiVersion: 'kubescheduler.config.k8s.io/v1',
      kind: 'KubeSchedulerConfiguration',
      profiles: [
        {
          schedulerName: 'default-scheduler',
          plugins: { score: { disabled: [{ name: 'ImageLocality' }] } },
          pluginConfig: [{ name: 'NodeResourcesFit', args: { scoringStrategy: { type: 'LeastAllocated' } } }],
        },
      ],
      extenders: [{ urlPrefix: 'http://x', filterVerb: 'f', managedResources: [{ name: 'example.com/gpu' }] }],
    },
  },
  {
    path: 'list.json',
    value: {
      apiVersion: 'v1',
      kind: 'List',
      items: [{ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'a' } }],
    },
  },
  {
    path: 'overlay/kustomization.yaml',
    value: {
      apiVersion: 'kustomize.config.k8s.io/v1beta1',
      kind: 'Kustomization',
      namespace: 'shop',
      resources: ['../pod.yaml'],
      labels: [{ pairs: { a: 'b' } }],
      patches: [{ path: 'patch.yaml', target: { kind: 'Pod', name: 'web' } }],
      images: [{ name: 'a', newTag: '1' }],
      configMapGenerator: [{ name: 'c', literals: ['a=b'], files: ['c.txt'] }],
      replacements: [{ source: { kind: 'Pod', fieldPath: 'metadata.name' }, targets: [{ select: { kind: 'Pod' } }] }],
    },
  },
  {
    path: 'flux.yaml',
    value: {
      apiVersion: 'kustomize.toolkit.fluxcd.io/v1',
      kind: 'Kustomization',
      metadata,
      spec: {
        path: './overlay',
        sourceRef: { kind: 'GitRepository', name: 'flux-system' },
        postBuild: { substitute: { a: 'b' }, substituteFrom: [{ kind: 'ConfigMap', name: 'vars' }] },
        patches: [{ patch: '[]', target: { kind: 'Pod' } }],
      },
    },
  },
  {
    path: 'release.yaml',
    value: {
      apiVersion: 'helm.toolkit.fluxcd.io/v2',
      kind: 'HelmRelease',
      metadata,
      spec: {
        chart: { spec: { chart: './chart', sourceRef: { kind: 'GitRepository', name: 'flux-system' } } },
        values: { replicas: 2, a: { b: 'c' } },
        valuesFrom: [{ kind: 'ConfigMap', name: 'vars', valuesKey: 'v', targetPath: 'a.b' }],
        postRenderers: [{ kustomize: { images: [{ name: 'a', newTag: '2' }] } }],
      },
    },
  },
  {
    path: 'application.yaml',
    value: {
      apiVersion: 'argoproj.io/v1alpha1',
      kind: 'Application',
      metadata,
      spec: {
        source: {
          repoURL: 'https://example.com/a.git',
          path: 'chart',
          helm: { valueFiles: ['values.yaml'], parameters: [{ name: 'a.b', value: 'c' }], valuesObject: { a: 'b' } },
        },
        destination: { namespace: 'shop' },
      },
    },
  },
  {
    path: 'application-set.yaml',
    value: {
      apiVersion: 'argoproj.io/v1alpha1',
      kind: 'ApplicationSet',
      metadata,
      spec: {
        goTemplate: false,
        generators: [
          { list: { elements: [{ cluster: 'a', url: 'b' }] } },
          { matrix: { generators: [{ git: { directories: [{ path: '*' }] } }, { list: { elements: [{ c: 'd' }] } }] } },
          { merge: { mergeKeys: ['cluster'], generators: [{ list: { elements: [{ cluster: 'a' }] } }] } },
        ],
        template: { metadata: { name: 'x-{{cluster}}' }, spec: { source: { path: '{{path}}' }, destination: {} } },
        templatePatch: 'spec: {}',
      },
    },
  },
  {
    path: 'chart/Chart.yaml',
    value: {
      apiVersion: 'v2',
      name: 'chart',
      version: '1.0.0',
      dependencies: [{ name: 'redis', version: '1', repository: 'https://x', alias: 'r', condition: 'redis.enabled' }],
    },
  },
  { path: 'chart/values.yaml', value: { replicas: 1, redis: { enabled: true }, global: { a: 'b' } } },
  {
    path: 'vars.yaml',
    value: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'vars', namespace: 'shop' }, data: { v: 'a: b' } },
  },
  {
    path: 'pools.json',
    value: {
      apiVersion: 'v1',
      kind: 'List',
      items: [
        {
          apiVersion: 'karpenter.sh/v1',
          kind: 'NodePool',
          metadata: { name: 'general' },
          spec: {
            limits: { cpu: '100' },
            weight: 1,
            template: {
              spec: {
                nodeClassRef: { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: 'default' },
                requirements: [{ key: 'kubernetes.io/arch', operator: 'In', values: ['amd64'], minValues: 1 }],
                taints: [{ key: 'a', effect: 'NoSchedule' }],
              },
            },
          },
        },
        {
          apiVersion: 'karpenter.sh/v1alpha1',
          kind: 'NodeOverlay',
          metadata: { name: 'fuse' },
          spec: {
            weight: 1,
            requirements: [{ key: 'kubernetes.io/arch', operator: 'In', values: ['amd64'] }],
            capacity: { 'example.com/fuse': '1' },
          },
        },
        {
          apiVersion: 'autoscaling.openshift.io/v1',
          kind: 'ClusterAutoscaler',
          metadata: { name: 'default' },
          spec: { podPriorityThreshold: 1, resourceLimits: { cores: { max: 8 } }, expanders: ['Priority'] },
        },
        {
          apiVersion: 'machine.openshift.io/v1beta1',
          kind: 'MachineSet',
          metadata: { name: 'workers', namespace: 'shop', annotations: { 'machine.openshift.io/vCPU': '4' } },
          spec: { replicas: 1, template: { spec: { taints: [{ key: 'a', effect: 'NoSchedule' }] } } },
        },
        {
          apiVersion: 'v1',
          kind: 'ConfigMap',
          metadata: { name: 'cluster-autoscaler-priority-expander', namespace: 'kube-system' },
          data: { priorities: '10: [.*]' },
        },
        {
          apiVersion: 'v1',
          kind: 'PodTemplate',
          metadata: { name: 'room', namespace: 'shop' },
          template: { metadata: { labels }, spec: { containers: [{ name: 'a', image: 'a' }] } },
        },
        {
          apiVersion: 'autoscaling.x-k8s.io/v1beta1',
          kind: 'CapacityBuffer',
          metadata,
          spec: { podTemplateRef: { name: 'room' }, replicas: 2, percentage: 5, limits: { cpu: '2' } },
        },
        {
          apiVersion: 'resource.k8s.io/v1',
          kind: 'DeviceTaintRule',
          metadata: { name: 'broken' },
          spec: { deviceSelector: { pool: 'a' }, taint: { key: 'a/b', effect: 'NoSchedule' } },
        },
        {
          apiVersion: 'resource.k8s.io/v1',
          kind: 'ResourceSlice',
          metadata: { name: 'slice' },
          spec: {
            driver: 'a.b',
            nodeName: 'node-a',
            pool: { name: 'a', generation: 1, resourceSliceCount: 1 },
            devices: [{ name: 'gpu', capacity: { memory: { value: '1Gi', requestPolicy: { default: '1' } } } }],
          },
        },
      ],
    },
  },
  {
    path: 'change.podium.yaml',
    value: {
      cluster: { kubernetes: '1.35' },
      events: [{ at: '60s', drain: 'node-a' }, { scale: { workload: 'Deployment/shop/web', replicas: 3 } }],
      questions: [{ expect: { pod: 'shop/web' } }],
    },
  },
];

const prototypeNames = ['constructor', 'toString', 'valueOf', 'hasOwnProperty', '__proto__', 'isPrototypeOf'];

/** Each document with each of the names in the place of each key, and of each text and number. */
export function* prototypeVariants(): Generator<{ readonly path: string; readonly text: string }> {
  for (const { path, value } of plainDocuments) {
    for (const place of placesIn(value)) {
      for (const name of prototypeNames) yield { path, text: withText(value, place, name) };
    }
  }
}

/** A place in a value: a way through it, and whether the key or the value there is meant. */
export interface Place {
  readonly way: readonly (string | number)[];
  readonly on: 'key' | 'value';
}

function* placesIn(value: Json, way: readonly (string | number)[] = []): Generator<Place> {
  if (value === null || typeof value !== 'object') {
    yield { way, on: 'value' };
    return;
  }
  for (const [key, inner] of Object.entries(value)) {
    const isList = Array.isArray(value);
    const next = [...way, isList ? Number(key) : key];
    if (!isList) yield { way: next, on: 'key' };
    yield* placesIn(inner, next);
  }
}

/** A source of numbers from 0 up to another that says the same for the same seed. Source: mulberry32 */
export function numbersFrom(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

const strangeValues: readonly Json[] = [
  ...[
    '',
    ' ',
    '\n',
    '::error::x',
    '${A}',
    '${A:=b}',
    '{{ .x }}',
    '$(A)',
    '%A%',
    '../..',
    '/',
    'a=b',
    '1e999',
    '0x1F',
    '-1',
    '1.5',
  ],
  ...[
    '9999999999999999999999',
    'ENC[a]',
    'null',
    'true',
    '😀',
    '\ud800',
    '\u202e',
    'a/b/c',
    '[',
    '{',
    '*',
    '[a-',
    '(',
    '2026-01-01T00:00:00Z',
  ],
  ...prototypeNames,
  ...[null, true, false, 0, -1, 1.5, 1e21, -0, 2 ** 53, [], {}, [[]], [null], [{}], { '': '' }, { a: [null, {}] }],
];

/** A document with some places changed, and now and then its text. */
export function randomDocument(numbers: (below: number) => number): { readonly path: string; readonly text: string } {
  const pick = <T>(from: readonly T[]): T => from[numbers(from.length)]!;
  const { path, value } = pick(plainDocuments);
  let text = JSON.stringify(value, null, numbers(3));
  for (let changes = 1 + numbers(4); changes > 0; changes--) {
    let parsed: Json;
    try {
      parsed = JSON.parse(text) as Json;
    } catch {
      break;
    }
    const places = [...placesIn(parsed)];
    if (places.length === 0) break;
    const place = pick(places);
    const other = numbers(3) === 0 ? pick(plainDocuments).value : pick(strangeValues);
    text = withText(parsed, place, place.on === 'key' ? pick(strangeKeys) : other);
  }
  if (numbers(4) === 0) {
    const at = numbers(text.length + 1);
    text = text.slice(0, at) + pick(fragments) + text.slice(at + numbers(12));
  }
  return { path, text };
}

const strangeKeys: readonly string[] = [
  ...prototypeNames,
  ...['', 'name', 'spec', 'metadata', 'items', 'kind', '<<', 'a.b', 'a/b', '$patch', '0', '::error::x', '\n'],
];

const fragments: readonly string[] = [
  ...[
    '',
    '\n',
    '---\n',
    '...\n',
    '"',
    "'",
    '{',
    '}',
    '[',
    ']',
    ':',
    ',',
    '&a ',
    '*a',
    '<<: *a',
    '{{ .x }}',
    '#',
    '\t',
    '\0',
  ],
  ...['\ufeff', '\u2028', '%YAML 1.1\n', '!!int ', '? ', '- ', '|\n', '>-\n'],
];
