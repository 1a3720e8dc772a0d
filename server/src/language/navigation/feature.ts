import { ResponseError } from 'vscode-languageserver';
import type { Feature } from '../session/feature.ts';

const navigation = () => import('./index.ts');

/** From names to what they name and back, renaming, symbols of files and of the workspace, and who may evict whom. */
export const navigationFeature: Feature = {
  capabilities: {
    definitionProvider: true,
    referencesProvider: true,
    documentHighlightProvider: true,
    renameProvider: { prepareProvider: true },
    callHierarchyProvider: true,
    linkedEditingRangeProvider: true,
    documentSymbolProvider: { label: 'Podium' },
    workspaceSymbolProvider: true,
  },
  register(connection, session) {
    const { workspace, textDocument } = session.client;
    const knowsVersions = workspace?.workspaceEdit?.documentChanges === true;
    const knowsNesting = textDocument?.documentSymbol?.hierarchicalDocumentSymbolSupport === true;
    connection.onDefinition(async ({ textDocument: { uri }, position }, token) => {
      const { definition } = await navigation();
      return session.requests.answerWhenRead('definition', uri, token, (file) =>
        definition(file, position, session.facts),
      );
    });
    connection.onReferences(async ({ textDocument: { uri }, position, context }, token) => {
      const { references } = await navigation();
      return session.requests.answerWhenRead('references', uri, token, (file) =>
        references(file, position, session.facts, context.includeDeclaration),
      );
    });
    connection.onDocumentHighlight(async ({ textDocument: { uri }, position }, token) => {
      const { highlights } = await navigation();
      return session.requests.answer('highlights', uri, token, (file) => highlights(file, position, session.facts));
    });
    connection.onPrepareRename(async ({ textDocument: { uri }, position }, token) => {
      const { prepareRename } = await navigation();
      return session.requests.answerWhenRead('rename', uri, token, (file) =>
        prepareRename(file, position, session.facts),
      );
    });
    connection.onRenameRequest(async ({ textDocument: { uri }, position, newName }, token) => {
      const { rename } = await navigation();
      const { plainEdit } = await import('../connection/plain-answers.ts');
      return session.requests.answerWhenRead('rename', uri, token, (file) => {
        const edit = rename(file, position, newName, session.facts);
        return knowsVersions || edit instanceof ResponseError ? edit : plainEdit(edit);
      });
    });
    connection.languages.callHierarchy.onPrepare(async ({ textDocument: { uri }, position }, token) => {
      const { preparePreemptionHierarchy } = await navigation();
      return session.requests.answerWhenRead('hierarchy', uri, token, (file) =>
        preparePreemptionHierarchy(file, position, session.facts),
      );
    });
    connection.languages.callHierarchy.onIncomingCalls(async ({ item }) => {
      const { mayEvict } = await navigation();
      return session.requests.guard('hierarchy', () => mayEvict(item, session.facts), null);
    });
    connection.languages.callHierarchy.onOutgoingCalls(async ({ item }) => {
      const { mayBeEvicted } = await navigation();
      return session.requests.guard('hierarchy', () => mayBeEvicted(item, session.facts), null);
    });
    connection.languages.onLinkedEditingRange(async ({ textDocument: { uri }, position }, token) => {
      const { linkedRanges } = await navigation();
      return session.requests.answer('linked editing', uri, token, (file) =>
        linkedRanges(file, position, session.facts),
      );
    });
    connection.onDocumentSymbol(async ({ textDocument: { uri } }, token) => {
      const { documentSymbols } = await navigation();
      const { plainSymbols } = await import('../connection/plain-answers.ts');
      return session.requests.answer('symbols', uri, token, (file) => {
        const symbols = documentSymbols(file);
        return knowsNesting ? symbols : plainSymbols(symbols, uri);
      });
    });
    connection.onWorkspaceSymbol(async ({ query }) => {
      const { workspaceSymbols } = await navigation();
      return session.requests.guard('symbols', () => workspaceSymbols(query, session.facts), []);
    });
  },
};
