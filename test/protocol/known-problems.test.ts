import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { after, before, describe, it } from 'mocha';
import { root } from '../../scripts/lib/paths.mjs';
import { shipped } from '../../scripts/lib/shipped.mjs';
import { run } from '../support/pull-request.ts';
import { TestClient } from './test-client.ts';

const budget = (name: string): string =>
  `apiVersion: policy/v1\nkind: PodDisruptionBudget\nmetadata: { name: ${name} }\nspec: { minAvailable: 1, selector: { matchLabels: { app: nobody } } }\n`;
const pod =
  'apiVersion: v1\nkind: Pod\nmetadata: { name: web }\nspec: { containers: [{ name: main, image: app, resources: { requests: { cpu: 1 } } }] }\n';
const project = "rules: { budget-selects-nothing: error }\nexclude: ['generated/**']\nbaseline: podium-baseline.json\n";

interface Checked {
  readonly problems: readonly { readonly path: string; readonly code: string; readonly severity: string }[];
  readonly known: { readonly problems: Checked['problems'] };
}

/** `b.yaml error budget-selects-nothing` of what is new. */
const found = ({ problems }: Pick<Checked, 'problems'>): string[] =>
  problems.map(({ path, severity, code }) => `${path} ${severity} ${code}`);

describe('what podium.yaml and a baseline say of a repository', () => {
  const isNew = ['apps/team-a/new.yaml warning budget-selects-nothing', 'new.yaml error budget-selects-nothing'];
  let folder: string;
  let outside: string;
  let command: readonly string[];
  let editor: TestClient;
  const inFolder = (...words: readonly string[]) => run(words, folder);
  const git = (...args: readonly string[]) =>
    inFolder('git', '-c', 'user.name=Test', '-c', 'user.email=test@podium.example', ...args);
  const commit = async (message: string): Promise<string> => {
    await git('add', '-A');
    await git('commit', '-qm', message);
    return (await git('rev-parse', 'HEAD')).out.trim();
  };

  before(async () => {
    ({ command } = await shipped());
    outside = await mkdtemp(join(tmpdir(), 'podium-known-'));
    editor = await TestClient.start({
      files: {
        'podium.yaml': project,
        'podium-baseline.json': '{"version":1,"problems":[]}',
        'old.yaml': budget('old'),
        'generated/budget.yaml': budget('generated'),
        'apps/team-a/podium.yaml': "rules: { budget-selects-nothing: warning }\nexclude: ['drafts/**']\n",
        'apps/team-a/drafts/budget.yaml': budget('draft'),
        'web.yaml': pod,
      },
      initializationOptions: { workspaceTrusted: true },
    });
    ({ folder } = editor);
    await git('init', '-q', '-b', 'main');
  });

  after(async () => {
    await editor.stop();
    await rm(outside, { recursive: true });
  });

  it('is found alike by an editor, the command line, assistants and the action', async () => {
    const old = editor.uri('old.yaml');
    await editor.diagnostics(old, ([first]) => first?.severity === 1);
    assert.equal((await inFolder(...command, 'baseline', '.')).code, 0);
    const base = await commit('as it is');
    const changes = [{ uri: editor.uri('podium-baseline.json'), type: 2 }];
    await editor.connection.sendNotification('workspace/didChangeWatchedFiles', { changes });
    const [known] = await editor.diagnostics(old, ([first]) => first?.severity === 4);
    assert.match(JSON.stringify(known!.message), /\(known: podium-baseline\.json\)/);

    const uri = await editor.open('new.yaml', budget('new'));
    await editor.write('new.yaml', budget('new'));
    const [first] = await editor.diagnostics(uri, (all) => all.length > 0);
    assert.deepEqual([first?.code, first?.severity], ['budget-selects-nothing', 1]);
    const inTeam = await editor.open('apps/team-a/new.yaml', budget('new-too'));
    await editor.write('apps/team-a/new.yaml', budget('new-too'));
    const [ofTeam] = await editor.diagnostics(inTeam, (all) => all.length > 0);
    assert.deepEqual([ofTeam?.code, ofTeam?.severity], ['budget-selects-nothing', 2]);
    const excluded = [editor.uri('generated/budget.yaml'), editor.uri('apps/team-a/drafts/budget.yaml')];
    assert.deepEqual(
      editor.published.filter(({ uri: of, diagnostics }) => excluded.includes(of) && diagnostics.length > 0),
      [],
    );

    const { code, out } = await inFolder(...command, 'check', '.', '--format', 'json');
    assert.equal(code, 1);
    const checked = JSON.parse(out) as Checked;
    assert.deepEqual(found(checked), isNew);
    assert.deepEqual(found(checked.known), ['old.yaml error budget-selects-nothing']);

    const assistant = new Client({ name: 'test', version: '1' });
    const [program = '', ...args] = command;
    await assistant.connect(new StdioClientTransport({ command: program, args: [...args, 'mcp', '.'], cwd: folder }));
    const { structuredContent } = await assistant.callTool({ name: 'check', arguments: {} });
    await assistant.close();
    assert.deepEqual(found(structuredContent as Checked), isNew);

    const head = await commit('more');
    const event = { pull_request: { number: 7, base: { sha: base }, head: { sha: head } } };
    await writeFile(join(outside, 'event.json'), JSON.stringify(event));
    const acted = await run([process.execPath, join(root, 'integrations/github-action.mjs')], folder, {
      PODIUM: (await shipped()).podium,
      PODIUM_PATH: '.',
      RUNNER_TEMP: outside,
      GITHUB_REPOSITORY: 'shop/infra',
      GITHUB_RUN_ID: '42',
      GITHUB_EVENT_PATH: join(outside, 'event.json'),
      GITHUB_OUTPUT: join(outside, 'output'),
      GITHUB_STEP_SUMMARY: join(outside, 'summary'),
    });
    const annotated = [...acted.out.matchAll(/^::(\w+) file=([^,]+),.*title=podium ([\w-]+)::/gm)];
    assert.deepEqual(
      annotated.map(([, severity = '', path, rule]) => `${path} ${severity} ${rule}`),
      isNew,
      acted.out,
    );
  });
});
