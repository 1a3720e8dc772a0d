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
import type { Release } from '../../kubernetes/release.ts';
import { latestRelease } from '../../kubernetes/releases/index.ts';
import {
  type Batches,
  forbidden,
  inBatches,
  invalid,
  invalidFormat,
  notSupported,
  required,
} from '../format/field-errors.ts';
import { FieldPath } from '../format/field-path.ts';
import { goList, goString } from '../format/go-zero.ts';
import { validateNonNegative } from '../format/int-or-percent.ts';
import { judgeLabelSelector } from '../format/label-selector.ts';
import { dnsLabelProblems, dnsSubdomainProblems } from '../format/names.ts';
import { judgeObjectMeta, type MetaRules } from '../format/object-meta.ts';
import { validateClaimSpec } from '../volumes/claim-template.ts';
import { judgeCronJob, judgeJob, type JudgeTemplate } from './job.ts';
import { validateDaemonSetStrategy, validateDeploymentStrategy, validateStatefulSetStrategy } from './strategy.ts';

/**
 * The API server's validation of the kinds that make pods, without what `validatePodTemplate` says of the pod in them.
 * Defaults count as filled in.
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

const elsewhere: JudgeTemplate = () => inBatches([], () => []);

/**
 * Judges a workload that is created. A Pod, or a kind that makes no pods, has nothing to be said of it here. Of its
 * template only what concerns the workload, unless `judge` says the rest. `generated`: a Job has the selector and the labels that the server writes.
 */
export function* judgeWorkload(
  workload: KubeObject,
  judge: JudgeTemplate = elsewhere,
  generated = false,
  release: Release = latestRelease,
): Batches {
  const { kind } = workload;
  if (!isWorkloadKind(kind) || kind === 'Pod') return;
  yield* judgeObjectMeta(workload.metadata, workloadMetaRules(kind), metadata);
  switch (kind) {
    case 'Deployment':
      return yield* judgeDeployment(workload, judge);
    case 'ReplicaSet':
      return yield* judgeReplicaSet(workload, judge);
    case 'ReplicationController':
      return yield* judgeReplicationController(workload, judge);
    case 'StatefulSet':
      return yield* judgeStatefulSet(workload, judge, release);
    case 'DaemonSet':
      return yield* judgeDaemonSet(workload, judge);
    case 'Job':
      return yield* judgeJob(workload, judge, generated);
    case 'CronJob':
      return yield* judgeCronJob(workload as CronJob, judge);
  }
}

/** ValidateDeploymentSpec. */
function* judgeDeployment({ spec: written }: Deployment, judge: JudgeTemplate): Batches {
  if (written === undefined) return;
  const minReadySeconds = written.minReadySeconds ?? 0;
  const deadline = written.progressDeadlineSeconds ?? defaultProgressDeadlineSeconds;
  const deadlineAt = spec.child('progressDeadlineSeconds');
  yield validateNonNegative(written.replicas, spec.child('replicas'));
  yield* judgeSelector(written.selector, 'deployment', 'invalid label selector');
  // The kind in the text about deadlines is that of the replica set below.
  yield* judgeTemplate(written.selector, written.template, 'ReplicaSet', judge);
  yield validateDeploymentStrategy(written.strategy, spec.child('strategy'));
  yield validateNonNegative(minReadySeconds, spec.child('minReadySeconds'));
  yield validateNonNegative(written.revisionHistoryLimit, spec.child('revisionHistoryLimit'));
  yield validateNonNegative(written.progressDeadlineSeconds, deadlineAt);
  if (deadline <= minReadySeconds) {
    const isDefault = written.progressDeadlineSeconds === undefined;
    const place = isDefault ? spec.child('minReadySeconds').printedAs(deadlineAt) : deadlineAt;
    yield [invalid(place, deadline, 'must be greater than minReadySeconds')];
  }
}

/** ValidateReplicaSetSpec; its text about an empty selector names deployments, too. */
function* judgeReplicaSet({ spec: written }: ReplicaSet, judge: JudgeTemplate): Batches {
  if (written === undefined) return;
  yield validateNonNegative(written.replicas, spec.child('replicas'));
  yield validateNonNegative(written.minReadySeconds, spec.child('minReadySeconds'));
  yield* judgeSelector(written.selector, 'deployment', 'invalid label selector');
  yield* judgeTemplate(written.selector, written.template, 'ReplicaSet', judge);
}

/** ValidateReplicationControllerSpec. An absent selector is filled in from the labels of the template. */
function* judgeReplicationController({ spec: written }: ReplicationController, judge: JudgeTemplate): Batches {
  if (written === undefined) return;
  const labels = written.template?.metadata?.labels ?? {};
  const isWritten = Object.keys(written.selector ?? {}).length > 0;
  const selector = { matchLabels: isWritten ? written.selector! : labels };
  yield validateNonNegative(written.minReadySeconds, spec.child('minReadySeconds'));
  if (Object.keys(selector.matchLabels).length === 0) yield [required(spec.child('selector'))];
  yield validateNonNegative(written.replicas, spec.child('replicas'));
  yield* judgeTemplate(selector, written.template, 'ReplicationController', judge);
}

