import assert from 'node:assert/strict';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import { eventually } from '../support/eventually.ts';
import { takePicture } from '../support/pictures.ts';
import { type EditorWindow, openWindow } from '../support/window.ts';
import { Workbench } from '../support/workbench.ts';
import { makeWorkspace, type Workspace } from '../support/workspace.ts';

describe('Podium in the side bar', () => {
  let workspace: Workspace;
  let window: EditorWindow;
  let workbench: Workbench;

  before(async () => {
    workspace = makeWorkspace('kubernetes-workspace');
    window = await openWindow({ folder: workspace.folder, open: join(workspace.folder, 'apps', 'checkout.yaml') });
    workbench = new Workbench(window.page);
    await workbench.ready();
    await workbench.sideBar('Podium');
  });

  after(async () => {
    await window.close();
    workspace.remove();
  });

  const row = (text: string | RegExp): Locator =>
    window.page.locator('.sidebar .monaco-list-row').filter({ hasText: text }).first();

  const choose = async (text: string | RegExp, item: string): Promise<void> => {
    await row(text).click({ button: 'right' });
    const menu = window.page.locator('.monaco-menu');
    const wanted = menu.getByText(item, { exact: true });
    await wanted.waitFor();
    // VS Code takes no click on a menu that has just opened.
    for (let attempt = 1; ; attempt++) {
      await wanted.click({ timeout: 1_000 }).catch(() => undefined);
      try {
        await menu.waitFor({ state: 'detached', timeout: 1_000 });
        return;
      } catch (error) {
        if (attempt === 20) throw error;
      }
    }
  };

  it('shows the ladder, nodes with free room, budgets and what waits', async () => {
    await row(/^shop-critical100,000 · 6 pods/).waitFor();
    await row(/^general-a.*cpu · .*Gi/).waitFor();
    await row(/^data-a.*tainted/).waitFor();
    await row(/^search-.*blocks general-b/).waitFor();
    await row(/^Quotas/).scrollIntoViewIfNeeded();
    await row(/^batchpods \d+ of 20 · cpu/).waitFor();
    await row(/^Pending5 pending · 1 gated$/).scrollIntoViewIfNeeded();
    await row(/^loyalty-migrationgated · 1 pod/).waitFor();
    await row(/^order-history-exportcpu, memory/).waitFor();
    assert.deepEqual(await workbench.cutRows(), [], 'rows that are cut at the default width');
    await window.page.locator('.activitybar .badge-content').filter({ hasText: /^5$/ }).waitFor();
    await workbench.widenSideBar();
    await takePicture(window.page, 'view');
  });

  it('[#38] has the same numbers in its badge and in the status item as the headline of the report', async () => {
    const { page } = window;
    await page.locator('.statusbar-item').filter({ hasText: 'Podium: 4 nodes · 5 pending · 1 gated' }).waitFor();
    await page.locator('.activitybar [aria-label*="5 pending · 1 gated"]').first().waitFor();
  });

  it('has the workloads of a class below it, and each row leads to its place', async () => {
    await row(/^shop-critical/)
      .locator('.monaco-tl-twistie')
      .click();
    await row(/^checkoutDeployment · 2 pods/).waitFor();
    await row(/^shop-critical/).click();
    await workbench.selectedIn('priority-classes.yaml', 'shop-critical');
    await row(/^search-.*blocks/).click();
    await workbench.selectedIn('budgets.yaml', 'search-indexer');
  });

  it('[#38] is filtered by the names of its rows', async () => {
    const { page } = window;
    await page.locator('.sidebar .monaco-list').first().focus();
    await page.keyboard.press('ControlOrMeta+Alt+F');
    const widget = page.locator('.sidebar .monaco-tree-type-filter');
    await widget.getByRole('checkbox', { name: 'Filter' }).click();
    await widget.getByRole('textbox').fill('orders-db');
    await row(/^order-history-export/).waitFor({ state: 'detached' });
    await row(/^orders-db/).waitFor();
    assert.equal(await row(/^general-a/).count(), 0);
    await page.keyboard.press('Escape');
    await row(/^general-a/).waitFor();
  });

  it('copies names, finds references, drains nodes and simulates what waits', async () => {
    await choose(/^shop-critical/, 'Find All References');
    await window.page.locator('.zone-widget .ref-tree').first().waitFor();
    await window.page.keyboard.press('Escape');
    await choose(/^general-b/, 'Drain Node…');
    await workbench
      .webview()
      .locator('#report')
      .getByRole('heading', { name: /general-b/ })
      .first()
      .waitFor();
    await choose(/^loyalty-migration/, 'Simulate Scheduling of This Workload');
    await workbench
      .webview()
      .locator('#report .asked option[value=now]')
      .filter({ hasText: /loyalty-migration/ })
      .waitFor({ state: 'attached' });
  });

  it('follows what is typed', async () => {
    await workbench.open('priority-classes.yaml');
    await workbench.find('name: shop-critical');
    await window.page.keyboard.type('name: shop-urgent');
    await window.page.keyboard.press('ArrowDown');
    await row(/^shop-urgent100,000 · not used/).waitFor();
    assert.equal(await row(/^shop-critical/).count(), 0);
  });
});

