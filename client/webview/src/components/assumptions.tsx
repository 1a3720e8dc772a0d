import { dependsOn } from '../../../../server/src/report-model/assumed.ts';
import { say } from '../../../../server/src/util/say.ts';
import { useState } from 'preact/hooks';
import type { Assumption } from '../../../../server/src/report-model/report.ts';
import { isAlone } from '../standalone.ts';
import { post } from '../vscode-api.ts';
import { Toggle } from './toggle.tsx';

const meanings: Readonly<Record<Assumption['mark'], string>> = {
  '=': say`known`,
  '≥': say`at least`,
  '≤': say`at most`,
  '?': say`assumed`,
  '!': say`missing`,
};

/** So many of those that could change the headline stand in the line itself. */
const named = 2;

interface AssumptionsProps {
  readonly list: readonly Assumption[];
  /** Whether it rests on a snapshot that can be taken again. */
  readonly hasSnapshot: boolean;
}

/** What the answer rests on: one line that opens. */
export function Assumptions({ list, hasSnapshot }: AssumptionsProps) {
  const [open, setOpen] = useState(false);
  const assumed = list.filter(({ mark }) => mark === '?').slice(0, named);
  return (
    <footer class="rests">
      <p class="rests-line">
        <span>{dependsOn(list)}</span>
        {assumed.map(({ text }) => (
          <span key={text} class="rests-assumed">{`? ${text}`}</span>
        ))}
        <Toggle open={open} setOpen={setOpen} words={[say`All ${list.length}`, say`Close`]} />
        {hasSnapshot && !isAlone && (
          <button
            type="button"
            class="link"
            onClick={() => {
              post({ type: 'command', command: 'refreshSnapshot' });
            }}
          >
            {say`Refresh the snapshot`}
          </button>
        )}
      </p>
      {open && (
        <ul class="assumptions" aria-label={say`What the answer depends on`}>
          {list.map(({ mark, text, detail }) => (
            <li key={text}>
              <span class="mark" aria-hidden="true">
                {mark}
              </span>
              <span class="spoken">{`${meanings[mark]}: `}</span>
              {text}
              {detail !== '' && <span class="muted">{` · ${detail}`}</span>}
            </li>
          ))}
        </ul>
      )}
    </footer>
  );
}
