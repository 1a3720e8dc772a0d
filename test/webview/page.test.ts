import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import type { Report } from '../../server/src/contract/report.ts';
import { bigReport } from './big-report.ts';
import { type Harness, type OpenOptions, type OpenPage, startHarness } from './harness.ts';
import { sampleComparison, samplePod, sampleReport } from './sample-report.ts';
import { type ThemeName, themes } from './themes.ts';

const report = sampleReport();
const checkout = `#cell-1-${samplePod('checkout-1')}`;

describe('[ED-5] the report page in a browser', function () {
  this.timeout(60_000);
  let harness: Harness;
  let open: OpenPage;

  before(async () => {
    harness = await startHarness();
  });
  after(() => harness.close());

  afterEach(async () => {
    const { complaints } = open;
    await open.close();
    // No test may make the page write to the console, throw, or break its policy.
    assert.deepEqual(complaints, []);
  });

  async function show(shown: Report, options: OpenOptions = {}): Promise<Page> {
    open = await harness.open(options);
    await open.show(shown);
    return open.page;
  }

  /** What assistive technology is told to be at. */
  function activeName(page: Page): Promise<string | null> {
    return page.evaluate(() => {
      const id = document.activeElement?.getAttribute('aria-activedescendant');
      return id == null ? null : (document.getElementById(id)?.getAttribute('aria-label') ?? null);
    });
  }

  it('says that it is ready before it is told anything', async () => {
    open = await harness.open();
    assert.deepEqual(open.sent, [{ type: 'ready' }]);
    await open.page.getByText('Simulating…').waitFor();
  });

  it('drops messages that are not what they should be', async () => {
    const page = await show(report);
    await open.send({ type: 'report', report: { ...report, version: 9 } as unknown as Report });
    await open.send({ type: 'status', running: 'maybe' } as never);
    await open.send({ type: 'status', running: false, outdated: true, failure: '' });
    await page.getByText('Out of date').waitFor();
    assert.equal(await page.locator('.card').count(), 4);
  });

  it('answers first: the headline, its cause, the balance, and a line per workload and reason', async () => {
    const page = await show(report);
    assert.equal(await page.locator('h1').textContent(), report.answer.headline);
    assert.equal(await page.locator('.cause').textContent(), report.answer.cause);
    assert.deepEqual(await page.locator('.balance span').allTextContents(), report.answer.balanceText);
    for (const { lines } of report.answer.groups) {
      for (const { name, count } of lines) {
        assert.equal(await page.getByRole('button', { name: `${name} ${count}` }).count(), 1);
      }
    }
    const top = await page.locator('.answer').boundingBox();
    const map = await page.locator('.main-view').boundingBox();
    assert.ok(top !== null && map !== null && top.y + top.height <= map.y);
  });

  it('says in one line what it rests on, and lists it all on demand', async () => {
    const page = await show(report);
    const text = await page.locator('.rests-line').textContent();
    assert.match(text ?? '', /^Rests on 2 known, 1 bound/);
    assert.equal(await page.getByText('No snapshot says where they run').count(), 0);
    await page.getByRole('button', { name: `All ${report.assumptions.length}` }).click();
    await page.getByText('No snapshot says where they run').waitFor();
    await page.getByRole('button', { name: 'Close' }).click();
    await page.getByText('No snapshot says where they run').waitFor({ state: 'detached' });
  });

  it('walks the map with the arrow keys and reveals the manifest with Enter', async () => {
    const page = await show(report);
    await page.getByRole('grid', { name: 'Cluster map' }).focus();
    assert.match((await activeName(page)) ?? '', /^shop\/checkout-1, arrives on node-b/);
    await page.keyboard.press('ArrowUp');
    assert.match((await activeName(page)) ?? '', /^platform\/ingress-9kc/);
    await page.keyboard.press('Home');
    assert.match((await activeName(page)) ?? '', /^node node-b/);
    await page.keyboard.press('PageDown');
    assert.match((await activeName(page)) ?? '', /^node node-c/);
    await page.keyboard.press('Enter');
    assert.deepEqual(open.sent.at(-1), { type: 'reveal', origin: report.nodes[2]!.origin });
  });

  it('selects with a click, and shows a manifest only with Enter or a double click', async () => {
    const page = await show(report);
    const sent = open.sent.length;
    for (const tile of await page.locator('.tile').all()) await tile.click();
    for (const line of await page.locator('.answer-subject').all()) await line.click();
    assert.equal(open.sent.length, sent);
    await page.locator(`#cell-0-${samplePod('cache-0')}`).dblclick();
    await page.getByRole('heading', { name: 'shop/cache-0' }).waitFor();
    assert.deepEqual(open.sent.at(-1), { type: 'reveal', origin: report.pods[samplePod('cache-0')]!.origin });
  });

  it('filters with / and goes back with Escape', async () => {
    const page = await show(report);
    await page.getByRole('grid', { name: 'Cluster map' }).focus();
    await page.keyboard.press('/');
    await page.keyboard.type('db-0');
    await page.locator('.card').nth(1).waitFor({ state: 'detached' });
    assert.equal(await page.locator('.card').count(), 1);
    await page.keyboard.press('Escape');
    await page.locator('.card').nth(3).waitFor();
    assert.equal(await page.evaluate(() => document.activeElement?.className), 'map');
  });

  it('goes back along links with Escape', async () => {
    const page = await show(report);
    await page.locator('.area-facts').getByRole('button', { name: 'node-b', exact: true }).click();
    await page.getByRole('heading', { name: 'node-b', exact: true }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('heading', { name: 'shop/checkout-1 — running' }).waitFor();
  });

  it('steps through the simulation with the slider and the list', async () => {
    const page = await show(report);
    const slider = page.getByRole('slider', { name: 'Step' });
    await slider.focus();
    await page.keyboard.press('Home');
    assert.equal(await slider.getAttribute('aria-valuetext'), 'Step 0 of 7, 0 s: before the first step');
    await page.keyboard.press('ArrowRight');
    await page.locator(`${checkout}.look-nominated`).waitFor();
    await page.getByRole('tree', { name: 'Steps' }).focus();
    await page.keyboard.press('End');
    assert.match((await activeName(page)) ?? '', /^Step 7, 31 s: train-4 pending/);
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('ArrowRight');
    await page.getByRole('treeitem', { name: 'Step 6' }).and(page.locator('[aria-expanded="true"]')).waitFor();
    await page.getByRole('radio', { name: 'Before' }).click();
    assert.equal(await page.locator('.look-evicted.tile').count(), 0);
  });

  it('compares the candidates, marks the criterion that decided, and calls a tie a tie', async () => {
    const page = await show(report);
    const candidates = page.getByRole('grid', { name: 'Candidates' });
    assert.equal(await candidates.locator('.grid-header .marked').textContent(), 'budgets violated');
    assert.match((await candidates.locator('.chosen').textContent()) ?? '', /^node-b/);
    await page.locator(`#cell-3-${samplePod('thumb-8')}`).click();
    await page.getByText('A tie: 2 nodes share the best total').waitFor();
  });

  it('says in two phases why a pod is pending, with the message word for word', async () => {
    const page = await show(report);
    await page.locator(`#cell-none-${samplePod('train-4')}`).click();
    await page.getByRole('heading', { name: 'What refuses it now' }).waitFor();
    await page
      .getByRole('heading', { name: 'What would still refuse it with every lower-priority pod gone' })
      .waitFor();
    assert.equal(await page.locator('.verbatim pre').textContent(), report.decisions[5]!.message);
    await page.getByText('600m cpu free on any node').waitFor();
    await page.getByRole('button', { name: 'Copy' }).click();
    assert.deepEqual(open.sent.at(-1), { type: 'copy', text: report.decisions[5]!.message });
  });

  it('shows of a victim the decision that evicts it', async () => {
    const page = await show(report);
    await page.locator(`#cell-1-${samplePod('train-1')}`).click();
    await page.getByRole('heading', { name: 'Why node-b — candidates for checkout-1' }).waitFor();
  });

  it('says on which day a victim started when the days differ, and only then', async () => {
    const decisions = report.decisions.map((decision, index) => ({
      ...decision,
      candidates: decision.candidates.map((candidate, row) => ({
        ...candidate,
        latestStart: index === 0 && row === 0 ? '2025-10-30T11:12:13Z' : candidate.latestStart,
      })),
    }));
    const page = await show({ ...report, decisions });
    const cell = page.getByRole('gridcell', { name: '2025-10-30 11:12:13' });
    assert.equal(await cell.evaluate((element) => element.scrollWidth > element.clientWidth), false);
  });

  it('lists who could evict a running pod', async () => {
    const page = await show(report);
    await page.locator(`#cell-2-${samplePod('train-3')}`).click();
    await page.locator('.fact', { hasText: 'could be evicted by' }).getByText('Deployment shop/web').waitFor();
  });

  it('says so where there is nothing to show', async () => {
    const nothing = {
      ladder: [],
      workloads: [],
      nodes: [],
      pods: [],
      steps: [],
      decisions: [],
      victims: [],
      pending: [],
    };
    const page = await show({ ...report, ...nothing });
    // A text that is cut off by what it stands in is not seen.
    const seen = page.getByText('There are no nodes.');
    assert.ok(
      await seen.evaluate((text) => {
        const { left, top, height } = text.getBoundingClientRect();
        return text.contains(document.elementFromPoint(left + 10, top + height / 2));
      }),
    );
    await page.getByText('There was nothing to decide.').waitFor();
    await page.getByRole('tab', { name: 'Pods' }).click();
    await page.getByText('There are no pods.').waitFor();
    await page.getByRole('tab', { name: 'Victims' }).click();
    await page.getByText('Nothing is evicted.').waitFor();
  });

  it('has room for the highest priority there is', async () => {
    const pods = report.pods.map((pod) => ({ ...pod, priority: 2_000_001_000 }));
    const page = await show({ ...report, pods });
    await page.getByRole('tab', { name: 'Pods' }).click();
    const cut = await page
      .getByRole('gridcell', { name: '2,000,001,000' })
      .evaluateAll((cells) => cells.filter((cell) => cell.scrollWidth > cell.clientWidth).length);
    assert.equal(cut, 0);
  });

  it('sorts and walks the tables', async () => {
    const page = await show(report);
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
    assert.equal(open.sent.at(-1)?.type, 'reveal');
  });

  it('tells what a change does, and leads to the pods that it concerns', async () => {
    const page = await show({
      ...report,
      scenario: { kind: 'change', since: 'git HEAD' },
      comparison: sampleComparison(),
    });
    const comparison = page.locator('details.comparison');
    assert.equal(
      await comparison.locator('summary').textContent(),
      'Compared with git HEAD: 1 more pod is evicted; 1 pod is not there any more.',
    );
    assert.deepEqual(await comparison.locator('li').allTextContents(), [
      'priority changedDeployment shop/checkout1,000 → 100,000',
      'newly evictedbatch/train-1runs on node-b → evicted from node-b for shop/checkout-1',
      'removedshop/<b>old</b>stays pending → not there any more',
    ]);
    await comparison.getByRole('button', { name: 'batch/train-1' }).click();
    await page.getByRole('heading', { name: 'train-1' }).waitFor();
    // Nothing to open where every pod fares as before.
    const same = { ...sampleComparison(), priorities: [], pods: [] };
    await open.show({ ...report, comparison: same });
    await page.locator('p.comparison').waitFor();
    assert.equal(await page.locator('details.comparison').count(), 0);
  });

  it('keeps names and messages text', async () => {
    const markup = '<img src=x onerror="document.title=\'owned\'"><b>bold</b>';
    const hostile: Report = {
      ...report,
      answer: { ...report.answer, headline: markup, cause: markup },
      assumptions: [{ mark: '?', text: markup, detail: markup }],
      workloads: report.workloads.map((workload) => ({ ...workload, name: markup })),
      nodes: report.nodes.map((node, index) => ({
        ...node,
        name: `${markup}${index}`,
        zone: markup,
        taints: [markup],
      })),
      pods: report.pods.map((pod, index) => ({ ...pod, name: `${markup}${index}`, className: markup })),
      decisions: report.decisions.map((decision) => ({
        ...decision,
        message: markup,
        why: markup,
        wouldHelp: [markup],
      })),
      steps: report.steps.map((step) => ({ ...step, note: markup })),
    };
    const page = await show(hostile);
    for (const tab of ['Pods', 'Nodes', 'Victims', 'Pending', 'Map']) {
      await page.getByRole('tab', { name: tab }).click();
      assert.equal(await page.locator('img, #report b').count(), 0);
    }
    assert.equal(await page.locator('h1').textContent(), markup);
    assert.equal(await page.title(), 'Simulation');
    await page.getByRole('button', { name: 'Export as SVG' }).click();
    const exported = open.sent.at(-1);
    assert.ok(exported?.type === 'exportMap');
    const images = await page.evaluate((svg) => {
      const parsed = new DOMParser().parseFromString(svg, 'image/svg+xml');
      return parsed.querySelectorAll('img, parsererror').length;
    }, exported.svg);
    assert.equal(images, 0);
  });

  it('asks the panel for the exports and for another run', async () => {
    const page = await show(report);
    await page.getByRole('button', { name: 'Export as JSON' }).click();
    await page.getByRole('button', { name: 'Export as Markdown' }).click();
    await page.getByRole('button', { name: 'Run again' }).click();
    assert.deepEqual(open.sent.slice(1), [
      { type: 'export', format: 'json' },
      { type: 'export', format: 'markdown' },
      { type: 'runAgain' },
    ]);
  });

  it('keeps focus, selection, step and scroll when a new report arrives', async () => {
    const page = await show(bigReport(100, 1000));
    await page.getByRole('grid', { name: 'Cluster map' }).focus();
    for (let press = 0; press < 12; press++) {
      await page.keyboard.press('PageDown');
    }
    const before = await activeName(page);
    const scrolled = await page.locator('.map-area').evaluate((area) => area.scrollTop);
    assert.ok(scrolled > 0);
    await open.send({ type: 'status', running: true, outdated: false, failure: '' });
    await open.send({
      type: 'report',
      report: { ...bigReport(100, 1000), answer: { ...bigReport(100, 1000).answer, headline: 'again' } },
    });
    await page.getByRole('heading', { name: 'again' }).waitFor();
    assert.equal(await activeName(page), before);
    assert.equal(await page.locator('.map-area').evaluate((area) => area.scrollTop), scrolled);
  });

  it('comes back as it was after a reload', async () => {
    let page = await show(bigReport(100, 1000));
    await page.getByRole('grid', { name: 'Cluster map' }).focus();
    for (let press = 0; press < 12; press++) {
      await page.keyboard.press('PageDown');
    }
    await page.getByRole('slider', { name: 'Step' }).fill('3');
    const scrolled = await page.locator('.map-area').evaluate((area) => area.scrollTop);
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
    const state = open.state();
    const selected = await page.locator('.facts-title').textContent();
    await open.close();
    page = await show(bigReport(100, 1000), { state });
    assert.match(
      (await page.getByRole('slider', { name: 'Step' }).getAttribute('aria-valuetext')) ?? '',
      /^Step 3 of 20/,
    );
    assert.equal(await page.locator('.facts-title').textContent(), selected);
    await page.waitForSelector('.card');
    assert.equal(await page.locator('.map-area').evaluate((area) => area.scrollTop), scrolled);
  });

  it('ignores kept state that is not its own', async () => {
    const page = await show(report, { state: { view: 7, scenario: null } });
    assert.equal(await page.locator('.card').count(), 4);
  });

  it('does not take the focus when it opens', async () => {
    const page = await show(report);
    assert.equal(await page.evaluate(() => document.activeElement === document.body), true);
  });

  it('draws only what is near in a large cluster, and a zone on demand', async () => {
    const page = await show(bigReport(1000, 4000));
    assert.ok((await page.locator('.card').count()) < 60);
    await page.getByRole('button', { name: 'Show all 334' }).click();
    await page.getByRole('button', { name: 'Only nodes with changes' }).waitFor();
    assert.ok((await page.locator('.card').count()) < 80);
    await page.getByRole('tab', { name: 'Pods' }).click();
    assert.ok((await page.locator('.grid-row').count()) < 120);
    await page.getByRole('grid', { name: 'Pods' }).focus();
    await page.keyboard.press('End');
    await page.locator('.grid-row[aria-selected="true"]').waitFor();
  });

  it('paints first what is seen, then what is near', async () => {
    open = await harness.open();
    const { page } = open;
    await page.evaluate(() => {
      const held: FrameRequestCallback[] = [];
      const request = window.requestAnimationFrame.bind(window);
      window.requestAnimationFrame = (callback) => held.push(callback);
      addEventListener('letFramesGo', () => {
        window.requestAnimationFrame = request;
        for (const callback of held) {
          requestAnimationFrame(callback);
        }
      });
    });
    await open.show(bigReport(100, 1000));
    await page.locator('.card').first().waitFor();
    const below = await page.evaluate(() => {
      const { bottom } = document.querySelector('.map-area')!.getBoundingClientRect();
      return [...document.querySelectorAll('.card')].filter((card) => card.getBoundingClientRect().top > bottom).length;
    });
    assert.equal(below, 0);
    const drawn = await page.locator('.card').count();
    await page.evaluate(() => dispatchEvent(new Event('letFramesGo')));
    await page.locator('.card').nth(drawn).waitFor({ state: 'attached' });
  });

  it('shows the steps beside the map when there is room, else as a tab', async () => {
    let page = await show(report);
    assert.equal(await page.getByRole('tab', { name: 'Steps' }).count(), 0);
    await open.close();
    page = await show(report, { width: 700 });
    await page.getByRole('tab', { name: 'Steps' }).click();
    await page.getByRole('tree', { name: 'Steps' }).waitFor();
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    assert.ok(overflow <= 0, 'no sideways scrolling of the page');
  });

  it('scrolls as a whole when it is narrow, and comes back where it was', async () => {
    const options = { width: 400, height: 900 };
    let page = await show(report, options);
    const map = await page.locator('.map-area').boundingBox();
    assert.ok(map !== null && map.height > 400, `a map of ${map?.height ?? 0} px`);
    await page.locator('.report').evaluate((element) => {
      element.scrollTop = 300;
    });
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
    const state = open.state();
    await open.close();
    page = await show(report, { ...options, state });
    await page.waitForFunction(() => document.querySelector('.report')?.scrollTop === 300);
  });

  it('writes nothing over anything in the summary of a zone, however narrow', async () => {
    for (const width of [400, 1000, 1600]) {
      const page = await show(bigReport(300, 600), { width });
      await page.locator('.zone-bars').first().waitFor();
      const overlaps = await page.evaluate(() => {
        const zone = document.querySelector('.zone-bars')!.closest('.zone')!;
        const boxes = [...zone.querySelectorAll('.usage-label, .usage-track, .usage-figure, .zone-changes, .card')]
          .filter((element) => element.closest('.card') === null || element.matches('.card'))
          .map((element) => element.getBoundingClientRect());
        return boxes.filter((one, index) =>
          boxes.some(
            (other, at) =>
              at > index &&
              Math.min(one.right, other.right) - Math.max(one.left, other.left) > 1 &&
              Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top) > 3,
          ),
        ).length;
      });
      assert.equal(overlaps, 0, `at ${width} px`);
      if (width < 1600) {
        await open.close();
      }
    }
  });

  it('keeps the colours of the ladder when the system forces its own', async () => {
    const page = await show(report, { theme: 'hc-black' });
    const colours = (): Promise<readonly string[]> =>
      page.evaluate(() =>
        ['.tile.look-running', '.swatch', '.usage-fill'].map(
          (part) => getComputedStyle(document.querySelector(part)!).backgroundColor,
        ),
      );
    const own = await colours();
    await page.emulateMedia({ forcedColors: 'active' });
    assert.deepEqual(await colours(), own);
  });

  it('moves nothing when motion is to be reduced', async () => {
    const page = await show(report, { reducedMotion: true });
    const durations = await page
      .locator('.usage-fill')
      .first()
      .evaluate((bar) => getComputedStyle(bar).transitionDuration);
    assert.equal(durations, '0s');
  });

  for (const theme of Object.keys(themes) as ThemeName[]) {
    it(`gives everything a name and shows the focus (${theme})`, async () => {
      const page = await show(report, { theme });
      await page.locator('vscode-textfield:defined').waitFor();
      const nameless = await page.evaluate(() => {
        const controls = document.querySelectorAll(
          'button, vscode-button, input, [role="grid"], [role="row"], .tile, [role="treeitem"], [role="tab"], [role="radio"]',
        );
        return [...controls]
          .filter((control) => control.getAttribute('aria-label') === null && control.textContent.trim() === '')
          .map((control) => control.outerHTML);
      });
      assert.deepEqual(nameless, []);
      // Every stop of the Tab key has an outline, or as a field of the library the border of the focus.
      const unseen: string[] = [];
      for (let stop = 0; stop < 40; stop++) {
        await page.keyboard.press('Tab');
        const { name, outlined, border } = await page.evaluate(() => {
          const active = document.activeElement;
          const within = active?.getAttribute('aria-activedescendant') ?? null;
          const shown = (within === null ? active : document.getElementById(within)) ?? document.body;
          const inner = shown.shadowRoot?.querySelector('.root, .base') ?? shown;
          const { outlineStyle, outlineWidth, borderTopColor } = getComputedStyle(inner);
          return {
            name: shown === document.body ? '' : shown.outerHTML.slice(0, 120),
            outlined: outlineStyle !== 'none' && outlineWidth !== '0px',
            border: borderTopColor,
          };
        });
        if (name !== '' && !outlined && border !== rgb(themes[theme]['focusBorder'] ?? '')) {
          unseen.push(name);
        }
      }
      assert.deepEqual(unseen, []);
    });
  }
});

/** `#0078d4` as a computed style says it. */
function rgb(hex: string): string {
  const value = Number.parseInt(hex.slice(1), 16);
  return `rgb(${value >> 16}, ${(value >> 8) & 255}, ${value & 255})`;
}
