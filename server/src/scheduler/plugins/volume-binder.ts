import { classOfClaim } from '../../kubernetes/storage-class-of.ts';
import { keyOf } from '../../kubernetes/names.ts';
import { labelValue } from '../../kubernetes/labels.ts';
import type { PersistentVolume, PersistentVolumeClaim } from '../../kubernetes/objects.ts';
import { compareQuantities } from '../../kubernetes/quantity.ts';
import type { NodeInfo } from '../framework/node-info.ts';
import type { PodInfo } from '../framework/pod-info.ts';
import type { StoredObjects } from '../framework/stored-objects.ts';
import { bindCompleted, claimOf, claimUsesOf, selectedNode } from './volume-claims.ts';
import { bound, type Candidates, candidatesFor, matchOnNode, storageOf, withAnnotations } from './volume-matching.ts';
import { canProvision } from './volume-provisioning.ts';
import { isReachableBound, translationFailure } from './volume-reach.ts';

/** A claim that waits for its first consumer. */
interface DelayedClaim {
  readonly claim: PersistentVolumeClaim;
  /** The node for which a volume is being made already. */
  readonly selectedNode: string | undefined;
  readonly candidates: Candidates;
}

/** The claims of a pod. Source: pkg/scheduler/framework/plugins/volumebinding/binder.go (PodVolumeClaims) */
export interface PodClaims {
  /** The volumes of bound claims; undefined where the volume does not exist. */
  readonly bound: readonly (PersistentVolume | undefined)[];
  /** First those for which a volume is being made, then the others, smallest request first. */
  readonly delayed: readonly DelayedClaim[];
  /** Whether some claim should have been bound before the pod is scheduled. */
  readonly hasUnboundImmediate: boolean;
}

/** What became of a pod's claims on one node. */
export interface NodeVolumes {
  /** Why the attempt fails; null where it goes on. */
  readonly failure: string | null;
  readonly boundReachable: boolean;
  readonly boundExist: boolean;
  readonly matched: boolean;
  readonly enoughStorage: boolean;
  /** Existing volumes for claims. */
  readonly bindings: readonly { readonly claim: PersistentVolumeClaim; readonly volume: PersistentVolume }[];
  /** Claims for which a volume must be made. */
  readonly provisions: readonly PersistentVolumeClaim[];
}

/** Source: GetPodVolumeClaims; claims that do not exist were refused before. */
export function podClaims(objects: StoredObjects, pod: PodInfo): PodClaims {
  const boundVolumes: (PersistentVolume | undefined)[] = [];
  const delayed: DelayedClaim[] = [];
  let hasUnboundImmediate = false;
  for (const use of claimUsesOf(pod)) {
    const claim = claimOf(objects, pod, use);
    if (claim === undefined) continue;
    const volumeName = claim.spec?.volumeName ?? '';
    if (volumeName !== '' && labelValue(claim.metadata?.annotations, bindCompleted) !== undefined) {
      boundVolumes.push(objects.persistentVolumes.get(volumeName));
    } else if (volumeName === '' && waitsForConsumer(objects, claim)) {
      delayed.push({
        claim,
        selectedNode: labelValue(claim.metadata?.annotations, selectedNode),
        candidates: candidatesFor(claim, objects.persistentVolumes.values()),
      });
    } else {
      hasUnboundImmediate = true;
    }
  }
  const inMaking = delayed.filter((each) => each.selectedNode !== undefined);
  const others = delayed.filter((each) => each.selectedNode === undefined).sort((a, b) => bySize(a.claim, b.claim));
  return { bound: boundVolumes, delayed: [...inMaking, ...others], hasUnboundImmediate };
}

/** Source: FindPodVolumes */
export function volumesOnNode(
  objects: StoredObjects,
  { bound: boundVolumes, delayed }: PodClaims,
  node: NodeInfo,
): NodeVolumes {
  let boundReachable = true;
  let boundExist = true;
  const csiNode = objects.fixed.csiNodes.get(node.name);
  let failure: string | null = null;
  for (const volume of boundVolumes) {
    failure = volume === undefined ? null : translationFailure(volume, csiNode);
    if (failure !== null) break;
    boundExist = volume !== undefined;
    boundReachable = volume === undefined || isReachableBound(volume, node, csiNode);
    if (!boundExist || !boundReachable) break;
  }
  const base = { failure, boundReachable, boundExist, enoughStorage: true, bindings: [], provisions: [] };
  if (failure !== null) return { ...base, matched: true };
  if (delayed.some((each) => each.selectedNode !== undefined && each.selectedNode !== node.name)) {
    return { ...base, matched: false };
  }
  const bindings: { claim: PersistentVolumeClaim; volume: PersistentVolume }[] = [];
  const toMake = delayed.filter((each) => each.selectedNode !== undefined).map(({ claim }) => claim);
  const taken = new Set<PersistentVolume>();
  for (const { claim, selectedNode: selected, candidates } of delayed) {
    if (selected !== undefined) continue;
    const volume = matchOnNode(candidates, node, taken);
    if (volume === null) {
      toMake.push(claim);
      continue;
    }
    taken.add(volume);
    bindings.push({ claim, volume });
  }
  switch (canProvision(objects, toMake, node)) {
    case 'yes':
      return { ...base, matched: true, bindings, provisions: toMake };
    case 'no':
      return { ...base, matched: false };
    case 'not enough storage':
      return { ...base, matched: true, enoughStorage: false };
  }
}

/**
 * Binds what can be bound at once, and marks the claims for which a volume is to be made with the node.
 * Source: AssumePodVolumes, and pkg/controller/volume/persistentvolume/pv_controller.go (bind), which finishes the work
 */
export function assumeVolumes(objects: StoredObjects, { bindings, provisions }: NodeVolumes, node: string): void {
  for (const binding of bindings) {
    const { claim, volume } = bound(binding.volume, binding.claim);
    objects.persistentVolumes.set(volume.metadata?.name ?? '', volume);
    objects.persistentVolumeClaims.set(keyOf(claim), claim);
  }
  for (const claim of provisions) {
    objects.persistentVolumeClaims.set(keyOf(claim), withAnnotations(claim, { [selectedNode]: node }));
  }
}

/** A class that is missing cannot say that it waits. Source: IsDelayBindingMode */
function waitsForConsumer(objects: StoredObjects, claim: PersistentVolumeClaim): boolean {
  return objects.fixed.storageClasses.get(classOfClaim(claim))?.volumeBindingMode === 'WaitForFirstConsumer';
}

function bySize(a: PersistentVolumeClaim, b: PersistentVolumeClaim): number {
  return compareQuantities(storageOf(a.spec?.resources?.requests), storageOf(b.spec?.resources?.requests));
}
