import { put } from '../../util/own.ts';
import type { Container, Pod, PodSpec, ResourceRequirements } from '../objects.ts';
import {
  aggregateContainerLimits,
  aggregateContainerRequests,
  isPodLevelResource,
  type ResourceSpec,
} from '../pod-resources.ts';
import { formatQuantity } from '../quantity.ts';
import { mapChanged } from './map-changed.ts';
import { copyList, fillResourceList, roundResourceList } from './resource-list.ts';

/**
 * Gives a pod the values that the API server fills in, as far as scheduling, quota and eviction look at them: requests
 * from limits, amounts in thousandths, host ports of the host network, protocol, scheduler, restart policy and grace
 * period.
 * Source: pkg/apis/core/v1/defaults.go SetDefaults_Pod, SetDefaults_PodSpec; zz_generated.defaults.go
 */
export function defaultPod(pod: Pod): Pod {
  if (pod.spec === undefined) return pod;
  const spec = defaultPodSpec(pod.spec);
  return spec === pod.spec ? pod : { ...pod, spec };
}

// Replicas come one after the other and share the spec of their template: they share the defaulted one too.
let last: { readonly written: PodSpec; readonly defaulted: PodSpec } | undefined;

function defaultPodSpec(written: PodSpec): PodSpec {
  if (last?.written === written) return last.defaulted;
  const defaulted = withDefaults(written);
  last = { written, defaulted };
  return defaulted;
}

/**
 * The part of `defaultPod` that decides what a pod takes from its node: requests, amounts, host ports. A pod that writes
 * them out comes back as it is, which saves a copy of every running pod of a large cluster.
 */
export function defaultPodResources(pod: Pod): Pod {
  if (pod.spec === undefined) return pod;
  const spec = withResources(pod.spec);
  const status = pod.status === undefined ? undefined : roundStatus(pod.status);
  if (spec === pod.spec && status === pod.status) return pod;
  return { ...pod, spec, ...(status === undefined ? {} : { status }) };
}

/** Amounts in a status are rounded as those in a spec are. */
function roundStatus(status: PodStatus): PodStatus {
  const changed: { -readonly [Key in keyof PodStatus]: PodStatus[Key] } = {};
  for (const field of ['containerStatuses', 'initContainerStatuses'] as const) {
    const list = status[field];
    const rounded = list === undefined ? undefined : mapChanged(list, roundGranted);
    if (rounded !== undefined && rounded !== list) changed[field] = rounded;
  }
  const whole = roundGranted(status);
  if (whole === status && Object.keys(changed).length === 0) return status;
  return { ...whole, ...changed };
}

/** What a resize in place has granted to a container, or to the pod as a whole. */
function roundGranted<T extends Pick<PodStatus, 'resources' | 'allocatedResources'>>(granted: T): T {
  const resources = granted.resources === undefined ? undefined : roundResources(granted.resources);
  const allocated =
    granted.allocatedResources === undefined ? undefined : roundResourceList(granted.allocatedResources);
  if (resources === granted.resources && allocated === granted.allocatedResources) return granted;
  return {
    ...granted,
    ...(resources === undefined ? {} : { resources }),
    ...(allocated === undefined ? {} : { allocatedResources: allocated }),
  };
}

type PodStatus = NonNullable<Pod['status']>;

function withDefaults(written: PodSpec): PodSpec {
  const spec = withResources(written);
  if (isSet(spec.schedulerName) && isSet(spec.restartPolicy) && spec.terminationGracePeriodSeconds !== undefined) {
    return spec;
  }
  return {
    ...spec,
    schedulerName: isSet(spec.schedulerName) ? spec.schedulerName : 'default-scheduler',
    restartPolicy: isSet(spec.restartPolicy) ? spec.restartPolicy : 'Always',
    terminationGracePeriodSeconds: spec.terminationGracePeriodSeconds ?? 30,
  };
}

