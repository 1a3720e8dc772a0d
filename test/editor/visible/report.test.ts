import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Film, takePicture } from '../support/pictures.ts';
import { type EditorWindow, openWindow } from '../support/window.ts';
import { Workbench } from '../support/workbench.ts';
import { makeWorkspace, type Workspace } from '../support/workspace.ts';

describe('the report', () => {
  let workspace: Workspace;
  let window: EditorWindow;
  let workbench: Workbench;

  before(async () => {
    workspace = makeWorkspace('kubernetes-workspace');
    window = await openWindow({ folder: workspace.folder });
    workbench = new Workbench(window.page);
    await workbench.open('checkout.yaml');
    await workbench.ready();
  });

  after(async () => {
    await window.close();
    workspace.remove();
  });

  /** Waits until it says what happens. */
  const shown = () =>
    workbench
      .webview()
      .locator('#report')
      .getByRole('heading', { name: / evicts / })
      .waitFor();

  it('[ED-5] opens through the command and shows who is evicted', async () => {
    await workbench.command('Podium: Simulate Scheduling');
    await shown();
  });

  it('shows the manifest of a pod at a double click', async () => {
    await workbench.webview().getByRole('gridcell').filter({ hasText: 'orders-db-2' }).dblclick();
    await window.page.locator('.tab.active').filter({ hasText: 'orders-db.yaml' }).waitFor();
  });

  /** What would help comes after the report. */
  const helped = () =>
    workbench.webview().getByText('Looking for what would help…').first().waitFor({ state: 'detached' });

  it('comes back when the window is loaded again', async () => {
    const loaded = window.page.waitForEvent('load');
    await workbench.command('Developer: Reload Window');
    await loaded;
    await shown();
  });

  for (const { name, theme, root } of [
    { name: 'dark', theme: 'Dark Modern', root: '.vs-dark' },
    { name: 'light', theme: 'Light Modern', root: '.vs' },
    { name: 'high-contrast', theme: 'Dark High Contrast', root: '.hc-black' },
  ]) {
    it(`follows a ${name} theme`, async () => {
      await workbench.chooseTheme(theme);
      await window.page.locator(`.monaco-workbench${root}`).waitFor();
      await shown();
      // A picture of the report alone, with the pod that has the most to tell.
      if (name === 'dark') {
        await workbench.webview().getByRole('gridcell').filter({ hasText: '+ checkout-0, new' }).click();
        await workbench.command('View: Close Primary Side Bar');
        await window.page.locator('.tab').filter({ hasText: 'Simulation: workspace' }).click();
        await workbench.command('View: Toggle Maximize Editor Group');
      }
      // The answer stands above all else.
      const top = workbench.webview().locator('h1');
      await top.scrollIntoViewIfNeeded();
      await top.waitFor({ state: 'visible' });
      await helped();
      await takePicture(window.page, `report-${name}`);
    });
  }

  it('tries what would help at a press, then a change that is typed, and takes both back', async () => {
    await workbench.chooseTheme('Dark Modern');
    const report = workbench.webview();
    const answer = (text: RegExp) => report.getByRole('heading', { level: 1, name: text }).waitFor();
    const film = new Film();
    await answer(/^checkout evicts/);
    const remedy = report
      .getByRole('list', { name: 'What would help: Evicted' })
      .getByRole('button', { name: '+1 node like general-a', exact: true });
    await remedy.hover();
    await film.take(window.page, 3);
    await remedy.click();
    await answer(/saves 3 pods from eviction/);
    await helped();
    await report.getByRole('button', { name: 'Remove +1 node like general-a' }).hover();
    await film.take(window.page, 3);
    const line = report.getByRole('combobox', { name: 'What if' });
    await line.fill('drain node/general-b --ignore-daemonsets');
    await film.take(window.page, 2);
    await line.press('Enter');
    await answer(/general-b/);
    await report.getByRole('button', { name: /^Remove drain general-b/i }).waitFor();
    await helped();
    await report.locator('h1').scrollIntoViewIfNeeded();
    await film.take(window.page, 3);
    await report.getByRole('button', { name: 'Clear', exact: true }).click();
    await answer(/^checkout evicts/);
    film.write('what-if');
  });

  it('[ED-5] [#38] writes what is tried into the manifest, unsaved, at its line, and takes it back', async () => {
    const report = workbench.webview();
    const line = report.getByRole('combobox', { name: 'What if' });
    await line.fill('scale deployment/shop/storefront 3');
    await line.press('Enter');
    await report
      .getByRole('button', { name: /^Apply/ })
      .first()
      .click();
    await workbench.selectedIn('storefront.yaml', 'replicas: 3');
    const unsaved = window.page.locator('.tab.dirty').filter({ hasText: 'storefront.yaml' });
    await unsaved.waitFor();
    const told = await workbench.notification('Written and not saved');
    await told.getByRole('button', { name: 'Undo' }).click();
    await workbench.editor().locator('.view-line').filter({ hasText: 'replicas: 2' }).first().waitFor();
    await workbench.command('View: Revert and Close Editor');
    await report.getByRole('button', { name: 'Clear', exact: true }).click();
    await report.getByRole('heading', { level: 1, name: /^checkout evicts/ }).waitFor();
  });

  it('tries the drain of a node that is chosen', async () => {
    await workbench.command('Podium: Drain Node…');
    const node = window.page.locator('.quick-input-list .monaco-list-row').filter({ hasText: 'general-c' });
    await node.filter({ hasText: '7 pods' }).click();
    const report = workbench.webview();
    await report.getByRole('heading', { name: /^Draining general-c evicts 4 pods and hangs on storefront/ }).waitFor();
    await report.locator('.kind-blocked').getByText('429 TooManyRequests').waitFor();
    await helped();
    await report.locator('h1').scrollIntoViewIfNeeded();
    await takePicture(window.page, 'drain');
  });

  it('[ED-5] compares the workspace with the last commit', async () => {
    const file = join(workspace.folder, 'apps', 'checkout.yaml');
    writeFileSync(file, readFileSync(file, 'utf8').replace('shop-critical', 'batch-low'));
    await workbench.command('Podium: Simulate Scheduling and Compare with the Last Commit');
    const comparison = workbench.webview().locator('.comparison');
    await workbench.webview().locator('.outcome').getByText('After it: ').waitFor();
    await comparison.getByText('checkout has priority 100 instead of 100000').waitFor();
    await comparison.getByRole('row', { name: /^checkout/ }).waitFor();
    await helped();
    await takePicture(window.page, 'comparison');
  });
});
