import { runToEnd } from '../util/steps.ts';
import type { Scenario, SimulationInput } from '../simulation/cluster/input.ts';
import type { WebFolder } from './terminal/web-place.ts';
import type { CheckResult } from './check/check-result.ts';
import type { RulePage } from './version.ts';

/** What an editor holds. Paths are those of its workspace; `.` is all of it. */
export interface OpenWorkspace {
  /**
   * What would be applied of folders, in its cluster; with a commit also what was then. A file arrives where everything
   * else is in place. Rejects with `UsageError` for a path that is not there, and where git does not know the commit.
   */
  input(
    paths: readonly string[],
    since: string | undefined,
  ): Promise<{
    readonly input: SimulationInput;
    readonly earlier: SimulationInput | null;
    readonly pruned?: ReadonlySet<string>;
    readonly scenario: Scenario;
  }>;
  /** What is wrong in paths, as everything else that is there lets it be. Rejects with `UsageError` for a path that is not there. */
  check(paths: readonly string[]): Promise<CheckResult>;
  /** Does work in slices, between which the editor is answered. Rejects when nobody wants it any more. */
  work<Result>(steps: Generator<void, Result>): Promise<Result>;
}

/** What a command may touch of the outside world. Tests pass their own. */
export interface CommandContext {
  readonly stdin: NodeJS.ReadableStream;
  /** Answered about instead of what is on disk; options that say what to read do not count then. */
  readonly open?: OpenWorkspace;
  readonly stdout: NodeJS.WritableStream;
  /** Shows text and nothing else, whatever names and arguments are part of it. */
  readonly stderr: Pick<NodeJS.WritableStream, 'write'>;
  /** Shows a line until the next one, an empty one nothing; absent where nobody looks. */
  readonly progress?: (text: string) => void;
  /** Relative paths are resolved against it. */
  readonly cwd: string;
  /** Folders outside of which nothing is read, whatever is named in them; left out where the user has named the files. */
  readonly served?: readonly string[];
  /** Runs `podium` with other arguments, as this command was run; resolves to the exit code. */
  readonly run: (args: readonly string[], context: CommandContext) => Promise<number>;
  /** Of the package. Looked up when somebody asks. */
  readonly version: () => string;
  /** What the documentation says about a rule; null where it is not at hand. */
  readonly rulePage: (code: string) => RulePage | null;
  readonly colour: boolean;
  /** Whether it is asked as a tool, by its parameters: what helps is told in these, not as a command. */
  readonly isAssistant?: true;
  /** Told the answer as data, beside its text. */
  readonly structured?: (data: Readonly<Record<string, unknown>>) => void;
  /** Where what a runner has checked out can be looked at. */
  readonly web?: WebFolder | undefined;
  /** Width of the terminal in columns. */
  readonly columns: number;
}

/** One `podium COMMAND`. A command is one file in `commands/` and one entry of `commands/index.ts`. */
export interface Command {
  /** The text of `podium COMMAND --help`. */
  readonly help: string;
  /**
   * Runs the command and resolves to its exit code. Rejects with `UsageError` for arguments it does not understand;
   * nothing has been printed then.
   */
  run(args: readonly string[], context: CommandContext): Promise<number>;
}

/** Nobody is told of work that is done before, and then so often, in milliseconds. */
const untold = 150;
const between = 100;

/**
 * Does work that is cut into steps: to its end, or as an editor wants it done.
 * @param describe what to tell of it while it lasts
 */
export async function worked<Result>(
  { open, progress }: CommandContext,
  steps: Generator<void, Result>,
  describe: () => string = () => '',
): Promise<Result> {
  if (open !== undefined) return open.work(steps);
  if (progress === undefined) return runToEnd(steps);
  const begun = performance.now();
  let next = begun + untold;
  try {
    for (;;) {
      const step = steps.next();
      if (step.done === true) return step.value;
      const now = performance.now();
      if (now < next) continue;
      next = now + between;
      progress(describe() || `Working · ${Math.round((now - begun) / 1000)} s`);
    }
  } finally {
    if (next > begun + untold) progress('');
  }
}

/** A mistake in the arguments: one line on stderr and exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
  readonly isOfFiles: boolean;

  /** @param isOfFiles whether it is about what is read, of which the help of a command knows nothing */
  constructor(message: string, isOfFiles = false) {
    super(message);
    this.isOfFiles = isOfFiles;
  }
}

export const exitCode = { success: 0, failure: 1, usage: 2 } as const;
