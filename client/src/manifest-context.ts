import * as vscode from 'vscode';
import { isManifest } from './first-manifest.ts';

/** Keeps the context key `podium.manifest`, which menus and keys use: true while the active editor shows a manifest. */
export function keepManifestContext(): vscode.Disposable {
  const update = () => {
    const document = vscode.window.activeTextEditor?.document;
    void vscode.commands.executeCommand(
      'setContext',
      'podium.manifest',
      document !== undefined && isManifest(document),
    );
  };
  update();
  return vscode.Disposable.from(
    vscode.window.onDidChangeActiveTextEditor(update),
    vscode.workspace.onDidSaveTextDocument(update),
  );
}
