import * as vscode from 'vscode';
import { count } from '../../../server/src/kit/words.ts';
import { fetchRequest, type FetchResult, remotesRequest, type RemotesResult } from '../../../server/src/protocol.ts';
import { answerOf, type Ask } from './asking.ts';

interface RemoteItem extends vscode.QuickPickItem {
  readonly key: string;
}

const title = 'Fetch Remote Charts and Bases';
const kinds = { chart: 'chart', git: 'git repository', file: 'file' } as const;

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
      title,
      placeHolder: `With your own helm and git, into ${found.storage}`,
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
  const here = isHere ? 'was fetched before, and may be another by now' : undefined;
  return {
    key,
    label: name,
    description: `${kinds[kind]} · ${address}`,
    picked: !isHere,
    ...(here === undefined ? {} : { detail: here }),
  };
}

function tellNothing({ notFetched }: RemotesResult): void {
  const more = notFetched.length === 0 ? '' : ` Podium does not fetch ${notFetched.join('; ')}.`;
  void vscode.window.showInformationMessage(`There is nothing to fetch.${more}`);
}

/** Answers what has changed and the user wants all the same. */
async function fetchThem(ask: Ask, keys: readonly string[], mayChange: boolean): Promise<readonly string[]> {
  const result = await answerOf<FetchResult>(ask, fetchRequest, { keys, mayChange });
  if (result === undefined) return [];
  const failed = result.outcomes.filter(({ failure }) => failure !== '');
  const fetched = result.outcomes.length - failed.length;
  if (failed.length === 0) {
    void vscode.window.showInformationMessage(
      `Podium has fetched ${count(fetched, 'chart or base', 'charts and bases')}.`,
    );
    return [];
  }
  const told = failed.map(({ name, failure }) => `${name}: ${failure}`).join('; ');
  const message = `Podium has fetched ${fetched} of ${result.outcomes.length}. Not fetched: ${told}.`;
  const changed = failed.filter(({ hasChanged }) => hasChanged).map(({ key }) => key);
  if (changed.length === 0) {
    void vscode.window.showWarningMessage(message);
    return [];
  }
  const take = 'Take What Is There Now';
  return (await vscode.window.showWarningMessage(message, take)) === take ? changed : [];
}
