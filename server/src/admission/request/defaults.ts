import type { Json, JsonObject } from '../../kubernetes/json.ts';
import { defaultPod } from '../../kubernetes/defaults/index.ts';
import { roundResourceList } from '../../kubernetes/defaults/resource-list.ts';
import type { PodSpec, PodTemplateSpec } from '../../kubernetes/objects.ts';

/**
 * All that the API server fills in before it judges an object: more than `kubernetes/defaults`, which knows what
 * scheduling looks at. Two versions are compared with this on both sides, and values are printed with it.
 * Sources: pkg/apis/{core,apps,batch,autoscaling,storage}/v1/defaults.go
 */

type Writable = Record<string, Json>;
/** What a field has where nothing, or the zero value, is written. */
type Defaults = Readonly<Record<string, Json>>;

const fileMode = 0o644;

/** An object with its defaults, by kind. The input is as decoded. */
export function withDefaults(object: JsonObject): JsonObject {
  const spec = isObject(object['spec']) ? object['spec'] : {};
  switch (object['kind']) {
    case 'Pod':
      return { ...object, spec: podSpec(withPodResources(object), true) };
    case 'ReplicationController': {
      const template = isObject(spec['template']) ? podTemplate(spec['template']) : undefined;
      const labels = at(at(template, 'metadata'), 'labels');
      const selector = isEmpty(spec['selector']) ? (labels ?? {}) : spec['selector']!;
      const metadata = withLabels(object['metadata'], labels);
      return {
        ...object,
        ...metadata,
        spec: filled({ ...spec, ...(template && { template }) }, { replicas: 1, selector }),
      };
    }
    case 'ReplicaSet': {
      const template = podTemplate(spec['template']);
      const metadata = withLabels(object['metadata'], at(at(template, 'metadata'), 'labels'));
      return { ...object, ...metadata, spec: filled({ ...spec, template }, { replicas: 1 }) };
    }
    case 'Deployment':
      return { ...object, spec: deploymentSpec({ ...spec, template: podTemplate(spec['template']) }) };
    case 'DaemonSet':
      return { ...object, spec: daemonSetSpec({ ...spec, template: podTemplate(spec['template']) }) };
    case 'StatefulSet':
      return { ...object, spec: statefulSetSpec({ ...spec, template: podTemplate(spec['template']) }) };
    case 'Job':
      return {
        ...object,
        ...withLabels(object['metadata'], at(at(at(spec, 'template'), 'metadata'), 'labels')),
        spec: jobSpec(spec),
      };
    case 'CronJob':
      return { ...object, spec: cronJobSpec(spec) };
    case 'HorizontalPodAutoscaler':
      return { ...object, spec: autoscalerSpec(spec) };
    case 'PersistentVolume':
      return {
        ...object,
        spec: volumeSource(filled(spec, { persistentVolumeReclaimPolicy: 'Retain', volumeMode: 'Filesystem' })),
      };
    case 'PersistentVolumeClaim':
      return { ...object, spec: filled(spec, { volumeMode: 'Filesystem' }) };
    case 'StorageClass':
      return filled(object, { reclaimPolicy: 'Delete', volumeBindingMode: 'Immediate' });
    case 'PriorityClass':
      return filled(object, { preemptionPolicy: 'PreemptLowerPriority' });
    case 'Node': {
      const status = map(object['status']);
      if (isEmpty(status['capacity']) || status['allocatable'] !== undefined) return object;
      return { ...object, status: { ...status, allocatable: status['capacity']! } };
    }
    case 'LimitRange':
      return { ...object, spec: { ...spec, limits: list(spec['limits']).map((item) => limitRangeItem(item)) } };
    default:
      return object;
  }
}

/** The spec of a pod with all its defaults. */
export function completePodSpec(spec: PodSpec): PodSpec {
  return podSpec(withPodResources({ spec: spec as unknown as JsonObject }), true) as unknown as PodSpec;
}

/** A pod template with all its defaults. */
export function completeTemplate(template: PodTemplateSpec): PodTemplateSpec {
  return podTemplate(template as unknown as JsonObject);
}

/** `defaultPod`, which fills in requests and ports and rounds amounts, for anything that has a pod's spec. */
function withPodResources(pod: JsonObject): JsonObject {
  const spec = isObject(pod['spec']) ? pod['spec'] : {};
  const written = { containers: [], ...spec } as unknown as PodSpec;
  return (defaultPod({ spec: written }).spec ?? {}) as unknown as JsonObject;
}

