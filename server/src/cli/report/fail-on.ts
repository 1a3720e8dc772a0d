import type { AnswerGroup, AnswerLine } from '../../report-model/answer.ts';
import { list } from '../../util/words.ts';
import { refusedObjects } from '../../report-model/plan-rows.ts';
import type { Figures } from '../../report-model/remedy.ts';
import type { Report } from '../../report-model/report.ts';
import { figuresAtEnd, figuresOf } from '../../simulation/index.ts';
import { hides } from '../../kubernetes/unseen.ts';
import { oneOf } from '../arguments.ts';

const causes = ['evicted', 'budget', 'pending', 'refused', 'down', 'blocked', 'unseen'] as const;
export type Cause = (typeof causes)[number];

/** Reads `evicted,budget`. Throws `UsageError`. */
export function parseCauses(words: string | undefined): readonly Cause[] {
  return (words?.split(',') ?? []).map((word) => oneOf('--fail-on', word, causes));
}

const figureOf: Readonly<Record<Exclude<Cause, 'unseen'>, keyof Figures>> = {
  evicted: 'evicted',
  budget: 'budgetsBroken',
  pending: 'pending',
  refused: 'refused',
  down: 'down',
  blocked: 'blocked',
};

/** What is told of each: a part of a sentence behind a number of pods, or of budgets. */
const wordsOf: Readonly<Record<Exclude<Cause, 'unseen'>, string>> = {
  evicted: 'evicted',
  budget: 'broken',
  pending: 'pending',
  refused: 'refused',
  down: 'down',
  blocked: 'blocked',
};

/** Why a report makes a command fail: `--fail-on evicted: 3 evicted, 1 before: cart, web and 1 more`. */
export function failureReason(report: Report, cause: Cause): string {
  if (cause === 'unseen') return `--fail-on ${cause}: not everything could be seen`;
  const figure = figureOf[cause];
  const changes = refusedChanges(report, cause);
  const now = figuresNow(report)[figure] + changes.length;
  const before = report.comparison === null ? '' : `, ${report.comparison.before[figure]} before`;
  const lines = report.answer.groups.flatMap(({ kind, lines: all }) =>
    all.filter((line) => causesFailure(cause, kind, line)),
  );
  const workloads = new Set(lines.flatMap((line) => line.workloads));
  const names = list([...changes, ...[...workloads].map((index) => report.workloads[index]?.name ?? '')], 5);
  return `--fail-on ${cause}: ${now} ${wordsOf[cause]}${before}${names === '' ? '' : `: ${names}`}`;
}

function causesFailure(cause: Exclude<Cause, 'unseen'>, kind: AnswerGroup['kind'], { marks }: AnswerLine): boolean {
  if (cause === 'budget') return marks.includes('budget broken');
  return cause === 'down' ? marks.includes('down') : kind === cause;
}

/** As those of the run that it is compared with, if it is; else without who waited before, which nothing here has caused. */
function figuresNow(report: Report): Figures {
  if (report.comparison !== null) return figuresAtEnd(report);
  const figures = figuresOf(report.answer);
  return { ...figures, pending: figures.pending - report.answer.balance.waitedBefore };
}

/** Whether a report has it; a comparison, whether it has more of it than what it is compared with. */
export function has(report: Report, cause: Cause): boolean {
  const { comparison, unseen } = report;
  if (cause === 'unseen') return unseen.some(hides);
  const figure = figureOf[cause];
  const isMore = figuresNow(report)[figure] > (comparison?.before[figure] ?? 0);
  return isMore || refusedChanges(report, cause).length > 0;
}

/** Objects whose change the API server refuses, and changed workloads of which it refuses pods: of neither there is a pod. */
function refusedChanges({ comparison, events }: Report, cause: Cause): readonly string[] {
  if (cause !== 'refused') return [];
  const lacking = events.flatMap(({ lacksPods }) => lacksPods ?? []);
  return [...refusedObjects(comparison?.causes ?? [], events), ...lacking];
}
