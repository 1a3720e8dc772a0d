import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { cache, root } from '../../../scripts/lib/paths.mjs';

/** Pictures go into the documentation when `PODIUM_PICTURES` is `docs`, otherwise where nobody has to look at them. */
const folder = process.env['PODIUM_PICTURES'] === 'docs' ? join(root, 'docs', 'images') : join(cache, 'pictures');

/** Takes a picture of the window. */
export async function takePicture(page: Page, name: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  await page.screenshot({ path: join(folder, `${name}.png`), animations: 'disabled', caret: 'hide' });
}
