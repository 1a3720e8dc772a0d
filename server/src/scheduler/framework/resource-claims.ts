import type { ResourceClaim } from '../../kubernetes/objects.ts';
import type { Release } from '../../kubernetes/release.ts';
import type { PodInfo } from './pod-info.ts';
import type { StoredObjects } from './stored-objects.ts';

/** The claims of a pod in the order of its entries, one that is named twice twice; or the text with which it is held back. */
export type PodClaims = { readonly claims: readonly ResourceClaim[] } | { readonly problem: string };

const noClaims: PodClaims = { claims: [] };

/**
 * Finds the claims that a pod names. The scheduler asks before it queues the pod, and again in each attempt.
 * Source: foreachPodResourceClaim in pkg/scheduler/framework/plugins/dynamicresources/dynamicresources.go;
 * staging/src/k8s.io/dynamic-resource-allocation/resourceclaim/claim.go (Name, IsForPod)
 */
export function claimsOf(objects: StoredObjects, pod: PodInfo, { devices }: Release): PodClaims {
  const { spec, status, metadata } = pod.pod;
  const named = spec?.resourceClaims ?? [];
  if (named.length === 0) return noClaims;
  const claims: ResourceClaim[] = [];
  for (const { name, resourceClaimName, resourceClaimTemplateName } of named) {
    let claimName = resourceClaimName;
    if (claimName === undefined) {
      if (resourceClaimTemplateName === undefined) {
        return {
          problem: `pod "${pod.key}", spec.resourceClaim ${JSON.stringify(name)}: none of the supported fields are set`,
        };
      }
      const made = status?.resourceClaimStatuses?.find((each) => each.name === name);
      if (made === undefined) return { problem: `pod "${pod.key}": ResourceClaim not created yet` };
      // The controller can decide that no claim is needed.
      if (made.resourceClaimName === undefined) continue;
      claimName = made.resourceClaimName;
    }
    const key = `${pod.namespace}/${claimName}`;
    const claim = objects.resourceClaim(key);
    if (claim === undefined) return { problem: `could not find ResourceClaim "${key}"` };
    if (claim.metadata?.deletionTimestamp !== undefined) {
      return { problem: `resourceclaim "${claimName}" is being deleted` };
    }
    const owner = claim.metadata?.ownerReferences?.find(({ controller }) => controller === true)?.uid;
    // Of a pod that is written by hand nobody knows the uid.
    if (resourceClaimName === undefined && metadata?.uid !== undefined && owner !== pod.uid) {
      const word = devices.writesPodLarge ? 'Pod' : 'pod';
      return { problem: `ResourceClaim ${key} was not created for ${word} ${pod.key} (${word} is not owner)` };
    }
    claims.push(claim);
  }
  return { claims };
}
