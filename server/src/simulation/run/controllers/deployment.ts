import { omit } from '../../../util/omit.ts';
import { hashOf } from '../../../kubernetes/pod-template.ts';
import type { Deployment, ReplicaSet } from '../../../kubernetes/objects.ts';
import {
  type Condition,
  conditionOf,
  type Conditions,
  withCondition,
  withoutCondition,
} from './deployment-conditions.ts';
import { Controller, type OfWorkload } from './controller.ts';
import type { Fleet } from './fleet.ts';
import { ReplicaSetController } from './replica-set.ts';
import { withoutHash } from './revision.ts';
import { deploymentFenceposts } from '../../../kubernetes/rolling-update.ts';

/** Source for this file: pkg/controller/deployment: deployment_controller.go, sync.go, rolling.go, recreate.go, progress.go */

export interface DeploymentStatus {
  readonly replicas: number;
  readonly updatedReplicas: number;
  readonly readyReplicas: number;
  readonly availableReplicas: number;
  readonly unavailableReplicas: number;
  readonly terminatingReplicas: number;
  readonly conditions: Conditions;
}

/** Long for one file, since it is one controller: every method reads and writes the same ReplicaSets and status. */
export class DeploymentController extends Controller<Deployment> {
  readonly kind = 'Deployment';
  /** Its pods belong to them. Oldest first. */
  sets: ReplicaSetController[] = [];
  status: DeploymentStatus;
  /** Whether it has been without progress for longer than its deadline, and may have gone on since. */
  hasTimedOut = false;
  #deadline: { readonly at: number; readonly callOff: () => void } | null = null;

  constructor(
    fleet: Fleet,
    object: Deployment,
    of: OfWorkload & {
      /** A time of the API on the clock of the run. */
      readonly clockOf: (time: string | undefined) => number;
    },
  ) {
    super(fleet, object, of);
    const { status } = object;
    this.status = {
      replicas: status?.replicas ?? 0,
      updatedReplicas: status?.updatedReplicas ?? 0,
      readyReplicas: status?.readyReplicas ?? 0,
      availableReplicas: status?.availableReplicas ?? 0,
      unavailableReplicas: status?.unavailableReplicas ?? 0,
      terminatingReplicas: status?.terminatingReplicas ?? 0,
      conditions: (status?.conditions ?? []).map(({ type, status: is, reason = '', message = '', lastUpdateTime }) => ({
        type: type as Condition['type'],
        status: is as Condition['status'],
        reason,
        message,
        updated: of.clockOf(lastUpdateTime),
      })),
    };
  }

  /** A ReplicaSet that is there already. */
  adopt(set: ReplicaSetController): void {
    this.sets.push(set);
    this.sets.sort((a, b) => a.created - b.created);
    set.related = () => this.sets;
    set.onStatus = () => {
      this.fleet.queue.add(this);
    };
  }

  get replicas(): number {
    return this.object.spec?.replicas ?? 1;
  }

