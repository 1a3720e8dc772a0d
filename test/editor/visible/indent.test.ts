import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventually } from '../support/eventually.ts';
import { takePicture } from '../support/pictures.ts';
import { type EditorWindow, openWindow } from '../support/window.ts';
import { Workbench } from '../support/workbench.ts';
import { makeWorkspace, type Workspace } from '../support/workspace.ts';
import { yamlExtension } from '../support/yaml-extension.ts';

describe('Enter behind a key beside the YAML extension, which keeps the column', () => {
  let workspace: Workspace;
  let window: EditorWindow;
  let workbench: Workbench;

  before(async () => {
    workspace = makeWorkspace('kubernetes-workspace');
    writeFileSync(join(workspace.folder, 'typed.yaml'), '');
    window = await openWindow({
      folder: workspace.folder,
      open: join(workspace.folder, 'apps', 'checkout.yaml'),
      beside: { 'redhat.vscode-yaml': await yamlExtension() },
    });
    workbench = new Workbench(window.page);
    await workbench.ready();
  });

  after(async () => {
    await window.close();
    workspace.remove();
  });

  it('[ED-7] [#38] indents once the user wants it, who is asked the first time that it does not', async () => {
    const { keyboard } = window.page;
    await workbench.open('typed.yaml');
    await keyboard.type('metadata:\n', { delay: 110 });
    const question = await workbench.notification(/Enter does not indent in YAML/);
    await question.waitFor();
    await takePicture(window.page, 'indent');
    await question.getByRole('button', { name: 'Indent', exact: true }).click();
    await question.waitFor({ state: 'detached' });
    const line = workbench.editor().locator('.view-line').filter({ hasText: 'replicas: 1' });
    // The answer comes back before the setting counts, and what else opens meanwhile may have the focus.
    const typed = await eventually('Enter that indents', async () => {
      await workbench.open('typed.yaml');
      await keyboard.press('ControlOrMeta+A');
      await keyboard.type('spec:\nreplicas: 1', { delay: 110 });
      const text = (await line.textContent())?.replaceAll('\u00A0', ' ');
      return text === 'replicas: 1' ? undefined : text;
    });
    assert.equal(typed, '  replicas: 1');
  });
});
