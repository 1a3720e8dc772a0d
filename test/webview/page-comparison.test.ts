import assert from 'node:assert/strict';
import { violations } from './axe.ts';
import { pages } from './pages.ts';
import { sampleComparison, sampleReport } from './sample-report.ts';

const report = sampleReport();

describe('[ED-5] comparisons on the report page', function () {
  const browser = pages();

  it('tells what a change does, and leads to the pods that it concerns', async () => {
    const page = await browser.show({
      ...report,
      scenario: { kind: 'change', since: 'git HEAD' },
      comparison: sampleComparison(),
    });
    const comparison = page.locator('.comparison');
    assert.equal(await page.locator('.outcome').textContent(), 'After it: 4 evicted (+1), 1 pending (=).');
    // The answer that has no other run beside it is folded.
    const whole = page.locator('details.whole');
    assert.equal(await whole.locator('summary').textContent(), 'All in all: checkout evicts train.');
    assert.ok(!(await page.locator('.answer-line').first().isVisible()));
    const chain = comparison.getByRole('region', { name: 'Cause and effect' });
    assert.deepEqual(await chain.locator('li').allTextContents(), [
      'PriorityClass checkout-high value 1000 → 100000 classes.yaml:5',
      ' checkout has priority 100000 instead of 1000',
      '30 s <b>checkout-1</b> evicts train-1 on node-b',
    ]);
    assert.deepEqual(
      await comparison.getByRole('region', { name: 'Workloads that change' }).locator('tbody tr').allTextContents(),
      ['− train, worse1 of 10 of 1, down, 1 evicted, 1 pendingcheckout-high'],
    );
    assert.deepEqual(await violations(page), []);
    await comparison.getByText('Pod by pod · 2').click();
    assert.deepEqual(await comparison.locator('.plan-pods li').allTextContents(), [
      'newly evictedbatch/train-1runs on node-b → evicted from node-b for shop/checkout-1',
      'removedshop/<b>old</b>stays pending → not there any more',
    ]);
    await comparison.getByRole('button', { name: 'batch/train-1' }).click();
    await page.getByRole('heading', { name: 'train-1' }).waitFor();
    const { plan, ...changed } = sampleComparison();
    // What happens to the cluster in motion is a reason as well as what is written.
    const drain = { ...plan.chain[0]!, by: [], clock: 60, kind: 'event', text: 'drain node-a' } as const;
    const effects = plan.effects.map((effect) => ({ ...effect, by: ['k1'] }));
    const happened = { ...changed, causes: [], plan: { ...plan, chain: [drain], effects, story: null } };
    await browser.current.show({ ...report, comparison: happened });
    await comparison.locator('.link-event', { hasText: '60 s drain node-a' }).waitFor();
    const [row] = await comparison.getByRole('region', { name: 'Workloads that change' }).locator('tbody tr').all();
    assert.equal(await row?.locator('td').last().textContent(), 'drain node-a');
    // Nothing to open where every pod fares as before.
    const same = { ...changed, causes: [], priorities: [], pods: [], plan: { ...plan, chain: [], effects: [] } };
    await browser.current.show({ ...report, comparison: same });
    await comparison.waitFor({ state: 'detached' });
  });

  it('[#35] scrolls in one place: nothing is behind the end of the report', async () => {
    const comparison = sampleComparison();
    const page = await browser.show({ ...report, comparison }, { width: 420, height: 300 });
    await page.locator('.comparison').waitFor();
    const tooLong = await page.evaluate(() => document.documentElement.scrollHeight - innerHeight);
    assert.ok(tooLong <= 0, `the page is ${tooLong} px longer than its window`);
  });

  it('[#35] shows a dozen workloads of many, and all when asked, so that what is evicted and blocked is in sight', async () => {
    const comparison = sampleComparison();
    const [effect] = comparison.plan.effects;
    const effects = Array.from({ length: 40 }, (_, index) => ({ ...effect!, workload: `Deployment/shop/w${index}` }));
    const page = await browser.show({
      ...report,
      comparison: { ...comparison, plan: { ...comparison.plan, effects } },
    });
    const region = page.getByRole('region', { name: 'Workloads that change' });
    assert.equal(await region.locator('tbody tr').count(), 14);
    await region.getByRole('button', { name: '26 more' }).click();
    assert.equal(await region.locator('tbody tr').count(), 40);
    await region.getByRole('button', { name: 'Show fewer' }).click();
    assert.equal(await region.locator('tbody tr').count(), 14);
  });

  it('[#35] lists what is not seen behind the change, and before an answer without one', async () => {
    const lacking = { mark: '!', text: '2 charts are not rendered', detail: '' } as const;
    const unseen = { ...report, assumptions: [...report.assumptions, lacking] };
    const isBehind = async (selector: string): Promise<boolean> =>
      page.locator('.missing').evaluate((missing, other) => {
        const place = document.querySelector(other)!.compareDocumentPosition(missing);
        return (place & Node.DOCUMENT_POSITION_FOLLOWING) !== 0;
      }, selector);
    const scenario = { kind: 'change', since: 'git HEAD' } as const;
    const page = await browser.show({ ...unseen, scenario, comparison: sampleComparison() });
    assert.equal(await isBehind('.comparison'), true);
    await browser.current.show(unseen);
    await page.locator('.comparison').waitFor({ state: 'detached' });
    assert.equal(await isBehind('.answer-line'), false);
  });

  for (const [width, beside] of [
    [1600, true],
    [900, false],
  ] as const) {
    it(`draws what a change makes nodes and workloads go through otherwise, at ${width} px`, async () => {
      await browser.open({ width, theme: width === 900 ? 'hc-light' : 'light' });
      await browser.current.show({ ...report, comparison: sampleComparison() });
      const { page } = browser.current;
      await page.getByRole('tab', { name: 'Timelines' }).click();
      const lanes = page.getByRole('region', { name: 'Timelines side by side' });
      assert.equal(await lanes.getByRole('heading').innerText(), 'node-b');
      const stages = lanes.locator('.maps-stage');
      assert.match(await stages.first().innerText(), /nothing happens/);
      assert.equal(
        await lanes.getByRole('img').getAttribute('aria-label'),
        'now; node-b; − train-1, evicted, in its grace period, from 0 s to 30 s; ○ <b>checkout-1</b>, pending, from 0 s to 30 s; + <b>checkout-1</b>, runs, from 30 s to 60 s',
      );
      assert.match(await stages.last().innerText(), /and 2 more pods/);
      const [was, is] = [await stages.first().boundingBox(), await stages.last().boundingBox()];
      assert.equal(was!.y === is!.y, beside);
      assert.deepEqual(await violations(page), []);
      await page.keyboard.press('l');
      assert.equal(await lanes.getByRole('heading').innerText(), 'train');
    });
  }

  for (const [width, beside] of [
    [1600, true],
    [900, false],
    [420, false],
  ] as const) {
    it(`draws the nodes that a change makes end otherwise at both stages, at ${width} px`, async () => {
      const comparison = sampleComparison();
      await browser.open({ width, theme: width === 420 ? 'hc-light' : 'light' });
      await browser.current.show({ ...sampleReport(), scenario: { kind: 'change', since: 'git HEAD' }, comparison });
      const { page } = browser.current;
      await page.getByRole('tab', { name: 'Maps 2' }).waitFor();
      const maps = page.getByRole('region', { name: 'Maps side by side' });
      const [before, after] = [
        maps.getByRole('img', { name: 'git HEAD, node-b, no pod is evicted, cpu 3 of 4' }),
        maps.getByRole('img', { name: 'now, node-b, evicted: train ×2, new: checkout-1, cpu 3.6 of 4' }),
      ];
      await before.waitFor();
      const [left, right] = [(await before.boundingBox())!, (await after.boundingBox())!];
      assert.equal(left.x + left.width <= right.x && left.y === right.y, beside);
      assert.equal(left.x === right.x && left.y + left.height <= right.y, !beside);
      // On one scale.
      assert.equal(Math.round(left.width), Math.round(right.width));
      await maps.getByText('not there', { exact: true }).waitFor();
      await maps.getByText('− train ×2').waitFor();
      await maps.getByText('3 nodes the same at all stages').waitFor();
      assert.equal(await maps.locator('i').count(), 0);
      if (width === 420) {
        await maps.getByRole('button', { name: 'now' }).click();
        await before.waitFor({ state: 'detached' });
        await after.waitFor();
        await maps.getByRole('button', { name: 'All' }).click();
        await before.waitFor();
      } else {
        assert.equal(await maps.getByRole('group', { name: 'Stage' }).count(), 0);
      }
      assert.equal(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), true);
      assert.deepEqual(await violations(page), []);
    });
  }

  it('[#35] reads names of workloads whole in a narrow page', async () => {
    const comparison = sampleComparison();
    const [effect] = comparison.plan.effects;
    const names = ['recommender-training', 'export-audit-trail-of-the-warehouse-of-europe'];
    const effects = names.map((name) => ({ ...effect!, name }));
    const page = await browser.show(
      { ...report, comparison: { ...comparison, plan: { ...comparison.plan, effects } } },
      { width: 420 },
    );
    const cells = page.locator('.plan-effects tbody th');
    const isCut = (cell: Element): boolean => cell.scrollWidth > cell.clientWidth;
    for (const [index, name] of names.entries()) {
      const cell = cells.nth(index);
      assert.ok((await cell.innerText()).includes(name));
      assert.equal(await cell.evaluate(isCut), false);
    }
    const tops = await cells
      .first()
      .locator('.unbroken')
      .evaluate((span) => [...span.getClientRects()].map(({ y }) => Math.round(y)));
    assert.equal(new Set(tops).size, 1);
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), true);
  });

  it('has whole words to compare with beside an editor too', async () => {
    const widths: (number | undefined)[] = [];
    for (const width of [900, 560]) {
      const page = await browser.show(report, { width });
      widths.push((await page.getByRole('combobox', { name: 'Compare with…' }).boundingBox())?.width);
      if (width === 900) await browser.current.close();
    }
    assert.ok(widths[0]! > 0);
    assert.equal(widths[1], widths[0]);
  });

  it('asks for another comparison, with the run before where there is one', async () => {
    const page = await browser.show(sampleReport());
    const compare = page.getByRole('combobox', { name: 'Compare with…' });
    await compare.selectOption('commit');
    assert.deepEqual((await browser.current.sent()).at(-1), { type: 'compare', with: 'commit' });
    const previous = compare.locator('option[value=previous]');
    assert.equal(await previous.isDisabled(), true);
    const status = { type: 'status', running: false, outdated: false, failure: '' } as const;
    await browser.current.send({ ...status, previous: true });
    await compare.selectOption('previous');
    assert.deepEqual((await browser.current.sent()).at(-1), { type: 'compare', with: 'previous' });
    await browser.current.send({
      ...status,
      previous: true,
      against: { with: 'previous', name: '', against: { kind: 'previous' } },
    });
    assert.equal(await compare.inputValue(), 'previous');
    assert.equal(await previous.textContent(), 'Compared with the previous run');
  });

  it('asks for a branch, a commit, a saved report and a kept scenario, and says what was chosen', async () => {
    const page = await browser.show(sampleReport());
    const compare = page.getByRole('combobox', { name: 'Compare with…' });
    for (const name of ['branch', 'any-commit', 'report', 'kept']) {
      await compare.selectOption(name);
      assert.deepEqual((await browser.current.sent()).at(-1), { type: 'compare', with: name });
      // Until the editor has asked which, nothing else is compared with.
      assert.equal(await compare.inputValue(), 'nothing');
    }
    const status = { type: 'status', running: false, outdated: false, failure: '' } as const;
    await browser.current.send({
      ...status,
      against: { with: 'report', name: '<b>monday</b>.json', against: { kind: 'file', uri: 'file:///monday.json' } },
    });
    const chosen = compare.locator('option[value=other]');
    assert.equal(await chosen.textContent(), 'Compared with <b>monday</b>.json');
    assert.equal(await compare.inputValue(), 'other');
    await compare.selectOption('nothing');
    assert.deepEqual((await browser.current.sent()).at(-1), { type: 'compare', with: 'nothing' });
    await browser.current.show({
      ...sampleReport(),
      scenario: { kind: 'change', since: 'git release/1.2' },
      comparison: sampleComparison(),
    });
    assert.equal(await chosen.textContent(), 'Compared with git release/1.2');
    assert.deepEqual(await violations(page), []);
  });
});
