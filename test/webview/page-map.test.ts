import assert from 'node:assert/strict';
import { PNG } from 'pngjs';
import { violations } from './axe.ts';
import { bigReport } from './big-report.ts';
import { exportedMap } from './harness.ts';
import { pages } from './pages.ts';
import { samplePod, sampleReport } from './sample-report.ts';
import { type ThemeName, themes } from './themes.ts';

const report = sampleReport();

describe('[ED-5] the map of the report page', function () {
  const browser = pages();

  it('walks the map with the arrow keys, opens the drawer with Space and the manifest with Enter', async () => {
    const page = await browser.show(report);
    await page.locator('.map [tabindex="0"]').focus();
    assert.match((await browser.activeName()) ?? '', /^zone-a\s+1 node/);
    await page.keyboard.press('PageDown');
    assert.match((await browser.activeName()) ?? '', /^zone-b\s+1 node/);
    await page.keyboard.press('ArrowRight');
    assert.match((await browser.activeName()) ?? '', /^node-b\s+3 evicted\s+for checkout-1/);
    await page.keyboard.press('End');
    assert.match((await browser.activeName()) ?? '', /^\+ checkout-1, new/);
    const sent = (await browser.current.sent()).length;
    await page.keyboard.press('Space');
    await page.getByRole('region', { name: 'checkout-1' }).waitFor();
    assert.match((await browser.activeName()) ?? '', /^\+ checkout-1/);
    assert.equal((await browser.current.sent()).length, sent);
    await page.keyboard.press('Enter');
    assert.deepEqual((await browser.current.sent()).at(-1), {
      type: 'reveal',
      origin: report.pods[samplePod('checkout-1')]!.origin,
    });
    await page.keyboard.press('Escape');
    await page.getByRole('region', { name: 'checkout-1' }).waitFor({ state: 'detached' });
    assert.match((await browser.activeName()) ?? '', /^\+ checkout-1/);
    await page.keyboard.press('ArrowUp');
    assert.match((await browser.activeName()) ?? '', /^− (train|thumb)/);
  });

  it('opens a zone with Enter and closes it again', async () => {
    const page = await browser.show(bigReport(300, 900));
    const zone = page.getByRole('gridcell', { name: 'zone-b 100 nodes' });
    await zone.focus();
    assert.equal(await zone.getAttribute('aria-expanded'), 'false');
    await page.keyboard.press('Enter');
    await page.locator('#report .zone', { has: zone }).locator('.card').first().waitFor();
    assert.equal(await zone.getAttribute('aria-expanded'), 'true');
  });

  it('goes into a node with Enter or two clicks, where each pod has a place, and back with Escape', async () => {
    const crowded = bigReport(30, 900);
    const page = await browser.show(crowded, { theme: 'light' });
    const node = crowded.victims[0]!.node;
    const head = page.locator(`#head-${node}`);
    await head.focus();
    await page.keyboard.press('Enter');
    const pods = page.locator('.node-pod');
    await pods.first().waitFor();
    const on = crowded.pods.filter(({ before, after }) => before.node === node || after.node === node).length;
    assert.equal(await pods.count(), on);
    assert.equal(await page.locator('.card').count(), 1);
    assert.equal(await page.getByText(/pods not touched/).count(), 0);
    await page.locator('.legend').getByText('width = cpu').waitFor();
    // Those that change stand first; the focus stays with the node.
    assert.match((await pods.first().getAttribute('title')) ?? '', /^− .*, evicted/);
    assert.equal(await head.evaluate((element) => element === document.activeElement), true);
    assert.deepEqual(await violations(page), []);
    // Into a pod, out of it, out of the node.
    await page.keyboard.press('PageDown');
    await page.keyboard.press('Space');
    await page.locator('.drawer').waitFor();
    await page.keyboard.press('Escape');
    await page.locator('.drawer').waitFor({ state: 'detached' });
    assert.equal(await page.locator('.node-pod').count(), on);
    await page.keyboard.press('Escape');
    await pods.first().waitFor({ state: 'detached' });
    assert.ok((await page.locator('.card').count()) > 1);
    // As with the mouse; whoever is led to another node sees that one.
    await head.dblclick();
    await pods.first().waitFor();
    await page.getByRole('button', { name: 'All nodes' }).click();
    await pods.first().waitFor({ state: 'detached' });
    await head.dblclick();
    await pods.first().waitFor();
    const elsewhere = crowded.victims.findIndex((victim) => victim.node !== node);
    for (let at = 0; at <= elsewhere; at++) await page.keyboard.press('j');
    await pods.first().waitFor({ state: 'detached' });
  });

  it('goes from victim to victim with j and k', async () => {
    const page = await browser.show(report);
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

  it('has in its legend each mark of the map, and no other', async () => {
    const page = await browser.show(report);
    const marks = page.getByRole('list', { name: 'Marks' }).first().locator('li');
    assert.deepEqual(await marks.allTextContents(), ['− evicted', '+ new', 'not touched', 'free']);
    await page.keyboard.press('[');
    for (let press = 0; press < 6; press++) await page.keyboard.press('[');
    assert.deepEqual(await marks.allTextContents(), ['not touched', 'free']);
  });

  it('draws pods that end without being evicted calmly, on the map, in the timeline and in the picture', async () => {
    const train = samplePod('train-1');
    const ended = {
      ...report,
      victims: report.victims.filter(({ pod }) => pod !== train),
      timeline: report.timeline.map((stay) =>
        stay.pod === train && stay.kind === 'evicted' ? { ...stay, kind: 'ended' as const } : stay,
      ),
    };
    for (const theme of ['dark', 'light'] as const) {
      const page = await browser.show(ended, { theme });
      const colours = (selector: string) =>
        page
          .locator(selector)
          .first()
          .evaluate((element) => [getComputedStyle(element).backgroundColor, getComputedStyle(element).color]);
      assert.deepEqual(await colours('.tile.look-ended'), await colours('.tile.look-running'));
      assert.notDeepEqual(await colours('.tile.look-ended'), await colours('.tile.look-evicted'));
      assert.deepEqual(await colours('.span.span-ended'), await colours('.tile.look-running'));
      const marks = page.getByRole('list', { name: 'Marks' });
      assert.ok((await marks.first().locator('li').allTextContents()).includes('· ended'));
      assert.ok((await marks.last().locator('li').allTextContents()).includes('· ends, in its grace period'));
      assert.match((await page.locator('.tile.look-ended').getAttribute('title')) ?? '', /^· train-1, ended, /);
      assert.deepEqual(await violations(page), []);
      const exported = await exportedMap(browser.current);
      const picture = await page.evaluate((svg) => {
        const parsed = new DOMParser().parseFromString(svg, 'image/svg+xml');
        const fills = [...parsed.querySelectorAll('svg svg')].map((tile) => [
          tile.querySelector('title')?.textContent ?? '',
          tile.querySelector('rect')?.getAttribute('fill') ?? '',
        ]);
        return { fills, words: [...parsed.querySelectorAll('text')].map(({ textContent }) => textContent) };
      }, exported);
      const fill = (start: string) => picture.fills.find(([title]) => title?.startsWith(start))?.[1];
      assert.equal(fill('· train-1, ended, '), fill('cache-1, not touched, '));
      assert.notEqual(fill('· train-1, ended, '), fill('− train-2, evicted, '));
      assert.ok(picture.words.some((words) => words.includes('− evicted, · ended, + new')));
    }
  });

  it('changes what gives the width, and shows priorities on request', async () => {
    const page = await browser.show(report);
    await page.getByRole('button', { name: 'width = cpu, the scarcest' }).click();
    await page.getByRole('button', { name: 'width = memory' }).waitFor();
    assert.equal(await page.locator('[class*="rung-edge-"]').count(), 0);
    await page.getByRole('button', { name: 'show priorities' }).click();
    await page.getByRole('list', { name: 'Priority ladder' }).waitFor();
    await page.locator('.tile[class*="rung-edge-"]').first().waitFor();
  });

  it('draws what is not touched calmer than victims, in every theme', async () => {
    for (const theme of Object.keys(themes) as ThemeName[]) {
      const page = await browser.show(report, { theme });
      const distance = async (selector: string): Promise<number> => {
        const [ground, tile] = await page.evaluate(
          (of) => ['body', of].map((each) => getComputedStyle(document.querySelector(each)!).backgroundColor),
          selector,
        );
        const channels = [ground, tile].map((css) => (css!.match(/[\d.]+/g) ?? []).slice(0, 3).map(Number));
        return Math.max(...channels[1]!.map((channel, index) => Math.abs(channel - channels[0]![index]!)));
      };
      assert.ok((await distance('.tile.look-running')) < (await distance('.tile.look-evicted')), theme);
      await browser.current.close();
    }
    await browser.show(report);
  });

  it('has room for the highest priority there is', async () => {
    const pods = report.pods.map((pod) => ({ ...pod, priority: 2_000_001_000 }));
    const page = await browser.show({ ...report, pods });
    await page.getByRole('tab', { name: 'Pods' }).click();
    const cut = await page
      .getByRole('gridcell', { name: '2,000,001,000' })
      .evaluateAll((cells) => cells.filter((cell) => cell.scrollWidth > cell.clientWidth).length);
    assert.equal(cut, 0);
  });

  it('draws its map as a picture, in the colours of the theme', async () => {
    const page = await browser.show(report);
    await page.getByLabel('Export').selectOption('png');
    const exported = await browser.current.said('exportPicture');
    const { width, height, data } = PNG.sync.read(Buffer.from(exported.png, 'base64'));
    assert.equal(width, 2400);
    assert.ok(height > 400);
    assert.deepEqual([...data.subarray(0, 3)], [0x1f, 0x1f, 0x1f]);
  });

  it('draws few elements, however large the cluster is', async () => {
    for (const [nodes, pods] of [
      [300, 6000],
      [5000, 10_000],
    ] as const) {
      const page = await browser.show(bigReport(nodes, pods));
      assert.ok((await page.locator('*').count()) <= 2500);
      await page.getByRole('tab', { name: 'Pods' }).click();
      assert.ok((await page.locator('.grid-row').count()) < 120);
      await page.getByRole('grid', { name: 'Pods' }).focus();
      await page.keyboard.press('End');
      await page.locator('.grid-row[aria-selected="true"]').waitFor();
      await browser.current.close();
    }
    await browser.show(report);
  });

  it('draws the map in the colours of the system when it forces them, what is not touched the quietest', async () => {
    const page = await browser.show(report, { theme: 'hc-black' });
    await page.emulateMedia({ forcedColors: 'active' });
    const [running, evicted, legend, evictedInLegend] = await page.evaluate(() => {
      const probe = document.body.appendChild(document.createElement('i'));
      const nameOf = new Map<string, string>();
      for (const name of ['CanvasText', 'Canvas', 'GrayText']) {
        probe.style.cssText = `forced-color-adjust: none; color: ${name}`;
        nameOf.set(getComputedStyle(probe).color, name);
      }
      return ['.tile.look-running', '.tile.look-evicted', '.swatch.look-running', '.swatch.look-evicted'].map(
        (part) => {
          const { color, backgroundColor, borderTopColor } = getComputedStyle(document.querySelector(part)!);
          return [color, backgroundColor, borderTopColor].map((colour) => nameOf.get(colour) ?? colour);
        },
      );
    });
    assert.deepEqual(running, ['GrayText', 'Canvas', 'GrayText']);
    assert.deepEqual(evicted, ['CanvasText', 'Canvas', 'CanvasText']);
    assert.deepEqual(legend, running);
    assert.deepEqual(evictedInLegend, evicted);
  });
});
