import assert from 'node:assert/strict';
import { bigReport } from './big-report.ts';
import { violations, violationsInForcedColours } from './axe.ts';
import { pages } from './pages.ts';
import { samplePod, sampleReport } from './sample-report.ts';
import { type OtherThemeName, otherThemes, type ThemeName, themes } from './themes.ts';

const report = sampleReport();
const checkout = `#after-1-${samplePod('checkout-1')}`;

describe('[ED-5] how the report page can be used by everybody', function () {
  const browser = pages();

  it('moves nothing when motion is to be reduced', async () => {
    const page = await browser.show(report, { reducedMotion: true });
    const moving = await page.evaluate(
      () =>
        [...document.querySelectorAll('#report *')].filter((element) => {
          const { transitionDuration, animationName } = getComputedStyle(element);
          return transitionDuration.split(', ').some((duration) => duration !== '0s') || animationName !== 'none';
        }).length,
    );
    assert.equal(moving, 0);
  });

  for (const theme of [...Object.keys(themes), ...Object.keys(otherThemes)] as (ThemeName | OtherThemeName)[]) {
    it(`violates no rule of axe, whatever is open (${theme})`, async () => {
      const page = await browser.show(report, { theme });
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
  }

  it('[#35] violates no rule of axe with zones of many nodes, nodes that were empty, and a step that is out of sight', async () => {
    const empty = report.pods.map((pod) => ({ ...pod, before: { state: 'pending', node: null } as const }));
    for (const shown of [bigReport(300, 900), { ...report, pods: empty }]) {
      const page = await browser.show(shown);
      await page.locator('.map').waitFor();
      assert.deepEqual(await violations(page), []);
      for (const tab of ['Decisions', 'Pods']) {
        await page.getByRole('tab', { name: tab }).click();
        assert.deepEqual(await violations(page), [], tab);
      }
    }
  });

  for (const scheme of ['dark', 'light'] as const) {
    it(`[#35] violates no rule of axe where the system forces its colours (${scheme})`, async () => {
      const page = await browser.show(report, { theme: scheme });
      await page.locator('.map').waitFor();
      assert.deepEqual(await violationsInForcedColours(page, scheme), []);
      await page.locator(checkout).click();
      for (const tab of ['Timeline', 'Decisions', 'Pods', 'Nodes', 'Map']) {
        await page.getByRole('tab', { name: tab }).click();
        assert.deepEqual(await violations(page), [], tab);
      }
      const big = await browser.show(bigReport(300, 900), { theme: scheme });
      await big.locator('.map').waitFor();
      assert.deepEqual(await violationsInForcedColours(big, scheme), []);
    });
  }

  it('[#35] stops once in the answer and once in the timeline, whose arrow keys walk', async () => {
    const page = await browser.show(report);
    await page.getByRole('tab', { name: 'Timeline' }).click();
    for (const block of ['.answer', '.lanes']) {
      const buttons = page.locator(`${block} button`);
      assert.ok((await buttons.count()) > 2, block);
      assert.equal(await page.locator(`${block} button:not([tabindex="-1"])`).count(), 1, block);
      await buttons.first().focus();
      await page.keyboard.press('ArrowDown');
      const walked = page.locator(`${block} button:focus`);
      assert.equal(await walked.getAttribute('tabindex'), '0');
      assert.notEqual(await walked.textContent(), await buttons.first().textContent());
      await page.keyboard.press('Tab');
      assert.equal(await page.locator(`${block} button:focus`).count(), 0, block);
    }
  });

  for (const theme of Object.keys(themes) as ThemeName[]) {
    it(`gives everything a name and shows the focus (${theme})`, async () => {
      const page = await browser.show(report, { theme });
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
