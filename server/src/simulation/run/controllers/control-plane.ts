import { addTo } from '../../../util/maps.ts';
import { own } from '../../../util/own.ts';
import { expandWorkload } from '../../../kubernetes/workloads.ts';
import { completionIndexOf } from '../../../kubernetes/job-indexes.ts';
import { templateLike } from '../../../kubernetes/left-out.ts';
import { namespaceOf, nameOf, workloadKey } from '../../../kubernetes/names.ts';
import type {
  DaemonSet,
  Deployment,
  Job,
  KubeObject,
  Node,
  Origin,
  Pod,
  PodTemplateSpec,
  ReplicaSet,
  StatefulSet,
} from '../../../kubernetes/objects.ts';
import { podTemplateOf } from '../../../kubernetes/pod-template.ts';
import type { Inventory } from '../../cluster/inventory.ts';
import { isOfEarlierTemplate } from '../../cluster/owners.ts';
import type { PodFactory } from '../../cluster/pod-factory.ts';
import type { SimulatedPod } from '../../cluster/simulated-pod.ts';
import type { Run } from '../run.ts';
import { DaemonSetController } from './daemon-set.ts';
import { DeploymentController } from './deployment.ts';
import type { FleetEvent } from './fleet-event.ts';
import { deletionCostOf, Fleet, type Kubelet } from './fleet.ts';
import type { FleetPod, Owner } from './fleet-pod.ts';
import { JobController } from './job.ts';
import { ReplicaSetController } from './replica-set.ts';
import { type Revision, Revisions, withoutHash } from './revision.ts';
import { StatefulSetController } from './stateful-set.ts';

export type TopController =
  DeploymentController | ReplicaSetController | StatefulSetController | DaemonSetController | JobController;

export interface ControlPlaneParts {
  readonly run: Run;
  readonly factory: PodFactory;
  readonly inventory: Inventory;
  /** Index of a workload of the cluster by `workloadKey`. */
  readonly workloadOf: (key: string) => number;
  readonly kubelet: Kubelet;
  /** The time of second 0 of the run, in milliseconds since 1970. */
  readonly start: number;
  readonly onEvent: (event: FleetEvent) => void;
  readonly originOf?: (workload: number) => Origin | null;
  /** Feature gates of the controller manager that are on. */
  readonly gates?: ReadonlySet<string>;
}

/** The controllers of a cluster at work, each as the real one, around a run. */
export class ControlPlane {
  readonly fleet: Fleet;
  readonly tops = new Map<string, TopController>();
  readonly #parts: ControlPlaneParts;
  readonly #counts = new Map<string, number>();
  readonly #nodes = new Map<string, Node>();

  constructor(parts: ControlPlaneParts) {
    this.#parts = parts;
    const { inventory, run, factory, kubelet, onEvent } = parts;
    const claims = new Map(
      inventory.objects('PersistentVolumeClaim').map((claim) => [`${namespaceOf(claim)}/${nameOf(claim)}`, claim]),
    );
    this.fleet = new Fleet(run, factory, {
      kubelet,
      claims,
      budgets: inventory.objects('PodDisruptionBudget'),
      scaleOf: (pods) => this.#scaleOf(pods),
      originOf: parts.originOf,
      onEvent,
    });
    for (const node of inventory.objects('Node')) this.#nodes.set(nameOf(node), node);
  }

  /**
   * Controllers of what is there, with their pods. Nothing is looked at before something changes.
   * @param isThere false for a workload, by `workloadKey`, that comes later
   */
  adopt(
    pods: Iterable<SimulatedPod>,
    isReady: (pod: SimulatedPod) => boolean,
    isThere: (key: string) => boolean = () => true,
  ): void {
    const { inventory } = this.#parts;
    const sets = new Map<string, ReplicaSet[]>();
    const loose: ReplicaSet[] = [];
    for (const set of inventory.objects('ReplicaSet')) {
      const owner = controllerRef(set);
      if (owner?.kind === 'Deployment') addTo(sets, `${namespaceOf(set)}/${owner.name}`, set);
      else loose.push(set);
    }
    const workloads: readonly KubeObject[] = [
      ...inventory.objects('Deployment'),
      ...loose,
      ...inventory.objects('ReplicationController'),
      ...inventory.objects('StatefulSet'),
      ...inventory.objects('DaemonSet'),
      ...inventory.objects('Job'),
    ];
    for (const workload of workloads) {
      if (!isThere(keyOfWorkload(workload))) continue;
      if (workload.kind !== 'Deployment') this.#add(workload);
      else this.#adoptDeployment(workload, sets.get(`${namespaceOf(workload)}/${nameOf(workload)}`) ?? []);
    }
    for (const pod of pods) this.#adoptPod(pod, isReady(pod));
    for (const top of this.tops.values()) {
      const own = top instanceof DeploymentController ? top.sets : top instanceof ReplicaSetController ? [top] : [];
      for (const set of own) set.countUnwritten();
    }
    this.fleet.countBudgets();
  }

