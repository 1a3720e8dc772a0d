import * as vscode from 'vscode';
import type { ClusterStatus } from '../../server/src/protocol.ts';
import type { OverviewAccess } from './overview-view.ts';
import { count } from './texts.ts';

/** How long nothing may have changed before what waits is counted, in milliseconds: nobody types any more. */
const quiet = 3_000;

/** In a larger cluster what waits is counted only where somebody looks at the view. */
const mostNodes = 500;

/** `Podium: 4 nodes · 5 pending · 1 gated · 69 not seen`, and the way to the view that says more. */
export class StatusBar implements vscode.Disposable {
  readonly #item = vscode.window.createStatusBarItem('podium.status', vscode.StatusBarAlignment.Left);
  readonly #overview: OverviewAccess['overview'];
  #status: ClusterStatus | undefined;
  #waiting = '';
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(overview: OverviewAccess['overview']) {
    this.#overview = overview;
    this.#item.name = 'Podium';
  }

  show(status: ClusterStatus): void {
    this.#status = status;
    this.#update();
    if (!status.indexing) this.changed();
  }

  /** What waits may be others by now. */
  changed(): void {
    clearTimeout(this.#timer);
    const { nodes = 0 } = this.#status ?? {};
    if (this.#status === undefined || nodes > mostNodes) return;
    this.#timer = setTimeout(() => {
      // Where something has changed meanwhile it is counted again then.
      this.#overview(new vscode.CancellationTokenSource().token).then(
        ({ waiting }) => {
          this.waiting(waiting.text);
        },
        () => undefined,
      );
    }, quiet);
  }

  /** So many pods have no node, in words. */
  waiting(text: string): void {
    this.#waiting = text;
    this.#update();
  }

  /** The server has ended so often that it is not started again. */
  stopped(): void {
    clearTimeout(this.#timer);
    this.#status = undefined;
    this.#item.text = vscode.l10n.t('Podium: stopped');
    this.#item.tooltip = vscode.l10n.t('The language server has stopped repeatedly. Click to restart it.');
    this.#item.command = 'podium.restart';
    this.#item.backgroundColor = new vscode.ThemeColor('statusBarItem.errorBackground');
    this.#item.show();
  }

  #update(): void {
    const status = this.#status;
    if (status === undefined) return;
    const { nodes, source, isSnapshotUnusable, isEmpty, applied, detail, indexing } = status;
    const unseen = applied?.unseenCount ?? 0;
    if (isEmpty && !indexing && !isSnapshotUnusable && unseen === 0) {
      // Of a folder without manifests there is nothing to say.
      this.#item.hide();
      return;
    }
    const known = source === 'assumed' ? vscode.l10n.t('nodes assumed') : count.nodes(nodes);
    const parts = [
      isSnapshotUnusable ? vscode.l10n.t('snapshot not usable') : known,
      this.#waiting,
      unseen === 0 ? '' : vscode.l10n.t('{0} not seen', String(unseen)),
    ];
    const text = indexing ? vscode.l10n.t('reading…') : parts.filter((part) => part !== '').join(' · ');
    this.#item.text = `Podium: ${text}`;
    const lines = [detail, ...(applied?.unseen ?? []).map(({ text }) => text), applied?.lesserMode ?? ''];
    this.#item.tooltip = lines.filter((each) => each !== '').join('\n\n');
    this.#item.command = 'podium.overview.focus';
    const isWrong = this.#waiting !== '' || unseen > 0;
    this.#item.backgroundColor = isSnapshotUnusable
      ? new vscode.ThemeColor('statusBarItem.errorBackground')
      : isWrong && !indexing
        ? new vscode.ThemeColor('statusBarItem.warningBackground')
        : undefined;
    this.#item.show();
  }

  dispose(): void {
    clearTimeout(this.#timer);
    this.#item.dispose();
  }
}
