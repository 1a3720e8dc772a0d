import type { NodeName } from './decision.ts';
import type { ClusterState } from './framework/cluster-state.ts';
import { type PreFilterResult, runFilters } from './framework/framework.ts';
import type { PodInfo } from './framework/pod-info.ts';
import { defaultProfileOf } from './framework/profile.ts';
import { frameworkOf } from './plugins/registry.ts';

/**
 * Runs the filters of the default profile for one pod, node by node: whoever simulates the scheduler to see whether a pod
 * fits somewhere asks no more of it. Holds for the state as it is now.
 */
export class NodeFilters {
  readonly #cluster: ClusterState;
  readonly #pod: PodInfo;
  readonly #active: PreFilterResult;

  constructor(cluster: ClusterState, pod: PodInfo) {
    this.#cluster = cluster;
    this.#pod = pod;
    this.#active = frameworkOf(defaultProfileOf(cluster.release)).preFilter({ cluster, pod });
  }

  /** Why the pod cannot be on the node; null when it can. The list may be empty. */
  refusal(name: NodeName): readonly string[] | null {
    const { rejected, nodes, filters } = this.#active;
    if (rejected !== null) return rejected.reasons;
    const node = this.#cluster.node(name);
    if (node === undefined || (nodes !== null && !nodes.has(name))) return [];
    return runFilters({ cluster: this.#cluster, pod: this.#pod }, filters, node)?.reasons ?? null;
  }
}
