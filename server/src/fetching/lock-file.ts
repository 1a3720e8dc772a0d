import { open, readFile, rm, stat } from 'node:fs/promises';
import { setTimeout } from 'node:timers/promises';
import { say } from '../util/say.ts';
import { StorageError } from '../sources/files/fetched.ts';

/** Milliseconds: how long others are waited for, between two looks at most, and after which nobody holds it any more. */
const patience = 60_000;
const longestPause = 200;
const oldest = 10 * 60_000;

/** Does something with a file while no other process does: beside it stands one that only one process can make. */
export async function withLockFile<Result>(path: string, work: () => Promise<Result>): Promise<Result> {
  const own = `${path}.held`;
  await take(own);
  try {
    return await work();
  } finally {
    await rm(own, { force: true });
  }
}

async function take(own: string): Promise<void> {
  const end = performance.now() + patience;
  for (let pause = 5; ; pause = Math.min(pause * 2, longestPause)) {
    try {
      const file = await open(own, 'wx', 0o600);
      await file.writeFile(String(process.pid));
      await file.close();
      return;
    } catch (error) {
      const { code = '' } = error as NodeJS.ErrnoException;
      if (code !== 'EEXIST') throw new StorageError(say`${own} cannot be made (${code})`);
    }
    if (await isAbandoned(own)) {
      await rm(own, { force: true });
      continue;
    }
    if (performance.now() > end) throw new StorageError(say`another process holds ${own}`);
    await setTimeout(pause);
  }
}

/** Whether the process that made it has ended without taking it away. */
async function isAbandoned(own: string): Promise<boolean> {
  try {
    const { mtimeMs } = await stat(own);
    if (Date.now() - mtimeMs > oldest) return true;
    const pid = Number(await readFile(own, 'utf8'));
    if (!Number.isSafeInteger(pid) || pid <= 0) return false;
    process.kill(pid, 0);
    return false;
  } catch (error) {
    // It is gone, and with it the reason to wait.
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}
