import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { after, before, beforeEach, describe, it } from 'mocha';
import { describeWithTools, toolFolder } from '../../support/kubernetes-tools.ts';
import { temporaryTree } from '../sources/temporary-tree.ts';
import { podium } from './run-podium.ts';

const run = promisify(execFile);

const deployment = (
  name: string,
  { selects = name, image = 'app', className = 'standard' } = {},
): string => `apiVersion: apps/v1
kind: Deployment
metadata: { name: ${name} }
spec:
  replicas: 1
  selector:
    matchLabels: { app: ${selects} }
  template:
    metadata:
      labels: { app: ${selects} }
    spec:
      priorityClassName: ${className}
      containers:
        - name: main
          image: ${image}
`;
const priorityClass = (value: number): string =>
  `apiVersion: scheduling.k8s.io/v1\nkind: PriorityClass\nmetadata: { name: standard }\nvalue: ${value}\n`;
/** Refused, and known for it. */
const refused = 'apiVersion: v1\nkind: Pod\nmetadata: { name: old }\nspec: { containers: [] }\n';

interface Found {
  readonly problems: readonly { readonly code: string; readonly path: string }[];
  readonly known?: {
    readonly from: string;
    readonly problems: readonly { readonly code: string }[];
    readonly gone: number;
  };
}

