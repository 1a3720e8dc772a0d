/** An API server on 127.0.0.1 that the real kubectl can ask, with a kubeconfig for it. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface StubCluster {
  /** Objects by the path of their list, `/api/v1/pods`, as the API server gives them: without kind and version. */
  readonly lists: Readonly<Record<string, readonly object[]>>;
  /** Names of resources that may not be listed. */
  readonly forbidden?: readonly string[];
  /** Names of resources that are not served. */
  readonly notServed?: readonly string[];
  /** Answers 401 to everything. */
  readonly unauthorized?: boolean;
  readonly gitVersion?: string;
}

export interface StubServer {
  /** A kubeconfig with the contexts `stub/one` and `stub/two`, of which the first is current. */
  readonly kubeconfig: string;
  /** Paths with queries that were asked for, in order. */
  readonly requests: readonly string[];
  close(): Promise<void>;
}

export async function startStubServer(cluster: StubCluster): Promise<StubServer> {
  const requests: string[] = [];
  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    requests.push(request.url ?? '');
    const [status, body] = answer(cluster, new URL(request.url ?? '', 'http://127.0.0.1'));
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const folder = mkdtempSync(join(tmpdir(), 'podium-stub-'));
  const kubeconfig = join(folder, 'config');
  writeFileSync(kubeconfig, JSON.stringify(configuration((server.address() as AddressInfo).port)));
  return {
    kubeconfig,
    requests,
    close: () => {
      rmSync(folder, { recursive: true });
      return new Promise((resolve) => {
        server.close(() => {
          resolve();
        });
      });
    },
  };
}

function configuration(port: number): object {
  const contexts = ['stub/one', 'stub/two'].map((name) => ({ name, context: { cluster: 'stub', user: 'reader' } }));
  return {
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'stub/one',
    clusters: [{ name: 'stub', cluster: { server: `http://127.0.0.1:${port}` } }],
    users: [{ name: 'reader', user: {} }],
    contexts,
  };
}

function answer(cluster: StubCluster, { pathname, searchParams }: URL): readonly [status: number, body: object] {
  const { lists, forbidden = [], notServed = [], unauthorized = false, gitVersion = 'v1.35.1' } = cluster;
  if (unauthorized) return failure(401, 'Unauthorized', 'Unauthorized');
  if (pathname === '/version') return [200, { major: '1', minor: gitVersion.split('.')[1], gitVersion }];
  if (pathname === '/apis') return [200, { kind: 'APIGroupList', groups: groupsOf(lists) }];
  const resource = pathname.split('/').at(-1)!;
  if (notServed.includes(resource)) return failure(404, 'NotFound', 'the server could not find the requested resource');
  if (forbidden.includes(resource)) {
    const words = `${resource} is forbidden: User "reader" cannot list resource "${resource}" at the cluster scope`;
    return failure(403, 'Forbidden', words);
  }
  const all = lists[pathname] ?? [];
  const from = Number(searchParams.get('continue') ?? 0);
  const to = from + Number(searchParams.get('limit') ?? all.length);
  const metadata = to < all.length ? { continue: String(to), remainingItemCount: all.length - to } : {};
  const items = all.length === 0 ? null : all.slice(from, to);
  return [200, { kind: 'List', apiVersion: 'v1', metadata, items }];
}

/** Those that something is listed of. */
function groupsOf(lists: StubCluster['lists']): readonly object[] {
  const found = new Map<string, Set<string>>();
  for (const path of Object.keys(lists)) {
    const [, group, version] = /^\/apis\/([^/]+)\/([^/]+)\//.exec(path) ?? [];
    if (group === undefined || version === undefined) continue;
    found.set(group, (found.get(group) ?? new Set()).add(`${group}/${version}`));
  }
  return [...found].map(([name, versions]) => {
    const all = [...versions].map((groupVersion) => ({ groupVersion, version: groupVersion.split('/')[1] }));
    return { name, versions: all, preferredVersion: all[0] };
  });
}

function failure(code: number, reason: string, message: string): readonly [number, object] {
  return [code, { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', message, reason, code }];
}
