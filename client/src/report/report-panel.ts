import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';
import type { Origin } from '../../../server/src/contract/report.ts';
import type { ScenarioRequest } from '../../../server/src/protocol.ts';
import type { Report } from '../../../server/src/contract/report.ts';
import { restoredStateSchema } from './messages.ts';
import { reportHtml } from './report-html.ts';
import { ReportSession } from './report-session.ts';

export interface ReportCallbacks {
  simulate(scenario: ScenarioRequest, token: vscode.CancellationToken): Promise<Report>;
  /** Shows a manifest in an editor. */
  /** Shows a manifest beside the report, which stays in its column. */
  reveal(origin: Origin, report: vscode.ViewColumn | undefined): void;
}

/**
 * The simulation report in VS Code: one panel beside the editor. It is opened for a scenario, follows edits, and comes
 * back after a restart of the window.
 */
export class ReportPanel implements vscode.Disposable, vscode.WebviewPanelSerializer {
  /** Activation event: `onWebviewPanel:podium.report`. */
  static readonly viewType = 'podium.report';

  readonly #extensionUri: vscode.Uri;
  readonly #callbacks: ReportCallbacks;
  readonly #registration: vscode.Disposable;
  #open: { readonly panel: vscode.WebviewPanel; readonly session: ReportSession } | null = null;

  constructor(extensionUri: vscode.Uri, callbacks: ReportCallbacks) {
    this.#extensionUri = extensionUri;
    this.#callbacks = callbacks;
    this.#registration = vscode.window.registerWebviewPanelSerializer(ReportPanel.viewType, this);
  }

  /** Simulates and shows; a report that is already open is reused where it stands. */
  open(scenario: ScenarioRequest): void {
    if (this.#open === null) {
      const panel = vscode.window.createWebviewPanel(
        ReportPanel.viewType,
        titleOf(scenario),
        { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true },
        this.#options(),
      );
      this.#attach(panel, scenario);
      return;
    }
    const { panel, session } = this.#open;
    panel.title = titleOf(scenario);
    session.open(scenario);
    panel.reveal(undefined, true);
  }

  /** To be called when what the report rests on has changed. */
  modelChanged(): void {
    this.#open?.session.modelChanged();
  }

  deserializeWebviewPanel(panel: vscode.WebviewPanel, state: unknown): Promise<void> {
    const restored = restoredStateSchema.safeParse(state);
    panel.webview.options = this.#options();
    this.#attach(panel, restored.success ? restored.data.scenario : { kind: 'workspace' });
    return Promise.resolve();
  }

  dispose(): void {
    this.#registration.dispose();
    this.#open?.panel.dispose();
  }

  #options(): vscode.WebviewOptions {
    return { enableScripts: true, localResourceRoots: [this.#folder()] };
  }

  #folder(): vscode.Uri {
    return vscode.Uri.joinPath(this.#extensionUri, 'dist', 'webview');
  }

  #attach(panel: vscode.WebviewPanel, scenario: ScenarioRequest): void {
    this.#open?.panel.dispose();
    panel.title = titleOf(scenario);
    const session = new ReportSession(scenario, {
      post: (message) => {
        void panel.webview.postMessage(message);
      },
      simulate: async (request, signal) => {
        const source = new vscode.CancellationTokenSource();
        signal.addEventListener('abort', () => {
          source.cancel();
        });
        try {
          return await this.#callbacks.simulate(request, source.token);
        } finally {
          source.dispose();
        }
      },
      reveal: (origin) => {
        this.#callbacks.reveal(origin, panel.viewColumn);
      },
      save: (text, extension) => {
        void save(text, extension);
      },
      copy: (text) => {
        void vscode.env.clipboard.writeText(text);
      },
      after: (milliseconds, callback) => {
        const timer = setTimeout(callback, milliseconds);
        return () => {
          clearTimeout(timer);
        };
      },
    });
    panel.webview.onDidReceiveMessage((message: unknown) => {
      session.receive(message);
    });
    panel.onDidChangeViewState(() => {
      session.setVisible(panel.visible);
    });
    panel.onDidDispose(() => {
      session.dispose();
      if (this.#open?.panel === panel) {
        this.#open = null;
      }
    });
    this.#open = { panel, session };
    const uri = (name: string): string =>
      panel.webview.asWebviewUri(vscode.Uri.joinPath(this.#folder(), name)).toString();
    panel.webview.html = reportHtml({
      nonce: randomBytes(16).toString('base64url'),
      cspSource: panel.webview.cspSource,
      scriptUri: uri('main.js'),
      styleUri: uri('main.css'),
    });
  }
}

function titleOf(scenario: ScenarioRequest): string {
  switch (scenario.kind) {
    case 'workspace':
      return 'Simulation: workspace';
    case 'change':
      return 'Simulation: change';
    case 'file':
      return `Simulation: ${scenario.uri.slice(scenario.uri.lastIndexOf('/') + 1)}`;
    case 'workload':
      return `Simulation: ${scenario.name}`;
  }
}

const fileTypes = { json: 'JSON', md: 'Markdown', svg: 'SVG' } as const;

async function save(text: string, extension: 'json' | 'md' | 'svg'): Promise<void> {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  const name = `podium-report.${extension}`;
  const target = await vscode.window.showSaveDialog({
    ...(folder === undefined ? {} : { defaultUri: vscode.Uri.joinPath(folder, name) }),
    filters: { [fileTypes[extension]]: [extension] },
    title: 'Export the simulation report',
  });
  if (target === undefined) {
    return;
  }
  try {
    await vscode.workspace.fs.writeFile(target, new TextEncoder().encode(text));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    void vscode.window.showErrorMessage(`The report could not be saved: ${reason}`);
  }
}
