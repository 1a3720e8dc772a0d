import { said } from '../../util/say.ts';
import type { DocumentSymbol, Hover, MarkupContent, SymbolInformation, WorkspaceEdit } from 'vscode-languageserver';

/** Answers for clients that can do less than the newest: the same in forms that every client knows. */

/** Edits by file, for a client that knows of no versions. */
export function plainEdit({ documentChanges = [] }: WorkspaceEdit): WorkspaceEdit {
  const changes = documentChanges.flatMap((change) =>
    'edits' in change ? [[change.textDocument.uri, change.edits.filter((edit) => 'newText' in edit)] as const] : [],
  );
  return { changes: Object.fromEntries(changes) };
}

/** Symbols one after the other, each with the name of the one that it stands in. */
export function plainSymbols(symbols: readonly DocumentSymbol[], uri: string, containerName = ''): SymbolInformation[] {
  return symbols.flatMap(({ name, kind, range, children = [] }) => [
    { name, kind, location: { uri, range }, ...(containerName === '' ? {} : { containerName }) },
    ...plainSymbols(children, uri, name),
  ]);
}

/** Text without the signs of Markdown: what they mark stays, and of links what they are called. */
export function plainHover({ contents, range }: Hover & { readonly contents: MarkupContent }): Hover {
  const value = said(contents.value)
    .split('\n')
    .map((line) => line.replace(/\[([^\][]*)\]\([^()\s]*\)/g, '$1').replace(/\*\*|`|^\*|\*$/g, ''))
    .map((line) => line.replace(/\\([!-/:-@[-`{-~])/g, '$1'))
    .join('\n');
  return { contents: { kind: 'plaintext', value }, ...(range === undefined ? {} : { range }) };
}
