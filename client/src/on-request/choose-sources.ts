import * as vscode from 'vscode';
import type { TargetsResult } from '../../../server/src/protocol.ts';
import { count } from '../texts.ts';

interface TargetItem extends vscode.QuickPickItem {
  readonly target: string;
}

/** What the command needs of the rest of the extension. */
export interface SourcesAccess {
  targets(token: vscode.CancellationToken): Promise<TargetsResult>;
  /** The question whether kubectl and helm may be run. */
  question(): string;
}

const title = () => vscode.l10n.t('Choose Targets');

/** `podium.chooseSources`: which of the targets count, kept in the settings of the workspace. */
export async function chooseSources(access: SourcesAccess): Promise<void> {
  const result = await vscode.window.withProgress(
    {
      location: vscode.ProgressLocation.Notification,
      title: vscode.l10n.t('Podium: rendering kustomizations and charts'),
      cancellable: true,
    },
    (_progress, token) => access.targets(token).catch(() => undefined),
  );
  if (result === undefined) return;
  if (result.rendering === 'not-allowed' && (await isAllowed(access.question()))) {
    await vscode.commands.executeCommand('podium.allowRendering');
    return;
  }
  const chosen = await chooseTargets(result);
  if (chosen === undefined) return;
  await vscode.workspace.getConfiguration('podium').update('sources', chosen, vscode.ConfigurationTarget.Workspace);
}

async function isAllowed(question: string): Promise<boolean> {
  const allow = vscode.l10n.t('Allow');
  const without = vscode.l10n.t('Choose Without Rendering');
  return (await vscode.window.showInformationMessage(question, allow, without)) === allow;
}

/** Undefined when nothing was chosen. */
async function chooseTargets({ targets }: TargetsResult): Promise<readonly string[] | undefined> {
  const items = targets.map((target) => itemOf(target));
  if (items.length === 1) {
    await vscode.window.showQuickPick(items, {
      title: title(),
      placeHolder: vscode.l10n.t('Nothing to choose: no overlays of one base, no value files of one chart'),
    });
    return undefined;
  }
  const picked = await vscode.window.showQuickPick(items, {
    title: title(),
    placeHolder: vscode.l10n.t('Lenses and problems are those of all that you choose'),
    canPickMany: true,
  });
  if (picked === undefined || picked.length === 0) return undefined;
  const names = picked.map(({ target }) => target);
  if (names.length === 1) return names;
  const first = await vscode.window.showQuickPick(
    picked.map(({ label, description, target }) => ({ label, description: description ?? '', target })),
    { title: title(), placeHolder: vscode.l10n.t('The one that is simulated') },
  );
  if (first === undefined) return undefined;
  return [first.target, ...names.filter((name) => name !== first.target)];
}

function itemOf({ name, objects, workloads, chosen, unseen }: TargetsResult['targets'][number]): TargetItem {
  return {
    label: name === '' ? vscode.l10n.t('Everything') : name,
    description: `${count.objects(objects)}, ${count.workloads(workloads)}`,
    ...(unseen.length === 0 ? {} : { detail: unseen.join(' ') }),
    picked: chosen,
    target: name,
  };
}
