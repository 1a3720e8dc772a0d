import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type EditorWindow, openWindow } from '../support/window.ts';
import { Workbench } from '../support/workbench.ts';
import { makeWorkspace, type Workspace } from '../support/workspace.ts';

const snapshot = `apiVersion: v1
kind: Node
metadata: { name: from-the-snapshot }
status: { allocatable: { cpu: "64", memory: 64Gi, pods: "100" } }
`;

describe('a workspace that is not trusted', () => {
  let workspace: Workspace;
  let window: EditorWindow;

  before(async () => {
    workspace = makeWorkspace('kubernetes-workspace');
    mkdirSync(join(workspace.folder, '.vscode'), { recursive: true });
    const settings = {
      'podium.cluster.snapshot': 'cluster.snapshot',
      // So a repository would hide what is wrong with it: its nodes count all the same.
      'podium.exclude': ['**/*'],
    };
    writeFileSync(join(workspace.folder, '.vscode', 'settings.json'), JSON.stringify(settings));
    writeFileSync(join(workspace.folder, 'cluster.snapshot'), snapshot);
    window = await openWindow({
      folder: workspace.folder,
      open: join(workspace.folder, 'apps', 'checkout.yaml'),
      settings: {
        'security.workspace.trust.enabled': true,
        'security.workspace.trust.startupPrompt': 'never',
        'security.workspace.trust.emptyWindow': false,
      },
    });
  });

  after(async () => {
    await window.close();
    workspace.remove();
  });

  it('has a snapshot that its own settings name not used, and the status item says so; trust changes that', async () => {
    const { page } = window;
    const workbench = new Workbench(page);
    await workbench.ready();
    const status = async (text: RegExp): Promise<void> => {
      await page.locator('.statusbar-item[id="status.languageStatus"]').hover();
      await page.locator('.hover-language-status').filter({ hasText: text }).first().waitFor();
      await page.keyboard.press('Escape');
    };
    await status(/4 nodes.*The workspace is not trusted: .* its settings choose no cluster snapshot/s);
    await workbench.sideBar('Podium');
    await page
      .locator('.sidebar')
      .getByText(/The workspace is not trusted: nothing is rendered, .* its settings choose no cluster snapshot/)
      .waitFor();
    await workbench.command('Workspaces: Manage Workspace Trust');
    await page.locator('.workspace-trust-editor').getByRole('button', { name: 'Trust', exact: true }).first().click();
    await workbench.open('checkout.yaml');
    await status(/1 node from the cluster snapshot/);
  });
});
