import { readFileSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';

interface Package {
  readonly folder: string;
  readonly version: string;
}

/** The version of the Podium that a file is of; `unknown` where there is none. */
export function packageVersion(file: string): string {
  return packageOf(file)?.version ?? 'unknown';
}

/** The nearest `package.json` of Podium above a file. The npm package has another name than the extension. */
export function packageOf(file: string): Package | undefined {
  let folder: string;
  try {
    folder = dirname(realpathSync(file));
  } catch {
    return undefined;
  }
  for (;;) {
    const version = versionIn(folder);
    if (version !== undefined) return { folder, version };
    const parent = dirname(folder);
    if (parent === folder) return undefined;
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
