import { mostMissing } from '../../../../server/src/report-model/assumed.ts';
import { say } from '../../../../server/src/util/say.ts';
import { count } from '../../../../server/src/util/words.ts';
import { scenarioText } from '../../../src/report/format.ts';
import { type ComparedWith, comparedWith, type ExportFormat } from '../../../src/report/messages.ts';
import { wholeTitle } from '../../../../server/src/report-model/plan-rows.ts';
import type { Report } from '../../../../server/src/report-model/report.ts';
import { isAlone } from '../standalone.ts';
import type { RunStatus } from '../model/page.ts';
import { toned } from '../model/toned.ts';
import { percentOf } from './so-far-view.tsx';
import { useMedia } from '../use-media.ts';
import { post } from '../vscode-api.ts';
import { AnswerBlock, BesideChange } from './answer.tsx';
import { Asked } from './asked.tsx';
import { Comparison } from './comparison.tsx';
import { NextSteps } from './next-steps.tsx';
import { Running, unbroken } from './short-name.tsx';
import { CancelButton } from './cancel-button.tsx';

/** What the panel makes, and what the page makes of its map. */
export type ExportChoice = ExportFormat | 'png';

interface HeaderProps {
  readonly report: Report;
  readonly status: RunStatus;
  readonly onRun: () => void;
  readonly onExport: (format: ExportChoice) => void;
}

const formats: readonly (readonly [ExportChoice, string])[] = [
  ['html', say`Page (HTML)`],
  ['markdown', 'Markdown'],
  ['comment', say`Copy as comment`],
  ['json', 'JSON'],
  ['png', say`Map (PNG)`],
];

/** The answer before anything else: who wins, who loses, why, and what waits. */
export function Header({ report, status, onRun, onExport }: HeaderProps) {
  const { answer, comparison } = report;
  const narrow = useMedia('(max-width: 699px)');
  return (
    <header class="header">
      <div class="header-line">
        <p class="scenario">
          {isAlone ? scenarioText(report.scenario) : <Asked />}
          {!isAlone && <Compare scenario={report.scenario} status={status} />}
          {!isAlone && !status.running && (
            <span class="muted state">{` · ${status.outdated ? say`out of date` : say`up to date`}`}</span>
          )}
          <span class="muted kubernetes">{` · Kubernetes ${report.kubernetes}`}</span>
          <span class="muted sizes">{` · ${count(report.nodes.length, 'node')}, ${count(report.pods.length, 'pod')}`}</span>
          {status.running && (
            <span class="running">
              {` · ${status.soFar === null ? '' : `${say`runs ${percentOf(status.soFar)} %`} · `}${status.progress === '' ? say`simulating…` : status.progress} `}
            </span>
          )}
        </p>
        {!isAlone && (
          <div class="actions">
            {status.running && <CancelButton />}
            <vscode-button secondary onClick={onRun} disabled={status.running}>
              {say`Run again`}
            </vscode-button>
            <select
              class="export"
              aria-label={say`Export`}
              onChange={(event) => {
                const format = formats.find(([name]) => name === event.currentTarget.value);
                event.currentTarget.value = '';
                if (format !== undefined) onExport(format[0]);
              }}
            >
              <option value="">{narrow ? '⋯' : say`Export…`}</option>
              {formats.map(([format, label]) => (
                <option key={format} value={format}>
                  {label}
                </option>
              ))}
            </select>
          </div>
        )}
      </div>
      <h1 class="headline">
        {toned(answer.headline, answer.emphasis).map(({ text, tone }, index) =>
          tone === null ? (
            <Running key={index} text={text} />
          ) : (
            <span key={index} class={`tone-${tone} ${unbroken(text)}`}>
              <Running text={text} />
            </span>
          ),
        )}
      </h1>
      {comparison !== null && comparison.outcome !== '' && <p class="outcome figure">{comparison.outcome}</p>}
      {comparison === null && <Cause answer={answer} />}
      {comparison === null && <Missing report={report} />}
      <NextSteps />
      {comparison === null && <Whole answer={answer} />}
      {comparison !== null && <Comparison report={report} comparison={comparison} />}
      {comparison !== null && <BesideChange />}
      {comparison !== null && <Missing report={report} />}
      {comparison !== null && (
        <details class="whole">
          <summary>
            <Running text={wholeTitle(comparison, answer)} />
          </summary>
          <Cause answer={answer} />
          <Whole answer={answer} />
        </details>
      )}
    </header>
  );
}

