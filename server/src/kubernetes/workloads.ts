import { omit } from '../util/omit.ts';
import { namespaceOf, workloadKey } from './names.ts';
import { openIndexes } from './job-indexes.ts';
import { defaultPod, mergeMatchLabelKeys } from './defaults/index.ts';
import type {
  CronJob,
  DaemonSet,
  Deployment,
  Job,
  KubeObject,
  Node,
  ObjectMeta,
  OwnerReference,
  PersistentVolumeClaim,
  Pod,
  PodSpec,
  ReplicaSet,
  StatefulSet,
  Toleration,
} from './objects.ts';
import { isLabelValue } from './label-syntax.ts';
import {
  hashOf,
  podTemplateOf,
  replicasOf,
  templateHash,
  type WorkloadKind,
  type WorkloadTemplate,
} from './pod-template.ts';
import { compileRequiredNodeAffinity, selectableNode } from './node-selector.ts';
import { firstUntolerated, NO_SCHEDULE_EFFECTS } from './taints.ts';

/** What a workload becomes when its controller has done its work. */
export interface ExpandedWorkload {
  /** Pods with API defaults, in the order in which the controller makes them. */
  readonly pods: readonly Pod[];
  /** The ReplicaSet of a Deployment, the Job of a CronJob: what stands between the workload and its pods. */
  readonly intermediates: readonly (ReplicaSet | Job)[];
  /** Claims that a StatefulSet makes from its templates. */
  readonly claims: readonly PersistentVolumeClaim[];
  /** Pods that the workload wants beyond `podLimit`; they are not made. */
  readonly leftOut: number;
}

export interface ExpansionContext {
  /** A DaemonSet makes one pod for each node that it should run on. */
  readonly nodes: readonly Node[];
  /** How many pods are made at the most, so that `replicas: 2000000000` is a figure and not an out-of-memory. */
  readonly podLimit?: number;
  /** Minutes since 1970 of the run of a CronJob, of which one stands for all; 0 when absent. */
  readonly scheduledMinute?: number;
}

/** The nodes that a cluster is tested up to; more pods of one workload are told in numbers only. */
const defaultPodLimit = 5000;

/**
 * Makes the pods of a workload as its controller would, for a cluster in which none of them runs yet. Names end in
 * ordinals where the controller would draw random letters, so that the same workload always gives the same pods.
 * Object and pods that come out have API defaults and merged `matchLabelKeys`; an unknown kind gives nothing.
 */
export function expandWorkload(workload: KubeObject, context: ExpansionContext): ExpandedWorkload {
  const template = podTemplateOf(workload);
  if (template === undefined) return nothing;
  const limit = context.podLimit ?? defaultPodLimit;
  const wanted = replicasOf(workload);
  const count = Math.min(wanted, limit);
  const leftOut = wanted - count;
  switch (workload.kind as WorkloadKind) {
    case 'Pod':
      return { ...nothing, pods: [admitted(workload)] };
    case 'Deployment':
      return { ...expandDeployment(workload, template, count), leftOut };
    case 'ReplicaSet':
    case 'ReplicationController':
      return { ...nothing, pods: replicaPods(workload, template, count), leftOut };
    case 'StatefulSet':
      return { ...expandStatefulSet(workload, template, count), leftOut };
    case 'DaemonSet':
      return { ...nothing, pods: daemonPods(workload, template, context.nodes) };
    case 'Job':
      return { ...nothing, pods: jobPods(workload, template, count), leftOut };
    case 'CronJob':
      return { ...expandCronJob(workload as CronJob, template, count, context.scheduledMinute ?? 0), leftOut };
  }
}

const nothing: ExpandedWorkload = { pods: [], intermediates: [], claims: [], leftOut: 0 };

function admitted(pod: Pod): Pod {
  const metadata = pod.metadata ?? {};
  const namespace = namespaceOf(pod);
  const name = metadata.name ?? `${metadata.generateName ?? 'pod-'}0`;
  return mergeMatchLabelKeys(
    defaultPod({
      ...pod,
      metadata: { ...metadata, name, namespace, uid: metadata.uid ?? workloadKey('Pod', namespace, name) },
    }),
  );
}

