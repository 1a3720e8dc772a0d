import type { RefObject } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { isWalkKey, walk } from './model/walk.ts';

/**
 * Makes a block one stop of the Tab key: that of its buttons that had the focus last, else the first. Arrow keys walk the
 * others. What opens within it, as a drawer, is a block of its own.
 */
export function useOneStop<Block extends HTMLElement>(): RefObject<Block | null> {
  const block = useRef<Block>(null);
  const last = useRef<HTMLElement | null>(null);
  const stops = (): HTMLElement[] =>
    [...(block.current?.querySelectorAll<HTMLElement>('button') ?? [])].filter(
      (button) => button.closest('.drawer') === null,
    );
  const arrange = (): void => {
    const all = stops();
    const current = last.current !== null && all.includes(last.current) ? last.current : all[0];
    for (const each of all) each.tabIndex = each === current ? 0 : -1;
  };
  // Buttons come and go with what is opened.
  useLayoutEffect(arrange);
  useLayoutEffect(() => {
    const element = block.current;
    const focused = ({ target }: FocusEvent): void => {
      if (!(target instanceof HTMLElement) || !stops().includes(target)) return;
      last.current = target;
      arrange();
    };
    const pressed = (event: KeyboardEvent): void => {
      const all = stops();
      const from = all.indexOf(event.target as HTMLElement);
      if (from === -1 || !isWalkKey(event.key) || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      const cells = all.map((each) => ({
        group: String(all.indexOf(each.closest('li, .lane')?.querySelector('button') ?? each)),
        box: each.getBoundingClientRect(),
      }));
      all[walk(cells, from, event.key)]?.focus();
    };
    element?.addEventListener('focusin', focused);
    element?.addEventListener('keydown', pressed);
    return () => {
      element?.removeEventListener('focusin', focused);
      element?.removeEventListener('keydown', pressed);
    };
  }, []);
  return block;
}
