import { count, grouped } from '../../../../server/src/kit/words.ts';
import type { Box, CardBox, ZoneBox as ZoneLayout } from '../model/map-layout.ts';
import { summarizeZone } from '../model/zones.ts';
import { usePage } from '../page-context.ts';
import { NodeCard } from './node-card.tsx';
import { place } from './placing.ts';
import { UsageBar } from './usage-bar.tsx';

interface ZoneBoxProps {
  readonly zone: ZoneLayout;
  readonly dense: boolean;
  readonly isFaint: (pod: number) => boolean;
  readonly isVisible: (box: Box) => boolean;
}

/** The nodes of a zone that are near the visible part; a zone with very many has a summary and opens on demand. */
export function ZoneBox({ zone, dense, isFaint, isVisible }: ZoneBoxProps) {
  const { report, frame, view } = usePage();
  const { box } = zone;
  const selectedOn = (card: CardBox): number | 'node' | null => {
    const { selection } = view;
    if (selection?.node !== card.node) {
      return null;
    }
    return selection.kind === 'node' ? 'node' : selection.pod;
  };
  const label = zone.zone === '' ? 'no zone' : zone.zone;
  return (
    <div role="rowgroup" aria-label={`zone ${label}`} class="zone" style={place(box, 0, 0)}>
      <div class="zone-header" role="presentation">
        <span class="zone-name">{label}</span>
        <span class="muted">{count(zone.nodes.length, 'node')}</span>
        {zone.summary && <ZoneToggle zone={zone} />}
      </div>
      {zone.summary && <ZoneTotals zone={zone} />}
      {zone.cards
        .filter((card) => isVisible(card.box))
        .map((card) => (
          <NodeCard
            key={card.node}
            report={report}
            frame={frame}
            card={card}
            originX={box.x}
            originY={box.y}
            dense={dense}
            isFaint={isFaint}
            selected={selectedOn(card)}
          />
        ))}
    </div>
  );
}

function ZoneToggle({ zone }: { readonly zone: ZoneLayout }) {
  const { view, dispatch } = usePage();
  const open = view.openZones.has(zone.zone);
  return (
    <button
      type="button"
      class="link"
      aria-expanded={open}
      onClick={() => {
        dispatch({ type: 'toggleZone', zone: zone.zone });
      }}
    >
      {open ? 'Only nodes with changes' : `Show all ${grouped(zone.nodes.length)}`}
    </button>
  );
}

const labels = { cpu: 'cpu', memory: 'mem', pods: 'pods' } as const;

function ZoneTotals({ zone }: { readonly zone: ZoneLayout }) {
  const { report, frame } = usePage();
  const sum = summarizeZone(report, frame, zone.nodes);
  const pods = sum.byRung.reduce((total, count) => total + count, 0);
  return (
    <div class="zone-totals" role="presentation">
      <div class="rung-bar" role="img" aria-label={`pods by priority: ${spokenRungs(report.ladder, sum.byRung)}`}>
        {sum.byRung.map((count, rung) =>
          count === 0 ? null : (
            <span
              key={rung}
              class={`rung-${rung}`}
              style={{ width: `${(count / pods) * 100}%` }}
              title={`${grouped(count)} pods of priority ${grouped(report.ladder[rung]?.priority ?? 0)}`}
            />
          ),
        )}
      </div>
      <div class="zone-bars">
        {(['cpu', 'memory', 'pods'] as const).map((resource) => (
          <UsageBar
            key={resource}
            resource={resource}
            label={labels[resource]}
            requested={sum.requested[resource]}
            allocatable={sum.allocatable[resource]}
            before={sum.requested[resource]}
            figures
          />
        ))}
        <span class="zone-changes">
          {sum.touchedNodes === 0
            ? 'nothing changes here'
            : `${grouped(sum.arrived)} arrive, ${grouped(sum.evicted)} evicted on ${count(sum.touchedNodes, 'node')}`}
        </span>
      </div>
    </div>
  );
}

function spokenRungs(ladder: readonly { readonly priority: number }[], byRung: readonly number[]): string {
  return byRung
    .map((count, rung) => ({ count, priority: ladder[rung]?.priority ?? 0 }))
    .filter(({ count }) => count > 0)
    .map(({ count, priority }) => `${grouped(count)} of ${grouped(priority)}`)
    .join(', ');
}
