import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { parse } from 'yaml';
import { addresses, owner, repository, withAbsoluteLinks } from '../../../scripts/lib/addresses.mjs';
import { root } from '../../../scripts/lib/paths.mjs';
import { ruleIndex } from '../../../scripts/lib/rule-index.mjs';
import { askedKinds } from '../../../server/src/capture/asked-kinds.ts';
import { rules } from '../../../server/src/language/rules/registry.ts';

const read = (path: string): string => readFileSync(join(root, path), 'utf8');

const filesIn = (folder: string): readonly string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((name) =>
    join(folder, name).replaceAll('\\', '/'),
  );

const pages = [...readdirSync(root), ...filesIn('docs'), ...filesIn('samples'), ...filesIn('.github')].filter((name) =>
  name.endsWith('.md'),
);

/** Markdown without its code, in which nothing is a link and words are those of programs. */
const prose = (text: string): string => text.replace(/^```[^]*?^```$/gm, '').replace(/`[^`\n]*`/g, '``');

/** Where links and pictures of a page lead to. */
const linksOf = (text: string): readonly string[] =>
  [...prose(text).matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link);

/** As GitHub makes the anchor of a heading. */
const anchorsOf = (text: string): readonly string[] =>
  [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );

describe('the documents', () => {
  it('link only to files and headings that there are', () => {
    for (const page of pages) {
      for (const link of linksOf(read(page))) {
        if (/^[a-z]+:/.test(link)) continue;
        const [path = '', anchor] = link.split('#');
        const target = path === '' ? page : normalize(join(dirname(page), path)).replaceAll('\\', '/');
        assert.ok(existsSync(join(root, target)), `${page}: ${link}`);
        if (anchor !== undefined) assert.ok(anchorsOf(read(target)).includes(anchor), `${page}: ${link}`);
      }
    }
  });

  it('are each linked from the index of theirs', () => {
    const index = `${read('docs/README.md')}${read('docs/maintainers/README.md')}`;
    const linked = new Set(linksOf(index).map((link) => link.split('/').at(-1)));
    const listed = pages.filter((page) => page.startsWith('docs/') && !page.startsWith('docs/rules/'));
    assert.deepEqual(
      listed.filter((page) => !linked.has(page.split('/').at(-1)) && page !== 'docs/README.md'),
      [],
    );
  });

  it('name the repository that package.json names, and no other of its name', () => {
    const named = [...pages, 'action.yml', 'Dockerfile', 'package.json', ...filesIn('integrations')]
      .filter((name) => /\.|Dockerfile/.test(name))
      .flatMap((name) =>
        [...read(name).matchAll(/(?:github\.com|raw\.githubusercontent\.com|uses:) ?\/?([\w.-]+\/podium)\b/g)].map(
          ([, named = '']) => named,
        ),
      );
    assert.ok(named.length >= 5, String(named.length));
    assert.deepEqual(new Set(named), new Set([repository]));
  });

  it('say on the first page where each thing is to be had', () => {
    const readme = read('README.md');
    for (const wanted of ['marketplace', 'openVsx', 'npm', 'image'] as const) {
      assert.ok(readme.includes(addresses[wanted]), addresses[wanted]);
    }
    const manifest = JSON.parse(read('package.json')) as { bugs: { url: string }; homepage: string };
    assert.deepEqual([manifest.bugs.url, manifest.homepage], [addresses.issues, addresses.site]);
    assert.ok(read('.github/CODEOWNERS').includes(`@${owner}/`));
  });

  it('have a first page of one screen, whose number of cases is that of the table', () => {
    const readme = read('README.md');
    assert.ok(readme.split('\n').length < 110, 'the rest is for docs/');
    const cells = [...read('docs/maintainers/conformance.md').matchAll(/\| (\d+)\/\d+ /g)];
    const agreeing = cells.reduce((sum, [, count]) => sum + Number(count), 0);
    const said = Number(/more than ([\d,]+) recorded cases/.exec(readme)?.[1]?.replace(',', ''));
    assert.ok(said <= agreeing && said > agreeing - 2_000, `${said} of ${agreeing}`);
  });

  it('have absolute links in a package, also to a picture and a folder', () => {
    const text = withAbsoluteLinks(
      '[a](docs/rules) ![b](docs/images/view.png) [c](#d) [e](https://f.example)',
      '.',
      '1.0.0',
    );
    assert.equal(
      text,
      `[a](${addresses.repository}/tree/v1.0.0/docs/rules) ![b](https://raw.githubusercontent.com/${repository}/v1.0.0/docs/images/view.png) [c](#d) [e](https://f.example)`,
    );
    assert.throws(() => withAbsoluteLinks('[a](docs/gone.md)', '.'), /docs\/gone\.md/);
  });

  it('have the index of the rules as `npm run settings` writes it', () => {
    assert.equal(read('docs/rules.md'), ruleIndex(rules));
  });

  it('name as permissions of a snapshot all that it asks for, and nothing else', () => {
    const block = /```yaml\n(apiVersion: rbac[^]*?)```/.exec(read('docs/snapshots.md'))![1]!;
    const role = parse(block) as { rules: { apiGroups: string[]; resources: string[] }[] };
    const allowed = role.rules.flatMap(({ apiGroups, resources }) =>
      apiGroups.flatMap((group) => resources.map((resource) => `${group}/${resource}`)),
    );
    const asked = askedKinds.map(({ apiVersion, resource }) => {
      const group = apiVersion.includes('/') ? apiVersion.split('/')[0]! : '';
      return `${group}/${resource}`;
    });
    assert.deepEqual(allowed.toSorted(), [...new Set(asked)].toSorted());
  });
});
