import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, it } from 'mocha';
import { root } from '../../../scripts/lib/paths.mjs';
import { shipped } from '../../../scripts/lib/shipped.mjs';
import { describeWithTools, toolFolder } from '../../support/kubernetes-tools.ts';
import { type AttackedFolder, attackedFolder, givesAway } from '../../support/render-attacks.ts';
import { podium, type Outcome } from './run-podium.ts';

for (const [mode, PODIUM_TEST_WITHOUT_SANDBOX] of [
  ['in a sandbox', '0'],
  ['without a sandbox', '1'],
] as const) {
  describeWithTools(`what a repository may not get out, ${mode}`, () => {
    let folder: string;
    let attacked: AttackedFolder;
    const env = { PATH: `${toolFolder('v34')}:${process.env['PATH'] ?? ''}`, PODIUM_TEST_WITHOUT_SANDBOX };
    const run = (...args: string[]): Promise<Outcome> => podium(args, { cwd: attacked.repository, env });
    const holds = ({ stdout, stderr }: Outcome): void => {
      const lines = `${stdout}\n${stderr}`.split('\n');
      assert.deepEqual(
        lines.filter((line) => givesAway(line)).map((line) => line.slice(0, 300)),
        [],
      );
      assert.deepEqual(attacked.asked, []);
      assert.ok(!existsSync(join(attacked.outside, 'RAN')));
    };

    before(async () => {
      folder = realpathSync(mkdtempSync(join(tmpdir(), 'podium-attacked-')));
      attacked = await attackedFolder(folder);
    });

    after(async () => {
      await attacked.stop();
      rmSync(folder, { recursive: true });
    });

    it('is what kubectl and helm give away by themselves', () => {
      const { repository, asked } = attacked;
      const tool = (name: string, ...args: string[]): string => {
        const { stdout, stderr } = spawnSync(join(toolFolder('v34'), name), args, {
          cwd: repository,
          encoding: 'utf8',
        });
        return stdout + stderr;
      };
      const unrestricted = ['--load-restrictor', 'LoadRestrictionsNone'];
      const leaking = ['generators', 'files-case', 'files-fold', 'resources-fold', 'link-file', 'link-base', 'git'];
      for (const name of leaking) {
        assert.ok(givesAway(tool('kubectl', 'kustomize', `attacks/${name}`, ...unrestricted)), name);
      }
      for (const name of ['chart-link-file', 'chart-link-folder', 'chart-link-git', 'chart-link-values']) {
        assert.ok(givesAway(tool('helm', 'template', 'x', `attacks/${name}`)), name);
      }
      assert.deepEqual(asked, []);
    });

    it('is a source each', async () => {
      const { stdout } = await run('sources', '.', '--format', 'json');
      const { sources } = JSON.parse(stdout) as { sources: { path: string }[] };
      const paths = sources.map(({ path }) => path);
      const unfound = attacked.attacks.filter(
        ({ name, isQuiet }) => isQuiet !== true && !paths.some((path) => path.includes(`attacks/${name}/`)),
      );
      assert.deepEqual(
        unfound.map(({ name }) => name),
        [],
      );
    });

    for (const args of [
      ['sources', '.'],
      ['check', '.'],
      ['check', '.', '--format', 'sarif'],
      ['simulate', '.', '--format', 'markdown'],
      ['simulate', '.', '--format', 'json', '--since', 'HEAD'],
    ]) {
      it(`is not in the answer of podium ${args.join(' ')}`, async () => {
        const outcome = await run(...args);
        holds(outcome);
        assert.match(outcome.stdout, /pod/i);
        assert.equal(
          outcome.stderr.includes('ran without a sandbox'),
          PODIUM_TEST_WITHOUT_SANDBOX === '1',
          outcome.stderr,
        );
      });
    }

    it('is not in what podium mcp answers', async () => {
      const message = (id: number, method: string, params: unknown): string =>
        `${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`;
      const info = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 't', version: '1' } };
      const leaking = [
        'link-base',
        'resources-folder',
        'resources-fold',
        'chart-link-file',
        'generators',
        'flux-files',
      ];
      const stdin = [
        message(0, 'initialize', info),
        `${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' })}\n`,
        ...leaking.map((name, at) =>
          message(at + 1, 'tools/call', { name: 'check', arguments: { path: `attacks/${name}` } }),
        ),
        message(99, 'tools/call', { name: 'simulate', arguments: {} }),
      ].join('');
      const outcome = await podium(['mcp', '.'], { cwd: attacked.repository, env, stdin, alone: true });
      assert.equal(outcome.stdout.trim().split('\n').length, leaking.length + 2, outcome.stderr);
      holds(outcome);
    });

    it('is not in what podium mcp answers of folders beside those that it serves', async () => {
      const served = join(attacked.repository, 'attacks/inner-base/in');
      writeFileSync(
        join(served, 'kustomization.yaml'),
        'resources: [../../flux-path/../../base.yaml, ../../../base]\n',
      );
      const asked = { name: 'check', arguments: {} };
      const info = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 't', version: '1' } };
      const stdin = [
        { jsonrpc: '2.0', id: 0, method: 'initialize', params: info },
        { jsonrpc: '2.0', method: 'notifications/initialized' },
        { jsonrpc: '2.0', id: 1, method: 'tools/call', params: asked },
      ].map((each) => `${JSON.stringify(each)}\n`);
      const { stdout } = await podium(['mcp', served], { cwd: folder, env, stdin: stdin.join(''), alone: true });
      rmSync(join(served, 'kustomization.yaml'));
      assert.match(stdout, /lead out of the folder that is worked on/);
      assert.doesNotMatch(stdout, /Pod (?:default\/)?base/);
    });

    it('is not in what the action writes', async () => {
      const acting = [
        'link-base',
        'resources-fold',
        'chart-link-folder',
        'generators',
        'files-case',
        'git',
        'schema-ref',
      ];
      const { podium: script } = await shipped();
      writeFileSync(join(folder, 'event.json'), JSON.stringify({ pull_request: { number: 7, base: { sha: 'HEAD' } } }));
      const acted = spawnSync(process.execPath, [join(root, 'integrations/github-action.mjs')], {
        cwd: attacked.repository,
        encoding: 'utf8',
        env: {
          ...process.env,
          ...env,
          PODIUM: script,
          PODIUM_PATH: acting.map((name) => `attacks/${name}`).join('\n'),
          PODIUM_BASE: 'HEAD',
          PODIUM_COMMENT: 'false',
          RUNNER_TEMP: folder,
          GITHUB_REPOSITORY: 'shop/infra',
          GITHUB_EVENT_PATH: join(folder, 'event.json'),
          GITHUB_OUTPUT: join(folder, 'output'),
          GITHUB_STEP_SUMMARY: join(folder, 'summary'),
        },
      });
      const written = ['output', 'summary'].map((name) => {
        const path = join(folder, name);
        return existsSync(path) ? readFileSync(path, 'utf8') : '';
      });
      assert.ok(written.join('').length > 0, acted.stderr);
      holds({ code: acted.status, stdout: acted.stdout + written.join('\n'), stderr: acted.stderr });
    });
  });
}
