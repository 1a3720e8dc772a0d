/** The tables of everything on the map, for those who do not look at pictures. */
import { own } from '../../../../server/src/util/own.ts';
import { evictedPods, type Eviction, evictions } from '../../../../server/src/report-model/evicted-pods.ts';
import { budgetWord, stateWord } from '../../../../server/src/report-model/words.ts';
import { say } from '../../../../server/src/util/say.ts';
import { formatAmount, formatUsage } from '../../../../server/src/util/amounts.ts';
import { clockText, grouped, outOf, qualifiedName, titleOf } from '../../../../server/src/util/words.ts';
import { budgetText, fateText } from '../../../src/report/victim-text.ts';
import { isGone, type Report, type ReportPod, type ReportVictim } from '../../../../server/src/report-model/report.ts';
import type { Filter } from './filter.ts';
import { type Frame, isVictim } from './frame.ts';
import { shortNames } from '../../../../server/src/report-model/short-names.ts';
import { type Column, figures, nameOfNode, type TableModel } from './table.ts';
import { selectPod } from './view-state.ts';

export type TableName = 'pods' | 'nodes' | 'victims' | 'pending';

export function tableOf(name: TableName, report: Report, frame: Frame, filter: Filter | null): TableModel {
  switch (name) {
    case 'pods':
      return podTable(report, frame, filter);
    case 'nodes':
      return nodeTable(report, frame, filter);
    case 'victims':
      return victimTable(report, filter);
    case 'pending':
      return pendingTable(report, filter);
    default:
      return name satisfies never;
  }
}

function podTable(report: Report, frame: Frame, filter: Filter | null): TableModel {
  const pod = (row: number): ReportPod => report.pods[row]!;
  const evicted = evictedPods(report);
  return {
    name: 'pods',
    label: say`Pods`,
    rows: filtered(report.pods.length, (row) => frame.placeOf(row) !== null && (filter?.hasPod(row) ?? true)),
    empty: filter === null ? say`There are no pods.` : say`No pod matches.`,
    selectionOf: (row) => ({ kind: 'pod', pod: row, node: frame.placeOf(row)?.node ?? pod(row).before.node }),
    columns: [
      ...podColumns(report, (row) => row, { label: say`Pod`, grow: 3 }),
      {
        id: 'state',
        label: say`State`,
        min: 90,
        grow: 1,
        text: (row) => stateWord(frame.placeOf(row)?.state ?? 'pending', evicted.has(row)),
        tone: (row) => stateTone(frame.placeOf(row)?.state, evicted.has(row)),
      },
      nodeColumn(report, { id: 'before', label: say`Before`, min: 90, grow: 1.3 }, (row) => pod(row).before.node),
      nodeColumn(report, { id: 'now', label: say`Now`, min: 90, grow: 1.3 }, (row) => frame.placeOf(row)?.node ?? null),
      requested('cpu'),
      requested('memory'),
    ],
  };

  function requested(resource: string): Column<number> {
    const amount = (row: number): number => own(pod(row).requests, resource) ?? 0;
    const text = (row: number): string => formatAmount(resource, amount(row));
    return figures({ id: resource, label: resource, min: 64, grow: 0.8 }, amount, text);
  }
}

/** Which pod it is, and its rung of the ladder. */
function podColumns(
  report: Report,
  podOf: (row: number) => number,
  name: { readonly label: string; readonly grow: number },
): readonly [Column<number>, Column<number>, Column<number>] {
  const pod = (row: number): ReportPod => report.pods[podOf(row)]!;
  return [
    {
      id: 'pod',
      min: 150,
      ...name,
      text: (row) => qualifiedName(pod(row)),
      short: (row) => shortNames(report).pod(podOf(row)),
    },
    figures({ id: 'priority', label: say`Priority`, min: 116, grow: 0.8 }, (row) => pod(row).priority),
    { id: 'class', label: say`Class`, min: 90, grow: 1.2, text: (row) => pod(row).className ?? '–' },
  ];
}

/** A node by its short name; `–` for none. */
function nodeColumn(
  report: Report,
  column: Pick<Column<number>, 'id' | 'label' | 'min' | 'grow'>,
  nodeOf: (row: number) => number | null,
): Column<number> {
  return {
    ...column,
    text: (row) => nameOfNode(report, nodeOf(row)),
    short: (row) => {
      const node = nodeOf(row);
      return node === null ? '–' : shortNames(report).node(node);
    },
  };
}

