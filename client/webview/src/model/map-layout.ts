import type { Report } from '../../../../server/src/contract/report.ts';
import type { Frame, Tile } from './frame.ts';

/** A rectangle in pixels from the top left corner of the map. */
export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface TileBox {
  readonly tile: Tile;
  readonly box: Box;
  /** Whether the tile is wide enough for its name. */
  readonly labelled: boolean;
}

export interface CardBox {
  readonly node: number;
  readonly box: Box;
  readonly header: Box;
  readonly tiles: readonly TileBox[];
}

export interface ZoneBox {
  readonly zone: string;
  readonly box: Box;
  readonly nodes: readonly number[];
  /** A summary stands for the nodes that are not drawn. */
  readonly summary: boolean;
  readonly cards: readonly CardBox[];
}

/** Pods without a node. */
export interface WaitingBox {
  readonly box: Box;
  readonly tiles: readonly TileBox[];
  /** Pods for which there is no room; the table of pending pods has them. */
  readonly hidden: number;
}

export interface MapLayout {
  readonly width: number;
  readonly height: number;
  readonly dense: boolean;
  /** Too narrow for the bars of a zone side by side. */
  readonly slim: boolean;
  readonly metrics: Metrics;
  readonly waiting: WaitingBox | null;
  readonly zones: readonly ZoneBox[];
}

/** All lengths in pixels at a font size of 13 px. */
interface Metrics {
  readonly cardWidth: number;
  readonly maxCardWidth: number;
  readonly gap: number;
  readonly padding: number;
  readonly header: number;
  readonly tile: number;
  readonly tileGap: number;
  readonly smallestTile: number;
  /** A tile narrower than this has no label. */
  readonly labelFrom: number;
  readonly bars: number;
  /** How many rows of tiles a full node has. */
  readonly rows: number;
  readonly zonePadding: number;
  readonly zoneHeader: number;
  readonly zoneSummary: number;
  /** The summary of a zone on a slim map, with the bars one below the other. */
  readonly slimSummary: number;
}

const comfortable: Metrics = {
  cardWidth: 204,
  maxCardWidth: 340,
  gap: 10,
  padding: 9,
  header: 26,
  tile: 34,
  tileGap: 4,
  smallestTile: 20,
  labelFrom: 40,
  bars: 58,
  rows: 2.5,
  zonePadding: 10,
  zoneHeader: 28,
  zoneSummary: 46,
  slimSummary: 100,
};

const packed: Metrics = {
  ...comfortable,
  cardWidth: 148,
  maxCardWidth: 210,
  gap: 6,
  padding: 6,
  header: 20,
  tile: 14,
  tileGap: 2,
  smallestTile: 7,
  labelFrom: 60,
  bars: 16,
  rows: 3,
  zonePadding: 8,
};

/** A map narrower than this is slim; in pixels at a font size of 13 px. */
const slimWidth = 600;
/** More cards than this are drawn small. */
const comfortableCards = 24;
/** More nodes than this are drawn only where something happens, or on demand, zone by zone. */
const drawnNodes = 250;
const waitingRows = 4;

export interface LayoutRequest {
  readonly width: number;
  /** Font size relative to 13 px. */
  readonly scale: number;
  readonly openZones: ReadonlySet<string>;
  /** Nodes and tiles that the filter leaves; null without a filter. */
  readonly filter: { hasNode(node: number): boolean; hasPod(pod: number): boolean } | null;
}

/**
 * Places zones, node cards and pod tiles. Pure geometry: what is drawn, exported and walked by the arrow keys is this.
 */
