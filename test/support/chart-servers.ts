/** Chart repositories, a registry and git repositories on 127.0.0.1 that the real helm and git can ask. */
import { execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';

export type Files = Readonly<Record<string, string>>;

/** What may stand in an archive. */
export interface ArchiveEntry {
  readonly path: string;
  readonly content?: string;
  /** Makes it a symbolic link. */
  readonly linkTo?: string;
}

export interface Servers {
  /** `http://127.0.0.1:PORT` */
  readonly url: string;
  /** `127.0.0.1:PORT` */
  readonly host: string;
  /** Method and path of what was asked, in order. */
  readonly requests: readonly string[];
  /** Serves an archive as a version of a chart, in the repository `/charts` and in the registry below `charts`. */
  addChart(name: string, version: string, archive: Buffer): void;
  /** Commits files on a branch of the repository `/git/NAME.git`, and answers the commit. */
  commit(name: string, files: Files, options?: { readonly branch?: string; readonly tag?: string }): string;
  /** Answers something at a path. */
  answer(path: string, answer: (response: ServerResponse) => void): void;
  close(): Promise<void>;
}

export async function startServers(): Promise<Servers> {
  const folder = mkdtempSync(join(tmpdir(), 'podium-servers-'));
  const requests: string[] = [];
  const charts = new Map<string, { readonly version: string; readonly archive: Buffer }[]>();
  const answers = new Map<string, (response: ServerResponse) => void>();
  const server = createServer((request, response) => {
    const path = (request.url ?? '').split('?')[0]!;
    requests.push(`${request.method} ${path}`);
    const own = answers.get(path);
    if (own !== undefined) own(response);
    else if (path === '/charts/index.yaml') response.end(indexOf(charts));
    else if (path.startsWith('/charts/')) send(response, archiveAt(charts, path.slice('/charts/'.length)));
    else if (path.startsWith('/v2/')) registry(charts, path, response);
    else if (path.startsWith('/git/')) gitBackend(folder, request, response);
    else send(response, undefined);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: `http://${host}`,
    host,
    requests,
    addChart: (name, version, archive) => {
      const others = (charts.get(name) ?? []).filter((each) => each.version !== version);
      charts.set(name, [...others, { version, archive }]);
    },
    commit: (name, files, options) => commit(folder, name, files, options),
    answer: (path, answer) => answers.set(path, answer),
    close: () => {
      rmSync(folder, { recursive: true });
      server.closeAllConnections();
      return new Promise((resolve) => {
        server.close(() => {
          resolve();
        });
      });
    },
  };
}

type Charts = ReadonlyMap<string, readonly { readonly version: string; readonly archive: Buffer }[]>;

function indexOf(charts: Charts): string {
  const entries = [...charts].map(([name, versions]): [string, object[]] => [
    name,
    versions.map(({ version }) => ({ apiVersion: 'v2', name, version, urls: [`${name}-${version}.tgz`] })),
  ]);
  return JSON.stringify({ apiVersion: 'v1', entries: Object.fromEntries(entries) });
}

function archiveAt(charts: Charts, file: string): Buffer | undefined {
  for (const [name, versions] of charts) {
    for (const { version, archive } of versions) if (file === `${name}-${version}.tgz`) return archive;
  }
  return undefined;
}

function send(response: ServerResponse, body: Buffer | string | undefined, type = 'application/octet-stream'): void {
  if (body === undefined) response.writeHead(404).end();
  else response.writeHead(200, { 'content-type': type, 'content-length': Buffer.byteLength(body) }).end(body);
}

/** Source: the OCI distribution specification; helm, pkg/registry/constants.go */
function registry(charts: Charts, path: string, response: ServerResponse): void {
  const [, name = '', kind = '', reference = ''] = /^\/v2\/charts\/([^/]+)\/(\w+)\/(.+)$/.exec(path) ?? [];
  const versions = charts.get(name) ?? [];
  if (kind === 'tags') {
    send(response, JSON.stringify({ name, tags: versions.map(({ version }) => version) }), 'application/json');
    return;
  }
  const blobs = new Map<string, Buffer>();
  const add = (mediaType: string, content: Buffer): object => {
    const digest = `sha256:${createHash('sha256').update(content).digest('hex')}`;
    blobs.set(digest, content);
    return { mediaType, digest, size: content.length };
  };
  const type = 'application/vnd.oci.image.manifest.v1+json';
  for (const { version, archive } of versions) {
    const config = add('application/vnd.cncf.helm.config.v1+json', Buffer.from(JSON.stringify({ name, version })));
    const layers = [add('application/vnd.cncf.helm.chart.content.v1.tar+gzip', archive)];
    const manifest = Buffer.from(JSON.stringify({ schemaVersion: 2, mediaType: type, config, layers }));
    add(type, manifest);
    if (kind === 'manifests' && reference === version) blobs.set(reference, manifest);
  }
  send(response, blobs.get(reference), kind === 'manifests' ? type : undefined);
}

/** Hands a request to git's own server, as git-http-backend(1) describes. */
function gitBackend(folder: string, request: IncomingMessage, response: ServerResponse): void {
  const url = new URL(request.url ?? '', 'http://127.0.0.1');
  const child = spawn('git', ['http-backend'], {
    env: {
      PATH: process.env['PATH'],
      GIT_PROJECT_ROOT: folder,
      GIT_HTTP_EXPORT_ALL: '1',
      PATH_INFO: url.pathname,
      QUERY_STRING: url.search.slice(1),
      REQUEST_METHOD: request.method,
      CONTENT_TYPE: request.headers['content-type'] ?? '',
      HTTP_CONTENT_ENCODING: request.headers['content-encoding'] ?? '',
      GIT_PROTOCOL: String(request.headers['git-protocol'] ?? ''),
      GIT_CONFIG_COUNT: '1',
      GIT_CONFIG_KEY_0: 'safe.directory',
      GIT_CONFIG_VALUE_0: '*',
    },
  });
  request.pipe(child.stdin);
  const chunks: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
  child.on('close', () => {
    const printed = Buffer.concat(chunks);
    const end = printed.indexOf('\r\n\r\n');
    const headers = printed
      .subarray(0, end)
      .toString()
      .split('\r\n')
      .map((line) => line.split(': ', 2) as [string, string]);
    const status = headers.find(([name]) => name === 'Status')?.[1] ?? '200';
    response.writeHead(Number.parseInt(status, 10), Object.fromEntries(headers)).end(printed.subarray(end + 4));
  });
}

function commit(
  folder: string,
  name: string,
  files: Files,
  { branch = 'main', tag = '' }: { readonly branch?: string; readonly tag?: string } = {},
): string {
  const bare = join(folder, 'git', `${name}.git`);
  const work = mkdtempSync(join(folder, 'work-'));
  mkdirSync(bare, { recursive: true });
  const run = (...args: string[]): string =>
    execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@t', ...args], { cwd: work, encoding: 'utf8' }).trim();
  if (!existsSync(join(bare, 'HEAD'))) run('init', '--quiet', '--bare', '-b', 'main', bare);
  run('init', '--quiet', '-b', branch, '.');
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(work, path)), { recursive: true });
    writeFileSync(join(work, path), text);
  }
  run('add', '--all');
  run('commit', '--quiet', '-m', 'files');
  run('push', '--quiet', '--force', bare, `HEAD:refs/heads/${branch}`);
  if (tag !== '') run('push', '--quiet', '--force', bare, `HEAD:refs/tags/${tag}`);
  run('-C', bare, 'config', 'uploadpack.allowAnySHA1InWant', 'true');
  return run('rev-parse', 'HEAD');
}

