import { isNamed } from '../../../report-model/assumed.ts';
import { say } from '../../../util/say.ts';
import type { ReportCandidate, ReportDecision, ReportStep } from '../../../report-model/report.ts';
import { grouped, list } from '../../../util/words.ts';
import type { AnswerContext } from './answer-context.ts';

type DecidedBy = NonNullable<ReportDecision['decidedBy']>;

const criteria: Readonly<
  Record<Exclude<DecidedBy, 'tie'>, { readonly words: string; readonly figure: (candidate: ReportCandidate) => string }>
> = {
  pdbViolations: { words: say`the fewest budgets broken`, figure: ({ pdbViolations }) => grouped(pdbViolations) },
  highestPriority: {
    words: say`the least important victims`,
    figure: ({ highestPriority }) => grouped(highestPriority),
  },
  prioritySum: { words: say`the lowest sum of priorities`, figure: ({ prioritySum }) => grouped(prioritySum) },
  victimCount: { words: say`the fewest victims`, figure: ({ victimCount }) => grouped(victimCount) },
  latestStart: { words: say`the youngest victims`, figure: ({ latestStart }) => latestStart ?? say`not started` },
};

/** Names of nodes that were not chosen, before they are counted. */
const namedLosers = 2;

/**
 * Why pods land where they do: of the first that evicts what decided, against the nodes that it dropped; else how the
 * first found its node.
 *
 * @param steps in which they were nominated or scheduled, in their order
 */
export function whyThere(context: AnswerContext, steps: readonly ReportStep[]): string {
  const first = steps.find(({ kind, victims }) => kind === 'nominated' && victims.length > 0);
  if (first === undefined) {
    const placed = steps.find(({ kind }) => kind === 'scheduled');
    return placed?.node == null || !isNamed(context.parts.nodes[placed.node]!)
      ? ''
      : whyPlaced(context, placed.node, context.parts.decisions[placed.decision ?? -1]);
  }
  const decision = context.parts.decisions[first.decision ?? -1];
  return decision === undefined || first.node === null ? '' : whyChosen(context, first.node, decision);
}

function whyChosen(context: AnswerContext, node: number, decision: ReportDecision): string {
  const name = context.names.node(node);
  const { decidedBy, candidates } = decision;
  if (decidedBy === null) return say`why ${name}: only there does evicting make room`;
  // That the first of equals was taken says nothing; the decision has it.
  if (decidedBy === 'tie') return '';
  const { words, figure } = criteria[decidedBy];
  const chosen = candidates.find((candidate) => candidate.chosen);
  if (chosen === undefined) return say`why ${name}: ${words}`;
  const losers = candidates.filter(({ lostAt }) => lostAt === decidedBy);
  const next = losers[0] === undefined ? '' : figure(losers[0]);
  const alike = losers.filter((candidate) => figure(candidate) === next);
  const against =
    alike.length === 0
      ? ''
      : say`, against ${next} on ${list(
          alike.map(({ node: each }) => context.names.node(each)),
          namedLosers,
        )}`;
  return say`why ${name}: ${words}, ${figure(chosen)}${against}`;
}

function whyPlaced(context: AnswerContext, node: number, decision: ReportDecision | undefined): string {
  if (decision?.kind !== 'fits') return '';
  const name = context.names.node(node);
  if (decision.feasible.length === 1) return say`why ${name}: the only node that fits`;
  if (decision.scores === null) return '';
  return decision.best.length > 1
    ? ''
    : say`why ${name}: the highest score of ${grouped(decision.feasible.length)} nodes that fit`;
}
