/**
 * Go's `sort.Slice`, step by step. It is not stable, and preemption compares pods with a function that is no order
 * (two pods without a start time are each "less" than the other), so the very steps decide who is evicted.
 * Source: Go 1.24, src/sort/zsortfunc.go and sort.go
 */
export function goSort<T>(items: T[], less: (a: T, b: T) => boolean): void {
  const data: Data<T> = { items, less };
  pdqsort(data, 0, items.length, bitLength(items.length));
}

interface Data<T> {
  readonly items: T[];
  readonly less: (a: T, b: T) => boolean;
}

type Hint = 'unknown' | 'increasing' | 'decreasing';

/** Up to so many are sorted by insertion. Source: pdqsort_func (maxInsertion) */
export const maxInsertion = 12;

function pdqsort<T>(data: Data<T>, from: number, to: number, badChoices: number): void {
  let a = from;
  let b = to;
  let limit = badChoices;
  let wasBalanced = true;
  let wasPartitioned = true;
  for (;;) {
    const length = b - a;
    if (length <= maxInsertion) {
      insertionSort(data, a, b);
      return;
    }
    if (limit === 0) {
      heapSort(data, a, b);
      return;
    }
    if (!wasBalanced) {
      breakPatterns(data, a, b);
      limit--;
    }
    let { pivot, hint } = choosePivot(data, a, b);
    if (hint === 'decreasing') {
      reverse(data, a, b);
      pivot = b - 1 - (pivot - a);
      hint = 'increasing';
    }
    if (wasBalanced && wasPartitioned && hint === 'increasing' && partialInsertionSort(data, a, b)) return;
    if (a > 0 && !isLess(data, a - 1, pivot)) {
      a = partitionEqual(data, a, b, pivot);
      continue;
    }
    const { middle, alreadyPartitioned } = partition(data, a, b, pivot);
    wasPartitioned = alreadyPartitioned;
    const left = middle - a;
    const right = b - middle;
    const threshold = Math.trunc(length / 8);
    if (left < right) {
      wasBalanced = left >= threshold;
      pdqsort(data, a, middle, limit);
      a = middle + 1;
    } else {
      wasBalanced = right >= threshold;
      pdqsort(data, middle + 1, b, limit);
      b = middle;
    }
  }
}

function isLess<T>({ items, less }: Data<T>, i: number, j: number): boolean {
  return less(items[i]!, items[j]!);
}

function swap<T>({ items }: Data<T>, i: number, j: number): void {
  const kept = items[i]!;
  items[i] = items[j]!;
  items[j] = kept;
}

function insertionSort<T>({ items, less }: Data<T>, a: number, b: number): void {
  for (let i = a + 1; i < b; i++) {
    const item = items[i]!;
    let j = i;
    for (; j > a && less(item, items[j - 1]!); j--) items[j] = items[j - 1]!;
    items[j] = item;
  }
}

function siftDown<T>(data: Data<T>, low: number, high: number, first: number): void {
  let root = low;
  for (;;) {
    let child = 2 * root + 1;
    if (child >= high) return;
    if (child + 1 < high && isLess(data, first + child, first + child + 1)) child++;
    if (!isLess(data, first + root, first + child)) return;
    swap(data, first + root, first + child);
    root = child;
  }
}

function heapSort<T>(data: Data<T>, a: number, b: number): void {
  const high = b - a;
  for (let i = Math.trunc((high - 1) / 2); i >= 0; i--) siftDown(data, i, high, a);
  for (let i = high - 1; i >= 0; i--) {
    swap(data, a, a + i);
    siftDown(data, 0, i, a);
  }
}

