import { isAbsolute, join } from 'node:path';
import type { ClientCapabilities, Connection, InitializeParams } from 'vscode-languageserver';
import { URI } from 'vscode-uri';
import * as z from 'zod/mini';
import type { FileContents, FileProvider } from '../manifests/file-provider.ts';
import { snapshotLimits } from '../manifests/limits.ts';
import { NodeFileProvider } from '../manifests/node-file-provider.ts';
import {
  committedTextRequest,
  committedTextResultSchema,
  earlierTextsRequest,
  earlierTextsResultSchema,
  findFilesRequest,
  findFilesResultSchema,
  type InitializationOptions,
  initializationOptionsSchema,
  readFileRequest,
  readFileResultSchema,
} from '../protocol.ts';
import type { CommittedText } from './earlier-versions.ts';
import { changesSince, type EarlierTexts } from '../processes/git-changes.ts';
import { showCommitted } from '../processes/git-show.ts';
import { GitError } from '../processes/run-git.ts';
import type { SessionHost } from './session.ts';

/** What a client says of itself; nonsense counts as nothing said. */
export function readOptions(written: unknown): InitializationOptions {
  const parsed = z.safeParse(initializationOptionsSchema, written ?? {});
  return parsed.success ? parsed.data : z.parse(initializationOptionsSchema, {});
}

/** The folders of a workspace, which may change while the server runs. */
export class WorkspaceFolders {
  #uris: readonly string[];

  constructor({ workspaceFolders }: Pick<InitializeParams, 'workspaceFolders'>) {
    this.#uris = workspaceFolders?.map(({ uri }) => uri) ?? [];
  }

  get uris(): readonly string[] {
    return this.#uris;
  }

  change(added: readonly string[], removed: readonly string[]): void {
    this.#uris = [...this.#uris.filter((uri) => !removed.includes(uri)), ...added];
  }

  /** The URI of a path that a setting names: absolute, or relative to the first folder. */
  resolve(path: string): string | undefined {
    if (isAbsolute(path)) return URI.file(path).toString();
    const first = this.#uris[0];
    if (first === undefined) return undefined;
    const folder = URI.parse(first);
    return folder.with({ path: join(folder.path, path.replaceAll('\\', '/')).replaceAll('\\', '/') }).toString();
  }
}

/** The outside of a session: what the client offers, and the file system and git for what it does not. */
export function makeHost(
  connection: Connection,
  client: ClientCapabilities,
  folders: WorkspaceFolders,
  options: InitializationOptions,
): SessionHost {
  return {
    client,
    files: options.files ? new ClientFiles(connection) : new FolderFiles(folders),
    committedText: options.git ? clientCommittedText(connection) : showCommitted,
    earlierTexts: options.git ? clientEarlierTexts(connection) : () => folderChanges(folders),
    snapshotUri: (setting) => folders.resolve(setting),
    docs: options.docs.replace(/\/$/, ''),
  };
}

/** Files as the editor sees them. */
class ClientFiles implements FileProvider {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  async find(): Promise<readonly string[]> {
    return z.parse(findFilesResultSchema, await this.#connection.sendRequest(findFilesRequest));
  }

  async read(uri: string): Promise<FileContents> {
    try {
      return z.parse(readFileResultSchema, await this.#connection.sendRequest(readFileRequest, { uri }));
    } catch {
      return { text: null, size: 0 };
    }
  }
}

/** Files of the workspace folders on disk. */
class FolderFiles implements FileProvider {
  readonly #folders: WorkspaceFolders;

  constructor(folders: WorkspaceFolders) {
    this.#folders = folders;
  }

  find(): Promise<readonly string[]> {
    return this.#provider().find();
  }

  read(uri: string): Promise<FileContents> {
    return this.#provider().read(uri);
  }

  #provider(): NodeFileProvider {
    const paths = this.#folders.uris.map((uri) => URI.parse(uri)).filter(({ scheme }) => scheme === 'file');
    // The reader sets a limit of its own to files that are edited; only a snapshot may be larger.
    return new NodeFileProvider(
      paths.map(({ fsPath }) => fsPath),
      { maxBytes: snapshotLimits.fileLength },
    );
  }
}

async function folderChanges(folders: WorkspaceFolders): Promise<EarlierTexts> {
  const texts = new Map<string, string | null>();
  let failure: unknown = new GitError('no folder is open');
  let known = false;
  for (const folder of folders.uris.map((uri) => URI.parse(uri)).filter(({ scheme }) => scheme === 'file')) {
    try {
      for (const [path, text] of await changesSince(folder.fsPath, 'HEAD')) texts.set(URI.file(path).toString(), text);
      known = true;
    } catch (error) {
      failure = error;
    }
  }
  // One folder in a repository is enough: the others have not changed as far as anybody can tell.
  if (!known) throw failure;
  return texts;
}

function clientEarlierTexts(connection: Connection): () => Promise<EarlierTexts> {
  return async () => {
    const parsed = z.safeParse(earlierTextsResultSchema, await connection.sendRequest(earlierTextsRequest));
    if (!parsed.success || parsed.data === null) {
      throw new GitError('no folder of the workspace is in a git repository');
    }
    return new Map(parsed.data.map(({ uri, text }) => [uri, text]));
  };
}

function clientCommittedText(connection: Connection): CommittedText {
  return async (uri) => {
    const answer: unknown = await connection.sendRequest(committedTextRequest, { uri });
    const parsed = z.safeParse(committedTextResultSchema, answer);
    return parsed.success ? parsed.data.text : null;
  };
}
