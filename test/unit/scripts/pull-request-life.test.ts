import assert from 'node:assert/strict';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { parse } from 'yaml';
import { root } from '../../../scripts/lib/paths.mjs';
import { shipped } from '../../../scripts/lib/shipped.mjs';
import { Comments, run } from '../../support/pull-request.ts';

/** Refused by the API server, and in the repository before anything is changed. */
const old = 'apiVersion: v1\nkind: Pod\nmetadata: { name: old, namespace: shop }\nspec: { containers: [] }\n';

const marker = (key = ''): string => `<!-- podium${key === '' ? '' : `: ${key}`} -->`;

describe('the life of a pull request', () => {
  let folder: string;
  let repo: string;
  let podium: string;
  let bin: string;
  let base: string;
  let comments: Comments;
  let api: string;
  const git = async (...args: readonly string[]): Promise<string> =>
    (await run(['git', '-c', 'user.name=Test', '-c', 'user.email=test@podium.example', ...args], repo)).out.trim();
  const edit = async (path: string, change: (text: string) => string): Promise<void> => {
    await writeFile(join(repo, path), change(await readFile(join(repo, path), 'utf8')));
  };

  before(async () => {
    const { podium: script, command } = await shipped();
    podium = script;
    bin = dirname(command[0]!);
    folder = await mkdtemp(join(tmpdir(), 'podium-life-'));
    repo = join(folder, 'repo');
    await cp(join(root, 'samples/online-shop'), repo, { recursive: true });
    await writeFile(join(repo, 'old.yaml'), old);
    await writeFile(join(repo, 'README.md'), 'The shop.\n');
    await git('init', '-q', '-b', 'main');
    await git('add', '-A');
    await git('commit', '-qm', 'shop');
    base = await git('rev-parse', 'HEAD');
  });

  beforeEach(async () => {
    comments = new Comments();
    api = await comments.start();
    await git('checkout', '-qf', '-B', 'change', base);
  });

  afterEach(() => comments.stop());

  after(() => rm(folder, { recursive: true, force: true }));

  /** What the action does for the commit that is made of the files as they are. */
  async function act(inputs: Readonly<Record<string, string>> = {}): Promise<{ code: number; out: string }> {
    await git('add', '-A');
    await git('commit', '-qm', 'change', '--allow-empty');
    const head = await git('rev-parse', 'HEAD');
    await writeFile(
      join(folder, 'event.json'),
      JSON.stringify({ pull_request: { number: 7, base: { sha: base }, head: { sha: head } } }),
    );
    await rm(join(folder, 'summary'), { force: true });
    return run([process.execPath, join(root, 'integrations/github-action.mjs')], repo, {
      PODIUM: podium,
      PODIUM_PATH: '.',
      PODIUM_TOKEN: 'secret',
      RUNNER_TEMP: folder,
      GITHUB_API_URL: api,
      GITHUB_REPOSITORY: 'shop/infra',
      GITHUB_RUN_ID: '42',
      GITHUB_EVENT_PATH: join(folder, 'event.json'),
      GITHUB_OUTPUT: join(folder, 'output'),
      GITHUB_STEP_SUMMARY: join(folder, 'summary'),
      ...inputs,
    });
  }

  const written = (): string[] => comments.all.slice(1).map(({ body }) => body);

  it('posts nothing and fails nothing where no manifest has changed, old findings or not', async () => {
    await edit('README.md', (text) => `${text}More.\n`);
    const { code, out } = await act({ PODIUM_FAIL_ON: 'evicted,budget,pending' });
    assert.equal(code, 0, out);
    assert.deepEqual(written(), []);
    assert.doesNotMatch(out, /^::error/m);
  });

  it('says first what a change of a class comes to, within one screen, and links to it', async () => {
    await edit('priority-classes.yaml', (text) => text.replace('value: 10000\n', 'value: 200000\n'));
    const { code, out } = await act();
    assert.equal(code, 0, out);
    assert.match(out, /^::warning file=priority-classes\.yaml,.*title=podium class-changed::/m);
    const [body = ''] = written();
    const head = await git('rev-parse', 'HEAD');
    assert.match(body, /^<!-- podium -->\n### .*shop-standard/);
    const [screen = ''] = body.split('<details>');
    assert.ok(screen.split('\n').length <= 40, screen);
    assert.match(screen, /\*\*New problems: \d+\*\*/);
    assert.ok(screen.includes(`(https://github.com/shop/infra/blob/${head}/priority-classes.yaml#L`), screen);
    assert.match(
      screen,
      /\[class-changed\]\(https:\/\/github\.com\/[\w.-]+\/podium\/blob\/v[\d.]+\/docs\/rules\/class-changed\.md\)/,
    );
    assert.ok(body.includes(`(https://github.com/shop/infra/compare/${base}...${head})`), body);
    assert.ok(body.includes('(https://github.com/shop/infra/actions/runs/42)'), body);
    assert.doesNotMatch(body, /old\.yaml/);
  });

  it('[#37] links the places of what has changed to their lines', async () => {
    await edit('apps/catalog.yaml', (text) => text.replace('cpu: 500m', 'cpu: 3'));
    const { code, out } = await act();
    assert.equal(code, 0, out);
    const [body = ''] = written();
    const head = await git('rev-parse', 'HEAD');
    const line =
      1 +
      (await readFile(join(repo, 'apps/catalog.yaml'), 'utf8'))
        .split('\n')
        .findIndex((each) => each.includes('cpu: 3'));
    const place = `apps/catalog.yaml:${line}`;
    assert.ok(
      body.includes(`· [\`${place}\`](https://github.com/shop/infra/blob/${head}/${place.replace(':', '#L')})`),
      body,
    );
  });

  it('fails for an error that is new, as a selector that was changed, and not for an old one elsewhere', async () => {
    await edit('apps/catalog.yaml', (text) => text.replaceAll('app: catalog', 'app: catalogue'));
    const changed = await act({ PODIUM_SEVERITY: 'immutable-workload-field=error' });
    assert.equal(changed.code, 1, changed.out);
    assert.match(changed.out, /^::error file=apps\/catalog\.yaml,.*immutable-workload-field/m);
    assert.doesNotMatch(changed.out, /^::\w+ file=old\.yaml/m);
    await git('checkout', '-qf', '-B', 'change', base);
    await edit('old.yaml', (text) => `# Edited, and as refused as before.\n${text}`);
    const same = await act();
    assert.equal(same.code, 0, same.out);
  });

  it('fails with the reason where a rendering breaks', async () => {
    await mkdir(join(repo, 'overlay'));
    await writeFile(join(repo, 'overlay/kustomization.yaml'), 'resources: [gone.yaml]\n');
    const { code, out } = await act();
    assert.equal(code, 1, out);
    assert.match(out, /^::error title=Podium::podium check: not checked: .*gone\.yaml/m);
    const unrendered = await act({ PODIUM_EXCLUDE: 'overlay/**' });
    assert.equal(unrendered.code, 0, unrendered.out);
  });

  it('writes into the summary of the job for a fork, whose token may only read', async () => {
    comments.mayWrite = false;
    await edit('apps/catalog.yaml', (text) => text.replace('cpu: 500m', 'cpu: 3'));
    const { code, out } = await act();
    assert.equal(code, 0, out);
    assert.deepEqual(written(), []);
    assert.match(await readFile(join(folder, 'summary'), 'utf8'), /^### /);
    assert.doesNotMatch(out, /Command failed/);
  });

  it('keeps a comment for each job of a matrix, and brings each up to date when the change is taken back', async () => {
    await edit('apps/catalog.yaml', (text) => text.replace('cpu: 500m', 'cpu: 3'));
    for (const key of ['staging', 'prod', 'prod']) await act({ PODIUM_KEY: key });
    assert.deepEqual(
      written().map((body) => body.split('\n')[0]),
      [marker('staging'), marker('prod')],
    );
    assert.match(written()[1]!, /<sub>Podium · prod · /);
    await git('checkout', '-qf', '-B', 'change', base);
    await act({ PODIUM_KEY: 'prod' });
    assert.equal(written().length, 2);
    assert.doesNotMatch(written()[1]!, /catalog/);
    assert.match(written()[0]!, /catalog/);
  });

  it('is judged with the inputs: severity, target, version of Kubernetes, rendering', async () => {
    await edit('apps/catalog.yaml', (text) => text.replace('cpu: 500m', 'cpu: 3'));
    const { out } = await act({ PODIUM_KUBERNETES: '1.34', PODIUM_RENDER: 'false', PODIUM_SEVERITY: 'no-such=off' });
    assert.match(out, /no rule 'no-such'/);
    await act({ PODIUM_KUBERNETES: '1.34', PODIUM_RENDER: 'false' });
    assert.match(written().at(-1)!, /Kubernetes 1\.34/);
  });

  describe('in GitLab', () => {
    /** Notes of a merge request, as GitLab keeps them. */
    const notes: { id: number; body: string; author: { id: number } }[] = [];
    const server = createServer((request, response) => {
      let text = '';
      request.on('data', (chunk: Buffer) => (text += chunk.toString('utf8')));
      request.on('end', () => {
        const answer = (value: unknown): void => {
          response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value));
        };
        if (request.method === 'GET') {
          answer(request.url === '/api/v4/user' ? { id: 5 } : notes);
          return;
        }
        const { body } = JSON.parse(text) as { body: string };
        const known = notes.find(({ id }) => request.url?.endsWith(`/notes/${id}`));
        if (known === undefined) notes.push({ id: notes.length + 1, body, author: { id: 5 } });
        else known.body = body;
        answer({});
      });
    });

    before(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)));
    after(() => new Promise((resolve) => server.close(resolve)));

    const job = async (more: Readonly<Record<string, string>> = {}): Promise<{ code: number; out: string }> => {
      await git('add', '-A');
      await git('commit', '-qm', 'change', '--allow-empty');
      const { podium: template } = parse(await readFile(join(root, 'integrations/gitlab-ci.yml'), 'utf8')) as {
        podium: { script: string[] };
      };
      return run(['sh', '-ec', template.script.join('\n')], repo, {
        PATH: `${bin}${delimiter}${process.env['PATH'] ?? ''}`,
        PODIUM_PATH: 'apps\nbudgets.yaml\npriority-classes.yaml\ncluster\nold.yaml\n',
        PODIUM_FAIL_ON: '',
        CI_MERGE_REQUEST_DIFF_BASE_SHA: base,
        CI_API_V4_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v4`,
        CI_PROJECT_ID: '3',
        CI_MERGE_REQUEST_IID: '8',
        CI_JOB_URL: 'https://gitlab.example/jobs/1',
        PODIUM_NOTE_TOKEN: 'secret',
        ...more,
      });
    };

    it('reports before anything ends the job: a note, a Code Quality report, the comparison', async () => {
      await edit(
        'apps/catalog.yaml',
        (text) => `${text.replaceAll('app: catalog', 'app: catalogue')}---\n${old.replace('old', 'new')}`,
      );
      const { code, out } = await job({ PODIUM_FAIL_ON: 'pending,evicted,budget' });
      assert.equal(code, 1, out);
      const quality = JSON.parse(await readFile(join(repo, 'podium-code-quality.json'), 'utf8')) as {
        check_name: string;
        severity: string;
        fingerprint: string;
        location: { path: string; lines: { begin: number } };
      }[];
      const found = quality.find(({ check_name: rule }) => rule === 'immutable-workload-field')!;
      assert.deepEqual([found.severity, found.location.path], ['major', 'apps/catalog.yaml']);
      assert.equal(new Set(quality.map(({ fingerprint }) => fingerprint)).size, quality.length);
      assert.ok(!quality.some(({ location }) => location.path === 'old.yaml'));
      assert.match(
        notes[0]!.body,
        /^<!-- podium -->\n### [^]*\[Log of the job\]\(https:\/\/gitlab\.example\/jobs\/1\)/,
      );
      await job();
      assert.equal(notes.length, 1);
    });

    it('writes no note where nothing has changed, and none without a token', async () => {
      notes.length = 0;
      const same = await job();
      assert.equal(same.code, 0, same.out);
      await edit('apps/catalog.yaml', (text) => text.replace('cpu: 500m', 'cpu: 3'));
      await job({ PODIUM_NOTE_TOKEN: '' });
      assert.deepEqual(notes, []);
    });
  });
});

describe('what installs kubectl and helm in a container', () => {
  it('takes the pinned versions, and nothing whose sum is another', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'podium-install-'));
    const script = join(root, 'integrations/install-tools.sh');
    const served = join(folder, 'served');
    await mkdir(join(served, 'linux-amd64'), { recursive: true });
    await mkdir(join(served, 'linux-arm64'), { recursive: true });
    for (const arch of ['amd64', 'arm64']) {
      await writeFile(join(served, `linux-${arch}/helm`), '#!/bin/sh\necho helm\n');
    }
    await writeFile(join(served, 'kubectl'), '#!/bin/sh\necho kubectl\n');
    await run(['tar', '-czf', 'helm.tar.gz', 'linux-amd64', 'linux-arm64'], served);
    // In the place of the network: what is asked for, by the end of its address.
    const wget = `#!/bin/sh
echo "$4" >> '${folder}/asked'
case $4 in
  *.sha256 | *.sha256sum) case $4 in *kubectl*) f=kubectl ;; *) f=helm.tar.gz ;; esac
    [ -e '${folder}/forged' ] && echo 0000 > "$3" || sha256sum "${served}/$f" > "$3" ;;
  *kubectl) cp '${served}/kubectl' "$3" ;;
  *) cp '${served}/helm.tar.gz' "$3" ;;
