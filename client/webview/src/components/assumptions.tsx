import { useState } from 'preact/hooks';
import type { Assumption } from '../../../../server/src/contract/report.ts';

const meanings: Readonly<Record<Assumption['mark'], string>> = {
  '=': 'known',
  '≥': 'at least',
  '≤': 'at most',
  '?': 'assumed',
  '!': 'missing',
};

/** As many as narrow pages show at first, so that the map is on the first screen. */
const shownFirst = 3;

/** What the answer rests on. The detail of each shows while the pointer or the focus is on it. */
export function Assumptions({ list }: { readonly list: readonly Assumption[] }) {
  const [all, setAll] = useState(false);
  // One alone takes no more room than the button that would hide it.
  const more = list.length - shownFirst > 1 ? list.length - shownFirst : 0;
  return (
    <ul class={all ? 'assumptions' : 'assumptions few'} aria-label="What is assumed">
      {list.map(({ mark, text, detail }, index) => (
        <li key={index} class={more === 0 || index < shownFirst ? undefined : 'later'}>
          <button
            type="button"
            class={`chip mark-${meanings[mark].replace(' ', '-')}`}
            aria-label={`${meanings[mark]}: ${text}`}
            {...(detail === '' ? {} : { 'aria-describedby': `assumption-${index}` })}
          >
            <span class="mark" aria-hidden="true">
              {mark}
            </span>
            {text}
          </button>
          {detail !== '' && (
            <span class="tooltip" role="tooltip" id={`assumption-${index}`}>
              {detail}
            </span>
          )}
        </li>
      ))}
      {more > 0 && (
        <li class="more">
          <button
            type="button"
            class="link"
            aria-expanded={all}
            onClick={() => {
              setAll(!all);
            }}
          >
            {all ? 'Show fewer assumptions' : `${more} more assumptions`}
          </button>
        </li>
      )}
    </ul>
  );
}
