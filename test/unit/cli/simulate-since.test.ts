import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { after, before, describe, it } from 'mocha';
import type { Report } from '../../../server/src/report-model/report.ts';
import { podium, projectFolder } from './run-podium.ts';

const run = promisify(execFile);

const node = (cpu: string): string =>
  `apiVersion: v1\nkind: Node\nmetadata: { name: node-a }\nstatus: { allocatable: { cpu: "${cpu}", memory: 8Gi, pods: "10" } }\n`;
const pod = (name: string): string =>
  `apiVersion: v1\nkind: Pod\nmetadata: { name: ${name} }\nspec: { containers: [{ name: main, image: app, resources: { requests: { cpu: "1" } } }] }\n`;

describe('podium simulate --since', () => {
  let folder: string;

  async function write(files: Readonly<Record<string, string>>): Promise<void> {
    for (const [path, text] of Object.entries(files)) {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), text);
    }
  }

  const git = (...args: string[]) =>
    run('git', ['-c', 'user.name=test', '-c', 'user.email=test@example.com', ...args], { cwd: folder });
  const since = (commit: string, ...args: string[]) =>
    podium(['simulate', ...args, '--since', commit], { cwd: folder });

  async function changes(commit: string, ...paths: string[]): Promise<string[]> {
    const { stdout, stderr } = await since(commit, ...paths, '--format', 'json');
    assert.equal(stderr, '');
    return (JSON.parse(stdout) as Report).comparison!.pods.map(({ kind, name }) => `${kind} ${name}`).sort();
  }

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'podium-since-'));
    await write({
      'prod/node.yaml': node('4'),
      'prod/kept.yaml': pod('kept'),
      'prod/moved.yaml': pod('renamed-file'),
      'prod/old.yaml': pod('old'),
      'other/pod.yaml': pod('other'),
      '.cache/pod.yaml': pod('hidden'),
    });
    await git('init', '--quiet');
    await git('add', '.');
    await git('commit', '--quiet', '--message', 'first');
    await git('tag', 'v1');
    await write({ 'prod/old.yaml': pod('older') });
    await git('commit', '--quiet', '--all', '--message', 'second');
    await rename(join(folder, 'prod/moved.yaml'), join(folder, 'prod/ünïcode name.yaml'));
    await rm(join(folder, 'prod/old.yaml'));
    await rm(join(folder, '.cache'), { recursive: true });
    await write({ 'prod/new.yaml': pod('new') });
  });

  after(() => rm(folder, { recursive: true, force: true }));

  it('[ED-5] compares with a commit: files deleted, added, renamed and kept', async () => {
    assert.deepEqual(await changes('HEAD', 'prod'), ['added new']);
  });

  it('takes any name of a commit, and one file', async () => {
    assert.deepEqual(await changes('v1', 'prod'), ['added new']);
    assert.deepEqual(await changes('HEAD~1', 'prod/kept.yaml', 'prod/node.yaml'), []);
    assert.deepEqual(await changes('HEAD', 'prod/new.yaml'), ['added new']);
    const hash = (await git('rev-parse', 'HEAD')).stdout.trim();
    const unchanged = await since(hash, 'prod/kept.yaml', 'prod/node.yaml');
    assert.match(unchanged.stdout, new RegExp(`since git ${hash.slice(0, 12)}\\.`));
  });

  it('names the class that was changed, and where, and that the API server refuses it', async () => {
    const shop = await mkdtemp(join(tmpdir(), 'podium-shop-'));
    try {
      await cp(join(projectFolder, 'samples/online-shop'), shop, { recursive: true });
      const inShop = (...args: string[]) =>
        run('git', ['-c', 'user.name=test', '-c', 'user.email=test@example.com', ...args], { cwd: shop });
      await inShop('init', '--quiet');
      await inShop('add', '.');
      await inShop('commit', '--quiet', '--message', 'first');
      const classes = join(shop, 'priority-classes.yaml');
      await writeFile(classes, (await readFile(classes, 'utf8')).replace('value: 1000\n', 'value: 150000\n'));
      const args = ['simulate', '.', '--since', 'HEAD'];
      const { stdout } = await podium([...args, '--format', 'json'], { cwd: shop });
      const { comparison, answer } = JSON.parse(stdout) as Report;
      assert.deepEqual(
        comparison!.causes.map(({ object, field, old, new: now }) => [object, field, old, now]),
        [['PriorityClass/batch-standard', 'value', 1000, 150000]],
      );
      assert.match(comparison!.causes[0]!.origin!.uri, /priority-classes\.yaml$/);
      assert.equal(answer.balance.evicted, 0);
      const table = (await podium(args, { cwd: shop, columns: 120 })).stdout;
      assert.match(table, /^The API server refuses the change of PriorityClass batch-standard: value: Forbidden/);
      assert.match(table, /\nAfter it: 0 evicted \(=\), 5 pending \(=\)\.\n/);
      assert.match(table, /value: Forbidden: may not be\s+changed in an update\.\n/);
      assert.match(table, /× PriorityClass batch-standard value 1000 → 150000 REFUSED priority-classes\.yaml:\d+\n/);
      assert.ok(table.trimEnd().split('\n').length <= 60);
      const failed = await podium([...args, '--fail-on', 'refused'], { cwd: shop });
      assert.equal(failed.code, 1);
      assert.match(failed.stdout, /\n--fail-on refused: 1 refused, 0 before: PriorityClass\/batch-standard\n$/);
      const markdown = (await podium([...args, '--format', 'markdown'], { cwd: shop })).stdout;
      assert.match(
        markdown,
        /^- `PriorityClass batch-standard` value 1000 → 150000 \*\*refused\*\* · `priority-classes\.yaml:\d+`$/m,
      );

      await inShop('checkout', '--quiet', '.');
      const cart = join(shop, 'apps/cart.yaml');
      await writeFile(cart, (await readFile(cart, 'utf8')).replace('replicas: 2\n', 'replicas: 3\n'));
      const scaled = (await podium(args, { cwd: shop })).stdout.replaceAll(/\s+/g, ' ');
      assert.match(
        scaled,
        /leaves 1 more pod pending \(nightly-report\); finds a place for 1 more pod \(thumbnailer\)\./,
      );
      // It helps against the eviction, too, and stands there.
      assert.equal(scaled.split("podium simulate . --since HEAD --what-if 'add 1 node like general-a'").length, 2);
      assert.doesNotMatch(scaled, /--what-if 'priority/);
    } finally {
      await rm(shop, { recursive: true, force: true });
    }
  });

  it('[#36] answers where objects are, were or come to be of versions that are not served', async () => {
    const template = '{ spec: { restartPolicy: Never, containers: [{ name: main, image: app }] } }';
    const others = (cronJob: string, scaler: string, web: string): string =>
      [
        `apiVersion: ${cronJob}\nkind: CronJob\nmetadata: { name: night }\nspec: { schedule: "0 * * * *", jobTemplate: { spec: { template: ${template} } } }`,
        `apiVersion: ${scaler}\nkind: HorizontalPodAutoscaler\nmetadata: { name: web }\nspec: { maxReplicas: 3, scaleTargetRef: { apiVersion: apps/v1, kind: Deployment, name: web } }`,
        `apiVersion: ${web}\nkind: Deployment\nmetadata: { name: web }\nspec: { selector: { matchLabels: { app: web } }, template: { metadata: { labels: { app: web } }, spec: { containers: [{ name: main, image: app }] } } }`,
        'apiVersion: batch/v1\nkind: CronJob\nmetadata: { name: empty }',
        'apiVersion: autoscaling/v2\nkind: HorizontalPodAutoscaler\nmetadata: { name: empty }',
        '',
      ].join('\n---\n');
    const served = others('batch/v1', 'autoscaling/v2', 'apps/v1');
    const gone = others('batch/v1beta1', 'autoscaling/v2beta2', 'extensions/v1beta1');
    const kept = await mkdtemp(join(tmpdir(), 'podium-versions-'));
    const git = (...args: string[]) =>
      run('git', ['-c', 'user.name=test', '-c', 'user.email=test@example.com', ...args], { cwd: kept });
    try {
      await git('init', '--quiet');
      for (const [was, is] of [
        [gone, gone],
        [served, gone],
        [gone, served],
      ] as const) {
        await writeFile(join(kept, 'a.yaml'), was + pod('main'));
        await git('add', '.');
        await git('commit', '--quiet', '--message', 'was');
        await writeFile(join(kept, 'a.yaml'), is + pod('main').replace('"1"', '"2"'));
        const { code, stderr, stdout } = await podium(['simulate', '.', '--since', 'HEAD'], { cwd: kept });
        assert.deepEqual([code, stderr], [0, '']);
        assert.match(stdout, /Pod default\/main spec\.containers\[0\]\.resources\.requests\.cpu 1 → 2/);
      }
    } finally {
      await rm(kept, { recursive: true, force: true });
    }
  });

  it('[#37] finds the one change that is refused among hundreds', async () => {
    const many = await mkdtemp(join(tmpdir(), 'podium-since-many-'));
    try {
      const web = (name: number, image: string, app: string | number): string =>
        `apiVersion: apps/v1\nkind: Deployment\nmetadata: { name: web-${name} }\nspec: { replicas: 0, selector: { matchLabels: { app: w${app} } }, template: { metadata: { labels: { app: w${app} } }, spec: { containers: [{ name: main, image: ${image} }] } } }\n`;
      const all = Array.from({ length: 150 }, (_, index) => index + 100);
      await writeFile(join(many, 'web.yaml'), all.map((each) => web(each, 'one', each)).join('---\n'));
      const inMany = (...args: string[]) =>
        run('git', ['-c', 'user.name=test', '-c', 'user.email=test@example.com', ...args], { cwd: many });
      await inMany('init', '--quiet');
      await inMany('add', '.');
      await inMany('commit', '--quiet', '--message', 'first');
      const changed = all.map((each) => web(each, 'two', each === 249 ? 'other' : each));
      await writeFile(join(many, 'web.yaml'), changed.join('---\n'));
      const { code, stdout } = await podium(['simulate', '.', '--since', 'HEAD', '--fail-on', 'refused'], {
        cwd: many,
      });
      assert.equal(code, 1);
      assert.match(stdout, /\n--fail-on refused: 1 refused, 0 before: Deployment\/default\/web-249\n$/);
    } finally {
      await rm(many, { recursive: true });
    }
  });

  it('[#33] fails on pods that a quota refuses to a changed workload', async () => {
    const tight = await mkdtemp(join(tmpdir(), 'podium-since-quota-'));
    try {
      const web = (replicas: number): string =>
        `apiVersion: apps/v1\nkind: Deployment\nmetadata: { name: web }\nspec: { replicas: ${replicas}, selector: { matchLabels: { app: web } }, template: { metadata: { labels: { app: web } }, spec: { containers: [{ name: main, image: one }] } } }\n`;
      const quota = `apiVersion: v1\nkind: ResourceQuota\nmetadata: { name: few }\nspec: { hard: { pods: "3" } }\n---\n`;
      await writeFile(join(tight, 'web.yaml'), quota + web(2));
      const inTight = (...args: string[]) =>
        run('git', ['-c', 'user.name=test', '-c', 'user.email=test@example.com', ...args], { cwd: tight });
      await inTight('init', '--quiet');
      await inTight('add', '.');
      await inTight('commit', '--quiet', '--message', 'first');
      const failing = async (replicas: number) => {
        await writeFile(join(tight, 'web.yaml'), quota + web(replicas));
        return podium(['simulate', '.', '--since', 'HEAD', '--fail-on', 'refused'], { cwd: tight });
      };
      const { code, stdout } = await failing(5);
      assert.equal(code, 1);
      assert.match(stdout, /\n--fail-on refused: 1 refused, 0 before: Deployment\/default\/web\n$/);
      assert.equal((await failing(3)).code, 0);
    } finally {
      await rm(tight, { recursive: true });
    }
  });

  it('[#35] [#36] names what has come and what has gone of containers, volumes and tolerations, and not what stands elsewhere now', async () => {
    const deployment = (volumes: readonly string[], containers: readonly string[], keys: readonly string[]): string =>
      JSON.stringify({
        apiVersion: 'apps/v1',
        kind: 'Deployment',
        metadata: { name: 'web' },
        spec: {
          selector: { matchLabels: { app: 'web' } },
          template: {
            metadata: { labels: { app: 'web' } },
            spec: {
              tolerations: keys.map((key) => ({ key, operator: 'Exists' })),
              volumes: volumes.map((name) => ({ name, configMap: { name } })),
              containers: containers.map((name) => ({ name, image: 'app', resources: { requests: { cpu: '1' } } })),
            },
          },
        },
      });
    const changesOf = async (then: string, now: string): Promise<readonly string[]> => {
      const place = await mkdtemp(join(tmpdir(), 'podium-since-'));
      const inPlace = (...args: string[]) =>
        run('git', ['-c', 'user.name=test', '-c', 'user.email=test@example.com', ...args], { cwd: place });
      await writeFile(join(place, 'node.yaml'), node('8'));
      await writeFile(join(place, 'web.json'), then);
      await inPlace('init', '--quiet');
      await inPlace('add', '.');
      await inPlace('commit', '--quiet', '--message', 'first');
      await writeFile(join(place, 'web.json'), now);
      const { stdout } = await podium(['simulate', '.', '--since', 'HEAD', '--format', 'json'], { cwd: place });
      await rm(place, { recursive: true });
      const { comparison } = JSON.parse(stdout) as Report;
      return comparison!.causes.map(({ field, old, new: next }) => `${field}: ${String(old)} → ${String(next)}`);
    };
    const at = 'spec.template.spec';
    assert.deepEqual(
      await changesOf(
        deployment(['one', 'two', 'three'], ['web'], ['a', 'c']),
        deployment(['zero', 'one', 'two'], ['web', 'proxy'], ['a', 'b', 'c']),
      ),
      [
        `${at}.tolerations[1]: null → {"key":"b","operator":"Exists"}`,
        `${at}.volumes[0]: null → {"name":"zero","configMap":{"name":"zero"}}`,
        `${at}.volumes[2]: {"name":"three","configMap":{"name":"three"}} → null`,
        `${at}.containers[1]: null → {"name":"proxy","image":"app","resources":{"requests":{"cpu":"1"}}}`,
      ],
    );
    const turned = await changesOf(deployment([], ['web', 'proxy'], []), deployment([], ['proxy', 'web'], []));
    assert.deepEqual(
      turned.map((each) => each.slice(0, each.indexOf(':'))),
      [`${at}.containers`],
    );
  });

  it('[#35] counts all objects that are changed, also where not each change is listed', async () => {
    const place = await mkdtemp(join(tmpdir(), 'podium-since-'));
    const inPlace = (...args: string[]) =>
      run('git', ['-c', 'user.name=test', '-c', 'user.email=test@example.com', ...args], { cwd: place });
    const nodes = (pool: string): string =>
      Array.from(
        { length: 120 },
        (_, at) =>
          `apiVersion: v1\nkind: Node\nmetadata: { name: n${at}, labels: { pool: ${pool} } }\nstatus: { allocatable: { cpu: "4", pods: "10" } }\n`,
      ).join('---\n');
    await writeFile(join(place, 'nodes.yaml'), nodes('a'));
    await inPlace('init', '--quiet');
    await inPlace('add', '.');
    await inPlace('commit', '--quiet', '--message', 'first');
    await writeFile(join(place, 'nodes.yaml'), nodes('b'));
    const { stdout } = await podium(['simulate', '.', '--since', 'HEAD', '--format', 'json'], { cwd: place });
    await rm(place, { recursive: true });
    assert.match((JSON.parse(stdout) as Report).answer.headline, /^Changing 120 objects \(Node n0 among them\)/);
  });

  it('tells it in the table', async () => {
    const { code, stdout } = await since('HEAD', 'prod');
    assert.equal(code, 0);
    assert.match(
      stdout,
      /^Adding Pod default\/new finds a place for 1 new pod; Pod\/default\/older is not written any more, and\nstays\.\nAfter it: 0 evicted \(=\)\.\n/,
    );
    assert.match(stdout, /~ Pod default\/new new prod\/new\.yaml:\d+\n {4}└ 0 s new is scheduled on node-a/);
    assert.match(stdout, / {2}git HEAD +now\n {2}\+ new {2}not there {2}1 of 1\n/);
    // The answer that has no other run beside it is folded.
    assert.doesNotMatch(stdout, /^Scheduled/m);
    assert.match((await since('HEAD', 'prod', '--show', 'answer')).stdout, /^Scheduled 1\n {2}\+ new/m);
    assert.match(stdout, /not written any more: Pod\/default\/older\n +It stays: kubectl apply removes nothing\./);
    const pruned = await since('HEAD', 'prod', '--prune', '--format', 'json');
    const { pods } = (JSON.parse(pruned.stdout) as Report).comparison!;
    assert.deepEqual(pods.map(({ kind, name }) => `${kind} ${name}`).sort(), ['added new', 'removed older']);
  });

  it('does not take a file that git will not show for one that was not there', async () => {
    const large = await mkdtemp(join(tmpdir(), 'podium-large-'));
    const inside = (...args: string[]) =>
      run('git', ['-c', 'user.name=test', '-c', 'user.email=test@example.com', ...args], { cwd: large });
    await writeFile(join(large, 'pod.yaml'), `${pod('web')}# ${'x'.repeat(11 * 1024 * 1024)}\n`);
    await inside('init', '--quiet');
    await inside('add', '.');
    await inside('commit', '--quiet', '--message', 'large');
    await writeFile(join(large, 'pod.yaml'), pod('web'));
    const { code, stdout, stderr } = await podium(['simulate', '.', '--since', 'HEAD', '--format', 'json'], {
      cwd: large,
    });
    assert.equal(code, 0);
    assert.equal(stderr, 'podium: pod.yaml: not compared: as it was committed it had 11.0 MB\n');
    const report = JSON.parse(stdout) as Report;
    assert.deepEqual(report.comparison?.pods, []);
    assert.match(report.assumptions[0]?.text ?? '', /^1 file is not compared/);
    await rm(large, { recursive: true });
  });

  describe('takes line ends that git changes on the way for no change', () => {
    const crlf = (text: string): string => text.replaceAll('\n', '\r\n');
    /** What is committed under `attributes` and `settings`, what the file holds now, and whether git stored it as it is. */
    const cases = {
      'core.autocrlf=true': {
        settings: ['core.autocrlf=true'],
        attributes: '',
        committed: pod('web'),
        now: crlf(pod('web')),
      },
      'core.autocrlf=input': {
        settings: ['core.autocrlf=input'],
        attributes: '',
        committed: crlf(pod('web')),
        now: crlf(pod('web')),
      },
      'text=auto': {
        settings: [],
        attributes: '*.yaml text=auto\n',
        committed: crlf(pod('web')),
        now: crlf(pod('web')),
      },
      'eol=crlf': { settings: [], attributes: '*.yaml text eol=crlf\n', committed: pod('web'), now: crlf(pod('web')) },
      'eol=lf, stored with CRLF': { settings: [], attributes: '', committed: crlf(pod('web')), now: pod('web') },
    };
    for (const [name, { settings, attributes, committed, now }] of Object.entries(cases)) {
      it(name, async () => {
        const work = await mkdtemp(join(tmpdir(), 'podium-lines-'));
        const inside = (...args: string[]) =>
          run('git', ['-c', 'user.name=test', '-c', 'user.email=test@example.com', ...args], { cwd: work });
        await inside('init', '--quiet');
        for (const setting of settings) await inside('config', ...setting.split('='));
        await writeFile(join(work, '.gitattributes'), attributes);
        await writeFile(join(work, 'node.yaml'), node('2'));
        await writeFile(join(work, 'pod.yaml'), committed);
        await inside('add', '.');
        await inside('commit', '--quiet', '--message', 'first');
        const compared = async (text: string): Promise<string[]> => {
          await writeFile(join(work, 'pod.yaml'), text);
          const { stdout, stderr } = await podium(['simulate', '.', '--since', 'HEAD', '--format', 'json'], {
            cwd: work,
          });
          assert.equal(stderr, '');
          return (JSON.parse(stdout) as Report).comparison!.pods.map(({ kind, name: pod }) => `${kind} ${pod}`).sort();
        };
        assert.deepEqual(await compared(now), []);
        assert.deepEqual(await compared(now.replace('web', 'shop')), ['added shop']);
        await rm(work, { recursive: true });
      });
    }
  });

  it('names the files of a repository within the repository, and compares the others', async () => {
    const outer = await mkdtemp(join(tmpdir(), 'podium-nested-'));
    const inner = join(outer, 'vendored');
    const commit = async (cwd: string, ...paths: string[]): Promise<void> => {
      const author = ['-c', 'user.name=test', '-c', 'user.email=test@example.com'];
      await run('git', ['init', '--quiet'], { cwd });
      await run('git', ['add', ...paths], { cwd });
      await run('git', [...author, 'commit', '--quiet', '--message', 'first'], { cwd });
    };
    await mkdir(inner);
    await writeFile(join(outer, 'pod.yaml'), pod('outer'));
    await writeFile(join(inner, 'pod.yaml'), pod('inner'));
    await commit(outer, 'pod.yaml');
    await commit(inner, 'pod.yaml');
    await writeFile(join(outer, 'pod.yaml'), pod('outer-now'));
    await writeFile(join(inner, 'pod.yaml'), pod('inner-now'));
    const compared = async (...paths: string[]): Promise<[string[], string]> => {
      const { stdout, stderr } = await podium(['simulate', ...paths, '--since', 'HEAD', '--format', 'json'], {
        cwd: outer,
      });
      return [
        (JSON.parse(stdout) as Report).comparison!.pods.map(({ kind, name }) => `${kind} ${name}`).sort(),
        stderr,
      ];
    };
    assert.deepEqual(await compared('.'), [
      ['added outer-now'],
      'podium: vendored/pod.yaml: not compared: it is in a repository of its own\n',
    ]);
    // Named by itself, it is compared with its own commit.
    assert.deepEqual(await compared('pod.yaml', 'vendored'), [['added inner-now', 'added outer-now'], '']);
    await rm(outer, { recursive: true });
  });

  it('says in one line what cannot be compared', async () => {
    assert.deepEqual(await since('nowhere', 'prod'), {
      code: 2,
      stdout: '',
      stderr: 'podium simulate: cannot compare prod: no such commit: nowhere.\n',
    });
    assert.match((await since('--output=x', 'prod')).stderr, /no such commit|--since/);
    assert.match(
      (await podium(['simulate', 'prod', '--since', 'HEAD', '--against', 'a.yaml'], { cwd: folder })).stderr,
      /exclude each other/,
    );
    const outside = await mkdtemp(join(tmpdir(), 'podium-no-git-'));
    await writeFile(join(outside, 'pod.yaml'), pod('web'));
    assert.match(
      (await podium(['simulate', '.', '--since', 'HEAD'], { cwd: outside })).stderr,
      /cannot compare this folder: not a git repository/,
    );
    await rm(outside, { recursive: true });
  });
});
