import type { Container, ContainerStatus, Pod, PodSpec, ResourceList } from './objects.ts';
import {
  addQuantities,
  integerQuantity,
  isQuantityError,
  maxQuantity,
  parseQuantity,
  type Quantity,
} from './quantity.ts';

const noAmount = integerQuantity(0);

/** Resource name → exact amount. */
export type ResourceAmounts = ReadonlyMap<string, Quantity>;

/** What of a pod's spec its resources depend on. */
export type ResourceSpec = Partial<Pick<PodSpec, 'containers' | 'initContainers' | 'resources' | 'overhead'>>;

export interface RequestOptions {
  /** The status of a pod that runs: what a resize in place has granted so far counts too. */
  readonly status?: Pod['status'];
  /** Stands in, per container, for resources that the container does not request. */
  readonly missing?: ResourceAmounts;
  /** Leaves out what the pod as a whole requests. */
  readonly skipPodLevel?: boolean;
  /** What a resize in place has granted to the pod as a whole counts too. Source: InPlacePodLevelResourcesVerticalScaling */
  readonly resizesPods?: boolean;
  /** See `Behaviours`. */
  readonly resizesWholePods?: boolean;
}

/**
 * What a pod is charged for: its containers, or what the pod as a whole requests instead, plus overhead.
 * Source: staging/src/k8s.io/component-helpers/resource/helpers.go PodRequests
 */
export function podRequests(spec: ResourceSpec, options: RequestOptions = {}): ResourceAmounts {
  const total = new Map(aggregateContainerRequests(spec, options));
  if (options.skipPodLevel !== true && setsPodLevelRequests(spec)) {
    const granted = options.resizesPods === true && options.status?.resources !== undefined ? options.status : null;
    if (granted === null) replacePodLevel(total, spec.resources?.requests);
    else if (options.resizesWholePods === true) replaceByLargest(total, spec.resources?.requests, granted);
    else replaceByGranted(total, spec.resources?.requests, granted);
  }
  addAll(total, readResourceList(spec.overhead));
  return total;
}

/** The limits of a pod; overhead is added where there is a limit. Source: PodLimits in the same file */
export function podLimits(spec: ResourceSpec): ResourceAmounts {
  const total = new Map(aggregateContainerLimits(spec));
  replacePodLevel(total, spec.resources?.limits);
  for (const [name, amount] of readResourceList(spec.overhead)) {
    const limit = total.get(name);
    if (limit !== undefined && limit.nanos !== 0n) total.set(name, addQuantities(limit, amount));
  }
  return total;
}

/**
 * The larger of what containers and sidecars request together, and what any step of initialisation needs: an init
 * container and the sidecars before it. Source: AggregateContainerRequests at v1.34
 */
export function aggregateContainerRequests(spec: ResourceSpec, options: RequestOptions = {}): ResourceAmounts {
  const { status, missing } = options;
  if (status === undefined) {
    return aggregate(spec, (container) => withMissing(readResourceList(container.resources?.requests), missing));
  }
  const statuses = new Map<string, ContainerStatus>();
  for (const each of [...(status.containerStatuses ?? []), ...(status.initContainerStatuses ?? [])]) {
    statuses.set(each.name, each);
  }
  const infeasible = isResizeInfeasible(status);
  if (options.resizesWholePods === true) return largestOfPod(spec, status, statuses, options);
  return aggregate(spec, (container, long) => {
    const written = readResourceList(container.resources?.requests);
    const granted = long ? statuses.get(container.name) : undefined;
    if (granted?.resources === undefined) return withMissing(written, missing);
    const requests = new Map(infeasible ? [] : written);
    takeLarger(requests, readResourceList(granted.resources.requests));
    takeLarger(requests, readResourceList(granted.allocatedResources));
    return withMissing(requests, missing);
  });
}

/** Each of what is wanted, granted and in force is put together first. Source: AggregateContainerRequests at v1.37 */
function largestOfPod(
  spec: ResourceSpec,
  status: NonNullable<Pod['status']>,
  statuses: ReadonlyMap<string, ContainerStatus>,
  { missing, resizesPods }: RequestOptions,
): ResourceAmounts {
  const infeasible = isResizeInfeasible(status);
  const together = (listOf: (container: Container) => ResourceList | undefined): ResourceAmounts =>
    aggregate(spec, (container) => withMissing(readResourceList(listOf(container)), missing));
  const written = ({ resources }: Container): ResourceList | undefined => resources?.requests;
  const granted = (container: Container): ResourceList | undefined =>
    statuses.get(container.name)?.allocatedResources ?? (infeasible ? undefined : written(container));
  const inForce = (container: Container): ResourceList | undefined =>
    statuses.get(container.name)?.resources?.requests ?? granted(container);
  const ofPod =
    resizesPods === true && status.resources?.requests !== undefined ? status.allocatedResources : undefined;
  const largest = new Map(infeasible ? [] : together(written));
  takeLarger(largest, ofPod === undefined ? together(inForce) : readResourceList(status.resources?.requests));
  takeLarger(largest, ofPod === undefined ? together(granted) : readResourceList(ofPod));
  return largest;
}

