import type { JsonObject } from '../../kubernetes/json.ts';
import { nameOf, namespaceOf } from '../../kubernetes/names.ts';
import type { PersistentVolumeClaim } from '../../kubernetes/objects.ts';
import { formatQuantity } from '../../kubernetes/quantity.ts';
import type { Release } from '../../kubernetes/release.ts';
import type { ControlPlane, TopController } from '../../simulation/run/controllers/control-plane.ts';
import { DaemonSetController } from '../../simulation/run/controllers/daemon-set.ts';
import { DeploymentController } from '../../simulation/run/controllers/deployment.ts';
import type { FleetEvent } from '../../simulation/run/controllers/fleet-event.ts';
import type { FleetPod, Owner } from '../../simulation/run/controllers/fleet-pod.ts';
import { JobController } from '../../simulation/run/controllers/job.ts';
import { ReplicaSetController } from '../../simulation/run/controllers/replica-set.ts';
import { StatefulSetController } from '../../simulation/run/controllers/stateful-set.ts';
import { getOrInsert } from '../../util/maps.ts';

/** What happened in a roll-out, and what is there in the end, in the form in which recordings have it. */
export class RolloutRecord {
  readonly #release: Release;
  readonly #plane: () => ControlPlane;
  readonly #events: JsonObject[] = [];
  readonly #peak = new Map<string, { mostPods: number; fewestReady: number }>();

  constructor(release: Release, plane: () => ControlPlane) {
    this.#release = release;
    this.#plane = plane;
  }

  workloadOf(owner: Owner | null, pod: FleetPod | null): string {
    if (owner === null) return pod?.simulated.info.name ?? '';
    const top = this.#plane().topOf(owner) ?? owner;
    if (top instanceof JobController && top.cron !== null) return `${top.cron.name}-<${top.cron.run}>`;
    return top.name;
  }

  /** When the last thing happened. */
  lastAt = 0;

