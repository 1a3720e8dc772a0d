import type { CancellationToken } from 'vscode-languageserver';
import type { Feature } from '../language/session/feature.ts';
import { type AskParams, askRequest, type UpgradeParams, upgradeRequest } from '../protocol.ts';

/** Answers about what the editor holds with commands of the command line: assistants, and what an upgrade changes. */
export const assistantsFeature: Feature = {
  capabilities: {},
  register(connection, session) {
    connection.onRequest(askRequest, async (params: AskParams, token: CancellationToken) => {
      // Loaded when somebody asks.
      const { ask } = await import('./ask.ts');
      return ask(params, session, token);
    });
    connection.onRequest(upgradeRequest, async (params: UpgradeParams, token: CancellationToken) => {
      const { upgraded } = await import('./ask.ts');
      return upgraded(params, session, token);
    });
  },
};
