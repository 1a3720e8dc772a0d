import { own } from '../../util/own.ts';
import type { JsonObject } from '../../kubernetes/json.ts';
import type { KubeObject, Toleration } from '../../kubernetes/objects.ts';
import { omit } from '../../util/omit.ts';

/** What an operation changes of an object of any kind but a node. Each answers a new object, or the one it was given. */

export function specOf(object: KubeObject): JsonObject {
  return (object as { readonly spec?: JsonObject }).spec ?? {};
}

export function nodeNameOf(object: KubeObject): string {
  return (specOf(object)['nodeName'] as string | undefined) ?? '';
}

export function withBound(object: KubeObject, bound: string, value: string | number): KubeObject {
  if (own(specOf(object), bound) === value) return object;
  const isPolicy = bound === 'unhealthyPodEvictionPolicy';
  const spec = isPolicy ? specOf(object) : omit(specOf(object), 'minAvailable', 'maxUnavailable');
  // The disruption controller works its status out anew.
  return { ...withoutStatus(object), spec: { ...spec, [bound]: value } } as KubeObject;
}

export function withHard(object: KubeObject, hard: Readonly<Record<string, string>>): KubeObject {
  const spec = specOf(object);
  return { ...object, spec: { ...spec, hard: { ...(spec['hard'] as JsonObject | undefined), ...hard } } } as KubeObject;
}

export function withoutStatus(object: KubeObject): KubeObject {
  return omit(object as KubeObject & { readonly status?: unknown }, 'status');
}

export function withRequests(spec: JsonObject, requests: Readonly<Record<string, string>>): JsonObject {
  const [first, ...others] = (spec['containers'] ?? []) as unknown as readonly JsonObject[];
  if (first === undefined) return spec;
  const resources = (first['resources'] ?? {}) as JsonObject;
  const container = {
    ...first,
    resources: { ...resources, requests: { ...(resources['requests'] as JsonObject | undefined), ...requests } },
  };
  return { ...spec, containers: [container, ...others] };
}

export function withToleration(spec: JsonObject, toleration: Toleration): JsonObject {
  const before = (spec['tolerations'] ?? []) as unknown as readonly Toleration[];
  if (before.some((each) => JSON.stringify(each) === JSON.stringify(toleration))) return spec;
  return { ...spec, tolerations: [...before, toleration] } as unknown as JsonObject;
}

/** A pod that is made anew: what a cluster gave it is gone, its node too, unless somebody wrote that by hand. */
export function anew(pod: KubeObject): KubeObject {
  const { uid, creationTimestamp } = pod.metadata ?? {};
  const inCluster = uid !== undefined || creationTimestamp !== undefined || 'status' in pod;
  const spec = inCluster ? omit(specOf(pod), 'nodeName') : specOf(pod);
  const written = { ...withoutStatus(pod), spec };
  const metadata = omit(written.metadata ?? {}, 'uid', 'creationTimestamp', 'resourceVersion');
  return { ...written, metadata };
}

export function finishedPod(pod: KubeObject): KubeObject {
  return { ...pod, status: { ...(pod as { readonly status?: object }).status, phase: 'Succeeded' } } as KubeObject;
}

export function finishedJob(job: KubeObject): KubeObject {
  return { ...job, status: { conditions: [{ type: 'Complete', status: 'True' }] } } as KubeObject;
}

export function changeAt(
  object: JsonObject,
  [first, ...rest]: readonly string[],
  change: (value: JsonObject) => JsonObject,
): JsonObject {
  if (first === undefined) return change(object);
  return { ...object, [first]: changeAt((own(object, first) ?? {}) as JsonObject, rest, change) };
}

/**
 * Which pods a controller takes away first: those without a node, then the newest; of a StatefulSet the highest
 * ordinals. Sources: ActivePods in pkg/controller/controller_utils.go; pkg/controller/statefulset
 */
export function inOrderOfDeletion(pods: readonly KubeObject[], kind: string): readonly KubeObject[] {
  const ordinal = (pod: KubeObject): number => Number(/-(\d+)$/.exec(pod.metadata?.name ?? '')?.[1] ?? 0);
  if (kind === 'StatefulSet') return pods.toSorted((a, b) => ordinal(b) - ordinal(a));
  const age = (pod: KubeObject): number =>
    Date.parse(pod.metadata?.creationTimestamp ?? '') || Number.POSITIVE_INFINITY;
  return pods.toSorted(
    (a, b) =>
      Number(nodeNameOf(a) !== '') - Number(nodeNameOf(b) !== '') ||
      age(b) - age(a) ||
      ((a.metadata?.name ?? '') < (b.metadata?.name ?? '') ? -1 : 1),
  );
}
