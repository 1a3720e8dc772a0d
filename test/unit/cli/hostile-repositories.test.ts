import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { hasRun, type HostileRepository, makeHostileRepositories } from '../../support/hostile-repositories.ts';
import { type Outcome, podium, type Surroundings } from './run-podium.ts';

describe('a repository of a stranger', function () {
  let folder: string;
  let repositories: readonly HostileRepository[];

  /** As somebody works who has a folder of the repository on the path. */
  const inside = (
    { folder: cwd }: HostileRepository,
    args: readonly string[],
    own: Pick<Surroundings, 'stdin' | 'alone'> = {},
  ): Promise<Outcome> =>
    podium(args, { ...own, cwd, env: { PATH: ['', '.', cwd, join(cwd, 'bin'), process.env['PATH']].join(delimiter) } });

  before(() => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'podium-hostile-')));
    repositories = makeHostileRepositories(folder);
    writeFileSync(join(folder, 'later.podium.yaml'), 'events: [cordon node/node-a at 5s]\n');
  });

  after(() => {
    rmSync(folder, { recursive: true });
  });

  it('is one: git as it is called by hand runs what each of them names', () => {
    for (const repository of repositories) {
      const env = { ...process.env, PATH: `${repository.folder}${delimiter}${process.env['PATH']}` };
      spawnSync('git', repository.trap, { cwd: repository.folder, env });
      assert.ok(hasRun(repository), repository.name);
    }
  });

  const commands: readonly (readonly string[])[] = [
    ['check', '.'],
    ['simulate', '.', '--since', 'HEAD'],
    ['simulate', 'pod.yaml', '--since', 'HEAD~1'],
    ['simulate', '.', '--what-if', 'scale Pod/default/third 2'],
    ['sources', '.'],
    ['evict', 'third', '.'],
    ['drain', 'node-a', '.'],
    ['pressure', 'node-a', '.'],
    ['fit', 'pod/default/third', '.'],
    ['threats', 'third', '.'],
    ['simulate', '.', '--event', 'cordon node/node-a at 5s', '--what-if', 'drain node/node-a'],
    ['simulate', '--scenario', '../later.podium.yaml', '--against', '../later.podium.yaml', '.'],
    ['sources', '.', '--fetch', '--yes'],
    ['snapshot', '-o', 'cluster.json'],
  ];
  for (const command of commands) {
    it(`has nothing run by podium ${command.join(' ')}`, async () => {
      await Promise.all(
        repositories.map(async (repository) => {
          const { code, stderr } = await inside(repository, command);
          assert.ok(!hasRun(repository), repository.name);
          assert.ok(code === 0 || code === 1 || code === 2, stderr);
          assert.doesNotMatch(stderr, /^ {4}at /m, repository.name);
        }),
      );
    });
  }

  it('has nothing run by podium mcp, whatever it is asked', async () => {
    const message = (id: number, method: string, params: unknown): string =>
      `${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`;
    const asked = [
      message(0, 'initialize', {
        protocolVersion: '2025-06-18',
        capabilities: {},
        clientInfo: { name: 't', version: '1' },
      }),
      `${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' })}\n`,
      ...['simulate', 'check', 'explain_pending', 'threats', 'drain', 'fit'].map((name, at) =>
        message(at + 1, 'tools/call', {
          name,
          arguments: { pod: 'third', node: 'node-a', workload: 'pod/default/third', since: 'HEAD' },
        }),
      ),
    ].join('');
    await Promise.all(
      repositories.map(async (repository) => {
        const { stdout, stderr } = await inside(repository, ['mcp', '.'], { stdin: asked, alone: true });
        const answered = stdout.split('\n').filter((line) => line !== '');
        assert.equal(answered.length, 7, `${repository.name}: ${stdout}${stderr}`);
        assert.ok(!hasRun(repository), repository.name);
      }),
    );
  });

  it('is told where it keeps git from an answer', async () => {
    const expected: Readonly<Record<string, RegExp>> = {
      'embedded git folder': /committed versions are not known: .*deploy is itself a git directory/,
      'embedded git folder with a commondir': /committed versions are not known: .*deploy is itself a git directory/,
      'worktree redirection': /^$/,
      'filter.clean': /^$/,
    };
    for (const repository of repositories) {
      const pattern = expected[repository.name];
      if (pattern !== undefined) {
        assert.match((await inside(repository, ['check', '.'])).stderr, pattern, repository.name);
      }
    }
  });

  it('is compared as far as that goes without its programs', async () => {
    const since = async (name: string): Promise<Outcome> =>
      inside(
        repositories.find((repository) => repository.name === name)!,
        ['simulate', '.', '--since', 'HEAD'],
      );
    const answered = [
      'fsmonitor',
      'textconv',
      'external diff',
      'hooks',
      'worktree redirection',
      'program in the folder',
    ];
    for (const name of answered) {
      const { stdout, stderr } = await since(name);
      assert.equal(stderr, '', name);
      assert.match(stdout, /git HEAD\s+now\n.*\+ new\s+not there\s+1 of 1/s, name);
    }
    for (const name of ['filter.clean', 'filter.process']) {
      const { stdout, stderr } = await since(name);
      assert.match(stderr, /^podium: pod\.yaml: not compared: the filter evil stands between/m, name);
      assert.match(stdout, /! 2 files are not compared/, name);
    }
    for (const name of ['sshCommand', 'ext', 'uploadPack', 'git file']) {
      const { stdout, stderr } = await since(name);
      assert.match(`${stdout}${stderr}`, /! 2 files are not compared|cannot compare/, name);
    }
  });

  it('is no way in for a commit that is named like an option', async () => {
    const repository = repositories[0]!;
    for (const commit of ['--output=x', '-x', '--exec=touch x', '--upload-pack=touch x', '-']) {
      for (const args of [[`--since=${commit}`], ['--since', commit]]) {
        const { code, stdout } = await inside(repository, ['simulate', '.', ...args]);
        assert.deepEqual([code, stdout], [2, ''], args.join(' '));
      }
    }
    assert.match(
      (await inside(repository, ['simulate', '.', '--since=--output=x'])).stderr,
      /no such commit: --output=x/,
    );
    assert.ok(!existsSync(join(repository.folder, 'x')));
    assert.deepEqual(
      readdirSync(repository.folder).filter((name) => name.includes('output')),
      [],
    );
  });
});
