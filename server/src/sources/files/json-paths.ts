import { own } from '../../util/own.ts';
import type { Json, JsonObject, Path } from '../../kubernetes/json.ts';
import { asList, asMap } from '../../manifests/read-data.ts';

export function valueAtPath(value: Json | undefined, path: Path): Json | undefined {
  let at = value;
  for (const step of path) {
    if (typeof step === 'number') at = asList(at)[step];
    else at = own(asMap(at), step);
    if (at === undefined) return undefined;
  }
  return at;
}

/** Fields by which the items of a list are merged. Source: api/core/v1/types.go (patchMergeKey) */
const mergeKeys = ['name', 'containerPort', 'mountPath', 'key', 'topologyKey', 'ip', 'port'] as const;

/**
 * The path of the same place in another version of an object, in which the items of lists may stand elsewhere;
 * undefined where there is none.
 */
export function samePath(from: Json, path: Path, to: Json): Path | undefined {
  const found: (string | number)[] = [];
  let here: Json | undefined = from;
  let there: Json | undefined = to;
  for (const step of path) {
    let next = step;
    if (typeof step === 'number') {
      const item = asList(here)[step];
      next = indexOfSame(asMap(item), asList(there)) ?? (typeof item === 'object' ? -1 : step);
      if (next === -1) next = asList(there).length === asList(here).length ? step : -1;
    }
    here = typeof step === 'number' ? asList(here)[step] : own(asMap(here), step);
    there = typeof next === 'number' ? asList(there)[next] : own(asMap(there), next);
    if (there === undefined) return undefined;
    found.push(next);
  }
  return found;
}

function indexOfSame(item: JsonObject, items: readonly Json[]): number | undefined {
  const key = mergeKeys.find((name) => item[name] !== undefined);
  if (key === undefined) return undefined;
  const index = items.findIndex((other) => asMap(other)[key] === item[key]);
  return index === -1 ? undefined : index;
}

export function isScalar(value: Json | undefined): value is string | number | boolean | null {
  return value === null || typeof value !== 'object';
}

/** The steps of a JSON pointer. Source: RFC 6901 */
export function pointerSteps(pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** Whether a value is the one that is written; kustomize adds its prefixes and suffixes to names of other objects. */
export function isWrittenAs(written: Json | undefined, rendered: Json | undefined, path: Path): boolean {
  if (written === rendered) return true;
  if (typeof written !== 'string' || typeof rendered !== 'string' || written === '') return false;
  return nameFields.has(String(path.at(-1))) && rendered.includes(written);
}

/** Source: api/internal/konfig/builtinpluginconsts/namereference.go, as far as scheduling looks at it */
const nameFields: ReadonlySet<string> = new Set(['priorityClassName', 'claimName', 'storageClassName', 'serviceName']);
