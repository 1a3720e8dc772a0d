import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { PodiumApi } from '../../../client/src/podium.ts';

/** The extension under test, as VS Code knows it. */
export function podium(): vscode.Extension<PodiumApi> {
  const extension = vscode.extensions.getExtension<PodiumApi>('podium.podium');
  assert(extension !== undefined, 'the extension is not there');
  return extension;
}

/** The file of the workspace at a path relative to its folder. */
export function fileUri(...path: readonly string[]): vscode.Uri {
  const folder = vscode.workspace.workspaceFolders?.[0];
  assert(folder !== undefined, 'no folder is open');
  return vscode.Uri.joinPath(folder.uri, ...path);
}
