import { say } from '../../../../server/src/util/say.ts';
import type { RunStatus } from '../model/page.ts';
import { post } from '../vscode-api.ts';
import { CancelButton } from './cancel-button.tsx';

/** What the user is asked before a run is begun, and what can be done instead. */
export function DoubtLine({ doubt: { about, text, origin } }: { readonly doubt: NonNullable<RunStatus['doubt']> }) {
  const goOn = (label: string) => (
    <button
      type="button"
      class="small-button"
      onClick={() => {
        post({ type: 'goOn', about });
      }}
    >
      {label}
    </button>
  );
  if (about === 'large') {
    return (
      <>
        <span>{text}</span>
        <span>{say`What is decided is shown while it goes on, and it can be cancelled.`}</span>
        {goOn(say`Run`)}
        <CancelButton />
      </>
    );
  }
  return (
    <>
      <span>{text}</span>
      {origin !== null && (
        <button
          type="button"
          class="small-button"
          onClick={() => {
            post({ type: 'reveal', origin });
          }}
        >
          {say`Open line ${origin.range.start.line + 1}`}
        </button>
      )}
      <button
        type="button"
        class="small-button"
        onClick={() => {
          post({ type: 'command', command: 'nameSnapshot' });
        }}
      >
        {say`Choose another…`}
      </button>
      {goOn(say`Run without it`)}
    </>
  );
}
