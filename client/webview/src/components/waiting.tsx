import { say } from '../../../../server/src/util/say.ts';
import type { RunStatus } from '../model/page.ts';
import { CancelButton } from './cancel-button.tsx';
import { SoFarView } from './so-far-view.tsx';
import { useTheme } from '../use-theme.ts';
import { post } from '../vscode-api.ts';

/** The frame before there is a report: what is being done, and a way to stop it. */
export function Waiting({ status }: { readonly status: RunStatus }) {
  useTheme();
  if (status.doubt !== null) return null;
  if (status.soFar !== null) return <SoFarView status={status} soFar={status.soFar} />;
  if (!status.running) {
    return (
      <div class="waiting-text">
        <p class="empty-text">{say`There is no report yet.`}</p>
        <button
          type="button"
          class="small-button"
          onClick={() => {
            post({ type: 'runAgain' });
          }}
        >
          {say`Run`}
        </button>
      </div>
    );
  }
  return (
    <div class="waiting-text">
      <p class="empty-text">{status.progress === '' ? say`Simulating…` : status.progress}</p>
      <CancelButton escapes />
    </div>
  );
}
