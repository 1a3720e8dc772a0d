import type { RefObject } from 'preact';
import { useContext, useEffect, useLayoutEffect, useState } from 'preact/hooks';
import { ScrollMemory } from './scroll-memory.ts';

/** The visible part of a scrolling area, in pixels. */
export interface Viewport {
  readonly top: number;
  readonly height: number;
  readonly width: number;
}

/** Scrolling is followed in strides, so that not every pixel renders; what is drawn in advance covers one of them. */
const stride = 80;

/** Follows the visible part of an area, and brings its scroll position back after a reload. */
export function useViewport(area: RefObject<HTMLElement | null>, name: string): Viewport {
  const memory = useContext(ScrollMemory);
  const [viewport, setViewport] = useState<Viewport>({ top: 0, height: 0, width: 0 });

  useLayoutEffect(() => {
    const element = area.current;
    if (element === null) {
      return undefined;
    }
    const measure = (): void => {
      const next = {
        top: Math.floor(element.scrollTop / stride) * stride,
        height: Math.ceil(element.clientHeight / stride) * stride,
        width: element.clientWidth - sidePadding(element),
      };
      setViewport((last) =>
        last.top === next.top && last.height === next.height && last.width === next.width ? last : next,
      );
    };
    const scrolled = (): void => {
      memory.remember(name, element.scrollTop);
      measure();
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    element.addEventListener('scroll', scrolled, { passive: true });
    return () => {
      observer.disconnect();
      element.removeEventListener('scroll', scrolled);
    };
  }, [area, memory, name]);

  // The area can only be scrolled once its content has its height.
  const measured = viewport.width > 0;
  useEffect(() => {
    const kept = memory.recall(name);
    if (measured && kept > 0 && area.current !== null) {
      area.current.scrollTop = kept;
    }
  }, [area, measured, memory, name]);

  return viewport;
}

function sidePadding(element: HTMLElement): number {
  const { paddingLeft, paddingRight } = getComputedStyle(element);
  return Number.parseFloat(paddingLeft) + Number.parseFloat(paddingRight);
}
