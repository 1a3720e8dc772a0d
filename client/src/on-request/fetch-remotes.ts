import * as vscode from 'vscode';
import { fetchRequest, type FetchResult, remotesRequest, type RemotesResult } from '../../../server/src/protocol.ts';
import { addTo } from '../../../server/src/util/maps.ts';
import { list } from '../../../server/src/util/words.ts';
import { answerOf, type Ask } from './asking.ts';

interface RemoteItem extends vscode.QuickPickItem {
  readonly key: string;
}

const kinds = {
  chart: () => vscode.l10n.t('chart'),
  git: () => vscode.l10n.t('git repository'),
  file: () => vscode.l10n.t('file'),
} as const;

/** `podium.fetchRemotes`: shows what would be fetched from where, and fetches what the user agrees to. */
export async function fetchRemotes(ask: Ask): Promise<void> {
  const tried = new Set<string>();
  // What was fetched may name more, which is shown as well.
  for (;;) {
    const found = await answerOf<RemotesResult>(ask, remotesRequest);
    if (found === undefined) return;
    const remotes = found.remotes.filter(({ key }) => !tried.has(key));
    if (remotes.length === 0) {
      if (tried.size === 0) tellNothing(found);
      return;
    }
    const picked = await vscode.window.showQuickPick(remotes.map(itemOf), {
      title: vscode.l10n.t('Fetch Remote Charts and Bases'),
      placeHolder: vscode.l10n.t('With your own helm and git, into {0}', found.storage),
      canPickMany: true,
      matchOnDescription: true,
      ignoreFocusOut: true,
    });
    if (picked === undefined || picked.length === 0) return;
    for (const { key } of remotes) tried.add(key);
    const keys = picked.map(({ key }) => key);
    const changed = await fetchThem(ask, keys, false);
    if (changed.length > 0) await fetchThem(ask, changed, true);
  }
}

function itemOf({ key, kind, name, address, isHere }: RemotesResult['remotes'][number]): RemoteItem {
  const here = isHere ? vscode.l10n.t('fetched before, and may have changed since') : undefined;
  return {
    key,
    label: name,
    description: `${kinds[kind]()} · ${address}`,
    picked: !isHere,
    ...(here === undefined ? {} : { detail: here }),
  };
}

function tellNothing({ notFetched }: RemotesResult): void {
  const more = notFetched.length === 0 ? '' : vscode.l10n.t('Podium does not fetch {0}.', notFetched.join('; '));
  const nothing = vscode.l10n.t('There is nothing to fetch.');
  void vscode.window.showInformationMessage(more === '' ? nothing : `${nothing} ${more}`);
}

/** Answers what has changed and the user wants all the same. */
async function fetchThem(ask: Ask, keys: readonly string[], mayChange: boolean): Promise<readonly string[]> {
  const result = await answerOf<FetchResult>(ask, fetchRequest, { keys, mayChange });
  if (result === undefined) return [];
  const failed = result.outcomes.filter(({ failure }) => failure !== '');
  const fetched = result.outcomes.length - failed.length;
  if (failed.length === 0) {
    void vscode.window.showInformationMessage(
      fetched === 1
        ? vscode.l10n.t('Podium has fetched 1 chart or base.')
        : vscode.l10n.t('Podium has fetched {0} charts and bases.', fetched),
    );
    return [];
  }
  const message = vscode.l10n.t(
    'Podium has fetched {0} of {1}. Not fetched: {2}.',
    fetched,
    result.outcomes.length,
    byReason(failed),
  );
  const changed = failed.filter(({ hasChanged }) => hasChanged).map(({ key }) => key);
  if (changed.length === 0) {
    void vscode.window.showWarningMessage(message);
    return [];
  }
  const take = vscode.l10n.t('Take What Is There Now');
  return (await vscode.window.showWarningMessage(message, take)) === take ? changed : [];
}

/** `a, b and 31 more: helm is not installed`. */
function byReason(failed: FetchResult['outcomes']): string {
  const names = new Map<string, string[]>();
  for (const { name, failure } of failed) addTo(names, failure, name);
  return [...names].map(([failure, all]) => `${list(all)}: ${failure}`).join('; ');
}
