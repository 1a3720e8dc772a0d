import type { ComponentChildren } from 'preact';
import { useRef } from 'preact/hooks';
import { useKeptScroll } from '../scroll-memory.ts';

interface ScrollAreaProps {
  /** Under this name its position is kept. */
  readonly name: string;
  readonly label: string;
  readonly children: ComponentChildren;
}

/** A region that scrolls by itself and keeps its place. */
export function ScrollArea({ name, label, children }: ScrollAreaProps) {
  const area = useRef<HTMLElement>(null);
  useKeptScroll(area, name);
  return (
    <section ref={area} class={`scroll-area area-${name}`} aria-label={label} tabIndex={-1}>
      {children}
    </section>
  );
}
