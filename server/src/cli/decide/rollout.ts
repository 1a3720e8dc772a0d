import { applyOver } from '../../admission/request/update.ts';
import { reviewCreation } from '../../admission/request/create.ts';
import { isPodReady } from '../../disruption/pods.ts';
import { runToEnd } from '../../util/steps.ts';
import { decodeObject } from '../../kubernetes/decode/index.ts';
import { defaultNode } from '../../kubernetes/defaults/index.ts';
import type { JsonObject } from '../../kubernetes/json.ts';
import { nameOf, namespaceOf, workloadKey } from '../../kubernetes/names.ts';
import type { Job, KubeObject, Pod } from '../../kubernetes/objects.ts';
import { isWorkloadKind } from '../../kubernetes/pod-template.ts';
import type { Release } from '../../kubernetes/release.ts';
import { ControlPlane, bareRevision } from '../../simulation/run/controllers/control-plane.ts';
import type { FleetEvent } from '../../simulation/run/controllers/fleet-event.ts';
import type { Kubelet } from '../../simulation/run/controllers/fleet.ts';
import { JobController } from '../../simulation/run/controllers/job.ts';
import { CronJobController } from '../../simulation/run/controllers/cron-job.ts';
import { buildCluster } from '../../simulation/cluster/build-cluster.ts';
import type { SimulationInput } from '../../simulation/cluster/input.ts';
import { Inventory } from '../../simulation/cluster/inventory.ts';
import { PodFactory } from '../../simulation/cluster/pod-factory.ts';
import type { SimulatedCluster } from '../../simulation/cluster/simulated-cluster.ts';
import type { SimulatedPod } from '../../simulation/cluster/simulated-pod.ts';
import type { Run } from '../../simulation/run/run.ts';
import type { RunEvent } from '../../simulation/run/run-event.ts';
import { startRun } from '../../simulation/run/start-run.ts';
import { TaintEvictions } from '../../simulation/run/taint-evictions.ts';
import { objectAt, objectsAt, releaseAt, textAt } from './case-input.ts';
import { RolloutRecord } from './rollout-record.ts';

/** As the recorded scheduler was set up. */
const podMaxBackoffSeconds = 2;
/** Objects that do not say where they are were applied there. */
const namespace = 'shop';
/** How long the recorded roll-outs were watched that go on, in seconds, and how long nothing had to happen in the end. */
const quotaWatch = 100;
const cronWatch = 190;
const jobWatch = 14;
const usualWatch = 60;
const quietSeconds = 4;
/** In seconds. */
const taintLatency = 0.02;

/** Mode `rollout`: a change to workloads that run, rolled out by controllers, scheduler and kubelets. */
export function decideRollout(input: JsonObject): JsonObject {
  return { expected: new Rollout(input).play() };
}

class Rollout {
  readonly #input: JsonObject;
  readonly #release: Release;
  /** What is stored, by kind, namespace and name. */
  readonly #stored = new Map<string, KubeObject>();
  /** What was applied last. */
  readonly #applied = new Map<string, KubeObject>();
  readonly #cluster: SimulatedCluster;
  readonly #run: Run;
  readonly #plane: ControlPlane;
  readonly #record: RolloutRecord;
  readonly #refused: JsonObject[] = [];
  readonly #tries: JsonObject[] = [];
  readonly #taints: TaintEvictions;
  readonly #start: number;