/** ValidateStatefulSetSpec. */
function* judgeStatefulSet({ spec: written }: StatefulSet, judge: JudgeTemplate, release: Release): Batches {
  if (written === undefined) return;
  const policies = ['OrderedReady', 'Parallel'];
  const policy = goString(written.podManagementPolicy);
  const retention = spec.child('persistentVolumeClaimRetentionPolicy');
  if (policy !== '' && !policies.includes(policy)) {
    yield [invalid(spec.child('podManagementPolicy'), policy, "must be 'OrderedReady' or 'Parallel'")];
  }
  yield validateStatefulSetStrategy(written.updateStrategy, release, spec.child('updateStrategy'));
  for (const field of ['whenDeleted', 'whenScaled'] as const) {
    const value = goString(written.persistentVolumeClaimRetentionPolicy?.[field]);
    if (value === '' || value === 'Retain' || value === 'Delete') continue;
    yield [notSupported(retention.child(field), value, ['Retain', 'Delete'])];
  }
  const claims = goList(written.volumeClaimTemplates);
  yield* inBatches(claims, (claim, index) =>
    validateClaimSpec(claim.spec ?? {}, spec.child('volumeClaimTemplates').index(index).child('spec')),
  );
  yield validateNonNegative(written.replicas, spec.child('replicas'));
  yield validateNonNegative(written.minReadySeconds, spec.child('minReadySeconds'));
  yield validateNonNegative(written.ordinals?.start, spec.child('ordinals', 'start'));
  const service = goString(written.serviceName);
  if (service !== '') yield invalidFormat(spec.child('serviceName'), service, dnsLabelProblems(service));
  yield* judgeSelector(written.selector, 'statefulset', '');
  // The controller gives each pod a name of its own, and a host after it.
  yield* judgeTemplate(
    written.selector,
    withoutHost(written.template),
    'StatefulSet',
    judge,
    claims.map((claim) => goString(claim.metadata?.name)),
  );
}

function withoutHost(whole: PodTemplateSpec | undefined): PodTemplateSpec | undefined {
  if (whole?.spec === undefined) return whole;
  const { hostname: _, subdomain: __, ...spec } = whole.spec;
  return { ...whole, spec };
}

/** ValidateDaemonSetSpec. A selector that cannot be read is told in its parts only. */
function* judgeDaemonSet({ spec: written }: DaemonSet, judge: JudgeTemplate): Batches {
  if (written === undefined) return;
  yield* judgeSelector(written.selector, 'daemonset', undefined);
  yield* judgeTemplate(written.selector, written.template, 'DaemonSet', judge);
  yield validateNonNegative(written.minReadySeconds, spec.child('minReadySeconds'));
  yield validateDaemonSetStrategy(written.updateStrategy, spec.child('updateStrategy'));
  yield validateNonNegative(written.revisionHistoryLimit, spec.child('revisionHistoryLimit'));
}

/** @param unreadable what is said of a selector as a whole that cannot be read; undefined for nothing */
function* judgeSelector(selector: LabelSelector | undefined, kind: string, unreadable: string | undefined): Batches {
  const at = spec.child('selector');
  if (selector === undefined) {
    if (kind !== 'daemonset') yield [required(at)];
    return;
  }
  yield* judgeLabelSelector(selector, at);
  const { isEmpty, invalid: problem } = compileLabelSelector(selector);
  if (isEmpty) yield [invalid(at, selector, `empty selector is invalid for ${kind}`)];
  if (problem !== undefined && unreadable !== undefined) yield [invalid(at, selector, unreadable)];
}

/**
 * What a controller that keeps its pods running wants of its template.
 * Sources: ValidatePodTemplateSpecForReplicaSet, …ForStatefulSet, …ForRC.
 */
function* judgeTemplate(
  selector: LabelSelector | undefined,
  written: PodTemplateSpec | undefined,
  kind: string,
  judge: JudgeTemplate,
  claims: readonly string[] = [],
): Batches {
  if (written === undefined) {
    yield [required(template)];
    return;
  }
  const { invalid: problem, matches } = compileLabelSelector(selector);
  const isDaemon = kind === 'DaemonSet';
  const labels = written.metadata?.labels;
  if (problem === undefined && !matches(labels)) {
    yield [invalid(template.child('metadata', 'labels'), labels ?? null, selectorMismatch)];
  }
  // What a selector that nobody can read should select is not looked at.
  if (problem === undefined || isDaemon) {
    yield* judge(written, template.path, claims);
    // Upstream judges what stands in the metadata of a StatefulSet's template once more.
    if (kind === 'StatefulSet') {
      for (const errors of judge(written, template.path, claims)) {
        yield errors.filter(({ at: { text: field } }) => /^spec\.template\.(?:labels|annotations)/.test(field));
      }
    }
  } else if (kind !== 'StatefulSet') {
    return;
  }
  const { restartPolicy, activeDeadlineSeconds } = written.spec ?? {};
  if (goString(restartPolicy) !== '' && restartPolicy !== 'Always') {
    yield [notSupported(template.child('spec', 'restartPolicy'), restartPolicy, ['Always'])];
  }
  if (activeDeadlineSeconds !== undefined) {
    const detail = `activeDeadlineSeconds in ${kind} is not Supported`;
    yield [forbidden(template.child('spec', 'activeDeadlineSeconds'), detail)];
  }
}
