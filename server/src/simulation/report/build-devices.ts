import type { ReportDevice } from '../../report-model/report.ts';
import { keyOf } from '../../kubernetes/names.ts';
import type { ResourceClaim } from '../../kubernetes/objects.ts';
import { type OfferedDevice, offeredDevices } from '../../scheduler/index.ts';
import { getOrInsert } from '../../util/maps.ts';
import { CountersLeft, deviceId, leftOfShared } from './devices-left.ts';
import type { Recorder } from '../run/recorder.ts';
import type { Run } from '../run/run.ts';
import type { SimulatedCluster } from '../cluster/simulated-cluster.ts';

/** Attributes and capacities that are told of a device. */
const mostTold = 8;

/** The devices of the nodes, and which claims and pods have them. */
export function buildDevices(simulated: SimulatedCluster, run: Run, recorder: Recorder): readonly ReportDevice[] {
  const { state } = run.cluster;
  const offered = offeredDevices(state);
  if (offered.length === 0) return [];
  const nodes = new Map(simulated.nodes.map(({ name }, index) => [name, index]));
  const pods = new Map(recorder.pods.map(({ pod }, index) => [pod.key, index]));
  const before = claimsByDevice(simulated.inventory.objects('ResourceClaim'));
  const after = claimsByDevice(state.objects.resourceClaims);
  const { featureGates } = state.release;
  const areShared = featureGates.has('DRAConsumableCapacity');
  const counters = new CountersLeft(state.objects.fixed.resourceSlices, (id) => after.has(id));
  return offered.map(({ slice, device, classes }) => {
    const { driver, pool, nodeName } = slice.spec;
    const id = deviceId(slice, device);
    const claims = after.get(id) ?? [];
    const users = claims.flatMap((claim) =>
      (claim.status?.reservedFor ?? []).flatMap(
        ({ name }) => pods.get(`${claim.metadata?.namespace ?? 'default'}/${name}`) ?? [],
      ),
    );
    return {
      node: nodes.get(nodeName ?? device.nodeName ?? '') ?? null,
      driver,
      pool: pool.name,
      name: device.name,
      classes,
      has: amountsOf(device),
      before: (before.get(id) ?? []).map(keyOf),
      after: claims.map(keyOf),
      left: areShared && device.allowMultipleAllocations === true ? leftOfShared(id, device, claims) : [],
      isCut: claims.length === 0 && counters.lack(slice, device),
      pods: [...new Set(users)],
    };
  });
}

/** `driver/pool/name` → the claims that have it, or a part of it. Who only watches has nothing. */
function claimsByDevice(claims: Iterable<ResourceClaim>): ReadonlyMap<string, readonly ResourceClaim[]> {
  const found = new Map<string, ResourceClaim[]>();
  for (const claim of claims) {
    for (const { driver, pool, device, adminAccess } of claim.status?.allocation?.devices?.results ?? []) {
      if (adminAccess === true) continue;
      const id = `${driver}/${pool}/${device}`;
      const others = getOrInsert(found, id, () => []);
      if (others.at(-1) !== claim) others.push(claim);
    }
  }
  return found;
}

function amountsOf({ attributes = {}, capacity = {} }: OfferedDevice['device']): readonly string[] {
  const plain = (name: string): string => name.slice(name.indexOf('/') + 1);
  return [
    ...Object.entries(attributes).map(([name, { int, bool, string, version }]) => {
      const value = int ?? bool ?? string ?? version;
      return value === undefined ? plain(name) : `${plain(name)} ${String(value)}`;
    }),
    ...Object.entries(capacity).map(([name, { value }]) => `${plain(name)} ${value}`),
  ].slice(0, mostTold);
}
