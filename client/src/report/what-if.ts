import * as vscode from 'vscode';
import * as z from 'zod/mini';
import type { Server } from '../server.ts';

/** Where the kept what-ifs are, by name. */
const key = 'podium.whatIfs';
const keptSchema = z.record(z.string(), z.array(z.string()));

/**
 * Offers the edit that makes an operation true of the manifests. VS Code shows it as a refactoring preview, in which the
 * user accepts or discards it; nothing is written before.
 */
export async function applyWhatIf(server: Pick<Server, 'whatIfEdit'>, operation: string): Promise<void> {
  const { edit, note } = await server.whatIfEdit(operation);
  if (edit === null) {
    void vscode.window.showInformationMessage(vscode.l10n.t("'{0}' cannot be applied: {1}", operation, note));
    return;
  }
  await vscode.workspace.applyEdit(confirmed(edit, operation, note), { isRefactoring: true });
  if (note !== '') void vscode.window.showWarningMessage(note);
}

/** The same edit, of which every part waits for a yes. */
function confirmed(edit: vscode.WorkspaceEdit, operation: string, note: string): vscode.WorkspaceEdit {
  const asked = new vscode.WorkspaceEdit();
  const metadata = { needsConfirmation: true, label: operation, ...(note === '' ? {} : { description: note }) };
  for (const [uri, edits] of edit.entries()) {
    for (const each of edits) asked.replace(uri, each.range, each.newText, metadata);
  }
  return asked;
}

/** Keeps operations in the state of the workspace, under a name that is asked for. */
export async function keepWhatIf(memento: vscode.Memento, operations: readonly string[]): Promise<void> {
  const name = await vscode.window.showInputBox({
    title: vscode.l10n.t('Keep what is tried'),
    prompt: operations.join(' · '),
    placeHolder: vscode.l10n.t('A name'),
  });
  if (name === undefined || name === '') return;
  await memento.update(key, { ...keptWhatIfs(memento), [name]: operations });
}

/** Asks which of the kept ones to take up; undefined for none. */
export async function chooseWhatIf(memento: vscode.Memento): Promise<readonly string[] | undefined> {
  const items = Object.entries(keptWhatIfs(memento)).map(([label, operations]) => ({
    label,
    detail: operations.join(' · '),
    operations,
  }));
  if (items.length === 0) {
    void vscode.window.showInformationMessage(vscode.l10n.t('Nothing is kept yet: try something, and press Keep.'));
    return undefined;
  }
  return (await vscode.window.showQuickPick(items, { title: vscode.l10n.t('Try what was kept') }))?.operations;
}

/** By their names. */
export function keptWhatIfs(memento: vscode.Memento): Readonly<Record<string, string[]>> {
  return keptSchema.safeParse(memento.get(key)).data ?? {};
}
