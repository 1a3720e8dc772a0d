import { type CancellationToken, ResponseError } from 'vscode-languageserver';
import type { Overview } from '../../report-model/overview.ts';
import { overviewChangedNotification, overviewRequest } from '../../protocol.ts';
import type { Feature } from '../session/feature.ts';
import { Outdated } from '../session/outdated.ts';

/**
 * What the side bar shows. It is worked out when somebody asks, and only that it would be another is told unasked; while
 * something is half typed the last answer stays.
 */
export const overviewFeature: Feature = {
  capabilities: {},
  register(connection, session) {
    const outdated = new Outdated(session, () => {
      void connection.sendNotification(overviewChangedNotification);
    });
    let last: { readonly version: number; readonly answer: Overview } | undefined;
    connection.onRequest(overviewRequest, async (_params: unknown, token: CancellationToken) => {
      if (session.openFiles.isHalfTyped && last !== undefined) {
        outdated.restsOn(last.version);
        return last.answer;
      }
      const { overview } = await import('./overview-answer.ts');
      let version = session.modelVersion;
      const answer = await overview(session, token, () => {
        version = session.modelVersion;
        outdated.restsOn();
      });
      if (!(answer instanceof ResponseError)) last = { version, answer };
      return answer;
    });
  },
};