export function layoutMap(report: Report, frame: Frame, request: LayoutRequest): MapLayout {
  if (request.width <= 0) {
    // Not measured yet.
    return { width: 0, height: 0, dense: false, slim: false, metrics: comfortable, waiting: null, zones: [] };
  }
  const zones = shownZones(report, frame, request);
  const cards = zones.reduce((sum, zone) => sum + zone.shown.length, 0);
  const dense = cards > comfortableCards;
  const metrics = scaled(dense ? packed : comfortable, request.scale);
  const slim = request.width < slimWidth * request.scale;
  const waiting = layoutWaiting(report, frame, request, metrics);
  const top = waiting === null ? 0 : waiting.box.height + metrics.gap;

  const zoneGap = metrics.gap;
  const overhead = 2 * metrics.zonePadding + zoneGap;
  const columns = Math.max(1, Math.floor((request.width + zoneGap) / (metrics.cardWidth + overhead)));
  const cell = Math.min((request.width + zoneGap) / columns, metrics.maxCardWidth + overhead);
  const unit = metrics.rows * (cell - overhead - 2 * metrics.padding);

  const placed: ZoneBox[] = [];
  let y = top;
  for (const shelf of shelves(zones, columns)) {
    let column = 0;
    const drafts = shelf.map((zone) => {
      const span = spanOf(zone, columns);
      const draft = layoutZone(report, frame, zone, metrics, unit, {
        x: column * cell,
        y,
        width: span * cell - zoneGap,
        columns: span,
        slim,
      });
      column += span;
      return draft;
    });
    const height = Math.max(...drafts.map((draft) => draft.box.height));
    placed.push(...drafts.map((draft) => ({ ...draft, box: { ...draft.box, height } })));
    y += height + zoneGap;
  }
  return { width: request.width, height: Math.max(0, y - zoneGap), dense, slim, metrics, waiting, zones: placed };
}

interface ShownZone {
  readonly zone: string;
  readonly nodes: readonly number[];
  readonly summary: boolean;
  readonly shown: readonly number[];
}

function shownZones(report: Report, frame: Frame, request: LayoutRequest): readonly ShownZone[] {
  const byZone = new Map<string, number[]>();
  report.nodes.forEach((node, index) => {
    const list = byZone.get(node.zone);
    if (list === undefined) {
      byZone.set(node.zone, [index]);
    } else {
      list.push(index);
    }
  });
  const { filter } = request;
  const summarize = report.nodes.length > drawnNodes;
  return [...byZone]
    .sort(([left], [right]) => compareZones(left, right))
    .map(([zone, nodes]) => {
      const matching =
        filter === null
          ? nodes
          : nodes.filter((node) => filter.hasNode(node) || frame.tilesOn(node).some((tile) => filter.hasPod(tile.pod)));
      const shown =
        summarize && filter === null && !request.openZones.has(zone)
          ? matching.filter((node) => frame.isTouched(node))
          : matching;
      return { zone, nodes, summary: summarize, shown };
    })
    .filter((zone) => filter === null || zone.shown.length > 0);
}

/** By name; nodes without a zone come last. */
function compareZones(left: string, right: string): number {
  if (left === '' || right === '') {
    return left === right ? 0 : left === '' ? 1 : -1;
  }
  return left < right ? -1 : 1;
}

function spanOf(zone: ShownZone, columns: number): number {
  return zone.summary ? columns : Math.min(Math.max(1, zone.shown.length), columns);
}

/** Zones side by side as long as their columns fit. */
function shelves(zones: readonly ShownZone[], columns: number): readonly (readonly ShownZone[])[] {
  const result: ShownZone[][] = [];
  let used = Infinity;
  for (const zone of zones) {
    const span = spanOf(zone, columns);
    if (used + span > columns) {
      result.push([zone]);
      used = span;
    } else {
      result.at(-1)?.push(zone);
      used += span;
    }
  }
  return result;
}

interface ZoneArea {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly columns: number;
  readonly slim: boolean;
}

function layoutZone(
  report: Report,
  frame: Frame,
  zone: ShownZone,
  metrics: Metrics,
  unit: number,
  area: ZoneArea,
): ZoneBox {
  const { zonePadding, gap } = metrics;
  const width = (area.width - 2 * zonePadding - (area.columns - 1) * gap) / area.columns;
  const summary = area.slim ? metrics.slimSummary : metrics.zoneSummary;
  const header = metrics.zoneHeader + (zone.summary ? summary : 0);
  let y = area.y + header;
  const cards: CardBox[] = [];
  for (let start = 0; start < zone.shown.length; start += area.columns) {
    const row = zone.shown.slice(start, start + area.columns).map((node, column) =>
      layoutCard(report, frame, node, metrics, unit, {
        x: area.x + zonePadding + column * (width + gap),
        y,
        width,
      }),
    );
    const height = Math.max(...row.map((card) => card.box.height));
    cards.push(...row.map((card) => ({ ...card, box: { ...card.box, height } })));
    y += height + gap;
  }
  const bottom = zone.shown.length === 0 ? y : y - gap + zonePadding;
  return {
    zone: zone.zone,
    nodes: zone.nodes,
    summary: zone.summary,
    cards,
    box: { x: area.x, y: area.y, width: area.width, height: bottom - area.y },
  };
}

