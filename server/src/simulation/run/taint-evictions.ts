import { least } from '../../util/extremes.ts';
import type { Taint } from '../../kubernetes/objects.ts';
import { firstUntolerated, isLost } from '../../kubernetes/taints.ts';
import type { NodeName } from '../../scheduler/decision.ts';
import { deviceEvictions } from '../../scheduler/index.ts';
import type { SimulatedPod } from '../cluster/simulated-pod.ts';
import type { Run } from './run.ts';
import type { RunEvent } from './run-event.ts';

/** A node whose taints evicted pods, or those of devices that its pods have. */
interface TaintedNode {
  readonly node: NodeName;
  readonly byDevices: boolean;
  readonly evicted: { readonly pod: SimulatedPod; readonly clock: number }[];
}

/** Whoever knows which pod came in the place of another. */
interface Replacing {
  replacementOf(pod: SimulatedPod): SimulatedPod | undefined;
}

/** A pod that comes back to a node that evicted it goes on doing so: it is followed so often. */
const mostRounds = 2;

/**
 * The controller that evicts from nodes with NoExecute taints, in a run: at once who does not tolerate them, and who
 * tolerates them for some time when that is over, counted from when it was placed or the node was tainted.
 * Source: pkg/controller/tainteviction/taint_eviction.go
 */
export class TaintEvictions {
  readonly nodes: TaintedNode[] = [];
  readonly #run: Run;
  readonly #controllers: Replacing;
  /** Who tolerates the taints of its node for some time: it leaves when that is over. */
  readonly #tolerating = new Map<SimulatedPod, symbol>();
  /** The nodes from which the pods before it were evicted, and how often one came back to one of these. */
  readonly #before = new Map<SimulatedPod, { readonly nodes: ReadonlySet<NodeName>; readonly rounds: number }>();
  /** Evicted pods, by workload, those in whose place others have come back left out. */
  readonly #left = new Map<number, Map<SimulatedPod, NodeName>>();
  /** The time of second 0, where taints of devices are dated. */
  readonly #zero: number | undefined;

  /** Pods that the run has placed by now have just come to their nodes; all others may have been there for long. */
  constructor(run: Run, controllers: Replacing) {
    this.#run = run;
    this.#controllers = controllers;
    this.#zero = this.#zeroOfDevices();
    for (const pod of run.pods.touched()) this.#placed(pod);
    this.#lookAtStart();
    this.#lookAtDevices();
  }

  #zeroOfDevices(): number | undefined {
    const { resourceSlices } = this.#run.cluster.state.objects.fixed;
    let last: number | undefined;
    for (const { spec } of resourceSlices) {
      for (const { taints = [] } of spec.devices ?? []) {
        const evicting = taints.filter(({ effect }) => effect === 'NoExecute');
        if (evicting.length > 0) last = Math.max(last ?? -Infinity, lastAdded(evicting));
      }
    }
    return last === undefined ? undefined : (this.#run.startsAt ?? last);
  }

  /** Pods that have devices from the start. */
  #lookAtDevices(): void {
    if (this.#zero === undefined) return;
    for (const pod of this.#run.pods.present()) {
      const place = this.#run.pods.startOf(pod);
      if (place?.state === 'running' && place.node !== null) this.#lookAtDevicesOf(pod, place.node);
    }
  }

  /** Its seconds count from when a taint was added, however late it came to the device. */
  #lookAtDevicesOf(pod: SimulatedPod, node: NodeName): void {
    if ((pod.pod.spec?.resourceClaims ?? []).length === 0) return;
    const times = deviceEvictions(this.#run.cluster.state, pod.info).map(({ taint, seconds }) => {
      const added = addedAt(taint);
      return seconds + (added === -Infinity || this.#zero === undefined ? 0 : (added - this.#zero) / 1000);
    });
    if (times.length === 0) return;
    const at = least(times);
    const evict = (): void => {
      this.#evict(pod, node, [], true);
    };
    if (at <= this.#run.clock) evict();
    else this.#run.callAt(at, evict);
  }

