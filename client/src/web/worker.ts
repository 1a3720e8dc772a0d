/** What a worker runs first: it loads the language server, and the parts of it that it asks for later. */
import type { FromWorker, ToWorker } from './worker-messages.ts';

interface WorkerScope {
  onmessage: ((event: { readonly data: { readonly entry: string; readonly port: Port } }) => void) | null;
  podiumPart(name: string): Promise<unknown>;
}

interface Port {
  onmessage: ((event: { readonly data: ToWorker }) => void) | null;
  postMessage(message: FromWorker): void;
}

const scope = globalThis as unknown as WorkerScope;

scope.onmessage = ({ data: { entry, port } }) => {
  const wanted = new Map<
    string,
    { readonly resolve: (part: unknown) => void; readonly reject: (error: Error) => void }
  >();
  const parts = new Map<string, Promise<unknown>>();
  port.onmessage = ({ data }) => {
    const asked = wanted.get(data.name);
    if ('url' in data) asked?.resolve(import(data.url));
    else asked?.reject(new Error(data.error));
  };
  scope.podiumPart = (name) => {
    let part = parts.get(name);
    if (part === undefined) {
      part = new Promise((resolve, reject) => {
        wanted.set(name, { resolve, reject });
        port.postMessage({ kind: 'part', name });
      });
      parts.set(name, part);
    }
    return part;
  };
  import(entry).then(
    () => {
      port.postMessage({ kind: 'ready' });
    },
    (error: unknown) => {
      port.postMessage({ kind: 'failed', message: String(error) });
    },
  );
};
