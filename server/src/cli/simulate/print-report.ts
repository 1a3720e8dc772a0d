import { UsageError, type CommandContext } from '../command.ts';
import { didYouMean } from '../arguments.ts';
import { pageParts } from '../report/page-parts.ts';
import { renderSummary, renderTable, type TableOptions } from '../report/table.ts';
import { inert, printableLines } from '../terminal/text.ts';
import { placedAt } from '../terminal/web-place.ts';
import { lossKeys } from '../../report-model/loss.ts';
import { lossesBy, lossLabels, usualLosses } from '../../report-model/losses-by.ts';
import { reportMarkdown } from '../../report-model/markdown.ts';
import { reportFile } from '../../report-model/report-file.ts';
import type { WholeReport } from '../../report-model/report.ts';
import { decisionsWithin } from '../../report-model/verdict.ts';
import { withoutMadeWordsIn } from '../../sources/rendering/made-words.ts';
import { count, grouped } from '../../util/words.ts';

/** With a table of who loses pods: by what is asked for, or where there are more than lines would be read of. Throws `UsageError`. */
export function withLosses(report: WholeReport, by: string | undefined): WholeReport {
  if (by === undefined) {
    const losses = usualLosses(report);
    return losses === null ? report : { ...report, losses };
  }
  const known = [...lossKeys, ...lossLabels(report)];
  if (known.includes(by)) return { ...report, losses: lossesBy(report, by) };
  const near = didYouMean(by, known);
  throw new UsageError(`--by must be ${lossKeys.join(', ')} or a label of workloads, not '${by}'${near}`);
}

/** More of decisions is asked for: over 2,000 nodes, 2,000 of them are 27 million characters. */
const mostOfDecisions = 2_000_000;

/** The decisions that json has, and how many of them are not whole is told. */
export function decisionsToPrint(
  { decisions: all }: WholeReport,
  isWhole: boolean,
  { stderr }: CommandContext,
): readonly ReturnType<typeof decisionsWithin>[number][] {
  if (isWhole) return all;
  const decisions = decisionsWithin(all, mostOfDecisions);
  const cut = decisions.filter((decision) => !('feasible' in decision)).length;
  if (cut > 0) {
    stderr.write(
      `podium: ${grouped(cut)} of ${count(decisions.length, 'decision')} without nodes, candidates and scores; --decisions writes them whole\n`,
    );
  }
  return decisions;
}

export function render(
  report: WholeReport,
  format: 'table' | 'markdown' | 'html' | 'summary',
  options: TableOptions & Pick<CommandContext, 'web'>,
): string | Promise<string> {
  switch (format) {
    case 'markdown':
      return inert(printableLines(reportMarkdown(report, placedAt(options.cwd, options.web))));
    case 'html':
      // The page has it compressed, so that nothing can be left out afterwards.
      return reportFile(withoutMadeWordsIn(report), pageParts());
    case 'summary':
      return inert(renderSummary(report, options));
    case 'table':
      return inert(renderTable(report, options));
  }
}
