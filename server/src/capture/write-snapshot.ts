import { say } from '../util/say.ts';
import { open, rename, rm } from 'node:fs/promises';
import process from 'node:process';
import { count } from '../util/words.ts';
import { KubectlError } from './kubectl.ts';
import type { TakenSnapshot, Write } from './take-snapshot.ts';

/**
 * Writes beside a file and puts it in its place at the end, so that a failure leaves what was there. Rejects with
 * `KubectlError` where nothing can be written.
 */
export async function writeSnapshot(
  path: string,
  take: (write: Write) => Promise<TakenSnapshot>,
): Promise<TakenSnapshot> {
  const part = `${path}.part-${process.pid}`;
  const file = await open(part, 'wx', 0o600).catch((error: unknown) => {
    throw new KubectlError(say`cannot write ${path} (${(error as NodeJS.ErrnoException).code ?? say`unknown error`})`);
  });
  try {
    const taken = await take(async (text) => {
      await file.writeFile(text);
    });
    await file.close();
    await rename(part, path);
    return taken;
  } catch (error) {
    await file.close().catch(() => undefined);
    await rm(part, { force: true });
    throw error;
  }
}

/** What was written, and what follows from what was not: a line each. */
export function describeSnapshot(
  { counts, missing, serverVersion, context }: TakenSnapshot,
  written: string,
): { readonly missing: readonly string[]; readonly summary: string } {
  const amount = [...counts.values()].reduce((sum, each) => sum + each, 0);
  const named = `${count(counts.get('Node') ?? 0, 'node')}, ${count(counts.get('Pod') ?? 0, 'pod')}`;
  const of =
    serverVersion === ''
      ? say`${context}, Kubernetes of unknown version`
      : say`${context}, Kubernetes ${serverVersion}`;
  return {
    missing: missing.map(({ resource, why, effect }) => say`without ${resource}: ${effect} (${why})`),
    summary: say`${written} ${count(amount, 'object')} of ${of}: ${named}`,
  };
}
