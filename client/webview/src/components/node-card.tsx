import { formatAmount } from '../../../../server/src/kit/amounts.ts';
import type { Report } from '../../../../server/src/contract/report.ts';
import type { Frame } from '../model/frame.ts';
import type { CardBox } from '../model/map-layout.ts';
import { spokenNode } from '../model/spoken.ts';
import { memo } from '../memo.ts';
import { classes, place } from './placing.ts';
import { cellId, podTile } from './pod-tile.tsx';
import { UsageBar } from './usage-bar.tsx';

interface NodeCardProps {
  readonly report: Report;
  readonly frame: Frame;
  readonly card: CardBox;
  /** Top left corner of what the card lies in. */
  readonly originX: number;
  readonly originY: number;
  readonly dense: boolean;
  readonly isFaint: (pod: number) => boolean;
  /** The pod selected on this card, `node` when the node itself is, null when neither. */
  readonly selected: number | 'node' | null;
}

const bars = [
  ['cpu', 'cpu'],
  ['memory', 'mem'],
  ['pods', 'pods'],
] as const;

export const NodeCard = memo<NodeCardProps>(({ report, frame, card, originX, originY, dense, isFaint, selected }) => {
  const node = report.nodes[card.node];
  if (node === undefined) {
    return null;
  }
  const requested = frame.requestedOn(card.node);
  const around = {
    report,
    originX: card.box.x,
    originY: card.box.y,
    isFaint,
    selected: selected === 'node' ? null : selected,
  };
  const spoken = spokenNode(report, frame, card.node);
  return (
    <div
      role="row"
      aria-label={spoken}
      class={classes('card', [selected === 'node', 'selected'])}
      style={place(card.box, originX, originY)}
    >
      <div
        role="gridcell"
        id={cellId(card.node, null)}
        class="card-header"
        aria-label={spoken}
        aria-selected={selected === 'node'}
      >
        <span class="node-name ellipsis">{node.name}</span>
        {node.unschedulable && <span class="flag">cordoned</span>}
        {node.assumed && <span class="flag">assumed</span>}
        {!dense && (
          <span class="muted capacity">
            {`${formatAmount('cpu', node.allocatable['cpu'] ?? 0)} cpu · ${formatAmount('memory', node.allocatable['memory'] ?? 0)}`}
          </span>
        )}
      </div>
      {card.tiles.map((tile) => podTile(tile, around))}
      <div class="usages">
        {bars.map(([resource, label]) => (
          <UsageBar
            key={resource}
            resource={resource}
            label={label}
            requested={requested[resource] ?? 0}
            allocatable={node.allocatable[resource] ?? 0}
            before={node.requested[resource] ?? 0}
            figures={!dense}
          />
        ))}
      </div>
    </div>
  );
});
