import type { Release } from '../../kubernetes/release.ts';
import type { FieldError } from '../../kubernetes/field-error.ts';
import type {
  CSINode,
  HorizontalPodAutoscaler,
  KubeObject,
  PersistentVolumeClaim,
  PodTemplateSpec,
  StatefulSet,
  StorageClass,
} from '../../kubernetes/objects.ts';
import { isWorkloadKind } from '../../kubernetes/pod-template.ts';
import { autoscalerMetaRules, validateAutoscalerSpec } from '../cluster/autoscaler.ts';
import { validateLimitRangeSpec } from '../cluster/limit-range.ts';
import { validateNodeFields } from '../cluster/node.ts';
import { validatePersistentVolumeSpec } from '../cluster/persistent-volume.ts';
import { validateCsiNodeSpec, validateStorageClassFields } from '../cluster/storage.ts';
import { FieldPath } from '../format/field-path.ts';
import { dnsLabelProblems, dnsSubdomainProblems, type NameCheck, pathSegmentProblems } from '../format/names.ts';
import { type MetaRules, validateObjectMeta } from '../format/object-meta.ts';
import { validatePod, validatePodTemplate } from '../pods/pod.ts';
import { validatePriorityClass } from '../priority/priority-class.ts';
import { validateQuota } from '../quota/validation.ts';
import { validateClaimSpec } from '../volumes/claim-template.ts';
import { validateDisruptionBudget } from '../workloads/disruption-budget.ts';
import type { JudgeTemplate } from '../workloads/job.ts';
import { validateWorkload } from '../workloads/workload.ts';

/**
 * Judges a new object of any kind that Podium reads, its defaults filled in, in the order of upstream's answer.
 * @param generated whether a Job has the selector and the labels that the server writes
 */
export function validateCreation(object: KubeObject, release: Release, generated = true): FieldError[] {
  const { kind } = object;
  if (kind === 'Pod') return validatePod(object, { release });
  if (isWorkloadKind(kind)) {
    return [...validateWorkload(object, judgeTemplate(release), generated), ...claimErrors(object)];
  }
  const metadata = validateObjectMeta(object.metadata, metaRulesOf(object), FieldPath.to('metadata'));
  switch (kind) {
    case 'PodDisruptionBudget':
      return validateDisruptionBudget(object);
    case 'PriorityClass':
      return validatePriorityClass(object);
    case 'ResourceQuota':
      return validateQuota(object);
    case 'HorizontalPodAutoscaler':
      return [...metadata, ...validateAutoscalerSpec((object as HorizontalPodAutoscaler).spec, release)];
    case 'LimitRange':
      return [...metadata, ...validateLimitRangeSpec(object)];
    case 'Node':
      return [...metadata, ...validateNodeFields(object)];
    case 'PersistentVolume':
      return [...metadata, ...validatePersistentVolumeSpec(object)];
    case 'PersistentVolumeClaim':
      return [...metadata, ...validateClaimSpec((object as PersistentVolumeClaim).spec ?? {}, FieldPath.to('spec'))];
    case 'StorageClass':
      return [...metadata, ...validateStorageClassFields(object as StorageClass)];
    case 'CSINode':
      return [...metadata, ...validateCsiNodeSpec(object as CSINode)];
    default:
      return metadata;
  }
}

/** The claims that a StatefulSet makes for its pods. */
function claimErrors(object: KubeObject): FieldError[] {
  if (object.kind !== 'StatefulSet') return [];
  const at = FieldPath.to('spec', 'volumeClaimTemplates');
  return ((object as StatefulSet).spec?.volumeClaimTemplates ?? []).flatMap((claim, index) =>
    validateClaimSpec(claim.spec ?? {}, at.index(index).child('spec')),
  );
}

function judgeTemplate(release: Release): JudgeTemplate {
  return (template, path, claims = []) =>
    validatePodTemplate(withClaims(template, claims), path, [], release).map((error) => ({
      ...error,
      ofTemplate: true as const,
    }));
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
  'Service',
  'CSIStorageCapacity',
]);

const nameChecks: ReadonlyMap<string, NameCheck> = new Map([
  ['Namespace', dnsLabelProblems],
  ['PodDisruptionBudget', pathSegmentProblems],
]);

function metaRulesOf({ kind = '' }: KubeObject): MetaRules {
  if (kind === 'HorizontalPodAutoscaler') return autoscalerMetaRules;
  const nameProblems = nameChecks.get(kind) ?? dnsSubdomainProblems;
  return { namespaced: namespaced.has(kind), nameProblems, coreFinalizers: true };
}
