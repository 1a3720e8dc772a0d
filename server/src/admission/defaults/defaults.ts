import { own, put } from '../../util/own.ts';
import { isObject } from '../../util/values.ts';
import { defaultPod } from '../../kubernetes/defaults/index.ts';
import { roundResourceList } from '../../kubernetes/defaults/resource-list.ts';
import type { Json, JsonObject } from '../../kubernetes/json.ts';
import type { PodSpec, Service } from '../../kubernetes/objects.ts';

/**
 * All that the API server fills in before it judges an object: more than `kubernetes/defaults`, which knows what
 * scheduling looks at. Two versions are compared with this on both sides, and values are printed with it.
 * Sources: pkg/apis/{core,apps,batch,autoscaling,storage,resource}/v1/defaults.go
 */

/** What a field gets, by what is written there (undefined for nothing) and by the object that it stands in. */
type Filling = (value: Json | undefined, owner: JsonObject) => Json | undefined;
/** By field: a filling, or what stands there where nothing, or the zero value, is written. */
type Defaults = Readonly<Record<string, Filling | Json>>;

function filled(object: JsonObject, defaults: Defaults): JsonObject {
  const copy: Record<string, Json> = { ...object };
  for (const [field, standard] of Object.entries(defaults)) {
    const value =
      typeof standard === 'function' ? standard(own(object, field), object) : orElse(own(object, field), standard);
    if (value !== undefined) put(copy, field, value);
  }
  return copy;
}

/** Numbers and booleans that are pointers keep their zero value; an empty text or list counts as not written. */
function orElse(value: Json | undefined, standard: Json): Json {
  const isUnset = value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);
  return isUnset ? standard : value;
}

/** A text or a list that Go has as a pointer, or looks at for nil: an empty one is written. */
function unlessNil(standard: Json): Filling {
  return (value) => value ?? standard;
}

/** A part that is completed where it is written. */
function part(defaults: Defaults): Filling {
  return (value) => (isObject(value) ? filled(asMap(value), defaults) : value);
}

/** A part that is there even where it is not written. */
function always(defaults: Defaults): Filling {
  return (value) => filled(asMap(value), defaults);
}

function items(defaults: Defaults): Filling {
  return each((item) => filled(item, defaults));
}

function each(change: (item: JsonObject) => JsonObject): Filling {
  return (value) => (Array.isArray(value) ? (value as readonly JsonObject[]).map(change) : value);
}

const fieldReference = part({ apiVersion: 'v1' });
const handler = part({ httpGet: part({ path: '/', scheme: 'HTTP' }) });
const probe: Filling = (value) => {
  // These numbers of a probe are no pointers: 0 is what is not written.
  if (!isObject(value)) return value;
  const numbers = { timeoutSeconds: 1, periodSeconds: 10, successThreshold: 1, failureThreshold: 3 };
  const isWritten = ([field, amount]: [string, Json]): boolean => amount !== 0 || !Object.hasOwn(numbers, field);
  const written = Object.fromEntries(Object.entries(asMap(value)).filter(isWritten));
  return filled(asMap(handler(written, {})), { ...numbers, grpc: part({ service: '' }) });
};

const container: Defaults = {
  livenessProbe: probe,
  readinessProbe: probe,
  startupProbe: probe,
  lifecycle: part({ postStart: handler, preStop: handler }),
  ports: items({ protocol: 'TCP' }),
  env: items({ valueFrom: part({ fieldRef: fieldReference }) }),
  terminationMessagePath: '/dev/termination-log',
  terminationMessagePolicy: 'File',
  imagePullPolicy: (value, { image }) => orElse(value, pullPolicy(image)),
};

/** Of the newest image, and of one without a tag, a copy is never trusted. Source: SetDefaults_Container, ParseImageName */
function pullPolicy(image: Json | undefined): string {
  const text = typeof image === 'string' ? image : '';
  const [name = ''] = text.split('@');
  const last = name.slice(name.lastIndexOf('/') + 1);
  if (text.includes('@')) return last.endsWith(':latest') ? 'Always' : 'IfNotPresent';
  const colon = last.lastIndexOf(':');
  return text !== '' && (colon < 0 || last.slice(colon + 1) === 'latest') ? 'Always' : 'IfNotPresent';
}

