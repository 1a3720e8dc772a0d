import type { Origin, Pod } from '../../kubernetes/objects.ts';
import type { PodInfo, PodKey } from '../../scheduler/index.ts';
import type { Amounts } from '../../report-model/report.ts';

/** A class that a pod names and nobody declares, though the cluster may have it. */
export interface MissingClass {
  readonly kind: 'PriorityClass' | 'RuntimeClass';
  readonly name: string;
}

/** A pod that takes part in a simulation: one that runs, one that a workload makes, or one that replaces a victim. */
export interface SimulatedPod {
  readonly key: PodKey;
  /** As the API server would store it: defaulted, and admitted unless `refusal` says otherwise. */
  readonly pod: Pod;
  /** The scheduler's view of it when it came in. */
  readonly info: PodInfo;
  /** Index of its workload. */
  readonly workload: number;
  readonly origin: Origin | null;
  readonly priority: number;
  readonly className: string | null;
  /** It runs without saying its priority, which was taken from its class. */
  readonly hasDerivedPriority: boolean;
  readonly preemptionPolicy: 'PreemptLowerPriority' | 'Never';
  readonly requests: Amounts;
  readonly gracePeriodSeconds: number;
  /** The cluster has it: what admits pods has taken it. */
  readonly isStored: boolean;
  /** The API server's text when it refuses to create the pod; empty when it does not. */
  readonly refusal: string;
  /** The class that it is refused for, where the cluster may have classes that nobody declares. */
  readonly missingClass: MissingClass | null;
  /** Pods with the same shape differ only in their names, so the scheduler answers the same for them. */
  readonly shape: object;
}
