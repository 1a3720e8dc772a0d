import type { PodSpec } from '../../kubernetes/objects.ts';
import type { SimulatedPod } from './simulated-pod.ts';

/** Pods of manifests of their own that differ in nothing but their names have one shape, as those of a template have. */
export class AlikePods {
  readonly #shapes = new Map<string, object>();

  shaped(pod: SimulatedPod): SimulatedPod {
    const { metadata, spec, status } = pod.pod;
    if (spec === undefined || isToldByName(spec)) return pod;
    const { namespace, labels, ownerReferences, deletionTimestamp } = metadata ?? {};
    const key = JSON.stringify([namespace, labels, ownerReferences, deletionTimestamp, spec, status]);
    const shape = this.#shapes.get(key) ?? pod.shape;
    this.#shapes.set(key, shape);
    return { ...pod, shape };
  }
}

/** Claims that are made for one pod bear its name. */
function isToldByName({ volumes = [], resourceClaims = [] }: PodSpec): boolean {
  return resourceClaims.length > 0 || volumes.some(({ ephemeral }) => ephemeral !== undefined);
}
