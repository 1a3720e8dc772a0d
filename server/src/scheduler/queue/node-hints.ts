import { compileNodeSelector, compileRequiredNodeAffinity } from '../../kubernetes/node-selector.ts';
import { firstUntolerated, NO_SCHEDULE_EFFECTS } from '../../kubernetes/taints.ts';
import type { NodeFacts } from '../framework/node-facts.ts';
import { NodeInfo } from '../framework/node-info.ts';
import type { Cycle } from '../framework/plugin.ts';
import type { PodInfo } from '../framework/pod-info.ts';
import { defaultPluginArgs, type NodeAffinityArgs } from '../framework/profile.ts';
import type { Resources } from '../framework/resources.ts';
import { NodeResourcesFitPlugin } from '../plugins/node-resources-fit.ts';
import { toleratesCordon } from '../plugins/node-unschedulable.ts';
import { always, type Hints } from './hint.ts';

/** Source: nodename/node_name.go (EventsToRegister) */
export const nodeNameHints: Hints = { nodeAdded: always };

/** Source: nodeunschedulable/node_unschedulable.go (isSchedulableAfterNodeChange, isSchedulableAfterPodTolerationChange) */
export const nodeUnschedulableHints: Hints = {
  nodeAdded: (_waiting, { node }) => !node.unschedulable,
  'node:taints': (_waiting, { before, node }) => before.unschedulable && !node.unschedulable,
  'pod:tolerations': (waiting, { pod }) => waiting.uid === pod.uid && toleratesCordon(pod),
};

/** Source: tainttoleration/taint_toleration.go (isSchedulableAfterNodeChange, isSchedulableAfterPodTolerationChange) */
export const taintTolerationHints: Hints = {
  nodeAdded: (waiting, { node }) => isTolerated(waiting, node),
  'node:taints': (waiting, { before, node }) => !isTolerated(waiting, before) && isTolerated(waiting, node),
  'pod:tolerations': (waiting, { pod }) => waiting.uid === pod.uid,
};

function isTolerated({ pod }: PodInfo, { hardTaints }: NodeFacts): boolean {
  return firstUntolerated(hardTaints, pod.spec?.tolerations, NO_SCHEDULE_EFFECTS) === undefined;
}

/** Source: nodeaffinity/node_affinity.go (isSchedulableAfterNodeChange) */
export const nodeAffinityHints: Hints = {
  nodeAdded: (waiting, { node }, { args }) => isAdmitted(node, args.NodeAffinity) && isWanted(waiting, node),
  'node:labels': (waiting, { before, node }, { args }) =>
    isAdmitted(node, args.NodeAffinity) && isWanted(waiting, node) && !isWanted(waiting, before),
};

/** By the affinity that the profile adds to every pod. */
function isAdmitted(node: NodeFacts, { addedAffinity }: NodeAffinityArgs): boolean {
  const required = addedAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
  return required === undefined || compileNodeSelector(required).matches(node);
}

function isWanted({ pod }: PodInfo, node: NodeFacts): boolean {
  return compileRequiredNodeAffinity(pod.spec).matches(node);
}

/** Source: noderesources/fit.go (isSchedulableAfterPodEvent, isSchedulableAfterNodeChange) */
export const nodeResourcesFitHints: Hints = {
  // Of a pod on a node, or of one that was nominated to one: room is kept for both.
  podDeleted: always,
  'pod:scaledDown': (waiting, { before, pod }) =>
    waiting.uid === pod.uid ||
    (pod.nodeName !== '' && asksForAnyOf(waiting, (of) => of(before.requests) > of(pod.requests))),
  nodeAdded: (pod, { node }, { cluster }) => fitsEmpty({ cluster, pod }, node),
  'node:allocatable': (waiting, { before, node }, { cluster }) =>
    fitsEmpty({ cluster, pod: waiting }, node) &&
    (node.allowedPods > before.allowedPods ||
      asksForAnyOf(waiting, (of) => of(node.allocatable) > of(before.allocatable))),
};

const plainFit = new NodeResourcesFitPlugin(defaultPluginArgs.NodeResourcesFit);

/** Whether the node would have room if no pod were on it. Source: isFit */
function fitsEmpty(cycle: Cycle, node: NodeFacts): boolean {
  return plainFit.filter(cycle, plainFit.stateOf(cycle), new NodeInfo(node, {})) === null;
}

type AmountOf = (resources: Resources) => number;

const amounts: readonly AmountOf[] = [
  ({ milliCpu }) => milliCpu,
  ({ memory }) => memory,
  ({ ephemeralStorage }) => ephemeralStorage,
];

/** Whether what is asked holds for a resource of which the pod wants some. */
function asksForAnyOf({ requests }: PodInfo, isSo: (of: AmountOf) => boolean): boolean {
  if (amounts.some((of) => of(requests) > 0 && isSo(of))) return true;
  return [...requests.scalars].some(([name, wanted]) => wanted > 0 && isSo(({ scalars }) => scalars.get(name) ?? 0));
}
