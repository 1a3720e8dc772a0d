import type { Container, DeviceClass } from '../../kubernetes/objects.ts';
import { isQuantityError, parseQuantity, quantityValue } from '../../kubernetes/quantity.ts';
import type { ClusterState } from '../framework/cluster-state.ts';
import type { ResourceClaimSpec } from '../framework/device-engine.ts';
import { compareBytewise } from '../framework/order.ts';
import type { PodInfo } from '../framework/pod-info.ts';
import { isExtendedResourceName } from '../framework/scalar-resource-name.ts';

const ofClass = 'deviceclass.resource.kubernetes.io/';
const none: ReadonlyMap<string, string> = new Map();
const known = new WeakMap<ReadonlyMap<string, DeviceClass>, ReadonlyMap<string, string>>();

/**
 * Extended resource → the class behind it. Of two classes with one name the newer one has it, then the one whose name
 * comes first; classes become known in the order of their names, and one that loses has not even a name of its own.
 * Source: dynamic-resource-allocation/deviceclass/extendedresourcecache (updateResourceName2class)
 */
function classesByResource(classes: ReadonlyMap<string, DeviceClass>): ReadonlyMap<string, string> {
  let byResource = known.get(classes);
  if (byResource !== undefined) return byResource;
  const made = new Map<string, string>();
  const createdAt = (name: string): number => Date.parse(classes.get(name)?.metadata?.creationTimestamp ?? '') || 0;
  for (const name of [...classes.keys()].sort(compareBytewise)) {
    const resource = classes.get(name)!.spec.extendedResourceName;
    const other = resource === undefined ? undefined : made.get(resource);
    // The other is known already, so its name comes before.
    if (other !== undefined && createdAt(name) <= createdAt(other)) continue;
    if (resource !== undefined) made.set(resource, name);
    made.set(`${ofClass}${name}`, name);
  }
  known.set(classes, (byResource = made));
  return byResource;
}

/**
 * The extended resources that a pod asks for with a DeviceClass behind them, and their classes: nodes that do not have
 * them as such may have devices of the class. Source: DRAExtendedResource
 */
export function deviceResourcesOf({ release, objects }: ClusterState, pod: PodInfo): ReadonlyMap<string, string> {
  const scalars = pod.exact?.requests.scalars ?? pod.requests.scalars;
  const { deviceClasses } = objects.fixed;
  if (scalars.size === 0 || deviceClasses.size === 0) return none;
  if (!release.featureGates.has('DRAExtendedResource')) return none;
  const byResource = classesByResource(deviceClasses);
  const found = [...scalars].flatMap(([name, amount]): [string, string][] => {
    const deviceClass = isExtendedResourceName(name) || name.startsWith(ofClass) ? byResource.get(name) : undefined;
    return Number(amount) === 0 || deviceClass === undefined ? [] : [[name, deviceClass]];
  });
  return found.length === 0 ? none : new Map(found);
}

type DeviceRequest = NonNullable<NonNullable<ResourceClaimSpec['devices']>['requests']>[number];

/** Which request of the scheduler's claim gives a container a resource. */
export interface RequestMapping {
  readonly containerName: string;
  readonly resourceName: string;
  readonly requestName: string;
}

export interface ExtendedRequests {
  readonly requests: readonly DeviceRequest[];
  readonly mappings: readonly RequestMapping[];
}

interface Asking {
  readonly container: Container;
  /** Among the init containers and the containers. */
  readonly index: number;
  readonly amount: number;
}

/**
 * The requests of the claim that the scheduler makes for extended resources. Init containers that end use what later
 * ones have, and of the rest the largest is added. Source: createRequestsAndMappings in extendeddynamicresources.go
 */
export function extendedRequestsOf(pod: PodInfo, resources: ReadonlyMap<string, string>): ExtendedRequests {
  const requests: DeviceRequest[] = [];
  const mappings: RequestMapping[] = [];
  const { initContainers = [], containers = [] } = pod.pod.spec ?? {};
  const all = [...initContainers, ...containers];
  const ends = (index: number): boolean =>
    index < initContainers.length && initContainers[index]!.restartPolicy !== 'Always';
  for (const resource of [...resources.keys()].sort(compareBytewise)) {
    const asking = all.map((container, index): Asking => ({ container, index, amount: amountOf(container, resource) }));
    const map = (container: Container, requestName: string): void => {
      mappings.push({ containerName: container.name, resourceName: resource, requestName });
    };
    const make = ({ container, index }: Asking, count: number): DeviceRequest => ({
      name: `container-${index}-request-${placeOf(container, resource)}`,
      exactly: { deviceClassName: resources.get(resource)!, allocationMode: 'ExactCount', count },
    });
    const lasting = asking
      .filter(({ index, amount }) => amount > 0 && !ends(index))
      .map((each) => ({ ...each, request: make(each, each.amount) }));
    for (const { container, request } of lasting) {
      requests.push(request);
      map(container, request.name);
    }
    let largest: { readonly of: Asking; readonly rest: number } | null = null;
    const withRest: Container[] = [];
    for (const each of asking.filter(({ index, amount }) => amount > 0 && ends(index))) {
      let rest = each.amount;
      for (const { index, amount, request } of lasting) {
        if (index < each.index || rest <= 0) continue;
        map(each.container, request.name);
        rest -= amount;
      }
      if (rest <= 0) continue;
      withRest.push(each.container);
      if (largest === null || rest > largest.rest) largest = { of: each, rest };
    }
    if (largest === null) continue;
    const added = make(largest.of, largest.rest);
    requests.push(added);
    for (const container of withRest) map(container, added.name);
  }
  requests.sort((a, b) => compareBytewise(a.name, b.name));
  return { requests, mappings };
}

function amountOf({ resources }: Container, name: string): number {
  const { requests = {} } = resources ?? {};
  const amount = Object.hasOwn(requests, name) ? parseQuantity(requests[name]!) : undefined;
  return amount === undefined || isQuantityError(amount) ? 0 : Number(quantityValue(amount));
}

function placeOf({ resources }: Container, name: string): number {
  return Object.keys(resources?.requests ?? {})
    .sort(compareBytewise)
    .indexOf(name);
}
