import { valueAt } from '../util/values.ts';
import { keyOf, nameOf, namespaceOf } from './names.ts';
import type { KubeObject, Pod } from './objects.ts';
import type { Release } from './release.ts';

/** A PodGroup, as far as the scheduler reads it. Source: staging/src/k8s.io/api/scheduling/v1alpha2/types.go of 1.36 */
export interface PodGroup {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  /** How many of its pods must have a node at once; null where each may have one by itself (`basic`). */
  readonly minCount: number | null;
  /** Whether its pods are preempted together or not at all. */
  readonly isDisruptedWhole: boolean;
  /** Null where its PriorityClass says it. */
  readonly priority: number | null;
  readonly priorityClassName: string;
  /** Whether it must be in one domain of a topology. */
  readonly hasTopology: boolean;
}

/** Later versions say of the disruption mode `{all: {}}` where the first said `PodGroup`. */
export function podGroupOf(object: KubeObject): PodGroup {
  const uid = object.metadata?.uid ?? '';
  const at = (...path: readonly string[]): unknown => valueAt(object, ['spec', ...path]);
  const minCount = at('schedulingPolicy', 'gang', 'minCount');
  const mode = at('disruptionMode');
  const topology = at('schedulingConstraints', 'topology');
  const priority = at('priority');
  const className = at('priorityClassName');
  return {
    namespace: namespaceOf(object),
    name: nameOf(object),
    uid: uid === '' ? keyOf(object) : uid,
    minCount: at('schedulingPolicy', 'gang') === undefined ? null : typeof minCount === 'number' ? minCount : 0,
    isDisruptedWhole: mode === 'PodGroup' || valueAt(mode, ['all']) !== undefined,
    priority: typeof priority === 'number' ? priority : null,
    priorityClassName: typeof className === 'string' ? className : '',
    hasTopology: Array.isArray(topology) && topology.length > 0,
  };
}

/** `namespace/name` of the PodGroup that a pod belongs to; null where it belongs to none, or its gate is off. */
export function groupKeyOf(pod: Pod, { featureGates }: Release): string | null {
  const name = pod.spec?.schedulingGroup?.podGroupName ?? '';
  return name === '' || !featureGates.has('GenericWorkload') ? null : `${namespaceOf(pod)}/${name}`;
}
