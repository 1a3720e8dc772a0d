import { getOrInsert } from '../../../util/maps.ts';
import { say, sayUnstopped } from '../../../util/say.ts';
import { budgetArithmetic, allowedDisruptions } from '../../../disruption/budget-status.ts';
import { compileLabelSelector } from '../../../kubernetes/labels.ts';
import { namespaceOf } from '../../../kubernetes/names.ts';
import type { Origin, PersistentVolumeClaim, Pod, PodDisruptionBudget } from '../../../kubernetes/objects.ts';
import type { PodFactory } from '../../cluster/pod-factory.ts';
import type { SimulatedPod } from '../../cluster/simulated-pod.ts';
import type { Controllers, Run } from '../run.ts';
import type { RunEvent } from '../run-event.ts';
import { messageOf } from '../run-event.ts';
import { firstJobPause } from '../job-failures.ts';
import type { FleetPod, Owner } from './fleet-pod.ts';
import { isActive } from './fleet-pod.ts';
import type { FleetEvent } from './fleet-event.ts';
import { LostPods } from './lost-pods.ts';
import { ControllerQueue } from './controller-queue.ts';
import { VolumeAttachments } from './volume-attachments.ts';
import type { Quotas } from '../../cluster/quotas.ts';
import type { Revision } from './revision.ts';

/** What kubelets do with pods; nobody knows how long containers really take. */
export interface Kubelet {
  /** From the binding of a pod until it runs, in seconds. */
  startSeconds(): number;
  /** From the deletion of a pod until it is gone. */
  stopSeconds(pod: Pod): number;
  /** How long a pod runs before it is ready; null for one that never is. */
  readyAfter(pod: SimulatedPod, node: string): number | null;
}

/** From the end of its containers until a pod that was deleted is gone: the scheduler takes its room for free before. */
const removalSeconds = 0.02;
/** A pod is bound by a request of its own, after whoever made it has written its status. Source: bindingCycle in schedule_one.go */
const bindingSeconds = 0.006;
/** Kubelets start one pod after the other, so that pods of one moment are ready one after the other. */
const startSpread = 0.015;
/** Each pod of a DaemonSet has a kubelet of its own: those that are deleted at one moment do not end at one. */
const daemonStopSpread = 0.004;

/** Pods of one template that kubelets refuse, of which the last is taken to wait: in a cluster there is no end of them. */
const mostRejections = 3;
/** Of a Job, whose own limit may be any. */
const mostFailures = 10;

export interface FleetParts {
  readonly kubelet: Kubelet;
  readonly claims: ReadonlyMap<string, PersistentVolumeClaim>;
  readonly budgets: readonly PodDisruptionBudget[];
  /** How many pods the controllers behind some pods want, for the budgets over these; null where one has no scale. */
  readonly scaleOf: (pods: readonly FleetPod[]) => number | null;
  readonly onEvent: (event: FleetEvent) => void;
  /** Where a workload is written. */
  readonly originOf?: ((workload: number) => Origin | null) | undefined;
}

/**
 * The pods of a cluster in motion, with what their kubelets make of them, around a `Run`, in which the scheduler works.
 * Controllers (`Owner`) make and delete pods through it and are called when theirs change.
 */
export class Fleet implements Controllers {
  readonly pods = new Map<SimulatedPod, FleetPod>();
  readonly queue: ControllerQueue;
  readonly #run: Run;
  readonly #parts: FleetParts;
  /** Of 16 that start at once each at its time. */
  #started = 0;
  #stopped = 0;
  readonly #reported = new Map<Owner, Set<string>>();
  readonly #attachments: VolumeAttachments;
  /** How many pods of a revision kubelets have refused. */
  readonly #rejections = new Map<Owner, Map<number, number>>();
  readonly #lost = new LostPods();
  /** `namespace/name` of all that there are and were. */
  readonly #keys = new Set<string>();
  factory: PodFactory;
  /** What decides when the number of pods is looked at. */
  onChange: (pod: FleetPod) => void = () => undefined;

