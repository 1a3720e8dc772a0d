import { fileURLToPath } from 'node:url';
import { join } from 'node:path';

/** The folder of the project. */
export const root = fileURLToPath(new URL('../..', import.meta.url)).replace(/[\\/]$/, '');

/** Everything that is downloaded or made and not worth a commit. */
export const cache = join(root, '.cache');

export const dist = join(root, 'dist');

/** The workspace that README, walkthrough and tests use. */
export const sample = join(root, 'samples', 'online-shop');