function partition<T>(
  data: Data<T>,
  a: number,
  b: number,
  pivot: number,
): { readonly middle: number; readonly alreadyPartitioned: boolean } {
  swap(data, a, pivot);
  let i = a + 1;
  let j = b - 1;
  while (i <= j && isLess(data, i, a)) i++;
  while (i <= j && !isLess(data, j, a)) j--;
  if (i > j) {
    swap(data, j, a);
    return { middle: j, alreadyPartitioned: true };
  }
  swap(data, i, j);
  i++;
  j--;
  for (;;) {
    while (i <= j && isLess(data, i, a)) i++;
    while (i <= j && !isLess(data, j, a)) j--;
    if (i > j) break;
    swap(data, i, j);
    i++;
    j--;
  }
  swap(data, j, a);
  return { middle: j, alreadyPartitioned: false };
}

function partitionEqual<T>(data: Data<T>, a: number, b: number, pivot: number): number {
  swap(data, a, pivot);
  let i = a + 1;
  let j = b - 1;
  for (;;) {
    while (i <= j && !isLess(data, a, i)) i++;
    while (i <= j && isLess(data, a, j)) j--;
    if (i > j) return i;
    swap(data, i, j);
    i++;
    j--;
  }
}

/** Source: partialInsertionSort_func (maxSteps, shortestShifting) */
function partialInsertionSort<T>(data: Data<T>, a: number, b: number): boolean {
  const maxSteps = 5;
  const shortestShifting = 50;
  let i = a + 1;
  for (let step = 0; step < maxSteps; step++) {
    while (i < b && !isLess(data, i, i - 1)) i++;
    if (i === b) return true;
    if (b - a < shortestShifting) return false;
    swap(data, i, i - 1);
    if (i - a >= 2) {
      for (let j = i - 1; j >= 1 && isLess(data, j, j - 1); j--) swap(data, j, j - 1);
    }
    if (b - i >= 2) {
      for (let j = i + 1; j < b && isLess(data, j, j - 1); j++) swap(data, j, j - 1);
    }
  }
  return false;
}

/** Swaps three elements with some drawn by a generator whose seed is the length. */
function breakPatterns<T>(data: Data<T>, a: number, b: number): void {
  const length = b - a;
  if (length < 8) return;
  let random = BigInt(length);
  const mask = (1n << BigInt(bitLength(length))) - 1n;
  const middle = a + Math.trunc(length / 4) * 2;
  for (let i = 0; i < 3; i++) {
    random ^= BigInt.asUintN(64, random << 13n);
    random ^= random >> 7n;
    random ^= BigInt.asUintN(64, random << 17n);
    let other = Number(random & mask);
    if (other >= length) other -= length;
    swap(data, middle - 1 + i, a + other);
  }
}

/** Source: choosePivot_func (shortestNinther, maxSwaps) */
function choosePivot<T>(data: Data<T>, a: number, b: number): { readonly pivot: number; readonly hint: Hint } {
  const shortestNinther = 50;
  const maxSwaps = 4 * 3;
  const length = b - a;
  const quarter = Math.trunc(length / 4);
  let swaps = 0;
  const inOrder = (x: number, y: number): readonly [number, number] => {
    if (!isLess(data, y, x)) return [x, y];
    swaps++;
    return [y, x];
  };
  const median = (x: number, y: number, z: number): number => {
    const [low, high] = inOrder(x, y);
    const [middle] = inOrder(high, z);
    return inOrder(low, middle)[1];
  };
  let i = a + quarter;
  let j = a + quarter * 2;
  let k = a + quarter * 3;
  if (length >= 8) {
    if (length >= shortestNinther) {
      i = median(i - 1, i, i + 1);
      j = median(j - 1, j, j + 1);
      k = median(k - 1, k, k + 1);
    }
    j = median(i, j, k);
  }
  return { pivot: j, hint: swaps === 0 ? 'increasing' : swaps === maxSwaps ? 'decreasing' : 'unknown' };
}

function reverse<T>(data: Data<T>, a: number, b: number): void {
  for (let i = a, j = b - 1; i < j; i++, j--) swap(data, i, j);
}

/** Go's bits.Len. */
function bitLength(value: number): number {
  return value === 0 ? 0 : 32 - Math.clz32(value);
}
