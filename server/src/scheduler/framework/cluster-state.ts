import { sameItems } from '../../util/same-items.ts';
import { runToEnd } from '../../util/steps.ts';
import { keyOf } from '../../kubernetes/names.ts';
import { defaultNode, defaultPodResources } from '../../kubernetes/defaults/index.ts';
import type { Node, Pod, PodDisruptionBudget } from '../../kubernetes/objects.ts';
import type { Release } from '../../kubernetes/release.ts';
import { latestRelease } from '../../kubernetes/releases/index.ts';
import type { NodeName, PodKey } from '../decision.ts';
import { BudgetTable } from './budgets.ts';
import { ClassCounts } from './class-counts.ts';
import type { ClusterObjects } from './cluster-objects.ts';
import { LayeredMap } from './layered-map.ts';
import { NodeInfo } from './node-info.ts';
import { NodeSet } from './node-set.ts';
import { Nominations } from './nominations.ts';
import { compareBytewise } from './order.ts';
import { type PodClass, PodClassRegistry } from './pod-class.ts';
import { changedPod, type PodInfo, PodInfoFactory } from './pod-info.ts';
import { claimsOf } from './resource-claims.ts';
import { StoredObjects } from './stored-objects.ts';
import { victimBand } from './victim-band.ts';

/** About a millisecond of work. */
const nodesAtOnce = 500;

/** How cluster states tell pods apart. */
export interface Kin {
  readonly classes: PodClassRegistry;
  readonly factory: PodInfoFactory;
}

function newKin(release: Release): Kin {
  const classes = new PodClassRegistry();
  return { classes, factory: new PodInfoFactory(classes, release) };
}

/** Pods that are put on nodes between two yields. */
const podsAtOnce = 2_000;

/** What `remade` makes of a state. */
interface RemadeParts {
  /** Undefined where they are the same. */
  readonly nodes: readonly Node[] | undefined;
  /** All others beside nodes and pods; undefined where they are the same. */
  readonly objects: ClusterObjects | undefined;
  readonly pods: readonly PodInfo[];
  readonly hasSamePods: boolean;
}

/** Shared by a cluster state and all its branches. */
interface Shared extends Kin {
  readonly nodeSet: NodeSet;
  /** The Kubernetes that this cluster runs. */
  readonly release: Release;
  readonly budgets: BudgetTable;
}

/**
 * The cluster as the scheduler sees it at one moment: nodes in the order of its snapshot, the pods on them in the order
 * of its cache, pending pods, nominations, and the other objects it reads.
 *
 * A what-if is a `branch()`: constant time to make, its cost proportional to what is then changed, and neither the
 * original nor the objects it was made from ever notice. Everything but the methods under "Changes" only reads.
 * Long for one file, since all changes keep the same indexes in step.
 * Source: pkg/scheduler/backend/cache/{cache,snapshot}.go
 */
export class ClusterState {
  #shared: Shared;
  /** Services, controllers, volumes and claims. */
  readonly objects: StoredObjects;
  #owner: object = {};
  #nodes: NodeInfo[];
  #nodesShared: boolean;
  #counts: ClassCounts;
  #running: LayeredMap<PodKey, PodInfo>;
  /** Bound to nodes that do not exist, or no longer do: they run nowhere and count nowhere. */
  #orphans: LayeredMap<PodKey, PodInfo>;
  #pending: LayeredMap<PodKey, PodInfo>;
  #nominations: Nominations;
  /** By index in the budget table: the disruptions still allowed. */
  #allowed: readonly number[];

  private constructor(
    shared: Shared,
    objects: StoredObjects,
    nodes: NodeInfo[],
    nodesShared: boolean,
    counts: ClassCounts,
    running: LayeredMap<PodKey, PodInfo>,
    orphans: LayeredMap<PodKey, PodInfo>,
    pending: LayeredMap<PodKey, PodInfo>,
    nominations: Nominations,
    allowed: readonly number[],
  ) {
    this.#shared = shared;
    this.objects = objects;
    this.#nodes = nodes;
    this.#nodesShared = nodesShared;
    this.#counts = counts;
    this.#running = running;
    this.#orphans = orphans;
    this.#pending = pending;
    this.#nominations = nominations;
    this.#allowed = allowed;
  }

