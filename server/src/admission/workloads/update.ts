import type { FieldError } from '../../kubernetes/field-error.ts';
import type { Job, KubeObject, LabelSelector, PodTemplateSpec, StatefulSet } from '../../kubernetes/objects.ts';
import { forbidden, invalid } from '../format/field-errors.ts';
import { FieldPath } from '../format/field-path.ts';
import { completeTemplate } from '../request/defaults.ts';
import { firstDifference, semanticallyEqual } from '../format/semantic-equality.ts';

/**
 * What may not change in a workload that exists. Fields that the new version leaves out count as left alone, as
 * `kubectl apply` leaves what the server has filled in.
 */

type JobSpec = NonNullable<Job['spec']>;
type StatefulSetSpec = NonNullable<StatefulSet['spec']>;

const spec = FieldPath.to('spec');
const immutable = 'field is immutable';
const selectorType = 'meta/v1 LabelSelector';
const templateType = 'core/v1 PodTemplateSpec';

/** What a job compares besides its selector and its template (ValidateJobSpecUpdate). */
const jobFields = ['completionMode', 'podFailurePolicy', 'backoffLimitPerIndex', 'managedBy', 'successPolicy'] as const;

/** Judges an update, without what `validateWorkload` says of the new version. */
export function validateWorkloadUpdate(next: KubeObject, old: KubeObject): FieldError[] {
  switch (next.kind) {
    case 'Deployment':
    case 'ReplicaSet':
    case 'DaemonSet':
      return selectorErrors(next, old);
    case 'StatefulSet':
      return statefulSetErrors((next as StatefulSet).spec, (old as StatefulSet).spec);
    case 'Job':
      return jobErrors((next as Job).spec, (old as Job).spec);
    default:
      return [];
  }
}

interface WithSelector extends KubeObject {
  readonly spec?: { readonly selector: LabelSelector };
}

/** Sources: ValidateUpdate in pkg/registry/apps/{deployment,replicaset,daemonset}/strategy.go */
function selectorErrors({ spec: next }: WithSelector, { spec: old }: WithSelector): FieldError[] {
  if (next === undefined || old === undefined || semanticallyEqual(next.selector, old.selector, selectorType)) {
    return [];
  }
  return [invalid(spec.child('selector'), next.selector, immutable)];
}

/** Source: ValidateStatefulSetUpdate in pkg/apis/apps/validation/validation.go, which names no field. */
function statefulSetErrors(next: StatefulSetSpec | undefined, old: StatefulSetSpec | undefined): FieldError[] {
  if (next === undefined || old === undefined) return [];
  const { serviceName, podManagementPolicy, volumeClaimTemplates } = old;
  const kept = { serviceName, podManagementPolicy, volumeClaimTemplates };
  const [after, before] = [fixedParts({ ...kept, ...next } as StatefulSetSpec), fixedParts(old)];
  if (semanticallyEqual(after, before, 'apps/v1 StatefulSetSpec')) return [];
  const place = FieldPath.from(['spec', ...firstDifference(after, before, 'apps/v1 StatefulSetSpec')]);
  const detail =
    "updates to statefulset spec for fields other than 'replicas', 'ordinals', 'template', 'updateStrategy', 'revisionHistoryLimit', 'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds' are forbidden";
  return [forbidden(place.printedAs(spec), detail)];
}

/** The parts of a stateful set that stay as they are, with their defaults. */
function fixedParts({ selector, serviceName, podManagementPolicy, volumeClaimTemplates }: StatefulSetSpec): object {
  return {
    selector,
    serviceName: serviceName ?? '',
    podManagementPolicy: podManagementPolicy ?? 'OrderedReady',
    volumeClaimTemplates: (volumeClaimTemplates ?? []).map((claim) => ({
      metadata: {
        name: claim.metadata?.name,
        labels: claim.metadata?.labels,
        annotations: claim.metadata?.annotations,
      },
      spec: { ...claim.spec, volumeMode: claim.spec?.volumeMode ?? 'Filesystem' },
    })),
  };
}

/** Source: ValidateJobSpecUpdate in pkg/apis/batch/validation/validation.go */
function jobErrors(next: JobSpec | undefined, old: JobSpec | undefined): FieldError[] {
  if (next === undefined || old === undefined) return [];
  const errors: FieldError[] = [];
  const isIndexed = (next.completionMode ?? old.completionMode) === 'Indexed';
  // The number of an indexed job may change together with its parallelism.
  if (!isIndexed && next.completions !== undefined && next.completions !== completionsOf(old)) {
    errors.push(invalid(spec.child('completions'), next.completions, immutable));
  }
  if (next.selector !== undefined && !semanticallyEqual(next.selector, old.selector, selectorType)) {
    errors.push(invalid(spec.child('selector'), next.selector, immutable));
  }
  // Where a job is suspended, its scheduling may still be changed.
  if (old.suspend !== true && !semanticallyEqual(defaulted(next.template), defaulted(old.template), templateType)) {
    const at = spec.child('template');
    const path = firstDifference(defaulted(next.template), defaulted(old.template), templateType);
    const place = FieldPath.from([...at.path, ...path]).printedAs(at);
    errors.push(invalid(place, next.template, immutable));
  }
  for (const field of jobFields) {
    const value = next[field];
    const before = field === 'completionMode' ? (old[field] ?? 'NonIndexed') : old[field];
    if (value !== undefined && !semanticallyEqual({ [field]: value }, { [field]: before }, 'batch/v1 JobSpec')) {
      errors.push(invalid(spec.child(field), value, immutable));
    }
  }
  return errors;
}

/** Source: SetDefaults_Job in pkg/apis/batch/v1/defaults.go */
function completionsOf({ completions, parallelism }: JobSpec): number | undefined {
  return completions ?? (parallelism === undefined ? 1 : undefined);
}

function defaulted(template: PodTemplateSpec): object {
  const { labels, annotations } = template.metadata ?? {};
  const { spec: pod } = completeTemplate(template);
  const account = pod?.serviceAccountName ?? 'default';
  return { metadata: { labels, annotations }, spec: { ...pod, serviceAccountName: account, serviceAccount: account } };
}
