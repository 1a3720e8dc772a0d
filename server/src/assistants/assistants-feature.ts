import type { CancellationToken } from 'vscode-languageserver';
import type { Feature } from '../language/feature.ts';
import { type AskParams, askRequest } from '../protocol.ts';

/** Answers assistants about what the editor holds, with the tools of `podium mcp`. */
export const assistantsFeature: Feature = {
  capabilities: {},
  register(connection, session) {
    connection.onRequest(askRequest, async (params: AskParams, token: CancellationToken) => {
      // Loaded when somebody asks.
      const { ask } = await import('./ask.ts');
      return ask(params, session, token);
    });
  },
};
