import type { ReportComparison, SentencePart, WholeReport } from '../../report-model/report.ts';
import { joined, say, sayInside } from '../../util/say.ts';
import { list } from '../../util/words.ts';
import type { SimulationInput } from '../cluster/input.ts';
import { unseenClause } from '../report/unseen.ts';
import type { ChangedOutcome } from './changed-outcomes.ts';
import type { UncountedChange } from './copies.ts';

/** What the runs of a comparison were made from; `earlier` is null where that is not known. */
export type Compared = (Inputs | { readonly earlier: null }) & {
  /** What only the second run does to its cluster in motion. */
  readonly happens?: readonly ChangedOutcome[];
  /** Whether the second is the first with a change applied: then its answer begins with the change. */
  readonly isApplied?: boolean;
  /** Objects that are not written any more, and stay. */
  readonly left?: readonly string[];
  readonly uncounted?: readonly UncountedChange[];
  /** Names of sources that were edited, and are not rendered. */
  readonly unrendered?: readonly string[] | undefined;
  /** Whether what is not seen is as it was. */
  readonly seesAllEdits?: boolean | undefined;
};

interface Inputs {
  readonly earlier: SimulationInput;
  readonly now: SimulationInput;
}

/** What a headline says of a change. */
export interface ToldChange extends Pick<ReportComparison, 'since' | 'pods' | 'before'> {
  readonly subject: string | undefined;
  readonly clauses: readonly SentencePart[];
  readonly isSame: boolean;
  /** All that happened in the second run only. */
  readonly idle: WholeReport['events'][number] | undefined;
  /** What the roll-out of the only thing that was changed comes to, and what becomes of others. */
  readonly rolled: { readonly text: string; readonly others: readonly SentencePart[] } | undefined;
  /** Whether nodes are drained, tainted or short of memory that are not in the other run. */
  readonly leaves: boolean;
  /** What was changed beside that; undefined for nothing. */
  readonly tried: string | undefined;
  /** What follows where some leave, beside them. */
  readonly follows: readonly string[];
}

/** A headline of which the first words are the change; what the API server refuses comes before it. */
export function changeFirst(
  { answer, assumptions, events, unseen }: WholeReport,
  { since, pods, before, subject, clauses, isSame, idle, leaves, tried, follows, rolled }: ToldChange,
  { isApplied = false, left = [], uncounted = [], unrendered = [], seesAllEdits = false }: Compared,
): string {
  if (events.some(({ verdict }) => verdict === 'refused')) {
    // What waits or is refused as it was before is not of the change.
    const isAll = pods.length === 0 && events.every(({ verdict }) => verdict === 'refused');
    const unknown = unseenClause(unseen);
    return isAll
      ? say`${joined([answer.changes ?? '', ...(unknown === '' ? [] : [unknown])], '; ')}.`
      : answer.headline;
  }
  if (isSame && subject === undefined && uncounted.length > 0) {
    const [one, ...others] = uncounted;
    const names = list(
      uncounted.map(({ key }) => written(key)),
      4,
    );
    if (others.length > 0) {
      return say`${names} have changed where they do not count: they are written more than once, and the first is used.`;
    }
    return one!.counts === ''
      ? say`${names} has changed where it does not count: it is written more than once, and the first is used.`
      : say`${names} has changed where it does not count: it is written more than once, and that of ${one!.counts} is used.`;
  }
  if (isSame && subject === undefined && unrendered.length > 0) {
    return unrendered.length === 1
      ? say`${unrendered[0]!} has changed since ${since} and is not rendered: what comes of it is not seen. Nothing else that scheduling depends on has changed.`
      : say`${list(unrendered, 4)} have changed since ${since} and are not rendered: what comes of them is not seen. Nothing else that scheduling depends on has changed.`;
  }
  // What could not be seen may have changed.
  if (isSame && unseen.length > 0 && !seesAllEdits) {
    return subject === undefined
      ? say`Nothing that is seen has changed since ${since}: ${sayInside(answer.headline)}`
      : say`${subject}: ${sayInside(answer.headline)}`;
  }
  if (isSame && subject === undefined) {
    if (left.length > 0) return say`${leftClause(left)}.`;
    if (idle !== undefined) return say`${idle.text}: no effect.`;
    return assumptions.some(({ mark }) => mark === '!') && !seesAllEdits
      ? say`Nothing that is seen has changed since ${since}.`
      : say`Nothing that scheduling depends on has changed since ${since}.`;
  }
  if (isSame) return say`${subject ?? ''} moves, evicts and blocks no pod.`;
  const later = events.filter(isLater);
  // Of classes, budgets and quotas only what comes later is told.
  if (pods.length === 0 && later.length > 0 && events.every((each) => later.includes(each) || each.told.length === 0)) {
    const told = later.map(({ told: lines }) => lines[0] ?? '');
    return say`${subject ?? since} moves, evicts and blocks no pod now: ${joined(told, '; ')}.`;
  }
  const withTried = (text: string): string => (tried === undefined ? text : say`${tried}, then ${sayInside(text)}`);
  // That begins with them, and says where they hang.
  if (leaves && answer.rollOuts !== undefined) return answer.headline;
  if (leaves && before.evicted + before.pending + answer.balance.arriving === 0) return withTried(answer.headline);
  // What happens without them, too, is not of the change.
  if (leaves && answer.leaving !== undefined) {
    const unknown = unseenClause(unseen);
    return withTried(say`${joined([answer.leaving, ...follows, ...(unknown === '' ? [] : [unknown])], '; ')}.`);
  }
  if (isApplied && subject !== undefined && rolled !== undefined) {
    const unknown = unseenClause(unseen);
    const others = rolled.others.map(({ text }) => text);
    return say`${subject}: ${joined([rolled.text, ...others, ...(unknown === '' ? [] : [unknown])], '; ')}.`;
  }
  const telling = clauses.filter(({ tone }) => tone !== 'plain');
  const hurts = clauses.some(({ tone }) => tone === 'bad' || tone === 'warning');
  // How a roll-out ends says more than how many pods do not run for it.
  const verdicts = events.map((event) => (isLater(event) ? undefined : event.verdict));
  const isRolled =
    isApplied &&
    (hurts
      ? verdicts.some((each) => each === 'stuck' || each === 'failed')
      : verdicts.some((each) => each !== undefined));
  if (clauses.length === 0 || isRolled) {
    if (subject === undefined) return answer.headline;
    return say`${subject}: ${sayInside(answer.headline)}`;
  }
  const unknown = unseenClause(unseen);
  const lines = (telling.length === 0 ? clauses : telling).map(({ text }) => text);
  const stays = left.length === 0 ? [] : [leftClause(left)];
  const what = joined([...lines, ...stays, ...(unknown === '' ? [] : [unknown])], '; ');
  return say`${subject ?? say`What is there now`} ${what}.`;
}

function isLater({ verdict }: Pick<WholeReport['events'][number], 'verdict'>): boolean {
  return verdict === 'later' || verdict === 'unprotected';
}

function leftClause(left: readonly string[]): string {
  const names = list(left.map(written), 4);
  return left.length === 1
    ? say`${names} is not written any more, and stays`
    : say`${names} are not written any more, and stay`;
}

function written(key: string): string {
  return key.replace('//', '/');
}
