import { own } from '../../util/own.ts';
import { append } from '../../util/append.ts';
import type { Release } from '../../kubernetes/release.ts';
import { isNamespaced } from '../../kubernetes/api/kinds.ts';
import { currentLabel } from '../../kubernetes/renamed-labels.ts';
import { betaStorageClass } from '../../kubernetes/storage-class-of.ts';
import type { FieldError } from '../../kubernetes/field-error.ts';
import type {
  CronJob,
  DaemonSet,
  Deployment,
  CSINode,
  DeviceClass,
  HorizontalPodAutoscaler,
  Job,
  Kinds,
  KubeObject,
  PersistentVolume,
  PersistentVolumeClaim,
  PodTemplateSpec,
  ReplicaSet,
  ResourceSlice,
  Service,
  StatefulSet,
} from '../../kubernetes/objects.ts';
import { readResourceList } from '../../kubernetes/pod-resources.ts';
import { compareQuantities, integerQuantity } from '../../kubernetes/quantity.ts';
import { validateNodeUpdate } from '../cluster/node.ts';
import { validateRuntimeClassUpdate } from '../cluster/runtime-class.ts';
import { serviceChanges } from '../cluster/service.ts';
import {
  validateCsiDriverUpdate,
  validateStorageCapacityUpdate,
  validateStorageClassUpdate,
  validateVolumeAttachmentUpdate,
} from '../cluster/storage.ts';
import { allOf, forbidden, forbiddenWithDiff, invalid } from '../format/field-errors.ts';
import { FieldPath } from '../format/field-path.ts';
import { goList, goString } from '../format/go-zero.ts';
import { pathSegmentProblems } from '../format/names.ts';
import { inWordsOf } from '../format/wording.ts';
import { judgeObjectMeta, type MetaRules, validateObjectMetaUpdate } from '../format/object-meta.ts';
import { type ComparedType, firstDifference, semanticallyEqual } from '../format/semantic-equality.ts';
import { validatePodUpdate } from '../pods/update.ts';
import { validatePriorityClassUpdate } from '../priority/priority-class.ts';
import { groupChanges, isOfGroups } from '../workloads/pod-group.ts';
import { validateCreation } from './validate.ts';

/**
 * Judges the next version of a stored object, both with their defaults, in the order of upstream's answer.
 * Sources: ValidateUpdate of the strategies in pkg/registry, and what they call in pkg/apis
 */
export function validateUpdate(next: KubeObject, old: KubeObject, release: Release): readonly FieldError[] {
  // Every update is first judged by what all kinds have in common (validateCommonFields in rest/update.go).
  return inWordsOf(release, [
    ...allOf(judgeObjectMeta(next.metadata, commonRules(next), metaAt)),
    ...validateObjectMetaUpdate(next.metadata, old.metadata, { coreFinalizers: false }, metaAt),
    ...kindErrors(next, old, release),
  ]);
}