function ownerReference(owner: KubeObject): OwnerReference {
  const name = owner.metadata?.name ?? '';
  return {
    apiVersion: owner.apiVersion ?? '',
    kind: owner.kind ?? '',
    name,
    uid: owner.metadata?.uid ?? workloadKey(owner.kind ?? '', namespaceOf(owner), name),
    controller: true,
    blockOwnerDeletion: true,
  };
}

interface PodDraft {
  readonly name: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly spec?: PodSpec;
}

function controlledPod(owner: KubeObject, template: WorkloadTemplate, draft: PodDraft): Pod {
  const namespace = namespaceOf(owner);
  const { labels, annotations, finalizers } = template.metadata;
  const metadata: ObjectMeta = {
    name: draft.name,
    namespace,
    uid: workloadKey('Pod', namespace, draft.name),
    labels: { ...labels, ...draft.labels },
    annotations: { ...annotations, ...draft.annotations },
    ...(finalizers === undefined ? {} : { finalizers }),
    ownerReferences: [ownerReference(owner)],
  };
  return mergeMatchLabelKeys(
    defaultPod({ apiVersion: 'v1', kind: 'Pod', metadata, spec: draft.spec ?? template.spec }),
  );
}

/** The prefix that names of pods are generated from is cut so that the name fits 63. Source: apiserver names/generate.go */
const longestGenerateName = 58;

function generatedName(prefix: string, ordinal: number): string {
  return `${`${prefix}-`.slice(0, longestGenerateName)}${ordinal}`;
}

/** By the spec of their template, the last that were made: what else they rest on, and the pods. */
const replicas = new WeakMap<PodSpec, { readonly restsOn: string; readonly pods: Pod[] }>();

/** A workload that is scaled has the same pods, and some more or less: each is made once. */
function replicaPods(owner: KubeObject, template: WorkloadTemplate, count: number): readonly Pod[] {
  const { labels, annotations, finalizers } = template.metadata;
  const restsOn = JSON.stringify([namespaceOf(owner), ownerReference(owner), labels, annotations, finalizers]);
  let known = replicas.get(template.spec);
  if (known?.restsOn !== restsOn) replicas.set(template.spec, (known = { restsOn, pods: [] }));
  const { pods } = known;
  for (let ordinal = pods.length; ordinal < count; ordinal++) {
    pods.push(controlledPod(owner, template, { name: generatedName(owner.metadata?.name ?? '', ordinal) }));
  }
  return pods.slice(0, count);
}

/** Source: pkg/controller/deployment/sync.go getNewReplicaSet */
function expandDeployment(deployment: Deployment, template: WorkloadTemplate, count: number): ExpandedWorkload {
  const hash = templateHash(template);
  const labels = { ...template.metadata.labels, 'pod-template-hash': hash };
  const name = `${deployment.metadata?.name ?? ''}-${hash}`;
  const selector = deployment.spec?.selector;
  const replicaSet: ReplicaSet = {
    apiVersion: 'apps/v1',
    kind: 'ReplicaSet',
    metadata: {
      name,
      namespace: namespaceOf(deployment),
      uid: workloadKey('ReplicaSet', namespaceOf(deployment), name),
      labels,
      ownerReferences: [ownerReference(deployment)],
    },
    spec: {
      replicas: replicasOf(deployment),
      selector: { ...selector, matchLabels: { ...selector?.matchLabels, 'pod-template-hash': hash } },
      template: { metadata: { ...template.metadata, labels }, spec: template.spec },
    },
  };
  const pods = replicaPods(replicaSet, { ...template, metadata: { ...template.metadata, labels } }, count);
  return { ...nothing, pods, intermediates: [replicaSet] };
}

