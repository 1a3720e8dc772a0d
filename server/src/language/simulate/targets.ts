import type { CancellationToken } from 'vscode-languageserver';
import { targetsRequest, type TargetsResult } from '../../protocol.ts';
import type { Feature } from '../session/feature.ts';

/** Lists what could be applied, for whoever wants to choose. */
export const targetsFeature: Feature = {
  capabilities: {},
  register(connection, session) {
    connection.onRequest(targetsRequest, async (_params: unknown, token: CancellationToken): Promise<TargetsResult> => {
      await session.whenApplied(token);
      return (await session.rendering.applied?.listing(token)) ?? { rendering: 'on', targets: [] };
    });
  },
};
