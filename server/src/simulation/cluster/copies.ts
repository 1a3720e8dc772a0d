import { keyOfObject, type WorkloadKey } from '../../kubernetes/names.ts';
import type { Declared } from '../../kubernetes/objects.ts';
import { groupBy } from '../../util/maps.ts';

/** What a workspace has more than once, by `keyOfObject`, in order: the first counts. */
export function copiesOf(workspace: readonly Declared[]): ReadonlyMap<WorkloadKey, readonly Declared[]> {
  const copies = groupBy(workspace, (declared) => keyOfObject(declared.object));
  return new Map([...copies].filter(([, { length }]) => length > 1));
}

export function textOf({ object }: Declared): string {
  return JSON.stringify(object);
}
