import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, it } from 'mocha';
import { root } from '../../../scripts/lib/paths.mjs';
import { shipped } from '../../../scripts/lib/shipped.mjs';
import type { Report } from '../../../server/src/report-model/report.ts';
import type { ClusterStatus } from '../../../server/src/protocol.ts';
import { TestClient } from '../../protocol/test-client.ts';
import { describeWithTools, toolFolder } from '../../support/kubernetes-tools.ts';
import { type AttackedFolder, attackedFolder, canary, firstAttacks, givesAway } from '../../support/render-attacks.ts';
import { podium, type Outcome } from './run-podium.ts';

let folder: string;
let attacked: AttackedFolder;

/** Nothing that was printed gives anything away, nobody was asked, and nothing was run. */
function holds(...printed: readonly string[]): void {
  const lines = printed.join('\n').split('\n');
  assert.deepEqual(
    lines.filter((line) => givesAway(line)).map((line) => line.slice(0, 300)),
    [],
  );
  assert.deepEqual(attacked.asked, []);
  assert.ok(!existsSync(join(attacked.outside, 'RAN')));
}

const begun = [
  {
    jsonrpc: '2.0',
    id: 0,
    method: 'initialize',
    params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 't', version: '1' } },
  },
  { jsonrpc: '2.0', method: 'notifications/initialized' },
];

