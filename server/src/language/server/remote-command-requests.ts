import { say } from '../../util/say.ts';
import { type CancellationToken, type Connection, LSPErrorCodes, ResponseError } from 'vscode-languageserver';
import { URI } from 'vscode-uri';
import { Kubectl, KubectlError } from '../../capture/kubectl.ts';
import { takeSnapshot } from '../../capture/take-snapshot.ts';
import { describeSnapshot, writeSnapshot } from '../../capture/write-snapshot.ts';
import { fetchAll, toFetch } from '../../fetching/index.ts';
import type {
  CaptureParams,
  CaptureResult,
  ContextsResult,
  FetchParams,
  FetchResult,
  RemotesResult,
} from '../../protocol.ts';
import { Fetched, StorageError } from '../../sources/files/fetched.ts';
import {
  type Fetchable,
  type NotFetched,
  type Remote,
  remoteAddress,
  remoteKey,
  remoteName,
} from '../../sources/files/remote.ts';
import { pathOf } from '../../sources/files/path-of.ts';
import { cancelled } from '../session/requests.ts';
import type { Session } from '../session/session.ts';

/** Tells somebody who waits what is being done. */
type Report = (text: string) => void;

/** Answers requests that reach beyond this machine. Where the workspace is not trusted each is refused. */
export class BeyondRequests {
  readonly #connection: Connection;
  readonly #session: Session;

  constructor(connection: Connection, session: Session) {
    this.#connection = connection;
    this.#session = session;
  }

  remotes(token: CancellationToken): Promise<RemotesResult | ResponseError> {
    return this.#answer(say`Podium: finding what is remote`, token, false, async () => {
      const { storage } = this.#session.surroundings;
      const remotes = await this.#remotes(token);
      const fetched = await this.#fetched();
      return {
        storage: storage(),
        remotes: await Promise.all(
          (await toFetch(remotes.filter(isFetchable), fetched)).map(async (remote) => ({
            key: remoteKey(remote),
            kind: remote.kind,
            name: remoteName(remote),
            address: remoteAddress(remote),
            isHere: (await fetched.path(remote)) !== null,
          })),
        ),
        notFetched: remotes.filter(isNotFetched).map(({ what, why }) => say`${what}: ${why}`),
      };
    });
  }

  fetch({ keys, mayChange }: FetchParams, token: CancellationToken): Promise<FetchResult | ResponseError> {
    // When it is cancelled, the answer says what was fetched by then.
    return this.#answer(say`Podium: fetching`, token, true, async (report, signal) => {
      const { folders, storage } = this.#session.surroundings;
      // Only what sources name is fetched, whatever the client says.
      const named = (await this.#remotes(token)).filter(isFetchable);
      const wanted = new Map(named.map((remote) => [remoteKey(remote), remote]));
      const remotes = keys.flatMap((key) => wanted.get(key) ?? []);
      const outcomes = await fetchAll(remotes, {
        storage: storage(),
        workedOn: folders(),
        mayChange,
        signal,
        now: Date.now(),
        onBegin: (remote, index) => {
          report(say`${remoteName(remote)} of ${remoteAddress(remote)} (${index + 1} of ${remotes.length})`);
        },
      });
      this.#session.rendering.invalidate();
      return {
        outcomes: outcomes.map((outcome) => ({
          key: remoteKey(outcome.remote),
          name: say`${remoteName(outcome.remote)} of ${remoteAddress(outcome.remote)}`,
          failure: outcome.ok ? '' : outcome.message,
          hasChanged: !outcome.ok && outcome.hasChanged,
        })),
      };
    });
  }

  contexts(token: CancellationToken): Promise<ContextsResult | ResponseError> {
    return this.#answer(say`Podium: reading the kubeconfig`, token, false, async (_report, signal) => {
      const kubectl = new Kubectl(this.#session.surroundings.folders(), signal);
      const contexts = await kubectl.contexts();
      return { path: kubectl.path, contexts, current: await kubectl.currentContext(), snapshot: this.#snapshot() };
    });
  }

  capture({ context, path }: CaptureParams, token: CancellationToken): Promise<CaptureResult | ResponseError> {
    return this.#answer(say`Podium: asking the context ${context}`, token, false, async (report, signal) => {
      const kubectl = new Kubectl(this.#session.surroundings.folders(), signal);
      if (!(await kubectl.contexts()).includes(context)) throw new KubectlError(say`there is no context '${context}'`);
      const progress = (resource: string, amount: number): void => {
        report(say`${resource}: ${amount}`);
      };
      const taken = await writeSnapshot(path, (write) => takeSnapshot(kubectl, context, write, Date.now(), progress));
      if (this.#session.isSnapshot(URI.file(path).toString())) await this.#session.readSnapshot();
      return describeSnapshot(taken, say`Wrote ${path}:`);
    });
  }

  async #remotes(token: CancellationToken): Promise<readonly Remote[]> {
    await this.#session.whenApplied(token);
    return (await this.#session.rendering.applied?.remotes(token)) ?? [];
  }

  #fetched(): Promise<Fetched> {
    const { folders, storage } = this.#session.surroundings;
    return Fetched.read(storage(), folders());
  }

  /** The snapshot that is used, where `podium snapshot` or a command of the editor has written it. */
  #snapshot(): ContextsResult['snapshot'] {
    const file = this.#session.facts.cluster.file;
    const path = file === undefined ? null : pathOf(file.uri);
    return path === null ? null : { path, context: this.#session.facts.cluster.header?.name ?? '' };
  }

  async #answer<Result>(
    title: string,
    token: CancellationToken,
    isToldWhenCancelled: boolean,
    answer: (report: Report, signal: AbortSignal) => Promise<Result>,
  ): Promise<Result | ResponseError> {
    if (!this.#session.surroundings.isTrusted()) {
      return failed(say`In a workspace that is not trusted Podium asks neither a cluster nor a repository.`);
    }
    const abort = new AbortController();
    const stop = (): void => {
      abort.abort();
    };
    token.onCancellationRequested(stop);
    const canShow = this.#session.client.window?.workDoneProgress === true;
    const progress = canShow
      ? await this.#connection.window.createWorkDoneProgress().catch(() => undefined)
      : undefined;
    progress?.begin(title, undefined, '', true);
    progress?.token.onCancellationRequested(stop);
    try {
      const result = await answer((text) => progress?.report(text), abort.signal);
      return abort.signal.aborted && !isToldWhenCancelled ? cancelled() : result;
    } catch (error) {
      if (abort.signal.aborted) return cancelled();
      if (error instanceof KubectlError || error instanceof StorageError) return failed(`${error.message}.`);
      throw error;
    } finally {
      progress?.done();
    }
  }
}

function failed(message: string): ResponseError {
  return new ResponseError(LSPErrorCodes.RequestFailed, message);
}

function isNotFetched(remote: Remote): remote is NotFetched {
  return remote.kind === 'not-fetched';
}

function isFetchable(remote: Remote): remote is Fetchable {
  return !isNotFetched(remote);
}