/** The archive of a chart as `helm package` makes it. */
export function packedChart(name: string, version: string, files: Files): Buffer {
  const about = `apiVersion: v2\nname: ${name}\nversion: ${version}\n`;
  const all = { 'Chart.yaml': about, ...files };
  return archiveOf(Object.entries(all).map(([path, content]) => ({ path: `${name}/${path}`, content })));
}

/** A gzipped tar with whatever it is told, in the form of POSIX.1-1988. */
export function archiveOf(entries: readonly ArchiveEntry[]): Buffer {
  const blocks = entries.flatMap(({ path, content = '', linkTo }) => {
    const header = Buffer.alloc(512);
    header.write(path, 0, 'latin1');
    header.write('0000644\0', 100);
    header.write(`${Buffer.byteLength(content).toString(8).padStart(11, '0')}\0`, 124);
    header.write('00000000000\0', 136);
    header.write('        ', 148);
    header.write(linkTo === undefined ? '0' : '2', 156);
    header.write(linkTo ?? '', 157, 'latin1');
    header.write('ustar\x0000', 257, 'latin1');
    const sum = header.reduce((total, byte) => total + byte, 0);
    header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
    const body = Buffer.alloc(Math.ceil(Buffer.byteLength(content) / 512) * 512);
    body.write(content);
    return [header, body];
  });
  return gzipSync(Buffer.concat([...blocks, Buffer.alloc(1024)]));
}

/** Writes a HelmRelease whose chart is in a repository elsewhere. */
export function writeRelease(folder: string, url: string): void {
  writeFileSync(
    join(folder, 'release.yaml'),
    `apiVersion: source.toolkit.fluxcd.io/v1
kind: HelmRepository
metadata: { name: far, namespace: apps }
spec: { url: "${url}" }
---
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: { name: shop, namespace: apps }
spec: { chart: { spec: { chart: podinfo, version: 6.3.5, sourceRef: { kind: HelmRepository, name: far } } } }
`,
  );
}
