import { keyOf } from '../kubernetes/names.ts';
import type { ResourceClaim } from '../kubernetes/objects.ts';
import type { ClusterState } from './framework/cluster-state.ts';
import { changedPod, type PodInfo } from './framework/pod-info.ts';
import { deallocated, withoutUser } from './plugins/claim-binding.ts';
import type { ClusterEvent } from './queue/cluster-event.ts';

/**
 * The pod with the claims that are made for it of templates, and these in the cluster. A claim whose template is missing
 * is not made. In a cluster the name ends with random letters.
 * Source: pkg/controller/resourceclaim/controller.go (handleClaim)
 */
export function withMadeClaims(cluster: ClusterState, pod: PodInfo): PodInfo {
  const { objects } = cluster;
  const statuses = [...(pod.pod.status?.resourceClaimStatuses ?? [])];
  for (const { name, resourceClaimTemplateName } of pod.pod.spec?.resourceClaims ?? []) {
    if (resourceClaimTemplateName === undefined || statuses.some((each) => each.name === name)) continue;
    const template = objects.fixed.resourceClaimTemplates.get(`${pod.namespace}/${resourceClaimTemplateName}`);
    if (template === undefined) continue;
    const claimName = freeName(cluster, pod.namespace, `${pod.name}-${name}`);
    const { labels, annotations } = template.spec.metadata ?? {};
    objects.putResourceClaim({
      apiVersion: 'resource.k8s.io/v1',
      kind: 'ResourceClaim',
      metadata: {
        name: claimName,
        namespace: pod.namespace,
        ...(labels === undefined ? {} : { labels }),
        ...(annotations === undefined ? {} : { annotations }),
        ownerReferences: [{ apiVersion: 'v1', kind: 'Pod', name: pod.name, uid: pod.uid, controller: true }],
      },
      spec: template.spec.spec,
    });
    statuses.push({ name, resourceClaimName: claimName });
  }
  if (statuses.length === (pod.pod.status?.resourceClaimStatuses ?? []).length) return pod;
  return changedPod(pod, { pod: { ...pod.pod, status: { ...pod.pod.status, resourceClaimStatuses: statuses } } });
}

function freeName({ objects }: ClusterState, namespace: string, wanted: string): string {
  for (let number = 1; ; number++) {
    const name = number === 1 ? wanted : `${wanted}-${number}`;
    if (objects.resourceClaim(`${namespace}/${name}`) === undefined) return name;
  }
}

/**
 * A pod is gone: claims that were made for it go with it, and others that no pod uses any more lose their devices.
 * Source: pkg/controller/resourceclaim/controller.go (syncClaim), and the garbage collector
 */
export function releaseClaims({ objects }: ClusterState, pod: PodInfo): readonly ClusterEvent[] {
  if (!mayUseClaims(pod)) return [];
  const used = [...objects.resourceClaims].filter((claim) => uses(claim, pod) || isOwned(claim, pod));
  return used.flatMap((before): ClusterEvent[] => {
    const left = withoutUser(before, pod.uid);
    if (isOwned(before, pod)) {
      objects.removeResourceClaim(keyOf(before));
      const claim = deallocated(left);
      return before.status?.allocation === undefined ? [] : [{ kind: 'resourceClaimChanged', before, claim }];
    }
    const isUnused = (left.status?.reservedFor ?? []).length === 0;
    const claim = isUnused ? deallocated(left) : left;
    objects.putResourceClaim(claim);
    return [{ kind: 'resourceClaimChanged', before, claim }];
  });
}

/** Claims for extended resources are not named by the pod. */
function mayUseClaims({ pod, requests }: PodInfo): boolean {
  return (pod.spec?.resourceClaims ?? []).length > 0 || requests.scalars.size > 0;
}

function uses({ status }: ResourceClaim, { uid }: PodInfo): boolean {
  return (status?.reservedFor ?? []).some((user) => user.uid === uid);
}

function isOwned({ metadata }: ResourceClaim, { uid }: PodInfo): boolean {
  return metadata?.ownerReferences?.some((owner) => owner.controller === true && owner.uid === uid) === true;
}
