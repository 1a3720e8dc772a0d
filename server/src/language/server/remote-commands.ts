import type { CancellationToken } from 'vscode-languageserver';
import {
  type CaptureParams,
  captureRequest,
  contextsRequest,
  type FetchParams,
  fetchRequest,
  remotesRequest,
} from '../../protocol.ts';
import type { Feature } from '../session/feature.ts';

/** What asks others than this machine: each request is a command of the user's, and nothing else comes here. */
export const beyondFeature: Feature = {
  capabilities: {},
  register(connection, session) {
    // Loaded when somebody asks.
    const requests = async () => new (await import('./remote-command-requests.ts')).BeyondRequests(connection, session);
    connection.onRequest(remotesRequest, async (_params: unknown, token: CancellationToken) =>
      (await requests()).remotes(token),
    );
    connection.onRequest(fetchRequest, async (params: FetchParams, token: CancellationToken) =>
      (await requests()).fetch(params, token),
    );
    connection.onRequest(contextsRequest, async (_params: unknown, token: CancellationToken) =>
      (await requests()).contexts(token),
    );
    connection.onRequest(captureRequest, async (params: CaptureParams, token: CancellationToken) =>
      (await requests()).capture(params, token),
    );
  },
};
