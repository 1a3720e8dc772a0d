import type { ClientCapabilities } from 'vscode-languageserver';
import type { FileProvider } from '../../manifests/file-provider.ts';
import type { TextSource } from '../../manifests/text-source.ts';
import type { AppliedHost } from '../applied/applied-workspace.ts';
import type { ReadCommittedTexts } from '../history/committed-texts.ts';
import type { Platform } from './platform.ts';
import type { EarlierTexts } from './simulations.ts';

/** What a session needs from outside. */
export interface SessionHost {
  readonly files: FileProvider;
  readonly committedTexts: ReadCommittedTexts;
  /**
   * What has changed in the workspace folders since a commit: manifests, and of other files those that are named by URI.
   * Rejects with `GitError`.
   */
  readonly earlierTexts: (commit: string, inputs: readonly string[]) => Promise<EarlierTexts>;
  /** Where the cluster snapshot is that a setting names. */
  readonly snapshotPlace: (setting: string) => SnapshotPlace;
  /** The text of a snapshot. Rejects with `UnreadableFile`. */
  readonly snapshotText: (uri: string) => Promise<TextSource>;
  /** Absolute paths of the folders of the workspace that are on disk. */
  readonly folders: () => readonly string[];
  /** URIs of all of them. */
  readonly folderUris: () => readonly string[];
  /** What may be used besides the editor; null in a browser. */
  readonly machine: Platform | null;
  /** Whether the user trusts the workspace, so that programs may be run over it. */
  readonly isTrusted: () => boolean;
  /** Absolute path of the folder that what was fetched is kept in. */
  readonly storage: () => string;
  /** Whether a language server for YAML answered in the same files when this one was started. */
  readonly yamlServer: boolean;
  /** Whether it told what is no YAML. */
  readonly yamlValidation: boolean;
  /** Its setting `yaml.schemas`, as far as the client told of it. */
  readonly yamlSchemas: unknown;
  /** Whether it has the schemas of Kubernetes for every manifest. */
  readonly kubernetesSchemas: boolean;
  /** Whether the editor has the command that opens the list of choices. */
  readonly reopensLists: boolean;
  readonly setTrusted: (isTrusted: boolean) => void;
  readonly mayRender: AppliedHost['mayRender'];
  /** Whether a question for the problems of the workspace may be kept open. */
  readonly keepsPulling: boolean;
  /** What the editor can do. */
  readonly client: ClientCapabilities;
  /** Where the pages of the rules are, as a URI without a slash at its end; empty when unknown. */
  readonly docs: string;
}

/** Where a snapshot is; with `fault`, the part of a sentence behind its name, why it is not looked for. */
export interface SnapshotPlace {
  readonly uri: string;
  readonly fault?: string;
}
