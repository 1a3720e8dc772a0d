import { useEffect, useMemo, useRef } from 'preact/hooks';
import { type Box, layoutMap } from '../model/map-layout.ts';
import { sameSelection, type Selection } from '../model/view-state.ts';
import { type Cell, cellsOf, isWalkKey, walk } from '../model/walk.ts';
import { scrollTo } from '../model/window.ts';
import { useFontScale } from '../font-scale.ts';
import { usePage } from '../page-context.ts';
import { useViewport } from '../use-viewport.ts';
import { classes } from './placing.ts';
import { cellId, parseCellId } from './pod-tile.tsx';
import { WaitingBox } from './waiting-box.tsx';
import { ZoneBox } from './zone-box.tsx';

/** Nodes and pods as a picture. One stop of the Tab key; arrow keys walk from tile to tile. */
export function ClusterMap() {
  const { report, frame, view, filter, dispatch, reveal } = usePage();
  const area = useRef<HTMLDivElement>(null);
  const viewport = useViewport(area, 'map');
  const scale = useFontScale();
  const layout = useMemo(
    () => layoutMap(report, frame, { width: viewport.width, scale, openZones: view.openZones, filter }),
    [report, frame, viewport.width, scale, view.openZones, filter],
  );
  const cells = useMemo(() => cellsOf(layout), [layout]);
  const active = cells.findIndex((cell) => sameSelection(selectionOf(cell), view.selection));
  const activeCell = cells[active];
  const isFaint = useMemo(
    () =>
      (pod: number): boolean =>
        (filter !== null && !filter.hasPod(pod)) || (view.rung !== null && report.pods[pod]?.rung !== view.rung),
    [filter, report, view.rung],
  );
  const scrollToCell = (cell: Cell | undefined): void => {
    const element = area.current;
    if (element !== null && cell !== undefined) {
      const { y, height } = cell.box;
      const to = scrollTo(y - margin, y + height + margin, element.scrollTop, element.clientHeight);
      if (to !== null) {
        element.scrollTop = to;
      }
    }
  };
  // A selection made elsewhere on the page is brought into view; a new report or a new width does not scroll.
  const { selection } = view;
  const latest = useRef(activeCell);
  latest.current = activeCell;
  const first = useRef(true);
  useEffect(() => {
    if (first.current) {
      first.current = false;
    } else {
      scrollToCell(latest.current);
    }
  }, [selection]);

  // What lies near the visible part, and the selected card, which assistive technology must always find.
  const isVisible = (box: Box): boolean =>
    (box.y < viewport.to && box.y + box.height > viewport.from) ||
    (activeCell !== undefined && contains(box, activeCell.box));

  return (
    <div class="map-area" ref={area}>
      <div
        role="grid"
        tabIndex={0}
        class={classes('map', [layout.dense, 'dense'], [layout.slim, 'slim'])}
        aria-label="Cluster map"
        aria-describedby="map-help"
        aria-rowcount={layout.zones.reduce((sum, zone) => sum + zone.cards.length, layout.waiting === null ? 0 : 1)}
        {...(activeCell === undefined ? {} : { 'aria-activedescendant': cellId(activeCell.node, activeCell.pod) })}
        // Until the area has been measured the map claims all the height there is, so that one measuring is enough.
        style={{ height: viewport.width === 0 ? '100vh' : cells.length === 0 ? 'auto' : `${layout.height}px` }}
        onKeyDown={(event) => {
          if (event.target !== event.currentTarget || event.ctrlKey || event.metaKey || event.altKey) {
            return;
          }
          if (isWalkKey(event.key)) {
            event.preventDefault();
            const next = cells[active < 0 ? 0 : walk(cells, active, event.key)];
            if (next !== undefined) {
              dispatch({ type: 'select', selection: selectionOf(next) });
            }
          } else if (event.key === 'Enter' && activeCell !== undefined) {
            event.preventDefault();
            reveal(selectionOf(activeCell));
          }
        }}
        onClick={(event) => {
          const clicked = selectionAt(event.target);
          if (clicked !== null) {
            dispatch({ type: 'select', selection: clicked });
          }
        }}
        onMouseOver={(event) => {
          // What is spoken is shown as well; only where the pointer is, because there are thousands.
          const cell = cellAt(event.target);
          if (cell !== null) {
            cell.title = cell.ariaLabel ?? '';
          }
        }}
        onDblClick={(event) => {
          const clicked = selectionAt(event.target);
          if (clicked !== null) {
            reveal(clicked);
          }
        }}
      >
        {layout.waiting !== null && <WaitingBox waiting={layout.waiting} isFaint={isFaint} />}
        {layout.zones
          .filter((zone) => isVisible(zone.box))
          .map((zone) => (
            <ZoneBox key={zone.zone} zone={zone} dense={layout.dense} isFaint={isFaint} isVisible={isVisible} />
          ))}
        {cells.length === 0 && <p class="empty-text">{filter === null ? 'There are no nodes.' : 'Nothing matches.'}</p>}
      </div>
      <span id="map-help" class="spoken">
        Arrow keys walk from pod to pod, Page Up and Page Down from node to node, Enter shows the manifest.
      </span>
    </div>
  );
}

/** Pixels that are kept between what is selected and the edge. */
const margin = 40;

function contains(outer: Box, inner: Box): boolean {
  return (
    inner.x >= outer.x - 1 &&
    inner.y >= outer.y - 1 &&
    inner.x + inner.width <= outer.x + outer.width + 1 &&
    inner.y + inner.height <= outer.y + outer.height + 1
  );
}

function selectionOf(cell: Cell): Selection {
  return cell.pod === null ? { kind: 'node', node: cell.node ?? 0 } : { kind: 'pod', pod: cell.pod, node: cell.node };
}

function selectionAt(target: EventTarget | null): Selection | null {
  const cell = parseCellId(cellAt(target)?.id ?? '');
  if (cell === null) {
    return null;
  }
  const { node, pod } = cell;
  if (pod !== null) {
    return { kind: 'pod', pod, node };
  }
  return node === null ? null : { kind: 'node', node };
}

function cellAt(target: EventTarget | null): HTMLElement | null {
  return target instanceof Element ? target.closest<HTMLElement>('[role="gridcell"]') : null;
}
