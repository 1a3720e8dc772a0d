import type { StatefulSet } from '../../../kubernetes/objects.ts';
import { Controller, type OfWorkload } from './controller.ts';
import type { Fleet } from './fleet.ts';
import { type FleetPod, isAvailable } from './fleet-pod.ts';
import { statefulPod } from './pod-maker.ts';
import type { Revision } from './revision.ts';
import { statefulSetMaxUnavailable } from '../../../kubernetes/rolling-update.ts';

/** Source for this file: pkg/controller/statefulset/stateful_set_control.go */

export interface StatefulSetStatus {
  readonly replicas: number;
  readonly readyReplicas: number;
  readonly availableReplicas: number;
  readonly currentReplicas: number;
  readonly updatedReplicas: number;
}

export class StatefulSetController extends Controller<StatefulSet> {
  readonly kind = 'StatefulSet';
  /** Moves to the update revision when all pods have it. */
  current: Revision;
  status: StatefulSetStatus;
  /** Whether the minor knows `maxUnavailable` of a StatefulSet (MaxUnavailableStatefulSet). */
  readonly #knowsMaxUnavailable: boolean;

  constructor(
    fleet: Fleet,
    object: StatefulSet,
    of: OfWorkload & {
      readonly current: Revision;
      readonly knowsMaxUnavailable: boolean;
    },
  ) {
    super(fleet, object, of);
    this.current = of.current;
    this.#knowsMaxUnavailable = of.knowsMaxUnavailable;
    const { status } = object;
    this.status = {
      replicas: status?.replicas ?? 0,
      readyReplicas: status?.readyReplicas ?? 0,
      availableReplicas: status?.availableReplicas ?? 0,
      currentReplicas: status?.currentReplicas ?? 0,
      updatedReplicas: status?.updatedReplicas ?? 0,
    };
  }

  get replicas(): number {
    return this.object.spec?.replicas ?? 1;
  }

  get update(): Revision {
    return this.revisions.of(this.object.spec!.template);
  }

