import * as vscode from 'vscode';
import type { Origin } from '../../server/src/report-model/origin.ts';

/** Shows what is written at a place, never over the report: in the editor that has the file open, or beside. */
export async function reveal(origin: Origin, report: vscode.ViewColumn | undefined): Promise<void> {
  const uri = vscode.Uri.parse(origin.uri, true);
  const { start, end } = origin.range;
  const open = vscode.window.visibleTextEditors.find(
    ({ document, viewColumn }) => document.uri.toString() === uri.toString() && viewColumn !== report,
  );
  const other = report === vscode.ViewColumn.One ? vscode.ViewColumn.Two : vscode.ViewColumn.One;
  try {
    await vscode.window.showTextDocument(uri, {
      viewColumn: open?.viewColumn ?? other,
      selection: new vscode.Range(start.line, start.character, end.line, end.character),
    });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    void vscode.window.showErrorMessage(vscode.l10n.t('The manifest cannot be shown: {0}', reason));
  }
}
