import type { Container, Pod } from '../../kubernetes/objects.ts';
import {
  isPodLevelResource,
  podLimits,
  podRequests,
  readResourceList,
  type ResourceAmounts,
} from '../../kubernetes/pod-resources.ts';
import { integerQuantity } from '../../kubernetes/quantity.ts';
import { goList, goString } from '../format/go-zero.ts';
import { isExtendedResource, isHugePages, isNativeResource } from '../format/resource-names.ts';

/** Source for this file: pkg/quota/v1/evaluator/core/pods.go */

/** Counts every pod that is stored, finished ones included. */
const podCount = 'count/pods';

/** Kinds of workloads that quotas count, by the name of the resource in `hard`. */
export const countedKinds = {
  'count/deployments.apps': 'Deployment',
  'count/statefulsets.apps': 'StatefulSet',
  'count/daemonsets.apps': 'DaemonSet',
  'count/jobs.batch': 'Job',
  'count/cronjobs.batch': 'CronJob',
} as const;

const computeResources = ['cpu', 'memory', 'ephemeral-storage'] as const;

const podResources: ReadonlySet<string> = new Set([
  podCount,
  'pods',
  ...computeResources.flatMap((name) => [name, `requests.${name}`, `limits.${name}`]),
]);

/** Resources that every container of a pod must state where a quota limits them. */
const mandatoryResources: ReadonlySet<string> = new Set(
  ['cpu', 'memory'].flatMap((name) => [name, `requests.${name}`, `limits.${name}`]),
);

/** What a pod is charged for (PodUsageFunc). A finished pod counts as an object, nothing more. */
export function podUsage(pod: Pod): ResourceAmounts {
  const usage = new Map([[podCount, integerQuantity(1)]]);
  const phase = goString(pod.status?.phase);
  if (phase === 'Succeeded' || phase === 'Failed') return usage;
  const spec = pod.spec ?? {};
  for (const [name, amount] of computeUsage(podRequests(spec), podLimits(spec))) usage.set(name, amount);
  return usage;
}

/** Those of the names that a quota counts for pods (MatchingResources). */
export function matchingResources(names: readonly string[]): readonly string[] {
  return names.filter(
    (name) =>
      podResources.has(name) ||
      isHugePages(name) ||
      name.startsWith('requests.hugepages-') ||
      (!isNativeResource(name) && name.startsWith('requests.')),
  );
}

/**
 * What containers must state and do not, in upstream's words; nothing when the pod states resources as a whole.
 * Source: Constraints.
 */
export function missingResources(pod: Pod, names: readonly string[]): string | undefined {
  if (statesPodLevelResources(pod)) return undefined;
  const mandatory = names.filter((name) => mandatoryResources.has(name));
  const missing = new Map<string, Set<string>>();
  const containers: readonly Container[] = [...goList(pod.spec?.containers), ...goList(pod.spec?.initContainers)];
  for (const container of containers) {
    const { requests, limits } = container.resources ?? {};
    const stated = computeUsage(readResourceList(requests), readResourceList(limits));
    for (const name of mandatory) {
      if (stated.has(name)) continue;
      const names = missing.get(name) ?? new Set();
      missing.set(name, names.add(goString(container.name)));
    }
  }
  if (missing.size === 0) return undefined;
  const parts = [...missing].sort(byName).map(([name, owners]) => `${name} for: ${[...owners].sort().join(',')}`);
  return `must specify ${parts.join('; ')}`;
}

/** Source: podComputeUsageHelper. */
function computeUsage(requests: ResourceAmounts, limits: ResourceAmounts): ResourceAmounts {
  const usage = new Map([['pods', integerQuantity(1)]]);
  for (const name of computeResources) {
    const request = requests.get(name);
    if (request !== undefined) usage.set(name, request).set(`requests.${name}`, request);
    const limit = limits.get(name);
    if (limit !== undefined) usage.set(`limits.${name}`, limit);
  }
  for (const [name, request] of requests) {
    if (isHugePages(name)) usage.set(name, request).set(`requests.${name}`, request);
    // Devices cannot be overcommitted, so there is a quota for their requests alone.
    if (isExtendedResource(name)) usage.set(`requests.${name}`, request);
  }
  return usage;
}

function statesPodLevelResources(pod: Pod): boolean {
  const { requests, limits } = pod.spec?.resources ?? {};
  return [...Object.keys(requests ?? {}), ...Object.keys(limits ?? {})].some(isPodLevelResource);
}

function byName(one: readonly [string, unknown], other: readonly [string, unknown]): number {
  return one[0] < other[0] ? -1 : 1;
}
