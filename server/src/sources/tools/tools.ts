import { findProgram } from '../../processes/find-program.ts';
import { say } from '../../util/say.ts';
import { ProgramError, runProgram } from '../../processes/run-program.ts';
import { type Limits, type Sandbox, sandboxFor, withoutSandbox } from '../../processes/sandbox.ts';
import { type RenderFolder, withRenderFolder } from './render-folder.ts';

/** The user's own programs that render; looked up in `PATH`, never in a folder that is worked on. */
export interface Tool {
  readonly program: 'kubectl' | 'kustomize' | 'helm';
  readonly path: string;
}

export interface Tools {
  /** `kubectl`, or else `kustomize`. */
  readonly kustomize: Tool | null;
  readonly helm: Tool | null;
}

export const noTools: Tools = { kustomize: null, helm: null };

export function findTools(workedOn: readonly string[]): Tools {
  const find = (program: Tool['program']): Tool | null => {
    const path = findProgram(program, workedOn);
    return path === undefined ? null : { program, path };
  };
  return { kustomize: find('kubectl') ?? find('kustomize'), helm: find('helm') };
}

/** How long a rendering may take, in milliseconds: large charts take seconds, a YAML bomb takes for ever. */
export const renderTimeout = 30_000;
/** Rendered text; 4.5 MB is the largest of the charts that were looked at. */
const maxBytes = 64 * 1024 * 1024;

const memory = 1024 * 1024 * 1024;
const limits: Limits = { memory, seconds: renderTimeout / 1000 + 5, fileSize: maxBytes };

export interface ToolAnswer {
  /** What it printed; null when it failed. */
  readonly text: string | null;
  readonly failure: 'no-tool' | 'tool-error' | 'too-late' | 'too-much' | 'aborted' | null;
  /** The tool's own words. */
  readonly message: string;
  /** Whether kustomize has refused a file outside of the folder that it was asked for. */
  readonly isRestricted?: boolean;
}

/** The sandbox, and not the tool, has failed: what is made for it has to be made anew. */
export class SandboxError extends Error {
  override readonly name = 'SandboxError';
}

/** What a tool is confined by. */
export function sandboxOf({ path }: Tool, workedOn: readonly string[]): Promise<Sandbox> {
  return sandboxFor(path, workedOn);
}

