import * as vscode from 'vscode';
import {
  type BaseLanguageClient,
  CloseAction,
  ErrorAction,
  type LanguageClientOptions,
  type WorkspaceEdit as LspWorkspaceEdit,
} from 'vscode-languageclient';
import {
  type Answer,
  askRequest,
  caretNotification,
  type AskParams,
  clusterStatusNotification,
  type ClusterStatus,
  capacityRequest,
  type CapacityParams,
  type DecisionsParams,
  decisionsRequest,
  type Confirmation,
  type EffectsProgress,
  effectsProgressNotification,
  effectsRequest,
  type InitializationOptions,
  mayRenderRequest,
  type MayRenderParams,
  modelChangedNotification,
  nodesRequest,
  type NodesResult,
  overviewChangedNotification,
  overviewRequest,
  remediesRequest,
  renderingChangedNotification,
  type SimulateParams,
  simulateRequest,
  simulationProgressNotification,
  targetsRequest,
  type TargetsResult,
  toldBySchemaNotification,
  type WhatIfEdit,
  type WhatIfEditParams,
  whatIfEditRequest,
  type YamlServerChangedParams,
  yamlServerChangedNotification,
} from '../../server/src/protocol.ts';
import type { Capacity } from '../../server/src/report-model/capacity.ts';
import type { Overview } from '../../server/src/report-model/overview.ts';
import type { Effect } from '../../server/src/report-model/effect.ts';
import type { Remedy } from '../../server/src/report-model/remedy.ts';
import type { SimulationProgress } from '../../server/src/report-model/so-far.ts';
import type { Report, ReportDecision } from '../../server/src/report-model/report.ts';
import { tellCaret } from './caret.ts';
import { provideFiles } from './file-provider.ts';
import { provideCommittedTexts } from './git-provider.ts';
import { manifestSelector } from './manifest-selector.ts';
import { tellWhatSchemasTell } from './told-by-schema.ts';

/** Who listens to the server. */
export interface ServerListener {
  clusterStatus(status: ClusterStatus): void;
  /** What the last report rests on has changed. */
  modelChanged(): void;
  /** What the side bar shows would be another. */
  overviewChanged(): void;
  /** What is being done for the run that is under way. */
  progress(progress: SimulationProgress): void;
  /** What is known of operations that are tried. */
  effects(progress: EffectsProgress): void;
  /** Whether kubectl and helm may be run. */
  mayRender(params: MayRenderParams): Promise<boolean>;
  /** It has come up, and has ended. The log says what made it. */
  ended(): void;
}

/** How a server is reached. */
export interface Reached {
  connect(options: LanguageClientOptions): BaseLanguageClient;
  /** Whether the editor may be asked about git. */
  readonly git: boolean;
  /** Called when the server is not needed any more. */
  readonly end?: () => void;
}

/** A language server, from its start to its end, as the rest of the extension knows it. */
export class Server implements vscode.Disposable {
  readonly #client: BaseLanguageClient;
  readonly #reached: Reached;
  readonly #listener: ServerListener;
  readonly #subscriptions: vscode.Disposable[];
  #isUp = false;

