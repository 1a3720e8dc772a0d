import { once } from 'node:events';
import { parseArguments } from '../arguments.ts';
import { exitCode, UsageError, type Command, type CommandContext } from '../command.ts';
import { decideLine } from '../decide/index.ts';
import { linesOfStandardInput } from '../standard-input.ts';

export const decideCommand: Command = {
  help: `Usage: podium decide < cases.jsonl > results.jsonl

Reads one case a line and prints one result a line, in the same order:
{"id", "mode", "objects", …} gives {"id", "mode", …} with the decision. It is how scripts and other
languages call the engine. The modes and their fields are described in docs/conformance.md.

A line that cannot be read or decided gives {"id", "mode", "error"}, and the rest goes on.

Exit codes: 0 every line is answered, 2 could not run.

Options:
  -h, --help  show this help
`,
  async run(args, context) {
    const { positionals } = parseArguments(args, {});
    if (positionals.length > 0) {
      throw new UsageError(`unexpected argument '${positionals[0]!}'; cases are read from standard input`);
    }
    await decideLines(context);
    return exitCode.success;
  },
};

/** Line by line: memory stays the same however many cases there are, and a slow reader slows the reading down. */
async function decideLines({ stdin, stdout }: CommandContext): Promise<void> {
  for await (const line of linesOfStandardInput(stdin)) {
    if (line.trim() === '') continue;
    if (!stdout.write(`${decideLine(line)}\n`)) await once(stdout, 'drain');
  }
}
