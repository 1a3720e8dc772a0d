import type { FieldError } from '../../kubernetes/field-error.ts';
import { compileLabelSelector } from '../../kubernetes/labels.ts';
import type {
  CronJob,
  DaemonSet,
  Deployment,
  KubeObject,
  LabelSelector,
  PodTemplateSpec,
  ReplicaSet,
  ReplicationController,
  StatefulSet,
} from '../../kubernetes/objects.ts';
import { isWorkloadKind } from '../../kubernetes/pod-template.ts';
import { forbidden, invalid, notSupported, required } from '../format/field-errors.ts';
import { FieldPath } from '../format/field-path.ts';
import { goString } from '../format/go-zero.ts';
import { validateNonNegative } from '../format/int-or-percent.ts';
import { validateLabelSelector } from '../format/label-selector.ts';
import { dnsLabelProblems, dnsSubdomainProblems } from '../format/names.ts';
import { type MetaRules, validateObjectMeta } from '../format/object-meta.ts';
import { validateCronJob, validateJob } from './job.ts';
import { validateDaemonSetStrategy, validateDeploymentStrategy, validateStatefulSetStrategy } from './strategy.ts';

/**
 * The API server's validation of the kinds that make pods, without what `validatePodTemplate` says of the pod in them,
 * and without volume claim templates. Defaults count as filled in.
 * Sources for this file: pkg/apis/apps/validation/validation.go, pkg/apis/core/validation/validation.go
 */

const subdomainNames: MetaRules = { namespaced: true, nameProblems: dnsSubdomainProblems, coreFinalizers: true };
const labelNames: MetaRules = { ...subdomainNames, nameProblems: dnsLabelProblems };

const metadata = FieldPath.to('metadata');
const spec = FieldPath.to('spec');
const template = spec.child('template');

/** Source: SetDefaults_Deployment in pkg/apis/apps/v1/defaults.go */
const defaultProgressDeadlineSeconds = 600;

/** Judges a workload that is created. A Pod, or a kind that makes no pods, has nothing to be said of it here. */
export function validateWorkload(workload: KubeObject): FieldError[] {
  const { kind } = workload;
  if (!isWorkloadKind(kind) || kind === 'Pod') return [];
  const meta = validateObjectMeta(workload.metadata, kind === 'StatefulSet' ? labelNames : subdomainNames, metadata);
  switch (kind) {
    case 'Deployment':
      return [...meta, ...validateDeployment(workload)];
    case 'ReplicaSet':
      return [...meta, ...validateReplicaSet(workload)];
    case 'ReplicationController':
      return [...meta, ...validateReplicationController(workload)];
    case 'StatefulSet':
      return [...meta, ...validateStatefulSet(workload)];
    case 'DaemonSet':
      return [...meta, ...validateDaemonSet(workload)];
    case 'Job':
      return [...meta, ...validateJob(workload)];
    case 'CronJob':
      return [...meta, ...validateCronJob(workload as CronJob)];
  }
}

/** ValidateDeploymentSpec. */
function validateDeployment({ spec: written }: Deployment): FieldError[] {
  if (written === undefined) return [];
  const minReadySeconds = written.minReadySeconds ?? 0;
  const deadline = written.progressDeadlineSeconds ?? defaultProgressDeadlineSeconds;
  const deadlineAt = spec.child('progressDeadlineSeconds');
  return [
    ...validateNonNegative(written.replicas, spec.child('replicas')),
    ...validateSelector(written.selector, 'deployment', 'invalid label selector'),
    // The kind in the text about deadlines is that of the replica set below.
    ...validateTemplate(written.selector, written.template, 'ReplicaSet'),
    ...validateDeploymentStrategy(written.strategy, spec.child('strategy')),
    ...validateNonNegative(minReadySeconds, spec.child('minReadySeconds')),
    ...validateNonNegative(written.revisionHistoryLimit, spec.child('revisionHistoryLimit')),
    ...validateNonNegative(written.progressDeadlineSeconds, deadlineAt),
    ...(deadline <= minReadySeconds
      ? [
          invalid(
            written.progressDeadlineSeconds === undefined
              ? spec.child('minReadySeconds').printedAs(deadlineAt)
              : deadlineAt,
            deadline,
            'must be greater than minReadySeconds',
          ),
        ]
      : []),
  ];
}

/** ValidateReplicaSetSpec; its text about an empty selector names deployments, too. */
function validateReplicaSet({ spec: written }: ReplicaSet): FieldError[] {
  if (written === undefined) return [];
  return [
    ...validateNonNegative(written.replicas, spec.child('replicas')),
    ...validateNonNegative(written.minReadySeconds, spec.child('minReadySeconds')),
    ...validateSelector(written.selector, 'deployment', 'invalid label selector'),
    ...validateTemplate(written.selector, written.template, 'ReplicaSet'),
  ];
}