function podTemplate(value: Json | undefined): JsonObject {
  const template = isObject(value) ? value : {};
  const spec = isObject(template['spec']) ? template['spec'] : {};
  // Requests from limits, and host ports, are filled in for pods only.
  const rounded = {
    ...spec,
    ...each(spec, 'containers', roundedResources),
    ...each(spec, 'initContainers', roundedResources),
  };
  return { ...template, spec: podSpec(rounded, false) };
}

function roundedResources(value: JsonObject): JsonObject {
  return part(value, 'resources', (resources) => {
    const round = (amounts: JsonObject): JsonObject => roundResourceList(amounts as Record<string, string>);
    return part(part(resources, 'limits', round), 'requests', round);
  });
}

function podSpec(spec: JsonObject, isPod: boolean): JsonObject {
  const account = spec['serviceAccountName'] ?? spec['serviceAccount'] ?? '';
  return filled(
    {
      ...spec,
      ...(account === '' ? {} : { serviceAccountName: account, serviceAccount: account }),
      containers: list(spec['containers']).map(container),
      ...each(spec, 'initContainers', container),
      ...each(spec, 'ephemeralContainers', container),
      ...each(spec, 'volumes', volume),
    },
    {
      dnsPolicy: 'ClusterFirst',
      restartPolicy: 'Always',
      securityContext: {},
      terminationGracePeriodSeconds: 30,
      schedulerName: 'default-scheduler',
      ...(isPod ? { enableServiceLinks: true } : {}),
    },
  );
}

function container(value: JsonObject): JsonObject {
  const probed = ['livenessProbe', 'readinessProbe', 'startupProbe'].reduce(
    (changed, field) => part(changed, field, probe),
    value,
  );
  return filled(
    {
      ...part(probed, 'lifecycle', (hooks) => part(part(hooks, 'postStart', handler), 'preStop', handler)),
      ...each(value, 'ports', (port) => filled(port, { protocol: 'TCP' })),
      ...each(value, 'env', (variable) =>
        part(variable, 'valueFrom', (source) => part(source, 'fieldRef', fieldReference)),
      ),
    },
    {
      terminationMessagePath: '/dev/termination-log',
      terminationMessagePolicy: 'File',
      imagePullPolicy: pullPolicy(value['image']),
    },
  );
}

/** Of the newest image, and of one without a tag, a copy is never trusted. Source: SetDefaults_Container, ParseImageName */
function pullPolicy(image: Json | undefined): string {
  const text = typeof image === 'string' ? image : '';
  const [name = ''] = text.split('@');
  const last = name.slice(name.lastIndexOf('/') + 1);
  if (text.includes('@')) return last.endsWith(':latest') ? 'Always' : 'IfNotPresent';
  const colon = last.lastIndexOf(':');
  return text !== '' && (colon < 0 || last.slice(colon + 1) === 'latest') ? 'Always' : 'IfNotPresent';
}

function probe(value: JsonObject): JsonObject {
  const grpc = part(value, 'grpc', (action) => filled(action, { service: '' }));
  // These are no pointers: 0 is what is not written.
  const written = Object.entries(handler({ ...value, ...grpc })).filter(([, amount]) => amount !== 0);
  return filled(Object.fromEntries(written), {
    timeoutSeconds: 1,
    periodSeconds: 10,
    successThreshold: 1,
    failureThreshold: 3,
  });
}

function handler(value: JsonObject): JsonObject {
  return part(value, 'httpGet', (action) => filled(action, { path: '/', scheme: 'HTTP' }));
}

function fieldReference(value: JsonObject): JsonObject {
  return filled(value, { apiVersion: 'v1' });
}

function volume(value: JsonObject): JsonObject {
  const hasSource = Object.keys(value).some((key) => key !== 'name');
  return volumeSource(hasSource ? value : { ...value, emptyDir: {} });
}

function downwardItem(item: JsonObject): JsonObject {
  return part(item, 'fieldRef', fieldReference);
}

