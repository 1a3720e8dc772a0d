import { evictedPods } from '../../../../server/src/report-model/evicted-pods.ts';
import { compareText } from '../../../../server/src/util/words.ts';
import { isGone, type Amounts, type PodPlace, type Report } from '../../../../server/src/report-model/report.ts';

/**
 * How a pod appears. `evicted` is the place a pod has lost, `arrived` one it did not have before the first step. Who is
 * gone, or goes, and nobody evicts is `ended`, or `ending`.
 */
export type TileLook =
  | 'running'
  | 'arrived'
  | 'terminating'
  | 'evicted'
  | 'ending'
  | 'ended'
  | 'nominated'
  | 'pending'
  | 'gated'
  | 'rejected';

/** Who loses its place to somebody. */
export function isVictim(look: TileLook): boolean {
  return look === 'evicted' || look === 'terminating';
}

/** Who leaves its place, whether for somebody or not. */
export function leaves(look: TileLook): boolean {
  return isVictim(look) || look === 'ended' || look === 'ending';
}

/** A pod at one place. A pod that moved has two tiles. */
export interface Tile {
  readonly pod: number;
  /** Index of the node; null for a pod that waits. */
  readonly node: number | null;
  readonly look: TileLook;
}

/** The cluster after a step, laid over the cluster before the first. */
export interface Frame {
  readonly step: number;
  /** Tiles on a node: highest priority first, then by name. */
  tilesOn(node: number): readonly Tile[];
  /** Pods without a node, in the same order. */
  readonly waiting: readonly Tile[];
  /** Where a pod is now; null while it does not exist yet. */
  placeOf(pod: number): PodPlace | null;
  /** Requested amounts of a node. */
  requestedOn(node: number): Amounts;
}

/** Applies the first `step` steps to the state before them. */
export function frameAt(report: Report, step: number): Frame {
  const shown = Math.min(step, report.steps.length);
  const places = initialPlaces(report);
  const requested = new Map<number, Amounts>();
  for (const { changes, requested: amounts } of report.steps.slice(0, shown)) {
    for (const change of changes) {
      places[change.pod] = change.place;
    }
    for (const { node, amounts: after } of amounts) {
      requested.set(node, after);
    }
  }

  const waiting: Tile[] = [];
  const evicted = evictedPods(report);
  const byNode: Tile[][] = report.nodes.map(() => []);
  report.pods.forEach((pod, index) => {
    for (const tile of tilesOf(index, pod.before, places[index] ?? null, evicted.has(index))) {
      (tile.node === null ? waiting : byNode[tile.node])?.push(tile);
    }
  });

  const order = byPriority(report);
  const sorted = new Set<number>();
  return {
    step: shown,
    waiting: waiting.sort(order),
    tilesOn(node) {
      const tiles = byNode[node] ?? [];
      // Only the nodes that are drawn are put in order.
      if (!sorted.has(node)) {
        sorted.add(node);
        tiles.sort(order);
      }
      return tiles;
    },
    placeOf: (pod) => places[pod] ?? null,
    requestedOn: (node) => requested.get(node) ?? report.nodes[node]?.requested ?? {},
  };
}

/** What replaces a victim does not exist before the first step that places it. */
function initialPlaces(report: Report): (PodPlace | null)[] {
  const places: (PodPlace | null)[] = report.pods.map((pod) => pod.before);
  for (const { replacement } of report.victims) {
    if (replacement !== null && report.pods[replacement]?.before.node === null) {
      places[replacement] = null;
    }
  }
  return places;
}

function tilesOf(pod: number, before: PodPlace, now: PodPlace | null, isEvicted: boolean): readonly Tile[] {
  if (now === null) {
    return [];
  }
  const tiles: Tile[] = [];
  const held = before.state === 'running' || before.state === 'terminating';
  const lost = held && before.node !== null && (now.node !== before.node || isGone(now.state));
  if (lost) {
    tiles.push({ pod, node: before.node, look: isEvicted ? 'evicted' : 'ended' });
  }
  if (now.state === 'running') {
    const isNew = !(held && before.node === now.node);
    tiles.push({ pod, node: now.node, look: isNew ? 'arrived' : 'running' });
  } else if (!isGone(now.state)) {
    tiles.push({ pod, node: now.node, look: now.state === 'terminating' && !isEvicted ? 'ending' : now.state });
  }
  return tiles;
}

function byPriority(report: Report): (left: Tile, right: Tile) => number {
  return (left, right) => {
    const a = report.pods[left.pod];
    const b = report.pods[right.pod];
    if (a === undefined || b === undefined) {
      return left.pod - right.pod;
    }
    return b.priority - a.priority || compareText(a.namespace, b.namespace) || compareText(a.name, b.name);
  };
}
