import { least } from '../../../util/extremes.ts';
import type { ReplicaSet } from '../../../kubernetes/objects.ts';
import { inOrderOfDeletion } from './deletion-order.ts';
import { activeOf, type Fleet } from './fleet.ts';
import { type FleetPod, isAvailable, type Owner } from './fleet-pod.ts';
import { replicaPod } from './pod-maker.ts';
import { Retries } from './retries.ts';
import type { Revision, Revisions } from './revision.ts';

/** Source for this file: pkg/controller/replicaset/replica_set.go */

export interface ReplicaSetStatus {
  readonly replicas: number;
  readonly readyReplicas: number;
  readonly availableReplicas: number;
  readonly terminatingReplicas: number;
  /** What `FailedCreate` says, while it does. */
  readonly failure: string | null;
}

/** Of one revision of a Deployment, or alone. */
export class ReplicaSetController implements Owner {
  /** A ReplicationController is looked after in the same way. Source: pkg/controller/replication/replication_controller.go */
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  readonly workload: number;
  readonly pods = new Set<FleetPod>();
  /** In the order in which they were made. */
  readonly created: number;
  object: ReplicaSet;
  revision: Revision;
  /** Of one that no Deployment owns. */
  revisions: Revisions | null = null;
  replicas: number;
  minReadySeconds: number;
  /** Number of `deployment.kubernetes.io/revision`, and how large the Deployment was when it was scaled last. */
  annotations: { revision: number; desired: number | null; max: number | null };
  status: ReplicaSetStatus;
  /** The ReplicaSets of the same Deployment, this one included: their pods count when some are given up. */
  related: () => readonly ReplicaSetController[] = () => [this];
  /** Whoever reads its status. */
  onStatus: () => void = () => undefined;
  readonly #fleet: Fleet;
  readonly #retries = new Retries();
  /** Whether its status says that it has seen the size that was written last. */
  #isObserved = true;
  #made = 0;
  #numberOf: (revision: Revision) => number;

  constructor(
    fleet: Fleet,
    of: {
      readonly object: ReplicaSet;
      readonly workload: number;
      readonly revision: Revision;
      readonly created: number;
      readonly annotations: ReplicaSetController['annotations'];
      readonly numberOf: (revision: Revision) => number;
    },
  ) {
    this.#fleet = fleet;
    this.object = of.object;
    this.kind = of.object.kind ?? 'ReplicaSet';
    this.namespace = of.object.metadata?.namespace ?? 'default';
    this.name = of.object.metadata?.name ?? '';
    this.workload = of.workload;
    this.revision = of.revision;
    this.created = of.created;
    this.replicas = of.object.spec?.replicas ?? 1;
    this.minReadySeconds = of.object.spec?.minReadySeconds ?? 0;
    this.annotations = of.annotations;
    this.#numberOf = of.numberOf;
    const { status } = of.object;
    this.status = {
      replicas: status?.replicas ?? 0,
      readyReplicas: status?.readyReplicas ?? 0,
      availableReplicas: status?.availableReplicas ?? 0,
      terminatingReplicas: status?.terminatingReplicas ?? 0,
      failure: status?.conditions?.find(({ type }) => type === 'ReplicaFailure')?.message ?? null,
    };
  }

  /** Of one whose status nobody wrote, once it has its pods. */
  countUnwritten(): void {
    if (this.object.status === undefined) this.status = this.#counted(null);
  }

  scale(to: number): void {
    if (this.replicas === to) return;
    this.#fleet.onEvent({ what: 'scaled', owner: this, pod: null, revision: this.revision, from: this.replicas, to });
    const isSmaller = to < this.replicas;
    this.replicas = to;
    this.#isObserved = false;
    this.#fleet.queue.addScaled(this, isSmaller);
  }

  sync(): void {
    const error = this.#manage();
    const failed = error !== null;
    this.#count(error);
    if (failed) {
      this.#fleet.queue.addAt(this, this.#retries.fail(this.#fleet.now));
    } else {
      this.#retries.forget();
    }
  }

  /** Source: manageReplicas */
  #manage(): string | null {
    const active = activeOf(this);
    const missing = this.replicas - active.length;
    if (missing > 0) return this.#make(missing);
    if (missing < 0) for (const pod of this.#toDelete(active, -missing)) this.#fleet.delete(pod);
    return null;
  }

  /** In batches of 1, 2, 4, …; one with an error is the last. Source: slowStartBatch */
  #make(missing: number): string | null {
    let left = missing;
    for (let batch = 1; left > 0; batch = Math.min(2 * batch, left)) {
      let refusal: string | null = null;
      for (let index = 0; index < batch; index++) {
        const draft = replicaPod(this.object, this.#nextName());
        if (draft === undefined) return null;
        const { revision } = this;
        const made = this.#fleet.create(draft, { owner: this, revision, n: this.#numberOf(revision) });
        if (typeof made === 'string') refusal ??= made;
      }
      if (refusal !== null) {
        const message = `Error creating: ${refusal}`;
        this.#fleet.tellOnce({ what: 'failedCreate', owner: this, pod: null, revision: this.revision, message });
        return refusal;
      }
      left -= batch;
    }
    return null;
  }

  #nextName(): string {
    for (;;) {
      const name = `${this.name}-${this.#made++}`;
      if (!this.#fleet.hasNamed(`${this.namespace}/${name}`)) return name;
    }
  }

  /** Source: getPodsToDelete, getIndirectlyRelatedPods */
  #toDelete(active: readonly FleetPod[], surplus: number): readonly FleetPod[] {
    if (surplus >= active.length) return active;
    const onNode = new Map<string, number>();
    for (const set of this.related()) {
      for (const { node } of activeOf(set)) if (node !== null) onNode.set(node, (onNode.get(node) ?? 0) + 1);
    }
    const ordered = inOrderOfDeletion(active, this.#fleet.now, ({ node }) => (node === null ? 0 : onNode.get(node)!));
    return ordered.slice(0, surplus);
  }

  /** Source: calculateStatus in replica_set_utils.go. A condition keeps the text of the first error. */
  #counted(failure: string | null): ReplicaSetStatus {
    const active = activeOf(this);
    const ready = active.filter(({ isReady }) => isReady);
    return {
      replicas: active.length,
      readyReplicas: ready.length,
      availableReplicas: ready.filter((pod) => isAvailable(pod, this.minReadySeconds, this.#fleet.now)).length,
      terminatingReplicas: [...this.pods].filter((pod) => pod.isDeleting && !pod.isGone).length,
      failure,
    };
  }

  #count(error: string | null): void {
    const { now } = this.#fleet;
    const later = activeOf(this)
      .filter((pod) => pod.isReady && !isAvailable(pod, this.minReadySeconds, now))
      .map(({ readySince }) => readySince ?? now);
    if (later.length > 0) this.#fleet.queue.addAt(this, least(later) + this.minReadySeconds);
    const before = this.status;
    this.status = this.#counted(error === null ? null : (before.failure ?? error));
    const isSame = JSON.stringify(before) === JSON.stringify(this.status);
    if (isSame && this.#isObserved) return;
    this.#isObserved = true;
    this.onStatus();
    // The update of its own status comes back to it.
    this.#fleet.queue.add(this);
  }
}