const sourceDefaults: Readonly<Record<string, Defaults>> = {
  secret: { defaultMode: fileMode },
  configMap: { defaultMode: fileMode },
  downwardAPI: { defaultMode: fileMode },
  projected: { defaultMode: fileMode },
  hostPath: { type: '' },
  iscsi: { iscsiInterface: 'default' },
  rbd: { pool: 'rbd', user: 'admin', keyring: '/etc/ceph/keyring' },
  azureDisk: { cachingMode: 'ReadWrite', kind: 'Shared', fsType: 'ext4', readOnly: false },
  scaleIO: { storageMode: 'ThinProvisioned', fsType: 'xfs' },
};

/** The source of a volume, in a pod or a PersistentVolume. */
function volumeSource(value: JsonObject): JsonObject {
  const copy: Writable = { ...value };
  for (const [source, defaults] of Object.entries(sourceDefaults)) {
    if (isObject(copy[source])) copy[source] = filled(copy[source], defaults);
  }
  if (isObject(copy['downwardAPI'])) copy['downwardAPI'] = mapped(copy['downwardAPI'], 'items', downwardItem);
  if (isObject(copy['projected'])) copy['projected'] = mapped(copy['projected'], 'sources', projection);
  if (isObject(copy['image'])) {
    copy['image'] = filled(copy['image'], { pullPolicy: pullPolicy(copy['image']['reference']) });
  }
  if (isObject(copy['ephemeral'])) {
    copy['ephemeral'] = part(copy['ephemeral'], 'volumeClaimTemplate', (template) => ({
      ...template,
      spec: filled(isObject(template['spec']) ? template['spec'] : {}, { volumeMode: 'Filesystem' }),
    }));
  }
  return copy;
}

function projection(value: JsonObject): JsonObject {
  const token = part(value, 'serviceAccountToken', (source) => filled(source, { expirationSeconds: 3600 }));
  return part(token, 'downwardAPI', (source) => mapped(source, 'items', downwardItem));
}

function deploymentSpec(spec: JsonObject): JsonObject {
  const strategy = rolling(spec['strategy'], { maxUnavailable: '25%', maxSurge: '25%' });
  return filled({ ...spec, strategy }, { replicas: 1, revisionHistoryLimit: 10, progressDeadlineSeconds: 600 });
}

function daemonSetSpec(spec: JsonObject): JsonObject {
  const updateStrategy = rolling(spec['updateStrategy'], { maxUnavailable: 1, maxSurge: 0 });
  return filled({ ...spec, updateStrategy }, { revisionHistoryLimit: 10 });
}

function statefulSetSpec(spec: JsonObject): JsonObject {
  const updateStrategy = rolling(spec['updateStrategy'], { partition: 0 });
  const claims = each(spec, 'volumeClaimTemplates', (claim) => ({
    ...claim,
    spec: filled(isObject(claim['spec']) ? claim['spec'] : {}, { volumeMode: 'Filesystem' }),
  }));
  const retention = filled(
    isObject(spec['persistentVolumeClaimRetentionPolicy']) ? spec['persistentVolumeClaimRetentionPolicy'] : {},
    { whenDeleted: 'Retain', whenScaled: 'Retain' },
  );
  return filled(
    { ...spec, ...claims, updateStrategy, persistentVolumeClaimRetentionPolicy: retention },
    { replicas: 1, revisionHistoryLimit: 10, podManagementPolicy: 'OrderedReady' },
  );
}

/** A strategy that says nothing else is a rolling update. */
function rolling(value: Json | undefined, defaults: Defaults): JsonObject {
  const strategy = filled(isObject(value) ? value : {}, { type: 'RollingUpdate' });
  if (strategy['type'] !== 'RollingUpdate') return strategy;
  return {
    ...strategy,
    rollingUpdate: filled(isObject(strategy['rollingUpdate']) ? strategy['rollingUpdate'] : {}, defaults),
  };
}

function jobSpec(spec: JsonObject): JsonObject {
  const counts = spec['completions'] === undefined && spec['parallelism'] === undefined ? { completions: 1 } : {};
  const perIndex = spec['backoffLimitPerIndex'] !== undefined;
  return filled(
    { ...failurePolicy(spec), template: podTemplate(spec['template']) },
    {
      ...counts,
      parallelism: 1,
      completionMode: 'NonIndexed',
      suspend: false,
      manualSelector: false,
      backoffLimit: perIndex ? 2147483647 : 6,
      podReplacementPolicy: spec['podFailurePolicy'] === undefined ? 'TerminatingOrFailed' : 'Failed',
    },
  );
}

