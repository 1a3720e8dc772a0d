import { compileNodeSelector, type NodeMatcher } from '../../kubernetes/node-selector.ts';
import type { CSINode, NodeSelector, PersistentVolume } from '../../kubernetes/objects.ts';
import { getOrInsert } from '../../util/maps.ts';
import type { NodeInfo } from '../framework/node-info.ts';
import { hasMoved, migratedAffinity, migratedVolume, untranslatable } from './in-tree-volumes.ts';

const written = new WeakMap<PersistentVolume, NodeMatcher>();
const moved = new WeakMap<PersistentVolume, NodeMatcher>();
const everywhere: NodeMatcher = { matches: () => true };

/** Whether every node may use the volume, however it reads it. */
export function isReachableEverywhere(volume: PersistentVolume): boolean {
  return (
    volume.spec?.nodeAffinity === undefined &&
    migratedVolume(volume)?.plugin.zoneKey === undefined &&
    untranslatable(volume) === null
  );
}

/** Why an attempt fails that looks at a bound volume on a node, which leaves it to a driver that cannot know it. */
export function translationFailure(volume: PersistentVolume, csiNode: CSINode | undefined): string | null {
  const found = csiNode === undefined ? null : untranslatable(volume);
  return found !== null && hasMoved(csiNode, found.plugin) ? `could not translate pv: ${found.why}` : null;
}

/** Whether the node may use the volume as it is written. Source: pv_helpers.go (CheckNodeAffinity) */
export function isReachable(volume: PersistentVolume, node: NodeInfo): boolean {
  const required = volume.spec?.nodeAffinity?.required;
  return required === undefined || matches(written, volume, node, () => required);
}

/**
 * Whether the node may use a volume that is bound. Where the node leaves the volumes of its old plugin to a CSI driver,
 * the zones are those of the driver.
 * Source: binder.go (checkBoundClaims, tryTranslatePVToCSI)
 */
export function isReachableBound(volume: PersistentVolume, node: NodeInfo, csiNode: CSINode | undefined): boolean {
  const old = csiNode === undefined ? null : migratedVolume(volume);
  const zoneKey = old?.plugin.zoneKey;
  if (old === null || zoneKey === undefined || !hasMoved(csiNode, old.plugin)) return isReachable(volume, node);
  return matches(moved, volume, node, () => migratedAffinity(volume, zoneKey));
}

/** Upstream gives the affinity labels only, so fields are not looked at. */
function matches(
  known: WeakMap<PersistentVolume, NodeMatcher>,
  volume: PersistentVolume,
  { facts: { labels } }: NodeInfo,
  affinityOf: () => NodeSelector | undefined,
): boolean {
  const matcher = getOrInsert(known, volume, () => {
    const affinity = affinityOf();
    return affinity === undefined ? everywhere : compileNodeSelector(affinity);
  });
  return matcher.matches({ name: '', labels });
}
