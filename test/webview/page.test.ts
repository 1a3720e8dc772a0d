import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { PNG } from 'pngjs';
import type { PageMessage } from '../../client/src/report/messages.ts';
import type { Report } from '../../server/src/contract/report.ts';
import { podium } from '../unit/cli/run-podium.ts';
import { violations } from './axe.ts';
import { inParts } from '../../server/src/contract/report-parts.ts';
import { bigReport } from './big-report.ts';
import type { OpenOptions, OpenPage } from './harness.ts';
import { pages } from './pages.ts';
import { hostileReport, sampleComparison, samplePod, sampleReport, verdictsOf } from './sample-report.ts';
import { type ThemeName, themes } from './themes.ts';

const report = sampleReport();
const checkout = `#after-1-${samplePod('checkout-1')}`;

describe('[ED-5] the report page in a browser', function () {
  const browser = pages();
  let open: OpenPage;

  async function show(shown: Report, options: OpenOptions = {}): Promise<Page> {
    open = await browser.show(shown, options);
    return open.page;
  }

  /** What assistive technology is told to be at. */
  async function activeName(page: Page): Promise<string | null> {
    await open.settled();
    return page.evaluate(() => {
      const id = document.activeElement?.getAttribute('aria-activedescendant');
      const active = id == null ? document.activeElement : document.getElementById(id);
      return (
        active?.getAttribute('aria-label') ??
        active?.querySelector('.spoken')?.textContent ??
        (active instanceof HTMLElement ? active.innerText : null)
      );
    });
  }

  it('says that it is ready before it is told anything', async () => {
    open = await browser.open();
    assert.deepEqual(await open.sent(), [{ type: 'ready' }]);
    await open.page.getByText('Simulating…').waitFor();
  });

  it('drops messages that are not what they should be', async () => {
    const page = await show(report);
    await open.send({ type: 'report', report: { ...report, version: 9 } as unknown as Report });
    await open.send({ type: 'status', running: 'maybe' } as never);
    await open.send({ type: 'status', running: false, outdated: true, failure: '' });
    await page.getByText('Out of date:').waitFor();
    assert.equal(await page.locator('.card').count(), 2);
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

  it('tells in the headline who wins, who loses and what waits apart, and says how current it is', async () => {
    const page = await show(sampleReport());
    const tones = (tone: string): Promise<string[]> => page.locator(`h1 .tone-${tone}`).allTextContents();
    assert.deepEqual(await tones('gain'), ['checkout']);
    const bad = await tones('bad');
    assert.ok(bad.includes('train') && bad.some((text) => /^\d budgets?$/.test(text)), bad.join());
    assert.match((await tones('warning')).join(), /^\d pods?$/);
    await page.locator('.scenario').getByText('· up to date').waitFor();
    await page
      .locator('.scenario')
      .getByText(/· 4 nodes, \d+ pods/)
      .waitFor();
    await open.send({ type: 'status', running: false, outdated: true, failure: '' });
    await page.locator('.scenario').getByText('· out of date').waitFor();
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

  it('offers to take a snapshot again that can be', async () => {
    const page = await show(report);
    const refresh = page.getByRole('button', { name: 'Refresh the snapshot' });
    assert.equal(await refresh.count(), 0);
    await open.show({ ...report, snapshot: { context: 'prod', takenAt: '2026-01-01T00:00:00.000Z' } });
    await refresh.click();
    assert.deepEqual((await open.sent()).at(-1), { type: 'command', command: 'refreshSnapshot' });
  });

  it('walks the map with the arrow keys, opens the drawer with Space and the manifest with Enter', async () => {
    const page = await show(report);
    await page.locator('.map [tabindex="0"]').focus();
    assert.match((await activeName(page)) ?? '', /^zone-a\s+1 node/);
    await page.keyboard.press('PageDown');
    assert.match((await activeName(page)) ?? '', /^zone-b\s+1 node/);
    await page.keyboard.press('ArrowRight');
    assert.match((await activeName(page)) ?? '', /^node-b\s+3 evicted\s+for checkout-1/);
    await page.keyboard.press('End');
    assert.match((await activeName(page)) ?? '', /^\+ checkout-1, arrives/);
    const sent = (await open.sent()).length;
    await page.keyboard.press('Space');
    await page.getByRole('region', { name: 'checkout-1' }).waitFor();
    assert.match((await activeName(page)) ?? '', /^\+ checkout-1/);
    assert.equal((await open.sent()).length, sent);
    await page.keyboard.press('Enter');
    assert.deepEqual((await open.sent()).at(-1), {
      type: 'reveal',
      origin: report.pods[samplePod('checkout-1')]!.origin,
    });
    await page.keyboard.press('Escape');
    await page.getByRole('region', { name: 'checkout-1' }).waitFor({ state: 'detached' });
    assert.match((await activeName(page)) ?? '', /^\+ checkout-1/);
    await page.keyboard.press('ArrowUp');
    assert.match((await activeName(page)) ?? '', /^− (train|thumb)/);
  });

  it('opens a zone with Enter and closes it again', async () => {
    const page = await show(bigReport(300, 900));
    const zone = page.getByRole('gridcell', { name: 'zone-b 100 nodes' });
    await zone.focus();
    assert.equal(await zone.getAttribute('aria-expanded'), 'false');
    await page.keyboard.press('Enter');
    await page.locator('#report .zone', { has: zone }).locator('.card').first().waitFor();
    assert.equal(await zone.getAttribute('aria-expanded'), 'true');
  });

  it('goes from victim to victim with j and k', async () => {
    const page = await show(report);
    const seen: string[] = [];
    while (seen.length < report.victims.length) {
      await page.keyboard.press('j');
      const name = await page.locator('.drawer .facts-title').textContent();
      seen.push(name ?? '');
      assert.match(name ?? '', /victim/);
    }
    assert.equal(new Set(seen).size, report.victims.length);
    await page.keyboard.press('k');
    assert.notEqual(await page.locator('.drawer .facts-title').textContent(), seen.at(-1));
  });

  for (const [width, height] of [
    [1600, 900],
    [900, 900],
    [650, 900],
    [420, 900],
  ] as const) {
    it(`opens the drawer at the selection, in sight, and no file, at ${width} px`, async () => {
      const page = await show(report, { width, height });
      const sent = (await open.sent()).length;
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
      assert.equal((await open.sent()).length, sent);
      const overflow = await page.evaluate(() => {
        const report = document.querySelector('.report')!;
        return report.scrollWidth - report.clientWidth;
      });
      assert.ok(overflow <= 0, 'no sideways scrolling of the page');
    });
  }

  it('shows a manifest with a double click, in the other column', async () => {
    const page = await show(report);
    await page.locator(checkout).dblclick();
    assert.deepEqual((await open.sent()).at(-1), {
      type: 'reveal',
      origin: report.pods[samplePod('checkout-1')]!.origin,
    });
  });

  it('opens no file at a click in a table', async () => {
    const page = await show(report);
    const sent = (await open.sent()).length;
    for (const tab of ['Pods', 'Nodes', 'Victims', 'Pending']) {
      await page.getByRole('tab', { name: tab }).click();
      await page.locator('.main-panel .grid-body .grid-row').first().click();
      await page.locator('.drawer').waitFor();
    }
    assert.equal((await open.sent()).length, sent);
  });

  it('has in its legend each mark of the map, and no other', async () => {
    const page = await show(report);
    const marks = page.getByRole('list', { name: 'Marks' }).locator('li');
    assert.deepEqual(await marks.allTextContents(), ['− evicted', '+ arrives', 'not touched', 'free']);
    await page.keyboard.press('[');
    for (let press = 0; press < 6; press++) await page.keyboard.press('[');
    assert.deepEqual(await marks.allTextContents(), ['not touched', 'free']);
  });

  it('changes what gives the width, and shows priorities on request', async () => {
    const page = await show(report);
    await page.getByRole('button', { name: 'width = cpu, the scarcest' }).click();
    await page.getByRole('button', { name: 'width = memory' }).waitFor();
    assert.equal(await page.locator('[class*="rung-edge-"]').count(), 0);
    await page.getByRole('button', { name: 'show priorities' }).click();
    await page.getByRole('list', { name: 'Priority ladder' }).waitFor();
    await page.locator('.tile[class*="rung-edge-"]').first().waitFor();
  });

  it('draws what is not touched calmer than victims, in every theme', async () => {
    for (const theme of Object.keys(themes) as ThemeName[]) {
      const page = await show(report, { theme });
      const distance = async (selector: string): Promise<number> => {
        const [ground, tile] = await page.evaluate(
          (of) => ['body', of].map((each) => getComputedStyle(document.querySelector(each)!).backgroundColor),
          selector,
        );
        const channels = [ground, tile].map((css) => (css!.match(/[\d.]+/g) ?? []).slice(0, 3).map(Number));
        return Math.max(...channels[1]!.map((channel, index) => Math.abs(channel - channels[0]![index]!)));
      };
      assert.ok((await distance('.tile.look-running')) < (await distance('.tile.look-evicted')), theme);
      await open.close();
    }
    await show(report);
  });

  it('filters with / and goes back with Escape', async () => {
    const page = await show(report);
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

  it('goes back along links with Escape', async () => {
    const page = await show(report);
    await page.locator(checkout).click();
    await page.locator('.drawer').getByRole('button', { name: 'node-b', exact: true }).first().click();
    await page.getByRole('heading', { name: 'node-b', exact: true }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('heading', { name: 'shop/checkout-1 — running' }).waitFor();
  });

  it('steps through the simulation with the slider and the list', async () => {
    const page = await show(report);
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
    assert.match((await activeName(page)) ?? '', /^Step 7, 31 s: train-4 pending/);
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('ArrowRight');
    await page.getByRole('treeitem', { name: 'Step 6' }).and(page.locator('[aria-expanded="true"]')).waitFor();
  });

  it('shows simulated time in lanes per node and per workload', async () => {
    const page = await show(report);
    await page.getByRole('tab', { name: 'Timeline' }).click();
    await page.getByRole('button', { name: '− train-1, evicted, in its grace period, from 0 s to 30 s' }).click();
    await page.getByRole('region', { name: 'train-1' }).waitFor();
    assert.deepEqual(await page.locator('.lane-name').allTextContents(), ['node-b', 'node-d']);
    await page.locator('h1').click();
    await page.keyboard.press('l');
    assert.ok((await page.locator('.lane-name').allTextContents()).includes('train'));
  });

  it('compares the candidates, marks the criterion that decided, and calls a tie a tie', async () => {
    const page = await show(report);
    await page.locator(checkout).click();
    const candidates = page.getByRole('grid', { name: 'Candidates' });
    assert.equal(await candidates.locator('.grid-header .marked').textContent(), 'budgets violated');
    assert.match((await candidates.locator('.chosen').textContent()) ?? '', /^node-b/);
    // What comes after it was not asked, and there is room for the names of the victims.
    assert.equal(await candidates.getByRole('columnheader', { name: 'latest start' }).count(), 0);
    await page.setViewportSize({ width: 900, height: 900 });
    const width = async (name: string): Promise<number> =>
      (await candidates.getByRole('columnheader', { name }).boundingBox())!.width;
    assert.ok((await width('victims')) >= 170);
    assert.equal(await candidates.evaluate((element) => element.scrollWidth > element.clientWidth), false);
    await page.locator(`#after-3-${samplePod('thumb-8')}`).click();
    await page.getByText('A tie: 2 nodes share the best total').waitFor();
  });

  it('says in two phases why a pod is pending, with the message word for word', async () => {
    const page = await show(report);
    await page.getByRole('tab', { name: 'Pending' }).click();
    await page.locator('.main-panel .grid-body .grid-row').first().click();
    await page.getByRole('heading', { name: 'What refuses it now' }).waitFor();
    await page
      .getByRole('heading', { name: 'What would still refuse it with every lower-priority pod gone' })
      .waitFor();
    assert.equal(await page.locator('.verbatim pre').textContent(), report.decisions[5]!.message);
    await page.locator('.help').getByText('600m cpu free on any node').waitFor();
    await page.getByRole('button', { name: 'Copy' }).click();
    assert.deepEqual((await open.sent()).at(-1), { type: 'copy', text: report.decisions[5]!.message });
  });

  it('shows the verdict at once and asks for the rest when somebody looks, once', async () => {
    const page = await show({ ...report, decisions: verdictsOf(report) });
    assert.deepEqual(
      (await open.sent()).filter(({ type }) => type === 'explain'),
      [],
    );
    await page.locator(checkout).click();
    await page.getByText('Explaining…').waitFor();
    const asked = async () => (await open.sent()).flatMap((said) => (said.type === 'explain' ? [said.index] : []));
    const [index] = await asked();
    const decision = report.decisions[index!]!;
    await open.send({ type: 'explained', index: index!, decision, failure: '' });
    await page.getByRole('grid', { name: 'Candidates' }).waitFor();
    await page.getByText(decision.why).waitFor();
    await page.locator(`#after-3-${samplePod('thumb-8')}`).click();
    await page.getByText('Explaining…').waitFor();
    const second = (await asked()).at(-1)!;
    await open.send({ type: 'explained', index: second, decision: null, failure: 'The run is not known any more.' });
    await page.getByText('The run is not known any more.').waitFor();
    await page.locator(checkout).click();
    await page.getByRole('grid', { name: 'Candidates' }).waitFor();
    assert.deepEqual(await asked(), [index, second]);
    await open.send({ type: 'report', report: { ...report, decisions: verdictsOf(report) } });
    await page.getByText('Explaining…').waitFor();
    assert.deepEqual(await asked(), [index, second, index], 'of a new report it asks again');
  });

  it('shows of a victim the decision that evicts it', async () => {
    const page = await show(report);
    await page.locator(`#before-1-${samplePod('train-1')}`).click();
    await page.getByRole('heading', { name: 'Why node-b — candidates for checkout-1' }).waitFor();
  });

  it('says on which day a victim started when the days differ, and only then', async () => {
    const decisions = report.decisions.map((decision, index) => ({
      ...decision,
      decidedBy: decision.decidedBy === null ? null : ('latestStart' as const),
      candidates: decision.candidates.map((candidate, row) => ({
        ...candidate,
        latestStart: index === 0 && row === 0 ? '2025-10-30T11:12:13Z' : candidate.latestStart,
      })),
    }));
    const page = await show({ ...report, decisions });
    await page.locator(checkout).click();
    const cell = page.getByRole('gridcell', { name: '2025-10-30 11:12:13' });
    assert.equal(await cell.evaluate((element) => element.scrollWidth > element.clientWidth), false);
  });

  it('lists who could evict a running pod', async () => {
    const page = await show(report);
    await page.getByRole('tab', { name: 'Pods' }).click();
    await page.getByRole('gridcell', { name: 'batch/train-3' }).click();
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
    await page.getByRole('tab', { name: 'Decisions' }).click();
    await page.getByText('There was nothing to decide.').waitFor();
    await page.getByRole('tab', { name: 'Pods' }).click();
    await page.getByText('There are no pods.').waitFor();
    await page.getByRole('tab', { name: 'Victims' }).click();
    await page.getByText('Nothing is evicted.').waitFor();
  });

  it('leads on from where there is nothing to show', async () => {
    const { answer, pods, nodes } = report;
    const still = { ...answer, groups: [], balance: { ...answer.balance, arriving: 0 } };
    const quiet = { ...report, steps: [], victims: [], pending: [], answer: still };
    const page = await show(quiet);
    await page.getByRole('button', { name: /^Drain node-/ }).click();
    assert.match(JSON.stringify((await open.sent()).at(-1)), /"drain node\/node-. --ignore-daemonsets"/);
    await page.getByRole('button', { name: 'Something else…' }).click();
    assert.ok(await page.locator('.what-if input').evaluate((field) => field === document.activeElement));
    for (const tab of ['Timeline', 'Decisions', 'Victims', 'Pending']) {
      await page.getByRole('tab', { name: tab }).click();
      await page
        .locator('#main-panel')
        .getByRole('button', { name: /^Drain node-/ })
        .waitFor();
    }
    const cases: readonly (readonly [Partial<Report>, string, PageMessage])[] = [
      [
        { pods: [], workloads: [], steps: [], victims: [], pending: [], decisions: [] },
        'Open the sample',
        { type: 'command', command: 'openSample' },
      ],
      [
        { nodes: nodes.map((node) => ({ ...node, assumed: true })) },
        'Change them…',
        { type: 'command', command: 'assumedNodes' },
      ],
      [
        { answer: { ...answer, balance: { ...answer.balance, arriving: 3, refused: 3 } } },
        'Show the problems',
        { type: 'command', command: 'showProblems' },
      ],
      [
        { unseen: [{ kind: 'source', name: 'HelmRelease media/plex', why: 'no chart', count: 1, origin: null }] },
        'Fetch what is remote…',
        { type: 'command', command: 'fetchRemotes' },
      ],
      [
        {
          assumptions: [{ mark: '!', text: 'the cluster snapshot c.yaml is not used', detail: '', about: 'snapshot' }],
        },
        'Capture a cluster snapshot…',
        { type: 'command', command: 'captureSnapshot' },
      ],
    ];
    assert.ok(pods.length > 0);
    for (const [state, button, message] of cases) {
      await open.show({ ...report, ...state });
      await page.getByRole('button', { name: button }).click();
      assert.deepEqual((await open.sent()).at(-1), message);
    }
  });

  it('leads on from a filter that finds nothing, and from a run that failed', async () => {
    const page = await show(report);
    await page.keyboard.press('/');
    await page.keyboard.type('no such pod');
    await page.getByRole('button', { name: 'Clear the filter' }).click();
    await page.locator('.card').first().waitFor();
    await open.send({ type: 'status', running: false, outdated: false, failure: 'git cannot be run.' });
    await page.getByRole('button', { name: 'Copy details' }).click();
    await page.getByRole('button', { name: 'Show the log' }).click();
    await page.getByRole('status').getByRole('button', { name: 'Run again' }).click();
    assert.deepEqual((await open.sent()).slice(-3), [
      { type: 'copy', text: 'The simulation failed: git cannot be run.' },
      { type: 'command', command: 'showLogs' },
      { type: 'runAgain' },
    ]);
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
    assert.equal((await open.sent()).at(-1)?.type, 'reveal');
  });

  it('tells what a change does, and leads to the pods that it concerns', async () => {
    const page = await show({
      ...report,
      scenario: { kind: 'change', since: 'git HEAD' },
      comparison: sampleComparison(),
    });
    const comparison = page.locator('details.comparison');
    assert.equal(
      await comparison.locator('summary').first().textContent(),
      'Compared with git HEAD: 1 more pod is evicted; 1 pod is not there any more.' +
        'class checkout-high 1000 → 100000 ⇒ <b>checkout</b> evicts train',
    );
    const chain = comparison.getByRole('region', { name: 'Cause and effect' });
    assert.deepEqual(await chain.locator('li').allTextContents(), [
      'PriorityClass checkout-high value 1000 → 100000 classes.yaml:5',
      ' checkout has priority 100000 instead of 1000',
      '30 s <b>checkout-1</b> evicts train-1 on node-b',
    ]);
    assert.deepEqual(
      await comparison.getByRole('region', { name: 'In figures' }).locator('tbody tr').allTextContents(),
      ['evicted34 (+1)', 'pending11 (=)', 'settled after30 s60 s (+30 s)'],
    );
    assert.deepEqual(
      await comparison.getByRole('region', { name: 'Workloads that change' }).locator('tbody tr').allTextContents(),
      ['− train, worse1 of 10 of 1, down, 1 evicted, 1 pod waitscheckout-high'],
    );
    assert.deepEqual(await violations(page), []);
    await comparison.getByText('Pod by pod · 2').click();
    assert.deepEqual(await comparison.locator('.plan-pods li').allTextContents(), [
      'newly evictedbatch/train-1runs on node-b → evicted from node-b for shop/checkout-1',
      'removedshop/<b>old</b>stays pending → not there any more',
    ]);
    await comparison.getByRole('button', { name: 'batch/train-1' }).click();
    await page.getByRole('heading', { name: 'train-1' }).waitFor();
    // Nothing to open where every pod fares as before.
    const { plan, ...changed } = sampleComparison();
    const same = { ...changed, causes: [], priorities: [], pods: [], plan: { ...plan, chain: [], effects: [] } };
    await open.show({ ...report, comparison: same });
    await page.locator('p.comparison').waitFor();
    assert.equal(await page.locator('details.comparison').count(), 0);
  });

  for (const [width, beside] of [
    [1600, true],
    [900, false],
    [420, false],
  ] as const) {
    it(`draws the nodes that a change makes end otherwise at both stages, at ${width} px`, async () => {
      const comparison = sampleComparison();
      open = await browser.open({ width, theme: width === 420 ? 'hc-light' : 'light' });
      await open.show({ ...sampleReport(), scenario: { kind: 'change', since: 'git HEAD' }, comparison });
      const { page } = open;
      await page.getByRole('tab', { name: 'Maps 2' }).waitFor();
      const maps = page.getByRole('region', { name: 'Maps side by side' });
      const [before, after] = [
        maps.getByRole('img', { name: 'git HEAD, node-b, nobody is evicted, cpu 3 of 4' }),
        maps.getByRole('img', { name: 'now, node-b, evicted: train ×2, arrives: checkout-1, cpu 3.6 of 4' }),
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

  it('has whole words to compare with beside an editor too', async () => {
    const widths: (number | undefined)[] = [];
    for (const width of [900, 560]) {
      const page = await show(report, { width });
      widths.push((await page.getByRole('combobox', { name: 'Compare with…' }).boundingBox())?.width);
      if (width === 900) await open.close();
    }
    assert.ok(widths[0]! > 0);
    assert.equal(widths[1], widths[0]);
  });

  it('asks for another comparison, with the run before where there is one', async () => {
    const page = await show(sampleReport());
    const compare = page.getByRole('combobox', { name: 'Compare with…' });
    await compare.selectOption('commit');
    assert.deepEqual((await open.sent()).at(-1), { type: 'compare', with: 'commit' });
    const previous = compare.locator('option[value=previous]');
    assert.equal(await previous.isDisabled(), true);
    const status = { type: 'status', running: false, outdated: false, failure: '' } as const;
    await open.send({ ...status, previous: true });
    await compare.selectOption('previous');
    assert.deepEqual((await open.sent()).at(-1), { type: 'compare', with: 'previous' });
    await open.send({ ...status, previous: true, against: { with: 'previous', name: '' } });
    assert.equal(await compare.inputValue(), 'previous');
    assert.equal(await previous.textContent(), 'Compared with the previous run');
  });

  it('asks for a branch, a commit, a saved report and a kept scenario, and says what was chosen', async () => {
    const page = await show(sampleReport());
    const compare = page.getByRole('combobox', { name: 'Compare with…' });
    for (const name of ['branch', 'any-commit', 'report', 'kept']) {
      await compare.selectOption(name);
      assert.deepEqual((await open.sent()).at(-1), { type: 'compare', with: name });
      // Until the editor has asked which, nothing else is compared with.
      assert.equal(await compare.inputValue(), 'nothing');
    }
    const status = { type: 'status', running: false, outdated: false, failure: '' } as const;
    await open.send({ ...status, against: { with: 'report', name: '<b>monday</b>.json' } });
    const chosen = compare.locator('option[value=other]');
    assert.equal(await chosen.textContent(), 'Compared with <b>monday</b>.json');
    assert.equal(await compare.inputValue(), 'other');
    await compare.selectOption('nothing');
    assert.deepEqual((await open.sent()).at(-1), { type: 'compare', with: 'nothing' });
    await open.show({
      ...sampleReport(),
      scenario: { kind: 'change', since: 'git release/1.2' },
      comparison: sampleComparison(),
    });
    assert.equal(await chosen.textContent(), 'Compared with git release/1.2');
    assert.deepEqual(await violations(page), []);
  });

  it('keeps names and messages text', async () => {
    const markup = '<img src=x onerror="document.title=\'owned\'"><b>bold</b>';
    const page = await show(hostileReport(markup));
    for (const tab of ['Timeline', 'Decisions', 'Pods', 'Nodes', 'Victims', 'Pending', 'Map']) {
      await page.getByRole('tab', { name: tab }).click();
      assert.equal(await page.locator('img, #report b').count(), 0);
    }
    assert.equal(await page.locator('h1').textContent(), markup);
    assert.equal(await page.title(), 'Simulation');
    await page.getByLabel('Export').selectOption('svg');
    const exported = (await open.sent()).at(-1);
    assert.ok(exported?.type === 'exportMap');
    const images = await page.evaluate((svg) => {
      const parsed = new DOMParser().parseFromString(svg, 'image/svg+xml');
      return parsed.querySelectorAll('img, parsererror').length;
    }, exported.svg);
    assert.equal(images, 0);
  });

  it('draws its map as a picture, in the colours of the theme', async () => {
    const page = await show(report);
    await page.getByLabel('Export').selectOption('png');
    const exported = await open.said('exportPicture');
    const { width, height, data } = PNG.sync.read(Buffer.from(exported.png, 'base64'));
    assert.equal(width, 2400);
    assert.ok(height > 400);
    assert.deepEqual([...data.subarray(0, 3)], [0x1f, 0x1f, 0x1f]);
  });

  it('asks the panel for the exports and for another run', async () => {
    const page = await show(report);
    for (const format of ['json', 'markdown', 'html', 'comment']) {
      await page.getByLabel('Export').selectOption(format);
    }
    await page.getByRole('button', { name: 'Run again' }).click();
    assert.deepEqual((await open.sent()).slice(1), [
      { type: 'export', format: 'json' },
      { type: 'export', format: 'markdown' },
      { type: 'export', format: 'html' },
      { type: 'export', format: 'comment' },
      { type: 'runAgain' },
    ]);
  });

  it('keeps focus, selection and scroll when a new report arrives', async () => {
    const page = await show(bigReport(300, 900));
    await page.locator('.card-title').nth(6).click();
    const before = await activeName(page);
    const scrolled = await page.locator('.report').evaluate((area) => area.scrollTop);
    await open.send({ type: 'status', running: true, outdated: false, failure: '' });
    const next = bigReport(300, 900);
    await open.send({ type: 'report', report: { ...next, answer: { ...next.answer, headline: 'again' } } });
    await page.getByRole('heading', { name: 'again' }).waitFor();
    assert.equal(await activeName(page), before);
    assert.equal(await page.locator('.report').evaluate((area) => area.scrollTop), scrolled);
  });

  it('comes back as it was after a reload', async () => {
    let page = await show(bigReport(300, 900));
    await page.locator('.card-title').nth(6).click();
    await page.getByRole('tab', { name: 'Timeline' }).click();
    await page.getByRole('slider', { name: 'Moment' }).fill('3');
    await open.settled();
    const state = await open.state();
    const selected = await page.locator('.facts-title').textContent();
    await open.close();
    page = await show(bigReport(300, 900), { state });
    assert.match(
      (await page.getByRole('slider', { name: 'Moment' }).getAttribute('aria-valuetext')) ?? '',
      /^Step 3 of 60/,
    );
    assert.equal(await page.locator('.facts-title').textContent(), selected);
  });

  it('ignores kept state that is not its own', async () => {
    const page = await show(report, { state: { view: 7, scenario: null } });
    assert.equal(await page.locator('.card').count(), 2);
  });

  it('does not take the focus when it opens', async () => {
    const page = await show(report);
    assert.equal(await page.evaluate(() => document.activeElement === document.body), true);
  });

  it('draws few elements, however large the cluster is', async () => {
    for (const [nodes, pods] of [
      [300, 6000],
      [5000, 10_000],
    ] as const) {
      const page = await show(bigReport(nodes, pods));
      assert.ok((await page.locator('*').count()) <= 2500);
      await page.getByRole('tab', { name: 'Pods' }).click();
      assert.ok((await page.locator('.grid-row').count()) < 120);
      await page.getByRole('grid', { name: 'Pods' }).focus();
      await page.keyboard.press('End');
      await page.locator('.grid-row[aria-selected="true"]').waitFor();
      await open.close();
    }
    await show(report);
  });

  it('shows a report that comes in parts when all of them are there, and then what was said behind it', async () => {
    open = await browser.open();
    const { page } = open;
    const { report: first, rows } = inParts(bigReport(300, 6000));
    await open.send({ type: 'report', report: first, more: rows.length });
    for (const part of rows.slice(1)) await open.send({ type: 'rows', part });
    assert.equal(await page.locator('.headline').count(), 0);
    await open.send({ type: 'rows', part: rows[0]! });
    await open.send({ type: 'status', running: false, outdated: true, failure: '' });
    await page.getByText('Out of date:').waitFor();
    await page.getByRole('tab', { name: 'Pods 6,060' }).waitFor();
    assert.equal((await page.locator('.card').count()) > 0, true);
  });

  it('shows what a scenario file says: what is done at its times, and what is answered', async () => {
    const { stdout } = await podium([
      'simulate',
      '--scenario',
      'samples/online-shop/night.podium.yaml',
      '--format',
      'json',
    ]);
    const page = await show(JSON.parse(stdout) as Report);
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
    const page = await show({ ...report, events, questions: [{ text: 'pending', answer: '1,000 pods', details }] });
    await page.getByText('What is done · 10,000 events').click();
    await page.getByText('9,800 more are in the exports.').waitFor();
    await page.getByText('980 more are in the exports.').waitFor();
    assert.equal(await page.locator('.events > ol > li').count(), 202);
  });

  it('scrolls as a whole at every width, and comes back where it was', async () => {
    for (const width of [400, 1480]) {
      const options = { width, height: 500 };
      let page = await show(bigReport(300, 900), options);
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
      await open.settled();
      const state = await open.state();
      await open.close();
      page = await show(bigReport(300, 900), { ...options, state });
      await page.waitForFunction(() => document.querySelector('.report')?.scrollTop === 200);
      await open.close();
    }
    await show(report);
  });

  it('keeps the colours of the map when the system forces its own', async () => {
    const page = await show(report, { theme: 'hc-black' });
    const colours = (): Promise<readonly string[]> =>
      page.evaluate(() =>
        ['.tile.look-running', '.tile.look-evicted', '.swatch'].map(
          (part) => getComputedStyle(document.querySelector(part)!).backgroundColor,
        ),
      );
    const own = await colours();
    await page.emulateMedia({ forcedColors: 'active' });
    assert.deepEqual(await colours(), own);
  });

  it('moves nothing when motion is to be reduced', async () => {
    const page = await show(report, { reducedMotion: true });
    const moving = await page.evaluate(
      () =>
        [...document.querySelectorAll('#report *')].filter((element) => {
          const { transitionDuration, animationName } = getComputedStyle(element);
          return transitionDuration.split(', ').some((duration) => duration !== '0s') || animationName !== 'none';
        }).length,
    );
    assert.equal(moving, 0);
  });

  for (const theme of Object.keys(themes) as ThemeName[]) {
    it(`violates no rule of axe, whatever is open (${theme})`, async () => {
      const page = await show(report, { theme });
      await page.locator('vscode-textfield:defined').waitFor();
      assert.deepEqual(await violations(page), []);
      await page.locator(checkout).click();
      assert.deepEqual(await violations(page), []);
      await page.getByRole('button', { name: 'show priorities' }).click();
      for (const tab of ['Timeline', 'Decisions', 'Pods', 'Nodes', 'Map']) {
        await page.getByRole('tab', { name: tab }).click();
        assert.deepEqual(await violations(page), [], tab);
      }
      await page.setViewportSize({ width: 420, height: 900 });
      assert.deepEqual(await violations(page), [], 'narrow');
    });

    it(`gives everything a name and shows the focus (${theme})`, async () => {
      const page = await show(report, { theme });
      await page.locator('vscode-textfield:defined').waitFor();
      const nameless = await page.evaluate(() => {
        const controls = document.querySelectorAll(
          'button, vscode-button, input, [role="grid"], [role="row"], .tile, [role="treeitem"], [role="tab"], [role="radio"]',
        );
        return [...controls]
          .filter((control) => control.getAttribute('aria-label') === null && control.textContent.trim() === '')
          .filter((control) => !(control instanceof HTMLInputElement && (control.labels?.length ?? 0) > 0))
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
