import { useEffect } from 'preact/hooks';
import { say } from '../../../../server/src/util/say.ts';
import { post } from '../vscode-api.ts';

/**
 * Gives up the run that is under way, or one that was not begun.
 * @param escapes whether Escape does so too: where there is nothing else on the page that it leads out of
 */
export function CancelButton({ escapes = false }: { readonly escapes?: boolean }) {
  useEffect(() => {
    if (!escapes) return;
    const press = (event: KeyboardEvent): void => {
      if (event.key === 'Escape') cancel();
    };
    addEventListener('keydown', press);
    return () => {
      removeEventListener('keydown', press);
    };
  }, [escapes]);
  return (
    <button type="button" class="small-button" onClick={cancel}>
      {say`Cancel`}
    </button>
  );
}

function cancel(): void {
  post({ type: 'cancel' });
}
