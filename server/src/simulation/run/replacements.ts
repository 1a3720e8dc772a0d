import { completionIndexOf } from '../../kubernetes/job-indexes.ts';
import { nameOf } from '../../kubernetes/names.ts';
import type { Pod } from '../../kubernetes/objects.ts';
import { getOrInsert } from '../../util/maps.ts';
import { omit } from '../../util/omit.ts';
import type { PodFactory } from '../cluster/pod-factory.ts';
import type { Controllers, DeletionTimes, Replacement } from './run.ts';
import type { SimulatedPod } from '../cluster/simulated-pod.ts';
import { awaitsEnd, JobFailures, jobIn, jobNameOf } from './job-failures.ts';
import type { Fleet } from './controllers/fleet.ts';
import { nodeOfDaemonPod, type SimulatedWorkload } from '../cluster/workload-set.ts';

const names = new WeakMap<readonly SimulatedWorkload[], ReadonlySet<string>>();

/** The names of the pods of workloads; runs of one cluster, and of clusters after operations, begin with the same. */
function namesOf(workloads: readonly SimulatedWorkload[]): ReadonlySet<string> {
  let known = names.get(workloads);
  if (known === undefined) {
    known = new Set(
      workloads.flatMap(({ existing, missing }) => [
        ...existing.map(({ object }) => nameOf(object)),
        ...missing.map(nameOf),
      ]),
    );
    names.set(workloads, known);
  }
  return known;
}

/** The controllers of the cluster, as far as they answer an eviction: with a new pod, which is admitted anew. */
export class ReplacingControllers implements Controllers {
  #workloads: readonly (SimulatedWorkload | undefined)[];
  #factory: PodFactory;
  readonly #first: readonly SimulatedWorkload[];
  /** Names of pods that came since, those that are gone too. */
  readonly #made = new Set<string>();
  /** By the beginning of a name: the lowest ordinal that may be free. Names are never given back. */
  readonly #ordinals = new Map<string, number>();
  /** By names that are taken, to which others are only added: the first pod that was drawn up, and how many have come. */
  readonly #looked = new WeakMap<ReadonlySet<string>, { readonly first: Pod | undefined; readonly upTo: number }>();
  readonly #replacements = new Map<SimulatedPod, SimulatedPod>();
  /** Replicas that a controller is still short of or has too many: those beyond `replicas` are not replaced. */
  readonly #surplus: number[];
  /** By workload, and of a CronJob by the name of the Job. */
  readonly #jobs = new Map<string, JobFailures>();
  #fleet: Fleet | undefined;