  /**
   * Takes objects as they are written, applies API defaults, and puts every pod where the scheduler would see it:
   * finished pods nowhere, pods of unknown nodes among the orphans, pods without a node among the pending.
   * Of two objects of one kind and name the later counts. The objects are not changed.
   * @param kin that of a state of the same release: pod infos of the one can be used in the other
   */
  static from(objects: ClusterObjects, release: Release = latestRelease, kin?: Kin): ClusterState {
    const nodeSet = NodeSet.from(objects.nodes.map(defaultNode));
    // Asked for by the first pod that spreads or keeps away from others.
    for (const key of ['kubernetes.io/hostname', 'topology.kubernetes.io/zone']) nodeSet.column(key);
    const { classes, factory } = kin ?? newKin(release);
    const unique = new Map<PodKey, PodInfo>();
    for (const raw of objects.pods) {
      if (raw.status?.phase === 'Succeeded' || raw.status?.phase === 'Failed') continue;
      const pod = factory.infoOf(defaultPodResources(raw));
      unique.set(pod.key, pod);
    }
    const running: PodInfo[] = [];
    const pending: PodInfo[] = [];
    const orphans: PodInfo[] = [];
    for (const pod of unique.values()) {
      if (pod.nodeName === '') pending.push(pod);
      else if (nodeSet.indexOf(pod.nodeName) === undefined) orphans.push(pod);
      else running.push(pod);
    }
    for (const pod of [...pending, ...orphans]) unique.delete(pod.key);
    const budgets = BudgetTable.from(objects.budgets);
    const state = new ClusterState(
      { nodeSet, classes, factory, release, budgets },
      StoredObjects.from(objects),
      [],
      false,
      new ClassCounts(),
      new LayeredMap(unique),
      new LayeredMap(new Map(orphans.sort(byNamespaceAndName).map((pod) => [pod.key, pod]))),
      new LayeredMap(),
      new Nominations(),
      budgets.budgets.map((budget) => budget.disruptionsAllowed),
    );
    state.#nodes = nodeSet.facts.map((facts) => new NodeInfo(facts, state.#owner));
    for (const pod of running.sort(byNamespaceAndName)) state.#putOnNode(pod, nodeSet.indexOf(pod.nodeName)!);
    for (const pod of pending.sort(byNamespaceAndName)) state.addPending(pod);
    runToEnd(state.workOutVictims());
    return state;
  }

