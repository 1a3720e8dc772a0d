import type { Taint } from '../../kubernetes/objects.ts';
import type { ResourceAmounts } from '../../kubernetes/pod-resources.ts';
import { fits, subtract, subtractDownToNone } from './amounts.ts';
import type { HostPortUsage } from './host-port-usage.ts';
import { hostnameKey } from './labels.ts';
import type { PodData } from './node-claim.ts';
import { Requirement } from './requirement.ts';
import { areCompatible, labelRequirements, type Requirements, together, withMore } from './requirements.ts';
import type { StateNode } from './state-nodes.ts';
import type { Topology } from './topology.ts';
import type { VolumeUsage } from './volumes.ts';
import { untolerated, type WorkingPod } from './working-pod.ts';

/** A machine that is there, and its room. Source: karpenter …/scheduling/existingnode.go at v1.13.0 */
export class ExistingNode {
  readonly state: StateNode;
  readonly pods: WorkingPod[] = [];
  readonly #taints: readonly Taint[];
  readonly #topology: Topology;
  readonly #hostPorts: HostPortUsage;
  readonly #volumes: VolumeUsage;
  #room: ResourceAmounts;
  #requirements: Requirements;

  /** What its DaemonSets still want to put there is kept for them. */
  constructor(state: StateNode, topology: Topology, daemons: ResourceAmounts) {
    this.state = state;
    this.#taints = state.taints;
    this.#topology = topology;
    this.#hostPorts = state.hostPorts();
    this.#volumes = state.volumes();
    this.#room = subtract(state.available, subtractDownToNone(daemons, state.daemonSetRequests));
    this.#requirements = together(labelRequirements(state.labels), [Requirement.in(hostnameKey, state.hostname)]);
    topology.registerHost(state.hostname);
  }

  /** What is known of the node with the pod on it; undefined when it cannot be there. Source: CanAdd */
  canAdd(pod: WorkingPod, data: PodData, volumes: ReadonlyMap<string, readonly string[]>): Requirements | undefined {
    if (untolerated(this.#taints, pod.tolerations).length > 0) return undefined;
    if (this.#volumes.exceeds(volumes)) return undefined;
    if (this.#hostPorts.conflict(pod.key, pod.pod) !== undefined) return undefined;
    if (!fits(data.requests, this.#room)) return undefined;
    // A label that the node lacks is not there, however well known it is.
    if (!areCompatible(this.#requirements, data.requirements)) return undefined;
    const base = withMore(this.#requirements, data.requirements.values());
    for (const alternative of data.volumes.length === 0 ? [undefined] : data.volumes) {
      if (alternative !== undefined && !areCompatible(base, alternative)) continue;
      const requirements = alternative === undefined ? base : withMore(base, alternative.values());
      const narrowed = this.#topology.narrow(pod, this.#taints, data.strict, requirements);
      if (narrowed instanceof Map && areCompatible(requirements, narrowed as Requirements)) {
        return withMore(requirements, (narrowed as Requirements).values());
      }
    }
    return undefined;
  }

  add(
    pod: WorkingPod,
    data: PodData,
    requirements: Requirements,
    volumes: ReadonlyMap<string, readonly string[]>,
  ): void {
    this.pods.push(pod);
    this.#room = subtract(this.#room, data.requests);
    this.#requirements = requirements;
    this.#topology.record(pod, this.#taints, requirements);
    this.#hostPorts.add(pod.key, pod.pod);
    this.#volumes.add(volumes);
  }
}
