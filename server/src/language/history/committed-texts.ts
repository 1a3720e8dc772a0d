import { URI } from 'vscode-uri';
import { decodeText } from '../../manifests/decode-text.ts';
import { editorLimits } from '../../manifests/limits.ts';

/** What files were at git HEAD. */
export interface CommittedTexts {
  /** By URI; null for files that were not there. */
  readonly texts: ReadonlyMap<string, string | null>;
  /** Why nothing is known of the files that are left out: sentences without a full stop. */
  readonly unknown: readonly string[];
}

export type ReadCommittedTexts = (uris: readonly string[]) => Promise<CommittedTexts>;

/** Asks git for the committed texts of files on disk, once per repository. */
export async function readCommittedTexts(uris: readonly string[]): Promise<CommittedTexts> {
  const texts = new Map<string, string | null>();
  const paths = new Map<string, string>();
  for (const uri of uris) {
    const { scheme, fsPath } = URI.parse(uri);
    if (scheme === 'file') paths.set(fsPath, uri);
    else texts.set(uri, null);
  }
  const { committedFiles } = await import('../../processes/committed-files.ts');
  const { contents, unknown } = await committedFiles([...paths.keys()]);
  const reasons = [...unknown];
  for (const [path, content] of contents) {
    const decoded = committedText(content);
    if ('error' in decoded) reasons.push(`${path} as it was committed ${decoded.error}`);
    else texts.set(paths.get(path)!, decoded.text);
  }
  return { texts, unknown: reasons };
}

/** The text of what was committed, or why it is not read: part of a sentence. */
export function committedText(content: Buffer | null): { readonly text: string | null } | { readonly error: string } {
  if (content === null) return { text: null };
  const decoded = decodeText(content);
  if ('error' in decoded || decoded.text.length <= editorLimits.fileLength) return decoded;
  return { error: `had ${(content.length / 1024 / 1024).toFixed(1)} MB` };
}

/** Files that are asked for while an answer is on its way are asked for together after it. */
export function oneAfterTheOther(read: ReadCommittedTexts): ReadCommittedTexts {
  let last: Promise<unknown> = Promise.resolve();
  let next: { readonly uris: Set<string>; readonly answer: Promise<CommittedTexts> } | undefined;
  return (uris) => {
    if (next === undefined) {
      const gathered = new Set<string>();
      const answer = last.then(() => {
        next = undefined;
        return read([...gathered]);
      });
      last = answer.catch(() => undefined);
      next = { uris: gathered, answer };
    }
    for (const uri of uris) next.uris.add(uri);
    return next.answer;
  };
}
