import { say } from '../util/say.ts';
import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import process from 'node:process';
import type { Writable } from 'node:stream';
import { findProgram, type WorkedOn } from './find-program.ts';
import { atOwnEnd } from './own-end.ts';

export interface ProgramRequest {
  /** Its name without a path or an extension: `git`. */
  readonly program: string;
  readonly args: readonly string[];
  /** The folder that it runs in; nothing in it is run. */
  readonly folder: string;
  /** Folders, besides that, in which nothing is run. */
  readonly workedOn: WorkedOn;
  /** All that the program sees of the environment. */
  readonly environment: NodeJS.ProcessEnv;
  /** Without it the program's standard input is empty. */
  readonly input?: string | Uint8Array;
  /** How many bytes it may print. */
  readonly maxBytes: number;
  /** How long it may take, in milliseconds, with all that it starts. */
  readonly timeout: number;
  readonly signal?: AbortSignal;
  /**
   * Takes what is printed piece by piece, so that it need not fit into memory; the program waits while a promise is
   * not settled. What it throws ends the program, and the run rejects with it.
   */
  readonly onOutput?: (chunk: Buffer) => void | Promise<void>;
  /** What is started instead of the program and its arguments, to confine it. */
  readonly confine?: ((path: string, args: readonly string[]) => readonly string[]) | undefined;
  /** Asked again and again while the program runs: why it has to end, or null. */
  readonly guard?: (pid: number) => Promise<string | null>;
}

export type ProgramFailure = 'not-found' | 'failed' | 'too-late' | 'too-much' | 'aborted';

/** Why a program gave no answer, in one line without its name. */
export class ProgramError extends Error {
  override readonly name = 'ProgramError';
  readonly failure: ProgramFailure;
  /** What it printed on standard error. */
  readonly stderr: string;
  /** Its exit code; null where it has none. */
  readonly code: number | null;

  constructor(failure: ProgramFailure, message: string, stderr = '', code: number | null = null) {
    super(message);
    this.failure = failure;
    this.stderr = stderr;
    this.code = code;
  }
}

/** What is kept of standard error, in bytes. */
const maxErrorBytes = 64 * 1024;

/**
 * Runs a program without a shell and answers what it prints; an empty buffer when `onOutput` takes it. When it takes
 * too long, prints too much or is not wanted any more, it ends at once with all that it has started. Rejects with
 * `ProgramError`, also when its exit code is not 0.
 */
export async function runProgram(request: ProgramRequest): Promise<Buffer> {
  const { program, args, folder, environment, input, maxBytes, timeout, signal } = request;
  const path = findProgram(program, [folder, ...request.workedOn]);
  if (path === undefined) throw new ProgramError('not-found', say`${program} is not installed`);
  if (signal?.aborted === true) throw new ProgramError('aborted', say`it is not wanted any more`);
  const [file = path, ...rest] = request.confine?.(path, args) ?? [path, ...args];
  const child = spawn(file, rest, {
    cwd: folder,
    env: environment,
    // The fourth tells what confines a program that this process has ended.
    stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe', request.confine === undefined ? 'ignore' : 'pipe'],
    // A group of its own, which can be ended as a whole.
    detached: process.platform !== 'win32',
    windowsHide: true,
  });
  let failure: unknown;
  const stop = (reason: unknown): void => {
    failure ??= reason;
    end(child);
  };
  const abort = (): void => {
    stop(new ProgramError('aborted', say`it is not wanted any more`));
  };
  const timer = setTimeout(() => {
    stop(new ProgramError('too-late', say`it does not answer within ${Math.round(timeout / 100) / 10} s`));
  }, timeout);
  signal?.addEventListener('abort', abort);
  const unguard = watch(child, request.guard, stop);
  running.add(child);
  const isEnded = atOwnEnd(() => {
    end(child);
  });
  try {
    const ended = new Promise<number | null>((resolve, reject) => {
      child.once('error', reject);
      child.once('close', resolve);
    });
    // The program may end before it has read everything.
    child.stdin?.on('error', () => undefined).end(input);
    child.stdio[3]?.on('error', () => undefined);
    const stderr = keepStart(child);
    const printed = takeOutput(child, request).catch((error: unknown) => {
      stop(error);
      return Buffer.alloc(0);
    });
    const [code, stdout] = await Promise.all([ended, printed]);
    if (failure !== undefined) throw failure as Error;
    if (code !== 0) throw new ProgramError('failed', lastWords(stderr(), code), stderr(), code);
    return stdout;
  } catch (error) {
    if (failure !== undefined) throw failure as Error;
    if (error instanceof ProgramError) throw error;
    throw new ProgramError(
      'failed',
      say`it cannot be started (${(error as NodeJS.ErrnoException).code ?? say`unknown error`})`,
    );
  } finally {
    clearTimeout(timer);
    unguard();
    signal?.removeEventListener('abort', abort);
    running.delete(child);
    isEnded();
    (child.stdio[3] as Writable | null | undefined)?.destroy();
  }

  async function takeOutput(from: ChildProcess, { onOutput }: ProgramRequest): Promise<Buffer> {
    const chunks: Buffer[] = [];
    let bytes = 0;
    for await (const chunk of from.stdout as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > maxBytes) {
        throw new ProgramError('too-much', say`it answers with more than ${maxBytes / 1024 / 1024} MiB`);
      }
      if (onOutput === undefined) chunks.push(chunk);
      else await onOutput(chunk);
    }
    return Buffer.concat(chunks);
  }
}

