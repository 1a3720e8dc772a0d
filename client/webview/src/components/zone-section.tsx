import { own } from '../../../../server/src/util/own.ts';
import { say } from '../../../../server/src/util/say.ts';
import { useState } from 'preact/hooks';
import { namedAmount } from '../../../../server/src/util/amounts.ts';
import { count, grouped } from '../../../../server/src/util/words.ts';
import { cardsPerZone, type ClusterMap, type MapZone } from '../model/cluster-map.ts';
import { usageText } from '../model/spoken.ts';
import { usePage } from '../page-context.ts';
import { DensityStrip } from './density-strip.tsx';
import { NodeCard } from './node-card.tsx';

interface ZoneSectionProps {
  readonly map: ClusterMap;
  readonly zone: MapZone;
  readonly resource: string;
  readonly stop: string;
  readonly drawerInside: boolean;
}

/** So many more cards at each press. */
const moreCards = 24;

/** A zone: its strip, and when it is open the nodes that change. */
export function ZoneSection({ map, zone, resource, stop, drawerInside }: ZoneSectionProps) {
  const { report, frame, dispatch, names } = usePage();
  const [limit, setLimit] = useState(cardsPerZone);
  const name = zone.zone === '' ? say`no zone` : zone.zone;
  const few = !map.large;
  const shown = zone.open ? zone.cards.slice(0, few ? zone.cards.length : limit) : [];
  const rest = zone.open ? zone.cards.length - shown.length : 0;
  const free = zone.nodes.map((node) =>
    Math.max(0, (own(report.nodes[node]?.allocatable, resource) ?? 0) - (own(frame.requestedOn(node), resource) ?? 0)),
  );
  const lines = [
    zone.evicted === 0 ? '' : say`${grouped(zone.evicted)} evicted on ${count(zone.losers, 'node')}`,
    few
      ? ''
      : say`${namedAmount(
          resource,
          free.reduce((sum, amount) => sum + amount, 0),
        )} free, at most ${namedAmount(resource, Math.max(0, ...free))} on one node`,
  ].filter((part) => part !== '');
  const id = `zone-${zone.zone}`;
  const only = zone.cells.length === 1 && few ? zone.cells[0]?.nodes[0] : undefined;
  return (
    <div role="rowgroup" class="zone" aria-label={say`zone ${name}`}>
      <div role="row" class="zone-header">
        <div
          role="gridcell"
          id={id}
          data-cell={id}
          class="zone-title"
          tabIndex={id === stop ? 0 : -1}
          aria-expanded={zone.open}
        >
          <span class="zone-name">{name}</span>
          <span class="muted">
            {[count(zone.nodes.length, 'node'), ...(few ? [changesText(zone)] : [])].join(', ')}
          </span>
        </div>
        {zone.cells.length > 0 && (
          <div class="zone-strip" role="gridcell">
            {few && <span class="muted">{say`not touched: ${grouped(zone.cells.length)}`}</span>}
            <DensityStrip
              cells={zone.cells}
              resource={resource}
              label={[
                say`${count(
                  zone.cells.reduce((sum, { nodes }) => sum + nodes.length, 0),
                  'node',
                )} of ${name}`,
                ...lines,
              ].join(', ')}
            />
            {only !== undefined && (
              <span class="muted">{`${names.node(only)} · ${usageText(report, frame, only, resource)}`}</span>
            )}
          </div>
        )}
        {lines.length > 0 && !few && (
          <span class="zone-told">
            {lines.map((text, index) => (
              <span key={text} class={index === 0 && zone.evicted > 0 ? 'tone-bad' : 'muted'}>
                {text}
              </span>
            ))}
          </span>
        )}
      </div>
      {shown.length > 0 && (
        <div class="cards" role="presentation">
          {shown.map((node) => (
            <NodeCard key={node} map={map} node={node} resource={resource} stop={stop} drawerInside={drawerInside} />
          ))}
        </div>
      )}
      {zone.open && !few && (rest > 0 || zone.nodes.length > zone.cards.length) && (
        <div role="row">
          <div role="gridcell" class="zone-rest">
            {rest > 0 && (
              <button
                type="button"
                class="link"
                onClick={() => {
                  setLimit(limit + moreCards);
                }}
              >
                {say`${count(rest, 'more node')} with changes`}
              </button>
            )}
            {zone.nodes.length > zone.cards.length && (
              <button
                type="button"
                class="link"
                onClick={() => {
                  dispatch({ type: 'view', view: 'nodes' });
                }}
              >
                {zone.losers > 0
                  ? say`${count(zone.nodes.length - zone.cards.length, 'node')} without victims`
                  : say`${count(zone.nodes.length - zone.cards.length, 'node')} without changes`}
              </button>
            )}
          </div>
        </div>
      )}
    </div>
  );
}

function changesText({ changed, nodes }: MapZone): string {
  if (changed === 0) return say`unchanged`;
  if (changed < nodes.length) return say`${changed} of them change`;
  return changed === 1 ? say`changed` : say`all change`;
}