  /** A workload comes, with pods that its controller has made. */
  arrive(workload: KubeObject, pods: Iterable<SimulatedPod>): void {
    if (workload.kind === 'Deployment') this.#adoptDeployment(workload, []);
    else this.#add(workload);
    for (const pod of pods) this.#adoptPod(pod, false);
  }

  /** A workload is created, or has another version from now on. */
  put(object: KubeObject): void {
    const key = keyOfWorkload(object);
    const known = this.tops.get(key);
    if (known === undefined) {
      const made = this.#add(object);
      if (made !== undefined) this.fleet.queue.add(made);
      return;
    }
    if (known instanceof ReplicaSetController) {
      const set = object as ReplicaSet;
      known.object = set;
      known.revision = known.revisions!.of(set.spec?.template ?? noTemplate);
      known.minReadySeconds = set.spec?.minReadySeconds ?? 0;
      known.scale(set.spec?.replicas ?? 1);
    } else {
      known.object = object as never;
    }
    this.fleet.queue.add(known);
  }

  /** A workload is deleted, and its pods with it. */
  remove(key: string): void {
    const known = this.tops.get(key);
    this.tops.delete(key);
    if (known === undefined) return;
    const owners: readonly Owner[] = known instanceof DeploymentController ? known.sets : [known];
    for (const owner of owners) {
      owner.sync = () => undefined;
      for (const pod of owner.pods) this.fleet.delete(pod);
    }
    known.sync = () => undefined;
  }

  /** Nothing is made or deleted for a workload any more. */
  stop(key: string): void {
    const known = this.tops.get(key);
    if (known === undefined) return;
    const owners: readonly Owner[] = known instanceof DeploymentController ? [known, ...known.sets] : [known];
    for (const owner of owners) owner.sync = () => undefined;
  }

  /** The controller of a workload looks at its pods, though nobody has changed it. */
  look(key: string): void {
    const known = this.tops.get(key);
    if (known !== undefined) this.fleet.queue.add(known);
  }

  /** @param isNew Pods of DaemonSets are there before a new node is ready for others. */
  putNode(node: Node, isNew = false): void {
    this.#nodes.set(nameOf(node), node);
    this.#lookAtDaemonSets(isNew ? 0 : nodeLatency);
  }

  removeNode(name: string): void {
    this.#nodes.delete(name);
    this.#lookAtDaemonSets(nodeLatency);
  }

