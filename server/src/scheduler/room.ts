import { decide, type DecideOptions } from './decide.ts';
import type { Decision, NodeName, UnschedulableDecision } from './decision.ts';
import type { ClusterState } from './framework/cluster-state.ts';
import { filterNode } from './framework/filter-nodes.ts';
import { nominatedBefore } from './framework/node-view.ts';
import type { PodInfo } from './framework/pod-info.ts';
import { defaultProfileOf } from './framework/profile.ts';
import { frameworkOf } from './plugins/registry.ts';
import { withMadeClaims } from './resource-claim-controller.ts';

/** How many pods a cluster takes, one after the other, and what becomes of the one after them. */
export interface Room {
  readonly count: number;
  /** Whether no more were looked for: then there may be room for more. */
  readonly isBounded: boolean;
  readonly byNode: ReadonlyMap<NodeName, number>;
  /** The scheduler's answer for the next one. */
  readonly next: Decision;
  /** The cluster that it finds, and how it looks. */
  readonly after: { readonly cluster: ClusterState; readonly pod: PodInfo };
}

export interface Rooms {
  /** No pod is evicted. */
  readonly free: Room;
  /** Pods of lower priority are evicted as long as no budget is broken, as the budgets stand. */
  readonly withinBudgets: Room;
  /** Budgets are broken where preemption breaks them. */
  readonly evicting: Room;
}

export interface RoomOptions extends DecideOptions {
  /** More pods are not looked for. */
  readonly most: number;
  /** Where each pod must be decided on its own: so many looks at a node, then it ends. */
  readonly mostLooks: number;
}

/** Plugins whose answer for a node depends on that node alone: then the order in which pods come does not matter. */
const localPlugins: ReadonlySet<string> = new Set([
  'NodeUnschedulable',
  'NodeName',
  'TaintToleration',
  'NodeAffinity',
  'NodePorts',
  'NodeResourcesFit',
  'NodeDeclaredFeatures',
]);

/**
 * Whether no plugin that looks at other nodes, or at what a pod is called, has a part in deciding: then all that are
 * asked of nodes alike find the same.
 */
export function isDecidedByNodesAlone(cluster: ClusterState, pod: PodInfo, options: DecideOptions): boolean {
  const active = preFilter(cluster, pod, options);
  return active?.filters.every(({ plugin }) => localPlugins.has(plugin.name)) ?? false;
}

function profilesOf(cluster: ClusterState, { profiles = [defaultProfileOf(cluster.release)] }: DecideOptions) {
  return profiles;
}

function preFilter(cluster: ClusterState, pod: PodInfo, options: DecideOptions) {
  const profile = profilesOf(cluster, options).find((each) => each.schedulerName === pod.schedulerName);
  return profile === undefined ? null : frameworkOf(profile).preFilter({ cluster, pod });
}

/**
 * How many more pods a cluster takes. Every pod is put to the filters of the engine; where these look at single nodes
 * only, node by node, else each pod is decided by itself, in the order in which they come.
 * @param copyOf the pods, by number, for as long as there are any
 */
export function roomsFor(
  cluster: ClusterState,
  copyOf: (ordinal: number) => PodInfo | undefined,
  options: RoomOptions,
): Rooms {
  const free = new Filling(cluster.branch(), copyOf, options);
  const isLocal = isDecidedByNodesAlone(cluster, copyOf(0)!, options);
  if (isLocal) free.fillNodes();
  else free.fill(() => false);
  const { room } = free;
  if (room.isBounded) return { free: room, withinBudgets: room, evicting: room };
  const within = free.branch();
  const violates = ({ preemption }: UnschedulableDecision): boolean => {
    const candidate = preemption?.candidates.get(preemption.choice?.node ?? '');
    return (candidate?.pdbViolations ?? 0) > 0;
  };
  if (!isLocal) {
    within.fill((decision) => !violates(decision));
    const evicting = within.branch();
    evicting.fill(() => true);
    return { free: room, withinBudgets: within.room, evicting: evicting.room };
  }
  if (!free.mayEvict) return { free: room, withinBudgets: room, evicting: room };
  const evicting = new Filling(cluster.branch(), copyOf, options);
  const isProtected = evicting.removeLower();
  evicting.fillNodes();
  if (isProtected) within.fill((decision) => !violates(decision));
  return {
    free: room,
    withinBudgets: isProtected ? within.room : evicting.room,
    evicting: evicting.room,
  };
}

/** A cluster that is filled with pods. */
class Filling {
  readonly #cluster: ClusterState;
  readonly #copyOf: (ordinal: number) => PodInfo | undefined;
  readonly #options: RoomOptions;
  readonly #byNode: Map<NodeName, number>;
  #count: number;
  #isBounded = false;
  #next: Decision | null;
  /** The pod that was decided last, with its claims. */
  #copy: PodInfo | null = null;

