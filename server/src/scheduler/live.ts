import { decide } from './decide.ts';
import type { FitsDecision, PodKey, UnschedulableDecision } from './decision.ts';
import type { ClusterState } from './framework/cluster-state.ts';
import type { PodInfo } from './framework/pod-info.ts';
import { defaultProfile, type Profile } from './framework/profile.ts';
import type { Arrival, LiveEvent, LiveEventKind, LiveOptions, LiveOutcome, LiveVictim } from './live-event.ts';
import { frameworkOf } from './plugins/registry.ts';
import { gateMessage, schedulingGates } from './plugins/scheduling-gates.ts';
import { Agenda } from './queue/agenda.ts';
import { defaultBackoff } from './queue/backoff.ts';
import type { ClusterEvent } from './queue/cluster-event.ts';
import { mayHelp } from './queue/queueing-hints.ts';
import { rejectorsOf } from './queue/rejectors.ts';
import { SchedulingQueue } from './queue/scheduling-queue.ts';

/** Source: pkg/apis/core/v1/defaults.go (DefaultTerminationGracePeriodSeconds) */
const defaultGraceSeconds = 30;
const defaultMaxAttempts = 100_000;
const defaultMaxSeconds = 24 * 60 * 60;

/** What is known to happen later. */
type Planned =
  | { readonly kind: 'arrival'; readonly arrival: Arrival }
  | { readonly kind: 'gates-removed'; readonly key: PodKey }
  | { readonly kind: 'gone'; readonly key: PodKey };

/**
 * A scheduler at work on a simulated clock: pods arrive, wait in the queue, are placed or preempt; victims leave when
 * their grace period ends, and the preemptor is tried again. Attempts take no time. Pods pending in the cluster state
 * arrive at 0, before the others; pods that are terminating leave after their grace period. No controller acts: victims are not
 * replaced, and budgets are charged but not refilled.
 * Works on a branch; the state given is not changed. Same input, same events. Always ends.
 */
export function* runLive(
  cluster: ClusterState,
  arrivals: Iterable<Arrival>,
  options: LiveOptions = {},
): Generator<LiveEvent, LiveOutcome> {
  return yield* new LiveRun(cluster, arrivals, options).run();
}

class LiveRun {
  readonly #state: ClusterState;
  readonly #options: LiveOptions;
  readonly #profiles: readonly Profile[];
  readonly #queue: SchedulingQueue;
  readonly #agenda = new Agenda<Planned>();
  readonly #early: PodInfo[];
  #clock = 0;
  /** Counts changes that a decision may depend on. */
  #version = 0;
  /** The version at which a pod was last tried in vain: at the same one it fails again. */
  readonly #failedAt = new Map<PodKey, number>();
  #attempts = 0;
  #preemptionAttempts = 0;
  #preemptionVictims = 0;

