import type { Pod } from '../kubernetes/objects.ts';
import type { ClusterChange, Deletion } from './cluster-change.ts';
import type { DecideOptions } from './decide.ts';
import type { Decision, NodeName, PodKey } from './decision.ts';
import type { PodInfo } from './framework/pod-info.ts';
import type { QueueCounts } from './queue/scheduling-queue.ts';

/** A pod that is created while the scheduler runs. */
export interface Arrival {
  readonly pod: Pod;
  /** Seconds from the start. */
  readonly at: number;
  /** When its scheduling gates are removed, in seconds from the start; never when absent. */
  readonly gatesRemovedAt?: number | undefined;
}

/** A change of the cluster that is no arrival. */
export type PlannedChange =
  | { readonly at: number; readonly change: ClusterChange }
  /** Somebody deletes the object: a pod goes on for its grace period if it runs. */
  | { readonly at: number; readonly deleted: Deletion };

export interface LiveOptions extends DecideOptions {
  /** Seconds. Default 1 and 10. */
  readonly podInitialBackoffSeconds?: number | undefined;
  readonly podMaxBackoffSeconds?: number | undefined;
  /** Ends the run after so many attempts to place a pod. Default 100,000. */
  readonly maxAttempts?: number;
  /** Ends the run before anything that comes later than this. Default one day. */
  readonly maxSeconds?: number;
  /** Goes on to `maxSeconds` with attempts that change nothing, as the real one does. */
  readonly retriesInVain?: boolean;
  /** Why a pod that arrives is refused, by the API server or by the kubelet of the node it names; null when it is not. */
  readonly refusalOf?: (pod: PodInfo) => string | null;
  /** How long a pod has to end, in seconds. Without it, its grace period. */
  readonly graceOf?: (pod: PodInfo) => number;
  /** When a kubelet starts what it is given now, in milliseconds since 1970. Without it, nobody knows. */
  readonly startTime?: (clock: number) => number | null;
  /** What the API server makes of a pod that comes to a node. Without it the pod stays as it is. */
  readonly asBound?: (pod: PodInfo, node: NodeName) => PodInfo;
  /**
   * Pods of one shape differ in their names only. What turned one of them down turns down the others on an unchanged
   * cluster, so they are not worked out again. Without it every pod has its own.
   */
  readonly shapeOf?: (pod: PodInfo) => object;
}

/**
 * - `arrived`: the pod is created; `gated`: it is, and waits for its gates; `gates-removed`: it waits no longer.
 * - `refused`: it is not created, because its name is taken, or because somebody else refuses it.
 * - `bound`: it came with `spec.nodeName`, and the scheduler was not asked.
 * - `scheduled`: it has a node now.
 * - `nominated`: it has a node to wait for, and the victims there are being terminated.
 * - `unschedulable`: it was tried and fits nowhere.
 * - `gone`: pods that were terminating have left their nodes, or a pod that waited was deleted.
 * - `deleted`: it was deleted by hand and is being terminated.
 * - `changed`: it, or another object of the cluster, was created, changed or deleted; `message` says which.
 * - `not-modelled`: the engine cannot answer for it; it is not tried again.
 */
export type LiveEventKind =
  | 'arrived'
  | 'gated'
  | 'gates-removed'
  | 'refused'
  | 'bound'
  | 'scheduled'
  | 'nominated'
  | 'unschedulable'
  | 'gone'
  | 'deleted'
  | 'changed'
  | 'not-modelled';

/** A pod that preemption evicts. */
export interface LiveVictim {
  readonly pod: PodKey;
  readonly priority: number;
  /** When its grace period ends, in seconds. */
  readonly goneAt: number;
  /** The event that Kubernetes records on it (type Normal, reason Preempted). */
  readonly note: string;
}

/** How much preemption there has been so far. */
export interface PreemptionTotals {
  /** As the metric `scheduler_preemption_attempts_total`: whenever preemption was looked at. */
  readonly attempts: number;
  /** Pods evicted. The metric `scheduler_preemption_victims` also counts victims that were terminating already. */
  readonly victims: number;
}

/** One thing that happened. */
export interface LiveEvent {
  readonly kind: LiveEventKind;
  /** Seconds from the start. */
  readonly clock: number;
  /** For `gone` the first of `left`; empty for `changed` of another object. */
  readonly pod: PodKey;
  readonly priority: number;
  readonly node: NodeName | null;
  /** Only for `nominated`: pods that begin to terminate. */
  readonly victims: readonly LiveVictim[];
  /** Only for `nominated`: pods of lower priority that were nominated to the node and no longer are. */
  readonly cleared: readonly PodKey[];
  /** Only for `gone`: all pods that left at that moment. */
  readonly left: readonly PodKey[];
  /** The node that the pod was nominated to before and did not get, or lost. */
  readonly lostNomination: NodeName | null;
  /** Upstream's text where there is one. */
  readonly message: string;
  /** The answer behind `gated`, `scheduled`, `nominated`, `unschedulable` and `not-modelled`. */
  readonly decision: Decision | null;
  /** Right after it happened. */
  readonly queues: QueueCounts;
  readonly preemption: PreemptionTotals;
}

/** Why a run ended. `settled`: nothing will change any more. The others: the bound that was reached. */
export type LiveEnd = 'settled' | 'attempts' | 'time';

/** How a run ended. */
