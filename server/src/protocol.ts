/**
 * Messages between the language server and its client beyond the language server protocol itself. The server, which any
 * editor may start, checks what it is told with these schemas; our own client starts its own server and believes it.
 */
import * as z from 'zod/mini';
import type { Effect } from './report-model/effect.ts';
import type { Origin } from './report-model/origin.ts';
import type { UnseenGroup } from './report-model/unseen-group.ts';

/** What to simulate. A workload is named by the place of its document, as a code lens knows it. */
export const scenarioSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('workspace') }),
  /** The whole workspace, compared with what it was in a commit: anything that names one; left out, the last. */
  z.object({ kind: z.literal('change'), commit: z.optional(z.string()) }),
  z.object({ kind: z.literal('file'), uri: z.string() }),
  z.object({
    kind: z.literal('workload'),
    workloadKind: z.string(),
    namespace: z.string(),
    name: z.string(),
    /** The file it is written in; tells apart two workloads of one name. */
    uri: z.optional(z.string()),
    /** Of which of the chosen targets; the first without it. */
    target: z.optional(z.string()),
  }),
]);
export type ScenarioRequest = z.infer<typeof scenarioSchema>;

/** What a report is compared with, where its scenario does not say so. */
export const againstSchema = z.discriminatedUnion('kind', [
  /** The run before the one that was answered last; where that is not known any more, the report that was kept of it. */
  z.object({ kind: z.literal('previous'), kept: z.optional(z.string()) }),
  /** The run after operations that are kept under a name. */
  z.object({ kind: z.literal('kept'), name: z.string(), operations: z.array(z.string()) }),
  /** A file that the user has chosen: a report that was saved as JSON, or a scenario `*.podium.yaml`. */
  z.object({ kind: z.literal('file'), uri: z.string() }),
]);
export type Against = z.infer<typeof againstSchema>;

/** Operations as `podium simulate --what-if` takes them, applied in order. */
const whatIf = z.optional(z.array(z.string()));

/**
 * Client → server request: run a simulation. Answer: a report, with operations compared with the run without them, and
 * of each decision what is known at a glance; or a `Doubt`. Honours cancellation.
 */
export const simulateRequest = 'podium/simulate';
/** The same parameters. Answer: `Effect` of each operation, in a fraction of the time. */
export const effectsRequest = 'podium/effects';
/** The same parameters. Answer: what would help, for the report of the same request. */
export const remediesRequest = 'podium/remedies';
export const simulateParamsSchema = z.object({
  scenario: scenarioSchema,
  whatIf,
  /** About what the client asks its user before a run is begun. Without it every run is. */
  asks: z.optional(z.array(z.enum(['large', 'snapshot']))),
  /** Only of `simulateRequest`. */
  against: z.optional(againstSchema),
  /** What the client calls this run, to ask about its decisions later. */
  run: z.optional(z.number()),
});
export type SimulateParams = z.infer<typeof simulateParamsSchema>;

/** The answer to `simulateRequest` instead of a report, where the client wants to ask its user first. */
export interface Confirmation {
  /** `large`: it takes long. `snapshot`: it would be without the cluster snapshot that the settings name. */
  readonly about: NonNullable<SimulateParams['asks']>[number];
  /** A sentence. */
  readonly doubt: string;
  /** Where it can be looked into; null where there is no such place. */
  readonly origin: Origin | null;
}

/**
 * Client → server request: the whole of decisions of the report that was answered last, which has only what is known of
 * them at a glance. Answer: `ReportDecision` of each. Honours cancellation.
 */
export const decisionsRequest = 'podium/decisions';
export const decisionsParamsSchema = z.object({
  /** As the request for the report called it; another report may have been answered meanwhile. */
  run: z.optional(z.number()),
  /** Null for all. */
  indexes: z.nullable(z.array(z.int().check(z.minimum(0)))),
});
export type DecisionsParams = z.infer<typeof decisionsParamsSchema>;

/**
 * Client → server request: how many more replicas there is room for at the end of the run that was answered last, of some
 * of its workloads. Answer: `Capacity` of each. Honours cancellation.
 */
export const capacityRequest = 'podium/capacity';
export const capacityParamsSchema = z.object({
  /** As the request for the report called it. */
  run: z.optional(z.number()),
  /** Indexes in the report. */
  workloads: z.array(z.int().check(z.minimum(0))).check(z.maxLength(1000)),
});
export type CapacityParams = z.infer<typeof capacityParamsSchema>;

/** Server → client notification while a simulation runs: what is being done, and what is decided. `SimulationProgress`. */
export const simulationProgressNotification = 'podium/simulationProgress';