  constructor(cluster: ClusterState, arrivals: Iterable<Arrival>, options: LiveOptions) {
    this.#state = cluster.branch();
    this.#options = options;
    this.#profiles = options.profiles ?? [defaultProfile];
    this.#queue = new SchedulingQueue({
      podInitialBackoffSeconds: options.podInitialBackoffSeconds ?? defaultBackoff.podInitialBackoffSeconds,
      podMaxBackoffSeconds: options.podMaxBackoffSeconds ?? defaultBackoff.podMaxBackoffSeconds,
    });
    this.#early = [...this.#state.pending()].filter((pod) => !pod.terminating).sort(byKey);
    for (const pod of [...this.#state.running()].filter(({ terminating }) => terminating).sort(byKey)) {
      this.#agenda.add(graceSeconds(pod), { kind: 'gone', key: pod.key });
    }
    for (const arrival of arrivals) {
      this.#agenda.add(notBefore(0, arrival.at), { kind: 'arrival', arrival });
    }
  }

  *run(): Generator<LiveEvent, LiveOutcome> {
    const { maxAttempts = defaultMaxAttempts, maxSeconds = defaultMaxSeconds } = this.#options;
    for (const pod of this.#early) yield this.#enqueue(pod);
    for (;;) {
      for (let next = this.#agenda.take(this.#clock); next !== undefined; next = this.#agenda.take(this.#clock)) {
        yield* this.#happen(next);
      }
      this.#queue.flush(this.#clock);
      for (let next = this.#queue.pop(); next !== undefined; next = this.#queue.pop()) {
        if (this.#attempts >= maxAttempts) return this.#end('attempts');
        this.#attempts += 1;
        yield this.#attempt(next.pod);
      }
      const next = this.#nextTime();
      if (next === null) return this.#end('settled');
      if (next > maxSeconds) return this.#end('time');
      this.#clock = next;
    }
  }

  #end(ended: LiveOutcome['ended']): LiveOutcome {
    return { ended, clock: this.#clock, cluster: this.#state };
  }

  /** Null when no pod could be answered differently than it was, and nothing else is to come. */
  #nextTime(): number | null {
    const planned = this.#agenda.nextTime();
    const flush = this.#queue.nextFlush(({ pod, attempts }) => attempts > 0 && this.#failedAt.get(pod.key) !== this.#version);
    if (planned === null || flush === null) return planned ?? flush;
    return Math.min(planned, flush);
  }

  *#happen(planned: Planned): Generator<LiveEvent, void> {
    switch (planned.kind) {
      case 'arrival':
        yield this.#arrive(planned.arrival);
        return;
      case 'gates-removed': {
        const gated = this.#state.pod(planned.key);
        if (gated !== undefined && gated.gates.length > 0 && gated.nodeName === '') yield this.#removeGates(gated);
        return;
      }
      case 'gone': {
        const pod = this.#state.removeRunning(planned.key);
        if (pod === undefined) return;
        this.#changed({ kind: 'podDeleted', pod });
        yield this.#event('gone', pod, { node: pod.nodeName });
        return;
      }
    }
  }

  #arrive({ pod: written, gatesRemovedAt }: Arrival): LiveEvent {
    const pod = this.#state.arriving(written);
    if (this.#state.pod(pod.key) !== undefined) {
      return this.#event('refused', pod, { message: `pods ${JSON.stringify(pod.name)} already exists` });
    }
    if (pod.nodeName !== '') {
      this.#changed({ kind: 'podAdded', pod: this.#state.bind(pod, pod.nodeName, pod.startedAt) });
      return this.#event('bound', pod, { node: pod.nodeName });
    }
    this.#state.addPending(pod);
    if (gatesRemovedAt !== undefined && pod.gates.length > 0) {
      this.#agenda.add(notBefore(this.#clock, gatesRemovedAt), { kind: 'gates-removed', key: pod.key });
    }
    return this.#enqueue(pod);
  }

  #enqueue(pod: PodInfo): LiveEvent {
    if (pod.nominatedNodeName !== '') this.#version += 1;
    const profile = this.#profileOf(pod);
    const gates = profile !== undefined && frameworkOf(profile).isEnabled('preEnqueue', schedulingGates) ? gateMessage(pod) : null;
    if (gates !== null) {
      this.#queue.addGated(pod, this.#clock);
      return this.#event('gated', pod, { message: gates });
    }
    this.#queue.add(pod, this.#clock);
    return this.#event('arrived', pod);
  }

  #removeGates(gated: PodInfo): LiveEvent {
    const pod = this.#state.arriving({ ...gated.pod, spec: { ...gated.pod.spec!, schedulingGates: [] } });
    this.#state.removePending(gated.key);
    this.#state.addPending(pod);
    this.#queue.openGates(pod, this.#clock);
    return this.#event('gates-removed', pod);
  }

  #attempt(pod: PodInfo): LiveEvent {
    const decision = decide(this.#state, pod, this.#options);
    switch (decision.kind) {
      case 'fits':
        return this.#schedule(pod, decision);
      case 'unschedulable':
        return this.#reject(pod, decision);
      case 'gated':
      case 'not-modelled':
        this.#queue.delete(pod.key);
        return this.#event('not-modelled', pod, { message: decision.message, decision });
    }
  }

  #schedule(pod: PodInfo, decision: FitsDecision): LiveEvent {
    const state = this.#state;
    frameworkOf(this.#profileOf(pod)!).reserve({ cluster: state, pod }, state.node(decision.node)!);
    const bound = state.bind(pod, decision.node);
    this.#queue.delete(pod.key);
    const nominated = pod.nominatedNodeName;
    const lostNomination = nominated === '' || nominated === decision.node ? null : nominated;
    this.#changed({ kind: 'podAdded', pod: bound });
    if (lostNomination !== null) this.#nominationEnded(pod);
    return this.#event('scheduled', bound, { node: decision.node, lostNomination, decision });
  }

  /** Source: pkg/scheduler/framework/preemption/preemption.go (Preempt, prepareCandidate), handleSchedulingFailure */
  #reject(pod: PodInfo, decision: UnschedulableDecision): LiveEvent {
    const { preemption, message } = decision;
    if (preemption !== null) this.#preemptionAttempts += 1;
    const choice = preemption?.choice ?? null;
    const before = pod.nominatedNodeName;
    const rejectedBy = rejectorsOf(decision);
    if (choice === null) {
      // Who looked for victims and found none loses the nomination.
      const cleared = preemption?.eligible === true && before !== '';
      const left = cleared ? this.#state.nominate(pod, '') : pod;
      this.#queue.addUnschedulable(left, rejectedBy, this.#clock);
      if (cleared) this.#nominationEnded(pod);
      this.#failedAt.set(pod.key, this.#version);
      return this.#event('unschedulable', left, { lostNomination: cleared ? before : null, message, decision });
    }
    const { node } = choice;
    const victims = this.#evict(pod, node, preemption!.candidates.get(node)!.victims);
    const index = this.#state.nodeSet.indexOf(node)!;
    const lower = this.#state.nominatedTo(index).filter(({ priority }) => priority < pod.priority);
    for (const other of lower) this.#queue.update(this.#state.nominate(other, ''));
    const nominated = this.#state.nominate(pod, node);
    this.#queue.addUnschedulable(nominated, rejectedBy, this.#clock);
    for (const other of lower) this.#nominationEnded(other);
    if (before !== '' && before !== node) this.#nominationEnded(pod);
    if (before !== node || victims.length > 0) this.#version += 1;
    this.#failedAt.set(pod.key, this.#version);
    return this.#event('nominated', nominated, {
      node,
      victims,
      cleared: lower.map(({ key }) => key),
      lostNomination: before === '' || before === node ? null : before,
      message,
      decision,
    });
  }

  /** Deletes the victims. Those that are terminating already go on doing so. */
  #evict(preemptor: PodInfo, node: string, keys: readonly PodKey[]): readonly LiveVictim[] {
    const state = this.#state;
    const victims: LiveVictim[] = [];
    for (const key of keys) {
      const victim = state.pod(key)!;
      if (victim.terminating) continue;
      state.markTerminating(key, true);
      for (const budget of state.budgets.matchesOf(victim.class)) {
        if (!state.budgets.budgets[budget]!.disruptedPods.has(victim.name)) state.chargeBudget(budget);
      }
      const goneAt = this.#clock + graceSeconds(victim);
      this.#agenda.add(goneAt, { kind: 'gone', key });
      victims.push({ pod: key, priority: victim.priority, goneAt, note: `Preempted by pod ${preemptor.uid} on node ${node}` });
    }
    this.#preemptionVictims += victims.length;
    return victims;
  }

  #changed(event: ClusterEvent): void {
    this.#version += 1;
    this.#tell(event, Infinity);
  }

  /** Room held for a nominated pod is free: to pods of its priority and below it is as if the pod had left. */
  #nominationEnded(pod: PodInfo): void {
    this.#version += 1;
    this.#tell({ kind: 'podDeleted', pod }, pod.priority);
  }

  #tell(event: ClusterEvent, maxPriority: number): void {
    this.#queue.move(({ pod, rejectedBy }) => {
      if (pod.priority > maxPriority || pod.key === event.pod.key) return false;
      const args = (this.#profileOf(pod) ?? defaultProfile).args;
      return mayHelp(rejectedBy, pod, event, { cluster: this.#state, args });
    }, this.#clock);
  }

  #profileOf(pod: PodInfo): Profile | undefined {
    return this.#profiles.find(({ schedulerName }) => schedulerName === pod.schedulerName);
  }

  #event(kind: LiveEventKind, pod: PodInfo, more: Partial<LiveEvent> = {}): LiveEvent {
    return {
      kind,
      clock: this.#clock,
      pod: pod.key,
      priority: pod.priority,
      node: null,
      victims: [],
      cleared: [],
      lostNomination: null,
      message: '',
      decision: null,
      queues: this.#queue.counts(),
      preemption: { attempts: this.#preemptionAttempts, victims: this.#preemptionVictims },
      ...more,
    };
  }
}

/** A time that is no number is as good as the earliest. */
function notBefore(earliest: number, time: number): number {
  return time > earliest ? time : earliest;
}

/** Negative periods count as 1. Source: pkg/registry/core/pod/strategy.go (CheckGracefulDelete) */
function graceSeconds({ pod }: PodInfo): number {
  const seconds = pod.metadata?.deletionGracePeriodSeconds ?? pod.spec?.terminationGracePeriodSeconds ?? defaultGraceSeconds;
  return seconds < 0 ? 1 : seconds;
}

function byKey(a: PodInfo, b: PodInfo): number {
  return a.key < b.key ? -1 : a.key > b.key ? 1 : 0;
}
