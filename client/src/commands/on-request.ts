import * as vscode from 'vscode';
import type { ClusterStatus } from '../../../server/src/protocol.ts';
import type { Ask } from '../on-request/asking.ts';
import { names } from './on-request-names.ts';

/** Asks which nodes are those of the cluster, with code that is loaded when there is something to ask. */
export async function askAboutNodes(places: ClusterStatus['nodePlaces'], kept: vscode.Memento): Promise<void> {
  await (await import('../on-request/index.ts')).chooseNodes(places, kept);
}

/** Commands whose code is loaded when one of them is called. */
export function registerOnRequest(ask: Ask): vscode.Disposable[] {
  return names.map((name) =>
    vscode.commands.registerCommand(`podium.${name}`, async () => (await import('../on-request/index.ts'))[name](ask)),
  );
}
