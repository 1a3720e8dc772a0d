import * as vscode from 'vscode';
import { LanguageClient, TransportKind } from 'vscode-languageclient/node';
import { Server, type ServerListener } from './server.ts';

/** Leaves it to others to tell the user that a server ends: many messages at a time hide the one that asks. */
class Client extends LanguageClient {
  override error(message: string, data?: unknown, show?: boolean | 'force'): void {
    super.error(message, data, show === 'force' ? false : show);
  }
}

/** Starts the language server as a process. Rejects when it does not come up. */
export function startInProcess(
  context: vscode.ExtensionContext,
  log: vscode.LogOutputChannel,
  listener: ServerListener,
): Promise<Server> {
  const module = vscode.Uri.joinPath(context.extensionUri, 'dist', 'server.mjs').fsPath;
  const reached = {
    connect: (options: ConstructorParameters<typeof LanguageClient>[3] & object) =>
      new Client('podium', 'Podium', { module, transport: TransportKind.ipc }, options),
    git: true,
  };
  return new Server(reached, context, log, listener).start();
}