/** The limits of the containers, put together as the requests are. Source: AggregateContainerLimits */
export function aggregateContainerLimits(spec: ResourceSpec): ResourceAmounts {
  return aggregate(spec, (container) => readResourceList(container.resources?.limits));
}

/** The amounts of a resource list; what is no quantity is left out. */
export function readResourceList(list: ResourceList | undefined): ResourceAmounts {
  const amounts = new Map<string, Quantity>();
  for (const name in list) {
    if (!Object.hasOwn(list, name)) continue;
    const amount = parseQuantity(list[name]!);
    if (!isQuantityError(amount)) amounts.set(name, amount);
  }
  return amounts;
}

/** Whether a pod as a whole can request this resource. Source: IsSupportedPodLevelResource */
export function isPodLevelResource(name: string): boolean {
  return name === 'cpu' || name === 'memory' || name.startsWith('hugepages-');
}

/** Whether the pod as a whole requests something that counts. Source: IsPodLevelRequestsSet */
export function setsPodLevelRequests(spec: ResourceSpec): boolean {
  return Object.keys(spec.resources?.requests ?? {}).some(isPodLevelResource);
}

/** A sidecar: an init container that keeps running. */
function isRestartable(initContainer: Container): boolean {
  return initContainer.restartPolicy === 'Always';
}

/** Puts amounts of containers together; `long` tells containers that run as long as the pod does. */
function aggregate(
  spec: ResourceSpec,
  amountsOf: (container: Container, long: boolean) => ResourceAmounts,
): ResourceAmounts {
  const total = new Map<string, Quantity>();
  for (const container of spec.containers ?? []) addAll(total, amountsOf(container, true));
  const initContainers = spec.initContainers ?? [];
  if (initContainers.length === 0) return total;
  const sidecars = new Map<string, Quantity>();
  const peak = new Map<string, Quantity>();
  for (const container of initContainers) {
    const long = isRestartable(container);
    const amounts = amountsOf(container, long);
    if (long) {
      addAll(total, amounts);
      addAll(sidecars, amounts);
      takeLarger(peak, sidecars);
    } else {
      const step = new Map(amounts);
      addAll(step, sidecars);
      takeLarger(peak, step);
    }
  }
  takeLarger(total, peak);
  return total;
}

function withMissing(amounts: ResourceAmounts, missing: ResourceAmounts | undefined): ResourceAmounts {
  if (missing === undefined || missing.size === 0) return amounts;
  return new Map([...missing, ...amounts]);
}

function replacePodLevel(total: Map<string, Quantity>, list: ResourceList | undefined): void {
  for (const [name, amount] of readResourceList(list)) if (isPodLevelResource(name)) total.set(name, amount);
}

/** The largest of what is written, granted and in force; what none of them names is none. Source: PodRequests at v1.36 */
function replaceByGranted(
  total: Map<string, Quantity>,
  list: ResourceList | undefined,
  status: NonNullable<Pod['status']>,
): void {
  const written = readResourceList(list);
  const largest = new Map(isResizeInfeasible(status) ? [] : written);
  takeLarger(largest, readResourceList(status.resources?.requests));
  takeLarger(largest, readResourceList(status.allocatedResources));
  for (const name of written.keys()) {
    if (isPodLevelResource(name)) total.set(name, largest.get(name) ?? noAmount);
  }
}

/** The largest of what is written, granted and in force. Source: PodRequests at v1.37 (applyPodLevelResources) */
function replaceByLargest(
  total: Map<string, Quantity>,
  list: ResourceList | undefined,
  status: NonNullable<Pod['status']>,
): void {
  const largest = new Map(isResizeInfeasible(status) ? [] : readResourceList(list));
  takeLarger(largest, readResourceList(status.resources?.requests));
  takeLarger(largest, readResourceList(status.allocatedResources));
  for (const [name, amount] of largest) if (isPodLevelResource(name)) total.set(name, amount);
}

function isResizeInfeasible(status: NonNullable<Pod['status']>): boolean {
  return status.conditions?.find(({ type }) => type === 'PodResizePending')?.reason === 'Infeasible';
}

function addAll(total: Map<string, Quantity>, amounts: ResourceAmounts): void {
  for (const [name, amount] of amounts) {
    const sum = total.get(name);
    total.set(name, sum === undefined ? amount : addQuantities(sum, amount));
  }
}

function takeLarger(total: Map<string, Quantity>, amounts: ResourceAmounts): void {
  for (const [name, amount] of amounts) {
    const known = total.get(name);
    total.set(name, known === undefined ? amount : maxQuantity(known, amount));
  }
}

/** Extended resources that containers request, as device plugins offer them. */
export function pluginResources({ containers = [], initContainers = [] }: Partial<PodSpec> = {}): readonly string[] {
  const names = [...containers, ...initContainers].flatMap(({ resources = {} }) =>
    Object.keys({ ...resources.limits, ...resources.requests }),
  );
  return [...new Set(names)].filter((name) => name.includes('/') && !name.includes('kubernetes.io/'));
}
