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
    return known?.version === version ? forPod(pod, known.decision) : null;
  }
}

/** The same decision about another pod. Parts that are worked out when they are read stay getters. */
function forPod(pod: PodKey, decision: UnschedulableDecision): UnschedulableDecision {
  return {
    kind: decision.kind,
    pod,
    mayVary: decision.mayVary,
    preFilter: decision.preFilter,
    preemption: decision.preemption,
    losesNomination: decision.losesNomination,
    failure: decision.failure,
    freedClaims: decision.freedClaims,
    deletedClaim: decision.deletedClaim,
    rejectedBy: decision.rejectedBy,
    repeats: decision,
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
