import assert from 'node:assert/strict';
import { join } from 'node:path';
import { type EditorWindow, openWindow } from '../support/window.ts';
import { Workbench } from '../support/workbench.ts';
import { makeWorkspace, type Workspace } from '../support/workspace.ts';

interface Words {
  /** Where the extension runs, and with it the server. */
  readonly settings?: Readonly<Record<string, unknown>>;
  readonly lens: RegExp;
  readonly command: string;
  /** Of the report. */
  readonly heading: RegExp;
  readonly tab: string;
  /** The name of the view, and the titles of two of its sections. */
  readonly view: string;
  readonly budgets: string;
  readonly nodes: string;
}

const languages: Readonly<Record<string, Words>> = {
  'zh-cn, from a server in a program': {
    lens: /^优先级 \d+.* · /,
    command: 'Podium: 模拟调度',
    heading: / 驱逐 /,
    tab: '时间线',
    view: '概览',
    budgets: '预算',
    nodes: '节点',
  },
  'ja, from a server in a worker of a browser': {
    settings: { 'remote.extensionKind': { 'podium.podium': ['web'] } },
    lens: /^優先度 \d+.* · /,
    command: 'Podium: スケジューリングをシミュレート',
    heading: / を退避/,
    tab: 'タイムライン',
    view: '概要',
    budgets: 'バジェット',
    nodes: 'ノード',
  },
  'ru, from a server in a program': {
    lens: /^приоритет \d+.* · /,
    command: 'Podium: Смоделировать планирование',
    heading: /вытесня/,
    tab: 'Хронология',
    view: 'Обзор',
    budgets: 'Бюджеты',
    nodes: 'Узлы',
  },
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

  for (const [language, words] of Object.entries(languages)) {
    const [locale] = language.split(',');
    it(`are those of lenses, commands, the report and the side bar: ${language}`, async () => {
      window = await openWindow({
        folder: workspace.folder,
        open: join(workspace.folder, 'apps', 'checkout.yaml'),
        // As the language pack of VS Code does, which also has the texts of VS Code itself.
        prepare: (page) => page.addInitScript(`globalThis._VSCODE_NLS_LANGUAGE = '${locale}'`).then(() => undefined),
        ...(words.settings === undefined ? {} : { settings: words.settings }),
      });
      const { page } = window;
      const workbench = new Workbench(page);
      await workbench.lens(words.lens).waitFor();
      await workbench.command(words.command);
      const report = workbench.webview().locator('#report');
      await report.getByRole('heading', { name: words.heading }).waitFor();
      await report.getByRole('tab', { name: words.tab }).waitFor();
      await workbench.sideBar('Podium');
      await page
        .locator('.sidebar .composite.title')
        .filter({ hasText: new RegExp(words.view, 'i') })
        .waitFor();
      const rows = page.locator('.sidebar .monaco-list-row');
      await rows.filter({ hasText: new RegExp(`^${words.nodes}`) }).waitFor();
      await rows.filter({ hasText: new RegExp(`^${words.budgets}`) }).waitFor();
      // What is gated is one of the rows below them.
      await rows.filter({ hasText: /^loyalty-migration/ }).waitFor();
      assert.deepEqual(await workbench.cutRows(), [], 'rows that are cut at the default width');
    });
  }
});
