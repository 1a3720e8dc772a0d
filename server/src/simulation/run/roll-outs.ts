import { isHealthy } from '../../disruption/pods.ts';
import type { Deployment, KubeObject, Pod } from '../../kubernetes/objects.ts';
import { workloadKey } from '../../kubernetes/names.ts';
import { type Autoscaling, autoscalingsOf } from '../cluster/autoscaled-workloads.ts';
import type { SimulatedCluster } from '../cluster/simulated-cluster.ts';
import type { SimulatedPod } from '../cluster/simulated-pod.ts';
import { ControlPlane } from './controllers/control-plane.ts';
import type { TopController } from './controllers/control-plane.ts';
import { DaemonSetController } from './controllers/daemon-set.ts';
import { DeploymentController } from './controllers/deployment.ts';
import { conditionOf } from './controllers/deployment-conditions.ts';
import type { FleetEvent } from './controllers/fleet-event.ts';
import type { Kubelet } from './controllers/fleet.ts';
import type { FleetPod, Owner } from './controllers/fleet-pod.ts';
import { JobController } from './controllers/job.ts';
import { ReplicaSetController } from './controllers/replica-set.ts';
import { StatefulSetController } from './controllers/stateful-set.ts';
import type { ReplacingControllers } from './replacements.ts';
import type { Run } from './run.ts';
import type { RunEvent } from './run-event.ts';

/** A change of a workload that runs, to be rolled out. */
export interface WorkloadChange {
  readonly key: string;
  readonly next: KubeObject;
  readonly refusal: string;
  /** Whether it is deleted and created again. */
  readonly isMadeAnew?: boolean;
  /** The autoscaler that makes it. */
  readonly by?: string;
}

/** How a change was rolled out. Texts are made of it elsewhere. */
export interface RolledOut {
  readonly key: string;
  /** As it is stored from then on. */
  readonly next: KubeObject;
  /** When it was changed. */
  readonly at: number;
  /** The autoscaler that changed it; empty where somebody did. */
  readonly by: string;
  /** Index of the workload in the cluster; -1 where it is not there. */
  readonly workload: number;
  /** What the API server refuses the change with; empty where it takes it. */
  readonly refusal: string;
  /** Whether it was deleted and created again. */
  readonly isMadeAnew: boolean;
  /** `scaled`: only the number of pods is another one. */
  readonly verdict: 'done' | 'stuck' | 'scaled' | 'refused' | 'failed';
  readonly strategy: 'RollingUpdate' | 'Recreate' | 'OnDelete' | 'ordered' | 'nodes' | 'job';
  readonly wanted: number;
  /** Pods of the new template that are ready in the end. */
  readonly updated: number;
  /** Pods of earlier templates that are ready in the end. */
  readonly oldReady: number;
  /** Pods of the new template that wait or are not ready. */
  readonly waiting: readonly WaitingPod[];
  /** Pods that the partition of a StatefulSet leaves as they are, and whether a Deployment waits to be resumed. */
  readonly left: number;
  readonly isPaused: boolean;
  /** The pod of an earlier template that has to be deleted by hand before any is replaced; empty where none has. */
  readonly held: string;
  /** What the API server answers to new pods; empty where it takes them. */
  readonly failedCreate: string;
  readonly readyBefore: number;
  readonly fewestReady: number;
  /** How often the new ReplicaSet was made larger, or pods were made anew. */
  readonly steps: number;
  readonly evicted: readonly { readonly victim: SimulatedPod; readonly isOwn: boolean }[];
  /** Whose pods are of the new template and evict. */
  readonly evicting: number;
  /** In seconds; null where the Deployment has none or did not reach it. */
  readonly deadline: number | null;
  /** Pods of the template before the change and after it; none where the template is the same. */
  readonly templates: ReadonlyMap<SimulatedPod, 'old' | 'new'>;
}

export interface WaitingPod {
  readonly pod: SimulatedPod;
  /** Why it finds no node; empty where it has one. */
  readonly message: string;
  readonly awaitsVolume: boolean;
  readonly hasNode: boolean;
  /** Scheduling gates that hold it back. */
  readonly gates: readonly string[];
}

