import { say } from '../util/say.ts';
import { GitError } from './git-error.ts';
import { type GitRequest, runGit } from './run-git.ts';

/** Larger files are not read, in bytes: no manifest that is edited is as large. */
const maxObjectBytes = 16 * 1024 * 1024;

/** The content of a file in a repository; null where there is none of that name; or that it is too large, in bytes. */
export type StoredFile = Buffer | null | { readonly tooLarge: number };

/**
 * Reads files of a repository by names as git understands them (`HEAD:pod.yaml`, or the name of a blob), one after the
 * other, with one process for all. Filters and `textconv` are not applied. Rejects with `GitError`.
 * @param names without line breaks
 */
export async function readObjects(
  top: string,
  names: readonly string[],
  onFile: (name: string, content: StoredFile) => void,
  request: Pick<GitRequest, 'signal' | 'workedOn'> = {},
): Promise<void> {
  let next = 0;
  const answers = new BatchAnswers((content) => {
    const name = names[next++];
    if (name !== undefined) onFile(name, content);
  });
  await runGit(top, ['cat-file', '--batch'], {
    ...request,
    input: names.map((name) => `${name}\n`).join(''),
    onOutput: (chunk) => {
      answers.take(chunk);
    },
  });
  if (next < names.length) throw new GitError(say`git did not answer to its end`);
}

const newline = 0x0a;

/** Cuts what `git cat-file --batch` prints: a line that tells type and size, the content, an empty line. */
class BatchAnswers {
  readonly #onAnswer: (content: StoredFile) => void;
  #chunks: Buffer[] = [];
  /** Bytes of the content that are still to come, with the line break behind it; undefined within a line. */
  #left: number | undefined;
  #type = '';
  #size = 0;

  constructor(onAnswer: (content: StoredFile) => void) {
    this.#onAnswer = onAnswer;
  }

  take(chunk: Buffer): void {
    let rest = chunk;
    while (rest.length > 0) {
      rest = this.#left === undefined ? this.#takeLine(rest) : this.#takeContent(rest, this.#left);
    }
  }

  #takeLine(rest: Buffer): Buffer {
    const end = rest.indexOf(newline);
    this.#chunks.push(end === -1 ? rest : rest.subarray(0, end));
    if (end === -1) return rest.subarray(rest.length);
    const line = Buffer.concat(this.#chunks).toString('utf8');
    this.#chunks = [];
    const [, type, size] = /^[0-9a-f]{40,64} (\w+) (\d+)$/.exec(line) ?? [];
    if (type === undefined) {
      this.#onAnswer(null);
    } else {
      this.#type = type;
      this.#size = Number(size);
      this.#left = this.#size + 1;
    }
    return rest.subarray(end + 1);
  }

  #takeContent(rest: Buffer, left: number): Buffer {
    const taken = rest.subarray(0, left);
    if (this.#size <= maxObjectBytes) this.#chunks.push(taken);
    this.#left = left - taken.length;
    if (this.#left === 0) {
      const content = Buffer.concat(this.#chunks);
      this.#chunks = [];
      this.#left = undefined;
      if (this.#type !== 'blob') this.#onAnswer(null);
      else if (this.#size > maxObjectBytes) this.#onAnswer({ tooLarge: this.#size });
      else this.#onAnswer(content.subarray(0, this.#size));
    }
    return rest.subarray(taken.length);
  }
}