  #lookAtDaemonSets(latency: number): void {
    for (const top of this.tops.values()) if (top instanceof DaemonSetController) this.fleet.queue.add(top, latency);
  }

  /** The node that a pod waits for; empty for one that waits for none. */
  nominationOf({ simulated }: FleetPod): string {
    return this.#parts.run.cluster.state.pod(simulated.key)?.nominatedNodeName ?? '';
  }

  /** The workload that a user wrote: of a ReplicaSet of a Deployment, that one. */
  topOf(owner: Owner): TopController | undefined {
    for (const top of this.tops.values()) {
      if (top === owner || (top instanceof DeploymentController && (top.sets as readonly Owner[]).includes(owner))) {
        return top;
      }
    }
    return undefined;
  }

  numberOf(workload: number | string, revision: Revision | null): number {
    const key = `${workload}/${revision?.number ?? 0}`;
    const number = (this.#counts.get(key) ?? 0) + 1;
    this.#counts.set(key, number);
    return number;
  }

  #clockOf(time: string | undefined): number {
    const at = time === undefined ? NaN : Date.parse(time);
    return Number.isNaN(at) ? -3600 : (at - this.#parts.start) / 1000;
  }

  #add(object: KubeObject): TopController | undefined {
    switch (object.kind) {
      case 'Deployment':
        return this.#addDeployment(object);
      case 'ReplicaSet':
      case 'ReplicationController':
        return this.#adoptSet(object);
      case 'StatefulSet':
        return this.#addStatefulSet(object);
      case 'DaemonSet':
        return this.#addDaemonSet(object);
      case 'Job':
        return this.#addJob(object);
      default:
        return undefined;
    }
  }

  #addDeployment(deployment: Deployment): DeploymentController {
    const workload = this.#workloadOf(deployment);
    const made = new DeploymentController(this.fleet, deployment, {
      workload,
      revisions: new Revisions(),
      numberOf: (revision) => this.numberOf(workload, revision),
      clockOf: (time) => this.#clockOf(time),
    });
    this.#top(deployment, made);
    return made;
  }

  #adoptDeployment(deployment: Deployment, sets: readonly ReplicaSet[]): void {
    const made = this.#addDeployment(deployment);
    const { template } = deployment.spec ?? {};
    if (template === undefined) return;
    const ordered = sets.toSorted((a, b) => revisionOf(a) - revisionOf(b) || (nameOf(a) < nameOf(b) ? -1 : 1));
    for (const [index, set] of ordered.entries()) {
      const created = set.metadata?.creationTimestamp;
      const annotations = annotationsOf(set);
      made.adopt(
        new ReplicaSetController(this.fleet, {
          object: set,
          workload: made.workload,
          revision: made.revisions.of(withoutHash(this.#templateOf(set, deployment))),
          created: created === undefined ? index - 10_000 : this.#clockOf(created),
          // The controller writes on each how many pods it asks for: nothing tells of those that were placed here.
          annotations: { ...annotations, desired: annotations.desired ?? made.replicas },
          numberOf: (revision) => this.numberOf(made.workload, revision),
        }),
      );
    }
    if (ordered.length > 0) return;
    // Nothing tells of its ReplicaSet: it has one of its present template.
    const [set] = expandWorkload(deployment, { nodes: [], podLimit: 0 }).intermediates;
    if (set === undefined) return;
    made.adopt(
      new ReplicaSetController(this.fleet, {
        object: set as ReplicaSet,
        workload: made.workload,
        revision: made.revisions.of(template),
        created: -10_000,
        annotations: { revision: 1, desired: made.replicas, max: null },
        numberOf: (revision) => this.numberOf(made.workload, revision),
      }),
    );
  }

  /** Of a snapshot that leaves out what decides nothing: with that as it is written. */
  #templateOf(set: ReplicaSet, deployment: Deployment): PodTemplateSpec {
    const template = this.#parts.inventory.snapshot === null ? set.spec?.template : templateLike(set, deployment);
    return template ?? noTemplate;
  }

  #adoptSet(set: ReplicaSet): ReplicaSetController {
    const workload = this.#workloadOf(set);
    const revisions = new Revisions();
    const made = new ReplicaSetController(this.fleet, {
      object: set,
      workload,
      revision: revisions.of(set.spec?.template ?? noTemplate),
      created: this.#clockOf(set.metadata?.creationTimestamp),
      annotations: annotationsOf(set),
      numberOf: (revision) => this.numberOf(workload, revision),
    });
    made.revisions = revisions;
    this.#top(set, made);
    return made;
  }

  #addStatefulSet(set: StatefulSet): StatefulSetController {
    const workload = this.#workloadOf(set);
    const revisions = new Revisions();
    const made = new StatefulSetController(this.fleet, set, {
      workload,
      revisions,
      current: revisions.of(set.spec?.template ?? noTemplate),
      knowsMaxUnavailable: this.#parts.gates?.has('MaxUnavailableStatefulSet') ?? false,
      numberOf: (revision) => this.numberOf(workload, revision),
    });
    this.#top(set, made);
    return made;
  }

  #addDaemonSet(set: DaemonSet): DaemonSetController {
    const workload = this.#workloadOf(set);
    const revisions = new Revisions();
    revisions.of(set.spec?.template ?? noTemplate);
    const made = new DaemonSetController(this.fleet, set, {
      workload,
      revisions,
      nodes: () => [...this.#nodes.values()],
      numberOf: (revision) => this.numberOf(workload, revision),
    });
    this.#top(set, made);
    return made;
  }

  #addJob(job: Job): JobController {
    const workload = this.#workloadOf(job);
    const revisions = new Revisions();
    revisions.of(job.spec?.template ?? noTemplate);
    const made = new JobController(this.fleet, job, {
      workload,
      revisions,
      numberOf: (revision) => this.numberOf(workload, revision),
    });
    this.#top(job, made);
    return made;
  }

  #top(object: KubeObject, made: TopController): void {
    this.tops.set(keyOfWorkload(object), made);
  }

  #workloadOf(object: KubeObject): number {
    const owner = controllerRef(object);
    const own = keyOfWorkload(object);
    const index = this.#parts.workloadOf(own);
    return index >= 0 || owner === undefined
      ? index
      : this.#parts.workloadOf(workloadKey(owner.kind, namespaceOf(object), owner.name));
  }

  #adoptPod(simulated: SimulatedPod, isReady: boolean): void {
    const { pod } = simulated;
    const owner = this.#ownerOf(simulated);
    const { node, state } = this.#parts.run.place(simulated);
    const readyAt = pod.status?.conditions?.find(({ type }) => type === 'Ready')?.lastTransitionTime;
    const isOn = node !== null && state !== 'nominated';
    const revision = revisionOfPod(owner, pod);
    this.fleet.adopt({
      simulated,
      owner,
      revision,
      ordinal: owner?.kind === 'StatefulSet' ? ordinalOf(pod) : (completionIndexOf(pod) ?? null),
      n: this.numberOf(owner === null ? simulated.key : owner.workload, revision),
      created: this.#clockOf(pod.metadata?.creationTimestamp),
      node: isOn ? node : null,
      phase: isOn && pod.status?.phase !== 'Pending' ? 'Running' : 'Pending',
      isReady: isOn && isReady,
      readySince: isOn && isReady ? this.#clockOf(readyAt) : null,
      restarts: Math.max(0, ...(pod.status?.containerStatuses ?? []).map(({ restartCount }) => restartCount)),
      deletionCost: deletionCostOf(pod),
      isDeleting: state === 'terminating',
      isGone: false,
      isCounted: false,
      disruption: null,
      awaitsVolume: false,
      waiting: isOn ? null : waitingOf(pod),
      rejection: null,
      deleted: null,
      ended: null,
    });
  }

  #ownerOf({ pod, workload }: SimulatedPod): Owner | null {
    const reference = controllerRef(pod);
    if (reference === undefined) return null;
    const direct = this.tops.get(workloadKey(reference.kind, namespaceOf(pod), reference.name));
    if (direct !== undefined) return direct;
    // Most ReplicaSets are named after their Deployment.
    const likely = this.tops.get(workloadKey('Deployment', namespaceOf(pod), reference.name.replace(/-[^-]*$/, '')));
    const isOwn = (top: TopController | undefined): top is DeploymentController =>
      top instanceof DeploymentController && top.workload === workload;
    const own = isOwn(likely) ? likely : [...this.tops.values()].find(isOwn);
    return own?.sets.find(({ name }) => name === reference.name) ?? own?.newSet ?? null;
  }

  /** Source: getExpectedScale in pkg/controller/disruption/disruption.go */
  #scaleOf(pods: readonly FleetPod[]): number | null {
    const tops = new Set<TopController>();
    for (const { owner } of pods) {
      const top = [...this.tops.values()].find(
        (each) => each === owner || (each instanceof DeploymentController && each.sets.some((set) => set === owner)),
      );
      if (top instanceof DaemonSetController || top instanceof JobController) return null;
      if (top !== undefined) tops.add(top);
    }
    let sum = 0;
    for (const top of tops) {
      sum += (top as DeploymentController | StatefulSetController | ReplicaSetController).replicas;
    }
    return sum;
  }
}

