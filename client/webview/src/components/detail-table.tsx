import { useState } from 'preact/hooks';
import type { TableModel } from '../model/table.ts';
import { usePage } from '../page-context.ts';
import { DataGrid } from './data-grid.tsx';

/** A table about the selection. Walking its rows leaves the selection alone; Enter shows the manifest of a row. */
export function DetailTable({ table }: { readonly table: TableModel }) {
  const { view, dispatch, reveal } = usePage();
  const [active, setActive] = useState<number | null>(null);
  return (
    <DataGrid
      table={table}
      sort={view.sorts[table.name]}
      onSort={(column) => {
        dispatch({ type: 'sort', table: table.name, column });
      }}
      isActive={(row) => row === active}
      onSelect={setActive}
      onReveal={(selection, focus) => {
        if (focus) {
          reveal(selection);
        }
      }}
    />
  );
}
