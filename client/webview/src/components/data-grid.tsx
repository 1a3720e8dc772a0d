import { say } from '../../../../server/src/util/say.ts';
import type { ComponentChildren } from 'preact';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { type Column, sortRows, type TableModel } from '../model/table.ts';
import { type Selection, type Sort } from '../model/view-state.ts';
import { offsetsOf, rowWindow } from '../model/window.ts';
import { useFontScale } from '../font-scale.ts';
import { showWithin, useViewport } from '../use-viewport.ts';
import { usePage } from '../page-context.ts';
import { classes } from './classes.ts';
import { ShortName } from './short-name.tsx';
import { menuRequest } from './what-if-menu.tsx';

interface DataGridProps {
  readonly table: TableModel;
  readonly sort: Sort | undefined;
  readonly onSort: (column: string) => void;
  /** Position, in the sorted rows, of the row that the keyboard is at. */
  readonly isActive: (row: number) => boolean;
  readonly onSelect: (row: number, selection: Selection) => void;
  readonly onReveal: (selection: Selection) => void;
  /** Told of the rows that are drawn. */
  readonly onDrawn?: (rows: readonly number[]) => void;
  /** What leads on where there are no rows. */
  readonly whenEmpty?: ComponentChildren;
}

/** In pixels at the usual font size. */
const usualRowHeight = 24;

/** A sortable table that draws only the rows that are seen. Arrow keys walk its rows. */
export function DataGrid(props: DataGridProps) {
  const { table, sort, onSort, isActive, onSelect, onReveal, onDrawn } = props;
  const { marked = null } = table;
  const { openMenu } = usePage();
  const area = useRef<HTMLDivElement>(null);
  const viewport = useViewport(area);
  const rows = useMemo(() => sortRows(table, sort), [table, sort]);
  const scale = useFontScale();
  const rowHeight = Math.round(usualRowHeight * scale);
  const offsets = useMemo(() => offsetsOf(rows.map(() => rowHeight)), [rows, rowHeight]);
  const active = rows.findIndex(isActive);
  const shown = rowWindow(offsets, viewport.from, viewport.to);
  useEffect(() => {
    onDrawn?.(rows.slice(shown.first, shown.end));
  }, [onDrawn, rows, shown.first, shown.end]);
  const template = table.columns.map(({ min, grow }) => `minmax(${min * scale}px, ${grow}fr)`).join(' ');
  const minWidth = table.columns.reduce((sum, { min }) => sum + min * scale, 0);
  const isTooWide = viewport.width > 0 && minWidth > viewport.width;
  const rowId = (row: number): string => `${table.name}-${row}`;

  const moveTo = (position: number): void => {
    const row = rows[position];
    if (row !== undefined) {
      onSelect(row, table.selectionOf(row));
    }
  };
  const activeRow = rows[active];
  // Nothing refers to what is out of sight: only what is in it is drawn.
  const isDrawn = active >= shown.first && active < shown.end;
  useEffect(() => {
    const element = area.current;
    if (element !== null && activeRow !== undefined && element.contains(document.activeElement)) {
      // The header covers the height of a row.
      showWithin(element, active * rowHeight, (active + 2) * rowHeight);
    }
  }, [active, activeRow]);

  return (
    <div class={classes('grid-area', [isTooWide, 'too-wide'])} ref={area}>
      <div
        role="grid"
        tabIndex={0}
        class="grid"
        aria-label={table.label}
        aria-rowcount={rows.length + 1}
        aria-colcount={table.columns.length}
        {...(activeRow === undefined || !isDrawn ? {} : { 'aria-activedescendant': rowId(activeRow) })}
        style={{ '--row-height': `${rowHeight}px`, minWidth: `${minWidth}px` }}
        onContextMenu={(event) => {
          if (openMenu === undefined || activeRow === undefined) return;
          event.preventDefault();
          openMenu(menuRequest(table.selectionOf(activeRow), event, document.getElementById(rowId(activeRow))));
        }}
        onKeyDown={(event) => {
          if (event.target !== event.currentTarget || event.ctrlKey || event.metaKey || event.altKey) {
            return;
          }
          const page = Math.max(1, Math.floor(viewport.height / rowHeight) - 2);
          const to = target(event.key, active, rows.length, page);
          if (to !== null) {
            event.preventDefault();
            moveTo(to);
          } else if (event.key === 'Enter' && activeRow !== undefined) {
            event.preventDefault();
            onReveal(table.selectionOf(activeRow));
          }
        }}
      >
        <div role="row" aria-rowindex={1} class="grid-row grid-header" style={{ gridTemplateColumns: template }}>
          {table.columns.map((column) => (
            <ColumnHeader key={column.id} column={column} sort={sort} onSort={onSort} marked={marked === column.id} />
          ))}
        </div>
        <div role="rowgroup" class="grid-body" style={{ height: `${rows.length * rowHeight}px` }}>
          {rows.slice(shown.first, shown.end).map((row, offset) => (
            <div
              key={row}
              id={rowId(row)}
              role="row"
              aria-rowindex={shown.first + offset + 2}
              aria-selected={row === activeRow}
              class={classes('grid-row', [row === activeRow, 'selected'], [table.isChosen?.(row) ?? false, 'chosen'])}
              style={{ gridTemplateColumns: template, top: `${offsets[shown.first + offset]!}px` }}
              onClick={() => {
                onSelect(row, table.selectionOf(row));
              }}
              onContextMenu={(event) => {
                if (openMenu === undefined) return;
                event.preventDefault();
                // The key of the menu also clicks on the grid, which is about the active row.
                event.stopPropagation();
                openMenu(menuRequest(table.selectionOf(row), event));
              }}
              onDblClick={() => {
                onReveal(table.selectionOf(row));
              }}
            >
              {table.columns.map((column) => (
                <GridCell key={column.id} column={column} row={row} marked={marked === column.id} />
              ))}
            </div>
          ))}
        </div>
      </div>
      {rows.length === 0 && (
        <p class="empty-text">
          {table.empty} {props.whenEmpty}
        </p>
      )}
    </div>
  );
}

