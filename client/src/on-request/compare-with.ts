import * as vscode from 'vscode';
import type { Against } from '../../../server/src/protocol.ts';
import { gitApi, type GitRepository } from '../git-api.ts';
import type { ComparedWith, OtherAsked } from '../report/messages.ts';
import { keptWhatIfs } from '../report/what-if.ts';

/** What a report is compared with, when the user has chosen: a commit, or another run by its name. */
export type Other = { readonly commit: string } | { readonly against: Against; readonly name: string };

/** Asks which branch, commit, report or scenario; undefined for none. */
export async function chooseOther(kind: OtherAsked, kept: vscode.Memento): Promise<Other | undefined> {
  switch (kind) {
    case 'branch':
      return commitOf(await chooseBranch());
    case 'any-commit':
      return commitOf(await chooseCommit());
    case 'report':
      return chooseReport();
    case 'kept':
      return chooseKept(kept);
  }
}

/** Asks what to compare with at all. */
export async function chooseComparison(hasPrevious: boolean): Promise<ComparedWith | undefined> {
  const items: readonly (vscode.QuickPickItem & { readonly with: ComparedWith })[] = [
    { with: 'commit', label: vscode.l10n.t('The last commit') },
    { with: 'branch', label: vscode.l10n.t('A branch or a tag…') },
    { with: 'any-commit', label: vscode.l10n.t('Another commit…') },
    ...(hasPrevious
      ? [{ with: 'previous', label: vscode.l10n.t('The run before the one that is shown') } as const]
      : []),
    { with: 'report', label: vscode.l10n.t('A report that was saved as JSON…') },
    { with: 'kept', label: vscode.l10n.t('A scenario that is kept…') },
  ];
  return (await vscode.window.showQuickPick(items, { title: vscode.l10n.t('Compare the simulation with') }))?.with;
}

function commitOf(commit: string | undefined): Other | undefined {
  return commit === undefined ? undefined : { commit };
}

async function chooseBranch(): Promise<string | undefined> {
  const title = vscode.l10n.t('Compare with a branch or a tag');
  const repositories = await openRepositories();
  if (repositories.length === 0) return undefined;
  const names = Promise.all(repositories.map((repository) => repository.getRefs({}))).then((refs) => [
    ...new Set(refs.flat().flatMap(({ name }) => (name === undefined || /(?:^|\/)HEAD$/.test(name) ? [] : [name]))),
  ]);
  return vscode.window.showQuickPick(names, { title });
}

/** How many commits are offered; any other can be written. */
const offered = 100;

async function chooseCommit(): Promise<string | undefined> {
  const repositories = await openRepositories();
  if (repositories.length === 0) return undefined;
  const logs = await Promise.all(repositories.map((repository) => repository.log({ maxEntries: offered })));
  const known = logs.flat().map(({ hash, message, authorDate }) => ({
    label: message.split('\n', 1)[0]!,
    description: `${hash.slice(0, 10)} ${authorDate?.toISOString().slice(0, 10) ?? ''}`.trim(),
    commit: hash.slice(0, 10),
  }));
  return new Promise((resolve) => {
    const pick = vscode.window.createQuickPick<(typeof known)[number]>();
    pick.title = vscode.l10n.t('Compare with a commit');
    pick.placeholder = vscode.l10n.t('Choose one, or write what names it: v1.2, HEAD~3, a hash');
    pick.matchOnDescription = true;
    pick.items = known;
    pick.onDidChangeValue((value) => {
      const written = value.trim();
      const own = { label: written, description: vscode.l10n.t('as typed'), commit: written };
      pick.items = written === '' ? known : [...known, own];
    });
    pick.onDidAccept(() => {
      resolve(pick.activeItems[0]?.commit);
      pick.hide();
    });
    pick.onDidHide(() => {
      resolve(undefined);
      pick.dispose();
    });
    pick.show();
  });
}

async function openRepositories(): Promise<readonly GitRepository[]> {
  const repositories = (await gitApi().catch(() => null))?.repositories ?? [];
  if (repositories.length === 0) {
    void vscode.window.showInformationMessage(
      vscode.l10n.t(
        'There is no git repository here, or the workspace is not trusted, in which Podium does not ask git.',
      ),
    );
  }
  return repositories;
}

async function chooseReport(): Promise<Other | undefined> {
  const [uri] =
    (await vscode.window.showOpenDialog({
      title: vscode.l10n.t('Compare with a report that was saved'),
      filters: { [vscode.l10n.t('Report of Podium')]: ['json'] },
    })) ?? [];
  return uri && { against: { kind: 'file', uri: uri.toString() }, name: nameOf(uri) };
}

/** More files of scenarios are not offered. */
const mostFiles = 200;

async function chooseKept(kept: vscode.Memento): Promise<Other | undefined> {
  const files = await vscode.workspace.findFiles('**/*.podium.{yaml,yml,json}', '**/node_modules/**', mostFiles);
  const items = [
    ...Object.entries(keptWhatIfs(kept)).map(([name, operations]) => ({
      label: name,
      description: '',
      detail: operations.join(' · '),
      other: { against: { kind: 'kept', name, operations }, name } satisfies Other,
    })),
    ...files.map((uri) => ({
      label: nameOf(uri),
      description: vscode.workspace.asRelativePath(uri),
      detail: '',
      other: { against: { kind: 'file', uri: uri.toString() }, name: nameOf(uri) } satisfies Other,
    })),
  ];
  if (items.length === 0) {
    void vscode.window.showInformationMessage(
      vscode.l10n.t('No scenario is kept: try something and press Keep, or write a file *.podium.yaml.'),
    );
    return undefined;
  }
  return (await vscode.window.showQuickPick(items, { title: vscode.l10n.t('Compare with a scenario') }))?.other;
}

function nameOf({ path }: vscode.Uri): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
