import type { FrameLocator, Locator, Page } from 'playwright-core';
import { eventually } from './eventually.ts';

/** The parts of a VS Code window that a person sees, found as a person would: by role and text. */
export class Workbench {
  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  /** The text of the active editor, once it is there. */
  editor(): Locator {
    return this.page.locator('.editor-group-container.active .monaco-editor[role="code"]').first();
  }

  /** Waits until Podium has answered about the workload in the active editor. */
  async ready(): Promise<void> {
    await this.lens(/^priority \d+.* · /).waitFor();
  }

  lens(text: string | RegExp): Locator {
    // What leads nowhere is no link.
    return this.page.locator('.codelens-decoration :is(a, span)').filter({ hasText: text }).first();
  }

  /** Waits for a lens above the first line, which comes in above what is visible. */
  async lensAtTop(text: string | RegExp): Promise<void> {
    const lens = this.lens(text);
    // The deadline of the test ends what never comes.
    for (;;) {
      await this.page.keyboard.press('ControlOrMeta+ArrowUp');
      const isThere = await lens.waitFor({ timeout: 500 }).then(
        () => true,
        () => false,
      );
      if (isThere) return;
    }
  }

  hover(): Locator {
    return this.page.locator('.monaco-hover:not(.hidden) .hover-contents').first();
  }

  /** Runs a command of the palette by its title. */
  async command(title: string): Promise<void> {
    await this.#quickPick('F1', `>${title}`, title);
  }

  /** Chooses a colour theme by its label. */
  async chooseTheme(label: string): Promise<void> {
    await this.command('Preferences: Color Theme');
    await (await this.quickInput(/color theme/i)).fill(label);
    await this.page.locator('.quick-input-list .monaco-list-row').filter({ hasText: label }).first().click();
  }

  /** The quick input that says this while its field is empty. What it takes the place of may have rows of the same name. */
  async quickInput(placeholder: RegExp): Promise<Locator> {
    const input = this.page.locator('.quick-input-widget').getByPlaceholder(placeholder);
    await input.waitFor();
    return input;
  }

  /** Goes to one of so many groups of editors, which a command before it may still be making. */
  async goToGroup(number: number, of: number): Promise<void> {
    const groups = this.page.locator('.editor-group-container');
    await groups.nth(of - 1).waitFor();
    await this.page.keyboard.press(`ControlOrMeta+${number}`);
    await this.page
      .locator('.editor-group-container.active')
      .and(groups.nth(number - 1))
      .waitFor();
  }

  /** Shows a part of the side bar by its title in the activity bar. */
  async sideBar(title: string): Promise<void> {
    await this.page.locator(`.activitybar .action-label[aria-label^="${title}"]`).first().click();
    // Over the icon its name would be shown over what is below it.
    const status = await this.page.locator('.part.statusbar').boundingBox();
    if (status !== null) await this.page.mouse.move(status.x + status.width / 2, status.y + status.height / 2);
    const heading = this.page.locator('.sidebar .composite.title').filter({ hasText: new RegExp(title, 'i') });
    await heading.waitFor();
  }

  /** A row of the side bar by what it says. */
  row(text: string | RegExp): Locator {
    return this.page.locator('.sidebar .monaco-list-row').filter({ hasText: text }).first();
  }

  /** The texts of rows of the side bar that are wider than it, from the first to the last. */
  async cutRows(): Promise<readonly string[]> {
    const cut = new Set<string>();
    const rows = this.page.locator('.sidebar .monaco-list-row');
    const last = rows.and(this.page.locator('[data-last-element="true"]'));
    await this.page.locator('.sidebar .monaco-list').first().focus();
    await this.page.keyboard.press('Home');
    await rows.and(this.page.locator('[data-index="0"]')).waitFor();
    for (let isLast = false; !isLast;) {
      isLast = (await last.count()) > 0;
      const found = await rows
        .locator('.monaco-icon-label-container')
        .evaluateAll((labels) =>
          labels.flatMap((label) =>
            label.scrollWidth > label.clientWidth
              ? [`${label.scrollWidth} of ${label.clientWidth}: ${label.textContent}`]
              : [],
          ),
        );
      for (const each of found) cut.add(each);
      await this.page.keyboard.press('PageDown');
    }
    await this.page.keyboard.press('Home');
    return [...cut];
  }

