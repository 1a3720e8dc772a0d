import type { VNode } from 'preact';
import type { Report } from '../../../../server/src/contract/report.ts';
import type { TileBox } from '../model/map-layout.ts';
import { spokenTile } from '../model/spoken.ts';
import { classes, place } from './placing.ts';

/** What the tiles of a card have in common. */
interface TileSurroundings {
  readonly report: Report;
  /** Top left corner of what the tile lies in. */
  readonly originX: number;
  readonly originY: number;
  readonly isFaint: (pod: number) => boolean;
  readonly selected: number | null;
}

/** A pod. A function rather than a component: there are thousands, and they change with their card. */
export function podTile({ tile, box, labelled }: TileBox, around: TileSurroundings): VNode | null {
  const { report, originX, originY } = around;
  const pod = report.pods[tile.pod];
  if (pod === undefined) {
    return null;
  }
  const selected = around.selected === tile.pod;
  return (
    <div
      key={tile.pod}
      role="gridcell"
      id={cellId(tile.node, tile.pod)}
      class={classes(
        `tile rung-${pod.rung} look-${tile.look}`,
        [selected, 'selected'],
        [around.isFaint(tile.pod), 'faint'],
      )}
      style={place(box, originX, originY)}
      aria-label={spokenTile(report, tile)}
      {...(selected ? { 'aria-selected': true } : {})}
    >
      {labelled && <span class="tile-name">{pod.name}</span>}
    </div>
  );
}

/** The id of a node's header, or of a pod's tile on a node or without one. */
export function cellId(node: number | null, pod: number | null): string {
  return pod === null ? `cell-${node ?? ''}` : `cell-${node ?? 'none'}-${pod}`;
}

/** What an id of `cellId` stands for; null for any other. */
export function parseCellId(id: string): { readonly node: number | null; readonly pod: number | null } | null {
  const match = /^cell-(none|\d+)(?:-(\d+))?$/.exec(id);
  if (match === null) {
    return null;
  }
  const [, node, pod] = match;
  return { node: node === 'none' ? null : Number(node), pod: pod === undefined ? null : Number(pod) };
}