  note({ clock, what, owner, pod, revision, from, to, node, reason, message, for: preemptor }: FleetEvent): void {
    this.lastAt = clock;
    this.#events.push({
      t: Math.floor(clock + 1e-6),
      ...this.#who(owner, pod, revision?.number),
      what,
      ...(from === undefined ? {} : { from }),
      ...(to === undefined ? {} : { to }),
      ...(node === undefined ? {} : { node }),
      ...(reason === undefined ? {} : { reason }),
      ...(message === undefined ? {} : { message: this.#named(message) }),
      ...(preemptor === undefined ? {} : { for: this.#who(preemptor.owner, preemptor, preemptor.revision?.number) }),
    });
  }

  /** How many pods a workload has, and how many of them are ready. */
  count(): void {
    const now = new Map<string, { pods: number; ready: number }>();
    for (const name of this.#peak.keys()) now.set(name, { pods: 0, ready: 0 });
    for (const pod of this.#plane().fleet.pods.values()) {
      if (pod.isGone && pod.phase !== 'Failed') continue;
      const name = this.workloadOf(pod.owner, pod);
      const counted = getOrInsert(now, name, () => ({ pods: 0, ready: 0 }));
      if (pod.isGone) continue;
      counted.pods += 1;
      if (pod.isReady && !pod.isDeleting) counted.ready += 1;
    }
    for (const [name, { pods, ready }] of now) {
      const peak = this.#peak.get(name);
      if (peak === undefined) {
        this.#peak.set(name, { mostPods: pods, fewestReady: ready });
        continue;
      }
      peak.mostPods = Math.max(peak.mostPods, pods);
      peak.fewestReady = Math.min(peak.fewestReady, ready);
    }
  }

  print(claims: readonly PersistentVolumeClaim[], schedules: readonly { readonly name: string }[]): JsonObject {
    const plane = this.#plane();
    const pods = [...plane.fleet.pods.values()].filter(({ isGone }) => !isGone).map((pod) => this.#pod(pod));
    const budgets = plane.fleet.budgets.map((budget) => {
      const counted = plane.fleet.budgetStatus(`${namespaceOf(budget)}/${nameOf(budget)}`)!;
      return { name: nameOf(budget), ...counted };
    });
    const quotas = [...plane.fleet.quotas.used()].map(([quota, used]) => ({
      name: nameOf(quota),
      used: Object.fromEntries([...used].map(([name, amount]) => [name, formatQuantity(amount)])),
    }));
    const printedClaims = claims.map((claim) => {
      const volume = claim.spec?.volumeName ?? '';
      return {
        name: nameOf(claim),
        phase: volume === '' ? 'Pending' : 'Bound',
        ...(volume === '' ? {} : { volume }),
      };
    });
    return {
      events: [...this.#events],
      final: {
        pods,
        workloads: [...schedules.map(({ name }) => ({ kind: 'CronJob', name, status: {} })), ...this.#workloads()],
        ...(budgets.length === 0 ? {} : { budgets }),
        ...(quotas.length === 0 ? {} : { quotas }),
        ...(claims.length === 0 ? {} : { claims: printedClaims }),
      },
      peak: Object.fromEntries(this.#peak),
    };
  }

  #who(owner: Owner | null, pod: FleetPod | null, revision: number | undefined): JsonObject {
    const top = owner === null ? undefined : this.#plane().topOf(owner);
    const isAlone = top instanceof ReplicaSetController;
    const hasRevision = owner !== null && !(top instanceof JobController);
    return {
      workload: this.workloadOf(owner, pod),
      ...(hasRevision && revision !== undefined && (pod !== null || !isAlone)
        ? { revision: isAlone ? 1 : revision }
        : {}),
      ...(top instanceof StatefulSetController && pod !== null ? { ordinal: pod.ordinal } : {}),
      ...(pod === null || owner === null ? {} : { n: pod.n }),
    };
  }

  #pod(pod: FleetPod): JsonObject {
    const { waiting, node } = pod;
    const nominated = this.#plane().nominationOf(pod);
    return {
      ...this.#who(pod.owner, pod, pod.revision?.number),
      ...(node === null ? {} : { node }),
      phase: pod.phase,
      ready: pod.isReady,
      ...(node !== null || waiting === null
        ? {}
        : { pendingReason: waiting.reason, message: this.#named(waiting.message) }),
      ...(node !== null || nominated === '' ? {} : { nominated }),
      ...(pod.rejection === null ? {} : { reason: pod.rejection.reason, message: pod.rejection.message }),
    };
  }

  /** In texts a name that was drawn by chance is that of its workload and revision. */
  #named(text: string): string {
    let named = text;
    for (const top of this.#plane().tops.values()) {
      if (top instanceof DeploymentController) {
        for (const set of top.sets) {
          const name = escaped(set.name);
          named = named.replace(
            new RegExp(`${name}(-[a-z0-9]+)?(?=["\\s])`, 'g'),
            `<${top.name}.${set.revision.number}>`,
          );
        }
      } else if (top instanceof StatefulSetController) {
        continue;
      } else {
        named = named.replace(new RegExp(`(["/])${escaped(top.name)}-[a-z0-9-]+`, 'g'), `$1<${top.name}>`);
      }
    }
    return named;
  }

  #workloads(): JsonObject[] {
    const printed: JsonObject[] = [];
    for (const top of this.#plane().tops.values()) {
      printed.push({ kind: top.kind, name: this.workloadOf(top, null), status: this.#statusOf(top) });
      if (!(top instanceof DeploymentController)) continue;
      for (const set of top.sets) {
        printed.push({
          kind: 'ReplicaSet',
          workload: top.name,
          revision: set.revision.number,
          replicas: set.replicas,
          deploymentRevision: String(set.annotations.revision),
          status: this.#statusOf(set),
        });
      }
    }
    return printed;
  }

  get #tellsTerminating(): boolean {
    return this.#release.minor !== '1.34';
  }

  #statusOf(top: TopController): JsonObject {
    if (top instanceof DeploymentController) {
      const { conditions, terminatingReplicas, ...numbers } = top.status;
      return {
        ...present(numbers),
        ...(this.#tellsTerminating ? { terminatingReplicas } : {}),
        conditions: byType(conditions).map(({ type, status, reason, message }) => ({
          type,
          status,
          reason,
          message: this.#named(message),
        })),
      };
    }
    if (top instanceof ReplicaSetController) {
      const { replicas, readyReplicas, availableReplicas, terminatingReplicas, failure } = top.status;
      const condition = { type: 'ReplicaFailure', status: 'True', reason: 'FailedCreate' };
      return {
        replicas,
        ...present({ fullyLabeledReplicas: replicas, readyReplicas, availableReplicas }),
        ...(this.#tellsTerminating ? { terminatingReplicas } : {}),
        ...(failure === null ? {} : { conditions: [{ ...condition, message: this.#named(failure) }] }),
      };
    }
    if (top instanceof StatefulSetController) {
      const { replicas, availableReplicas, ...numbers } = top.status;
      return {
        replicas,
        ...present(numbers),
        availableReplicas,
        currentRevision: top.current.number,
        updateRevision: top.update.number,
      };
    }
    if (top instanceof DaemonSetController) {
      const { updatedNumberScheduled, numberAvailable, numberUnavailable, ...numbers } = top.status!;
      return { ...numbers, ...present({ updatedNumberScheduled, numberAvailable, numberUnavailable }) };
    }
    const { active, ready, terminating } = top.status;
    return {
      ...present({ active, failed: top.failed }),
      ready,
      terminating,
      ...(top.conditions.length === 0
        ? {}
        : {
            conditions: byType(top.conditions).map((each) => ({ ...each, message: this.#named(each.message) })),
          }),
    };
  }
}

/** Numbers that are zero are not written. */
function present(numbers: Readonly<Record<string, number>>): Record<string, number> {
  return Object.fromEntries(Object.entries(numbers).filter(([, number]) => number !== 0));
}

/** Recordings have conditions in the order of their types. */
function byType<T extends { readonly type: string }>(conditions: readonly T[]): readonly T[] {
  return conditions.toSorted((a, b) => (a.type < b.type ? -1 : 1));
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
