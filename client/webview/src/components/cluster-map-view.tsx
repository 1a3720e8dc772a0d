import { say } from '../../../../server/src/util/say.ts';
import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { clusterMap, resourcesOf } from '../model/cluster-map.ts';
import type { Selection } from '../model/view-state.ts';
import { type Cell, isWalkKey, walk } from '../model/walk.ts';
import { usePage } from '../page-context.ts';
import { Drawer } from './drawer.tsx';
import { Legend } from './legend.tsx';
import { LeadOn } from './next-steps.tsx';
import { menuRequest } from './what-if-menu.tsx';
import { ZoneSection } from './zone-section.tsx';
import { ZoomedNode } from './zoomed-node.tsx';

/** Nodes that change as cards, the others as strips. One stop of the Tab key; arrow keys walk from tile to tile. */
export function ClusterMapView({ drawerInside }: { readonly drawerInside: boolean }) {
  const { report, frame, view, filter, dispatch, reveal, names, openMenu } = usePage();
  const grid = useRef<HTMLDivElement>(null);
  const [last, setLast] = useState<string | null>(null);
  const { selection } = view;
  const node = view.anchor === null ? (selection?.node ?? null) : null;
  const map = useMemo(
    () => clusterMap(report, frame, { toggled: view.openZones, filter, node }),
    [report, frame, view.openZones, filter, node],
  );
  const resources = useMemo(() => resourcesOf(report), [report]);
  const resource =
    view.resource !== null && resources.includes(view.resource) ? view.resource : (resources[0] ?? 'cpu');
  const zoom = view.zoom !== null && view.zoom < report.nodes.length ? view.zoom : null;
  const shownZones = zoom === null ? map.zones : [];
  // The Tab key stops at the cell that had the focus last, else at the first.
  const firstZone = shownZones[0];
  const stop = last ?? (zoom !== null ? `head-${zoom}` : firstZone === undefined ? '' : `zone-${firstZone.zone}`);
  // That cell may have gone with a filter, or with a zone that was closed.
  useLayoutEffect(() => {
    if (last !== null && grid.current?.querySelector('[tabindex="0"]') == null) setLast(null);
  });
  // Into a node, and out of it, the focus stays with the node.
  const left = useRef(zoom);
  useLayoutEffect(() => {
    const node = zoom ?? left.current;
    if (zoom !== left.current && node !== null && document.activeElement === document.body) {
      document.getElementById(`head-${node}`)?.focus();
    }
    left.current = zoom;
  }, [zoom]);
  const homeless = drawerInside && view.anchor === null && selection !== null && selection.node === null;

  const move = (key: Parameters<typeof walk>[2], from: HTMLElement): void => {
    const elements = [...(grid.current?.querySelectorAll<HTMLElement>('[data-cell]') ?? [])];
    const cells = elements.map((element): Cell => {
      const { x, y, width, height } = element.getBoundingClientRect();
      return { group: element.dataset['cell'] ?? '', box: { x, y, width, height } };
    });
    elements[walk(cells, elements.indexOf(from), key)]?.focus();
  };
  /** What the first of two clicks was on. */
  const clicked = useRef<Selection | null>(null);
  return (
    <>
      <Legend map={zoom === null ? map : { ...map, large: false }} resource={resource} resources={resources} />
      {homeless && <Drawer />}
      <div
        role="grid"
        ref={grid}
        class="map"
        aria-label={say`Cluster map`}
        aria-describedby="map-help"
        onFocusIn={(event) => {
          const cell = cellOf(event.target);
          if (cell !== null) setLast(cell.id);
        }}
        onKeyDown={(event) => {
          const cell = cellOf(event.target);
          if (cell === null || cell !== event.target || event.ctrlKey || event.metaKey || event.altKey) return;
          const chosen = selectionOf(cell.id);
          if (isWalkKey(event.key)) {
            event.preventDefault();
            move(event.key, cell);
          } else if (event.key === ' ' && chosen !== null) {
            event.preventDefault();
            dispatch({ type: 'select', selection: chosen });
          } else if (event.key === 'Enter') {
            event.preventDefault();
            if (chosen === null) toggle(cell.id);
            else into(chosen);
          } else if (event.key === 'm') {
            const next = resources[(resources.indexOf(resource) + 1) % resources.length];
            if (next !== undefined) dispatch({ type: 'resource', resource: next });
          }
        }}
        onClick={(event) => {
          const cell = cellOf(event.target);
          // The first of two clicks opens a drawer, which may move another cell under the second click.
          if (event.detail > 1 && clicked.current !== null) return;
          clicked.current = cell === null ? null : selectionOf(cell.id);
          if (cell === null) return;
          const chosen = clicked.current;
          if (chosen === null) toggle(cell.id);
          else dispatch({ type: 'select', selection: chosen });
        }}
        onContextMenu={(event) => {
          const cell = cellOf(event.target);
          const chosen = cell === null ? null : selectionOf(cell.id);
          if (chosen === null || openMenu === undefined) return;
          event.preventDefault();
          openMenu(menuRequest(chosen, event, cell));
        }}
        onDblClick={() => {
          if (clicked.current !== null) into(clicked.current);
        }}
      >
        {zoom !== null && (
          <ZoomedNode map={map} node={zoom} resource={resource} stop={stop} drawerInside={drawerInside} />
        )}
        {shownZones.map((zone) => (
          <ZoneSection
            key={zone.zone}
            map={map}
            zone={zone}
            resource={resource}
            stop={stop}
            drawerInside={drawerInside}
          />
        ))}
      </div>
      {map.zones.length === 0 && (
        <p class="empty-text">
          {filter === null ? say`There are no nodes.` : say`No node and no pod matches.`}{' '}
          {filter !== null && <LeadOn />}
        </p>
      )}
      <p id="map-help" class="spoken">
        {say`Arrow keys walk, Space selects, Enter opens a zone, a node or the manifest of a pod, m changes the resource, Escape goes back.`}
      </p>
      {names.cut !== '' && <p class="muted names-cut">{names.cut}</p>}
    </>
  );

  /** Into a node; of a pod its manifest, in the other column. */
  function into(chosen: Selection): void {
    if (chosen.kind === 'pod') reveal(chosen);
    else dispatch({ type: 'zoom', node: chosen.node });
  }

  function toggle(id: string): void {
    dispatch({ type: 'toggleZone', zone: id.slice('zone-'.length) });
  }
}

function cellOf(target: EventTarget | null): HTMLElement | null {
  return target instanceof Element ? target.closest<HTMLElement>('[data-cell]') : null;
}

/** What a cell of this id stands for; null for a zone. */
function selectionOf(id: string): Selection | null {
  const match = /^(head|before|after|all)-(\d+)(?:-(\d+|rest-\w+))?$/.exec(id);
  if (match === null) return null;
  const [, , node, pod] = match;
  return pod === undefined || pod.startsWith('rest')
    ? { kind: 'node', node: Number(node) }
    : { kind: 'pod', pod: Number(pod), node: Number(node) };
}
