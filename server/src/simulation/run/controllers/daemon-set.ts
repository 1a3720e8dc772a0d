import type { DaemonSet, Node } from '../../../kubernetes/objects.ts';
import { firstUntolerated } from '../../../kubernetes/taints.ts';
import { addTo } from '../../../util/maps.ts';
import { Controller, type OfWorkload } from './controller.ts';
import type { Fleet } from './fleet.ts';
import { type FleetPod, isAvailable } from './fleet-pod.ts';
import { daemonPod } from './pod-maker.ts';
import type { Revision } from './revision.ts';
import { daemonSetFenceposts } from '../../../kubernetes/rolling-update.ts';

/** Source for this file: pkg/controller/daemon: daemon_controller.go, update.go */

export interface DaemonSetStatus {
  readonly currentNumberScheduled: number;
  readonly numberMisscheduled: number;
  readonly desiredNumberScheduled: number;
  readonly numberReady: number;
  readonly updatedNumberScheduled: number;
  readonly numberAvailable: number;
  readonly numberUnavailable: number;
}

export class DaemonSetController extends Controller<DaemonSet> {
  readonly kind = 'DaemonSet';
  status: DaemonSetStatus | null = null;
  readonly #nodes: () => readonly Node[];
  #made = 0;

  constructor(
    fleet: Fleet,
    object: DaemonSet,
    of: OfWorkload & {
      readonly nodes: () => readonly Node[];
    },
  ) {
    super(fleet, object, of);
    const { status } = object;
    if (status !== undefined) {
      const { updatedNumberScheduled = 0, numberAvailable = 0, numberUnavailable = 0 } = status;
      const { currentNumberScheduled, numberMisscheduled, desiredNumberScheduled, numberReady } = status;
      const numbers = { currentNumberScheduled, numberMisscheduled, desiredNumberScheduled, numberReady };
      this.status = { ...numbers, updatedNumberScheduled, numberAvailable, numberUnavailable };
    }
    this.#nodes = of.nodes;
  }

  get update(): Revision {
    return this.revisions.of(this.object.spec!.template);
  }

