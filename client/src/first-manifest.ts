import * as vscode from 'vscode';
import { likelyManifestFiles, looksLikeKubernetes, manifestLanguages } from './kubernetes-text.ts';
import { manifestSelector } from './manifest-selector.ts';

/** How many files of a workspace are looked into. A workspace whose manifests come later starts when one is opened. */
const searchedFiles = 500;

/** How much of a file is looked at, in bytes. */
const searchedBytes = 64 * 1024;

/** How long a document must rest before it is looked at again, in milliseconds. */
const typingPause = 300;

/**
 * Calls `found` once, as soon as a Kubernetes document is open or is found in the workspace. Until then it only
 * listens; disposing ends that.
 */
export class FirstManifest implements vscode.Disposable {
  /** Resolves when the workspace has been searched, or the search has been given up. */
  readonly searched: Promise<void>;

  readonly #found: () => void;
  readonly #search = new vscode.CancellationTokenSource();
  readonly #listeners: readonly vscode.Disposable[];
  #typing: NodeJS.Timeout | undefined;

  constructor(found: () => void) {
    this.#found = found;
    const watcher = vscode.workspace.createFileSystemWatcher(likelyManifestFiles, false, true, true);
    this.#listeners = [
      vscode.workspace.onDidOpenTextDocument((document) => {
        this.#look(document);
      }),
      vscode.workspace.onDidChangeTextDocument(({ document }) => {
        if (!manifestLanguages.includes(document.languageId)) return;
        clearTimeout(this.#typing);
        this.#typing = setTimeout(() => {
          this.#look(document);
        }, typingPause);
      }),
      watcher,
      watcher.onDidCreate((uri) => void this.#lookInto([uri])),
    ];
    this.searched = this.#searchAll();
  }

  dispose(): void {
    this.#search.cancel();
    clearTimeout(this.#typing);
    for (const listener of this.#listeners) listener.dispose();
  }

  async #searchAll(): Promise<void> {
    // Nothing is found before the constructor has returned.
    await Promise.resolve();
    for (const document of vscode.workspace.textDocuments) this.#look(document);
    const { token } = this.#search;
    if (token.isCancellationRequested) return;
    await this.#lookInto(
      await vscode.workspace.findFiles(likelyManifestFiles, '**/node_modules/**', searchedFiles, token),
    );
  }

  #look(document: vscode.TextDocument): void {
    if (isManifest(document)) this.#finish();
  }

  async #lookInto(uris: readonly vscode.Uri[]): Promise<void> {
    for (const uri of uris) {
      if (this.#search.token.isCancellationRequested) return;
      if (await fileIsManifest(uri)) this.#finish();
    }
  }

  #finish(): void {
    if (this.#search.token.isCancellationRequested) return;
    this.dispose();
    this.#found();
  }
}

/** Whether a document that is open looks like Kubernetes. */
export function isManifest(document: vscode.TextDocument): boolean {
  return vscode.languages.match(manifestSelector(), document) > 0 && looksLikeKubernetes(document.getText());
}

async function fileIsManifest(uri: vscode.Uri): Promise<boolean> {
  try {
    const { type } = await vscode.workspace.fs.stat(uri);
    // A pipe or a device may never end.
    if ((type & vscode.FileType.File) === 0) return false;
    const bytes = await vscode.workspace.fs.readFile(uri);
    return looksLikeKubernetes(new TextDecoder().decode(bytes.subarray(0, searchedBytes)));
  } catch {
    // It has gone, or may not be read.
    return false;
  }
}
