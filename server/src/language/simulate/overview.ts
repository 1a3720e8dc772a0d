import type { CancellationToken } from 'vscode-languageserver';
import { overviewChangedNotification, overviewRequest } from '../../protocol.ts';
import type { Feature } from '../session/feature.ts';
import { Outdated } from '../session/outdated.ts';

/** What the side bar shows. It is worked out when somebody asks, and only that it would be another is told unasked. */
export const overviewFeature: Feature = {
  capabilities: {},
  register(connection, session) {
    const outdated = new Outdated(session, () => {
      void connection.sendNotification(overviewChangedNotification);
    });
    connection.onRequest(overviewRequest, async (_params: unknown, token: CancellationToken) => {
      const { overview } = await import('./overview-answer.ts');
      return overview(session, token, () => {
        outdated.restsOn();
      });
    });
  },
};
