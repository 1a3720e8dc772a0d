import { differenceOf } from './same-items.ts';

/** Lines of a file that are written otherwise than before. */
export interface Edit {
  readonly uri: string;
  /** The first of them now, from 0. */
  readonly line: number;
  readonly before: readonly string[];
  readonly now: readonly string[];
  /** The keys of the first line and of what it stands in, from the inside out, as their indentation tells. */
  readonly under: readonly string[];
}

/** What was edited of a file. Lines of equal number are compared one by one. */
export function editsOf(uri: string, before: string, now: string): readonly Edit[] {
  const [some, others] = [before, now].map((text) => text.split(/\r?\n/)) as [string[], string[]];
  const { start, end, otherEnd } = differenceOf(some, others);
  if (start === end && start === otherEnd) return [];
  const [was, is] = [some.slice(start, end), others.slice(start, otherEnd)];
  const under = [...keysOf(others, start, Math.max(otherEnd, start + 1))];
  if (was.length !== is.length) return [{ uri, line: start, before: was, now: is, under: under[0] ?? [] }];
  const edits: Edit[] = [];
  for (const [at, line] of is.entries()) {
    if (line === was[at]) continue;
    edits.push({ uri, line: start + at, before: [was[at]!], now: [line], under: under[at]! });
  }
  return edits;
}

/** Of each line of a range the keys of it and of what it stands in. */
function* keysOf(lines: readonly string[], start: number, end: number): Generator<readonly string[]> {
  let stack: readonly { readonly indentation: number; readonly key: string }[] = [];
  for (const [at, line] of lines.slice(0, end).entries()) {
    const [, lead = '', key = ''] = /^([ ]*(?:- +)*)["']?([\w./-]+)["']?[ ]*:/.exec(line) ?? [];
    if (key !== '') {
      stack = [{ indentation: lead.length, key }, ...stack.filter(({ indentation }) => indentation < lead.length)];
    }
    if (at >= start) yield stack.map((each) => each.key);
  }
}
