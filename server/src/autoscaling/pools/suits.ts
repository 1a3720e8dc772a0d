import type { PodSpec, Taint } from '../../kubernetes/objects.ts';
import { firstUntolerated, NO_SCHEDULE_EFFECTS } from '../../kubernetes/taints.ts';
import {
  areCompatible,
  labelRequirements,
  type Requirements,
  selectorRequirements,
  together,
} from '../karpenter/requirements.ts';

/**
 * Whether some alternative of what a pod selects is met by labels.
 * @param isGiven whether nodes have a label of a value that is not known
 */
export function selects(
  { nodeSelector, affinity }: PodSpec,
  labels: Requirements,
  isGiven: (key: string) => boolean,
): boolean {
  const selected = labelRequirements(nodeSelector);
  const terms = affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms;
  const alternatives = terms?.map(({ matchExpressions = [] }) => selectorRequirements(matchExpressions)) ?? [[]];
  return alternatives.some((term) => {
    const required = together(selected, term);
    return areCompatible(labels, required, new Set([...required.keys()].filter(isGiven)));
  });
}

export function toleratesAll({ tolerations }: PodSpec, taints: readonly Taint[]): boolean {
  return firstUntolerated(taints, tolerations, NO_SCHEDULE_EFFECTS) === undefined;
}