/**
 * Server → client notification while `effectsRequest` is worked on: `EffectsProgress`, at most every 100 ms. The last of
 * the effects is a part of what it will be.
 */
export const effectsProgressNotification = 'podium/effectsProgress';
export interface EffectsProgress {
  /** As the request called it. */
  readonly run?: number;
  readonly effects: readonly Effect[];
}

/**
 * Client → server request: the questions of a scenario that say what is expected; with `run` answered by a run. Answer:
 * `ScenarioQuestions`. Honours cancellation.
 */
export const questionsRequest = 'podium/questions';
export const questionsParamsSchema = z.object({ uri: z.string(), run: z.boolean() });
export type QuestionsParams = z.infer<typeof questionsParamsSchema>;
export type ScenarioQuestions = readonly {
  /** As it is written. */
  readonly text: string;
  /** Counted from 0. */
  readonly line: number;
  /** Empty without a run. */
  readonly answer: string;
  readonly details: readonly string[];
  /** Whether the answer is what is expected; null without a run. */
  readonly isMet: boolean | null;
}[];

/** Client → server request: the nodes of the cluster, for a list to choose from. Answer: `NodesResult`. */
export const nodesRequest = 'podium/nodes';
export type NodesResult = readonly {
  readonly name: string;
  /** Empty without a label. */
  readonly zone: string;
  /** Those that a drain finds there. */
  readonly pods: number;
}[];

/**
 * Client → server request: what the side bar shows. Answer: `Overview` of `report-model/overview.ts`. Honours cancellation;
 * refused when the workspace changes meanwhile, which `podium/overviewChanged` tells.
 */
export const overviewRequest = 'podium/overview';
/** Server → client notification, once after each request: it would be answered otherwise now. */
export const overviewChangedNotification = 'podium/overviewChanged';

/** Client → server request: what to write so that an operation is true of the manifests. */
export const whatIfEditRequest = 'podium/whatIfEdit';
export const whatIfEditParamsSchema = z.object({ operation: z.string() });
export type WhatIfEditParams = z.infer<typeof whatIfEditParamsSchema>;
export interface WhatIfEdit {
  /** Null where nothing can be written. */
  readonly edit: { readonly documentChanges: readonly unknown[] } | null;
  /** What has to be known besides, or why there is nothing to write; empty otherwise. */
  readonly note: string;
}

/**
 * Client → server request: what a tool of `podium mcp` answers about what is open, unsaved text included. Honours
 * cancellation.
 */
export const askRequest = 'podium/ask';
export const askParamsSchema = z.object({ tool: z.string(), input: z.unknown() });
export type AskParams = z.infer<typeof askParamsSchema>;
export interface Answer {
  /** Under 20 kB. */
  readonly text: string;
  /** It is no answer: something was asked for that is not there. */
  readonly failed: boolean;
}

/**
 * Client → server request: what moving the workspace from one version of Kubernetes to another changes, as Markdown.
 * Honours cancellation.
 */
export const upgradeRequest = 'podium/upgrade';
export const upgradeParamsSchema = z.object({ from: z.string(), to: z.string() });
export type UpgradeParams = z.infer<typeof upgradeParamsSchema>;

/** Server → client notification: what the last report rests on has changed. */
export const modelChangedNotification = 'podium/modelChanged';

/** Server → client notification: where the cluster comes from, for the language status item. */
export const clusterStatusNotification = 'podium/clusterStatus';
export interface ClusterStatus {
  readonly source: 'snapshot' | 'workspace' | 'assumed';
  /** Whether the settings name a snapshot on which no answer can rest; `detail` says why. */
  readonly isSnapshotUnusable: boolean;
  /** Whether no object is in the workspace or a snapshot. */
  readonly isEmpty: boolean;
  readonly nodes: number;
  readonly pods: number;
  /** Where the nodes of the workspace come from, with globs of their files; empty while that is not known. */
  readonly nodePlaces: readonly {
    readonly folder: string;
    readonly nodes: number;
    readonly globs: readonly string[];
  }[];
  /** A sentence for the detail of the item. */
  readonly detail: string;
  /** What would be applied to it; null while sources are not known, and where nothing makes objects of files. */
  readonly applied: AppliedStatus | null;
  /** True while files are still being read. */
  readonly indexing: boolean;
}

/** Whether kubectl and helm are run, or why not for some sources; `no-tool`: one that they need is not installed. */
export type RenderingState = 'on' | 'not-trusted' | 'not-allowed' | 'no-tool';

