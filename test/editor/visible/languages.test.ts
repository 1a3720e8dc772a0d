import { join } from 'node:path';
import { type EditorWindow, openWindow } from '../support/window.ts';
import { Workbench } from '../support/workbench.ts';
import { makeWorkspace, type Workspace } from '../support/workspace.ts';

/** The name of the view, and the titles of two of its sections. */
const languages = {
  'zh-cn': ['概览', '预算', '节点'],
  ja: ['概要', 'バジェット', 'ノード'],
  ru: ['Обзор', 'Бюджеты', 'Узлы'],
};

/** Where the extension runs, and with it the server. */
const hosts = {
  'a program': {},
  'a worker of a browser': { 'remote.extensionKind': { 'podium.podium': ['web'] } },
};

describe('other languages in VS Code', () => {
  let workspace: Workspace;
  let window: EditorWindow;

  before(() => {
    workspace = makeWorkspace('kubernetes-workspace');
  });

  afterEach(() => window.close());

  after(() => {
    workspace.remove();
  });

  for (const [host, settings] of Object.entries(hosts)) {
    it(`says lenses and the report in another language, from a server in ${host}`, async () => {
      window = await openWindow({
        folder: workspace.folder,
        open: join(workspace.folder, 'apps', 'checkout.yaml'),
        settings,
        prepare: (page) => page.addInitScript(`globalThis._VSCODE_NLS_LANGUAGE = 'ja'`).then(() => undefined),
      });
      const workbench = new Workbench(window.page);
      await workbench.lens(/^優先度 \d+ .* · /).waitFor();
      await workbench.command('Podium: スケジューリングをシミュレート');
      const report = workbench.webview().locator('#report');
      await report.getByRole('heading', { name: / を退避/ }).waitFor();
      await report.getByRole('tab', { name: /タイムライン/ }).waitFor();
    });
  }

  for (const [language, [view, budgets, nodes]] of Object.entries(languages)) {
    it(`has views, commands and the rows of the side bar in ${language}`, async () => {
      window = await openWindow({
        folder: workspace.folder,
        // As the language pack of VS Code does, which also has the texts of VS Code itself.
        prepare: (page) => page.addInitScript(`globalThis._VSCODE_NLS_LANGUAGE = '${language}'`).then(() => undefined),
      });
      const { page } = window;
      const workbench = new Workbench(page);
      await workbench.sideBar('Podium');
      await page
        .locator('.sidebar .composite.title')
        .filter({ hasText: new RegExp(view!, 'i') })
        .waitFor();
      const rows = page.locator('.sidebar .monaco-list-row');
      await rows.filter({ hasText: new RegExp(`^${nodes!}`) }).waitFor();
      await rows.filter({ hasText: new RegExp(`^${budgets!}`) }).waitFor();
    });
  }
});
