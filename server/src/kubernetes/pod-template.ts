import { own } from '../util/own.ts';
import { isObject } from '../util/values.ts';
import type { Path } from './json.ts';
import type {
  CronJob,
  Deployment,
  Job,
  KubeObject,
  ObjectMeta,
  Pod,
  PodSpec,
  PodTemplateSpec,
  Workload,
} from './objects.ts';

/** The kinds that make pods, and the Pod itself. */
export const workloadKinds = [
  'Pod',
  'Deployment',
  'ReplicaSet',
  'ReplicationController',
  'StatefulSet',
  'DaemonSet',
  'Job',
  'CronJob',
] as const;
export type WorkloadKind = (typeof workloadKinds)[number];

export function isWorkloadKind(kind: string | undefined): kind is WorkloadKind {
  return (workloadKinds as readonly (string | undefined)[]).includes(kind);
}

/** The pod (template) of a workload, and the way to it. */
export interface WorkloadTemplate {
  readonly metadata: ObjectMeta;
  readonly spec: PodSpec;
  /** Way from the top of the workload to what has `metadata` and `spec`: empty for a Pod. */
  readonly path: Path;
}

const templatePath: Path = ['spec', 'template'];
const cronJobTemplatePath: Path = ['spec', 'jobTemplate', 'spec', 'template'];

/** Where kinds that make pods keep the pod; undefined for the others. */
export function podTemplatePath(kind: string | undefined): Path | undefined {
  if (!isWorkloadKind(kind)) return undefined;
  if (kind === 'Pod') return [];
  return kind === 'CronJob' ? cronJobTemplatePath : templatePath;
}

/** The pod (template) of a workload; undefined when its `spec` is not written. */
export function podTemplateOf(workload: KubeObject): WorkloadTemplate | undefined {
  const path = podTemplatePath(workload.kind);
  if (path === undefined) return undefined;
  // Decoding checks the types of what is written, not that everything required is there: hence step by step.
  let value: unknown = workload;
  for (const step of path) {
    if (typeof value !== 'object' || value === null) return undefined;
    value = own(value as Readonly<Record<string, unknown>>, String(step));
  }
  const template = value as Partial<PodTemplateSpec> | null | undefined;
  if (template?.spec === undefined) return undefined;
  return { metadata: template.metadata ?? {}, spec: template.spec, path };
}

/**
 * How many pods a workload wants, besides a DaemonSet, for which the nodes decide (0).
 * Sources: pkg/apis/apps/v1/defaults.go, pkg/apis/core/v1/defaults.go, pkg/controller/job/job_controller.go
 */
export function replicasOf(workload: Workload): number {
  switch (workload.kind as WorkloadKind) {
    case 'Pod':
      return 1;
    case 'Deployment':
    case 'ReplicaSet':
    case 'ReplicationController':
    case 'StatefulSet':
      return Math.max(0, (workload as Deployment).spec?.replicas ?? 1);
    case 'DaemonSet':
      return 0;
    case 'Job':
      return podsOfJob((workload as Job).spec);
    case 'CronJob': {
      const spec = (workload as CronJob).spec;
      return spec.suspend === true ? 0 : podsOfJob(spec.jobTemplate.spec);
    }
  }
}

/** Pods of a Job that run at the same time. Source: pkg/controller/job/job_controller.go manageJob */
function podsOfJob(spec: Job['spec']): number {
  if (spec === undefined || spec.suspend === true) return 0;
  const parallelism = spec.parallelism ?? 1;
  return Math.max(0, spec.completions === undefined ? parallelism : Math.min(parallelism, spec.completions));
}

/** The letters of generated names. Source: apimachinery/pkg/util/rand/rand.go */
const safeLetters = 'bcdfghjklmnpqrstvwxz2456789';

/**
 * A hash in the form of `pod-template-hash`: the same for the same template. It is FNV-1a over the template's JSON;
 * upstream hashes Go's dump of the struct, which cannot be told from YAML.
 */
export function templateHash(template: WorkloadTemplate): string {
  return contentHash({ metadata: template.metadata, spec: template.spec });
}

/** The same for values that are equal but for the order of their fields. */
export function contentHash(value: unknown): string {
  return hashOf(JSON.stringify(sorted(value)));
}

/** Letters and digits that are the same for the same text. */
export function hashOf(text: string): string {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193) >>> 0;
  let letters = '';
  for (const digit of String(hash)) letters += safeLetters[digit.charCodeAt(0) % safeLetters.length] ?? '';
  return letters;
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return (value as readonly unknown[]).map(sorted);
  if (!isObject(value)) return value;
  const entries = Object.entries(value).map(([key, item]: [string, unknown]): [string, unknown] => [key, sorted(item)]);
  return Object.fromEntries(entries.sort(([left], [right]) => (left < right ? -1 : 1)));
}

/** Whether a pod is in the cluster already, and not only written down: its status or its metadata say so. */
export function isStored({ metadata, status }: Pod): boolean {
  return (
    metadata?.uid !== undefined ||
    metadata?.creationTimestamp !== undefined ||
    status?.phase !== undefined ||
    status?.startTime !== undefined
  );
}
