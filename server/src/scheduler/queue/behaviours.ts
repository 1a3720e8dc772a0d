/** What the queue of a minor does otherwise than its neighbours'. */
export interface QueueBehaviours {
  /**
   * A preemptor whose victims all terminate already still clears lower nominations on its node.
   * Source: prepareCandidateAsync in pkg/scheduler/framework/preemption
   */
  readonly clearsNominationsForTerminatingVictims: boolean;
  /**
   * That a nominated pod is bound is taken for its deletion, and frees the room that was held for it.
   * Source: deletePodFromSchedulingQueue in pkg/scheduler/eventhandlers.go
   */
  readonly bindingEndsNomination: boolean;
  /** Pods that are only nominated to a node wake others as those on a node do. Source: pull request 135392 */
  readonly hintsSeeNominatedPods: boolean;
  /** A pod is tried again when its own labels change. Source: pull request 135394, for InterPodAffinity */
  readonly hintsSeeOwnLabels: boolean;
  /** That a pod goes which kept the waiting one away is noticed. Source: pull request 135325, for InterPodAffinity */
  readonly hintsSeeAntiAffinityOfOthers: boolean;
}

/** Kubernetes 1.36. */
export const latestQueueBehaviours: QueueBehaviours = {
  clearsNominationsForTerminatingVictims: false,
  bindingEndsNomination: false,
  hintsSeeNominatedPods: true,
  hintsSeeOwnLabels: true,
  hintsSeeAntiAffinityOfOthers: true,
};
