import type { DeviceObstacle, DeviceSource, DeviceVerdict, WantedClaim } from '../framework/device-engine.ts';
import type { NodeFacts } from '../framework/node-facts.ts';
import { inventoryOf } from './allocator.ts';
import { type Amounts, fitsCapacity } from './capacity.ts';
import { AvailableCounters, ConsumedCounters } from './counters.ts';
import { matchesNode, type PoolDevice } from './inventory.ts';
import { alternativesOf, fullName, requestsOf, type WrittenRequest } from './requests.ts';
import { selectorsOf } from './selectors.ts';
import { untolerated } from './taints.ts';

const noAmounts: Amounts = new Map();

/** What keeps each device that reaches the node from each request, looked at alone, in the order of the allocator. */
export function explain(
  source: DeviceSource,
  node: NodeFacts,
  claims: readonly WantedClaim[],
): readonly DeviceVerdict[] {
  const devices = inventoryOf(source)
    .poolsOf(node)
    .flatMap((pool) => pool.devices);
  const requests = claims.flatMap((claim) => requestsOf(claim).flatMap(alternativesOf));
  return requests.flatMap((request) =>
    devices.map((device) => ({
      request: fullName(request),
      device: device.id,
      obstacle: obstacleOf(source, node, request, device),
    })),
  );
}

function obstacleOf(
  { release, classes, taken }: DeviceSource,
  node: NodeFacts,
  request: WrittenRequest,
  device: PoolDevice,
): DeviceObstacle | null {
  const { featureGates, devices } = release;
  const { pool, id } = device;
  if (pool.isIncomplete || pool.invalid !== null) return { kind: 'pool', isIncomplete: pool.isIncomplete };
  const selectors = selectorsOf(devices.selectorsInclude);
  const ofClass = (classes.get(request.className)?.spec.selectors ?? []).map(({ cel }) => cel?.expression ?? '');
  const asked = [
    ...ofClass.map((expression) => ({ of: 'class' as const, expression })),
    ...request.selectors.map((expression) => ({ of: 'request' as const, expression })),
  ];
  for (const { of, expression } of asked) {
    const answer = selectors.ask(expression, device);
    if (typeof answer === 'string') return { kind: 'error', text: answer };
    if (!answer) return { kind: 'selector', of, expression };
  }
  if (device.slice.spec.perDeviceNodeSelection === true && !matchesNode(device.device, node)) return { kind: 'node' };
  const owner = taken.devices.get(id);
  if (owner !== undefined && !request.isAdmin) return { kind: 'taken', by: owner };
  if (featureGates.has('DRAConsumableCapacity')) {
    const amounts = taken.capacity.get(id) ?? noAmounts;
    if (!fitsCapacity(request.capacity, device.device, amounts, noAmounts)) return { kind: 'capacity' };
  }
  if ((device.device.consumesCounters ?? []).length > 0) {
    const counters = new AvailableCounters((each) => taken.devices.has(each) || taken.capacity.has(each));
    if (!featureGates.has('DRAPartitionableDevices') || !new ConsumedCounters(counters).take(device)) {
      return { kind: 'counters' };
    }
  }
  const taint = featureGates.has('DRADeviceTaints') ? untolerated(device.device, request.tolerations) : undefined;
  if (taint !== undefined) {
    return { kind: 'taint', key: taint.key, value: taint.value ?? '', effect: taint.effect };
  }
  return null;
}