/** What the answer lacks: the first lines; the others are folded. */
function Missing({ report }: { readonly report: Report }) {
  const lines = report.assumptions.flatMap(({ mark, text, detail }) =>
    mark === '!' ? [detail === '' ? text : `${text}. ${detail}`] : [],
  );
  const paragraph = (line: string) => (
    <p key={line} class="missing">
      {line}
    </p>
  );
  const rest = lines.slice(mostMissing);
  return (
    <>
      {lines.slice(0, mostMissing).map(paragraph)}
      {rest.length > 0 && (
        <details class="whole">
          <summary class="missing">{say`and ${rest.length} more`}</summary>
          {rest.map(paragraph)}
        </details>
      )}
    </>
  );
}

function Cause({ answer }: Pick<Report, 'answer'>) {
  return answer.cause === '' ? null : (
    <p class="cause">
      <Running text={answer.cause} />
    </p>
  );
}

/** The lines of the answer, and its balance. */
function Whole({ answer }: Pick<Report, 'answer'>) {
  return (
    <>
      {answer.balanceText.length > 0 && (
        <p class="balance figure">
          {answer.balanceText.map((text) => (
            <span key={text}>{text}</span>
          ))}
        </p>
      )}
      <AnswerBlock />
    </>
  );
}

interface CompareProps {
  readonly scenario: Report['scenario'];
  readonly status: RunStatus;
}

/** What the editor asks more about. */
const asked: readonly (readonly [ComparedWith, string])[] = [
  ['branch', say`a branch or a tag…`],
  ['any-commit', say`a commit…`],
  ['report', say`a saved report…`],
  ['kept', say`a kept scenario…`],
];

/** What the report is compared with, and what else it could be. */
function Compare({ scenario, status: { previous, against } }: CompareProps) {
  const isOfCommit = scenario.kind === 'change';
  const isOfHead = isOfCommit && scenario.since === 'git HEAD';
  const isOfPrevious = against?.with === 'previous';
  // What was asked for has no place among the choices, as each of them asks.
  const other = isOfCommit && !isOfHead ? scenario.since : isOfPrevious || against === null ? '' : against.name;
  const value = other !== '' ? 'other' : isOfHead ? 'commit' : isOfPrevious ? 'previous' : 'nothing';
  // Alone on a phone's width the headline needs the line.
  const tiny = useMedia('(max-width: 499px)');
  return (
    <select
      class="export compare"
      aria-label={say`Compare with…`}
      value={value}
      onChange={(event) => {
        const chosen = comparedWith.find((name) => name === event.currentTarget.value);
        // Until something else is chosen it is compared with what it was.
        event.currentTarget.value = value;
        if (chosen !== undefined) post({ type: 'compare', with: chosen });
      }}
    >
      <option value="nothing">
        {value !== 'nothing' ? say`Compare with nothing` : tiny ? say`Compare…` : say`Compare with…`}
      </option>
      {other !== '' && <option value="other">{say`Compared with ${other}`}</option>}
      <option value="commit">{isOfHead ? say`Compared with git HEAD` : say`git HEAD`}</option>
      <option value="previous" disabled={!previous && !isOfPrevious}>
        {isOfPrevious ? say`Compared with the previous run` : say`the previous run`}
      </option>
      {asked.map(([name, text]) => (
        <option key={name} value={name}>
          {text}
        </option>
      ))}
    </select>
  );
}
