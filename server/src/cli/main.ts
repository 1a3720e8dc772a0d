#!/usr/bin/env node
/** The command line's entry: connects the program to this process. */
import { debuglog } from 'node:util';
import { failureText, logFailures } from '../util/contain.ts';
import { exitCode, type CommandContext } from './command.ts';
import { runProgram } from './program.ts';
import { wantsColour } from './terminal/style.ts';
import { columnsOf, inert, printable } from './terminal/text.ts';
import { webFolder } from './terminal/web-place.ts';
import { lineWidth } from './terminal/width.ts';
import { packageVersion, rulePageOf } from './version.ts';
import { OutputError, wholeOutput } from './whole-output.ts';

// A reader that has seen enough (`podium simulate . | head`) is no failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(exitCode.success);
  fail(new OutputError(`standard output cannot be written (${error.code ?? error.message})`));
});
// Nobody can be told then.
process.stderr.on('error', () => undefined);

/** A message is one line, and never speaks to the terminal, or to a runner that reads commands in what is printed. */
const stderr: CommandContext['stderr'] = {
  write: (text: string) => {
    const end = text.endsWith('\n') ? '\n' : '';
    return process.stderr.write(inert(printable(end === '' ? text : text.slice(0, -1))) + end);
  },
};

// With NODE_DEBUG=podium.
const log = debuglog('podium');
logFailures((what, error) => {
  log('%s: %o', what, error);
});
process.setUncaughtExceptionCaptureCallback(null);
process.setUncaughtExceptionCaptureCallback(fail);

/** Says in one line what nobody expected. Not with 1, which is what a command says when it found something. */
function fail(error: unknown): void {
  const text = error instanceof OutputError ? `${error.message}.` : failureText('this command', error);
  stderr.write(`podium: ${text}\n`);
  process.exitCode = exitCode.usage;
}

/** One line of a terminal, which is written over: longer than that, its beginning would stay. */
function progress(text: string): void {
  const room = lineWidth(process.stderr.columns, process.env) - 1;
  let line = printable(text);
  while (columnsOf(line) > room) line = line.slice(0, Math.min(room, line.length - 1));
  process.stderr.write(`\r\x1b[2K${line}`);
}

const context: CommandContext = {
  stdin: process.stdin,
  stdout: wholeOutput(process.stdout),
  stderr,
  ...(process.stderr.isTTY && process.env['TERM'] !== 'dumb' && (process.env['CI'] ?? '') === '' ? { progress } : {}),
  cwd: process.cwd(),
  run: runProgram,
  version: () => packageVersion(process.argv[1] ?? ''),
  rulePage: (code) => rulePageOf(process.argv[1] ?? '', code),
  colour: wantsColour(process.stdout.isTTY, process.env),
  web: webFolder(process.env),
  columns: lineWidth(process.stdout.isTTY ? process.stdout.columns : undefined, process.env),
};

// The exit code is set rather than `process.exit` called, so that everything written reaches its reader.
runProgram(process.argv.slice(2), context).then((code) => {
  process.exitCode ??= code;
}, fail);
