import { isHeldForGood } from '../../disruption/pod-deletion.ts';
import type { Node, PodDisruptionBudget } from '../../kubernetes/objects.ts';
import type { PodState } from '../../report-model/report.ts';
import type { NodeName, PodKey } from '../../scheduler/decision.ts';
import {
  LiveRun,
  type ClusterState,
  type LiveEvent,
  type LiveOptions,
  type PodClass,
  type PodInfo,
  type PreemptionTotals,
} from '../../scheduler/index.ts';
import { say } from '../../util/say.ts';
import { asBound } from '../cluster/as-bound.ts';
import type { BudgetStatuses } from '../cluster/budget-statuses.ts';
import { Cluster } from '../cluster/cluster.ts';
import { otherSystem } from '../cluster/direct-binding.ts';
import type { Quotas } from '../cluster/quotas.ts';
import type { SimulatedPod } from '../cluster/simulated-pod.ts';
import { jobNameOf } from './job-failures.ts';
import { PodAdmission } from './pod-admission.ts';
import { type LivePlace, PodPlaces, type RunningPods } from './pod-places.ts';
import { PodsToCome } from './pods-to-come.ts';
import { type RunEvent, runEvent } from './run-event.ts';

/** Makes the pod that a controller creates in place of a victim. */
export interface Controllers {
  /** Null when nothing recreates the victim. With the end of its Job the other pods of that are deleted. */
  replace(victim: SimulatedPod, times: DeletionTimes): Replacement | 'end of the Job' | null;
  /** Whether it makes another as soon as this one fails, and so on without end where each fails. */
  remakesFailed(pod: SimulatedPod): boolean;
}

/** Of a pod, in seconds on the clock. */
export interface DeletionTimes {
  readonly deleted: number;
  /** When its containers have ended. */
  readonly ended: number;
}

export interface Replacement {
  readonly pod: SimulatedPod;
  /** A Job makes none before: in seconds on the clock, with what has failed by now. */
  pausedUntil(): number;
  /** Some controllers wait until the old pod is gone (a StatefulSet, whose pods have fixed names). */
  readonly when: 'eviction' | 'removal';
}

/** What a run is made of. */
export interface RunParts {
  /** The run changes it, so nobody else may use it. */
  readonly state: ClusterState;
  /** Pods that the state has on its nodes. */
  readonly running: RunningPods;
  readonly scheduler: LiveOptions;
  readonly budgets: BudgetStatuses;
  /** The run charges them. */
  readonly quotas: Quotas;
  readonly controllers: Controllers;
  readonly startsAt: number | undefined;
}

type OnEvent = (event: RunEvent) => void;

/**
 * A cluster in motion: the scheduler's own run, and around it the controllers that replace its victims, the kubelets
 * that look at pods which name their node, and the disruption controller. Keeps the place of every pod.
 */
export class Run {
  readonly cluster: Cluster;
  readonly pods: PodPlaces;
  readonly quotas: Quotas;
  readonly admission: PodAdmission;
  /** The time of second 0, in milliseconds since the epoch, where that is known. */
  readonly startsAt: number | undefined;
  readonly #scheduler: LiveRun;
  readonly #controllers: Controllers;
  /** Handed to the scheduler, in order; it has not said yet what becomes of those from `#admitted` on. */
  #arriving: SimulatedPod[] = [];
  #admitted = 0;
  /** Whom a pod evicted from the node that it is nominated to, and who was placed there since. */
  readonly #claims = new Map<SimulatedPod, { node: NodeName; victims: SimulatedPod[]; takers: SimulatedPod[] }>();
  /** Pods that come later than what makes them. */
  readonly toCome = new PodsToCome();
  /** Those of them that are created at this moment. */
  readonly #late = new Set<SimulatedPod>();
  /** Pods that the kubelet of the node where they were placed refuses at this moment, and what it says. */
  readonly #failing = new Map<SimulatedPod, string>();
  /** Of pods that somebody deleted. */
  readonly #graces = new Map<SimulatedPod, number>();
  #version = 0;
  #preemption: PreemptionTotals = { attempts: 0, victims: 0 };
  #isSettled = true;
  /** The classes of pods that have come, gone or changed since budgets were counted; null for all. */
  #touched: Set<PodClass> | null = null;