const claim: Defaults = { spec: always({ volumeMode: unlessNil('Filesystem') }) };
/** Source: SetDefaults_PersistentVolumeClaim, and Convert_apps_StatefulSetSpec_To_v1_StatefulSetSpec, which names the kind */
const claimTemplate: Defaults = {
  ...claim,
  apiVersion: 'v1',
  kind: 'PersistentVolumeClaim',
  status: always({ phase: 'Pending' }),
};
const downwardItems = items({ fieldRef: fieldReference });
const fileMode = 0o644;

/** The source of a volume, in a pod or a PersistentVolume. */
const volumeSource: Defaults = {
  secret: part({ defaultMode: fileMode }),
  configMap: part({ defaultMode: fileMode }),
  downwardAPI: part({ defaultMode: fileMode, items: downwardItems }),
  projected: part({
    defaultMode: fileMode,
    sources: items({
      serviceAccountToken: part({ expirationSeconds: 3600 }),
      downwardAPI: part({ items: downwardItems }),
    }),
  }),
  hostPath: part({ type: '' }),
  iscsi: part({ iscsiInterface: 'default' }),
  rbd: part({ pool: 'rbd', user: 'admin', keyring: '/etc/ceph/keyring' }),
  azureDisk: part({
    cachingMode: unlessNil('ReadWrite'),
    kind: unlessNil('Shared'),
    fsType: unlessNil('ext4'),
    readOnly: false,
  }),
  scaleIO: part({ storageMode: 'ThinProvisioned', fsType: 'xfs' }),
  image: part({ pullPolicy: (value, { reference }) => orElse(value, pullPolicy(reference)) }),
  ephemeral: part({ volumeClaimTemplate: part(claim) }),
};

const accountName: Filling = (_value, { serviceAccountName, serviceAccount }) => {
  const account = orElse(serviceAccountName, serviceAccount ?? '');
  return account === '' ? undefined : account;
};

const templateSpec: Defaults = {
  serviceAccountName: accountName,
  serviceAccount: accountName,
  containers: (value) => items(container)(value ?? [], {}),
  initContainers: items(container),
  ephemeralContainers: items(container),
  volumes: each((volume) =>
    filled(Object.keys(volume).some((key) => key !== 'name') ? volume : { ...volume, emptyDir: {} }, volumeSource),
  ),
  dnsPolicy: 'ClusterFirst',
  restartPolicy: 'Always',
  securityContext: {},
  terminationGracePeriodSeconds: 30,
  schedulerName: 'default-scheduler',
};

const podSpec: Defaults = { ...templateSpec, enableServiceLinks: true };

/** Amounts are rounded; requests from limits, and host ports, are filled in for pods only. */
const rounded: Filling = (value) => (isObject(value) ? roundResourceList(value as Record<string, string>) : value);
const roundedContainers = items({ resources: part({ limits: rounded, requests: rounded }) });
const template: Filling = (value) => {
  const written = filled(asMap(asMap(value)['spec']), {
    containers: roundedContainers,
    initContainers: roundedContainers,
  });
  return { ...asMap(value), spec: filled(written, templateSpec) };
};

/** A strategy that says nothing else is a rolling update. */
function rolling(defaults: Defaults): Filling {
  return (value) => {
    const strategy = filled(asMap(value), { type: 'RollingUpdate' });
    return strategy['type'] === 'RollingUpdate' ? filled(strategy, { rollingUpdate: always(defaults) }) : strategy;
  };
}

const failurePolicy = part({ rules: items({ onPodConditions: items({ status: 'True' }) }) });

