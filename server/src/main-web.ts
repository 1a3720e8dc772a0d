/** The language server in a browser's worker: without disk, programs and git. The client reads files for it. */
import './language/connection/carry-messages.ts';
import {
  BrowserMessageReader,
  BrowserMessageWriter,
  createConnection,
  ProposedFeatures,
} from 'vscode-languageserver/browser';
import { checkedParams } from './language/connection/checked-params.ts';
import { sayingMessages } from './language/connection/said-messages.ts';
import { startServer } from './language/server/server.ts';

// What a worker talks through; the types of this project are those of Node.
const port: never = globalThis as never;
const options = { messageStrategy: checkedParams };
startServer(
  createConnection(
    ProposedFeatures.all,
    new BrowserMessageReader(port),
    sayingMessages(new BrowserMessageWriter(port)),
    options,
  ),
  null,
);
