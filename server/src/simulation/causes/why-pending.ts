import { getOrInsert } from '../../util/maps.ts';
import { joined } from '../../util/say.ts';
import type { Decision } from '../../scheduler/decision.ts';
import type { Run } from '../run/run.ts';
import type { SimulatedCluster } from '../cluster/simulated-cluster.ts';
import type { SimulatedPod } from '../cluster/simulated-pod.ts';
import { causeText, ownText, partName } from './cause-text.ts';
import { causeOf, pendingPod, type Surroundings, surroundingsOf, templateOf } from './find-causes.ts';

interface Texts {
  readonly whole: string;
  readonly own: string;
  readonly lacks: string;
}

/** Why pods are pending, in the words of reports, as things stand in a run. What is known of one holds for all alike. */
export class WhyPending {
  readonly #around: Surroundings;
  readonly #simulated: SimulatedCluster;
  readonly #known = new Map<object, Texts>();

  constructor(run: Run, simulated: SimulatedCluster) {
    this.#around = surroundingsOf(run, simulated);
    this.#simulated = simulated;
  }

  /** What keeps it from the nearest node, and from the others. */
  of(pod: SimulatedPod, decision: Decision | null): string {
    return this.#textsOf(pod, decision).whole;
  }

  /** What keeps it from the nearest node alone. */
  own(pod: SimulatedPod, decision: Decision | null): string {
    return this.#textsOf(pod, decision).own;
  }

  /** The same in a word or two for each kind of cause. */
  lacks(pod: SimulatedPod, decision: Decision | null): string {
    return this.#textsOf(pod, decision).lacks;
  }

  #textsOf(pod: SimulatedPod, decision: Decision | null): Texts {
    return getOrInsert(this.#known, pod.shape, () => {
      const { state, nodes } = this.#around;
      const cause = causeOf(
        pendingPod(pod.pod, state),
        decision,
        this.#around,
        templateOf(pod.workload, this.#simulated),
      );
      const names = { node: (index: number) => nodes[index]?.name ?? '', nodes: nodes.length };
      const message = decision === null || decision.kind === 'fits' ? '' : decision.message;
      return cause.parts.length === 0
        ? { whole: message, own: message, lacks: '' }
        : {
            whole: causeText(cause, names),
            own: ownText(cause, names),
            lacks: joined([...new Set(cause.parts.map(partName))], ', '),
          };
    });
  }
}
