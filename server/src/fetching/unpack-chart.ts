import { say } from '../util/say.ts';
import { createReadStream } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { createGunzip } from 'node:zlib';
import { Parser } from 'tar';
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
  const faults: string[] = [];
  const parser = new Parser({
    strict: true,
    maxMetaEntrySize: 1024 * 1024,
    onReadEntry: (entry) => {
      const path = pathInChart(entry.path);
      const isFile = entry.type === 'File' || entry.type === 'OldFile' || entry.type === 'ContiguousFile';
      if (path === undefined) faults.push(say`it has a file that leads out of it: ${entry.path.slice(0, 100)}`);
      if (isFile && entry.size > maxFileBytes) {
        faults.push(say`a file in it is larger than ${maxFileBytes / 1024 / 1024} MiB`);
      }
      if (files.size >= maxFiles) faults.push(say`it has more than ${maxFiles} files`);
      // Links and devices are not made: what they lead to is not the chart's.
      if (!isFile || path === undefined || path === null || faults.length > 0) {
        entry.resume();
        return;
      }
      const chunks: Buffer[] = [];
      entry.on('data', (chunk: Buffer) => chunks.push(Buffer.from(chunk)));
      entry.on('end', () => files.set(path, Buffer.concat(chunks)));
    },
  });
  const ended = new Promise<void>((resolve, reject) => {
    parser.on('end', resolve);
    parser.on('error', reject);
  });
  // It may fail before it is waited for.
  ended.catch(() => undefined);
  try {
    let bytes = 0;
    for await (const chunk of createReadStream(archive).pipe(createGunzip()) as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > maxBytes) faults.push(say`it is larger than ${maxBytes / 1024 / 1024} MiB unpacked`);
      if (faults.length > 0) throw notTaken(faults);
      parser.write(chunk);
    }
    parser.end();
    await ended;
  } catch (error) {
    throw error instanceof FetchError ? error : new FetchError(say`the archive is not that of a chart`);
  }
  if (faults.length > 0) throw notTaken(faults);
  return files;
}

function notTaken([first = '']: readonly string[]): FetchError {
  return new FetchError(say`the archive is not taken: ${first}`);
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