function failurePolicy(job: JsonObject): JsonObject {
  const condition = (pattern: JsonObject): JsonObject => filled(pattern, { status: 'True' });
  return part(job, 'podFailurePolicy', (policy) =>
    mapped(policy, 'rules', (rule) => mapped(rule, 'onPodConditions', condition)),
  );
}

function cronJobSpec(spec: JsonObject): JsonObject {
  const jobTemplate = map(spec['jobTemplate']);
  const job = failurePolicy(map(jobTemplate['spec']));
  // A job's own defaults are filled in when the job is made; only those of its pods are there already.
  return filled(
    { ...spec, jobTemplate: { ...jobTemplate, spec: { ...job, template: podTemplate(job['template']) } } },
    { concurrencyPolicy: 'Allow', suspend: false, successfulJobsHistoryLimit: 3, failedJobsHistoryLimit: 1 },
  );
}

function autoscalerSpec(spec: JsonObject): JsonObject {
  const metrics =
    list(spec['metrics']).length > 0
      ? spec['metrics']!
      : [{ type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 80 } } }];
  const rules = (defaults: Defaults) => (value: JsonObject) => filled(value, defaults);
  const upPolicies = [
    { type: 'Pods', value: 4, periodSeconds: 15 },
    { type: 'Percent', value: 100, periodSeconds: 15 },
  ];
  const downPolicies = [{ type: 'Percent', value: 100, periodSeconds: 15 }];
  const behavior = isObject(spec['behavior'])
    ? {
        behavior: {
          scaleUp: rules({ stabilizationWindowSeconds: 0, selectPolicy: 'Max', policies: upPolicies })(
            isObject(spec['behavior']['scaleUp']) ? spec['behavior']['scaleUp'] : {},
          ),
          scaleDown: rules({ selectPolicy: 'Max', policies: downPolicies })(
            isObject(spec['behavior']['scaleDown']) ? spec['behavior']['scaleDown'] : {},
          ),
        },
      }
    : {};
  return filled({ ...spec, metrics, ...behavior }, { minReplicas: 1 });
}

/** Source: SetDefaults_LimitRangeItem */
function limitRangeItem(item: JsonObject): JsonObject {
  if (item['type'] !== 'Container') return item;
  const limits = { ...map(item['max']), ...map(item['default']) };
  const requests = { ...map(item['min']), ...limits, ...map(item['defaultRequest']) };
  return { ...item, default: limits, defaultRequest: requests };
}

/** What is absent or has Go's zero value gets its default. Pointers that are written keep zero. */
function filled(value: JsonObject, defaults: Defaults): JsonObject {
  const copy: Writable = { ...value };
  for (const [field, standard] of Object.entries(defaults)) {
    const written = copy[field];
    const isUnset =
      written === undefined || written === null || written === '' || (Array.isArray(written) && written.length === 0);
    if (isUnset) copy[field] = standard;
  }
  return copy;
}

function withLabels(metadata: Json | undefined, labels: Json | undefined): JsonObject {
  const meta = isObject(metadata) ? metadata : {};
  if (!isEmpty(meta['labels']) || isEmpty(labels)) return {};
  return { metadata: { ...meta, labels: labels! } };
}

function part(value: JsonObject, field: string, change: (part: JsonObject) => JsonObject): JsonObject {
  const found = value[field];
  return isObject(found) ? { ...value, [field]: change(found) } : value;
}

function mapped(value: JsonObject, field: string, change: (item: JsonObject) => JsonObject): JsonObject {
  return { ...value, ...each(value, field, change) };
}

function each(value: JsonObject, field: string, change: (item: JsonObject) => JsonObject): JsonObject {
  const items = value[field];
  return Array.isArray(items) ? { [field]: list(items).map(change) } : {};
}

function list(value: Json | undefined): readonly JsonObject[] {
  return Array.isArray(value) ? (value as readonly JsonObject[]) : [];
}

function map(value: Json | undefined): JsonObject {
  return isObject(value) ? value : {};
}

function at(value: JsonObject | undefined, field: string): JsonObject | undefined {
  const found = value?.[field];
  return isObject(found) ? found : undefined;
}

function isEmpty(value: Json | undefined): boolean {
  return !isObject(value) || Object.keys(value).length === 0;
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
