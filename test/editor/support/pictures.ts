import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { applyPalette, GIFEncoder, quantize } from 'gifenc';
import type { Page } from 'playwright-core';
import { PNG } from 'pngjs';
import { cache, root } from '../../../scripts/lib/paths.mjs';

/** Pictures go into the documentation when `PODIUM_PICTURES` is `docs`, otherwise where nobody has to look at them. */
const isForDocs = process.env['PODIUM_PICTURES'] === 'docs';
const folder = isForDocs ? join(root, 'docs', 'images') : join(cache, 'pictures');

const still = { animations: 'disabled', caret: 'hide' } as const;

/** Takes a picture of the window. */
export async function takePicture(page: Page, name: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  await page.screenshot({ path: join(folder, `${name}.png`), ...still });
}

/** Pictures of the window that are shown one after the other, for the documentation only. */
export class Film {
  readonly #frames: { readonly png: Buffer; readonly seconds: number }[] = [];

  async take(page: Page, seconds: number): Promise<void> {
    if (isForDocs) this.#frames.push({ png: await page.screenshot({ ...still, scale: 'css' }), seconds });
  }

  write(name: string): void {
    if (!isForDocs) return;
    const encoder = GIFEncoder();
    for (const { png, seconds } of this.#frames) {
      const { width, height, data } = PNG.sync.read(png);
      const palette = quantize(data, 256);
      encoder.writeFrame(applyPalette(data, palette), width, height, { palette, delay: seconds * 1000 });
    }
    encoder.finish();
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, `${name}.gif`), encoder.bytes());
  }
}