/** What would be applied, and what of it is not seen. */
export interface AppliedStatus {
  /** The chosen targets, the one that is simulated first; empty names where nothing is there in more than one version. */
  readonly targets: readonly string[];
  readonly rendering: RenderingState;
  /** `kubectl` or `kustomize`, and `helm`, where they are installed. */
  readonly installed: readonly string[];
  /** Those that sources need and that are not. */
  readonly missing: readonly string[];
  /** Whether something is not rendered for what can be fetched. */
  readonly isRemote: boolean;
  readonly unseen: readonly UnseenGroup[];
  /** How many things that are. */
  readonly unseenCount: number;
  /** A sentence that names the tools that ran without a sandbox of the operating system; empty where none did. */
  readonly lesserMode: string;
}

/** Client → server request: everything that could be applied, rendered. Answer: `TargetsResult`. Honours cancellation. */
export const targetsRequest = 'podium/targets';
export interface TargetsResult {
  readonly rendering: RenderingState;
  readonly targets: readonly {
    readonly name: string;
    readonly objects: number;
    readonly workloads: number;
    readonly chosen: boolean;
    readonly unseen: readonly string[];
  }[];
}

/**
 * Client → server request, of a command: what sources need that is not in the workspace. Nothing is fetched. Like the
 * next three it is refused in a workspace that is not trusted, honours cancellation, and shows its progress.
 */
export const remotesRequest = 'podium/remotes';
export interface RemotesResult {
  /** Where it would be kept. */
  readonly storage: string;
  readonly remotes: readonly {
    readonly key: string;
    readonly kind: 'chart' | 'git' | 'file';
    readonly name: string;
    readonly address: string;
    /** It was fetched before, and may have changed since. */
    readonly isHere: boolean;
  }[];
  /** What Podium does not fetch, and why. */
  readonly notFetched: readonly string[];
}

/** Client → server request, when the user has seen what and from where: fetches it. */
export const fetchRequest = 'podium/fetch';
export const fetchParamsSchema = z.object({
  keys: z.array(z.string()),
  /** Whether what has changed under the same name is taken. */
  mayChange: z.boolean(),
});
export type FetchParams = z.infer<typeof fetchParamsSchema>;
export interface FetchResult {
  readonly outcomes: readonly {
    readonly key: string;
    readonly name: string;
    /** Empty where it was fetched. */
    readonly failure: string;
    readonly hasChanged: boolean;
  }[];
}

/** Client → server request, of a command: the contexts of the user's kubectl. No cluster is asked. */
export const contextsRequest = 'podium/contexts';
export interface ContextsResult {
  /** Of kubectl. */
  readonly path: string;
  readonly contexts: readonly string[];
  readonly current: string | null;
  /** The snapshot that is used, and the context that it says it is of; empty where it says none. */
  readonly snapshot: { readonly path: string; readonly context: string } | null;
}

/** Client → server request, when the user has chosen the context and the file: asks the cluster. */
export const captureRequest = 'podium/capture';
export const captureParamsSchema = z.object({
  context: z.string(),
  /** Absolute. */
  path: z.string(),
});
export type CaptureParams = z.infer<typeof captureParamsSchema>;
export interface CaptureResult {
  readonly summary: string;
  /** What is missing, and what follows from it. */
  readonly missing: readonly string[];
}

/**
 * Server → client request before kubectl or helm are first run, of clients that say `asksBeforeRendering`. Answer:
 * whether they may be.
 */
export const mayRenderRequest = 'podium/mayRender';
export interface MayRenderParams {
  readonly tools: readonly { readonly program: string; readonly path: string; readonly version: string }[];
}
export const mayRenderResultSchema = z.boolean();

/** Client → server notification: the user trusts the workspace now, or has another answer to `podium/mayRender`. */
export const renderingChangedNotification = 'podium/renderingChanged';
export const renderingChangedParamsSchema = z.object({ workspaceTrusted: z.boolean() });

/** Client → server notification: a language server for YAML answers in the same files now, or does not any more. */
export const yamlServerChangedNotification = 'podium/yamlServerChanged';
export const yamlServerChangedParamsSchema = z.object({
  yamlServer: z.boolean(),
  yamlValidation: z._default(z.boolean(), false),
  yamlSchemas: z.optional(z.unknown()),
  kubernetesSchemas: z._default(z.boolean(), false),
});
export type YamlServerChangedParams = z.infer<typeof yamlServerChangedParamsSchema>;

