import assert from 'node:assert/strict';
import { join } from 'node:path';
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
    await workbench.editor().locator('.squiggly-info, .squiggly-warning, .squiggly-error').first().waitFor();
    await window.page.keyboard.press('ControlOrMeta+Z');
    await workbench
      .editor()
      .locator('.squiggly-info, .squiggly-warning, .squiggly-error')
      .first()
      .waitFor({ state: 'detached' });
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
});
