import { type CancellationToken, LSPErrorCodes, ResponseError } from 'vscode-languageserver';
import type { ManifestFile } from '../../manifests/manifest.ts';
import { canonicalUri } from '../../manifests/workspace-index.ts';
import { containedWhile } from '../../util/contain.ts';
import { runInSlices } from '../../util/run-in-slices.ts';
import { endOrCancellation, type Readings } from './readings.ts';
import type { SessionLog } from './session-log.ts';

/** What the answers to requests rest on. */
interface RequestParts {
  readonly log: SessionLog;
  readonly readings: Readings;
  readonly file: (uri: string) => ManifestFile | undefined;
  /** Grows with everything that answers rest on. */
  readonly changes: () => number;
  /** Settles when the files of the workspace have been read once. */
  readonly whenWorkspaceRead: Promise<void>;
}

/** Answers requests of the editor: about text that has been read, and never with the end of the server. */
export class Requests {
  readonly #parts: RequestParts;

  constructor(parts: RequestParts) {
    this.#parts = parts;
  }

  /**
   * Answers a request about a file, when its text has been read. Null for files that are not known, for requests that
   * were cancelled, and when something goes wrong, which is logged and never ends the server, and which `failed` says.
   */
  async answer<Result>(
    what: string,
    uri: string,
    token: CancellationToken,
    compute: (file: ManifestFile) => Result | Promise<Result>,
    failed: (text: string) => Result | null = () => null,
  ): Promise<Result | null | ResponseError> {
    await this.#parts.readings.whenRead(token, canonicalUri(uri));
    if (token.isCancellationRequested) return cancelled();
    const file = this.#parts.file(uri);
    if (file === undefined) return null;
    return containedWhile<Result | null>(what, async () => compute(file), failed);
  }

  /** As `answer`, for what takes long: in slices, and given up when the request is cancelled or something changes. */
  async answerInSteps<Result>(
    what: string,
    uri: string,
    token: CancellationToken,
    compute: (file: ManifestFile) => Generator<void, Result>,
  ): Promise<Result | null | ResponseError> {
    const steps = await this.answer(what, uri, token, compute);
    if (steps === null || steps instanceof ResponseError) return steps;
    const changes = this.#parts.changes();
    try {
      const goesOn = (): boolean => changes === this.#parts.changes() && !token.isCancellationRequested;
      const result = await runInSlices(steps, goesOn);
      if (result !== undefined) return result;
      return token.isCancellationRequested ? cancelled() : outdated();
    } catch (error) {
      this.#parts.log.error(what, error);
      return null;
    }
  }

  /** As `answer`, but not before the workspace has been read: for what would otherwise be missing from the answer. */
  async answerWhenRead<Result>(
    what: string,
    uri: string,
    token: CancellationToken,
    compute: (file: ManifestFile) => Result,
  ): Promise<Result | null | ResponseError> {
    await endOrCancellation(this.#parts.whenWorkspaceRead, token);
    return this.answer(what, uri, token, compute);
  }

  /** Computes something; logs and answers `fallback` when that fails. */
  guard<Result, Fallback>(what: string, compute: () => Result, fallback: Fallback): Result | Fallback {
    try {
      return compute();
    } catch (error) {
      this.#parts.log.error(what, error);
      return fallback;
    }
  }
}

/** The text is another by now, and the client asks again. */
export function outdated(): ResponseError {
  return new ResponseError(LSPErrorCodes.ContentModified, 'The text has changed.');
}

/** The client does not want the answer any more. */
export function cancelled(): ResponseError {
  return new ResponseError(LSPErrorCodes.RequestCancelled, 'The request was cancelled.');
}
