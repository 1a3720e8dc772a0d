import * as vscode from 'vscode';
import * as z from 'zod/mini';
import type { Origin } from '../../../server/src/report-model/origin.ts';
import type { Server } from '../server.ts';

/** Where the kept what-ifs are, by name. */
const key = 'podium.whatIfs';
const keptSchema = z.record(z.string(), z.array(z.string()));

/**
 * Writes at once what makes an operation true of the manifests, unsaved, shows where, and offers to take it back as a
 * whole.
 */
export async function applyWhatIf(
  server: Pick<Server, 'whatIfEdit'>,
  operation: string,
  reveal: (origin: Origin) => void,
): Promise<void> {
  const { edit, note } = await server.whatIfEdit(operation);
  if (edit === null) {
    void vscode.window.showInformationMessage(vscode.l10n.t("'{0}' cannot be applied: {1}", operation, note));
    return;
  }
  const changes = edit.entries();
  const before = await Promise.all(changes.map(async ([uri]) => vscode.workspace.openTextDocument(uri)));
  const texts = before.map((document) => document.getText());
  if (!(await vscode.workspace.applyEdit(edit))) {
    void vscode.window.showErrorMessage(vscode.l10n.t('VS Code did not write the change.'));
    return;
  }
  const written = before.map((document, index) => ({ document, text: texts[index]!, version: document.version }));
  const [first] = changes;
  const at = first?.[1][0]?.range.start;
  if (first !== undefined && at !== undefined) reveal({ uri: first[0].toString(), range: { start: at, end: at } });
  const undo = vscode.l10n.t('Undo');
  const said = vscode.l10n.t('Written and not saved: {0}', operation);
  const chosen =
    note === ''
      ? await vscode.window.showInformationMessage(said, undo)
      : await vscode.window.showWarningMessage(`${said}. ${note}`, undo);
  if (chosen === undo) await takeBack(written);
}

interface Written {
  readonly document: vscode.TextDocument;
  /** As it was before. */
  readonly text: string;
  /** After it was written; another one says that somebody went on. */
  readonly version: number;
}

async function takeBack(written: readonly Written[]): Promise<void> {
  if (written.some(({ document, version }) => document.version !== version)) {
    void vscode.window.showInformationMessage(
      vscode.l10n.t('The text has changed since. Undo in its editor takes it back step by step.'),
    );
    return;
  }
  const edit = new vscode.WorkspaceEdit();
  for (const { document, text } of written) {
    const end = document.lineAt(document.lineCount - 1).range.end;
    edit.replace(document.uri, new vscode.Range(new vscode.Position(0, 0), end), text);
  }
  await vscode.workspace.applyEdit(edit);
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
