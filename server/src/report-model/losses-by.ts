import { getOrInsert } from '../util/maps.ts';
import { own } from '../util/own.ts';
import { joined, say } from '../util/say.ts';
import { compareText, grouped, list, qualifiedName } from '../util/words.ts';
import { answerLineLimit } from './answer.ts';
import { evictions } from './evicted-pods.ts';
import { type Loss, type Losses, lossKeys } from './loss.ts';
import { isGone, type Report, type ReportPod } from './report.ts';

type Of = Pick<Report, 'answer' | 'nodes' | 'pods' | 'workloads' | 'victims' | 'drains' | 'pressures' | 'taints'>;

/** Labels of workloads, those with the fewest values first, such as `team`; what has one value tells nothing, and is last. */
export function lossLabels({ workloads }: Pick<Report, 'workloads'>): readonly string[] {
  const values = new Map<string, Set<string>>();
  for (const { labels = {} } of workloads) {
    for (const [key, value] of Object.entries(labels)) values.set(key, (values.get(key) ?? new Set()).add(value));
  }
  const rank = (key: string): number => {
    const amount = values.get(key)!.size;
    return amount === 1 ? Infinity : amount;
  };
  return [...values.keys()].sort((a, b) => Number(rank(a) > rank(b)) - Number(rank(a) < rank(b)) || compareText(a, b));
}

/** By namespace, or by workload where only one namespace loses pods; null where lines tell of all that do. */
export function usualLosses(report: Of): Losses | null {
  const lines = report.answer.groups.find(({ kind }) => kind === 'evicted')?.lines ?? [];
  if (lines.length <= answerLineLimit) return null;
  const byNamespace = lossesBy(report, 'namespace');
  return byNamespace.rows.length > 1 ? byNamespace : lossesBy(report, 'workload');
}

/** Who loses pods, by one of `lossKeys` or by a label: those that lose workloads first, then those that lose most. */
export function lossesBy(report: Of, by: string): Losses {
  const { answer, pods, workloads } = report;
  const keyOf = keyFor(report, by);
  const rows = new Map<string, Draft>();
  const rowOf = (name: string): Draft =>
    getOrInsert(rows, name, () => ({
      ran: 0,
      evicted: 0,
      again: 0,
      waiting: 0,
      down: new Set(),
      broken: new Set(),
      classes: new Set(),
      for: new Set(),
    }));
  const downs = new Set(
    answer.groups.flatMap(({ kind, lines }) =>
      kind === 'evicted' ? lines.flatMap((line) => (line.marks.includes('down') ? line.workloads : [])) : [],
    ),
  );
  const evicted = evictions(report);
  const replacements = new Set(evicted.map(({ replacement }) => replacement));
  const leaving = new Set(evicted.map(({ pod }) => pod));
  const late = new Set<number | null>();
  for (const { pod: index, preemptor, replacement } of evicted) {
    const pod = pods[index]!;
    const row = rowOf(keyOf(pod));
    row.evicted += 1;
    if (!ranBefore(pod) && !replacements.has(index)) late.add(pod.workload);
    row.classes.add(rankOf(pod));
    const evictor = pods[preemptor ?? -1];
    if (evictor !== undefined) row.for.add(rankOf(evictor));
    const state = pods[replacement ?? -1]?.after.state;
    // A replacement that is evicted too had found a place; its own eviction is counted on its own.
    if (state === 'running' || state === 'terminating' || (state !== undefined && isGone(state))) row.again += 1;
    else if (state !== undefined) row.waiting += 1;
    const workload = workloads[pod.workload ?? -1];
    if (workload !== undefined && downs.has(pod.workload!)) row.down.add(qualifiedName(workload));
  }
  for (const { pod, budget } of report.victims) {
    if (budget.state === 'violated') for (const name of budget.names) rowOf(keyOf(pods[pod]!)).broken.add(name);
  }
  for (const [index, pod] of pods.entries()) {
    const arrived =
      late.has(pod.workload) && !replacements.has(index) && (leaving.has(index) || pod.after.state === 'running');
    if (ranBefore(pod) || arrived) {
      const row = rows.get(keyOf(pod));
      if (row !== undefined) row.ran += 1;
    }
  }
  const sorted = (names: ReadonlySet<string>): string[] => [...names].sort(compareText);
  const losses = [...rows].map(([name, row]): Loss => ({
    name,
    ran: row.ran,
    lost: row.ran === 0 ? 0 : Math.min(1, Math.max(0, row.evicted - row.again) / row.ran),
    evicted: row.evicted,
    again: row.again,
    waiting: row.waiting,
    down: sorted(row.down),
    broken: sorted(row.broken),
    classes: sorted(row.classes),
    evictedFor: sorted(row.for),
  }));
  const worstFirst = (a: Loss, b: Loss): number =>
    b.down.length - a.down.length || b.evicted - a.evicted || compareText(a.name, b.name);
  return { by, rows: losses.sort(worstFirst) };
}

