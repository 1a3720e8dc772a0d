import { own } from '../../util/own.ts';
import type { Pod, PodSpec, ResourceList, RuntimeClass } from '../../kubernetes/objects.ts';
import { readResourceList } from '../../kubernetes/pod-resources.ts';
import { compareQuantities } from '../../kubernetes/quantity.ts';

/** A pod as the API server stores it, or why it refuses it. */
type Classed = { readonly pod: Pod } | { readonly problem: string };

/** What a RuntimeClass adds to a pod. */
interface RuntimeAdditions extends Pick<RuntimeClass, 'scheduling'> {
  readonly overhead?: { readonly podFixed?: ResourceList } | undefined;
}

/**
 * A pod with what its RuntimeClass adds: the overhead, and where its pods may go.
 * Source: plugin/pkg/admission/runtimeclass/admission.go (setOverhead, setScheduling)
 */
export function withRuntimeClass(pod: Pod, { overhead, scheduling }: RuntimeAdditions): Classed {
  const fixed = overhead?.podFixed;
  let spec: PodSpec = pod.spec ?? { containers: [] };
  if (fixed !== undefined) {
    if (spec.overhead !== undefined && !sameAmounts(spec.overhead, fixed)) {
      return { problem: "pod rejected: Pod's Overhead doesn't match RuntimeClass's defined Overhead" };
    }
    spec = { ...spec, overhead: fixed } as PodSpec;
  }
  if (scheduling !== undefined) {
    const { nodeSelector = {}, tolerations = [] } = scheduling;
    const selector = spec.nodeSelector ?? {};
    const conflict = Object.entries(nodeSelector).find(([key, value]) => (own(selector, key) ?? value) !== value);
    if (conflict !== undefined) {
      const [key, value] = conflict;
      return {
        problem: `conflict: runtimeClass.scheduling.nodeSelector[${key}] = ${value}; pod.spec.nodeSelector[${key}] = ${own(selector, key)}`,
      };
    }
    spec = {
      ...spec,
      nodeSelector: { ...selector, ...nodeSelector },
      tolerations: [...(spec.tolerations ?? []), ...tolerations],
    };
  }
  return { pod: { ...pod, spec } };
}

function sameAmounts(one: Readonly<Record<string, string | number>>, other: typeof one): boolean {
  const [first, second] = [readResourceList(one), readResourceList(other)];
  return (
    first.size === second.size &&
    [...first].every(([name, amount]) => {
      const found = second.get(name);
      return found !== undefined && compareQuantities(amount, found) === 0;
    })
  );
}