/** Source: pkg/controller/statefulset/stateful_set_utils.go newStatefulSetPod, updateStorage */
function expandStatefulSet(set: StatefulSet, template: WorkloadTemplate, count: number): ExpandedWorkload {
  const setName = set.metadata?.name ?? '';
  const namespace = namespaceOf(set);
  const start = set.spec?.ordinals?.start ?? 0;
  const claimTemplates = set.spec?.volumeClaimTemplates ?? [];
  const pods: Pod[] = [];
  const claims: PersistentVolumeClaim[] = [];
  for (const index of range(count)) {
    const ordinal = start + index;
    const name = `${setName}-${ordinal}`;
    // Templates that the API server has stored have a status, which is none of the claims that are made of them.
    const claimed = claimTemplates.map((claim) => ({
      name: claim.metadata?.name ?? '',
      claim: {
        ...omit(claim, 'status'),
        apiVersion: 'v1',
        kind: 'PersistentVolumeClaim',
        metadata: {
          ...claim.metadata,
          name: `${claim.metadata?.name ?? ''}-${name}`,
          namespace,
          labels: { ...claim.metadata?.labels, ...set.spec?.selector?.matchLabels },
        },
      } satisfies PersistentVolumeClaim,
    }));
    claims.push(...claimed.map(({ claim }) => claim));
    const fromTemplates = new Set(claimed.map((each) => each.name));
    const volumes = [
      ...claimed.map((each) => ({
        name: each.name,
        persistentVolumeClaim: { claimName: each.claim.metadata.name, readOnly: false },
      })),
      ...(template.spec.volumes ?? []).filter((volume) => !fromTemplates.has(volume.name)),
    ];
    const serviceName = set.spec?.serviceName;
    pods.push(
      controlledPod(set, template, {
        name,
        labels: {
          'statefulset.kubernetes.io/pod-name': name,
          'apps.kubernetes.io/pod-index': String(ordinal),
          'controller-revision-hash': `${setName}-${templateHash(template)}`,
        },
        spec: {
          ...template.spec,
          hostname: name,
          ...(serviceName === undefined || serviceName === '' ? {} : { subdomain: serviceName }),
          ...(volumes.length === 0 ? {} : { volumes }),
        },
      }),
    );
  }
  return { ...nothing, pods, claims };
}

/** Source: pkg/controller/daemon/util/daemonset_util.go AddOrUpdateDaemonPodTolerations */
const daemonTolerations: readonly Toleration[] = [
  { key: 'node.kubernetes.io/not-ready', operator: 'Exists', effect: 'NoExecute' },
  { key: 'node.kubernetes.io/unreachable', operator: 'Exists', effect: 'NoExecute' },
  { key: 'node.kubernetes.io/disk-pressure', operator: 'Exists', effect: 'NoSchedule' },
  { key: 'node.kubernetes.io/memory-pressure', operator: 'Exists', effect: 'NoSchedule' },
  { key: 'node.kubernetes.io/pid-pressure', operator: 'Exists', effect: 'NoSchedule' },
  { key: 'node.kubernetes.io/unschedulable', operator: 'Exists', effect: 'NoSchedule' },
];
const hostNetworkToleration: Toleration = {
  key: 'node.kubernetes.io/network-unavailable',
  operator: 'Exists',
  effect: 'NoSchedule',
};

/** With the tolerations that the controller adds. */
export function daemonSpec({ spec }: Pick<WorkloadTemplate, 'spec'>): PodSpec {
  const added = spec.hostNetwork === true ? [...daemonTolerations, hostNetworkToleration] : daemonTolerations;
  const written = spec.tolerations ?? [];
  const missing = added.filter((one) => !written.some((other) => sameToleration(one, other)));
  return { ...spec, tolerations: [...written, ...missing] };
}

