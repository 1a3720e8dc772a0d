import { isObject } from '../../../kit/values.ts';
import type { Fact } from '../../facts.ts';
import { valueAt } from '../../value-at.ts';
import { lacksSelector } from './partial-manifest.ts';

/**
 * Whether a manifest is surely a whole workload, and one that a person wrote: a patch of Kustomize leaves out what it
 * does not change, and what is read from a cluster has been accepted already. Undefined: it has all its containers, but
 * whether it lacks its selector or is a patch of them, nobody can tell.
 */
export function isWholeWorkload(fact: Fact): boolean | undefined {
  const { kind, manifest, object, template, problems } = fact;
  if (kind === 'Pod' || template === undefined || problems.length > 0 || object.metadata?.uid !== undefined) {
    return false;
  }
  const containers = valueAt(manifest.value, [...template.path, 'spec', 'containers']);
  if (!Array.isArray(containers) || containers.length === 0) return false;
  if (!containers.every((container) => isObject(container) && 'image' in container)) return false;
  if (!lacksSelector(fact)) return true;
  return valueAt(manifest.value, [...template.path, 'metadata', 'labels']) === undefined ? false : undefined;
}