describeWithTools('what a repository may not get out', () => {
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
      const { stdout, stderr } = spawnSync(join(toolFolder('v34'), name), args, { cwd: repository, encoding: 'utf8' });
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

  for (const [mode, PODIUM_TEST_WITHOUT_SANDBOX] of [
    ['in a sandbox', '0'],
    ['without a sandbox', '1'],
  ] as const) {
    describeWithTools(mode, () => {
      const env = {
        PATH: `${toolFolder('v34')}:${process.env['PATH'] ?? ''}`,
        PODIUM_TEST_WITHOUT_SANDBOX,
        SECRET: canary,
      };
      const lesser = PODIUM_TEST_WITHOUT_SANDBOX === '1' ? ['helm', 'kubectl'] : [];
      const said = 'helm and kubectl ran without a sandbox';
      const run = (...args: string[]): Promise<Outcome> => podium(args, { cwd: attacked.repository, env });
      const first = firstAttacks.map((name) => `attacks/${name}`);

      it('is a source each, and in none of the answers of podium sources', async () => {
        const { stdout, stderr } = await run('sources', '.', '--format', 'json');
        holds(stdout, stderr);
        const listing = JSON.parse(stdout) as { sources: { path: string }[]; withoutSandbox: string[] };
        const paths = listing.sources.map(({ path }) => path);
        const unfound = attacked.attacks.filter(
          ({ name, isQuiet }) => isQuiet !== true && !paths.some((path) => path.includes(`attacks/${name}/`)),
        );
        assert.deepEqual(
          unfound.map(({ name }) => name),
          [],
        );
        assert.deepEqual(listing.withoutSandbox, lesser);
      });

      it('is not in the answer of podium check', async () => {
        const { stdout, stderr } = await run('check', '.');
        holds(stdout, stderr);
        assert.match(stdout, /pod/i);
        assert.equal(stderr.includes(said), lesser.length > 0, stderr);
      });

      for (const [args, named] of [
        [['check', '--format', 'json'], /"withoutSandbox": \[\s*"helm",\s*"kubectl"\s*\]/],
        [['check', '--format', 'sarif'], /"toolExecutionNotifications"[^}]*helm and kubectl ran without a sandbox/],
        [['simulate', '--format', 'markdown'], /helm and kubectl ran without a sandbox/],
        [['simulate', '--format', 'json', '--since', 'HEAD'], /"helm and kubectl ran without a sandbox"/],
      ] as const) {
        it(`is not in the answer of podium ${args.join(' ')}, which names tools without a sandbox`, async () => {
          const { stdout, stderr } = await run(...args, ...first);
          holds(stdout, stderr);
          assert.match(stdout, /pod/i);
          if (lesser.length > 0) assert.match(stdout, named);
          else assert.doesNotMatch(stdout, /ran without a sandbox|"withoutSandbox": \[\s*"/);
        });
      }

      it('is not in what podium mcp answers, which names tools without a sandbox in each answer', async () => {
        const calls = [
          ...first.map((path) => ({ name: 'check', arguments: { path } })),
          { name: 'simulate', arguments: {} },
          { name: 'check', arguments: { path: 'base.yaml' } },
        ];
        const asked = calls.map((params, at) => ({ jsonrpc: '2.0', id: at + 1, method: 'tools/call', params }));
        const stdin = [...begun, ...asked].map((each) => `${JSON.stringify(each)}\n`).join('');
        const outcome = await podium(['mcp', '.'], { cwd: attacked.repository, env, stdin, alone: true });
        holds(outcome.stdout, outcome.stderr);
        const answers = outcome.stdout
          .trim()
          .split('\n')
          .map((line) => JSON.parse(line) as { id: number; result: unknown });
        assert.deepEqual(new Set(answers.map(({ id }) => id)).size, calls.length + 1);
        const naming = answers.filter(({ result }) => JSON.stringify(result).includes('ran without a sandbox'));
        const ids = new Set(naming.map(({ id }) => id));
        // Those that ran no tool name none, whatever has been asked before.
        assert.equal(ids.has(calls.length), false);
        assert.equal(ids.has(calls.length - 1), lesser.length > 0);
      });

      it('is not in what podium mcp answers of folders beside those that it serves', async () => {
        const served = join(attacked.repository, 'attacks/inner-base/in');
        writeFileSync(
          join(served, 'kustomization.yaml'),
          'resources: [../../flux-path/../../base.yaml, ../../../base]\n',
        );
        const asked = {
          jsonrpc: '2.0',
          id: 1,
          method: 'tools/call',
          params: { name: 'check', arguments: {} },
        };
        const stdin = [...begun, asked].map((each) => `${JSON.stringify(each)}\n`).join('');
        const { stdout } = await podium(['mcp', served], { cwd: folder, env, stdin, alone: true });
        rmSync(join(served, 'kustomization.yaml'));
        assert.match(stdout, /lead out of the folder that is worked on/);
        assert.doesNotMatch(stdout, /Pod (?:default\/)?base/);
      });

      it('is not in what the action writes', async () => {
        const { podium: script } = await shipped();
        const pull = { number: 7, base: { sha: 'HEAD' } };
        writeFileSync(join(folder, 'event.json'), JSON.stringify({ pull_request: pull }));
        const written = ['output', 'summary', 'podium.sarif', 'podium.md'].map((name) => join(folder, name));
        for (const path of written) rmSync(path, { force: true });
        const acted = spawnSync(process.execPath, [join(root, 'integrations/github-action.mjs')], {
          cwd: attacked.repository,
          encoding: 'utf8',
          env: {
            ...process.env,
            ...env,
            PODIUM: script,
            PODIUM_PATH: first.join('\n'),
            PODIUM_BASE: 'HEAD',
            PODIUM_COMMENT: 'false',
            RUNNER_TEMP: folder,
            GITHUB_REPOSITORY: 'shop/infra',
            GITHUB_EVENT_PATH: join(folder, 'event.json'),
            GITHUB_OUTPUT: written[0]!,
            GITHUB_STEP_SUMMARY: written[1]!,
          },
        });
        // Sources that could not be rendered fail it, and everything is written all the same.
        assert.equal(acted.status, 1, acted.stderr);
        const texts = written.map((path) => readFileSync(path, 'utf8'));
        assert.ok(
          texts.every((text) => text.length > 0),
          acted.stdout,
        );
        holds(acted.stdout, acted.stderr, ...texts);
        for (const text of texts.slice(1)) assert.equal(text.includes(said), lesser.length > 0);
      });

      it('is in nothing that the language server says', async () => {
        const states: ClusterStatus[] = [];
        const client = await TestClient.start({
          folder: attacked.repository,
          env,
          initializationOptions: { workspaceTrusted: true },
          early: true,
        });
        client.connection.onNotification('podium/clusterStatus', (status: ClusterStatus) => {
          states.push(status);
          client.notify();
        });
        const answers: unknown[] = [];
        const ask = async (method: string, params: object): Promise<void> => {
          answers.push(await client.request(method, params).catch(String));
        };
        const scenario = { scenario: { kind: 'workspace' }, run: 1 };
        const report = await client.request<Report>('podium/simulate', scenario);
        for (const [method, params] of [
          ['podium/decisions', { run: 1, indexes: null }],
          ['podium/capacity', { run: 1, workloads: report.workloads.map((_, at) => at) }],
          ['podium/remedies', scenario],
          ['podium/effects', { ...scenario, whatIf: ['add 1 node like 4:16Gi'] }],
          ['podium/overview', {}],
          ['podium/targets', {}],
          ['podium/ask', { tool: 'simulate', input: {} }],
          ['podium/ask', { tool: 'check', input: {} }],
          ['workspace/symbol', { query: '' }],
        ] as const) {
          await ask(method, params);
        }
        const opened: string[] = [];
        for (const { name, files } of attacked.attacks) {
          for (const [path, text] of Object.entries(files)) {
            if (typeof text !== 'string' || !/\.ya?ml$/.test(path)) continue;
            opened.push(await client.open(`attacks/${name}/${path}`, text));
          }
        }
        await ask('podium/simulate', scenario);
        for (const uri of opened) {
          const textDocument = { uri };
          const text = readFileSync(new URL(uri), 'utf8');
          const lines = text.split('\n');
          const line = Math.max(
            0,
            lines.findIndex((each) => each.includes('priorityClassName')),
          );
          const position = { line, character: Math.max(0, lines[line]!.indexOf('priorityClassName') + 20) };
          const range = { start: { line: 0, character: 0 }, end: { line: lines.length, character: 0 } };
          for (const method of ['hover', 'completion', 'definition']) {
            await ask(`textDocument/${method}`, { textDocument, position });
          }
          await ask('textDocument/references', { textDocument, position, context: { includeDeclaration: true } });
          await ask('textDocument/codeAction', { textDocument, range, context: { diagnostics: [] } });
          for (const method of ['codeLens', 'documentSymbol', 'documentLink', 'foldingRange']) {
            await ask(`textDocument/${method}`, { textDocument });
          }
          await ask('textDocument/inlayHint', { textDocument, range });
          await client.diagnostics(uri);
        }
        await client.until(
          () => states.at(-1)?.applied !== null && states.at(-1)?.indexing === false,
          () => 'a status',
        );
        await client.stop({ keepsFolder: true });
        assert.ok(report.unseen.length > 20 && client.published.length > 20);
        holds(...[report, answers, client.published, states, client.log].map((each) => JSON.stringify(each)));
        const lesserMode = states.at(-1)?.applied?.lesserMode ?? '';
        assert.equal(lesserMode.includes(said), lesser.length > 0, lesserMode);
        assert.equal(JSON.stringify(report.assumptions).includes(said), lesser.length > 0);
      });
    });
  }
});
