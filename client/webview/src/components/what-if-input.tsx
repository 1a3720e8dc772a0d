import { say } from '../../../../server/src/util/say.ts';
import { grouped } from '../../../../server/src/util/words.ts';
import { useEffect, useId, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { type Choice, complete, type Completion, Subjects } from '../model/completion.ts';
import { usePage } from '../page-context.ts';

const stepNames: Readonly<Record<Completion['step'], string>> = {
  1: say`What to do, step 1 of 3`,
  2: say`With what, step 2 of 3`,
  3: say`How, step 3 of 3`,
};

/**
 * A line in which an operation is written or put together: what to do, with what, and how. Arrow keys walk the list under
 * it, Enter takes the marked row, and tries the line when it is whole.
 */
export function WhatIfInput() {
  const { report, names, tries, tryOut, begun } = usePage();
  const [text, setText] = useState('');
  const [open, setOpen] = useState(false);
  /** The row the arrow keys have led to; null before they have. */
  const [walked, setWalked] = useState<number | null>(null);
  const field = useRef<HTMLInputElement>(null);
  const popup = useRef<HTMLDivElement>(null);
  const id = useId();
  const subjects = useMemo(() => new Subjects(report, names), [report, names]);
  const completion = useMemo(() => (open ? complete(subjects, text) : null), [subjects, text, open]);
  const choices = completion?.choices ?? [];
  // What is whole is tried; of anything else the first that fits is taken.
  const active = walked ?? (completion === null || completion.isWhole || text.trim() === '' ? null : 0);

  const write = (next: string): void => {
    setText(next);
    setWalked(null);
    setOpen(true);
  };
  // Before the next key is pressed.
  useLayoutEffect(() => {
    if (begun === null) return;
    write(begun.operation);
    // Over a line in which nothing stands yet the list would only cover what is under it.
    setOpen(begun.operation !== '');
    field.current?.focus();
  }, [begun]);
  const shown = completion !== null;
  useEffect(() => {
    if (shown) popup.current?.scrollIntoView({ block: 'nearest' });
  }, [shown]);
  useEffect(() => {
    popup.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' });
  }, [active, completion]);

  const submit = (line: string): void => {
    const operation = line.trim();
    if (operation === '') return;
    tryOut([...tries.operations, operation]);
    setText('');
    setWalked(null);
    setOpen(false);
  };
  const choose = (choice: Choice): void => {
    if (choice.isLast) submit(choice.text);
    else write(choice.text);
  };
  const press = (event: KeyboardEvent): void => {
    const chosen = active === null ? undefined : choices[active];
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      setOpen(true);
      const by = event.key === 'ArrowDown' ? 1 : -1;
      const from = walked ?? active ?? (by === 1 ? -1 : 0);
      if (choices.length > 0) setWalked((from + by + choices.length) % choices.length);
    } else if (event.key === 'Enter' && chosen !== undefined) {
      choose(chosen);
    } else if (event.key === 'Tab' && !event.shiftKey && chosen !== undefined && chosen.text !== text) {
      write(chosen.text);
    } else if (event.key === 'Escape' && open) {
      setOpen(false);
      event.stopPropagation();
    } else {
      return;
    }
    event.preventDefault();
  };
  return (
    <form
      class="what-if-form"
      onSubmit={(event) => {
        event.preventDefault();
        submit(text);
      }}
      onFocusOut={(event) => {
        if (!(event.relatedTarget instanceof Node && event.currentTarget.contains(event.relatedTarget))) setOpen(false);
      }}
    >
      <label for={id}>{say`What if`}</label>
      <input
        id={id}
        ref={field}
        role="combobox"
        aria-expanded={choices.length > 0}
        aria-autocomplete="list"
        aria-controls={choices.length > 0 ? `${id}-list` : undefined}
        aria-activedescendant={active !== null && active < choices.length ? `${id}-${active}` : undefined}
        value={text}
        placeholder="drain, scale, add, delete…"
        autocomplete="off"
        spellcheck={false}
        onClick={() => {
          setOpen(true);
        }}
        onKeyDown={press}
        onInput={(event) => {
          write(event.currentTarget.value);
        }}
      />
      {completion !== null && (
        <div ref={popup} class="what-if-popup">
          <p class="what-if-step muted">
            {stepNames[completion.step]}
            {completion.form !== '' && <code>{completion.form}</code>}
          </p>
          {choices.length > 0 && (
            <ul id={`${id}-list`} role="listbox" aria-label={stepNames[completion.step]}>
              {choices.map(({ text: whole, label, hint }, index) => (
                <li
                  key={whole}
                  id={`${id}-${index}`}
                  role="option"
                  aria-selected={index === active}
                  // The line keeps the focus.
                  onPointerDown={(event) => {
                    event.preventDefault();
                  }}
                  onClick={() => {
                    choose(choices[index]!);
                  }}
                >
                  {label} {hint !== '' && <span class="what-if-hint">{hint}</span>}
                </li>
              ))}
            </ul>
          )}
          {completion.more > 0 && (
            <p class="what-if-step muted">{say`${grouped(completion.more)} more: type a part of a name`}</p>
          )}
        </div>
      )}
    </form>
  );
}
