/**
 * What the engine says of one pod. Plain data in upstream's terms; the conformance files and the simulation report are
 * both made from it.
 */

/** Source: staging/src/k8s.io/kube-scheduler/framework/interface.go (Code) */
export type StatusCode =
  'Success' | 'Error' | 'Unschedulable' | 'UnschedulableAndUnresolvable' | 'Wait' | 'Skip' | 'Pending';

/** `namespace/name`. */
export type PodKey = string;
export type NodeName = string;

/** Why a node cannot take the pod. */
export interface NodeRefusal {
  readonly code: StatusCode;
  /** The plugin that refused; empty when no plugin did (a node that was left out before filtering). */
  readonly plugin: string;
  readonly reasons: readonly string[];
}

/** Which nodes gave the same answer: plugins answer alike nodes with one and the same object. */
export interface SharedRefusals {
  /** In the order of the scheduler's snapshot; the same list as long as the nodes are the same. */
  readonly nodes: readonly { readonly name: NodeName }[];
  /** Places in `nodes`, rising. */
  readonly places: ReadonlyMap<NodeRefusal, readonly number[]>;
}

/** Weighted scores. Only feasible nodes have any. */
export interface NodeScores {
  /** Plugin names in the order in which they ran. */
  readonly plugins: readonly string[];
  /** Node → one weighted score for each of `plugins`. */
  readonly byNode: ReadonlyMap<NodeName, readonly number[]>;
  readonly totals: ReadonlyMap<NodeName, number>;
  /** Those of the best nodes alone, best first; among equals in bytewise order. */
  best(most: number): NodeScores;
}

/** The steps of pickOneNodeForPreemption, in order. Source: pkg/scheduler/framework/preemption/preemption.go */
export type PreemptionCriterion = 'pdbViolations' | 'highestPriority' | 'prioritySum' | 'victimCount' | 'latestStart';

/** A node on which preemption would make the pod fit. */
export interface PreemptionCandidate {
  readonly node: NodeName;
  /** In upstream's order: most important first. */
  readonly victims: readonly PodKey[];
  readonly pdbViolations: number;
  /** `namespace/name` of the budgets that would be violated. */
  readonly violatedBudgets: readonly string[];
  /** The priority of the most important victim. */
  readonly highestPriority: number;
  /** Sum over the victims of priority + 2^31, as upstream compares it. */
  readonly prioritySum: number;
  /** Earliest start among the victims that share the highest priority, RFC 3339; null when none has started ("now"). */
  readonly earliestStart: string | null;
}

/** How the node was chosen among the candidates. */
export interface PreemptionChoice {
  /** All nodes that SelectCandidate may pick; more than one only for a full tie. */
  readonly nominated: readonly NodeName[];
  /** The node taken: the bytewise smallest of `nominated`, or drawn by the seed. */
  readonly node: NodeName;
  /** Whether `nominated` are several. */
  readonly isTie: boolean;
  /** The criterion that left one node (or the tie); null when there was one candidate only. */
  readonly decidedBy: PreemptionCriterion | 'tie' | null;
  /** For each criterion that was looked at, the nodes that were still in the race after it. */
  readonly survivors: readonly { readonly criterion: PreemptionCriterion; readonly nodes: readonly NodeName[] }[];
}

interface DecisionBase {
  readonly pod: PodKey;
  /**
   * True where the real scheduler may answer otherwise: it samples (over 100 nodes, over 100 candidates), or the node that
   * the pod is nominated to has changed, and whether an attempt comes before or after that is a race.
   */
  readonly mayVary: boolean;
}

