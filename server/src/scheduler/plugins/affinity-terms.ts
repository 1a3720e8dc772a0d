import { compileLabelSelector, type CompiledSelector, type Labels } from '../../kubernetes/labels.ts';
import type { PodAffinityTerm } from '../../kubernetes/objects.ts';
import { getOrInsert } from '../../util/maps.ts';
import type { ClusterState } from '../framework/cluster-state.ts';
import type { PodClass } from '../framework/pod-class.ts';

/** A pod affinity term made ready to match. Source: staging/src/k8s.io/kube-scheduler/framework (AffinityTerm) */
export interface AffinityTerm {
  readonly topologyKey: string;
  readonly namespaces: ReadonlySet<string>;
  readonly namespaceSelector: CompiledSelector;
  readonly selector: CompiledSelector;
}

interface WeightedTerm {
  readonly term: AffinityTerm;
  readonly weight: number;
}

/** All terms of a pod, and so of all pods of its class. */
export interface ClassTerms {
  readonly requiredAffinity: readonly AffinityTerm[];
  readonly requiredAntiAffinity: readonly AffinityTerm[];
  readonly preferredAffinity: readonly WeightedTerm[];
  readonly preferredAntiAffinity: readonly WeightedTerm[];
}

const known = new WeakMap<PodClass, ClassTerms>();

/** The terms as existing pods carry them: `namespaceSelector` is matched when needed. */
export function termsOf(podClass: PodClass): ClassTerms {
  return getOrInsert(known, podClass, () => readTerms(podClass));
}

function readTerms({ namespace, podAffinity, podAntiAffinity }: PodClass): ClassTerms {
  const read = (term: PodAffinityTerm): AffinityTerm => readTerm(term, namespace);
  const readWeighted = (each: {
    readonly podAffinityTerm: PodAffinityTerm;
    readonly weight: number;
  }): WeightedTerm => ({
    term: read(each.podAffinityTerm),
    weight: each.weight,
  });
  return {
    requiredAffinity: (podAffinity?.requiredDuringSchedulingIgnoredDuringExecution ?? []).map(read),
    requiredAntiAffinity: (podAntiAffinity?.requiredDuringSchedulingIgnoredDuringExecution ?? []).map(read),
    preferredAffinity: (podAffinity?.preferredDuringSchedulingIgnoredDuringExecution ?? []).map(readWeighted),
    preferredAntiAffinity: (podAntiAffinity?.preferredDuringSchedulingIgnoredDuringExecution ?? []).map(readWeighted),
  };
}

/** Source: getNamespacesFromPodAffinityTerm and newAffinityTerm in pkg/scheduler/framework/types.go */
function readTerm(term: PodAffinityTerm, ownNamespace: string): AffinityTerm {
  const written = term.namespaces ?? [];
  return {
    topologyKey: term.topologyKey,
    namespaces: new Set(written.length === 0 && term.namespaceSelector === undefined ? [ownNamespace] : written),
    namespaceSelector: compileLabelSelector(term.namespaceSelector),
    selector: compileLabelSelector(term.labelSelector),
  };
}

/**
 * The terms of the pod that is looking for a node: a namespace selector is replaced by the namespaces that it selects.
 * With `keepSelector` it also stays, and is then matched against no labels at all: in 1.34.0 and 1.34.1 the
 * replacement gets lost, and a selector of only NotIn and DoesNotExist matches pods of every namespace.
 * Source: mergeAffinityTermNamespacesIfNotEmpty in interpodaffinity/plugin.go; kubernetes issue 141526
 */
export function withNamespacesSelected(terms: ClassTerms, cluster: ClusterState, keepSelector: boolean): ClassTerms {
  const resolve = (term: AffinityTerm): AffinityTerm => {
    const { namespaceSelector } = term;
    if (namespaceSelector.isEmpty || namespaceSelector.isNothing) return term;
    const namespaces = new Set(term.namespaces);
    for (const [name, labels] of cluster.objects.fixed.namespaces) {
      if (namespaceSelector.matches(labels)) namespaces.add(name);
    }
    return {
      ...term,
      namespaces,
      namespaceSelector: keepSelector ? namespaceSelector : compileLabelSelector(undefined),
    };
  };
  const resolveWeighted = ({ term, weight }: WeightedTerm): WeightedTerm => ({ term: resolve(term), weight });
  return {
    requiredAffinity: terms.requiredAffinity.map(resolve),
    requiredAntiAffinity: terms.requiredAntiAffinity.map(resolve),
    preferredAffinity: terms.preferredAffinity.map(resolveWeighted),
    preferredAntiAffinity: terms.preferredAntiAffinity.map(resolveWeighted),
  };
}

/** Source: AffinityTerm.Matches */
export function termMatches(
  { namespaces, namespaceSelector, selector }: AffinityTerm,
  { namespace, labels }: PodClass,
  namespaceLabels: Labels | undefined,
): boolean {
  return (namespaces.has(namespace) || namespaceSelector.matches(namespaceLabels)) && selector.matches(labels);
}

/** Whether a pod matches every term, of which there is at least one. Source: podMatchesAllAffinityTerms */
export function matchesAllTerms(terms: readonly AffinityTerm[], podClass: PodClass): boolean {
  return terms.length > 0 && terms.every((term) => termMatches(term, podClass, undefined));
}
