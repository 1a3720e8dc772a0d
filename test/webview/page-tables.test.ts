import assert from 'node:assert/strict';
import type { Report } from '../../server/src/report-model/report.ts';
import { podium } from '../unit/cli/run-podium.ts';
import { bigReport } from './big-report.ts';
import { pages } from './pages.ts';
import { samplePod, sampleReport } from './sample-report.ts';

const report = sampleReport();
const checkout = `#after-1-${samplePod('checkout-1')}`;

describe('[ED-5] time and tables of the report page', function () {
  const browser = pages();

  it('filters with / and goes back with Escape', async () => {
    const page = await browser.show(report);
    await page.locator('vscode-textfield:defined').waitFor();
    await page.locator('.map [tabindex="0"]').focus();
    await page.keyboard.press('/');
    await page.keyboard.type('db-0');
    await page.locator('.card').nth(1).waitFor({ state: 'detached' });
    assert.equal(await page.locator('.card').count(), 1);
    await page.keyboard.press('Escape');
    await page.locator('.card').nth(1).waitFor();
    assert.equal(await page.evaluate(() => document.activeElement?.closest('.map') !== null), true);
  });

  it('steps through the simulation with the slider and the list', async () => {
    const page = await browser.show(report);
    await page.getByRole('tab', { name: 'Timeline' }).click();
    const slider = page.getByRole('slider', { name: 'Moment' });
    await slider.focus();
    await page.keyboard.press('Home');
    assert.equal(await slider.getAttribute('aria-valuetext'), 'Step 0 of 7, 0 s: before the first step');
    await page.keyboard.press('ArrowRight');
    await page.getByRole('tab', { name: 'Map' }).click();
    await page.locator(`${checkout}.look-nominated`).waitFor();
    await page.getByRole('tab', { name: 'Decisions' }).click();
    await page.getByRole('tree', { name: 'Steps' }).focus();
    await page.keyboard.press('End');
    assert.match((await browser.activeName()) ?? '', /^Step 7, 31 s: train-4 pending/);
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('ArrowRight');
    await page.getByRole('treeitem', { name: 'Step 6' }).and(page.locator('[aria-expanded="true"]')).waitFor();
  });

  it('shows simulated time in lanes per node and per workload', async () => {
    const page = await browser.show(report);
    await page.getByRole('tab', { name: 'Timeline' }).click();
    await page.getByRole('button', { name: '− train-1, evicted, in its grace period, from 0 s to 30 s' }).click();
    await page.getByRole('region', { name: 'train-1' }).waitFor();
    assert.deepEqual(await page.locator('.lane-name').allTextContents(), ['node-b', 'node-d']);
    await page.locator('h1').click();
    await page.keyboard.press('l');
    assert.ok((await page.locator('.lane-name').allTextContents()).includes('train'));
  });

  it('names moments on an axis that goes on behind the last event, and counts what a filter leaves', async () => {
    let page = await browser.show(report);
    await page.getByRole('tab', { name: 'Timeline' }).click();
    const ticks = page.locator('.axis-ticks > span');
    assert.equal(await ticks.first().innerText(), '0 s');
    assert.ok((await ticks.count()) > 2);
    const ends = await page
      .locator('.span:not(.span-runs)')
      .evaluateAll((spans) =>
        spans.map(
          (span) => span.getBoundingClientRect().right / (span.parentElement?.getBoundingClientRect().right ?? 0),
        ),
      );
    assert.ok(
      ends.every((end) => end < 0.97),
      String(ends),
    );
    await page.locator('h1').click();
    await page.keyboard.press('/');
    await page.keyboard.type('checkout');
    await page.getByText(/^[1-9]\d* of \d+ pods$/).waitFor();
    page = await browser.show({ ...report, steps: report.steps.map((step) => ({ ...step, clock: 0 })) });
    await page.getByRole('tab', { name: 'Timeline' }).click();
    await page.getByText('Everything happens at once.').waitFor();
  });

  it('has the timeline under the map where there is room, with six lanes and the way to the others', async () => {
    let page = await browser.show(bigReport(300, 900), { width: 1600 });
    const below = page.locator('#main-panel').getByRole('region', { name: 'Timeline' });
    assert.equal(await below.locator('.lane').count(), 6);
    await below.getByRole('slider', { name: 'Moment' }).waitFor();
    await below.getByRole('button', { name: /^Timeline: [\d,]+ more lanes$/ }).click();
    await page.getByRole('tab', { name: 'Timeline' }).and(page.locator('[aria-selected="true"]')).waitFor();
    page = await browser.show(report, { width: 1100 });
    assert.equal(await page.locator('.lane').count(), 0);
  });

  it('sorts and walks the tables', async () => {
    const page = await browser.show(report);
    await page.getByRole('tab', { name: 'Pods' }).click();
    const grid = page.getByRole('grid', { name: 'Pods' });
    await grid.getByRole('button', { name: 'Priority' }).click();
    await grid.getByRole('columnheader', { name: 'Priority' }).and(page.locator('[aria-sort="ascending"]')).waitFor();
    assert.match((await grid.locator('.grid-body .grid-row').first().textContent()) ?? '', /-10/);
    await grid.getByRole('button', { name: 'Priority' }).click();
    assert.match((await grid.locator('.grid-body .grid-row').first().textContent()) ?? '', /1,000,000/);
    await grid.focus();
    await page.keyboard.press('Home');
    await page.keyboard.press('ArrowDown');
    assert.equal(await grid.locator('[aria-selected="true"]').getAttribute('aria-rowindex'), '3');
    await page.keyboard.press('Enter');
    assert.equal((await browser.current.sent()).at(-1)?.type, 'reveal');
  });

  it('shows what a scenario file says: what is done at its times, and what is answered', async () => {
    const { stdout } = await podium([
      'simulate',
      '--scenario',
      'samples/online-shop/night.podium.yaml',
      '--format',
      'json',
    ]);
    const page = await browser.show(JSON.parse(stdout) as Report);
    await page.getByText('What is done', { exact: false }).first().click();
    await page.getByText('pressure node/general-b deployment/shop/cart=9550Mi').first().waitFor();
    await page.getByText('cronjob/shop-batch/nightly-report is due, 2025-11-22T01:30:00Z').first().waitFor();
    await page.getByText('fit deployment/shop/cart').first().waitFor();
    await page.getByText('1 pod of Deployment shop/cart is evicted or ended').first().waitFor();
    assert.equal((await page.locator('.events > ol > li').count()) > 0, true);
  });

  it('draws some of ten thousand events and of what a question is answered with, and counts the others', async () => {
    const events = Array.from({ length: 10_000 }, (_, at) => ({ clock: at, text: `cordon node/n${at}`, told: [] }));
    const details = Array.from({ length: 1_000 }, (_, at) => `default/web-${at}`);
    const page = await browser.show({
      ...report,
      events,
      questions: [{ text: 'pending', answer: '1,000 pods', isMet: false, details }],
    });
    await page.getByText('What is done · 10,000 events').click();
    await page.getByText('9,800 more are in the exports.').waitFor();
    await page.getByText('980 more are in the exports.').waitFor();
    assert.equal(await page.locator('.events > ol > li').count(), 202);
  });
});
