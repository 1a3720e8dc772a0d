import { withoutMadeWords, withoutMadeWordsIn } from '../sources/rendering/made-words.ts';
import type { CommandContext } from './command.ts';

/** What a command prints leaves the machine, in logs, comments and answers: what only a rendering made is left out. */
export function discreet(context: CommandContext): CommandContext {
  const { stdout, stderr, structured } = context;
  const hiding = Object.create(stdout, {
    write: {
      value: (chunk: Uint8Array | string, ...more: never[]): boolean =>
        stdout.write(typeof chunk === 'string' ? withoutMadeWords(chunk) : chunk, ...more),
    },
  }) as CommandContext['stdout'];
  return {
    ...context,
    stdout: hiding,
    stderr: { write: (text: string) => stderr.write(withoutMadeWords(text)) },
    ...(structured === undefined
      ? {}
      : {
          structured: (data): void => {
            structured(withoutMadeWordsIn(data));
          },
        }),
  };
}
