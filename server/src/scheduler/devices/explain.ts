import { compareBytewise } from '../framework/order.ts';
import type {
  DeviceObstacle,
  DeviceSource,
  DeviceVerdict,
  RequestVerdicts,
  WantedClaim,
} from '../framework/device-engine.ts';
import type { NodeFacts } from '../framework/node-facts.ts';
import { inventoryOf } from './allocator.ts';
import { AttemptFailure } from './attempt-failure.ts';
import { type Amounts, capacityShortage, fitsCapacity } from './capacity.ts';
import { AvailableCounters, ConsumedCounters } from './counters.ts';
import { matchesNode, type Pool, type PoolDevice } from './inventory.ts';
import { alternativesOf, fullName, requestsOf, type WrittenRequest } from './requests.ts';
import { selectorsOf } from './selectors.ts';
import { untolerated } from './taints.ts';

const noAmounts: Amounts = new Map();

/** What keeps each device that reaches the node from each request, in the order of the allocator. */
export function explain(
  source: DeviceSource,
  node: NodeFacts,
  claims: readonly WantedClaim[],
): readonly RequestVerdicts[] {
  const pools = inventoryOf(source).poolsOf(node);
  return claims.flatMap((claim, at) =>
    requestsOf(claim).flatMap((written, of) =>
      alternativesOf(written).map((request): RequestVerdicts => ({
        claim: at,
        of,
        request: fullName(request),
        className: request.className,
        need: request.wantsAll ? 0 : request.count,
        isShared: request.isAdmin || pools.some(({ devices }) => devices.some(isGivenInShares)),
        verdicts: pools.flatMap((pool) => verdictsOf(source, node, request, pool)),
        instead: otherClasses(source, node, request, pools),
      })),
    ),
  );
}

function isGivenInShares({ device }: PoolDevice): boolean {
  return device.allowMultipleAllocations === true;
}

function verdictsOf(
  source: DeviceSource,
  node: NodeFacts,
  request: WrittenRequest,
  pool: Pool,
): readonly DeviceVerdict[] {
  const { isIncomplete, invalid, name, devices } = pool;
  if (isIncomplete || invalid !== null) {
    const text = invalid ?? 'not all of its slices are there';
    return [{ pool: name, device: '', obstacle: { kind: 'pool', text } }];
  }
  return devices.map((device) => ({
    pool: name,
    device: device.device.name,
    obstacle: obstacleOf(source, node, request, device),
  }));
}

/** Where a request gets nothing of its class, the classes of which there is enough for it. */
function otherClasses(
  source: DeviceSource,
  node: NodeFacts,
  request: WrittenRequest,
  pools: readonly Pool[],
): RequestVerdicts['instead'] {
  const free = (className: string): number =>
    pools
      .filter(({ isIncomplete, invalid }) => !isIncomplete && invalid === null)
      .flatMap(({ devices }) => devices)
      .filter((device) => obstacleOf(source, node, { ...request, className }, device) === null).length;
  if (request.wantsAll || free(request.className) >= request.count) return [];
  return [...source.classes.keys()]
    .filter((className) => className !== request.className)
    .map((className) => ({ className, count: free(className) }))
    .filter(({ count }) => count >= request.count)
    .sort((a, b) => compareBytewise(a.className, b.className));
}

function obstacleOf(...asked: Parameters<typeof obstacleFor>): DeviceObstacle | null {
  try {
    return obstacleFor(...asked);
  } catch (error) {
    if (error instanceof AttemptFailure) return { kind: 'error', text: error.message };
    throw error;
  }
}

function obstacleFor(
  { release, classes, taken }: DeviceSource,
  node: NodeFacts,
  request: WrittenRequest,
  device: PoolDevice,
): DeviceObstacle | null {
  const { featureGates, devices } = release;
  const { id } = device;
  const selectors = selectorsOf(release);
  const ofClass = (classes.get(request.className)?.spec.selectors ?? []).map(({ cel }) => cel?.expression ?? '');
  const asked = [
    ...ofClass.map((expression) => ({ of: 'class' as const, expression })),
    ...request.selectors.map((expression) => ({ of: 'request' as const, expression })),
  ];
  for (const { of, expression } of asked) {
    const answer = selectors.ask(expression, device);
    if (typeof answer === 'string') return { kind: 'error', text: answer };
    if (!answer) return { kind: 'selector', of, text: selectors.whyNot(expression, device) };
  }
  const { bindingConditions = [] } = device.device;
  if (bindingConditions.length > 0 && !featureGates.has('DRADeviceBindingConditions')) return { kind: 'gate' };
  if (device.slice.spec.perDeviceNodeSelection === true && !matchesNode(device.device, node)) return { kind: 'node' };
  const owner = taken.devices.get(id);
  if (owner !== undefined && !request.isAdmin) return { kind: 'taken', by: owner };
  if (featureGates.has('DRAConsumableCapacity')) {
    const amounts = taken.capacity.get(id) ?? noAmounts;
    if (!fitsCapacity(request.capacity, device.device, amounts, noAmounts, release)) {
      const text = capacityShortage(request.capacity, device.device, amounts, release) ?? '';
      // What a device never had, no other pod has taken.
      const isUsed = amounts.size > 0;
      return isUsed || text === '' ? { kind: 'capacity', text } : { kind: 'selector', of: 'request', text };
    }
  }
  if ((device.device.consumesCounters ?? []).length > 0) {
    if (!featureGates.has('DRAPartitionableDevices')) return { kind: 'gate' };
    const counters = new AvailableCounters((each) => taken.devices.has(each) || taken.capacity.has(each), devices);
    if (!new ConsumedCounters(counters).take(device)) return { kind: 'counters' };
  }
  const taint = featureGates.has('DRADeviceTaints') ? untolerated(device.device, request.tolerations) : undefined;
  if (taint !== undefined) {
    return { kind: 'taint', key: taint.key, value: taint.value ?? '', effect: taint.effect };
  }
  return null;
}
