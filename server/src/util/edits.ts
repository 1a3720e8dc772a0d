import { differenceOf } from './same-items.ts';

/** Lines of a file that are written otherwise than before. */
export interface Edit {
  readonly uri: string;
  /** The first of them now, from 0. */
  readonly line: number;
  readonly before: readonly string[];
  readonly now: readonly string[];
}

/** What was edited of a file. Lines of equal number are compared one by one. */
export function editsOf(uri: string, before: string, now: string): readonly Edit[] {
  const [some, others] = [before, now].map((text) => text.split(/\r?\n/)) as [string[], string[]];
  const { start, end, otherEnd } = differenceOf(some, others);
  if (start === end && start === otherEnd) return [];
  const [was, is] = [some.slice(start, end), others.slice(start, otherEnd)];
  if (was.length !== is.length) return [{ uri, line: start, before: was, now: is }];
  const edits: Edit[] = [];
  for (const [at, line] of is.entries()) {
    if (line === was[at]) continue;
    edits.push({ uri, line: start + at, before: [was[at]!], now: [line] });
  }
  return edits;
}
