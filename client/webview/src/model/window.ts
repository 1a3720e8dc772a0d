/** Rows of a long list that are in the document. */
export interface RowWindow {
  readonly first: number;
  /** Exclusive. */
  readonly end: number;
}

/** The rows in `from`…`to`. `offsets[i]` is where row i begins, `offsets[length]` where the last one ends. */
export function rowWindow(offsets: readonly number[], from: number, to: number): RowWindow {
  const rows = offsets.length - 1;
  const first = Math.max(0, firstAfter(offsets, from) - 1);
  const end = Math.min(rows, firstAfter(offsets, to));
  return { first: Math.min(first, end), end };
}

export function offsetsOf(heights: readonly number[]): readonly number[] {
  const offsets = [0];
  let sum = 0;
  for (const height of heights) {
    sum += height;
    offsets.push(sum);
  }
  return offsets;
}

/** The first index whose offset is greater than `position`; offsets are sorted. */
function firstAfter(offsets: readonly number[], position: number): number {
  let low = 0;
  let high = offsets.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (offsets[middle]! > position) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return low;
}

/** Where to scroll so that `start`…`end` is seen; null when it already is. */
export function scrollTo(start: number, end: number, top: number, height: number): number | null {
  if (start < top) {
    return Math.max(0, start);
  }
  return end > top + height ? end - height : null;
}
