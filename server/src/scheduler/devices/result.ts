import type { NodeSelectorRequirement } from '../../kubernetes/objects.ts';
import type { Release } from '../../kubernetes/release.ts';
import { formatQuantity } from '../../kubernetes/quantity.ts';
import type { AllocationResult, WantedClaim } from '../framework/device-engine.ts';
import type { Amounts } from './capacity.ts';
import type { PoolDevice } from './inventory.ts';
import { fullName, type Request } from './requests.ts';
import type { DeviceToleration } from '../../kubernetes/device-taints.ts';

/** A device that the search has given to a request. */
export interface Given {
  readonly request: Request;
  readonly device: PoolDevice;
  readonly isShare: boolean;
  readonly consumed: Amounts;
}

type DeviceAllocation = NonNullable<AllocationResult['devices']>;
type DeviceResult = NonNullable<DeviceAllocation['results']>[number];
type Configuration = NonNullable<DeviceAllocation['config']>[number];

/**
 * What becomes of a claim. `chosen`: of each of its requests the alternative.
 * Source: Allocator.Allocate
 */
export function resultOf(
  claim: WantedClaim,
  given: readonly Given[],
  chosen: readonly Request[],
  node: string,
  { featureGates, devices }: Release,
): AllocationResult {
  const hasConditions = featureGates.has('DRADeviceBindingConditions');
  const results = given.map((each) => deviceResult(each, hasConditions, devices.resultsCarryTolerations));
  const config = configurationsOf(claim, chosen, devices.joinsConfigurations);
  const nodeSelector = nodeSelectorOf(given, node);
  return {
    devices: {
      ...(results.length === 0 ? {} : { results }),
      ...(config.length === 0 ? {} : { config }),
    },
    ...(nodeSelector === undefined ? {} : { nodeSelector }),
  };
}

function deviceResult(
  { request, device: { device, pool }, isShare, consumed }: Given,
  hasConditions: boolean,
  hasTolerations: boolean,
): DeviceResult {
  const { bindingConditions = [], bindingFailureConditions = [] } = device;
  return {
    request: fullName(request),
    driver: pool.driver,
    pool: pool.name,
    device: device.name,
    ...(request.isAdmin ? { adminAccess: true } : {}),
    ...(hasTolerations && request.tolerations.length > 0 ? { tolerations: request.tolerations.map(withoutEmpty) } : {}),
    ...(hasConditions && bindingConditions.length > 0 ? { bindingConditions } : {}),
    ...(hasConditions && bindingFailureConditions.length > 0 ? { bindingFailureConditions } : {}),
    // Random in a cluster; whoever stores the result numbers them.
    ...(isShare ? { shareID: 'share' } : {}),
    ...(consumed.size === 0
      ? {}
      : {
          consumedCapacity: Object.fromEntries([...consumed].map(([name, amount]) => [name, formatQuantity(amount)])),
        }),
  };
}

/** As the API server prints it. */
function withoutEmpty(toleration: DeviceToleration): DeviceToleration {
  return Object.fromEntries(Object.entries(toleration).filter(([, value]) => value !== ''));
}

function configurationsOf(
  { spec }: WantedClaim,
  chosen: readonly Request[],
  isJoined: boolean,
): readonly Configuration[] {
  const ofClasses = new Map<string, { readonly requests: string[]; readonly config: readonly Configuration[] }>();
  for (const request of chosen) {
    const known = ofClasses.get(request.className);
    if (known !== undefined) {
      known.requests.push(fullName(request));
      continue;
    }
    const requests = [fullName(request)];
    const config = (request.class.spec.config ?? []).map((each): Configuration => ({
      source: 'FromClass',
      requests,
      ...each,
    }));
    ofClasses.set(request.className, { requests, config });
  }
  const ofClaim = (spec.devices?.config ?? []).flatMap((each): Configuration[] => {
    const { requests = [] } = each;
    const configuration: Configuration = { source: 'FromClaim', ...each };
    if (requests.length === 0) return [configuration];
    const named = chosen.filter((request) => isNamed(request, requests));
    return named.slice(0, isJoined ? 1 : undefined).map(() => configuration);
  });
  const all = [...[...ofClasses.values()].flatMap(({ config }) => config), ...ofClaim];
  if (!isJoined) return all;
  // What is for all requests names none.
  return all.map((each) => {
    const { requests = [], ...others } = each;
    return chosen.every((request) => isNamed(request, requests)) ? others : each;
  });
}

function isNamed(request: Request, requests: readonly string[]): boolean {
  return requests.includes(request.parent || request.name) || requests.includes(fullName(request));
}

/** Source: createNodeSelector */
function nodeSelectorOf(given: readonly Given[], node: string): AllocationResult['nodeSelector'] {
  const fields: NodeSelectorRequirement[] = [];
  const expressions: NodeSelectorRequirement[] = [];
  for (const {
    device: { device, slice },
  } of given) {
    const { nodeName, nodeSelector } = slice.spec.perDeviceNodeSelection === true ? device : slice.spec;
    if (nodeName !== undefined || device.bindsToNode === true) {
      return {
        nodeSelectorTerms: [{ matchFields: [{ key: 'metadata.name', operator: 'In', values: [node] }] }],
      };
    }
    const [term] = nodeSelector?.nodeSelectorTerms ?? [];
    addNew(fields, term?.matchFields ?? []);
    addNew(expressions, term?.matchExpressions ?? []);
  }
  if (fields.length + expressions.length === 0) return undefined;
  return {
    nodeSelectorTerms: [
      {
        ...(expressions.length === 0 ? {} : { matchExpressions: expressions }),
        ...(fields.length === 0 ? {} : { matchFields: fields }),
      },
    ],
  };
}

function addNew(to: NodeSelectorRequirement[], from: readonly NodeSelectorRequirement[]): void {
  for (const requirement of from) {
    const values = new Set(requirement.values);
    const isKnown = to.some(
      ({ key, operator, values: others = [] }) =>
        key === requirement.key &&
        operator === requirement.operator &&
        new Set(others).size === values.size &&
        others.every((value) => values.has(value)),
    );
    if (!isKnown) to.push(requirement);
  }
}