  /**
   * A state as `from` and then `bind` make it, of pods that all run on its nodes, in the order in which they were bound.
   * What is the same as in this state is shared with it; neither notices changes of the other. Yields now and then.
   */
  *remade({ nodes, objects, pods, hasSamePods }: RemadeParts): Generator<void, ClusterState> {
    const before = this.nodeSet;
    const nodeSet = nodes === undefined ? before : NodeSet.from(nodes, before);
    for (const key of ['kubernetes.io/hostname', 'topology.kubernetes.io/zone']) nodeSet.column(key);
    const budgets = objects === undefined ? this.budgets : BudgetTable.from(objects.budgets);
    yield;
    const branch = this.branch();
    const owner = {};
    const { facts } = nodeSet;
    const isSameInPlace =
      facts.length === before.size && facts.every(({ name }, at) => before.facts[at]!.name === name);
    const sharesPods = hasSamePods && isSameInPlace;
    const counts = sharesPods ? branch.#counts : new ClassCounts();
    const running = sharesPods ? branch.#running : new LayeredMap<PodKey, PodInfo>();
    const onNodes = facts.map((): PodInfo[] => []);
    if (!sharesPods) {
      for (const [at, pod] of pods.entries()) {
        const index = nodeSet.indexOf(pod.nodeName)!;
        onNodes[index]!.push(pod);
        counts.add(pod.class, index, 1);
        running.set(pod.key, pod);
        if (at % podsAtOnce === podsAtOnce - 1) yield;
      }
    }
    const infos = facts.map((own, index) => {
      const known = this.node(own.name);
      const on = sharesPods ? known!.pods : onNodes[index]!;
      if (known?.facts === own && sameItems(known.pods, on)) return known;
      const info = new NodeInfo(own, owner);
      for (const pod of on) info.addPod(pod);
      return info;
    });
    yield;
    const state = new ClusterState(
      { ...this.#shared, nodeSet, budgets },
      objects === undefined ? branch.objects : StoredObjects.from(objects),
      infos,
      false,
      counts,
      running,
      branch.#orphans,
      branch.#pending,
      branch.#nominations,
      budgets.budgets.map((budget) => budget.disruptionsAllowed),
    );
    state.#owner = owner;
    return state;
  }

  // Reading.

  get release(): Release {
    return this.#shared.release;
  }

  get nodeSet(): NodeSet {
    return this.#shared.nodeSet;
  }

  /** In the order of the scheduler's snapshot. The array and the infos may change with the next change of the state. */
  get nodes(): readonly NodeInfo[] {
    return this.#nodes;
  }

  get kin(): Kin {
    const { classes, factory } = this.#shared;
    return { classes, factory };
  }

  get classes(): PodClassRegistry {
    return this.#shared.classes;
  }

  get budgets(): BudgetTable {
    return this.#shared.budgets;
  }

  /** Pods bound to nodes that the cluster does not have. */
  get orphans(): readonly PodInfo[] {
    return [...this.#orphans.values()];
  }

  /** By index in the budget table. */
  get disruptionsAllowed(): readonly number[] {
    return this.#allowed;
  }

  node(name: NodeName): NodeInfo | undefined {
    const index = this.nodeSet.indexOf(name);
    return index === undefined ? undefined : this.#nodes[index];
  }

  /** A pod that is bound or pending. */
  pod(key: PodKey): PodInfo | undefined {
    return this.#running.get(key) ?? this.#pending.get(key) ?? this.#orphans.get(key);
  }

  /** Every pod on a known node. */
  running(): IterableIterator<PodInfo> {
    return this.#running.values();
  }

  /** How many names the pods on known nodes have. */
  get runningNames(): number {
    return this.#running.size;
  }

  /** Pods without a node, gated and terminating ones too, in no particular order. */
  pending(): IterableIterator<PodInfo> {
    return this.#pending.values();
  }

  /** A pod that is not (or not yet) part of the state, as the scheduler would see it. API defaults are applied. */
  arriving(pod: Pod): PodInfo {
    return this.#shared.factory.infoOf(defaultPodResources(pod));
  }

  /** Node index → number of running pods of the class on it; only nodes that have some. */
  nodesOfClass(podClass: PodClass): ReadonlyMap<number, number> {
    return this.#counts.nodesOf(podClass);
  }

  /** How many pods of the class run on known nodes. */
  countOfClass(podClass: PodClass): number {
    return this.#counts.totalOf(podClass);
  }

  /** Which pods are nominated to which nodes. Changes with the next nomination. */
  get nominations(): Nominations {
    return this.#nominations;
  }

  /** Pending pods whose nomination to the node counts, in the order of nomination. */
  nominatedTo(node: number): readonly PodInfo[] {
    return this.#nominations.to(node);
  }

  /**
   * Who may be evicted from each node by a pod above all that run, which is what the first one that preempts asks.
   * Yields now and then.
   */
  *workOutVictims(): Generator<void> {
    for (let at = 0; at < this.#nodes.length; at++) {
      const node = this.#nodes[at]!;
      if (node.pods.length > 0) victimBand(node, Infinity);
      if (at % nodesAtOnce === nodesAtOnce - 1) yield;
    }
  }

  // Branching.

  /** A copy to try things on. */
  branch(): ClusterState {
    return new ClusterState(
      this.#shared,
      this.objects.branch(),
      this.frozenNodes() as NodeInfo[],
      true,
      this.#counts.branch(),
      this.#running.branch(),
      this.#orphans.branch(),
      this.#pending.branch(),
      this.#nominations.branch(),
      this.#allowed,
    );
  }

  /** The nodes as they are now; later changes of the state do not touch them. */
  frozenNodes(): readonly NodeInfo[] {
    this.#nodesShared = true;
    this.#owner = {};
    return this.#nodes;
  }

  // Changes.

  /** Creates a node, or replaces the one of that name, with its pods. A new one costs as much as all nodes and pods. */
  putNode(node: Node): void {
    const name = node.metadata?.name ?? '';
    const before = this.nodeSet;
    const nodeSet = before.with(defaultNode(node));
    const index = before.indexOf(name);
    if (index !== undefined && nodeSet.indexOf(name) === index) {
      this.#shared = { ...this.#shared, nodeSet };
      this.#replaceNode(index);
      return;
    }
    this.#rebuild(nodeSet);
    if (index !== undefined) return;
    for (const pod of [...this.#orphans.values()].filter(({ nodeName }) => nodeName === name)) {
      this.#orphans.delete(pod.key);
      this.#place(pod);
    }
    for (const pod of this.#pending.values()) {
      if (pod.nominatedNodeName === name && this.#mayHold(pod)) this.#addNomination(pod);
    }
  }

  /** Takes a node out. Its pods stay bound to it, and count nowhere. */
  removeNode(name: NodeName): void {
    const node = this.node(name);
    if (node === undefined) return;
    for (const pod of node.pods) {
      this.#running.delete(pod.key);
      this.#orphans.set(pod.key, pod);
    }
    this.#rebuild(this.nodeSet.without(name));
  }

  /** The node's facts are others, and its place is the same. */
  #replaceNode(index: number): void {
    const { pods } = this.#writable(index);
    const node = new NodeInfo(this.nodeSet.facts[index]!, this.#owner);
    for (const pod of pods) node.addPod(pod);
    this.#nodes[index] = node;
  }

  /** Everything by node index anew. Pods of nodes that are no more have been taken care of. */
  #rebuild(nodeSet: NodeSet): void {
    const before = this.#shared.nodeSet;
    const nodes = this.#nodes;
    const nominations = this.#nominations;
    this.#shared = { ...this.#shared, nodeSet };
    this.#owner = {};
    this.#nodes = nodeSet.facts.map((facts) => new NodeInfo(facts, this.#owner));
    this.#nodesShared = false;
    this.#counts = new ClassCounts();
    this.#nominations = new Nominations();
    for (const [index, { pods }] of nodes.entries()) {
      const place = nodeSet.indexOf(before.facts[index]!.name);
      if (place === undefined) continue;
      for (const pod of pods) this.#putOnNode(pod, place);
      for (const pod of nominations.to(index)) this.#nominations.add(place, pod);
    }
  }

  /** Creates a budget, or replaces the one of its name; what it allows is what its status says. */
  putBudget(budget: PodDisruptionBudget): void {
    this.#replaceBudgets(this.budgets.with(budget), keyOf(budget));
  }

  /** Says whether there was such a budget. */
  removeBudget(key: string): boolean {
    const before = this.budgets.budgets.length;
    this.#replaceBudgets(this.budgets.without(key), key);
    return this.budgets.budgets.length < before;
  }

  #replaceBudgets(budgets: BudgetTable, changed: string): void {
    const left = new Map(this.budgets.budgets.map(({ key }, index) => [key, this.#allowed[index]]));
    left.delete(changed);
    this.#shared = { ...this.#shared, budgets };
    this.#allowed = budgets.budgets.map(({ key, disruptionsAllowed }) => left.get(key) ?? disruptionsAllowed);
  }

  addPending(pod: PodInfo): void {
    this.#pending.set(pod.key, pod);
    if (pod.nominatedNodeName !== '' && this.#mayHold(pod)) this.#addNomination(pod);
  }

  /** Takes a pending pod out, and its nomination. */
  removePending(key: PodKey): void {
    const pod = this.#pending.get(key);
    if (pod === undefined) return;
    this.#pending.delete(key);
    this.#dropNomination(pod);
  }

  /** Puts a pod on a node; it is no longer pending nor nominated. Returns the pod as it now is. */
  bind(pod: PodInfo, node: NodeName, startedAt: number | null = null): PodInfo {
    this.removePending(pod.key);
    const isBound = pod.nodeName === node && pod.startedAt === startedAt;
    const bound: PodInfo = isBound ? pod : changedPod(pod, { nodeName: node, startedAt });
    this.#place(bound);
    return bound;
  }

  /** Nominates a pending pod to a node, or with `''` clears its nomination. Returns the pod as it now is. */
  nominate(pod: PodInfo, node: NodeName): PodInfo {
    const current = this.#pending.get(pod.key) ?? pod;
    if (current.nominatedNodeName === node) return current;
    this.#dropNomination(current);
    const nominated = changedPod(current, { nominatedNodeName: node });
    this.addPending(nominated);
    return nominated;
  }

  /**
   * Marks a running pod as terminating, `preempted` when the scheduler did it. It keeps its room. As an update of the
   * scheduler's cache it leaves the pod list of its node (the last pod takes its place) and goes to the end.
   */
  markTerminating(key: PodKey, preempted: boolean): PodInfo | undefined {
    const pod = this.#running.get(key) ?? this.#orphans.get(key);
    if (pod === undefined) return undefined;
    const podClass = this.classes.terminatingOf(pod.class);
    const marked = changedPod(pod, { terminating: true, preempted: preempted || pod.preempted, class: podClass });
    this.replaceRunning(marked);
    return marked;
  }

  /** Takes a bound pod off its node; the last pod of the node takes its place in the list. */
  removeRunning(key: PodKey): PodInfo | undefined {
    const pod = this.#running.get(key);
    if (pod === undefined) {
      const orphan = this.#orphans.get(key);
      this.#orphans.delete(key);
      return orphan;
    }
    const index = this.nodeSet.indexOf(pod.nodeName)!;
    this.#writable(index).removePod(pod);
    this.#counts.add(pod.class, index, -1);
    this.#running.delete(key);
    return pod;
  }

  /** An update of a running pod: out of its node's list, and in again at the end. */
  replaceRunning(pod: PodInfo): void {
    this.removeRunning(pod.key);
    this.#place(pod);
  }

  /** Takes one disruption from a budget, not below 0. */
  chargeBudget(index: number): void {
    const left = this.#allowed[index];
    if (left === undefined || left <= 0) return;
    const allowed = this.#allowed.slice();
    allowed[index] = left - 1;
    this.#allowed = allowed;
  }

  /** Sets what a budget allows, as the disruption controller does when pods have come or gone. */
  setDisruptionsAllowed(index: number, disruptionsAllowed: number): void {
    if (this.#allowed[index] === disruptionsAllowed || index >= this.#allowed.length) return;
    const allowed = this.#allowed.slice();
    allowed[index] = disruptionsAllowed;
    this.#allowed = allowed;
  }

  /** Whether the nomination of a pod counts: up to 1.36 only where PreEnqueue lets the pod into the queue. */
  #mayHold(pod: PodInfo): boolean {
    if (this.release.behaviours.gatedNominationsHold) return true;
    return pod.gates.length === 0 && !('problem' in claimsOf(this.objects, pod, this.release));
  }

  #place(pod: PodInfo): void {
    const index = this.nodeSet.indexOf(pod.nodeName);
    if (index === undefined) {
      this.#orphans.set(pod.key, pod);
      return;
    }
    this.#putOnNode(pod, index);
    this.#running.set(pod.key, pod);
  }

  #putOnNode(pod: PodInfo, index: number): void {
    this.#writable(index).addPod(pod);
    this.#counts.add(pod.class, index, 1);
  }

  #addNomination(pod: PodInfo): void {
    const node = this.nodeSet.indexOf(pod.nominatedNodeName);
    if (node !== undefined) this.#nominations.add(node, pod);
  }

  #dropNomination(pod: PodInfo): void {
    const node = this.nodeSet.indexOf(pod.nominatedNodeName);
    if (node !== undefined) this.#nominations.remove(node, pod);
  }

  #writable(index: number): NodeInfo {
    if (this.#nodesShared) {
      this.#nodes = this.#nodes.slice();
      this.#nodesShared = false;
    }
    const node = this.#nodes[index]!;
    if (node.owner === this.#owner) return node;
    const copy = node.clone(this.#owner);
    this.#nodes[index] = copy;
    return copy;
  }
}

function byNamespaceAndName(a: PodInfo, b: PodInfo): number {
  return compareBytewise(a.namespace, b.namespace) || compareBytewise(a.name, b.name);
}