function withResources(spec: PodSpec): PodSpec {
  const fill = spec.hostNetwork === true ? fillOnHostNetwork : fillContainer;
  // Rounding comes last: the requests of the pod as a whole are sums of what is written.
  const filled = mapChanged(spec.containers, fill);
  const containers = mapChanged(filled, roundContainer);
  const filledInit = spec.initContainers === undefined ? undefined : mapChanged(spec.initContainers, fill);
  const initContainers = filledInit === undefined ? undefined : mapChanged(filledInit, roundContainer);
  const overhead = spec.overhead === undefined ? undefined : roundResourceList(spec.overhead);
  const resources =
    spec.resources === undefined
      ? undefined
      : roundResources(defaultPodLevel(spec.resources, { containers: filled, initContainers: filledInit ?? [] }));
  if (
    containers === spec.containers &&
    initContainers === spec.initContainers &&
    overhead === spec.overhead &&
    resources === spec.resources
  ) {
    return spec;
  }
  return {
    ...spec,
    containers,
    ...(initContainers === undefined ? {} : { initContainers }),
    ...(overhead === undefined ? {} : { overhead }),
    ...(resources === undefined ? {} : { resources }),
  };
}

function isSet(text: string | undefined): text is string {
  return text !== undefined && text !== '';
}

function fillOnHostNetwork(container: Container): Container {
  return fillContainer(container, true);
}

function fillContainer(container: Container, hostNetwork = false): Container {
  const resources = container.resources === undefined ? undefined : requestsFromLimits(container.resources);
  const ports =
    container.ports === undefined ? undefined : mapChanged(container.ports, (port) => defaultPort(port, hostNetwork));
  if (resources === container.resources && ports === container.ports) return container;
  return { ...container, ...(resources === undefined ? {} : { resources }), ...(ports === undefined ? {} : { ports }) };
}

function roundContainer(container: Container): Container {
  if (container.resources === undefined) return container;
  const resources = roundResources(container.resources);
  return resources === container.resources ? container : { ...container, resources };
}

type Port = NonNullable<Container['ports']>[number];

function defaultPort(port: Port, hostNetwork: boolean): Port {
  const protocol = isSet(port.protocol) ? port.protocol : 'TCP';
  const hostPort = hostNetwork && (port.hostPort ?? 0) === 0 ? port.containerPort : port.hostPort;
  if (protocol === port.protocol && hostPort === port.hostPort) return port;
  return { ...port, protocol, ...(hostPort === undefined ? {} : { hostPort }) };
}

function roundResources(resources: ResourceRequirements): ResourceRequirements {
  const limits = resources.limits === undefined ? undefined : roundResourceList(resources.limits);
  const requests = resources.requests === undefined ? undefined : roundResourceList(resources.requests);
  if (limits === resources.limits && requests === resources.requests) return resources;
  return { ...resources, ...(limits === undefined ? {} : { limits }), ...(requests === undefined ? {} : { requests }) };
}

function requestsFromLimits(resources: ResourceRequirements): ResourceRequirements {
  if (resources.limits === undefined) return resources;
  const requests = fillResourceList(resources.requests, resources.limits);
  return requests === resources.requests ? resources : { ...resources, requests };
}

/**
 * Requests and limits of the pod as a whole. They are completed only where some are written: limits of huge pages from
 * the containers, requests from what the containers request, else from the limits.
 * Source: defaultHugePagePodLimits, defaultPodRequests
 */
function defaultPodLevel(resources: ResourceRequirements, spec: ResourceSpec): ResourceRequirements {
  const before = sizeOf(resources.limits) + sizeOf(resources.requests);
  if (before === 0) return resources;
  const limits = copyList(resources.limits);
  for (const [name, amount] of aggregateContainerLimits(spec)) {
    if (!isHugePages(name) || has(resources.requests, name) || has(limits, name)) continue;
    put(limits, name, formatQuantity(amount));
  }
  if (sizeOf(limits) === 0) return resources;
  const requests = copyList(resources.requests);
  for (const [name, amount] of aggregateContainerRequests(spec)) {
    // Huge pages cannot be overcommitted: their requests follow the limits.
    if (isPodLevelResource(name) && !isHugePages(name) && !has(requests, name)) {
      put(requests, name, formatQuantity(amount));
    }
  }
  for (const name of Object.keys(limits)) {
    if (isPodLevelResource(name) && !has(requests, name)) put(requests, name, limits[name]!);
  }
  if (sizeOf(limits) + sizeOf(requests) === before) return resources;
  return { ...resources, limits, ...(sizeOf(requests) === 0 ? {} : { requests }) } as ResourceRequirements;
}

function sizeOf(list: object | undefined): number {
  return list === undefined ? 0 : Object.keys(list).length;
}

function isHugePages(name: string): boolean {
  return name.startsWith('hugepages-');
}

function has(list: object | undefined, name: string): boolean {
  return list !== undefined && Object.hasOwn(list, name);
}