/** Client → server notification: where the caret of the active editor is. What is half typed there is not judged yet. */
export const caretNotification = 'podium/caret';
export const caretParamsSchema = z.object({
  uri: z.string(),
  line: z.int().check(z.minimum(0)),
  character: z.int().check(z.minimum(0)),
});
export type CaretParams = z.infer<typeof caretParamsSchema>;

/**
 * Client → server notification: what a language server for YAML tells of an open file by a schema now, from the first
 * time on that it tells something. Podium does not tell the same again.
 */
export const toldBySchemaNotification = 'podium/toldBySchema';
export const toldBySchemaParamsSchema = z.object({
  uri: z.string(),
  told: z.readonly(
    z.array(
      z.object({
        /** The line that it is told on, and what is underlined of it, each without blanks around it. */
        line: z.string(),
        text: z.string(),
        message: z.string(),
      }),
    ),
  ),
});
export type ToldBySchemaParams = z.infer<typeof toldBySchemaParamsSchema>;

/**
 * Server → client requests, used only when the client says `files: true` or `git: true` in its initialization options;
 * otherwise the server reads the file system and asks git itself.
 */
export const findFilesRequest = 'podium/findFiles';
export const findFilesResultSchema = z.array(z.string());

/** Answer: the bytes, or null when they cannot be read or are too many (then `size` says how many). */
export const readFileRequest = 'podium/readFile';
export const readFileParamsSchema = z.object({ uri: z.string(), maxBytes: z._default(z.number(), 256 * 1024 * 1024) });
/** As base64; the server decodes them as those of files on disk. */
export const readFileResultSchema = z.object({ bytes: z.nullable(z.string()), size: z.number() });
export type ReadFileResult = z.infer<typeof readFileResultSchema>;

/** Answer: the text of the file at git HEAD; null when it is not there or there is no git. */
export const committedTextRequest = 'podium/committedText';
export const committedTextParamsSchema = z.object({ uri: z.string() });
export const committedTextResultSchema = z.object({ text: z.nullable(z.string()) });
export type CommittedTextResult = z.infer<typeof committedTextResultSchema>;

/**
 * What manifests of the workspace folders, and some other files, were in a commit, as far as they have changed since on disk; null for files
 * that were not there. Answer: null when no folder is in a repository; an error when git does not know the commit.
 */
export const earlierTextsRequest = 'podium/earlierTexts';
export interface EarlierTextsParams {
  /** Anything that names one: `HEAD`, `origin/main`. */
  readonly commit: string;
  /** URIs of files that manifests are made of and that are none by their names, as parts of templates. */
  readonly inputs: readonly string[];
}
export const earlierTextsResultSchema = z.nullable(
  z.array(z.object({ uri: z.string(), text: z.nullable(z.string()) })),
);
export type EarlierTextsResult = z.infer<typeof earlierTextsResultSchema>;

/** Client → server notification: HEAD moved or the repository changed, so earlier versions must be read again. */
export const repositoryChangedNotification = 'podium/repositoryChanged';

export const initializationOptionsSchema = z.object({
  files: z._default(z.boolean(), false),
  git: z._default(z.boolean(), false),
  /** Whether programs may be run over the workspace: kubectl and helm, and git for clients that do not answer for it. */
  workspaceTrusted: z._default(z.boolean(), false),
  /** Whether the client asks its user before kubectl and helm are first run. */
  asksBeforeRendering: z._default(z.boolean(), false),
  /** Whether a request for the problems of the workspace may be kept open, and is answered in parts when they change. */
  keepsPulling: z._default(z.boolean(), false),
  /** Whether the client has VS Code's command that opens the list of choices, for items that lead to a next choice. */
  reopensLists: z._default(z.boolean(), false),
  /** Absolute path of a folder that what the user has fetched is kept in; without it the command line's. */
  storage: z._default(z.string(), ''),
  /** Whether a language server for YAML answers in the same files, each of which may have a schema. */
  yamlServer: z._default(z.boolean(), false),
  /** Whether such a server tells what is no YAML in files that are open. */
  yamlValidation: z._default(z.boolean(), false),
  /** The setting `yaml.schemas` of such a server: by schema the patterns of files. */
  yamlSchemas: z.optional(z.unknown()),
  /** Whether something gives such a server the schemas of Kubernetes for every manifest, as an extension may. */
  kubernetesSchemas: z._default(z.boolean(), false),
  /** URI of the folder with the pages of the rules, for the link behind a code; without it codes have no link. */
  docs: z._default(z.string(), ''),
  /** The section `podium` of the settings, for editors that do not answer `workspace/configuration`. */
  settings: z.optional(z.unknown()),
});
export type InitializationOptions = z.infer<typeof initializationOptionsSchema>;
