import * as vscode from 'vscode';
import type { OverviewRow } from '../overview-row.ts';

/** Copies the name of what a row tells of. */
export async function copyName({ entry }: OverviewRow): Promise<void> {
  if (entry !== undefined) await vscode.env.clipboard.writeText(entry.name);
}

/** Shows where the name of a class is used. */
export async function findReferences({ entry }: OverviewRow): Promise<void> {
  if (entry?.origin == null) return;
  const uri = vscode.Uri.parse(entry.origin.uri, true);
  const { line, character } = entry.origin.range.start;
  const start = new vscode.Position(line, character);
  // Not of the editor that is active: which that is changes while the menu closes.
  const found = await vscode.commands.executeCommand<vscode.Location[]>('vscode.executeReferenceProvider', uri, start);
  await vscode.commands.executeCommand('editor.action.peekLocations', uri, start, found, 'peek');
}
