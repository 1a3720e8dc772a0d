import { readFileSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { own } from '../util/own.ts';
import { isObject } from '../util/values.ts';

interface Package {
  readonly folder: string;
  readonly version: string;
  /** The address of its repository; empty where it names none. */
  readonly repository: string;
}

/** What the documentation says about a rule. */
export interface RulePage {
  readonly url: string;
  /** Markdown. */
  readonly text: string;
}

/** The page of a rule, which comes with the Podium that a file is of; null where there is none. */
export function rulePageOf(file: string, code: string): RulePage | null {
  const found = packageOf(file);
  if (found === undefined) return null;
  const path = `docs/rules/${code}.md`;
  const text = textOf(join(found.folder, path)) ?? pageInPackage(found.folder, code);
  return text === undefined ? null : { url: `${found.repository}/blob/v${found.version}/${path}`, text };
}

/** The npm package has all pages in one file, with § for the name of the rule: a hundred files take a fifth more. */
function pageInPackage(folder: string, code: string): string | undefined {
  const pages: unknown = JSON.parse(textOf(join(folder, 'docs/rules.json')) ?? '{}');
  const page = isObject(pages) ? own(pages, code) : undefined;
  return typeof page === 'string' ? page.replaceAll('§', code) : undefined;
}

/** What a package has at a path; the npm package has what is large as `.br`. Undefined where it has neither. */
export function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    try {
      const bytes = readFileSync(`${path}.br`);
      // Not loaded for what is asked most.
      return process.getBuiltinModule('node:zlib').brotliDecompressSync(bytes).toString('utf8');
    } catch {
      return undefined;
    }
  }
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
    const found = manifestIn(folder);
    if (found !== undefined) return { folder, ...found };
    const parent = dirname(folder);
    if (parent === folder) return undefined;
    folder = parent;
  }
}

function manifestIn(folder: string): Omit<Package, 'folder'> | undefined {
  try {
    const manifest: unknown = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    if (!isObject(manifest) || (manifest['name'] !== 'podium' && manifest['name'] !== 'podium-scheduling')) {
      return undefined;
    }
    const { version, repository } = manifest;
    if (typeof version !== 'string') return undefined;
    const url = isObject(repository) && typeof repository['url'] === 'string' ? repository['url'] : '';
    return { version, repository: url.replace(/^git\+/, '').replace(/\.git$/, '') };
  } catch {
    return undefined;
  }
}