interface Draft {
  ran: number;
  evicted: number;
  again: number;
  waiting: number;
  readonly down: Set<string>;
  readonly broken: Set<string>;
  readonly classes: Set<string>;
  readonly for: Set<string>;
}

function ranBefore({ before }: ReportPod): boolean {
  return before.state === 'running' && before.node !== null;
}

/** `batch-low 100`, `priority 5`. */
function rankOf({ className, priority }: ReportPod): string {
  return className === null ? `priority ${priority}` : `${className} ${priority}`;
}

function keyFor({ workloads, nodes }: Of, by: string): (pod: ReportPod) => string {
  const key = lossKeys.find((each) => each === by);
  const nodeOf = ({ before, after }: ReportPod) => nodes[before.node ?? after.node ?? -1];
  switch (key) {
    case 'namespace':
      return ({ namespace }) => namespace;
    case 'class':
      return rankOf;
    case 'workload':
      return (pod) => qualifiedName(workloads[pod.workload ?? -1] ?? pod);
    case 'pool':
      return (pod) => nodeOf(pod)?.nodePool ?? nodeOf(pod)?.pool ?? '';
    case 'zone':
      return (pod) => nodeOf(pod)?.zone ?? '';
    case undefined:
      return ({ workload }) => own(workloads[workload ?? -1]?.labels ?? {}, by) ?? '';
  }
}

/** What a row is, as the head of its column. */
export function lossKind(by: string): string {
  switch (lossKeys.find((each) => each === by)) {
    case 'namespace':
      return say`namespace`;
    case 'class':
      return say`class`;
    case 'workload':
      return say`workload`;
    case 'pool':
      return say`node pool`;
    case 'zone':
      return say`zone`;
    case undefined:
      return by;
  }
}

/** `41 %`. */
export function lostText({ lost }: Pick<Loss, 'lost'>): string {
  const percent = Math.round(lost * 100);
  return percent === 0 && lost > 0 ? '<1 %' : percent === 100 && lost < 1 ? '>99 %' : `${percent} %`;
}

/**
 * A row in figures, in the order of `ran`, `lost`, `evicted`, `again`, `waiting` and, where the rows break budgets,
 * how many are broken.
 */
export function lossFigures(row: Omit<Loss, 'name'>, total: Omit<Loss, 'name'>): readonly string[] {
  return [
    grouped(row.ran),
    lostText(row),
    grouped(row.evicted),
    grouped(row.again),
    grouped(row.waiting),
    ...(total.broken.length === 0 ? [] : [grouped(row.broken.length)]),
  ];
}

/** All rows together. */
export function lossTotal(rows: readonly Loss[]): Omit<Loss, 'name'> {
  const sum = (of: (row: Loss) => number): number => rows.reduce((total, row) => total + of(row), 0);
  const ran = sum((row) => row.ran);
  const [evicted, again] = [sum((row) => row.evicted), sum((row) => row.again)];
  const all = (of: (row: Loss) => readonly string[]): readonly string[] => [...new Set(rows.flatMap(of))];
  return {
    ran,
    lost: ran === 0 ? 0 : Math.min(1, Math.max(0, evicted - again) / ran),
    evicted,
    again,
    waiting: sum((row) => row.waiting),
    down: all((row) => row.down),
    broken: all((row) => row.broken),
    classes: all((row) => row.classes),
    evictedFor: all((row) => row.evictedFor),
  };
}

/**
 * `all batch-low 100, for urgent 100000, none has a budget`: what need not be said of each of them.
 * @param most classes that are named, in tables that have no columns for them
 */
export function sharedByVictims({ victims, drains, pressures, taints }: Of, rows: readonly Loss[], most = 1): string {
  const { classes, evictedFor } = lossTotal(rows);
  const areAllFor = drains.length + pressures.length + (taints?.length ?? 0) === 0;
  const budgets = new Set(victims.map(({ budget }) => budget.state));
  return joined(
    [
      ...(classes.length === 1 ? [say`all ${classes[0]!}`] : classes.length <= most ? [list(classes)] : []),
      ...(areAllFor && evictedFor.length > 0 && evictedFor.length <= most ? [say`for ${list(evictedFor)}`] : []),
      ...(areAllFor && budgets.size === 1 && budgets.has('none') ? [say`none has a budget`] : []),
      ...(areAllFor && budgets.has('kept') && !budgets.has('violated') ? [say`no budget is broken`] : []),
    ],
    ', ',
  );
}
