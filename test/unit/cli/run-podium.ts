import { spawn } from 'node:child_process';
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
}

/** What a process runs first that is to take its output for a terminal. */
const asTerminal = ['--import', 'data:text/javascript,process.stdout.isTTY=true'];

/** Runs `podium` as a user has it: installed from its npm package, outside the repository. */
export async function podium(
  args: readonly string[],
  { stdin = '', colour = false, columns = 100, cwd = projectFolder, env = {} }: Surroundings = {},
): Promise<Outcome> {
  const { command, podium: script } = await shipped();
  const [program, ...first] = colour ? [process.execPath, ...asTerminal, script] : command;
  return new Promise((resolve, reject) => {
    const child = spawn(program!, [...first, ...args], {
      cwd,
      stdio: 'pipe',
      env: { ...process.env, NO_COLOR: '', TERM: 'xterm', COLUMNS: String(columns), ...env },
    });
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