interface Watched {
  change: WorkloadChange;
  readonly at: number;
  before: {
    readonly wanted: number;
    readonly ready: number;
    readonly revision: number;
    /** Whether a roll-out was under way: some of its pods are of another template than its own. */
    readonly isRolling: boolean;
  };
  fewestReady: number;
  steps: number;
  failedCreate: string;
  /** Numbers of revisions. */
  readonly revisions: Map<SimulatedPod, number>;
  readonly evicted: { victim: FleetPod; preemptor: FleetPod }[];
}

/** Changes that are rolled out in a run, with what becomes of each. */
export class RollOuts {
  readonly plane: ControlPlane;
  readonly #run: Run;
  /** Workloads whose new pods do not become ready, by index. */
  readonly #unready = new Set<number>();
  readonly #watched = new Map<string, Watched>();
  readonly #places: ReadonlyMap<string, number>;
  readonly #autoscaled: ReadonlyMap<string, Pick<Autoscaling, 'min' | 'max'>>;

  /** @param later workloads, by index, that come later */
  constructor(
    simulated: SimulatedCluster,
    run: Run,
    controllers: ReplacingControllers,
    changes: readonly WorkloadChange[],
    later: ReadonlySet<number> = new Set(),
  ) {
    this.#places = new Map(
      simulated.workloads.map(({ kind, namespace, name }, index) => [workloadKey(kind, namespace, name), index]),
    );
    this.#autoscaled = autoscalingsOf(simulated.inventory, simulated.workloads, []);
    this.plane = new ControlPlane({
      run,
      factory: simulated.factory,
      inventory: simulated.inventory,
      workloadOf: (key) => this.#places.get(key) ?? -1,
      kubelet: this.#kubelet(simulated.inventory.readyAfter),
      start: startOf(simulated),
      originOf: (workload) => simulated.workloads[workload]?.declared?.origin ?? null,
      gates: run.cluster.state.release.featureGates,
      onEvent: (event) => {
        this.#note(event);
      },
    });
    const pods = [...run.pods.all()].filter((pod) => !['evicted', 'rejected'].includes(run.place(pod).state));
    this.plane.adopt(
      pods,
      ({ pod }) => isHealthy(pod),
      (key) => !later.has(this.#places.get(key) ?? -1),
    );
    controllers.leaveTo(this.plane.fleet);
    this.#run = run;
    this.#takeOver(new Set([...this.plane.tops.keys()].map((key) => this.#places.get(key) ?? -1)));
    this.plane.fleet.onChange = (pod) => {
      this.#count(pod);
    };
    for (const change of changes) this.#watch(change);
    run.callAt(run.clock, () => {
      for (const change of changes) this.#put(change);
    });
  }

  /** Whether its controllers look after a workload. */
  has(key: string): boolean {
    return this.plane.tops.has(key);
  }

