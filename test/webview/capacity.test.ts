import assert from 'node:assert/strict';
import type { Capacity } from '../../server/src/report-model/capacity.ts';
import { violations } from './axe.ts';
import { pages } from './pages.ts';
import { samplePod, sampleReport } from './sample-report.ts';
import { type ThemeName, themes } from './themes.ts';

const report = sampleReport();
const sizes = { count: 0, isExact: true };

function row(workload: number, more: Partial<Capacity> = {}): Capacity {
  return {
    workload,
    refusal: '',
    free: sizes,
    withinBudgets: { count: 2, isExact: true },
    evicting: { count: 200, isExact: false },
    nodes: [],
    moreNodes: 0,
    runsOut: 'cpu',
    message: '0/4 nodes are available: 4 Insufficient cpu.',
    evicts: null,
    gates: [],
    sharesClaims: false,
    ...more,
  };
}

describe('[ED-5] how much room is left, on the page', function () {
  const browser = pages();

  it('shows what is free in each zone and leads to the node with most of it', async () => {
    const page = await browser.show(report);
    await page.getByRole('tab', { name: 'Capacity' }).click();
    const rooms = page.getByRole('region', { name: 'Room that is left' });
    assert.equal(await rooms.locator('dt').count(), new Set(report.nodes.map(({ zone }) => zone)).size);
    assert.match((await rooms.locator('dd').first().textContent()) ?? '', /free at most .* on \S+$/);
    const node = await rooms.getByRole('button').first().textContent();
    await rooms.getByRole('button').first().click();
    await page
      .locator('.drawer')
      .getByRole('heading', { name: node ?? '' })
      .first()
      .waitFor();
  });

  it('counts the devices of each class, and lists those of a node with what has them', async () => {
    const device = {
      driver: 'gpu.example.com',
      pool: 'a',
      classes: ['gpu'],
      has: ['memory 80Gi'],
      before: [],
      left: [],
      isCut: false,
    };
    const devices = [
      { ...device, node: 0, name: 'gpu-0', after: [], pods: [] },
      { ...device, node: 0, name: 'gpu-1', after: ['shop/c'], pods: [samplePod('checkout-1')] },
    ];
    const page = await browser.show({ ...report, devices });
    await page.getByRole('tab', { name: 'Capacity' }).click();
    const rooms = page.getByRole('region', { name: 'Room that is left' });
    const classRow = rooms.locator('dd', { hasText: '1 gpu' });
    await classRow.getByRole('button').click();
    const facts = page.locator('.drawer .fact', { hasText: 'devices' });
    await facts.getByText('1 of 2 devices free at the end').waitFor();
    assert.deepEqual(await facts.locator('li').allTextContents(), [
      'gpu-0: free · memory 80Gi',
      'gpu-1: checkout-1 (claim shop/c) · memory 80Gi',
    ]);
  });

  it('asks for a few workloads at a time, says what it is told, and asks again of another report', async () => {
    const page = await browser.show(report);
    const asked = async () =>
      (await browser.current.sent()).flatMap((said) => (said.type === 'capacity' ? [said.workloads] : []));
    assert.deepEqual(await asked(), [], 'nobody has looked');
    await page.getByRole('tab', { name: 'Capacity' }).click();
    await browser.current.said('capacity');
    const [first] = await asked();
    assert.ok(first!.length > 0 && first!.length <= 4);
    const [told, ...others] = first!;
    const rows = [
      row(told!, { evicts: { node: 0, victims: ['shop/thumb-1'], moreVictims: 3, brokenBudgets: ['shop/web'] } }),
    ];
    await browser.current.send({
      type: 'capacity',
      workloads: first!,
      rows,
      failure: others.length === 0 ? '' : 'It is gone.',
    });
    const grid = page.getByRole('grid', { name: 'How many more replicas fit' });
    const evicts = `evicts shop/thumb-1 and 3 more on ${report.nodes[0]!.name}, breaks shop/web`;
    await grid.getByText(evicts).waitFor();
    assert.deepEqual(
      (await grid.locator('[role=row]', { hasText: evicts }).locator('[role=gridcell]').allTextContents()).slice(1, 5),
      ['0', '2', '≥ 200', 'cpu'],
    );
    const seen = new Set((await asked()).flat());
    assert.equal(seen.size, (await asked()).flat().length, 'each once');
    await browser.current.send({ type: 'report', report: sampleReport() });
    await browser.current.settled();
    assert.equal((await asked()).filter((workloads) => workloads.includes(told!)).length, 2);
  });

  it('tells in the drawer where they would go, and how the next one is answered', async () => {
    const page = await browser.show(report);
    await page.getByRole('tab', { name: 'Capacity' }).click();
    const workload = report.pods[samplePod('checkout-1')]!.workload!;
    const rows = [row(workload, { nodes: [{ node: 0, count: 3 }], moreNodes: 2, gates: ['held'], sharesClaims: true })];
    await browser.current.send({ type: 'capacity', workloads: [workload], rows, failure: '' });
    await page.getByRole('row', { name: /Insufficient cpu/ }).click();
    const fact = page.locator('.drawer .fact', { hasText: 'more of it fit' });
    assert.equal(
      await fact.locator('dd').textContent(),
      `0 evicting nobody, 2 within budgets, ≥ 200 breaking them · 3 on ${report.nodes[0]!.name}, the others on 2 more nodes` +
        ' · without its scheduling gates · if they shared the claims of the first',
    );
    await page.locator('.drawer').getByText('0/4 nodes are available: 4 Insufficient cpu.').waitFor();
    // The keys of the table walk it, and Escape closes the drawer.
    await page.keyboard.press('Escape');
    await page.locator('.drawer').waitFor({ state: 'detached' });
  });

  for (const width of [420, 900]) {
    it(`has room for all columns, which are scrolled where they are wider than ${width} px`, async () => {
      const page = await browser.show(report, { width });
      for (const tab of ['Capacity', 'Pods', 'Nodes', 'Victims', 'Pending']) {
        await page.getByRole('tab', { name: tab }).click();
        await browser.current.settled();
        const area = page.locator('.main-panel .grid-area');
        const last = page.locator('.main-panel [role=columnheader]').last();
        await last.scrollIntoViewIfNeeded();
        const [cell, around] = [await last.boundingBox(), await area.boundingBox()];
        assert.ok(cell!.x + cell!.width <= around!.x + around!.width + 1, `${tab}: the last column is cut`);
        assert.ok(cell!.x >= around!.x, `${tab}: the last column is out of sight`);
      }
    });
  }

  it('has its keys, a name for everything and colours that can be read', async () => {
    for (const theme of Object.keys(themes) as ThemeName[]) {
      const page = await browser.show(report, { theme });
      await page.getByRole('tab', { name: 'Map' }).focus();
      for (let press = 0; press < 5; press++) await page.keyboard.press('ArrowRight');
      await page.getByRole('tab', { name: 'Capacity', selected: true }).waitFor();
      const workloads = report.workloads.map((_, index) => index);
      await browser.current.send({
        type: 'capacity',
        workloads,
        rows: workloads.map((index) => row(index)),
        failure: '',
      });
      await page.getByRole('grid', { name: 'How many more replicas fit' }).focus();
      await page.keyboard.press('ArrowDown');
      await page.locator('.drawer').waitFor();
      assert.deepEqual(await violations(page), []);
    }
  });
});
