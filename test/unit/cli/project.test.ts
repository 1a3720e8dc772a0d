import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, describe, it } from 'mocha';
import type { Report } from '../../../server/src/report-model/report.ts';
import { root } from '../../../scripts/lib/paths.mjs';
import { shipped } from '../../../scripts/lib/shipped.mjs';
import { run as inPullRequest } from '../../support/pull-request.ts';
import { podium } from './run-podium.ts';

const budget = (name: string): string =>
  `apiVersion: policy/v1\nkind: PodDisruptionBudget\nmetadata: { name: ${name} }\nspec: { minAvailable: 1, selector: { matchLabels: { app: nobody } } }\n`;
const pod =
  'apiVersion: v1\nkind: Pod\nmetadata: { name: web }\nspec: { containers: [{ name: main, image: app, resources: { requests: { cpu: "3" } } }] }\n';

describe('podium.yaml, the settings of a repository', () => {
  let folder: string;
  const write = async (path: string, text: string): Promise<void> => {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  };
  const run = (...args: string[]) => podium(args, { cwd: folder });
  async function codes(...args: string[]): Promise<string[]> {
    const { stdout, stderr } = await run('check', ...args, '--format', 'json');
    assert.equal(stderr, '');
    const { problems } = JSON.parse(stdout) as { problems: { path: string; code: string; severity: string }[] };
    return problems.map(({ path, code, severity }) => `${path} ${severity} ${code}`);
  }

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'podium-project-'));
    await write('apps/budget.yaml', budget('a'));
    await write('generated/budget.yaml', budget('b'));
    await write('apps/web.yaml', pod);
  });

  after(() => rm(folder, { recursive: true }));

  it('[#37] are those of the folders that a scenario names', async () => {
    await write('plans/night.podium.yaml', 'cluster: { paths: [../apps] }\nevents: []\n');
    await write('apps/podium.yaml', 'assumeNodes: 7:8:32Gi\n');
    const { stdout, stderr, code } = await run('simulate', '--scenario', 'plans/night.podium.yaml', '--format', 'json');
    await rm(join(folder, 'apps/podium.yaml'));
    await rm(join(folder, 'plans'), { recursive: true });
    assert.deepEqual([code, stderr], [0, '']);
    const { workloads, nodes } = JSON.parse(stdout) as Report;
    assert.deepEqual([workloads.length, nodes.length], [1, 7]);
  });

  it('quote nothing of another file that a link leads to', async () => {
    await write('inner/private', 'canary-key: 5\n');
    await write('inner/repository/.git/HEAD', '');
    await write('inner/repository/budget.yaml', budget('c'));
    await symlink('../private', join(folder, 'inner/repository/podium.yaml'));
    const { code, stdout, stderr } = await podium(['check', '.'], { cwd: join(folder, 'inner/repository') });
    await rm(join(folder, 'inner'), { recursive: true });
    assert.equal(code, 2, stdout);
    assert.match(stderr, /podium\.yaml is a link that leads out of its folder/);
    assert.doesNotMatch(stdout + stderr, /canary/);
  });

  for (const [what, path, target, project] of [
    ['a snapshot that is found by itself and leads out', 'cluster.podium.json', '../private', ''],
    ['credentials of the folder', '.npmrc', '', 'snapshot: .npmrc\n'],
    ['what git keeps', '.git/token', '', 'baseline: .git/token\n'],
    ['a file that is no snapshot', '.env', '', 'snapshot: .env\n'],
  ] as const) {
    it(`quote nothing of ${what}`, async () => {
      const home = join(folder, 'inner/repository');
      await write('inner/private', 'TOKEN=canary\n');
      await write('inner/repository/.git/HEAD', '');
      await write('inner/repository/budget.yaml', budget('c'));
      await write('inner/repository/podium.yaml', project);
      if (target === '') await write(`inner/repository/${path}`, 'TOKEN=canary\n');
      else await symlink(target, join(home, path));
      const asked = { jsonrpc: '2.0', id: 0, method: 'tools/call', params: { name: 'check', arguments: {} } };
      for (const command of [
        ['check', '.'],
        ['simulate', '.'],
        ['mcp', '.'],
      ]) {
        const { code, stdout, stderr } = await podium(command, {
          cwd: home,
          stdin: `${JSON.stringify(asked)}\n`,
          alone: command[0] === 'mcp',
        });
        assert.doesNotMatch(stdout + stderr, /TOKEN|canary/, command[0]);
        if (command[0] === 'check') assert.equal(code, 2, stdout);
      }
      await rm(join(folder, 'inner'), { recursive: true });
    });
  }

  it('count where the arguments say nothing, and for folders below', async () => {
    await write('podium.yaml', "rules: { budget-selects-nothing: error }\nexclude: ['generated/**']\n");
    const found = ['apps/budget.yaml error budget-selects-nothing'];
    assert.deepEqual(await codes('.'), found);
    assert.deepEqual(await codes('apps'), found);
    // What is typed wins; globs add up.
    assert.deepEqual(await codes('.', '--severity', 'budget-selects-nothing=off'), []);
    assert.deepEqual(await codes('.', '--exclude', 'apps/**'), []);
  });

  it('are for what lies below a folder those of its own file, wherever the check begins', async () => {
    await write('podium.yaml', "rules: { budget-selects-nothing: error }\nexclude: ['apps/old/**']\n");
    await write('apps/podium.yaml', "rules: { budget-selects-nothing: off }\nexclude: ['drafts/**', '!old/kept/**']\n");
    await write('apps/drafts/budget.yaml', 'kind: {\n');
    await write('apps/old/budget.yaml', 'kind: {\n');
    await write('apps/old/kept/budget.yaml', budget('kept'));
    await write('apps/old/kept/podium.yaml', 'rules: { budget-selects-nothing: hint }\n');
    const inApps = ['apps/old/kept/budget.yaml hint budget-selects-nothing'];
    assert.deepEqual(await codes('apps'), inApps);
    assert.deepEqual(await codes('apps/web.yaml', 'apps/old/kept'), inApps);
    const all = [...inApps, 'generated/budget.yaml error budget-selects-nothing'];
    assert.deepEqual(await codes('.'), all);
    // What is typed wins.
    assert.deepEqual(await codes('.', '--severity', 'budget-selects-nothing=off'), []);
    assert.deepEqual(await codes('.', '--exclude', '**/kept/**'), all.slice(1));
    await rm(join(folder, 'apps/old'), { recursive: true });
    await rm(join(folder, 'apps/drafts'), { recursive: true });
  });

  it('say which setting a folder below cannot have, and which of its rules there is not', async () => {
    await write('podium.yaml', 'rules: { budget-selects-nothing: error }\n');
    await write('apps/podium.yaml', "rules: { budget-selects-nothing: off }\nkubernetes: '1.34'\n");
    const above = await run('check', '.');
    assert.equal(
      above.stderr,
      'podium: apps/podium.yaml:2: kubernetes is not used: of a folder below, only rules and exclude are\n',
    );
    // Where it is all that is looked at, it counts.
    const alone = await run('check', 'apps');
    assert.equal(alone.stderr, '');
    await write('apps/podium.yaml', 'rules: { budget-selects-nothin: off }\n');
    const wrong = /apps\/podium\.yaml:1: no rule 'budget-selects-nothin'; did you mean 'budget-selects-nothing'\?/;
    const unknown = await run('check', '.');
    assert.equal(unknown.code, 1);
    assert.match(unknown.stderr, wrong);
    assert.match(unknown.stderr, /; this file is not used$/m);
    const named = await run('check', 'apps');
    assert.equal(named.code, 2);
    assert.match(named.stderr, wrong);
    await rm(join(folder, 'apps/podium.yaml'));
  });

  it('take no manifest and no test data of that name for settings', async () => {
    await write('podium.yaml', 'rules: { budget-selects-nothing: error }\n');
    await write('apps/manifests/podium.yaml', budget('podium'));
    await write('apps/testdata/podium.yaml', 'name: other\n');
    assert.deepEqual(await codes('apps'), [
      'apps/budget.yaml error budget-selects-nothing',
      'apps/manifests/podium.yaml error budget-selects-nothing',
    ]);
    await rm(join(folder, 'apps/manifests'), { recursive: true });
    await rm(join(folder, 'apps/testdata'), { recursive: true });
  });

  it('say what the cluster is, and what fails', async () => {
    await write('podium.yaml', 'assumeNodes: "1:2:4Gi"\nfailOn: [pending]\n');
    const { code, stdout } = await run('simulate', 'apps');
    assert.equal(code, 1);
    assert.match(stdout, /2 cpu/);
    assert.equal((await run('simulate', 'apps', '--assume-nodes', '1:8:16Gi')).code, 0);
  });

  it('name a baseline, which a comparison with a commit does not need', async () => {
    await write('podium.yaml', 'baseline: known.json\nrules: { budget-selects-nothing: error }\n');
    assert.equal((await run('baseline', '.', '-o', 'known.json')).code, 0);
    const checked = await run('check', '.');
    assert.equal(checked.code, 0);
    assert.match(checked.stdout, /more problems known from known\.json/);
    await rm(join(folder, 'known.json'));
  });

  it('are the same for podium mcp and the Action', async () => {
    await write('podium.yaml', "rules: { budget-selects-nothing: error }\nexclude: ['generated/**']\n");
    const expected = await codes('.');
    assert.deepEqual(expected, ['apps/budget.yaml error budget-selects-nothing']);
    const asked = { jsonrpc: '2.0', id: 0, method: 'tools/call', params: { name: 'check', arguments: {} } };
    const mcp = await podium(['mcp', '.'], { cwd: folder, stdin: `${JSON.stringify(asked)}\n`, alone: true });
    const { result } = JSON.parse(mcp.stdout) as {
      result: { structuredContent: { problems: { path: string; code: string; severity: string }[] } };
    };
    const { problems } = result.structuredContent;
    assert.deepEqual(
      problems.map(({ path, code, severity }) => `${path} ${severity} ${code}`),
      expected,
    );
    const { podium: script } = await shipped();
    const action = await inPullRequest([process.execPath, join(root, 'integrations/github-action.mjs')], folder, {
      PODIUM: script,
      PODIUM_COMMENT: 'false',
      RUNNER_TEMP: await mkdtemp(join(folder, 'runner-')),
    });
    assert.equal(action.code, 1, action.out);
    assert.deepEqual(
      [...action.out.matchAll(/^::(\w+) file=([^,]*),.*title=podium ([\w-]+)::/gm)].map(
        ([, severity, path, code]) => `${path} ${severity} ${code}`,
      ),
      expected,
    );
    await rm(join(folder, 'podium.yaml'));
  });

  it('are those of the commit in a comparison, so that a change cannot turn off what judges it', async () => {
    const git = (...args: string[]) =>
      execFileSync('git', ['-c', 'user.name=test', '-c', 'user.email=test@example.com', ...args], { cwd: folder });
    await write('podium.yaml', 'rules: { budget-selects-nothing: error }\n');
    git('init', '--quiet');
    git('add', '.');
    git('commit', '--quiet', '--message', 'base');
    await write('podium.yaml', 'rules: { budget-selects-nothing: off }\n');
    await write('apps/new.yaml', budget('new'));
    const judged = ['apps/new.yaml error budget-selects-nothing'];
    assert.deepEqual(await codes('.', '--since', 'HEAD'), judged);
    assert.deepEqual(await codes('.'), []);
    await rm(join(folder, 'podium.yaml'));
    assert.deepEqual(await codes('.', '--since', 'HEAD'), judged);
    await write('apps/podium.yaml', "rules: { budget-selects-nothing: off }\nexclude: ['new.yaml']\n");
    assert.deepEqual(await codes('.', '--since', 'HEAD'), judged);
    assert.deepEqual(await codes('apps', '--since', 'HEAD'), judged);
    await rm(join(folder, 'apps/podium.yaml'));
    await rm(join(folder, 'apps/new.yaml'));
    await rm(join(folder, '.git'), { recursive: true });
  });

  it('are refused where they are wrong, at their line, and where they name what lies outside', async () => {
    await write('podium.yaml', 'exclude: []\nrule: {}\n');
    const unknown = await run('check', '.');
    assert.deepEqual(
      [unknown.code, unknown.stderr],
      [2, 'podium check: podium.yaml:2: rule is no setting; did you mean rules?\n'],
    );
    await write('podium.yaml', 'featureGates: [HPAScaleToZero=true]\n');
    assert.match((await run('check', '.')).stderr, /podium\.yaml:1: featureGates must be a map/);
    await write('podium.yaml', 'rules:\n  budget-overlap: loud\n');
    assert.match(
      (await run('check', '.')).stderr,
      /podium\.yaml:2: rules\.budget-overlap must be one of default, error, warning/,
    );
    await write('podium.yaml', 'snapshot: ../../etc/passwd\n');
    const outside = await run('simulate', '.');
    assert.equal(outside.code, 2);
    assert.match(
      outside.stderr,
      /podium\.yaml: snapshot: \.\.\/\.\.\/etc\/passwd is not below the folder of this file/,
    );
    await rm(join(folder, 'podium.yaml'));
  });
});
