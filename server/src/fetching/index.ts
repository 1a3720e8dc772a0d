import type { Fetched } from '../sources/files/fetched.ts';
import { type Fetchable, floats, remoteKey } from '../sources/files/remote.ts';
import { FetchError } from './failure.ts';
import { fetchFile } from './fetch-file.ts';
import { fetchTree } from './fetch-tree.ts';
import { pullChart } from './pull-chart.ts';
import { ChangedError, type Content, Storage } from './storage.ts';

export interface FetchRequest {
  /** Absolute path of Podium's own folder. */
  readonly storage: string;
  /** Folders from which nothing is run, and in which nothing is kept. */
  readonly workedOn: readonly string[];
  /** Whether what has changed under the same name is taken. */
  readonly mayChange: boolean;
  readonly signal: AbortSignal;
  /** In milliseconds since 1970. */
  readonly now: number;
  readonly onBegin?: (remote: Fetchable, index: number) => void;
}

export type Outcome =
  | {
      readonly remote: Fetchable;
      readonly ok: true;
      readonly resolved: string;
      /** What it was before; null for what was not there. */
      readonly before: string | null;
      readonly sha256: string;
    }
  | { readonly remote: Fetchable; readonly ok: false; readonly message: string; readonly hasChanged: boolean };

/** What of some things is worth to be fetched: what is not here, and what may be another by now. */
export async function toFetch(remotes: readonly Fetchable[], fetched: Fetched): Promise<Fetchable[]> {
  const byKey = new Map(remotes.map((remote) => [remoteKey(remote), remote]));
  const wanted: Fetchable[] = [];
  for (const remote of byKey.values()) if (floats(remote) || (await fetched.path(remote)) === null) wanted.push(remote);
  return wanted;
}

const cancelled = 'cancelled';

/**
 * Fetches things one after the other with the user's helm and git, into Podium's own storage. What fails stops no other.
 * When it is cancelled, what was fetched before is kept, and of the others nothing. Rejects with `StorageError` where
 * nothing can be kept.
 */
export async function fetchAll(remotes: readonly Fetchable[], request: FetchRequest): Promise<Outcome[]> {
  const storage = await Storage.open(request.storage, request.workedOn);
  const outcomes: Outcome[] = [];
  for (const [index, remote] of remotes.entries()) {
    if (request.signal.aborted) {
      outcomes.push({ remote, ok: false, message: cancelled, hasChanged: false });
      continue;
    }
    request.onBegin?.(remote, index);
    outcomes.push(await fetchOne(remote, storage, request));
  }
  return outcomes;
}

async function fetchOne(
  remote: Fetchable,
  storage: Storage,
  { workedOn, mayChange, signal, now }: FetchRequest,
): Promise<Outcome> {
  try {
    return await storage.withFolder(async (folder) => {
      const content = await contentOf(remote, folder, workedOn, signal);
      const before = await storage.take(remote, content, mayChange, new Date(now).toISOString());
      return { remote, ok: true, resolved: content.resolved, before, sha256: content.sha256 };
    });
  } catch (error) {
    if (!(error instanceof FetchError) && !(error instanceof ChangedError)) throw error;
    const hasChanged = error instanceof ChangedError;
    return { remote, ok: false, message: signal.aborted && !hasChanged ? cancelled : error.message, hasChanged };
  }
}

function contentOf(
  remote: Fetchable,
  folder: string,
  workedOn: readonly string[],
  signal: AbortSignal,
): Promise<Content> {
  if (remote.kind === 'chart') return pullChart(remote, folder, workedOn, signal);
  return remote.kind === 'git' ? fetchTree(remote, folder, workedOn, signal) : fetchFile(remote, folder, signal);
}
