import type { CancellationToken } from 'vscode-languageserver';
import { runInSlices, runSlice } from '../../util/run-in-slices.ts';

/** The reading of one text. */
interface Reading {
  readonly version: number;
  readonly ended: Promise<void>;
}

/**
 * Texts of files that are being read. Most are read at once; a large one in slices, so that others are answered
 * meanwhile, and whoever asks about that file waits.
 */
export class Readings {
  readonly #underWay = new Map<string, Reading>();
  readonly #onError: (error: unknown) => void;

  constructor(onError: (error: unknown) => void) {
    this.#onError = onError;
  }

  /** Reads a text. What was being read of the file before is given up. */
  start<Result>(uri: string, version: number, steps: Generator<void, Result>, done: (result: Result) => void): void {
    if (this.#underWay.get(uri)?.version === version) return;
    this.#underWay.delete(uri);
    const first = runSlice(steps);
    if (first.done === true) {
      done(first.value);
      return;
    }
    let reading: Reading | undefined = undefined;
    const isWanted = (): boolean => this.#underWay.get(uri) === reading;
    const read = async (): Promise<void> => {
      // Even its first slice comes when it is known that it is under way.
      await Promise.resolve();
      try {
        const result = await runInSlices(steps, isWanted);
        if (result === undefined || !isWanted()) return;
        this.#underWay.delete(uri);
        done(result);
      } catch (error) {
        if (isWanted()) this.#underWay.delete(uri);
        this.#onError(error);
      }
    };
    reading = { version, ended: read() };
    this.#underWay.set(uri, reading);
  }

  /** The file was closed: nobody waits for its text any more. */
  giveUp(uri: string): void {
    this.#underWay.delete(uri);
  }

  /** Ends with the reading of a text, also one that is given up. Undefined where none is being read. */
  underWay(uri: string): Promise<void> | undefined {
    return this.#underWay.get(uri)?.ended;
  }

  /** Waits until a file, or all without one, is as its editor shows it. Undefined where it is already. */
  whenRead(token: CancellationToken, uri?: string): Promise<void> | undefined {
    return this.#next(uri) === undefined ? undefined : this.#wait(token, uri);
  }

  async #wait(token: CancellationToken, uri?: string): Promise<void> {
    for (let reading = this.#next(uri); reading !== undefined && !token.isCancellationRequested;) {
      await endOrCancellation(reading.ended, token);
      reading = this.#next(uri);
    }
  }

  #next(uri: string | undefined): Reading | undefined {
    return uri === undefined ? this.#underWay.values().next().value : this.#underWay.get(uri);
  }
}

/** Settles with a promise, or when nobody waits for it any more. */
export async function endOrCancellation(ended: Promise<unknown>, token: CancellationToken): Promise<void> {
  let listener: { dispose(): void } | undefined;
  const cancellation = new Promise<void>((resolve) => {
    listener = token.onCancellationRequested(() => {
      resolve();
    });
  });
  await Promise.race([ended, cancellation]);
  listener?.dispose();
}
