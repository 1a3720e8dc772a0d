import { own } from '../../util/own.ts';
import { isServed } from '../../kubernetes/api/served.ts';
import type { Release } from '../../kubernetes/release.ts';
import type { FieldError } from '../../kubernetes/field-error.ts';
import type { Kinds, KubeObject, Namespace, PodTemplateSpec } from '../../kubernetes/objects.ts';
import { isWorkloadKind, podTemplateOf } from '../../kubernetes/pod-template.ts';
import { autoscalerMetaRules, judgeAutoscalerSpec } from '../cluster/autoscaler.ts';
import { judgeLimitRangeSpec } from '../cluster/limit-range.ts';
import { judgeNodeFields } from '../cluster/node.ts';
import { judgePersistentVolumeSpec } from '../cluster/persistent-volume.ts';
import { judgeRuntimeClass } from '../cluster/runtime-class.ts';
import { judgeService } from '../cluster/service.ts';
import {
  judgeStorageCapacity,
  judgeVolumeAttachment,
  validateCsiDriverSpec,
  validateCsiNodeSpec,
  validateStorageClassFields,
} from '../cluster/storage.ts';
import { judgeClaim, judgeClaimTemplate, judgeDeviceClass } from '../devices/claim.ts';
import { judgeSlice, judgeTaintRule } from '../devices/slice.ts';
import { allOf, type Batches, inBatches, invalidFormat } from '../format/field-errors.ts';
import { FieldPath } from '../format/field-path.ts';
import {
  dns1035LabelProblems,
  dnsLabelProblems,
  dnsSubdomainProblems,
  type NameCheck,
  pathSegmentProblems,
  qualifiedNameProblems,
} from '../format/names.ts';
import { coreFinalizerErrors, judgeObjectMeta, type MetaRules } from '../format/object-meta.ts';
import { inWordsOf } from '../format/wording.ts';
import { judgePod, judgePodTemplate } from '../pods/pod.ts';
import { judgePriorityClass } from '../priority/priority-class.ts';
import { judgeQuota } from '../quota/validation.ts';
import { validateClaimSpec } from '../volumes/claim-template.ts';
import { judgeDisruptionBudget } from '../workloads/disruption-budget.ts';
import type { JudgeTemplate } from '../workloads/job.ts';
import { isOfGroups, judgeGangWorkload, judgePodGroup } from '../workloads/pod-group.ts';
import { judgeWorkload } from '../workloads/workload.ts';

/**
 * Judges a new object of any kind that Podium reads, its defaults filled in, in the order of upstream's answer.
 * @param generated whether a Job has the selector and the labels that the server writes
 * @param old what is stored of a workload: its template may keep faults that rules came late for
 */
export function validateCreation(
  object: KubeObject,
  release: Release,
  generated = true,
  old?: KubeObject,
): FieldError[] {
  return allOf(judgeCreation(object, release, generated, old));
}

export function* judgeCreation(object: KubeObject, release: Release, generated: boolean, old?: KubeObject): Batches {
  for (const errors of judgeKind(object, release, generated, old)) yield inWordsOf(release, errors);
}

function* judgeKind(object: KubeObject, release: Release, generated: boolean, old?: KubeObject): Batches {
  const { kind } = object;
  if (kind === 'Pod') return yield* judgePod(object, { release });
  if (isWorkloadKind(kind)) return yield* judgeWorkload(object, judgeTemplate(release, old), generated, release);
  if (kind === 'PodDisruptionBudget') return yield* judgeDisruptionBudget(object);
  if (kind === 'PriorityClass') return yield* judgePriorityClass(object);
  if (kind === 'ResourceQuota') return yield* judgeQuota(object);
  yield* judgeObjectMeta(object.metadata, metaRulesOf(object, release), FieldPath.to('metadata'));
  // The object is of the kind that it is looked up by.
  yield* own(fieldJudges, kind ?? '')?.(object as never, release) ?? [];
}

type FieldJudge<Kind extends KubeObject> = (object: Kind, release: Release) => Iterable<readonly FieldError[]>;

