import { reportMarkdown } from '../../../server/src/report-model/markdown.ts';
import { reportFile } from '../../../server/src/report-model/report-file.ts';
import type { ExportFormat } from '../report/messages.ts';
import type { SessionHost } from '../report/session-host.ts';

/**
 * Saves a report, or copies it for a comment. Rejects where the server does not answer.
 *
 * @param run that the report is of
 */
export async function exportReport(
  report: Parameters<typeof reportMarkdown>[0],
  format: ExportFormat,
  host: SessionHost,
  run: number,
): Promise<void> {
  switch (format) {
    case 'markdown':
      host.save(reportMarkdown(report), 'md');
      return;
    case 'comment':
      host.copy(reportMarkdown(report));
      return;
    case 'json':
    case 'html': {
      const whole = { ...report, decisions: await host.explain(run, null) };
      if (format === 'json') host.save(`${JSON.stringify(whole, null, 2)}\n`, 'json');
      else host.save(await reportFile(whole, await host.page()), 'html');
    }
  }
}
