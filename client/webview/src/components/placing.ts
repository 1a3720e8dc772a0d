import type { Box } from '../model/map-layout.ts';

/**
 * Inline style that puts a box of the map into an element whose top left corner is at `originX`, `originY`. One text,
 * which preact hands to the style object as a whole; four properties take twice as long.
 */
export function place(box: Box, originX: number, originY: number): string {
  return `left:${box.x - originX}px;top:${box.y - originY}px;width:${box.width}px;height:${box.height}px`;
}

/** Class names: those that always apply, and those whose condition holds. */
export function classes(always: string, ...rest: readonly (readonly [boolean, string])[]): string {
  return [always, ...rest.filter(([on]) => on).map(([, name]) => name)].join(' ');
}
