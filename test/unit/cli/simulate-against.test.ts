import assert from 'node:assert/strict';
import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'mocha';
import type { Report } from '../../../server/src/report-model/report.ts';
import { describeWithTools, toolFolder } from '../../support/kubernetes-tools.ts';
import { podium, projectFolder } from './run-podium.ts';

const sample = join(projectFolder, 'samples', 'online-shop');

describe('[ED-5] podium simulate --against a report that was saved', () => {
  let folder: string;
  const saved = 'monday.json';
  const against = (path: string, ...args: string[]) =>
    podium(['simulate', sample, '--against', path, ...args], { cwd: folder });

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'podium-against-'));
    const { stdout } = await podium(['simulate', sample, '--format', 'json']);
    await writeFile(join(folder, saved), stdout);
  });

  after(() => rm(folder, { recursive: true }));

  it('says that nothing is different, and what such a comparison does not know', async () => {
    const { stdout } = await against(saved, '--show', 'assumptions');
    assert.match(
      stdout,
      /^Nothing that scheduling depends on has changed since monday\.json\.\n\nWhat this depends on/,
    );
    assert.doesNotMatch(stdout, /saved report/);
    const { manifests: _, ...report } = JSON.parse(await readFile(join(folder, saved), 'utf8')) as Record<
      string,
      unknown
    >;
    await writeFile(join(folder, 'older.json'), JSON.stringify(report));
    const older = await against('older.json', '--show', 'assumptions');
    assert.match(
      older.stdout,
      /^Nothing that scheduling depends on has changed since older\.json\.\n\nWhat this depends on/,
    );
    assert.match(older.stdout, /\? older\.json is a saved report: what was changed is listed as far as it shows there/);
  });

  it('[#33] rolls out what was changed since, as since a commit, and keeps no environment', async () => {
    const web = `apiVersion: v1
kind: Node
metadata: { name: n1 }
status: { allocatable: { cpu: "4", memory: 8Gi, pods: "110" } }
---
apiVersion: apps/v1
kind: Deployment
metadata: { name: web, namespace: shop }
spec:
  replicas: 3
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web }, annotations: { checksum: abc } }
    spec:
      volumes: [{ name: conf, configMap: { name: web } }]
      containers:
        - name: web
          image: web:1
          command: [serve, --verbose]
          env: [{ name: PASSWORD, value: hunter2 }]
          resources: { requests: { cpu: "1" } }
`;
    await writeFile(join(folder, 'web.yaml'), web);
    const simulated = await podium(['simulate', 'web.yaml', '--format', 'json'], { cwd: folder });
    assert.doesNotMatch(simulated.stdout, /hunter2|--verbose/);
    await writeFile(join(folder, 'web.json'), simulated.stdout);
    const after = async (from: string, to: string, ...args: string[]): Promise<string> => {
      await writeFile(join(folder, 'web.yaml'), web.replace(from, to));
      const asked = ['simulate', 'web.yaml', '--against', 'web.json', ...args];
      return (await podium(asked, { cwd: folder })).stdout.replaceAll(/\s+/g, ' ');
    };
    assert.match(await after('', ''), /^Nothing that scheduling depends on has changed since web\.json\. $/);
    assert.match(
      await after('cpu: "1"', 'cpu: "2"'),
      /^Raising web to 2 cpu: its roll-out stops at 0 of 3, because no node has more than 1 cpu free beside the old pods; the old ones go on running\./,
    );
    assert.match(await after('web:1', 'web:2'), /^Changing the image of web: it rolls out in 3 steps; no pod fewer/);
    for (const [from, to] of [
      ['hunter2', 'hunter3'],
      ['--verbose', '--quiet'],
      ['abc', 'abd'],
      ['configMap: { name: web }', 'configMap: { name: web-2 }'],
    ] as const) {
      const told = await after(from, to);
      assert.match(told, /^Changing the pod template of web: it rolls out in 3 steps; no pod fewer serves meanwhile\./);
      assert.match(told, /Deployment shop\/web spec\.template as saved → changed/);
    }
    assert.match(await after('replicas: 3', 'replicas: 5'), /^Scaling web to 5: 4 of 5 pods of web run, 1 pending\./);
    // The same what-if in both, and another.
    const whatIf = ['--what-if', 'scale deployment/shop/web 5'];
    assert.match(await after('', '', ...whatIf), /^Scaling web to 5: 4 of 5/);
    const scaled = await podium(['simulate', 'web.yaml', ...whatIf, '--format', 'json'], { cwd: folder });
    await writeFile(join(folder, 'web.json'), scaled.stdout);
    assert.match(await after('', '', ...whatIf), /^Nothing that scheduling depends on has changed since web\.json\. $/);
  });

  it('reads one by any name that is not that of a scenario', async () => {
    for (const name of ['monday', 'monday.txt']) {
      await copyFile(join(folder, saved), join(folder, name));
      const { code, stdout } = await against(name);
      assert.equal(code, 0);
      assert.ok(stdout.startsWith(`Nothing that scheduling depends on has changed since ${name}.`), stdout);
    }
  });

  it('tells what a what-if changes against it, with its causes', async () => {
    const { stdout } = await against(saved, '--what-if', 'class batch-standard value=150000', '--format', 'json');
    const { comparison } = JSON.parse(stdout) as Report;
    assert.deepEqual(
      comparison?.causes.map(({ object, field, old, new: now }) => [object, field, old, now]),
      [['PriorityClass/batch-standard', 'value', 1000, 150_000]],
    );
    assert.deepEqual(
      comparison.plan.stages.map(({ figures }) => figures.evicted),
      [3, 11],
    );
    const failed = await against(saved, '--what-if', 'class batch-standard value=150000', '--fail-on', 'evicted');
    assert.equal(failed.code, 1);
    assert.equal((await against(saved, '--fail-on', 'evicted')).code, 0);
  });

  it('names what happens in this run and not in that, and tells of those that ended only there', async () => {
    const finish = ['--event', 'finish deployment/shop/cart at 5s'];
    const taint = ['--event', 'taint node/general-a broken=yes:NoExecute at 60s'];
    const told = async (path: string, ...events: readonly string[]) => {
      const { comparison, totals, answer } = JSON.parse(
        (await against(path, ...events, '--format', 'json')).stdout,
      ) as Report;
      assert.ok(comparison !== null);
      const of = (kind: string): number => comparison.pods.filter((each) => each.kind === kind).length;
      assert.equal(of('evicted') - of('spared'), answer.balance.evicted - comparison.before.evicted);
      assert.ok(totals.nodes > 0);
      return { sentence: comparison.sentence.map(({ text }) => text).join(''), of };
    };
    const tainted = await told(saved, ...taint);
    assert.match(tainted.sentence, /^Setting spec.taints of Node general-a to broken=yes:NoExecute at 60 s evicts/);
    const { stdout } = await podium(['simulate', sample, ...finish, '--format', 'json']);
    await writeFile(join(folder, 'finished.json'), stdout);
    const finished = await told(saved, ...finish);
    assert.match(finished.sentence, /^Finishing cart at \d+ s .*ends \d pods? \(cart\)/);
    // What happens in both is no difference.
    assert.match((await told('finished.json', ...finish)).sentence, /^Compared with finished\.json, no pod/);
    const running = await told('finished.json');
    assert.ok(running.of('kept') > 0);
    assert.equal(running.of('kept'), finished.of('ended'));
    assert.match(running.sentence, /lets \d pods? run on \(cart\)/);
    assert.doesNotMatch(running.sentence, /finds a place for \d more pods? \(cart\)/);
  });

  it('refuses what is no such report, or one whose parts are not there', async () => {
    const whole = JSON.parse((await podium(['simulate', sample, '--format', 'json'])).stdout) as Report;
    const [first] = whole.victims;
    const texts: Readonly<Record<string, readonly [text: string, why: RegExp]>> = {
      'text.json': ['no JSON', /text\.json is not JSON/],
      monday: ['headline: no scenario', /monday is not JSON/],
      'page.html': ['<!doctype html><p>', /page\.html is a page; a report is compared as JSON \(--format json\)/],
      'list.json': ['[]', /list\.json is not a report that was saved as JSON/],
      'old.json': ['{"version":1}', /old\.json is a report of version 1, and only 2 is read/],
      'cut.json': [JSON.stringify({ ...whole, pods: [] }), /cut\.json is not a report that was saved as JSON/],
      'elsewhere.json': [
        JSON.stringify({ ...whole, victims: [{ ...first, node: 99 }] }),
        /elsewhere\.json is not a report that was saved as JSON/,
      ],
    };
    for (const [name, [text, why]] of Object.entries(texts)) {
      await writeFile(join(folder, name), text);
      const { code, stderr } = await against(name);
      assert.equal(code, 2);
      assert.match(stderr, why);
    }
    assert.equal((await against('nowhere.json')).code, 2);
  });
});

