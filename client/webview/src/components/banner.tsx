import { say } from '../../../../server/src/util/say.ts';
import { isAlone } from '../standalone.ts';
import { decidedOf } from '../../../../server/src/report-model/so-far.ts';
import { count } from '../../../../server/src/util/words.ts';
import type { RunStatus } from '../model/page.ts';
import { post } from '../vscode-api.ts';
import { DoubtLine } from './doubt.tsx';

interface BannerProps {
  readonly status: RunStatus;
  readonly hasReport: boolean;
  readonly onRun: () => void;
}

/** Says that the report is not, or not yet, about what is in the editor. Always there, so that changes are spoken. */
export function Banner({ status, hasReport, onRun }: BannerProps) {
  const { doubt } = status;
  if (doubt !== null) {
    return (
      <div role="status" class={`banner ${doubt.about === 'large' ? 'outdated' : 'failed'}`}>
        <DoubtLine doubt={doubt} />
        {hasReport && <span>{say`The figures are of the run before.`}</span>}
      </div>
    );
  }
  const { text, tone } = bannerText(status, hasReport);
  return (
    <div role="status" class={text === '' ? 'banner empty' : `banner ${tone}`}>
      {text !== '' && <span>{text}</span>}
      {text !== '' && !status.running && !isAlone && (
        <button type="button" class="link" onClick={onRun}>
          {say`Run again`}
        </button>
      )}
      {tone === 'failed' && !isAlone && (
        <>
          <button
            type="button"
            class="link"
            onClick={() => {
              post({ type: 'copy', text });
            }}
          >
            {say`Copy details`}
          </button>
          <button
            type="button"
            class="link"
            onClick={() => {
              post({ type: 'command', command: 'showLogs' });
            }}
          >
            {say`Show the log`}
          </button>
        </>
      )}
    </div>
  );
}

function bannerText(
  { running, outdated, failure, stopped, soFar }: RunStatus,
  hasReport: boolean,
): { readonly text: string; readonly tone: string } {
  if (running) {
    return { text: '', tone: '' };
  }
  if (failure !== '') {
    return { text: isAlone ? failure : say`The simulation failed: ${failure}`, tone: 'failed' };
  }
  if (stopped) {
    const whose = hasReport
      ? say`the figures are of the run before.`
      : soFar === null
        ? say`there are no figures.`
        : say`the figures are only of what was decided until then.`;
    const text =
      soFar === null
        ? say`Stopped; ${whose}`
        : say`Stopped at ${decidedOf(soFar)} of ${count(soFar.arriving, 'pod')}; ${whose}`;
    return { text, tone: 'outdated' };
  }
  return outdated
    ? { text: say`Out of date: the manifests have changed since this run.`, tone: 'outdated' }
    : { text: '', tone: '' };
}