function layoutCard(
  report: Report,
  frame: Frame,
  node: number,
  metrics: Metrics,
  unit: number,
  at: { readonly x: number; readonly y: number; readonly width: number },
): CardBox {
  const inner = {
    x: at.x + metrics.padding,
    y: at.y + metrics.header,
    width: at.width - 2 * metrics.padding,
  };
  const tiles = packTiles(report, frame.tilesOn(node), metrics, unit, inner);
  const bottom = tiles.at(-1)?.box;
  const content = bottom === undefined ? metrics.tile : bottom.y + bottom.height - inner.y;
  return {
    node,
    box: { ...at, height: metrics.header + content + metrics.tileGap + metrics.bars + metrics.padding },
    header: { x: at.x, y: at.y, width: at.width, height: metrics.header },
    tiles,
  };
}

function layoutWaiting(report: Report, frame: Frame, request: LayoutRequest, metrics: Metrics): WaitingBox | null {
  const { filter } = request;
  const waiting = filter === null ? frame.waiting : frame.waiting.filter((tile) => filter.hasPod(tile.pod));
  if (waiting.length === 0) {
    return null;
  }
  const inner = {
    x: metrics.zonePadding,
    y: metrics.zoneHeader,
    width: request.width - 2 * metrics.zonePadding,
  };
  // As on a card of the usual width, so that sizes can be compared.
  const unit = metrics.rows * (metrics.cardWidth - 2 * metrics.padding);
  // No tile is narrower than the smallest, so more than this cannot fit.
  const most = waitingRows * Math.ceil(inner.width / metrics.smallestTile);
  const packedTiles = packTiles(report, waiting.slice(0, most), metrics, unit, inner);
  const limit = inner.y + waitingRows * (metrics.tile + metrics.tileGap);
  const tiles = packedTiles.filter((tile) => tile.box.y < limit);
  const bottom = tiles.at(-1)?.box ?? { y: inner.y, height: 0 };
  return {
    box: { x: 0, y: 0, width: request.width, height: bottom.y + bottom.height + metrics.zonePadding },
    tiles,
    hidden: waiting.length - tiles.length,
  };
}

/** In rows from left to right; a tile is as wide as its share of an average node. */
function packTiles(
  report: Report,
  tiles: readonly Tile[],
  metrics: Metrics,
  unit: number,
  inner: { readonly x: number; readonly y: number; readonly width: number },
): readonly TileBox[] {
  let x = 0;
  let y = 0;
  return tiles.map((tile) => {
    const share = report.pods[tile.pod]?.share ?? 0;
    const width = Math.min(inner.width, Math.max(metrics.smallestTile, share * unit));
    if (x > 0 && x + width > inner.width + 0.5) {
      x = 0;
      y += metrics.tile + metrics.tileGap;
    }
    const box = { x: inner.x + x, y: inner.y + y, width, height: metrics.tile };
    x += width + metrics.tileGap;
    return { tile, box, labelled: width >= metrics.labelFrom };
  });
}

function scaled(metrics: Metrics, scale: number): Metrics {
  const size = (length: number): number => length * scale;
  return {
    cardWidth: size(metrics.cardWidth),
    maxCardWidth: size(metrics.maxCardWidth),
    gap: metrics.gap,
    padding: metrics.padding,
    header: size(metrics.header),
    tile: size(metrics.tile),
    tileGap: metrics.tileGap,
    smallestTile: metrics.smallestTile,
    labelFrom: size(metrics.labelFrom),
    bars: size(metrics.bars),
    rows: metrics.rows,
    zonePadding: metrics.zonePadding,
    zoneHeader: size(metrics.zoneHeader),
    zoneSummary: size(metrics.zoneSummary),
    slimSummary: size(metrics.slimSummary),
  };
}
