/**
 * The language server as a process of its own, as VS Code starts it: over IPC, or over a pipe with `--stdio`. The same
 * server runs in `podium lsp`.
 */
import { connect } from './language/connect.ts';
import { startServer } from './language/server.ts';

startServer(connect());
