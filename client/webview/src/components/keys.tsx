import { say } from '../../../../server/src/util/say.ts';
import { useEffect, useState } from 'preact/hooks';
import { isAlone } from '../standalone.ts';
import { Toggle } from './toggle.tsx';

/** Every key of the page, and what it does. */
const keys: readonly (readonly [keys: string, effect: string])[] = [
  ['Tab', say`from block to block`],
  ['← → ↑ ↓', say`within a block; in the map between tiles and nodes`],
  ['Space', say`selects, and opens the details`],
  [
    'Enter',
    isAlone
      ? say`on a zone or node: into it`
      : say`on a zone or node: into it; on a pod: its manifest, in the other column`,
  ],
  ['Esc', say`back: out of the filter, along the links, out of the details, out of a node`],
  ['j k', say`the next and the previous victim`],
  ['[ ]', say`the moment before and after`],
  ['l', say`in the timeline: lanes per node or per workload`],
  ['m', say`in the map: what the width means`],
  ['/', say`the filter`],
  ['?', say`these keys`],
];

/** Those of what can be tried. */
const whatIfKeys: typeof keys = [
  ['w', say`what if`],
  ['Shift+F10', say`what can be tried with a pod or a node, as a right click does`],
  ['d c', say`drains, cordons or uncordons the selected node`],
  ['Alt+← Alt+→ Delete', say`on a change that is tried: moves it, takes it away`],
  ['Ctrl+Z Ctrl+Shift+Z', say`takes back what was tried, and tries it again`],
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
    <section class="keys" aria-label={say`Keys`}>
      <Toggle open={open} setOpen={setOpen} words={[say`Keys (?)`, say`Close the keys`]} />
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
