/** The wiring of the server in a worker of a browser. */
import {
  BrowserMessageReader,
  BrowserMessageWriter,
  createConnection,
  ProposedFeatures,
} from 'vscode-languageserver/browser';
import { checkedParams } from './language/connection/checked-params.ts';
import { sayingMessages } from './language/connection/said-messages.ts';
import { startServer } from './language/server/server.ts';

export function serve(): void {
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
}
