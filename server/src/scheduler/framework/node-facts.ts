import type { Labels } from '../../kubernetes/labels.ts';
import type { Node, Taint } from '../../kubernetes/objects.ts';
import { readResourceList } from '../../kubernetes/pod-resources.ts';
import { areSafe, isSafe, type Resources, toNumbers } from './resources.ts';
import { type CountedResources, toSchedulerResources } from './scheduler-resources.ts';

/** What does not change while pods come and go. */
export interface NodeFacts {
  readonly node: Node;
  readonly name: string;
  /** Position in the snapshot's order (the node tree). */
  readonly index: number;
  readonly labels: Labels;
  /** `spec.unschedulable`. */
  readonly unschedulable: boolean;
  /** Effects NoSchedule and NoExecute, in order. */
  readonly hardTaints: readonly Taint[];
  /** Effect PreferNoSchedule, in order. */
  readonly softTaints: readonly Taint[];
  /** Stale when `exact` is set. */
  readonly allocatable: Resources;
  readonly allowedPods: number;
  /** Set when a value is negative or too large for doubles. */
  readonly exact: CountedResources | null;
}

const noTaints: readonly Taint[] = [];
const noLabels: Labels = Object.freeze({});

/** `node` with API defaults applied. */
export function nodeFactsOf(node: Node, index: number): NodeFacts {
  const exact = toSchedulerResources(readResourceList(node.status?.allocatable));
  const allowedPods = exact.pods;
  const safe = areSafe(exact) && isSafe(allowedPods);
  return {
    node,
    name: node.metadata?.name ?? '',
    index,
    labels: node.metadata?.labels ?? noLabels,
    unschedulable: node.spec?.unschedulable === true,
    hardTaints: taintsOf(node, (effect) => effect === 'NoSchedule' || effect === 'NoExecute'),
    softTaints: taintsOf(node, (effect) => effect === 'PreferNoSchedule'),
    allocatable: toNumbers(exact),
    allowedPods: Number(allowedPods),
    exact: safe ? null : exact,
  };
}

function taintsOf(node: Node, wanted: (effect: string) => boolean): readonly Taint[] {
  const taints = node.spec?.taints;
  if (taints === undefined || taints.length === 0) return noTaints;
  const found = taints.filter((taint) => wanted(taint.effect));
  return found.length === 0 ? noTaints : found;
}
