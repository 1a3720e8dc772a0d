import { appliedOf } from '../../kubernetes/applied-fields.ts';
import { keyOfObject } from '../../kubernetes/names.ts';
import type { Json, JsonObject } from '../../kubernetes/json.ts';
import type { KubeObject } from '../../kubernetes/objects.ts';
import { isPoolObject, type PoolObject } from '../../kubernetes/pool-kinds.ts';
import { isObject } from '../../util/values.ts';
import type { SimulationInput } from './input.ts';

/** The objects of the manifests and of the cluster; of what says how the cluster grows there is one of each. */
export function objectsOf({ workspace, snapshot }: SimulationInput): readonly KubeObject[] {
  const stored = new Map<string, PoolObject>();
  for (const { object } of snapshot) {
    if (isPoolObject(object) && !stored.has(keyOfObject(object))) stored.set(keyOfObject(object), object);
  }
  const written = workspace.map(({ object }) => {
    const there = isPoolObject(object) && stored.size > 0 ? stored.get(keyOfObject(object)) : undefined;
    if (there === undefined) return object;
    stored.delete(keyOfObject(object));
    return poolAppliedOver(there, object as PoolObject);
  });
  const others = snapshot.map(({ object }) => object).filter((object) => !isPoolObject(object));
  return [...written, ...others, ...stored.values()];
}

/** By what is written, and by what comes of it, for one that is stored: what-ifs ask again and again. */
const known = new WeakMap<KubeObject, { readonly there: KubeObject; readonly object: PoolObject }>();

/**
 * A pool as it is once its manifest is applied: others have written its status, some annotations, and how many nodes it has.
 * Annotations that were applied go when they are not written any more.
 * @param earlier as it was written before
 */
export function poolAppliedOver(there: PoolObject, own: PoolObject, earlier?: KubeObject): PoolObject {
  if (there === own) return own;
  const last = known.get(own);
  if (last?.there === there) return last.object;
  const [was, is] = [there.written, own.written];
  const metadata = mapOf(is['metadata']);
  const before = earlier !== undefined && isPoolObject(earlier) ? earlier.written : undefined;
  const gone = { ...annotationsOf(appliedOf(was)), ...annotationsOf(before) };
  const stays = Object.entries(annotationsOf(was)).filter(([key]) => !Object.hasOwn(gone, key));
  const annotations = { ...Object.fromEntries(stays), ...annotationsOf(is) };
  const { replicas } = mapOf(was['spec']);
  const isGroup = (own.kind ?? '').startsWith('Machine');
  const written: JsonObject = {
    ...is,
    metadata: { ...metadata, annotations },
    ...(isGroup && replicas !== undefined ? { spec: { ...mapOf(is['spec']), replicas } } : {}),
    ...(was['status'] === undefined ? {} : { status: was['status'] }),
  };
  const object = { ...own, written };
  known.set(own, { there, object });
  known.set(object, { there, object });
  return object;
}

function annotationsOf(object: JsonObject | undefined): JsonObject {
  return mapOf(mapOf(object?.['metadata'])['annotations']);
}

function mapOf(value: Json | undefined): JsonObject {
  return isObject(value) ? value : {};
}
