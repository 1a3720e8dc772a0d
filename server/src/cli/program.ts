import { comparedMinor, oldestMinor } from '../util/minors.ts';
import { exitCode, type CommandContext } from './command.ts';
import { refuse, runCommand } from './run-command.ts';
import { commands } from './commands/index.ts';
import { didYouMean } from './arguments.ts';

/**
 * Runs `podium` with the arguments after the program's name; resolves to the exit code. Mistakes in the arguments are
 * told in one line on stderr.
 */
export async function runProgram(args: readonly string[], context: CommandContext): Promise<number> {
  const [first, ...rest] = args;
  if (first === undefined) {
    for (const line of overview().trimEnd().split('\n')) context.stderr.write(`${line}\n`);
    return exitCode.usage;
  }
  if (first === '--help' || first === '-h' || first === 'help') return help(rest[0], context);
  if (first === '--version' || first === '-v') {
    context.stdout.write(`podium ${context.version()}\n`);
    return exitCode.success;
  }
  const command = commands.find(({ name }) => name === first);
  if (command === undefined) return refuse('podium', unknownCommand(first), context);
  const ownArguments = rest.includes('--') ? rest.slice(0, rest.indexOf('--')) : rest;
  if (ownArguments.includes('--help') || ownArguments.includes('-h')) return help(command.name, context);
  // Loaded with the command: what only prints a help or the version needs neither.
  const [loaded, { discreet }] = await Promise.all([command.load(), import('./discreet.ts')]);
  return runCommand(loaded, command.name, rest, discreet(context));
}

async function help(name: string | undefined, context: CommandContext): Promise<number> {
  if (name === undefined) {
    context.stdout.write(overview());
    return exitCode.success;
  }
  const command = commands.find((candidate) => candidate.name === name);
  if (command === undefined) return refuse('podium', unknownCommand(name), context);
  context.stdout.write((await command.load()).help);
  return exitCode.success;
}

function overview(): string {
  const width = Math.max(...commands.map(({ name }) => name.length));
  const list = commands.map(({ name, summary }) => `  podium ${name.padEnd(width)}  ${summary}`);
  return `Podium explains Kubernetes scheduling: which pods outrank others, which ones are evicted, and why a
pod stays pending. It matches kube-scheduler ${oldestMinor} to ${comparedMinor}, and works from files alone.

Usage:
${list.join('\n')}

  podium COMMAND --help   explains a command
  podium --version        prints the version
`;
}

function unknownCommand(name: string): string {
  const kind = name.startsWith('-') ? 'option' : 'command';
  const known = commands.map((command) => command.name);
  return `unknown ${kind} '${name}'${didYouMean(name, known)}`;
}
