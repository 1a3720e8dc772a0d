import type { Report } from '../../../../server/src/simulation/report.ts';
import type { Tile } from '../model/frame.ts';
import type { Box } from '../model/map-layout.ts';
import { spokenTile } from '../model/spoken.ts';
import { memo } from '../memo.ts';
import { classes, place } from './placing.ts';

interface PodTileProps {
  readonly report: Report;
  readonly tile: Tile;
  readonly box: Box;
  readonly originX: number;
  readonly originY: number;
  readonly labelled: boolean;
  readonly faint: boolean;
  readonly selected: boolean;
}

export const PodTile = memo<PodTileProps>(
  ({ report, tile, box, originX, originY, labelled, faint, selected }) => {
    const pod = report.pods[tile.pod];
    if (pod === undefined) {
      return null;
    }
    const spoken = spokenTile(report, tile);
    return (
      <div
        role="gridcell"
        id={cellId(tile.node, tile.pod)}
        data-node={tile.node ?? ''}
        data-pod={tile.pod}
        class={classes(`tile look-${tile.look}`, [selected, 'selected'], [faint, 'faint'])}
        style={{
          ...place(box, originX, originY),
          '--fill': `var(--rung-${pod.rung})`,
          '--on-fill': `var(--on-rung-${pod.rung})`,
        }}
        aria-label={spoken}
        aria-selected={selected}
        title={spoken}
      >
        {labelled && <span class="tile-name">{pod.name}</span>}
      </div>
    );
  },
);

export function cellId(node: number | null, pod: number | null): string {
  return pod === null ? `cell-${node ?? ''}` : `cell-${node ?? 'none'}-${pod}`;
}
