import type { JsonObject } from '../../kubernetes/json.ts';
import { isNamespaced } from '../../kubernetes/api/kinds.ts';
import type { Job, KubeObject, LimitRange, Namespace, PersistentVolumeClaim } from '../../kubernetes/objects.ts';

/**
 * What the storage of a kind changes in a new object before it is judged.
 * Sources: PrepareForCreate in pkg/registry/{batch/job,core/persistentvolumeclaim,core/limitrange}/strategy.go
 */
export function prepared(object: JsonObject): JsonObject {
  const typed = withFirstGeneration(ofItsScope(object as unknown as KubeObject));
  switch (typed.kind) {
    case 'Job':
      return withGeneratedSelector(typed) as unknown as JsonObject;
    case 'PersistentVolumeClaim':
      return withDataSources(typed) as unknown as JsonObject;
    case 'LimitRange':
      return withName(typed) as unknown as JsonObject;
    case 'Namespace':
      return withFinalizer(typed) as unknown as JsonObject;
    default:
      return typed as unknown as JsonObject;
  }
}

/**
 * An object that lives in no namespace loses the one that is written in it, on creation and on updates.
 * Source: EnsureObjectNamespaceMatchesRequestNamespace in apiserver/pkg/registry/rest/meta.go
 */
export function ofItsScope<T extends KubeObject>(object: T): T {
  const { apiVersion = '', kind = '', metadata } = object;
  if (metadata?.namespace === undefined || isNamespaced(apiVersion, kind)) return object;
  const { namespace: _, ...kept } = metadata;
  return { ...object, metadata: kept };
}

/** Kinds whose storage counts their generations, and begins anew whatever is written. Source: PrepareForCreate of each */
const counted: ReadonlySet<string> = new Set([
  'Pod',
  'ReplicationController',
  'ReplicaSet',
  'Deployment',
  'StatefulSet',
  'DaemonSet',
  'Job',
  'CronJob',
  'PodDisruptionBudget',
  'PriorityClass',
  'DeviceClass',
  'ResourceSlice',
  'PodGroup',
  'Workload',
]);

function withFirstGeneration<T extends KubeObject>(object: T): T {
  if (object.metadata?.generation === undefined || !counted.has(object.kind ?? '')) return object;
  return { ...object, metadata: { ...object.metadata, generation: 1 } };
}

/** What empties a namespace when it is deleted. Source: PrepareForCreate in pkg/registry/core/namespace/strategy.go */
const namespaceFinalizer = 'kubernetes';

function withFinalizer(namespace: Namespace): Namespace {
  const written = namespace.spec?.finalizers ?? [];
  if (written.includes(namespaceFinalizer)) return namespace;
  return { ...namespace, spec: { ...namespace.spec, finalizers: [...written, namespaceFinalizer] } };
}

/** The uid of a new object is not known; recorded answers have this one. */
export const unknownUid = '00000000-0000-0000-0000-000000000000';

/** generateSelector: labels that only this job's pods have. */
function withGeneratedSelector(job: Job): Job {
  const { spec } = job;
  if (spec === undefined || spec.manualSelector === true) return job;
  const name = job.metadata?.name ?? '';
  const written = spec.template.metadata?.labels ?? {};
  const uid = written['controller-uid'] ?? unknownUid;
  const labels = {
    'batch.kubernetes.io/controller-uid': uid,
    'batch.kubernetes.io/job-name': name,
    'controller-uid': uid,
    'job-name': name,
    ...written,
  };
  const matchLabels = { 'batch.kubernetes.io/controller-uid': uid, ...spec.selector?.matchLabels };
  // Where the job has its labels from the template, both are one map in the server: what it adds shows in both.
  const shared = spec.template.metadata?.labels !== undefined && job.metadata?.labels === spec.template.metadata.labels;
  return {
    ...job,
    ...(shared ? { metadata: { ...job.metadata, labels } } : {}),
    spec: {
      ...spec,
      selector: { ...spec.selector, matchLabels },
      template: { ...spec.template, metadata: { ...spec.template.metadata, labels } },
    },
  };
}

/** EnforceDataSourceBackwardsCompatibility, NormalizeDataSources: the two fields say the same where both can. */
export function withDataSources(claim: PersistentVolumeClaim, old?: PersistentVolumeClaim): PersistentVolumeClaim {
  const { dataSource, dataSourceRef: written, ...spec } = claim.spec ?? {};
  const group = dataSource?.apiGroup ?? '';
  // A reference to another namespace is dropped while the gate CrossNamespaceVolumeDataSource is off.
  const isDropped = (written?.namespace ?? '') !== '' && old?.spec?.dataSourceRef === undefined;
  const dataSourceRef = isDropped ? undefined : written;
  const isKept =
    dataSourceRef !== undefined ||
    old?.spec?.dataSource !== undefined ||
    (dataSource?.kind === 'PersistentVolumeClaim' && group === '') ||
    (dataSource?.kind === 'VolumeSnapshot' && group === 'snapshot.storage.k8s.io');
  const source = isKept ? dataSource : undefined;
  const ref = dataSourceRef ?? source;
  const { namespace, ...local } = dataSourceRef ?? { kind: '', name: '' };
  const both = source ?? (dataSourceRef === undefined || (namespace ?? '') !== '' ? undefined : local);
  return {
    ...claim,
    spec: {
      ...spec,
      ...(both === undefined ? {} : { dataSource: both }),
      ...(ref === undefined ? {} : { dataSourceRef: ref }),
    },
  };
}

/** A range that nobody names gets its name by chance. */
function withName(range: LimitRange): LimitRange {
  if ((range.metadata?.name ?? '') !== '') return range;
  return { ...range, metadata: { ...range.metadata, name: unknownUid } };
}
