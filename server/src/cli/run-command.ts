import { UsageError, exitCode, type Command, type CommandContext } from './command.ts';

/** Runs a command with its arguments; resolves to the exit code. Mistakes in the arguments are told in one line. */
export async function runCommand(
  command: Command,
  name: string,
  args: readonly string[],
  context: CommandContext,
): Promise<number> {
  try {
    return await command.run(args, context);
  } catch (error) {
    if (error instanceof UsageError) return refuse(`podium ${name}`, error.message, context, !error.isOfFiles);
    throw error;
  }
}

/** @param hasHelp whether its help says how it is done */
export function refuse(program: string, message: string, context: CommandContext, hasHelp = true): number {
  const help = hasHelp ? ` Try '${program} --help'.` : '';
  const text = `${program}: ${message}${message.endsWith('?') ? '' : '.'}${help}`;
  // The faults of a scenario have a line each.
  for (const line of text.split('\n')) context.stderr.write(`${line}\n`);
  return exitCode.usage;
}
