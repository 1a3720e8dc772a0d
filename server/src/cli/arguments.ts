import { parseArgs, type ParseArgsConfig } from 'node:util';
import { UsageError } from './command.ts';

type Options = NonNullable<ParseArgsConfig['options']>;

/** What `parseArgs` of Node makes of these options, with positionals and without unknown options. */
type Parsed<T extends Options> = ReturnType<
  typeof parseArgs<{ args: string[]; options: T; allowPositionals: true; strict: true }>
>;

/**
 * `parseArgs` of Node with positionals, whose errors are one line for the person at the terminal.
 * Throws `UsageError`.
 */
export function parseArguments<const T extends Options>(args: readonly string[], options: T): Parsed<T> {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true, strict: true });
  } catch (error) {
    throw new UsageError(explain(error, options));
  }
}

function explain(error: unknown, options: Options): string {
  const text = error instanceof Error ? error.message : String(error);
  const unknown = /^Unknown option '([^']+)'/.exec(text)?.[1];
  if (unknown === undefined) return firstSentence(text);
  const near = nearest(unknown.replace(/^-+/, ''), Object.keys(options));
  return near === undefined ? `unknown option '${unknown}'` : `unknown option '${unknown}'; did you mean '--${near}'?`;
}

function firstSentence(text: string): string {
  const end = text.search(/\.(\s|$)/);
  const sentence = end < 0 ? text : text.slice(0, end);
  return sentence.charAt(0).toLowerCase() + sentence.slice(1).replaceAll('\n', ' ');
}

/** The known word that differs least, if it differs by at most two letters. */
export function nearest(word: string, known: readonly string[]): string | undefined {
  let best: string | undefined;
  let bestDistance = 3;
  for (const candidate of known) {
    const distance = editDistance(word, candidate);
    if (distance < bestDistance) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best;
}

function editDistance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const substitution = previous[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      row.push(Math.min(substitution, previous[j]! + 1, row[j - 1]! + 1));
    }
    previous = row;
  }
  return previous[b.length]!;
}

/** Checks that a value is one of a few. Throws `UsageError`. */
export function oneOf<const T extends string>(option: string, value: string, allowed: readonly T[]): T {
  const found = allowed.find((candidate) => candidate === value);
  if (found === undefined) throw new UsageError(`${option} must be ${allowed.join(' or ')}, not '${value}'`);
  return found;
}
