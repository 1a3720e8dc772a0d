import { join } from 'node:path';
import { takePicture } from '../support/pictures.ts';
import { type EditorWindow, openWindow } from '../support/window.ts';
import { Workbench } from '../support/workbench.ts';
import { makeWorkspace, type Workspace } from '../support/workspace.ts';

const themes = [
  ['dark', 'Default Dark Modern'],
  ['light', 'Default Light Modern'],
  ['high-contrast', 'Default High Contrast'],
] as const;

for (const [name, theme] of themes) {
  describe(`the report in a ${name} theme`, function () {
    this.timeout(60_000);

    let workspace: Workspace;
    let window: EditorWindow;
    let workbench: Workbench;

    before(async () => {
      workspace = makeWorkspace('kubernetes-workspace');
      window = await openWindow({
        folder: workspace.folder,
        open: join(workspace.folder, 'apps', 'checkout.yaml'),
        settings: { 'workbench.colorTheme': theme },
      });
      workbench = new Workbench(window.page);
      await workbench.ready();
    });

    after(async () => {
      await window.close();
      workspace.remove();
    });

    it('[ED-5] opens through the command and shows who is evicted', async () => {
      await workbench.command('Podium: Simulate Scheduling');
      await workbench.webview().locator('#report').getByText(/evicting \d+ pods/).waitFor();
      // A picture of the report alone.
      await workbench.command('View: Close Primary Side Bar');
      await window.page.locator('.tab').filter({ hasText: 'Simulation: workspace' }).click();
      await workbench.command('View: Toggle Maximize Editor Group');
      await takePicture(window.page, `report-${name}`);
    });

    if (name === 'dark') {
      it('shows the manifest of a pod that is clicked', async () => {
        await workbench.command('View: Toggle Maximize Editor Group');
        await workbench.webview().getByRole('gridcell').filter({ hasText: 'orders-db-2' }).click();
        await window.page.locator('.tab.active').filter({ hasText: 'orders-db.yaml' }).waitFor();
      });

      it('comes back when the window is loaded again', async () => {
        await window.page.reload();
        await workbench.webview().locator('#report').getByText(/evicting \d+ pods/).waitFor();
      });
    }
  });
}
