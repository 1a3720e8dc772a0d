import type { NodeName } from '../../scheduler/decision.ts';
import type { SimulatedPod } from '../cluster/simulated-pod.ts';
import type { RunEvent } from './run-event.ts';

/** Links each step to the one that made it possible, or brought it about. */
export class StepCauses {
  /** The step at which a pod began to end. */
  readonly #endedBy = new Map<SimulatedPod, number>();
  /** The step at which a controller made a pod. */
  readonly #madeBy = new Map<SimulatedPod, number>();
  /** The last step that freed room on a node. */
  readonly #freedBy = new Map<NodeName, number>();
  /** The last step that took room on a node, or laid claim to it. */
  readonly #takenBy = new Map<NodeName, number>();
  readonly #waited = new Set<SimulatedPod>();

  /** @param step the index that the event gets */
  causeOf(event: RunEvent, step: number): number | null {
    const { kind, pod, node, victims, changed } = event;
    const cause = this.#causeOf(event);
    if (kind === 'nominated' || kind === 'deleted' || kind === 'gone') {
      const ending = kind === 'deleted' ? [pod] : kind === 'nominated' ? victims : [];
      for (const each of ending) this.#endedBy.set(each, step);
      for (const each of changed) {
        if (each !== pod && !victims.includes(each)) this.#madeBy.set(each, step);
      }
    }
    if (kind === 'nominated' || kind === 'pending') this.#waited.add(pod);
    if (kind === 'gone') for (const each of event.freed) this.#freedBy.set(each, step);
    if ((kind === 'nominated' || kind === 'scheduled') && node !== null) this.#takenBy.set(node, step);
    return cause;
  }

  #causeOf({ kind, pod, node, victims }: RunEvent): number | null {
    const made = this.#madeBy.get(pod) ?? null;
    switch (kind) {
      case 'scheduled':
        return this.#waited.has(pod) ? (this.#freedBy.get(node ?? '') ?? made) : made;
      case 'gone':
        return this.#endedBy.get(victims[0] ?? pod) ?? null;
      case 'cleared':
        return this.#takenBy.get(node ?? '') ?? null;
      default:
        return made;
    }
  }
}
