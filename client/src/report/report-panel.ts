import * as vscode from 'vscode';
import { compressed } from '../../../server/src/report-model/compressed.ts';
import type { Origin } from '../../../server/src/report-model/origin.ts';
import type { Report } from '../../../server/src/report-model/report.ts';
import type { SimulationProgress } from '../../../server/src/report-model/so-far.ts';
import type { Confirmation, EffectsProgress, ScenarioRequest, SimulateParams } from '../../../server/src/protocol.ts';
import { type PanelCommand, restoredStateSchema } from './messages.ts';
import { pageTexts } from './page-texts.ts';
import { reportHtml } from './report-html.ts';
import { type Beginning, ReportSession } from './report-session.ts';
import type { ExportExtension, SessionHost } from './session-host.ts';
import { applyWhatIf, chooseWhatIf, keepWhatIf } from './what-if.ts';
import type { Server } from '../server.ts';

export interface ReportCallbacks {
  /** The language server, started if it is not running. */
  readonly server: () => Promise<
    Pick<Server, 'simulate' | 'capacity' | 'decisions' | 'effects' | 'remedies' | 'whatIfEdit'>
  >;
  /** Where what-ifs are kept. */
  readonly kept: vscode.Memento;
  /** A folder of the workspace's own; undefined where there is none. */
  readonly storage: vscode.Uri | undefined;
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

  /**
   * Simulates and shows, with operations that are tried; a report that is already open is reused where it stands.
   * @param accepted what the user need not be asked about any more
   */
  open(scenario: ScenarioRequest, operations: readonly string[] = [], accepted?: Confirmation['about']): void {
    if (this.#open === null) {
      const panel = vscode.window.createWebviewPanel(
        ReportPanel.viewType,
        titleOf(scenario),
        { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true },
        this.#options(),
      );
      this.#attach(panel, scenario, { operations, accepted });
      return;
    }
    const { panel, session } = this.#open;
    panel.title = titleOf(scenario);
    session.open(scenario, operations, accepted);
    panel.reveal(undefined, true);
  }

