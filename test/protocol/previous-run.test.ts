import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import type { KubeObject } from '../../server/src/kubernetes/objects.ts';
import { manifestsOf } from '../../server/src/simulation/index.ts';
import { compressed } from '../../server/src/report-model/compressed.ts';
import type { Report } from '../../server/src/report-model/report.ts';
import { TestClient } from './test-client.ts';

const cluster = `apiVersion: v1
kind: Node
metadata: { name: node-a }
status: { allocatable: { cpu: '4', memory: 8Gi, pods: '110' } }
---
apiVersion: v1
kind: Node
metadata: { name: node-b }
status: { allocatable: { cpu: '4', memory: 8Gi, pods: '110' } }
`;

const shop = (replicas: number): string => `apiVersion: apps/v1
kind: Deployment
metadata: { name: shop, namespace: default }
spec:
  replicas: ${replicas}
  selector: { matchLabels: { app: shop } }
  template:
    metadata: { labels: { app: shop } }
    spec:
      containers:
        - { name: main, image: registry.example/shop:1, resources: { requests: { cpu: '3' } } }
`;

describe('[ED-5] a report compared with another run', () => {
  let client: TestClient;

  afterEach(async () => {
    await client.stop();
  });

  const simulate = (more: object = {}): Promise<Report> =>
    client.request<Report>('podium/simulate', { scenario: { kind: 'workspace' }, ...more });

  it('says what differs and why, and stays with that run while it is compared with', async () => {
    client = await TestClient.start({ files: { 'cluster.yaml': cluster } });
    const uri = await client.open('shop.yaml', shop(1));
    assert.equal((await simulate()).comparison, null);
    // The same text again is the same run.
    await simulate();
    await assert.rejects(
      simulate({ against: { kind: 'previous' } }),
      /There is no run before this one to compare with\./,
    );
    await client.change(uri, shop(3));
    assert.equal((await simulate()).comparison, null);
    const { comparison, scenario } = await simulate({ against: { kind: 'previous' } });
    assert.equal(scenario.kind, 'workspace');
    assert.equal(comparison?.since, 'the previous run');
    assert.deepEqual(
      comparison.causes.map(({ object, field, old, new: now }) => [object, field, old, now]),
      [['Deployment/default/shop', 'spec.replicas', 1, 3]],
    );
    // It leads to the line that was changed, not to the name of the object.
    assert.deepEqual(comparison.causes[0]?.origin, {
      uri,
      range: { start: { line: 4, character: 12 }, end: { line: 4, character: 13 } },
    });
    assert.deepEqual(
      comparison.plan.stages.map(({ label, figures }) => [label, figures.pending]),
      [
        ['the previous run', 0],
        ['now', 1],
      ],
    );
    assert.deepEqual(
      comparison.plan.nodes.map(({ name, at }) => [name, ...at.map((state) => state?.tiles.length)]),
      [['node-b', 0, 1]],
    );
    // A further edit is still compared with the first text.
    await client.change(uri, shop(2));
    const later = await simulate({ against: { kind: 'previous' } });
    assert.deepEqual(
      later.comparison?.causes.map(({ old, new: now }) => [old, now]),
      [[1, 2]],
    );
    // What was tried is another run than the one without it.
    await simulate({ whatIf: ['cordon node/node-b'] });
    const without = await simulate();
    assert.equal(without.comparison, null);
    const tried = await simulate({ against: { kind: 'previous' } });
    assert.deepEqual(
      tried.comparison?.causes.map(({ object }) => object),
      ['Node/node-b'],
    );
    // Another question has no run before it.
    const file = { scenario: { kind: 'file', uri } };
    await assert.rejects(simulate({ ...file, against: { kind: 'previous' } }), /There is no run before this one/);
  });

  it('is compared with what was kept of that run, when the server does not know it any more', async () => {
    client = await TestClient.start({ files: { 'cluster.yaml': cluster } });
    const uri = await client.open('shop.yaml', shop(1));
    await writeFile(join(client.folder, 'previous-run'), await compressed(JSON.stringify(await simulate())));
    await client.change(uri, shop(3));
    const kept = client.uri('previous-run');
    const { comparison } = await simulate({ against: { kind: 'previous', kept } });
    assert.equal(comparison?.since, 'the previous run');
    assert.deepEqual(
      comparison.causes.map(({ object, old, new: now }) => [object, old, now]),
      [['Deployment/default/shop', 1, 3]],
    );
    await writeFile(join(client.folder, 'previous-run'), '{');
    await assert.rejects(simulate({ against: { kind: 'previous', kept } }), /There is no run before this one/);
  });

  const comparisonWith = async (against: object, more: object = {}): Promise<NonNullable<Report['comparison']>> => {
    const { comparison } = await simulate({ against, ...more });
    assert.ok(comparison !== null);
    return comparison;
  };

  it('compares with a kept scenario, with a scenario of a file, and with a report that was saved', async () => {
    client = await TestClient.start({
      files: {
        'cluster.yaml': cluster,
        'night.podium.yaml': 'events: [remove node/node-b]\n',
        'broken.json': '{ "version": 2 }',
        'old.json': '{ "version": 1 }',
      },
    });
    const uri = await client.open('shop.yaml', shop(2));
    const first = await simulate();
    const kept = await comparisonWith({ kind: 'kept', name: 'less', operations: ['remove node/node-b'] });
    assert.deepEqual(
      kept.plan.stages.map(({ label, figures }) => [label, figures.pending]),
      [
        ['less', 1],
        ['now', 0],
      ],
    );
    assert.deepEqual(
      kept.causes.map(({ object, field, old, new: now }) => [object, field, old, now]),
      [['Node/node-b', '', null, 'added']],
    );
    const night = await comparisonWith({ kind: 'file', uri: client.uri('night.podium.yaml') });
    assert.deepEqual([night.since, night.before.pending], ['night.podium.yaml', 1]);
    await writeFile(join(client.folder, 'monday.json'), JSON.stringify(first));
    await client.change(uri, shop(3));
    const saved = await simulate({
      against: { kind: 'file', uri: client.uri('monday.json') },
      whatIf: ['add 1 node like node-a', 'cordon node/node-b'],
    });
    assert.deepEqual(
      saved.comparison?.causes.map(({ object, field, old, new: now }) => [object, field, old, now]),
      [
        ['Deployment/default/shop', 'replicas', 2, 3],
        ['Node/node-b', 'unschedulable', false, true],
        ['Node/node-a+1', '', null, 'added'],
      ],
    );
    // Every operation that is tried has its stage.
    assert.deepEqual(
      saved.comparison.plan.stages.map(({ label, whatIf, figures }) => [label, whatIf, figures.pending]),
      [
        ['monday.json', '', 0],
        ['as written', '', 1],
        ['+1 node like node-a', 'add 1 node like node-a', 0],
        ['cordon node-b', 'cordon node/node-b', 0],
      ],
    );
    assert.match(
      saved.assumptions[0]?.text ?? '',
      /^monday\.json is a saved report: what was changed is listed as far/,
    );
    const about = { scenario: { kind: 'file', uri } };
    const other = await simulate({ ...about, against: { kind: 'file', uri: client.uri('monday.json') } });
    assert.match(other.assumptions[0]?.text ?? '', /^monday\.json answers another question than this run$/);
    // What the command line saves says what was deployed: it is compared as a commit is.
    const workspace = parseAllDocuments(`${cluster}\n---\n${shop(2)}`).map((each) => ({
      object: each.toJS() as KubeObject,
    }));
    const manifests = manifestsOf({ workspace, snapshot: [] }, []);
    await writeFile(join(client.folder, 'tuesday.json'), JSON.stringify({ ...first, manifests }));
    const since = await simulate({ against: { kind: 'file', uri: client.uri('tuesday.json') } });
    assert.deepEqual(
      since.comparison?.causes.map(({ object, field, old, new: now }) => [object, field, old, now]),
      [['Deployment/default/shop', 'spec.replicas', 2, 3]],
    );
    assert.equal(since.scenario.kind, 'workspace');
    assert.match(since.comparison.sentence.map(({ text }) => text).join(''), /^Scaling shop to 3/);
    assert.doesNotMatch(since.assumptions[0]?.text ?? '', /saved report/);
    // So is a scenario of a file.
    const scenario = { kind: 'file', uri: client.uri('night.podium.yaml') };
    const file = await simulate({ scenario, against: { kind: 'file', uri: client.uri('tuesday.json') } });
    assert.deepEqual(
      file.comparison?.causes.map(({ object, field, old, new: now }) => [object, field, old, now]),
      [
        ['Deployment/default/shop', 'spec.replicas', 2, 3],
        ['Node/node-b', '', 'removed', null],
      ],
    );
    assert.doesNotMatch(file.assumptions[0]?.text ?? '', /saved report/);
    for (const [name, why] of [
      ['broken.json', /broken\.json is not a report that was saved as JSON\./i],
      ['old.json', /old\.json is a report of version 1, and only 2 is read\./i],
      ['cluster.yaml', /cluster\.yaml is not JSON\./i],
      ['nowhere.json', /nowhere\.json cannot be read\./i],
    ] as const) {
      await assert.rejects(simulate({ against: { kind: 'file', uri: client.uri(name) } }), why);
    }
  });

  it('tells of the events of a scenario only where the other run had them not, with what follows', async () => {
    client = await TestClient.start({
      files: {
        'cluster.yaml': cluster,
        'night.podium.yaml': 'events: [drain node/node-b at 60s, add 1 node like node-a at 300s]\n',
      },
    });
    const uri = await client.open('shop.yaml', shop(2));
    const night = { scenario: { kind: 'file', uri: client.uri('night.podium.yaml') } };
    const plain = await comparisonWith(
      { kind: 'kept', name: 'nothing', operations: [] },
      { whatIf: ['drain node/node-b'] },
    );
    assert.deepEqual(
      plain.plan.chain.map(({ kind, by, text }) => [kind, ...by, text]),
      [
        ['event', 'drain node-b'],
        ['waits', 'k1', 'shop-2 stays pending'],
      ],
    );
    await simulate(night);
    await client.change(uri, shop(1));
    await simulate(night);
    const edited = await comparisonWith({ kind: 'previous' }, night);
    assert.deepEqual(
      edited.causes.map(({ object, old, new: now }) => [object, old, now]),
      [['Deployment/default/shop', 2, 1]],
    );
    assert.deepEqual(
      edited.plan.chain.filter(({ kind }) => kind === 'event'),
      [],
    );
    assert.match(edited.sentence.map(({ text }) => text).join(''), /^Scaling shop to 1 /);
  });

  it('compares with a branch and any commit, and gives git no option', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'podium-branch-'));
    const git = (...args: string[]): void => {
      execFileSync('git', ['-c', 'user.name=Test', '-c', 'user.email=test@example.com', ...args], { cwd: folder });
    };
    git('init', '-q');
    await writeFile(join(folder, 'cluster.yaml'), cluster);
    for (const replicas of [1, 2]) {
      await writeFile(join(folder, 'shop.yaml'), shop(replicas));
      git('add', '.');
      git('commit', '-q', '-m', `${replicas} replicas`);
      git('branch', `of/${replicas}`);
    }
    client = await TestClient.start({ folder, initializationOptions: { workspaceTrusted: true } });
    await client.open('shop.yaml', shop(3));
    const replicasIn = async (commit: string): Promise<unknown> => {
      const { comparison, scenario } = await simulate({ scenario: { kind: 'change', commit } });
      return [scenario, comparison?.causes.map(({ old, new: now }) => [old, now])];
    };
    assert.deepEqual(await replicasIn('of/1'), [{ kind: 'change', since: 'git of/1' }, [[1, 3]]]);
    assert.deepEqual(await replicasIn('HEAD~1'), [{ kind: 'change', since: 'git HEAD~1' }, [[1, 3]]]);
    for (const commit of ['nowhere', '--output=made', '-x', 'a\0b']) {
      await assert.rejects(replicasIn(commit), /No such commit: [^]*There is nothing to compare with\./);
    }
    assert.deepEqual((await readdir(folder)).sort(), ['.git', 'cluster.yaml', 'shop.yaml']);
    await rm(folder, { recursive: true });
  });
});
