/** A value as JSON can carry it: what YAML and `kubectl -o json` boil down to. */
export type Json = string | number | boolean | null | readonly Json[] | JsonObject;

/** A JSON object. Made by the manifest reader as a `Bare`, so that a key like `__proto__` is just a key. */
export interface JsonObject {
  readonly [key: string]: Json;
}

/** The way from the top of an object to a value in it: keys of maps, indexes of lists. */
export type Path = readonly (string | number)[];

/**
 * A path as the API server prints it: `spec.containers[0].resources`, and `metadata.labels[a/b]` for the key of a
 * free map when `mapKeys` says where those begin.
 * Source: staging/src/k8s.io/apimachinery/pkg/util/validation/field/path.go
 */
export function formatPath(path: Path): string {
  let text = '';
  for (const step of path) {
    if (typeof step === 'number') text += `[${step}]`;
    else text += text === '' ? step : `.${step}`;
  }
  return text;
}
