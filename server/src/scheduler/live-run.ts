import type { Node } from '../kubernetes/objects.ts';
import { isLost } from '../kubernetes/taints.ts';
import type { Behaviours } from '../kubernetes/release.ts';
import { type ClusterChange, type Deletion, podChanges, putObject, removeObject } from './cluster-change.ts';
import { decide, failedBinding, gatesOf, markVarying } from './decide.ts';
import type { FitsDecision, GatedDecision, NodeName, PodKey, UnschedulableDecision } from './decision.ts';
import type { ClusterState } from './framework/cluster-state.ts';
import { compareBytewise } from './framework/order.ts';
import { changedPod, type PodInfo } from './framework/pod-info.ts';
import { defaultProfileOf, type Profile } from './framework/profile.ts';
import { groupCycle, type GroupResult, type Member, waitsOf } from './group-cycle.ts';
import { groupOf, heldByGroup, podGroup } from './group-members.ts';
import { gracePeriodSeconds } from './grace-period.ts';
import type {
  Arrival,
  LiveEnd,
  LiveEvent,
  LiveEventKind,
  LiveOptions,
  LiveVictim,
  PlannedChange,
} from './live-event.ts';
import { isGone, type Planned, plannedOf } from './planned.ts';
import { deallocated } from './plugins/claim-binding.ts';
import { bindingFailureOf, heldByClaims } from './plugins/dynamic-resources.ts';
import { frameworkOf } from './plugins/registry.ts';
import { Agenda } from './queue/agenda.ts';
import { defaultBackoff } from './queue/backoff.ts';
import type { ClusterEvent } from './queue/cluster-event.ts';
import { concerns, mayHelp } from './queue/queueing-hints.ts';
import { type QueuedPod, SchedulingQueue } from './queue/scheduling-queue.ts';
import { releaseClaims, withMadeClaims } from './resource-claim-controller.ts';
import { SharedFailures } from './shared-failures.ts';
import { volumeEvents } from './volume-events.ts';

const defaultMaxAttempts = 100_000;
const defaultMaxSeconds = 24 * 60 * 60;

/**
 * Long for one file, since whatever happens changes the same clock, queue and cluster.
 *
 * A scheduler at work on a simulated clock: pods arrive, wait in the queue, are placed or preempt; victims leave when
 * their grace period ends, and the preemptor is tried again. Attempts take no time. Pods pending in the cluster state
 * arrive at 0 as the API server lists them; pods that are terminating leave after their grace period. Between two events
 * callers may let pods arrive, or change what the cluster's budgets allow. Works on the state it is given. Always ends.
 */
export class LiveRun {
  readonly cluster: ClusterState;
  readonly #options: LiveOptions;
  readonly #profiles: readonly Profile[];
  readonly #behaviours: Behaviours;
  readonly #queue: SchedulingQueue;
  readonly #agenda = new Agenda<Planned>();
  /** Pods that arrive now, in order. */
  #door: PodInfo[] = [];
  #clock = 0;
  /** Counts changes that a decision may depend on. */
  #version = 0;
  /** Pods whose deletion nothing ends. */
  readonly #unended = new Set<PodKey>();
  /** The version at which a pod was last tried in vain: at the same one it fails again. */
  readonly #failedAt = new Map<PodKey, number>();
  readonly #failures = new SharedFailures();
  /** Pods that were nominated to a node when it was cordoned, tainted or deleted. */
  readonly #races = new Set<PodKey>();
  /** How often a group has evicted pods and was not placed all the same. */
  readonly #evictedInVain = new Map<string, number>();
  /** How often pods that are pending have evicted others. */
  readonly #evicting = new Map<PodKey, number>();
  /** Pods that wait for their claims to be there, or for others of their group. */
  readonly #held = new Set<PodKey>();
  #preemptionAttempts = 0;
  #preemptionVictims = 0;

