import { addTo } from '../../../../server/src/util/maps.ts';
import { own } from '../../../../server/src/util/own.ts';
import { markOf } from '../../../../server/src/report-model/assumed.ts';
import type { Capacity } from '../../../../server/src/report-model/capacity.ts';
import { freeByClass } from '../../../../server/src/report-model/devices.ts';
import type { Report } from '../../../../server/src/report-model/report.ts';
import type { ShortNames } from '../../../../server/src/report-model/short-names.ts';
import { joined, say } from '../../../../server/src/util/say.ts';
import { count, grouped, list, titleOf } from '../../../../server/src/util/words.ts';
import { resourcesOf } from './cluster-map.ts';
import type { Filter } from './filter.ts';
import type { Frame } from './frame.ts';
import { type Column, figures, type TableModel } from './table.ts';
import { selectPod } from './view-state.ts';

/** What is free of a resource: in all, and the most that is free on one node. */
export interface FreeAmount {
  readonly resource: string;
  readonly free: number;
  readonly most: number;
  readonly node: number;
}

/** What is left on the nodes of a zone that take pods. */
export interface ZoneRoom {
  readonly zone: string;
  readonly nodes: number;
  readonly cordoned: number;
  /** None where no node takes pods. */
  readonly amounts: readonly FreeAmount[];
}

/** By zone, in the order of their names. */
export function roomOfZones(report: Report, frame: Frame): readonly ZoneRoom[] {
  const resources = resourcesOf(report);
  const zones = new Map<string, number[]>();
  for (const [node, { zone }] of report.nodes.entries()) {
    addTo(zones, zone, node);
  }
  return [...zones]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([zone, nodes]) => {
      const open = nodes.filter((node) => !report.nodes[node]!.unschedulable);
      const amounts = [
        ...resources.flatMap((resource) => amountOf(resource, open, report, frame) ?? []),
        ...devicesIn(report, new Set(open)),
      ];
      return { zone, nodes: nodes.length, cordoned: nodes.length - open.length, amounts };
    });
}

/** What is free of the devices of each class. */
function devicesIn({ devices = [] }: Report, nodes: ReadonlySet<number>): readonly FreeAmount[] {
  const here = devices.filter(({ node }) => node !== null && nodes.has(node));
  return freeByClass(here).flatMap(({ className, free, most, node }) =>
    node === null ? [] : [{ resource: className, free, most, node }],
  );
}

/** Undefined where no node has any of it. */
function amountOf(resource: string, nodes: readonly number[], report: Report, frame: Frame): FreeAmount | undefined {
  let [free, most, at] = [0, -1, -1];
  for (const node of nodes) {
    const has = own(report.nodes[node]!.allocatable, resource);
    if (has === undefined) continue;
    const left = Math.max(0, has - (own(frame.requestedOn(node), resource) ?? 0));
    free += left;
    if (left > most) [most, at] = [left, node];
  }
  return at < 0 ? undefined : { resource, free, most, node: at };
}

/** Each workload that has pods, and how many more replicas of it there is room for, as far as that is known. */
export function capacityTable(
  report: Report,
  names: ShortNames,
  known: ReadonlyMap<number, Capacity | string>,
  filter: Filter | null,
): TableModel {
  const mark = markOf(report.nodes);
  const firstPods = new Map<number, number>();
  for (const [pod, { workload }] of report.pods.entries()) {
    const isNew = workload !== null && !firstPods.has(workload);
    if (isNew && (filter?.hasPod(pod) ?? true)) firstPods.set(workload, pod);
  }
  const room = (
    id: 'free' | 'withinBudgets' | 'evicting',
    label: string,
    min: number,
    isBad: (row: Capacity) => boolean,
  ): Column<number> => {
    const answer = (row: number): Capacity | null => {
      const found = known.get(row);
      return typeof found === 'object' && found.refusal === '' ? found : null;
    };
    return figures(
      {
        id,
        label,
        min,
        grow: 0.8,
        tone: (row) => {
          const found = answer(row);
          return found === null ? 'muted' : isBad(found) ? 'warning' : '';
        },
      },
      (row) => answer(row)?.[id].count ?? -1,
      (row) => {
        const found = answer(row);
        if (found !== null) return sizeText(found[id], mark);
        return known.has(row) ? '–' : '…';
      },
    );
  };
  return {
    name: 'capacity',
    label: say`How many more replicas fit`,
    rows: [...firstPods.keys()].sort((a, b) => a - b),
    empty: filter === null ? say`There are no workloads.` : say`No workload matches.`,
    selectionOf: (row) => selectPod(report, firstPods.get(row) ?? 0),
    columns: [
      {
        id: 'workload',
        label: say`Workload`,
        min: 150,
        grow: 2,
        text: (row) => titleOf(report.workloads[row]!),
        short: (row) => names.workload(row),
      },
      room('free', say`Evicting nobody`, 132, ({ free }) => free.count === 0),
      room('withinBudgets', say`Within budgets`, 124, () => false),
      room('evicting', say`Breaking budgets`, 138, () => false),
      {
        id: 'runsOut',
        label: say`Runs out first`,
        min: 120,
        grow: 1,
        text: (row) => {
          const found = known.get(row);
          return typeof found === 'object' ? found.runsOut : '';
        },
      },
      {
        id: 'next',
        label: say`The next one`,
        min: 180,
        grow: 4,
        text: (row) => nextText(known.get(row), names),
      },
    ],
  };
}

/** `3`, `≥ 200` where no more were looked for; `mark` stands before them. */
export function sizeText({ count, isExact }: Capacity['free'], mark: string): string {
  return `${mark}${isExact ? grouped(count) : `≥ ${grouped(count)}`}`;
}

/** What becomes of the next replica: whom it evicts, or what the scheduler says. */
export function nextText(row: Capacity | string | undefined, names: ShortNames): string {
  if (row === undefined) return '';
  if (typeof row === 'string') return row;
  if (row.refusal !== '') return row.refusal;
  if (row.evicts === null) return row.free.isExact ? row.message : say`whether more fit was not looked for`;
  const { node, victims, moreVictims, brokenBudgets } = row.evicts;
  const evicted = moreVictims === 0 ? list(victims) : list([...victims, say`${moreVictims} more`]);
  const broken = brokenBudgets.length === 0 ? '' : say`, breaks ${list(brokenBudgets)}`;
  return say`evicts ${evicted} on ${names.node(node)}${broken}`;
}

/** Where the replicas go that evict no pod: `1 on general-c`. */
export function placesText({ nodes, moreNodes }: Capacity, names: ShortNames): string {
  const named = nodes.map(({ node, count: here }) => say`${grouped(here)} on ${names.node(node)}`);
  return joined([...named, ...(moreNodes === 0 ? [] : [say`the others on ${count(moreNodes, 'more node')}`])], ', ');
}
