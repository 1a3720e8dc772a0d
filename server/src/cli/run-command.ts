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
    if (error instanceof UsageError) return refuse(`podium ${name}`, error.message, context);
    throw error;
  }
}

export function refuse(program: string, message: string, context: CommandContext): number {
  const text = `${program}: ${message}${message.endsWith('?') ? '' : '.'} Try '${program} --help'.`;
  // The faults of a scenario have a line each.
  for (const line of text.split('\n')) context.stderr.write(`${line}\n`);
  return exitCode.usage;
}