  get #isRolling(): boolean {
    return this.object.spec?.strategy?.type !== 'Recreate';
  }

  get #surge(): number {
    return deploymentFenceposts(this.object.spec, this.replicas).surge;
  }

  get #unavailable(): number {
    return deploymentFenceposts(this.object.spec, this.replicas).unavailable;
  }

  /** The ReplicaSet of the present template. Source: FindNewReplicaSet */
  get newSet(): ReplicaSetController | undefined {
    const { template } = this.object.spec ?? {};
    if (template === undefined) return undefined;
    const { number } = this.revisions.of(template);
    return this.sets.find(({ revision }) => revision.number === number);
  }

  get #oldSets(): readonly ReplicaSetController[] {
    const now = this.newSet;
    return this.sets.filter((set) => set !== now);
  }

  sync(): void {
    this.#checkPaused();
    const isPaused = this.object.spec?.paused === true;
    if (isPaused || this.#isScalingEvent()) {
      this.#scale();
      if (isPaused) this.#cleanUp();
      this.#updateStatus(this.#counted());
      return;
    }
    if (this.#isRolling) this.#roll();
    else this.#recreate();
  }

  /** Source: checkPausedConditions */
  #checkPaused(): void {
    if (this.object.spec?.progressDeadlineSeconds === 2_147_483_647) return;
    const condition = conditionOf(this.status.conditions, 'Progressing');
    if (condition?.reason === 'ProgressDeadlineExceeded') return;
    const isSaid = condition?.reason === 'DeploymentPaused';
    const isPaused = this.object.spec?.paused === true;
    if (isPaused === isSaid) return;
    const next: Condition = {
      type: 'Progressing',
      status: 'Unknown',
      reason: isPaused ? 'DeploymentPaused' : 'DeploymentResumed',
      message: isPaused ? 'Deployment is paused' : 'Deployment is resumed',
      updated: this.fleet.now,
    };
    this.status = { ...this.status, conditions: withCondition(this.status.conditions, next) };
  }

  #isScalingEvent(): boolean {
    return this.sets.some(
      ({ replicas, annotations: { desired } }) => replicas > 0 && desired !== null && desired !== this.replicas,
    );
  }

  /** Source: scale, FindActiveOrLatest */
  #scale(): void {
    const now = this.newSet;
    const active = this.sets.filter(({ replicas }) => replicas > 0);
    const only = active.length === 0 ? (now ?? this.sets.at(-1)) : active.length === 1 ? active[0] : undefined;
    if (only !== undefined) {
      if (only.replicas !== this.replicas) this.#resize(only, this.replicas);
      return;
    }
    if (now !== undefined && this.#isSaturated(now)) {
      for (const old of this.#oldSets) if (old.replicas > 0) this.#resize(old, 0);
      return;
    }
    if (!this.#isRolling) return;
    const allowed = this.replicas > 0 ? this.replicas + this.#surge : 0;
    const toAdd = allowed - sumOf(active, ({ replicas }) => replicas);
    // ReplicaSetsBySizeNewer and ReplicaSetsBySizeOlder
    const ordered = active.toSorted(
      (a, b) => b.replicas - a.replicas || (toAdd > 0 ? b.created - a.created : a.created - b.created),
    );
    let added = 0;
    const sizes = ordered.map((set) => {
      const share = toAdd === 0 ? 0 : this.#shareOf(set, toAdd, added);
      added += share;
      return set.replicas + share;
    });
    for (const [index, set] of ordered.entries()) {
      const rest = index === 0 && toAdd !== 0 ? toAdd - added : 0;
      this.#resize(set, Math.max(0, sizes[index]! + rest));
    }
  }

  /** Source: GetReplicaSetProportion, getReplicaSetFraction */
  #shareOf({ replicas, annotations: { max } }: ReplicaSetController, toAdd: number, added: number): number {
    if (replicas === 0 || toAdd === added) return 0;
    const before = max ?? this.status.replicas;
    const exact = (replicas * (this.replicas + this.#surge)) / before;
    const share = this.replicas === 0 ? -replicas : Math.floor(exact + 0.5) - replicas;
    const left = toAdd - added;
    return toAdd > 0 ? Math.min(share, left) : Math.max(share, left);
  }

  #isSaturated({ replicas, annotations, status }: ReplicaSetController): boolean {
    return (
      annotations.desired === this.replicas && replicas === this.replicas && status.availableReplicas === this.replicas
    );
  }

  /** Source: scaleReplicaSet. Its annotations say how large the Deployment is. */
  #resize(set: ReplicaSetController, to: number): boolean {
    set.annotations = { ...set.annotations, desired: this.replicas, max: this.replicas + this.#surge };
    const isOther = set.replicas !== to;
    set.scale(to);
    return isOther;
  }

  #roll(): void {
    const made = this.newSet ?? this.#createSet();
    if (!this.#scaleUp(made) && !this.#scaleDown(made) && this.#isComplete(this.#counted())) this.#cleanUp();
    this.#syncRollout();
  }

  /** Source: reconcileNewReplicaSet */
  #scaleUp(set: ReplicaSetController): boolean {
    this.#adoptRevision(set);
    if (set.replicas === this.replicas) return false;
    return this.#resize(set, set.replicas > this.replicas ? this.replicas : this.#sizeOfNew(set.replicas));
  }

  /** Source: NewRSNewReplicas */
  #sizeOfNew(present: number): number {
    if (!this.#isRolling) return this.replicas;
    const total = sumOf(this.sets, ({ replicas }) => replicas);
    const most = this.replicas + this.#surge;
    return total >= most ? present : present + Math.min(most - total, this.replicas - present);
  }

  /** Source: reconcileOldReplicaSets */
  #scaleDown(now: ReplicaSetController): boolean {
    const old = this.#oldSets;
    if (sumOf(old, ({ replicas }) => replicas) === 0) return false;
    const minAvailable = this.replicas - this.#unavailable;
    const unavailableOfNew = now.replicas - now.status.availableReplicas;
    const most = sumOf(this.sets, ({ replicas }) => replicas) - minAvailable - unavailableOfNew;
    if (most <= 0) return false;
    const available = sumOf(this.sets, ({ status }) => status.availableReplicas);
    let cleaned = 0;
    // cleanupUnhealthyReplicas
    for (const set of old) {
      const sick = set.replicas - set.status.availableReplicas;
      if (cleaned >= most || set.replicas === 0 || sick <= 0) continue;
      const less = Math.min(most - cleaned, sick);
      this.#resize(set, set.replicas - less);
      cleaned += less;
    }
    // scaleDownOldReplicaSetsForRollingUpdate
    let spare = Math.max(0, available - minAvailable);
    let scaled = 0;
    for (const set of old) {
      if (spare <= 0) break;
      const less = Math.min(set.replicas, spare);
      if (less === 0) continue;
      this.#resize(set, set.replicas - less);
      spare -= less;
      scaled += less;
    }
    return cleaned + scaled > 0;
  }

  #recreate(): void {
    const now = this.newSet;
    const old = this.#oldSets;
    const active = old.filter(({ replicas }) => replicas > 0);
    if (active.length > 0) {
      for (const set of active) this.#resize(set, 0);
      this.#syncRollout();
      return;
    }
    // oldPodsRunning: those that end count until they have ended.
    if (old.some(({ pods }) => [...pods].some(({ phase, isGone }) => !isGone && phase !== 'Failed'))) {
      this.#syncRollout();
      return;
    }
    const made = now ?? this.#createSet();
    this.#adoptRevision(made);
    this.#resize(made, this.replicas);
    if (this.#isComplete(this.#counted())) this.#cleanUp();
    this.#syncRollout();
  }

  /** Source: getNewReplicaSet. One that is taken again gets the next number. */
  #adoptRevision(set: ReplicaSetController): void {
    set.minReadySeconds = this.object.spec?.minReadySeconds ?? 0;
    const highest = Math.max(0, ...this.sets.filter((each) => each !== set).map((each) => each.annotations.revision));
    if (set.annotations.revision <= highest) set.annotations = { ...set.annotations, revision: highest + 1 };
    if (conditionOf(this.status.conditions, 'Progressing') === undefined) {
      this.#setProgressing('True', 'FoundNewReplicaSet', `Found new replica set ${JSON.stringify(set.name)}`);
    }
  }

  #createSet(): ReplicaSetController {
    const template = this.object.spec!.template;
    const revision = this.revisions.of(template);
    const hash = hashOf(revision.key);
    const name = `${this.name}-${hash}`;
    const labels = { ...template.metadata?.labels, 'pod-template-hash': hash };
    const object: ReplicaSet = {
      apiVersion: 'apps/v1',
      kind: 'ReplicaSet',
      metadata: {
        name,
        namespace: this.namespace,
        uid: `ReplicaSet/${this.namespace}/${name}`,
        labels,
        ownerReferences: [
          {
            apiVersion: 'apps/v1',
            kind: 'Deployment',
            name: this.name,
            uid: this.object.metadata?.uid ?? `Deployment/${this.namespace}/${this.name}`,
            controller: true,
            blockOwnerDeletion: true,
          },
        ],
      },
      spec: {
        replicas: this.#sizeOfNew(0),
        minReadySeconds: this.object.spec?.minReadySeconds ?? 0,
        selector: { matchLabels: labels },
        template: { ...withoutHash(template), metadata: { ...template.metadata, labels } },
      },
    };
    const set = new ReplicaSetController(this.fleet, {
      object,
      workload: this.workload,
      revision,
      created: this.fleet.now,
      annotations: {
        revision: Math.max(0, ...this.sets.map(({ annotations }) => annotations.revision)) + 1,
        desired: this.replicas,
        max: this.replicas + this.#surge,
      },
      numberOf: this.numberOf,
    });
    this.adopt(set);
    this.fleet.onEvent({ what: 'replicaset', owner: set, pod: null, revision, to: set.replicas });
    this.#setProgressing('True', 'NewReplicaSetCreated', `Created new replica set ${JSON.stringify(name)}`);
    this.fleet.queue.add(set);
    return set;
  }

  /** Source: cleanupDeployment */
  #cleanUp(): void {
    const { revisionHistoryLimit = 10 } = this.object.spec ?? {};
    const empty = this.#oldSets.filter(({ replicas, status, pods }) => replicas + status.replicas + pods.size === 0);
    const gone = new Set(
      empty
        .toSorted((a, b) => a.annotations.revision - b.annotations.revision)
        .slice(0, Math.max(0, empty.length - revisionHistoryLimit)),
    );
    if (gone.size > 0) this.sets = this.sets.filter((set) => !gone.has(set));
  }

  #setProgressing(status: Condition['status'], reason: string, message: string): void {
    if (!this.#hasDeadline) return;
    const condition: Condition = { type: 'Progressing', status, reason, message, updated: this.fleet.now };
    this.status = { ...this.status, conditions: withCondition(this.status.conditions, condition) };
  }

  get #progressDeadline(): number {
    return this.object.spec?.progressDeadlineSeconds ?? 600;
  }

  get #hasDeadline(): boolean {
    return this.#progressDeadline !== 2_147_483_647;
  }

  /** Source: calculateStatus */
  #counted(): DeploymentStatus {
    const available = sumOf(this.sets, ({ status }) => status.availableReplicas);
    const isEnough = available >= this.replicas - this.#unavailable;
    const condition: Condition = {
      type: 'Available',
      status: isEnough ? 'True' : 'False',
      reason: isEnough ? 'MinimumReplicasAvailable' : 'MinimumReplicasUnavailable',
      message: isEnough ? 'Deployment has minimum availability.' : 'Deployment does not have minimum availability.',
      updated: this.fleet.now,
    };
    return {
      replicas: sumOf(this.sets, ({ status }) => status.replicas),
      updatedReplicas: this.newSet?.status.replicas ?? 0,
      readyReplicas: sumOf(this.sets, ({ status }) => status.readyReplicas),
      availableReplicas: available,
      unavailableReplicas: Math.max(0, sumOf(this.sets, ({ replicas }) => replicas) - available),
      terminatingReplicas: sumOf(this.sets, ({ status }) => status.terminatingReplicas),
      conditions: withCondition(this.status.conditions, condition),
    };
  }

  #isComplete(status: DeploymentStatus): boolean {
    const { replicas, updatedReplicas, availableReplicas } = status;
    return [replicas, updatedReplicas, availableReplicas].every((number) => number === this.replicas);
  }

  /** Source: syncRolloutStatus */
  #syncRollout(): void {
    const before = this.status;
    let status = this.#counted();
    let { conditions } = status;
    if (!this.#hasDeadline) conditions = withoutCondition(conditions, 'Progressing');
    const present = conditionOf(before.conditions, 'Progressing');
    const isDone = status.replicas === status.updatedReplicas && present?.reason === 'NewReplicaSetAvailable';
    if (this.#hasDeadline && !isDone) {
      const now = this.fleet.now;
      const name = this.newSet === undefined ? '' : JSON.stringify(this.newSet.name);
      const condition = (is: Condition['status'], reason: string, said: string): Condition => {
        const message = name === '' ? `Deployment ${JSON.stringify(this.name)} ${said}` : `ReplicaSet ${name} ${said}`;
        return { type: 'Progressing', status: is, reason, message, updated: now };
      };
      if (this.#isComplete(status)) {
        const next = condition('True', 'NewReplicaSetAvailable', 'has successfully progressed.');
        conditions = withCondition(conditions, next);
      } else if (isProgress(before, status)) {
        const next = condition('True', 'ReplicaSetUpdated', 'is progressing.');
        conditions = withCondition(withoutCondition(conditions, 'Progressing'), next);
      } else if (this.#isTimedOut(conditions)) {
        this.hasTimedOut = true;
        conditions = withCondition(
          conditions,
          condition('False', 'ProgressDeadlineExceeded', 'has timed out progressing.'),
        );
      }
    }
    const failing = [this.newSet, ...this.#oldSets].find((set) => (set?.status.failure ?? null) !== null);
    conditions =
      failing === undefined
        ? withoutCondition(conditions, 'ReplicaFailure')
        : withCondition(conditions, {
            type: 'ReplicaFailure',
            status: 'True',
            reason: 'FailedCreate',
            message: failing.status.failure ?? '',
            updated: this.fleet.now,
          });
    status = { ...status, conditions };
    this.#updateStatus(status);
    this.#awaitDeadline();
  }

  #updateStatus(status: DeploymentStatus): void {
    const before = this.status;
    this.status = status;
    // The update of its own status comes back to it.
    if (withoutTimes(before) !== withoutTimes(status)) this.fleet.queue.add(this);
  }

  /** Source: DeploymentTimedOut */
  #isTimedOut(conditions: Conditions): boolean {
    const condition = conditionOf(conditions, 'Progressing');
    if (condition === undefined || condition.reason === 'NewReplicaSetAvailable') return false;
    if (condition.reason === 'ProgressDeadlineExceeded') return true;
    return condition.updated + this.#progressDeadline < this.fleet.now;
  }

  /** Source: requeueStuckDeployment */
  #awaitDeadline(): void {
    const condition = conditionOf(this.status.conditions, 'Progressing');
    const isAwaited =
      condition !== undefined &&
      this.#hasDeadline &&
      !this.#isComplete(this.status) &&
      condition.reason !== 'ProgressDeadlineExceeded';
    const at = isAwaited ? condition.updated + this.#progressDeadline + 1 : 0;
    if (this.#deadline?.at === at) return;
    // Nobody waits for the end of a deadline that does not count any more.
    this.#deadline?.callOff();
    this.#deadline = at <= this.fleet.now ? null : { at, callOff: this.fleet.queue.addAt(this, at) };
  }
}

/** Source: DeploymentProgressing */
function isProgress(before: DeploymentStatus, now: DeploymentStatus): boolean {
  return (
    now.updatedReplicas > before.updatedReplicas ||
    now.replicas - now.updatedReplicas < before.replicas - before.updatedReplicas ||
    now.readyReplicas > before.readyReplicas ||
    now.availableReplicas > before.availableReplicas
  );
}

function withoutTimes(status: DeploymentStatus): string {
  return JSON.stringify({ ...status, conditions: status.conditions.map((each) => omit(each, 'updated')) });
}

function sumOf<T>(items: readonly T[], amount: (item: T) => number): number {
  return items.reduce((sum, item) => sum + amount(item), 0);
}
