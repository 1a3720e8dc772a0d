import { decodeText } from '../manifests/decode-text.ts';
import { outputLimits } from '../manifests/limits.ts';
import type { TextSource } from '../manifests/text-source.ts';
import { UsageError } from './command.ts';

/** Bytes of standard input, or of one line of it, after which nothing more is read: it may have no end. */
const limit = outputLimits.fileLength;

/** All of standard input. Throws `UsageError` when it does not end, or is not text. */
export async function readStandardInput(stdin: NodeJS.ReadableStream): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of bounded(stdin)) chunks.push(chunk);
  const decoded = decodeText(Buffer.concat(chunks));
  if ('error' in decoded) throw new UsageError(`standard input ${decoded.error}`, true);
  return decoded.text;
}

/** Standard input piece by piece, which ends in `UsageError` when it does not end. */
export function standardInputSource(stdin: NodeJS.ReadableStream): TextSource {
  return { size: null, pieces: bounded(stdin), again: () => null };
}

async function* bounded(stdin: NodeJS.ReadableStream): AsyncGenerator<Buffer, void> {
  let length = 0;
  for await (const chunk of stdin) {
    const bytes = Buffer.from(chunk);
    length += bytes.length;
    if (length > limit) throw tooLong('standard input');
    yield bytes;
  }
}

/** The lines of standard input as they come. Throws `UsageError` for one that does not end. */
export async function* linesOfStandardInput(stdin: NodeJS.ReadableStream): AsyncGenerator<string> {
  stdin.setEncoding('utf8');
  let begun: string[] = [];
  let length = 0;
  for await (const chunk of stdin) {
    const [first = '', ...others] = chunk.toString().split('\n');
    begun.push(first);
    length += first.length;
    if (length > limit) throw tooLong('a line of standard input');
    for (const other of others) {
      yield begun.join('');
      begun = [other];
      length = other.length;
    }
  }
  yield begun.join('');
}

function tooLong(what: string): UsageError {
  return new UsageError(`${what} is longer than ${limit / 1024 / 1024} MiB; nothing of it is answered`, true);
}
