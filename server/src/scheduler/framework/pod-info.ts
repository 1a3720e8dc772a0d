import { type HostPort, hostPortsOf } from './host-ports.ts';
import { nameOf, namespaceOf } from '../../kubernetes/names.ts';
import type { Pod } from '../../kubernetes/objects.ts';
import type { Release } from '../../kubernetes/release.ts';
import type { PodKey } from '../decision.ts';
import type { PodClass, PodClassRegistry } from './pod-class.ts';
import { type PodRequests, PodRequestsCache } from './pod-requests.ts';

/** A port of the node that a pod takes. Source: pkg/scheduler/framework/types.go (HostPortInfo) */
/** A pod with everything that is read again and again worked out once. Immutable: an update makes a new one. */
export interface PodInfo extends PodRequests {
  readonly pod: Pod;
  readonly key: PodKey;
  readonly namespace: string;
  readonly name: string;
  /** Never empty: made up from the key where the manifest has none. */
  readonly uid: string;
  readonly priority: number;
  readonly schedulerName: string;
  /** `spec.nodeName`; empty when pending. */
  readonly nodeName: string;
  /** `status.nominatedNodeName`; empty when it has none. */
  readonly nominatedNodeName: string;
  /** Milliseconds since 1970, 0 when absent (Go's zero time comes before all others). */
  readonly createdAt: number;
  /** Milliseconds since 1970; null when the pod has not started, which counts as "now". */
  readonly startedAt: number | null;
  readonly terminating: boolean;
  /** Terminating because the scheduler preempted it. */
  readonly preempted: boolean;
  readonly gates: readonly string[];
  readonly class: PodClass;
  readonly hostPorts: readonly HostPort[];
}

/** The pod with some of it changed. */
export function changedPod(pod: PodInfo, changes: Partial<PodInfo>): PodInfo {
  return { ...pod, ...changes };
}

const noGates: readonly string[] = [];

/** Makes pod infos; remembers classes and request sums, which replicas share. */
export class PodInfoFactory {
  readonly #classes: PodClassRegistry;
  readonly #requests: PodRequestsCache;

  constructor(classes: PodClassRegistry, release: Release) {
    this.#classes = classes;
    this.#requests = new PodRequestsCache(release);
  }

  /** `pod` with its requests and ports defaulted. */
  infoOf(pod: Pod): PodInfo {
    const metadata = pod.metadata;
    const namespace = namespaceOf(pod);
    const name = nameOf(pod);
    const key = `${namespace}/${name}`;
    const { requests, nonZero, exact } = this.#requests.requestsOf(pod);
    const gates = pod.spec?.schedulingGates;
    const schedulerName = pod.spec?.schedulerName;
    return {
      pod,
      key,
      namespace,
      name,
      uid: metadata?.uid === undefined || metadata.uid === '' ? key : metadata.uid,
      priority: pod.spec?.priority ?? 0,
      schedulerName: schedulerName === undefined || schedulerName === '' ? 'default-scheduler' : schedulerName,
      nodeName: pod.spec?.nodeName ?? '',
      nominatedNodeName: pod.status?.nominatedNodeName ?? '',
      createdAt: timeOf(metadata?.creationTimestamp) ?? 0,
      startedAt: timeOf(pod.status?.startTime),
      terminating: metadata?.deletionTimestamp !== undefined,
      preempted: isPreempted(pod),
      gates: gates === undefined || gates.length === 0 ? noGates : gates.map((gate) => gate.name),
      class: this.#classes.classOf(pod, namespace),
      hostPorts: hostPortsOf(pod),
      requests,
      nonZero,
      exact,
    };
  }
}

function timeOf(text: string | undefined): number | null {
  if (text === undefined) return null;
  const time = Date.parse(text);
  return Number.isNaN(time) ? null : time;
}

/** Source: pkg/scheduler/framework/plugins/defaultpreemption/default_preemption.go (podTerminatingByPreemption) */
function isPreempted(pod: Pod): boolean {
  if (pod.metadata?.deletionTimestamp === undefined) return false;
  const condition = pod.status?.conditions?.find((each) => each.type === 'DisruptionTarget');
  return condition?.status === 'True' && condition.reason === 'PreemptionByScheduler';
}