function daemonPods(set: DaemonSet, template: WorkloadTemplate, nodes: readonly Node[]): readonly Pod[] {
  const spec = daemonSpec(template);
  return nodes
    .filter((node) => shouldRunDaemonPod(spec, node))
    .map((node) => {
      const nodeName = node.metadata?.name ?? '';
      return controlledPod(set, template, {
        name: `${`${set.metadata?.name ?? ''}-`.slice(0, longestGenerateName)}${nodeName}`,
        labels: { 'controller-revision-hash': templateHash(template), 'pod-template-generation': '1' },
        spec: { ...spec, affinity: pinnedTo(nodeName, spec.affinity) },
      });
    });
}

function sameToleration(one: Toleration, other: Toleration): boolean {
  return (
    one.key === other.key &&
    one.effect === other.effect &&
    one.operator === other.operator &&
    (one.value ?? '') === (other.value ?? '')
  );
}

/** Source: pkg/controller/daemon/daemon_controller.go NodeShouldRunDaemonPod, predicates */
function shouldRunDaemonPod(spec: PodSpec, node: Node): boolean {
  const named = spec.nodeName ?? '';
  if (named !== '' && named !== node.metadata?.name) return false;
  if (!compileRequiredNodeAffinity(spec).matches(selectableNode(node))) return false;
  return firstUntolerated(node.spec?.taints, spec.tolerations, NO_SCHEDULE_EFFECTS) === undefined;
}

/** Replaces what the template requires of nodes. Source: ReplaceDaemonSetPodNodeNameNodeAffinity in daemonset_util.go */
function pinnedTo(nodeName: string, affinity: PodSpec['affinity']): NonNullable<PodSpec['affinity']> {
  return {
    ...affinity,
    nodeAffinity: {
      ...affinity?.nodeAffinity,
      requiredDuringSchedulingIgnoredDuringExecution: {
        nodeSelectorTerms: [{ matchFields: [{ key: 'metadata.name', operator: 'In', values: [nodeName] }] }],
      },
    },
  };
}

/** Source: pkg/controller/job/job_controller.go manageJob, pkg/apis/batch/types.go (labels) */
function jobPods(job: Job, template: WorkloadTemplate, count: number): readonly Pod[] {
  const jobName = job.metadata?.name ?? '';
  const { uid } = ownerReference(job);
  // What stands for a uid that is not known yet is none, and no label either.
  const label = isLabelValue(uid) ? uid : hashOf(uid);
  const indexed = job.spec?.completionMode === 'Indexed';
  const indexes = indexed ? openIndexes(job, count) : range(count);
  return indexes.map((index) =>
    controlledPod(job, template, {
      name: generatedName(jobName, index),
      labels: {
        'batch.kubernetes.io/job-name': jobName,
        'job-name': jobName,
        'batch.kubernetes.io/controller-uid': label,
        'controller-uid': label,
        ...(indexed ? { 'batch.kubernetes.io/job-completion-index': String(index) } : {}),
      },
      ...(indexed
        ? {
            annotations: { 'batch.kubernetes.io/job-completion-index': String(index) },
            spec: { ...template.spec, hostname: `${jobName}-${index}` },
          }
        : {}),
    }),
  );
}

/** One run of the schedule. Source: pkg/controller/cronjob/utils.go (getJobName) */
function expandCronJob(
  cronJob: CronJob,
  template: WorkloadTemplate,
  count: number,
  scheduledMinute: number,
): ExpandedWorkload {
  const written = cronJob.spec.jobTemplate;
  if (cronJob.spec.suspend === true) return nothing;
  const name = `${cronJob.metadata?.name ?? ''}-${scheduledMinute}`;
  const job: Job = {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: {
      ...written.metadata,
      name,
      namespace: namespaceOf(cronJob),
      uid: workloadKey('Job', namespaceOf(cronJob), name),
      ownerReferences: [ownerReference(cronJob)],
    },
    ...(written.spec === undefined ? {} : { spec: written.spec }),
  };
  return { ...nothing, pods: jobPods(job, template, count), intermediates: [job] };
}

function range(count: number): readonly number[] {
  return Array.from({ length: count }, (_, index) => index);
}
