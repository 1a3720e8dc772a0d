import { decide, type DecideOptions } from './decide.ts';
import type { PodKey, ReplayStep } from './decision.ts';
import type { ClusterState } from './framework/cluster-state.ts';
import type { PodInfo } from './framework/pod-info.ts';
import { compareInQueue } from './plugins/priority-sort.ts';
import { frameworkOf } from './plugins/registry.ts';
import { defaultProfileOf } from './framework/profile.ts';

/**
 * The whole queue until nothing changes: passes over the pending pods, each bound, nominated or left over; the victims
 * of a pass are gone at its end. Works on a branch; the state given is not changed.
 * The pods are those pending in the cluster state, unless others are given.
 * Source of the rules: the replay convention in docs/maintainers/conformance.md; where it differs from a live run: docs/maintainers/over-time.md
 */
export function* replay(
  cluster: ClusterState,
  pendingPods: Iterable<PodInfo> = cluster.pending(),
  options: DecideOptions = {},
): Generator<ReplayStep, ClusterState> {
  const state = cluster.branch();
  let waiting: readonly PodInfo[] = [...pendingPods].filter((pod) => !pod.terminating).sort(compareInQueue);
  for (const pod of waiting) if (state.pod(pod.key) === undefined) state.addPending(pod);
  for (let pass = 1; waiting.length > 0; pass++) {
    const run = new Pass(state, pass, options);
    yield* run.steps(waiting);
    waiting = run.leftOver;
    if (!run.changed) break;
  }
  return state;
}

class Pass {
  readonly leftOver: PodInfo[] = [];
  /** Whether a pod was bound or nominated. A nomination that is lost is no reason to try again. */
  changed = false;
  readonly #state: ClusterState;
  readonly #pass: number;
  readonly #options: DecideOptions;
  /** In the order in which they became victims. */
  readonly #victims = new Set<PodKey>();

  constructor(state: ClusterState, pass: number, options: DecideOptions) {
    this.#state = state;
    this.#pass = pass;
    this.#options = options;
  }

  *steps(waiting: readonly PodInfo[]): Generator<ReplayStep, void> {
    for (const { key } of waiting) {
      const pod = this.#state.pod(key);
      if (pod !== undefined) yield this.#step(pod);
    }
    for (const victim of this.#victims) this.#state.removeRunning(victim);
  }

  #step(pod: PodInfo): ReplayStep {
    const state = this.#state;
    const decision = decide(state, pod, this.#options);
    const base = { pass: this.#pass, pod: pod.key, decision };
    switch (decision.kind) {
      case 'gated':
        return { ...base, result: 'SchedulingGated' };
      case 'not-modelled':
        return { ...base, result: 'NotModelled', message: decision.message };
      case 'fits':
        this.changed = true;
        this.#bind(pod, decision.node);
        return { ...base, result: 'Scheduled', node: decision.node };
      case 'unschedulable':
        break;
    }
    this.leftOver.push(pod);
    const { message, preemption } = decision;
    const choice = preemption?.choice ?? null;
    if (choice === null) {
      if (decision.losesNomination && pod.nominatedNodeName !== '') state.nominate(pod, '');
      return { ...base, result: 'Unschedulable', message };
    }
    this.changed = true;
    const { victims } = preemption!.candidates.get(choice.node)!;
    for (const key of victims) this.#victims.add(key);
    evictAndNominate(state, pod, choice.node, victims);
    return { ...base, result: 'Nominated', node: choice.node, victims, message };
  }

  #bind(pod: PodInfo, node: string): void {
    const profiles = this.#options.profiles ?? [defaultProfileOf(this.#state.release)];
    const profile = profiles.find((each) => each.schedulerName === pod.schedulerName)!;
    frameworkOf(profile).reserve({ cluster: this.#state, pod }, this.#state.node(node)!);
    this.#state.bind(pod, node);
  }
}

/** What a preemption does at once: the victims terminate, lower pods lose their nomination to the node. */
export function evictAndNominate(state: ClusterState, pod: PodInfo, node: string, victims: readonly PodKey[]): void {
  const allTerminate = victims.every((key) => state.pod(key)!.terminating);
  for (const key of victims) {
    const victim = state.pod(key)!;
    // One that is terminating already is not deleted again, but it too is gone at the end of the pass.
    if (victim.terminating) continue;
    state.markTerminating(key, true);
    for (const budget of state.budgets.matchesOf(victim.class)) {
      if (!state.budgets.budgets[budget]!.disruptedPods.has(victim.name)) state.chargeBudget(budget);
    }
  }
  if (!allTerminate || state.release.behaviours.preemptsTerminatingVictims) {
    const index = state.nodeSet.indexOf(node)!;
    for (const other of state.nominatedTo(index)) if (other.priority < pod.priority) state.nominate(other, '');
  }
  state.nominate(pod, node);
}
