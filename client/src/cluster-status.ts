import * as vscode from 'vscode';
import type { ClusterStatus } from '../../server/src/protocol.ts';
import { manifestSelector } from './manifest-selector.ts';

const sources: Readonly<Record<ClusterStatus['source'], () => string>> = {
  snapshot: () => vscode.l10n.t('Cluster: snapshot'),
  workspace: () => vscode.l10n.t('Cluster: workspace'),
  assumed: () => vscode.l10n.t('Cluster: assumed nodes'),
};

/** VS Code keeps back the value of the workspace itself, so nobody can tell whether its settings name a snapshot. */
export const notTrusted = (): string =>
  vscode.l10n.t(
    'The workspace is not trusted: nothing is rendered, git is not asked, and its settings choose no cluster snapshot.',
  );

function severityOf(): vscode.LanguageStatusSeverity {
  return vscode.workspace.isTrusted ? vscode.LanguageStatusSeverity.Information : vscode.LanguageStatusSeverity.Warning;
}

/** The language status item that says which cluster the answers are about. */
export class ClusterStatusItem implements vscode.Disposable {
  readonly #item: vscode.LanguageStatusItem;
  readonly #trust: vscode.Disposable;
  readonly #note: string;
  #status: ClusterStatus | undefined;

  /** @param note what is to be known of every answer */
  constructor(note: string) {
    this.#note = note;
    this.#item = vscode.languages.createLanguageStatusItem('podium.cluster', manifestSelector());
    this.#item.name = vscode.l10n.t('Podium: Cluster');
    this.#item.text = 'Podium';
    this.#trust = vscode.workspace.onDidGrantWorkspaceTrust(() => {
      if (this.#status !== undefined) this.show(this.#status);
    });
  }

  show(status: ClusterStatus): void {
    this.#status = status;
    const { source, detail, indexing, isSnapshotUnusable } = status;
    this.#item.text = isSnapshotUnusable ? vscode.l10n.t('Cluster: snapshot not usable') : sources[source]();
    this.#item.severity = isSnapshotUnusable ? vscode.LanguageStatusSeverity.Error : severityOf();
    this.#item.detail = [detail, this.#note, vscode.workspace.isTrusted ? '' : notTrusted()].filter(Boolean).join(' ');
    this.#item.busy = indexing;
    this.#item.command =
      source === 'snapshot'
        ? { command: 'podium.refreshSnapshot', title: vscode.l10n.t('Refresh') }
        : { command: 'podium.simulate', title: vscode.l10n.t('Simulate') };
  }

  dispose(): void {
    this.#trust.dispose();
    this.#item.dispose();
  }
}
