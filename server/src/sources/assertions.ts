import { basename, dirname, resolve } from 'node:path';
import type { Json } from '../kubernetes/json.ts';
import { compileGlob } from '../manifests/glob-pattern.ts';
import type { ManifestFile } from '../manifests/manifest.ts';
import { asMap, asText } from '../manifests/read-data.ts';
import { shownPath } from './source-files.ts';

/**
 * A file of a test step of kuttl that is compared with what is in the cluster.
 * Source: kudobuilder/kuttl, pkg/test/step.go (LoadYAML: `assert` and `errors` behind the index)
 */
export function isStepOfKuttl(path: string): boolean {
  return /^\d+-(?:assert|errors)(?:-[^/]*)?\.yaml$/.test(basename(path));
}

/**
 * Tells of files whether a test compares them with what is in the cluster: parts of objects, or objects that must not
 * be there. Nobody applies them.
 */
export function assertionsOf(manifests: ReadonlyMap<string, ManifestFile>): (path: string) => boolean {
  const named = new Set<string>();
  const applied = new Set<string>();
  const patterns: { readonly folder: string; readonly matches: (path: string) => boolean }[] = [];
  for (const [path, { documents }] of manifests) {
    for (const { document } of documents) {
      for (const { apiVersion, value } of document.objects) {
        if (!apiVersion.startsWith('chainsaw.kyverno.io/')) continue;
        // What a test applies it may compare as well.
        for (const file of filesOf(value, ['apply', 'create', 'update'])) applied.add(resolve(dirname(path), file));
        for (const file of filesOf(value, ['assert', 'error'])) {
          if (file.includes('*')) patterns.push({ folder: dirname(path), matches: compileGlob(file) });
          else named.add(resolve(dirname(path), file));
        }
      }
    }
  }
  return (path) =>
    !applied.has(path) &&
    (isStepOfKuttl(path) ||
      named.has(path) ||
      patterns.some(({ folder, matches }) => dirname(path) === folder && matches(shownPath(path, folder))));
}

/** Files of operations of a test of Chainsaw. Source: kyverno/chainsaw, pkg/apis/v1alpha1 */
function* filesOf(value: Json, operations: readonly string[]): Generator<string, void> {
  if (Array.isArray(value)) {
    for (const item of value as readonly Json[]) yield* filesOf(item, operations);
    return;
  }
  const map = asMap(value);
  for (const operation of operations) {
    const file = asText(asMap(map[operation])['file']);
    if (file !== '') yield file;
  }
  for (const part of Object.values(map)) {
    if (typeof part === 'object' && part !== null) yield* filesOf(part, operations);
  }
}
