import assert from 'node:assert/strict';
import type { PageMessage } from '../../client/src/report/messages.ts';
import type { Report } from '../../server/src/report-model/report.ts';
import { violations } from './axe.ts';
import { bigReport } from './big-report.ts';
import { pages } from './pages.ts';
import { samplePod, sampleReport } from './sample-report.ts';

const report = sampleReport();
const checkout = `#after-1-${samplePod('checkout-1')}`;

describe('[ED-5] what the report page answers', function () {
  const browser = pages();

  it('says that it is ready before it is told anything', async () => {
    await browser.open();
    assert.deepEqual(await browser.current.sent(), [{ type: 'ready' }]);
    await browser.current.page.getByText('Simulating…').waitFor();
  });

  it('drops messages that are not what they should be', async () => {
    const page = await browser.show(report);
    await browser.current.send({ type: 'report', report: { ...report, version: 9 } as unknown as Report });
    await browser.current.send({ type: 'status', running: 'maybe' } as never);
    await browser.current.send({ type: 'status', running: false, outdated: true, failure: '' });
    await page.getByText('Out of date:').waitFor();
    assert.equal(await page.locator('.card').count(), 2);
  });

  it('answers first: the headline, its cause, the balance, and a line per workload and reason', async () => {
    const page = await browser.show(report);
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

  it('hides nobody who is hurt or waits where there is little room', async () => {
    const page = await browser.show(report, { width: 420 });
    for (const { kind, lines } of report.answer.groups) {
      if (kind === 'scheduled' || kind === 'moved') continue;
      assert.equal(await page.locator(`.kind-${kind} .answer-line`).count(), lines.length, kind);
    }
    assert.ok(report.answer.groups.some(({ kind, lines }) => kind === 'evicted' && lines.length > 2));
  });

  it('tells in the headline who wins, who loses and what waits apart, and says how current it is', async () => {
    const page = await browser.show(sampleReport());
    const tones = (tone: string): Promise<string[]> => page.locator(`h1 .tone-${tone}`).allTextContents();
    assert.deepEqual(await tones('gain'), ['checkout']);
    const bad = await tones('bad');
    assert.ok(bad.includes('train') && bad.some((text) => /^\d budgets?$/.test(text)), bad.join());
    assert.match((await tones('warning')).join(), /^\d pods? stays? pending$/);
    await page.locator('.scenario').getByText('· up to date').waitFor();
    await page
      .locator('.scenario')
      .getByText(/· 4 nodes, \d+ pods/)
      .waitFor();
    await browser.current.send({ type: 'status', running: false, outdated: true, failure: '' });
    await page.locator('.scenario').getByText('· out of date').waitFor();
  });

  it('says in one line what it rests on, and lists it all on demand', async () => {
    const page = await browser.show(report);
    const text = await page.locator('.rests-line').textContent();
    assert.match(text ?? '', /^Depends on 2 known facts, 1 bound/);
    assert.equal(await page.getByText('No snapshot says where they run').count(), 0);
    await page.getByRole('button', { name: `All ${report.assumptions.length}` }).click();
    await page.getByText('No snapshot says where they run').waitFor();
    await page.getByRole('button', { name: 'Close' }).click();
    await page.getByText('No snapshot says where they run').waitFor({ state: 'detached' });
  });

  it('offers to take a snapshot again that can be', async () => {
    const page = await browser.show(report);
    const refresh = page.getByRole('button', { name: 'Refresh the snapshot' });
    assert.equal(await refresh.count(), 0);
    await browser.current.show({ ...report, snapshot: { context: 'prod', takenAt: '2026-01-01T00:00:00.000Z' } });
    await refresh.click();
    assert.deepEqual((await browser.current.sent()).at(-1), { type: 'command', command: 'refreshSnapshot' });
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
    const page = await browser.show({ ...report, decisions });
    await page.locator(checkout).click();
    const cell = page.getByRole('gridcell', { name: '2025-10-30 11:12:13' });
    assert.equal(await cell.evaluate((element) => element.scrollWidth > element.clientWidth), false);
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
    const page = await browser.show({ ...report, ...nothing });
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
    const page = await browser.show(quiet);
    await page.getByRole('button', { name: /^Drain node-/ }).click();
    assert.match(JSON.stringify((await browser.current.sent()).at(-1)), /"drain node\/node-. --ignore-daemonsets"/);
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
        'Show what is not seen',
        { type: 'command', command: 'showUnseen' },
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
      await browser.current.show({ ...report, ...state });
      await page.getByRole('button', { name: button }).click();
      assert.deepEqual((await browser.current.sent()).at(-1), message);
    }
  });

  it('asks another question: one workload, one file, a drain, everything', async () => {
    const page = await browser.show({ ...report, scenario: { kind: 'workspace' } });
    const asked = page.getByRole('combobox', { name: 'What is asked' });
    assert.equal(await asked.inputValue(), 'now');
    const name = report.workloads[1]!.name;
    await asked.selectOption({ label: name });
    assert.deepEqual((await browser.current.sent()).at(-1), { type: 'ask', about: 'workload', workload: 1 });
    assert.equal(await asked.inputValue(), 'now');
    await asked.selectOption('drain');
    assert.equal(await page.locator('.what-if input').inputValue(), 'drain ');
    await page
      .getByRole('option', { name: /^node-/ })
      .first()
      .waitFor();
    const files = [...new Set(report.workloads.map(({ origin }) => origin?.uri))].filter((uri) => uri !== undefined);
    assert.equal(await asked.locator('optgroup[label="One file"] option').count(), files.length > 1 ? files.length : 0);
    // What is shown is not offered again.
    assert.equal(await asked.locator('option[value=workspace]').count(), 0);
    await browser.current.show({ ...report, scenario: { kind: 'workload', workload: 1, label: name } });
    await asked.locator('option[value=now]').getByText(`Arrival of ${name}`).waitFor({ state: 'attached' });
    await asked.selectOption('workspace');
    assert.deepEqual((await browser.current.sent()).at(-1), { type: 'ask', about: 'workspace' });
  });

  it('marks what groups count on assumed nodes, and not who is gated or refused on any', async () => {
    const page = await browser.show(report);
    const totals = () => page.locator('.answer-group h2').allInnerTexts();
    const known = await totals();
    assert.ok(known.length > 1 && known.every((text) => !text.includes('?')), String(known));
    await browser.current.show({ ...report, nodes: report.nodes.map((node) => ({ ...node, assumed: true })) });
    await page.getByText(/^\? The size of \d+ nodes is assumed: .*\.$/).waitFor();
    const assumed = await totals();
    assert.deepEqual(
      assumed,
      known.map((text) => (/^(Gated|Refused)/.test(text) ? text : text.replace(/\d/, '?$&'))),
    );
  });

  it('leads on from a filter that finds nothing, and from a run that failed', async () => {
    const page = await browser.show(report);
    await page.keyboard.press('/');
    await page.keyboard.type('no such pod');
    await page.getByRole('button', { name: 'Clear the filter' }).click();
    await page.locator('.card').first().waitFor();
    await browser.current.send({ type: 'status', running: false, outdated: false, failure: 'git cannot be run.' });
    await page.getByRole('button', { name: 'Copy details' }).click();
    await page.getByRole('button', { name: 'Show the log' }).click();
    await page.getByRole('status').getByRole('button', { name: 'Run again' }).click();
    assert.deepEqual((await browser.current.sent()).slice(-3), [
      { type: 'copy', text: 'The simulation failed: git cannot be run.' },
      { type: 'command', command: 'showLogs' },
      { type: 'runAgain' },
    ]);
  });

  it('shows a large report, and then what was said behind it', async () => {
    await browser.open();
    const { page } = browser.current;
    const large = bigReport(300, 6000);
    const behind = { type: 'status', running: false, outdated: true, failure: '' } as const;
    // Both are there before the first is checked.
    await page.evaluate(
      (messages) => {
        for (const message of messages) window.postMessage(message, '*');
      },
      [{ type: 'report', report: large } as const, behind],
    );
    await page.getByText('Out of date:').waitFor();
    await page.getByRole('tab', { name: 'Pods 6,060' }).waitFor();
    assert.equal((await page.locator('.card').count()) > 0, true);
  });

  it('[EVI-4] [#35] breaks neither names nor figures of those who lose pods and scrolls to no side, however narrow it is', async () => {
    const row = {
      name: 'customer-notifications-batch',
      ran: 12_345,
      lost: 0.26,
      evicted: 1843,
      again: 291,
      waiting: 1552,
      broken: ['ml-training/exporter-291'],
      down: ['ml-training/exporter-291', 'ml-training/gateway-330', 'ml-training/recommender-cache-405'],
      classes: ['batch-low 100', 'batch-standard 1000'],
      evictedFor: ['batch-standard 1000', 'urgent 1000000'],
    };
    const losses = { by: 'namespace', rows: [row, { ...row, name: 'messaging' }] };
    for (const width of [320, 420, 560, 700, 860, 1000, 1200, 1400, 1600]) {
      const page = await browser.show({ ...report, losses }, { width });
      const table = page.locator('.losses table');
      await table.getByText('exporter-291').first().waitFor();
      const broken = await table.evaluate((each) =>
        [...each.querySelectorAll('.unbroken, .figure')]
          .flatMap((part) => [...part.childNodes].filter(({ nodeType }) => nodeType === Node.TEXT_NODE))
          .filter((text) => {
            const range = document.createRange();
            range.selectNodeContents(text);
            return range.getClientRects().length > 1;
          })
          .map(({ textContent }) => textContent),
      );
      assert.deepEqual(broken, [], `${width}`);
      const overflow = await page
        .locator('.losses')
        .evaluate((each) =>
          Math.max(each.getBoundingClientRect().right - innerWidth, each.scrollWidth - each.clientWidth),
        );
      assert.ok(overflow <= 0, `${width}: ${overflow}`);
      assert.equal(await table.getByText('batch-low').first().isVisible(), width >= 1400);
      assert.deepEqual(await violations(page), []);
    }
  });
});