const jobSpec: Defaults = {
  podFailurePolicy: failurePolicy,
  template,
  completions: (value, { parallelism }) => value ?? (parallelism === undefined ? 1 : undefined),
  parallelism: 1,
  completionMode: unlessNil('NonIndexed'),
  suspend: false,
  manualSelector: false,
  backoffLimit: (value, { backoffLimitPerIndex }) => value ?? (backoffLimitPerIndex === undefined ? 6 : 2147483647),
  podReplacementPolicy: (value, job) =>
    value ?? (job['podFailurePolicy'] === undefined ? 'TerminatingOrFailed' : 'Failed'),
};

const eachPeriod = { periodSeconds: 15 };
const scaleDownPolicies = [{ type: 'Percent', value: 100, ...eachPeriod }];
const scaleUpPolicies = [{ type: 'Pods', value: 4, ...eachPeriod }, ...scaleDownPolicies];

/** Source: copyHPAScalingRules */
function scaling(policies: Json): Defaults {
  return { selectPolicy: unlessNil('Max'), policies: unlessNil(policies) };
}

const cpuMetric = {
  type: 'Resource',
  resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 80 } },
};

/** Source: SetDefaults_LimitRangeItem */
function limitRangeItem(item: JsonObject): JsonObject {
  if (item['type'] !== 'Container') return item;
  const limits = { ...asMap(item['max']), ...asMap(item['default']) };
  const requests = { ...asMap(item['min']), ...limits, ...asMap(item['defaultRequest']) };
  return { ...item, default: limits, defaultRequest: requests };
}

type ServiceSpec = NonNullable<Service['spec']>;

/** Whether a service is reached from outside of the cluster. Source: ExternallyAccessible in pkg/api/service/util.go */
export function isOutside({ type = 'ClusterIP', externalIPs = [] }: ServiceSpec): boolean {
  return type === 'LoadBalancer' || type === 'NodePort' || (type === 'ClusterIP' && externalIPs.length > 0);
}

/** Source: SetDefaults_Service. A port of pods is that of the service where none is written. */
const service: Defaults = {
  type: 'ClusterIP',
  sessionAffinity: 'None',
  sessionAffinityConfig: (value, { sessionAffinity }) =>
    sessionAffinity === 'ClientIP' ? (value ?? { clientIP: { timeoutSeconds: 10800 } }) : undefined,
  ports: items({
    protocol: 'TCP',
    targetPort: (value, { port = 0 }) => orElse(value === 0 ? undefined : value, port),
  }),
  externalTrafficPolicy: (value, spec) => (isOutside(spec) ? orElse(value, 'Cluster') : value),
  internalTrafficPolicy: (value, { type }) => (type === 'ExternalName' ? value : (value ?? 'Cluster')),
  allocateLoadBalancerNodePorts: (value, { type }) => (type === 'LoadBalancer' ? (value ?? true) : value),
};

/** The labels of the template, for a workload that has none. */
const templateLabels: Filling = (value, { spec }) => {
  const labels = asMap(asMap(asMap(asMap(spec)['template'])['metadata'])['labels']);
  const isNeeded = isEmpty(asMap(value)['labels']) && !isEmpty(labels);
  return isNeeded ? { ...asMap(value), labels } : value;
};

/** Source: pkg/apis/resource/v1/defaults.go */
const deviceRequest: Defaults = {
  allocationMode: 'ExactCount',
  count: (value, { allocationMode }) => (orElse(allocationMode, 'ExactCount') === 'ExactCount' && !value ? 1 : value),
  tolerations: items({ operator: 'Equal' }),
};
const deviceClaim = part({
  devices: part({ requests: items({ exactly: part(deviceRequest), firstAvailable: items(deviceRequest) }) }),
});

