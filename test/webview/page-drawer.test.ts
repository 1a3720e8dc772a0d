import assert from 'node:assert/strict';
import { pages } from './pages.ts';
import { samplePod, sampleReport, verdictsOf } from './sample-report.ts';

const report = sampleReport();
const checkout = `#after-1-${samplePod('checkout-1')}`;

describe('[ED-5] the drawer of the report page', function () {
  const browser = pages();

  for (const [width, height] of [
    [1600, 900],
    [900, 900],
    [650, 900],
    [420, 900],
  ] as const) {
    it(`opens the drawer at the selection, in sight, and no file, at ${width} px`, async () => {
      const page = await browser.show(report, { width, height });
      const sent = (await browser.current.sent()).length;
      for (const tile of await page.locator('.tile').all()) {
        await tile.click();
        const box = await page.locator('.drawer').boundingBox();
        const card = await page.locator('.card.selected').boundingBox();
        assert.ok(box !== null && card !== null);
        assert.ok(box.y >= 0 && box.y + 100 <= height, `the drawer begins at ${box.y}`);
        assert.ok(box.x >= 0 && box.x + box.width <= width);
        // Beside the card, or in it.
        assert.ok(width >= 1200 ? Math.abs(box.y - card.y) < 2 && box.x >= card.x + card.width : box.y > card.y);
      }
      for (const line of await page.locator('.answer-subject').all()) {
        await line.click();
        const box = await page.locator('.drawer').boundingBox();
        const subject = await line.boundingBox();
        assert.ok(box !== null && subject !== null && box.y >= subject.y && box.y + 100 <= height);
      }
      assert.equal((await browser.current.sent()).length, sent);
      const overflow = await page.evaluate(() => {
        const report = document.querySelector('.report')!;
        return report.scrollWidth - report.clientWidth;
      });
      assert.ok(overflow <= 0, 'no sideways scrolling of the page');
    });
  }

  it('shows a manifest with a double click, in the other column', async () => {
    const page = await browser.show(report);
    await page.locator(checkout).dblclick();
    assert.deepEqual((await browser.current.sent()).at(-1), {
      type: 'reveal',
      origin: report.pods[samplePod('checkout-1')]!.origin,
    });
  });

  it('opens no file at a click in a table', async () => {
    const page = await browser.show(report);
    const sent = (await browser.current.sent()).length;
    for (const tab of ['Pods', 'Nodes', 'Victims', 'Pending']) {
      await page.getByRole('tab', { name: tab }).click();
      await page.locator('.main-panel .grid-body .grid-row').first().click();
      await page.locator('.drawer').waitFor();
    }
    assert.equal((await browser.current.sent()).length, sent);
  });

  it('goes back along links with Escape', async () => {
    const page = await browser.show(report);
    await page.locator(checkout).click();
    await page.locator('.drawer').getByRole('button', { name: 'node-b', exact: true }).first().click();
    await page.locator('.drawer').getByRole('heading', { name: 'node-b', exact: true }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('heading', { name: 'shop/checkout-1 — running' }).waitFor();
  });

  it('compares the candidates, marks the criterion that decided, and calls a tie a tie', async () => {
    const page = await browser.show(report);
    await page.locator(checkout).click();
    const candidates = page.getByRole('grid', { name: 'Candidates' });
    assert.equal(await candidates.locator('.grid-header .marked').textContent(), 'budgets violated');
    assert.match((await candidates.locator('.chosen').textContent()) ?? '', /^node-b/);
    // What comes after it was not asked, and there is room for the names of the victims.
    assert.equal(await candidates.getByRole('columnheader', { name: 'latest start' }).count(), 0);
    await page.setViewportSize({ width: 900, height: 900 });
    // The table is drawn anew when it gets less room, once it is told.
    await browser.current.settled();
    const victims = candidates.getByRole('columnheader', { name: 'victims' });
    assert.ok((await victims.evaluate((element) => element.getBoundingClientRect().width)) >= 170);
    assert.equal(await candidates.evaluate((element) => element.scrollWidth > element.clientWidth), false);
    await page.locator(`#after-3-${samplePod('thumb-8')}`).click();
    await page.getByText('A tie: 2 nodes share the best total').waitFor();
  });

  it('says in two phases why a pod is pending, with the message word for word', async () => {
    const page = await browser.show(report);
    await page.getByRole('tab', { name: 'Pending' }).click();
    await page.locator('.main-panel .grid-body .grid-row').first().click();
    await page.getByRole('heading', { name: 'What refuses it now' }).waitFor();
    await page
      .getByRole('heading', { name: 'What would still refuse it with every lower-priority pod gone' })
      .waitFor();
    assert.equal(await page.locator('.verbatim pre').textContent(), report.decisions[5]!.message);
    await page.locator('.help').getByText('600m cpu free on any node').waitFor();
    await page.getByRole('button', { name: 'Copy' }).click();
    assert.deepEqual((await browser.current.sent()).at(-1), { type: 'copy', text: report.decisions[5]!.message });
  });

  it('shows the verdict at once and asks for the rest when somebody looks, once', async () => {
    const page = await browser.show({ ...report, decisions: verdictsOf(report) });
    assert.deepEqual(
      (await browser.current.sent()).filter(({ type }) => type === 'explain'),
      [],
    );
    await page.locator(checkout).click();
    await page.getByText('Explaining…').waitFor();
    const asked = async () =>
      (await browser.current.sent()).flatMap((said) => (said.type === 'explain' ? [said.index] : []));
    const [index] = await asked();
    const decision = report.decisions[index!]!;
    await browser.current.send({ type: 'explained', index: index!, decision, failure: '' });
    await page.getByRole('grid', { name: 'Candidates' }).waitFor();
    await page.getByText(decision.why).waitFor();
    await page.locator(`#after-3-${samplePod('thumb-8')}`).click();
    await page.getByText('Explaining…').waitFor();
    const second = (await asked()).at(-1)!;
    await browser.current.send({
      type: 'explained',
      index: second,
      decision: null,
      failure: 'The run is not known any more.',
    });
    await page.getByText('The run is not known any more.').waitFor();
    await page.locator(checkout).click();
    await page.getByRole('grid', { name: 'Candidates' }).waitFor();
    assert.deepEqual(await asked(), [index, second]);
    await browser.current.send({ type: 'report', report: { ...report, decisions: verdictsOf(report) } });
    await page.getByText('Explaining…').waitFor();
    assert.deepEqual(await asked(), [index, second, index], 'of a new report it asks again');
  });

  it('shows of a victim the decision that evicts it', async () => {
    const page = await browser.show(report);
    await page.locator(`#before-1-${samplePod('train-1')}`).click();
    await page.getByRole('heading', { name: 'Why node-b — candidates for checkout-1' }).waitFor();
  });

  it('lists who could evict a running pod', async () => {
    const page = await browser.show(report);
    await page.getByRole('tab', { name: 'Pods' }).click();
    await page.getByRole('gridcell', { name: 'batch/train-3' }).click();
    await page.locator('.fact', { hasText: 'could be evicted by' }).getByText('Deployment shop/web').waitFor();
  });
});
