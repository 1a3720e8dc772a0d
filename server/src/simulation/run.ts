import type { Decision, NodeName, PodKey, UnschedulableDecision } from '../scheduler/decision.ts';
import type { Cluster } from './cluster.ts';
import { checkDirectBinding } from './direct-binding.ts';
import { PodQueue } from './pod-queue.ts';
import type { PodState, QueueCounts, ReportStep } from './report.ts';
import type { SimulatedPod } from './simulated-pod.ts';

/** Makes the pod that a controller creates in place of a victim. */
export interface Controllers {
  /** Null when nothing recreates the victim. */
  replace(victim: SimulatedPod): Replacement | null;
}

export interface Replacement {
  readonly pod: SimulatedPod;
  /** Some controllers wait until the old pod is gone (a StatefulSet, whose pods have fixed names). */
  readonly when: 'eviction' | 'removal';
}

/** Something that happened. Places are read from the run while it is told. */
export interface RunEvent {
  readonly kind: ReportStep['kind'];
  /** Seconds on the simulated clock. */
  readonly clock: number;
  readonly pod: SimulatedPod;
  readonly node: NodeName | null;
  /** Newly terminating for `nominated`, gone for `gone`. */
  readonly victims: readonly SimulatedPod[];
  /** Every pod whose place changed, `pod` and new pods included. */
  readonly changed: readonly SimulatedPod[];
  readonly decision: Decision | null;
  /** The reason, where there is no decision to give it. */
  readonly message: string;
  /** The pod was nominated to this node before and did not get it. */
  readonly lostNomination: NodeName | null;
  readonly queues: QueueCounts;
}

export interface LivePlace {
  readonly state: PodState;
  readonly node: NodeName | null;
}

interface Live {
  state: PodState;
  node: NodeName | null;
  /** The cluster's version when it was last tried in vain. */
  failedAt: number;
  lastMessage: string | null;
}

interface Termination {
  readonly pod: SimulatedPod;
  readonly node: NodeName;
  readonly goneAt: number;
  readonly replacement: SimulatedPod | null;
}

/**
 * A cluster in motion: pods are taken from the queue one by one, victims leave after their grace period, controllers
 * replace them, and waiting pods are tried again when something changed.
 *
 * With equal grace periods and no controllers it takes the decisions of the replay convention in docs/conformance.md.
 */
export class Run {
  readonly cluster: Cluster;
  readonly #controllers: Controllers;
  readonly #queue = new PodQueue();
  readonly #live = new Map<SimulatedPod, Live>();
  readonly #byKey = new Map<PodKey, SimulatedPod>();
  #terminations: Termination[] = [];
  #version = 0;
  #clock = 0;
  readonly #failures = new Map<object, { readonly version: number; readonly decision: UnschedulableDecision }>();
  readonly #incoming: SimulatedPod[] = [];

  constructor(cluster: Cluster, controllers: Controllers) {
    this.cluster = cluster;
    this.#controllers = controllers;
  }

  get clock(): number {
    return this.#clock;
  }

