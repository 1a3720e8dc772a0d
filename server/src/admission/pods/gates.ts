import type { FieldError } from '../../kubernetes/field-error.ts';
import type { PodSpec } from '../../kubernetes/objects.ts';
import { type Batches, duplicate, forbidden, inBatches, invalidFormat } from '../format/field-errors.ts';
import type { FieldPath } from '../format/field-path.ts';
import { goString } from '../format/go-zero.ts';
import { qualifiedNameProblems } from '../format/names.ts';

type SchedulingGates = PodSpec['schedulingGates'];

/** Judges the gates of a pod. Source: validateSchedulingGates in pkg/apis/core/validation/validation.go */
export function judgeSchedulingGates(gates: SchedulingGates, at: FieldPath): Batches {
  const seen = new Set<string>();
  return inBatches(gates ?? [], (gate, index) => {
    const name = goString(gate.name);
    const place = at.index(index).child('name').printedAs(at.index(index));
    const errors = invalidFormat(place, name, qualifiedNameProblems(name));
    if (seen.has(name)) errors.push(duplicate(place, name));
    seen.add(name);
    return errors;
  });
}

/**
 * Judges how an update changes the gates: each may go, none may come.
 * Source: validateOnlyDeletedSchedulingGates in pkg/apis/core/validation/validation.go
 */
export function validateOnlyDeletedGates(next: SchedulingGates, old: SchedulingGates, at: FieldPath): FieldError[] {
  const known = new Set((old ?? []).map((gate) => goString(gate.name)));
  // A new name that is listed twice counts once, at its last place.
  const added = new Map<string, number>();
  (next ?? []).forEach((gate, index) => {
    if (!known.has(goString(gate.name))) added.set(goString(gate.name), index);
  });
  return [...added].map(([name, index]) =>
    forbidden(at.index(index).child('name'), `only deletion is allowed, but found new scheduling gate '${name}'`),
  );
}
