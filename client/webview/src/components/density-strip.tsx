import { own } from '../../../../server/src/util/own.ts';
import { say } from '../../../../server/src/util/say.ts';
import { count, grouped } from '../../../../server/src/util/words.ts';
import type { StripCell } from '../model/cluster-map.ts';
import { usePage } from '../page-context.ts';
import { menuRequest } from './what-if-menu.tsx';

interface DensityStripProps {
  readonly cells: readonly StripCell[];
  readonly resource: string;
  readonly label: string;
}

/** Of one cell, in units of the picture. */
const step = 10;
const height = 24;

/** Many nodes as small bars, filled by the scarce resource. A few paths, however many nodes there are. */
export function DensityStrip({ cells, resource, label }: DensityStripProps) {
  const { report, frame, dispatch, names, openMenu } = usePage();
  const used = ({ nodes }: StripCell): number => {
    const sum = (amountOf: (node: number) => number): number =>
      nodes.reduce((total, node) => total + amountOf(node), 0);
    const have = sum((node) => own(report.nodes[node]?.allocatable, resource) ?? 0);
    return have === 0 ? 0 : Math.min(1, sum((node) => own(frame.requestedOn(node), resource) ?? 0) / have);
  };
  const rects = (of: (cell: StripCell) => number): string =>
    cells
      .map((cell, index) => {
        const high = of(cell) * height;
        return high === 0 ? '' : `M${index * step + 1} ${height}v${-high}h${step - 2}v${high}z`;
      })
      .join('');
  const cellAt = (event: MouseEvent): StripCell | undefined => {
    const box = (event.currentTarget as Element).getBoundingClientRect();
    return cells[Math.floor(((event.clientX - box.left) / box.width) * cells.length)];
  };
  return (
    <svg
      class="strip"
      role="img"
      aria-label={label}
      viewBox={`0 0 ${cells.length * step} ${height}`}
      preserveAspectRatio="none"
      style={{ maxWidth: `${cells.length * 14}px` }}
      onMouseMove={(event) => {
        const cell = cellAt(event);
        const title = event.currentTarget.querySelector('title');
        if (title !== null && cell !== undefined) title.textContent = cellText(cell);
      }}
      onContextMenu={(event) => {
        const node = cellAt(event)?.nodes[0];
        if (node === undefined || openMenu === undefined) return;
        event.preventDefault();
        openMenu(menuRequest({ kind: 'node', node }, event));
      }}
      onClick={(event) => {
        const node = cellAt(event)?.nodes[0];
        if (node !== undefined) dispatch({ type: 'select', selection: { kind: 'node', node } });
      }}
    >
      <title />
      <path class="strip-ground" d={rects(() => 1)} />
      <path class="strip-used" d={rects((cell) => (cell.evicted > 0 ? 0 : used(cell)))} />
      <path class="strip-evicted" d={rects((cell) => (cell.evicted > 0 ? Math.max(0.2, used(cell)) : 0))} />
      <path class="strip-arrivals" d={rects((cell) => (cell.evicted === 0 && cell.arrivals > 0 ? 0.14 : 0))} />
    </svg>
  );

  function cellText(cell: StripCell): string {
    const [first = 0] = cell.nodes;
    return [
      cell.nodes.length === 1
        ? names.node(first)
        : say`${names.node(first)} and ${count(cell.nodes.length - 1, 'more node')}`,
      cell.evicted === 0 ? '' : say`${grouped(cell.evicted)} evicted`,
      cell.arrivals === 0 ? '' : say`${grouped(cell.arrivals)} new`,
      `${resource} ${Math.round(used(cell) * 100)} %`,
    ]
      .filter(Boolean)
      .join(', ');
  }
}
