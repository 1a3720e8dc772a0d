import type { PodSpec, ResourceRequirements } from './objects.ts';
import { isPodLevelResource, readResourceList, type ResourceAmounts } from './pod-resources.ts';
import { addQuantities, type Quantity } from './quantity.ts';
import type { Release } from './release.ts';
import { latestRelease } from './releases/index.ts';

export type QosClass = 'Guaranteed' | 'Burstable' | 'BestEffort';

/** Resources that decide the class. Source: supportedQoSComputeResources */
const counted = ['cpu', 'memory'] as const;

/**
 * How the kubelet treats a pod when its node runs short. Resources of the pod as a whole, where there are any, decide
 * alone. Source: ComputePodQOS in pkg/apis/core/v1/helper/qos/qos.go
 */
export function qosClass(spec: Partial<PodSpec> | undefined, release: Release = latestRelease): QosClass {
  const whole = release.behaviours.ignoresEmptyPodResources && namesNone(spec?.resources) ? undefined : spec?.resources;
  const parts = whole === undefined ? containersOf(spec) : [whole];
  const requests = new Map<string, Quantity>();
  const limits = new Map<string, Quantity>();
  let isGuaranteed = true;
  for (const part of parts) {
    addPositive(requests, readResourceList(part?.requests));
    const own = addPositive(limits, readResourceList(part?.limits));
    if (own < counted.length) isGuaranteed = false;
  }
  if (requests.size === 0 && limits.size === 0) return 'BestEffort';
  const isEqual = [...requests].every(([name, { nanos }]) => limits.get(name)?.nanos === nanos);
  return isGuaranteed && isEqual && requests.size === limits.size ? 'Guaranteed' : 'Burstable';
}

/** Source: IsPodLevelResourcesSet in pkg/apis/core/helper at v1.37 */
function namesNone(resources: ResourceRequirements | undefined): boolean {
  const names = [...Object.keys(resources?.requests ?? {}), ...Object.keys(resources?.limits ?? {})];
  return !names.some(isPodLevelResource);
}

// What is read of a pod that somebody still types may be null.
function containersOf(spec: Partial<PodSpec> | undefined): (ResourceRequirements | undefined)[] {
  return [...(spec?.containers ?? []), ...(spec?.initContainers ?? [])].map(({ resources }) => resources);
}

/** How many of the amounts count. */
function addPositive(total: Map<string, Quantity>, amounts: ResourceAmounts): number {
  let added = 0;
  for (const name of counted) {
    const amount = amounts.get(name);
    if (amount === undefined || amount.nanos <= 0n) continue;
    const sum = total.get(name);
    total.set(name, sum === undefined ? amount : addQuantities(sum, amount));
    added += 1;
  }
  return added;
}
