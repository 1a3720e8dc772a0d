import type { PodSpec } from '../../kubernetes/objects.ts';
import { type Batches, duplicate, forbidden, notFound } from '../format/field-errors.ts';
import type { FieldPath } from '../format/field-path.ts';
import { goList, goString } from '../format/go-zero.ts';
import { type ContainerRules, judgeAnyContainer, validateImagePadding } from './containers.ts';

/** Fields of containers that ephemeral ones do not have. Source: allowedEphemeralContainerFields */
const refusedFields = [
  'ports',
  'resources',
  'resizePolicy',
  'restartPolicy',
  'restartPolicyRules',
  'livenessProbe',
  'readinessProbe',
  'startupProbe',
  'lifecycle',
] as const;

/**
 * Judges ephemeral containers, which only an update through their own subresource may bring.
 * Source: validateEphemeralContainers in pkg/apis/core/validation/validation.go
 */
export function* judgeEphemeralContainers(spec: PodSpec, rules: ContainerRules, at: FieldPath): Batches {
  const others = new Set(
    [...goList(spec.containers), ...goList(spec.initContainers)].map((container) => goString(container.name)),
  );
  const names = new Set(others);
  for (const [index, container] of goList(spec.ephemeralContainers).entries()) {
    const place = at.index(index);
    const name = goString(container.name);
    yield* judgeAnyContainer(container, spec, rules, place);
    const errors = validateImagePadding(container, place);
    if (names.has(name)) errors.push(duplicate(place.child('name'), name));
    names.add(name);
    const target = goString(container.targetContainerName);
    if (target !== '' && !others.has(target)) errors.push(notFound(place.child('targetContainerName'), target));
    for (const field of refusedFields) {
      if (!isSet(container[field])) continue;
      errors.push(forbidden(place.child(field), 'cannot be set for an Ephemeral Container'));
    }
    goList(container.volumeMounts).forEach((mount, position) => {
      for (const field of ['subPath', 'subPathExpr'] as const) {
        if (goString(mount[field]) === '') continue;
        const mountPlace = place.child('volumeMounts').index(position).child(field);
        errors.push(forbidden(mountPlace, 'cannot be set for an Ephemeral Container'));
      }
    });
    yield errors;
  }
}

/** Whether Go would tell a value from its zero value: not an empty `resources`. An empty list is one, though. */
function isSet(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value !== undefined;
  return Object.keys(value).length > 0;
}