  #lookAtStart(): void {
    const { state } = this.#run.cluster;
    const tainted = new Map(
      state.nodes.flatMap(({ name, facts: { hardTaints } }): [NodeName, Taint[]][] => {
        const evicting = hardTaints.filter(({ effect }) => effect === 'NoExecute');
        return evicting.length === 0 ? [] : [[name, evicting]];
      }),
    );
    if (tainted.size === 0) return;
    // Where nobody says what time it is, it is no earlier than the last that is written.
    const now = this.#run.startsAt ?? lastAdded([...tainted.values()].flat());
    for (const pod of this.#run.pods.present()) {
      const place = this.#run.pods.startOf(pod);
      if (place?.node == null) continue;
      const taints = tainted.get(place.node);
      if (taints !== undefined) this.#look(pod, place.node, taints, now);
    }
  }

  follow({ kind, pod }: RunEvent): void {
    if (kind === 'scheduled') this.#placed(pod);
  }

  /** Source: handleNodeUpdate */
  nodeChanged(node: NodeName, taints: readonly Taint[], here: readonly SimulatedPod[]): void {
    const evicting = taints.filter(({ effect }) => effect === 'NoExecute');
    for (const pod of here) this.#look(pod, node, evicting);
  }

  /** Source: handlePodUpdate */
  #placed(pod: SimulatedPod): void {
    const { node, state } = this.#run.place(pod);
    if (node === null || state !== 'running') return;
    const taints = this.#run.cluster.state.node(node)?.facts.hardTaints ?? [];
    const evicting = taints.filter(({ effect }) => effect === 'NoExecute');
    if (evicting.length === 0 && this.#zero === undefined) return;
    if (this.#roundsBefore(pod, node) >= mostRounds) return;
    if (evicting.length > 0) this.#look(pod, node, evicting);
    this.#lookAtDevicesOf(pod, node);
  }

  #roundsBefore(pod: SimulatedPod, node: NodeName): number {
    const left = this.#left.get(pod.workload) ?? [];
    for (const [old, from] of left) {
      if (this.#controllers.replacementOf(old) !== pod) continue;
      this.#left.get(pod.workload)!.delete(old);
      const before = this.#before.get(old);
      const nodes = new Set(before?.nodes).add(from);
      const rounds = (before?.rounds ?? 0) + (nodes.has(node) ? 1 : 0);
      this.#before.set(pod, { nodes, rounds });
      return rounds;
    }
    return 0;
  }

  /**
   * Source: processPodOnNode
   *
   * @param now the time of second 0 where the pod was there before: its seconds count from when a taint was added
   */
  #look(pod: SimulatedPod, node: NodeName, taints: readonly Taint[], now?: number): void {
    const tolerations = pod.pod.spec?.tolerations ?? [];
    if (firstUntolerated(taints, tolerations, ['NoExecute']) !== undefined) {
      this.#evict(pod, node, taints);
      return;
    }
    const limits = tolerations
      .filter(({ tolerationSeconds }) => tolerationSeconds !== undefined)
      .flatMap((each) => {
        const tolerated = taints.filter((taint) => firstUntolerated([taint], [each], ['NoExecute']) === undefined);
        const seconds = Math.max(0, each.tolerationSeconds ?? 0);
        return tolerated.map((taint) => Math.max(0, seconds - (now === undefined ? 0 : secondsAgo(taint, pod, now))));
      });
    if (limits.length === 0) {
      // It does not have to leave any more.
      this.#tolerating.delete(pod);
      return;
    }
    if (this.#tolerating.has(pod)) return;
    const turn = Symbol();
    this.#tolerating.set(pod, turn);
    this.#run.callAt(this.#run.clock + least(limits), () => {
      if (this.#tolerating.get(pod) !== turn) return;
      this.#evict(pod, node, this.#run.cluster.state.node(node)?.facts.hardTaints ?? []);
    });
  }

  #evict(pod: SimulatedPod, node: NodeName, taints: readonly Taint[], byDevices = false): void {
    this.#tolerating.delete(pod);
    const { node: on, state } = this.#run.place(pod);
    // Of one that ends since before the run, nothing else tells that its node is lost.
    const endsSinceBefore = state === 'terminating' && this.#run.pods.startOf(pod)?.state === 'terminating';
    if (on !== node || (state !== 'running' && !(endsSinceBefore && isLost(taints)))) return;
    let tainted = this.nodes.find((each) => each.node === node && each.byDevices === byDevices);
    if (tainted === undefined) this.nodes.push((tainted = { node, byDevices, evicted: [] }));
    tainted.evicted.push({ pod, clock: this.#run.clock });
    const left = this.#left.get(pod.workload) ?? new Map<SimulatedPod, NodeName>();
    this.#left.set(pod.workload, left.set(pod, node));
    if (state === 'running') this.#run.delete(pod);
  }
}

/** Lets a run settle in which taints evict from its start on. */
export function* settleWithTaints(
  run: Run,
  controllers: Replacing,
  onEvent: (event: RunEvent) => void,
): Generator<void, TaintEvictions> {
  const evictions = new TaintEvictions(run, controllers);
  yield* run.settle((event) => {
    onEvent(event);
    evictions.follow(event);
  });
  return evictions;
}

/** There may be more than a call takes arguments. */
function lastAdded(taints: readonly Pick<Taint, 'timeAdded'>[]): number {
  return taints.reduce((last, taint) => Math.max(last, addedAt(taint)), -Infinity);
}

/** Minus infinity where that is not written. */
function addedAt({ timeAdded }: Pick<Taint, 'timeAdded'>): number {
  const added = Date.parse(timeAdded ?? '');
  return Number.isNaN(added) ? -Infinity : added;
}

/** For how long a taint and a pod were together on a node at `now`. */
function secondsAgo(taint: Taint, { info }: SimulatedPod, now: number): number {
  const added = addedAt(taint);
  if (added === -Infinity) return 0;
  return Math.max(0, now - Math.max(added, info.startedAt ?? added)) / 1000;
}
