import * as vscode from 'vscode';
import { minors } from '../../../server/src/kit/minors.ts';
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
  const document = await vscode.workspace.openTextDocument({ language: 'markdown', content: text });
  await vscode.window.showTextDocument(document, { preview: true });
  await vscode.commands.executeCommand('markdown.showPreview', document.uri);
}
