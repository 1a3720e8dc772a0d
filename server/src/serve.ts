/** Wiring: the connection, and what the server answers on it. */
import { assistantsFeature } from './assistants/assistants-feature.ts';
import { beyondFeature } from './language/server/remote-commands.ts';
import { connect, outlive } from './language/connection/connect.ts';
import { startServer } from './language/server/server.ts';
import { thisMachine } from './language/session/node-platform.ts';

export function serve(): void {
  const connection = connect();
  outlive(connection);
  startServer(connection, thisMachine, [beyondFeature, assistantsFeature]);
}
