import { parseOperation } from '../../operations/parse-operation.ts';
import type { Outcome } from '../../scenario/simulate.ts';
import type { Proposal } from '../proposals/proposal.ts';
import { fewest } from './fewest.ts';
import { type Ended, type Goal, isHelp } from './goal.ts';
import type { Trials } from './trials.ts';

/** More nodes than this are not tried. */
const mostNodes = 4096;

/** Changes that help some are tried together, so many. */
const mostTogether = 3;

/** A proposal that was run. */
export interface Tried {
  readonly whatIf: readonly string[];
  /** Null where there was no time to run it. */
  readonly outcome: Outcome | null;
  /** How many things are changed. */
  readonly objects: number;
  /** What everybody does in such a case. */
  readonly isUsual: boolean;
  /** The kind of a workload that it only helps where that is deployed anew. */
  readonly onlyAnew?: 'Job' | 'Deployment';
}

/** Tries proposals, and those together that each help some; those that help, the best first. Yields after each decision. */
export function* tryProposals(
  proposals: readonly Proposal[],
  goal: Goal,
  before: Ended,
  trials: Trials,
): Generator<void, readonly Tried[]> {
  const tried: Tried[] = [];
  const isWhole = ({ outcome }: Tried): boolean => outcome === null || goal.badness(outcome) === 0;
  const families = new Set<string>();
  for (const proposal of proposals) {
    const { family = '' } = proposal;
    if (families.has(family)) continue;
    const found =
      proposal.kind === 'operations'
        ? yield* tryOnce(proposal, trials)
        : yield* tryFewest(proposal, goal, goal.badness(before), trials);
    if (found === null) continue;
    const isRoom = proposal.kind === 'fewest' && goal.wantsRoom === true;
    const helps =
      found.outcome === null ||
      (isHelp(found.outcome, goal, before) && !(isRoom && found.outcome.figures.pending >= before.figures.pending));
    if (helps && family !== '' && isWhole(found)) families.add(family);
    if (helps && !tried.some(({ whatIf }) => whatIf.join('\n') === found.whatIf.join('\n'))) tried.push(found);
  }
  tried.sort(byMerit);
  // Each of them helps some: several of them may help all.
  const partly = tried.some(isWhole) ? [] : tried.slice();
  for (let amount = 2; amount <= Math.min(partly.length, mostTogether) && !tried.some(isWhole); amount++) {
    const whatIf = [...new Set(partly.slice(0, amount).flatMap((each) => each.whatIf))];
    const all = yield* tryOnce({ kind: 'operations', whatIf }, trials);
    if (all !== null && isWhole(all) && isHelp(all.outcome!, goal, before)) tried.unshift(all);
  }
  return goal.isOfRefused === true ? tried : yield* lastingOf(tried, goal, before, trials);
}

/** Where some do just the same as the what-if that is printed, no others; else those that help as such a one, too. */
function* lastingOf(
  tried: readonly Tried[],
  goal: Goal,
  before: Ended,
  trials: Trials,
): Generator<void, readonly Tried[]> {
  const helping: Tried[] = [];
  const alike: Tried[] = [];
  for (const each of tried) {
    const later = each.outcome === null ? undefined : yield* trials.runLater(each.whatIf);
    if (later === null || (later !== undefined && !isHelp(later, goal, before))) {
      const anew = yield* madeAnew(each, goal, before, trials);
      if (anew !== undefined) helping.push(anew);
      if (anew !== undefined && anew.onlyAnew === undefined) alike.push(anew);
      continue;
    }
    // Its figures are those of the edited manifests, which the what-if may reach by another way.
    helping.push(each);
    if (JSON.stringify((later ?? each.outcome)?.figures) === JSON.stringify(each.outcome?.figures)) alike.push(each);
  }
  return alike.length > 0 ? alike : helping;
}

/**
 * A StatefulSet does not replace a pod that does not run: it has to be deleted besides. The template of a Job cannot be
 * changed once it is applied, and pods of a Deployment may have no room beside the old ones.
 */
function* madeAnew(tried: Tried, goal: Goal, before: Ended, trials: Trials): Generator<void, Tried | undefined> {
  const { kind, pod = '' } = goal.changed ?? {};
  if (kind === 'Job' || kind === 'Deployment') return { ...tried, onlyAnew: kind };
  if (kind !== 'StatefulSet') return undefined;
  const whatIf = [...tried.whatIf, `delete pod/${pod}`];
  const outcome = yield* trials.runLater(whatIf);
  return outcome != null && isHelp(outcome, goal, before) ? { ...tried, whatIf, outcome } : undefined;
}

function byMerit(a: Tried, b: Tried): number {
  if (a.outcome === null || b.outcome === null) return Number(a.outcome === null) - Number(b.outcome === null);
  const [one, other] = [a.outcome.figures, b.outcome.figures];
  return (
    one.evicted - other.evicted ||
    one.pending - other.pending ||
    Number(b.isUsual) - Number(a.isUsual) ||
    a.objects - b.objects
  );
}

function* tryOnce(
  { whatIf, lost = 0, isUsual = false }: Extract<Proposal, { readonly kind: 'operations' }>,
  trials: Trials,
): Generator<void, Tried | null> {
  if (whatIf.some((text) => 'problem' in parseOperation(text))) return null;
  const hadTime = trials.canGoOn;
  const outcome = yield* trials.run(whatIf);
  return outcome === null && hadTime ? null : { whatIf, outcome, objects: whatIf.length + lost, isUsual };
}

function* tryFewest(
  proposal: Proposal & { readonly kind: 'fewest' },
  goal: Goal,
  before: number,
  trials: Trials,
): Generator<void, Tried | null> {
  const { guess } = proposal;
  const whatIf = (amount: number): readonly string[] => proposal.whatIf(amount);
  if (whatIf(1).some((text) => 'problem' in parseOperation(text))) return null;
  let first = Math.min(guess, mostNodes);
  if (!trials.canGoOn) return { whatIf: whatIf(first), outcome: null, objects: first, isUsual: false };
  let probe = yield* trials.run(whatIf(first));
  if (probe !== null && goal.badness(probe) >= before) {
    // Others may have taken the room: once more, with plenty. Then it is a reason that no number of nodes cures.
    first = Math.min(2 * first + 2, mostNodes);
    probe = yield* trials.run(whatIf(first));
  }
  if (probe === null || goal.badness(probe) >= before) return null;
  let reached = { amount: first, badness: goal.badness(probe) };
  const amount = yield* fewest(first, mostNodes, function* (asked) {
    const outcome = yield* trials.run(whatIf(asked));
    if (outcome === null) return null;
    const badness = goal.badness(outcome);
    // Where more of them do no more, no number of them does.
    if (asked > reached.amount && badness >= reached.badness) return null;
    if (badness < reached.badness || (badness === 0 && asked < reached.amount)) reached = { amount: asked, badness };
    return badness === 0;
  });
  const { badness } = reached;
  // Where not all are helped, no more of them than help as many.
  const least =
    badness === 0
      ? amount
      : yield* fewest(reached.amount, reached.amount, function* (asked) {
          const outcome = yield* trials.run(whatIf(asked));
          return outcome && goal.badness(outcome) <= badness;
        });
  const best = typeof least === 'number' ? least : reached.amount;
  return { whatIf: whatIf(best), outcome: yield* trials.run(whatIf(best)), objects: best, isUsual: false };
}
