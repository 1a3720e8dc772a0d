import { say } from '../util/say.ts';
import { existsSync, realpathSync } from 'node:fs';
import { basename, delimiter, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import process from 'node:process';
import { homedir } from 'node:os';
import { findProgram, safePath } from '../processes/find-program.ts';
import { withFolder } from '../processes/own-folder.ts';
import { ProgramError, runProgram } from '../processes/run-program.ts';

/** kubectl gave no answer; the message is its own where it has one. */
export class KubectlError extends Error {
  override readonly name = 'KubectlError';
}

/** One answer of the API server: a page of a list is far smaller. */
const maxBytes = 400 * 1024 * 1024;
/** Milliseconds; kubectl itself gives up a little earlier. */
const timeout = 130_000;
const requestTimeout = '--request-timeout=120s';

const program = 'kubectl';

/** The user's own kubectl, with the user's own configuration, which is never that of a folder that is worked on. */
export class Kubectl {
  readonly path: string;
  readonly #workedOn: readonly string[];
  readonly #environment: NodeJS.ProcessEnv;
  readonly #signal: AbortSignal | undefined;

  /** @throws KubectlError where there is none, or its configuration lies in a folder that is worked on */
  constructor(folders: readonly string[], signal?: AbortSignal) {
    const workedOn = [...folders, ...folders.flatMap(repositoryOf)];
    const path = findProgram(program, workedOn);
    if (path === undefined) throw new KubectlError(say`${program} is not installed`);
    this.path = path;
    this.#workedOn = workedOn;
    this.#signal = signal;
    this.#environment = {
      ...process.env,
      PATH: safePath(workedOn),
      KUBECONFIG: configurationOf(workedOn),
      // Defaults of kubectl's flags come from a file of the user's.
      KUBERC: 'off',
    };
  }

  /** Names of the contexts, in kubectl's order. */
  async contexts(): Promise<string[]> {
    const printed = await this.#run(['config', 'get-contexts', '-o', 'name']);
    return printed.split(/\r?\n/).filter((name) => name !== '');
  }

  /** Null where none is set. */
  async currentContext(): Promise<string | null> {
    try {
      return (await this.#run(['config', 'current-context'])).trim() || null;
    } catch (error) {
      if (error instanceof KubectlError && error.message.includes('current-context is not set')) return null;
      throw error;
    }
  }

  /** What the API server of a context answers to a GET. */
  get(context: string, path: string): Promise<string> {
    return this.#run(['get', '--raw', path, `--context=${context}`, requestTimeout]);
  }

  async #run(args: readonly string[]): Promise<string> {
    // Nothing is looked for in the folder that kubectl runs in.
    return withFolder('kubectl-', async (folder) => {
      try {
        const printed = await runProgram({
          program,
          args,
          folder,
          workedOn: this.#workedOn,
          environment: this.#environment,
          maxBytes,
          timeout,
          ...(this.#signal === undefined ? {} : { signal: this.#signal }),
        });
        return printed.toString('utf8');
      } catch (error) {
        if (error instanceof ProgramError) throw new KubectlError(ownWords(error));
        throw error;
      }
    });
  }
}

/** Its last line that says something: those before it are of tries, and of logs. */
function ownWords({ stderr, message }: ProgramError): string {
  const lines = stderr.split(/\r?\n/).filter((line) => line.trim() !== '' && !/^[EWI]\d{4}/.test(line));
  const words = (lines.at(-1) ?? message).replace(/^error:\s*/i, '').trim();
  return words.length > maxWords ? `${words.slice(0, maxWords - 1)}…` : words;
}

const maxWords = 400;

function configurationOf(workedOn: readonly string[]): string | undefined {
  const named = process.env['KUBECONFIG'];
  if (named === undefined || named === '') return undefined;
  for (const file of named.split(delimiter)) {
    if (file !== '' && (!isAbsolute(file) || liesIn(file, workedOn))) {
      throw new KubectlError(
        say`KUBECONFIG names ${file}, which is in a folder that Podium reads: kubectl would run what it says`,
      );
    }
  }
  return named;
}

/** The repository that a folder lies in; not one that holds the user's home, whose configuration is the user's own. */
function repositoryOf(folder: string): string[] {
  for (let at = realPath(folder); ; at = dirname(at)) {
    if (existsSync(join(at, '.git'))) return isInside(realPath(homedir()), at) ? [] : [at];
    if (at === dirname(at)) return [];
  }
}

/** By its name or by where links lead: both the folder and the file may be reached through one. */
function liesIn(file: string, folders: readonly string[]): boolean {
  const files = [resolve(file), realPath(file)];
  return folders.some((folder) =>
    [resolve(folder), realPath(folder)].some((home) => files.some((each) => isInside(each, home))),
  );
}

/** Of what is not there, the real path of the folder that it would be in. */
function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return dirname(path) === path ? path : join(realPath(dirname(path)), basename(path));
  }
}

function isInside(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}