  constructor(input: JsonObject) {
    this.#input = input;
    this.#release = releaseAt(input);
    for (const object of objectsAt(input, 'objects')) this.#keep(this.#applied, this.#decode(object));
    const before = objectsAt(input, 'before');
    for (const object of before.length > 0 ? before : objectsAt(input, 'objects')) {
      this.#keep(this.#stored, this.#decode(object));
    }
    const stored = [...this.#stored.values()];
    this.#start = startOf(stored);
    // Workloads that come later have their place from the start.
    const later = objectsAt(input, 'change')
      .flatMap((step) => objectsAt(step, 'apply'))
      .map((object) => this.#decode(object))
      .filter((object) => isLater(object) && !this.#stored.has(keyOf(object)));
    this.#cluster = runToEnd(buildCluster(this.#simulated([...stored, ...later])));
    const holder: { plane?: ControlPlane } = {};
    const { seed } = input;
    this.#run = runToEnd(
      startRun(
        this.#cluster,
        { replace: () => null, remakesFailed: () => true },
        typeof seed === 'number' ? { seed } : {},
        {
          podMaxBackoffSeconds,
          // What goes on for ever is looked at once it was watched for long enough.
          maxSeconds: this.#watched() + 2 * quotaWatch,
          graceOf: ({ pod }) => this.#kubelet.stopSeconds(pod),
          startTime: (clock) => this.#start + clock * 1000,
        },
      ),
    );
    const waiting = this.#cluster.arriving.flat().filter(({ pod }) => pod.metadata?.creationTimestamp !== undefined);
    const inventory = new Inventory(this.#simulated(stored));
    this.#record = new RolloutRecord(this.#release, () => holder.plane!);
    const places = new Map(
      this.#cluster.workloads.map(({ kind, namespace: of, name }, index) => [workloadKey(kind, of, name), index]),
    );
    this.#plane = new ControlPlane({
      run: this.#run,
      factory: this.#factoryOf(inventory),
      inventory,
      workloadOf: (key) => places.get(key) ?? -1,
      kubelet: this.#kubelet,
      start: this.#start,
      onEvent: (event: FleetEvent) => {
        this.#record.note(event);
      },
      gates: new Set(
        Object.entries(objectAt(input, 'gates') ?? {})
          .filter(([, on]) => on === true)
          .map(([gate]) => gate),
      ),
    });
    holder.plane = this.#plane;
    this.#plane.adopt([...this.#run.pods.present(), ...waiting], ({ pod }) => isPodReady(pod));
    for (const pod of waiting) this.#run.addArriving(pod);
    this.#plane.fleet.onChange = () => {
      this.#record.count();
    };
    this.#taints = new TaintEvictions(this.#run, this.#plane.fleet);
  }

  play(): JsonObject {
    runToEnd(this.#run.settle(() => undefined));
    this.#record.count();
    // Their times never end: nothing would settle before them.
    for (const object of this.#stored.values()) if (object.kind === 'CronJob') this.#putCronJob(object);
    for (const step of objectsAt(this.#input, 'change')) {
      this.#run.callAt(numberAt(step, 'at'), () => {
        this.#step(step);
      });
    }
    let printed: JsonObject | undefined;
    const look = (): void => {
      const until = this.#record.lastAt + quietSeconds;
      if (until <= this.#run.clock) printed = this.#print();
      else this.#run.callAt(until, look);
    };
    const watched = this.#watched();
    this.#run.callAt(watched, look);
    for (const events = this.#settle(); printed === undefined;) if (events.next().done === true) break;
    return {
      ...(printed ?? this.#print()),
      ...(this.#refused.length === 0 ? {} : { refused: this.#refused }),
      ...(this.#tries.length === 0 ? {} : { tries: this.#tries }),
      seconds: Math.ceil(this.#run.clock),
      quiet: true,
    };
  }

  #settle(): Generator<void, void> {
    return this.#run.settle((event) => {
      this.#plane.fleet.follow(event);
      if (event.kind === 'nominated' && this.#release.behaviours.preemptsTerminatingVictims) this.#preemptAgain(event);
      this.#taints.follow(event);
    });
  }

  /** Victims that were being deleted for another reason get the event, too: once each. */
  #preemptAgain({ clock, pod, node, decision }: RunEvent): void {
    const { pods } = this.#plane.fleet;
    const preemptor = pods.get(pod);
    const preemption = decision?.kind === 'unschedulable' ? decision.preemption : null;
    const keys = new Set(preemption?.candidates.get(node ?? '')?.victims);
    if (preemptor === undefined || keys.size === 0) return;
    for (const [simulated, victim] of pods) {
      if (!keys.has(simulated.info.key) || victim.disruption !== null) continue;
      victim.disruption = 'PreemptionByScheduler';
      const { owner, revision } = victim;
      this.#record.note({ clock, what: 'preempted', owner, pod: victim, revision, for: preemptor });
    }
  }

  #print(): JsonObject {
    const claims = [...this.#run.cluster.state.objects.persistentVolumeClaims.values()];
    return this.#record.print(claims, [...this.#cron.values()]);
  }

  /** Long enough for all but what goes on for ever: runs of a CronJob, and a controller that tries again ever later. */
  #watched(): number {
    const given = this.#input['seconds'];
    if (typeof given === 'number') return given;
    const kinds = new Set(objectsAt(this.#input, 'objects').map(({ kind }) => kind));
    const last = Math.max(0, ...objectsAt(this.#input, 'change').map((step) => numberAt(step, 'at')));
    if (kinds.has('CronJob')) return last + cronWatch;
    if (kinds.has('ResourceQuota')) return last + quotaWatch;
    return last + (kinds.has('Job') ? jobWatch : usualWatch);
  }

  #decode(value: JsonObject): KubeObject {
    const { object } = decodeObject(value, this.#release.types);
    const isOfCluster = clusterKinds.has(object.kind ?? '');
    if (isOfCluster || object.metadata?.namespace !== undefined) return object;
    return { ...object, metadata: { ...object.metadata, namespace } };
  }

  #keep(map: Map<string, KubeObject>, object: KubeObject): void {
    map.set(keyOf(object), object);
  }

  #simulated(objects: readonly KubeObject[]): SimulationInput {
    const { minor } = this.#release;
    return { workspace: [], snapshot: objects.map((object) => ({ object })), kubernetes: minor };
  }

  #factoryOf(inventory: Inventory): PodFactory {
    const { classes, creation, added } = inventory;
    const { state } = this.#run.cluster;
    return new PodFactory(
      { classes, creation, added, limitRanges: inventory.objects('LimitRange') },
      this.#cluster.workloads,
      (pod) => state.arriving(pod),
    );
  }

  readonly #kubelet: Kubelet = {
    startSeconds: () => this.#times.start,
    stopSeconds: (pod: Pod) => {
      const { stop } = this.#times;
      return Math.min(pod.spec?.terminationGracePeriodSeconds ?? 30, stop);
    },
    readyAfter: ({ pod }: SimulatedPod, node: string) => {
      const annotations = pod.metadata?.annotations ?? {};
      if (annotations['kubelet.test/crash'] !== undefined) return null;
      if (annotations['kubelet.test/not-ready-on'] === node) return null;
      const ready = annotations['kubelet.test/ready'];
      return ready === undefined ? 0 : ready === 'never' ? null : Number(ready);
    },
  };

  get #times(): { readonly start: number; readonly stop: number } {
    const kubelet = objectAt(this.#input, 'kubelet') ?? {};
    return { start: numberAt(kubelet, 'start', 1), stop: numberAt(kubelet, 'stop', 1) };
  }

  #step(step: JsonObject): void {
    for (const what of Array.isArray(step['delete']) ? step['delete'] : []) {
      if (typeof what === 'string') this.#delete(what);
    }
    for (const object of objectsAt(step, 'apply')) this.#apply(this.#decode(object), object);
    const lost = objectAt(step, 'deletePods');
    if (lost !== undefined) this.#lose(lost);
    for (const attempt of objectsAt(step, 'tries')) {
      const object = objectAt(attempt, 'apply');
      if (object === undefined) continue;
      const { answer } = this.#review(this.#decode(object), object);
      const { accepted, code = 0, reason, message } = answer;
      this.#tries.push({
        what: textAt(attempt, 'what') ?? '',
        accepted,
        code,
        ...(reason === undefined ? {} : { reason }),
        ...(message === undefined ? {} : { message }),
      });
    }
  }

