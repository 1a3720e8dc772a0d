import { own, put } from '../util/own.ts';
import { isObject } from '../util/values.ts';
import type { Json, JsonObject } from './json.ts';
import type { Deployment, KubeObject, PodTemplateSpec, ReplicaSet } from './objects.ts';
import { stripped } from './scheduling-fields.ts';

const isJsonObject = (value: unknown): value is JsonObject => isObject(value);

/** By the object of a snapshot, the last one that was asked for: who asks again knows by it that nothing has changed. */
const known = new WeakMap<KubeObject, { readonly written: KubeObject; readonly whole: KubeObject }>();

/**
 * An object of a snapshot that leaves out what decides nothing (environment, commands, probes), with that as it is
 * written: nobody knows of another.
 */
export function withLeftOut(kept: KubeObject, written: KubeObject): KubeObject {
  const last = known.get(kept);
  if (last?.written === written) return last.whole;
  const { metadata: _metadata, status: _status, ...rest } = written as unknown as JsonObject;
  const whole = restored(kept as unknown as JsonObject, keptOf(written), rest) as unknown as KubeObject;
  known.set(kept, { written, whole });
  return whole;
}

/** The template of a ReplicaSet of such a snapshot, with what is left out of it as its Deployment has that. */
export function templateLike({ spec }: ReplicaSet, deployment: Deployment): PodTemplateSpec | undefined {
  const [template, whole] = [spec?.template, deployment.spec?.template] as unknown as readonly (Json | undefined)[];
  if (template === undefined || whole === undefined) return spec?.template;
  const known = (keptOf(deployment)['spec'] as JsonObject)['template'];
  return restored(template, known, whole) as unknown as PodTemplateSpec;
}

const keptByWritten = new WeakMap<KubeObject, JsonObject>();

/** What a snapshot would keep of an object; a Deployment has more ReplicaSets than one. */
function keptOf(written: KubeObject): JsonObject {
  let kept = keptByWritten.get(written);
  if (kept === undefined) {
    const { apiVersion = '', kind = '' } = written;
    keptByWritten.set(written, (kept = stripped(written as unknown as JsonObject, apiVersion, kind)));
  }
  return kept;
}

/** A value as it was, with what is not kept of it as it is now. */
export function restored(was: Json, kept: Json | undefined, now: Json | undefined): Json {
  if (Array.isArray(was) && Array.isArray(now) && was.every(hasName) && now.every(hasName)) {
    const [inWas, inKept, inNow] = [itemsLike(was), itemsLike(kept), itemsLike(now)];
    const items = (now as readonly Json[]).flatMap((each, index) => {
      const [earlier, known] = [inWas(each, index), inKept(each, index)];
      if (earlier !== undefined) return [restored(earlier, known, each)];
      return known === undefined ? [each] : [];
    });
    return [...items, ...(was as readonly Json[]).filter((each, index) => inNow(each, index) === undefined)];
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

/** Finds in a list the item of the same name, or at the same place where it has none. */
export function itemsLike(list: Json | undefined): (item: Json, index: number) => Json | undefined {
  if (!Array.isArray(list)) return () => undefined;
  const items = list as readonly Json[];
  const byName = new Map(items.map((each) => [nameIn(each), each]));
  return (item, index) => (hasName(item) ? byName.get(nameIn(item)) : items[index]);
}
