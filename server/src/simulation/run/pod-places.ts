import type { PodState } from '../../report-model/report.ts';
import type { NodeName, PodKey } from '../../scheduler/decision.ts';
import { getOrInsert } from '../../util/maps.ts';
import type { SimulatedPod } from '../cluster/simulated-pod.ts';

export interface LivePlace {
  readonly state: PodState;
  readonly node: NodeName | null;
}

interface Live {
  state: PodState;
  node: NodeName | null;
  /** What the scheduler said when it last tried the pod in vain. */
  lastMessage: string | null;
}

/** The pods that run before anything happens, for all runs that begin with them. */
export class RunningPods {
  readonly places = new Map<SimulatedPod, LivePlace>();
  readonly byKey = new Map<PodKey, SimulatedPod>();

  /** Yields now and then. */
  static *inSteps(pods: readonly SimulatedPod[]): Generator<void, RunningPods> {
    const running = new RunningPods();
    for (const [index, pod] of pods.entries()) {
      const { nodeName, terminating } = pod.info;
      running.places.set(pod, { state: terminating ? 'terminating' : 'running', node: nodeName });
      running.byKey.set(pod.key, pod);
      if (index % 1_000 === 999) yield;
    }
    return running;
  }
}

/** Where each pod of a run is. */
export class PodPlaces {
  /** The pods at the start; what becomes of them is in `#live`. */
  readonly #start: RunningPods;
  /** Pods that came, and those of the start that something has happened to. */
  readonly #live = new Map<SimulatedPod, Live>();
  readonly #byKey = new Map<PodKey, SimulatedPod>();
  /** Those that are neither gone nor refused, once somebody has asked: a long run has many more that are. */
  #present: Set<SimulatedPod> | null = null;
  /** By workload, once somebody has asked. */
  #names: Map<number, Set<string>> | null = null;
  /** Pods whose deletion the cluster has not seen yet: it is what comes next. */
  readonly #leaving = new Set<SimulatedPod>();

  constructor(start: RunningPods) {
    this.#start = start;
  }

  place(pod: SimulatedPod): LivePlace {
    const live = this.#live.get(pod) ?? this.startOf(pod);
    return { state: this.#leaving.has(pod) ? 'terminating' : (live?.state ?? 'pending'), node: live?.node ?? null };
  }

  /** Pods that somebody deletes at this moment: the state of the cluster has them as running yet. */
  get leaving(): ReadonlySet<SimulatedPod> {
    return this.#leaving;
  }

  /** All that ever were: those of the start, then those that came. */
  *all(): IterableIterator<SimulatedPod> {
    const { places } = this.#start;
    yield* places.keys();
    for (const pod of this.#live.keys()) if (!places.has(pod)) yield pod;
  }

  /** Those of them that are neither gone nor refused. */
  present(): ReadonlySet<SimulatedPod> {
    if (this.#present === null) {
      this.#present = new Set();
      for (const pod of this.all()) if (!isOver(this.place(pod).state)) this.#present.add(pod);
    }
    return this.#present;
  }

  /** The names of all that ever were of a workload; those of later ones are added. */
  namesOf(workload: number): ReadonlySet<string> {
    if (this.#names === null) {
      this.#names = new Map();
      for (const pod of this.all()) noteName(pod, this.#names);
    }
    return getOrInsert(this.#names, workload, () => new Set());
  }

  /** Pods that came, and those of the start that something has happened to: all others are where they were. */
  touched(): IterableIterator<SimulatedPod> {
    return this.#live.keys();
  }

  /** Where a pod was at the start; undefined for one that came. */
  startOf(pod: SimulatedPod): LivePlace | undefined {
    return this.#start.places.get(pod);
  }

  get startSize(): number {
    return this.#start.places.size;
  }

  find(key: PodKey): SimulatedPod | undefined {
    return this.#byKey.get(key) ?? this.#start.byKey.get(key);
  }

  /** From now on the name means this pod. */
  name(pod: SimulatedPod): void {
    this.#byKey.set(pod.key, pod);
  }

  /** A pod that comes. */
  enter(pod: SimulatedPod): void {
    this.#live.set(pod, { state: 'pending', node: null, lastMessage: null });
    this.#present?.add(pod);
    if (this.#names !== null) noteName(pod, this.#names);
  }

  /** Somebody deletes a pod at this moment: the state of the cluster has it as running yet. */
  leave(pod: SimulatedPod): void {
    if (this.place(pod).state === 'running') this.#leaving.add(pod);
  }

  /** Of a pod of the start a copy, at first. */
  live(pod: SimulatedPod): Live {
    let live = this.#live.get(pod);
    if (live === undefined) {
      const { state, node } = this.startOf(pod)!;
      this.#live.set(pod, (live = { state, node, lastMessage: null }));
    }
    return live;
  }

  set(pod: SimulatedPod, state: PodState, node: NodeName | null): void {
    const live = this.live(pod);
    live.state = state;
    if (isOver(state)) this.#present?.delete(pod);
    live.node = node;
    this.#leaving.delete(pod);
  }
}

function isOver(state: PodState): boolean {
  return state === 'evicted' || state === 'rejected';
}

function noteName({ workload, info }: SimulatedPod, names: Map<number, Set<string>>): void {
  const own = names.get(workload);
  if (own === undefined) names.set(workload, new Set([info.name]));
  else own.add(info.name);
}
