import assert from 'node:assert/strict';
import type { Locator, Page } from 'playwright-core';
import type { Effect } from '../../server/src/report-model/effect.ts';
import type { Remedy } from '../../server/src/report-model/remedy.ts';
import type { Report } from '../../server/src/report-model/report.ts';
import { runToEnd } from '../../server/src/util/steps.ts';
import { ArrivalPreviews, type SimulationInput, WorkspaceRuns } from '../../server/src/simulation/index.ts';
import { soFar } from './sample-report.ts';
import { fleet, fleetOf300 } from '../support/fleet.ts';
import { loadSample } from '../unit/simulation/load-sample.ts';
import { violations } from './axe.ts';
import type { OpenOptions } from './harness.ts';
import { pages } from './pages.ts';
import { type ThemeName, themes } from './themes.ts';

const workspace = { kind: 'workspace' } as const;

/** What the server would answer about one version of the manifests. */
class Answers {
  readonly #runs: WorkspaceRuns;
  /** Several pages show the same answers. */
  readonly #known = new Map<string, unknown>();

  constructor(input: SimulationInput) {
    this.#runs = new WorkspaceRuns(input, new ArrivalPreviews(input));
  }

  report(...operations: readonly string[]): Report {
    return this.#once('report', operations, () => runToEnd(this.#runs.report(workspace, operations)));
  }

  effects(...operations: readonly string[]): readonly Effect[] {
    return this.#once('effects', operations, () => runToEnd(this.#runs.effects(workspace, operations)));
  }

  remedies(...operations: readonly string[]): readonly Remedy[] {
    return this.#once('remedies', operations, () => runToEnd(this.#runs.remedies(workspace, operations)));
  }

  #once<Answer>(what: string, operations: readonly string[], make: () => Answer): Answer {
    const key = JSON.stringify([what, operations]);
    if (!this.#known.has(key)) this.#known.set(key, make());
    return this.#known.get(key) as Answer;
  }
}

