/**
 * What the map shows: the nodes that change as cards, all others as cells of a strip. Which of them there are follows
 * from the report alone, so that a card stays while the moment or the selection changes; what stands on a card follows
 * from the moment.
 */
import { addTo } from '../../../../server/src/util/maps.ts';
import { own } from '../../../../server/src/util/own.ts';
import { evictedPods } from '../../../../server/src/report-model/evicted-pods.ts';
import { isGone, type Report } from '../../../../server/src/report-model/report.ts';
import type { Filter } from './filter.ts';
import { type Frame, isVictim, leaves, type TileLook } from './frame.ts';

/** So many nodes are all shown, zone by zone; so many cards at once need no choice among them. */
const fewNodes = 12;
/** A zone that is opened shows so many cards at first. */
export const cardsPerZone = 8;
/** More pods of a node that are not touched stand as one tile. */
const untouchedTiles = 12;
/** More pods of a node that fare alike stand as one tile, and as one line, wherever each has its own. */
export const mostOfNode = 250;
/** A strip has no more cells in all zones together; above, a cell stands for several nodes. */
const mostCells = 1000;
/** What takes nothing of the resource and changes is drawn with this share of the node. */
const leastShare = 0.02;

/** Who changes what on a node, over the whole run. */
interface NodeChange {
  /** Pods. */
  readonly evicted: number[];
  readonly preemptors: Set<number>;
  /** One of those has run and has ended: others find its room. */
  isRoomUsed: boolean;
  readonly arrivals: number[];
  /** Gone, and evicted by nobody. */
  readonly ended: number[];
  budgetBroken: boolean;
}

export interface MapZone {
  readonly zone: string;
  readonly nodes: readonly number[];
  readonly open: boolean;
  /** Nodes with a card, those that lose most first. */
  readonly cards: readonly number[];
  /** Nodes of the strip: all of them, or in a small cluster those without a card. */
  readonly cells: readonly StripCell[];
  readonly evicted: number;
  readonly losers: number;
  readonly changed: number;
}

/** One bar of a strip: a node, or in a large cluster several. */
export interface StripCell {
  readonly nodes: readonly number[];
  readonly evicted: number;
  readonly arrivals: number;
}

export interface ClusterMap {
  readonly zones: readonly MapZone[];
  /** Whether the strips are a summary of whole zones. */
  readonly large: boolean;
  /** How many nodes a cell of a strip stands for. */
  readonly nodesPerCell: number;
  changeOf(node: number): NodeChange | undefined;
}

export interface MapRequest {
  /** Zones whose state is the opposite of what it would be. */
  readonly toggled: ReadonlySet<string>;
  readonly filter: Filter | null;
  /** The node of the selection, which has a card whatever happens on it. */
  readonly node: number | null;
}

export function clusterMap(report: Report, frame: Frame, request: MapRequest): ClusterMap {
  const changes = changesOf(report);
  const byZone = new Map<string, number[]>();
  report.nodes.forEach(({ zone }, node) => {
    addTo(byZone, zone, node);
  });
  const isLoser = (node: number): boolean => hurts(changes.get(node));
  const losers = [...changes.keys()].filter(isLoser).length;
  const { filter } = request;
  const matches = (node: number): boolean =>
    filter === null || filter.hasNode(node) || frame.tilesOn(node).some(({ pod }) => filter.hasPod(pod));
  const hasCard = (node: number): boolean =>
    filter === null ? (changes.size <= fewNodes ? changes.has(node) : isLoser(node)) : matches(node);
  const large = report.nodes.length > fewNodes;
  const allOpen = !large || filter !== null || (changes.size <= fewNodes ? changes.size : losers) <= fewNodes;
  const nodesPerCell = Math.max(1, Math.ceil(report.nodes.length / mostCells));
  const weight = (node: number): number => changes.get(node)?.evicted.length ?? 0;
  const evictedIn = (nodes: readonly number[]): number => nodes.reduce((sum, node) => sum + weight(node), 0);
  const zones = [...byZone].sort(([left], [right]) => compareZones(left, right));
  const first = allOpen
    ? undefined
    : zones.reduce((most, zone) => (evictedIn(zone[1]) > evictedIn(most[1]) ? zone : most))[0];
  return {
    large,
    nodesPerCell,
    changeOf: (node) => changes.get(node),
    zones: zones.flatMap(([zone, nodes]): MapZone[] => {
      const carded = nodes.filter(hasCard).sort((left, right) => weight(right) - weight(left) || left - right);
      if (filter !== null && carded.length === 0) return [];
      const selected = request.node !== null && nodes.includes(request.node) ? request.node : null;
      const open = (allOpen || zone === first) !== request.toggled.has(zone) || selected !== null;
      const cards =
        selected !== null && !carded.slice(0, cardsPerZone).includes(selected)
          ? [selected, ...carded.filter((node) => node !== selected)]
          : carded;
      const inStrip = large ? nodes : nodes.filter((node) => !carded.includes(node));
      return [
        {
          zone,
          nodes,
          open,
          cards,
          cells: filter === null ? cellsOf(inStrip, changes, nodesPerCell) : [],
          evicted: evictedIn(nodes),
          losers: nodes.filter(isLoser).length,
          changed: nodes.filter((node) => changes.has(node)).length,
        },
      ];
    }),
  };
}

