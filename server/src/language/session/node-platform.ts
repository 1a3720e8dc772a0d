import { say } from '../../util/say.ts';
import { existsSync, lstatSync, statSync } from 'node:fs';
import process from 'node:process';
import { URI } from 'vscode-uri';
import type { FileContents, FileProvider } from '../../manifests/file-provider.ts';
import { fileSource } from '../../manifests/file-source.ts';
import { NodeFileProvider } from '../../manifests/node-file-provider.ts';
import { userStorage } from '../../sources/files/user-storage.ts';
import { GitError } from '../../processes/git-error.ts';
import { committedText, oneAfterTheOther, readCommittedTexts } from '../history/committed-texts.ts';
import type { Platform } from './platform.ts';
import type { EarlierTexts } from './simulations.ts';

/** The machine that this process runs on. */
export const thisMachine: Platform = {
  files: (folders) => new FolderFiles(folders),
  source: fileSource,
  storage: () => userStorage(process),
  isThere: (uri) => uri.startsWith('file:') && existsSync(URI.parse(uri).fsPath),
  isLink: (uri) =>
    uri.startsWith('file:') && lstatSync(URI.parse(uri).fsPath, { throwIfNoEntry: false })?.isSymbolicLink() === true,
  isFolder: (uri) =>
    uri.startsWith('file:') && statSync(URI.parse(uri).fsPath, { throwIfNoEntry: false })?.isDirectory() === true,
  committedTexts: oneAfterTheOther(readCommittedTexts),
  changesSince: folderChanges,
  appliedWorkspace: async () => (await import('../applied/applied-workspace.ts')).AppliedWorkspace,
};

/** Files of folders on disk, which may be others the next time. */
class FolderFiles implements FileProvider {
  readonly #folders: () => readonly string[];

  constructor(folders: () => readonly string[]) {
    this.#folders = folders;
  }

  find(): Promise<readonly string[]> {
    return this.#provider().find();
  }

  accepts(uri: string): boolean {
    return this.#provider().accepts(uri);
  }

  read(uri: string): Promise<FileContents> {
    return this.#provider().read(uri);
  }

  #provider(): NodeFileProvider {
    return new NodeFileProvider(this.#folders());
  }
}

async function folderChanges(
  folders: readonly string[],
  commit: string,
  inputs: readonly string[],
): Promise<EarlierTexts> {
  const texts = new Map<string, string | null>();
  const notCompared: string[] = [];
  const { changesSince } = await import('../../processes/git-changes.ts');
  let failure: unknown = new GitError(say`no folder is open`);
  let known = false;
  for (const folder of folders) {
    try {
      const provider = new NodeFileProvider([folder]);
      const files = [...(await provider.find()), ...inputs].map((uri) => URI.parse(uri).fsPath);
      const includes = (path: string): boolean => provider.accepts(URI.file(path).toString()) || path.endsWith('.tpl');
      const changes = await changesSince(commit, { roots: [folder], files, includes });
      for (const [path, content] of changes.contents) {
        const decoded = committedText(content);
        if ('error' in decoded) notCompared.push(`${path} as it was committed ${decoded.error}`);
        else texts.set(URI.file(path).toString(), decoded.text);
      }
      for (const { path, reason } of changes.notCompared) notCompared.push(`${path}: ${reason}`);
      known = true;
    } catch (error) {
      failure = error;
    }
  }
  // One folder in a repository is enough: the others have not changed as far as anybody can tell.
  if (!known) throw failure;
  return { texts, notCompared };
}
