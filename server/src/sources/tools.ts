import { findProgram } from '../processes/find-program.ts';
import { ProgramError, runProgram } from '../processes/run-program.ts';
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
const timeout = 30_000;
/** Rendered text; 4.5 MB is the largest of the charts that were looked at. */
const maxBytes = 64 * 1024 * 1024;

export interface ToolAnswer {
  /** What it printed; null when it failed. */
  readonly text: string | null;
  readonly failure: 'no-tool' | 'tool-error' | 'too-late' | 'too-much' | 'aborted' | null;
  /** The tool's own words. */
  readonly message: string;
}

/** Runs a tool with nothing of the user's environment: it can neither fetch nor load plugins or configuration. */
export async function runTool(
  { program }: Tool,
  args: readonly string[],
  folder: RenderFolder,
  workedOn: readonly string[],
  signal?: AbortSignal,
): Promise<ToolAnswer> {
  try {
    const printed = await runProgram({
      program,
      args,
      folder: folder.path,
      workedOn,
      environment: environmentOf(folder),
      maxBytes,
      timeout,
      ...(signal === undefined ? {} : { signal }),
    });
    return { text: printed.toString('utf8'), failure: null, message: '' };
  } catch (error) {
    if (!(error instanceof ProgramError)) throw error;
    const failures = {
      'not-found': 'no-tool',
      failed: 'tool-error',
      'too-late': 'too-late',
      'too-much': 'too-much',
      aborted: 'aborted',
    } as const;
    const words = error.failure === 'failed' ? ownWords(error.stderr) : '';
    return { text: null, failure: failures[error.failure], message: words === '' ? error.message : words };
  }
}

function environmentOf({ home, empty, path }: RenderFolder): NodeJS.ProcessEnv {
  const { SystemRoot } = process.env;
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
    const { text } = await runTool(tool, args[tool.program], folder, workedOn);
    return /v?\d{1,9}\.\d{1,9}\.\d{1,9}[\w.+-]*/.exec(text ?? '')?.[0] ?? '';
  });
}