describe('what is new to podium check', () => {
  let folder: string;
  const git = (...args: string[]) =>
    run('git', ['-c', 'user.name=test', '-c', 'user.email=test@example.com', ...args], { cwd: folder });
  const write = (path: string, text: string) => writeFile(join(folder, path), text);
  const check = (...args: string[]) => podium(['check', '.', ...args], { cwd: folder });
  async function found(...args: string[]): Promise<Found & { readonly code: number | null }> {
    const { stdout, code } = await check(...args, '--format', 'json');
    return { ...(JSON.parse(stdout) as Found), code };
  }

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'podium-check-since-'));
    await git('init', '--quiet', '--initial-branch', 'main');
    // A hook of the first commit, before which there is none.
    await write('web.yaml', deployment('web'));
    const first = await podium(['simulate', '.', '--since', 'HEAD', '--summary'], { cwd: folder });
    assert.equal(first.code, 0, first.stderr);
    assert.match((await check('--since', 'HEAD')).stdout, /^None was known from git HEAD\.$/m);
  });

  beforeEach(async () => {
    await write('classes.yaml', priorityClass(1000));
    await write('web.yaml', deployment('web'));
    await write('old.yaml', refused);
    await git('add', '.');
    await git('commit', '--quiet', '--allow-empty', '--message', 'base');
    await git('tag', '--force', 'base');
  });

  after(() => rm(folder, { recursive: true }));

  it('finds no change in a file that is as it was, also where it declares one name twice', async () => {
    const pod = (image: string): string =>
      `apiVersion: v1\nkind: Pod\nmetadata: { name: twice }\nspec: { containers: [{ name: ${image}, image: ${image} }] }\n`;
    await write('twice.yaml', `${pod('one')}---\n${pod('two')}`);
    await git('add', '.');
    await git('commit', '--quiet', '-m', 'twice');
    const codes = ({ problems }: Found) => problems.flatMap(({ code, path }) => (path === 'twice.yaml' ? [code] : []));
    assert.deepEqual(codes(await found()), ['declared-twice']);
    await write('twice.yaml', `# Edited elsewhere.\n${pod('one')}---\n${pod('two')}`);
    assert.deepEqual(codes(await found()), ['declared-twice']);
    await write('twice.yaml', `${pod('one')}---\n${pod('three')}`);
    assert.ok(codes(await found()).includes('immutable-pod-field'));
    await rm(join(folder, 'twice.yaml'));
  });

  it('are changes against the commit, though all of them are committed, as in a pull request', async () => {
    await write('classes.yaml', priorityClass(2000));
    await write('web.yaml', deployment('web', { selects: 'site' }));
    await git('commit', '--quiet', '--all', '--message', 'change');
    const codes = ({ problems }: Found) => problems.map(({ code }) => code).sort();
    // The tree is HEAD, so that nothing differs from it.
    assert.ok(!codes(await found()).includes('immutable-workload-field'));
    const { known, ...since } = await found('--since', 'base');
    assert.deepEqual(codes(since), ['class-changed', 'immutable-workload-field']);
    assert.equal(known?.from, 'git base');
    assert.match((await check('--since', 'base')).stdout, /field is immutable \(compared with git base\)/);
    assert.ok(known.problems.length > 0);
  });

  it('is nothing where only other lines were edited', async () => {
    await write('old.yaml', `# moved down\n\n${refused}`);
    await write('web.yaml', `# two\n# lines\n${deployment('web', { image: 'app:2' })}`);
    const { code, stdout } = await check('--since', 'base');
    assert.equal(code, 0, stdout);
    assert.match(stdout, /^No new problems in 3 files\.$/m);
    assert.match(stdout, /^\d+ more problems? known from git base, which do(es)? not count\.$/m);
  });

  it('is told before twenty of those that are known, and how many more there are', async () => {
    await write('many.yaml', Array.from({ length: 30 }, (_, at) => refused.replace('old', `old${at}`)).join('---\n'));
    await git('add', 'many.yaml');
    await git('commit', '--quiet', '--message', 'many');
    assert.match((await check('--since', 'HEAD')).stdout, /^ {4}and \d+ more: --format json$/m);
    await git('reset', '--quiet', '--hard', 'HEAD~1');
  });

  it('is a problem of a file that is new, beside those of before', async () => {
    await write('new.yaml', refused.replace('old', 'new'));
    const { code, problems, known } = await found('--since', 'base');
    assert.equal(code, 1);
    assert.deepEqual([...new Set(problems.map(({ path }) => path))], ['new.yaml']);
    assert.ok(known!.problems.length > 0);
    const annotations = (await check('--since', 'base', '--format', 'github')).stdout;
    assert.match(annotations, /file=new\.yaml/);
    assert.doesNotMatch(annotations, /file=old\.yaml/);
    const log = JSON.parse((await check('--since', 'base', '--format', 'sarif')).stdout) as {
      runs: { results: { baselineState: string }[] }[];
    };
    assert.deepEqual(
      [...new Set(log.runs[0]!.results.map(({ baselineState }) => baselineState))],
      ['new', 'unchanged'],
    );
    await rm(join(folder, 'new.yaml'));
  });

  it('refuses a commit that there is not, and a comparison with two things', async () => {
    const unknown = await check('--since', 'nowhere');
    assert.equal(unknown.code, 2);
    assert.match(unknown.stderr, /no such commit: nowhere/);
    assert.equal((await check('--since', 'base', '--baseline', 'known.json')).code, 2);
  });

  it('is what a baseline does not know, which is written, read and pruned', async () => {
    const written = await podium(['baseline', '.', '-o', 'known.json'], { cwd: folder });
    assert.equal(written.code, 0, written.stderr);
    assert.match(written.stderr, /wrote known\.json: \d+ known problems?\n/);
    const first = await readFile(join(folder, 'known.json'), 'utf8');
    await write('old.yaml', `# an edit above\n${refused}`);
    assert.equal((await check('--baseline', 'known.json')).code, 0);
    await write('web.yaml', deployment('web').replace('replicas: 1', 'replicas: -1'));
    const { problems, code } = await found('--baseline', 'known.json');
    assert.equal(code, 1);
    assert.ok(problems.every(({ path }) => path === 'web.yaml'));
    // What is mended is said to be gone, and taken out; what is new does not get in.
    await rm(join(folder, 'old.yaml'));
    assert.match(
      (await check('--baseline', 'known.json')).stdout,
      /known problems? (is|are) gone: podium baseline --prune/,
    );
    const pruned = await podium(['baseline', '.', '-o', 'known.json', '--prune'], { cwd: folder });
    assert.match(pruned.stderr, /; \d+ problems? taken out\n/);
    assert.equal((await check('--baseline', 'known.json')).code, 1);
    const last = await readFile(join(folder, 'known.json'), 'utf8');
    assert.ok(last.length < first.length && !last.includes('old.yaml') && !last.includes('web.yaml'), last);
    const none = await check('--baseline', 'web.yaml');
    assert.equal(none.code, 2);
    assert.match(none.stderr, /web\.yaml is not JSON/);
  });
});

