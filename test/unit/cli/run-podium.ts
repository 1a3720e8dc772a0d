import { fork, spawn, type ChildProcess, type SpawnOptions } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { after } from 'mocha';
import { root } from '../../../scripts/lib/paths.mjs';
import { shipped } from '../../../scripts/lib/shipped.mjs';

export const projectFolder = root;

export interface Outcome {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Surroundings {
  readonly stdin?: string;
  /** Whether standard output says that it is a terminal. */
  readonly colour?: boolean;
  readonly columns?: number;
  /** The project's folder when left out. */
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Whether it is started as a user starts it, by the command that npm has installed, in a process that ends with it. */
  readonly alone?: boolean;
}

/** What the host of many runs is asked for. */
export interface Asked {
  readonly script: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly stdin: string;
  readonly colour: boolean;
}

interface Answered {
  readonly outcome: Outcome;
  /** Bytes that the host holds. */
  readonly memory: number;
}

/** What a process runs first that is to take its output for a terminal. */
const asTerminal = ['--import', 'data:text/javascript,process.stdout.isTTY=true'];

/**
 * Runs `podium` as a user has it: installed from its npm package, outside the repository. Many runs share one process
 * unless `alone` says otherwise; the installed files are the same.
 */
export async function podium(args: readonly string[], surroundings: Surroundings = {}): Promise<Outcome> {
  const { stdin = '', colour = false, columns = 100, cwd = projectFolder, env = {}, alone = false } = surroundings;
  const { command, podium: script } = await shipped();
  const all = { NO_COLOR: '', TERM: 'xterm', COLUMNS: String(columns), ...env };
  if (!alone) return inHost({ script, args, cwd, env: all, stdin, colour });
  const [program, ...first] = colour ? [process.execPath, ...asTerminal, script] : command;
  return inProcess([program!, ...first, ...args], stdin, { cwd, env: { ...process.env, ...all } });
}

/** Runs what answers recorded cases, one a line. */
export async function decide(stdin: string): Promise<Outcome> {
  return inProcess([process.execPath, (await shipped()).decide], stdin, { cwd: projectFolder });
}

function inProcess([program, ...args]: readonly string[], stdin: string, options: SpawnOptions): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    const child = spawn(program!, args, { ...options, stdio: 'pipe' });
    let stdout = '';
    let stderr = '';
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => (stdout += chunk));
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => (stderr += chunk));
    child.on('error', reject);
    child.on('close', (code) => {
      resolve({ code, stdout, stderr });
    });
    // It may end without reading what it is given.
    child.stdin.on('error', () => undefined);
    child.stdin.end(stdin);
  });
}

const hostModule = join(root, 'test', 'support', 'podium-host.mjs');
/** A host that holds more than this is followed by a fresh one. */
const enoughMemory = 600 * 1024 * 1024;
let host: ChildProcess | undefined;
let before: Promise<unknown> = Promise.resolve();

/** One run after the other: folder and environment belong to the whole process. */
function inHost(asked: Asked): Promise<Outcome> {
  const answer = before.then(() => askHost(asked));
  before = answer.catch(() => undefined);
  return answer;
}

function askHost(asked: Asked): Promise<Outcome> {
  const current = (host ??= fork(hostModule, { serialization: 'advanced', execArgv: [] }));
  current.ref();
  current.channel?.ref();
  return new Promise((resolve, reject) => {
    const ended = (code: number | null): void => {
      host = undefined;
      reject(new Error(`podium ${asked.args.join(' ')} has ended its process with ${String(code)}`));
    };
    current.once('exit', ended);
    current.once('message', ({ outcome, memory }: Answered) => {
      current.off('exit', ended);
      if (memory > enoughMemory) endHost();
      // An idle host keeps nobody from ending.
      current.unref();
      current.channel?.unref();
      resolve(outcome);
    });
    current.send(asked);
  });
}

function endHost(): void {
  host?.kill();
  host = undefined;
}

// Waited for, so that its work counts as that of its suite. Tables are also printed without Mocha.
if ('after' in globalThis) {
  after(async () => {
    const ended = host === undefined ? undefined : once(host, 'exit');
    endHost();
    await ended;
  });
}
