import { say } from '../../util/say.ts';
import { count } from '../../util/words.ts';
import { valueAt } from '../../util/values.ts';
import {
  type ClientCapabilities,
  type Connection,
  DidChangeConfigurationNotification,
  DidChangeWatchedFilesNotification,
  FileChangeType,
  type FileSystemWatcher,
  type InitializeResult,
  type ServerCapabilities,
  TextDocuments,
  TextDocumentSyncKind,
  WatchKind,
  type WorkDoneProgressServerReporter,
} from 'vscode-languageserver';
import { TextDocument } from 'vscode-languageserver-textdocument';
import * as z from 'zod/mini';
import { isManifestName } from '../../manifests/file-provider.ts';
import { canonicalUri } from '../../manifests/workspace-index.ts';
import {
  type InitializationOptions,
  renderingChangedNotification,
  renderingChangedParamsSchema,
  repositoryChangedNotification,
} from '../../protocol.ts';
import { refuseMalformed } from '../connection/checked-params.ts';
import type { Feature } from '../session/feature.ts';
import { features } from './features.ts';
import { speakLanguageOf } from './languages.ts';
import type { Platform } from '../session/platform.ts';
import { makeHost, readOptions, WorkspaceFolders } from './host.ts';
import { Session } from '../session/session.ts';
import { Baseline } from '../known/baseline.ts';
import { baselineIn } from '../known/mark-known.ts';
import {
  folderSettings,
  idleSettings,
  isManifest,
  type Project,
  projectFileName,
  readProject,
  withProject,
} from '../settings/project-file.ts';
import { parseSettings } from '../settings/settings.ts';

/**
 * Serves an editor over a connection until that is closed.
 *
 * @param machine what may be used besides the editor; null for nothing
 * @param more what can be asked for besides
 */
export function startServer(connection: Connection, machine: Platform | null, more: readonly Feature[] = []): void {
  const all = [...features, ...more];
  connection.onInitialize((params): Promise<InitializeResult> => {
    const folders = new WorkspaceFolders(params);
    const options = readOptions(params.initializationOptions);
    const session = new Session(connection, makeHost(connection, params.capabilities, folders, options, machine));
    new Wiring(connection, session, folders, options).connect(all);
    const capabilities: ServerCapabilities = {
      textDocumentSync: { openClose: true, change: TextDocumentSyncKind.Incremental, save: { includeText: false } },
      workspace: { workspaceFolders: { supported: true, changeNotifications: true } },
    };
    for (const { capabilities: own } of all) {
      Object.assign(capabilities, typeof own === 'function' ? own(params.capabilities) : own);
    }
    const spoken = speakLanguageOf(params.locale).catch((error: unknown) => {
      session.log.error('language', error);
    });
    // Nothing is told before.
    return spoken.then(() => ({ capabilities, serverInfo: { name: 'podium' } }));
  });
  refuseMalformed(connection);
  connection.listen();
}

interface FolderProject {
  /** URI without a slash at its end. */
  readonly folder: string;
  readonly project: Project;
  /** Whether it is that of the workspace; others count for their folders. */
  readonly isTop: boolean;
}