  /** Asks what to compare with, and shows that: of the report that is open, or of the whole workspace. */
  async compare(): Promise<void> {
    const { chooseComparison } = await import('../on-request/compare-with.ts');
    const other = await chooseComparison(this.#open?.session.hasPrevious === true);
    if (other === undefined) return;
    if (this.#open === null) this.open({ kind: 'workspace' });
    this.#open?.panel.reveal(undefined, true);
    this.#open?.session.compare(other);
  }

  /** What is being done for the run that is under way. */
  progress(progress: SimulationProgress): void {
    this.#open?.session.progress(progress);
  }

  /** What is known of operations that are tried. */
  effects(progress: EffectsProgress): void {
    this.#open?.session.effects(progress);
  }

  /** To be called when what the report rests on has changed. */
  modelChanged(): void {
    this.#open?.session.modelChanged();
  }

  deserializeWebviewPanel(panel: vscode.WebviewPanel, state: unknown): Promise<void> {
    const restored = restoredStateSchema.safeParse(state);
    panel.webview.options = this.#options();
    const { scenario, ...beginning } = restored.data ?? { scenario: { kind: 'workspace' } as const };
    this.#attach(panel, scenario, beginning);
    return Promise.resolve();
  }

  dispose(): void {
    this.#registration.dispose();
    this.#open?.panel.dispose();
  }

  #options(): vscode.WebviewOptions {
    return { enableScripts: true, localResourceRoots: [this.#folder()] };
  }

  async #keepRun(report: Report | null): Promise<string | null> {
    const { storage } = this.#callbacks;
    if (report === null || storage === undefined) return null;
    try {
      const uri = vscode.Uri.joinPath(storage, 'previous-run.json.gz.txt');
      await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(await compressed(JSON.stringify(report))));
      return uri.toString();
    } catch {
      // The comparison is there all the same, until the window is closed.
      return null;
    }
  }

  #folder(): vscode.Uri {
    return vscode.Uri.joinPath(this.#extensionUri, 'dist', 'webview');
  }

  async #text(name: string): Promise<string> {
    const bytes = await vscode.workspace.fs.readFile(vscode.Uri.joinPath(this.#folder(), name));
    return new TextDecoder().decode(bytes);
  }

  #attach(panel: vscode.WebviewPanel, scenario: ScenarioRequest, beginning: Beginning): void {
    this.#open?.panel.dispose();
    panel.title = titleOf(scenario);
    const { server, kept } = this.#callbacks;
    const asked =
      <Answer>(what: (of: ServerAnswers, params: SimulateParams, token: vscode.CancellationToken) => Promise<Answer>) =>
      (
        request: ScenarioRequest,
        whatIf: readonly string[],
        signal: AbortSignal,
        more: Pick<SimulateParams, 'run' | 'against' | 'asks'> = {},
      ): Promise<Answer> =>
        cancellable(signal, async (token) =>
          what(await server(), { scenario: request, whatIf: [...whatIf], ...more }, token),
        );
    const host: SessionHost = {
      post: (message) => {
        void panel.webview.postMessage(message);
      },
      simulate: asked((of, params, token) => of.simulate(params, token)),
      explain: async (run, indexes) =>
        (await server()).decisions({ run, indexes: indexes === null ? null : [...indexes] }),
      capacity: (run, workloads, signal) =>
        cancellable(signal, async (token) => (await server()).capacity({ run, workloads: [...workloads] }, token)),
      effects: asked((of, params, token) => of.effects(params, token)),
      remedies: asked((of, params, token) => of.remedies(params, token)),
      apply: (operation) => {
        void server().then((of) =>
          applyWhatIf(of, operation, (origin) => {
            this.#callbacks.reveal(origin, panel.viewColumn);
          }),
        );
      },
      keepRun: (report) => this.#keepRun(report),
      keep: (whatIf) => {
        void keepWhatIf(kept, whatIf);
      },
      chooseOther: async (kind) => (await import('../on-request/compare-with.ts')).chooseOther(kind, kept),
      choose: () => chooseWhatIf(kept),
      reveal: (origin) => {
        this.#callbacks.reveal(origin, panel.viewColumn);
      },
      run: (command) => {
        void runCommand(command);
      },
      page: async () => ({
        script: await this.#text('main.js'),
        style: await this.#text('main.css'),
        texts: await pageTexts(this.#extensionUri),
      }),
      save: (content, extension) => {
        void save(content, extension);
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
    };
    const session = new ReportSession(scenario, host, beginning);
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
    const shell = {
      nonce: crypto.randomUUID(),
      cspSource: panel.webview.cspSource,
      scriptUri: uri('main.js'),
      styleUri: uri('main.css'),
    };
    void pageTexts(this.#extensionUri).then((texts) => {
      // It may have been closed meanwhile.
      if (this.#open?.panel === panel) panel.webview.html = reportHtml({ ...shell, texts });
    });
  }
}

type ServerAnswers = Awaited<ReturnType<ReportCallbacks['server']>>;

async function cancellable<Answer>(
  signal: AbortSignal,
  ask: (token: vscode.CancellationToken) => Promise<Answer>,
): Promise<Answer> {
  const source = new vscode.CancellationTokenSource();
  signal.addEventListener('abort', () => {
    source.cancel();
  });
  try {
    return await ask(source.token);
  } finally {
    source.dispose();
  }
}

function titleOf(scenario: ScenarioRequest): string {
  switch (scenario.kind) {
    case 'workspace':
      return vscode.l10n.t('Simulation: workspace');
    case 'change':
      return vscode.l10n.t('Simulation: change');
    case 'file':
      return vscode.l10n.t('Simulation: {0}', scenario.uri.slice(scenario.uri.lastIndexOf('/') + 1));
    case 'workload':
      return vscode.l10n.t('Simulation: {0}', scenario.name);
  }
}

/** What stands behind a command of the page; those that are not here are Podium's own. */
const editorCommands: Readonly<Partial<Record<PanelCommand, readonly [command: string, argument?: string]>>> = {
  assumedNodes: ['workbench.action.openSettings', 'podium.cluster.assumedNodes'],
  nameSnapshot: ['workbench.action.openSettings', 'podium.cluster.snapshot'],
  showProblems: ['workbench.actions.view.problems'],
  showUnseen: ['podium.overview.focus'],
};

async function runCommand(name: PanelCommand): Promise<void> {
  const [command, argument] = editorCommands[name] ?? [`podium.${name}`];
  try {
    await vscode.commands.executeCommand(command, argument);
  } catch (error) {
    // In a browser there is neither a cluster to ask nor anything to fetch with.
    const reason = error instanceof Error ? error.message : String(error);
    void vscode.window.showInformationMessage(vscode.l10n.t('That is not possible here: {0}', reason));
  }
}

const fileTypes = { html: 'HTML', json: 'JSON', md: 'Markdown', png: 'PNG' } as const;

async function save(content: string | Uint8Array, extension: ExportExtension): Promise<void> {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  const name = `podium-report.${extension}`;
  const target = await vscode.window.showSaveDialog({
    ...(folder === undefined ? {} : { defaultUri: vscode.Uri.joinPath(folder, name) }),
    filters: { [fileTypes[extension]]: [extension] },
    title: vscode.l10n.t('Export the simulation report'),
  });
  if (target === undefined) {
    return;
  }
  try {
    await vscode.workspace.fs.writeFile(
      target,
      typeof content === 'string' ? new TextEncoder().encode(content) : content,
    );
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    void vscode.window.showErrorMessage(vscode.l10n.t('The report could not be saved: {0}', reason));
  }
}
