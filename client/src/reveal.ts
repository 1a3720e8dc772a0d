import * as vscode from 'vscode';
import type { Origin } from '../../server/src/contract/report.ts';

/** Shows what is written at a place, in the editor that has the file open already or in the first column. */
export async function reveal(origin: Origin, { preserveFocus }: { readonly preserveFocus: boolean }): Promise<void> {
  const uri = vscode.Uri.parse(origin.uri, true);
  const { start, end } = origin.range;
  const open = vscode.window.visibleTextEditors.find(({ document }) => document.uri.toString() === uri.toString());
  try {
    await vscode.window.showTextDocument(uri, {
      viewColumn: open?.viewColumn ?? vscode.ViewColumn.One,
      preserveFocus,
      selection: new vscode.Range(start.line, start.character, end.line, end.character),
    });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    void vscode.window.showErrorMessage(`The manifest cannot be shown: ${reason}`);
  }
}