/** Carries what the editor tells to the session: text, settings, files, folders. */
class Wiring {
  readonly #connection: Connection;
  readonly #session: Session;
  readonly #folders: WorkspaceFolders;
  readonly #client: ClientCapabilities;
  readonly #options: InitializationOptions;
  readonly #stopped = new AbortController();
  #snapshotWatch: { readonly uri: string; readonly dispose: () => void } | undefined;
  /** Where the file of known problems may be. */
  #baselines: readonly string[] = [];
  /** The files of settings that count, as far as they were found when files were read. */
  #innerProjects: readonly string[] = [];
  /** The settings that the editor has sent by itself, if it does. */
  #pushed: unknown;
  #reindexTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(connection: Connection, session: Session, folders: WorkspaceFolders, options: InitializationOptions) {
    this.#connection = connection;
    this.#session = session;
    this.#folders = folders;
    this.#client = session.client;
    this.#options = options;
  }

  connect(all: readonly Feature[]): void {
    const connection = this.#connection;
    this.#connectDocuments();
    for (const feature of all) feature.register(connection, this.#session);
    connection.onNotification(repositoryChangedNotification, () => {
      this.#session.repositoryChanged();
    });
    connection.onNotification(renderingChangedNotification, (params: unknown) => {
      const { workspaceTrusted } = z.parse(renderingChangedParamsSchema, params);
      const wasTrusted = this.#session.surroundings.isTrusted();
      this.#session.rendering.setTrusted(workspaceTrusted);
      if (workspaceTrusted !== wasTrusted) this.#inBackground('settings', () => this.#configure(this.#pushed));
    });
    connection.onDidChangeConfiguration(({ settings }) => {
      this.#inBackground('settings', () => this.#configure(valueAt(settings, ['podium'])));
    });
    connection.onDidChangeWatchedFiles(({ changes }) => {
      for (const { uri, type } of changes) this.#inBackground('files', () => this.#fileChanged(uri, type));
    });
    connection.onInitialized(() => {
      this.#inBackground('start', () => this.#start());
    });
    connection.onShutdown(() => {
      clearTimeout(this.#reindexTimer);
      this.#stopped.abort();
      this.#session.stop();
    });
  }

  /** A step that the editor fails does not keep the next ones from being taken. */
  async #start(): Promise<void> {
    // Before anything is waited for: a folder may come with the next message.
    this.#followFolders();
    const trust = this.#session.surroundings.isTrusted() ? 'trusted' : 'not trusted';
    this.#session.log.info(`Folders: ${this.#folders.uris.join(', ') || 'none'} (${trust})`);
    await this.#attempt('settings', () => this.#configure(this.#options.settings));
    await this.#attempt('registration', () => this.#register());
    await this.#attempt('index', () => this.#index());
  }

  #connectDocuments(): void {
    const documents = new TextDocuments(TextDocument);
    const session = this.#session;
    documents.onDidOpen(({ document }) => {
      session.open(document.uri, document.getText(), document.version);
    });
    documents.onDidChangeContent(({ document }) => {
      session.change(document.uri, document.getText(), document.version);
    });
    documents.onDidSave(({ document }) => {
      session.saved(document.uri);
    });
    documents.onDidClose(({ document }) => {
      session.close(document.uri);
    });
    documents.listen(this.#connection);
  }

  /** Takes the settings from the editor, or else those it was given. */
  async #configure(pushed: unknown): Promise<void> {
    this.#pushed = pushed;
    const pulls = this.#client.workspace?.configuration === true;
    const section: unknown = pulls ? await this.#connection.workspace.getConfiguration('podium') : pushed;
    const own = section ?? this.#options.settings;
    const projects = await this.#projects();
    // What a path in it is relative to, and what lies in no folder, is of the first.
    const top = projects.find(({ isTop }) => isTop)?.project ?? null;
    const said = parseSettings(own).settings.rules;
    const folders = projects.map(({ folder, project }) => folderSettings(folder, project, (code) => said.has(code)));
    const { settings, problems } = parseSettings(top === null ? own : withProject(own, top), folders.reverse());
    for (const problem of problems) this.#session.log.warn(problem);
    await this.#session.configure(settings, await this.#known(top?.baseline));
    await this.#watchSnapshot();
  }

  /** What the files of a repository say of it, from the top down, where its user trusts it: they may turn rules off. */
  async #projects(): Promise<readonly FolderProject[]> {
    if (!this.#session.surroundings.isTrusted()) return [];
    const tops = this.#folders.uris.map((folder) => canonicalUri(folder).replace(/\/$/, ''));
    this.#innerProjects = this.#foundProjects();
    const inner = this.#innerProjects.map((uri) => uri.slice(0, -projectFileName.length - 1));
    const found: FolderProject[] = [];
    for (const folder of new Set([...tops, ...inner.sort((a, b) => a.length - b.length)])) {
      const uri = `${folder}/${projectFileName}`;
      const text = await this.#session.savedText(uri);
      const isTop = tops.includes(folder) && !found.some((each) => each.isTop);
      if (text === null || (!isTop && isManifest(text))) continue;
      const read = readProject(text);
      const shown = isTop ? projectFileName : uri;
      if ('fault' in read) {
        this.#session.log.warn(`${shown}:${read.line}: ${read.fault}`);
        continue;
      }
      found.push({ folder, project: read.project, isTop });
      if (!isTop) for (const fault of idleSettings(read)) this.#session.log.warn(`${shown}:${fault}`);
    }
    return found;
  }

  /** In the folders of the workspace, and below. */
  #foundProjects(): readonly string[] {
    return [...this.#session.index.uris()].filter((uri) => uri.endsWith(`/${projectFileName}`));
  }

  /** The problems that the file of a repository's settings says are known. */
  async #known(baseline: string | undefined): Promise<Session['known']> {
    this.#baselines = [];
    if (baseline === undefined) return null;
    this.#baselines = this.#folders.uris.flatMap((folder) => baselineIn(folder, baseline) ?? []);
    for (const folder of this.#folders.uris) {
      const uri = baselineIn(folder, baseline);
      const text = uri === null ? null : await this.#session.savedText(uri);
      if (text === null) continue;
      try {
        return { folder, baseline: Baseline.parse(text, baseline) };
      } catch (error) {
        this.#session.log.warn(`${baseline} ${error instanceof Error ? error.message : String(error)}`);
        return null;
      }
    }
    this.#session.log.warn(
      `${projectFileName}: baseline: ${baseline} is not there, or not below the folder of this file`,
    );
    return null;
  }

  #isProject(uri: string): boolean {
    return (
      this.#baselines.includes(uri) || (uri.endsWith(`/${projectFileName}`) && this.#session.folders.includes(uri))
    );
  }

  async #register(): Promise<void> {
    const { workspace } = this.#client;
    if (workspace?.didChangeConfiguration?.dynamicRegistration === true) {
      await this.#connection.client.register(DidChangeConfigurationNotification.type, { section: 'podium' });
    }
    if (workspace?.didChangeWatchedFiles?.dynamicRegistration === true) {
      const watchers: FileSystemWatcher[] = [
        { globPattern: '**/*.{yaml,yml,json}' },
        // Of what sources are made of besides manifests.
        { globPattern: '**/{Kustomization,*.tpl,*.tgz}' },
        // A folder that comes or goes as a whole gives no event for the files in it.
        { globPattern: '**/*', kind: WatchKind.Create | WatchKind.Delete },
      ];
      // Without an editor that knows of git, the log of HEAD tells of commits.
      if (!this.#options.git) watchers.push({ globPattern: '**/.git/logs/HEAD' });
      await this.#connection.client.register(DidChangeWatchedFilesNotification.type, { watchers });
    }
  }

  #followFolders(): void {
    if (this.#client.workspace?.workspaceFolders !== true) return;
    this.#connection.workspace.onDidChangeWorkspaceFolders(({ added, removed }) => {
      const snapshot = this.#session.snapshotUri();
      this.#folders.change(
        added.map(({ uri }) => uri),
        removed.map(({ uri }) => uri),
      );
      // A path in the settings is relative to the first of them.
      const reread = snapshot === this.#session.snapshotUri() ? Promise.resolve() : this.#session.readSnapshot();
      this.#inBackground('folders', async () => {
        await Promise.all([reread, this.#index()]);
        await this.#watchSnapshot();
      });
    });
  }

  /** The snapshot may lie outside the workspace, where the other watchers do not look. */
  async #watchSnapshot(): Promise<void> {
    const uri = this.#session.snapshotUri();
    if (uri === this.#snapshotWatch?.uri) return;
    this.#snapshotWatch?.dispose();
    this.#snapshotWatch = undefined;
    const watching = this.#client.workspace?.didChangeWatchedFiles;
    if (uri === undefined || watching?.dynamicRegistration !== true || watching.relativePatternSupport !== true) return;
    const slash = uri.lastIndexOf('/');
    const globPattern = { baseUri: uri.slice(0, slash), pattern: decodeURIComponent(uri.slice(slash + 1)) };
    const registration = await this.#connection.client.register(DidChangeWatchedFilesNotification.type, {
      watchers: [{ globPattern }],
    });
    this.#snapshotWatch = {
      uri,
      dispose: () => {
        registration.dispose();
      },
    };
  }

  async #fileChanged(uri: string, type: FileChangeType): Promise<void> {
    // It may be none with other settings: then its text counts as that of any file.
    if (this.#session.isSnapshot(uri)) this.#inBackground('snapshot', () => this.#session.readSnapshot());
    if (uri.endsWith('/.git/logs/HEAD')) {
      this.#session.repositoryChanged();
      return;
    }
    if (/\/(?:node_modules|\.git)(?:\/|$)/.test(uri)) return;
    const { index } = this.#session;
    this.#session.rendering.applied?.changedOnDisk(uri, type === FileChangeType.Deleted);
    const mayBeFolder = type === FileChangeType.Created || !isManifestName(uri);
    if (type === FileChangeType.Deleted) index.deleted(uri);
    // It was moved here with everything in it.
    else if (mayBeFolder && this.#session.folders.isFolder(uri)) this.#reindexSoon();
    else if (isManifestName(uri)) await index.changed(uri);
    if (this.#isProject(uri)) await this.#configure(this.#pushed);
  }

  #reindexSoon(): void {
    clearTimeout(this.#reindexTimer);
    this.#reindexTimer = setTimeout(() => {
      this.#inBackground('index', () => this.#index());
    }, reindexDelay);
  }

  async #index(): Promise<void> {
    const { index } = this.#session;
    const { signal } = this.#stopped;
    const progress = await this.#createProgress();
    progress?.begin('Podium', 0, say`Reading manifests`, false);
    const began = performance.now();
    let shown = 0;
    try {
      await index.index({
        signal,
        onProgress: ({ done, total }) => {
          const percent = total === 0 ? 100 : Math.floor((done / total) * 100);
          if (percent === shown) return;
          shown = percent;
          progress?.report(percent, say`${done} of ${total} files`);
        },
      });
    } finally {
      if (this.#foundProjects().join() !== this.#innerProjects.join()) {
        await this.#attempt('settings', () => this.#configure(this.#pushed));
      }
      // Also when the editor does not answer about its files: then only those that are open are known.
      await this.#session.indexed();
      progress?.done();
      const files = index.files();
      const objects = files
        .flatMap(({ documents }) => documents)
        .reduce((sum, { document }) => sum + document.objects.length, 0);
      const taken = Math.round(performance.now() - began);
      this.#session.log.info(`Read ${count(files.length, 'file')} with ${count(objects, 'object')} in ${taken} ms`);
    }
  }

  /** Undefined in an editor that cannot show progress, or does not want to. */
  async #createProgress(): Promise<WorkDoneProgressServerReporter | undefined> {
    if (this.#client.window?.workDoneProgress !== true) return undefined;
    return this.#connection.window.createWorkDoneProgress().catch(() => undefined);
  }

  /** Runs something whose errors are only logged. */
  async #attempt(what: string, run: () => Promise<void>): Promise<void> {
    try {
      await run();
    } catch (error) {
      this.#session.log.error(what, error);
    }
  }

  /** Runs what nobody waits for. */
  #inBackground(what: string, run: () => Promise<void>): void {
    void this.#attempt(what, run);
  }
}

/** Milliseconds to wait for more folders before the workspace is read again. */
const reindexDelay = 500;
