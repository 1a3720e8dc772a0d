import { Wholeness } from '../../../admission/format/written.ts';
import type { Fact } from '../../index/fact.ts';

/**
 * Whether a manifest is surely a whole workload, and one that a person wrote: a patch of Kustomize leaves out what it
 * does not change, and what is read from a cluster has been accepted already.
 */
export function isWholeWorkload({ kind, object, template, problems }: Fact): boolean {
  if (kind === 'Pod' || template === undefined || problems.length > 0 || object.metadata?.uid !== undefined) {
    return false;
  }
  const { hasContainers, lacksSelector } = new Wholeness(object);
  return hasContainers && !lacksSelector;
}
