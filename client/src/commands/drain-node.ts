import * as vscode from 'vscode';
import * as z from 'zod/mini';
import { count } from '../texts.ts';
import type { NodesResult } from '../../../server/src/protocol.ts';

/** A row of the side bar. */
const rowSchema = z.object({ entry: z.object({ name: z.string() }) });

/** `podium.drainNode`: opens the report with a drain that is tried; the node is asked for where none is given. */
export function registerDrainNode(
  nodes: (token: vscode.CancellationToken) => Promise<NodesResult>,
  open: (operation: string) => void,
): vscode.Disposable {
  return vscode.commands.registerCommand('podium.drainNode', async (argument: unknown) => {
    const node =
      typeof argument === 'string' ? argument : (rowSchema.safeParse(argument).data?.entry.name ?? (await pick(nodes)));
    if (node !== undefined) open(`drain node/${node} --ignore-daemonsets --delete-emptydir-data`);
  });
}

async function pick(nodes: (token: vscode.CancellationToken) => Promise<NodesResult>): Promise<string | undefined> {
  const ended = new vscode.CancellationTokenSource();
  const items = nodes(ended.token).then((all) =>
    all.map(({ name, pods, zone }) => ({
      label: name,
      description: [count.pods(pods), zone].filter(Boolean).join(' · '),
    })),
  );
  const picked = await vscode.window.showQuickPick(
    items,
    {
      title: vscode.l10n.t('Drain Node'),
      placeHolder: vscode.l10n.t('Nothing is changed'),
      // A report that is drawn anew takes the focus while the pods are counted.
      ignoreFocusOut: true,
    },
    ended.token,
  );
  ended.cancel();
  return picked?.label;
}
