import * as vscode from 'vscode';

/** `podium.showLogs`. */
export function registerShowLogs(log: vscode.LogOutputChannel): vscode.Disposable {
  return vscode.commands.registerCommand('podium.showLogs', () => {
    log.show();
  });
}
