import { Readable, Writable } from 'node:stream';
import type { Report } from '../../report-model/report.ts';
import { inEnglish } from '../../util/say.ts';
import { type CommandContext, exitCode } from '../command.ts';

/** Runs `podium` with arguments; what it prints is the answer. */
export type RunPodium = CommandContext['run'];

/** Where and over what a command runs. */
export type Within = Pick<CommandContext, 'cwd' | 'served' | 'version' | 'open'>;

export interface Answered {
  readonly text: string;
  /** Podium could not run, or was asked for something that is not there. */
  readonly failed: boolean;
  /** The same as data. */
  readonly structured?: Readonly<Record<string, unknown>> | undefined;
}

/** Answers are shorter, in bytes: an assistant reads all of what it gets. */
const answerLimit = 20_000;

/** What a command prints, in the words of the terminal. */
export async function answerOf(run: RunPodium, args: readonly string[], context: Within): Promise<Answered> {
  let structured: Answered['structured'];
  const { code, out, err } = await runCommand(run, args, context, (data) => {
    structured = data;
  });
  const failed = code === exitCode.usage;
  return { text: failed ? err : `${out}${err === '' ? '' : `\n${err}`}`, failed, structured };
}

/** The report of a simulation, for answers about one pod of it. */
export async function reportOf(
  run: RunPodium,
  args: readonly string[],
  file: string,
  context: Within,
): Promise<Report | Answered> {
  const { code, out, err } = await runCommand(run, [...args, '--format', 'json', '--', file], context);
  return code === exitCode.usage ? { text: err, failed: true } : (JSON.parse(out) as Report);
}

async function runCommand(
  run: RunPodium,
  args: readonly string[],
  context: Within,
  structured: NonNullable<CommandContext['structured']> = () => undefined,
): Promise<{ readonly code: number; readonly out: string; readonly err: string }> {
  const stdout = new Collector();
  const stderr = new Collector();
  const code = await run(args, {
    ...context,
    run,
    stdin: Readable.from([]),
    stdout,
    stderr,
    // Assistants get the text of a command, which has none.
    rulePage: () => null,
    colour: false,
    columns: 100,
    isAssistant: true,
    structured,
  });
  return { code, out: inEnglish(stdout.text), err: inEnglish(stderr.text) };
}

class Collector extends Writable {
  text = '';

  override _write(chunk: Buffer | string, _encoding: string, done: () => void): void {
    this.text += chunk.toString();
    done();
  }
}

/** Whole lines up to the limit, and how many are left out. */
export function cut(text: string): string {
  if (Buffer.byteLength(text) < answerLimit) return text;
  const lines = text.split('\n');
  const kept: string[] = [];
  let bytes = 200;
  for (const line of lines) {
    bytes += Buffer.byteLength(line) + 1;
    if (bytes >= answerLimit) break;
    kept.push(line);
  }
  return `${kept.join('\n')}\n\n${lines.length - kept.length} more lines are left out. Ask about a smaller path, or about one pod.`;
}