/** The pod fits now. */
export interface FitsDecision extends DecisionBase {
  readonly kind: 'fits';
  /** Nodes that passed all filters, sorted bytewise. */
  readonly feasible: readonly NodeName[];
  /** Nodes that ran the filters and failed. */
  readonly refusals: ReadonlyMap<NodeName, NodeRefusal>;
  /** The same, which costs less to read. */
  readonly sharedRefusals: SharedRefusals;
  /** Absent with one feasible node, and when the nominated node was taken at once: nothing is scored then. */
  readonly scores: NodeScores | null;
  /** All nodes that share the top total, sorted bytewise. */
  readonly best: readonly NodeName[];
  /** Whether there is more than one in `best`, which may be thousands. */
  readonly isTie: boolean;
  /** The node taken: the bytewise smallest of `best`, or drawn by the seed. */
  readonly node: NodeName;
  /** The devices that the pod gets on that node, for claims that had none. */
  readonly devices: readonly GivenDevices[];
  /** The same decision with the scores of the best nodes alone: those of all nodes are most of what it holds. */
  abridged(scored: number): FitsDecision;
}

/** Devices that a pod would be given for a claim; the scheduler's own claim is `<extended-resources>`. */
export interface GivenDevices {
  readonly claim: string;
  readonly results: readonly GivenDevice[];
}

/** Source: resourceapi.DeviceRequestAllocationResult */
export interface GivenDevice {
  readonly request: string;
  readonly driver: string;
  readonly pool: string;
  readonly device: string;
  readonly adminAccess?: boolean;
  readonly consumedCapacity?: Readonly<Record<string, string>>;
}

/** The pod fits nowhere now. */
export interface UnschedulableDecision extends DecisionBase {
  readonly kind: 'unschedulable';
  /** The FitError text, word for word. */
  readonly message: string;
  readonly refusals: ReadonlyMap<NodeName, NodeRefusal>;
  /** The same, which costs less to read. */
  readonly sharedRefusals: SharedRefusals;
  /**
   * The plugins that kept the pod from every node: only events that one of them cares about lead to another attempt.
   * Empty when the attempt failed without any, by an error or for want of nodes.
   */
  readonly rejectedBy: ReadonlySet<string>;
  /** Set when a PreFilter plugin rejected the pod: no node was filtered and preemption was not looked at. */
  readonly preFilter: NodeRefusal | null;
  /** Null when preemption was not looked at. */
  readonly preemption: PreemptionOutcome | null;
  /** Whether a nomination that the pod has is cleared, if this attempt gives it no other. */
  readonly losesNomination: boolean;
  /** The attempt ended with an error; null when it did not. */
  readonly failure: AttemptFailure | null;
  /** Keys of claims of which one, by chance, loses its devices, so that the pod may be tried with others. */
  readonly freedClaims: readonly string[];
  /** The key of a claim that the scheduler made for the pod earlier, and deletes. */
  readonly deletedClaim: string | null;
  /** The decision about another pod of this shape that it repeats, since nothing has changed; null for one of its own. */
  readonly repeats: UnschedulableDecision | null;
  /** Of a pod whose PodGroup was tried as a whole, and not placed. */
  readonly group?: GroupWait;
  /** It has evicted pods so many times and was not placed, and is left here, where kube-scheduler would go on. */
  readonly evictedInVain?: number;
}

/** Why a PodGroup is not placed. */
export interface GroupWait {
  readonly name: string;
  /** How many of its pods must have a node at once; 0 where each may have one by itself. */
  readonly wanted: number;
  /** How many have one, or would. */
  readonly placed: number;
  /** How many are there. */
  readonly size: number;
  readonly waitsFor: 'victims' | 'room';
  /** It evicts pods each time it is tried and is not placed: it was left after some times. */
  readonly evictsInVain: boolean;
}

/** An error of a filter, or of what scores the nodes. */
export interface AttemptFailure {
  /** Of all nodes, each once. The event has one of them: that of the node that came first, which is chance. */
  readonly errors: readonly string[];
  /** Nodes that pass all the same, sorted bytewise. */
  readonly feasible: readonly NodeName[];
  readonly refusals: ReadonlyMap<NodeName, NodeRefusal>;
}

export interface PreemptionOutcome {
  readonly eligible: boolean;
  readonly ineligibleReason: string | null;
  readonly candidates: ReadonlyMap<NodeName, PreemptionCandidate>;
  /** The lowest `highestPriority` among the candidates: whom a pod must outrank to evict anybody; null without any. */
  readonly leastImportant: number | null;
  readonly choice: PreemptionChoice | null;
  /** Per node tried, why removing every lower-priority pod did not help. */
  readonly dryRun: ReadonlyMap<NodeName, NodeRefusal>;
  /** Nodes with pods of lower priority that would not take the pod without them either; none without a candidate. */
  readonly notEnough: readonly NotEnough[];
}