/** How often a guard is asked, in milliseconds. */
const guardInterval = 200;

function watch(child: ChildProcess, guard: ProgramRequest['guard'], stop: (reason: ProgramError) => void): () => void {
  const { pid } = child;
  if (guard === undefined || pid === undefined) return () => undefined;
  let timer: ReturnType<typeof setTimeout>;
  const ask = async (): Promise<void> => {
    const reason = await guard(pid);
    if (reason !== null) stop(new ProgramError('too-much', reason));
    else if (running.has(child)) timer = setTimeout(() => void ask(), guardInterval);
  };
  timer = setTimeout(() => void ask(), guardInterval);
  return () => {
    clearTimeout(timer);
  };
}

/** Reads standard error to its end and keeps how it begins. */
function keepStart({ stderr }: ChildProcess): () => string {
  const chunks: Buffer[] = [];
  let bytes = 0;
  stderr?.on('data', (chunk: Buffer) => {
    if (bytes < maxErrorBytes) chunks.push(chunk.subarray(0, maxErrorBytes - bytes));
    bytes += chunk.length;
  });
  return () => Buffer.concat(chunks).toString('utf8');
}

/** The line of an error text that says what is wrong: the first that is no warning. */
function lastWords(stderr: string, code: number | null): string {
  const lines = stderr.split(/[\r\n]+/).filter((line) => line.trim() !== '');
  return (lines.find((line) => !/^warning:/i.test(line)) ?? lines[0] ?? endedText(code)).trim();
}

function endedText(code: number | null): string {
  return code === null ? say`it ended with a signal` : say`it ended with ${code}`;
}

/** Ends a program and what it has started. */
function end(child: ChildProcess): void {
  const { pid } = child;
  if (pid === undefined) return;
  if (process.platform === 'win32') {
    const taskkill = join(process.env['SystemRoot'] ?? 'C:\\Windows', 'System32', 'taskkill.exe');
    spawn(taskkill, ['/pid', String(pid), '/T', '/F'], { stdio: 'ignore', windowsHide: true }).on(
      'error',
      () => undefined,
    );
    child.kill('SIGKILL');
  } else {
    try {
      process.kill(-pid, 'SIGKILL');
    } catch {
      // All of it has ended.
    }
  }
  // What has left the group may hold them open for ever.
  child.stdout?.destroy();
  child.stderr?.destroy();
}

/** In a group of their own, signals of a terminal pass programs by: they are ended when this process ends. */
const running = new Set<ChildProcess>();