  /** A workload comes that was held back, with the pods that come at once. */
  arrive(workload: KubeObject, index: number, pods: readonly SimulatedPod[]): void {
    const followers = new Set(this.#run.toCome.followers());
    this.#takeOver(new Set([index]));
    this.plane.arrive(
      workload,
      pods.filter((pod) => !followers.has(pod) && this.#run.place(pod).state !== 'rejected'),
    );
  }

  /** These controllers make the next pod themselves. */
  #takeOver(workloads: ReadonlySet<number>): void {
    const { toCome } = this.#run;
    const followers = new Set(toCome.followers().filter(({ workload }) => workloads.has(workload)));
    toCome.withdraw((pod) => followers.has(pod));
  }

  /** From now on no new pod of a workload becomes ready. Says whether there is such a workload. */
  leaveUnready(key: string): boolean {
    if (!this.has(key)) return false;
    this.#unready.add(this.#places.get(key) ?? -1);
    return true;
  }

  /**
   * Nobody knows how long containers take: without a number the delay of a probe is the least.
   * @param seconds how long each pod runs before it is ready
   */
  #kubelet(seconds: number | undefined): Kubelet {
    return {
      startSeconds: () => 1,
      stopSeconds,
      readyAfter: ({ pod: { spec }, workload }: SimulatedPod) => {
        if (this.#unready.has(workload)) return null;
        const delays = (spec?.containers ?? []).map(({ readinessProbe }) => readinessProbe?.initialDelaySeconds ?? 0);
        return seconds ?? Math.max(0, ...delays);
      },
    };
  }

  /** A workload is changed now. */
  apply(change: WorkloadChange): void {
    this.#watch(change);
    this.#put(change);
  }

  #watch(change: WorkloadChange): void {
    const known = this.#watched.get(change.key);
    const top = this.plane.tops.get(change.key);
    if (known !== undefined) known.change = change;
    if (top instanceof DeploymentController) top.hasTimedOut = false;
    if (known !== undefined || top === undefined) return;
    const ready = this.#ready(top).length;
    const revision = revisionOf(top);
    const isRolling = revision > 0 && this.#podsOf(top).some((pod) => pod.revision?.number !== revision);
    this.#watched.set(change.key, {
      change,
      at: this.#run.clock,
      before: { wanted: wantedOf(top), ready, revision, isRolling },
      fewestReady: ready,
      steps: 0,
      failedCreate: '',
      revisions: new Map(this.#podsOf(top).map((pod) => [pod.simulated, pod.revision?.number ?? 0])),
      evicted: [],
    });
  }

  #put({ key, next, refusal, isMadeAnew }: WorkloadChange): void {
    const watched = this.#watched.get(key);
    if (refusal !== '' || watched === undefined) return;
    if (isMadeAnew === true) {
      this.#makeAnew(watched);
      return;
    }
    this.plane.put(next);
    this.#keepWithinBounds(key, watched.before.wanted);
  }

  /** Pods of a StatefulSet come once the names of the old ones are free. */
  #makeAnew(watched: Watched): void {
    const { key, next } = watched.change;
    const old = this.#podsOf(this.plane.tops.get(key)!).map(({ simulated }) => simulated);
    const graces = next.kind === 'StatefulSet' ? old.map(({ pod }) => stopSeconds(pod)) : [];
    watched.before = { ...watched.before, revision: next.kind === 'Job' ? 0 : -1, isRolling: false };
    watched.fewestReady = 0;
    for (const pod of watched.revisions.keys()) watched.revisions.set(pod, -1);
    this.plane.remove(key);
    this.#run.callAt(this.#run.clock + Math.max(0, ...graces), () => {
      this.plane.put(next);
    });
  }

  /** Another number than its autoscaler allows stays until that looks, and at zero nothing is scaled. */
  #keepWithinBounds(key: string, before: number): void {
    const bounds = this.#autoscaled.get(key);
    const wanted = wantedOf(this.plane.tops.get(key)!);
    if (bounds === undefined || wanted === 0 || wanted === before || bounds.min > bounds.max) return;
    this.#run.callAt(this.#run.clock + autoscalerSeconds, () => {
      const object = this.plane.tops.get(key)?.object as Deployment | undefined;
      const spec = object?.spec;
      if (spec === undefined || spec.replicas === 0) return;
      const replicas = Math.max(bounds.min, Math.min(bounds.max, spec.replicas ?? 1));
      if (replicas === spec.replicas) return;
      const next: Deployment = { ...object, spec: { ...spec, replicas } };
      this.plane.put(next);
      const watched = this.#watched.get(key)!;
      watched.change = { ...watched.change, next };
    });
  }

  follow(event: RunEvent): void {
    this.plane.fleet.follow(event);
  }

  /** What became of each change of what is there yet. */
  results(): readonly RolledOut[] {
    return [...this.#watched.values()].flatMap((watched) => {
      const top = this.plane.tops.get(watched.change.key);
      return top === undefined ? [] : [this.#resultOf(watched, top)];
    });
  }

  #podsOf(top: TopController): readonly FleetPod[] {
    const owners: readonly Owner[] = top instanceof DeploymentController ? top.sets : [top];
    return owners.flatMap(({ pods }) => [...pods].filter(({ isGone }) => !isGone));
  }

  #ready(top: TopController): readonly FleetPod[] {
    return this.#podsOf(top).filter(({ isReady, isDeleting }) => isReady && !isDeleting);
  }

  #keyOf(owner: Owner): string | undefined {
    const top = this.plane.topOf(owner);
    return top === undefined ? undefined : workloadKey(top.kind, top.namespace, top.name);
  }

  #count({ owner }: FleetPod): void {
    const watched = owner === null ? undefined : this.#watched.get(this.#keyOf(owner) ?? '');
    const top = watched === undefined ? undefined : this.plane.tops.get(watched.change.key);
    if (watched === undefined || top === undefined) return;
    watched.fewestReady = Math.min(watched.fewestReady, this.#ready(top).length);
  }

  #note(event: FleetEvent): void {
    const { owner, what } = event;
    if (what === 'preempted' && event.pod !== null && event.for !== undefined && event.for.owner !== null) {
      const key = this.#keyOf(event.for.owner);
      this.#watched.get(key ?? '')?.evicted.push({ victim: event.pod, preemptor: event.for });
    }
    if (owner === null) return;
    const watched = this.#watched.get(this.#keyOf(owner) ?? '');
    if (watched === undefined) return;
    if (event.pod !== null) watched.revisions.set(event.pod.simulated, event.revision?.number ?? 0);
    const { revision, isRolling } = watched.before;
    const number = event.revision?.number ?? 0;
    const isNew = isRolling ? number === revisionOf(this.plane.topOf(owner)!) : number !== revision;
    if (what === 'failedCreate' && event.message !== undefined) watched.failedCreate = event.message;
    if (isNew && (what === 'replicaset' || what === 'scaled') && (event.to ?? 0) > (event.from ?? 0)) {
      watched.steps += 1;
    }
    if (isNew && what === 'created' && !(owner instanceof ReplicaSetController)) watched.steps += 1;
  }

  /** What a kubelet has refused a pod of a revision with, and it is there yet; else empty. */
  #rejectionOf(top: TopController, revision: number): string {
    const rejected = this.#podsOf(top).find(
      (pod) => pod.rejection !== null && (revision === 0 || pod.revision?.number === revision),
    );
    return rejected?.rejection?.message ?? '';
  }

  #resultOf(watched: Watched, top: TopController): RolledOut {
    const { change, at, before, fewestReady, steps, failedCreate, evicted, revisions } = watched;
    // What a quota or a kubelet has refused is replaced, and nobody counts it.
    const pods = this.#podsOf(top).filter(({ isDeleting, phase }) => !isDeleting && phase !== 'Failed');
    const revision = revisionOf(top);
    const isRolled = revision !== before.revision || (before.isRolling && strategyOf(top) !== 'OnDelete');
    const fresh = pods.filter((pod) => !isRolled || pod.revision?.number === revision);
    const updated = fresh.filter(({ isReady }) => isReady).length;
    const wanted = wantedOf(top);
    const left = isRolled ? Math.min(wanted, partitionOf(top)) : 0;
    const ready = pods.filter(({ isReady }) => isReady).length;
    const isDone = updated >= wanted - left && pods.length === Math.max(wanted, updated) && ready === pods.length;
    const deployment = top instanceof DeploymentController ? top : undefined;
    const isTimedOut =
      conditionOf(deployment?.status.conditions ?? [], 'Progressing')?.reason === 'ProgressDeadlineExceeded';
    const hasTimedOut = isTimedOut || deployment?.hasTimedOut === true;
    const isFailed = top instanceof JobController && top.isFinished;
    return {
      key: change.key,
      next: change.next,
      at,
      by: change.by ?? '',
      workload: this.#places.get(change.key) ?? -1,
      refusal: change.refusal,
      isMadeAnew: change.isMadeAnew === true,
      verdict:
        change.refusal !== '' ? 'refused' : isFailed ? 'failed' : !isRolled ? 'scaled' : isDone ? 'done' : 'stuck',
      strategy: change.isMadeAnew === true && revision !== 0 ? 'Recreate' : strategyOf(top),
      wanted,
      updated,
      oldReady: ready - updated,
      waiting: fresh
        .filter(({ isReady }) => !isReady)
        .map(({ simulated, waiting, awaitsVolume, node }) => ({
          pod: simulated,
          message: waiting?.message ?? '',
          awaitsVolume,
          hasNode: node !== null,
          gates: (simulated.pod.spec?.schedulingGates ?? []).map(({ name }) => name),
        })),
      left: isDone ? left : 0,
      isPaused: top instanceof DeploymentController && top.object.spec?.paused === true,
      held: isDone || !isRolled ? '' : heldBy(top, pods, revision),
      failedCreate: isDone ? '' : failedCreate !== '' ? failedCreate : this.#rejectionOf(top, revision),
      readyBefore: before.ready,
      fewestReady,
      steps,
      evicted: evicted.map(({ victim }) => ({
        victim: victim.simulated,
        isOwn: victim.owner !== null && this.#keyOf(victim.owner) === change.key,
      })),
      evicting: new Set(evicted.map(({ preemptor }) => preemptor)).size,
      deadline: hasTimedOut ? (deployment?.object.spec?.progressDeadlineSeconds ?? 600) : null,
      templates: new Map(
        isRolled ? [...revisions].map(([pod, number]) => [pod, number === revision ? 'new' : 'old'] as const) : [],
      ),
    };
  }
}

