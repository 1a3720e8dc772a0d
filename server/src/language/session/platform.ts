import type { FileProvider } from '../../manifests/file-provider.ts';
import type { TextSource } from '../../manifests/text-source.ts';
import type { AppliedWorkspace } from '../applied/applied-workspace.ts';
import type { ReadCommittedTexts } from '../history/committed-texts.ts';
import type { EarlierTexts } from './simulations.ts';

/** The machine on which a server runs, as far as it uses it besides its editor: its disk, and programs. */
export interface Platform {
  /** Files at and below absolute paths. */
  files(folders: () => readonly string[]): FileProvider;
  /** A file of any size. Rejects with `UnreadableFile`. */
  source(uri: string): Promise<TextSource>;
  /** Absolute path of the folder that what was fetched is kept in. */
  storage(): string;
  /** Whether there is a file, by its URI. */
  readonly isThere: (uri: string) => boolean;
  /** Whether it is a symbolic link. */
  readonly isLink: (uri: string) => boolean;
  /** Whether it is a folder. */
  readonly isFolder: (uri: string) => boolean;
  readonly committedTexts: ReadCommittedTexts;
  /** What manifests below folders, and other files by their URIs, were in a commit. Rejects with `GitError`. */
  changesSince(folders: readonly string[], commit: string, inputs: readonly string[]): Promise<EarlierTexts>;
  /** What finds and renders sources, loaded when somebody wants to know. */
  appliedWorkspace(): Promise<typeof AppliedWorkspace>;
}