/** A node where evicting every pod of lower priority would not make room. */
export interface NotEnough {
  readonly node: NodeName;
  /** The highest priority among those pods. */
  readonly highestPriority: number;
  /** Why the pod does not fit without them, or cannot whoever is evicted. */
  readonly refusal: NodeRefusal;
}

/** The pod has scheduling gates and is not looked at. */
export interface GatedDecision extends DecisionBase {
  readonly kind: 'gated';
  readonly gates: readonly string[];
  readonly message: string;
}

/** The pod needs something the engine does not model (resource claims, another scheduler, an unknown plugin). */
interface NotModelledDecision extends DecisionBase {
  readonly kind: 'not-modelled';
  readonly message: string;
}

export type Decision = FitsDecision | UnschedulableDecision | GatedDecision | NotModelledDecision;

/** One line of a replay. Source of the rules: the replay convention in docs/maintainers/conformance.md */
export type ReplayStep =
  | {
      readonly result: 'Scheduled';
      readonly pass: number;
      readonly pod: PodKey;
      readonly node: NodeName;
      readonly decision: Decision;
    }
  | {
      readonly result: 'Nominated';
      readonly pass: number;
      readonly pod: PodKey;
      readonly node: NodeName;
      readonly victims: readonly PodKey[];
      readonly message: string;
      readonly decision: Decision;
    }
  | {
      readonly result: 'Unschedulable';
      readonly pass: number;
      readonly pod: PodKey;
      readonly message: string;
      readonly decision: Decision;
    }
  | { readonly result: 'SchedulingGated'; readonly pass: number; readonly pod: PodKey; readonly decision: Decision }
  | {
      readonly result: 'NotModelled';
      readonly pass: number;
      readonly pod: PodKey;
      readonly message: string;
      readonly decision: Decision;
    };

