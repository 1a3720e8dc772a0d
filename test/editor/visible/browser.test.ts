import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Worker } from 'playwright-core';
import { takePicture } from '../support/pictures.ts';
import { descendants } from '../support/processes.ts';
import { type EditorWindow, openWindow } from '../support/window.ts';
import { Workbench } from '../support/workbench.ts';
import { makeWorkspace, type Workspace } from '../support/workspace.ts';

describe('VS Code in a browser, without Node', () => {
  let workspace: Workspace;
  let window: EditorWindow;
  let workbench: Workbench;

  before(async () => {
    workspace = makeWorkspace('kubernetes-workspace');
    window = await openWindow({
      folder: workspace.folder,
      open: join(workspace.folder, 'apps', 'checkout.yaml'),
      settings: { 'remote.extensionKind': { 'podium.podium': ['web'] } },
    });
    workbench = new Workbench(window.page);
  });

  after(async () => {
    await window.close();
    workspace.remove();
  });

  it('shows lenses, from a server in a worker', async () => {
    await workbench.ready();
    assert.deepEqual(descendants(window.pid, 'server.mjs'), []);
  });

  it('explains a class in a hover', async () => {
    await workbench.find('shop-critical');
    await workbench.command('Show or Focus Hover');
    await workbench
      .hover()
      .filter({ hasText: /100000/ })
      .waitFor();
    await window.page.keyboard.press('Escape');
  });

  it('marks what is wrong, and nothing of it when it is right again', async () => {
    await workbench.find('shop-critical');
    await window.page.keyboard.type('shop-ciritcal');
    // Nothing is said of a line while it is typed.
    await window.page.keyboard.press('ArrowDown');
    await workbench.editor().locator('.squiggly-info, .squiggly-warning, .squiggly-error').first().waitFor();
    await window.page.keyboard.press('ControlOrMeta+Z');
    await workbench
      .editor()
      .locator('.squiggly-info, .squiggly-warning, .squiggly-error')
      .first()
      .waitFor({ state: 'detached' });
  });

  it('shows priority classes, nodes, budgets and what waits in the side bar', async () => {
    await workbench.sideBar('Podium');
    const rows = window.page.locator('.sidebar .monaco-list-row');
    await rows.filter({ hasText: /^shop-critical100,000/ }).waitFor();
    await rows.filter({ hasText: /^loyalty-migrationgated/ }).waitFor();
    await rows.filter({ hasText: /^search-indexer.*blocks general-b/ }).click();
    await workbench.selectedIn('budgets.yaml', 'search-indexer');
    await workbench.sideBar('Explorer');
    await workbench.open('checkout.yaml');
  });

  it('shows the report', async () => {
    await workbench.command('Podium: Simulate Scheduling');
    await workbench
      .webview()
      .locator('#report')
      .getByRole('heading', { name: / evicts / })
      .waitFor();
    await takePicture(window.page, 'browser');
  });

  it('says what is not seen there', async () => {
    await window.page.locator('.tab').filter({ hasText: 'checkout.yaml' }).first().click();
    await window.page.locator('.statusbar-item[id="status.languageStatus"]').hover();
    await window.page
      .locator('.hover-language-status')
      .filter({ hasText: /In a browser there is no git, and kubectl and helm render nothing/ })
      .first()
      .waitFor();
  });

  it('starts its server again when the worker fails', async () => {
    const failed = await serverWorker();
    const closed = new Promise((resolve) => failed.once('close', resolve));
    await failed.evaluate(() => {
      setTimeout(() => {
        throw new Error('thrown by a test');
      });
    });
    await closed;
    await workbench.find('shop-critical');
    await window.page.keyboard.type('shop-ciritcal');
    await window.page.keyboard.press('ArrowDown');
    await workbench.editor().locator('.squiggly-info, .squiggly-warning, .squiggly-error').first().waitFor();
    assert.notEqual(await serverWorker(), failed);
    await window.page.keyboard.press('ControlOrMeta+Z');
  });

  it('takes what a stranger wrote for text, and goes on', async () => {
    writeFileSync(join(workspace.folder, 'apps', 'hostile.yaml'), hostile);
    await workbench.open('hostile.yaml');
    await workbench.command('Podium: Simulate Scheduling of This File');
    const report = workbench.webview().locator('#report');
    await report.locator('.answer').getByText('<img src=x onerror=', { exact: false }).first().waitFor();
    assert.equal(await report.locator('img').count(), 0);
    await workbench.open('orders-db.yaml');
    await workbench.ready();
  });

  /** The worker that the language server runs in. */
  async function serverWorker(): Promise<Worker> {
    for (const worker of window.page.workers()) {
      if (await worker.evaluate(() => 'podiumPart' in globalThis).catch(() => false)) return worker;
    }
    throw new Error('no worker has the language server');
  }
});

/** Markup in a name, an alias bomb, lines and nesting without an end. */
const hostile = [
  `apiVersion: v1\nkind: Pod\nmetadata: {name: '<img src=x onerror=alert(1)>\u202e'}\nspec: {containers: [{name: a, image: b}]}\n`,
  `a0: &a0 [x, x]\n${Array.from({ length: 40 }, (_, level) => `a${level + 1}: &a${level + 1} [*a${level}, *a${level}]\n`).join('')}`,
  `apiVersion: v1\nkind: Pod\nmetadata: {name: ${'long'.repeat(50_000)}}\n`,
  `deep: ${'['.repeat(20_000)}\n`,
].join('---\n');
