import type {
  DaemonSet,
  Job,
  Node,
  PersistentVolumeClaim,
  Pod,
  PodTemplateSpec,
  ReplicaSet,
  StatefulSet,
} from '../../../kubernetes/objects.ts';
import { omit } from '../../../util/omit.ts';
import { expandWorkload } from '../../../kubernetes/workloads.ts';

/** Pods as controllers make them of a template. Names end in numbers where letters would be drawn by chance. */

export function replicaPod(set: ReplicaSet, name: string): Pod | undefined {
  const one = { ...set, spec: { ...set.spec, replicas: 1 } } as ReplicaSet;
  const [pod] = expandWorkload(one, { nodes: [], podLimit: 1 }).pods;
  return pod === undefined ? undefined : named(pod, name);
}

/** With the claims that are made before it. */
export function statefulPod(
  set: StatefulSet,
  template: PodTemplateSpec,
  ordinal: number,
): { readonly pod: Pod | undefined; readonly claims: readonly PersistentVolumeClaim[] } {
  const spec = { ...set.spec, template, replicas: 1, ordinals: { start: ordinal } };
  const { pods, claims } = expandWorkload({ ...set, spec } as StatefulSet, { nodes: [], podLimit: 1 });
  return { pod: pods[0], claims };
}

/** Undefined where it should not run on the node. */
export function daemonPod(set: DaemonSet, template: PodTemplateSpec, node: Node, name?: string): Pod | undefined {
  const spec = { ...set.spec, template };
  const [pod] = expandWorkload({ ...set, spec } as DaemonSet, { nodes: [node] }).pods;
  return pod === undefined || name === undefined ? pod : named(pod, name);
}

export function jobPod(job: Job, name: string, index: number | undefined): Pod | undefined {
  const spec = { ...job.spec!, suspend: false, parallelism: (index ?? 0) + 1, completions: (index ?? 0) + 1 };
  const pod = expandWorkload({ ...omit(job, 'status'), spec } as Job, { nodes: [] }).pods.at(-1);
  return pod === undefined ? undefined : named(pod, name);
}

function named(pod: Pod, name: string): Pod {
  const namespace = pod.metadata?.namespace ?? 'default';
  return { ...pod, metadata: { ...pod.metadata, name, uid: `Pod/${namespace}/${name}` } };
}
