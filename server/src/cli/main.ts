#!/usr/bin/env node
/** The command line's entry: connects the program to this process. */
import { exitCode, type CommandContext } from './command.ts';
import { runProgram } from './program.ts';
import { wantsColour } from './terminal/style.ts';
import { columnsOf, printable, printableLines } from './terminal/text.ts';
import { lineWidth } from './terminal/width.ts';
import { packageVersion } from './version.ts';

// A reader that has seen enough (`podium simulate . | head`) is no failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(exitCode.success);
  throw error;
});

/** What is told there never speaks to the terminal. */
const stderr: CommandContext['stderr'] = { write: (text: string) => process.stderr.write(printableLines(text)) };

/** One line of a terminal, which is written over: longer than that, its beginning would stay. */
function progress(text: string): void {
  const room = lineWidth(process.stderr.columns, process.env) - 1;
  let line = printable(text);
  while (columnsOf(line) > room) line = line.slice(0, Math.min(room, line.length - 1));
  process.stderr.write(`\r\x1b[2K${line}`);
}

const context: CommandContext = {
  stdin: process.stdin,
  stdout: process.stdout,
  stderr,
  ...(process.stderr.isTTY && process.env['TERM'] !== 'dumb' ? { progress } : {}),
  cwd: process.cwd(),
  run: runProgram,
  version: () => packageVersion(process.argv[1] ?? ''),
  colour: wantsColour(process.stdout.isTTY, process.env),
  columns: lineWidth(process.stdout.isTTY ? process.stdout.columns : undefined, process.env),
};

// The exit code is set rather than `process.exit` called, so that everything written reaches its reader.
runProgram(process.argv.slice(2), context).then(
  (code) => {
    process.exitCode = code;
  },
  (error: unknown) => {
    stderr.write(`podium: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
    // Not 1, which is what a command says when it found something.
    process.exitCode = exitCode.usage;
  },
);
