import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../../..');

/** What holds a line without a test: the build itself. */
const held: readonly string[] = ['esbuild.mjs'];

interface Line {
  readonly says: string;
  readonly files: readonly string[];
  readonly titles: readonly string[];
}

/** The rows of the tables of docs/security.md. `the same` is what the row before names. */
function linesOf(text: string): readonly Line[] {
  const lines: Line[] = [];
  for (const row of text.split('\n').filter((line) => /^\| .* \|$/.test(line) && !/^\| (?:what|---)? *\|/.test(line))) {
    const cells = row.slice(2, -2).split(' | ');
    const by = cells.at(-1)!;
    const named = [...by.matchAll(/`([\w./-]+\.(?:test\.ts|ts|mjs))`/g)].map(([, file]) => file!);
    const isSame = by.startsWith('the same') || by.startsWith('"');
    const files = [...(isSame ? (lines.at(-1)?.files ?? []) : []), ...named];
    lines.push({ says: cells[0]!, files, titles: [...by.matchAll(/"([^"]+)"/g)].map(([, title]) => title!) });
  }
  return lines;
}

describe('docs/security.md', () => {
  const text = readFileSync(join(root, 'docs/security.md'), 'utf8');
  const lines = linesOf(text);

  it('has lines', () => {
    assert.ok(lines.length > 50, String(lines.length));
  });

  it('names for each line a test that there is', () => {
    for (const { says, files } of lines) {
      assert.ok(
        files.some((file) => file.endsWith('.test.ts') || held.includes(file)),
        says,
      );
      for (const file of files) assert.ok(existsSync(join(root, file)), file);
    }
  });

  it('has settings that weaken a check count from the user alone where the workspace is not trusted', () => {
    const { contributes, capabilities } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
      readonly contributes: {
        readonly configuration: readonly { readonly properties: Readonly<Record<string, unknown>> }[];
      };
      readonly capabilities: { readonly untrustedWorkspaces: { readonly restrictedConfigurations: readonly string[] } };
    };
    const restricted = new Set(capabilities.untrustedWorkspaces.restrictedConfigurations);
    const settings = [contributes.configuration].flat().flatMap(({ properties }) => Object.keys(properties));
    const weakening = settings.filter((name) =>
      /^podium\.(?:rules\.|exclude|sources|cluster\.|diagnostics\.)/.test(name),
    );
    assert.ok(weakening.length > 50, String(weakening.length));
    assert.deepEqual(
      weakening.filter((name) => !restricted.has(name)),
      [],
    );
  });

  it('names tests by titles that they have', () => {
    for (const { files, titles, says } of lines) {
      const sources = files.map((file) => readFileSync(join(root, file), 'utf8'));
      const isThere = (title: string): boolean =>
        sources.some((source) => source.includes(`'${title}`) || source.includes(`\`${title}`));
      const missing = titles.filter((title) => !isThere(title));
      assert.deepEqual(missing, [], says);
    }
  });
});
