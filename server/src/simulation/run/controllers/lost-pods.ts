import type { SimulatedPod } from '../../cluster/simulated-pod.ts';
import { nodeOfDaemonPod } from '../../cluster/workload-set.ts';
import type { FleetPod, Owner } from './fleet-pod.ts';

/** Pods that others than their controllers deleted, and which these have made for them. */
export class LostPods {
  /** Those for which none has been made yet. */
  readonly #lost = new Map<Owner, Set<FleetPod>>();
  readonly #replacements = new Map<SimulatedPod, SimulatedPod>();

  add(pod: FleetPod): void {
    const { owner } = pod;
    if (owner === null) return;
    const lost = this.#lost.get(owner);
    if (lost === undefined) this.#lost.set(owner, new Set([pod]));
    else lost.add(pod);
  }

  /**
   * A controller makes a pod. Of a StatefulSet or an Indexed Job it is in place of the one of its ordinal, of a DaemonSet
   * of the one of its node.
   */
  replace(owner: Owner, { simulated, ordinal }: FleetPod): void {
    const lost = this.#lost.get(owner) ?? [];
    const node = owner.kind === 'DaemonSet' ? nodeOfDaemonPod(simulated.pod) : undefined;
    for (const each of lost) {
      if (each.ordinal !== ordinal || (node !== undefined && each.node !== node)) continue;
      this.#replacements.set(each.simulated, simulated);
      this.#lost.get(owner)!.delete(each);
      return;
    }
  }

  /** The pod that was made for another, as far as one can be told from the others. */
  replacementOf(lost: SimulatedPod): SimulatedPod | undefined {
    return this.#replacements.get(lost);
  }
}