  constructor(cluster: ClusterState, options: LiveOptions) {
    this.cluster = cluster;
    this.#options = options;
    this.#profiles = options.profiles ?? [defaultProfileOf(cluster.release)];
    this.#behaviours = cluster.release.behaviours;
    this.#queue = new SchedulingQueue({
      podInitialBackoffSeconds: options.podInitialBackoffSeconds ?? defaultBackoff.podInitialBackoffSeconds,
      podMaxBackoffSeconds: options.podMaxBackoffSeconds ?? defaultBackoff.podMaxBackoffSeconds,
    });
    this.#door = [...cluster.pending()].filter((pod) => !pod.terminating).sort(byKey);
    for (const pod of this.#door) cluster.removePending(pod.key);
    // Mostly nobody ends, and there may be tens of thousands.
    const ends = cluster.classes.all.some((each) => each.terminating && cluster.countOfClass(each) > 0);
    for (const pod of ends ? [...cluster.running()].filter(({ terminating }) => terminating).sort(byKey) : []) {
      this.#endAfter(this.#graceOf(pod), pod.key);
    }
  }

  /** Seconds. */
  get clock(): number {
    return this.#clock;
  }

  plan(planned: Arrival | PlannedChange): void {
    this.#agenda.add(notBefore(this.#clock, planned.at), plannedOf(planned));
  }

  /**
   * Calls `act` at a time, before the scheduler goes on; it may plan what happens next, at once too.
   * @returns calls it off
   */
  callAt(at: number, act: () => void): () => void {
    return this.#agenda.add(notBefore(this.#clock, at), { kind: 'act', act });
  }

  /** A running pod is deleted now, with as long to end. */
  deleteNow(key: PodKey, graceSeconds: number | undefined): void {
    this.#agenda.add(this.#clock, { kind: 'deletion', deletion: { kind: 'Pod', key }, graceSeconds });
  }

  /** A pod is created now. */
  arrive(pod: PodInfo): void {
    this.#door.push(pod);
  }

  /** Sets the clock to 0. Pods that wait keep their places before those that come from now on. */
  restartClock(): void {
    this.#agenda.shift(this.#clock);
    this.#queue.restart(this.#clock);
    this.#clock = 0;
  }

  /** Runs until nothing changes any more, or to its bounds. */
  *settle(): Generator<LiveEvent, LiveEnd> {
    const { maxAttempts = defaultMaxAttempts, maxSeconds = defaultMaxSeconds } = this.#options;
    let attempts = 0;
    for (;;) {
      yield* this.#admit();
      for (let next = this.#agenda.take(this.#clock); next !== undefined; next = this.#agenda.take(this.#clock)) {
        yield* this.#happen(next);
      }
      yield* this.#admit();
      this.#queue.flush(this.#clock);
      for (let next = this.#queue.pop(); next !== undefined; next = this.#queue.pop()) {
        if (attempts >= maxAttempts) return 'attempts';
        attempts += 1;
        yield* this.#attempt(next);
        yield* this.#admit();
      }
      const next = this.#nextTime();
      if (next === null) return 'settled';
      if (next > maxSeconds) return 'time';
      this.#clock = next;
    }
  }

  /** Null when no pod could be answered differently than it was, and nothing else is to come. */
  #nextTime(): number | null {
    const planned = this.#agenda.nextTime();
    const flush = this.#queue.nextFlush(
      ({ pod, attempts }) =>
        attempts > 0 && (this.#options.retriesInVain === true || this.#failedAt.get(pod.key) !== this.#version),
    );
    if (planned === null || flush === null) return planned ?? flush;
    return Math.min(planned, flush);
  }

  *#happen(planned: Planned): Generator<LiveEvent, void> {
    switch (planned.kind) {
      case 'arrival':
        yield this.#create(planned.arrival);
        return;
      case 'change':
        yield* this.#change(planned.change);
        return;
      case 'deletion':
        yield* this.#delete(planned.deletion, planned.graceSeconds);
        return;
      case 'gates-removed': {
        const gated = this.cluster.pod(planned.key);
        if (gated === undefined || gated.gates.length === 0 || gated.nodeName !== '') return;
        yield this.#update(
          gated,
          this.cluster.arriving({ ...gated.pod, spec: { ...gated.pod.spec!, schedulingGates: [] } }),
        );
        return;
      }
      case 'act':
        planned.act();
        return;
      case 'gone':
        yield* this.#letGo(planned.key);
        return;
    }
  }

  *#admit(): Generator<LiveEvent, void> {
    while (this.#door.length > 0) {
      const pods = this.#door;
      this.#door = [];
      for (const pod of pods) yield this.#take(pod);
    }
  }

  #create({ pod: written, gatesRemovedAt }: Arrival): LiveEvent {
    const pod = this.cluster.arriving(written);
    if (gatesRemovedAt !== undefined && pod.gates.length > 0) {
      this.#agenda.add(notBefore(this.#clock, gatesRemovedAt), { kind: 'gates-removed', key: pod.key });
    }
    return this.#take(pod);
  }

  #take(created: PodInfo): LiveEvent {
    const refusal = this.#options.refusalOf?.(created) ?? null;
    if (refusal !== null) return this.#event('refused', created, { message: refusal });
    const pod = withMadeClaims(this.cluster, created);
    if (this.cluster.pod(pod.key) !== undefined) {
      return this.#event('refused', pod, { message: `pods ${JSON.stringify(pod.name)} already exists` });
    }
    if (pod.nodeName !== '') {
      this.#changed({ kind: 'podAdded', pod: this.#bind(pod, pod.nodeName, pod.startedAt) });
      if (groupOf(this.cluster, pod) !== null) this.#openHeld();
      return this.#event('bound', pod, { node: pod.nodeName });
    }
    const { cluster } = this;
    cluster.addPending(pod);
    if (pod.nominatedNodeName !== '') this.#version += 1;
    const profile = this.#profileOf(pod);
    const gated = profile === undefined ? null : (gatesOf(pod, profile) ?? this.#heldBack(pod, profile));
    if (gated !== null) {
      if (pod.gates.length === 0) this.#held.add(pod.key);
      this.#queue.addGated(pod, this.#clock);
    } else {
      this.#queue.add(pod, this.#clock);
    }
    // It may be the one that its group waits for, though it has gates itself.
    if (groupOf(cluster, pod) !== null && heldByGroup(cluster, pod) === null) this.#openHeld();
    if (gated === null) return this.#event('arrived', pod);
    return this.#event('gated', pod, { message: gated.message, decision: gated });
  }

  /** A pod whose claims, or whose group, are not there is held back as one with gates is. */
  #heldBack(pod: PodInfo, profile: Profile, ofGroup = new Map<string | null, string | null>()): GatedDecision | null {
    const claims = frameworkOf(profile).isEnabled('preEnqueue', 'DynamicResources')
      ? heldByClaims(this.cluster, pod)
      : null;
    const group = groupOf(this.cluster, pod);
    if (!ofGroup.has(group)) ofGroup.set(group, heldByGroup(this.cluster, pod));
    const message = claims?.message ?? ofGroup.get(group) ?? null;
    return message === null ? null : { kind: 'gated', pod: pod.key, mayVary: false, gates: [], message };
  }

  /** Pods whose claims and group are there now are let into the queue. */
  #openHeld(): void {
    // Groups may be large: how many of their pods are there is counted once.
    const ofGroup = new Map<string | null, string | null>();
    for (const key of this.#held) {
      const pod = this.cluster.pod(key);
      const profile = pod === undefined ? undefined : this.#profileOf(pod);
      if (pod !== undefined && profile !== undefined && this.#heldBack(pod, profile, ofGroup) !== null) continue;
      this.#held.delete(key);
      if (pod?.nodeName === '') this.#queue.openGates(pod, this.#clock);
    }
  }

  *#change(change: ClusterChange): Generator<LiveEvent, void> {
    if (change.kind === 'Pod') {
      const pod = this.cluster.arriving(change.object);
      const before = this.cluster.pod(pod.key);
      if (before !== undefined && !before.terminating) yield this.#update(before, pod);
      return;
    }
    if (change.kind === 'Node') this.#noteRace(change.object.metadata?.name ?? '', change.object);
    const events = putObject(this.cluster, change);
    this.#version += 1;
    for (const event of events) this.#report(event, Infinity);
    if (change.kind === 'ResourceClaim') this.#openHeld();
    yield this.#event('changed', null, { message: `${change.kind} ${change.object.metadata?.name ?? ''}` });
  }

  /**
   * A node is cordoned or tainted, or goes. The real scheduler may try the pods that are nominated to it before it hears
   * of that, or after.
   */
  #noteRace(name: NodeName, written?: Node): void {
    const before = this.cluster.node(name);
    if (before === undefined) return;
    const { node } = before.facts;
    const closing = (each: Node): string =>
      JSON.stringify([each.spec?.unschedulable === true, each.spec?.taints ?? []]);
    if (written !== undefined && closing(written) === closing(node)) return;
    for (const { key } of this.cluster.nominatedTo(before.index)) this.#races.add(key);
  }

  /** Another version of a pod: it stays where it is. */
  #update(before: PodInfo, written: PodInfo): LiveEvent {
    const { cluster } = this;
    this.#version += 1;
    const { nodeName, nominatedNodeName, startedAt } = before;
    const pod = changedPod(written, { nodeName, nominatedNodeName, startedAt });
    const changes = podChanges(before, pod).map((change): ClusterEvent => ({
      kind: 'podChanged',
      change,
      before,
      pod,
    }));
    if (nodeName !== '') {
      cluster.replaceRunning(pod);
      for (const event of changes) this.#report(event, Infinity);
      return this.#event('changed', pod, { node: nodeName, message: `Pod ${pod.name}` });
    }
    cluster.removePending(before.key);
    cluster.addPending(pod);
    if (before.gates.length > 0 && pod.gates.length === 0) {
      const profile = this.#profileOf(pod);
      if (profile !== undefined && heldByGroup(cluster, pod) !== null) this.#held.add(pod.key);
      else this.#queue.openGates(pod, this.#clock);
      return this.#event('gates-removed', pod);
    }
    this.#queue.update(pod, this.#clock, (waiting) => changes.some((event) => this.#mayHelp(waiting, event)));
    return this.#event('changed', pod, { message: `Pod ${pod.name}` });
  }

  *#delete({ kind, key }: Deletion, graceSeconds?: number): Generator<LiveEvent, void> {
    if (kind === 'Pod') {
      yield* this.#deletePod(key, graceSeconds);
      return;
    }
    if (kind === 'Node') this.#noteRace(key);
    const events = removeObject(this.cluster, { kind, key });
    if (events === null) return;
    this.#version += 1;
    for (const event of events) this.#report(event, Infinity);
    yield this.#event('changed', null, { message: `${kind} ${key}` });
  }

  *#deletePod(key: PodKey, graceSeconds?: number): Generator<LiveEvent, void> {
    const pod = this.cluster.pod(key);
    if (pod === undefined) return;
    if (pod.terminating) {
      // By force, where nothing else ends it.
      if (graceSeconds === 0 && this.#unended.delete(key)) this.#agenda.add(this.#clock, { kind: 'gone', key });
      return;
    }
    this.#version += 1;
    if (pod.nodeName === '') {
      this.cluster.removePending(key);
      this.#queue.delete(key);
      for (const event of releaseClaims(this.cluster, pod)) this.#changed(event);
      if (pod.nominatedNodeName !== '') this.#nominationEnded(pod);
      yield this.#event('gone', pod, { left: [key] });
      return;
    }
    this.cluster.markTerminating(key, false);
    this.#endAfter(graceSeconds === 0 ? 0 : this.#graceOf(pod, graceSeconds), key);
    yield this.#event('deleted', pod, { node: pod.nodeName });
  }

  /** Whether a pod that was deleted stays, as no kubelet ends it. */
  isUnended(key: PodKey): boolean {
    return this.#unended.has(key);
  }

  /** A grace period is over, and all others that end now are. */
  *#letGo(first: PodKey): Generator<LiveEvent, void> {
    const left: PodInfo[] = [];
    const remove = (key: PodKey): void => {
      const pod = this.cluster.removeRunning(key);
      if (pod === undefined) return;
      left.push(pod);
      this.#changed({ kind: 'podDeleted', pod });
      for (const event of releaseClaims(this.cluster, pod)) this.#changed(event);
    };
    remove(first);
    for (
      let next = this.#agenda.takeIf(this.#clock, isGone);
      next !== undefined;
      next = this.#agenda.takeIf(this.#clock, isGone)
    ) {
      remove(next.key);
    }
    const [pod] = left;
    if (pod !== undefined) yield this.#event('gone', pod, { node: pod.nodeName, left: left.map(({ key }) => key) });
  }

  *#attempt({ pod }: QueuedPod): Generator<LiveEvent, void> {
    const group = groupOf(this.cluster, pod);
    if (group === null || this.#profileOf(pod) === undefined) yield this.#attemptOne(pod);
    else yield* this.#attemptGroup(group, pod);
  }

  /**
   * All pods of a group that wait are tried together. Whether one of them fails, and why, decides nothing about when they
   * are tried again: they are after their back-off, which here is when something has changed.
   * Source: scheduleOnePodGroup, podGroupInfoForPod, and determineSchedulingHintForInFlightPod
   */
  *#attemptGroup(group: string, first: PodInfo): Generator<LiveEvent, void> {
    const { cluster } = this;
    const inVain = this.#evictedInVain.get(group) ?? 0;
    if (inVain === mostInVain) {
      this.#queue.delete(first.key);
      return;
    }
    const taken = [...cluster.pending()]
      .filter((pod) => pod.key !== first.key && groupOf(cluster, pod) === group)
      .flatMap(({ key }) => this.#queue.take(key) ?? []);
    const order = new Map(taken.map(({ pod, admitted }) => [pod.key, admitted]));
    order.set(first.key, this.#queue.admittedOf(first.key));
    const pods = [first, ...taken.map(({ pod }) => pod)].sort(
      (a, b) => b.priority - a.priority || order.get(a.key)! - order.get(b.key)!,
    );
    const before = this.#version;
    const result = groupCycle(cluster, group, pods, this.#options);
    // What is told to whom is worked out before anything changes.
    const evicts = result.kind === 'waiting' && result.members.some(({ preempts }) => preempts);
    if (evicts) this.#evictedInVain.set(group, inVain + 1);
    const givesUp = evicts && inVain + 1 === mostInVain;
    const waits = result.kind === 'placed' ? null : waitsOf(cluster, group, pods, result, givesUp);
    const evictor = pods.findIndex((pod, at) => (result.members[at]?.node ?? result.then.get(pod.key)) !== undefined);
    for (const [at, pod] of pods.entries()) {
      const member = result.members[at];
      if (member?.decision.kind === 'unschedulable') this.#countPreemption(member.decision);
      const decision = waits?.[at] ?? member!.decision;
      switch (decision.kind) {
        case 'fits':
          yield this.#schedule(pod, decision);
          break;
        case 'unschedulable':
          yield* this.#rejectMember(pod, decision, member, result, at === evictor ? result.victims : []);
          break;
        case 'gated':
        case 'not-modelled':
          this.#queue.delete(pod.key);
          yield this.#event('not-modelled', pod, { message: decision.message, decision });
      }
    }
    if (this.#version !== before) for (const { key } of pods) this.#queue.wake(key, this.#clock);
  }

  /** Source: submitPodGroupAlgorithmResult */
  *#rejectMember(
    pod: PodInfo,
    decision: UnschedulableDecision,
    member: Member | undefined,
    { kind, then }: GroupResult,
    victims: readonly PodInfo[],
  ): Generator<LiveEvent, void> {
    const rejectedBy = kind === 'failed' ? noPlugins : new Set([...decision.rejectedBy, gangScheduling]);
    const own = member?.preempts === true && member.decision.kind === 'unschedulable' ? member.decision : null;
    if (own !== null && kind === 'preempting') {
      yield this.#reject(pod, decision, rejectedBy);
      return;
    }
    if (own !== null) {
      // Its victims are evicted already, though the group is not placed.
      const { node } = own.preemption!.choice!;
      const { victims: evicted, cleared } = this.#evictFor(pod, own, node);
      for (const other of cleared) this.#nominationEnded(other);
      if (evicted.length > 0) this.#version += 1;
      yield this.#event('nominated', pod, {
        node,
        victims: evicted,
        cleared: cleared.map(({ key }) => key),
        message: own.message,
        decision: own,
      });
      yield { ...this.#leave(pod, decision, rejectedBy), lostNomination: node };
      return;
    }
    this.#freeClaims(decision);
    const found = member?.node ?? null;
    const node = found ?? (victims.length > 0 ? (then.get(pod.key) ?? null) : null);
    if (node === null || kind !== 'preempting') {
      yield this.#leave(pod, decision, rejectedBy);
      return;
    }
    // One that fits nowhere yet is nominated to no node.
    const nominated = found === null ? pod : this.cluster.nominate(pod, found);
    const evicted = this.#evict(podGroupNote(this.cluster, pod), victims);
    const before = pod.nominatedNodeName;
    this.#queue.addUnschedulable(nominated, rejectedBy, this.#clock);
    if (before !== nominated.nominatedNodeName || evicted.length > 0) this.#version += 1;
    if (before !== '' && before !== nominated.nominatedNodeName) this.#nominationEnded(pod);
    this.#failedAt.set(pod.key, this.#version);
    yield this.#event('nominated', nominated, { node, victims: evicted, message: decision.message, decision });
  }

  #attemptOne(pod: PodInfo): LiveEvent {
    // Pods of one shape share their failures, but a nomination changes what a pod is answered.
    const shape = pod.nominatedNodeName === '' ? (this.#options.shapeOf?.(pod) ?? pod) : pod;
    const shared = this.#failures.of(shape, this.#version, pod.key);
    if (shared !== null && !this.#races.has(pod.key)) {
      this.#countPreemption(shared);
      return this.#reject(pod, shared);
    }
    const decision = decide(this.cluster, pod, this.#options);
    // The next attempt of such a pod is the race; what comes of it is as sure as anything.
    if (this.#races.delete(pod.key)) markVarying(decision);
    switch (decision.kind) {
      case 'fits':
        return this.#schedule(pod, decision);
      case 'unschedulable':
        this.#countPreemption(decision);
        if ((decision.preemption?.choice ?? null) === null) this.#failures.add(shape, this.#version, decision);
        return this.#reject(pod, decision);
      case 'gated':
      case 'not-modelled':
        this.#queue.delete(pod.key);
        return this.#event('not-modelled', pod, { message: decision.message, decision });
    }
  }

  #schedule(pod: PodInfo, decision: FitsDecision): LiveEvent {
    const { cluster } = this;
    const node = cluster.node(decision.node)!;
    const failure = bindingFailureOf({ cluster, pod, now: this.#options.now }, node);
    if (failure !== null) return this.#bindingFailed(pod, decision, failure);
    const bindings = volumeEvents(cluster, pod, () => {
      frameworkOf(this.#profileOf(pod)!).reserve({ cluster, pod }, node);
    });
    const bound = this.#bind(pod, decision.node, this.#options.startTime?.(this.#clock) ?? null);
    this.#queue.delete(pod.key);
    this.#evicting.delete(pod.key);
    const nominated = pod.nominatedNodeName;
    for (const event of bindings) this.#changed(event);
    this.#changed({ kind: 'podAdded', pod: bound });
    if (nominated !== '' && this.#behaviours.bindingEndsNomination) this.#nominationEnded(pod);
    const lostNomination = nominated === '' || nominated === decision.node ? null : nominated;
    return this.#event('scheduled', bound, { node: decision.node, lostNomination, decision });
  }

  /** Without an end where no kubelet ends it. */
  #graceOf(pod: PodInfo, asked?: number): number {
    if (isLost(this.cluster.node(pod.nodeName)?.facts.hardTaints ?? [])) return Infinity;
    return asked ?? this.#options.graceOf?.(pod) ?? gracePeriodSeconds(pod.pod);
  }

  #endAfter(seconds: number, key: PodKey): void {
    if (seconds === Infinity) this.#unended.add(key);
    else this.#agenda.add(this.#clock + seconds, { kind: 'gone', key });
  }

  /** The pod has a node, and its claims cannot be written: it is tried again later, as after any error. */
  #bindingFailed(pod: PodInfo, decision: FitsDecision, message: string): LiveEvent {
    this.#queue.addUnschedulable(pod, new Set(), this.#clock);
    this.#failedAt.set(pod.key, this.#version);
    return this.#event('unschedulable', pod, { message, decision: failedBinding(decision, message) });
  }

  #bind(pod: PodInfo, node: NodeName, startedAt: number | null = null): PodInfo {
    return this.cluster.bind(this.#options.asBound?.(pod, node) ?? pod, node, startedAt);
  }

  #reject(
    pod: PodInfo,
    decision: UnschedulableDecision,
    rejectedBy: ReadonlySet<string> = decision.rejectedBy,
  ): LiveEvent {
    const event = this.#putBack(pod, decision, rejectedBy);
    // What happens during an attempt is told to its pod, too. Source: determineSchedulingHintForInFlightPod
    this.#freeClaims(decision);
    return event;
  }

  /** Source: pkg/scheduler/framework/preemption/preemption.go (Preempt, prepareCandidate), handleSchedulingFailure */
  #putBack(pod: PodInfo, decision: UnschedulableDecision, rejectedBy: ReadonlySet<string>): LiveEvent {
    const { preemption, message } = decision;
    const choice = preemption?.choice ?? null;
    const before = pod.nominatedNodeName;
    if (choice === null) return this.#leave(pod, decision, rejectedBy);
    const inVain = this.#evicting.get(pod.key) ?? 0;
    if (inVain === mostEvicting) {
      (decision as { evictedInVain?: number }).evictedInVain = inVain;
      const left = this.#leave(pod, decision, rejectedBy);
      this.#queue.delete(pod.key);
      return left;
    }
    const { node } = choice;
    const { victims, cleared } = this.#evictFor(pod, decision, node);
    if (victims.length > 0) this.#evicting.set(pod.key, inVain + 1);
    const nominated = this.cluster.nominate(pod, node);
    this.#queue.addUnschedulable(nominated, rejectedBy, this.#clock);
    for (const other of cleared) this.#nominationEnded(other);
    if (before !== '' && before !== node) this.#nominationEnded(pod);
    if (before !== node || victims.length > 0) this.#version += 1;
    this.#failedAt.set(pod.key, this.#version);
    return this.#event('nominated', nominated, {
      node,
      victims,
      cleared: cleared.map(({ key }) => key),
      lostNomination: before === '' || before === node ? null : before,
      message,
      decision,
    });
  }

  #countPreemption({ preemption }: UnschedulableDecision): void {
    if (preemption !== null) this.#preemptionAttempts += 1;
  }

  /** Evicts the victims of a decision. `cleared`: pods of lower priority that wait for that node no longer. */
  #evictFor(
    pod: PodInfo,
    { preemption }: UnschedulableDecision,
    node: NodeName,
  ): { readonly victims: readonly LiveVictim[]; readonly cleared: readonly PodInfo[] } {
    const keys = preemption!.candidates.get(node)!.victims;
    const victims = this.#evict(
      `pod ${pod.uid} on node ${node}`,
      keys.map((key) => this.cluster.pod(key)!),
    );
    const index = this.cluster.nodeSet.indexOf(node)!;
    const clears = victims.length > 0 || this.#behaviours.preemptsTerminatingVictims;
    const lower = clears ? this.cluster.nominatedTo(index).filter(({ priority }) => priority < pod.priority) : [];
    // Their changed status is an event that no plugin registers for; the freed room is told below.
    for (const other of lower) this.#queue.update(this.cluster.nominate(other, ''), this.#clock, () => false);
    return { victims, cleared: lower };
  }

  /** The pod has no node, and none to wait for. */
  #leave(pod: PodInfo, decision: UnschedulableDecision, rejectedBy: ReadonlySet<string>): LiveEvent {
    const before = pod.nominatedNodeName;
    const cleared = decision.losesNomination && before !== '';
    const left = cleared ? this.cluster.nominate(pod, '') : pod;
    this.#queue.addUnschedulable(left, rejectedBy, this.#clock);
    if (cleared) this.#nominationEnded(pod);
    this.#failedAt.set(pod.key, this.#version);
    const { message } = decision;
    return this.#event('unschedulable', left, { lostNomination: cleared ? before : null, message, decision });
  }

  /** PostFilter takes devices from one claim that no other pod uses; which one is chance. */
  #freeClaims({ freedClaims, deletedClaim, repeats }: UnschedulableDecision): void {
    if (repeats !== null) return;
    const { objects } = this.cluster;
    const [freed] = freedClaims.toSorted(compareBytewise);
    if (deletedClaim !== null) objects.removeResourceClaim(deletedClaim);
    const before = freed === undefined ? undefined : objects.resourceClaim(freed);
    if (before === undefined) return;
    const claim = deallocated(before);
    objects.putResourceClaim(claim);
    this.#changed({ kind: 'resourceClaimChanged', before, claim });
  }

  /**
   * Deletes the victims. Those that are terminating already go on doing so. The calls to the API take no time, so that
   * the preemptor is not seen waiting for them. Source: prepareCandidateAsync
   */
  #evict(preemptor: string, pods: readonly PodInfo[]): readonly LiveVictim[] {
    const { cluster } = this;
    const victims: LiveVictim[] = [];
    for (const { key } of pods) {
      const victim = cluster.pod(key)!;
      if (victim.terminating) continue;
      cluster.markTerminating(key, true);
      for (const budget of cluster.budgets.matchesOf(victim.class)) {
        if (!cluster.budgets.budgets[budget]!.disruptedPods.has(victim.name)) cluster.chargeBudget(budget);
      }
      const grace = this.#graceOf(victim);
      this.#endAfter(grace, key);
      victims.push({
        pod: key,
        priority: victim.priority,
        goneAt: this.#clock + grace,
        note: `Preempted by ${preemptor}`,
      });
    }
    this.#preemptionVictims += victims.length;
    return victims;
  }

  #changed(event: ClusterEvent): void {
    this.#version += 1;
    this.#report(event, Infinity);
  }

  /**
   * Room held for a nominated pod is free: to pods of its priority and below it is as if the pod had left, itself
   * included. Source: updatePodInSchedulingQueue in pkg/scheduler/eventhandlers.go
   */
  #nominationEnded(pod: PodInfo): void {
    this.#version += 1;
    this.#report({ kind: 'podDeleted', pod }, pod.priority);
  }

  #report(event: ClusterEvent, maxPriority: number): void {
    this.#queue.move(
      (rejectedBy) => concerns(event, rejectedBy),
      (waiting) => waiting.pod.priority <= maxPriority && this.#mayHelp(waiting, event),
      this.#clock,
    );
  }

  #mayHelp({ pod, rejectedBy }: QueuedPod, event: ClusterEvent): boolean {
    const { args } = this.#profileOf(pod) ?? defaultProfileOf(this.cluster.release);
    return mayHelp(rejectedBy, pod, event, { cluster: this.cluster, args, behaviours: this.#behaviours });
  }

  #profileOf(pod: PodInfo): Profile | undefined {
    return this.#profiles.find(({ schedulerName }) => schedulerName === pod.schedulerName);
  }

  #event(kind: LiveEventKind, pod: PodInfo | null, more: Partial<LiveEvent> = {}): LiveEvent {
    return {
      kind,
      clock: this.#clock,
      pod: pod?.key ?? '',
      priority: pod?.priority ?? 0,
      node: null,
      victims: [],
      cleared: [],
      left: [],
      lostNomination: null,
      message: '',
      decision: null,
      queues: this.#queue.counts(),
      preemption: { attempts: this.#preemptionAttempts, victims: this.#preemptionVictims },
      ...more,
    };
  }
}

const noPlugins: ReadonlySet<string> = new Set();

/**
 * A group whose pods evict others one by one, and that is not placed, is tried again and evicts the replacements, for
 * ever: kube-scheduler at the pace of its back-off. After so many times it is left.
 */
const mostInVain = 3;

/**
 * A pod whose victims are replaced where the replacement keeps it away again evicts that, for ever. What others get
 * before it, as they have a higher priority, ends.
 */
const mostEvicting = 10;

/** It has no hints in the queue, so that pods which it turns down are tried again after every event. */
const gangScheduling = 'GangScheduling';

/** Source: NewExecutor, actuatePodGroupPreemption */
function podGroupNote(cluster: ClusterState, pod: PodInfo): string {
  return `podgroup ${podGroup(cluster, groupOf(cluster, pod) ?? '')?.uid ?? ''} on node cluster`;
}

/** The later of the two; the earliest where `time` is NaN. */
function notBefore(earliest: number, time: number): number {
  return time > earliest ? time : earliest;
}

function byKey(a: PodInfo, b: PodInfo): number {
  return a.key < b.key ? -1 : a.key > b.key ? 1 : 0;
}
