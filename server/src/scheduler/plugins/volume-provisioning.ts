import { classOfClaim } from '../../kubernetes/storage-class-of.ts';
import { compileLabelSelector, compileRequirements, type Labels } from '../../kubernetes/labels.ts';
import type { CSIStorageCapacity, PersistentVolumeClaim, StorageClass } from '../../kubernetes/objects.ts';
import { isQuantityError, parseQuantity, quantityValue } from '../../kubernetes/quantity.ts';
import type { NodeInfo } from '../framework/node-info.ts';
import type { StoredObjects } from '../framework/stored-objects.ts';

/** Source: staging/src/k8s.io/component-helpers/storage/volume/pv_helpers.go (NotSupportedProvisioner) */
export const noProvisioner = 'kubernetes.io/no-provisioner';

/**
 * Whether new volumes could be made for the claims on the node: the first claim for which not says why.
 * Source: pkg/scheduler/framework/plugins/volumebinding/binder.go (checkVolumeProvisions)
 */
export function canProvision(
  objects: StoredObjects,
  claims: readonly PersistentVolumeClaim[],
  node: NodeInfo,
): 'yes' | 'no' | 'not enough storage' {
  for (const claim of claims) {
    const storageClass = objects.fixed.storageClasses.get(classOfClaim(claim));
    if (storageClass === undefined) return 'no';
    if (storageClass.provisioner === '' || storageClass.provisioner === noProvisioner) return 'no';
    if (!allowsTopology(storageClass, node.facts.labels)) return 'no';
    if (!hasCapacity(objects, claim, storageClass, node.facts.labels)) return 'not enough storage';
  }
  return 'yes';
}

/** Source: pkg/apis/core/v1/helper/helpers.go (MatchTopologySelectorTerms) */
export function allowsTopology({ allowedTopologies = [] }: StorageClass, labels: Labels): boolean {
  if (allowedTopologies.length === 0) return true;
  return allowedTopologies.some(({ matchLabelExpressions = [] }) => {
    if (matchLabelExpressions.length === 0) return false;
    const requirements = matchLabelExpressions.map(({ key, values }) => ({ key, operator: 'In' as const, values }));
    return compileRequirements(requirements).matches(labels);
  });
}

/** Source: hasEnoughCapacity */
function hasCapacity(
  objects: StoredObjects,
  claim: PersistentVolumeClaim,
  storageClass: StorageClass,
  labels: Labels,
): boolean {
  return capacityFor(objects, claim, storageClass, labels) !== null;
}

/**
 * What says that there is room for the claim: null where nothing does, undefined where nobody asks. Only drivers that want
 * it have their capacity looked at. Of several that say so, the real scheduler takes any.
 */
export function capacityFor(
  { fixed }: StoredObjects,
  claim: PersistentVolumeClaim,
  storageClass: StorageClass,
  labels: Labels,
): CSIStorageCapacity | null | undefined {
  const request = claim.spec?.resources?.requests?.['storage'];
  if (request === undefined) return undefined;
  if (fixed.csiDrivers.get(storageClass.provisioner)?.spec.storageCapacity !== true) return undefined;
  const size = bytesOf(request) ?? 0n;
  const found = fixed.csiStorageCapacities.find((capacity) => {
    if (capacity.storageClassName !== storageClass.metadata?.name) return false;
    const limit = limitOf(capacity);
    return limit !== null && limit >= size && compileLabelSelector(capacity.nodeTopology).matches(labels);
  });
  return found ?? null;
}

/** The size of the largest volume, in bytes; null when it is not known. Source: volumeLimit */
function limitOf({ maximumVolumeSize, capacity }: CSIStorageCapacity): bigint | null {
  const text = maximumVolumeSize ?? capacity;
  return text === undefined ? null : bytesOf(text);
}

export function bytesOf(text: string | number): bigint | null {
  const quantity = parseQuantity(text);
  return isQuantityError(quantity) ? null : quantityValue(quantity);
}
