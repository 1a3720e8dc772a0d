import assert from 'node:assert/strict';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { parse } from 'yaml';
import { root } from '../../../scripts/lib/paths.mjs';
import { shipped } from '../../../scripts/lib/shipped.mjs';
import { Comments, run } from '../../support/pull-request.ts';

describe('in pull requests', () => {
  let folder: string;
  let base: string;
  let podium: string;
  let bin: string;
  const git = (...args: readonly string[]) =>
    run(['git', '-c', 'user.name=Test', '-c', 'user.email=test@podium.example', ...args], join(folder, 'repo'));

  /** A repository whose last commit gives a workload a higher class and more cpu. */
  before(async () => {
    const { podium: script, command } = await shipped();
    podium = script;
    bin = dirname(command[0]!);
    folder = await mkdtemp(join(tmpdir(), 'podium-action-'));
    await cp(join(root, 'samples/online-shop'), join(folder, 'repo'), { recursive: true });
    await git('init', '-q', '-b', 'main');
    await git('add', '-A');
    await git('commit', '-qm', 'shop');
    base = (await git('rev-parse', 'HEAD')).out.trim();
    const catalog = join(folder, 'repo/apps/catalog.yaml');
    const larger = (await readFile(catalog, 'utf8'))
      .replace('cpu: 500m', 'cpu: 3')
      .replace('    containers:', '    priorityClassName: shop-critical\n      containers:');
    await writeFile(catalog, larger);
    await git('commit', '-qam', 'a larger catalog');
    const event = { pull_request: { number: 7, base: { sha: base } } };
    await writeFile(join(folder, 'event.json'), JSON.stringify(event));
  });

  after(() => rm(folder, { recursive: true, force: true }));

  const act = (api: string, more: Readonly<Record<string, string>> = {}, cwd = join(folder, 'repo')) =>
    run([process.execPath, join(root, 'integrations/github-action.mjs')], cwd, {
      PODIUM: podium,
      PODIUM_PATH: '.',
      PODIUM_TOKEN: 'secret',
      RUNNER_TEMP: folder,
      GITHUB_API_URL: api,
      GITHUB_REPOSITORY: 'shop/infra',
      GITHUB_EVENT_PATH: join(folder, 'event.json'),
      GITHUB_OUTPUT: join(folder, 'output'),
      GITHUB_STEP_SUMMARY: join(folder, 'summary'),
      ...more,
    });

  it('the action writes one comment, keeps it up to date, and leaves those of others alone', async () => {
    const comments = new Comments();
    const api = await comments.start();
    try {
      for (const round of [1, 2]) {
        const { code, out } = await act(api, { PODIUM_FAIL_ON: 'evicted' });
        assert.equal(code, 1, out);
        assert.equal(comments.all.length, 2, `round ${round}`);
      }
      assert.match(comments.all[1]!.body, /^<!-- podium -->\n### /);
      assert.match(comments.all[1]!.body, /Deployment shop\/catalog/);
      assert.equal(comments.all[0]!.body, 'Looks good to me.');
      assert.deepEqual(
        comments.asked.filter((line) => !line.startsWith('GET')),
        ['POST /repos/shop/infra/issues/7/comments', 'PATCH /repos/shop/infra/issues/comments/2'],
      );
      assert.match(await readFile(join(folder, 'podium.sarif'), 'utf8'), /"version": ?"2\.1\.0"/);
      assert.match(await readFile(join(folder, 'output'), 'utf8'), /^sarif-file=.*podium\.sarif$/m);
    } finally {
      await comments.stop();
    }
  });

  it('the action leaves a comment alone that somebody else began as its own, whoever the token is of', async () => {
    for (const user of [null, 'robot']) {
      const comments = new Comments();
      comments.user = user;
      const forged = '<!-- podium -->\nLooks good, merge it.';
      comments.all.push({ id: 2, body: forged, user: { login: 'mallory' } });
      const api = await comments.start();
      try {
        for (let round = 0; round < 2; round++) await act(api);
        assert.equal(comments.all[1]!.body, forged);
        assert.equal(comments.all.length, 3);
        assert.match(comments.all[2]!.body, /^<!-- podium -->\n### /);
      } finally {
        await comments.stop();
      }
    }
  });

  it('the action fails with the reason where a change blinds the check, and obeys no file name', async () => {
    const comments = new Comments();
    const api = await comments.start();
    const repo = join(folder, 'repo');
    const name = 'a\n::error title=x::pwned\n.yaml';
    try {
      await mkdir(join(repo, 'blind'));
      await writeFile(join(repo, 'blind/kustomization.yaml'), 'resources: [gone.yaml]\n');
      await writeFile(join(repo, name), 'a: b\napiVersion: v1\nkind: [\n');
      const { code, out } = await act(api);
      assert.equal(code, 1, out);
      assert.match(out, /^::error title=Podium::podium check: not checked: .*gone\.yaml/m);
      const obeyed = out.replace(/^::stop-commands::(\S+)\n[^]*?\n::\1::$/gm, '');
      assert.doesNotMatch(obeyed, /^\s*::error title=x/m);
      assert.doesNotMatch(out, /^\s*::error title=x/m);
    } finally {
      await rm(join(repo, 'blind'), { recursive: true });
      await rm(join(repo, name));
      await comments.stop();
    }
  });

  it('the action writes into the summary of the job where it may not comment', async () => {
    const comments = new Comments();
    comments.mayWrite = false;
    const api = await comments.start();
    try {
      const { code, out } = await act(api);
      assert.equal(code, 0, out);
      assert.match(await readFile(join(folder, 'summary'), 'utf8'), /^### /);
      assert.equal(comments.all.length, 1);
    } finally {
      await comments.stop();
    }
  });

  it('the action judges what the change brings, whatever the target has got meanwhile, and logs no failure of a command', async () => {
    const moved = join(folder, 'moved');
    const there = async (...args: readonly string[]): Promise<string> =>
      (await run(['git', '-c', 'user.name=Test', '-c', 'user.email=test@podium.example', ...args], moved)).out.trim();
    await run(['git', 'clone', '-q', join(folder, 'repo'), moved], folder);
    await there('checkout', '-qb', 'change', base);
    await writeFile(join(moved, 'wrong.yaml'), 'apiVersion: v1\nkind: Pod\nmetadata: { name: W }\nspec: {}\n');
    await there('add', '.');
    await there('commit', '-qm', 'change');
    const head = await there('rev-parse', 'HEAD');
    await there('checkout', '-qb', 'target', base);
    await there('rm', '-q', 'priority-classes.yaml');
    await there('commit', '-qm', 'others');
    const target = await there('rev-parse', 'HEAD');
    await there('merge', '-q', '--no-ff', '-m', 'merged', 'change');
    // A checkout of the merge with an older base in the event, and one of the branch with a newer.
    for (const [commit, since] of [
      ['HEAD', base],
      ['change', target],
    ] as const) {
      await there('checkout', '-q', commit);
      const event = { pull_request: { number: 7, base: { sha: since }, head: { sha: head } } };
      await writeFile(join(folder, 'moved.json'), JSON.stringify(event));
      const more = { GITHUB_EVENT_PATH: join(folder, 'moved.json'), PODIUM_COMMENT: 'false', PODIUM_FAIL_ON: '' };
      const { code, out } = await act('http://127.0.0.1:9', more, moved);
      assert.equal(code, 1, out);
      assert.match(out, /^::error file=wrong\.yaml,/m);
      assert.doesNotMatch(out, /^::(?!error file=wrong\.yaml,)\w+ file|Command failed/m);
    }
  });

  it('the action ends with 2 and names fetch-depth where a shallow clone lacks the base', async () => {
    await run(
      ['git', 'clone', '-q', '--depth', '1', `file://${join(folder, 'repo')}`, join(folder, 'shallow')],
      folder,
    );
    const { code, out } = await act('http://127.0.0.1:9', {}, join(folder, 'shallow'));
    assert.equal(code, 2);
    assert.match(out, /no such commit: [0-9a-f]{40}; this clone is shallow: .*fetch-depth: 0/);
  });

  it('what GitLab runs is what the template says', async () => {
    const { podium: job } = parse(await readFile(join(root, 'integrations/gitlab-ci.yml'), 'utf8')) as {
      podium: { script: string[] };
    };
    const env = {
      PATH: `${bin}${delimiter}${process.env['PATH'] ?? ''}`,
      PODIUM_PATH: '.',
      PODIUM_FAIL_ON: 'evicted',
      CI_MERGE_REQUEST_DIFF_BASE_SHA: base,
    };
    const { code, out } = await run(['sh', '-ec', job.script.join('\n')], join(folder, 'repo'), env);
    assert.equal(code, 1, out);
    assert.match(await readFile(join(folder, 'repo/podium.md'), 'utf8'), /^### /);
    await rm(join(folder, 'repo/podium.md'));
  });

  it('the hooks of pre-commit run as they are written', async () => {
    const hooks = parse(await readFile(join(root, '.pre-commit-hooks.yaml'), 'utf8')) as {
      id: string;
      entry: string;
      args: string[];
      additional_dependencies: string[];
    }[];
    const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { version: string };
    const repository = join(folder, 'hooked');
    const wrong = 'apiVersion: v1\nkind: Pod\nmetadata: { name: W }\nspec: {}\n';
    await run(['git', 'clone', '-q', join(folder, 'repo'), repository], folder);
    await writeFile(join(repository, 'old.yaml'), wrong);
    const author = ['-c', 'user.name=Test', '-c', 'user.email=test@podium.example'];
    await run(['git', ...author, 'add', '.'], repository);
    await run(['git', ...author, 'commit', '-qm', 'an error of before'], repository);
    const hook = ({ entry, args }: { entry: string; args: string[] }) =>
      run([join(bin, entry.split(' ')[0]!), ...entry.split(' ').slice(1), ...args], repository);
    for (const each of hooks) {
      const { code, out } = await hook(each);
      assert.equal(code, 0, `${each.id}: ${out}`);
      assert.deepEqual(each.additional_dependencies, [`podium-scheduling@${version}`]);
    }
    await writeFile(join(repository, 'new.yaml'), wrong);
    assert.equal((await hook(hooks[0]!)).code, 1);
  });

  it('the image runs the installed command, as nobody special, and says how it is used', async () => {
    const lines = (await readFile(join(root, 'Dockerfile'), 'utf8')).split('\n');
    const argument = (instruction: string): string =>
      lines.find((line) => line.startsWith(`${instruction} `))?.slice(instruction.length + 1) ?? '';
    assert.match(argument('FROM'), /^node:\d+-alpine$/);
    assert.equal(argument('USER'), 'node');
    const [program = '', ...args] = ['ENTRYPOINT', 'CMD'].flatMap((name) => JSON.parse(argument(name)) as string[]);
    const { code, out } = await run([join(bin, program), ...args], folder);
    assert.equal(code, 0, out);
    assert.match(out, /^Usage:\n {2}podium simulate /m);
  });

  it('everything that names a version of the package names this one', async () => {
    const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { version: string };
    for (const file of ['action.yml', 'integrations/gitlab-ci.yml', 'Dockerfile', '.pre-commit-hooks.yaml']) {
      const text = await readFile(join(root, file), 'utf8');
      assert.ok(text.includes(version), file);
      assert.ok(!text.includes('npx podium'), file);
    }
    const action = parse(await readFile(join(root, 'action.yml'), 'utf8')) as {
      runs: { steps: { uses?: string; run?: string }[] };
    };
    for (const { uses, run: script } of action.runs.steps) {
      if (uses !== undefined) assert.match(uses, /@[0-9a-f]{40}$/, 'pinned to a commit');
      assert.ok(!(script ?? '').includes('${{'), 'an input in a script would be code');
    }
  });
});
