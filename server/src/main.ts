/**
 * The language server as a process of its own, as VS Code starts it: over IPC, or over a pipe with `--stdio`. The same
 * server runs in `podium lsp`.
 */
import { assistantsFeature } from './assistants/assistants-feature.ts';
import { beyondFeature } from './language/beyond.ts';
import { connect, outlive } from './language/connect.ts';
import { startServer } from './language/server.ts';
import { thisMachine } from './language/this-machine.ts';

const connection = connect();
outlive(connection);
startServer(connection, thisMachine, [beyondFeature, assistantsFeature]);
