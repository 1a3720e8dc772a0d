import * as vscode from 'vscode';
import { manifestLanguages } from './kubernetes-text.ts';

interface Filter {
  readonly scheme: string;
  readonly language: string;
}

/**
 * Documents that are manifests of the workspace, or may become some. The earlier versions that a comparison or a history
 * shows (`git:`, for example) are not: they would count beside the file itself.
 */
export function manifestSelector(): Filter[] {
  const folders = vscode.workspace.workspaceFolders ?? [];
  const schemes = new Set(['file', 'untitled', ...folders.map(({ uri }) => uri.scheme)]);
  return [...schemes].flatMap((scheme) => manifestLanguages.map((language) => ({ scheme, language })));
}