describeWithTools('[ED-5] [#33] podium simulate --against, where something cannot be rendered any more', () => {
  it('counts what it may write as unchanged, and removes the rest with --prune', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'podium-against-'));
    try {
      const env = { PATH: `${toolFolder('v34')}:${process.env['PATH'] ?? ''}` };
      const run = async (...args: string[]): Promise<string> => {
        const { stdout } = await podium(['simulate', '.', ...args], { cwd: folder, env });
        return args.includes('json') ? stdout : stdout.replaceAll(/\s+/g, ' ');
      };
      const web = (name: string): string =>
        JSON.stringify({
          apiVersion: 'apps/v1',
          kind: 'Deployment',
          metadata: { name, namespace: 'shop' },
          spec: {
            selector: { matchLabels: { app: name } },
            template: {
              metadata: { labels: { app: name } },
              spec: { containers: [{ name: 'web', image: 'web:1', resources: { requests: { cpu: '1' } } }] },
            },
          },
        });
      await mkdir(join(folder, 'shop/templates'), { recursive: true });
      await writeFile(join(folder, 'shop/Chart.yaml'), 'apiVersion: v2\nname: shop\nversion: 1.0.0\n');
      await writeFile(join(folder, 'shop/templates/web.yaml'), web('web'));
      await writeFile(join(folder, 'api.json'), web('api'));
      await writeFile(join(folder, 'monday.json'), await run('--format', 'json'));
      await writeFile(join(folder, 'shop/templates/broken.yaml'), '{{ fail "no" }}');
      const told = await run('--against', 'monday.json', '--prune', '--show', 'answer,assumptions');
      assert.doesNotMatch(told, /[Rr]emov|not written/);
      assert.match(told, /1 object is not compared/);
      await rm(join(folder, 'shop/templates/broken.yaml'));
      await rm(join(folder, 'api.json'));
      assert.match(
        await run('--against', 'monday.json'),
        /^Deployment\/shop\/api is not written any more, and stays\./,
      );
      assert.match(await run('--against', 'monday.json', '--prune'), /^Removing Deployment shop\/api removes 1 pod\./);
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
