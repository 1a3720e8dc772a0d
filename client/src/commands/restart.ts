import * as vscode from 'vscode';

/** `podium.restart`. */
export function registerRestart(restart: () => Promise<void>): vscode.Disposable {
  return vscode.commands.registerCommand('podium.restart', restart);
}
