import type { Feature } from '../session/feature.ts';

const structure = () => import('./index.ts');

/** What belongs together in a file, to select more at a time and to fold, and which files it names. */
export const structureFeature: Feature = {
  capabilities: { selectionRangeProvider: true, foldingRangeProvider: true, documentLinkProvider: {} },
  register(connection, session) {
    connection.onSelectionRanges(async ({ textDocument: { uri }, positions }, token) => {
      const { selectionRanges } = await structure();
      return session.requests.answer('selection ranges', uri, token, (file) => selectionRanges(file, positions));
    });
    connection.onDocumentLinks(async ({ textDocument: { uri } }, token) => {
      const { documentLinks } = await structure();
      return session.requests.answer('links', uri, token, (file) =>
        documentLinks(file, (each) => session.folders.has(each)),
      );
    });
    connection.onFoldingRanges(async ({ textDocument: { uri } }, token) => {
      const { foldingRanges } = await structure();
      const most = session.client.textDocument?.foldingRange?.rangeLimit;
      return session.requests.answer('folding ranges', uri, token, (file) => foldingRanges(file, most));
    });
  },
};
