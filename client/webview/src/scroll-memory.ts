import { createContext, type RefObject } from 'preact';
import { useContext, useEffect } from 'preact/hooks';

/** Scroll positions by the name of the area. Outside the rendered state: remembering one renders nothing. */
export interface Scrolls {
  recall(name: string): number;
  remember(name: string, top: number): void;
}

export const ScrollMemory = createContext<Scrolls>({
  recall: () => 0,
  remember: () => undefined,
});

/** Remembers how far an area is scrolled, and brings that back after a reload, as soon as `hasHeight`. */
export function useKeptScroll(area: RefObject<HTMLElement | null>, name: string, hasHeight = true): void {
  const memory = useContext(ScrollMemory);
  useEffect(() => {
    const element = area.current;
    if (element === null || !hasHeight) {
      return undefined;
    }
    const kept = memory.recall(name);
    if (kept > 0) {
      element.scrollTop = kept;
    }
    const remember = (): void => {
      memory.remember(name, element.scrollTop);
    };
    element.addEventListener('scroll', remember, { passive: true });
    return () => {
      element.removeEventListener('scroll', remember);
    };
  }, [area, hasHeight, memory, name]);
}
