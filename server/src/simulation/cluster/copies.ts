import { keyOfObject, type WorkloadKey } from '../../kubernetes/names.ts';
import type { Declared } from '../../kubernetes/objects.ts';

/** What a workspace has more than once, by `keyOfObject`, in order: the first counts. */
export function copiesOf(workspace: readonly Declared[]): ReadonlyMap<WorkloadKey, readonly Declared[]> {
  const copies = new Map<WorkloadKey, Declared[]>();
  for (const declared of workspace) {
    const key = keyOfObject(declared.object);
    const known = copies.get(key);
    if (known === undefined) copies.set(key, [declared]);
    else known.push(declared);
  }
  return new Map([...copies].filter(([, { length }]) => length > 1));
}

export function textOf({ object }: Declared): string {
  return JSON.stringify(object);
}