esac
`;
    await mkdir(join(folder, 'path'));
    await writeFile(join(folder, 'path/wget'), wget, { mode: 0o755 });
    const env = {
      PATH: `${join(folder, 'path')}${delimiter}${process.env['PATH'] ?? ''}`,
      PODIUM_BIN: join(folder, 'bin'),
    };
    const { code, out } = await run(['sh', script], folder, env);
    assert.equal(code, 0, out);
    for (const tool of ['kubectl', 'helm']) {
      assert.equal((await run([join(folder, 'bin', tool)], folder)).out.trim(), tool);
    }
    const asked = await readFile(join(folder, 'asked'), 'utf8');
    assert.match(asked, /^https:\/\/dl\.k8s\.io\/release\/v1\.\d+\.\d+\/bin\/linux\/(amd64|arm64)\/kubectl$/m);
    assert.match(asked, /^https:\/\/get\.helm\.sh\/helm-v\d+\.\d+\.\d+-linux-(amd64|arm64)\.tar\.gz$/m);
    await rm(join(folder, 'bin'), { recursive: true });
    await writeFile(join(folder, 'forged'), '');
    assert.notEqual((await run(['sh', script], folder, env)).code, 0);
    assert.notEqual((await run([join(folder, 'bin/kubectl')], folder)).code, 0);
    await rm(folder, { recursive: true });
  });
});
