import type { FrameLocator, Locator, Page } from 'playwright-core';

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
    await this.lens(/priority \d/).waitFor();
  }

  lens(text: string | RegExp): Locator {
    return this.page.locator('.codelens-decoration a').filter({ hasText: text }).first();
  }

  hover(): Locator {
    return this.page.locator('.monaco-hover:not(.hidden) .hover-contents').first();
  }

  /** Runs a command of the palette by its title. */
  async command(title: string): Promise<void> {
    await this.page.keyboard.press('F1');
    const input = this.page.locator('.quick-input-widget input[type="text"]');
    await input.fill(`>${title}`);
    await this.page.locator('.quick-input-list .monaco-list-row').filter({ hasText: title }).first().click();
  }

  /** Opens a file of the workspace by its name. */
  async open(name: string): Promise<void> {
    await this.page.keyboard.press('ControlOrMeta+P');
    await this.page.locator('.quick-input-widget input[type="text"]').fill(name);
    await this.page.locator('.quick-input-list .monaco-list-row').filter({ hasText: name }).first().click();
    await this.page.locator('.tab.active').filter({ hasText: name }).waitFor();
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

  /** The page inside the webview of the active editor group. */
  webview(): FrameLocator {
    return this.page.locator('iframe.webview.ready').first().contentFrame().locator('iframe#active-frame').contentFrame();
  }
}
