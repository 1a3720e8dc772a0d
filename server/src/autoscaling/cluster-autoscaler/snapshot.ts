import type { Node, Pod } from '../../kubernetes/objects.ts';
import { nameOf } from '../../kubernetes/names.ts';
import { ClusterState, clusterObjectsOf, NodeFilters } from '../../scheduler/index.ts';
import type { KubeObject } from '../../kubernetes/objects.ts';

/** Where a search for a node went on; one for the whole life of Cluster Autoscaler. */
interface LastMatch {
  index: number;
}

/**
 * The cluster that Cluster Autoscaler tries things on.
 * Source: cluster-autoscaler/simulator/clustersnapshot/predicate (predicate_snapshot.go, plugin_runner.go)
 */
export class Snapshot {
  readonly #cluster: ClusterState;
  /** In the order in which they are looked at. */
  readonly #names: string[];
  readonly #last: LastMatch;

  private constructor(cluster: ClusterState, names: string[], last: LastMatch) {
    this.#cluster = cluster;
    this.#names = names;
    this.#last = last;
  }

  static of(nodes: readonly Node[], pods: readonly Pod[], others: readonly KubeObject[] = []): Snapshot {
    const cluster = ClusterState.from(clusterObjectsOf([...nodes, ...pods, ...others]));
    return new Snapshot(cluster, nodes.map(nameOf), { index: 0 });
  }

  fork(): Snapshot {
    return new Snapshot(this.#cluster.branch(), [...this.#names], this.#last);
  }

  addNode(node: Node, pods: readonly Pod[]): void {
    this.#cluster.putNode(node);
    this.#names.push(nameOf(node));
    for (const pod of pods) this.#put(pod, nameOf(node));
  }

  /** Why a pod cannot be on a node; null when it can. */
  refusal(pod: Pod, name: string): readonly string[] | null {
    return new NodeFilters(this.#cluster, this.#cluster.arriving(pod)).refusal(name);
  }

  /** Puts the pod there if it can be; else says why not. */
  schedule(pod: Pod, name: string): readonly string[] | null {
    const refusal = this.refusal(pod, name);
    if (refusal === null) this.#put(pod, name);
    return refusal;
  }

  /** Puts the pod on the first node that takes it, behind the one that was found last; says on which. */
  scheduleOnAny(pod: Pod, isAcceptable: (name: string) => boolean): string | undefined {
    const filters = new NodeFilters(this.#cluster, this.#cluster.arriving(pod));
    const count = this.#names.length;
    for (let step = 0; step < count; step++) {
      const index = (step + 1 + this.#last.index) % count;
      const name = this.#names[index]!;
      if (this.#cluster.node(name)!.facts.unschedulable || !isAcceptable(name)) continue;
      if (filters.refusal(name) !== null) continue;
      this.#last.index = index;
      this.#put(pod, name);
      return name;
    }
    return undefined;
  }

  #put(pod: Pod, name: string): void {
    this.#cluster.bind(this.#cluster.arriving(pod), name);
  }
}