describe('Podium in the side bar of a window without a folder', () => {
  let window: EditorWindow;

  after(() => window.close());

  it('leads to the sample, whose window goes on with the walkthrough', async () => {
    window = await openWindow({});
    const workbench = new Workbench(window.page);
    await workbench.sideBar('Podium');
    const welcome = window.page.locator('.sidebar .welcome-view');
    await welcome.getByRole('button', { name: 'Open Folder' }).waitFor();
    await welcome.getByRole('button', { name: 'Open the Sample' }).click();
    await window.page.locator('.gettingStartedContainer').getByText('See which pods outrank others').first().waitFor();
    const step = (name: string): Locator =>
      window.page.locator(
        `.gettingStartedContainer [role="checkbox"][data-done-step-id="podium.podium#start#${name}"]`,
      );
    await step('sample').and(window.page.locator('[aria-checked="true"]')).waitFor();
    assert.equal(await step('lens').getAttribute('aria-checked'), 'false');
    await workbench.webview().getByText('blocks general-b').waitFor();
    await workbench.sideBar('Podium');
    await step('view').and(window.page.locator('[aria-checked="true"]')).waitFor();
    await window.page
      .locator('.sidebar .monaco-list-row')
      .filter({ hasText: /^shop-critical/ })
      .waitFor();
    // VS Code tells a walkthrough of no command that a lens runs.
    await workbench.open('checkout.yaml');
    await workbench.lens(/^priority/).click();
    await workbench.webview().locator('#report h1').filter({ hasText: 'checkout' }).waitFor();
    await workbench.command('View: Open First Editor in Group');
    await step('lens').and(window.page.locator('[aria-checked="true"]')).waitFor();
    // The way to a manifest that the step offers: workloads by their names. VS Code gives a step the focus once it has
    // slid open, which closes a list that was opened before.
    await window.page.locator('.getting-started-step[data-step-id="podium.podium#start#lens"]').click();
    const rows = window.page.locator('.quick-input-list .monaco-list-row');
    await eventually('the list of workloads', async () => {
      await window.page.locator('.gettingStartedContainer').getByRole('button', { name: 'Open a Manifest' }).click();
      return rows
        .filter({ hasText: 'batch-low' })
        .waitFor({ timeout: 5_000 })
        .then(
          () => true,
          () => undefined,
        );
    });
    await window.page.keyboard.type('fraud-check');
    await rows
      .filter({ hasText: /^fraud-checkDeployment/ })
      .first()
      .click();
    await workbench.selectedIn('fraud-check.yaml', 'fraud-check');
  });
});
