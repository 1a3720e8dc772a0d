/**
 * Whole numbers as a text of differences, each from the number before, in digits of five bits, as source maps write them;
 * `.` before one says that it comes several times.
 */
const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const repeats = '.';
/** Fewer than this are not worth the two figures. */
const fewest = 3;

export function figures(values: readonly number[]): string {
  const written: string[] = [];
  let before = 0;
  for (let at = 0; at < values.length;) {
    const difference = values[at]! - before;
    let next = at + 1;
    while (next < values.length && difference === values[next]! - values[next - 1]!) next++;
    if (next - at >= fewest) {
      written.push(repeats, figure(difference), figure(next - at));
    } else {
      next = at + 1;
      written.push(figure(difference));
    }
    before = values[next - 1]!;
    at = next;
  }
  return written.join('');
}

function figure(value: number): string {
  let left = value < 0 ? -value * 2 + 1 : value * 2;
  let written = '';
  do {
    const digit = left % 32;
    left = (left - digit) / 32;
    written += digits[left > 0 ? digit + 32 : digit]!;
  } while (left > 0);
  return written;
}

/** Reads them one after the other. */
export function figuresOf(written: unknown): () => number {
  const text = String(written);
  let at = 0;
  let before = 0;
  let difference = 0;
  let left = 0;
  const next = (): number => {
    let value = 0;
    for (let scale = 1; at < text.length; scale *= 32) {
      const digit = valueOf(text.charCodeAt(at++));
      value += (digit % 32) * scale;
      if (digit < 32) break;
    }
    return value % 2 === 1 ? (1 - value) / 2 : value / 2;
  };
  return () => {
    if (left === 0) {
      const isRepeated = text[at] === repeats;
      if (isRepeated) at++;
      difference = next();
      left = isRepeated ? next() : 1;
    }
    left--;
    before += difference;
    return before;
  };
}

const digitValues = new Map(Array.from(digits, (digit, value) => [digit.charCodeAt(0), value]));

function valueOf(code: number): number {
  return digitValues.get(code) ?? 0;
}
