import type { ReportCause } from '../../report-model/report.ts';
import { say } from '../../util/say.ts';
import { list } from '../../util/words.ts';
import type { Way } from './build-plan.ts';
import { changeText, ownName } from './change-text.ts';
import { type ChangedOutcome, closes } from './changed-outcomes.ts';

/**
 * What was changed, and what happens, as the subject of a sentence: `Raising batch-standard to 150000`; undefined where
 * there is neither.
 * @param objects how many are changed, where `causes` are the first of many; else 0
 */
export function subjectOf(
  causes: readonly ReportCause[],
  drained: readonly string[],
  { between, end }: Way,
  happens: readonly ChangedOutcome[],
  objects: number,
): string | undefined {
  const textOf = (some: readonly ReportCause[]): string | undefined => changeText(some, drained, objects);
  const tried = [...between, end].filter(({ whatIf }) => whatIf !== '');
  const labels = list(
    tried.map(({ label }) => label),
    3,
  );
  const written = causes.filter((each) => !isTriedNode(each));
  const change =
    tried.length === 0 || new Set(causes.map(({ object }) => object)).size < 2
      ? textOf(causes)
      : between.every(({ whatIf }) => whatIf !== '')
        ? say`Trying ${labels}`
        : tried.every(({ whatIf }) => whatIf.startsWith('add ')) && written.length > 0
          ? say`${textOf(written) ?? ''} with ${labels}`
          : textOf(causes);
  const cordons = causes.every(({ object, field }) => closes(field) && drained.includes(ownName(object)));
  if (happens.length === 0 || (cordons && happens.every((each) => each.drained !== null))) return change;
  const happening = list(
    happens.map(({ label }) => label),
    3,
  );
  const [first, ...then] = happens;
  if (causes.length === 0 && first !== undefined) {
    return then.length === 0
      ? first.subject
      : say`${first.subject} (then ${list(
          then.map(({ label }) => label),
          3,
        )})`;
  }
  return say`${change ?? ''} together with what happens (${happening})`;
}

/** What is changed in a cluster from which somebody is made to leave as well. */
export function triedText(causes: readonly ReportCause[]): string | undefined {
  return changeText(
    causes.filter((each) => !isTriedNode(each) && !closes(each.field) && !isTaint(each)),
    [],
  );
}

/** What it makes leave is told of the taint. */
function isTaint({ object, field }: ReportCause): boolean {
  return object.startsWith('Node/') && field === 'spec.taints';
}

/** Nodes that are tried nobody has written. */
function isTriedNode({ object, field }: ReportCause): boolean {
  return field === '' && /^Node\/.*\+\d+$/.test(object);
}