/** The controller that evicts from a tainted node is faster than that of DaemonSets. In seconds. */
const nodeLatency = 0.03;

function keyOfWorkload(object: KubeObject): string {
  return workloadKey(object.kind ?? '', namespaceOf(object), nameOf(object));
}

const noTemplate: PodTemplateSpec = { spec: { containers: [] } };

function controllerRef({ metadata }: KubeObject): { readonly kind: string; readonly name: string } | undefined {
  const owners = metadata?.ownerReferences ?? [];
  return owners.find(({ controller }) => controller === true) ?? owners[0];
}

function revisionOf({ metadata }: ReplicaSet): number {
  return Number(metadata?.annotations?.['deployment.kubernetes.io/revision'] ?? 0);
}

function annotationsOf(set: ReplicaSet): ReplicaSetController['annotations'] {
  const numberAt = (name: string): number | null => {
    const text = own(set.metadata?.annotations, `deployment.kubernetes.io/${name}`);
    return text === undefined ? null : Number(text);
  };
  return { revision: revisionOf(set), desired: numberAt('desired-replicas'), max: numberAt('max-replicas') };
}

function revisionOfPod(owner: Owner | null, pod: Pod): Revision | null {
  if (owner instanceof ReplicaSetController) return owner.revision;
  if (owner instanceof StatefulSetController || owner instanceof DaemonSetController) {
    const hash = own(pod.metadata?.labels, 'controller-revision-hash');
    if (hash === undefined || !isOfEarlierTemplate(owner.object, pod)) return owner.revisions.all[0] ?? null;
    const earlier = owner.revisions.ofPod(hash, pod);
    if (owner instanceof StatefulSetController) owner.current = earlier;
    return earlier;
  }
  const template = podTemplateOf(pod);
  return owner === null && template !== undefined ? bareRevision(pod) : null;
}

export function bareRevision(pod: Pod): Revision {
  return { number: 1, template: { spec: pod.spec ?? { containers: [] } }, key: '' };
}

/** What the scheduler said of a pod that waits. */
function waitingOf({ status }: Pod): FleetPod['waiting'] {
  const said = status?.conditions?.find(({ type }) => type === 'PodScheduled');
  if (said?.status !== 'False') return null;
  return { reason: said.reason ?? '', message: said.message ?? '' };
}

function ordinalOf(pod: Pod): number | null {
  const text = /-(\d+)$/.exec(nameOf(pod))?.[1];
  return text === undefined ? null : Number(text);
}
