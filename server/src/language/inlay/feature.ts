import { InlayHintRefreshRequest } from 'vscode-languageserver';
import type { Feature } from '../session/feature.ts';

/** How long typing must pause before an editor is asked to ask again, in milliseconds. */
const pause = 300;

/** Numbers beside the text: the priority that counts, who decides the replicas, how many pods a selector selects. */
export const inlayHintsFeature: Feature = {
  capabilities: { inlayHintProvider: true },
  register(connection, session) {
    let shown = -1;
    let timer: ReturnType<typeof setTimeout> | undefined;
    connection.languages.inlayHint.on(async ({ textDocument: { uri }, range }, token) => {
      const { inlayHints } = await import('./hints.ts');
      shown = session.modelVersion;
      return session.requests.answerWhenRead('inlay hints', uri, token, (file) =>
        inlayHints(file, range, session.facts, session.settings),
      );
    });
    session.onChanged(() => {
      clearTimeout(timer);
      if (session.client.workspace?.inlayHint?.refreshSupport !== true) return;
      timer = setTimeout(() => {
        // Editors ask again by themselves for the file that is typed into, not for others that show what it decides.
        if (shown === -1 || shown === session.modelVersion) return;
        shown = session.modelVersion;
        connection.sendRequest(InlayHintRefreshRequest.type).catch((error: unknown) => {
          session.log.error('inlay hints', error);
        });
      }, pause);
    });
  },
};
