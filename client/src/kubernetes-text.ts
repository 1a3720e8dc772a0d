/** Languages of files that may hold manifests. */
export const manifestLanguages: readonly string[] = ['yaml', 'json', 'jsonc'];

/** Files that may hold manifests, and the name of a kustomization that has no extension. */
export const manifestFiles = '**/{*.yaml,*.yml,*.json,Kustomization}';

/** Files that are looked into for manifests before anything has been opened: JSON is rarely Kubernetes. */
export const likelyManifestFiles = '**/*.{yaml,yml}';

const yamlKeys = [/^["']?apiVersion["']?[ \t]*:/m, /^["']?kind["']?[ \t]*:/m];
const jsonKeys = [/"apiVersion"\s*:/, /"kind"\s*:/];

/**
 * Whether a text looks like a Kubernetes document: it names an `apiVersion` and a `kind`. Cheap and generous; the server
 * reads properly.
 */
export function looksLikeKubernetes(text: string): boolean {
  return [yamlKeys, jsonKeys].some((keys) => keys.every((key) => key.test(text)));
}
