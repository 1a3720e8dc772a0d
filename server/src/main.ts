/**
 * The language server as a process of its own, as VS Code starts it: over IPC, or over a pipe with `--stdio`. The same
 * server runs in `podium lsp`.
 */
import './language/connection/carry-messages.ts';
import { assistantsFeature } from './assistants/assistants-feature.ts';
import { beyondFeature } from './language/server/remote-commands.ts';
import { connect, outlive } from './language/connection/connect.ts';
import { startServer } from './language/server/server.ts';
import { thisMachine } from './language/session/node-platform.ts';

const connection = connect();
outlive(connection);
startServer(connection, thisMachine, [beyondFeature, assistantsFeature]);
