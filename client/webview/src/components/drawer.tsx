import { say } from '../../../../server/src/util/say.ts';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { usePage } from '../page-context.ts';
import { Decision } from './decision.tsx';
import { Facts } from './facts.tsx';
import { TryButtons } from './try-buttons.tsx';

/** The part of a drawer, in pixels, that is enough to see what it is about. */
const enough = 320;

/** What is known of the selection, and why it is so; beside the selection or directly under it. */
export function Drawer() {
  const { view, names, dispatch } = usePage();
  const { selection } = view;
  const region = useRef<HTMLElement>(null);
  // Scrolls the page until the top of the drawer is seen, and no further, so that the selection stays in sight too.
  useLayoutEffect(() => {
    const element = region.current;
    const scroller = element?.closest('.report');
    if (element == null || scroller == null) return;
    const { top, height } = element.getBoundingClientRect();
    const seen = scroller.getBoundingClientRect();
    const below = top + Math.min(height, enough) - seen.bottom;
    if (below > 0) scroller.scrollTop += below;
    else if (top < seen.top) scroller.scrollTop += top - seen.top;
    // A new report brings a new object for the same selection.
  }, [JSON.stringify(selection), view.anchor]);
  if (selection === null) return null;
  const name = selection.kind === 'pod' ? names.pod(selection.pod) : names.node(selection.node);
  return (
    <section ref={region} class="drawer" role="region" aria-label={name}>
      <button
        type="button"
        class="drawer-close"
        title={say`Close (Escape)`}
        onClick={() => {
          dispatch({ type: 'close' });
        }}
      >
        ✕ <span class="muted">Esc</span>
      </button>
      <Facts />
      <Decision />
      <TryButtons />
    </section>
  );
}
