import { URI } from 'vscode-uri';
import { skippedFolders } from '../util/skipped-folders.ts';

/** What came of reading a file: no text when it cannot be read or is too large. */
export interface FileContents {
  readonly text: string | null;
  /** Bytes; 0 when unknown. */
  readonly size: number;
  /** Why there is no text: Node's code of the error, such as `EACCES`, or `too large`. Left out when unknown. */
  readonly error?: string;
}

/** Where the files of the workspace come from: the editor's file API, or the file system. */
export interface FileProvider {
  /**
   * URIs of all YAML and JSON files of the workspace, and of folders that cannot be looked into: reading one says why.
   */
  find(): Promise<readonly string[]>;
  /** Whether a file that a watcher tells about is one that `find` would find. All are when this is left out. */
  accepts?(uri: string): boolean;
  /** Never rejects for a file that is missing or unreadable. */
  read(uri: string): Promise<FileContents>;
}

/** The snapshot of a cluster that is found by itself. */
export const foundSnapshotName = 'cluster.podium.json';

function isFoundSnapshot(name: string): boolean {
  return name === foundSnapshotName || name.endsWith(`/${foundSnapshotName}`);
}

/** A scenario for Podium, which is no manifest. */
export function isScenarioName(name: string): boolean {
  return /\.podium\.(?:ya?ml|json)$/i.test(name) && !isFoundSnapshot(name);
}

/** By its name, whether a file may hold manifests. */
export function isManifestName(name: string): boolean {
  const isOwn = isScenarioName(name) || isFoundSnapshot(name);
  return (/\.(?:ya?ml|json)$/i.test(name) && !isOwn) || /(?:^|\/)Kustomization$/.test(name);
}

const skipped: ReadonlySet<string> = new Set(skippedFolders);

export function isSkippedFolder(name: string): boolean {
  return skipped.has(name);
}

/** Whether a search of folders, given by their URIs, finds a file. */
export function isFoundIn(folders: readonly string[], uri: string): boolean {
  const { path } = URI.parse(uri);
  if (!isManifestName(path)) return false;
  return folders.some((folder) => {
    const root = URI.parse(folder).path.replace(/\/?$/, '/');
    return path.startsWith(root) && !path.slice(root.length).split('/').slice(0, -1).some(isSkippedFolder);
  });
}
