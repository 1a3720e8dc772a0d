import * as vscode from 'vscode';
import { minors } from '../../../server/src/util/minors.ts';
import { type Answer, upgradeRequest } from '../../../server/src/protocol.ts';
import type { Ask } from './asking.ts';

/** `podium.upgrade`: asks between which versions, and shows what the newer one changes as Markdown. */
export async function upgrade(ask: Ask): Promise<void> {
  const pairs = minors.flatMap((from, at) =>
    minors.slice(at + 1).map((to) => ({ label: `${from} → ${to}`, params: { from, to } })),
  );
  const title = vscode.l10n.t('What an Upgrade Changes');
  const picked = await vscode.window.showQuickPick(pairs.reverse(), {
    title,
    placeHolder: vscode.l10n.t('From which version of Kubernetes to which'),
  });
  if (picked === undefined) return;
  const { text, failed } = await vscode.window.withProgress(
    { location: vscode.ProgressLocation.Notification, title },
    () => ask<Answer>(upgradeRequest, picked.params),
  );
  if (failed) {
    void vscode.window.showErrorMessage(`Podium: ${text}`);
    return;
  }
  const uri = vscode.Uri.from({ scheme, path: `/${title} ${picked.label}.md` });
  answers ??= new Answers();
  answers.show(uri, text);
  await vscode.commands.executeCommand('markdown.showPreview', uri);
}

const scheme = 'podium-upgrade';

/** Answers as documents that nobody has to save or close. */
class Answers implements vscode.TextDocumentContentProvider {
  readonly #texts = new Map<string, string>();
  readonly #changed = new vscode.EventEmitter<vscode.Uri>();
  readonly onDidChange = this.#changed.event;

  constructor() {
    vscode.workspace.registerTextDocumentContentProvider(scheme, this);
  }

  show(uri: vscode.Uri, text: string): void {
    this.#texts.set(uri.path, text);
    this.#changed.fire(uri);
  }

  provideTextDocumentContent({ path }: vscode.Uri): string {
    return this.#texts.get(path) ?? '';
  }
}

/** Made when it is first needed. */
let answers: Answers | undefined;
