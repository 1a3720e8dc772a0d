import { existsSync, lstatSync, mkdtempSync, readdirSync, readlinkSync, realpathSync, rmSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { atOwnEnd } from './own-end.ts';

let own: string | undefined;

/**
 * The folder of this process for what is there only while it runs. It goes when the process ends; those of processes
 * that could not remove theirs go when the next one needs a folder.
 */
export function ownFolder(): string {
  // Programs that clean up temporary folders may have taken it.
  if (own !== undefined && existsSync(own)) return own;
  const base = realpathSync(tmpdir());
  removeDead(base);
  const folder = mkdtempSync(join(base, `podium-run-${process.pid}-${processSpace()}-`));
  own = folder;
  atOwnEnd(() => {
    own = undefined;
    remove(folder);
  });
  return folder;
}

/** Makes a folder in that of this process, uses it, and removes it. */
export async function withFolder<T>(prefix: string, use: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(ownFolder(), prefix));
  try {
    return await use(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Numbers of processes mean something in their own namespace only: a container may share the temporary folder. */
function processSpace(): string {
  try {
    return /\d+/.exec(readlinkSync('/proc/self/ns/pid'))?.[0] ?? '0';
  } catch {
    return '0';
  }
}

const ownName = /^podium-run-(\d{1,10})-(\d{1,20})-\w{6}$/;

function removeDead(base: string): void {
  const space = processSpace();
  for (const name of readdirSync(base)) {
    const [, pid, home] = ownName.exec(name) ?? [];
    if (pid === undefined || home !== space || isAlive(Number(pid))) continue;
    const folder = join(base, name);
    try {
      const found = lstatSync(folder);
      if (found.isDirectory() && (process.getuid === undefined || found.uid === process.getuid())) remove(folder);
    } catch {
      // Another process was first.
    }
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function remove(folder: string): void {
  try {
    // A program that was killed a moment ago may still write.
    rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 20 });
  } catch {
    // The next process tries again.
  }
}
