import { labelValue } from '../../kubernetes/labels.ts';
import type { Node } from '../../kubernetes/objects.ts';
import { compareBytewise } from './order.ts';
import { imagesOf, type ImageState } from './images.ts';
import { NodeTree } from './node-tree.ts';
import { type NodeFacts, nodeFactsOf } from './node-facts.ts';

/** The values of one label over all nodes, numbered densely. */
export interface TopologyColumn {
  readonly key: string;
  /** By node index: the number of its value, or -1 where the node lacks the label. */
  readonly valueOfNode: Int32Array;
  /** The values by number, in order of first appearance. */
  readonly values: readonly string[];
}

/**
 * The nodes of a cluster, without their pods. Immutable and shared by a cluster state and all its branches, so what is
 * worked out here is worked out once.
 */
export class NodeSet {
  /** In the order of the scheduler's snapshot. */
  readonly facts: readonly NodeFacts[];
  /** Whether any node has a taint of effect NoSchedule or NoExecute. */
  readonly anyHardTaint: boolean;
  readonly anySoftTaint: boolean;
  readonly anyUnschedulable: boolean;
  /** Image name (normalised) → its size and spread; empty when no node reports images. */
  readonly images: ReadonlyMap<string, ImageState>;
  readonly #tree: NodeTree;
  readonly #byName: ReadonlyMap<string, number>;
  readonly #columns = new Map<string, TopologyColumn>();
  #rank: Int32Array | undefined;

  private constructor(tree: NodeTree, like?: NodeSet) {
    this.#tree = tree;
    this.facts = tree.inOrder().map((node, index) => {
      const known = like?.facts[like.indexOf(node.metadata?.name ?? '') ?? -1];
      if (known?.node !== node) return nodeFactsOf(node, index);
      return known.index === index ? known : { ...known, index };
    });
    this.#byName = new Map(this.facts.map((facts) => [facts.name, facts.index]));
    this.anyHardTaint = this.facts.some((facts) => facts.hardTaints.length > 0);
    this.anySoftTaint = this.facts.some((facts) => facts.softTaints.length > 0);
    this.anyUnschedulable = this.facts.some((facts) => facts.unschedulable);
    this.images = imagesOf([...this.facts].sort((a, b) => this.nameRank[a.index]! - this.nameRank[b.index]!));
  }

  /**
   * `nodes` with API defaults applied; of two with one name the later counts.
   * @param like another set: what is the same in it is taken from there
   */
  static from(nodes: readonly Node[], like?: NodeSet): NodeSet {
    const unique = new Map(nodes.map((node) => [node.metadata?.name ?? '', node]));
    return new NodeSet(NodeTree.from([...unique.values()]), like);
  }

  /** The same nodes and one more, the last of its zone, or one in place of another. */
  with(node: Node): NodeSet {
    return new NodeSet(this.#tree.with(node));
  }

  without(name: string): NodeSet {
    return new NodeSet(this.#tree.without(name));
  }

  get size(): number {
    return this.facts.length;
  }

  /** The position of a node; undefined when there is none of that name. */
  indexOf(name: string): number | undefined {
    return this.#byName.get(name);
  }

  /** By node index: the place of the node's name among all names, sorted bytewise. */
  get nameRank(): Int32Array {
    if (this.#rank === undefined) {
      const order = this.facts.map((facts) => facts.index);
      order.sort((a, b) => compareBytewise(this.facts[a]!.name, this.facts[b]!.name));
      this.#rank = new Int32Array(this.facts.length);
      for (const [rank, index] of order.entries()) this.#rank[index] = rank;
    }
    return this.#rank;
  }

  /** The values of a node label, numbered. */
  column(key: string): TopologyColumn {
    const known = this.#columns.get(key);
    if (known !== undefined) return known;
    const valueOfNode = new Int32Array(this.facts.length).fill(-1);
    const values: string[] = [];
    const numbers = new Map<string, number>();
    for (const facts of this.facts) {
      const value = labelValue(facts.labels, key);
      if (value === undefined) continue;
      let number = numbers.get(value);
      if (number === undefined) {
        number = values.length;
        numbers.set(value, number);
        values.push(value);
      }
      valueOfNode[facts.index] = number;
    }
    const column: TopologyColumn = { key, valueOfNode, values };
    this.#columns.set(key, column);
    return column;
  }
}
