import { type CompiledSelector, compileLabelSelector, type Labels } from '../../kubernetes/labels.ts';
import { keyOf } from '../../kubernetes/names.ts';
import type {
  LabelSelector,
  LabelSelectorRequirement,
  NodeSelectorTerm,
  Pod,
  PodAffinityTerm,
  Taint,
  Toleration,
  TopologySpreadConstraint,
} from '../../kubernetes/objects.ts';
import { tolerates } from '../../kubernetes/taints.ts';
import { labelRequirements, type Requirements, selectorRequirements, together } from './requirements.ts';

export interface WeightedTerm<Term> {
  readonly weight: number;
  readonly term: Term;
}

/** A spread constraint whose selector grows each time `matchLabelKeys` are merged into it, as upstream's does. */
export interface WorkingSpread {
  readonly constraint: TopologySpreadConstraint;
  readonly selector: LabelSelector | undefined;
}

/**
 * A pod that loses one preference after another. Each form is a value of its own; what is no part of scheduling
 * constraints is read from the pod itself.
 */
export interface WorkingPod {
  readonly pod: Pod;
  readonly key: string;
  readonly uid: string;
  readonly namespace: string;
  readonly labels: Labels;
  readonly tolerations: readonly Toleration[];
  /** Alternatives of the required node affinity; undefined where there is none. */
  readonly nodeTerms: readonly NodeSelectorTerm[] | undefined;
  readonly preferredNodes: readonly WeightedTerm<NodeSelectorTerm>[];
  readonly affinity: readonly PodAffinityTerm[];
  readonly preferredAffinity: readonly WeightedTerm<PodAffinityTerm>[];
  readonly antiAffinity: readonly PodAffinityTerm[];
  readonly preferredAntiAffinity: readonly WeightedTerm<PodAffinityTerm>[];
  readonly spreads: readonly WorkingSpread[];
}

export function workingPod(pod: Pod): WorkingPod {
  const { affinity, tolerations = [], topologySpreadConstraints = [] } = pod.spec ?? {};
  const key = keyOf(pod);
  const { podAffinity, podAntiAffinity, nodeAffinity } = affinity ?? {};
  return {
    pod,
    key,
    uid: pod.metadata?.uid ?? key,
    namespace: key.slice(0, key.indexOf('/')),
    labels: pod.metadata?.labels ?? {},
    tolerations,
    nodeTerms: nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms ?? undefined,
    preferredNodes: heaviestFirst(
      (nodeAffinity?.preferredDuringSchedulingIgnoredDuringExecution ?? []).map(({ weight, preference }) => ({
        weight,
        term: preference,
      })),
    ),
    affinity: podAffinity?.requiredDuringSchedulingIgnoredDuringExecution ?? [],
    preferredAffinity: weighted(podAffinity?.preferredDuringSchedulingIgnoredDuringExecution),
    antiAffinity: podAntiAffinity?.requiredDuringSchedulingIgnoredDuringExecution ?? [],
    preferredAntiAffinity: weighted(podAntiAffinity?.preferredDuringSchedulingIgnoredDuringExecution),
    spreads: topologySpreadConstraints.map((constraint) => ({ constraint, selector: constraint.labelSelector })),
  };
}

function weighted(
  terms: readonly { readonly weight: number; readonly podAffinityTerm: PodAffinityTerm }[] | undefined,
): readonly WeightedTerm<PodAffinityTerm>[] {
  return heaviestFirst((terms ?? []).map(({ weight, podAffinityTerm }) => ({ weight, term: podAffinityTerm })));
}

/** Whoever takes the heaviest sorts first, and nobody minds the order otherwise. */
function heaviestFirst<Term>(terms: readonly WeightedTerm<Term>[]): readonly WeightedTerm<Term>[] {
  return [...terms].sort((a, b) => b.weight - a.weight);
}

/** What the pod itself insists on: its selector, and the first alternative. Source: NewStrictPodRequirements */
export function strictRequirements({ pod, nodeTerms }: WorkingPod): Requirements {
  return together(labelRequirements(pod.spec?.nodeSelector), selectorRequirements(nodeTerms?.[0]?.matchExpressions));
}

/** With the heaviest preference, which counts as required until it is given up. Source: NewPodRequirements */
export function podRequirementsOf(pod: WorkingPod): Requirements {
  const [heaviest] = pod.preferredNodes;
  return together(
    labelRequirements(pod.pod.spec?.nodeSelector),
    selectorRequirements(heaviest?.term.matchExpressions),
    selectorRequirements(pod.nodeTerms?.[0]?.matchExpressions),
  );
}

/** Texts of the taints that the tolerations leave; empty when they cover all. Source: Taints.Tolerates */
export function untolerated(taints: readonly Taint[], tolerations: readonly Toleration[]): readonly Taint[] {
  return taints.filter((taint) => !tolerations.some((toleration) => tolerates(toleration, taint)));
}

export function untoleratedText(taints: readonly Taint[]): string {
  return taints.map((taint) => `did not tolerate taint (taint=${taintText(taint)})`).join('; ');
}

function taintText({ key, value = '', effect }: Taint): string {
  return value === '' ? `${key}:${effect}` : `${key}=${value}:${effect}`;
}

/** Merges the label keys of a spread constraint into its selector. */
export function withLabelKeys({ constraint, selector }: WorkingSpread, labels: Labels): WorkingSpread {
  const expressions: LabelSelectorRequirement[] = [];
  for (const key of constraint.matchLabelKeys ?? []) {
    if (Object.hasOwn(labels, key)) expressions.push({ key, operator: 'In', values: [labels[key]!] });
  }
  if (expressions.length === 0 || selector === undefined) return { constraint, selector };
  const matchExpressions = [...(selector.matchExpressions ?? []), ...expressions];
  return { constraint, selector: { ...selector, matchExpressions } };
}

export function selectorOf(selector: LabelSelector | undefined): CompiledSelector {
  return compileLabelSelector(selector);
}
