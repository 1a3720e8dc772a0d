import { reviewQuotas, unusedQuota } from '../../admission/quota/quota.ts';
import { ephemeralClaimsOf } from '../../kubernetes/ephemeral-claims.ts';
import { keyOf, namespaceOf } from '../../kubernetes/names.ts';
import { readResourceList } from '../../kubernetes/pod-resources.ts';
import { addQuantities, compareQuantities, type Quantity, subtractQuantities } from '../../kubernetes/quantity.ts';
import type { PersistentVolumeClaim, StatefulSet } from '../../kubernetes/objects.ts';
import { withDefaultClass } from '../../kubernetes/storage-class-of.ts';
import type { SimulatedWorkload } from '../cluster/workload-set.ts';
import type { Run } from '../run/run.ts';
import type { SimulatedCluster } from '../cluster/simulated-cluster.ts';
import type { SimulatedPod } from '../cluster/simulated-pod.ts';

/** How many more pods of a kind a ResourceQuota of their namespace lets in. */
export interface QuotaRoom {
  /** `namespace/name` */
  readonly quota: string;
  readonly more: number;
  /** What it runs out of first; empty where it refuses the pod whatever is used. */
  readonly resource: string;
  /** The refusal of a pod that it never lets in; else empty. */
  readonly message: string;
}

/**
 * What quotas leave for more pods like one. Used is what the pods of the run ask for, or what the quota's status says
 * where that is more.
 */
export function quotaRooms(
  { inventory, workloads }: SimulatedCluster,
  run: Run,
  one: SimulatedPod,
): readonly QuotaRoom[] {
  const { namespace } = one.info;
  const quotas = inventory.objects('ResourceQuota').filter((quota) => namespaceOf(quota) === namespace);
  if (quotas.length === 0) return [];
  const { fixed, persistentVolumeClaims } = run.cluster.state.objects;
  const classes = [...fixed.storageClasses.values()];
  const claims = [...claimsOf(workloads[one.workload]), ...withDefaultClass(ephemeralClaimsOf(one.pod), classes)];
  const pods = [...run.pods.all()].filter(
    (pod) => pod.info.namespace === namespace && charged.has(run.place(pod).state),
  );
  const counted = new Set([...inventory.claims.inCluster, ...inventory.claims.created].map(keyOf));
  for (const { pod } of pods) {
    for (const claim of ephemeralClaimsOf(pod)) counted.add(keyOf(claim));
    for (const { persistentVolumeClaim } of pod.spec?.volumes ?? []) {
      counted.add(`${namespace}/${persistentVolumeClaim?.claimName ?? ''}`);
    }
  }
  const there = [...persistentVolumeClaims.values()].filter(
    (claim) => namespaceOf(claim) === namespace && counted.has(keyOf(claim)),
  );
  return quotas.flatMap((quota): QuotaRoom[] => {
    const empty = unusedQuota(quota);
    const reviews = [one.pod, ...claims].map((each) => reviewQuotas(each, [empty]));
    const own = reviews.flatMap(({ verdicts }) => verdicts).filter(({ matches }) => matches);
    if (own.length === 0) return [];
    const refusal = reviews.find((review) => review.refusal !== undefined)?.refusal;
    if (refusal !== undefined) return [{ quota: keyOf(quota), more: 0, resource: '', message: refusal }];
    const used = new Map<string, Quantity>();
    for (const each of [...pods.map(({ pod }) => pod), ...there]) {
      for (const [resource, amount] of reviewQuotas(each, [empty]).verdicts[0]?.charged ?? []) {
        used.set(resource, sumOf(used.get(resource), amount));
      }
    }
    for (const [resource, amount] of readResourceList(quota.status?.used)) {
      const counted = used.get(resource);
      if (counted === undefined || compareQuantities(counted, amount) < 0) used.set(resource, amount);
    }
    const asked = new Map<string, Quantity>();
    for (const [resource, amount] of own.flatMap(({ charged: each }) => [...each])) {
      asked.set(resource, sumOf(asked.get(resource), amount));
    }
    const hard = readResourceList(quota.spec?.hard);
    const rooms = [...asked].flatMap(([resource, amount]) => {
      const limit = hard.get(resource);
      if (limit === undefined || amount.nanos <= 0n) return [];
      const taken = used.get(resource);
      const left = taken === undefined ? limit : subtractQuantities(limit, taken);
      return [{ resource, more: left.nanos <= 0n ? 0 : Number(left.nanos / amount.nanos) }];
    });
    const [least] = rooms.sort((a, b) => a.more - b.more);
    return least === undefined ? [] : [{ quota: keyOf(quota), message: '', ...least }];
  });
}

function sumOf(before: Quantity | undefined, amount: Quantity): Quantity {
  return before === undefined ? amount : addQuantities(before, amount);
}

/** The claims that a StatefulSet makes for one pod. */
function claimsOf(workload: SimulatedWorkload | undefined): readonly PersistentVolumeClaim[] {
  const declared = workload?.declared?.object;
  if (declared?.kind !== 'StatefulSet') return [];
  const { volumeClaimTemplates = [] } = (declared as StatefulSet).spec ?? {};
  return workload?.made.claims.slice(0, volumeClaimTemplates.length) ?? [];
}

/** Pods in these states are there, and have not ended. */
const charged: ReadonlySet<string> = new Set(['running', 'pending', 'nominated', 'gated', 'terminating']);
