/**
 * The answer: what every face of the report shows first. Workloads before pods, reasons before messages. It is worded
 * in `simulation`, once; the page, the terminal and Markdown lay it out, and JSON carries it as it is. Workloads and
 * pods are indexes of the report. The texts use short names; the report has them whole.
 */
import { count } from '../util/words.ts';
import { type Checked, flag, index, listOf, number, oneOf, perhaps, prose, shape, text } from './check.ts';
import { groupKind, type Remedy } from './remedy.ts';

/**
 * - `down`: no replica runs at some moment, and none at the end; `gap`: none at some moment only.
 * - `budget broken`: a disruption budget that selects a victim is violated.
 */
const answerMark = oneOf('down', 'failed', 'late', 'gap', 'budget broken');
export type AnswerMark = Checked<typeof answerMark>;

const answerLine = shape({
  sign: oneOf('−', '○', '‖', '×', '~', '+', '='),
  /** The workload; for pending pods the reason that they share. */
  name: prose,
  /** `1 of 2` replicas, `4 pods`. */
  count: prose,
  marks: listOf(answerMark),
  /** To be shown with ` · ` between them. */
  details: listOf(prose),
  /** What becomes of it; empty where there is nothing to add. */
  then: prose,
  workloads: listOf(index),
  pods: listOf(index),
});
export type AnswerLine = Checked<typeof answerLine>;

const answerGroup = shape({
  kind: groupKind,
  /** Pods behind all lines. */
  pods: index,
  lines: listOf(answerLine),
  /** Stands for the lines from `answerLineLimit` on; empty where there are no more. */
  rest: prose,
});
export type AnswerGroup = Checked<typeof answerGroup>;

/**
 * What a comparison shows beside the change; the other groups of the answer are folded. Of a drain it is where that
 * hangs, which nothing else says; of those who are evicted, wait or are refused it is all of them, where the run that it
 * is compared with has none, or those only that the group leaves out: then all of them are of the change.
 */
export function besideChange(
  before: Readonly<Record<'evicted' | 'pending' | 'gated' | 'refused', number>>,
  { waitedBefore }: Pick<Balance, 'waitedBefore'>,
): readonly AnswerGroup['kind'][] {
  const counted = ['evicted', 'pending', 'gated', 'refused'] as const;
  const apart = (kind: (typeof counted)[number]): number => (kind === 'pending' ? waitedBefore : 0);
  return ['blocked', 'failed', 'races', ...counted.filter((kind) => before[kind] <= apart(kind))];
}

/** Which pods fare otherwise with a change. */
interface ChangedPods {
  readonly pods: readonly { readonly kind: string; readonly pod: number | null }[];
}

/**
 * What would help against that which the change does and which is not shown line by line beside it, but where the best
 * of it is shown there already. What was evicted, waited or was refused before, too, is not of the change.
 */
export function foldedRemedies(
  { groups }: Pick<Answer, 'groups'>,
  remedies: readonly Remedy[],
  change: ChangedPods | null,
  shown: readonly AnswerGroup['kind'][],
): readonly Remedy[] {
  const hurt = new Set((change?.pods ?? []).flatMap(({ kind, pod }) => (lostKinds.has(kind) ? [pod] : [])));
  const isOfChange = ({ group, line }: Remedy): boolean => {
    const lines = groups.find(({ kind }) => kind === group)?.lines ?? [];
    return (line === null ? lines : lines.slice(line, line + 1)).some(({ pods }) => pods.some((pod) => hurt.has(pod)));
  };
  const key = ({ whatIf }: Remedy): string => whatIf.join('\n');
  const told = new Set(remedies.filter(({ group }) => shown.includes(group)).map(key));
  const isSaid = ({ group, line }: Remedy): boolean =>
    told.has(key(remedies.find((each) => each.group === group && each.line === line)!));
  return remedies.filter((remedy) => !shown.includes(remedy.group) && isOfChange(remedy) && !isSaid(remedy));
}

const lostKinds: ReadonlySet<string> = new Set(['evicted', 'pending']);

/** More lines of a group are counted, not shown, unless somebody asks. */
export const answerLineLimit = 8;

/** What the lines say that are not shown: how many workloads, how many pods. Empty where all are. */
export function restText(lines: readonly AnswerLine[], shown: number): string {
  const hidden = lines.slice(shown);
  if (hidden.length === 0) return '';
  const workloads = new Set(hidden.flatMap((line) => line.workloads)).size;
  const pods = hidden.reduce((sum, line) => sum + line.pods.length, 0);
  const more = shown === 0 ? count(workloads, 'workload') : count(workloads, 'more workload');
  return pods === 0 ? more : `${more} · ${count(pods, 'pod')}`;
}

/**
 * In pods. `arriving` is the sum of `scheduled`, `pending`, `gated` and `refused`; `evicted` that of `again`,
 * `stillPending`, `stillGated`, `stillRefused` and `notReplaced`.
 */
const balance = shape({
  arriving: index,
  scheduled: index,
  pending: index,
  gated: index,
  refused: index,
  evicted: index,
  /** Evicted pods whose replacement found a place. */
  again: index,
  stillPending: index,
  stillGated: index,
  stillRefused: index,
  /** Evicted pods that nothing makes anew. */
  notReplaced: index,
  /** Pods that waited before anything arrived, and still do. They are in none of the sums. */
  waitedBefore: index,
  budgetsBroken: number,
});
export type Balance = Checked<typeof balance>;

export const answer = perhaps(
  shape({
    /** Who wins, who loses, what waits, in one sentence. */
    headline: prose,
    /** Words of it to be told apart: who wins, who loses, what waits. Some may not be in it. */
    emphasis: listOf(shape({ text: prose, tone: oneOf('gain', 'bad', 'warning') })),
    /** The scarce thing: what is needed against what there is. Empty when no pod is evicted and nobody waits. */
    cause: prose,
    /** Without those that are empty, in the order in which they are told. */
    groups: listOf(answerGroup),
    balance,
    /** The two or three sentences that say the balance. */
    balanceText: listOf(prose),
    /** How names were cut, said once: `names without ip-… .compute.internal`. Empty when they were not. */
    names: prose,
  }),
  /**
   * `leaving`: who leaves nodes that are drained, short of memory or tainted, as the headline begins. `changes`:
   * what becomes of the changes, as it begins, too.
   *
   * Of each change of a workload that runs: what becomes of it, said behind the change, how many pods it evicts, how
   * many new ones are ready in the end, how many have a node and do not start, as another has their volume, and the
   * first that gets it done where it stops.
   */
  {
    leaving: prose,
    changes: prose,
    rollOuts: listOf(
      perhaps(
        shape({
          object: text,
          text: prose,
          evicted: number,
          updated: number,
          wanted: number,
          isStuck: flag,
          remedy: prose,
        }),
        { unattached: number },
      ),
    ),
  },
);
export type Answer = Checked<typeof answer>;
