import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'mocha';
import { lineWidth } from '../../../server/src/cli/terminal/width.ts';
import { decide, podium as run, projectFolder, type Surroundings } from './run-podium.ts';

/** Each in a process of its own, as a user runs it. */
const podium = (args: readonly string[], surroundings: Surroundings = {}): ReturnType<typeof run> =>
  run(args, { ...surroundings, alone: true });

describe('podium', () => {
  it('explains its commands', async () => {
    const { code, stdout, stderr } = await podium(['--help']);
    assert.equal(code, 0);
    assert.equal(stderr, '');
    for (const name of ['simulate', 'check', 'evict', 'drain', 'fit', 'threats', 'snapshot', 'pressure', 'lsp']) {
      assert.match(stdout, new RegExp(`^  podium ${name} `, 'm'));
    }
    for (const line of stdout.split('\n')) assert.ok(line.length <= 100, line);
  });

  it('explains one command, in either order of words', async () => {
    const { code, stdout } = await podium(['simulate', '--help']);
    assert.equal(code, 0);
    assert.match(stdout, /^Usage: podium simulate PATH…/);
    assert.equal((await podium(['help', 'simulate'])).stdout, stdout);
  });

  for (const name of ['simulate', 'check', 'evict', 'pressure']) {
    it(`tells what the exit codes of ${name} mean, in lines of at most 100 columns`, async () => {
      const { stdout } = await podium([name, '--help']);
      assert.match(stdout, /^Exit codes: 0 .*\b2 could not run\.$/m);
      for (const line of stdout.split('\n')) assert.ok(line.length <= 100, line);
    });
  }

  it('without a command shows how to use it and fails', async () => {
    const { code, stdout, stderr } = await podium([]);
    assert.equal(code, 2);
    assert.equal(stdout, '');
    assert.match(stderr, /^Usage:$/m);
  });

  const wrong: readonly (readonly [readonly string[], string])[] = [
    [['simulte'], "podium: unknown command 'simulte'; did you mean 'simulate'? Try 'podium --help'.\n"],
    [['--colour'], "podium: unknown option '--colour'. Try 'podium --help'.\n"],
    [['simulate'], "podium simulate: name at least one file or folder. Try 'podium simulate --help'.\n"],
    [
      ['simulate', '.', '--snapshto', 'x'],
      "podium simulate: unknown option '--snapshto'; did you mean '--snapshot'? Try 'podium simulate --help'.\n",
    ],
    [
      ['simulate', '.', '--format'],
      "podium simulate: option '--format <value>' argument missing. Try 'podium simulate --help'.\n",
    ],
    [
      ['simulate', 'samples', '--fail-on', 'evictd'],
      "podium simulate: --fail-on must be evicted or budget or pending or refused or down or blocked or unseen, not 'evictd'; did you mean 'evicted'? Try 'podium simulate --help'.\n",
    ],
    [
      ['simulate', 'samples', '--workload', 'Deployment/shop/crat'],
      'podium simulate: no Deployment shop/crat is declared; did you mean Deployment/shop/cart?\n',
    ],
    [
      ['drain', 'general-x', 'samples'],
      'podium drain: nodes "general-x" not found; the nearest are general-a, general-b, general-c.\n',
    ],
    [['simulate', 'no/such/place'], 'podium simulate: no such file or folder: no/such/place.\n'],
    [
      ['simulate', 'sample/online-shop'],
      "podium simulate: no such file or folder: sample/online-shop; did you mean 'samples'?\n",
    ],
    [
      ['simulate', 'samples', '--against', 'samples/online-shop/budget.yaml'],
      "podium simulate: no such file or folder: samples/online-shop/budget.yaml; did you mean 'samples/online-shop/budgets.yaml'?\n",
    ],
    [
      ['drain', '--selector', 'shop.example/pool=generl', 'samples'],
      "podium drain: no node carries shop.example/pool=generl; did you mean 'shop.example/pool=general'?\n",
    ],
    [
      ['evict', 'shop/storefrnt', 'samples'],
      "podium evict: no pod shop/storefrnt is declared, and no workload of that name makes any; did you mean 'shop/storefront'?\n",
    ],
    [['simulate', '-'], 'podium simulate: no Kubernetes manifests in standard input.\n'],
    [['simulate', 'LICENSE'], 'podium simulate: no Kubernetes manifests in LICENSE.\n'],
    [
      ['simulate', 'samples', '--format', 'xml'],
      "podium simulate: --format must be table or markdown or json or html, not 'xml'; did you mean 'html'? Try 'podium simulate --help'.\n",
    ],
    [
      ['simulate', 'samples', '--workload', 'checkout'],
      "podium simulate: --workload must be KIND/NAMESPACE/NAME, not 'checkout'. Try 'podium simulate --help'.\n",
    ],
    [
      ['simulate', 'samples', '--workload', 'Deployment/shop/nothing'],
      'podium simulate: no Deployment shop/nothing is declared.\n',
    ],
    [
      ['simulate', 'samples', '--file', 'samples/online-shop/quota.yaml'],
      'podium simulate: no workload is declared in quota.yaml.\n',
    ],
    [
      ['simulate', 'samples', '--assume-nodes', '0'],
      "podium simulate: --assume-nodes: '0' is not a number from 1 to 1000. Try 'podium simulate --help'.\n",
    ],
    [
      ['simulate', 'samples', '--assume-nodes', '2:lots'],
      "podium simulate: --assume-nodes: 'lots' is not a quantity. Try 'podium simulate --help'.\n",
    ],
    [
      ['simulate', 'samples', '--assume-nodes', '2:1e999999'],
      "podium simulate: --assume-nodes: '1e999999' is not a quantity. Try 'podium simulate --help'.\n",
    ],
    [
      ['simulate', 'samples', '--seed', 'x'],
      "podium simulate: --seed must be a whole number, not 'x'. Try 'podium simulate --help'.\n",
    ],
    [['lsp'], "podium lsp: say how to connect: --stdio. Try 'podium lsp --help'.\n"],
  ];
  for (const [args, line] of wrong) {
    it(`answers \`${args.join(' ')}\` with one line and exit code 2`, async () => {
      assert.deepEqual(await podium(args), { code: 2, stdout: '', stderr: line });
    });
  }

  it('keeps to the width that COLUMNS says, and to a readable one', async () => {
    const args = ['evict', 'shop/storefront', 'samples/online-shop'];
    const longest = async (COLUMNS: string): Promise<number> => {
      const { stdout } = await podium(args, { env: { COLUMNS } });
      // A command is not broken: it is there to be copied.
      const lines = stdout.split('\n').filter((line) => !/^ +podium /.test(line));
      return Math.max(...lines.map((line) => line.length));
    };
    const [narrow, tiny, wide] = await Promise.all([longest('60'), longest('0'), longest('100')]);
    assert.ok(narrow > 50 && narrow <= 60, `${narrow} columns`);
    assert.equal(tiny, wide);
    assert.equal(lineWidth(0, {}), 100);
    assert.equal(lineWidth(undefined, { COLUMNS: 'many' }), 100);
    assert.equal(lineWidth(80, { COLUMNS: '' }), 80);
    assert.equal(lineWidth(8, {}), 40);
  });

  it('cannot answer without a file that was asked for', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'podium-program-'));
    await symlink('circle.yaml', join(folder, 'circle.yaml'));
    for (const args of [
      ['simulate', 'circle.yaml'],
      ['check', '-', '--snapshot', 'circle.yaml'],
      ['evict', 'shop/web', '--snapshot', 'circle.yaml'],
    ]) {
      const { code, stdout, stderr } = await podium(args, { cwd: folder });
      assert.deepEqual({ code, stdout }, { code: 2, stdout: '' });
      assert.match(stderr, /cannot read circle\.yaml \(ELOOP\)/);
    }
    await rm(folder, { recursive: true });
  });

  it('knows the version of its package', async () => {
    const { version } = JSON.parse(await readFile(`${projectFolder}/package.json`, 'utf8')) as { version: string };
    assert.deepEqual(await podium(['--version']), { code: 0, stdout: `podium ${version}\n`, stderr: '' });
  });
});