describe('[ED-5] the page answers, and tries what is asked', function () {
  const browser = pages();
  const sample = new Answers(loadSample());

  async function show(answers: Answers, options: OpenOptions = {}): Promise<Page> {
    const page = await browser.show(answers.report(), options);
    await browser.current.send({ type: 'remedies', remedies: answers.remedies() });
    await page.locator('.remedies button').first().waitFor();
    return page;
  }

  /** Whether all of a text is on the first screen: none of it cut off by what it is in, nor covered. */
  async function isWhole(text: Locator, height: number): Promise<void> {
    const box = await text.boundingBox();
    assert.ok(box !== null && box.x >= 0 && box.y >= 0 && box.y + box.height <= height, JSON.stringify(box));
    const fault = await text.evaluate((element) => {
      const range = document.createRange();
      range.selectNodeContents(element);
      // Of each line of it, as an inline element has no width of its own.
      const lines = [...range.getClientRects()].filter(({ width }) => width > 0);
      if (lines.length === 0) return 'nothing is drawn';
      if (lines.some(({ right }) => right > document.documentElement.clientWidth + 1)) return 'is outside';
      for (let around: Element | null = element; around !== null; around = around.parentElement) {
        const { left, right, top, bottom } = around.getBoundingClientRect();
        const clips = getComputedStyle(around).overflow !== 'visible';
        const isCut = lines.some((line) => line.right > right + 1 || line.left < left - 1);
        const isCutBelow = lines.some((line) => line.bottom > bottom + 3 || line.top < top - 3);
        if (clips && (isCut || isCutBelow)) return `is cut by ${around.className}`;
      }
      const covered = lines.find(({ left, top, width, height: tall }) => {
        const seen = document.elementFromPoint(left + width / 2, top + tall / 2);
        return seen === null || !(element.contains(seen) || seen.contains(element));
      });
      return covered === undefined ? '' : 'is covered';
    });
    assert.equal(fault, '', (await text.textContent()) ?? '');
  }

  let large: Answers | undefined;
  const ofFleet = (): Answers =>
    (large ??= new Answers({ workspace: fleet(fleetOf300).map((object) => ({ object })), snapshot: [] }));

  const clusters = [
    {
      name: 'the sample',
      answers: () => sample,
      victim: 'thumbnailer',
      for: 'for checkout-0',
      why: 'why general-a:',
      pending: 'cpu',
    },
    {
      name: '300 nodes',
      answers: ofFleet,
      victim: 'catalog',
      for: 'for urgent 100000',
      why: '',
      pending: 'cpu',
    },
  ] as const;
  for (const cluster of clusters) {
    it(`answers five questions on the first screen at every width, of ${cluster.name}`, async () => {
      const answers = cluster.answers();
      for (const [width, height] of [
        [1600, 900],
        [900, 900],
        [420, 900],
      ] as const) {
        const page = await show(answers, { width, height });
        const evicted = page.locator('.kind-evicted');
        const pending = page.locator('.kind-pending');
        await isWhole(page.locator('h1'), height);
        await isWhole(page.locator('.cause'), height);
        // Who is evicted, and for whom?
        await isWhole(evicted.getByText(cluster.victim, { exact: true }), height);
        await isWhole(evicted.locator('.answer-text, .losses-head', { hasText: cluster.for }).first(), height);
        // Why there? Narrower, the drawer says it.
        if (width >= 1200 && cluster.why !== '') {
          await isWhole(page.locator('.kind-scheduled .answer-then', { hasText: cluster.why }).first(), height);
        }
        // What stays pending, and why?
        await isWhole(pending.getByText(cluster.pending, { exact: true }).first(), height);
        await isWhole(pending.locator('.answer-text').first(), height);
        // What would help?
        await isWhole(evicted.locator('.remedies li').first(), height);
        await isWhole(pending.locator('.remedies li').first(), height);
        assert.equal(await page.locator('.report').evaluate((element) => element.scrollTop), 0);
        if (width < 900) continue;
        await isWhole(page.getByLabel('What if', { exact: true }).first(), width === 1600 ? height : 2000);
        await browser.current.close();
      }
    });
  }

  it('never cuts away whom a step or a row is about, with the names that clouds give to nodes', async () => {
    const answers = ofFleet();
    for (const width of [1600, 900, 420]) {
      const page = await show(answers, { width, height: 1600 });
      await page.getByRole('tab', { name: 'Decisions' }).click();
      const steps = page.locator('.step-subject');
      // The list fills its window once it is told how high that is.
      await steps.nth(10).waitFor();
      await browser.current.settled();
      const subjects = await steps.evaluateAll((all) =>
        all.map((element) => {
          const letter = Number.parseFloat(getComputedStyle(element).fontSize) * 0.5;
          const end = element.querySelector('[data-tail]')?.getAttribute('data-tail') ?? '';
          const name = `${element.textContent}${end}`;
          return { name, letters: element.getBoundingClientRect().width / letter, end };
        }),
      );
      for (const { name, letters, end } of subjects) {
        assert.ok(letters >= Math.min(12, name.length), `${name} has room for ${letters} letters at ${width} px`);
        // Where it is cut, it is in the middle: the end tells pods of one workload apart.
        assert.equal(end.length, 5, name);
      }
      const cut = await page
        .locator('.step-title')
        .evaluateAll(
          (all) =>
            all.filter((title) => title.getBoundingClientRect().right > document.documentElement.clientWidth).length,
        );
      assert.equal(cut, 0, 'no title runs out of the page');
      await page.getByRole('tab', { name: 'Timeline' }).click();
      await page.locator('.span').first().waitFor();
      const outside = await page
        .locator('.span')
        .evaluateAll(
          (all) =>
            all.filter((span) => span.getBoundingClientRect().right > document.documentElement.clientWidth).length,
        );
      assert.equal(outside, 0, 'no span runs out of the page');
      for (const tab of ['Pods', 'Victims']) {
        await page.getByRole('tab', { name: tab }).click();
        const names = page.locator('.grid-body .grid-row .grid-cell:first-child [data-tail]');
        await names.first().waitFor();
        const ends = await names.evaluateAll((all) => all.map((element) => element.getAttribute('data-tail')?.length));
        assert.ok(ends.length > 10 && ends.every((length) => length === 5), tab);
      }
      await browser.current.close();
    }
  });

  it('tries what would help at a press, and shows in its chip what comes of it', async () => {
    const page = await show(sample);
    await page.getByRole('button', { name: '+1 node like general-a', exact: true }).click();
    const operation = 'add 1 node like general-a';
    assert.deepEqual((await browser.current.sent()).at(-1), { type: 'tryOut', operations: [operation] });
    await browser.current.send({ type: 'whatIf', operations: [operation], effects: [...sample.effects(operation)] });
    await page.getByText('no pod is evicted, 2 pending').first().waitFor();
    await browser.current.send({ type: 'report', report: sample.report(operation) });
    await page.getByRole('heading', { level: 1, name: /saves 3 pods from eviction/ }).waitFor();
    await page.getByRole('button', { name: 'Remove +1 node like general-a' }).click();
    assert.deepEqual((await browser.current.sent()).at(-1), { type: 'tryOut', operations: [] });
  });

  it('tells of a drain: who leaves and who is blocked, what is done, and what becomes of each pod', async () => {
    const page = await show(sample);
    await browser.current.send({ type: 'report', report: sample.report('drain node/general-c --ignore-daemonsets') });
    await page.getByRole('heading', { level: 1, name: /^Draining general-c evicts 4 pods and hangs on/ }).waitFor();
    const blocked = page.locator('.answer-group.kind-blocked');
    await blocked.getByText('stays on general-c · 429 TooManyRequests').waitFor();
    await page.getByText('What is done · 1 event').click();
    await page.locator('.events').getByText('node/general-c is not empty; the drain hangs').waitFor();
    await blocked.getByRole('button', { name: /storefront/ }).click();
    const drawer = page.locator('.drawer');
    await drawer.getByText('blocks the drain of its node').waitFor();
    await drawer.getByText(/^429 TooManyRequests\. PodDisruptionBudget shop\/storefront wants 2 of 2/).waitFor();
    await page.keyboard.press('Escape');
    await page.locator('details.whole > summary').click();
    await page
      .locator('.answer-group.kind-evicted')
      .getByRole('button', { name: /recommender-api/ })
      .click();
    await drawer.getByText(/drained after/).waitFor();
    await drawer.getByText('replaced by').waitFor();
  });

  it('lists its keys for the key that asks for them', async () => {
    const page = await show(sample);
    await page.locator('h1').click();
    await page.keyboard.press('?');
    await page.getByRole('region', { name: 'Keys' }).getByText('the next and the previous victim').waitFor();
    await page.keyboard.press('?');
    await page.getByText('the next and the previous victim').waitFor({ state: 'detached' });
  });

  it('takes what is written, moves, takes back, and says what cannot be', async () => {
    const page = await show(sample);
    await page.locator('h1').click();
    await page.keyboard.press('w');
    await page.keyboard.type('scale deployment/shop/checkout 1');
    await page.keyboard.press('Enter');
    await page.keyboard.type('cordon node/nowhere');
    await page.keyboard.press('Enter');
    const both = ['scale deployment/shop/checkout 1', 'cordon node/nowhere'];
    assert.deepEqual((await browser.current.sent()).at(-1), { type: 'tryOut', operations: both });
    await browser.current.send({ type: 'whatIf', operations: both, effects: [...sample.effects(...both)] });
    await page.getByText('checkout to 1 replica').waitFor();
    // It is spoken too.
    await page
      .getByRole('list', { name: 'What is tried, in order' })
      .getByText(/there is no Node nowhere/)
      .waitFor();
    await page.getByRole('button', { name: 'Remove cordon node/nowhere' }).focus();
    await page.keyboard.press('Alt+ArrowLeft');
    assert.deepEqual((await browser.current.sent()).at(-1), { type: 'tryOut', operations: [...both].reverse() });
    await page.locator('h1').click();
    await page.keyboard.press('Control+z');
    assert.deepEqual((await browser.current.sent()).at(-1), { type: 'tryOut', operations: both });
    await page.keyboard.press('Control+Shift+Z');
    assert.deepEqual((await browser.current.sent()).at(-1), { type: 'tryOut', operations: [...both].reverse() });
    await page.getByRole('button', { name: 'Copy as command' }).click();
    assert.deepEqual((await browser.current.sent()).at(-1), {
      type: 'copy',
      text: `podium simulate . --what-if 'cordon node/nowhere' --what-if 'scale deployment/shop/checkout 1'`,
    });
    await page.getByRole('button', { name: 'Keep…' }).click();
    await page.getByRole('button', { name: 'Kept…' }).click();
    await page
      .getByRole('button', { name: /^Apply/ })
      .first()
      .click();
    assert.deepEqual(
      (await browser.current.sent()).slice(-3).map(({ type }) => type),
      ['keepWhatIf', 'openWhatIf', 'apply'],
    );
  });

  it('offers in the drawer what can be tried with the selection, and cordons its node with c', async () => {
    const page = await show(sample, { width: 900 });
    await page.getByRole('button', { name: /checkout.*2 of 2/ }).click();
    await page.locator('.try-buttons').getByRole('button', { name: 'scale to 1' }).click();
    assert.deepEqual((await browser.current.sent()).at(-1), {
      type: 'tryOut',
      operations: ['scale deployment/shop/checkout 1'],
    });
    await page.getByRole('tab', { name: /Nodes/ }).click();
    await page.getByRole('grid').getByText('general-a', { exact: true }).first().click();
    await page.keyboard.press('c');
    assert.deepEqual((await browser.current.sent()).at(-1), {
      type: 'tryOut',
      operations: ['scale deployment/shop/checkout 1', 'cordon node/general-a'],
    });
  });

  it('opens a menu of what can be tried at a right click on the map, in tables and on lines of the answer', async () => {
    const page = await show(sample, { width: 900 });
    const menu = page.getByRole('menu');
    await page.locator('.card-title', { hasText: 'general-b' }).click({ button: 'right' });
    assert.deepEqual(await menu.getByRole('menuitem').allTextContents(), [
      'drain general-b',
      'cordon general-b',
      'remove general-b',
      '+1 node like general-b',
      '+2 nodes like general-b',
    ]);
    await menu.getByRole('menuitem', { name: 'drain general-b' }).click();
    assert.deepEqual((await browser.current.sent()).at(-1), {
      type: 'tryOut',
      operations: ['drain node/general-b --ignore-daemonsets'],
    });
    await page.locator('.tile', { hasText: 'search-inde' }).last().click({ button: 'right' });
    await menu.getByRole('menuitem', { name: 'remove budget search-indexer' }).waitFor();
    // Anywhere else closes it.
    await page.locator('h1').click();
    await menu.waitFor({ state: 'detached' });
    await page.locator('.answer-line', { hasText: 'loyalty-migration' }).click({ button: 'right' });
    await menu.getByRole('menuitem', { name: 'release the gate' }).click();
    await page.getByRole('tab', { name: /Pods/ }).click();
    await page
      .getByRole('row', { name: /shop\/catalog/ })
      .first()
      .click({ button: 'right' });
    await menu.getByRole('menuitem', { name: 'delete' }).click();
    assert.deepEqual((await browser.current.sent()).at(-1), {
      type: 'tryOut',
      operations: [
        'drain node/general-b --ignore-daemonsets',
        'ungate pod/shop-batch/loyalty-migration',
        'delete deployment/shop/catalog',
      ],
    });
  });

  it('is opened, walked and left with the keyboard alone, and leads into the line for what has to be written', async () => {
    const page = await show(sample);
    const menu = page.getByRole('menu');
    const focused = (): Promise<string> => page.evaluate(() => document.activeElement?.textContent ?? '');
    await page.getByRole('button', { name: /checkout.*2 of 2/ }).focus();
    await page.keyboard.press('Shift+F10');
    await menu.waitFor();
    assert.equal(await focused(), 'scale to 1');
    await page.keyboard.press('ArrowDown');
    assert.equal(await focused(), 'scale to 3');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('v');
    assert.equal(await focused(), 'value of shop-critical…');
    assert.deepEqual(await violations(page), []);
    await page.keyboard.press('Escape');
    assert.match(await focused(), /checkout/);
    await page.keyboard.press('Shift+F10');
    await page.keyboard.press('v');
    await page.keyboard.press('Enter');
    await page.keyboard.type('500');
    await page.keyboard.press('Enter');
    assert.deepEqual((await browser.current.sent()).at(-1), {
      type: 'tryOut',
      operations: ['class shop-critical value=500'],
    });
    await page.getByRole('tab', { name: /Nodes/ }).click();
    await page.getByRole('grid').focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Shift+F10');
    await menu.getByRole('menuitem', { name: /^cordon/ }).press('Enter');
    const last = (await browser.current.sent()).at(-1);
    assert.ok(last?.type === 'tryOut' && last.operations.at(-1)?.startsWith('cordon node/'));
  });

  it('keeps its menu within a narrow page, in every theme', async () => {
    for (const theme of Object.keys(themes) as ThemeName[]) {
      const page = await show(sample, { theme, width: 420 });
      await page.locator('.answer-line', { hasText: 'search-indexer' }).first().click({ button: 'right' });
      const box = await page.getByRole('menu').boundingBox();
      assert.ok(box !== null && box.x >= 0 && box.x + box.width <= 420 && box.y >= 0, JSON.stringify(box));
      assert.deepEqual(await violations(page), []);
      if (theme !== 'hc-light') await browser.current.close();
    }
  });

  it('comes back with what was tried', async () => {
    const page = await show(sample);
    await browser.current.send({ type: 'whatIf', operations: ['cordon node/general-a'], effects: [] });
    await page.getByRole('button', { name: 'Clear' }).waitFor();
    const state = (await browser.current.state()) as { readonly operations: readonly string[] };
    assert.deepEqual(state.operations, ['cordon node/general-a']);
  });

  it('says what is being done while it runs, and stops at a press', async () => {
    await browser.open();
    const { page } = browser.current;
    const status = { type: 'status', running: true, outdated: false, failure: '' } as const;
    await browser.current.send({ ...status, progress: 'Reading 68 files · 26 pods' });
    await page.getByText('Reading 68 files · 26 pods').waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    assert.deepEqual((await browser.current.sent()).at(-1), { type: 'cancel' });
  });

  for (const theme of Object.keys(themes) as ThemeName[]) {
    it(`shows what is decided so far, marked, and keeps it when the run is stopped (${theme})`, async () => {
      await browser.open({ theme, width: 420 });
      const { page } = browser.current;
      const status = { type: 'status', running: true, outdated: false, failure: '', soFar } as const;
      await browser.current.send({ ...status, progress: 'Deciding · 12 of 34 pods · 3 evicted so far' });
      const part = page.getByRole('region', { name: 'So far' });
      await part.getByText('so far', { exact: true }).waitFor();
      await part.getByRole('heading', { name: 'checkout evicts cart and web so far.' }).waitFor();
      await part.getByRole('heading', { name: 'Evicted 3' }).waitFor();
      const lines = await part.locator('.answer-line').allInnerTexts();
      assert.deepEqual(
        lines.map((line) => line.split(/\s+/).join(' ')),
        ['− cart 2 of 2 for checkout', '− web 1 of 3 for checkout and 1 more'],
      );
      await part.getByText('12 decided = 9 scheduled + 2 pending + 1 gated').waitFor();
      await part.getByText('22 of 34 pods not decided yet').waitFor();
      assert.equal(await part.getByRole('progressbar').getAttribute('value'), '12');
      assert.deepEqual(await violations(page), []);
      await part.getByRole('button', { name: 'Cancel' }).click();
      await browser.current.send({ ...status, running: false, stopped: true });
      await page.getByText('Stopped at 12 of 34 pods; the figures are only of what was decided until then.').waitFor();
      await part.getByText('Decided 12 of 34 pods').waitFor();
      await page.getByRole('button', { name: 'Run again' }).click();
      assert.deepEqual((await browser.current.sent()).at(-1), { type: 'runAgain' });
      assert.equal(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), true);
      assert.deepEqual(await violations(page), []);
    });
  }

  it('keeps an old report while another run goes on, says how far that is, and that it was stopped', async () => {
    const page = await show(sample);
    await browser.current.send({
      type: 'status',
      running: true,
      outdated: false,
      failure: '',
      soFar,
      progress: 'Deciding',
    });
    await page.getByText('runs 35 % · Deciding').waitFor();
    assert.equal(await page.getByRole('region', { name: 'So far' }).count(), 0);
    await browser.current.send({ type: 'status', running: false, outdated: false, failure: '', soFar, stopped: true });
    await page.getByText('Stopped at 12 of 34 pods; the figures are of the run before.').waitFor();
    await page.getByRole('tab', { name: 'Map' }).waitFor();
  });
});
