import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { eventually } from './eventually.ts';
import { fileUri } from './extension.ts';

/** Opens a file of the workspace in an editor. */
export async function openFile(...path: readonly string[]): Promise<vscode.TextEditor> {
  return vscode.window.showTextDocument(fileUri(...path), { preview: false });
}

/** Where a text is written first in a document. */
export function rangeOf(document: vscode.TextDocument, text: string): vscode.Range {
  const offset = document.getText().indexOf(text);
  assert(offset >= 0, `'${text}' is not in ${document.uri.path}`);
  return new vscode.Range(document.positionAt(offset), document.positionAt(offset + text.length));
}

/** Types over the first occurrence of a text. */
export async function replace(editor: vscode.TextEditor, text: string, by: string): Promise<void> {
  const range = rangeOf(editor.document, text);
  assert(
    await editor.edit((edit) => {
      edit.replace(range, by);
    }),
  );
}

/** The problems that the sample is there to show, by the end of the path of their file. */
const committed: readonly (readonly [path: string, code: string])[] = [
  ['/budgets.yaml', 'budget-blocks-evictions'],
  ['/ingress-nginx.yaml', 'budget-broken-by-preemption'],
  ['/order-history-export.yaml', 'exceeds-every-node'],
];

/** Takes back what has been typed in every editor and closes them, and waits for what is committed to be all there is. */
export async function revertAll(): Promise<void> {
  for (const document of vscode.workspace.textDocuments.filter(({ isDirty }) => isDirty)) {
    await vscode.window.showTextDocument(document);
    await vscode.commands.executeCommand('workbench.action.files.revert');
  }
  await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  const left = () =>
    vscode.languages
      .getDiagnostics()
      .flatMap(([uri]) => diagnosticsOf(uri).map((each) => ({ uri, each })))
      .filter(({ uri, each }) => !committed.some(([path, code]) => uri.path.endsWith(path) && codeOf(each) === code));
  await eventually(
    () =>
      `an end of what has been typed: ${left()
        .map(({ uri, each }) => `${uri.path} ${codeOf(each)}`)
        .join(', ')}`,
    () => (left().length === 0 ? true : undefined),
  );
}

/** Our diagnostics of a file. */
export function diagnosticsOf(uri: vscode.Uri): readonly vscode.Diagnostic[] {
  return vscode.languages.getDiagnostics(uri).filter(({ source }) => source === 'podium');
}

function codeOf({ code }: vscode.Diagnostic): string {
  return String(typeof code === 'object' ? code.value : code);
}

/** Waits for a diagnostic with a code that marks a text, or any text, of an open file. */
export function diagnostic(uri: vscode.Uri, code: string, text?: string): Promise<vscode.Diagnostic> {
  const document = vscode.workspace.textDocuments.find((candidate) => candidate.uri.toString() === uri.toString());
  return eventually(
    () => `a diagnostic ${code} in ${uri.path} at ${text ?? 'any text'}: ${JSON.stringify(diagnosticsOf(uri))}`,
    () =>
      diagnosticsOf(uri).find(
        (each) => codeOf(each) === code && (text === undefined || document?.getText(each.range) === text),
      ),
  );
}

/** Waits until a file has no diagnostic with a code. */
export function noDiagnostic(uri: vscode.Uri, code: string): Promise<true> {
  return eventually(`no diagnostic ${code} in ${uri.path}`, () =>
    diagnosticsOf(uri).some((candidate) => codeOf(candidate) === code) ? undefined : true,
  );
}

/** The text of what a hover at a place would show; empty when nothing. */
export async function hoverText(document: vscode.TextDocument, position: vscode.Position): Promise<string> {
  const hovers = await vscode.commands.executeCommand<vscode.Hover[]>(
    'vscode.executeHoverProvider',
    document.uri,
    position,
  );
  // What comes from a language server is Markdown.
  return hovers
    .flatMap(({ contents }) => contents.map((content) => (content as vscode.MarkdownString).value))
    .join('\n');
}

/** Waits until a hover says what is expected. */
export function hoverThat(document: vscode.TextDocument, place: string, says: RegExp): Promise<string> {
  let last = '';
  return eventually(
    () => `a hover at ${place} that says ${says}, and not: ${last}`,
    async () => {
      last = await hoverText(document, rangeOf(document, place).start);
      return says.test(last) ? last : undefined;
    },
  );
}

/** The code lenses of a document, with their commands. */
export function lensesOf(document: vscode.TextDocument): Thenable<vscode.CodeLens[]> {
  return vscode.commands.executeCommand<vscode.CodeLens[]>('vscode.executeCodeLensProvider', document.uri, 1000);
}

/** The quick fixes offered for a diagnostic. */
export async function quickFixes(document: vscode.TextDocument, range: vscode.Range): Promise<vscode.CodeAction[]> {
  const actions = await vscode.commands.executeCommand<vscode.CodeAction[]>(
    'vscode.executeCodeActionProvider',
    document.uri,
    range,
    vscode.CodeActionKind.QuickFix.value,
  );
  return actions;
}
