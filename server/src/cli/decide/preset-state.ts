import type { StoredState } from '../../admission/request/state.ts';
import { defaultPriorityClass } from '../../kubernetes/defaults/index.ts';
import type { LimitRange, PriorityClass, ResourceQuota, StorageClass } from '../../kubernetes/objects.ts';

/**
 * What is stored where the recorded answers of the modes `apply` and `update` were given. For `update`,
 * `default-priority` was no global default: every stored pod would carry its name.
 */
export function presetState(mode: 'apply' | 'update'): StoredState {
  return { ...stored, classes: classes(mode === 'apply').map(defaultPriorityClass) };
}

function classes(hasDefault: boolean): readonly PriorityClass[] {
  return [
    { metadata: { name: 'default-priority' }, value: 100, globalDefault: hasDefault },
    { metadata: { name: 'high-priority' }, value: 1_000_000 },
    { metadata: { name: 'low-priority' }, value: -10 },
    { metadata: { name: 'batch' }, value: 1000, preemptionPolicy: 'Never' },
    { metadata: { name: 'system-cluster-critical' }, value: 2_000_000_000 },
    { metadata: { name: 'system-node-critical' }, value: 2_000_001_000 },
  ];
}

const quotas: readonly ResourceQuota[] = [
  {
    metadata: { name: 'high-priority-pods', namespace: 'quota-ns' },
    spec: {
      hard: { pods: '0' },
      scopeSelector: {
        matchExpressions: [{ scopeName: 'PriorityClass', operator: 'In', values: ['high-priority'] }],
      },
    },
    status: { hard: { pods: '0' }, used: { pods: '0' } },
  },
  {
    metadata: { name: 'compute', namespace: 'quota-ns' },
    spec: { hard: { 'requests.cpu': '2', 'requests.memory': '4Gi' } },
    status: {
      hard: { 'requests.cpu': '2', 'requests.memory': '4Gi' },
      used: { 'requests.cpu': '1', 'requests.memory': '1Gi' },
    },
  },
];

const limits: LimitRange = {
  metadata: { name: 'limits', namespace: 'limited' },
  spec: {
    limits: [
      {
        type: 'Container',
        max: { cpu: '1', memory: '1Gi' },
        min: { cpu: '50m' },
        default: { cpu: '500m', memory: '256Mi' },
        defaultRequest: { cpu: '100m', memory: '128Mi' },
      },
    ],
  },
};

const standard: StorageClass = {
  metadata: { name: 'standard', annotations: { 'storageclass.kubernetes.io/is-default-class': 'true' } },
  provisioner: 'example.com/disk',
};

const stored: Omit<StoredState, 'classes'> = {
  quotas,
  limitRanges: [limits],
  runtimeClasses: new Map([['gvisor', { cpu: '100m', memory: '64Mi' }]]),
  storageClasses: [standard],
  missingNamespaces: new Set(['missing-ns']),
};