/** One thing that keeps a pod from a node, with what is needed to say it or to change it. */
export type Blocker =
  /** Too little is free; in the units of the report's amounts. A capacity of 0: the node does not offer it at all. */
  | {
      readonly kind: 'amount';
      readonly resource: string;
      readonly need: number;
      readonly free: number;
      readonly capacity: number;
    }
  /** `key=value:Effect` of each that is not tolerated. */
  | { readonly kind: 'taint'; readonly taints: readonly string[] }
  | { readonly kind: 'cordon' }
  /** What the pod asks of labels and the node does not have: `pool=gpu`, `zone in (a, b)`. */
  | { readonly kind: 'labels'; readonly wanted: readonly string[] }
  | { readonly kind: 'node-name'; readonly name: string }
  /** `80/TCP`, and the pods that hold them, `namespace/name`. */
  | { readonly kind: 'port'; readonly ports: readonly string[]; readonly pods: readonly string[] }
  | {
      readonly kind: 'spread';
      readonly topologyKey: string;
      readonly maxSkew: number;
      /** The domain of the node, and how many pods are counted there; empty where the node lacks the label. */
      readonly domain: string;
      readonly count: number;
      /** The domains with the fewest pods, a few of them, how many they have, and of how many. */
      readonly fewest: readonly string[];
      readonly minimum: number;
      readonly domains: number;
      /** Set where there are fewer domains than this: then the minimum is 0. */
      readonly minDomains: number;
    }
  /** No pod that the required affinity selects is in the node's domain. */
  | {
      readonly kind: 'affinity';
      readonly topologyKey: string;
      readonly selectors: readonly string[];
      /** Other namespaces that have such pods, where the term looks into the pod's own alone. */
      readonly elsewhere: readonly string[];
    }
  /** Pods in the node's domain that the pod keeps away from, or that keep it away (`theirs`). */
  | {
      readonly kind: 'anti-affinity';
      readonly topologyKey: string;
      readonly pods: readonly string[];
      readonly count: number;
      readonly theirs: boolean;
    }
  /**
   * A volume that the node cannot reach: what it asks of nodes, `topology.kubernetes.io/zone in (a)`. Without a name it is
   * still to be made, and its class makes none there.
   */
  | {
      readonly kind: 'volume';
      readonly claim: string;
      readonly volume: string;
      readonly wanted: readonly string[];
    }
  /** A claim that no volume on this node suits, and for which none can be made there. */
  | { readonly kind: 'volume-choice'; readonly claim: string; readonly className: string; readonly reason: string }
  /** The CSI driver attaches no more volumes to the node. */
  | {
      readonly kind: 'volume-limit';
      readonly driver: string;
      readonly limit: number;
      readonly used: number;
      /** Those of the pod. */
      readonly need: number;
    }
  /** A claim that keeps the pod from every node. */
  | {
      readonly kind: 'claim';
      readonly claim: string;
      readonly problem: 'missing' | 'unbound' | 'no-class' | 'unknown-class' | 'in-use' | 'other';
      /** The class, the pods that use it, or the scheduler's own words. */
      readonly names: readonly string[];
    }
  /** What a claim for devices needs and is not there; then no node is looked at. */
  | {
      readonly kind: 'device-claim';
      readonly missing: 'ResourceClaim' | 'ResourceClaimTemplate' | 'DeviceClass';
      readonly name: string;
      /** Names of that kind that are there, a few of them. */
      readonly known: readonly string[];
    }
  /** A claim has its devices, and this node does not reach them, or they never got ready. */
  | {
      readonly kind: 'devices-elsewhere';
      readonly claim: string;
      /** What its allocation asks of nodes; none where the devices failed to get ready. */
      readonly wanted: readonly string[];
    }
  /** The devices that reach the node are not what the claims ask for, or not enough. */
  | {
      readonly kind: 'devices';
      /** Those that the node cannot serve; where each could be served alone, those that compete, or all of them. */
      readonly requests: readonly RequestShortage[];
      /** How many devices would do for those that compete: of one class, they need more; 0 where none do. */
      readonly together: number;
      /** Attributes that the devices must have in common, where each request could be served alone. */
      readonly match: readonly string[];
      /** The search would take the scheduler more than ten seconds, when it gives up. */
      readonly timesOut: boolean;
    }
  | { readonly kind: 'gate'; readonly gates: readonly string[] }
  /** No profile of this name is known: no scheduler looks at the pod. */
  | { readonly kind: 'scheduler'; readonly name: string; readonly known: readonly string[] }
  /** Anything else, in the words of the scheduler. */
  | { readonly kind: 'other'; readonly plugin: string; readonly reasons: readonly string[] };

/** What a request finds on a node that cannot serve it. */
export interface RequestShortage {
  /** The claim, the template that it is made of, or the extended resource. */
  readonly claim: string;
  readonly request: string;
  readonly className: string;
  /** How many devices are asked for; 0 for all. */
  readonly need: number;
  /** Devices that would do, each looked at alone, and all that reach the node. */
  readonly fit: number;
  readonly devices: number;
  /** Why the others do not, the commonest first: a few of their names, how many they are. */
  readonly obstacles: readonly {
    readonly kind: DeviceProblem;
    readonly names: readonly string[];
    readonly count: number;
    /** What is said of them, a few texts: `memory 40Gi < 80Gi`, the claim that has the device, the taint. */
    readonly texts: readonly string[];
  }[];
  /** Classes of which the node has enough for it. */
  readonly instead: readonly string[];
}

export type DeviceProblem =
  'capacity' | 'class' | 'counters' | 'error' | 'gate' | 'node' | 'pool' | 'selector' | 'taint' | 'taken';

/** Everything that keeps a pod from the nodes, not only what the scheduler came upon first. */
export interface Blockers {
  /** What keeps it from all of them. */
  readonly ofPod: readonly Blocker[];
  /** What keeps it from one besides; empty where nothing does. */
  on(node: string): readonly Blocker[];
}
