import type { RefObject } from 'preact';
import { useLayoutEffect, useState } from 'preact/hooks';
import { useKeptScroll } from './scroll-memory.ts';

/** What is to be drawn of a scrolling area, in pixels. */
export interface Viewport {
  /** From the top of the content: what is seen, and as soon as that has been painted what is near as well. */
  readonly from: number;
  readonly to: number;
  /** Of the area; zero until it has been measured. */
  readonly height: number;
  readonly width: number;
}

/** How much above and below the visible part is drawn in advance. */
const overscan = 120;
/** Scrolling is followed in strides, so that not every pixel renders; what is drawn in advance covers one of them. */
const stride = 80;

/** Follows the visible part of an area, and brings its scroll position back after a reload. */
export function useViewport(area: RefObject<HTMLElement | null>, name: string): Viewport {
  const [viewport, setViewport] = useState<Viewport>({ from: 0, to: 0, height: 0, width: 0 });

  useLayoutEffect(() => {
    const element = area.current;
    if (element === null) {
      return undefined;
    }
    let isPainted = false;
    const measure = (): void => {
      const { scrollTop: top, clientHeight: height } = element;
      const width = element.clientWidth - sidePadding(element);
      const from = isPainted ? Math.floor(top / stride) * stride - overscan : top;
      const to = isPainted ? Math.ceil((top + height) / stride) * stride + overscan : top + height;
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
    observer.observe(element);
    element.addEventListener('scroll', measure, { passive: true });
    return () => {
      cancel();
      observer.disconnect();
      element.removeEventListener('scroll', measure);
    };
  }, [area]);

  // The area can only be scrolled once its content has its height.
  useKeptScroll(area, name, viewport.width > 0);

  return viewport;
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

function sidePadding(element: HTMLElement): number {
  const { paddingLeft, paddingRight } = getComputedStyle(element);
  return Number.parseFloat(paddingLeft) + Number.parseFloat(paddingRight);
}
