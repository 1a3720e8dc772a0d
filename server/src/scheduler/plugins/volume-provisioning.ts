import { compileLabelSelector, compileRequirements, type Labels } from '../../kubernetes/labels.ts';
import type { CSIStorageCapacity, PersistentVolumeClaim, StorageClass } from '../../kubernetes/objects.ts';
import { isQuantityError, parseQuantity, quantityValue } from '../../kubernetes/quantity.ts';
import type { NodeInfo } from '../framework/node-info.ts';
import type { StoredObjects } from '../framework/stored-objects.ts';
import { classOfClaim } from './volume-claims.ts';

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

/** Only drivers that ask for it have their capacity looked at. Source: hasEnoughCapacity */
function hasCapacity(
  { fixed }: StoredObjects,
  claim: PersistentVolumeClaim,
  storageClass: StorageClass,
  labels: Labels,
): boolean {
  const request = claim.spec?.resources?.requests?.['storage'];
  if (request === undefined) return true;
  if (fixed.csiDrivers.get(storageClass.provisioner)?.spec.storageCapacity !== true) return true;
  const size = bytesOf(request) ?? 0n;
  return fixed.csiStorageCapacities.some((capacity) => {
    if (capacity.storageClassName !== storageClass.metadata?.name) return false;
    const limit = limitOf(capacity);
    return limit !== null && limit >= size && compileLabelSelector(capacity.nodeTopology).matches(labels);
  });
}

/** The size of the largest volume, in bytes; null when it is not known. Source: volumeLimit */
function limitOf({ maximumVolumeSize, capacity }: CSIStorageCapacity): bigint | null {
  const text = maximumVolumeSize ?? capacity;
  return text === undefined ? null : bytesOf(text);
}

function bytesOf(text: string | number): bigint | null {
  const quantity = parseQuantity(text);
  return isQuantityError(quantity) ? null : quantityValue(quantity);
}
