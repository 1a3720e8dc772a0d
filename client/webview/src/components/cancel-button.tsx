import { say } from '../../../../server/src/kit/say.ts';
import { post } from '../vscode-api.ts';

/** Gives up the run that is under way. */
export function CancelButton() {
  return (
    <button
      type="button"
      class="small-button"
      onClick={() => {
        post({ type: 'cancel' });
      }}
    >
      {say`Cancel`}
    </button>
  );
}
