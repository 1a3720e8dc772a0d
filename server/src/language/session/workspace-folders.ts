import { canonicalUri } from '../../manifests/workspace-index.ts';
import { plainGlob } from '../../manifests/glob-pattern.ts';
import type { Excludable } from '../checks/repairs.ts';
import { looksOwned } from '../applied/looks-owned.ts';
import type { SessionHost } from './session-host.ts';

/** The folders of the workspace, and what is in them. */
export class WorkspaceFolders {
  readonly #host: Pick<SessionHost, 'folders' | 'folderUris' | 'machine'>;
  readonly #isKnown: (uri: string) => boolean;

  /** @param isKnown whether a file has been read, for a workspace that is not on disk */
  constructor(host: Pick<SessionHost, 'folders' | 'folderUris' | 'machine'>, isKnown: (uri: string) => boolean) {
    this.#host = host;
    this.#isKnown = isKnown;
  }

  /** Absolute paths of those that are on disk. */
  get paths(): readonly string[] {
    return this.#host.folders();
  }

  get uris(): readonly string[] {
    return this.#host.folderUris();
  }

  /** Whether programs can be run over what is there: not where nothing is on disk. */
  get areOnDisk(): boolean {
    return this.#host.machine !== null && this.paths.length > 0;
  }

  /** Whether a file lies in one of them. */
  includes(uri: string): boolean {
    return this.#canonical().some((folder) => uri.startsWith(`${folder}/`));
  }

  /** Whether there is such a file in one of them. */
  has(uri: string): boolean {
    const { machine } = this.#host;
    return this.includes(canonicalUri(uri)) && (machine?.isThere(uri) ?? this.#isKnown(uri));
  }

  /** Whether it is a folder; where nothing is on disk, a name without a dot most likely is. */
  isFolder(uri: string): boolean {
    return this.#host.machine?.isFolder(uri) ?? !uri.slice(uri.lastIndexOf('/')).includes('.');
  }

  /** Whether a file may be a patch or a template, while sources are not known. */
  looksOwned(uri: string): boolean {
    return looksOwned(uri, this.#canonical(), (each) => this.has(each));
  }

  /** The folder of a file, to be excluded besides what is; undefined where it is that of the workspace, or elsewhere. */
  excludable(uri: string, excluded: readonly string[]): Excludable | undefined {
    const top = this.#canonical().find((each) => canonicalUri(uri).startsWith(`${each}/`));
    if (top === undefined) return undefined;
    const folder = decodeURIComponent(canonicalUri(uri).slice(top.length + 1))
      .split('/')
      .slice(0, -1)
      .join('/');
    return folder === '' ? undefined : { excluded, folder, glob: `${plainGlob(folder)}/**` };
  }

  #canonical(): readonly string[] {
    return this.uris.map((folder) => canonicalUri(folder).replace(/\/$/, ''));
  }
}
