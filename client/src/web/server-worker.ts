import * as vscode from 'vscode';
import { LanguageClient } from 'vscode-languageclient/browser';
import { Server, type ServerListener } from '../server.ts';
import { Parts } from './parts.ts';
import type { FromWorker, ToWorker } from './worker-messages.ts';

/** What a browser has and the types of Node have not. */
interface BrowserWorker {
  postMessage(message: unknown, transferred: readonly unknown[]): void;
  addEventListener(type: 'error' | 'messageerror', listener: (event: { readonly message?: string }) => void): void;
  terminate(): void;
}
interface BrowserPort {
  onmessage?: (event: { readonly data: FromWorker }) => void;
  postMessage(message: ToWorker): void;
}
declare const Worker: new (url: string) => BrowserWorker;

/** Leaves it to others to tell the user that a server ends. */
class Client extends LanguageClient {
  override error(message: string, data?: unknown, show?: boolean | 'force'): void {
    super.error(message, data, show === 'force' ? false : show);
  }
}

/** Starts the language server in a worker. Rejects when it does not come up. */
export async function startInWorker(
  context: vscode.ExtensionContext,
  log: vscode.LogOutputChannel,
  listener: ServerListener,
): Promise<Server> {
  const parts = new Parts(vscode.Uri.joinPath(context.extensionUri, 'dist'));
  const worker = new Worker(await parts.url('web/worker.js'));
  const end = (): void => {
    worker.terminate();
    parts.dispose();
  };
  let server: Server | undefined;
  // What nobody has caught ends a process; a worker would go on without whoever waits for it.
  const failed = new Promise<never>((_resolve, reject) => {
    worker.addEventListener('error', ({ message = 'unknown' }) => {
      log.error('The language server has failed:', message);
      reject(new Error(message));
      server?.ended();
    });
  });
  try {
    await Promise.race([loaded(worker, parts), failed]);
    const reached = {
      connect: (options: ConstructorParameters<typeof LanguageClient>[3]) =>
        new Client('podium', 'Podium', worker, options),
      git: false,
      end,
    };
    server = new Server(reached, context, log, listener);
    failed.catch(() => undefined);
    return await server.start();
  } catch (error) {
    end();
    throw error;
  }
}

/** Settles when the server is loaded. From then on the worker is given the parts that it asks for. */
async function loaded(worker: BrowserWorker, parts: Parts): Promise<void> {
  const { port1, port2 } = new MessageChannel();
  const port: BrowserPort = port1;
  const send = (message: ToWorker): void => {
    port.postMessage(message);
  };
  const give = async (name: string): Promise<void> => {
    try {
      send({ name, url: await parts.url(name) });
    } catch (error) {
      send({ name, error: String(error) });
    }
  };
  const ready = new Promise<void>((resolve, reject) => {
    port.onmessage = ({ data }) => {
      if (data.kind === 'ready') resolve();
      if (data.kind === 'failed') reject(new Error(data.message));
      if (data.kind === 'part') void give(data.name);
    };
  });
  worker.postMessage({ entry: await parts.url('web/server.mjs'), port: port2 }, [port2]);
  return ready;
}
