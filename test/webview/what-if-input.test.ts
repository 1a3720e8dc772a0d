import assert from 'node:assert/strict';
import type { Locator, Page } from 'playwright-core';
import type { Report } from '../../server/src/report-model/report.ts';
import { violations } from './axe.ts';
import { pages } from './pages.ts';
import { sampleReport as makeSample } from './sample-report.ts';
import { type ThemeName, themes } from './themes.ts';

const sampleReport = makeSample();

/** The sample with so many nodes and workloads more that no list shows them all. */
function vast(report: Report): Report {
  const more = 5000;
  const [node] = report.nodes;
  const [workload] = report.workloads;
  return {
    ...report,
    nodes: [...report.nodes, ...Array.from({ length: more }, (_each, at) => ({ ...node!, name: `worker-${at}` }))],
    workloads: [
      ...report.workloads,
      ...Array.from({ length: more }, (_each, at) => ({ ...workload!, name: `service-${at}` })),
    ],
  };
}

describe('[ED-5] the line of what-if is put together in three steps', function () {
  const browser = pages();

  interface Line {
    readonly page: Page;
    readonly field: Locator;
    readonly options: Locator;
    /** What the marked row says; undefined where none is. */
    readonly marked: () => Promise<string | undefined>;
  }

  async function show(report: Report, options = {}): Promise<Line> {
    const page = await browser.show(report, options);
    await page.locator('h1').click();
    await page.keyboard.press('w');
    const field = page.getByRole('combobox', { name: 'What if' });
    return {
      page,
      field,
      options: page.locator('.what-if-popup').getByRole('option'),
      marked: async () => {
        const id = await field.getAttribute('aria-activedescendant');
        if (id === null) return undefined;
        const row = page.locator(`[id="${id}"]`);
        assert.equal(await row.getAttribute('aria-selected'), 'true');
        return row.innerText();
      },
    };
  }

  async function tried(): Promise<readonly string[] | undefined> {
    const last = (await browser.current.sent()).at(-1);
    return last?.type === 'tryOut' ? last.operations : undefined;
  }

  it('first what is done, then with what, then how much: with arrow keys and Enter alone', async () => {
    const { page, field, marked } = await show(sampleReport);
    assert.equal(await field.getAttribute('aria-expanded'), 'false');
    await page.keyboard.type('sc');
    await page.getByRole('listbox', { name: 'What to do, step 1 of 3' }).waitFor();
    assert.match((await marked()) ?? '', /^scale another number of replicas$/);
    await page.keyboard.press('Enter');
    await page.getByRole('listbox', { name: 'With what, step 2 of 3' }).waitFor();
    assert.equal(await field.inputValue(), 'scale ');
    await page.keyboard.type('checkout');
    assert.match((await marked()) ?? '', /^checkout Deployment/);
    await page.keyboard.press('Enter');
    await page.getByRole('listbox', { name: 'How, step 3 of 3' }).waitFor();
    // A number has still to be said: the first is marked when somebody walks there, or types.
    await page.keyboard.press('ArrowDown');
    const amount = /^\d+/.exec((await marked()) ?? '')?.[0];
    await page.keyboard.press('Enter');
    const target = (await tried())?.[0];
    assert.match(target ?? '', /^scale deployment\/\S+\/checkout \d+$/);
    assert.ok(target?.endsWith(` ${amount}`));
    assert.equal(await field.inputValue(), '');
    assert.equal(await page.getByRole('listbox').count(), 0);
  });

  it('offers the nodes for a drain and its flags one after the other, and tries it with as many as are chosen', async () => {
    const { page, field, options } = await show(sampleReport);
    const [node] = sampleReport.nodes;
    await page.keyboard.type('dr');
    await page.keyboard.press('Tab');
    assert.equal(await field.inputValue(), 'drain ');
    assert.equal(await options.count(), sampleReport.nodes.length);
    await options.first().click();
    assert.equal(await field.inputValue(), `drain node/${node!.name} `);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await options.filter({ hasText: '--force' }).click();
    assert.deepEqual(
      (await options.allInnerTexts()).map((text) => text.split(/\s/)[0]),
      ['--delete-emptydir-data', '--disable-eviction'],
    );
    await page.keyboard.press('Enter');
    assert.deepEqual(await tried(), [`drain node/${node!.name} --ignore-daemonsets --force`]);
  });

  it('asks for a node like which the new ones are, and how many of them', async () => {
    const { page, field, options } = await show(sampleReport);
    const [node] = sampleReport.nodes;
    await page.keyboard.type('add');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Enter');
    assert.equal(await field.inputValue(), `add 1 node like ${node!.name}`);
    await options.filter({ hasText: '+3' }).click();
    assert.deepEqual(await tried(), [`add 3 nodes like ${node!.name}`]);
  });

  it('offers for a name whatever can be done with it, and takes a line that is written to its end', async () => {
    const { page, options, marked } = await show(sampleReport);
    await page.keyboard.type('checkout');
    const offered = (await options.allInnerTexts()).map((text) => text.split(/\s/)[0]);
    assert.ok(offered.includes('scale') && offered.includes('delete') && offered.includes('priority'), offered.join());
    await page.keyboard.press('Control+A');
    await page.keyboard.type(`cordon node/${sampleReport.nodes[0]!.name}`);
    assert.equal(await marked(), undefined);
    await page.keyboard.press('Enter');
    assert.deepEqual(await tried(), [`cordon node/${sampleReport.nodes[0]!.name}`]);
  });

  it('is left with Escape, which closes nothing else, and with Tab', async () => {
    const { page, field } = await show(sampleReport);
    await page.keyboard.type('cor');
    await page.getByRole('listbox').waitFor();
    await page.keyboard.press('Escape');
    assert.equal(await page.getByRole('listbox').count(), 0);
    assert.equal(await field.inputValue(), 'cor');
    assert.equal(await field.evaluate((element) => element === document.activeElement), true);
    await page.keyboard.press('Tab');
    assert.equal(await field.evaluate((element) => element === document.activeElement), false);
  });

  it('lists a part of thousands of objects, and finds the others by what is typed', async () => {
    const { page, options } = await show(vast(sampleReport));
    await page.keyboard.type('drain ');
    await options.first().waitFor();
    const shown = await options.count();
    assert.ok(shown <= 40, `${shown} rows`);
    await page.getByText(`${(sampleReport.nodes.length + 5000 - shown).toLocaleString('en')} more`).waitFor();
    await page.keyboard.type('worker-4999');
    assert.deepEqual(await options.allInnerTexts(), ['worker-4999 zone-a']);
    await page.keyboard.press('Control+A');
    await page.keyboard.type('delete service-4998');
    assert.equal(await options.count(), 1);
  });

  for (const theme of Object.keys(themes) as ThemeName[]) {
    it(`stays within the page and is readable (${theme})`, async () => {
      const { page, options } = await show(sampleReport, { theme, width: 420 });
      await page.keyboard.type('delete ');
      await page.keyboard.press('ArrowDown');
      await options.first().waitFor();
      const box = await page.locator('.what-if-popup').boundingBox();
      assert.ok(box !== null && box.x >= 0 && box.x + box.width <= 420, JSON.stringify(box));
      assert.deepEqual(await violations(page), []);
    });
  }
});
