import assert from 'node:assert/strict';
import { restoredStateSchema } from '../../client/src/report/messages.ts';
import { violations } from './axe.ts';
import { bigReport } from './big-report.ts';
import { exportedMap } from './harness.ts';
import { pages } from './pages.ts';
import { hostileReport, origin, sampleReport } from './sample-report.ts';

const report = sampleReport();

describe('[ED-5] what the report page keeps and hands on', function () {
  const browser = pages();

  it('keeps names and messages text', async () => {
    const markup = '<img src=x onerror="document.title=\'owned\'"><b>bold</b>';
    const page = await browser.show(hostileReport(markup));
    for (const tab of ['Timeline', 'Decisions', 'Pods', 'Nodes', 'Victims', 'Pending', 'Map']) {
      await page.getByRole('tab', { name: tab }).click();
      assert.equal(await page.locator('img, #report b').count(), 0);
    }
    assert.equal(await page.locator('h1').textContent(), markup);
    assert.equal(await page.title(), 'Simulation');
    const exported = await exportedMap(browser.current);
    const images = await page.evaluate((svg) => {
      const parsed = new DOMParser().parseFromString(svg, 'image/svg+xml');
      return parsed.querySelectorAll('img, parsererror').length;
    }, exported);
    assert.equal(images, 0);
  });

  it('asks the panel for the exports and for another run', async () => {
    const page = await browser.show(report);
    for (const format of ['json', 'markdown', 'html', 'comment']) {
      await page.getByLabel('Export').selectOption(format);
    }
    await page.getByRole('button', { name: 'Run again' }).click();
    assert.deepEqual((await browser.current.sent()).slice(1), [
      { type: 'export', format: 'json' },
      { type: 'export', format: 'markdown' },
      { type: 'export', format: 'html' },
      { type: 'export', format: 'comment' },
      { type: 'runAgain' },
    ]);
  });

  it('asks before a run that takes long, and before one without the snapshot, with what else can be done', async () => {
    const opened = await browser.open();
    const { page } = opened;
    const status = { type: 'status', running: false, outdated: false, failure: '' } as const;
    const place = origin('cluster.yaml', 811);
    await opened.send({ ...status, doubt: { about: 'snapshot', text: 'The snapshot is not used.', origin: place } });
    const asked = page.getByRole('status');
    assert.match(await asked.innerText(), /The snapshot is not used\./);
    assert.equal(await page.getByText('There is no report yet.').count(), 0);
    // Buttons look like buttons before there is a report, too.
    await opened.settled();
    assert.notEqual(
      await page.evaluate(() => getComputedStyle(document.documentElement).getPropertyValue('--calm-fill')),
      '',
    );
    assert.deepEqual(await violations(page), []);
    for (const name of ['Open line 812', 'Choose another…', 'Run without it']) {
      await asked.getByRole('button', { name }).click();
    }
    await opened.send({ ...status, doubt: { about: 'large', text: 'A run may take 3 min.', origin: null } });
    assert.match(await asked.innerText(), /A run may take 3 min\..*shown while it goes on/s);
    for (const name of ['Run', 'Cancel']) await asked.getByRole('button', { name, exact: true }).click();
    assert.deepEqual((await opened.sent()).slice(1), [
      { type: 'reveal', origin: place },
      { type: 'command', command: 'nameSnapshot' },
      { type: 'goOn', about: 'snapshot' },
      { type: 'goOn', about: 'large' },
      { type: 'cancel' },
    ]);
    await browser.current.show(report);
    await opened.send({ ...status, doubt: { about: 'large', text: 'A run may take 3 min.', origin: null } });
    assert.match(await asked.first().innerText(), /The figures are of the run before\./);
    await opened.send({ ...status, running: true });
    assert.equal(await page.getByRole('button', { name: 'Run', exact: true }).count(), 0);
  });

  it('stops the first run with Escape', async () => {
    const opened = await browser.open();
    await opened.send({ type: 'status', running: true, outdated: false, failure: '' });
    await opened.page.keyboard.press('Escape');
    assert.deepEqual(await opened.said('cancel'), { type: 'cancel' });
  });

  it('keeps focus, selection and scroll when a new report arrives', async () => {
    const page = await browser.show(bigReport(300, 900));
    await page.locator('.card-title').nth(6).click();
    const before = await browser.activeName();
    const scrolled = await page.locator('.report').evaluate((area) => area.scrollTop);
    await browser.current.send({ type: 'status', running: true, outdated: false, failure: '' });
    const next = bigReport(300, 900);
    await browser.current.send({ type: 'report', report: { ...next, answer: { ...next.answer, headline: 'again' } } });
    await page.getByRole('heading', { name: 'again' }).waitFor();
    assert.equal(await browser.activeName(), before);
    assert.equal(await page.locator('.report').evaluate((area) => area.scrollTop), scrolled);
  });

  it('comes back as it was after a reload', async () => {
    let page = await browser.show(bigReport(300, 900));
    await page.locator('.card-title').nth(6).click();
    await page.getByRole('tab', { name: 'Timeline' }).click();
    await page.getByRole('slider', { name: 'Moment' }).fill('3');
    const compared = {
      with: 'report',
      name: 'monday.json',
      against: { kind: 'file', uri: 'file:///monday.json' },
    } as const;
    await browser.current.send({ type: 'status', running: false, outdated: false, failure: '', against: compared });
    await browser.current.settled();
    const state = await browser.current.state();
    assert.deepEqual(restoredStateSchema.parse(state), { scenario: { kind: 'workspace' }, against: compared });
    const selected = await page.locator('.facts-title').textContent();
    await browser.current.close();
    page = await browser.show(bigReport(300, 900), { state });
    assert.match(
      (await page.getByRole('slider', { name: 'Moment' }).getAttribute('aria-valuetext')) ?? '',
      /^Step 3 of 60/,
    );
    assert.equal(await page.locator('.facts-title').textContent(), selected);
  });

  it('ignores kept state that is not its own', async () => {
    const page = await browser.show(report, { state: { view: 7, scenario: null } });
    assert.equal(await page.locator('.card').count(), 2);
  });

  it('does not take the focus when it opens', async () => {
    const page = await browser.show(report);
    assert.equal(await page.evaluate(() => document.activeElement === document.body), true);
  });

  it('scrolls as a whole at every width, and comes back where it was', async () => {
    for (const width of [400, 1480]) {
      const options = { width, height: 500 };
      let page = await browser.show(bigReport(300, 900), options);
      const inner = await page.evaluate(
        () =>
          [...document.querySelectorAll('.report *')].filter((element) => {
            const { overflowY } = getComputedStyle(element);
            return (overflowY === 'auto' || overflowY === 'scroll') && element.scrollHeight > element.clientHeight;
          }).length,
      );
      assert.equal(inner, 0);
      await page.locator('.report').evaluate((element) => {
        element.scrollTop = 200;
      });
      await browser.current.settled();
      const state = await browser.current.state();
      await browser.current.close();
      page = await browser.show(bigReport(300, 900), { ...options, state });
      await page.waitForFunction(() => document.querySelector('.report')?.scrollTop === 200);
      await browser.current.close();
    }
    await browser.show(report);
  });
});
