import { joined, say } from '../../util/say.ts';
import { count, qualifiedName } from '../../util/words.ts';
import type { HorizontalPodAutoscaler } from '../../kubernetes/objects.ts';
import { workloadKey } from '../../kubernetes/names.ts';
import { replicasOf } from '../../kubernetes/pod-template.ts';
import { minReplicasOf } from '../../disruption/autoscaling.ts';
import { autoscalers } from '../index/autoscalers.ts';
import type { Fact } from '../index/fact.ts';
import type { Facts } from '../index/facts.ts';
import type { KnownNode, KnownNodes } from '../index/known-nodes.ts';
import { code, link } from '../connection/markdown.ts';

/** How many objects a hover names before it only counts. */
const named = 4;

/** The name of an object as a link to where it is written. */
export function factLink(fact: Fact, facts: Facts): string {
  const origin = facts.originOf(fact);
  const name = code(fact.name === '' ? fact.kind : qualifiedName(fact));
  return origin === undefined ? name : link(name, origin.uri, origin.range.start.line);
}

/** Several names, with what follows each, and how many more there are. */
export function factLinks<Item extends Fact>(
  facts: readonly Item[],
  all: Facts,
  after: (fact: Item) => string = () => '',
): string {
  return some(facts, (fact) => say`${factLink(fact, all)}${after(fact)}`);
}

export function nodeLink({ name, fact }: KnownNode, facts: Facts): string {
  return fact === undefined ? code(name) : factLink(fact, facts);
}

/** Several nodes, with what follows each, and how many more there are. */
export function nodeLinks(
  nodes: readonly KnownNode[],
  facts: Facts,
  after: (node: KnownNode) => string = () => '',
): string {
  return some(nodes, (node) => say`${nodeLink(node, facts)}${after(node)}`);
}

/** The first of some things in words, and how many more there are. */
export function some<Item>(items: readonly Item[], text: (item: Item) => string, atMost = named): string {
  const shown = items.slice(0, atMost).map(text);
  const rest = items.length - shown.length;
  return say`${joined(shown, ', ')}${rest > 0 ? say` and ${rest} more` : ''}`;
}

/** `3 pods`, `2 to 6 pods`, `one on each node`. */
export function podsText(workload: Fact, facts: Facts): string {
  const { kind, namespace, name, object } = workload;
  if (kind === 'DaemonSet') return say`one on each node`;
  const scaler = autoscalers(facts).get(workloadKey(kind, namespace, name))?.object as
    HorizontalPodAutoscaler | undefined;
  if (scaler === undefined) return count(replicasOf(object), 'pod');
  return say`${minReplicasOf(scaler)} to ${count(scaler.spec.maxReplicas, 'pod')}`;
}

/** `5 known nodes`, `3 assumed nodes`. */
export function nodesText({ nodes, areAssumed }: KnownNodes): string {
  return count(nodes.length, areAssumed ? 'assumed node' : 'known node');
}