/** ValidateReplicationControllerSpec. An absent selector is filled in from the labels of the template. */
function validateReplicationController({ spec: written }: ReplicationController): FieldError[] {
  if (written === undefined) return [];
  const labels = written.template?.metadata?.labels ?? {};
  const isWritten = Object.keys(written.selector ?? {}).length > 0;
  const selector = { matchLabels: isWritten ? written.selector! : labels };
  return [
    ...(Object.keys(selector.matchLabels).length === 0 ? [required(spec.child('selector'))] : []),
    ...validateNonNegative(written.replicas, spec.child('replicas')),
    ...validateNonNegative(written.minReadySeconds, spec.child('minReadySeconds')),
    ...validateTemplate(selector, written.template, 'ReplicationController'),
  ];
}

/** ValidateStatefulSetSpec. */
function validateStatefulSet({ spec: written }: StatefulSet): FieldError[] {
  if (written === undefined) return [];
  const policies = ['OrderedReady', 'Parallel'];
  const policy = goString(written.podManagementPolicy);
  const retention = spec.child('persistentVolumeClaimRetentionPolicy');
  return [
    ...(policy !== '' && !policies.includes(policy)
      ? [invalid(spec.child('podManagementPolicy'), policy, "must be 'OrderedReady' or 'Parallel'")]
      : []),
    ...validateStatefulSetStrategy(written.updateStrategy, spec.child('updateStrategy')),
    ...(['whenDeleted', 'whenScaled'] as const).flatMap((field) => {
      const value = goString(written.persistentVolumeClaimRetentionPolicy?.[field]);
      return value === '' || value === 'Retain' || value === 'Delete'
        ? []
        : [notSupported(retention.child(field), value, ['Retain', 'Delete'])];
    }),
    ...validateNonNegative(written.replicas, spec.child('replicas')),
    ...validateNonNegative(written.minReadySeconds, spec.child('minReadySeconds')),
    ...validateNonNegative(written.ordinals?.start, spec.child('ordinals', 'start')),
    ...validateSelector(written.selector, 'statefulset', ''),
    ...validateTemplate(written.selector, written.template, 'StatefulSet'),
  ];
}

/** ValidateDaemonSetSpec. A selector that cannot be read is told in its parts only. */
function validateDaemonSet({ spec: written }: DaemonSet): FieldError[] {
  if (written === undefined) return [];
  return [
    ...validateSelector(written.selector, 'daemonset', undefined),
    ...validateTemplate(written.selector, written.template, 'DaemonSet'),
    ...validateNonNegative(written.minReadySeconds, spec.child('minReadySeconds')),
    ...validateDaemonSetStrategy(written.updateStrategy, spec.child('updateStrategy')),
    ...validateNonNegative(written.revisionHistoryLimit, spec.child('revisionHistoryLimit')),
  ];
}

/** @param unreadable what is said of a selector as a whole that cannot be read; undefined for nothing */
function validateSelector(
  selector: LabelSelector | undefined,
  kind: string,
  unreadable: string | undefined,
): FieldError[] {
  const at = spec.child('selector');
  if (selector === undefined) return [required(at)];
  const errors = validateLabelSelector(selector, at);
  const { isEmpty, invalid: problem } = compileLabelSelector(selector);
  if (isEmpty) errors.push(invalid(at, selector, `empty selector is invalid for ${kind}`));
  if (problem !== undefined && unreadable !== undefined) errors.push(invalid(at, selector, unreadable));
  return errors;
}

/**
 * What a controller that keeps its pods running wants of its template.
 * Sources: ValidatePodTemplateSpecForReplicaSet, …ForStatefulSet, …ForRC.
 */
function validateTemplate(
  selector: LabelSelector | undefined,
  written: PodTemplateSpec | undefined,
  kind: string,
): FieldError[] {
  if (written === undefined) return [required(template)];
  const errors: FieldError[] = [];
  const { invalid: problem, matches } = compileLabelSelector(selector);
  const labels = written.metadata?.labels;
  if (problem === undefined && !matches(labels)) {
    const detail = '`selector` does not match template `labels`';
    errors.push(invalid(template.child('metadata', 'labels'), labels ?? null, detail));
  }
  const { restartPolicy, activeDeadlineSeconds } = written.spec ?? {};
  if (goString(restartPolicy) !== '' && restartPolicy !== 'Always') {
    errors.push(notSupported(template.child('spec', 'restartPolicy'), restartPolicy, ['Always']));
  }
  if (activeDeadlineSeconds !== undefined) {
    const detail = `activeDeadlineSeconds in ${kind} is not Supported`;
    errors.push(forbidden(template.child('spec', 'activeDeadlineSeconds'), detail));
  }
  return errors;
}
