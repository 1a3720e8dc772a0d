import { homedir } from 'node:os';
import { relative, sep } from 'node:path';
import * as vscode from 'vscode';
import {
  captureRequest,
  type CaptureResult,
  contextsRequest,
  type ContextsResult,
} from '../../../server/src/protocol.ts';
import { upperFirst } from '../../../server/src/util/words.ts';
import { answerOf, type Ask } from './asking.ts';

const title = () => vscode.l10n.t('Capture Cluster Snapshot');

/** `podium.captureSnapshot`: the context is chosen, then the file; only then is the cluster asked. */
export async function captureSnapshot(ask: Ask): Promise<void> {
  const known = await answerOf<ContextsResult>(ask, contextsRequest);
  if (known !== undefined) await captureOf(known, ask);
}

/** `podium.refreshSnapshot`: takes the snapshot that is used again, from the context that it names. */
export async function refreshSnapshot(ask: Ask): Promise<void> {
  const known = await answerOf<ContextsResult>(ask, contextsRequest);
  if (known === undefined) return;
  const { snapshot, contexts, path } = known;
  if (snapshot === null || !contexts.includes(snapshot.context)) {
    await captureOf(known, ask);
    return;
  }
  const refresh = vscode.l10n.t('Refresh');
  const answer = await vscode.window.showInformationMessage(
    vscode.l10n.t(
      'Ask the cluster of the context {0} with {1}, and write {2} again?',
      snapshot.context,
      path,
      snapshot.path,
    ),
    refresh,
  );
  if (answer === refresh) await capture(ask, snapshot.context, snapshot.path);
}

async function captureOf({ contexts, current, path }: ContextsResult, ask: Ask): Promise<void> {
  if (contexts.length === 0) {
    const name = vscode.l10n.t('Name a Snapshot…');
    const message = vscode.l10n.t(
      'Podium: log in to a cluster first, or name a snapshot that was saved elsewhere. The kubeconfig of {0} has no context.',
      path,
    );
    if ((await vscode.window.showWarningMessage(message, name)) === name) {
      await vscode.commands.executeCommand('workbench.action.openSettings', 'podium.cluster.snapshot');
    }
    return;
  }
  const first = contexts.filter((name) => name === current);
  const items = [...first, ...contexts.filter((name) => name !== current)].map((label) => ({
    label,
    ...(label === current ? { description: vscode.l10n.t('current') } : {}),
  }));
  const placeHolder = vscode.l10n.t('The context whose cluster {0} asks', path);
  const context = (await vscode.window.showQuickPick(items, { title: title(), placeHolder, ignoreFocusOut: true }))
    ?.label;
  if (context === undefined) return;
  const name = `${context.replace(/[^\w.-]+/g, '-').replace(/^-+/, '')}.snapshot.json`;
  const file = await vscode.window.showSaveDialog({
    title: title(),
    // Outside of what is committed: it says what runs in a cluster.
    defaultUri: vscode.Uri.joinPath(vscode.Uri.file(homedir()), name),
    filters: { JSON: ['json'] },
  });
  if (file?.scheme === 'file') await capture(ask, context, file.fsPath);
}

async function capture(ask: Ask, context: string, path: string): Promise<void> {
  const result = await answerOf<CaptureResult>(ask, captureRequest, { context, path });
  if (result === undefined) return;
  const isWithin = vscode.workspace.getWorkspaceFolder(vscode.Uri.file(path)) !== undefined;
  const hint = isWithin
    ? ` ${vscode.l10n.t('Keep it out of version control: it says what runs in your cluster.')}`
    : '';
  const missing = result.missing.map((line) => ` ${upperFirst(line)}.`).join('');
  const message = `${result.summary}.${missing}${hint}`;
  const settings = vscode.workspace.getConfiguration('podium.cluster');
  const named = nameOf(path);
  if ([path, named].includes(settings.get('snapshot', ''))) {
    void vscode.window.showInformationMessage(message);
    return;
  }
  const use = vscode.l10n.t('Use It for Answers');
  if ((await vscode.window.showInformationMessage(message, use)) === use) {
    await settings.update('snapshot', named, vscode.ConfigurationTarget.Workspace);
  }
}

/** As the setting names a file: relative to the first folder where it lies in it. */
function nameOf(path: string): string {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath;
  if (folder === undefined) return path;
  const way = relative(folder, path);
  return way.startsWith('..') || way.startsWith(sep) || way.includes(':') ? path : way.split(sep).join('/');
}
