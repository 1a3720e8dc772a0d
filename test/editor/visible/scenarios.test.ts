import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import { takePicture } from '../support/pictures.ts';
import { type EditorWindow, openWindow } from '../support/window.ts';
import { Workbench } from '../support/workbench.ts';
import { makeWorkspace, type Workspace } from '../support/workspace.ts';

describe('scenarios and the hierarchy of preemption in a window', () => {
  let workspace: Workspace;
  let window: EditorWindow;
  let workbench: Workbench;

  before(async () => {
    workspace = makeWorkspace('kubernetes-workspace');
    writeFileSync(
      join(workspace.folder, 'drained.podium.yaml'),
      `events:
  - drain node/general-a --ignore-daemonsets at 60s
questions:
  - drained node/general-a = yes
  - pending = 0
`,
    );
    window = await openWindow({ folder: workspace.folder, open: join(workspace.folder, 'apps', 'checkout.yaml') });
    workbench = new Workbench(window.page);
    await workbench.ready();
  });

  after(async () => {
    await window.close();
    workspace.remove();
  });

  const row = (text: string | RegExp): Locator =>
    window.page.locator('.sidebar .monaco-list-row').filter({ hasText: text }).first();

  it('[ED-5] run the questions that say what is expected as tests, and a scenario by its lens', async () => {
    await workbench.open('drained.podium.yaml');
    await workbench.lens('▶ Run').waitFor();
    await workbench.command('Testing: Focus on Test Explorer View');
    await row(/drained\.podium\.yaml/).waitFor();
    await workbench.command('Test: Run All Tests');
    await window.page.locator('.sidebar .monaco-list-row[aria-label*="Failed"]').first().waitFor();
    await takePicture(window.page, 'tests');
    await workbench.lens('▶ Run').click();
    await workbench.webview().locator('#report').waitFor();
  });

  it('[ED-5] stand in the side bar, which opens and runs them', async () => {
    await workbench.sideBar('Podium');
    await workbench.command('View: Close All Editors');
    await row(/^Priority classes/).click();
    // They are the last of the view, which makes only the rows that it shows.
    await window.page.keyboard.press('End');
    await row(/^Scenarios3/).waitFor();
    const run = row(/^drained\.podium\.yaml/).getByRole('button', { name: 'Simulate Scheduling of This File' });
    // It is there while the mouse is over the row; when the view is made anew, VS Code forgets where that was.
    for (let attempt = 1; ; attempt++) {
      await row(/^Scenarios3/).hover();
      await row(/^drained\.podium\.yaml/).hover();
      try {
        await run.click({ timeout: 1_000 });
        break;
      } catch (error) {
        if (attempt === 20) throw error;
      }
    }
    await workbench.webview().locator('#report').waitFor();
    await takePicture(window.page, 'scenarios');
    await row(/^drained\.podium\.yaml/).click();
    await workbench.lens('▶ Run').waitFor();
  });

  it('[ED-4] show who may evict a workload', async () => {
    await workbench.open('cart.yaml');
    await workbench.find('name: cart');
    await workbench.command('Podium: Show Who May Evict This Workload');
    await row(/checkout/).waitFor();
    await takePicture(window.page, 'hierarchy');
  });
});
