import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import type { Report } from '../../server/src/report-model/report.ts';
import { type Harness, type OpenOptions, type OpenPage, startHarness } from './harness.ts';

export interface Pages {
  /** The page that was opened last. */
  readonly current: OpenPage;
  /** A page that has been told nothing yet. */
  open(options?: OpenOptions): Promise<OpenPage>;
  /** A page that shows a report. */
  show(report: Report, options?: OpenOptions): Promise<Page>;
  /** What assistive technology is told to be at. */
  activeName(): Promise<string | null>;
}

/**
 * A browser for the tests of a suite. After each test its pages are closed, and none may have written to the console,
 * thrown, or broken its policy.
 */
export function pages(): Pages {
  let harness: Harness;
  const opened: OpenPage[] = [];

  before(async () => {
    harness = await startHarness();
  });
  after(() => harness.close());
  afterEach(async () => {
    const complaints: string[] = [];
    for (const each of opened.splice(0)) {
      complaints.push(...each.complaints);
      await each.close();
    }
    assert.deepEqual(complaints, []);
  });

  async function open(options: OpenOptions = {}): Promise<OpenPage> {
    const page = await harness.open(options);
    opened.push(page);
    return page;
  }

  return {
    get current() {
      return opened.at(-1)!;
    },
    open,
    async show(report, options) {
      const opened = await open(options);
      await opened.show(report);
      return opened.page;
    },
    async activeName() {
      const current = opened.at(-1)!;
      await current.settled();
      return current.page.evaluate(() => {
        const id = document.activeElement?.getAttribute('aria-activedescendant');
        const active = id == null ? document.activeElement : document.getElementById(id);
        return (
          active?.getAttribute('aria-label') ??
          active?.querySelector('.spoken')?.textContent ??
          (active instanceof HTMLElement ? active.innerText : null)
        );
      });
    },
  };
}