function kindErrors(next: KubeObject, old: KubeObject, release: Release): FieldError[] {
  const kind = next.kind ?? '';
  if (kind === 'Pod') return validatePodUpdate(next, old, { fillsServiceAccount: false, release });
  if (kind === 'PriorityClass') return validatePriorityClassUpdate(next, old);
  const created = validateCreation(next, release, true, old).flatMap((error) => asUpdate(error, next, old, release));
  // Of what stands in the metadata only the update is judged, and nothing of what the server writes into a Job.
  const spec = created.filter(({ at: { path, text: field }, detail }) => {
    const isGenerated = field.startsWith('spec.template.metadata.labels[') || detail.endsWith('not auto-generated');
    // Of a StatefulSet, what may not change is judged only when it is new.
    const isKept = kind === 'StatefulSet' && /^spec\.(?:serviceName$|volumeClaimTemplates\[)/.test(field);
    return path[0] !== 'metadata' && !isGenerated && !isKept;
  });
  const errors: Readonly<Record<Part, readonly FieldError[]>> = {
    created,
    newMetadata: created.filter(({ at: { path } }) => path[0] === 'metadata'),
    spec,
    metadata: validateObjectMetaUpdate(next.metadata, old.metadata, { coreFinalizers: true }, metaAt),
    changes: validateChanges(next, old, release),
  };
  return partsOf(kind, release).flatMap((part) => errors[part]);
}

/** Of the next version: all of it or its metadata as if it were new, its metadata as an update, its spec, and what changes. */
type Part = 'created' | 'newMetadata' | 'metadata' | 'spec' | 'changes';

const asSpec: readonly Part[] = ['metadata', 'spec', 'changes'];

/** Source: ValidateUpdate of the strategies in pkg/registry, and the functions that they call; in order, repetitions too. */
const parts: ReadonlyMap<string, readonly Part[]> = new Map([
  ['Deployment', asSpec],
  ['ReplicaSet', asSpec],
  ['ReplicationController', asSpec],
  ['StatefulSet', asSpec],
  ['CronJob', asSpec],
  ['HorizontalPodAutoscaler', asSpec],
  ['ResourceQuota', asSpec],
  ['CSIDriver', asSpec],
  ['DaemonSet', ['metadata', 'changes', 'spec']],
  ['Job', ['created', 'metadata', 'spec', 'changes']],
  ['LimitRange', ['created']],
  ['PodDisruptionBudget', ['spec']],
  ['PersistentVolume', ['created', 'created', 'changes']],
  ['PersistentVolumeClaim', ['metadata', 'created', 'changes']],
  ['Service', ['metadata', 'changes', 'spec']],
  ['CSINode', ['created', 'created', 'changes']],
  ['VolumeAttachment', ['created', 'changes']],
  ['ResourceClaim', ['newMetadata', 'metadata', 'changes']],
  ['DeviceClass', ['newMetadata', 'metadata', 'spec']],
  ['ResourceSlice', asSpec],
  ['DeviceTaintRule', asSpec],
  ['PodGroup', ['metadata', 'changes']],
  ['Workload', ['metadata', 'changes']],
]);

/** In older minors the whole object is judged, and then the update judges it once more. */
const earlierParts: ReadonlyMap<string, readonly Part[]> = new Map([
  ['PersistentVolumeClaim', ['created', 'metadata', 'created', 'changes']],
  ['ReplicationController', ['created', ...asSpec]],
  ['VolumeAttachment', ['created', 'created', 'changes']],
  ['ResourceClaim', ['created', 'metadata', 'changes', 'spec']],
  ['ResourceClaimTemplate', ['created', 'metadata', 'changes', 'spec']],
  ['DeviceClass', ['created', 'metadata', 'spec']],
]);

function partsOf(kind: string, { behaviours }: Release): readonly Part[] {
  const earlier = behaviours.judgesUpdatesTwice ? earlierParts.get(kind) : undefined;
  return earlier ?? parts.get(kind) ?? ['created', 'metadata', 'changes'];
}

/**
 * A fault of the next version as an update tells it: not at all where its rule came late, and what is stored broke it.
 * Sources: ValidateUpdate of the strategies in pkg/registry and the options they make of what is stored,
 * validateCronJobSpec, validateService
 */
function asUpdate(error: FieldError, next: KubeObject, old: KubeObject, release: Release): FieldError[] {
  const { at, detail } = error;
  const late = lateRules.find(([kinds, field]) => kinds.includes(next.kind ?? '') && field.test(at.text));
  if (late !== undefined) {
    const isStored = validateCreation(old, release).some((stored) => late[1].test(stored.at.text));
    return isStored ? [] : [error];
  }
  if (isStoredExpression(error, next, old) || isStoredValue(error, next, old)) return [];
  if (next.kind !== 'CronJob' || at.text !== 'spec.schedule' || !detail.startsWith('cannot use TZ')) return [error];
  if (!(old as CronJob).spec.schedule.includes('TZ')) return [error];
  const both = 'cannot use both timeZone field and TZ or CRON_TZ in schedule';
  return (next as CronJob).spec.timeZone === undefined ? [] : [{ ...error, detail: both }];
}

/** Fields that may be wrong anywhere in an object in which one of them is. */
const lateRules: readonly (readonly [kinds: readonly string[], field: RegExp])[] = [
  [
    ['CSIStorageCapacity', 'Job', 'PersistentVolumeClaim', 'PodDisruptionBudget'],
    /^(?:spec\.selector|nodeTopology)\.matchExpressions\[\d+\]\.values\[/,
  ],
  [['PersistentVolume'], /^spec\.nodeAffinity\.required\.nodeSelectorTerms\[\d+\]\.matchExpressions\[\d+\]\.values\[/],
  [['HorizontalPodAutoscaler'], /^spec\.metrics\[\d+\]\.object\.describedObject\.apiVersion$/],
];

/** Whether a fault lies in a value that was there before, of a field that is then judged no more. */
function isStoredValue({ at, value }: FieldError, next: KubeObject, old: KubeObject): boolean {
  switch (`${next.kind} ${at.path[1]}`) {
    case 'CronJob timeZone':
      return value === (old as CronJob).spec.timeZone;
    case 'HorizontalPodAutoscaler minReplicas':
      return value === 0 && (old as HorizontalPodAutoscaler).spec.minReplicas === 0;
    case 'HorizontalPodAutoscaler scaleTargetRef': {
      const [now, before] = [next, old].map((each) => (each as HorizontalPodAutoscaler).spec.scaleTargetRef);
      return at.path[2] === 'apiVersion' && now!.apiVersion === before!.apiVersion && now!.kind === before!.kind;
    }
    case 'Service externalIPs':
    case 'Service loadBalancerSourceRanges':
      return goList((old as Service).spec?.[at.path[1] as 'externalIPs']).includes(String(value));
    default:
      return false;
  }
}

/** Selectors of devices that are as before are judged no more. Source: validateCELSelector in pkg/apis/resource/validation */
function isStoredExpression({ at: { text: field } }: FieldError, next: KubeObject, old: KubeObject): boolean {
  if (!field.endsWith('.cel.expression')) return false;
  if (next.kind !== 'DeviceClass') return claimSpecChanges(next as Claim, old as Claim).length === 0;
  const [{ selectors: now }, { selectors: before }] = [(next as DeviceClass).spec, (old as DeviceClass).spec];
  return semanticallyEqual({ selectors: now }, { selectors: before }, 'resource/v1 DeviceClassSpec');
}

function commonRules({ apiVersion = '', kind = '' }: KubeObject): MetaRules {
  return { namespaced: isNamespaced(apiVersion, kind), nameProblems: pathSegmentProblems, coreFinalizers: false };
}

const metaAt = FieldPath.to('metadata');
const specAt = FieldPath.to('spec');
const immutable = 'field is immutable';

/** What is refused of a change alone, both versions with their defaults: the new version may have faults of its own. */
export function validateChanges(next: KubeObject, old: KubeObject, release: Release): FieldError[] {
  // Both are of the kind that they are looked up by.
  return own(changeJudges, next.kind ?? '')?.(next as never, old as never, release) ?? [];
}

type ChangeJudge<Kind extends KubeObject> = (next: Kind, old: Kind, release: Release) => FieldError[];

const selectorStays: ChangeJudge<Deployment | ReplicaSet | DaemonSet> = (next, old) =>
  unchanged(next.spec, old.spec, 'apps/v1 StatefulSetSpec', ['selector']);
const groupsChange: ChangeJudge<KubeObject> = (next, old, release) =>
  isOfGroups(next, release) ? groupChanges(next, old, release) : [];

const changeJudges: { readonly [Kind in keyof Kinds]?: ChangeJudge<Kinds[Kind]> } = {
  Deployment: selectorStays,
  ReplicaSet: selectorStays,
  DaemonSet: selectorStays,
  StatefulSet: statefulSetChanges,
  Job: jobChanges,
  PersistentVolume: persistentVolumeChanges,
  PersistentVolumeClaim: claimChanges,
  ResourceQuota: (next, old) => {
    const [now, before] = [goList(next.spec?.scopes), goList(old.spec?.scopes)];
    const same = now.length === before.length && now.every((scope) => before.includes(scope));
    return same ? [] : [invalid(specAt.child('scopes'), now, immutable)];
  },
  Node: validateNodeUpdate,
  Service: serviceChanges,
  StorageClass: validateStorageClassUpdate,
  CSINode: csiNodeChanges,
  CSIDriver: validateCsiDriverUpdate,
  CSIStorageCapacity: validateStorageCapacityUpdate,
  VolumeAttachment: validateVolumeAttachmentUpdate,
  RuntimeClass: validateRuntimeClassUpdate,
  ResourceClaim: claimSpecChanges,
  ResourceClaimTemplate: claimSpecChanges,
  ResourceSlice: sliceChanges,
  PodGroup: groupsChange,
  Workload: groupsChange,
};

type Values = Readonly<Record<string, unknown>>;

/** ValidateImmutableField, for some fields of a struct. */
function unchanged(
  next: object | undefined,
  old: object | undefined,
  type: ComparedType,
  fields: readonly string[],
): FieldError[] {
  return fields.flatMap((field) => {
    const [now, before] = [own(next as Values | undefined, field), own(old as Values | undefined, field)];
    if (semanticallyEqual({ [field]: now }, { [field]: before }, type)) return [];
    return [invalid(specAt.child(field), now ?? null, immutable)];
  });
}

const statefulSetText =
  "updates to statefulset spec for fields other than 'replicas', 'ordinals', 'template', 'updateStrategy', 'revisionHistoryLimit', 'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds' are forbidden";

/** ValidateStatefulSetUpdate. */
function statefulSetChanges({ spec: next }: StatefulSet, { spec: old }: StatefulSet): FieldError[] {
  const { replicas, ordinals, template, updateStrategy, revisionHistoryLimit, minReadySeconds, ...rest } = old ?? {};
  const { persistentVolumeClaimRetentionPolicy } = old ?? {};
  const free = { replicas, ordinals, template, updateStrategy, revisionHistoryLimit, minReadySeconds };
  const type = 'apps/v1 StatefulSetSpec';
  const now = { ...next, ...free, persistentVolumeClaimRetentionPolicy };
  const before = { ...rest, ...free };
  return semanticallyEqual(now, before, type) ? [] : [forbidden(within(specAt, now, before, type), statefulSetText)];
}

/** Printed as `at`, and marked where the two versions of what stands there begin to differ. */
function within(at: FieldPath, next: unknown, old: unknown, type: ComparedType): FieldPath {
  return FieldPath.from([...at.path, ...firstDifference(next, old, type)]).printedAs(at);
}

type JobSpec = NonNullable<Job['spec']>;

/** ValidateJobSpecUpdate. */
function jobChanges({ spec: next }: Job, job: Job, release: Release): FieldError[] {
  const { spec: old } = job;
  if (next === undefined || old === undefined) return [];
  const errors: FieldError[] = [];
  const type = 'batch/v1 JobSpec';
  const completionsAt = specAt.child('completions');
  if (next.completionMode !== 'Indexed') {
    append(errors, unchanged(next, old, type, ['completions']));
  } else if (next.completions !== undefined && next.completions !== old.completions) {
    if (next.completions !== next.parallelism) {
      errors.push(invalid(completionsAt, next.completions, 'can only be modified in tandem with spec.parallelism'));
    }
  }
  append(errors, unchanged(next, old, type, ['selector']));
  const isAtRest = mayBeDirected(job, old, release);
  const before = isAtRest ? withDirectives(old.template, next.template, release) : old.template;
  const templateType = 'core/v1 PodTemplateSpec';
  if (!semanticallyEqual(next.template, before, templateType)) {
    const at = specAt.child('template');
    const isNarrow = isAtRest && release.featureGates.has('MutablePodResourcesForSuspendedJobs');
    const error = isNarrow
      ? invalid(at.child('spec'), next.template.spec, immutable)
      : invalid(at, next.template, immutable);
    errors.push({ ...error, within: firstDifference(next.template, before, templateType).slice(isNarrow ? 1 : 0) });
  }
  const fields = ['completionMode', 'podFailurePolicy', 'backoffLimitPerIndex', 'managedBy', 'successPolicy'];
  return [...errors, ...unchanged(next, old, type, fields)];
}

/**
 * Whether the scheduling of a stored job may still change: it is suspended and has never started, or, where a minor
 * allows it, has stopped again. Source: validationOptionsForJob in pkg/registry/batch/job/strategy.go
 */
function mayBeDirected({ status }: Job, { suspend }: JobSpec, { featureGates }: Release): boolean {
  if (suspend !== true) return false;
  const neverStarted = status?.startTime === undefined;
  if (!featureGates.has('MutableSchedulingDirectivesForSuspendedJobs')) return neverStarted;
  const hasStopped = status?.conditions?.some((each) => each.type === 'Suspended' && each.status === 'True') === true;
  return (status?.active ?? 0) === 0 && (neverStarted || hasStopped);
}

/** The stored template with what may change in a job that is suspended and runs no pods. */
function withDirectives(old: PodTemplateSpec, next: PodTemplateSpec, release: Release): PodTemplateSpec {
  const now = next.spec ?? { containers: [] };
  const before = old.spec ?? { containers: [] };
  const { affinity } = before;
  const rest = without(before, ['affinity', 'nodeSelector', 'tolerations', 'schedulingGates']);
  const others = without(affinity ?? {}, ['nodeAffinity']);
  const kept = {
    ...others,
    ...(now.affinity?.nodeAffinity === undefined ? {} : { nodeAffinity: now.affinity.nodeAffinity }),
  };
  const cleared = now.affinity === undefined && Object.keys(others).length === 0;
  const none = affinity === undefined && now.affinity === undefined;
  const resources = (list: 'containers' | 'initContainers'): object => {
    const containers = before[list];
    if (
      containers === undefined ||
      !release.featureGates.has('MutablePodResourcesForSuspendedJobs') ||
      containers.length !== now[list]?.length
    ) {
      return {};
    }
    return {
      [list]: containers.map((container) => {
        const same = now[list]?.find(({ name }) => name === container.name);
        const plain = without(container, ['resources']);
        return same?.resources === undefined ? plain : { ...plain, resources: same.resources };
      }),
    };
  };
  return {
    ...old,
    metadata: { ...old.metadata, labels: next.metadata?.labels ?? {}, annotations: next.metadata?.annotations ?? {} },
    spec: {
      ...rest,
      ...resources('containers'),
      ...resources('initContainers'),
      ...(cleared || none ? {} : { affinity: kept }),
      ...(now.nodeSelector === undefined ? {} : { nodeSelector: now.nodeSelector }),
      ...(now.tolerations === undefined ? {} : { tolerations: now.tolerations }),
      ...(now.schedulingGates === undefined ? {} : { schedulingGates: now.schedulingGates }),
    },
  };
}

function without<T extends object, Key extends keyof T & string>(object: T, fields: readonly Key[]): Omit<T, Key> {
  const kept = Object.entries(object).filter(([field]) => !(fields as readonly string[]).includes(field));
  return Object.fromEntries(kept) as Omit<T, Key>;
}

/** Fields of a volume's spec that are not its source. */
const volumeFields: ReadonlySet<string> = new Set([
  'capacity',
  'accessModes',
  'claimRef',
  'persistentVolumeReclaimPolicy',
  'storageClassName',
  'mountOptions',
  'volumeMode',
  'nodeAffinity',
  'volumeAttributesClassName',
]);

/** ValidatePersistentVolumeUpdate. */
function persistentVolumeChanges(
  { spec: next = {} }: PersistentVolume,
  { spec: old = {} }: PersistentVolume,
  { featureGates }: Release,
): FieldError[] {
  const errors: FieldError[] = [];
  const sourceOf = (spec: object): object =>
    Object.fromEntries(Object.entries(spec).filter(([field]) => !volumeFields.has(field)));
  const gainsSecret = old.csi !== undefined && old.csi.controllerExpandSecretRef === undefined;
  const csi = without(next.csi ?? { driver: '', volumeHandle: '' }, ['controllerExpandSecretRef']);
  const compared = gainsSecret && next.csi !== undefined ? { ...next, csi } : next;
  const type = 'core/v1 PersistentVolumeSpec';
  if (!semanticallyEqual(sourceOf(compared), sourceOf(old), type)) {
    const source = specAt.child('persistentvolumesource');
    const at = within(specAt, sourceOf(compared), sourceOf(old), type).printedAs(source);
    errors.push(forbiddenWithDiff(at, 'spec.persistentvolumesource is immutable after creation'));
  }
  if (next.volumeMode !== old.volumeMode) {
    errors.push(
      invalid(specAt.child('volumeMode').printedAs(FieldPath.to('volumeMode')), next.volumeMode ?? null, immutable),
    );
  }
  if (
    old.nodeAffinity !== undefined &&
    !featureGates.has('MutablePVNodeAffinity') &&
    !semanticallyEqual(next.nodeAffinity, renamedAs(next.nodeAffinity, old.nodeAffinity), 'core/v1 VolumeNodeAffinity')
  ) {
    const at = specAt.child('nodeAffinity').printedAs(FieldPath.to('nodeAffinity'));
    errors.push(invalid(at, next.nodeAffinity ?? null, `${immutable}, except for updating from beta label to GA`));
  }
  if (old.volumeAttributesClassName !== undefined && next.volumeAttributesClassName === undefined) {
    errors.push(forbidden(specAt.child('volumeAttributesClassName'), 'update from non-nil value to nil is forbidden'));
  }
  return errors;
}

type VolumeAffinity = NonNullable<PersistentVolume['spec']>['nodeAffinity'];

/** The stored nodes of a volume, with labels as they are called now where the next version calls them so. */
function renamedAs(next: VolumeAffinity, old: NonNullable<VolumeAffinity>): VolumeAffinity {
  const terms = goList(old.required?.nodeSelectorTerms).map((term, index) => {
    const now = next?.required?.nodeSelectorTerms[index]?.matchExpressions;
    const matchExpressions = goList(term.matchExpressions).map((expression, number) => {
      const key = now?.[number]?.key;
      const isRenamed = expression.key.includes('beta.kubernetes.io/') && currentLabel(expression.key) === key;
      return key !== undefined && isRenamed ? { ...expression, key } : expression;
    });
    return { ...term, matchExpressions };
  });
  return old.required === undefined ? old : { ...old, required: { ...old.required, nodeSelectorTerms: terms } };
}

/** ValidatePersistentVolumeClaimUpdate. */
function claimChanges(
  { metadata, spec: next = {} }: PersistentVolumeClaim,
  { metadata: stored, spec: old = {}, status }: PersistentVolumeClaim,
): FieldError[] {
  const errors: FieldError[] = [];
  // A class in the annotation of old may move to its field, and nowhere else.
  const [note, storedNote] = [metadata, stored].map((each) => each?.annotations?.[betaStorageClass]);
  const isNoted =
    storedNote !== undefined && next.storageClassName === storedNote && (note ?? storedNote) === storedNote;
  if ((note ?? '') !== (storedNote ?? '') && !(isNoted && old.storageClassName === undefined)) {
    errors.push(invalid(metaAt.child('annotations', betaStorageClass), note ?? '', immutable));
  }
  const type = 'core/v1 PersistentVolumeClaimSpec';
  const { volumeAttributesClassName: attributes } = old;
  const named = (old.volumeName ?? '') === '' ? next.volumeName : old.volumeName;
  const mayBeClassed = storedNote === undefined || next.storageClassName === storedNote;
  const isBound = status?.phase === 'Bound' && next.resources?.requests !== undefined;
  const requests = { ...next.resources?.requests, ...storageOf(old) };
  const now: Record<string, unknown> = {
    ...next,
    ...(status?.phase === 'Bound' ? { volumeAttributesClassName: attributes } : {}),
    ...(isBound ? { resources: { ...next.resources, requests } } : {}),
  };
  const live = {
    ...old,
    volumeName: named,
    ...(old.storageClassName === undefined && mayBeClassed ? { storageClassName: next.storageClassName } : {}),
  };
  if (!semanticallyEqual(now, live, type)) {
    const detail =
      'spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims';
    errors.push(forbiddenWithDiff(within(specAt, now, live, type), detail));
  }
  const [size, before, capacity] = [next.resources?.requests, old.resources?.requests, status?.capacity].map(
    (amounts) => readResourceList(amounts).get('storage') ?? integerQuantity(0),
  );
  // The status of an unbound claim has no capacity, and nothing is less than that but nothing.
  if (compareQuantities(size!, before!) < 0 && compareQuantities(size!, capacity!) <= 0) {
    const at = specAt.child('resources', 'requests', 'storage');
    errors.push(forbidden(at, 'field can not be less than status.capacity'));
  }
  if (next.volumeMode !== old.volumeMode) {
    errors.push(
      invalid(specAt.child('volumeMode').printedAs(FieldPath.to('volumeMode')), next.volumeMode ?? null, immutable),
    );
  }
  if (status?.currentVolumeAttributesClassName !== undefined && attributes !== next.volumeAttributesClassName) {
    const now = next.volumeAttributesClassName;
    const detail = `update to ${now === undefined ? 'nil' : 'empty string'} is forbidden when status.currentVolumeAttributesClassName is not nil`;
    if ((now ?? '') === '') errors.push(forbidden(specAt.child('volumeAttributesClassName'), detail));
  }
  return errors;
}

function storageOf({
  resources,
}: NonNullable<PersistentVolumeClaim['spec']>): Readonly<Record<string, string | number>> {
  const storage = resources?.requests?.['storage'];
  return storage === undefined ? {} : { storage };
}

/** ValidateCSINodeUpdate: drivers come and go, and do not change; how much they take may, since a gate allows it. */
function csiNodeChanges(next: CSINode, old: CSINode, { featureGates }: Release): FieldError[] {
  const at = FieldPath.to('spec', 'drivers');
  const compared = (driver: CSINode['spec']['drivers'][number]): CSINode['spec']['drivers'][number] =>
    featureGates.has('MutableCSINodeAllocatableCount') ? without(driver, ['allocatable']) : driver;
  return old.spec.drivers.flatMap((before) =>
    next.spec.drivers.flatMap((driver, index) => {
      if (driver.name !== before.name) return [];
      const [now, then] = [compared(driver), compared(before)];
      if (semanticallyEqual(now, then, 'storage/v1 CSINodeDriver')) return [];
      return [invalid(at.index(index).printedAs(at), now, immutable)];
    }),
  );
}

type Claim = Kinds['ResourceClaim' | 'ResourceClaimTemplate'];

/** ValidateResourceClaimUpdate, ValidateResourceClaimTemplateUpdate: both print the whole of the new spec. */
function claimSpecChanges(next: Claim, old: Claim): FieldError[] {
  const type =
    next.kind === 'ResourceClaim' ? 'resource/v1 ResourceClaimSpec' : 'resource/v1 ResourceClaimTemplateSpec';
  if (semanticallyEqual(next.spec, old.spec, type)) return [];
  return [invalid(within(specAt, next.spec, old.spec, type), next.spec, immutable)];
}

/** validateResourceSliceSpec: a slice stays in its pool and on its node. */
function sliceChanges({ spec: next }: ResourceSlice, { spec: old }: ResourceSlice): FieldError[] {
  const poolOf = ({ pool }: Partial<ResourceSlice['spec']>): string => goString(pool?.name);
  const kept = [
    [specAt.child('pool', 'name'), poolOf(next), poolOf(old)],
    [specAt.child('driver'), goString(next.driver), goString(old.driver)],
    [specAt.child('nodeName'), next.nodeName, old.nodeName],
  ] as const;
  return kept.flatMap(([at, now, before]) => (now === before ? [] : [invalid(at, now ?? null, immutable)]));
}
