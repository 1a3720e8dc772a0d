/**
 * What Podium itself gets wrong stays with what it was about: one document, one rule, one source, one request. All others
 * are answered, and a finding or an answer says what is missing. This is the only place that catches what nobody expects;
 * errors that are part of an answer are caught where they are understood.
 */
import { say } from './say.ts';

type Log = (what: string, error: unknown) => void;

let log: Log = () => undefined;

/** Where stacks go: the log of an editor's server. Nothing that is shown has one. */
export function logFailures(to: Log): void {
  log = to;
}

/** Characters of a reason: some name the whole value that they are about. */
const longestReason = 300;

/**
 * Logs what went wrong, and says it.
 *
 * @param what names it in the sentence: `this document`
 */
export function failureText(what: string, error: unknown): string {
  log(what, error);
  const [first = ''] = (error instanceof Error ? error.message : String(error)).split(/[\r\n]/, 1);
  const reason = first.slice(0, longestReason);
  // What the operating system refuses, a full disk or a folder that may not be written, is no mistake of Podium.
  return isOfSystem(error)
    ? say`Podium cannot work on ${what}: ${reason}.`
    : say`Podium failed on ${what}: ${reason}. Please report this mistake of Podium.`;
}

function isOfSystem(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error && 'code' in error;
}

/** Computes something; with what went wrong in a sentence where that fails. */
export function contained<Result>(what: string, compute: () => Result, failed: (text: string) => Result): Result {
  try {
    return compute();
  } catch (error) {
    return failed(failureText(what, error));
  }
}

/** As `contained`, in steps. */
export function* containedInSteps<Result>(
  what: string,
  steps: Generator<void, Result>,
  failed: (text: string) => Result,
): Generator<void, Result> {
  try {
    return yield* steps;
  } catch (error) {
    return failed(failureText(what, error));
  }
}

/** As `contained`, for what takes a while. */
export async function containedWhile<Result>(
  what: string,
  compute: () => Promise<Result>,
  failed: (text: string) => Result | Promise<Result>,
): Promise<Result> {
  try {
    return await compute();
  } catch (error) {
    return failed(failureText(what, error));
  }
}
