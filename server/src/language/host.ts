import { isAbsolute, join } from 'node:path';
import process from 'node:process';
import type { ClientCapabilities, Connection, InitializeParams } from 'vscode-languageserver';
import { URI } from 'vscode-uri';
import * as z from 'zod/mini';
import { decodeText } from '../manifests/decode-text.ts';
import { type FileContents, type FileProvider, isFoundIn } from '../manifests/file-provider.ts';
import { NodeFileProvider } from '../manifests/node-file-provider.ts';
import { fileSource, type TextSource, textSource, UnreadableFile } from '../manifests/text-source.ts';
import {
  committedTextRequest,
  committedTextResultSchema,
  earlierTextsRequest,
  earlierTextsResultSchema,
  findFilesRequest,
  findFilesResultSchema,
  type InitializationOptions,
  initializationOptionsSchema,
  mayRenderRequest,
  mayRenderResultSchema,
  readFileRequest,
  readFileResultSchema,
} from '../protocol.ts';
import { GitError } from '../processes/git-error.ts';
import { userStorage } from '../sources/user-storage.ts';
import {
  committedText,
  type CommittedTexts,
  oneAfterTheOther,
  readCommittedTexts,
  type ReadCommittedTexts,
} from './committed-texts.ts';
import type { SessionHost, SnapshotPlace } from './session.ts';
import type { EarlierTexts } from './simulations.ts';

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

  /** Absolute paths of those that are folders of this machine. */
  onDisk(): string[] {
    return this.#uris
      .map((uri) => URI.parse(uri))
      .filter(({ scheme, authority }) => scheme === 'file' && authority === '')
      .map(({ fsPath }) => fsPath);
  }

  change(added: readonly string[], removed: readonly string[]): void {
    this.#uris = [...this.#uris.filter((uri) => !removed.includes(uri)), ...added];
  }

  /**
   * Where a path leads that a setting names: absolute, or relative to the first folder. Never to another computer: who
   * asks one for a file may tell it the password of the user.
   */
  resolve(path: string): SnapshotPlace {
    if (/^[\\/]{2}/.test(path)) return unread(path, 'is on another computer, from which Podium reads nothing');
    if (isAbsolute(path)) return { uri: URI.file(path).toString() };
    const first = this.#uris[0];
    if (first === undefined) return unread(path, 'has a path relative to a folder, and no folder is open');
    const folder = URI.parse(first);
    const there = join(folder.path, path.replaceAll('\\', '/')).replaceAll('\\', '/');
    return { uri: folder.with({ path: there }).toString() };
  }
}

/** Under a scheme that nobody reads from: who shows the problem must not look for the file either. */
function unread(path: string, fault: string): SnapshotPlace {
  const names = path.replaceAll('\\', '/').replace(/^\/+/, '');
  return { uri: URI.from({ scheme: 'podium-snapshot', path: `/${names}` }).toString(), fault };
}

/** The outside of a session: what the client offers, and the file system and git for what it does not. */
export function makeHost(
  connection: Connection,
  client: ClientCapabilities,
  folders: WorkspaceFolders,
  options: InitializationOptions,
): SessionHost {
  let isTrusted = options.workspaceTrusted;
  return {
    client,
    folders: () => folders.onDisk(),
    isTrusted: () => isTrusted,
    storage: () => options.storage || userStorage(process),
    setTrusted: (trusted) => {
      isTrusted = trusted;
    },
    mayRender: options.asksBeforeRendering
      ? async (params) => z.parse(mayRenderResultSchema, await connection.sendRequest(mayRenderRequest, params))
      : null,
    files: options.files ? new ClientFiles(connection, folders) : new FolderFiles(folders),
    ...committedVersions(connection, folders, options),
    snapshotPlace: (setting) => folders.resolve(setting),
    snapshotText: (uri) => (uri.startsWith('file:') ? fileSource(uri) : clientSource(connection, uri)),
    docs: options.docs.replace(/\/$/, ''),
  };
}

/** Files as the editor sees them. Those on disk are read here, where a pipe is not waited for. */
class ClientFiles implements FileProvider {
  readonly #connection: Connection;
  readonly #folders: WorkspaceFolders;

