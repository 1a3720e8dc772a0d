import { say } from '../../../../server/src/util/say.ts';
import { devicesOf, freeDevicesText } from '../../../../server/src/report-model/devices.ts';
import { namedAmount } from '../../../../server/src/util/amounts.ts';
import { momentText } from '../../../../server/src/util/words.ts';
import { type BarTile, type ClusterMap, mostOfNode, nodeBars } from '../model/cluster-map.ts';
import { nodeStory, spokenNode, spokenTile, tileText, usageText } from '../model/spoken.ts';
import { usePage } from '../page-context.ts';
import { classes } from './classes.ts';
import { Drawer } from './drawer.tsx';
import { ShortName } from './short-name.tsx';

interface NodeCardProps {
  readonly map: ClusterMap;
  readonly node: number;
  readonly resource: string;
  /** The cell that the Tab key stops at. */
  readonly stop: string;
  /** Whether the drawer opens in the card rather than beside the map. */
  readonly drawerInside: boolean;
  /** Whether each pod has a tile of its own. */
  readonly whole?: boolean;
}

/** A node before and after, on one scale. */
export function NodeCard({ map, node: index, resource, stop, drawerInside, whole = false }: NodeCardProps) {
  const { report, frame, view, names, filter } = usePage();
  const node = report.nodes[index];
  if (node === undefined) return null;
  const { selection } = view;
  const here = view.anchor === null && selection?.node === index;
  const bars = nodeBars(report, frame, index, resource, whole ? mostOfNode : undefined);
  const devices = freeDevicesText(devicesOf(report, index));
  const story = nodeStory(map, names, index);
  const bar = (name: 'before' | 'after', tiles: readonly BarTile[]) => {
    const free = name === 'before' ? bars.freeBefore : bars.freeAfter;
    const label = name === 'before' ? say`before` : say`after`;
    return (
      <div class="bar-line">
        <span class="bar-name" aria-hidden="true">
          {label}
        </span>
        <div
          class="bar"
          {...(tiles.length === 0 ? {} : { role: 'row', 'aria-label': `${names.node(index)} ${label}` })}
        >
          {tiles.map((tile) => {
            const id = `${name}-${index}-${tile.pod ?? `rest-${tile.look}`}`;
            return (
              <div
                key={id}
                id={id}
                data-cell={`node-${index}`}
                role="gridcell"
                tabIndex={id === stop ? 0 : -1}
                class={classes(
                  `tile look-${tile.look}`,
                  [tile.pod !== null && report.pods[tile.pod]?.template === 'new', 'new-template'],
                  [here && selection.kind === 'pod' && selection.pod === tile.pod, 'selected'],
                  [filter !== null && tile.pod !== null && !filter.hasPod(tile.pod) && !filter.hasNode(index), 'faint'],
                  [
                    view.colour === 'priority' && tile.pod !== null,
                    `rung-edge-${report.pods[tile.pod ?? 0]?.rung ?? 0}`,
                  ],
                )}
                style={{ left: percent(tile.start), width: percent(tile.width) }}
                title={spokenTile(report, names, tile, resource)}
              >
                <ShortName text={tileText(names, tile)} spoken={spokenTile(report, names, tile, resource)} />
              </div>
            );
          })}
          {free.width > 0.002 && (
            <div class="free" style={{ left: percent(free.start), width: percent(free.width) }} aria-hidden="true">
              <span class="tile-name">
                <span class="tile-head">{say`free ${namedAmount(resource, free.amount)}`}</span>
              </span>
            </div>
          )}
        </div>
      </div>
    );
  };
  const head = `head-${index}`;
  const spoken = spokenNode(report, frame, map, names, index);
  return (
    <div class={classes('card', [here, 'selected'])} role="presentation" data-node={index}>
      <div role="row" class="card-header">
        <div
          role="gridcell"
          id={head}
          data-cell={`node-${index}`}
          tabIndex={head === stop ? 0 : -1}
          class={classes('card-title', [here && selection.kind === 'node', 'selected'])}
          title={spoken}
        >
          <span class="node-name">{names.node(index)}</span>
          {story.map(({ text, tone }) => (
            <span key={text} class={tone === 'muted' ? tone : `tone-${tone}`}>
              {text}
            </span>
          ))}
          {node.taints.length > 0 && <span class="muted">{say`taint ${node.taints.join(', ')}`}</span>}
          {node.unschedulable && <span class="flag">{say`cordoned`}</span>}
          {node.assumed && <span class="flag">{say`? assumed`}</span>}
          {node.comes !== undefined && <span class="flag">{say`comes at ${momentText(report, node.comes)}`}</span>}
          {devices !== '' && <span class="muted">{devices}</span>}
          <span class="muted card-usage figure">
            {['cpu', 'memory', 'pods'].map((each) => (
              <span key={each} class={`usage-${each}`}>
                {usageText(report, frame, index, each)}
              </span>
            ))}
          </span>
        </div>
      </div>
      {bar('before', bars.before)}
      <svg class="links" viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
        {bars.links.map(({ from, to }) => (
          <path key={from} d={`M${from * 100} 0L${to * 100} 10`} />
        ))}
      </svg>
      {bar('after', bars.after)}
      {here && drawerInside && (
        <div role="row">
          <div role="gridcell">
            <Drawer />
          </div>
        </div>
      )}
    </div>
  );
}

function percent(share: number): string {
  return `${Math.round(share * 10_000) / 100}%`;
}