  constructor(run: Run, factory: PodFactory, parts: FleetParts) {
    this.#run = run;
    this.factory = factory;
    this.#parts = parts;
    this.#attachments = new VolumeAttachments(parts.claims);
    this.queue = new ControllerQueue(run);
  }

  get now(): number {
    return this.#run.clock;
  }

  get quotas(): Quotas {
    return this.#run.quotas;
  }

  get budgets(): readonly PodDisruptionBudget[] {
    return this.#parts.budgets;
  }

  remakesFailed(): boolean {
    return true;
  }

  /** Its owners replace pods themselves. */
  replace(): null {
    return null;
  }

  /** The pod that its controller made for another, as far as one can be told from the others. */
  replacementOf(victim: SimulatedPod): SimulatedPod | undefined {
    return this.#lost.replacementOf(victim);
  }

  /** A pod that is there before anything happens. */
  adopt(pod: FleetPod): void {
    this.#enter(pod);
    pod.owner?.pods.add(pod);
    if (pod.node !== null) this.#attachments.attach(pod);
  }

  callAt(at: number, act: () => void): void {
    this.#run.callAt(at, act);
  }

  onEvent(event: Omit<FleetEvent, 'clock'>): void {
    this.#parts.onEvent({ clock: this.now, ...event });
  }

  /** An event of a controller, each text once. */
  tellOnce(event: Omit<FleetEvent, 'clock'> & { readonly owner: Owner; readonly message: string }): void {
    const seen = getOrInsert(this.#reported, event.owner, () => new Set());
    // How much is used goes up and down while pods come and go.
    const text = event.message.replace(/used: [^ ]*/g, '');
    if (seen.has(text)) return;
    seen.add(text);
    this.onEvent(event);
  }

  /**
   * Asks the API server for a pod.
   * @returns what it refuses it with, or the pod
   */
  create(
    draft: Pod,
    of: { readonly owner: Owner; readonly revision: Revision; readonly ordinal?: number; readonly n: number },
  ): FleetPod | string {
    const { owner, revision, n } = of;
    const origin = this.#parts.originOf?.(owner.workload) ?? null;
    const simulated = this.factory.create(draft, { workload: owner.workload, origin, shape: {} });
    const refusal = this.#run.admission.admit(simulated);
    if (refusal !== null) return refusal;
    const pod: FleetPod = {
      simulated,
      owner,
      revision,
      ordinal: of.ordinal ?? null,
      n,
      created: this.now,
      ...fresh,
      deletionCost: deletionCostOf(simulated.pod),
    };
    this.#enter(pod);
    owner.pods.add(pod);
    this.queue.hasMade(owner);
    this.#lost.replace(owner, pod);
    this.#tellOf(pod, { what: 'created' });
    this.onChange(pod);
    this.#run.addArriving(simulated);
    return pod;
  }

  /**
   * Whether a pod has or had this name: names of the API server end in five letters by chance, and hardly come again.
   * @param key `namespace/name`
   */
  hasNamed(key: string): boolean {
    return this.#keys.has(key) || this.#run.cluster.state.pod(key) !== undefined;
  }

  createClaims(claims: readonly PersistentVolumeClaim[]): void {
    this.#run.admission.createClaims(claims);
  }

  /** A pod that somebody creates by hand; what the API server refuses it with, if it does. */
  arrive(simulated: SimulatedPod, revision: Revision): FleetPod | string {
    const refusal = this.#run.admission.admit(simulated);
    if (refusal !== null) return refusal;
    const of = { simulated, owner: null, revision, ordinal: null, n: 1, created: this.now };
    const pod: FleetPod = { ...of, ...fresh, deletionCost: deletionCostOf(simulated.pod) };
    this.#enter(pod);
    this.#tellOf(pod, { what: 'created' });
    this.onChange(pod);
    this.#run.addArriving(simulated);
    return pod;
  }

  #enter(pod: FleetPod): void {
    this.pods.set(pod.simulated, pod);
    this.#keys.add(pod.simulated.key);
  }

