import { say } from '../../../../server/src/util/say.ts';
import type { ComponentChildren } from 'preact';
import { count, grouped, momentText } from '../../../../server/src/util/words.ts';
import { usePage } from '../page-context.ts';
import { Running } from './short-name.tsx';

/** What the scenario did at which time, and what came of it besides the steps. */
export function Events() {
  const { report } = usePage();
  const { events } = report;
  const entries = events.map(({ clock, text, told }) => ({ beside: momentText(report, clock), text, details: told }));
  return <Entries summary={say`What is done · ${count(events.length, 'event')}`} entries={entries} />;
}

/** What the scenario asks of its end, and the answers. */
export function Questions() {
  const { questions } = usePage().report;
  const entries = questions.map(({ text, answer, isMet, details }) => ({
    beside: isMet === null ? `${text}:` : isMet ? say`✓ ${text}, as expected:` : say`✗ ${text}, not as expected:`,
    text: answer,
    details,
  }));
  return <Entries summary={say`Questions · ${questions.length}`} entries={entries} isOpen />;
}

interface Entry {
  readonly beside: string;
  readonly text: string;
  readonly details: readonly string[];
}

interface EntriesProps {
  readonly summary: string;
  readonly entries: readonly Entry[];
  readonly isOpen?: boolean;
}

/** More entries, and more lines of one, are in the exports. */
const mostEntries = 200;
const mostDetails = 20;

function Entries({ summary, entries, isOpen = false }: EntriesProps) {
  if (entries.length === 0) return null;
  return (
    <details class="events" open={isOpen}>
      <summary>{summary}</summary>
      <ol>
        {shown(entries, mostEntries, ({ beside, text, details }, index) => (
          <li key={index}>
            <span class="muted">{beside}</span> {text}
            {details.length > 0 && (
              <ul>
                {shown(details, mostDetails, (line, at) => (
                  <li key={at} class="muted">
                    <Running text={line} />
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

function shown<Item>(
  items: readonly Item[],
  most: number,
  draw: (item: Item, index: number) => ComponentChildren,
): ComponentChildren {
  const drawn = items.slice(0, most).map(draw);
  if (items.length <= most) return drawn;
  return [...drawn, <li key="more" class="muted">{say`${grouped(items.length - most)} more are in the exports.`}</li>];
}