interface ColumnHeaderProps {
  readonly column: Column<number>;
  readonly sort: Sort | undefined;
  readonly onSort: (column: string) => void;
  readonly marked: boolean;
}

function ColumnHeader({ column, sort, onSort, marked }: ColumnHeaderProps) {
  const order = sort?.column !== column.id ? 'none' : sort.descending ? 'descending' : 'ascending';
  const numeric = column.numeric ?? false;
  return (
    <div role="columnheader" aria-sort={order} class={classes('grid-cell', [numeric, 'numeric'], [marked, 'marked'])}>
      <button
        type="button"
        class="sort"
        title={marked ? say`${column.label}: this decided` : say`Sort by ${column.label}`}
        onClick={() => {
          onSort(column.id);
        }}
      >
        <span class="ellipsis">{column.label}</span>
        {order !== 'none' && (
          <span class="sort-mark" aria-hidden="true">
            {order === 'ascending' ? '▲' : '▼'}
          </span>
        )}
      </button>
    </div>
  );
}

function GridCell({
  column,
  row,
  marked,
}: {
  readonly column: Column<number>;
  readonly row: number;
  readonly marked: boolean;
}) {
  const text = column.text(row);
  const tone = column.tone?.(row) ?? '';
  const numeric = column.numeric ?? false;
  return (
    <div
      role="gridcell"
      class={classes('grid-cell', [numeric, 'numeric'], [marked, 'marked'], [tone !== '', `tone-${tone}`])}
      title={text}
    >
      {column.short === undefined ? text : <ShortName text={column.short(row)} spoken={text} />}
    </div>
  );
}

function target(key: string, active: number, rows: number, page: number): number | null {
  switch (key) {
    case 'ArrowDown':
      return Math.min(rows - 1, active + 1);
    case 'ArrowUp':
      return Math.max(0, active - 1);
    case 'PageDown':
      return Math.min(rows - 1, active + page);
    case 'PageUp':
      return Math.max(0, active - page);
    case 'Home':
      return 0;
    case 'End':
      return rows - 1;
    default:
      return null;
  }
}
