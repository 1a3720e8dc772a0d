/**
 * Messages between the language server and its client beyond the language server protocol itself. The server, which any
 * editor may start, checks what it is told with these schemas; our own client starts its own server and believes it.
 */
import * as z from 'zod/mini';

/** What to simulate. A workload is named by the place of its document, as a code lens knows it. */
export const scenarioSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('workspace') }),
  /** The whole workspace, compared with what it was in the last commit. */
  z.object({ kind: z.literal('change') }),
  z.object({ kind: z.literal('file'), uri: z.string() }),
  z.object({
    kind: z.literal('workload'),
    workloadKind: z.string(),
    namespace: z.string(),
    name: z.string(),
    /** The file it is written in; tells apart two workloads of one name. */
    uri: z.optional(z.string()),
  }),
]);
export type ScenarioRequest = z.infer<typeof scenarioSchema>;

/** Client → server request: run a simulation. Answer: `SimulateResult`. Honours cancellation. */
export const simulateRequest = 'podium/simulate';
export const simulateParamsSchema = z.object({ scenario: scenarioSchema });
export type SimulateParams = z.infer<typeof simulateParamsSchema>;

/** Server → client notification: what the last report rests on has changed. */
export const modelChangedNotification = 'podium/modelChanged';

/** Server → client notification: where the cluster comes from, for the language status item. */
export const clusterStatusNotification = 'podium/clusterStatus';
export interface ClusterStatus {
  readonly source: 'snapshot' | 'workspace' | 'assumed';
  /** Whether the settings name a snapshot on which no answer can rest; `detail` says why. */
  readonly isSnapshotUnusable: boolean;
  readonly nodes: number;
  readonly pods: number;
  /** A sentence for the detail of the item. */
  readonly detail: string;
  /** True while files are still being read. */
  readonly indexing: boolean;
}

/**
 * Server → client requests, used only when the client says `files: true` or `git: true` in its initialization options;
 * otherwise the server reads the file system and asks git itself.
 */
export const findFilesRequest = 'podium/findFiles';
export const findFilesResultSchema = z.array(z.string());

/** Answer: the text, or null when it cannot be read or is too large (then `size` says how large, in bytes). */
export const readFileRequest = 'podium/readFile';
export const readFileParamsSchema = z.object({ uri: z.string(), maxBytes: z._default(z.number(), 256 * 1024 * 1024) });
export const readFileResultSchema = z.object({ text: z.nullable(z.string()), size: z.number() });
export type ReadFileResult = z.infer<typeof readFileResultSchema>;

/** Answer: the text of the file at git HEAD; null when it is not there or there is no git. */
export const committedTextRequest = 'podium/committedText';
export const committedTextParamsSchema = z.object({ uri: z.string() });
export const committedTextResultSchema = z.object({ text: z.nullable(z.string()) });
export type CommittedTextResult = z.infer<typeof committedTextResultSchema>;

/**
 * What manifests of the workspace folders were at git HEAD, as far as they have changed since on disk; null for files
 * that were not there. Answer: null when no folder is in a repository.
 */
export const earlierTextsRequest = 'podium/earlierTexts';
export const earlierTextsResultSchema = z.nullable(
  z.array(z.object({ uri: z.string(), text: z.nullable(z.string()) })),
);
export type EarlierTextsResult = z.infer<typeof earlierTextsResultSchema>;

/** Client → server notification: HEAD moved or the repository changed, so earlier versions must be read again. */
export const repositoryChangedNotification = 'podium/repositoryChanged';

export const initializationOptionsSchema = z.object({
  files: z._default(z.boolean(), false),
  git: z._default(z.boolean(), false),
  /** Whether git may be asked about the repositories of the workspace, by clients that do not answer for it. */
  workspaceTrusted: z._default(z.boolean(), false),
  /** URI of the folder with the pages of the rules, for the link behind a code; without it codes have no link. */
  docs: z._default(z.string(), ''),
  /** The section `podium` of the settings, for editors that do not answer `workspace/configuration`. */
  settings: z.optional(z.unknown()),
});
export type InitializationOptions = z.infer<typeof initializationOptionsSchema>;
