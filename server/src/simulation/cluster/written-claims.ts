import { compareText } from '../../util/words.ts';
import { keyOf } from '../../kubernetes/names.ts';
import type { PersistentVolumeClaim, ResourceQuota, StorageClass } from '../../kubernetes/objects.ts';
import { withDefaultClass } from '../../kubernetes/storage-class-of.ts';
import { Quotas } from './quotas.ts';

/** The claims that are written. */
export interface WrittenClaims {
  readonly inCluster: readonly PersistentVolumeClaim[];
  /** Those that the API server takes. */
  readonly created: readonly PersistentVolumeClaim[];
  /** Its answers to the others, for which a quota has no room, by `namespace/name`. */
  readonly refused: ReadonlyMap<string, string>;
}

/** Creates claims, in the order of their names, where the cluster does not have them. */
export function writtenClaims(
  claims: readonly PersistentVolumeClaim[],
  known: ReadonlySet<string>,
  quotas: readonly ResourceQuota[],
  classes: readonly StorageClass[],
): WrittenClaims {
  const isInCluster = (claim: PersistentVolumeClaim): boolean =>
    claim.metadata?.uid !== undefined || claim.status?.phase !== undefined || known.has(keyOf(claim));
  const inCluster = claims.filter(isInCluster);
  const created = claims.filter((claim) => !isInCluster(claim));
  const refused = new Map<string, string>();
  if (quotas.length === 0 || created.length === 0) return { inCluster, created, refused };
  const counted = new Quotas(quotas, inCluster);
  for (const claim of withDefaultClass(created, classes).toSorted((a, b) => compareText(keyOf(a), keyOf(b)))) {
    const refusal = counted.create(claim);
    if (refusal !== null) refused.set(keyOf(claim), refusal);
  }
  return { inCluster, created: created.filter((claim) => !refused.has(keyOf(claim))), refused };
}
