import { labelValue } from '../../kubernetes/labels.ts';
import { defaultNode } from '../../kubernetes/defaults/objects.ts';
import { selectableNode, type SelectableNode } from '../../kubernetes/node-selector.ts';
import type { Node, Taint } from '../../kubernetes/objects.ts';
import { readResourceList, type ResourceAmounts } from '../../kubernetes/pod-resources.ts';
import { workloadKinds } from '../../kubernetes/pod-template.ts';
import { taintText } from '../../kubernetes/taints.ts';
import { nodesFor, withSizeOf } from '../../simulation/cluster/assumed-nodes.ts';
import { isWithoutSize } from '../../kubernetes/registered-node.ts';
import { addTo, groupBy } from '../../util/maps.ts';
import { derived } from './derived.ts';
import type { Fact, FactsReader } from './fact.ts';
import { makesNodes } from './pools.ts';
import type { Settings } from '../settings/settings.ts';

/** A node as pods look at it. */
export interface KnownNode {
  readonly name: string;
  /** Undefined for a node that is only assumed. */
  readonly fact: Fact | undefined;
  readonly node: Node;
  readonly selectable: SelectableNode;
  readonly taints: readonly Taint[];
}

/** The values that nodes have of a label, in order, and the nodes without it. */
export interface Domains {
  readonly byValue: ReadonlyMap<string, readonly KnownNode[]>;
  readonly without: readonly KnownNode[];
}

/** Nodes that offer the same. */
export interface NodeSize {
  readonly allocatable: ResourceAmounts;
  readonly nodes: readonly KnownNode[];
}

interface TaintedNodes {
  readonly taint: Taint;
  readonly nodes: readonly KnownNode[];
}

/** Answers that are kept for one list of nodes before all are forgotten: each is about one text that was hovered. */
const keptAnswers = 500;

/** The nodes that answers rest on; what is worked out from all of them is worked out once. */
export class KnownNodes {
  readonly nodes: readonly KnownNode[];
  /** Whether nobody declares a node, so that some are assumed; none where pools make them. */
  readonly areAssumed: boolean;
  readonly byName: ReadonlyMap<string, KnownNode>;
  readonly #domains = new Map<string, Domains>();
  readonly #matching = new Map<string, readonly KnownNode[]>();
  #sizes: readonly NodeSize[] | undefined;
  #taints: readonly TaintedNodes[] | undefined;

  constructor(nodes: readonly KnownNode[], areAssumed: boolean) {
    this.nodes = nodes;
    this.areAssumed = areAssumed;
    this.byName = new Map(nodes.map((node) => [node.name, node]));
  }

  /** Into what a label divides the nodes. */
  domains(key: string): Domains {
    let domains = this.#domains.get(key);
    if (domains === undefined) {
      const byValue = new Map<string, KnownNode[]>();
      const without: KnownNode[] = [];
      for (const node of this.nodes) {
        const value = labelValue(node.selectable.labels, key);
        if (value === undefined) without.push(node);
        else addTo(byValue, value, node);
      }
      domains = { byValue: new Map([...byValue].sort(([a], [b]) => (a < b ? -1 : 1))), without };
      if (this.#domains.size >= keptAnswers) this.#domains.clear();
      this.#domains.set(key, domains);
    }
    return domains;
  }

  /** @param key says what is asked, as text */
  matching(key: string, matches: (node: KnownNode) => boolean): readonly KnownNode[] {
    let nodes = this.#matching.get(key);
    if (nodes === undefined) {
      nodes = this.nodes.filter(matches);
      if (this.#matching.size >= keptAnswers) this.#matching.clear();
      this.#matching.set(key, nodes);
    }
    return nodes;
  }

  /** By what they offer, the largest first. */
  get sizes(): readonly NodeSize[] {
    this.#sizes ??= sizesOf(this.nodes);
    return this.#sizes;
  }

  /** Every taint with the nodes that have it, the most frequent first. */
  get taints(): readonly TaintedNodes[] {
    if (this.#taints === undefined) {
      const byText = new Map<string, { readonly taint: Taint; readonly nodes: KnownNode[] }>();
      for (const node of this.nodes) {
        for (const taint of node.taints) {
          const text = taintText(taint);
          const known = byText.get(text);
          if (known === undefined) byText.set(text, { taint, nodes: [node] });
          else if (known.nodes.at(-1) !== node) known.nodes.push(node);
        }
      }
      this.#taints = [...byText.values()].sort((a, b) => b.nodes.length - a.nodes.length);
    }
    return this.#taints;
  }
}

function sizesOf(nodes: readonly KnownNode[]): readonly NodeSize[] {
  const bySize = groupBy(nodes, (known) => JSON.stringify(known.node.status?.allocatable ?? {}));
  return [...bySize.values()]
    .map((alike) => ({ allocatable: readResourceList(alike[0].node.status?.allocatable), nodes: alike }))
    .sort((a, b) => compareAmounts(b, a, 'cpu') || compareAmounts(b, a, 'memory'));
}

function compareAmounts(one: NodeSize, other: NodeSize, resource: string): number {
  const [left, right] = [one, other].map(({ allocatable }) => allocatable.get(resource)?.nanos ?? 0n);
  return left! < right! ? -1 : left! > right! ? 1 : 0;
}

const declaredNodes = derived(
  ['Node'],
  (declared) =>
    new KnownNodes(
      declared.map((fact) => knownNode(fact.object, fact)),
      false,
    ),
);

/** What assumed nodes go by. */
const asking = derived(
  [...workloadKinds, 'LimitRange', 'RuntimeClass', 'HorizontalPodAutoscaler', 'ScaledObject', 'PersistentVolume'],
  (...lists) => lists.flatMap((list) => list.map(({ object }) => object)),
);

/** Pools make nodes when pods ask for them: until then there is none to speak of. */
const ofPools = new KnownNodes([], true);

const assumed = new WeakMap<readonly Node[], KnownNodes>();

/** The declared nodes, or those that are assumed where nobody declares one and no pool makes one. */
export function knownNodes(facts: FactsReader, { cluster: { assumedNodes } }: Settings): KnownNodes {
  const declared = declaredNodes(facts);
  if (declared.nodes.length > 0) return declared;
  if (makesNodes(facts) && assumedNodes.every(({ count }) => count === undefined)) return ofPools;
  const nodes = nodesFor(assumedNodes, asking(facts));
  let known = assumed.get(nodes);
  if (known === undefined) {
    known = new KnownNodes(
      nodes.map((node) => knownNode(node, undefined)),
      true,
    );
    assumed.set(nodes, known);
  }
  return known;
}

function knownNode(written: Node, fact: Fact | undefined): KnownNode {
  const node = defaultNode(isWithoutSize(written) ? withSizeOf(written, nodesFor([], [])[0]!) : written);
  return {
    name: node.metadata?.name ?? '',
    fact,
    node,
    selectable: selectableNode(node),
    taints: taintsOf(node),
  };
}

/** A cordoned node has a taint that tolerations are asked for. Source: pkg/scheduler/framework/plugins/nodeunschedulable */
const cordon: Taint = { key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule' };

function taintsOf({ spec }: Node): readonly Taint[] {
  const written = spec?.taints ?? [];
  if (spec?.unschedulable !== true || written.some(({ key }) => key === cordon.key)) return written;
  return [...written, cordon];
}
