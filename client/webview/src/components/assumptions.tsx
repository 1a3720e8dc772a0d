import type { Assumption } from '../../../../server/src/simulation/report.ts';

const meanings: Readonly<Record<Assumption['mark'], string>> = {
  '=': 'known',
  '≥': 'at least',
  '≤': 'at most',
  '?': 'assumed',
};

/** What the answer rests on. The detail of each shows while the pointer or the focus is on it. */
export function Assumptions({ list }: { readonly list: readonly Assumption[] }) {
  return (
    <ul class="assumptions" aria-label="What is assumed">
      {list.map(({ mark, text, detail }, index) => (
        <li key={index}>
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
    </ul>
  );
}
