import { say } from '../../../../server/src/kit/say.ts';
import { isAlone } from '../alone.ts';
import type { RunStatus } from '../model/page.ts';
import { post } from '../vscode-api.ts';

interface BannerProps {
  readonly status: RunStatus;
  readonly onRun: () => void;
}

/** Says that the report is not, or not yet, about what is in the editor. Always there, so that changes are spoken. */
export function Banner({ status, onRun }: BannerProps) {
  const { text, tone } = bannerText(status);
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

function bannerText({ running, outdated, failure }: RunStatus): { readonly text: string; readonly tone: string } {
  if (running) {
    return { text: '', tone: '' };
  }
  if (failure !== '') {
    return { text: isAlone ? failure : say`The simulation failed: ${failure}`, tone: 'failed' };
  }
  return outdated
    ? { text: say`Out of date: the manifests have changed since this run.`, tone: 'outdated' }
    : { text: '', tone: '' };
}
