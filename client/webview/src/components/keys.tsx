import { useEffect, useState } from 'preact/hooks';
import { isAlone } from '../alone.ts';
import { Toggle } from './toggle.tsx';

/** Every key of the page, and what it does. */
const keys: readonly (readonly [keys: string, effect: string])[] = [
  ['Tab', 'from block to block'],
  ['← → ↑ ↓', 'within a block; in the map between tiles and nodes'],
  ['Space', 'selects, and opens the details'],
  [
    'Enter',
    isAlone ? 'on a zone or node: into it' : 'on a zone or node: into it; on a pod: its manifest, in the other column',
  ],
  ['Esc', 'back: out of the filter, along the links, out of the details'],
  ['j k', 'the next and the previous victim'],
  ['[ ]', 'the moment before and after'],
  ['/', 'the filter'],
  ['?', 'these keys'],
];

/** Those of what can be tried. */
const whatIfKeys: typeof keys = [
  ['w', 'what if'],
  ['Shift+F10', 'what can be tried with a pod or a node, as a right click does'],
  ['d c', 'drains, cordons or uncordons the selected node'],
  ['Alt+← Alt+→ Delete', 'on a change that is tried: moves it, takes it away'],
  ['Ctrl+Z Ctrl+Shift+Z', 'takes back what was tried, and tries it again'],
];

/** A line that opens a list of all keys, with `?` too. */
export function Keys() {
  const [open, setOpen] = useState(false);
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      const inField = event.target instanceof HTMLElement && /^(vscode-textfield|input)$/i.test(event.target.tagName);
      if (event.key === '?' && !inField) setOpen((was) => !was);
    };
    addEventListener('keydown', press);
    return () => {
      removeEventListener('keydown', press);
    };
  }, []);
  return (
    <section class="keys" aria-label="Keys">
      <Toggle open={open} setOpen={setOpen} words={['Keys (?)', 'Close the keys']} />
      {open && (
        <dl class="facts">
          {[...keys, ...(isAlone ? [] : whatIfKeys)].map(([names, effect]) => (
            <div key={names} class="fact">
              <dt>
                <kbd>{names}</kbd>
              </dt>
              <dd>{effect}</dd>
            </div>
          ))}
        </dl>
      )}
    </section>
  );
}