  /** A controller, or somebody by hand, deletes a pod. */
  delete(pod: FleetPod): void {
    if (pod.isDeleting || pod.isGone) return;
    pod.isDeleting = true;
    pod.deleted = this.now;
    this.#tellOf(pod, { what: 'deleting' });
    const grace = this.#parts.kubelet.stopSeconds(pod.simulated.pod);
    if (pod.owner?.kind === 'DaemonSet' && grace > 0) this.#stopped = (this.#stopped + 1) % 16;
    const spread = pod.owner?.kind === 'DaemonSet' && grace > 0 ? this.#stopped * daemonStopSpread : 0;
    this.#run.delete(pod.simulated, grace + spread);
    this.onChange(pod);
    this.#changed(pod);
  }

  /** What comes of an event of the run. */
  follow(event: RunEvent): void {
    switch (event.kind) {
      case 'scheduled':
        this.#bound(this.pods.get(event.pod), event.node ?? '');
        return;
      case 'nominated': {
        const preemptor = this.pods.get(event.pod);
        if (preemptor !== undefined) this.#tellOf(preemptor, { what: 'nominated', node: event.node ?? '' });
        if (preemptor !== undefined) this.#wait(preemptor, 'Unschedulable', messageOf(event));
        for (const victim of event.victims) this.#preempted(this.pods.get(victim), preemptor);
        return;
      }
      case 'pending':
      case 'gated': {
        const pod = this.pods.get(event.pod);
        if (pod !== undefined) {
          if (event.kind === 'gated') this.#wait(pod, 'SchedulingGated', gatedText);
          else this.#wait(pod, 'Unschedulable', messageOf(event));
        }
        return;
      }
      case 'deleted': {
        const pod = this.pods.get(event.pod);
        if (pod !== undefined && !pod.isDeleting) {
          // Nobody here did: it is the controller that evicts from tainted nodes.
          pod.isDeleting = true;
          pod.deleted = this.now;
          this.#disrupted(pod, 'DeletionByTaintManager');
          this.#tellOf(pod, { what: 'deleting' });
          this.onChange(pod);
          this.#changed(pod);
        }
        return;
      }
      case 'gone':
        for (const each of event.changed) {
          const pod = this.pods.get(each);
          if (pod === undefined || pod.isGone) continue;
          const isGone = this.#run.place(each).state === 'evicted';
          if (!isGone && !pod.isDeleting) continue;
          if (isGone && pod.node === null) this.#gone(pod);
          else this.#ended(pod);
          const isTracked = pod.disruption !== null && pod.owner?.kind === 'Job' && !pod.isCounted;
          if (isGone && !isTracked) this.#remove(pod);
        }
        return;
      case 'rejected': {
        const pod = this.pods.get(event.pod);
        if (pod === undefined) return;
        if (pod.node === null && pod.simulated.info.nodeName === '') {
          // By the API server: there is no such pod, and none that has failed.
          pod.isGone = true;
          this.#changed(pod);
          return;
        }
        const said = messageOf(event);
        const reason = said.slice(0, Math.max(0, said.indexOf(':')));
        if (this.#isRejectedAgain(pod)) {
          this.#wait(pod, reason, say`${sayUnstopped(said)}; each new pod is refused so, and recreated without end`);
          return;
        }
        pod.phase = 'Failed';
        pod.ended = this.now;
        pod.node = pod.simulated.info.nodeName;
        pod.rejection = { reason, message: said };
        this.#tellOf(pod, { what: 'failed' });
        this.#changed(pod);
        return;
      }
      default:
    }
  }

