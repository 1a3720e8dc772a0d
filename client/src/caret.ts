import * as vscode from 'vscode';
import type { CaretParams } from '../../server/src/protocol.ts';
import { manifestSelector } from './manifest-selector.ts';

/** Says where the caret of the active editor is, while that shows what may be a manifest. */
export function tellCaret(send: (params: CaretParams) => Promise<void>): vscode.Disposable {
  const report = (editor: vscode.TextEditor | undefined): void => {
    if (editor === undefined || vscode.languages.match(manifestSelector(), editor.document) === 0) return;
    const { line, character } = editor.selection.active;
    // A server that is gone has nothing to say of it.
    send({ uri: editor.document.uri.toString(), line, character }).catch(() => undefined);
  };
  return vscode.Disposable.from(
    vscode.window.onDidChangeActiveTextEditor(report),
    vscode.window.onDidChangeTextEditorSelection(({ textEditor }) => {
      if (textEditor === vscode.window.activeTextEditor) report(textEditor);
    }),
  );
}
