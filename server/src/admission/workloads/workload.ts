import { append } from '../../kit/append.ts';
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
import { isWorkloadKind, type WorkloadKind } from '../../kubernetes/pod-template.ts';
import { forbidden, invalid, notSupported, required } from '../format/field-errors.ts';
import { FieldPath } from '../format/field-path.ts';
import { goList, goString } from '../format/go-zero.ts';
import { validateNonNegative } from '../format/int-or-percent.ts';
import { validateLabelSelector } from '../format/label-selector.ts';
import { dnsLabelProblems, dnsSubdomainProblems } from '../format/names.ts';
import { type MetaRules, validateObjectMeta } from '../format/object-meta.ts';
import { type JudgeTemplate, validateCronJob, validateJob } from './job.ts';
import { validateDaemonSetStrategy, validateDeploymentStrategy, validateStatefulSetStrategy } from './strategy.ts';

/**
 * The API server's validation of the kinds that make pods, without what `validatePodTemplate` says of the pod in them,
 * and without volume claim templates. Defaults count as filled in.
 * Sources for this file: pkg/apis/apps/validation/validation.go, pkg/apis/core/validation/validation.go
 */

const subdomainNames: MetaRules = { namespaced: true, nameProblems: dnsSubdomainProblems, coreFinalizers: true };
const labelNames: MetaRules = { ...subdomainNames, nameProblems: dnsLabelProblems };

/** What names and finalizers a workload may have. */
function workloadMetaRules(kind: WorkloadKind): MetaRules {
  return kind === 'StatefulSet' ? labelNames : subdomainNames;
}

const metadata = FieldPath.to('metadata');
const spec = FieldPath.to('spec');
const template = spec.child('template');

/** Source: SetDefaults_Deployment in pkg/apis/apps/v1/defaults.go */
const defaultProgressDeadlineSeconds = 600;

export const selectorMismatch = '`selector` does not match template `labels`';

const judgedElsewhere: JudgeTemplate = () => [];

/**
 * Judges a workload that is created. A Pod, or a kind that makes no pods, has nothing to be said of it here. Of its
 * template only what concerns the workload, unless `judge` says the rest. `generated`: a Job has the selector and the labels that the server writes.
 */
export function validateWorkload(
  workload: KubeObject,
  judge: JudgeTemplate = judgedElsewhere,
  generated = false,
): FieldError[] {
  const { kind } = workload;
  if (!isWorkloadKind(kind) || kind === 'Pod') return [];
  const meta = validateObjectMeta(workload.metadata, workloadMetaRules(kind), metadata);
  switch (kind) {
    case 'Deployment':
      return [...meta, ...validateDeployment(workload, judge)];
    case 'ReplicaSet':
      return [...meta, ...validateReplicaSet(workload, judge)];
    case 'ReplicationController':
      return [...meta, ...validateReplicationController(workload, judge)];
    case 'StatefulSet':
      return [...meta, ...validateStatefulSet(workload, judge)];
    case 'DaemonSet':
      return [...meta, ...validateDaemonSet(workload, judge)];
    case 'Job':
      return [...meta, ...validateJob(workload, judge, generated)];
    case 'CronJob':
      return [...meta, ...validateCronJob(workload as CronJob, judge)];
  }
}

/** ValidateDeploymentSpec. */
function validateDeployment({ spec: written }: Deployment, judge: JudgeTemplate): FieldError[] {
  if (written === undefined) return [];
  const minReadySeconds = written.minReadySeconds ?? 0;
  const deadline = written.progressDeadlineSeconds ?? defaultProgressDeadlineSeconds;
  const deadlineAt = spec.child('progressDeadlineSeconds');
  return [
    ...validateNonNegative(written.replicas, spec.child('replicas')),
    ...validateSelector(written.selector, 'deployment', 'invalid label selector'),
    // The kind in the text about deadlines is that of the replica set below.
    ...validateTemplate(written.selector, written.template, 'ReplicaSet', judge),
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
function validateReplicaSet({ spec: written }: ReplicaSet, judge: JudgeTemplate): FieldError[] {
  if (written === undefined) return [];
  return [
    ...validateNonNegative(written.replicas, spec.child('replicas')),
    ...validateNonNegative(written.minReadySeconds, spec.child('minReadySeconds')),
    ...validateSelector(written.selector, 'deployment', 'invalid label selector'),
    ...validateTemplate(written.selector, written.template, 'ReplicaSet', judge),
  ];
}

/** ValidateReplicationControllerSpec. An absent selector is filled in from the labels of the template. */
function validateReplicationController({ spec: written }: ReplicationController, judge: JudgeTemplate): FieldError[] {
  if (written === undefined) return [];
  const labels = written.template?.metadata?.labels ?? {};
  const isWritten = Object.keys(written.selector ?? {}).length > 0;
  const selector = { matchLabels: isWritten ? written.selector! : labels };
  return [
    ...(Object.keys(selector.matchLabels).length === 0 ? [required(spec.child('selector'))] : []),
    ...validateNonNegative(written.replicas, spec.child('replicas')),
    ...validateNonNegative(written.minReadySeconds, spec.child('minReadySeconds')),
    ...validateTemplate(selector, written.template, 'ReplicationController', judge),
  ];
}

/** ValidateStatefulSetSpec. */
function validateStatefulSet({ spec: written }: StatefulSet, judge: JudgeTemplate): FieldError[] {
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
    ...validateTemplate(
      written.selector,
      written.template,
      'StatefulSet',
      judge,
      goList(written.volumeClaimTemplates).map((claim) => goString(claim.metadata?.name)),
    ),
  ];
}

/** ValidateDaemonSetSpec. A selector that cannot be read is told in its parts only. */
function validateDaemonSet({ spec: written }: DaemonSet, judge: JudgeTemplate): FieldError[] {
  if (written === undefined) return [];
  return [
    ...validateSelector(written.selector, 'daemonset', undefined),
    ...validateTemplate(written.selector, written.template, 'DaemonSet', judge),
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
  if (selector === undefined) return kind === 'daemonset' ? [] : [required(at)];
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
  judge: JudgeTemplate,
  claims: readonly string[] = [],
): FieldError[] {
  if (written === undefined) return [required(template)];
  const errors: FieldError[] = [];
  const { invalid: problem, matches } = compileLabelSelector(selector);
  const isDaemon = kind === 'DaemonSet';
  const labels = written.metadata?.labels;
  if (problem === undefined && !matches(labels)) {
    errors.push(invalid(template.child('metadata', 'labels'), labels ?? null, selectorMismatch));
  }
  // What a selector that nobody can read should select is not looked at.
  if (problem !== undefined && !isDaemon) return errors;
  append(errors, judge(written, template.path, claims));
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