  /** Whether controllers have made pods of one template so often, each for a kubelet to refuse it: they go on for ever. */
  #isRejectedAgain({ owner, revision }: FleetPod): boolean {
    if (owner === null) return false;
    const rejections = this.#rejections.get(owner) ?? new Map<number, number>();
    const count = (rejections.get(revision?.number ?? 0) ?? 0) + 1;
    this.#rejections.set(owner, rejections.set(revision?.number ?? 0, count));
    return count > (owner.kind === 'Job' ? mostFailures : mostRejections);
  }

  /** Its Job has counted it, and keeps it no more (finalizer batch.kubernetes.io/job-tracking). */
  untrack(pod: FleetPod): void {
    if (pod.isCounted) return;
    const hasEnded = pod.phase === 'Failed';
    pod.isCounted = hasEnded || !this.#keepsFailed;
    if (hasEnded) this.#remove(pod);
  }

  get #keepsFailed(): boolean {
    return this.#run.cluster.state.release.behaviours.jobsKeepFailedPods;
  }

  #remove(pod: FleetPod): void {
    this.#run.callAt(this.now + removalSeconds, () => {
      this.#gone(pod);
    });
  }

  /** Its kubelet does not answer any more. Source: pkg/controller/util/node (MarkPodsNotReady) */
  loseNode(node: string): void {
    for (const pod of this.pods.values()) {
      if (pod.node !== node || !pod.isReady || pod.isGone) continue;
      pod.isReady = false;
      pod.readySince = null;
      this.#tellOf(pod, { what: 'notReady' });
      this.onChange(pod);
      this.#changed(pod);
    }
    this.countBudgets();
  }

  /** The disruption controller counts which pods are ready. */
  countBudgets(): void {
    const { state } = this.#run.cluster;
    for (const [index, { key }] of state.budgets.budgets.entries()) {
      const counted = this.budgetStatus(key);
      if (counted !== null) state.setDisruptionsAllowed(index, counted.disruptionsAllowed);
    }
  }

  /** @param key `namespace/name` */
  budgetStatus(key: string): BudgetCount | null {
    const budget = this.#parts.budgets.find((each) => `${namespaceOf(each)}/${each.metadata?.name ?? ''}` === key);
    if (budget === undefined) return null;
    const selector = compileLabelSelector(budget.spec?.selector);
    const selected = [...this.pods.values()].filter(
      ({ simulated, isGone }) =>
        !isGone &&
        namespaceOf(simulated.pod) === namespaceOf(budget) &&
        selector.matches(simulated.pod.metadata?.labels),
    );
    const scale = this.#parts.scaleOf(selected);
    const arithmetic = budgetArithmetic(budget.spec, scale ?? 0, selected.length);
    if (scale === null || 'failure' in arithmetic) {
      return { currentHealthy: 0, desiredHealthy: 0, disruptionsAllowed: 0, expectedPods: 0 };
    }
    const currentHealthy = selected.filter((pod) => pod.isReady && !pod.isDeleting).length;
    return { ...arithmetic, currentHealthy, disruptionsAllowed: allowedDisruptions(arithmetic, currentHealthy) };
  }

  #tellOf(pod: FleetPod, event: Omit<FleetEvent, 'clock' | 'owner' | 'pod' | 'revision'>): void {
    this.onEvent({ ...event, owner: pod.owner, pod, revision: pod.revision });
  }

  #bound(pod: FleetPod | undefined, node: string): void {
    if (pod === undefined) return;
    pod.node = node;
    pod.waiting = null;
    this.#tellOf(pod, { what: 'bound', node });
    this.#attachments.attach(pod);
    this.#run.callAt(this.now + bindingSeconds, () => {
      this.#changed(pod);
    });
    this.#start(pod);
  }

  /** A pod whose volume is attached to another node waits for that. */
  #start(pod: FleetPod): void {
    if (this.#attachments.isElsewhere(pod)) {
      if (!pod.awaitsVolume) this.#tellOf(pod, { what: 'multiAttach' });
      pod.awaitsVolume = true;
      return;
    }
    pod.awaitsVolume = false;
    const { kubelet } = this.#parts;
    this.#started = (this.#started + 1) % 16;
    this.#run.callAt(this.now + kubelet.startSeconds() + this.#started * startSpread, () => {
      if (pod.isGone || pod.isDeleting || pod.phase !== 'Pending') return;
      pod.phase = 'Running';
      const after = kubelet.readyAfter(pod.simulated, pod.node ?? '');
      if (after === 0) {
        this.#ready(pod);
      } else if (after !== null) {
        this.#run.callAt(this.now + after, () => {
          this.#ready(pod);
        });
      }
      this.#changed(pod);
    });
  }

  #ready(pod: FleetPod): void {
    if (pod.isGone || pod.isDeleting || pod.phase !== 'Running' || pod.isReady) return;
    pod.isReady = true;
    pod.readySince = this.now;
    this.#tellOf(pod, { what: 'ready' });
    this.onChange(pod);
    this.countBudgets();
    this.#changed(pod);
  }

  #wait(pod: FleetPod, reason: string, message: string): void {
    const before = pod.waiting?.message;
    pod.waiting = { reason, message };
    if (before !== message) this.#tellOf(pod, { what: 'pending', reason, message });
  }

  #preempted(victim: FleetPod | undefined, preemptor: FleetPod | undefined): void {
    if (victim === undefined) return;
    victim.isDeleting = true;
    victim.deleted = this.now;
    victim.disruption = 'PreemptionByScheduler';
    this.#lost.add(victim);
    this.#tellOf(victim, { what: 'preempted', ...(preemptor === undefined ? {} : { for: preemptor }) });
    this.#tellOf(victim, { what: 'deleting' });
    this.countBudgets();
    this.onChange(victim);
    this.#changed(victim);
  }

  #disrupted(pod: FleetPod, reason: string): void {
    pod.disruption = reason;
    this.#lost.add(pod);
    this.#tellOf(pod, { what: 'disruption', reason });
  }

  /** Its containers have. With a finalizer the pod stays. */
  #ended(pod: FleetPod): void {
    if (pod.phase === 'Failed') return;
    pod.isReady = false;
    pod.phase = 'Failed';
    pod.ended = this.now;
    this.#run.admission.release(pod.simulated);
    if (pod.node !== null) this.#tellOf(pod, { what: 'failed' });
    if (pod.owner?.kind === 'Job' && pod.disruption !== null && this.#keepsFailed) {
      this.queue.add(pod.owner, firstJobPause);
    } else {
      this.#changed(pod);
    }
  }

  #gone(pod: FleetPod): void {
    if (pod.isGone) return;
    this.#ended(pod);
    pod.isGone = true;
    this.#tellOf(pod, { what: 'gone' });
    for (const other of this.#attachments.detach(pod)) this.#start(other);
    this.onChange(pod);
    this.#changed(pod);
    this.countBudgets();
  }

  #changed({ owner }: FleetPod): void {
    if (owner !== null) this.queue.addChanged(owner);
  }
}

export interface BudgetCount {
  readonly currentHealthy: number;
  readonly desiredHealthy: number;
  readonly disruptionsAllowed: number;
  readonly expectedPods: number;
}

/** Source: applySchedulingGatedCondition in pkg/registry/core/pod/strategy.go */
const gatedText = 'Scheduling is blocked due to non-empty scheduling gates';

const fresh = {
  node: null,
  phase: 'Pending',
  isReady: false,
  readySince: null,
  restarts: 0,
  isDeleting: false,
  isGone: false,
  isCounted: false,
  disruption: null,
  awaitsVolume: false,
  waiting: null,
  rejection: null,
  deleted: null,
  ended: null,
} as const;

/** Source: GetDeletionCostFromPodAnnotations in pkg/apis/core/helper/helpers.go */
export function deletionCostOf({ metadata }: Pod): number {
  const cost = Number(metadata?.annotations?.['controller.kubernetes.io/pod-deletion-cost'] ?? 0);
  return Number.isInteger(cost) ? cost : 0;
}

export function activeOf(owner: Owner): readonly FleetPod[] {
  return [...owner.pods].filter(isActive);
}
