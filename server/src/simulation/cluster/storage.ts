import { keyOf } from '../../kubernetes/names.ts';
import { ephemeralClaimsOf } from '../../kubernetes/ephemeral-claims.ts';
import type { PersistentVolumeClaim } from '../../kubernetes/objects.ts';
import { classOfClaim, withDefaultClass } from '../../kubernetes/storage-class-of.ts';
import { settleStorage } from '../../scheduler/index.ts';
import type { Inventory } from './inventory.ts';
import type { SimulatedWorkload } from './workload-set.ts';

/**
 * The claims and volumes of a simulation before its pods are scheduled: those that are written, the claims that workloads
 * and ephemeral volumes bring, and volumes for what need not wait for a pod.
 */
export function storageOf(
  inventory: Inventory,
  workloads: readonly SimulatedWorkload[],
): ReturnType<typeof settleStorage> {
  const claims = new Map<string, PersistentVolumeClaim>();
  const brought = workloads.flatMap(({ made, existing, missing }) => [
    ...made.claims,
    ...existing.flatMap(({ object }) => (object.spec?.nodeName === undefined ? ephemeralClaimsOf(object) : [])),
    ...missing.flatMap(ephemeralClaimsOf),
  ]);
  // What is written comes first: a controller leaves a claim alone that is there.
  for (const claim of [...inventory.claims.inCluster, ...inventory.claims.created, ...brought]) {
    const key = keyOf(claim);
    if (!claims.has(key)) claims.set(key, claim);
  }
  const classes = inventory.ofKind('StorageClass');
  return settleStorage({
    claims: [...claims.values()],
    volumes: inventory.objects('PersistentVolume'),
    classes: classes.map(({ object }) => object),
    knowsAllClasses:
      inventory.earlierCluster?.hasSnapshot !== false && classes.some(({ source }) => source === 'snapshot'),
  });
}

/** Claims without a volume, of classes that wait for the first pod that the scheduler places. */
export function lateClaims(inventory: Inventory): Set<string> {
  const classes = inventory.objects('StorageClass');
  const waiting = new Set(
    classes
      .filter(({ volumeBindingMode }) => volumeBindingMode === 'WaitForFirstConsumer')
      .map(({ metadata }) => metadata?.name ?? ''),
  );
  if (waiting.size === 0) return new Set();
  return new Set(
    withDefaultClass(inventory.objects('PersistentVolumeClaim'), classes)
      .filter((claim) => (claim.spec?.volumeName ?? '') === '' && waiting.has(classOfClaim(claim)))
      .map((claim) => keyOf(claim)),
  );
}
