import { count, grouped } from '../../../../server/src/kit/words.ts';
import type { WaitingBox as WaitingLayout } from '../model/map-layout.ts';
import { usePage } from '../page-context.ts';
import { place } from './placing.ts';
import { podTile } from './pod-tile.tsx';

interface WaitingBoxProps {
  readonly waiting: WaitingLayout;
  readonly isFaint: (pod: number) => boolean;
}

/** Pods that have no node. */
export function WaitingBox({ waiting, isFaint }: WaitingBoxProps) {
  const { report, view, dispatch } = usePage();
  const { selection } = view;
  const around = {
    report,
    originX: waiting.box.x,
    originY: waiting.box.y,
    isFaint,
    selected: selection?.kind === 'pod' && selection.node === null ? selection.pod : null,
  };
  const pods = waiting.tiles.length + waiting.hidden;
  return (
    <div role="rowgroup" aria-label="without a node" class="zone waiting" style={place(waiting.box, 0, 0)}>
      <div class="zone-header" role="presentation">
        <span class="zone-name">without a node</span>
        <span class="muted">{count(pods, 'pod')}</span>
        {waiting.hidden > 0 && (
          <button
            type="button"
            class="link"
            onClick={() => {
              dispatch({ type: 'view', view: 'pending' });
            }}
          >
            {`${grouped(waiting.hidden)} more in the table`}
          </button>
        )}
      </div>
      <div role="row" aria-label="pods without a node">
        {waiting.tiles.map((tile) => podTile(tile, around))}
      </div>
    </div>
  );
}