  constructor(
    reached: Reached,
    { extensionUri, globalStorageUri }: vscode.ExtensionContext,
    log: vscode.LogOutputChannel,
    listener: ServerListener,
  ) {
    const initializationOptions: InitializationOptions = {
      files: true,
      git: reached.git,
      workspaceTrusted: vscode.workspace.isTrusted,
      asksBeforeRendering: true,
      keepsPulling: true,
      reopensLists: true,
      storage: globalStorageUri.fsPath,
      ...yamlServer(),
      docs: vscode.Uri.joinPath(extensionUri, 'docs', 'rules').toString(),
    };
    this.#reached = reached;
    this.#client = reached.connect({
      documentSelector: manifestSelector(),
      initializationOptions,
      outputChannel: log,
      diagnosticPullOptions: { onChange: true },
      // Started again as a new one: the language client confuses the two when one ends while it starts.
      initializationFailedHandler: () => false,
      errorHandler: {
        error: () => ({ action: ErrorAction.Continue }),
        closed: () => {
          this.ended();
          return { action: CloseAction.DoNotRestart, handled: true };
        },
      },
    });
    this.#listener = listener;
    this.#subscriptions = [
      provideFiles(this.#client),
      ...(reached.git ? [provideCommittedTexts(this.#client, log)] : []),
      this.#client.onRequest<boolean, unknown>(mayRenderRequest, (params: MayRenderParams) =>
        listener.mayRender(params),
      ),
      vscode.extensions.onDidChange(() => void this.#yamlServerChanged()),
      vscode.workspace.onDidChangeConfiguration((change) => {
        if (change.affectsConfiguration('yaml')) void this.#yamlServerChanged();
      }),
      vscode.workspace.onDidGrantWorkspaceTrust(() => void this.renderingChanged()),
      this.#client.onNotification(modelChangedNotification, () => {
        listener.modelChanged();
      }),
      this.#client.onNotification(overviewChangedNotification, () => {
        listener.overviewChanged();
      }),
      this.#client.onNotification(simulationProgressNotification, (progress: SimulationProgress) => {
        listener.progress(progress);
      }),
      this.#client.onNotification(effectsProgressNotification, (progress: EffectsProgress) => {
        listener.effects(progress);
      }),
      this.#client.onNotification(clusterStatusNotification, (status: ClusterStatus) => {
        listener.clusterStatus(status);
      }),
    ];
  }

  /** Rejects when the server does not come up; the log says why. */
  async start(): Promise<this> {
    try {
      await this.#client.start();
    } catch (error) {
      this.dispose();
      throw error;
    }
    this.#isUp = true;
    this.#subscriptions.push(
      tellWhatSchemasTell((params) => this.#client.sendNotification(toldBySchemaNotification, params)),
      tellCaret((params) => this.#client.sendNotification(caretNotification, params)),
    );
    return this;
  }

  /** The server is gone. */
  ended(): void {
    if (this.#isUp) this.#listener.ended();
    this.#isUp = false;
  }

  /** Rejects with the server's reason when there is no report. What is asked about first is told by the parameters. */
  simulate(params: SimulateParams, token: vscode.CancellationToken): Promise<Report | Confirmation> {
    return this.#client.sendRequest<Report | Confirmation>(simulateRequest, params, token);
  }

  /** The whole of some decisions, or of all, of the report that was answered last. */
  decisions(params: DecisionsParams): Promise<readonly ReportDecision[]> {
    return this.#client.sendRequest<readonly ReportDecision[]>(decisionsRequest, params);
  }

  /** How much room is left for workloads of the report that was answered last. */
  capacity(params: CapacityParams, token: vscode.CancellationToken): Promise<readonly Capacity[]> {
    return this.#client.sendRequest<readonly Capacity[]>(capacityRequest, params, token);
  }

  /** What each operation does. */
  effects(params: SimulateParams, token: vscode.CancellationToken): Promise<readonly Effect[]> {
    return this.#client.sendRequest<readonly Effect[]>(effectsRequest, params, token);
  }

  /** What would help. */
  remedies(params: SimulateParams, token: vscode.CancellationToken): Promise<readonly Remedy[]> {
    return this.#client.sendRequest<readonly Remedy[]>(remediesRequest, params, token);
  }

  /** What to write so that an operation is true of the manifests: the edit, and what is to be known besides. */
  async whatIfEdit(operation: string): Promise<{ readonly edit: vscode.WorkspaceEdit | null; readonly note: string }> {
    const params: WhatIfEditParams = { operation };
    const { edit, note } = await this.#client.sendRequest<WhatIfEdit>(whatIfEditRequest, params);
    if (edit === null) return { edit: null, note };
    const changed = await this.#client.protocol2CodeConverter.asWorkspaceEdit(edit as LspWorkspaceEdit);
    return { edit: changed, note };
  }

  nodes(token: vscode.CancellationToken): Promise<NodesResult> {
    return this.#client.sendRequest<NodesResult>(nodesRequest, {}, token);
  }

  /** Rejects when the workspace changes meanwhile; the listener is told then. */
  overview(token: vscode.CancellationToken): Promise<Overview> {
    return this.#client.sendRequest<Overview>(overviewRequest, {}, token);
  }

  /** What commands ask that are loaded on their own. */
  ask<Result>(method: string, params: object): Promise<Result> {
    return this.#client.sendRequest<Result>(method, params);
  }

  /** What a tool for assistants answers. */
  answer(params: AskParams, token: vscode.CancellationToken): Promise<Answer> {
    return this.#client.sendRequest<Answer>(askRequest, params, token);
  }

  /** Everything that could be applied, rendered. */
  targets(token: vscode.CancellationToken): Promise<TargetsResult> {
    return this.#client.sendRequest<TargetsResult>(targetsRequest, {}, token);
  }

  /** The user trusts the workspace now, or would answer otherwise whether kubectl and helm may be run. */
  renderingChanged(): Promise<void> {
    return this.#client.sendNotification(renderingChangedNotification, {
      workspaceTrusted: vscode.workspace.isTrusted,
    });
  }

  #yamlServerChanged(): Promise<void> {
    return this.#client.sendNotification(yamlServerChangedNotification, yamlServer());
  }

  dispose(): void {
    this.#isUp = false;
    for (const subscription of this.#subscriptions) subscription.dispose();
    // It may not have come up; there is nothing to stop then.
    this.#client
      .dispose()
      .catch(() => undefined)
      .finally(() => this.#reached.end?.());
  }
}

/** What the extension of Red Hat does in the same files, and which schemas it has for them. */
function yamlServer(): YamlServerChangedParams {
  const isThere = vscode.extensions.getExtension('redhat.vscode-yaml') !== undefined;
  const settings = vscode.workspace.getConfiguration('yaml');
  return {
    yamlServer: isThere,
    yamlValidation: isThere && (settings.get<boolean>('validate') ?? true),
    yamlSchemas: settings.get<unknown>('schemas'),
    // It gives every manifest the schema of its kind.
    kubernetesSchemas: vscode.extensions.getExtension('ms-kubernetes-tools.vscode-kubernetes-tools') !== undefined,
  };
}
