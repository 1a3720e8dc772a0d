import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { lossesBy, lossTotal, lostText } from '../../../server/src/report-model/losses-by.ts';
import type { Report } from '../../../server/src/report-model/report.ts';
import { scenarioSchema } from '../../../server/src/simulation/scenario/scenario-file.ts';
import { podium, projectFolder } from './run-podium.ts';
import { node, shop, workload } from './small-cluster.ts';

describe('podium simulate --scenario', () => {
  let folder: string;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'podium-scenario-'));
    const objects = [node('a'), workload('Deployment', 'web', 2)];
    await writeFile(join(folder, 'cluster.yaml'), objects.map((each) => JSON.stringify(each)).join('\n---\n'));
    await writeFile(join(folder, 'upgrade.podium.yaml'), 'title: an upgrade\nevents:\n  - drain node/a at 60s\n');
    await writeFile(
      join(folder, 'better.podium.yaml'),
      'cluster: {kubernetes: "1.34"}\nevents:\n  - add 1 node like a at 10s\n  - drain node/a at 60s\n',
    );
    await writeFile(
      join(folder, 'broken.podium.yaml'),
      'cluster:\n  autoscaled: large\nevent: []\nevents:\n  - drain a\n',
    );
  });

  after(async () => {
    await rm(folder, { recursive: true, force: true });
  });

  const path = (name: string): string => join(folder, `${name}.podium.yaml`);

  it('takes cluster and events from a file, and is no manifest', async () => {
    const { stdout } = await podium(['simulate', '--scenario', path('upgrade'), '--format', 'json']);
    const report = JSON.parse(stdout) as Report;
    assert.equal(report.totals.pending, 2);
    assert.deepEqual(report.unseen, []);
    const checked = await podium(['check', folder]);
    assert.doesNotMatch(checked.stdout, /podium\.yaml/);
  });

  it('ships the schema of what it reads, and a sample that hangs on a budget', async () => {
    const schema = JSON.parse(await readFile(join(projectFolder, 'schemas/scenario.schema.json'), 'utf8')) as unknown;
    assert.deepEqual(schema, JSON.parse(JSON.stringify(scenarioSchema())));
    const file = join(shop, 'upgrade.podium.yaml');
    const { stdout } = await podium(['simulate', '--scenario', file, '--format', 'json']);
    const report = JSON.parse(stdout) as Report;
    const drains = report.events.filter(({ text }) => text.startsWith('drain'));
    assert.deepEqual(
      drains.map(({ told }) => told.some((line) => line.includes('the drain hangs'))),
      [false, true, true],
    );
    // [#35] Tables say the same as the balance, also where replacements are evicted in their turn.
    const total = lossTotal(lossesBy(report, 'namespace').rows);
    const { evicted, again, stillPending } = report.answer.balance;
    assert.deepEqual([total.evicted, total.again, total.waiting], [evicted, again, stillPending]);
    assert.equal(lostText(total), '4 %');
    // [#35] Who blocks a drain is told apart in its headline, and who fares better is no loss.
    const bad = report.answer.emphasis.flatMap(({ text, tone }) => (tone === 'bad' ? text : []));
    for (const name of ['search-indexer', 'storefront', 'recommender-api']) assert.ok(bad.includes(name), name);
    assert.ok(!bad.includes('thumbnailer'));
    assert.equal(new Set(bad).size, bad.length);
    const [storefront] = report.drains[2]!.blocked;
    assert.equal(storefront!.why, '429 TooManyRequests');
    assert.match(storefront!.help, /PodDisruptionBudget shop\/storefront wants 2 of 2 pods healthy/);
  });

  it('[EVI-6] begins with what the events do, not with what happens without them', async () => {
    const { stdout } = await podium(['simulate', '--scenario', join(shop, 'night.podium.yaml'), shop]);
    assert.match(
      stdout,
      /^The kubelet of general-b evicts 1 pod of cart for memory\.\nAfter it: 4 evicted \(\+1\), 1 budget broken \(=\), 5 pending \(=\)\.\n\n/,
    );
    const answer = await podium(['simulate', '--scenario', join(shop, 'night.podium.yaml'), shop, '--show', 'answer']);
    // The cart that the kubelet evicts takes its place.
    assert.match(answer.stdout, /loyalty-migration.*\n +→ it is evicted later, 5 evicted/);
    const upgrade = await podium(['simulate', '--scenario', join(shop, 'upgrade.podium.yaml'), shop]);
    assert.match(upgrade.stdout, /what\s+follows\s+evicts\s+4\s+more\s+pods\s+\(recommender-api,/);
    assert.match(upgrade.stdout, /finds\s+a\s+place\s+for\s+3\s+more\s+pods/);
    // 8 + 6 + 4 leave, and 4 more; those are evicted instead of pods that they replace.
    assert.match(upgrade.stdout, /^After it: 25 evicted \(\+22\), 1 budget broken \(=\), 2 pending \(−3\)/m);
  });

  it('compares one scenario with another', async () => {
    const { stdout } = await podium([
      'simulate',
      '--scenario',
      path('better'),
      '--against',
      path('upgrade'),
      '--format',
      'json',
    ]);
    const report = JSON.parse(stdout) as Report;
    assert.equal(report.kubernetes, '1.34');
    assert.match(report.comparison?.since ?? '', /upgrade\.podium\.yaml$/);
    assert.equal(report.comparison?.before.pending, 2);
    assert.equal(report.totals.pending, 0);
  });

  it('says what is wrong with a file, and where', async () => {
    const { code, stderr } = await podium(['simulate', '--scenario', path('broken')]);
    assert.equal(code, 2);
    assert.match(stderr, /broken\.podium\.yaml:2: cluster\.autoscaled: /);
    assert.match(stderr, /broken\.podium\.yaml:3: event: /);
  });

  it('names some of thousands of mistakes, and counts the others', async () => {
    await writeFile(path('many'), `events:\n${'  - fly away\n'.repeat(3_000)}`);
    const { code, stderr } = await podium(['simulate', '--scenario', path('many')]);
    assert.equal(code, 2);
    const lines = stderr.trim().split('\n');
    assert.equal(lines.length, 21);
    assert.match(lines[20]!, /many\.podium\.yaml:22: events\.20: and 2,980 more problems of this file\./);
  });

  for (const [what, text, expected] of [
    ['is empty', '', /: the file is empty; a scenario has `events`, and may have a `cluster`\.\n$/],
    [
      'has no end',
      `events:\n${'- cordon node/a\n'.repeat(10_001)}`,
      /:2: events: a scenario has at most 10000 events\./,
    ],
    ['names a folder elsewhere', 'cluster: {paths: ["//server/share"]}\nevents: []\n', /is on another computer/],
    ['names a snapshot elsewhere', "cluster: {snapshot: '\\\\server\\x'}\nevents: []\n", /is on another computer/],
    [
      'names a snapshot that is none, without a word of it',
      'cluster: {snapshot: strange.podium.yaml}\nevents: []\n',
      /strange\.podium\.yaml: cluster\.snapshot: .* is not the output of kubectl get -o yaml or json\.\n$/,
    ],
    ['names a device', 'cluster: {paths: [/dev/zero]}\nevents: []\n', /is a device/],
  ] as const) {
    it(`refuses a file of a stranger that ${what}`, async () => {
      const file = join(folder, 'strange.podium.yaml');
      await writeFile(file, text);
      const { code, stdout, stderr } = await podium(['simulate', '--scenario', file]);
      assert.deepEqual([code, stdout], [2, '']);
      assert.match(stderr, expected);
    });
  }

  for (const [text, ...expected] of [
    ['[]', /:1: a scenario is a mapping with `events`, and may have a `cluster`\.\n$/],
    ['title: x', /:1: `events` is missing; write `events: \[\]` where nothing happens/],
    [
      'evnts: []',
      /:1: `events` is missing/,
      /:1: evnts: `evnts` is no key of a scenario here; did you mean `events`\?/,
    ],
    ['events: x', /:1: events: expected is a list of operations, as `- drain node\/a at 60s`, found 'x'/],
    [
      'events:\n- dran node/a\n- drain node/a at soon\n- 5\n- {a: b}\n- scale deployment/web x',
      /:2: events\.0: unknown operation 'dran'; did you mean drain\?/,
      /:3: events\.1: 'soon' is no time; write 60s, 5m or 1h/,
      /:4: events\.2: expected is an operation, as `drain node\/a at 60s`, found the number 5/,
      /:5: events\.3: expected is an operation, as `drain node\/a at 60s`, found a mapping/,
      /:6: events\.4: 'scale deployment\/web x' is not understood; write scale KIND\/NAMESPACE\/NAME REPLICAS/,
    ],
    [
      'events: []\nstart: 5',
      /:2: start: expected is a time with its zone, as `2026-03-01T22:00:00Z`, found the number 5/,
    ],
    ['events: []\nstart: noon', /:2: start: expected is a time with its zone, as `2026-03-01T22:00:00Z`, found 'noon'/],
    ['events:\n- drain node/a at 8785h', /:2: events\.0: '8785h' is more than a year, 8784h/],
    ['events: []\nquestions:\n- fit deployment/web/none', /:3: 'fit deployment\/web\/none': there is no workload/],
    ['events: []\nuntil: ~', /:2: until: expected is a duration with its unit, as `90m`, found nothing/],
    [
      'events: []\nlasts: {job/x: 5}',
      /:2: lasts\.job\/x: expected is a duration with its unit, as `20m`, found the num/,
    ],
    [
      'events: []\ncluster:\n  kubernetes: 1.35',
      /:3: cluster\.kubernetes: expected is one of `"auto"`, .*found the number 1\.35/,
    ],
    [
      'events: []\ncluster:\n  pathes: [x]',
      /:3: cluster\.pathes: `pathes` is no key of a scenario here; did you mean `paths`/,
    ],
    ['events: []\nworkload: web', /:2: workload: 'web' is not KIND\/NAMESPACE\/NAME/],
    ['events: []\nevents: []', /:2: The key “events” is already in this map/],
    ['events: []\n---\nevents: []', /:2: a scenario is one document; what follows `---` is not read/],
    ['events: [', /:1: Expected “\]”/],
    ['events:\n- drain node/b at 60s', /:2: 'drain node\/b at 60s': there is no Node b; did you mean a\?/],
    ['events: []\nquestions:\n- drained node/b', /:3: 'drained node\/b': there is no Node b; did you mean a\?/],
  ] as const) {
    it(`says what is expected, at its line, of ${JSON.stringify(text)}`, async () => {
      await writeFile(path('wrong'), `${text}\n`);
      const { code, stdout, stderr } = await podium(['simulate', '--scenario', path('wrong')]);
      assert.deepEqual([code, stdout], [2, '']);
      for (const each of expected) assert.match(stderr, each);
    });
  }

  it('counts events without effect past the twentieth', async () => {
    const file = join(folder, 'idle.podium.yaml');
    await writeFile(file, `events:\n${Array.from({ length: 60 }, (_, at) => `- cordon node/a at ${at}s\n`).join('')}`);
    const { stderr } = await podium(['simulate', '--scenario', file]);
    assert.equal(stderr.match(/: no effect$/gm)?.length, 20);
    assert.match(stderr, /^podium: 39 more have no effect$/m);
  });
});
