export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Something on the map that the keys lead to: a zone, the head of a node's card, or a tile. */
export interface Cell {
  /** What belongs together: a card, or a zone. */
  readonly group: string;
  readonly box: Box;
}

export type WalkKey = 'ArrowLeft' | 'ArrowRight' | 'ArrowUp' | 'ArrowDown' | 'Home' | 'End' | 'PageUp' | 'PageDown';

export function isWalkKey(key: string): key is WalkKey {
  return ['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown', 'Home', 'End', 'PageUp', 'PageDown'].includes(key);
}

/**
 * The cell that a key leads to: left and right in reading order, up and down to the nearest, Home and End within the
 * card, Page Up and Page Down to the previous and next card. Stays where there is nowhere to go.
 */
export function walk(cells: readonly Cell[], from: number, key: WalkKey): number {
  const current = cells[from];
  if (current === undefined) {
    return 0;
  }
  switch (key) {
    case 'ArrowLeft':
      return Math.max(0, from - 1);
    case 'ArrowRight':
      return Math.min(cells.length - 1, from + 1);
    case 'ArrowUp':
    case 'ArrowDown':
      return nearest(cells, from, current.box, key === 'ArrowDown');
    case 'Home':
      return cells.findIndex((cell) => cell.group === current.group);
    case 'End':
      return cells.findLastIndex((cell) => cell.group === current.group);
    case 'PageUp': {
      const start = cells.findIndex((cell) => cell.group === current.group);
      const before = cells[start - 1];
      return before === undefined ? start : cells.findIndex((cell) => cell.group === before.group);
    }
    case 'PageDown': {
      const next = cells.findLastIndex((cell) => cell.group === current.group) + 1;
      return next < cells.length ? next : from;
    }
    default:
      return key satisfies never;
  }
}

/** How much more a step to the side counts than a step down. */
const sidewaysCost = 2;

function nearest(cells: readonly Cell[], from: number, box: Box, down: boolean): number {
  let best = from;
  let bestDistance = Infinity;
  cells.forEach((cell, index) => {
    const gap = down ? cell.box.y - (box.y + box.height) : box.y - (cell.box.y + cell.box.height);
    // Half a pixel forgives rounding of stacked boxes.
    if (index === from || gap < -0.5) {
      return;
    }
    const distance = Math.max(0, gap) + sidewaysCost * sideways(cell.box, box);
    if (distance < bestDistance) {
      best = index;
      bestDistance = distance;
    }
  });
  return best;
}

/** Distance from the middle of `from` to the other box; 0 when it stands above or below. */
function sideways(box: Box, from: Box): number {
  const middle = from.x + Math.min(from.width / 2, 40);
  return Math.max(0, box.x - middle, middle - (box.x + box.width));
}
