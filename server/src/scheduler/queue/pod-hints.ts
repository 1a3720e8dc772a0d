import { labelValue } from '../../kubernetes/labels.ts';
import type { TopologySpreadConstraint } from '../../kubernetes/objects.ts';
import type { NodeFacts } from '../framework/node-facts.ts';
import type { PodClass } from '../framework/pod-class.ts';
import type { PodInfo } from '../framework/pod-info.ts';
import {
  type AffinityTerm,
  type ClassTerms,
  matchesAllTerms,
  termsOf,
  withNamespacesSelected,
} from '../plugins/affinity-terms.ts';
import { portsConflict } from '../framework/host-ports.ts';
import { spreadConstraintsOf, type SpreadConstraint } from '../plugins/spread-constraints.ts';
import { always, type Hint, type HintContext, type Hints } from './hint.ts';

/** Source: nodeports/node_ports.go. A pod that was only nominated counts as one that was there. */
export const nodePortsHints: Hints = {
  podDeleted: (waiting, { pod }) =>
    waiting.hostPorts.some((port) => pod.hostPorts.some((taken) => portsConflict(port, taken))),
  nodeAdded: always,
};

const spreadPodMoved: Hint<'podAdded' | 'podDeleted'> = (waiting, { pod }, context) =>
  countsFor(waiting, pod, context) &&
  constraintsOf(waiting, context).some(({ selector }) => selector.matches(pod.class.labels));

const spreadNodeChanged: Hint<'node:labels' | 'node:taints'> = (waiting, { before, node }, context) => {
  const constraints = constraintsOf(waiting, context);
  const matches = hasAllKeys(node, constraints);
  if (hasAllKeys(before, constraints) !== matches) return true;
  if (!matches) return false;
  return (
    constraints.some(
      ({ topologyKey }) => labelValue(before.labels, topologyKey) !== labelValue(node.labels, topologyKey),
    ) || taintsDiffer(before, node)
  );
};

/** Source: podtopologyspread/plugin.go (isSchedulableAfterPodChange, isSchedulableAfterNodeChange) */
export const podTopologySpreadHints: Hints = {
  podAdded: spreadPodMoved,
  podDeleted: spreadPodMoved,
  'pod:labels': (waiting, { before, pod }, context) =>
    countsFor(waiting, pod, context) &&
    constraintsOf(waiting, context).some(
      ({ selector }) => selector.matches(before.class.labels) !== selector.matches(pod.class.labels),
    ),
  'pod:tolerations': (waiting, { pod }) =>
    waiting.uid === pod.uid && (pod.pod.spec?.topologySpreadConstraints ?? []).some(honoursTaints),
  nodeAdded: (waiting, { node }, context) => hasAllKeys(node, constraintsOf(waiting, context)),
  nodeDeleted: (waiting, { node }, context) => hasAllKeys(node, constraintsOf(waiting, context)),
  'node:labels': spreadNodeChanged,
  'node:taints': spreadNodeChanged,
};

function honoursTaints({ whenUnsatisfiable, nodeTaintsPolicy }: TopologySpreadConstraint): boolean {
  return whenUnsatisfiable === 'DoNotSchedule' && nodeTaintsPolicy === 'Honor';
}

/** Source: involvedInTopologySpreading */
function countsFor(waiting: PodInfo, pod: PodInfo, context: HintContext): boolean {
  return waiting.uid === pod.uid || (isSeen(pod, context) && pod.namespace === waiting.namespace);
}

/** Whether plugins that count pods see it. */
function isSeen({ nodeName, nominatedNodeName }: PodInfo, { behaviours }: HintContext): boolean {
  return nodeName !== '' || (behaviours.hintsSeeNominatedPods && nominatedNodeName !== '');
}

function constraintsOf(waiting: PodInfo, { cluster, args }: HintContext): readonly SpreadConstraint[] {
  return spreadConstraintsOf(cluster, waiting, 'DoNotSchedule', args.PodTopologySpread);
}

/** Source: nodeLabelsMatchSpreadConstraints */
function hasAllKeys({ labels }: NodeFacts, constraints: readonly SpreadConstraint[]): boolean {
  return constraints.every(({ topologyKey }) => labelValue(labels, topologyKey) !== undefined);
}

function taintsDiffer(a: NodeFacts, b: NodeFacts): boolean {
  return JSON.stringify(a.node.spec?.taints ?? []) !== JSON.stringify(b.node.spec?.taints ?? []);
}

/**
 * A pod that comes may be what the waiting one wants to be near, one that goes what it kept away from, or what kept it
 * away. Source: interpodaffinity/plugin.go (isSchedulableAfterPodChange, isSchedulableAfterNodeChange)
 */
export const interPodAffinityHints: Hints = {
  podAdded: (waiting, { pod }, context) =>
    isSeen(pod, context) && matchesAllTerms(ownTerms(waiting, context).requiredAffinity, pod.class),
  podDeleted: (waiting, { pod }, context) =>
    isSeen(pod, context) &&
    (isKeptAway(ownTerms(waiting, context).requiredAntiAffinity, pod.class, context) ||
      (context.behaviours.hintsSeeAntiAffinityOfOthers &&
        isKeptAway(termsOf(pod.class).requiredAntiAffinity, waiting.class, context))),
  'pod:labels': (waiting, { before, pod }, context) => {
    if (waiting.uid === pod.uid && context.behaviours.hintsSeeOwnLabels) return true;
    if (!isSeen(pod, context)) return false;
    const { requiredAffinity, requiredAntiAffinity } = ownTerms(waiting, context);
    return (
      (!matchesAllTerms(requiredAffinity, before.class) && matchesAllTerms(requiredAffinity, pod.class)) ||
      (isKeptAway(requiredAntiAffinity, before.class, context) && !isKeptAway(requiredAntiAffinity, pod.class, context))
    );
  },
  nodeAdded: (waiting, { node }) => {
    const { requiredAffinity, requiredAntiAffinity } = termsOf(waiting.class);
    return requiredAffinity.some((term) => valueOf(term, node) !== undefined) || requiredAntiAffinity.length > 0;
  },
  'node:labels': (waiting, { before, node }) => {
    const { requiredAffinity, requiredAntiAffinity } = termsOf(waiting.class);
    const moved = (term: AffinityTerm): boolean => valueOf(term, before) !== valueOf(term, node);
    return (
      requiredAffinity.some((term) => valueOf(term, node) !== undefined && moved(term)) ||
      requiredAntiAffinity.some((term) => valueOf(term, before) !== undefined && moved(term))
    );
  },
};

function isKeptAway(terms: readonly AffinityTerm[], pod: PodClass, { behaviours }: HintContext): boolean {
  return behaviours.hintsSeeAnyAntiAffinity
    ? terms.some((term) => matchesAllTerms([term], pod))
    : matchesAllTerms(terms, pod);
}

function ownTerms(waiting: PodInfo, { cluster, args }: HintContext): ClassTerms {
  return withNamespacesSelected(
    termsOf(waiting.class),
    cluster,
    args.InterPodAffinity.namespaceSelectorMatchesNoLabels,
  );
}

function valueOf({ topologyKey }: AffinityTerm, { labels }: NodeFacts): string | undefined {
  return labelValue(labels, topologyKey);
}