  constructor(
    cluster: ClusterState,
    copyOf: (ordinal: number) => PodInfo | undefined,
    options: RoomOptions,
    from: { readonly byNode: ReadonlyMap<NodeName, number>; readonly count: number } = { byNode: new Map(), count: 0 },
  ) {
    this.#cluster = cluster;
    this.#copyOf = copyOf;
    this.#options = options;
    this.#byNode = new Map(from.byNode);
    this.#count = from.count;
    this.#next = null;
  }

  branch(): Filling {
    return new Filling(this.#cluster.branch(), this.#copyOf, this.#options, {
      byNode: this.#byNode,
      count: this.#count,
    });
  }

  get room(): Room {
    const next = this.#decideNext();
    return {
      count: this.#count,
      isBounded: this.#isBounded,
      byNode: this.#byNode,
      next,
      after: { cluster: this.#cluster, pod: this.#copy ?? this.#copyOf(0)! },
    };
  }

  /** Whether the next pod would find a place by preemption. */
  get mayEvict(): boolean {
    const next = this.#decideNext();
    return next.kind === 'unschedulable' && (next.preemption?.choice ?? null) !== null;
  }

  #decideNext(): Decision {
    if (this.#next === null) {
      this.#copy = withMadeClaims(this.#cluster, this.#copyOf(this.#count) ?? this.#copyOf(0)!);
      this.#next = decide(this.#cluster, this.#copy, this.#options);
    }
    return this.#next;
  }

  /** Takes all pods of lower priority out; says whether a budget protects one of them. */
  removeLower(): boolean {
    const { priority } = this.#copyOf(0)!;
    const lower = [...this.#cluster.running()].filter((pod) => pod.priority < priority);
    const { budgets } = this.#cluster;
    const isProtected = budgets.budgets.length > 0 && lower.some((pod) => budgets.matchesOf(pod.class).length > 0);
    for (const { key } of lower) this.#cluster.removeRunning(key);
    return isProtected;
  }

  /** As many on each node as pass its filters. */
  fillNodes(): void {
    const pod = this.#copyOf(0)!;
    const decision = this.#decideNext();
    const active = preFilter(this.#cluster, pod, this.#options);
    if (decision.kind !== 'fits' || active === null) return;
    const schedulers = new Set(profilesOf(this.#cluster, this.#options).map(({ schedulerName }) => schedulerName));
    const cycle = { cluster: this.#cluster, pod };
    const owner = {};
    this.#next = null;
    for (const name of decision.feasible) {
      const node = this.#cluster.node(name)!.clone(owner);
      const nominated = nominatedBefore(this.#cluster.nominations, node.index, pod, schedulers);
      for (let here = 0; here === 0 || filterNode(cycle, active, nominated, node) === null; here += 1) {
        const copy = this.#copyOf(this.#count);
        if (copy === undefined || this.#count >= this.#options.most) {
          this.#isBounded = true;
          return;
        }
        node.addPod(copy);
        this.#place(copy, name);
      }
    }
  }

  /** Decides pod by pod, and evicts for one whose decision `mayPreempt` accepts. */
  fill(mayPreempt: (decision: UnschedulableDecision) => boolean): void {
    const { most, mostLooks } = this.#options;
    const mostDecisions = Math.max(1, Math.floor(mostLooks / Math.max(1, this.#cluster.nodes.length)));
    for (let decided = 0; ; decided += 1) {
      const copy = this.#copyOf(this.#count);
      if (copy === undefined || this.#count >= most || decided >= mostDecisions) {
        this.#isBounded = true;
        return;
      }
      const decision = this.#decideNext();
      if (decision.kind === 'fits') {
        const pod = this.#copy ?? copy;
        const profile = profilesOf(this.#cluster, this.#options).find(
          (each) => each.schedulerName === pod.schedulerName,
        );
        frameworkOf(profile!).reserve({ cluster: this.#cluster, pod }, this.#cluster.node(decision.node)!);
        this.#place(pod, decision.node);
        continue;
      }
      if (decision.kind !== 'unschedulable') return;
      const choice = decision.preemption?.choice ?? null;
      if (choice === null || !mayPreempt(decision)) return;
      for (const key of decision.preemption!.candidates.get(choice.node)!.victims) this.#evict(key);
      this.#place(copy, choice.node);
    }
  }

  #place(copy: PodInfo, node: NodeName): void {
    this.#cluster.bind(copy, node);
    this.#count += 1;
    this.#byNode.set(node, (this.#byNode.get(node) ?? 0) + 1);
    this.#next = null;
  }

  #evict(key: string): void {
    const victim = this.#cluster.removeRunning(key);
    if (victim === undefined) return;
    for (const index of this.#cluster.budgets.matchesOf(victim.class)) this.#cluster.chargeBudget(index);
  }
}
