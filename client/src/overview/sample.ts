import * as vscode from 'vscode';

/** Where it is kept which copy was opened, until its window has come up. */
type Key = string;

/**
 * Opens a copy of the sample that the user may change. The copy stays, one for each version of the extension; where a
 * folder is open already, it comes in a window of its own.
 */
export async function openSample(
  { extension, extensionUri, globalState, globalStorageUri }: vscode.ExtensionContext,
  opened: Key,
): Promise<void> {
  const { version } = extension.packageJSON as { readonly version: string };
  const sample = vscode.Uri.joinPath(extensionUri, 'samples', 'online-shop');
  const folder = vscode.Uri.joinPath(globalStorageUri, 'samples', version);
  const copy = vscode.Uri.joinPath(folder, 'online-shop');
  try {
    if (!(await isThere(copy))) {
      await vscode.workspace.fs.createDirectory(folder);
      await vscode.workspace.fs.copy(sample, copy);
    }
  } catch (error) {
    // In a browser extensions may lie where nobody can list their files.
    const reason = error instanceof Error ? error.message : String(error);
    void vscode.window.showErrorMessage(vscode.l10n.t('The sample cannot be copied: {0}', reason));
    return;
  }
  await globalState.update(opened, copy.toString());
  const forceNewWindow = (vscode.workspace.workspaceFolders ?? []).length > 0;
  await vscode.commands.executeCommand('vscode.openFolder', copy, { forceNewWindow });
}

async function isThere(uri: vscode.Uri): Promise<boolean> {
  return vscode.workspace.fs.stat(uri).then(
    () => true,
    () => false,
  );
}

/** The window of the sample has come up: the walkthrough goes on there. */
export async function continueSample({ extension, globalState }: vscode.ExtensionContext, opened: Key): Promise<void> {
  await globalState.update(opened, undefined);
  const walkthrough = { category: `${extension.id}#start`, step: 'view' };
  await vscode.commands.executeCommand('workbench.action.openWalkthrough', walkthrough);
  try {
    // VS Code counts no event of before the walkthrough was first opened in a window, as that of the command is.
    await vscode.commands.executeCommand('welcome.markStepComplete', `${walkthrough.category}#sample`);
  } catch {
    // A VS Code without the command ticks the step when the sample is opened from the walkthrough itself.
  }
}
