import { useMemo, useState } from 'preact/hooks';
import { nodePodTable } from '../model/tables.ts';
import { usePage } from '../page-context.ts';
import { DataGrid } from './data-grid.tsx';

/** The pods of the selected node. Following one leads to it; Escape leads back. */
export function NodePods({ node }: { readonly node: number }) {
  const { report, frame, view, dispatch, reveal } = usePage();
  const table = useMemo(() => nodePodTable(report, frame, node), [report, frame, node]);
  const [active, setActive] = useState<number | null>(null);
  return (
    <section aria-label="Pods on the node" class="decision">
      <h2>{`Pods on ${report.nodes[node]?.name ?? ''}`}</h2>
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
            reveal(selection, true);
          }
        }}
      />
    </section>
  );
}