  #review(object: KubeObject, written: JsonObject): Reviewed {
    const key = keyOf(object);
    const kept = this.#stored.get(key);
    const stored = kept === undefined ? undefined : this.#withStatus(key, kept);
    if (stored === undefined) {
      const state = {
        classes: [],
        quotas: [],
        limitRanges: [],
        runtimeClasses: new Map<string, never>(),
        storageClasses: [],
        missingNamespaces: new Set<string>(),
      };
      const answer = reviewCreation(written, state, this.#release);
      return { answer: isWorkloadKind(object.kind) ? answer : { accepted: true, code: 201 }, object };
    }
    const { object: next, refusal, isUnchanged } = applyOver(stored, object, this.#release, this.#applied.get(key));
    if (refusal !== undefined) return { answer: refusal, object: stored };
    return { answer: { accepted: true, code: 200 }, object: isUnchanged ? stored : next };
  }

  /** What may be changed of a Job rests on whether it was suspended and has never started since. */
  #withStatus(key: string, object: KubeObject): KubeObject {
    const top = this.#plane.tops.get(key);
    if (!(top instanceof JobController)) return object;
    const { status } = object as Job;
    return { ...object, status: { ...status, conditions: top.conditions, active: top.status.active } } as KubeObject;
  }

  #apply(object: KubeObject, written: JsonObject): void {
    const { answer, object: next } = this.#review(object, written);
    if (!answer.accepted) {
      const { code = 0, reason = '', message = '' } = answer;
      this.#refused.push({ kind: object.kind ?? '', name: nameOf(object), code, reason, message });
      return;
    }
    this.#keep(this.#applied, object);
    const isNew = !this.#stored.has(keyOf(object));
    this.#keep(this.#stored, next);
    this.#changed(next, isNew);
  }

  #delete(what: string): void {
    const [kind = '', name = ''] = what.split('/');
    const key = workloadKey(kind, clusterKinds.has(kind) ? '' : namespace, name);
    const object = this.#stored.get(key);
    this.#stored.delete(key);
    this.#applied.delete(key);
    if (object === undefined) return;
    if (kind === 'Node') {
      this.#plane.removeNode(name);
      this.#run.removeNode(name);
      return;
    }
    this.#plane.remove(workloadKey(kind, namespace, name));
    this.#admits();
  }

  #changed(object: KubeObject, isNew: boolean): void {
    const { kind } = object;
    if (kind === 'Node') {
      const node = defaultNode(object);
      this.#run.putNode(node);
      this.#plane.putNode(node);
      // The controller that evicts from it works after those of the workloads have looked.
      this.#run.callAt(this.#run.clock + taintLatency, () => {
        const here = [...this.#run.pods.present()].filter((pod) => this.#run.place(pod).node === nameOf(node));
        this.#taints.nodeChanged(nameOf(node), node.spec?.taints ?? [], here);
      });
    } else if (kind === 'Pod') {
      if (isNew) this.#arrive(object);
    } else if (kind === 'CronJob') {
      this.#putCronJob(object);
    } else if (kind === 'PodDisruptionBudget') {
      this.#run.putBudget(object);
    } else if (isWorkloadKind(kind)) {
      this.#plane.put(object);
    } else {
      this.#admits();
    }
  }

  /** What decides what becomes of new pods is another. */
  #admits(): void {
    const inventory = new Inventory(this.#simulated([...this.#stored.values()]));
    this.#plane.fleet.factory = this.#factoryOf(inventory);
    const pods = [...this.#run.pods.present()].map(({ pod }) => pod);
    this.#plane.fleet.quotas.change(inventory.objects('ResourceQuota'), pods);
  }

  #arrive(pod: Pod): void {
    const workload = this.#cluster.workloads.findIndex(
      ({ kind, name, namespace: of }) => kind === 'Pod' && name === nameOf(pod) && of === namespaceOf(pod),
    );
    const simulated = this.#plane.fleet.factory.create(pod, { workload, origin: null, shape: {} });
    this.#plane.fleet.arrive(simulated, bareRevision(pod));
  }

  #putCronJob(object: KubeObject): void {
    const key = keyOf(object);
    const known = this.#cron.get(key);
    if (known !== undefined) {
      known.change(object);
      return;
    }
    const made = new CronJobController(this.#plane, object, this.#start);
    this.#cron.set(key, made);
    made.begin();
  }

  readonly #cron = new Map<string, CronJobController>();

  /** Pods that somebody deletes by hand: of a workload, of one name, or on one node. */
  #lose(lost: JsonObject): void {
    const [workload, name, node] = ['workload', 'name', 'node'].map((key) => textAt(lost, key));
    const count = numberAt(lost, 'count', Infinity);
    const meant = [...this.#plane.fleet.pods.values()].filter(
      (pod) =>
        !pod.isGone &&
        !pod.isDeleting &&
        this.#record.workloadOf(pod.owner, pod) === workload &&
        (name === undefined || pod.simulated.info.name === name) &&
        (node === undefined || pod.node === node),
    );
    for (const pod of meant.slice(0, count)) this.#plane.fleet.delete(pod);
  }
}

