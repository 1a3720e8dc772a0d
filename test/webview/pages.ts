import assert from 'node:assert/strict';
import type { Report } from '../../server/src/contract/report.ts';
import { type Harness, type OpenOptions, type OpenPage, startHarness } from './harness.ts';

export interface Pages {
  /** A page that has been told nothing yet. */
  open(options?: OpenOptions): Promise<OpenPage>;
  /** A page that shows a report. */
  show(report: Report, options?: OpenOptions): Promise<OpenPage>;
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
    open,
    async show(report, options) {
      const page = await open(options);
      await page.show(report);
      return page;
    },
  };
}
