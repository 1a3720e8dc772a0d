import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import assert from 'node:assert/strict';
import { describeWithTools, toolFolder } from '../../support/kubernetes-tools.ts';
import { takePicture } from '../support/pictures.ts';
import { type EditorWindow, openWindow } from '../support/window.ts';
import { Workbench } from '../support/workbench.ts';
import { makeWorkspace, type Workspace } from '../support/workspace.ts';

describeWithTools('sources in VS Code', () => {
  let workspace: Workspace;
  let window: EditorWindow;
  let workbench: Workbench;

  before(async () => {
    workspace = makeWorkspace('overlays');
    window = await openWindow({
      folder: workspace.folder,
      open: join(workspace.folder, 'base', 'web.yaml'),
      // Without the second VS Code takes the PATH of a login shell.
      env: { PATH: `${toolFolder('v34')}:${process.env['PATH'] ?? ''}`, VSCODE_CLI: '1' },
    });
    workbench = new Workbench(window.page);
    await workbench.ready();
  });

  after(async () => {
    await window.close();
    workspace.remove();
  });

  it('[#38] are rendered when the user has allowed it in the side bar, where tools, versions and paths are told', async () => {
    await workbench.sideBar('Podium');
    const question = workbench.row(/^Allow kubectl and helm to render it/);
    await question.hover();
    const described = new RegExp(`Let Podium run kubectl v1\\.34\\.\\d+ \\(${toolFolder('v34')}/kubectl\\) and helm`);
    await window.page.locator('.workbench-hover').filter({ hasText: described }).waitFor();
    await question.click();
    await question.waitFor({ state: 'detached' });
    await workbench.lens(/prod: preempts/).waitFor();
    assert.equal(await (await workbench.notification(/Let Podium run/)).count(), 0);
    await window.page.keyboard.press('Escape');
  });

  it('are chosen from a list with the number of objects, and lenses say what each target gets', async () => {
    await workbench.command('Podium: Choose Targets');
    await workbench.quickInput(/of all that you choose/);
    const rows = window.page.locator('.quick-input-list .monaco-list-row');
    await rows.filter({ hasText: /prod.*\d+ objects, \d+ workloads/s }).waitFor();
    await rows.filter({ hasText: /staging/ }).click();
    await window.page.locator('.notification-list-item').waitFor({ state: 'detached' });
    await takePicture(window.page, 'sources-chooser');
    await window.page.keyboard.press('Enter');
    await workbench.quickInput(/The one that is simulated/);
    await rows.filter({ hasText: /^prod/ }).click();
    await workbench.lens(/prod: preempts .* staging: fits/).waitFor();
    await takePicture(window.page, 'sources-lens');
    const settings: unknown = JSON.parse(readFileSync(join(workspace.folder, '.vscode', 'settings.json'), 'utf8'));
    assert.deepEqual(settings, { 'podium.sources': ['prod', 'staging'] });
  });

  it('show what is wrong in the values of a chart', async () => {
    await workbench.open('values.yaml');
    await workbench.editor().locator('.squiggly-error').first().waitFor();
    await window.page.keyboard.press('ControlOrMeta+Shift+M');
    await window.page
      .locator('.markers-panel .monaco-list-row')
      .filter({ hasText: /charts\/cart\)/ })
      .first()
      .waitFor();
    await takePicture(window.page, 'sources-values');
  });
});
