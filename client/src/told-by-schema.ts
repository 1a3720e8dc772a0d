import * as vscode from 'vscode';
import type { ToldBySchemaParams } from '../../server/src/protocol.ts';
import { manifestSelector } from './manifest-selector.ts';

/** As many findings of a file as are compared with Podium's. */
const most = 1000;

/**
 * Tells what the extension of Red Hat tells of open files by a schema, whoever gave it that: settings, a line in the file
 * or another extension.
 */
export function tellWhatSchemasTell(send: (params: ToldBySchemaParams) => Promise<void>): vscode.Disposable {
  const sent = new Map<string, string>();
  const report = (document: vscode.TextDocument): void => {
    if (vscode.languages.match(manifestSelector(), document) === 0) return;
    const findings = vscode.languages
      .getDiagnostics(document.uri)
      .filter(({ source }) => source?.startsWith('yaml-schema') === true)
      .slice(0, most)
      .map(({ range, message }) => toldAt(document, range, message));
    const key = document.uri.toString();
    const text = JSON.stringify(findings);
    // Of a file of which nothing was told yet, that nothing is told is no news.
    if ((sent.get(key) ?? '[]') === text) return;
    sent.set(key, text);
    send({ uri: key, told: findings }).catch(() => sent.delete(key));
  };
  for (const document of vscode.workspace.textDocuments) report(document);
  return vscode.Disposable.from(
    vscode.languages.onDidChangeDiagnostics(({ uris }) => {
      const changed = new Set(uris.map(String));
      for (const document of vscode.workspace.textDocuments) if (changed.has(document.uri.toString())) report(document);
    }),
    vscode.workspace.onDidCloseTextDocument(({ uri }) => sent.delete(uri.toString())),
  );
}

function toldAt(
  document: vscode.TextDocument,
  range: vscode.Range,
  message: string,
): ToldBySchemaParams['told'][number] {
  const line = document.lineAt(Math.min(range.start.line, document.lineCount - 1));
  const underlined = range.isSingleLine ? line.text.slice(0, range.end.character) : line.text;
  return { line: line.text.trim(), text: underlined.slice(range.start.character).trim(), message };
}
