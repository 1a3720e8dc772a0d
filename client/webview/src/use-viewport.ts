import type { RefObject } from 'preact';
import { useLayoutEffect, useState } from 'preact/hooks';
import { scrollTo } from './model/window.ts';

/** What is to be drawn of a long area, in pixels. The page scrolls as a whole; the areas on it do not. */
export interface Viewport {
  /** From the top of the area: what is seen, and as soon as that has been painted what is near as well. */
  readonly from: number;
  readonly to: number;
  /** Of the page; zero until it has been measured. */
  readonly height: number;
  /** Of the area. */
  readonly width: number;
}

/** How much above and below the visible part is drawn in advance. */
const overscan = 240;
/** Scrolling is followed in strides, so that not every pixel renders; what is drawn in advance covers one of them. */
const stride = 80;

/** Follows the visible part of an area. */
export function useViewport(area: RefObject<HTMLElement | null>): Viewport {
  const [viewport, setViewport] = useState<Viewport>({ from: 0, to: 0, height: 0, width: 0 });

  useLayoutEffect(() => {
    const scroller = scrollerOf(area.current);
    if (scroller === null) {
      return undefined;
    }
    let isPainted = false;
    const measure = (): void => {
      const height = scroller.clientHeight;
      const top = scroller.scrollTop - topIn(area.current, scroller);
      const margin = isPainted ? overscan : 0;
      const from = Math.floor(top / stride) * stride - margin;
      const to = Math.ceil((top + height) / stride) * stride + margin;
      const width = area.current?.clientWidth ?? 0;
      setViewport((last) =>
        last.from === from && last.to === to && last.height === height && last.width === width
          ? last
          : { from, to, height, width },
      );
    };
    measure();
    const cancel = afterPaint(() => {
      isPainted = true;
      measure();
    });
    const observer = new ResizeObserver(measure);
    observer.observe(scroller);
    // What stands above may open or close.
    for (const child of scroller.children) {
      observer.observe(child);
    }
    scroller.addEventListener('scroll', measure, { passive: true });
    return () => {
      cancel();
      observer.disconnect();
      scroller.removeEventListener('scroll', measure);
    };
  }, [area]);

  return viewport;
}

/** Scrolls the page as little as needed to show a part of an area. */
export function showWithin(area: HTMLElement, start: number, end: number): void {
  const scroller = scrollerOf(area);
  if (scroller !== null) {
    const top = topIn(area, scroller);
    const to = scrollTo(top + start, top + end, scroller.scrollTop, scroller.clientHeight);
    if (to !== null) {
      scroller.scrollTop = to;
    }
  }
}

function scrollerOf(area: HTMLElement | null): HTMLElement | null {
  return area?.closest<HTMLElement>('.report') ?? null;
}

function topIn(area: HTMLElement | null, scroller: HTMLElement): number {
  const top = area?.getBoundingClientRect().top ?? 0;
  return top - scroller.getBoundingClientRect().top + scroller.scrollTop;
}

/** Calls back when the next frame has been drawn; the answer cancels. */
function afterPaint(callback: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const frame = requestAnimationFrame(() => {
    timer = setTimeout(callback);
  });
  return () => {
    cancelAnimationFrame(frame);
    clearTimeout(timer);
  };
}
