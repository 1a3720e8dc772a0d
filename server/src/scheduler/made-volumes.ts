import { classOfClaim } from '../kubernetes/storage-class-of.ts';
import { keyOf } from '../kubernetes/names.ts';
import { labelValue } from '../kubernetes/labels.ts';
import type { NodeSelectorTerm, PersistentVolume, PersistentVolumeClaim, StorageClass } from '../kubernetes/objects.ts';
import type { ClusterState } from './framework/cluster-state.ts';
import type { NodeInfo } from './framework/node-info.ts';
import type { PodInfo } from './framework/pod-info.ts';
import { driverOfProvisioner } from './plugins/in-tree-volumes.ts';
import { claimOf, claimUsesOf, selectedNode } from './plugins/volume-claims.ts';
import { bound } from './plugins/volume-matching.ts';

/** A new volume for the claim, which any one of the `topologies` reaches; every node if there are none. */
export function madeFor(
  claim: PersistentVolumeClaim,
  storageClass: StorageClass | undefined,
  topologies: readonly NodeSelectorTerm[],
): PersistentVolume {
  const name = `pvc-${keyOf(claim).replace('/', '-')}`;
  const maker = driverOfProvisioner(storageClass?.provisioner ?? '');
  const { accessModes, resources, volumeMode } = claim.spec ?? {};
  return {
    apiVersion: 'v1',
    kind: 'PersistentVolume',
    metadata: { name },
    spec: {
      storageClassName: classOfClaim(claim),
      ...(accessModes === undefined ? {} : { accessModes }),
      ...(resources?.requests === undefined ? {} : { capacity: resources.requests }),
      ...(volumeMode === undefined ? {} : { volumeMode }),
      ...(maker === null ? {} : { csi: { driver: maker.driver, volumeHandle: name } }),
      ...(topologies.length === 0 ? {} : { nodeAffinity: { required: { nodeSelectorTerms: [...topologies] } } }),
    },
  };
}

/** Where volumes of the class may lie. */
export function classTopologies(storageClass: StorageClass | undefined): readonly NodeSelectorTerm[] {
  return (storageClass?.allowedTopologies ?? []).map(({ matchLabelExpressions = [] }) => ({
    matchExpressions: matchLabelExpressions.map(({ key, values }) => ({ key, operator: 'In', values })),
  }));
}

/**
 * The provisioners have done their work for a pod that was bound to `node`: volumes are made for the claims that waited
 * for it. A volume lies in the node's topology as the driver there divides nodes (CSINode), or else as its class says.
 * Source: https://kubernetes-csi.github.io/docs/topology.html (external-provisioner)
 */
export function provisionFor({ objects }: ClusterState, pod: PodInfo, node: NodeInfo): void {
  for (const use of claimUsesOf(pod)) {
    const claim = claimOf(objects, pod, use);
    if (claim === undefined || (claim.spec?.volumeName ?? '') !== '') continue;
    if (labelValue(claim.metadata?.annotations, selectedNode) !== node.name) continue;
    const storageClass = objects.fixed.storageClasses.get(classOfClaim(claim));
    const driver = driverOfProvisioner(storageClass?.provisioner ?? '')?.driver;
    const drivers = objects.fixed.csiNodes.get(node.name)?.spec.drivers ?? [];
    const keys = drivers.find(({ name }) => name === driver)?.topologyKeys ?? [];
    const segment = keys.flatMap((key) => {
      const value = labelValue(node.facts.labels, key);
      return value === undefined ? [] : [{ key, operator: 'In' as const, values: [value] }];
    });
    const topologies = segment.length === 0 ? classTopologies(storageClass) : [{ matchExpressions: segment }];
    const pair = bound(madeFor(claim, storageClass, topologies), claim);
    objects.persistentVolumes.set(pair.volume.metadata?.name ?? '', pair.volume);
    objects.persistentVolumeClaims.set(keyOf(pair.claim), pair.claim);
  }
}