  get #surge(): number {
    return this.object.spec?.updateStrategy?.type === 'OnDelete' ? 0 : this.#fenceposts.surge;
  }

  get #fenceposts(): { readonly surge: number; readonly unavailable: number } {
    return daemonSetFenceposts(this.object.spec, this.#nodes().filter((node) => this.#shouldRun(node)).length);
  }

  sync(): void {
    const refusal = this.#manage();
    if (this.object.spec?.updateStrategy?.type !== 'OnDelete') {
      if (this.#surge > 0) this.#rollWithSurge();
      else this.#roll();
    }
    this.#count();
    this.retry(refusal);
  }

  #shouldRun(node: Node): boolean {
    return daemonPod(this.object, this.update.template, node) !== undefined;
  }

  /** With a taint that only keeps new pods away it stays. Source: NodeShouldRunDaemonPod */
  #mayStay(node: Node): boolean {
    const template = this.update.template;
    const drafted = daemonPod(this.object, template, { ...node, spec: { ...node.spec, taints: [] } });
    if (drafted === undefined) return false;
    return firstUntolerated(node.spec?.taints, drafted.spec?.tolerations, ['NoExecute']) === undefined;
  }

  #byNode(): ReadonlyMap<string, readonly FleetPod[]> {
    const found = new Map<string, FleetPod[]>();
    for (const pod of this.pods) {
      // One that was deleted and has ended is passed over. Source: getNodesToDaemonPods
      if (pod.isGone || (pod.isDeleting && pod.phase === 'Failed')) continue;
      const node = nodeOf(pod);
      addTo(found, node, pod);
    }
    return found;
  }

  /** Source: manage, podsShouldBeOnNode */
  #manage(): string | null {
    const byNode = this.#byNode();
    const nodes = this.#nodes();
    let refusal: string | null = null;
    for (const node of nodes) {
      const there = byNode.get(node.metadata?.name ?? '');
      if (there === undefined) {
        if (this.#shouldRun(node)) refusal ??= this.#make(node);
        continue;
      }
      const staying = there.filter(({ isDeleting }) => !isDeleting);
      if (!this.#mayStay(node)) {
        for (const pod of staying) this.fleet.delete(pod);
        continue;
      }
      for (const pod of staying) if (pod.phase === 'Failed' || pod.phase === 'Succeeded') this.fleet.delete(pod);
      const running = staying.filter(({ isDeleting }) => !isDeleting).sort((a, b) => a.created - b.created);
      if (running.length <= 1) continue;
      if (this.#surge === 0) {
        for (const pod of running.slice(1)) this.fleet.delete(pod);
        continue;
      }
      const isNew = (pod: FleetPod): boolean => pod.revision?.number === this.update.number;
      const [now, old] = [running.find(isNew), running.find((pod) => !isNew(pod))];
      for (const pod of running) if (pod !== now && pod !== old) this.fleet.delete(pod);
      if (now !== undefined && old !== undefined && (!old.isReady || this.#isAvailable(now))) this.fleet.delete(old);
    }
    const known = new Set(nodes.map(({ metadata }) => metadata?.name ?? ''));
    for (const [node, pods] of byNode) if (!known.has(node)) for (const pod of pods) this.fleet.delete(pod);
    return refusal;
  }

  /** Source: rollingUpdate */
  #roll(): void {
    const { update } = this;
    const replaceable: FleetPod[] = [];
    const candidates: FleetPod[] = [];
    const byNode = this.#byNode();
    // A node whose pod could not be made is one without. Source: updatedDesiredNodeCounts
    let away = this.#nodes().filter((node) => !byNode.has(node.metadata?.name ?? '') && this.#shouldRun(node)).length;
    for (const pods of byNode.values()) {
      const staying = pods.filter(({ isDeleting }) => !isDeleting);
      const [only] = staying;
      if (only === undefined || staying.length > 1) {
        away += 1;
      } else if (only.revision?.number === update.number) {
        away += this.#isAvailable(only) ? 0 : 1;
      } else if (this.#isAvailable(only)) {
        candidates.push(only);
      } else {
        replaceable.push(only);
        away += 1;
      }
    }
    const left = Math.max(0, this.#fenceposts.unavailable - away);
    for (const pod of [...replaceable, ...candidates.slice(0, left)]) this.fleet.delete(pod);
  }

  #rollWithSurge(): void {
    const { update } = this;
    const allowed: string[] = [];
    const candidates: string[] = [];
    let surging = 0;
    for (const [node, pods] of this.#byNode()) {
      const staying = pods.filter(({ isDeleting }) => !isDeleting);
      const now = staying.find(({ revision }) => revision?.number === update.number);
      const old = staying.find((pod) => pod !== now);
      if (old === undefined) continue;
      if (now === undefined) {
        if (this.#isAvailable(old)) candidates.push(node);
        else allowed.push(node);
      } else if (this.#isAvailable(now)) {
        this.fleet.delete(old);
      } else {
        surging += 1;
      }
    }
    const left = Math.max(0, this.#fenceposts.surge - surging);
    const byName = new Map(this.#nodes().map((node) => [node.metadata?.name ?? '', node]));
    for (const name of [...allowed, ...candidates.slice(0, left)]) {
      const node = byName.get(name);
      if (node !== undefined && this.#shouldRun(node)) this.#make(node);
    }
  }

  #isAvailable(pod: FleetPod): boolean {
    const { minReadySeconds = 0 } = this.object.spec ?? {};
    if (!pod.isReady || isAvailable(pod, minReadySeconds, this.fleet.now)) return pod.isReady;
    this.fleet.queue.addAt(this, (pod.readySince ?? 0) + minReadySeconds);
    return false;
  }

  #make(node: Node): string | null {
    const revision = this.update;
    const name = `${this.name}-${node.metadata?.name ?? ''}`;
    const isTaken = [...this.pods].some(({ simulated }) => simulated.info.name === name);
    const draft = daemonPod(this.object, revision.template, node, isTaken ? `${name}-${(this.#made += 1)}` : name);
    if (draft === undefined) return null;
    const made = this.fleet.create(draft, { owner: this, revision, n: this.numberOf(revision) });
    if (typeof made !== 'string') return null;
    const message = `Error creating: ${made}`;
    this.fleet.tellOnce({ what: 'failedCreate', owner: this, pod: null, revision, message });
    return made;
  }

  /** Source: updateDaemonSetStatus */
  #count(): void {
    const byNode = this.#byNode();
    let [desired, current, misscheduled, ready, updated, available] = [0, 0, 0, 0, 0, 0];
    for (const node of this.#nodes()) {
      const pods = byNode.get(node.metadata?.name ?? '') ?? [];
      if (!this.#shouldRun(node)) {
        if (pods.length > 0) misscheduled += 1;
        continue;
      }
      desired += 1;
      // podByCreationTimestampAndPhase
      const [first] = pods.toSorted(
        (a, b) => Number(a.node === null) - Number(b.node === null) || a.created - b.created,
      );
      if (first === undefined) continue;
      current += 1;
      if (first.isReady && !first.isDeleting) ready += 1;
      if (!first.isDeleting && this.#isAvailable(first)) available += 1;
      if (first.revision?.number === this.update.number) updated += 1;
    }
    const before = this.status;
    this.status = {
      currentNumberScheduled: current,
      numberMisscheduled: misscheduled,
      desiredNumberScheduled: desired,
      numberReady: ready,
      updatedNumberScheduled: updated,
      numberAvailable: available,
      numberUnavailable: desired - available,
    };
    if (JSON.stringify(before) !== JSON.stringify(this.status)) this.fleet.queue.add(this);
  }
}

/** A pod that waits is of the node that its affinity names. */
function nodeOf({ node, simulated }: FleetPod): string {
  if (node !== null) return node;
  const terms = simulated.pod.spec?.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
  return terms?.nodeSelectorTerms[0]?.matchFields?.[0]?.values?.[0] ?? '';
}