  constructor({ state, running, scheduler, budgets, quotas, controllers, startsAt }: RunParts) {
    this.startsAt = startsAt;
    this.pods = new PodPlaces(running);
    this.quotas = quotas;
    this.cluster = new Cluster(state, scheduler, budgets);
    this.admission = new PodAdmission(this.cluster, quotas, (pod) => running.places.has(pod));
    this.#controllers = controllers;
    this.#scheduler = new LiveRun(state, {
      ...scheduler,
      refusalOf: () => this.admission.refusalOf(this.#arriving[this.#admitted]!),
      shapeOf: ({ key }: PodInfo) => this.find(key)!.shape,
      asBound: (pod: PodInfo, node: NodeName) => asBound(state, pod, node),
    });
  }

  /** As the scheduler counts it, from the start. */
  get preemption(): PreemptionTotals {
    return this.#preemption;
  }

  /** Whether it went on until nothing changed any more, each time; else it was ended by its bounds. */
  get isSettled(): boolean {
    return this.#isSettled;
  }

  /** Sets the clock to 0: times of later events count from here. */
  restartClock(): void {
    this.#scheduler.restartClock();
  }

  /**
   * A pod that is created now: to be queued, gated, bound by hand, or refused by the API server. While one of its name
   * still ends, its controller waits for that.
   */
  addArriving(pod: SimulatedPod): void {
    const old = this.find(pod.key);
    if (old !== undefined && this.place(old).state === 'terminating') {
      this.toCome.succeedInstead(old, pod);
      return;
    }
    this.pods.enter(pod);
    this.#arrive(pod);
  }

  #arrive(pod: SimulatedPod): void {
    this.#touched?.add(pod.info.class);
    this.#arriving.push(pod);
    this.#version += 1;
    this.#scheduler.arrive(pod.info);
  }

  #letFollow(pod: SimulatedPod): void {
    const follower = this.toCome.takeFollower(pod);
    if (follower !== undefined) this.addArriving(follower);
  }

  /** Seconds on the simulated clock. */
  get clock(): number {
    return this.#scheduler.clock;
  }

  /** Calls `act` at a time of the clock; it may delete pods, change nodes, and call again later. */
  callAt(at: number, act: () => void): () => void {
    return this.#scheduler.callAt(at, act);
  }

  /**
   * Somebody deletes a pod now: it ends after its grace period, and its controller replaces it, or `successor` comes
   * once it is gone. On a node that does not answer nothing ends it.
   */
  delete(pod: SimulatedPod, gracePeriodSeconds?: number, successor?: SimulatedPod): void {
    if (gracePeriodSeconds !== undefined) this.#graces.set(pod, gracePeriodSeconds);
    if (successor !== undefined) this.toCome.succeed(pod, successor);
    this.pods.leave(pod);
    this.#version += 1;
    this.#scheduler.deleteNow(pod.key, gracePeriodSeconds);
  }

  /** Whether a pod that somebody has deleted stays terminating, as no kubelet ends it. */
  isNeverEnded(pod: SimulatedPod): boolean {
    return this.#scheduler.isUnended(pod.key);
  }

  /** How long a pod has to end, or had. */
  graceOf(pod: SimulatedPod): number {
    return this.#graces.get(pod) ?? pod.gracePeriodSeconds;
  }

  /** A node is created or changed now. */
  putNode(object: Node): void {
    this.#touched = null;
    this.#scheduler.plan({ at: this.clock, change: { kind: 'Node', object } });
  }

  removeNode(name: NodeName): void {
    this.#touched = null;
    this.#scheduler.plan({ at: this.clock, deleted: { kind: 'Node', key: name } });
  }

  /** A budget is created or changed now. */
  putBudget(object: PodDisruptionBudget): void {
    this.#touched = null;
    this.#scheduler.plan({ at: this.clock, change: { kind: 'PodDisruptionBudget', object } });
  }

  /** @param key `namespace/name` */
  removeBudget(key: string): void {
    this.#touched = null;
    this.#scheduler.plan({ at: this.clock, deleted: { kind: 'PodDisruptionBudget', key } });
  }

  /** The disruption controller catches up. */
  countBudgets(): void {
    this.cluster.refreshBudgets(this.#touched ?? undefined);
    this.#touched = new Set();
  }

  place(pod: SimulatedPod): LivePlace {
    return this.pods.place(pod);
  }

  find(key: PodKey): SimulatedPod | undefined {
    return this.pods.find(key);
  }

  /** Another number whenever anything in the cluster may be another. */
  get version(): number {
    return this.#version;
  }

  /** Runs until nothing changes any more. Yields after each decision, so that the caller can pause or stop. */
  *settle(onEvent: OnEvent): Generator<void, void> {
    const events = this.#scheduler.settle();
    for (let next = events.next(); ; next = events.next()) {
      if (next.done === true) {
        this.#isSettled &&= next.value === 'settled';
        return;
      }
      this.#follow(next.value, onEvent);
      yield;
    }
  }

  #follow(event: LiveEvent, onEvent: OnEvent): void {
    this.#version += 1;
    this.#preemption = event.preemption;
    switch (event.kind) {
      case 'arrived':
      case 'gated':
      case 'refused':
      case 'bound':
        this.#admit(event, onEvent);
        return;
      case 'scheduled': {
        const pod = this.find(event.pod)!;
        this.#set(pod, 'running', event.node);
        this.#claims.delete(pod);
        for (const claim of this.#claims.values()) if (claim.node === event.node) claim.takers.push(pod);
        this.cluster.provision(pod, event.node!);
        const failure = this.#controllers.remakesFailed(pod)
          ? null
          : otherSystem(pod.pod, this.cluster.state.node(event.node!)?.facts.node);
        if (failure === null) this.#letFollow(pod);
        onEvent(runEvent('scheduled', pod, event));
        if (failure === null) return;
        this.#failing.set(pod, failure);
        this.#scheduler.deleteNow(pod.key, 0);
        return;
      }
      case 'nominated':
        this.#nominate(this.find(event.pod)!, event, onEvent);
        return;
      case 'unschedulable':
        this.#wait(this.find(event.pod)!, event, onEvent);
        return;
      case 'gone':
        this.#letGo(event, onEvent);
        return;
      case 'not-modelled':
        onEvent(runEvent('not-modelled', this.find(event.pod)!, event));
        return;
      case 'deleted': {
        const pod = this.find(event.pod)!;
        if (this.#failing.has(pod)) return;
        const created = this.#terminate(pod, event.node);
        onEvent({ ...runEvent('deleted', pod, event), changed: [pod, ...created] });
        return;
      }
      // A simulation never plans these.
      case 'gates-removed':
      case 'changed':
        return;
    }
  }

  #admit(event: LiveEvent, onEvent: OnEvent): void {
    const pod = this.#arriving[this.#admitted]!;
    this.#admitted += 1;
    if (this.#admitted === this.#arriving.length) {
      this.#arriving = [];
      this.#admitted = 0;
    }
    // Budgets were counted when the pod before it was gone, and without it.
    if (this.#late.delete(pod)) {
      this.#touched?.add(pod.info.class);
      this.countBudgets();
    }
    // A pod is refused whose name is taken: the name still means the pod that has it.
    if (event.kind !== 'refused' || this.find(pod.key) === undefined) this.pods.name(pod);
    switch (event.kind) {
      case 'gated':
        this.#set(pod, 'gated', null);
        onEvent(runEvent('gated', pod, event));
        return;
      case 'refused':
        this.#set(pod, 'rejected', null);
        onEvent(runEvent('rejected', pod, event));
        return;
      case 'bound':
        this.#set(pod, 'running', event.node);
        this.#letFollow(pod);
        onEvent({
          ...runEvent('scheduled', pod, event),
          message: say`Bound by spec.nodeName; the scheduler is not asked.`,
        });
        return;
      default:
        return;
    }
  }

  #wait(pod: SimulatedPod, event: LiveEvent, onEvent: OnEvent): void {
    const live = this.pods.live(pod);
    const repeated = live.lastMessage === event.message && event.lostNomination === null;
    live.lastMessage = event.message;
    const nominated = this.cluster.state.pod(pod.key)?.nominatedNodeName ?? '';
    live.state = nominated === '' ? 'pending' : 'nominated';
    live.node = nominated === '' ? null : nominated;
    const claim = event.lostNomination === null ? undefined : this.#claims.get(pod);
    const ending = (claim?.victims ?? []).filter((victim) => this.place(victim).state === 'terminating');
    if (event.lostNomination !== null) {
      this.#claims.delete(pod);
      const lostTo = { ending, takers: claim?.takers ?? [] };
      onEvent({ ...runEvent('cleared', pod, event), node: event.lostNomination, decision: null, message: '', lostTo });
    }
    // A nominated pod that waits for its victims has been told of already.
    if (repeated || nominated !== '') return;
    onEvent({ ...runEvent('pending', pod, event), lostNomination: null });
  }

  #nominate(pod: SimulatedPod, event: LiveEvent, onEvent: OnEvent): void {
    const { node } = event;
    const before = this.place(pod);
    this.#set(pod, 'nominated', node);
    this.pods.live(pod).lastMessage = event.message;
    const cleared = event.cleared.flatMap((key) => this.find(key) ?? []);
    for (const other of cleared) this.#set(other, 'pending', null);
    const victims = event.victims.flatMap(({ pod: key }) => this.find(key) ?? []);
    const claim = this.#claims.get(pod);
    const kept = claim?.node === node ? claim : undefined;
    this.#claims.set(pod, {
      node: node ?? '',
      victims: [...(kept?.victims ?? []), ...victims],
      takers: kept?.takers ?? [],
    });
    const created: SimulatedPod[] = [];
    for (const victim of victims) created.push(...this.#terminate(victim, this.place(victim).node));
    if (before.state !== 'nominated' || before.node !== node || victims.length > 0) {
      onEvent({
        ...runEvent('nominated', pod, event),
        // What came of a lost nomination is told with the event that places the pod.
        lostNomination: null,
        victims,
        changed: [pod, ...victims, ...cleared, ...created],
      });
    }
    const message = say`${pod.pod.metadata?.name ?? ''} is nominated there now, and has a higher priority.`;
    for (const other of cleared) {
      this.#claims.delete(other);
      onEvent({ ...runEvent('cleared', other, event), node, decision: null, message });
    }
  }

  /** What its controller makes in its place at once. */
  #terminate(pod: SimulatedPod, node: NodeName | null): readonly SimulatedPod[] {
    this.#set(pod, 'terminating', node);
    const { clock } = this;
    const replacement = this.#controllers.replace(pod, { deleted: clock, ended: clock + this.graceOf(pod) });
    if (replacement === 'end of the Job') {
      this.callAt(this.clock, () => {
        this.#endJobOf(pod);
      });
      return [];
    }
    if (replacement === null) return [];
    // One that a quota has no room for before is tried again until it has.
    if (replacement.when === 'removal' || this.quotas.refusalOf(replacement.pod.pod) !== null) {
      if (this.toCome.hasSuccessor(pod)) return [];
      this.toCome.succeed(pod, replacement.pod);
      this.toCome.pause(replacement.pod, () => replacement.pausedUntil());
      return [];
    }
    this.toCome.pause(replacement.pod, () => replacement.pausedUntil());
    return this.#arriveAfterPause(replacement.pod) ? [replacement.pod] : [];
  }

  /** Whether the pod arrives now; else it comes when its pause is over, which later failures make longer. */
  #arriveAfterPause(pod: SimulatedPod): boolean {
    const until = this.toCome.pausedUntil(pod) ?? this.clock;
    if (until > this.clock) {
      this.callAt(until, () => {
        if (this.toCome.pausedUntil(pod) === undefined) return;
        this.#late.add(pod);
        this.#arriveAfterPause(pod);
      });
      return false;
    }
    this.toCome.endPause(pod);
    this.addArriving(pod);
    return true;
  }

  /** Source: pkg/controller/job/job_controller.go (syncJob: deleteActivePods of a Job that has failed) */
  #endJobOf({ workload, pod }: SimulatedPod): void {
    const isOfJob = (other: SimulatedPod): boolean =>
      other.workload === workload && jobNameOf(other.pod) === jobNameOf(pod);
    this.toCome.withdraw(isOfJob);
    for (const other of [...this.pods.all()]) {
      const { state } = this.place(other);
      if (isOfJob(other) && (state === 'running' || state === 'pending')) this.delete(other);
    }
  }

  #letGo(event: LiveEvent, onEvent: OnEvent): void {
    const left = event.left.flatMap((key) => this.find(key) ?? []);
    for (const pod of left) this.#fail(pod, event, onEvent);
    const gone = left.filter((pod) => !this.#failing.delete(pod));
    if (gone.length === 0) return;
    const freed = [...new Set(gone.flatMap((pod) => this.place(pod).node ?? []))];
    const created: SimulatedPod[] = [];
    for (const pod of gone) {
      // Its containers have ended, and with that the scheduler takes its room for free: it does not see pods that have
      // succeeded or failed. The object stays, and so does who waits for it to go.
      if (isHeldForGood(pod.pod)) continue;
      this.#set(pod, 'evicted', this.place(pod).node);
      this.admission.release(pod);
      for (const object of this.quotas.leave(pod.pod)) {
        this.#scheduler.plan({ at: this.clock, change: { kind: 'PersistentVolumeClaim', object } });
      }
      const successor = this.toCome.takeSuccessor(pod);
      if (successor === undefined) continue;
      this.#late.add(successor);
      if (this.#arriveAfterPause(successor)) created.push(successor);
    }
    this.countBudgets();
    const victims = gone.filter(({ pod }) => !isHeldForGood(pod));
    onEvent({ ...runEvent('gone', gone[0]!, event), node: null, victims, freed, changed: [...gone, ...created] });
  }

  /** It has failed on its node, and takes no room there: the object stays. */
  #fail(pod: SimulatedPod, event: LiveEvent, onEvent: OnEvent): void {
    const message = this.#failing.get(pod);
    const { node } = this.place(pod);
    if (message === undefined || node === null) return;
    this.#set(pod, 'rejected', null);
    this.admission.release(pod);
    onEvent({ ...runEvent('rejected', pod, event), node: null, decision: null, message, freed: [node] });
  }

  #set(pod: SimulatedPod, state: PodState, node: NodeName | null): void {
    this.pods.set(pod, state, node);
    this.#touched?.add(pod.info.class);
  }
}