function hurts(change: NodeChange | undefined): boolean {
  return change !== undefined && (change.evicted.length > 0 || change.preemptors.size > 0);
}

/** By the pods of the report, which stay when what would help is known. */
const known = new WeakMap<Report['pods'], ReadonlyMap<number, NodeChange>>();

function changesOf(report: Report): ReadonlyMap<number, NodeChange> {
  const found = known.get(report.pods);
  if (found !== undefined) return found;
  const changes = new Map<number, NodeChange>();
  const at = (node: number): NodeChange => {
    let change = changes.get(node);
    if (change === undefined) {
      change = { evicted: [], preemptors: new Set(), isRoomUsed: false, arrivals: [], ended: [], budgetBroken: false };
      changes.set(node, change);
    }
    return change;
  };
  for (const { pod, node, preemptor, budget } of report.victims) {
    const change = at(node);
    change.evicted.push(pod);
    change.preemptors.add(preemptor);
    if (report.pods[preemptor]?.after.state === 'ended') change.isRoomUsed = true;
    if (budget.state === 'violated') change.budgetBroken = true;
  }
  for (const { node, evicted } of [...report.drains, ...report.pressures, ...(report.taints ?? [])]) {
    for (const { pod } of evicted) at(node).evicted.push(pod);
  }
  const evicted = evictedPods(report);
  report.pods.forEach(({ before, after }, pod) => {
    const hasLeft = isGone(after.state) || after.state === 'terminating';
    if (hasLeft && before.state === 'running' && before.node !== null && !evicted.has(pod)) {
      at(before.node).ended.push(pod);
    }
    if (after.node !== null && (after.node !== before.node || before.state !== 'running')) {
      if (after.state === 'running' || after.state === 'nominated') at(after.node).arrivals.push(pod);
    }
  });
  known.set(report.pods, changes);
  return changes;
}

function cellsOf(
  nodes: readonly number[],
  changes: ReadonlyMap<number, NodeChange>,
  perCell: number,
): readonly StripCell[] {
  const cells: StripCell[] = [];
  for (let start = 0; start < nodes.length; start += perCell) {
    const members = nodes.slice(start, start + perCell);
    cells.push({
      nodes: members,
      evicted: members.reduce((sum, node) => sum + (changes.get(node)?.evicted.length ?? 0), 0),
      arrivals: members.reduce((sum, node) => sum + (changes.get(node)?.arrivals.length ?? 0), 0),
    });
  }
  return cells;
}

/** By name; nodes without a zone come last. */
function compareZones(left: string, right: string): number {
  if (left === '' || right === '') return left === right ? 0 : left === '' ? 1 : -1;
  return left < right ? -1 : 1;
}

/** A stretch of a bar, in shares of the bar. */
interface Stretch {
  readonly start: number;
  readonly width: number;
}

export interface BarTile extends Stretch {
  /** Null for several pods that fare alike. */
  readonly pod: number | null;
  readonly look: TileLook;
  readonly amount: number;
  /** How many pods it stands for. */
  readonly pods: number;
}

export interface NodeBars {
  readonly before: readonly BarTile[];
  readonly after: readonly BarTile[];
  readonly freeBefore: Stretch & { readonly amount: number };
  readonly freeAfter: Stretch & { readonly amount: number };
  /** From the middle of a victim to a place of its preemptor. */
  readonly links: readonly { readonly from: number; readonly to: number }[];
}

/**
 * A node before and after, on one scale: what is not touched stands left, so that both bars agree there.
 *
 * @param most pods that are not touched, above which they stand as one tile
 */
