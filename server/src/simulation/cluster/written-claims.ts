import { compareText } from '../../util/words.ts';
import { claimRangeProblems, refusalText } from '../../admission/request/limit-ranger.ts';
import { keyOf, namespaceOf } from '../../kubernetes/names.ts';
import type { LimitRange, PersistentVolumeClaim, ResourceQuota, StorageClass } from '../../kubernetes/objects.ts';
import { withDefaultClass } from '../../kubernetes/storage-class-of.ts';
import { Quotas } from './quotas.ts';

/** The claims that are written. */
export interface WrittenClaims {
  readonly inCluster: readonly PersistentVolumeClaim[];
  /** Those that the API server takes. */
  readonly created: readonly PersistentVolumeClaim[];
  /** Its answers to the others, which a LimitRange refuses or for which a quota has no room, by `namespace/name`. */
  readonly refused: ReadonlyMap<string, string>;
}

/** Creates claims, in the order of their names, where the cluster does not have them. */
export function writtenClaims(
  claims: readonly PersistentVolumeClaim[],
  known: ReadonlySet<string>,
  quotas: readonly ResourceQuota[],
  ranges: readonly LimitRange[],
  classes: readonly StorageClass[],
): WrittenClaims {
  const isInCluster = (claim: PersistentVolumeClaim): boolean =>
    claim.metadata?.uid !== undefined || claim.status?.phase !== undefined || known.has(keyOf(claim));
  const inCluster = claims.filter(isInCluster);
  const created = claims.filter((claim) => !isInCluster(claim));
  const refused = new Map<string, string>();
  if (quotas.length + ranges.length === 0 || created.length === 0) return { inCluster, created, refused };
  const counted = new Quotas(quotas, inCluster);
  for (const claim of withDefaultClass(created, classes).toSorted((a, b) => compareText(keyOf(a), keyOf(b)))) {
    const own = ranges.filter((range) => namespaceOf(range) === namespaceOf(claim));
    const outOfRange = refusalText('persistentvolumeclaims', claim, claimRangeProblems(claim, own));
    const refusal = outOfRange === '' ? counted.create(claim) : outOfRange;
    if (refusal !== null) refused.set(keyOf(claim), refusal);
  }
  return { inCluster, created: created.filter((claim) => !refused.has(keyOf(claim))), refused };
}
