import { nearestNames } from '../util/nearest-names.ts';
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
  return `unknown option '${unknown}'${didYouMean(unknown.replace(/^-+/, ''), Object.keys(options), '--')}`;
}

/** The end of a sentence about an unknown word: the known one that differs by at most two letters, if there is any. */
export function didYouMean(word: string, known: Iterable<string>, prefix = ''): string {
  const [near] = nearestNames(word, known, 2);
  return near === undefined ? '' : `; did you mean '${prefix}${near}'?`;
}

function firstSentence(text: string): string {
  const end = text.search(/\.(\s|$)/);
  const sentence = end < 0 ? text : text.slice(0, end);
  return sentence.charAt(0).toLowerCase() + sentence.slice(1).replaceAll('\n', ' ');
}

/** Checks that a value is one of a few. Throws `UsageError`. */
export function oneOf<const T extends string>(option: string, value: string, allowed: readonly T[]): T {
  const found = allowed.find((candidate) => candidate === value);
  if (found === undefined) {
    throw new UsageError(`${option} must be ${allowed.join(' or ')}, not '${value}'${didYouMean(value, allowed)}`);
  }
  return found;
}
