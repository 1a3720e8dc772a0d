import * as vscode from 'vscode';

/** `podium.exclude GLOBS`: what is no part of the cluster, of the workspace, so that a team can commit it. */
export function registerExclude(): vscode.Disposable {
  return vscode.commands.registerCommand('podium.exclude', async (globs: unknown) => {
    if (!Array.isArray(globs)) return;
    await vscode.workspace.getConfiguration('podium').update('exclude', globs, vscode.ConfigurationTarget.Workspace);
  });
}
