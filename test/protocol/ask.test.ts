import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cp, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CancellationTokenSource } from 'vscode-languageserver/node';
import { sample } from '../../scripts/lib/paths.mjs';
import type { Answer } from '../../server/src/protocol.ts';
import { podium } from '../unit/cli/run-podium.ts';
import { TestClient } from './test-client.ts';
import { withoutCommands } from '../support/without-commands.ts';

describe('what assistants ask of the language server', () => {
  let folder: string;
  let client: TestClient;
  let checkout: string;
  let text: string;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'podium-ask-'));
    await cp(sample, folder, { recursive: true });
    const git = (...args: readonly string[]) =>
      execFileSync('git', ['-c', 'user.name=Test', '-c', 'user.email=test@podium.example', ...args], { cwd: folder });
    git('init', '--quiet', '--initial-branch=main');
    git('add', '.');
    git('commit', '--quiet', '--message=Start');
    client = await TestClient.start({ folder, initializationOptions: { workspaceTrusted: true } });
    text = await readFile(join(folder, 'apps/checkout.yaml'), 'utf8');
    checkout = await client.open('apps/checkout.yaml', text);
  });

  after(async () => {
    await client.stop();
    await rm(folder, { recursive: true, force: true });
  });

  const ask = async (tool: string, input: unknown = {}): Promise<Answer> => {
    const answer = await client.request<Answer>('podium/ask', { tool, input });
    assert.ok(Buffer.byteLength(answer.text) < 20_000, `${tool}: ${answer.text.length}`);
    return answer;
  };

  it('says what an upgrade of Kubernetes changes, as the command line does in Markdown', async () => {
    const asked = { from: '1.35', to: '1.37' };
    const answer = await client.request<Answer>('podium/upgrade', asked);
    const { stdout } = await podium(['upgrade', '.', '--from', '1.35', '--to', '1.37', '--format', 'markdown'], {
      cwd: folder,
    });
    assert.equal(answer.failed, false);
    assert.equal(answer.text.trim(), stdout.trim());
    assert.match(answer.text, /^### From 1\\?\.35 to 1\\?\.37/);
    const wrong = await client.request<Answer>('podium/upgrade', { from: '1.37', to: '1.35' });
    assert.equal(wrong.failed, true);
    assert.match(wrong.text, /--to must be newer than 1\.37/);
    assert.equal((await client.request<Answer>('podium/upgrade', { from: 7 })).failed, true);
  });

  it('is answered in the words of the terminal', async () => {
    const pairs: readonly (readonly [string, Readonly<Record<string, string>>, readonly string[]])[] = [
      ['simulate', {}, ['simulate', '.']],
      [
        'simulate',
        { whatIf: 'add 1 node like general-a' },
        ['simulate', '.', '--what-if', 'add 1 node like general-a'],
      ],
      ['check', {}, ['check', '.']],
      ['simulate', { path: 'apps/checkout.yaml' }, ['simulate', '.', '--file', 'apps/checkout.yaml']],
      ['check', { path: 'apps' }, ['check', 'apps', '--context', '.']],
      [
        'drain',
        { node: 'general-c', flags: '--ignore-daemonsets' },
        ['drain', 'general-c', '.', '--ignore-daemonsets'],
      ],
      ['fit', { workload: 'shop/checkout', like: 'general-a' }, ['fit', 'shop/checkout', '.', '--like', 'general-a']],
    ];
    for (const [tool, input, args] of pairs) {
      const { text: answer, failed } = await ask(tool, input);
      assert.equal(failed, false, answer);
      const terminal = await podium(args, { cwd: folder, columns: 100 });
      assert.equal(withoutCommands(answer), withoutCommands(terminal.stdout), args.join(' '));
    }
  });

  it('is answered about one pod', async () => {
    const pending = await ask('explain_pending', { pod: 'shop-batch/order-history-export' });
    assert.match(pending.text, /0\/4 nodes are available: .*Insufficient memory/);
    assert.match((await ask('threats', { pod: 'shop-batch/thumbnailer' })).text, /evicted for shop\/checkout-\S+/);
  });

  it('counts what is typed and not saved, and compares it with a commit', async () => {
    await client.change(checkout, text.replace('shop-critical', 'batch-low'));
    assert.match(
      (await ask('threats', { pod: 'shop-batch/thumbnailer' })).text,
      /could be evicted by Deployment shop\/storefront/,
    );
    const change = await ask('simulate', { since: 'HEAD' });
    assert.match(change.text, /has priority 100 instead of 100000[\s\S]*git HEAD +now/);
    await client.change(checkout, text.replace('shop-critical', 'no-such-class'));
    assert.match(
      (await ask('check', { path: 'apps/checkout.yaml' })).text,
      /no-such-class.*\[unknown-priority-class\]/,
    );
    await client.change(checkout, text);
    assert.match((await ask('threats', { pod: 'shop-batch/thumbnailer' })).text, /evicted for shop\/checkout-\S+/);
  });

  it('says what is wrong with a question', async () => {
    const questions: readonly (readonly [string, unknown, RegExp])[] = [
      ['rm_rf', {}, /There is no tool rm_rf/],
      ['threats', {}, /pod/],
      ['threats', { pod: 7 }, /at pod/],
      ['simulate', { path: '/etc' }, /there is no manifest at \/etc in the workspace/],
      ['simulate', { path: '../other' }, /there is no manifest at \.\.\/other in the workspace/],
      ['simulate', { path: '//host/share' }, /is on another computer/],
      ['simulate', { since: '--output=/tmp/x' }, /names no commit/],
      ['simulate', { since: 'no-such-branch' }, /cannot compare with no-such-branch/],
      ['check', { since: 'main' }, /an open workspace is checked against git HEAD/],
      ['simulate', { whatIf: 'fly away' }, /unknown operation 'fly'/],
      ['drain', { node: 'general-a', flags: '--no-render' }, /is no option of kubectl drain/],
      ['drain', { node: 'nowhere' }, /nodes "nowhere" not found/],
      ['fit', { workload: 'shop/nobody' }, /there is no workload shop\/nobody/],
    ];
    for (const [tool, input, words] of questions) {
      const { text: answer, failed } = await ask(tool, input);
      assert.deepEqual([failed, words.test(answer)], [true, true], `${tool}: ${answer}`);
    }
  });

  it('is given up when nobody wants the answer any more', async () => {
    const source = new CancellationTokenSource();
    const answer = client.connection.sendRequest('podium/ask', { tool: 'simulate', input: {} }, source.token);
    source.cancel();
    await assert.rejects(answer, /cancelled/);
  });

  it('answers thousands of pods with an answer that is cut', async () => {
    const pods = Array.from(
      { length: 10_000 },
      (_, at) =>
        `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"pod-${at}"},"spec":{"containers":[{"name":"main","image":"app","resources":{"requests":{"cpu":"-1"}}}]}}`,
    );
    await client.open('many.json', `{"apiVersion":"v1","kind":"List","items":[${pods.join(',')}]}`);
    assert.match(
      (await ask('check', { path: 'many.json' })).text,
      /more lines are left out|more findings of this rule/,
    );
  });
});
