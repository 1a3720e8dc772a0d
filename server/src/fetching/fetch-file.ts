import { say } from '../util/say.ts';
import { createHash } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join, posix } from 'node:path';
import { type RemoteFile, remoteFile } from '../sources/files/remote.ts';
import { FetchError, ownWords } from './failure.ts';
import { nearness } from './near-addresses.ts';
import type { Content } from './storage.ts';

/** As much as is read of any file that sources are made of. */
const maxBytes = 16 * 1024 * 1024;
const timeout = 60_000;
const maxRedirections = 5;

/** Gets one file, into a folder that kustomize takes for a base as well. Rejects with `FetchError`. */
export async function fetchFile({ url }: RemoteFile, folder: string, signal: AbortSignal): Promise<Content> {
  const bytes = await download(url, AbortSignal.any([signal, AbortSignal.timeout(timeout)]));
  const file = fileName(url);
  const base = join(folder, 'file');
  await mkdir(base);
  await writeFile(join(base, file), bytes);
  await writeFile(join(base, 'kustomization.yaml'), JSON.stringify({ resources: [file] }));
  const sha256 = createHash('sha256').update(file).update('\0').update(bytes).digest('hex');
  return { folder: base, file, sha256, resolved: '', pin: `file ${url}` };
}

async function download(url: string, signal: AbortSignal): Promise<Buffer> {
  const begin = await nearness(url);
  if (begin === 'neighbour') throw new FetchError(say`it is at an address of this network alone`);
  let at = url;
  try {
    for (let hop = 0; hop <= maxRedirections; hop++) {
      const response = await fetch(at, { redirect: 'manual', signal, headers: { accept: '*/*' } });
      const location = response.headers.get('location');
      if (response.status >= 300 && response.status < 400 && location !== null) {
        await response.body?.cancel();
        at = await nextAddress(at, location, begin === 'here');
        continue;
      }
      if (!response.ok) {
        throw new FetchError(say`the answer is ${`${response.status} ${ownWords(response.statusText)}`.trim()}`);
      }
      return await bodyOf(response);
    }
  } catch (error) {
    if (error instanceof FetchError) throw error;
    if (signal.aborted) throw new FetchError(say`there is no answer within ${timeout / 1000} s`);
    const { cause } = error as { readonly cause?: { readonly code?: unknown } };
    throw new FetchError(
      say`there is no answer (${typeof cause?.code === 'string' ? cause.code : say`unknown error`})`,
    );
  }
  throw new FetchError(say`it leads on more than ${maxRedirections} times`);
}

/** Where an answer leads on: to another computer, and never from there to this one or its neighbours. */
async function nextAddress(at: string, location: string, isHere: boolean): Promise<string> {
  const next = URL.canParse(location, at) ? new URL(location, at).href : '';
  const remote = remoteFile(next);
  if (remote.kind !== 'file') throw new FetchError(say`it leads on to where nothing is fetched from`);
  const near = await nearness(next);
  if (near === 'neighbour') throw new FetchError(say`it leads on to an address of this network alone`);
  if (near === 'here' && !isHere) throw new FetchError(say`it leads on to this computer`);
  return next;
}

async function bodyOf({ body }: Response): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of (body ?? []) as AsyncIterable<Uint8Array>) {
    bytes += chunk.length;
    if (bytes > maxBytes) throw new FetchError(say`it is larger than ${maxBytes / 1024 / 1024} MiB`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function fileName(url: string): string {
  const name = posix
    .basename(new URL(url).pathname)
    .replace(/[^\w.-]/g, '_')
    .slice(-100);
  return /^(?:\.{0,2}|kustomization\.ya?ml|Kustomization)$/.test(name) ? `resource-${name || 'file'}.yaml` : name;
}
