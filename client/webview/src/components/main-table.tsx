import { useMemo } from 'preact/hooks';
import { type TableName, tableOf } from '../model/tables.ts';
import { usePage } from '../page-context.ts';
import { LeadOn } from './next-steps.tsx';
import { DataGrid } from './data-grid.tsx';

/** One of the tables of everything on the map; its row is the selection of the page. */
export function MainTable({ name }: { readonly name: TableName }) {
  const { report, frame, filter, view, dispatch, reveal } = usePage();
  const table = useMemo(() => tableOf(name, report, frame, filter), [name, report, frame, filter]);
  const { selection } = view;
  return (
    <DataGrid
      table={table}
      sort={view.sorts[name]}
      onSort={(column) => {
        dispatch({ type: 'sort', table: name, column });
      }}
      isActive={(row) => {
        // A pod has one row, whichever of its tiles is selected.
        const of = table.selectionOf(row);
        return of.kind === 'pod'
          ? selection?.kind === 'pod' && of.pod === selection.pod
          : selection?.kind === 'node' && of.node === selection.node;
      }}
      onSelect={(_row, chosen) => {
        dispatch({ type: 'select', selection: chosen });
      }}
      onReveal={reveal}
      whenEmpty={<LeadOn />}
    />
  );
}