interface Reviewed {
  readonly answer: {
    readonly accepted: boolean;
    readonly code?: number;
    readonly reason?: string;
    readonly message?: string;
  };
  readonly object: KubeObject;
}

const clusterKinds: ReadonlySet<string> = new Set([
  'Node',
  'PriorityClass',
  'PersistentVolume',
  'StorageClass',
  'Namespace',
  'RuntimeClass',
  'CSINode',
  'CSIDriver',
]);

function keyOf(object: KubeObject): string {
  const { kind = '' } = object;
  return workloadKey(kind, clusterKinds.has(kind) ? '' : namespaceOf(object), nameOf(object));
}

function isLater({ kind = '' }: KubeObject): boolean {
  return isWorkloadKind(kind) || kind === 'PersistentVolumeClaim' || kind === 'PersistentVolume';
}

/** A moment after the last thing that the objects tell of. */
function startOf(objects: readonly KubeObject[]): number {
  const times = [...JSON.stringify(objects).matchAll(/"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ)"/g)].map(([, time]) =>
    Date.parse(time!),
  );
  return Math.max(0, ...times) + 2000;
}

function numberAt(input: JsonObject, key: string, otherwise = 0): number {
  const value = Object.hasOwn(input, key) ? input[key] : undefined;
  return typeof value === 'number' ? value : otherwise;
}