  constructor(workloads: readonly SimulatedWorkload[], factory: PodFactory) {
    this.#workloads = workloads;
    this.#factory = factory;
    this.#first = workloads;
    this.#surplus = workloads.map(({ existing, declared, replicas }) =>
      declared === undefined ? 0 : Math.max(0, existing.length - replicas),
    );
  }

  #isTaken(name: string): boolean {
    return this.#made.has(name) || namesOf(this.#first).has(name);
  }

  /** From here on; undefined for a workload that is no more. */
  change(workloads: readonly (SimulatedWorkload | undefined)[], factory: PodFactory): void {
    this.#workloads = workloads;
    this.#factory = factory;
  }

  /** So many running pods of a workload are not replaced when they end. */
  letGo(workload: number, amount: number): void {
    this.#surplus[workload] = (this.#surplus[workload] ?? 0) + amount;
  }

  /** More pods of a workload; `taken` are the names that its pods have, and may grow after that, but not shrink. */
  more(workload: number, amount: number, taken: ReadonlySet<string>): readonly SimulatedPod[] {
    const made = this.#workloads[workload];
    if (made === undefined) return [];
    const isNamed = made.kind === 'StatefulSet' || made.kind === 'Pod' || made.kind === 'DaemonSet';
    const free: Pod[] = [];
    const [first] = made.blueprint;
    const known = this.#looked.get(taken);
    let at = known !== undefined && known.first === first ? known.upTo : 0;
    for (; at < made.blueprint.length && free.length < amount; at++) {
      const draft = made.blueprint[at]!;
      if (!taken.has(nameOf(draft))) free.push(draft);
    }
    this.#looked.set(taken, { first, upTo: at });
    // Before others are thought of.
    for (const draft of free) this.#made.add(nameOf(draft));
    const drafts = isNamed
      ? free
      : Array.from({ length: amount }, (_, at) => free[at] ?? this.#rename(made.blueprint[0]!));
    const shape = {};
    return drafts.slice(0, amount).map((draft) => {
      const origin = made.declared?.origin ?? null;
      return this.#factory.create(draft, { workload, origin, shape: isNamed ? {} : shape });
    });
  }

  /** Pods that a controller makes of what it drew up; a name that is taken gives way to the next one. */
  make(workload: number, drafts: readonly Pod[]): readonly SimulatedPod[] {
    const origin = this.#workloads[workload]?.declared?.origin ?? null;
    const shape = {};
    return drafts.map((draft) => {
      const named = this.#isTaken(nameOf(draft)) ? this.#rename(draft) : draft;
      this.#made.add(nameOf(named));
      return this.#factory.create(named, { workload, origin, shape });
    });
  }

  /** Pods whose controllers are at work themselves. */
  leaveTo(fleet: Fleet): void {
    this.#fleet = fleet;
  }

  replacementOf(victim: SimulatedPod): SimulatedPod | undefined {
    return this.#replacements.get(victim) ?? this.#fleet?.replacementOf(victim);
  }

  remakesFailed(pod: SimulatedPod): boolean {
    return (this.#fleet?.pods.get(pod)?.owner ?? null) !== null;
  }

  replace(victim: SimulatedPod, { deleted, ended }: DeletionTimes): Replacement | 'end of the Job' | null {
    if (this.remakesFailed(victim)) return null;
    const workload = this.#workloads[victim.workload];
    if (workload === undefined || workload.kind === 'Pod') return null;
    const surplus = this.#surplus[victim.workload] ?? 0;
    if (surplus > 0) {
      this.#surplus[victim.workload] = surplus - 1;
      return null;
    }
    const job = this.#jobOf(victim, workload);
    const index = completionIndexOf(victim.pod);
    const isAwaited = awaitsEnd(job?.spec);
    const failed = { key: victim.key, index, isDisrupted: true, at: isAwaited ? ended : deleted };
    if (job !== undefined && job.count(failed) !== null) return 'end of the Job';
    if (job !== undefined && (job.hasEnded || job.hasFailed(index))) return null;
    const draft = draftFor(victim, workload);
    if (draft === undefined) return null;
    // Source: pkg/controller/statefulset (fixed names), pkg/controller/daemon (the old pod counts until it is gone).
    const when = workload.kind === 'StatefulSet' || workload.kind === 'DaemonSet' || isAwaited ? 'removal' : 'eviction';
    const named = workload.kind === 'StatefulSet' ? draft : this.#rename(draft, nameOf(victim.pod));
    const { workload: at, origin } = victim;
    const alike = workload.declared !== undefined && when === 'eviction';
    const pod = this.#factory.create(named, { workload: at, origin, shape: alike ? workload : {} });
    this.#replacements.set(victim, pod);
    return { pod, when, pausedUntil: () => job?.pausedUntil(index) ?? 0 };
  }

  #jobOf({ pod, workload }: SimulatedPod, { kind, declared }: SimulatedWorkload): JobFailures | undefined {
    if (kind !== 'Job' && kind !== 'CronJob') return undefined;
    const key = `${workload} ${jobNameOf(pod)}`;
    return getOrInsert(this.#jobs, key, () => new JobFailures(jobIn(declared?.object)));
  }

  /** The next name that nobody has: the controller would draw random letters. */
  #rename(pod: Pod, old = nameOf(pod)): Pod {
    const stem = old.includes('-') ? old.slice(0, old.lastIndexOf('-') + 1) : `${old}-`;
    let ordinal = this.#ordinals.get(stem) ?? 0;
    while (this.#isTaken(`${stem}${ordinal}`)) ordinal += 1;
    this.#ordinals.set(stem, ordinal + 1);
    const name = `${stem}${ordinal}`;
    this.#made.add(name);
    return { ...pod, metadata: { ...pod.metadata, name, uid: `Pod/${pod.metadata?.namespace ?? 'default'}/${name}` } };
  }
}

/** What the controller's template says, or the victim itself where no template is declared. */
function draftFor(victim: SimulatedPod, workload: SimulatedWorkload): Pod | undefined {
  if (workload.declared === undefined) return withoutHistory(victim.pod);
  switch (workload.kind) {
    case 'StatefulSet':
      return workload.blueprint.find((pod) => nameOf(pod) === nameOf(victim.pod));
    case 'DaemonSet':
      return workload.blueprint.find((pod) => nodeOfDaemonPod(pod) === nodeOfDaemonPod(victim.pod));
    // The Job that made it does not change with the CronJob.
    case 'CronJob':
      return withoutHistory(victim.pod);
    default: {
      const index = completionIndexOf(victim.pod);
      return workload.blueprint.find((pod) => index === undefined || completionIndexOf(pod) === index);
    }
  }
}

/** The pod as its controller makes it anew, or as it was before it was admitted and placed. */
export function withoutHistory(pod: Pod): Pod {
  const { spec } = pod;
  if (spec === undefined) return omit(pod, 'status');
  return {
    ...omit(pod, 'status'),
    metadata: {
      ...omit(pod.metadata ?? {}, 'creationTimestamp', 'deletionTimestamp', 'deletionGracePeriodSeconds'),
      ...ownersOf(pod),
    },
    // Containers for debugging are only ever added to a pod that runs.
    spec: omit(spec, 'nodeName', 'priority', 'preemptionPolicy', 'ephemeralContainers'),
  };
}

/** Whoever makes it writes their own UID, which a file may leave out. */
function ownersOf({ metadata }: Pod): Pick<NonNullable<Pod['metadata']>, 'ownerReferences'> {
  const owners = metadata?.ownerReferences;
  if (owners === undefined) return {};
  return {
    ownerReferences: owners.map((owner) => (hasUid(owner) ? owner : { ...owner, uid: `${owner.kind}/${owner.name}` })),
  };
}

function hasUid({ uid = '' }: { readonly uid?: string }): boolean {
  return uid !== '';
}
