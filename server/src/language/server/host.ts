import { say } from '../../util/say.ts';
import type { ClientCapabilities, Connection, InitializeParams } from 'vscode-languageserver';
import { URI, Utils } from 'vscode-uri';
import * as z from 'zod/mini';
import { decodeText } from '../../manifests/decode-text.ts';
import { type FileContents, type FileProvider, isFoundIn } from '../../manifests/file-provider.ts';
import { type TextSource, textSource, UnreadableFile } from '../../manifests/text-source.ts';
import {
  committedTextRequest,
  committedTextResultSchema,
  type EarlierTextsParams,
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
} from '../../protocol.ts';
import { GitError } from '../../processes/git-error.ts';
import type { CommittedTexts, ReadCommittedTexts } from '../history/committed-texts.ts';
import type { Platform } from '../session/platform.ts';
import type { SessionHost, SnapshotPlace } from '../session/session-host.ts';

/** What a client says of itself; nonsense counts as nothing said. */
export function readOptions(written: unknown): InitializationOptions {
  const parsed = z.safeParse(initializationOptionsSchema, written ?? {});
  return parsed.success ? parsed.data : z.parse(initializationOptionsSchema, {});
}

/** Where a client says that it is: older ones have one folder, and the oldest a path. */
interface Roots extends Pick<InitializeParams, 'workspaceFolders'> {
  readonly rootUri?: string | null;
  readonly rootPath?: string | null;
}

/** The folders of a workspace, which may change while the server runs. */
export class WorkspaceFolders {
  #uris: readonly string[];

  /** Of a client that knows of no folders, what it calls the root. */
  constructor(params: Roots) {
    const { workspaceFolders, rootUri, rootPath } = params;
    const ofPath = typeof rootPath === 'string' && rootPath !== '' ? URI.file(rootPath).toString() : undefined;
    const root = rootUri ?? ofPath;
    this.#uris = workspaceFolders?.map(({ uri }) => uri) ?? (root === undefined ? [] : [root]);
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
    if (/^[\\/]{2}/.test(path)) return unread(path, say`is on another computer, from which Podium reads nothing`);
    const first = this.#uris[0];
    if (/^(?:\/|[A-Za-z]:[\\/])/.test(path)) {
      const isOnDisk = first === undefined || first.startsWith('file:');
      return { uri: (isOnDisk ? URI.file(path) : URI.parse(first).with({ path })).toString() };
    }
    if (first === undefined) return unread(path, say`has a path relative to a folder, and no folder is open`);
    const folder = URI.parse(first);
    return { uri: Utils.joinPath(folder, path.replaceAll('\\', '/')).toString() };
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
  machine: Platform | null,
): SessionHost {
  let isTrusted = options.workspaceTrusted;
  return {
    client,
    folders: () => folders.onDisk(),
    folderUris: () => folders.uris,
    machine,
    isTrusted: () => isTrusted,
    storage: () => options.storage || (machine?.storage() ?? ''),
    yamlServer: options.yamlServer,
    yamlValidation: options.yamlValidation,
    yamlSchemas: options.yamlSchemas,
    kubernetesSchemas: options.kubernetesSchemas,
    reopensLists: options.reopensLists,
    setTrusted: (trusted) => {
      isTrusted = trusted;
    },
    mayRender: options.asksBeforeRendering
      ? async (params) => z.parse(mayRenderResultSchema, await connection.sendRequest(mayRenderRequest, params))
      : null,
    files:
      options.files || machine === null
        ? new ClientFiles(connection, folders, machine)
        : machine.files(() => folders.onDisk()),
    ...committedVersions(connection, folders, options, machine),
    snapshotPlace: (setting) => folders.resolve(setting),
    snapshotText: (uri) =>
      machine !== null && uri.startsWith('file:') ? machine.source(uri) : clientSource(connection, uri),
    keepsPulling: options.keepsPulling,
    docs: options.docs.replace(/\/$/, ''),
  };
}

/** Files as the editor sees them. Those on disk are read here, where a pipe is not waited for. */
class ClientFiles implements FileProvider {
  readonly #connection: Connection;
  readonly #folders: WorkspaceFolders;
  readonly #machine: Platform | null;

  constructor(connection: Connection, folders: WorkspaceFolders, machine: Platform | null) {
    this.#connection = connection;
    this.#folders = folders;
    this.#machine = machine;
  }

  accepts(uri: string): boolean {
    return isFoundIn(this.#folders.uris, uri);
  }

  async find(): Promise<readonly string[]> {
    return z.parse(findFilesResultSchema, await this.#connection.sendRequest(findFilesRequest));
  }

  async read(uri: string): Promise<FileContents> {
    if (this.#machine !== null && uri.startsWith('file:')) return this.#machine.files(() => []).read(uri);
    return readByClient(this.#connection, uri);
  }
}

async function readByClient(connection: Connection, uri: string): Promise<FileContents> {
  try {
    const answer: unknown = await connection.sendRequest(readFileRequest, { uri });
    const { bytes, size } = z.parse(readFileResultSchema, answer);
    if (bytes === null) return { text: null, size };
    const decoded = decodeText(Uint8Array.from(atob(bytes), (character) => character.charCodeAt(0)));
    return 'error' in decoded ? { text: null, size, error: decoded.error } : { text: decoded.text, size };
  } catch {
    return { text: null, size: 0 };
  }
}

/** A text that only the editor can read, in one piece. */
async function clientSource(connection: Connection, uri: string): Promise<TextSource> {
  const { text, error = say`it has gone or may not be read` } = await readByClient(connection, uri);
  if (text === null) throw new UnreadableFile(error);
  return textSource(text);
}

/** Git is asked only by an editor that knows whom to trust, or where the user trusts the workspace. */
function committedVersions(
  connection: Connection,
  folders: WorkspaceFolders,
  { git, workspaceTrusted }: InitializationOptions,
  machine: Platform | null,
): Pick<SessionHost, 'committedTexts' | 'earlierTexts'> {
  if (git) {
    return { committedTexts: clientCommittedTexts(connection), earlierTexts: clientEarlierTexts(connection) };
  }
  if (machine !== null && workspaceTrusted) {
    return {
      committedTexts: machine.committedTexts,
      earlierTexts: (commit, inputs) => machine.changesSince(folders.onDisk(), commit, inputs),
    };
  }
  const why =
    machine === null
      ? say`there is no git in a browser`
      : say`git is not asked because the client does not say that the workspace is trusted`;
  const nothing: CommittedTexts = { texts: new Map(), unknown: [why] };
  return {
    committedTexts: () => Promise.resolve(nothing),
    earlierTexts: () => Promise.reject(new GitError(why)),
  };
}

function clientEarlierTexts(connection: Connection): SessionHost['earlierTexts'] {
  return async (commit, inputs) => {
    const params: EarlierTextsParams = { commit, inputs };
    const answer: unknown = await connection.sendRequest(earlierTextsRequest, params).catch(() => {
      throw new GitError(say`git does not know the commit ${commit}`);
    });
    const parsed = z.safeParse(earlierTextsResultSchema, answer);
    if (!parsed.success || parsed.data === null) {
      throw new GitError(say`no folder of the workspace is in a git repository`);
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
