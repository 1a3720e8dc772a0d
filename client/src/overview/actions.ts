import * as vscode from 'vscode';
import type { OverviewRow } from '../overview-row.ts';

/** Copies the name of what a row tells of. */
export async function copyName({ told }: OverviewRow): Promise<void> {
  if (told !== undefined) await vscode.env.clipboard.writeText(told.name);
}

/** Shows where the name of a class is used. */
export async function findReferences({ told }: OverviewRow): Promise<void> {
  if (told?.origin == null) return;
  const { uri, range } = told.origin;
  const { line, character } = range.start;
  const selection = new vscode.Range(line, character, line, character);
  await vscode.window.showTextDocument(vscode.Uri.parse(uri, true), { selection, preview: true });
  await vscode.commands.executeCommand('editor.action.goToReferences');
}
