import { count } from '../../../../server/src/kit/words.ts';
import { formatClock } from '../../../src/report/format.ts';
import { usePage } from '../page-context.ts';

/** What the scenario did at which time, and what came of it besides the steps. */
export function Events() {
  const { events } = usePage().report;
  if (events.length === 0) return null;
  return (
    <details class="events">
      <summary>{`What is done · ${count(events.length, 'event')}`}</summary>
      <ol>
        {events.map(({ clock, text, told }, index) => (
          <li key={index}>
            <span class="muted">{formatClock(clock)}</span> {text}
            {told.length > 0 && (
              <ul>
                {told.map((line) => (
                  <li key={line} class="muted">
                    {line}
                  </li>
                ))}
              </ul>
            )}
          </li>
        ))}
      </ol>
    </details>
  );
}

/** What the scenario asks of its end, and the answers. */
export function Questions() {
  const { questions } = usePage().report;
  if (questions.length === 0) return null;
  return (
    <details class="events" open>
      <summary>{`Questions · ${questions.length}`}</summary>
      <ol>
        {questions.map(({ text, answer, details }, index) => (
          <li key={index}>
            <span class="muted">{text}</span> {answer}
            {details.length > 0 && (
              <ul>
                {details.map((line) => (
                  <li key={line} class="muted">
                    {line}
                  </li>
                ))}
              </ul>
            )}
          </li>
        ))}
      </ol>
    </details>
  );
}