/** The pods of one node, those it loses included. */
export function nodePodTable(report: Report, frame: Frame, node: number): TableModel {
  const rows = frame.tilesOn(node).map(({ pod }) => pod);
  return {
    ...podTable(report, frame, null),
    name: 'node-pods',
    label: say`Pods on the node`,
    rows,
    selectionOf: (row) => ({ kind: 'pod', pod: row, node }),
    empty: say`No pod is on this node.`,
  };
}

function nodeTable(report: Report, frame: Frame, filter: Filter | null): TableModel {
  const node = (row: number) => report.nodes[row]!;
  const usage = (resource: string): Column<number> => {
    const used = (row: number): number => own(frame.requestedOn(row), resource) ?? 0;
    const of = (row: number): number => own(node(row).allocatable, resource) ?? 0;
    return figures(
      { id: resource, label: resource, min: 90, grow: 1 },
      (row) => (of(row) === 0 ? 0 : used(row) / of(row)),
      (row) => formatUsage(resource, used(row), of(row), '/'),
    );
  };
  const lost = (row: number): number => frame.tilesOn(row).filter(({ look }) => isVictim(look)).length;
  return {
    name: 'nodes',
    label: say`Nodes`,
    rows: filtered(
      report.nodes.length,
      (row) => filter === null || filter.hasNode(row) || frame.tilesOn(row).some((tile) => filter.hasPod(tile.pod)),
    ),
    empty: filter === null ? say`There are no nodes.` : say`No node matches.`,
    selectionOf: (row) => ({ kind: 'node', node: row }),
    columns: [
      nodeColumn(report, { id: 'node', label: say`Node`, min: 120, grow: 2 }, (row) => row),
      { id: 'zone', label: say`Zone`, min: 80, grow: 1, text: (row) => node(row).zone || '–' },
      usage('cpu'),
      usage('memory'),
      usage('pods'),
      figures(
        { id: 'lost', label: say`Evicted`, min: 84, grow: 0.7, tone: (row) => (lost(row) > 0 ? 'bad' : 'muted') },
        lost,
      ),
      {
        id: 'taints',
        label: say`Taints`,
        min: 100,
        grow: 2,
        text: (row) =>
          [...(node(row).unschedulable ? [say`unschedulable`] : []), ...node(row).taints].join(', ') || '–',
      },
    ],
  };
}

function victimTable(report: Report, filter: Filter | null): TableModel {
  const all = evictions(report);
  const eviction = (row: number): Eviction => all[row]!;
  /** What is known of those only that are evicted for another. */
  const victim = (row: number): ReportVictim | undefined => report.victims[row];
  const fateOf = fatesOf(report, all);
  const workloadOf = (row: number): number | null => report.pods[eviction(row).pod]?.workload ?? null;
  const [name, priority, className] = podColumns(report, (row) => eviction(row).pod, { label: say`Victim`, grow: 2.4 });
  return {
    name: 'victims',
    label: say`Victims`,
    rows: filtered(
      all.length,
      (row) => report.pods[eviction(row).pod] !== undefined && (filter?.hasPod(eviction(row).pod) ?? true),
    ),
    empty: filter === null ? say`Nothing is evicted.` : say`No victim matches.`,
    selectionOf: (row) => ({ kind: 'pod', pod: eviction(row).pod, node: eviction(row).node }),
    columns: [
      name,
      {
        id: 'workload',
        label: say`Workload`,
        min: 160,
        grow: 2,
        text: (row) => {
          const workload = report.workloads[workloadOf(row) ?? -1];
          return workload === undefined ? '–' : titleOf(workload);
        },
        short: (row) => {
          const workload = workloadOf(row);
          return workload === null ? '–' : shortNames(report).workload(workload);
        },
      },
      priority,
      className,
      nodeColumn(report, { id: 'node', label: say`Node`, min: 90, grow: 1.2 }, (row) => eviction(row).node),
      {
        id: 'budget',
        label: say`Budget`,
        min: 140,
        grow: 1.5,
        text: (row) => {
          const known = victim(row);
          const names = report.pods[eviction(row).pod]?.budgets.join(', ') ?? '';
          return known !== undefined ? budgetText(known) : names === '' ? budgetWord('none') : names;
        },
        tone: (row) =>
          (({ violated: 'bad', kept: 'good', none: 'muted' }) as const)[victim(row)?.budget.state ?? 'none'],
      },
      figures(
        {
          id: 'remaining',
          label: say`Left running`,
          min: 100,
          grow: 0.8,
          tone: (row) => (victim(row)?.remaining.running === 0 ? 'warning' : ''),
        },
        (row) => victim(row)?.remaining.running ?? -1,
        (row) => ofVictim(row, ({ remaining }) => outOf(grouped(remaining.running), grouped(remaining.before))),
      ),
      {
        id: 'fate',
        label: say`Then`,
        min: 150,
        grow: 1.6,
        text: (row) => fateText(shortNames(report), fateOf(row)),
        tone: (row) => (({ moves: 'good', pending: 'warning', gone: 'muted' }) as const)[fateOf(row).fate],
      },
      {
        id: 'for',
        label: say`Because of`,
        min: 120,
        grow: 2,
        text: (row) => {
          const { by, preemptor } = eviction(row);
          const pod = report.pods[preemptor ?? -1];
          return pod === undefined ? causeWords()[by] : qualifiedName(pod);
        },
        short: (row) => {
          const { by, preemptor } = eviction(row);
          return preemptor === null ? causeWords()[by] : shortNames(report).pod(preemptor);
        },
      },
      figures(
        { id: 'grace', label: say`Grace`, min: 60, grow: 0.6 },
        (row) => victim(row)?.gracePeriodSeconds ?? -1,
        (row) => ofVictim(row, ({ gracePeriodSeconds }) => clockText(gracePeriodSeconds)),
      ),
    ],
  };

  function ofVictim(row: number, text: (known: ReportVictim) => string): string {
    const known = victim(row);
    return known === undefined ? '–' : text(known);
  }
}

