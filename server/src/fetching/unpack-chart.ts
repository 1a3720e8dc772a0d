import { say } from '../util/say.ts';
import { createReadStream } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { extract } from 'tar-stream';
import { FetchError } from './failure.ts';

/** Source: helm, pkg/chart/loader/archive/archive.go (MaxDecompressedChartSize, MaxDecompressedFileSize) */
const maxBytes = 100 * 1024 * 1024;
const maxFileBytes = 5 * 1024 * 1024;
const maxFiles = 10_000;

/** Unpacks the archive of a chart: regular files below its first folder, and nothing else. Rejects with `FetchError`. */
export async function unpackChart(archive: string, folder: string): Promise<void> {
  for (const [path, content] of await filesOf(archive)) {
    const target = join(folder, path);
    await mkdir(dirname(target), { recursive: true });
    await writeFile(target, content);
  }
}

async function filesOf(archive: string): Promise<Map<string, Buffer>> {
  const files = new Map<string, Buffer>();
  const entries = extract();
  const unpacked = pipeline(createReadStream(archive), createGunzip(), bounded(), entries);
  // Whatever ends the reading below is the reason; without this it would be told twice.
  unpacked.catch(() => undefined);
  try {
    for await (const entry of entries) {
      const { name, type, size } = entry.header;
      const path = pathInChart(name);
      const isFile = type === 'file' || type === 'contiguous-file';
      if (path === undefined) throw notTaken(say`it has a file that leads out of it: ${name.slice(0, 100)}`);
      if (isFile && size > maxFileBytes) {
        throw notTaken(say`a file in it is larger than ${maxFileBytes / 1024 / 1024} MiB`);
      }
      if (files.size >= maxFiles) throw notTaken(say`it has more than ${maxFiles} files`);
      // Links and devices are not made: what they lead to is not the chart's.
      const chunks: Buffer[] = [];
      for await (const chunk of entry as AsyncIterable<Buffer>) if (isFile && path !== null) chunks.push(chunk);
      if (isFile && path !== null) files.set(path, Buffer.concat(chunks));
    }
    await unpacked;
  } catch (error) {
    throw error instanceof FetchError ? error : new FetchError(say`the archive is not that of a chart`);
  }
  return files;
}

/** Passes on what is unpacked, up to the limit. */
function bounded(): (chunks: AsyncIterable<Buffer>) => AsyncGenerator<Buffer> {
  return async function* (chunks) {
    let bytes = 0;
    for await (const chunk of chunks) {
      bytes += chunk.length;
      if (bytes > maxBytes) throw notTaken(say`it is larger than ${maxBytes / 1024 / 1024} MiB unpacked`);
      yield chunk;
    }
  };
}

function notTaken(why: string): FetchError {
  return new FetchError(say`the archive is not used: ${why}`);
}

/** The path below the first folder; null for that folder itself, undefined where it leads out of the chart. */
function pathInChart(written: string): string | null | undefined {
  // Source: helm, pkg/chart/loader/archive/archive.go (LoadArchiveFiles)
  if (/[\\\p{Cc}]/u.test(written) || /^[A-Za-z]:/.test(written)) return undefined;
  const steps = written.replace(/\/$/, '').split('/');
  if (steps.some((step) => step === '..' || step === '') || steps.length > 50 || written.length > 1_000) {
    return undefined;
  }
  const path = steps.filter((step) => step !== '.').slice(1);
  return path.length === 0 ? null : path.join('/');
}