function stopSeconds({ spec }: Pod): number {
  return spec?.terminationGracePeriodSeconds ?? 30;
}

/** Source: HorizontalPodAutoscalerSyncPeriod in pkg/controller/podautoscaler/config/v1alpha1/defaults.go */
const autoscalerSeconds = 15;

/** Whether it stops at new pods that have all they need and do not become ready. */
export function isUnready({ waiting, failedCreate }: RolledOut): boolean {
  const isHeld = waiting.some(({ message, awaitsVolume }) => message !== '' || awaitsVolume);
  return waiting.length > 0 && !isHeld && failedCreate === '';
}

function revisionOf(top: TopController): number {
  const template = top.object.spec?.template;
  // The template of a Job cannot be changed.
  if (template === undefined || top.revisions === null || top instanceof JobController) return 0;
  return top.revisions.of(template).number;
}

function wantedOf(top: TopController): number {
  if (top instanceof DaemonSetController) return top.status?.desiredNumberScheduled ?? top.pods.size;
  if (top instanceof JobController) return top.wanted;
  return top.replicas;
}

/** Source: updateStatefulSet in pkg/controller/statefulset/stateful_set_control.go: it ends before it replaces any. */
function heldBy(top: TopController, pods: readonly FleetPod[], revision: number): string {
  if (!(top instanceof StatefulSetController) || top.object.spec?.podManagementPolicy === 'Parallel') return '';
  const [first] = pods.filter(({ isReady }) => !isReady).toSorted((a, b) => (a.ordinal ?? 0) - (b.ordinal ?? 0));
  return first === undefined || first.revision?.number === revision ? '' : first.simulated.info.name;
}

function partitionOf(top: TopController): number {
  return top instanceof StatefulSetController && strategyOf(top) === 'ordered'
    ? (top.object.spec?.updateStrategy?.rollingUpdate?.partition ?? 0)
    : 0;
}

function strategyOf(top: TopController): RolledOut['strategy'] {
  if (top instanceof DeploymentController) {
    return top.object.spec?.strategy?.type === 'Recreate' ? 'Recreate' : 'RollingUpdate';
  }
  if (top instanceof JobController) return 'job';
  if (top instanceof ReplicaSetController) return 'OnDelete';
  if (top.object.spec !== undefined && 'updateStrategy' in top.object.spec) {
    if (top.object.spec.updateStrategy.type === 'OnDelete') return 'OnDelete';
  }
  return top instanceof DaemonSetController ? 'nodes' : 'ordered';
}

/** The time of second 0: of the snapshot, or after all that its objects tell of. */
function startOf({ inventory, running }: SimulatedCluster): number {
  const taken = Date.parse(inventory.snapshot?.takenAt ?? '');
  if (!Number.isNaN(taken)) return taken;
  return Math.max(0, ...running.map(({ info }) => info.startedAt ?? 0)) + 60_000;
}
