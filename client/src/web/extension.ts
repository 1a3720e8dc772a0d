import * as vscode from 'vscode';
import { names } from '../commands/on-request-names.ts';
import { activatePodium, type PodiumApi } from '../podium.ts';
import { startInWorker } from './server-worker.ts';

/** The extension in a browser that has no machine behind it: the language server runs in a worker. */
export function activate(context: vscode.ExtensionContext): PodiumApi {
  return activatePodium(context, {
    startServer: startInWorker,
    registerOnRequest: () =>
      names.map((name) =>
        vscode.commands.registerCommand(`podium.${name}`, () =>
          vscode.window.showInformationMessage(
            name === 'upgrade'
              ? vscode.l10n.t('Podium compares no versions of Kubernetes in a browser.')
              : vscode.l10n.t('Podium fetches nothing and asks no cluster in a browser.'),
          ),
        ),
      ),
    note: vscode.l10n.t(
      'In a browser there is no git, and kubectl and helm render nothing: kustomizations and charts count as they are written.',
    ),
  });
}
