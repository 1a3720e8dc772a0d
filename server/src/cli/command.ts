/** What a command may touch of the outside world. Tests pass their own. */
export interface CommandContext {
  readonly stdin: NodeJS.ReadableStream;
  readonly stdout: NodeJS.WritableStream;
  /** Shows text and nothing else, whatever names and arguments are part of it. */
  readonly stderr: Pick<NodeJS.WritableStream, 'write'>;
  /** Relative paths are resolved against it. */
  readonly cwd: string;
  /** Runs `podium` with other arguments, as this command was run; resolves to the exit code. */
  readonly run: (args: readonly string[], context: CommandContext) => Promise<number>;
  /** Of the package. Looked up when somebody asks. */
  readonly version: () => string;
  readonly colour: boolean;
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

/** A mistake in the arguments: one line on stderr and exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

export const exitCode = { success: 0, failure: 1, usage: 2 } as const;