export interface ToolRun {
  readonly tool: Tool;
  readonly sandbox: Sandbox;
  /** Its arguments, with paths in the folder as it sees them. */
  readonly args: readonly string[];
  readonly folder: RenderFolder;
  readonly workedOn: readonly string[];
  /** Milliseconds. */
  readonly timeout?: number;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Runs a tool in a sandbox, with nothing of the user's environment: it can neither fetch nor load plugins or
 * configuration. Throws `SandboxError` where the sandbox has gone.
 */
export async function runTool(run: ToolRun): Promise<ToolAnswer> {
  const { tool, sandbox, args, folder, workedOn, timeout = renderTimeout, signal } = run;
  try {
    const printed = await runProgram({
      program: tool.program,
      args,
      folder: folder.path,
      workedOn,
      environment: environmentOf(folder, sandbox),
      maxBytes,
      timeout,
      confine: sandbox.confine(limits),
      ...(signal === undefined ? {} : { signal }),
    });
    return { text: printed.toString('utf8'), failure: null, message: '' };
  } catch (error) {
    if (!(error instanceof ProgramError)) throw error;
    if (error.failure === 'failed' && sandbox.hasFailed(error.stderr)) {
      // Where it has ended, another one is made; where the tool cannot start in it, none is.
      if ((await sandboxOf(tool, workedOn)) === sandbox) withoutSandbox(tool.path);
      throw new SandboxError(error.message);
    }
    if (error.failure === 'failed' && outOfMemory.test(error.stderr)) {
      return {
        text: null,
        failure: 'too-much',
        message: say`it takes more than ${memory / 1024 / 1024} MiB of memory`,
      };
    }
    const failures = {
      'not-found': 'no-tool',
      failed: 'tool-error',
      'too-late': 'too-late',
      'too-much': 'too-much',
      aborted: 'aborted',
    } as const;
    const words = error.failure === 'failed' ? ownWords(error.stderr) : '';
    const isRestricted = error.stderr.includes('is not in or below');
    return {
      text: null,
      failure: failures[error.failure],
      message: words === '' ? error.message : words,
      isRestricted,
    };
  }
}

/** As the runtime of Go ends a program. */
const outOfMemory = /^(?:fatal error: )?runtime: (?:out of memory|cannot allocate)|^fatal error: .*out of memory/m;

function environmentOf(folder: RenderFolder, sandbox: Sandbox): NodeJS.ProcessEnv {
  const { SystemRoot } = process.env;
  const [home, empty, path] = [folder.home, folder.empty, folder.path].map((each) => sandbox.inside(each));
  return {
    HOME: home,
    USERPROFILE: home,
    // Without git on it nothing is cloned.
    PATH: empty,
    TMPDIR: path,
    TEMP: path,
    TMP: path,
    LC_ALL: 'C',
    // As many run at a time as there are processors.
    GOMAXPROCS: '1',
    // Garbage is let lie while there is little of it, which saves a tenth of all rendering, and collected early beyond.
    GOGC: '400',
    GOMEMLIMIT: String(memory / 4),
    // Defaults of kubectl's flags come from a file of the user's.
    KUBERC: 'off',
    KUBECONFIG: `${empty}/none`,
    HELM_CACHE_HOME: `${home}/cache`,
    HELM_CONFIG_HOME: `${home}/config`,
    HELM_DATA_HOME: `${home}/data`,
    HELM_PLUGINS: `${empty}/none`,
    http_proxy: 'http://127.0.0.1:9',
    https_proxy: 'http://127.0.0.1:9',
    HTTP_PROXY: 'http://127.0.0.1:9',
    HTTPS_PROXY: 'http://127.0.0.1:9',
    ...(SystemRoot === undefined ? {} : { SystemRoot }),
  };
}

/** The last paragraph of what a tool complains, without `error:` before it and on one line. */
function ownWords(stderr: string): string {
  const lines = stderr
    .split(/\r?\n/)
    .filter((line) => line.trim() !== '' && !/^(?:# )?Warning|^level=|^W\d{4}/.test(line));
  const start = lines.findIndex((line) => /^error:/i.test(line));
  const words = (start === -1 ? lines : lines.slice(start))
    .join(' ')
    .replace(/^error:\s*/i, '')
    // A kubectl that writes a log, such as that of Google Cloud, puts the time before it and it in signs or quotes.
    .replace(/^E\d{4} [\d:.]+ +\d+ [\w.]+:\d+\] "command failed" err=([^]*)$/, (_all, err: string) =>
      err.startsWith('"') ? err.slice(1, -1).replaceAll('\\"', '"') : err.replace(/^<([^]*)>$/, '$1'),
    )
    .replace(/\s+/g, ' ')
    .trim();
  return words.length > maxWords ? `${words.slice(0, maxWords - 1)}…` : words;
}

const maxWords = 600;

/** The version that a tool gives of itself; empty when it gives none. */
export async function toolVersion(tool: Tool, workedOn: readonly string[]): Promise<string> {
  const args = {
    kubectl: ['version', '--client', '-o', 'json'],
    kustomize: ['version'],
    helm: ['version', '--template', '{{.Version}}'],
  };
  return withRenderFolder(async (folder) => {
    const answer = async (): Promise<ToolAnswer> =>
      runTool({ tool, sandbox: await sandboxOf(tool, workedOn), args: args[tool.program], folder, workedOn });
    const { text } = await answer().catch((error: unknown) => {
      if (error instanceof SandboxError) return answer();
      throw error;
    });
    return /v?\d{1,9}\.\d{1,9}\.\d{1,9}[\w.+-]*/.exec(text ?? '')?.[0] ?? '';
  });
}
