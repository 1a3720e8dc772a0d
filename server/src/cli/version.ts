import { readFileSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * The version in the nearest `package.json` of Podium above a file; `unknown` when there is none. The npm package has
 * another name than the extension.
 */
export function packageVersion(file: string): string {
  let folder: string;
  try {
    folder = dirname(realpathSync(file));
  } catch {
    return 'unknown';
  }
  for (;;) {
    const version = versionIn(folder);
    if (version !== undefined) return version;
    const parent = dirname(folder);
    if (parent === folder) return 'unknown';
    folder = parent;
  }
}

function versionIn(folder: string): string | undefined {
  try {
    const manifest: unknown = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    if (typeof manifest !== 'object' || manifest === null) return undefined;
    if (!('name' in manifest) || (manifest.name !== 'podium' && manifest.name !== 'podium-scheduling')) {
      return undefined;
    }
    return 'version' in manifest && typeof manifest.version === 'string' ? manifest.version : undefined;
  } catch {
    return undefined;
  }
}
