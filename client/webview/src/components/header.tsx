import { formatCount, scenarioText } from '../../../src/report/format.ts';
import type { Report } from '../../../../server/src/contract/report.ts';
import type { RunStatus } from '../model/page.ts';
import { Assumptions } from './assumptions.tsx';
import { Comparison } from './comparison.tsx';
import { Sentence } from './sentence.tsx';

export type ExportFormat = 'json' | 'markdown' | 'svg';

interface HeaderProps {
  readonly report: Report;
  readonly status: RunStatus;
  readonly onRun: () => void;
  readonly onExport: (format: ExportFormat) => void;
}

const formats: readonly (readonly [ExportFormat, string])[] = [
  ['json', 'JSON'],
  ['markdown', 'Markdown'],
  ['svg', 'SVG'],
];

/** Questions 1 and 6: what happens, and what it rests on. */
export function Header({ report, status, onRun, onExport }: HeaderProps) {
  const { totals } = report;
  return (
    <header class="header">
      <div class="header-line">
        <p class="scenario">
          {scenarioText(report.scenario)}
          <span class="muted totals">
            {` · Kubernetes ${report.kubernetes} · ${formatCount(totals.scheduled)} scheduled, ${formatCount(totals.evicted)} evicted, ${formatCount(totals.pending)} pending`}
          </span>
          {status.running && <span class="running"> · simulating…</span>}
        </p>
        <div class="actions">
          <vscode-button secondary onClick={onRun} disabled={status.running}>
            Run again
          </vscode-button>
          <div class="export" role="group" aria-label="Export">
            <span class="muted">Export</span>
            {formats.map(([format, label]) => (
              <button
                key={format}
                type="button"
                class="link"
                aria-label={`Export as ${label}`}
                onClick={() => {
                  onExport(format);
                }}
              >
                {label}
              </button>
            ))}
          </div>
        </div>
      </div>
      <Sentence parts={report.sentence} />
      {report.comparison !== null && <Comparison comparison={report.comparison} />}
      <Assumptions list={report.assumptions} />
    </header>
  );
}
