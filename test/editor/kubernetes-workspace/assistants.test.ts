import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { eventually } from '../support/eventually.ts';
import { openFile, replace, revertAll } from '../support/manifests.ts';

/** VS Code lets extensions offer servers since 1.101. */
const takesServers = Number(vscode.version.split('.')[1]) > 100;

const offered = (): readonly string[] =>
  vscode.lm.tools.map(({ name }) => name).filter((name) => name.startsWith('podium_'));

async function ask(name: string, input: object): Promise<string> {
  const { content } = await vscode.lm.invokeTool(`podium_${name}`, { input, toolInvocationToken: undefined });
  return content.map((part) => (part as vscode.LanguageModelTextPart).value).join('');
}

describe('tools of language models', () => {
  afterEach(revertAll);

  it('are those of podium mcp', async () => {
    const names = ['simulate', 'check', 'explain_pending', 'threats', 'drain', 'fit'].map((name) => `podium_${name}`);
    await eventually('the tools', () => (offered().length === names.length ? true : undefined));
    assert.deepEqual(new Set(offered()), new Set(names));
  });

  it('answer about the workspace, what is typed included', async () => {
    assert.match(await ask('simulate', {}), /checkout.* evicts /);
    assert.match(await ask('check', { path: 'apps' }), /No problems in 7 files/);
    assert.match(await ask('explain_pending', { pod: 'shop-batch/order-history-export' }), /Insufficient memory/);
    assert.match(
      await ask('drain', { node: 'general-c', flags: '--ignore-daemonsets' }),
      /^Draining general-c hangs behind budget shop\/storefront/,
    );
    assert.match(await ask('fit', { workload: 'shop/checkout' }), /more (?:fits?|replicas)/);
    assert.match(await ask('threats', { pod: 'shop-batch/thumbnailer' }), /evicted for shop\/checkout/);
    await replace(await openFile('apps', 'checkout.yaml'), 'shop-critical', 'batch-low');
    assert.match(
      await ask('threats', { pod: 'shop-batch/thumbnailer' }),
      /could be evicted by Deployment shop\/storefront/,
    );
    assert.match(await ask('simulate', { since: 'HEAD' }), /has priority 100 instead of 100000/);
  });

  it('say what is wrong with a question', async () => {
    await assert.rejects(ask('threats', { pod: 'shop/nobody', path: '/etc' }), /no manifest at \/etc/);
  });

  it('give way to podium mcp where VS Code can start it', async () => {
    const set = (value: boolean | undefined) =>
      vscode.workspace.getConfiguration('podium').update('mcp.enabled', value, vscode.ConfigurationTarget.Global);
    await set(true);
    try {
      const isAnswered = (): Promise<boolean> =>
        ask('check', {}).then(
          () => true,
          () => false,
        );
      if (takesServers) await eventually('no answer', async () => ((await isAnswered()) ? undefined : true));
      else assert.equal(await isAnswered(), true);
    } finally {
      await set(undefined);
    }
    assert.match(await eventually('an answer again', () => ask('check', {}).catch(() => undefined)), /Judged as/);
  });
});
