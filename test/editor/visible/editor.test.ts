import assert from 'node:assert/strict';
import { join } from 'node:path';
import { takePicture } from '../support/pictures.ts';
import { type EditorWindow, openWindow } from '../support/window.ts';
import { Workbench } from '../support/workbench.ts';
import { makeWorkspace, type Workspace } from '../support/workspace.ts';

describe('what a person sees in the editor', () => {
  let workspace: Workspace;
  let window: EditorWindow;
  let workbench: Workbench;

  before(async () => {
    workspace = makeWorkspace('kubernetes-workspace');
    window = await openWindow({ folder: workspace.folder, open: join(workspace.folder, 'apps', 'checkout.yaml') });
    workbench = new Workbench(window.page);
    await workbench.ready();
  });

  after(async () => {
    await window.close();
    workspace.remove();
  });

  it('[ED-4] a code lens above the workload', async () => {
    assert.match(await workbench.lens(/preempts/).innerText(), /100000/);
  });

  it('[ED-1] a hover with the resolved priority', async () => {
    await workbench.find('shop-critical');
    await workbench.command('Show or Focus Hover');
    const hover = workbench.hover();
    await hover.filter({ hasText: /100,?000/ }).waitFor();
    await takePicture(window.page, 'hover');
    await window.page.keyboard.press('Escape');
  });

  const themes = [
    ['Light Modern', 'light_modern'],
    ['Dark+', 'dark_plus'],
    ['Light+', 'light_plus'],
    ['Dark (Visual Studio)', 'dark_vs'],
    ['Light (Visual Studio)', 'light_vs'],
    ['Dark High Contrast', 'hc_black'],
    ['Light High Contrast', 'hc_light'],
    ['Dark Modern', 'dark_modern'],
  ] as const;
  it('[#38] keys that scheduling reads in the colour of all keys, in each default theme', async () => {
    await workbench.find('spec');
    // What is selected has another colour in themes of high contrast.
    await window.page.keyboard.press('End');
    const coloursOf = (key: string): Promise<readonly string[]> =>
      workbench
        .editor()
        .locator('.view-line span[class*="mtk"]')
        .filter({ hasText: new RegExp(`^${key}$`) })
        .evaluateAll((spans) => [...new Set(spans.map((span) => getComputedStyle(span).color))]);
    for (const [label, id] of themes) {
      await workbench.chooseTheme(label);
      await window.page.locator(`.monaco-workbench[class*="${id}-json"]`).waitFor();
      const colours = await coloursOf('priorityClassName');
      assert.equal(colours.length, 1, label);
      assert.deepEqual(colours, await coloursOf('replicas'), label);
    }
  });

  it('the cluster that is used, in the language status', async () => {
    await window.page.locator('.statusbar-item[id="status.languageStatus"]').hover();
    await window.page
      .locator('.hover-language-status')
      .filter({ hasText: /4 nodes/ })
      .first()
      .waitFor();
    await takePicture(window.page, 'status');
    await window.page.keyboard.press('Escape');
  });

  it('[ED-2] problems with their place', async () => {
    await workbench.open('priority-classes.yaml');
    await workbench.find('name: shop-critical');
    await window.page.keyboard.type('name: system-critical');
    // Nothing is said of a line while it is typed.
    await window.page.keyboard.press('ArrowDown');
    await workbench.editor().locator('.squiggly-error').first().waitFor();
    await workbench.open('checkout.yaml');
    await workbench.editor().locator('.cdr[class*="squiggly"]').first().waitFor();
    await workbench.lens('rejected unless PriorityClass shop-critical exists').waitFor();
    await window.page.keyboard.press('ControlOrMeta+Shift+M');
    await window.page
      .locator('.markers-panel .monaco-list-row')
      .filter({ hasText: 'system-critical' })
      .first()
      .waitFor();
    await takePicture(window.page, 'problems');
  });
});
