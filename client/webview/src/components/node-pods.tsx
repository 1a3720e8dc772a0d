import { useMemo } from 'preact/hooks';
import { nodePodTable } from '../model/tables.ts';
import { usePage } from '../page-context.ts';
import { DetailTable } from './detail-table.tsx';

/** The pods of the selected node. */
export function NodePods({ node }: { readonly node: number }) {
  const { report, frame } = usePage();
  return (
    <section aria-label="Pods on the node" class="decision">
      <h2>{`Pods on ${report.nodes[node]?.name ?? ''}`}</h2>
      <DetailTable table={useMemo(() => nodePodTable(report, frame, node), [report, frame, node])} />
    </section>
  );
}
