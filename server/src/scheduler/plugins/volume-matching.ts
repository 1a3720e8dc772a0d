import { classOfClaim } from '../../kubernetes/storage-class-of.ts';
import { namespaceOf } from '../../kubernetes/names.ts';
import { compileLabelSelector } from '../../kubernetes/labels.ts';
import type { PersistentVolume, PersistentVolumeClaim, ResourceList } from '../../kubernetes/objects.ts';
import {
  compareQuantities,
  integerQuantity,
  isQuantityError,
  parseQuantity,
  type Quantity,
} from '../../kubernetes/quantity.ts';
import type { NodeInfo } from '../framework/node-info.ts';
import { compareBytewise } from '../framework/order.ts';
import { bindCompleted, boundByController, classOfVolume } from './volume-claims.ts';
import { isReachable } from './volume-reach.ts';

const nothing = integerQuantity(0);
/** The volumes that could serve a claim, whatever the node. */
export interface Candidates {
  /** Bound to the claim beforehand: the first one is taken or nothing is. */
  readonly prebound: readonly PersistentVolume[];
  /** Smallest first, then by name; upstream takes any of the smallest. */
  readonly free: readonly PersistentVolume[];
}

/** What a claim asks for or a volume offers; nothing when it does not say. */
export function storageOf(resources: ResourceList | undefined): Quantity {
  const text = resources?.['storage'];
  if (text === undefined) return nothing;
  const quantity = parseQuantity(text);
  return isQuantityError(quantity) ? nothing : quantity;
}

/**
 * The part of the search that does not depend on the node.
 * Source: staging/src/k8s.io/component-helpers/storage/volume/pv_helpers.go (FindMatchingVolume)
 */
export function candidatesFor(claim: PersistentVolumeClaim, volumes: Iterable<PersistentVolume>): Candidates {
  const className = classOfClaim(claim);
  const requested = storageOf(claim.spec?.resources?.requests);
  const selector = claim.spec?.selector === undefined ? null : compileLabelSelector(claim.spec.selector);
  const prebound: PersistentVolume[] = [];
  const free: PersistentVolume[] = [];
  for (const volume of volumes) {
    const { metadata, spec, status } = volume;
    // First, as most volumes of a large cluster are bound to other claims.
    const isPrebound = isBoundTo(volume, claim);
    if (spec?.claimRef !== undefined && !isPrebound) continue;
    if (classOfVolume(volume) !== className) continue;
    if (compareQuantities(storageOf(spec?.capacity), requested) < 0) continue;
    if ((spec?.volumeMode ?? 'Filesystem') !== (claim.spec?.volumeMode ?? 'Filesystem')) continue;
    if ((spec?.volumeAttributesClassName ?? '') !== (claim.spec?.volumeAttributesClassName ?? '')) continue;
    if (metadata?.deletionTimestamp !== undefined) continue;
    if (isPrebound) {
      prebound.push(volume);
      continue;
    }
    if (status?.phase !== 'Available') continue;
    if (selector !== null && !selector.matches(metadata?.labels)) continue;
    if (!offersModes(volume, claim)) continue;
    free.push(volume);
  }
  return { prebound: prebound.sort(byName), free: free.sort((a, b) => bySize(a, b) || byName(a, b)) };
}

/** The volume of `candidates` that the claim gets on the node, if any. */
export function matchOnNode(
  { prebound, free }: Candidates,
  node: NodeInfo,
  taken: ReadonlySet<PersistentVolume>,
): PersistentVolume | null {
  const own = prebound.find((volume) => !taken.has(volume));
  if (own !== undefined) return isReachable(own, node) ? own : null;
  return free.find((volume) => !taken.has(volume) && isReachable(volume, node)) ?? null;
}

/** Source: IsVolumeBoundToClaim */
export function isBoundTo({ spec }: PersistentVolume, claim: PersistentVolumeClaim): boolean {
  const reference = spec?.claimRef;
  if (reference === undefined || reference.name !== claim.metadata?.name) return false;
  if (namespaceOf({ metadata: reference }) !== namespaceOf(claim)) return false;
  return reference.uid === undefined || reference.uid === '' || reference.uid === claim.metadata?.uid;
}

/** Both, bound to each other. Source: GetBindVolumeToClaim; pv_controller.go (bind), which finishes the work */
export function bound(
  volume: PersistentVolume,
  claim: PersistentVolumeClaim,
): { readonly volume: PersistentVolume; readonly claim: PersistentVolumeClaim } {
  const boundClaim: PersistentVolumeClaim = {
    ...withAnnotations(claim, { [bindCompleted]: 'yes', [boundByController]: 'yes' }),
    spec: { ...claim.spec, volumeName: volume.metadata?.name ?? '' },
    status: { ...claim.status, phase: 'Bound' },
  };
  return { volume: boundVolume(volume, claim), claim: boundClaim };
}

function boundVolume(volume: PersistentVolume, claim: PersistentVolumeClaim): PersistentVolume {
  const { name, uid } = claim.metadata ?? {};
  const claimRef = {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    namespace: namespaceOf(claim),
    ...(name === undefined ? {} : { name }),
    ...(uid === undefined ? {} : { uid }),
  };
  const annotated = isBoundTo(volume, claim) ? volume : withAnnotations(volume, { [boundByController]: 'yes' });
  return { ...annotated, spec: { ...volume.spec, claimRef }, status: { ...volume.status, phase: 'Bound' } };
}

export function withAnnotations<T extends PersistentVolume | PersistentVolumeClaim>(
  object: T,
  added: Readonly<Record<string, string>>,
): T {
  return { ...object, metadata: { ...object.metadata, annotations: { ...object.metadata?.annotations, ...added } } };
}

/** Source: CheckAccessModes */
function offersModes(volume: PersistentVolume, claim: PersistentVolumeClaim): boolean {
  const offered = volume.spec?.accessModes ?? [];
  return (claim.spec?.accessModes ?? []).every((mode) => offered.includes(mode));
}

function byName(a: PersistentVolume, b: PersistentVolume): number {
  return compareBytewise(a.metadata?.name ?? '', b.metadata?.name ?? '');
}

function bySize(a: PersistentVolume, b: PersistentVolume): number {
  return compareQuantities(storageOf(a.spec?.capacity), storageOf(b.spec?.capacity));
}