describeWithTools('what is new to podium check in what is rendered (#37)', () => {
  const tree = temporaryTree();
  const git = (...args: string[]) =>
    run('git', ['-c', 'user.name=test', '-c', 'user.email=test@example.com', ...args], { cwd: tree.root });
  const env = { PATH: `${toolFolder('v34')}:${process.env['PATH'] ?? ''}` };
  const changesOf = async (...paths: readonly string[]): Promise<readonly string[]> => {
    const { stdout } = await podium(
      ['check', ...(paths.length === 0 ? ['.'] : paths), '--since', 'base', '--format', 'json'],
      { cwd: tree.root, env },
    );
    return (JSON.parse(stdout) as Found).problems.map(({ code, path }) => `${path} ${code}`);
  };

  beforeEach(async () => {
    await git('init', '--quiet', '--initial-branch', 'main');
    tree.write({
      'base/web.yaml': deployment('web', { className: 'system-node-critical' }),
      'base/kustomization.yaml': 'resources: [web.yaml]\n',
      'prod/kustomization.yaml': 'namespace: shop\nresources: [../base]\n',
      'dev/kustomization.yaml': 'namespace: dev\nresources: [../base]\n',
      'chart/Chart.yaml': 'apiVersion: v2\nname: chart\nversion: 1.0.0\n',
      'chart/values.yaml': 'app: api\n',
      'chart/templates/api.yaml': deployment('api', {
        selects: '{{ .Values.app }}',
        className: 'system-node-critical',
      }).replace('matchLabels: { app: {{ .Values.app }} }', 'matchLabels:\n      app: {{ .Values.app }}'),
    });
    await git('add', '.');
    await git('commit', '--quiet', '--message', 'base');
    await git('tag', 'base');
  });

  it('is a selector that a base, an overlay or the values of a chart change', async () => {
    assert.deepEqual(await changesOf(), []);
    tree.write({ 'base/web.yaml': deployment('web', { selects: 'site', className: 'system-node-critical' }) });
    assert.deepEqual(await changesOf(), ['base/web.yaml immutable-workload-field']);
    // Also where the base lies beyond what is checked.
    assert.deepEqual(await changesOf('prod'), ['base/web.yaml immutable-workload-field']);
    tree.write({ 'base/web.yaml': deployment('web').replace('replicas: 1', 'replicas: -1') });
    assert.ok((await changesOf('prod')).includes('base/web.yaml invalid-workload'));
    await git('checkout', '--quiet', 'base', '--', '.');
    tree.write({
      'prod/kustomization.yaml':
        'namespace: shop\nresources: [../base]\nlabels: [{ pairs: { team: a }, includeSelectors: true }]\n',
    });
    assert.deepEqual(await changesOf(), ['prod/kustomization.yaml immutable-workload-field']);
    await git('checkout', '--quiet', 'base', '--', '.');
    tree.write({ 'chart/values.yaml': 'app: backend\n' });
    assert.deepEqual(await changesOf(), ['chart/values.yaml immutable-workload-field']);
    await git('checkout', '--quiet', 'base', '--', '.');
    // Another cluster that comes has an object of the same name.
    tree.write({
      'new/web.yaml': deployment('web', { selects: 'site' }),
      'new/kustomization.yaml': 'namespace: shop\nresources: [web.yaml]\n',
      'old/web.yaml': deployment('web', { selects: 'shop' }),
      'old/kustomization.yaml': 'namespace: shop\nresources: [web.yaml]\n',
    });
    await git('add', 'old');
    await git('commit', '--quiet', '--message', 'old');
    await git('tag', '--force', 'base');
    assert.ok(!(await changesOf()).some((change) => change.includes('immutable')));
    await rm(join(tree.root, 'new'), { recursive: true });
    tree.write({ 'chart/values.yaml': 'app: backend\n', 'env.yaml': 'app: web\n' });
    await git('add', 'env.yaml');
    await git('commit', '--quiet', '--message', 'env');
    await git('tag', '--force', 'base');
    tree.write({ 'env.yaml': 'app: site\n' });
    assert.deepEqual(await changesOf('chart', '-f', 'env.yaml'), ['env.yaml immutable-workload-field']);
  });
});
