import type { PodKey, UnschedulableDecision } from './decision.ts';

interface Failure {
  readonly version: number;
  readonly decision: UnschedulableDecision;
}

/** What turned down pods of each shape, to be asked for others of that shape while the cluster is the same. */
export class SharedFailures {
  readonly #known = new WeakMap<object, Failure>();

  add(shape: object, version: number, decision: UnschedulableDecision): void {
    this.#known.set(shape, { version, decision });
  }

  /** The same answer for another pod; null when none is known. */
  of(shape: object, version: number, pod: PodKey): UnschedulableDecision | null {
    const known = this.#known.get(shape);
    if (known?.version !== version) return null;
    return copyOf(known.decision, { pod, repeats: known.decision });
  }
}

/** The decision with some of it changed. Parts that are worked out when they are read stay getters. */
export function copyOf(
  decision: UnschedulableDecision,
  changes: Partial<Pick<UnschedulableDecision, 'pod' | 'repeats' | 'group'>>,
): UnschedulableDecision {
  return {
    kind: decision.kind,
    pod: decision.pod,
    mayVary: decision.mayVary,
    preFilter: decision.preFilter,
    preemption: decision.preemption,
    losesNomination: decision.losesNomination,
    failure: decision.failure,
    freedClaims: decision.freedClaims,
    deletedClaim: decision.deletedClaim,
    rejectedBy: decision.rejectedBy,
    repeats: decision.repeats,
    ...changes,
    get message() {
      return decision.message;
    },
    get refusals() {
      return decision.refusals;
    },
    get sharedRefusals() {
      return decision.sharedRefusals;
    },
  };
}
