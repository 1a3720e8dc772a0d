import * as vscode from 'vscode';
import { CloseAction, LanguageClient, TransportKind } from 'vscode-languageclient/node';
import {
  clusterStatusNotification,
  type ClusterStatus,
  type InitializationOptions,
  mayRenderRequest,
  type MayRenderParams,
  modelChangedNotification,
  renderingChangedNotification,
  type ScenarioRequest,
  type SimulateParams,
  simulateRequest,
  targetsRequest,
  type TargetsResult,
} from '../../server/src/protocol.ts';
import type { Report } from '../../server/src/contract/report.ts';
import { crashHandler } from './crash-handler.ts';
import { provideFiles } from './file-provider.ts';
import { provideCommittedTexts } from './git-provider.ts';
import { manifestSelector } from './manifest-selector.ts';

/** Who listens to the server. */
export interface ServerListener {
  clusterStatus(status: ClusterStatus): void;
  /** What the last report rests on has changed. */
  modelChanged(): void;
  /** Whether kubectl and helm may be run. */
  mayRender(params: MayRenderParams): Promise<boolean>;
}

/** The language server as the rest of the extension knows it. */
export class Server implements vscode.Disposable {
  readonly #client: LanguageClient;
  readonly #subscriptions: vscode.Disposable[];

  constructor(extensionUri: vscode.Uri, log: vscode.LogOutputChannel, listener: ServerListener) {
    const initializationOptions: InitializationOptions = {
      files: true,
      git: true,
      workspaceTrusted: vscode.workspace.isTrusted,
      asksBeforeRendering: true,
      docs: vscode.Uri.joinPath(extensionUri, 'docs', 'rules').toString(),
    };
    this.#client = new LanguageClient(
      'podium',
      'Podium',
      { module: vscode.Uri.joinPath(extensionUri, 'dist', 'server.mjs').fsPath, transport: TransportKind.ipc },
      {
        documentSelector: manifestSelector(),
        initializationOptions,
        outputChannel: log,
        errorHandler: crashHandler(
          () => this.#client.createDefaultErrorHandler(),
          ({ action }) => action === CloseAction.DoNotRestart,
          (message) => void offerRestart(message),
        ),
      },
    );
    this.#subscriptions = [
      provideFiles(this.#client),
      provideCommittedTexts(this.#client, log),
      this.#client.onRequest(mayRenderRequest, (params: MayRenderParams) => listener.mayRender(params)),
      vscode.workspace.onDidGrantWorkspaceTrust(() => void this.renderingChanged()),
      this.#client.onNotification(modelChangedNotification, () => {
        listener.modelChanged();
      }),
      this.#client.onNotification(clusterStatusNotification, (status: ClusterStatus) => {
        listener.clusterStatus(status);
      }),
    ];
  }

  /** Rejects when the server does not come up; the log says why. */
  start(): Promise<void> {
    return this.#client.start();
  }

  restart(): Promise<void> {
    return this.#client.restart();
  }

  /** Rejects with the server's reason when there is no report. */
  simulate(scenario: ScenarioRequest, token: vscode.CancellationToken): Promise<Report> {
    const params: SimulateParams = { scenario };
    return this.#client.sendRequest<Report>(simulateRequest, params, token);
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

  dispose(): void {
    for (const subscription of this.#subscriptions) subscription.dispose();
    // It may not have come up; there is nothing to stop then.
    this.#client.dispose().catch(() => undefined);
  }
}

/** The server ends again and again; only the user can say whether to try once more. */
async function offerRestart(message: string): Promise<void> {
  const restart = 'Restart Language Server';
  const showLogs = 'Show Logs';
  const chosen = await vscode.window.showErrorMessage(message, restart, showLogs);
  if (chosen === restart) await vscode.commands.executeCommand('podium.restart');
  if (chosen === showLogs) await vscode.commands.executeCommand('podium.showLogs');
}