/** For what a pod is evicted that makes room for no other. */
function causeWords(): Readonly<Record<Eviction['by'], string>> {
  return { preemptor: '–', drain: say`a drain`, pressure: say`memory pressure`, taint: say`a taint` };
}

/** What becomes of the replica of the pod: its replacement may be evicted, too. */
function fatesOf(
  { pods, victims }: Report,
  all: readonly Eviction[],
): (row: number) => Pick<ReportVictim, 'fate' | 'newNode'> {
  const replacements = new Map(all.map(({ pod, replacement }) => [pod, replacement]));
  return (row) => {
    const known = victims[row];
    if (known !== undefined) return known;
    let last = all[row]!.replacement;
    // Messages may name them in a circle.
    for (let hop = 0; hop < all.length && last !== null && replacements.has(last); hop += 1) {
      last = replacements.get(last) ?? null;
    }
    const after = pods[last ?? -1]?.after;
    if (after?.state === 'running') return { fate: 'moves', newNode: after.node };
    return { fate: after === undefined || isGone(after.state) ? 'gone' : 'pending', newNode: null };
  };
}

function pendingTable(report: Report, filter: Filter | null): TableModel {
  const entry = (row: number) => report.pending[row]!;
  const pod = (row: number): ReportPod => report.pods[entry(row).pod]!;
  const decision = (row: number) => report.decisions[entry(row).decision];
  return {
    name: 'pending',
    label: say`Pending`,
    rows: filtered(
      report.pending.length,
      (row) => report.pods[entry(row).pod] !== undefined && (filter?.hasPod(entry(row).pod) ?? true),
    ),
    empty: filter === null ? say`Nothing stays pending.` : say`No pending pod matches.`,
    selectionOf: (row) => selectPod(report, entry(row).pod),
    columns: [
      ...podColumns(report, (row) => entry(row).pod, { label: say`Pod`, grow: 2 }),
      {
        id: 'state',
        label: say`State`,
        min: 80,
        grow: 0.8,
        text: (row) => stateWord(pod(row).after.state),
        tone: (row) => stateTone(pod(row).after.state, false),
      },
      { id: 'message', label: say`Message`, min: 220, grow: 5, text: (row) => decision(row)?.message ?? '' },
      {
        id: 'help',
        label: say`Would help`,
        min: 140,
        grow: 2.5,
        text: (row) => decision(row)?.wouldHelp.join('; ') ?? '',
      },
    ],
  };
}

function stateTone(state: string | undefined, isEvicted: boolean): 'good' | 'bad' | 'warning' | 'muted' | '' {
  switch (state) {
    case 'evicted':
    case 'terminating':
      return isEvicted ? 'bad' : '';
    case 'rejected':
      return 'bad';
    case 'pending':
    case 'gated':
    case 'nominated':
      return 'warning';
    default:
      return '';
  }
}

function filtered(length: number, keep: (row: number) => boolean): readonly number[] {
  const rows: number[] = [];
  for (let row = 0; row < length; row++) {
    if (keep(row)) {
      rows.push(row);
    }
  }
  return rows;
}
