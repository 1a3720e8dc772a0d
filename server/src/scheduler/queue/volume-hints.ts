import { namespaceOf } from '../../kubernetes/names.ts';
import { labelValue } from '../../kubernetes/labels.ts';
import type { CSINode, PersistentVolumeClaim } from '../../kubernetes/objects.ts';
import type { PodInfo } from '../framework/pod-info.ts';
import { isOfOldPlugin, movedPlugins } from '../plugins/in-tree-volumes.ts';
import { claimUsesOf } from '../plugins/volume-claims.ts';
import { topologyKeys } from '../plugins/volume-zone.ts';
import { hasDiskConflict } from '../plugins/volume-restrictions.ts';
import { always, type Hints } from './hint.ts';

/** Source: volumerestrictions/volume_restrictions.go (isSchedulableAfterPodDeleted, …PersistentVolumeClaimAdded) */
export const volumeRestrictionsHints: Hints = {
  podDeleted: (waiting, { pod }) =>
    pod.namespace === waiting.namespace && (hasDiskConflict(waiting, pod) || sharesClaim(waiting, pod)),
  nodeAdded: always,
  claimAdded: (waiting, { claim }) => names(waiting, claim),
};

/** Source: nodevolumelimits/csi.go (isSchedulableAfterPodDeleted, isSchedulableAfterPVCAdded) */
export const nodeVolumeLimitsHints: Hints = {
  podDeleted: (_waiting, { pod }) =>
    pod.nodeName !== '' && (claimUsesOf(pod).length > 0 || (pod.pod.spec?.volumes ?? []).some(isOfOldPlugin)),
  claimAdded: uses,
  csiNodeAdded: always,
  csiNodeChanged: (_waiting, { before, csiNode }) => {
    const limits = limitsOf(before);
    return [...limitsOf(csiNode)].some(([driver, limit]) => limit > (limits.get(driver) ?? Infinity));
  },
};

/** How many volumes each driver can attach, where it says. */
function limitsOf({ spec }: CSINode): ReadonlyMap<string, number> {
  return new Map(
    spec.drivers.flatMap(({ name, allocatable }) =>
      allocatable?.count === undefined ? [] : [[name, allocatable.count]],
    ),
  );
}

/** Source: volumebinding/volume_binding.go (EventsToRegister and its hints) */
export const volumeBindingHints: Hints = {
  nodeAdded: always,
  'node:labels': always,
  claimAdded: uses,
  claimChanged: uses,
  volumeAdded: always,
  volumeChanged: always,
  storageClassAdded: always,
  storageClassChanged: (_waiting, { before, storageClass }) =>
    JSON.stringify(before.allowedTopologies) !== JSON.stringify(storageClass.allowedTopologies),
  csiNodeAdded: always,
  csiNodeChanged: (_waiting, { before, csiNode }) => movedPlugins(before) !== movedPlugins(csiNode),
};

/** Source: volumezone/volume_zone.go (EventsToRegister and its hints) */
export const volumeZoneHints: Hints = {
  nodeAdded: always,
  'node:labels': always,
  claimAdded: (waiting, { claim }) => names(waiting, claim),
  claimChanged: (waiting, { claim }) => names(waiting, claim),
  volumeAdded: always,
  volumeChanged: (_waiting, { before, volume }) =>
    topologyKeys.some((key) => labelValue(before.metadata?.labels, key) !== labelValue(volume.metadata?.labels, key)),
  storageClassAdded: (_waiting, { storageClass }) => storageClass.volumeBindingMode === 'WaitForFirstConsumer',
};

/** Whether a volume of the pod names the claim. */
function names(pod: PodInfo, claim: PersistentVolumeClaim): boolean {
  return (
    mountsClaim(pod, claim) &&
    claimUsesOf(pod).some(({ ephemeral, claimName }) => !ephemeral && claimName === claim.metadata?.name)
  );
}

/** Whether the claim is one that a volume of the pod names, or that is made for an ephemeral volume of it. */
function uses(pod: PodInfo, { claim }: { readonly claim: PersistentVolumeClaim }): boolean {
  return mountsClaim(pod, claim) && claimUsesOf(pod).some(({ claimName }) => claimName === claim.metadata?.name);
}

function mountsClaim({ namespace }: PodInfo, claim: PersistentVolumeClaim): boolean {
  return namespaceOf(claim) === namespace;
}

/** A claim that only one pod may use is freed by its user. Whether it is such a claim upstream does not look up. */
function sharesClaim(waiting: PodInfo, gone: PodInfo): boolean {
  const claims = new Set(claimUsesOf(waiting).flatMap(({ ephemeral, claimName }) => (ephemeral ? [] : [claimName])));
  return claimUsesOf(gone).some(({ ephemeral, claimName }) => !ephemeral && claims.has(claimName));
}