  /** Sets the clock to 0, for what is to be told from here on. */
  restartClock(): void {
    this.#terminations = this.#terminations.map((termination) => ({
      ...termination,
      goneAt: termination.goneAt - this.#clock,
    }));
    this.#clock = 0;
    this.#queue.forgetAttempts();
  }

  /** A pod that is on a node already. The cluster holds it. */
  addRunning(pod: SimulatedPod, node: NodeName): void {
    const terminating = pod.pod.metadata?.deletionTimestamp !== undefined;
    this.#track(pod, terminating ? 'terminating' : 'running', node);
    if (terminating)
      this.#terminations.push({ pod, node, goneAt: this.#clock + pod.gracePeriodSeconds, replacement: null });
  }

  /** A pod that is about to be looked at: pending, gated, bound by hand, or refused by the API server. */
  addArriving(pod: SimulatedPod): void {
    this.#track(pod, 'pending', null);
    this.#incoming.push(pod);
  }

  place(pod: SimulatedPod): LivePlace {
    const live = this.#live.get(pod);
    return { state: live?.state ?? 'pending', node: live?.node ?? null };
  }

  pods(): IterableIterator<SimulatedPod> {
    return this.#live.keys();
  }

  find(key: PodKey): SimulatedPod | undefined {
    return this.#byKey.get(key);
  }

  /** Runs until nothing changes any more. Yields after each decision, so that the caller can pause or stop. */
  *settle(tell: (event: RunEvent) => void): Generator<void, void> {
    yield* this.#admitIncoming(tell);
    for (;;) {
      yield* this.#drain(tell);
      if (!this.#letGo(tell)) return;
      yield* this.#admitIncoming(tell);
    }
  }

  #track(pod: SimulatedPod, state: PodState, node: NodeName | null): void {
    this.#live.set(pod, { state, node, failedAt: -1, lastMessage: null });
    this.#byKey.set(pod.key, pod);
  }

  #set(pod: SimulatedPod, state: PodState, node: NodeName | null): void {
    const live = this.#live.get(pod);
    if (live === undefined) this.#track(pod, state, node);
    else {
      live.state = state;
      live.node = node;
    }
  }

  *#admitIncoming(tell: (event: RunEvent) => void): Generator<void, void> {
    const incoming = this.#incoming.splice(0);
    for (const pod of incoming) {
      if (pod.refusal !== '') {
        this.#set(pod, 'rejected', null);
        tell(this.#event('rejected', pod, { message: pod.refusal }));
      } else if ((pod.pod.spec?.nodeName ?? '') !== '') {
        this.#bindDirectly(pod, pod.pod.spec?.nodeName ?? '', tell);
        yield;
      } else {
        this.cluster.arrive(pod);
        this.#queue.add(pod);
      }
    }
  }

  /** `spec.nodeName` in a new pod: the scheduler is not asked, only the kubelet. */
  #bindDirectly(pod: SimulatedPod, node: NodeName, tell: (event: RunEvent) => void): void {
    const refusal = checkDirectBinding(this.cluster, pod, node);
    if (refusal !== null) {
      this.#set(pod, 'rejected', null);
      tell(this.#event('rejected', pod, { message: refusal }));
      return;
    }
    this.cluster.bind(pod, node);
    this.#version += 1;
    this.#set(pod, 'running', node);
    tell(this.#event('scheduled', pod, { node, message: 'Bound by spec.nodeName; the scheduler is not asked.' }));
  }

  *#drain(tell: (event: RunEvent) => void): Generator<void, void> {
    for (;;) {
      for (let pod = this.#queue.pop(); pod !== undefined; pod = this.#queue.pop()) {
        this.#attempt(pod, tell);
        if (this.#incoming.length > 0) yield* this.#admitIncoming(tell);
        yield;
      }
      const stale = [...this.#queue.unschedulable].some((pod) => this.#live.get(pod)?.failedAt !== this.#version);
      if (!stale) return;
      this.#queue.retryAll(this.#clock);
    }
  }

  #attempt(pod: SimulatedPod, tell: (event: RunEvent) => void): void {
    const decision = this.#decide(pod);
    switch (decision.kind) {
      case 'fits':
        this.#schedule(pod, decision, tell);
        return;
      case 'unschedulable':
        this.#wait(pod, decision, tell);
        return;
      case 'gated':
        this.#set(pod, 'gated', null);
        this.#queue.gate(pod);
        tell(this.#event('gated', pod, { decision }));
        return;
      case 'not-modelled':
        tell(this.#event('not-modelled', pod, { decision }));
        return;
    }
  }

  /** Replicas that fail on an unchanged cluster fail alike. */
  #decide(pod: SimulatedPod): Decision {
    const nominated = this.cluster.nominatedNode(pod) !== null;
    const known = nominated ? undefined : this.#failures.get(pod.shape);
    if (known?.version === this.#version) return sharedDecision(known.decision, pod.key);
    const decision = this.cluster.decide(pod);
    if (decision.kind === 'unschedulable' && decision.preemption?.choice == null && !nominated) {
      this.#failures.set(pod.shape, { version: this.#version, decision });
    }
    return decision;
  }

  #schedule(pod: SimulatedPod, decision: Decision & { readonly kind: 'fits' }, tell: (event: RunEvent) => void): void {
    const nominated = this.cluster.nominatedNode(pod);
    this.cluster.bind(pod, decision.node);
    this.#version += 1;
    this.#set(pod, 'running', decision.node);
    const lostNomination = nominated === null || nominated === decision.node ? null : nominated;
    tell(this.#event('scheduled', pod, { node: decision.node, decision, lostNomination }));
  }

  #wait(pod: SimulatedPod, decision: UnschedulableDecision, tell: (event: RunEvent) => void): void {
    const choice = decision.preemption?.choice ?? null;
    if (choice !== null) {
      this.#preempt(pod, choice.node, decision, tell);
      return;
    }
    let lostNomination: NodeName | null = null;
    // Source: pkg/scheduler/framework/preemption/preemption.go Preempt: eligible without a candidate clears it.
    if (decision.preemption?.eligible === true) {
      lostNomination = this.cluster.nominatedNode(pod);
      if (lostNomination !== null) {
        this.cluster.clearNomination(pod);
        this.#version += 1;
      }
    }
    const live = this.#live.get(pod);
    const repeated = live?.lastMessage === decision.message && lostNomination === null;
    const stillNominated = this.cluster.nominatedNode(pod);
    this.#set(pod, stillNominated === null ? 'pending' : 'nominated', stillNominated);
    this.#fail(pod, decision.message);
    // A nominated pod that waits for its victims has been told of already.
    if (repeated || stillNominated !== null) return;
    tell(this.#event('pending', pod, { decision, lostNomination }));
  }

  #preempt(pod: SimulatedPod, node: NodeName, decision: UnschedulableDecision, tell: (event: RunEvent) => void): void {
    const before = this.cluster.nominatedNode(pod);
    const victims = (decision.preemption?.candidates.get(node)?.victims ?? [])
      .flatMap((key) => this.#byKey.get(key) ?? [])
      .filter((victim) => this.#live.get(victim)?.state === 'running');
    const cleared = this.cluster.preempt(pod, node, victims).flatMap((key) => this.#byKey.get(key) ?? []);
    // Victims that were ending anyway change nothing: counting that as a change would try the pod again forever.
    if (before !== node || victims.length > 0 || cleared.length > 0) this.#version += 1;
    this.#set(pod, 'nominated', node);
    for (const other of cleared) this.#set(other, 'pending', null);
    const created: SimulatedPod[] = [];
    for (const victim of victims) {
      this.#set(victim, 'terminating', node);
      const replacement = this.#controllers.replace(victim);
      if (replacement?.when === 'eviction') {
        this.addArriving(replacement.pod);
        created.push(replacement.pod);
      }
      const later = replacement?.when === 'removal' ? replacement.pod : null;
      this.#terminations.push({
        pod: victim,
        node,
        goneAt: this.#clock + victim.gracePeriodSeconds,
        replacement: later,
      });
    }
    const repeated = before === node && victims.length === 0;
    this.#fail(pod, decision.message);
    if (repeated) return;
    tell(
      this.#event('nominated', pod, { node, decision, victims, changed: [pod, ...victims, ...cleared, ...created] }),
    );
  }

  #fail(pod: SimulatedPod, message: string): void {
    const live = this.#live.get(pod);
    if (live !== undefined) {
      live.failedAt = this.#version;
      live.lastMessage = message;
    }
    this.#queue.failed(pod, this.#clock);
  }

  /** Moves the clock to the next end of a grace period. False when nothing is ending. */
  #letGo(tell: (event: RunEvent) => void): boolean {
    if (this.#terminations.length === 0) return false;
    this.#clock = this.#terminations.reduce((earliest, { goneAt }) => Math.min(earliest, goneAt), Infinity);
    const due = this.#terminations.filter(({ goneAt }) => goneAt === this.#clock);
    this.#terminations = this.#terminations.filter(({ goneAt }) => goneAt !== this.#clock);
    const created: SimulatedPod[] = [];
    for (const { pod, node, replacement } of due) {
      this.cluster.remove(pod);
      this.#set(pod, 'evicted', node);
      if (replacement !== null) {
        this.addArriving(replacement);
        created.push(replacement);
      }
    }
    this.cluster.refreshBudgets();
    this.#version += 1;
    this.#queue.retryAll(this.#clock);
    const gone = due.map(({ pod }) => pod);
    tell(this.#event('gone', gone[0]!, { victims: gone, changed: [...gone, ...created] }));
    return true;
  }

  #event(kind: RunEvent['kind'], pod: SimulatedPod, more: Partial<RunEvent>): RunEvent {
    return {
      kind,
      clock: this.#clock,
      pod,
      node: null,
      victims: [],
      changed: [pod],
      decision: null,
      message: '',
      lostNomination: null,
      queues: this.#queue.counts(),
      ...more,
    };
  }
}

/** The same answer for another pod. What a decision works out on demand stays so. */
function sharedDecision(decision: UnschedulableDecision, pod: PodKey): UnschedulableDecision {
  return {
    kind: decision.kind,
    pod,
    mayVary: decision.mayVary,
    preFilter: decision.preFilter,
    preemption: decision.preemption,
    get message() {
      return decision.message;
    },
    get refusals() {
      return decision.refusals;
    },
  };
}