describe('dist/decide.mjs', () => {
  const fits = JSON.stringify({
    id: 'one',
    mode: 'cycle',
    objects: [
      { apiVersion: 'v1', kind: 'Node', metadata: { name: 'a' }, status: { allocatable: { cpu: '1', pods: '10' } } },
      {
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: { name: 'web', namespace: 'default' },
        spec: { containers: [{ name: 'main', image: 'app' }] },
      },
    ],
  });

  it('answers line by line, in order, and goes on after a line that it cannot read', async () => {
    const { code, stdout, stderr } = await decide(`${fits}\r\n\n{oops\n${fits.replace('"one"', '"two"')}`);
    const lines = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { id?: string; error?: string; cycles?: { best: string[] }[] });
    assert.deepEqual({ code, stderr }, { code: 0, stderr: '' });
    assert.deepEqual(
      lines.map(({ id, error }) => [id, error !== undefined]),
      [
        ['one', false],
        [undefined, true],
        ['two', false],
      ],
    );
    assert.deepEqual(lines[0]?.cycles?.[0]?.best, ['a']);
  });

  it('completes commands and the options of each in bash, zsh and fish', async () => {
    for (const shell of ['bash', 'zsh']) {
      const { code, stdout } = await podium(['completion', shell]);
      assert.equal(code, 0);
      assert.match(stdout, /words='simulate check /);
      assert.match(stdout, /^ {6}simulate\) words='[^']*--what-if[^']*--fail-on[^']*' ;;$/m);
      assert.match(stdout, /^complete -o filenames -F _podium podium$/m);
    }
    const fish = (await podium(['completion', 'fish'])).stdout;
    assert.match(fish, /^complete -c podium -n '__fish_seen_subcommand_from drain' -l ignore-daemonsets$/m);
    assert.match(fish, /__fish_seen_subcommand_from simulate' -l workload -x -a '\(podium completion names simulate /);
    assert.match(fish, /__fish_seen_subcommand_from drain; .* -a '\(podium completion names drain 2>\/dev\/null\)'$/m);
    const names = async (...args: readonly string[]) =>
      (await podium(['completion', 'names', ...args])).stdout.trim().split('\n');
    const shop = 'samples/online-shop';
    assert.deepEqual(await names('drain', shop), ['data-a', 'general-a', 'general-b', 'general-c']);
    assert.ok((await names('fit', shop)).includes('Deployment/shop/cart'));
    assert.ok((await names('evict', shop)).includes('shop/cart'));
    assert.deepEqual(await names('drain', 'LICENSE'), ['']);
    // What a shell is given it expands: a name may be a command.
    const strange = ['`id`', '$(id)', '${HOME}', '~', 'a b', '-x', '*', 'node-ok'].map(
      (name) => `apiVersion: v1\nkind: Node\nmetadata: { name: ${JSON.stringify(name)} }\n`,
    );
    const folder = await mkdtemp(join(tmpdir(), 'podium-names-'));
    await writeFile(join(folder, 'nodes.yaml'), strange.join('---\n'));
    assert.deepEqual(await names('drain', folder), ['node-ok']);
    await rm(folder, { recursive: true });
    assert.match((await podium(['completion', 'bsh'])).stderr, /name a shell: bash, zsh, fish; did you mean 'bash'\?/);
  });
});