  /**
   * What a notification says, looked up where all are listed: a toast goes by itself after a while, and the newest VS Code
   * shows none where its page is told what to open.
   */
  async notification(text: string | RegExp): Promise<Locator> {
    await this.command('Notifications: Show Notifications');
    return this.page.locator('.notifications-center .notification-list-item').filter({ hasText: text });
  }

  /** Gives the side bar room for whole rows. */
  async widenSideBar(): Promise<void> {
    const { mouse } = this.page;
    const box = await this.page.locator('.part.sidebar').boundingBox();
    if (box === null) throw new Error('there is no side bar');
    const [x, y] = [box.x + box.width, box.y + box.height / 2];
    await mouse.move(x, y);
    await mouse.down();
    await mouse.move(x + 240, y, { steps: 8 });
    await mouse.up();
    // Away from everything that tells of itself.
    await mouse.move(x + 500, y);
  }

  /** Waits until a file is open with the cursor in a line where a text stands. */
  async selectedIn(name: string, text: string): Promise<void> {
    await this.page.locator('.tab.active').filter({ hasText: name }).waitFor();
    const line = this.editor().locator('.view-line').filter({ hasText: text });
    const cursor = this.editor().locator('.current-line').first();
    // The file is shown before the place in it.
    await eventually(`the cursor at ${text}`, async () => {
      const top = await cursor.evaluate((element) => element.getBoundingClientRect().top);
      const tops = await line.evaluateAll((lines) => lines.map((each) => each.getBoundingClientRect().top));
      return tops.some((each) => Math.abs(each - top) < 2) || undefined;
    });
  }

  /** Opens a file of the workspace by its name. */
  async open(name: string): Promise<void> {
    // What else opens at that moment may have the last word, as when a workspace becomes trusted.
    for (let attempt = 1; ; attempt++) {
      await this.#quickPick('ControlOrMeta+P', name, name);
      try {
        await this.page.locator('.tab.active').filter({ hasText: name }).waitFor({ timeout: 30_000 });
        break;
      } catch (error) {
        if (attempt === 5) throw error;
      }
    }
    await this.page.locator('.editor-instance .monaco-editor.focused').waitFor();
  }

  /** Puts the cursor on the first place where a text stands, through the find widget. */
  async find(text: string): Promise<void> {
    await this.page.keyboard.press('ControlOrMeta+F');
    const input = this.page.locator('.find-widget.visible textarea.input').first();
    await input.fill(text);
    await this.page.keyboard.press('Enter');
    await this.page.keyboard.press('Escape');
  }

  /** Types into a quick input that a key opens. What takes the focus meanwhile closes it; then it is opened again. */
  async #quickPick(key: string, text: string, row: string): Promise<void> {
    // It only ends what never comes: on a busy machine a click takes longer than seconds.
    const timeout = 30_000;
    for (let attempt = 1; ; attempt++) {
      try {
        await this.page.keyboard.press(key);
        await this.page.locator('.quick-input-widget input[type="text"]').fill(text, { timeout });
        await this.page
          .locator('.quick-input-list .monaco-list-row')
          .filter({ hasText: row })
          .first()
          .click({ timeout });
        return;
      } catch (error) {
        if (attempt === 5) throw error;
        await this.page.keyboard.press('Escape');
      }
    }
  }

  /** The page inside the webview of the active editor group. */
  webview(): FrameLocator {
    return this.page
      .locator('iframe.webview.ready')
      .first()
      .contentFrame()
      .locator('iframe#active-frame')
      .contentFrame();
  }
}
