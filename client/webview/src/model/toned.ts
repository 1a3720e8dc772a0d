import type { Answer } from '../../../../server/src/report-model/answer.ts';

type Emphasis = Answer['emphasis'][number];

interface Part {
  readonly text: string;
  readonly tone: Emphasis['tone'] | null;
}

/** A sentence in parts: those that are to be told apart, each where it stands first as a word, and what is between. */
export function toned(sentence: string, emphasis: readonly Emphasis[]): readonly Part[] {
  const found: { readonly start: number; readonly end: number; readonly tone: Emphasis['tone'] }[] = [];
  for (const { text, tone } of emphasis) {
    const start = placeOf(sentence, text, (from, to) => found.every(({ start: a, end: b }) => to <= a || from >= b));
    if (start >= 0) found.push({ start, end: start + text.length, tone });
  }
  const parts: Part[] = [];
  let at = 0;
  for (const { start, end, tone } of found.sort((one, other) => one.start - other.start)) {
    if (start > at) parts.push({ text: sentence.slice(at, start), tone: null });
    parts.push({ text: sentence.slice(start, end), tone });
    at = end;
  }
  if (at < sentence.length) parts.push({ text: sentence.slice(at), tone: null });
  return parts;
}

function placeOf(sentence: string, text: string, isFree: (from: number, to: number) => boolean): number {
  if (text === '') return -1;
  for (let at = sentence.indexOf(text); at >= 0; at = sentence.indexOf(text, at + 1)) {
    const end = at + text.length;
    if (!isInWord(sentence[at - 1]) && !isInWord(sentence[end]) && isFree(at, end)) return at;
  }
  return -1;
}

/** Of names: `cart` is no part of `cart-2`. */
function isInWord(letter: string | undefined): boolean {
  return letter !== undefined && /[A-Za-z0-9_-]/.test(letter);
}
