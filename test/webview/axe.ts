import axe from 'axe-core';
import type { Page } from 'playwright-core';

/**
 * Where the system forces its colours, axe-core takes for the colour of text what `-webkit-text-fill-color` is computed
 * as, which is the one that the page wanted; painted is `color`.
 */
async function readPaintedColours(page: Page): Promise<void> {
  await page.evaluate(() => {
    const style = CSSStyleDeclaration.prototype;
    const read = Reflect.get(style, 'getPropertyValue');
    style.getPropertyValue = function (name) {
      return read.call(this, name === '-webkit-text-fill-color' ? 'color' : name);
    };
  });
}

/** What axe-core finds in the colours that the system forces on the page. */
export async function violationsInForcedColours(page: Page, colorScheme: 'dark' | 'light'): Promise<readonly string[]> {
  await page.emulateMedia({ forcedColors: 'active', colorScheme });
  await readPaintedColours(page);
  return violations(page);
}

/** What axe-core finds: rule and element. Through the debugger, because the policy of the page lets in no other script. */
export async function violations(page: Page): Promise<readonly string[]> {
  await page.evaluate(axe.source);
  return page.evaluate(async () => {
    const { axe: inPage } = window as unknown as { axe: typeof axe };
    const { violations: found } = await inPage.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa'] });
    return found.flatMap(({ id, nodes }) =>
      nodes.map((node) => `${id}: ${node.html.slice(0, 200)} ${node.failureSummary ?? ''}`),
    );
  });
}