/** What is judged of each kind besides its metadata. */
const fieldJudges: { readonly [Kind in keyof Kinds]?: FieldJudge<Kinds[Kind]> } = {
  HorizontalPodAutoscaler: ({ spec }, release) => judgeAutoscalerSpec(spec, release),
  LimitRange: judgeLimitRangeSpec,
  Namespace: judgeNamespaceFinalizers,
  Node: judgeNodeFields,
  PersistentVolume: judgePersistentVolumeSpec,
  PersistentVolumeClaim: ({ spec = {} }) => [validateClaimSpec(spec, FieldPath.to('spec'))],
  Service: judgeService,
  StorageClass: (storageClass) => [validateStorageClassFields(storageClass)],
  CSINode: (csiNode, release) => [validateCsiNodeSpec(csiNode, release)],
  CSIDriver: (driver, release) => [validateCsiDriverSpec(driver, release)],
  CSIStorageCapacity: judgeStorageCapacity,
  VolumeAttachment: judgeVolumeAttachment,
  DeviceClass: judgeDeviceClass,
  ResourceClaim: judgeClaim,
  ResourceClaimTemplate: judgeClaimTemplate,
  ResourceSlice: judgeSlice,
  DeviceTaintRule: (rule, { served }) =>
    isServed(served, rule.apiVersion ?? '', 'DeviceTaintRule') ? judgeTaintRule(rule) : [],
  RuntimeClass: judgeRuntimeClass,
  PodGroup: (group, release) => (isOfGroups(group, release) ? judgePodGroup(group, release) : []),
  Workload: (workload, release) => (isOfGroups(workload, release) ? judgeGangWorkload(workload, release) : []),
};

/** Source: ValidateNamespace in pkg/apis/core/validation/validation.go, which prints the path of the list */
function judgeNamespaceFinalizers({ spec }: Namespace): Batches {
  const at = FieldPath.to('spec', 'finalizers');
  return inBatches(spec?.finalizers ?? [], (finalizer, index) => {
    const place = at.index(index).printedAs(at);
    return [
      ...invalidFormat(place, finalizer, qualifiedNameProblems(finalizer)),
      ...coreFinalizerErrors(finalizer, place),
    ];
  });
}

function judgeTemplate(release: Release, old: KubeObject | undefined): JudgeTemplate {
  const stored = old && podTemplateOf(old);
  return function* (template, path, claims = []) {
    for (const errors of judgePodTemplate(withClaims(template, claims), path, [], release, stored)) {
      yield errors.map((error) => ({ ...error, ofTemplate: true as const }));
    }
  };
}

/** A StatefulSet's pods have its claims as volumes. */
function withClaims(template: PodTemplateSpec, claims: readonly string[]): PodTemplateSpec {
  if (claims.length === 0) return template;
  const spec = template.spec ?? { containers: [] };
  const volumes = spec.volumes ?? [];
  const added = claims.filter((name) => !volumes.some((volume) => volume.name === name));
  return {
    ...template,
    spec: {
      ...spec,
      volumes: [...volumes, ...added.map((name) => ({ name, persistentVolumeClaim: { claimName: name } }))],
    },
  };
}

const namespaced: ReadonlySet<string> = new Set([
  'HorizontalPodAutoscaler',
  'LimitRange',
  'ResourceQuota',
  'PersistentVolumeClaim',
  'PodDisruptionBudget',
  'CSIStorageCapacity',
  'ResourceClaim',
  'ResourceClaimTemplate',
  'PodGroup',
  'Workload',
]);

const nameChecks: ReadonlyMap<string, NameCheck> = new Map([
  ['Namespace', dnsLabelProblems],
  ['PodDisruptionBudget', pathSegmentProblems],
]);

function metaRulesOf({ kind = '' }: KubeObject, { featureGates }: Release): MetaRules {
  if (kind === 'Service') {
    const nameProblems = featureGates.has('RelaxedServiceNameValidation') ? dnsLabelProblems : dns1035LabelProblems;
    return { namespaced: true, nameProblems, coreFinalizers: true };
  }
  if (kind === 'HorizontalPodAutoscaler') return autoscalerMetaRules;
  const nameProblems = nameChecks.get(kind) ?? dnsSubdomainProblems;
  return { namespaced: namespaced.has(kind), nameProblems, coreFinalizers: true };
}
