import type { Blocker } from '../decision.ts';
import type { ClusterState } from './cluster-state.ts';
import type { NodeInfo } from './node-info.ts';
import type { PodInfo } from './pod-info.ts';
import type { PluginArgs } from './profile.ts';
import type { Status } from './status.ts';

export type { Blocker, DeviceProblem, RequestShortage } from '../decision.ts';

/** What one scheduling attempt is about. */
export interface Cycle {
  readonly cluster: ClusterState;
  /** The pod that is looking for a node. */
  readonly pod: PodInfo;
  /** Milliseconds since 1970; without it every time that is written is long ago. */
  readonly now?: number | undefined;
  /** The arguments of the profile; the default ones without them. */
  readonly args?: PluginArgs;
}

/** The plugin has nothing to say in this cycle. */
export const skip: unique symbol = Symbol('Skip');

/** A PreFilter plugin turned the pod down, whatever the node. */
export interface Rejected {
  readonly rejected: Status;
}

/** PreFilter went well. */
interface Ready<State> {
  readonly state: State;
  /** Only these nodes can take the pod; all of them when absent. Source: framework.PreFilterResult */
  readonly nodes?: ReadonlySet<string>;
}

export type PreFilterAnswer<State> = typeof skip | Rejected | Ready<State>;

/**
 * A scheduler plugin: a subset of these extension points, each as upstream has it. A plugin object holds its arguments
 * only; what it works out for one cycle is a state value that the framework hands back to it.
 *
 * Loops over many nodes have a second form (`filterNodes`, `scoreNodes`). It must give the same answers as the form for
 * one node, and exists for speed only.
 * Source: staging/src/k8s.io/kube-scheduler/framework/interface.go
 */
export interface Plugin<FilterState = unknown, ScoreState = unknown> {
  readonly name: string;

  /**
   * Whether Filter looks at the pods of the node (or of other nodes): then its answer may change when pods leave, and
   * preemption asks again. Other filters are asked once per node.
   */
  readonly dependsOnPods: boolean;

  /** Before the nodes. `skip` leaves Filter and the two hooks out of the whole cycle, preemption included. */
  preFilter?(cycle: Cycle): PreFilterAnswer<FilterState>;

  /** A pod joins `node` in a dry run. Changes `state` in place. */
  addPod?(cycle: Cycle, state: FilterState, added: PodInfo, node: NodeInfo): void;
  /** A pod leaves `node` in a dry run. Must undo exactly what `addPod` does, and the other way round. */
  removePod?(cycle: Cycle, state: FilterState, removed: PodInfo, node: NodeInfo): void;

  /** Null when the node can take the pod. Without `preFilter` the state is undefined. */
  filter?(cycle: Cycle, state: FilterState, node: NodeInfo): Status | null;

  /** What of the node or its pods made Filter refuse it; asked only then, and never by the scheduler. */
  explain?(cycle: Cycle, state: FilterState, node: NodeInfo, status: Status): readonly Blocker[];

  /**
   * Filter for the first `count` of `candidates`, indexes into `nodes`. Writes the status of each refused node to
   * `statuses` (by node index), moves the others to the front in their order, and returns how many they are.
   */
  filterNodes?(
    cycle: Cycle,
    state: FilterState,
    nodes: readonly NodeInfo[],
    candidates: Int32Array,
    count: number,
    statuses: (Status | null)[],
  ): number;

  /**
   * Before scoring; `feasible` are indexes into `nodes`. Without it the score state is undefined. A status of code
   * `Error` ends the attempt.
   */
  preScore?(cycle: Cycle, nodes: readonly NodeInfo[], feasible: Int32Array): ScoreState | typeof skip | Status;

  /** An integer; 0 to 100 unless `normalize` brings it there. */
  score?(cycle: Cycle, state: ScoreState, node: NodeInfo): number;

  /** The score of every node, normalised, where it is known to be one without looking at them; null where not. */
  uniformScore?(cycle: Cycle, state: ScoreState): number | null;

  /** Score for all `feasible` nodes, into `scores` in the same order. */
  scoreNodes?(
    cycle: Cycle,
    state: ScoreState,
    nodes: readonly NodeInfo[],
    feasible: Int32Array,
    scores: Float64Array,
  ): void;

  /** Brings `scores`, in the order of `feasible`, to 0..100 in place. */
  normalize?(
    cycle: Cycle,
    state: ScoreState,
    nodes: readonly NodeInfo[],
    feasible: Int32Array,
    scores: Float64Array,
  ): void;

  /**
   * The pod is about to be bound to `node`: changes to claims and volumes go into `cycle.cluster.objects`.
   * Only replay and the live queue call it.
   */
  reserve?(cycle: Cycle, node: NodeInfo): void;
}