const byKind: Readonly<Record<string, Defaults>> = {
  ReplicationController: {
    metadata: templateLabels,
    spec: always({
      template: (value) => (isObject(value) ? template(value, {}) : value),
      replicas: 1,
      selector: (value, { template: pods }) =>
        isEmpty(value) ? asMap(asMap(asMap(pods)['metadata'])['labels']) : value,
    }),
  },
  ReplicaSet: { metadata: templateLabels, spec: always({ template, replicas: 1 }) },
  Deployment: {
    spec: always({
      template,
      strategy: rolling({ maxUnavailable: unlessNil('25%'), maxSurge: unlessNil('25%') }),
      replicas: 1,
      revisionHistoryLimit: 10,
      progressDeadlineSeconds: 600,
    }),
  },
  DaemonSet: {
    spec: always({
      template,
      updateStrategy: rolling({ maxUnavailable: unlessNil(1), maxSurge: unlessNil(0) }),
      revisionHistoryLimit: 10,
    }),
  },
  StatefulSet: {
    spec: always({
      template,
      volumeClaimTemplates: items(claimTemplate),
      updateStrategy: rolling({ partition: 0 }),
      persistentVolumeClaimRetentionPolicy: always({ whenDeleted: 'Retain', whenScaled: 'Retain' }),
      replicas: 1,
      revisionHistoryLimit: 10,
      podManagementPolicy: 'OrderedReady',
    }),
  },
  Job: { metadata: templateLabels, spec: always(jobSpec) },
  CronJob: {
    spec: always({
      // A job's own defaults are filled in when the job is made; only those of its pods are there already.
      jobTemplate: always({ spec: always({ podFailurePolicy: failurePolicy, template }) }),
      concurrencyPolicy: 'Allow',
      suspend: false,
      successfulJobsHistoryLimit: 3,
      failedJobsHistoryLimit: 1,
    }),
  },
  HorizontalPodAutoscaler: {
    spec: always({
      scaleTargetRef: always({ kind: '', name: '' }),
      maxReplicas: 0,
      metrics: [cpuMetric],
      behavior: part({
        scaleUp: always({ stabilizationWindowSeconds: 0, ...scaling(scaleUpPolicies) }),
        scaleDown: always(scaling(scaleDownPolicies)),
      }),
      minReplicas: 1,
    }),
  },
  PersistentVolume: {
    spec: always({ persistentVolumeReclaimPolicy: 'Retain', volumeMode: unlessNil('Filesystem'), ...volumeSource }),
  },
  PersistentVolumeClaim: claim,
  Service: { spec: always(service) },
  StorageClass: { reclaimPolicy: unlessNil('Delete'), volumeBindingMode: unlessNil('Immediate') },
  PriorityClass: { preemptionPolicy: unlessNil('PreemptLowerPriority') },
  Node: {
    status: part({
      allocatable: (value, { capacity }) => value ?? (isEmpty(capacity) ? undefined : capacity),
    }),
  },
  ResourceClaim: { spec: deviceClaim },
  ResourceClaimTemplate: { spec: part({ spec: deviceClaim }) },
  LimitRange: { spec: always({ limits: (value) => each(limitRangeItem)(value ?? [], {}) }) },
};

/** An object with its defaults, by kind. The input is as decoded. */
export function withDefaults(object: JsonObject): JsonObject {
  const kind = typeof object['kind'] === 'string' ? object['kind'] : '';
  if (kind === 'Pod') return { ...object, spec: completed(asMap(object['spec'])) };
  return Object.hasOwn(byKind, kind) ? filled(object, byKind[kind]!) : object;
}

/** The spec of a pod with all its defaults. */
export function completePodSpec(spec: PodSpec): PodSpec {
  return completed(spec as unknown as JsonObject) as unknown as PodSpec;
}

/** On top of `defaultPod`, which fills in requests and ports and rounds amounts. */
function completed(spec: JsonObject): JsonObject {
  const written = { containers: [], ...spec } as unknown as PodSpec;
  return filled((defaultPod({ spec: written }).spec ?? {}) as unknown as JsonObject, podSpec);
}

function asMap(value: Json | undefined): JsonObject {
  return isObject(value) ? value : {};
}

function isEmpty(value: Json | undefined): boolean {
  return Object.keys(asMap(value)).length === 0;
}
