import * as vscode from 'vscode';
import type { Overview } from '../../server/src/report-model/overview.ts';
import type { AppliedStatus } from '../../server/src/protocol.ts';
import { notTrusted } from './cluster-status.ts';
import type { OverviewRow } from './overview-row.ts';
import { scenarioFiles } from './scenario-files.ts';

/** What the view needs of the rest of the extension. */
export interface OverviewAccess {
  /** Rejects when it cannot be told. */
  overview(token: vscode.CancellationToken): Promise<Overview>;
  /** Whether kubectl and helm may be run, with their versions and paths; empty before something needs them. */
  question(): string;
  /** Whether a server runs; one is only started for a folder. */
  isStarted(): boolean;
  /** So many pods have no node, in words. */
  counted(waiting: string): void;
}

/** How long changes are gathered before the view is made anew, in milliseconds. */
const pause = 500;

/** Of the language server protocol: the answer was given up, as nobody wants it or something has changed meanwhile. */
const givenUp: readonly unknown[] = [-32_800, -32_801];

/** What is only loaded when somebody looks at the view. */
const parts = () => import('./overview/index.ts');

/** The side bar: classes, nodes, budgets and what waits. It asks only while somebody looks. */
export class OverviewView implements vscode.TreeDataProvider<OverviewRow>, vscode.Disposable {
  readonly #access: OverviewAccess;
  readonly #view: vscode.TreeView<OverviewRow>;
  readonly #didChange = new vscode.EventEmitter<void>();
  readonly #subscriptions: readonly { dispose(): unknown }[];
  #asked: vscode.CancellationTokenSource | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** Shown while the next are made. */
  #rows: readonly OverviewRow[] | undefined;
  #isOutdated = false;
  #isAsking = false;
  #applied: AppliedStatus | null = null;

  constructor(access: OverviewAccess) {
    this.#access = access;
    this.#view = vscode.window.createTreeView('podium.overview', { treeDataProvider: this, showCollapseAll: true });
    const scenarios = vscode.workspace.createFileSystemWatcher(scenarioFiles, false, true);
    const changed = (): void => {
      this.changed();
    };
    const command = (name: string, run: (row: OverviewRow) => unknown) =>
      vscode.commands.registerCommand(`podium.overview.${name}`, run);
    this.#subscriptions = [
      this.#view,
      this.#didChange,
      this.#view.onDidChangeVisibility(({ visible }) => {
        if (visible && this.#isOutdated) this.#refresh();
      }),
      vscode.workspace.onDidGrantWorkspaceTrust(changed),
      vscode.workspace.onDidChangeWorkspaceFolders(changed),
      scenarios,
      scenarios.onDidCreate(changed),
      scenarios.onDidDelete(changed),
      command('refresh', () => {
        this.#refresh();
      }),
      command('copyName', async (row) => (await parts()).copyName(row)),
      command('findReferences', async (row) => (await parts()).findReferences(row)),
    ];
  }

  readonly onDidChangeTreeData = this.#didChange.event;

  getTreeItem({ item }: OverviewRow): vscode.TreeItem {
    return item;
  }

  async getChildren(row?: OverviewRow): Promise<OverviewRow[]> {
    if (row !== undefined) return [...(row.children?.() ?? [])];
    const isThere = this.#access.isStarted() || (vscode.workspace.workspaceFolders ?? []).length > 0;
    this.#rows = isThere ? await this.#ask() : [];
    return [...this.#rows];
  }

  /** What of the workspace is seen, and what is not. */
  applied(applied: AppliedStatus | null): void {
    if (JSON.stringify(applied) === JSON.stringify(this.#applied)) return;
    this.#applied = applied;
    this.changed();
  }

  /** What is shown may be another by now. */
  changed(): void {
    this.#isOutdated = true;
    if (!this.#view.visible) {
      // Nobody looks, so that nothing is worked out; a number that may be wrong is none.
      this.#view.badge = undefined;
      return;
    }
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      if (this.#view.visible) this.#refresh();
    }, pause);
  }

  /** A server has come up; who asks already has waited for it. */
  started(): void {
    if (!this.#isAsking) this.changed();
  }

  dispose(): void {
    clearTimeout(this.#timer);
    this.#asked?.cancel();
    for (const subscription of this.#subscriptions) subscription.dispose();
  }

  #refresh(): void {
    clearTimeout(this.#timer);
    this.#didChange.fire();
  }

  async #ask(): Promise<readonly OverviewRow[]> {
    this.#asked?.cancel();
    const asked = new vscode.CancellationTokenSource();
    this.#asked = asked;
    this.#isAsking = true;
    this.#isOutdated = false;
    try {
      const [overview, scenarios, { rowsOf }] = await Promise.all([
        this.#access.overview(asked.token),
        vscode.workspace.findFiles(scenarioFiles),
        parts(),
      ]);
      const { waiting, target, isEmpty } = overview;
      this.#view.badge = waiting.pending === 0 ? undefined : { value: waiting.pending, tooltip: waiting.text };
      this.#view.description = target;
      this.#view.message = vscode.workspace.isTrusted || isEmpty ? (this.#applied?.lesserMode ?? '') : notTrusted();
      this.#access.counted(waiting.text);
      // A view without rows shows a welcome: that nothing is declared can be said from now on.
      void vscode.commands.executeCommand('setContext', 'podium.overviewRead', true);
      return rowsOf(overview, scenarios, this.#applied, this.#access.question());
    } catch (error) {
      const isGivenUp = givenUp.includes((error as { readonly code?: unknown }).code);
      // Who gives up says when to ask again, or has asked again.
      if (isGivenUp) return this.#rows ?? [plainRow(vscode.l10n.t('Reading the workspace…'), 'loading~spin')];
      this.#view.badge = undefined;
      return [failedRow(error)];
    } finally {
      if (this.#asked === asked) this.#isAsking = false;
      asked.dispose();
    }
  }
}

function plainRow(label: string, icon: string): OverviewRow {
  const item = new vscode.TreeItem(label);
  item.iconPath = new vscode.ThemeIcon(icon);
  return { item };
}

function failedRow(error: unknown): OverviewRow {
  const row = plainRow(vscode.l10n.t('The language server does not answer.'), 'error');
  row.item.tooltip = error instanceof Error ? error.message : String(error);
  row.item.command = { command: 'podium.showLogs', title: vscode.l10n.t('Show Logs') };
  return row;
}
