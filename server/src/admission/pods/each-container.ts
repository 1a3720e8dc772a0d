import type { Container, PodSpec } from '../../kubernetes/objects.ts';
import type { FieldPath } from '../format/field-path.ts';
import { goList } from '../format/go-zero.ts';

/**
 * All containers of a pod with their places, ephemeral ones too. `at` is the place of the spec.
 * Source: VisitContainersWithPath in pkg/apis/core/pods/helpers.go
 */
export function* eachContainer(spec: PodSpec, at: FieldPath): Iterable<readonly [Container, FieldPath]> {
  for (const list of ['initContainers', 'containers', 'ephemeralContainers'] as const) {
    for (const [index, container] of goList<Container>(spec[list]).entries()) {
      yield [container, at.child(list).index(index)];
    }
  }
}
