import type { WholeReport } from '../../report-model/report.ts';

/** As many rows as somebody reads; the text counts the others. */
const most = 40;

/** What the first screen says, as data: the whole report would be many times what an assistant reads. */
export function answerData({
  answer,
  assumptions,
  comparison,
  kubernetes,
  losses,
  questions,
  remedies,
}: WholeReport): Readonly<Record<string, unknown>> {
  const { headline, cause, balance, groups } = answer;
  return {
    kubernetes,
    headline,
    cause,
    balance,
    groups: groups.map(({ kind, pods, lines }) => ({
      kind,
      pods,
      lines: lines
        .slice(0, most)
        .map(({ name, count, marks, details, then }) => ({ name, count, marks, details, then })),
      moreLines: Math.max(0, lines.length - most),
    })),
    remedies: (remedies ?? []).map(({ group, line, whatIf, effect, figures }) => ({
      group,
      about: line === null ? null : (groups.find(({ kind }) => kind === group)?.lines[line]?.name ?? null),
      whatIf,
      effect,
      figures,
    })),
    ...(losses === undefined ? {} : { losses: { ...losses, rows: losses.rows.slice(0, most) } }),
    ...(comparison === null
      ? {}
      : {
          comparison: {
            since: comparison.since,
            outcome: comparison.outcome,
            changes: comparison.causes.slice(0, most),
            stages: comparison.plan.stages,
            effects: comparison.plan.effects.slice(0, most),
          },
        }),
    questions,
    assumptions: assumptions.map(({ mark, text }) => ({ mark, text })),
  };
}
