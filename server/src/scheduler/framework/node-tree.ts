import { labelValue } from '../../kubernetes/labels.ts';
import { nameOf } from '../../kubernetes/names.ts';
import type { Node } from '../../kubernetes/objects.ts';
import { groupBy } from '../../util/maps.ts';
import { compareBytewise } from './order.ts';

/**
 * The nodes by zone, which gives the order in which the scheduler's snapshot lists them: zones in order of first
 * appearance, then round robin, one node of each zone at a time. Immutable.
 * Source: pkg/scheduler/backend/cache/node_tree.go
 */
export class NodeTree {
  readonly #zones: ReadonlyMap<string, readonly Node[]>;

  private constructor(zones: ReadonlyMap<string, readonly Node[]>) {
    this.#zones = zones;
  }

  /** Nodes appear in name order, as the API server lists them. */
  static from(nodes: readonly Node[]): NodeTree {
    const zones = groupBy(
      [...nodes].sort((a, b) => compareBytewise(nameOf(a), nameOf(b))),
      zoneKeyOf,
    );
    return new NodeTree(zones);
  }

  inOrder(): readonly Node[] {
    const ordered: Node[] = [];
    const zones = [...this.#zones.values()];
    const longest = Math.max(0, ...zones.map((zone) => zone.length));
    for (let i = 0; i < longest; i++) {
      for (const zone of zones) {
        const node = zone[i];
        if (node !== undefined) ordered.push(node);
      }
    }
    return ordered;
  }

  /** With one more node, the last of its zone; one of that name keeps its place as long as it stays in its zone. */
  with(node: Node): NodeTree {
    const key = zoneKeyOf(node);
    const zone = this.#zones.get(key);
    const at = zone?.findIndex((each) => nameOf(each) === nameOf(node)) ?? -1;
    if (zone !== undefined && at >= 0) return new NodeTree(new Map(this.#zones).set(key, zone.with(at, node)));
    const zones = new Map(this.without(nameOf(node)).#zones);
    return new NodeTree(zones.set(key, [...(zones.get(key) ?? []), node]));
  }

  without(name: string): NodeTree {
    const zones = new Map<string, readonly Node[]>();
    for (const [key, zone] of this.#zones) {
      const left = zone.filter((each) => nameOf(each) !== name);
      if (left.length > 0) zones.set(key, left);
    }
    return new NodeTree(zones);
  }
}

/** Source: staging/src/k8s.io/component-helpers/node/topology/helpers.go (GetZoneKey) */
function zoneKeyOf(node: Node): string {
  const labels = node.metadata?.labels;
  const zone =
    labelValue(labels, 'failure-domain.beta.kubernetes.io/zone') ?? labelValue(labels, 'topology.kubernetes.io/zone');
  const region =
    labelValue(labels, 'failure-domain.beta.kubernetes.io/region') ??
    labelValue(labels, 'topology.kubernetes.io/region');
  return zone === undefined && region === undefined ? '' : `${region ?? ''}:\u0000:${zone ?? ''}`;
}
