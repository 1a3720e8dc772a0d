import { compareText } from '../util/words.ts';
import { labelValue } from './labels.ts';
import type { PersistentVolumeClaim, StorageClass } from './objects.ts';

/** Source: pkg/apis/core/annotation_key_constants.go (BetaStorageClassAnnotation) */
export const betaStorageClass = 'volume.beta.kubernetes.io/storage-class';

/** Source: GetPersistentVolumeClaimClass; the beta annotation wins. */
export function classOfClaim({ metadata, spec }: PersistentVolumeClaim): string {
  return labelValue(metadata?.annotations, betaStorageClass) ?? spec?.storageClassName ?? '';
}

/** Whether the claim names a class, be it the empty one. Source: pkg/apis/core/helper (PersistentVolumeClaimHasClass) */
export function hasClass({ metadata, spec }: PersistentVolumeClaim): boolean {
  return labelValue(metadata?.annotations, betaStorageClass) !== undefined || spec?.storageClassName !== undefined;
}

/**
 * Claims as the API server stores them: those that name no class get the default one.
 * Source: plugin/pkg/admission/storage/storageclass/setdefault/admission.go
 */
export function withDefaultClass(
  claims: readonly PersistentVolumeClaim[],
  classes: readonly StorageClass[],
): readonly PersistentVolumeClaim[] {
  const usual = defaultClass(classes);
  if (usual === null) return claims;
  return claims.map((claim) =>
    hasClass(claim) ? claim : { ...claim, spec: { ...claim.spec, storageClassName: usual } },
  );
}

/** The newest of those marked so. Source: pkg/volume/util/storageclass.go (GetDefaultClass) */
function defaultClass(classes: readonly StorageClass[]): string | null {
  const marked = classes.filter(({ metadata }) =>
    defaultMarks.some((mark) => labelValue(metadata?.annotations, mark) === 'true'),
  );
  const [first] = marked.sort(
    (a, b) => createdAt(b) - createdAt(a) || compareText(a.metadata?.name ?? '', b.metadata?.name ?? ''),
  );
  return first === undefined ? null : (first.metadata?.name ?? null);
}

/** Source: IsDefaultStorageClassAnnotation, BetaIsDefaultStorageClassAnnotation */
const defaultMarks = [
  'storageclass.kubernetes.io/is-default-class',
  'storageclass.beta.kubernetes.io/is-default-class',
];

function createdAt({ metadata }: StorageClass): number {
  return Date.parse(metadata?.creationTimestamp ?? '') || 0;
}
