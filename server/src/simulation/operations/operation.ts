import type { Node, Taint, Toleration } from '../../kubernetes/objects.ts';

/** An object that an operation names. */
export interface Target {
  readonly kind: string;
  /** Empty for objects of the cluster. */
  readonly namespace: string;
  readonly name: string;
}

/** `kubectl drain`'s flags. */
export interface DrainOptions {
  readonly ignoreDaemonSets: boolean;
  readonly deleteEmptyDirData: boolean;
  readonly force: boolean;
  readonly disableEviction: boolean;
  /** The pod's own when absent. */
  readonly gracePeriodSeconds?: number | undefined;
}

/** What new nodes are like: another node, or a size. */
export type NodeModel = { readonly node: string } | NodeSize;

/** Nodes that an autoscaler asks a pool for, one by one. */
export interface PoolNodes {
  readonly pool: string;
  readonly templates: readonly Node[];
}

export interface NodeSize {
  readonly cpu: string;
  readonly memory: string;
  readonly pods: string;
}

/** A taint as it is written; without an effect it means all of that key, to be taken away. */
export interface WrittenTaint {
  readonly key: string;
  readonly value?: string | undefined;
  readonly effect: Taint['effect'] | null;
}

/**
 * A change of a cluster, in the words of what-if and of scenarios. `remove` takes a node with its pods, or a budget;
 * `delete` an object with all that it controls; `arrive` holds a workload back until then; `finish` ends the pods of a
 * Job or a pod; `fail` ends the kubelet of a node; after `unready` no new pod of a workload becomes ready.
 */
export type Operation =
  | { readonly verb: 'drain'; readonly node: string; readonly options: DrainOptions }
  | { readonly verb: 'cordon' | 'uncordon' | 'fail'; readonly node: string }
  | {
      readonly verb: 'add';
      readonly count: number;
      readonly like: NodeModel | PoolNodes;
      /** Of another size than the node that they are like. */
      readonly size?: NodeSize;
      /** Labels besides. */
      readonly labels?: Readonly<Record<string, string>>;
    }
  | { readonly verb: 'remove' | 'delete' | 'ungate' | 'arrive' | 'finish' | 'unready'; readonly target: Target }
  | { readonly verb: 'scale'; readonly target: Target; readonly replicas: number }
  | { readonly verb: 'priority'; readonly target: Target; readonly className: string }
  | {
      readonly verb: 'class';
      readonly name: string;
      readonly value?: number | undefined;
      readonly preemptionPolicy?: 'Never' | 'PreemptLowerPriority' | undefined;
    }
  | { readonly verb: 'request'; readonly target: Target; readonly requests: Readonly<Record<string, string>> }
  | {
      readonly verb: 'budget';
      readonly target: Target;
      readonly bound: 'minAvailable' | 'maxUnavailable' | 'unhealthyPodEvictionPolicy';
      readonly value: string | number;
    }
  | { readonly verb: 'quota'; readonly target: Target; readonly hard: Readonly<Record<string, string>> }
  /** Of a NodePool, or as `nodes` the maximum of a group. */
  | { readonly verb: 'limit'; readonly target: Target; readonly limits: Readonly<Record<string, string>> }
  | { readonly verb: 'tolerate'; readonly target: Target; readonly toleration: Toleration }
  /** A null value takes the label away. */
  | { readonly verb: 'label'; readonly node: string; readonly key: string; readonly value: string | null }
  /** What pods use, or each pod of a workload; the others use what they request. */
  | {
      readonly verb: 'pressure';
      readonly node: string;
      readonly usage: readonly { readonly target: Target; readonly memory: string }[];
    }
  | { readonly verb: 'taint'; readonly node: string; readonly taint: WrittenTaint; readonly removes: boolean };

export type Verb = Operation['verb'];

/** An operation and when it happens. */
export interface ScenarioEvent {
  readonly operation: Operation;
  /** Seconds from the start; null for right after the one before has settled. */
  readonly at: number | null;
  /** As it was written. */
  readonly text: string;
}

const inRun: ReadonlySet<Verb> = new Set<Verb>(['drain', 'fail', 'arrive', 'finish', 'unready', 'pressure']);

/** Whether an operation is something that happens to a cluster in motion, and no change of its objects. */
export function happensInRun(operation: Operation): boolean {
  // Who runs on the node has to leave it.
  if (operation.verb === 'taint') return operation.taint.effect === 'NoExecute' && !operation.removes;
  return inRun.has(operation.verb);
}
