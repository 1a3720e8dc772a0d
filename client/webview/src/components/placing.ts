import type { Box } from '../model/map-layout.ts';

/** Inline style that puts an absolutely positioned element in its place. */
export type Placing = {
  readonly left: string;
  readonly top: string;
  readonly width: string;
  readonly height: string;
};

/** Puts a box of the map into an element whose top left corner is at `originX`, `originY`. */
export function place(box: Box, originX: number, originY: number): Placing {
  return {
    left: `${box.x - originX}px`,
    top: `${box.y - originY}px`,
    width: `${box.width}px`,
    height: `${box.height}px`,
  };
}

/** Class names: those that always apply, and those whose condition holds. */
export function classes(always: string, ...rest: readonly (readonly [boolean, string])[]): string {
  return [always, ...rest.filter(([on]) => on).map(([, name]) => name)].join(' ');
}