export function nodeBars(
  report: Report,
  frame: Frame,
  node: number,
  resource: string,
  most = untouchedTiles,
): NodeBars {
  const tiles = frame.tilesOn(node);
  const amountOf = (pod: number): number =>
    resource === 'pods' ? 1 : (own(report.pods[pod]?.requests, resource) ?? 0);
  const preemptorOf = new Map(
    report.victims.filter((victim) => victim.node === node).map(({ pod, preemptor }) => [pod, preemptor]),
  );
  const untouched = tiles.filter(({ look }) => look === 'running');
  const arrivals = tiles.filter(({ look }) => look === 'arrived' || look === 'nominated');
  const order = new Map(arrivals.map(({ pod }, at) => [pod, at]));
  const rank = (pod: number): number => order.get(preemptorOf.get(pod) ?? -1) ?? order.size;
  // Those that end anyway make room for nobody, and come last.
  const victims = tiles
    .filter(({ look }) => leaves(look))
    .sort(
      (left, right) => Number(isVictim(right.look)) - Number(isVictim(left.look)) || rank(left.pod) - rank(right.pod),
    );

  const sum = (of: readonly { readonly pod: number }[]): number =>
    of.reduce((total, { pod }) => total + amountOf(pod), 0);
  const allocatable = own(report.nodes[node]?.allocatable, resource) ?? 0;
  const unaffected = sum(untouched);
  const scale = Math.max(allocatable, unaffected + Math.max(sum(victims), sum(arrivals))) || 1;
  const share = (pod: number): number => Math.max(leastShare, amountOf(pod) / scale);
  const fixed = unaffected / scale;
  // What takes nothing and still has to be seen may need more room than there is.
  const changing = Math.max(
    ...[victims, arrivals].map((list) => list.reduce((total, { pod }) => total + share(pod), 0)),
  );
  const shrink = changing + fixed > 1 ? (1 - fixed) / changing : 1;

  const kept: BarTile[] = [];
  let x = 0;
  if (untouched.length > most) {
    kept.push({ pod: null, look: 'running', start: 0, width: fixed, amount: unaffected, pods: untouched.length });
  } else {
    for (const { pod, look } of untouched) {
      const width = amountOf(pod) / scale;
      if (width > 0) kept.push({ pod, look, start: x, width, amount: amountOf(pod), pods: 1 });
      x += width;
    }
  }
  x = fixed;
  const gone = victims.map(({ pod, look }): BarTile => {
    const width = share(pod) * shrink;
    const tile = { pod, look, start: x, width, amount: amountOf(pod), pods: 1 };
    x += width;
    return tile;
  });
  const endBefore = x;
  const roomFor = new Map<number | undefined, BarTile>();
  for (const tile of gone) {
    const preemptor = preemptorOf.get(tile.pod!);
    if (!roomFor.has(preemptor)) roomFor.set(preemptor, tile);
  }
  // An arrival stands under what made room for it, as far as those that follow have room as well.
  let left = arrivals.reduce((total, { pod }) => total + share(pod) * shrink, 0);
  x = fixed;
  const come = arrivals.map(({ pod, look }): BarTile => {
    const width = share(pod) * shrink;
    const under = roomFor.get(pod)?.start ?? x;
    const start = Math.max(x, Math.min(under, 1 - left));
    left -= width;
    x = start + width;
    return { pod, look, start, width, amount: amountOf(pod), pods: 1 };
  });
  const placeOf = new Map<number | null | undefined, BarTile>(come.map((tile) => [tile.pod, tile]));
  const links = gone.slice(0, mostOfNode).flatMap(({ pod, start, width }) => {
    const target = placeOf.get(preemptorOf.get(pod!));
    if (target === undefined) return [];
    const from = start + width / 2;
    return [{ from, to: Math.min(Math.max(from, target.start), target.start + target.width) }];
  });
  const free = (from: number, amount: number): Stretch & { readonly amount: number } => ({
    start: from,
    width: Math.max(0, 1 - from),
    amount: Math.max(0, amount),
  });
  return {
    before: [
      ...kept,
      ...folded(gone.filter(({ look }) => isVictim(look))),
      ...folded(gone.filter(({ look }) => !isVictim(look))),
    ],
    after: [...kept, ...folded(come)],
    freeBefore: free(endBefore, allocatable - unaffected - sum(victims)),
    freeAfter: free(x, allocatable - unaffected - sum(arrivals)),
    links,
  };
}

/** Tiles of which those that are too many stand as one. */
function folded(tiles: readonly BarTile[]): readonly BarTile[] {
  if (tiles.length <= mostOfNode) return tiles;
  const rest = tiles.slice(mostOfNode - 1);
  const { start, look } = rest[0]!;
  const last = rest.at(-1)!;
  return [
    ...tiles.slice(0, mostOfNode - 1),
    {
      pod: null,
      look,
      start,
      width: last.start + last.width - start,
      amount: rest.reduce((sum, { amount }) => sum + amount, 0),
      pods: rest.length,
    },
  ];
}

/** The pods of a node, those that change first, then by priority. */
export function podsOfNode({ pods }: Report, frame: Frame, node: number): ReturnType<Frame['tilesOn']> {
  const rank = (look: TileLook): number => (isVictim(look) ? 0 : look === 'running' ? 3 : leaves(look) ? 2 : 1);
  const priority = (pod: number): number => pods[pod]?.priority ?? 0;
  return [...frame.tilesOn(node)].sort(
    (left, right) =>
      rank(left.look) - rank(right.look) || priority(right.pod) - priority(left.pod) || left.pod - right.pod,
  );
}

/** What pods ask for and nodes have, the scarcest first; `pods` last, because it is seldom short. */
export function resourcesOf(report: Report): readonly string[] {
  const asked = new Map<string, number>();
  for (const { requests, before, after } of report.pods) {
    if (before.node === null && after.node === null && after.state !== 'pending') continue;
    for (const [resource, amount] of Object.entries(requests)) {
      if (amount > 0) asked.set(resource, (asked.get(resource) ?? 0) + amount);
    }
  }
  const share = (resource: string): number => {
    const have = report.nodes.reduce((sum, { allocatable }) => sum + (own(allocatable, resource) ?? 0), 0);
    return have === 0 ? 0 : (asked.get(resource) ?? 0) / have;
  };
  const resources = [...asked.keys()].filter((resource) => share(resource) > 0);
  return [...resources.sort((left, right) => share(right) - share(left)), 'pods'];
}