  constructor(connection: Connection, folders: WorkspaceFolders) {
    this.#connection = connection;
    this.#folders = folders;
  }

  accepts(uri: string): boolean {
    return isFoundIn(this.#folders.uris, uri);
  }

  async find(): Promise<readonly string[]> {
    return z.parse(findFilesResultSchema, await this.#connection.sendRequest(findFilesRequest));
  }

  async read(uri: string): Promise<FileContents> {
    if (uri.startsWith('file:')) return new NodeFileProvider([]).read(uri);
    return readByClient(this.#connection, uri);
  }
}

async function readByClient(connection: Connection, uri: string): Promise<FileContents> {
  try {
    const answer: unknown = await connection.sendRequest(readFileRequest, { uri });
    const { bytes, size } = z.parse(readFileResultSchema, answer);
    if (bytes === null) return { text: null, size };
    const decoded = decodeText(Buffer.from(bytes, 'base64'));
    return 'error' in decoded ? { text: null, size, error: decoded.error } : { text: decoded.text, size };
  } catch {
    return { text: null, size: 0 };
  }
}

/** A text that only the editor can read, in one piece. */
async function clientSource(connection: Connection, uri: string): Promise<TextSource> {
  const { text, error = 'it has gone or may not be read' } = await readByClient(connection, uri);
  if (text === null) throw new UnreadableFile(error);
  return textSource(text);
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

  accepts(uri: string): boolean {
    return this.#provider().accepts(uri);
  }

  read(uri: string): Promise<FileContents> {
    return this.#provider().read(uri);
  }

  #provider(): NodeFileProvider {
    return new NodeFileProvider(this.#folders.onDisk());
  }
}

/** Git is asked only by an editor that knows whom to trust, or where the user trusts the workspace. */
function committedVersions(
  connection: Connection,
  folders: WorkspaceFolders,
  { git, workspaceTrusted }: InitializationOptions,
): Pick<SessionHost, 'committedTexts' | 'earlierTexts'> {
  if (git) {
    return { committedTexts: clientCommittedTexts(connection), earlierTexts: clientEarlierTexts(connection) };
  }
  if (workspaceTrusted) {
    return { committedTexts: oneAfterTheOther(readCommittedTexts), earlierTexts: () => folderChanges(folders) };
  }
  const notTrusted = 'git is not asked because the client does not say that the workspace is trusted';
  const nothing: CommittedTexts = { texts: new Map(), unknown: [notTrusted] };
  return {
    committedTexts: () => Promise.resolve(nothing),
    earlierTexts: () => Promise.reject(new GitError(notTrusted)),
  };
}

async function folderChanges(folders: WorkspaceFolders): Promise<EarlierTexts> {
  const texts = new Map<string, string | null>();
  const notCompared: string[] = [];
  const { changesSince } = await import('../processes/git-changes.ts');
  let failure: unknown = new GitError('no folder is open');
  let known = false;
  for (const folder of folders.onDisk()) {
    try {
      const provider = new NodeFileProvider([folder]);
      const files = (await provider.find()).map((uri) => URI.parse(uri).fsPath);
      const includes = (path: string): boolean => provider.accepts(URI.file(path).toString());
      const changes = await changesSince('HEAD', { roots: [folder], files, includes });
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

function clientEarlierTexts(connection: Connection): () => Promise<EarlierTexts> {
  return async () => {
    const parsed = z.safeParse(earlierTextsResultSchema, await connection.sendRequest(earlierTextsRequest));
    if (!parsed.success || parsed.data === null) {
      throw new GitError('no folder of the workspace is in a git repository');
    }
    return { texts: new Map(parsed.data.map(({ uri, text }) => [uri, text])), notCompared: [] };
  };
}

function clientCommittedTexts(connection: Connection): ReadCommittedTexts {
  const ask = async (uri: string): Promise<[string, string | null]> => {
    const answer: unknown = await connection.sendRequest(committedTextRequest, { uri });
    const parsed = z.safeParse(committedTextResultSchema, answer);
    return [uri, parsed.success ? parsed.data.text : null];
  };
  return async (uris) => ({ texts: new Map(await Promise.all(uris.map(ask))), unknown: [] });
}
