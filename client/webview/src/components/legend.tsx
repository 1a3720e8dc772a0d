import { say } from '../../../../server/src/util/say.ts';
import { count, grouped } from '../../../../server/src/util/words.ts';
import type { ClusterMap } from '../model/cluster-map.ts';
import type { TileLook } from '../model/frame.ts';
import { usePage } from '../page-context.ts';

/** More rungs than this are counted; the tiles still say their class. */
const shownRungs = 12;

interface LegendProps {
  readonly map: ClusterMap;
  readonly resource: string;
  readonly resources: readonly string[];
}

/** Each mark that is on the map, and no other. */
export function Legend({ map, resource, resources }: LegendProps) {
  const { report, frame, view, dispatch } = usePage();
  if (map.zones.length === 0) return null;
  const cards = map.zones.flatMap(({ cards: nodes, open }) => (open ? nodes : []));
  const looks = new Set<TileLook>(cards.flatMap((node) => frame.tilesOn(node).map(({ look }) => look)));
  const isRolled = cards.some((node) => frame.tilesOn(node).some(({ pod }) => report.pods[pod]?.template === 'new'));
  const strips = map.zones.flatMap(({ cells }) => cells);
  const marks: readonly (readonly [boolean, string, string])[] = [
    [looks.has('evicted') || strips.some(({ evicted }) => evicted > 0), 'look-evicted', say`− evicted`],
    [looks.has('terminating'), 'look-terminating', say`− being evicted`],
    [looks.has('ended'), 'look-ended', say`· ended`],
    [looks.has('ending'), 'look-ending', say`· ending`],
    [looks.has('arrived'), 'look-arrived', say`+ new`],
    [isRolled, 'new-template', say`new template`],
    [looks.has('nominated'), 'look-nominated', say`○ waits for its room`],
    [looks.has('running') || strips.length > 0, 'look-running', say`not touched`],
    [cards.length > 0, 'free', say`free`],
    [strips.some(({ evicted, arrivals }) => evicted === 0 && arrivals > 0), 'foot', say`new pods, none evicted`],
  ];
  const next = resources[(resources.indexOf(resource) + 1) % resources.length] ?? resource;
  const width =
    strips.length > 0 && map.large
      ? say`one bar = ${count(map.nodesPerCell, 'node')}, filled by ${resource}`
      : say`width = ${resource}`;
  return (
    <div class="legend">
      <ul class="marks" aria-label={say`Marks`}>
        {marks
          .filter(([on]) => on)
          .map(([, mark, text]) => (
            <li key={mark}>
              <span class={`swatch ${mark}`} />
              {text}
            </li>
          ))}
      </ul>
      <button
        type="button"
        class="link"
        title={say`Show ${next} instead (m)`}
        onClick={() => {
          dispatch({ type: 'resource', resource: next });
        }}
      >
        {`${width}${resource === resources[0] ? say`, the scarcest` : ''}`}
      </button>
      {cards.length > 0 && (
        <button
          type="button"
          class="link"
          aria-pressed={view.colour === 'priority'}
          onClick={() => {
            dispatch({ type: 'colour', colour: view.colour === 'priority' ? 'outcome' : 'priority' });
          }}
        >
          {say`show priorities`}
        </button>
      )}
      {view.colour === 'priority' && (
        <ul class="rungs" aria-label={say`Priority ladder, highest first`}>
          {report.ladder.slice(0, shownRungs).map((rung, index) => (
            <li key={index}>
              <span class={`swatch rung-edge-${index}`} />
              {rung.classes.length > 0 && <span>{rung.classes.join(', ')}</span>}
              <span class="muted figure">{grouped(rung.priority)}</span>
            </li>
          ))}
          {report.ladder.length > shownRungs && (
            <li class="muted">{say`and ${report.ladder.length - shownRungs} more`}</li>
          )}
        </ul>
      )}
    </div>
  );
}
