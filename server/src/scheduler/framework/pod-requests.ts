import type { ContainerStatus, Pod, ResourceList } from '../../kubernetes/objects.ts';
import type { Release } from '../../kubernetes/release.ts';
import { podRequests, type ResourceAmounts, setsPodLevelRequests } from '../../kubernetes/pod-resources.ts';
import { integerQuantity, milliQuantity } from '../../kubernetes/quantity.ts';
import { getOrInsert } from '../../util/maps.ts';
import { areSafe, type ExactResources, isSafe, type Resources, toNumbers } from './resources.ts';
import { toSchedulerResources } from './scheduler-resources.ts';

/** What scoring assumes where a container does not say: 100m CPU and 200 MiB per container are filled in. */
interface NonZeroRequests {
  readonly milliCpu: number;
  readonly memory: number;
}

interface ExactPodRequests {
  readonly requests: ExactResources;
  readonly nonZeroMilliCpu: bigint;
  readonly nonZeroMemory: bigint;
}

/** What a pod takes from its node. */
export interface PodRequests {
  /** Resized containers, pod-level requests and overhead included. Stale when `exact` is set. */
  readonly requests: Resources;
  readonly nonZero: NonZeroRequests;
  /** Set when a value is negative or too large for doubles; then these count instead. */
  readonly exact: ExactPodRequests | null;
}

/** Source: pkg/scheduler/util/pod_resources.go (DefaultMilliCPURequest, DefaultMemoryRequest) */
const assumedRequests: ResourceAmounts = new Map([
  ['cpu', milliQuantity(100)],
  ['memory', integerQuantity(200 * 1024 * 1024, 'BinarySI')],
]);

/** Remembers the sums by what they depend on, since the replicas of a workload share them. */
export class PodRequestsCache {
  readonly #known = new Map<string, PodRequests>();
  readonly #release: Release;

  constructor(release: Release) {
    this.#release = release;
  }

  requestsOf(pod: Pod): PodRequests {
    const key = requestsKey(pod);
    return getOrInsert(this.#known, key, () => requestsOf(pod, this.#release));
  }
}

/** Source: pkg/scheduler/framework/types.go (CalculateResource, getNonMissingContainerRequests) */
function requestsOf(pod: Pod, { featureGates, behaviours: { resizesWholePods } }: Release): PodRequests {
  const spec = pod.spec ?? {};
  const status = pod.status ?? {};
  const resizesPods = featureGates.has('InPlacePodLevelResourcesVerticalScaling');
  const amounts = podRequests(spec, { status, resizesPods, resizesWholePods });
  const missing = setsPodLevelRequests(spec)
    ? new Map([...assumedRequests].filter(([name]) => !amounts.has(name)))
    : assumedRequests;
  const requests = toSchedulerResources(amounts);
  const assumed = { status, resizesPods, resizesWholePods, missing };
  const nonZero = missing.size === 0 ? requests : toSchedulerResources(podRequests(spec, assumed));
  const safe = areSafe(requests) && isSafe(nonZero.milliCpu) && isSafe(nonZero.memory);
  return {
    requests: toNumbers(requests),
    nonZero: { milliCpu: Number(nonZero.milliCpu), memory: Number(nonZero.memory) },
    exact: safe ? null : { requests, nonZeroMilliCpu: nonZero.milliCpu, nonZeroMemory: nonZero.memory },
  };
}

/**
 * What Filter asks for an incoming pod: status plays no part yet.
 * Source: pkg/scheduler/framework/plugins/noderesources/fit.go (computePodResourceRequest)
 */
export function incomingRequests(pod: Pod): ExactResources {
  return toSchedulerResources(podRequests(pod.spec ?? {}));
}

/**
 * What the scorer of NodeResourcesFit takes an incoming pod for. It is built without the feature gates, so pod-level
 * requests do not count.
 * Source: pkg/scheduler/framework/plugins/noderesources/resource_allocation.go (calculatePodResourceRequest)
 */
export function incomingScoringRequests(pod: Pod): ExactResources {
  return toSchedulerResources(podRequests(pod.spec ?? {}, { missing: assumedRequests, skipPodLevel: true }));
}

/** All that `requestsOf` reads, as one text. Built by hand: a cluster has tens of thousands of pods. */
function requestsKey({ spec, status }: Pod): string {
  let key = '';
  for (const container of spec?.containers ?? []) key += `c${listKey(container.resources?.requests)}`;
  for (const container of spec?.initContainers ?? []) {
    key += container.restartPolicy === 'Always' ? 's' : 'i';
    key += listKey(container.resources?.requests);
  }
  if (spec?.overhead !== undefined) key += `o${listKey(spec.overhead)}`;
  if (spec?.resources !== undefined) key += `p${listKey(spec.resources.requests)}`;
  if (status?.resources !== undefined) {
    const resize = status.conditions?.find((each) => each.type === 'PodResizePending');
    key += `g${JSON.stringify([status.resources.requests, status.allocatedResources, resize?.reason])}`;
  }
  const statuses = [...(status?.containerStatuses ?? []), ...(status?.initContainerStatuses ?? [])];
  if (!statuses.some((each) => each.resources !== undefined || each.allocatedResources !== undefined)) return key;
  const names = [...(spec?.containers ?? []), ...(spec?.initContainers ?? [])].map((container) => container.name);
  const resize = status?.conditions?.find((each) => each.type === 'PodResizePending');
  return `${key}r${JSON.stringify([names, statuses.map(statusKey), resize?.reason])}`;
}

function listKey(list: ResourceList | undefined): string {
  let key = '';
  for (const name in list) {
    if (!Object.hasOwn(list, name)) continue;
    const amount = list[name]!;
    // Lengths in front, so that no two lists have one key.
    key +=
      typeof amount === 'string'
        ? `${name.length}"${name}${amount.length}"${amount}`
        : `${name.length}"${name}#${amount};`;
  }
  return key;
}

function statusKey(status: ContainerStatus): unknown {
  return [status.name, status.resources?.requests, status.allocatedResources];
}
