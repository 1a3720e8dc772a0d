import * as vscode from 'vscode';
import { likelyManifestFiles, looksLikeKubernetes, manifestLanguages } from './kubernetes-text.ts';

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
export function onFirstManifest(found: () => void): vscode.Disposable {
  const disposables: vscode.Disposable[] = [];
  const search = new vscode.CancellationTokenSource();
  let typing: NodeJS.Timeout | undefined;
  const dispose = () => {
    clearTimeout(typing);
    search.cancel();
    search.dispose();
    for (const disposable of disposables.splice(0)) disposable.dispose();
  };
  const finish = () => {
    if (search.token.isCancellationRequested) return;
    dispose();
    found();
  };
  const look = (document: vscode.TextDocument) => {
    if (isManifest(document)) finish();
  };

  const watcher = vscode.workspace.createFileSystemWatcher(likelyManifestFiles, false, true, true);
  disposables.push(
    vscode.workspace.onDidOpenTextDocument(look),
    vscode.workspace.onDidChangeTextDocument(({ document }) => {
      if (!manifestLanguages.includes(document.languageId)) return;
      clearTimeout(typing);
      typing = setTimeout(() => {
        look(document);
      }, typingPause);
    }),
    watcher,
    watcher.onDidCreate((uri) => {
      void fileIsManifest(uri).then((is) => {
        if (is) finish();
      });
    }),
  );
  if (vscode.workspace.textDocuments.some(isManifest)) finish();
  else void workspaceHasManifest(search.token).then((has) => {
    if (has) finish();
  });
  return new vscode.Disposable(dispose);
}

/** Whether a document that is open looks like Kubernetes. */
export function isManifest(document: vscode.TextDocument): boolean {
  return manifestLanguages.includes(document.languageId) && looksLikeKubernetes(document.getText());
}

async function workspaceHasManifest(token: vscode.CancellationToken): Promise<boolean> {
  const uris = await vscode.workspace.findFiles(likelyManifestFiles, '**/node_modules/**', searchedFiles, token);
  for (const uri of uris) {
    if (token.isCancellationRequested) return false;
    if (await fileIsManifest(uri)) return true;
  }
  return false;
}

async function fileIsManifest(uri: vscode.Uri): Promise<boolean> {
  try {
    const bytes = await vscode.workspace.fs.readFile(uri);
    return looksLikeKubernetes(new TextDecoder().decode(bytes.subarray(0, searchedBytes)));
  } catch {
    // It has gone, or may not be read.
    return false;
  }
}
