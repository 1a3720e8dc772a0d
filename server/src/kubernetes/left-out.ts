import { own, put } from '../util/own.ts';
import { isObject } from '../util/values.ts';
import { decodeObject } from './decode/index.ts';
import type { Json, JsonObject } from './json.ts';
import type { Deployment, KubeObject, PodTemplateSpec, ReplicaSet } from './objects.ts';
import { stripped } from './scheduling-fields.ts';

const isJsonObject = (value: unknown): value is JsonObject => isObject(value);

/** By the object of a snapshot, the last one that was asked for. */
const known = new WeakMap<KubeObject, { readonly written: KubeObject; readonly whole: KubeObject }>();

/**
 * An object of a snapshot that leaves out what decides nothing (environment, commands, probes), with that as it is
 * written: nobody knows of another.
 */
export function withLeftOut(kept: KubeObject, written: KubeObject): KubeObject {
  const last = known.get(kept);
  if (last?.written === written) return last.whole;
  const { apiVersion = '', kind = '' } = kept;
  const object = written as unknown as JsonObject;
  const all = restored(kept as unknown as JsonObject, stripped(object, apiVersion, kind), object) as JsonObject;
  const { metadata, status } = kept as unknown as JsonObject;
  const { status: _status, ...rest } = all;
  const whole = decodeObject({ ...rest, ...(metadata && { metadata }), ...(status && { status }) }).object;
  known.set(kept, { written, whole });
  return whole;
}

/** The template of a ReplicaSet of such a snapshot, with what is left out of it as its Deployment has that. */
export function templateLike(set: ReplicaSet, { spec }: Deployment): PodTemplateSpec | undefined {
  const like = { ...set, spec: { ...set.spec, template: spec?.template } } as ReplicaSet;
  return (withLeftOut(set, like) as ReplicaSet).spec?.template;
}

/** A value as it was, with what is not kept of it as it is now. */
export function restored(was: Json, kept: Json | undefined, now: Json | undefined): Json {
  if (Array.isArray(was) && Array.isArray(now) && was.every(hasName) && now.every(hasName)) {
    const items = (now as readonly Json[]).flatMap((each, index) => {
      const [earlier, known] = [itemLike(was, each, index), itemLike(kept, each, index)];
      if (earlier !== undefined) return [restored(earlier, known, each)];
      return known === undefined ? [each] : [];
    });
    return [...items, ...(was as readonly Json[]).filter((each, index) => itemLike(now, each, index) === undefined)];
  }
  if (!isJsonObject(was) || !isJsonObject(now)) return was;
  const whole: Record<string, Json> = { ...was };
  for (const [field, value] of Object.entries(now)) {
    const [earlier, known] = [own(was, field), isJsonObject(kept) ? own(kept, field) : undefined];
    if (earlier !== undefined) put(whole, field, restored(earlier, known, value));
    else if (known === undefined) put(whole, field, value);
  }
  return whole;
}

/** Of a container, a volume, or the template of a claim. */
function nameIn(item: Json): Json | undefined {
  if (!isJsonObject(item)) return undefined;
  return item['name'] ?? (isJsonObject(item['metadata']) ? item['metadata']['name'] : undefined);
}

function hasName(item: Json): boolean {
  return typeof nameIn(item) === 'string';
}

/** The item of the same name, or at the same place where it has none. */
export function itemLike(list: Json | undefined, item: Json, index: number): Json | undefined {
  if (!Array.isArray(list)) return undefined;
  if (!hasName(item)) return (list as readonly Json[])[index];
  return (list as readonly Json[]).find((each) => nameIn(each) === nameIn(item));
}
