import { spawn } from 'node:child_process';
import { PassThrough, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { runProgram } from '../../../server/src/cli/program.ts';

const main = fileURLToPath(new URL('../../../server/src/cli/main.ts', import.meta.url));
export const projectFolder = fileURLToPath(new URL('../../../', import.meta.url));

export interface Outcome {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the command line as a process of its own, from its sources. */
export function spawnPodium(
  args: readonly string[],
  stdin = '',
  env: Readonly<Record<string, string>> = {},
): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ['--import', 'tsx', main, ...args], {
      cwd: projectFolder,
      stdio: 'pipe',
      env: { ...process.env, ...env },
    });
    let stdout = '';
    let stderr = '';
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => (stdout += chunk));
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => (stderr += chunk));
    child.on('error', reject);
    child.on('close', (code) => {
      resolve({ code, stdout, stderr });
    });
    child.stdin.on('error', () => undefined);
    child.stdin.end(stdin);
  });
}

export interface Surroundings {
  readonly stdin?: string;
  readonly colour?: boolean;
  readonly columns?: number;
  /** The project's folder when left out. */
  readonly cwd?: string;
}

/** Runs the program in this process. */
export async function podium(
  args: readonly string[],
  { stdin = '', colour = false, columns = 100, cwd = projectFolder }: Surroundings = {},
): Promise<Outcome> {
  const stdout = new PassThrough();
  const stderr = new PassThrough();
  const printed = Promise.all([text(stdout), text(stderr)]);
  const code = await runProgram(args, {
    stdin: Readable.from([stdin]),
    stdout,
    stderr,
    cwd,
    version: () => '1.2.3',
    colour,
    columns,
  });
  stdout.end();
  stderr.end();
  const [out, err] = await printed;
  return { code, stdout: out, stderr: err };
}
