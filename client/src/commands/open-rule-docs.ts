import * as vscode from 'vscode';

/** `podium.openRuleDocs CODE`: the page of a diagnostic, which comes with the extension. */
export function registerOpenRuleDocs(extensionUri: vscode.Uri): vscode.Disposable {
  return vscode.commands.registerCommand('podium.openRuleDocs', async (code: unknown) => {
    // The code becomes part of a path.
    if (typeof code !== 'string' || !/^[a-z0-9-]+$/.test(code)) return;
    const page = vscode.Uri.joinPath(extensionUri, 'docs', 'rules', `${code}.md`);
    await vscode.commands.executeCommand('markdown.showPreviewToSide', page);
  });
}
