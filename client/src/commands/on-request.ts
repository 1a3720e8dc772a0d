import * as vscode from 'vscode';
import type { Ask } from '../on-request/asking.ts';
import { names } from './on-request-names.ts';

/** Commands whose code is loaded when one of them is called. */
export function registerOnRequest(ask: Ask): vscode.Disposable[] {
  return names.map((name) =>
    vscode.commands.registerCommand(`podium.${name}`, async () => (await import('../on-request/index.ts'))[name](ask)),
  );
}