  get #start(): number {
    return this.object.spec?.ordinals?.start ?? 0;
  }

  get #isMonotonic(): boolean {
    return this.object.spec?.podManagementPolicy !== 'Parallel';
  }

  get #partition(): number {
    return this.object.spec?.updateStrategy?.rollingUpdate?.partition ?? 0;
  }

  get #isOnDelete(): boolean {
    return this.object.spec?.updateStrategy?.type === 'OnDelete';
  }

  sync(): void {
    const refusal = this.#act();
    this.#count();
    this.retry(refusal);
  }

  /** Source: updateStatefulSet */
  #act(): string | null {
    const byOrdinal = new Map<number, FleetPod>();
    for (const pod of this.pods) if (!pod.isGone) byOrdinal.set(pod.ordinal ?? -1, pod);
    const wanted = Array.from({ length: this.replicas }, (_, index) => this.#start + index);
    const isWanted = new Set(wanted);
    for (const ordinal of wanted) {
      const pod = byOrdinal.get(ordinal);
      if (pod !== undefined && !this.#isMonotonic) {
        if (isEnded(pod)) this.fleet.delete(pod);
        continue;
      }
      if (pod === undefined) {
        const refusal = this.#make(ordinal);
        if (refusal !== null) return refusal;
        if (this.#isMonotonic) return null;
        continue;
      }
      if (isEnded(pod)) {
        this.fleet.delete(pod);
        return null;
      }
      if (pod.isDeleting || !isReady(pod) || !this.#isAvailable(pod)) return null;
    }
    const condemned = [...byOrdinal.values()]
      .filter(({ ordinal }) => !isWanted.has(ordinal ?? -1))
      .sort((a, b) => (b.ordinal ?? 0) - (a.ordinal ?? 0));
    const unhealthy = [...byOrdinal.values()]
      .filter((pod) => !isReady(pod) || pod.isDeleting)
      .sort((a, b) => (a.ordinal ?? 0) - (b.ordinal ?? 0))[0];
    for (const pod of condemned) {
      if (pod.isDeleting) {
        if (this.#isMonotonic) return null;
        continue;
      }
      if (this.#isMonotonic && pod !== unhealthy && (!isReady(pod) || !this.#isAvailable(pod))) return null;
      this.fleet.delete(pod);
      if (this.#isMonotonic) return null;
    }
    if (!this.#isOnDelete) this.#roll(wanted.toReversed(), byOrdinal);
    return null;
  }

  /** From the highest ordinal down to the partition. */
  #roll(ordinals: readonly number[], byOrdinal: ReadonlyMap<number, FleetPod>): void {
    const { update } = this;
    const isUnavailable = (pod: FleetPod | undefined): boolean =>
      pod === undefined || pod.isDeleting || !isReady(pod) || !this.#isAvailable(pod);
    const isOld = (pod: FleetPod | undefined): pod is FleetPod =>
      pod !== undefined && pod.revision?.number !== update.number && !pod.isDeleting;
    // It counts from the first ordinal.
    const targets = ordinals.filter((ordinal) => ordinal - this.#start >= this.#partition);
    if (this.#knowsMaxUnavailable) {
      // Source: updateStatefulSetAfterInvariantEstablished
      const away = ordinals.filter((ordinal) => isUnavailable(byOrdinal.get(ordinal))).length;
      let left = statefulSetMaxUnavailable(this.object.spec, this.replicas) - away;
      for (const ordinal of targets) {
        const pod = byOrdinal.get(ordinal);
        if (left <= 0) return;
        if (!isOld(pod)) continue;
        this.fleet.delete(pod);
        left -= 1;
      }
      return;
    }
    for (const ordinal of targets) {
      const pod = byOrdinal.get(ordinal);
      if (isOld(pod)) {
        this.fleet.delete(pod);
        return;
      }
      if (isUnavailable(pod)) return;
    }
  }

  #isAvailable(pod: FleetPod): boolean {
    const { minReadySeconds = 0 } = this.object.spec ?? {};
    if (!isReady(pod)) return false;
    if (isAvailable(pod, minReadySeconds, this.fleet.now)) return true;
    this.fleet.queue.addAt(this, (pod.readySince ?? 0) + minReadySeconds);
    return false;
  }

  /** Below the partition a pod comes with the current revision, else with the newest. Source: newVersionedStatefulSetPod */
  #make(ordinal: number): string | null {
    const isKept = !this.#isOnDelete && ordinal - this.#start < this.#partition;
    const revision = isKept ? this.current : this.update;
    const { pod: draft, claims } = statefulPod(this.object, revision.template, ordinal);
    if (draft === undefined) return null;
    this.fleet.createClaims(claims);
    const made = this.fleet.create(draft, { owner: this, revision, ordinal, n: this.numberOf(revision) });
    if (typeof made !== 'string') return null;
    const message = `create Pod ${this.name}-${ordinal} in StatefulSet ${this.name} failed error: ${made}`;
    this.fleet.tellOnce({ what: 'failedCreate', owner: this, pod: null, revision, message });
    return made;
  }

  /** Source: updateStatefulSet, completeRollingUpdate */
  #count(): void {
    const there = [...this.pods].filter(({ isGone }) => !isGone);
    const staying = there.filter(({ isDeleting }) => !isDeleting);
    const { update } = this;
    const of = ({ number }: Revision): number => staying.filter(({ revision }) => revision?.number === number).length;
    const ready = there.filter(isReady);
    const status = {
      replicas: there.length,
      readyReplicas: ready.length,
      availableReplicas: ready.filter((pod) => this.#isAvailable(pod)).length,
      currentReplicas: of(this.current),
      updatedReplicas: of(update),
    };
    const before = this.status;
    this.status = status;
    const isDone = status.updatedReplicas === this.replicas && status.readyReplicas === this.replicas;
    if (!this.#isOnDelete && isDone && status.replicas === this.replicas && this.#partition === 0) {
      this.current = update;
      this.status = { ...status, currentReplicas: status.updatedReplicas };
    }
    if (JSON.stringify(before) !== JSON.stringify(this.status)) this.fleet.queue.add(this);
  }
}

/** Source: isRunningAndReady */
function isReady({ phase, isReady: ready }: FleetPod): boolean {
  return phase === 'Running' && ready;
}

function isEnded({ phase, isDeleting }: FleetPod): boolean {
  return !isDeleting && (phase === 'Failed' || phase === 'Succeeded');
}
