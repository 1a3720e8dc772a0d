import { withWhatIfs } from '../../../../server/src/report-model/command-text.ts';
import { say } from '../../../../server/src/util/say.ts';
import type { Effect } from '../../../../server/src/report-model/effect.ts';
import { withRemedy } from '../model/operations.ts';
import { usePage } from '../page-context.ts';
import { post } from '../vscode-api.ts';
import { WhatIfInput } from './what-if-input.tsx';

/** Operations that are tried: a line to write them in, and a chip for each with what comes of it. */
export function WhatIfBar() {
  const { report, tries, tryOut } = usePage();
  const { operations, effects } = tries;
  const ideas =
    operations.length > 0 ? [] : (report.remedies ?? []).filter(({ whatIf }) => whatIf.length > 0).slice(0, 3);
  return (
    <section class={operations.length > 0 ? 'what-if active' : 'what-if'} aria-label={say`What if`}>
      <WhatIfInput />
      {ideas.map(({ whatIf, label, effect }) => (
        <button
          key={whatIf.join(';')}
          type="button"
          class="chip idea"
          onClick={() => {
            tryOut(withRemedy(operations, whatIf));
          }}
        >
          {label} <span class="muted">{effect}</span>
        </button>
      ))}
      {operations.length > 0 && (
        <>
          <ol class="chips" aria-label={say`What is tried, in order`}>
            {operations.map((operation, index) => (
              <Chip key={`${index} ${operation}`} index={index} operation={operation} effect={effects?.[index]} />
            ))}
          </ol>
          <span class="what-if-tools">
            <button
              type="button"
              class="link"
              onClick={() => {
                tryOut([]);
              }}
            >
              {say`Clear`}
            </button>
            <button
              type="button"
              class="link"
              onClick={() => {
                post({ type: 'copy', text: withWhatIfs(undefined, operations) });
              }}
            >
              {say`Copy as command`}
            </button>
            <button
              type="button"
              class="link"
              onClick={() => {
                post({ type: 'keepWhatIf' });
              }}
            >
              {say`Keep…`}
            </button>
          </span>
        </>
      )}
      <button
        type="button"
        class="link"
        onClick={() => {
          post({ type: 'openWhatIf' });
        }}
      >
        {say`Kept…`}
      </button>
      <p role="status" class="spoken">
        {spokenOf(operations, effects)}
      </p>
    </section>
  );
}

/** What comes of all that is tried, once it is known. */
function spokenOf(operations: readonly string[], effects: readonly Effect[] | null): string {
  const last = effects?.[operations.length - 1];
  if (last === undefined) return '';
  return last.figures === null ? last.problem : last.effect;
}

interface ChipProps {
  readonly index: number;
  readonly operation: string;
  readonly effect: Effect | undefined;
}

/** Removed with its cross or Delete, moved with Alt and an arrow. */
function Chip({ index, operation, effect }: ChipProps) {
  const { tries, tryOut } = usePage();
  const { operations } = tries;
  const label = effect?.label ?? operation;
  const remove = (): void => {
    tryOut(operations.filter((_each, at) => at !== index));
  };
  const move = (by: 1 | -1): void => {
    const other = index + by;
    if (other < 0 || other >= operations.length) return;
    const next = [...operations];
    [next[index], next[other]] = [next[other]!, next[index]!];
    tryOut(next);
  };
  return (
    <li class={effect !== undefined && effect.problem !== '' ? 'chip tried faulty' : 'chip tried'}>
      <span class="chip-text" title={operation}>
        {label}{' '}
        <span class="muted">{effect === undefined ? '…' : effect.problem === '' ? effect.effect : effect.problem}</span>
      </span>
      <button
        type="button"
        class="link"
        aria-label={say`Apply ${label}`}
        title={say`Write it into the manifests; a preview is shown first`}
        onClick={() => {
          post({ type: 'apply', operation });
        }}
      >
        {say`Apply`}
      </button>
      <button
        type="button"
        class="chip-close"
        aria-label={say`Remove ${label}`}
        title={say`Remove (Delete); Alt+← and Alt+→ move it`}
        onClick={remove}
        onKeyDown={(event) => {
          if (event.key === 'Delete' || event.key === 'Backspace') remove();
          else if (event.altKey && event.key === 'ArrowLeft') move(-1);
          else if (event.altKey && event.key === 'ArrowRight') move(1);
          else return;
          event.preventDefault();
        }}
      >
        ✕
      </button>
    </li>
  );
}
