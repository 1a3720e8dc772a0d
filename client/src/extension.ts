import type * as vscode from 'vscode';
import { offerTools } from './assistants/offer-tools.ts';
import { askAboutNodes, registerOnRequest } from './commands/on-request.ts';
import { activatePodium, type PodiumApi } from './podium.ts';

/** The extension in Node: on a desktop, and where a browser shows what a remote machine runs. */
export function activate(context: vscode.ExtensionContext): PodiumApi {
  return activatePodium(context, {
    startServer: async (...given) => {
      // Loaded only now: the language client is most of the extension.
      const { startInProcess } = await import('./server-process.ts');
      return startInProcess(...given);
    },
    registerOnRequest,
    askAboutNodes: (...given) => void askAboutNodes(...given),
    note: '',
    offerTools,
  });
}
