import { isNumber } from '../../util/exact-integer.ts';
import { own } from '../../util/own.ts';
import type { Json, JsonObject } from '../../kubernetes/json.ts';
import { asMap } from '../../manifests/read-data.ts';
import { fillGoTemplate } from './go-template.ts';
import type { FillingRoom } from '../files/go-template-pieces.ts';

/**
 * All texts of a value with what an ApplicationSet's template asks for; null where one of them asks for what is not known
 * here. Without Go's templates, what is not known stays as it is written.
 * Source: argo-cd, applicationset/utils/utils.go (Replace)
 */
export function fillTemplate(value: Json, element: JsonObject, isGo: boolean, room: FillingRoom): Json {
  if (typeof value === 'string') {
    if (!room.take(value.length)) return null;
    const text = isGo ? fillGoTemplate(value, element, room) : filled(value, element);
    return text !== null && room.take(text.length) ? text : null;
  }
  if (typeof value !== 'object' || value === null || isNumber(value)) return value;
  const isList = Array.isArray(value);
  const entries: [string, Json][] = [];
  for (const [key, item] of Object.entries(value as JsonObject)) {
    const name = isList ? key : fillTemplate(key, element, isGo, room);
    const made = fillTemplate(item, element, isGo, room);
    if (typeof name !== 'string' || (made === null && item !== null)) return null;
    entries.push([name, made]);
  }
  return isList ? entries.map(([, item]) => item) : Object.fromEntries(entries);
}

function filled(text: string, element: JsonObject): string {
  return text.replace(/\{\{([^{}]*)\}\}/g, (written, inner: string) => {
    const name = inner.trim();
    const found = own(element, name) ?? valueAt(element, name.split('.')) ?? own(element, truthName(name));
    return typeof found === 'string' || typeof found === 'number' || typeof found === 'boolean'
      ? String(found)
      : written;
  });
}

/** YAML 1.1 reads the keys `n`, `no`, `off`, `y`, `yes` and `on` as booleans, so they are looked up as such. */
function truthName(name: string): string {
  return /^(?:n|no|off)$/i.test(name) ? 'false' : /^(?:y|yes|on)$/i.test(name) ? 'true' : name;
}

function valueAt(value: Json, steps: readonly string[]): Json | undefined {
  return steps.reduce<Json | undefined>((at, step) => own(asMap(at), step), value);
}
