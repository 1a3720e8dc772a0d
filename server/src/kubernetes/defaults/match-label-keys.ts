import { labelValue, type Labels } from '../labels.ts';
import type { Affinity, LabelSelector, LabelSelectorRequirement, Pod, PodAffinityTerm } from '../objects.ts';
import { mapChanged } from './map-changed.ts';

/**
 * Writes `matchLabelKeys` and `mismatchLabelKeys` of a new pod into the label selectors beside them, as the API server
 * does on creation; the scheduler never reads those of (anti-)affinity. Must be applied once only.
 * Source: pkg/registry/core/pod/strategy.go mutatePodAffinity, mutateTopologySpreadConstraints
 */
export function mergeMatchLabelKeys(pod: Pod): Pod {
  const { spec } = pod;
  if (spec === undefined) return pod;
  const labels = pod.metadata?.labels;
  const affinity = spec.affinity === undefined ? undefined : mergeAffinity(spec.affinity, labels);
  const constraints =
    spec.topologySpreadConstraints === undefined
      ? undefined
      : mapChanged(spec.topologySpreadConstraints, (constraint) => mergeInto(constraint, labels));
  if (affinity === spec.affinity && constraints === spec.topologySpreadConstraints) return pod;
  return {
    ...pod,
    spec: {
      ...spec,
      ...(affinity === undefined ? {} : { affinity }),
      ...(constraints === undefined ? {} : { topologySpreadConstraints: constraints }),
    },
  };
}

function mergeAffinity(affinity: Affinity, labels: Labels | undefined): Affinity {
  const podAffinity = mergeTerms(affinity.podAffinity, labels);
  const podAntiAffinity = mergeTerms(affinity.podAntiAffinity, labels);
  if (podAffinity === affinity.podAffinity && podAntiAffinity === affinity.podAntiAffinity) return affinity;
  return {
    ...affinity,
    ...(podAffinity === undefined ? {} : { podAffinity }),
    ...(podAntiAffinity === undefined ? {} : { podAntiAffinity }),
  };
}

type Terms = NonNullable<Affinity['podAffinity']>;

function mergeTerms(terms: Terms | undefined, labels: Labels | undefined): Terms | undefined {
  if (terms === undefined) return undefined;
  const required = terms.requiredDuringSchedulingIgnoredDuringExecution;
  const preferred = terms.preferredDuringSchedulingIgnoredDuringExecution;
  const mergedRequired = required === undefined ? undefined : mapChanged(required, (term) => mergeInto(term, labels));
  const mergedPreferred =
    preferred === undefined
      ? undefined
      : mapChanged(preferred, (weighted) => {
          const podAffinityTerm = mergeInto(weighted.podAffinityTerm, labels);
          return podAffinityTerm === weighted.podAffinityTerm ? weighted : { ...weighted, podAffinityTerm };
        });
  if (mergedRequired === required && mergedPreferred === preferred) return terms;
  return {
    ...terms,
    ...(mergedRequired === undefined ? {} : { requiredDuringSchedulingIgnoredDuringExecution: mergedRequired }),
    ...(mergedPreferred === undefined ? {} : { preferredDuringSchedulingIgnoredDuringExecution: mergedPreferred }),
  };
}

/** A pod (anti-)affinity term or a topology spread constraint. */
type HasLabelKeys = Pick<PodAffinityTerm, 'labelSelector' | 'matchLabelKeys' | 'mismatchLabelKeys'>;

function mergeInto<T extends HasLabelKeys>(holder: T, labels: Labels | undefined): T {
  const { labelSelector } = holder;
  // An absent selector matches nothing; there is nothing to narrow.
  if (labelSelector === undefined) return holder;
  const added = [
    ...requirements(holder.matchLabelKeys, 'In', labels),
    ...requirements(holder.mismatchLabelKeys, 'NotIn', labels),
  ];
  if (added.length === 0) return holder;
  const merged: LabelSelector = {
    ...labelSelector,
    matchExpressions: [...(labelSelector.matchExpressions ?? []), ...added],
  };
  return { ...holder, labelSelector: merged };
}

function requirements(
  keys: readonly string[] | undefined,
  operator: 'In' | 'NotIn',
  labels: Labels | undefined,
): readonly LabelSelectorRequirement[] {
  return (keys ?? []).flatMap((key) => {
    const value = labelValue(labels, key);
    return value === undefined ? [] : [{ key, operator, values: [value] }];
  });
}
