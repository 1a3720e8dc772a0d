import { own } from '../../../../server/src/util/own.ts';
import { say } from '../../../../server/src/util/say.ts';
import { grouped } from '../../../../server/src/util/words.ts';
import { useState } from 'preact/hooks';
import type { TableModel } from '../model/table.ts';
import { usePage } from '../page-context.ts';
import { DataGrid } from './data-grid.tsx';

/** A table about the selection. Walking its rows leaves the selection alone; Enter shows the manifest of a row. */
export function DetailTable({ table }: { readonly table: TableModel }) {
  const { view, dispatch, reveal } = usePage();
  const [active, setActive] = useState<number | null>(null);
  const [all, setAll] = useState(false);
  const rows = table.rows.length;
  // Those that decided stand first, unless the user has another order in mind.
  const chosen = (row: number): number => (table.isChosen?.(row) === true ? 0 : 1);
  const shown =
    all || rows <= shortTable
      ? table
      : { ...table, rows: table.rows.toSorted((left, right) => chosen(left) - chosen(right)).slice(0, shortTable) };
  return (
    <>
      <DataGrid
        table={shown}
        sort={own(view.sorts, table.name)}
        onSort={(column) => {
          dispatch({ type: 'sort', table: table.name, column });
        }}
        isActive={(row) => row === active}
        onSelect={setActive}
        onReveal={reveal}
      />
      {rows > shortTable && (
        <button
          type="button"
          class="link"
          aria-expanded={all}
          onClick={() => {
            setAll(!all);
          }}
        >
          {all ? say`Show fewer` : say`all ${grouped(rows)}`}
        </button>
      )}
    </>
  );
}

/** So many rows are shown before somebody asks for all. */
const shortTable = 5;
