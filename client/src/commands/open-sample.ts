import * as vscode from 'vscode';

/** Where it is kept which copy of the sample was opened, until its window has come up. */
const openedSample = 'podium.openedSample';

const parts = () => import('../overview/index.ts');

/** `podium.openSample`: opens a copy of the sample, and goes on in its window. */
export function registerOpenSample(context: vscode.ExtensionContext): vscode.Disposable {
  const opened = context.globalState.get(openedSample);
  const [folder] = vscode.workspace.workspaceFolders ?? [];
  if (opened !== undefined && opened === folder?.uri.toString()) {
    void parts().then(({ continueSample }) => continueSample(context, openedSample));
  }
  return vscode.commands.registerCommand('podium.openSample', async () =>
    (await parts()).openSample(context, openedSample),
  );
}
