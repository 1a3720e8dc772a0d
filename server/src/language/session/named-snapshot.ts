import { say, sayUnstopped } from '../../util/say.ts';
import { upperFirst } from '../../util/words.ts';
import type { SnapshotFault } from '../../manifests/snapshot-fault.ts';
import { runInSlices } from '../../util/run-in-slices.ts';
import { foundSnapshotName } from '../../manifests/file-provider.ts';
import type { ManifestFile } from '../../manifests/manifest.ts';
import type { Missing } from '../../simulation/cluster/input.ts';
import type { SessionHost, SnapshotPlace } from './session-host.ts';

/** A snapshot that the settings name and that is not used. */
export interface UnusableSnapshot {
  /** What answers say that they lack. */
  readonly missing: Missing;
  /** Where the problem is shown. */
  readonly uri: string;
  readonly fault: SnapshotFault;
}

/** The whole of it in one. */
export function sentenceOf({ missing, fault }: UnusableSnapshot): string {
  const what = upperFirst(missing.text);
  return say`${what}: it ${sayUnstopped(fault.message)}. It is not used.`;
}

/** Is told of every outcome: no file where none is named or it is of no use; gives up what is not wanted any more. */
type Take = (uri: string | undefined, file: ManifestFile | undefined, isWanted: () => boolean) => Promise<void>;

/** The snapshot of a cluster that the settings name, else `cluster.podium.json` of the workspace: where it is, and what has come of reading it. */
export class NamedSnapshot {
  readonly #host: Pick<SessionHost, 'machine' | 'snapshotPlace' | 'snapshotText'>;
  readonly #setting: () => string;
  readonly #take: Take;
  #reads = 0;
  #unusable: UnusableSnapshot | null = null;

  constructor(
    host: Pick<SessionHost, 'machine' | 'snapshotPlace' | 'snapshotText'>,
    setting: () => string,
    take: Take,
  ) {
    this.#host = host;
    this.#setting = setting;
    this.#take = take;
  }

  /** Undefined where none is named, or it is not looked for. */
  get uri(): string | undefined {
    const place = this.#place();
    return place?.fault === undefined ? place?.uri : undefined;
  }

  /** The name that the setting gives it, or that of the one that is found by itself. */
  get #name(): string {
    return this.#setting() || foundSnapshotName;
  }

  /** What is not named need not be there. */
  get #isFound(): boolean {
    return this.#setting() === '';
  }

  /** Where no answer can rest on it. */
  get unusable(): UnusableSnapshot | null {
    return this.#unusable;
  }

  get isUnread(): boolean {
    return this.#reads === 0;
  }

  async read(): Promise<void> {
    const read = ++this.#reads;
    // It may be large: others are answered meanwhile, and it is given up when it is to be read again.
    const isWanted = (): boolean => read === this.#reads;
    const taken = (
      uri: string | undefined,
      file: ManifestFile | undefined,
      fault: SnapshotFault | null,
    ): Promise<void> => {
      this.#unusable = fault === null || uri === undefined ? null : unusable(uri, this.#name, fault);
      return this.#take(uri, file, isWanted);
    };
    const place = this.#place();
    if (place?.fault !== undefined || place === undefined) {
      return taken(place?.uri, undefined, place?.fault === undefined ? null : { message: place.fault, line: 0 });
    }
    const { uri } = place;
    const { readSnapshot } = await import('../../manifests/read-snapshot.ts');
    const outcome = await readSnapshot(
      uri,
      () => this.#host.snapshotText(uri),
      (steps) => runInSlices(steps, isWanted),
    );
    if (outcome === undefined || !isWanted()) return undefined;
    if ('file' in outcome) return taken(uri, outcome.file, null);
    if ('fault' in outcome) return taken(uri, undefined, outcome.fault);
    if (this.#isFound) return taken(undefined, undefined, null);
    return taken(uri, undefined, { message: say`cannot be read (${outcome.unreadable})`, line: 0 });
  }

  #place(): SnapshotPlace | undefined {
    const place = this.#host.snapshotPlace(this.#name);
    if (!this.#isFound) return place;
    // Nobody has named it: a link may lead to any file of the user.
    return place.fault !== undefined || this.#host.machine?.isLink(place.uri) === true ? undefined : place;
  }
}

function unusable(uri: string, name: string, fault: SnapshotFault): UnusableSnapshot {
  return {
    uri,
    fault,
    missing: {
      text: say`the cluster snapshot ${name} is not used`,
      detail: say`It ${sayUnstopped(fault.message)}. It is not used.`,
      about: 'snapshot',
    },
  };
}
