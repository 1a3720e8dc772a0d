import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'mocha';
import { editorLimits } from '../../../server/src/manifests/limits.ts';
import { columnsOf } from '../../../server/src/cli/terminal/text.ts';
import { wantsColour } from '../../../server/src/cli/terminal/style.ts';
import type { Report, WholeReport } from '../../../server/src/report-model/report.ts';
import { fleet } from '../../support/fleet.ts';
import { podium } from './run-podium.ts';

const sample = 'samples/online-shop';

const escape = '\u001b';
/** What `terminalStyle` writes around text. */
const paint = new RegExp(`${escape}\\[\\d+m`, 'g');

describe('a simulation that takes long', () => {
  it('says so before it begins, once, and on standard error', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'podium-long-'));
    const node = (index: number): string =>
      `apiVersion: v1\nkind: Node\nmetadata: {name: n${index}}\nstatus: {allocatable: {cpu: "1", pods: "10"}}\n`;
    const nodes = Array.from({ length: 5000 }, (_, index) => node(index)).join('---\n');
    const pod = 'apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec: {containers: [{name: a, image: a}]}\n';
    await writeFile(join(folder, 'nodes.yaml'), nodes);
    await writeFile(join(folder, 'pods.yaml'), `${node(5000)}---\n${pod}`);
    const { code, stdout, stderr } = await podium(['simulate', folder, '--summary', '--what-if', 'cordon node/n1']);
    await rm(folder, { recursive: true });
    assert.equal(code, 0, stderr);
    assert.equal(stderr, 'podium: 5,001 nodes: a run may take 1 s; Ctrl+C ends it\n');
    assert.match(stdout, /^Cordoning n1 moves, evicts and blocks no pod\.$/m);
  });
});

describe('what podium simulate cannot read', () => {
  it('is no part of the simulation, and counted in each form of the report', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'podium-unread-'));
    const pod = (name: string, spec = '{ containers: [{ name: a, image: a }] }', more = ''): string =>
      `apiVersion: v1\nkind: Pod\nmetadata:\n  name: ${name}\n${more}spec: ${spec}\n`;
    const large = `  annotations: { a: "${'x'.repeat(editorLimits.documentLength)}" }\n`;
    const files: Readonly<Record<string, string | Buffer>> = {
      'half.yaml': `${pod('half')}   more: [\n---\n${pod('whole')}`,
      'deep.yaml': pod('deep', `${'{ a: '.repeat(300)}1${' }'.repeat(300)}`),
      'large.yaml': `${pod('large', undefined, large)}---\n${pod('small')}`,
      'latin.yaml': Buffer.from(`# K\u00e4se\n${pod('latin')}`, 'latin1'),
    };
    for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
    const run = async (...args: string[]): Promise<string> => (await podium(['simulate', folder, ...args])).stdout;
    const { workloads, unseen } = JSON.parse(await run('--format', 'json')) as Report;
    assert.deepEqual(workloads.map(({ name }) => name).sort(), ['small', 'whole']);
    const counted = unseen.map(({ kind, name, count }) => `${count} ${kind} ${name}`);
    assert.deepEqual(counted.sort(), [
      '1 document deep.yaml',
      '1 document half.yaml',
      '1 document large.yaml',
      '1 file latin.yaml',
    ]);
    for (const form of ['table', 'markdown']) {
      const shown = await run('--format', form);
      assert.match(shown, /3 documents cannot be read whole: deep\.yaml, half\.yaml and large\.yaml/, form);
      assert.match(shown, /1 file is not read whole: latin\.yaml/, form);
    }
    assert.match(await run('--summary'), /not seen: 1 file and 3 other objects that may make pods/);
    const definition = `apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: { name: wells.example.com }\n${'# more\n'.repeat(500_000)}`;
    await writeFile(join(folder, 'definition.yaml'), definition);
    assert.match(await run('--summary'), /not seen: 1 file and 3 other objects that may make pods/);
    await rm(folder, { recursive: true });
  });
});

describe('Nodes from several places', () => {
  it('are said to be so, with how to choose, until some are excluded', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'podium-places-'));
    const status = 'status: { allocatable: { cpu: 4, memory: 16Gi, pods: 110 } }';
    const node = (name: string): string => `apiVersion: v1\nkind: Node\nmetadata: { name: ${name} }\n${status}\n`;
    for (const place of ['prod', 'staging']) {
      await mkdir(join(folder, place));
      await writeFile(join(folder, place, 'nodes.yaml'), node(place));
    }
    const run = async (...args: string[]): Promise<string> =>
      (await podium(['simulate', folder, '--no-render', '--show', 'assumptions', ...args], { columns: 200 })).stdout;
    const both = await run();
    assert.match(both, /; the nodes come from 2 places\./);
    assert.match(both, /\? 2 nodes from 2 places: prod \(1\) and staging \(1\); to choose, .*--exclude or a snapshot/);
    const one = await run('--exclude', 'staging/**');
    assert.doesNotMatch(one, /places/);
    assert.match(one, /= 1 node from the manifests/);
    const snapshot = await run('--snapshot', join(folder, 'prod', 'nodes.yaml'));
    assert.doesNotMatch(snapshot, /places/);
    await rm(folder, { recursive: true });
  });
});

describe('podium simulate', () => {
  for (const columns of [80, 120]) {
    it(`prints the online shop as golden/online-shop-${columns}.txt (UPDATE_GOLDEN=1 rewrites it)`, async () => {
      const { code, stdout, stderr } = await podium(['simulate', sample], { columns });
      assert.deepEqual({ code, stderr }, { code: 0, stderr: '' });
      const golden = new URL(`./golden/online-shop-${columns}.txt`, import.meta.url);
      if (process.env['UPDATE_GOLDEN'] === '1') await writeFile(golden, stdout);
      assert.equal(stdout, (await readFile(golden, 'utf8')).replaceAll('\r\n', '\n'));
    });
  }

  it('prints every section as golden/online-shop-all.txt when it is asked for all', async () => {
    const { code, stdout } = await podium(['simulate', sample, '--show', 'all'], { columns: 100 });
    assert.equal(code, 0);
    const golden = new URL('./golden/online-shop-all.txt', import.meta.url);
    if (process.env['UPDATE_GOLDEN'] === '1') await writeFile(golden, stdout);
    assert.equal(stdout, (await readFile(golden, 'utf8')).replaceAll('\r\n', '\n'));
  });

  it('prints no more than 60 lines, and hides no victim where ten or fewer are evicted', async () => {
    for (const columns of [60, 80, 120]) {
      const { stdout } = await podium(['simulate', sample], { columns });
      const lines = stdout.trimEnd().split('\n');
      assert.ok(lines.length <= 60);
      assert.ok(lines.findIndex((line) => line.includes('− thumbnailer')) < 7);
      for (const victim of ['search-indexer', 'nightly-report']) assert.match(stdout, new RegExp(`− ${victim} `));
    }
  });

  it('keeps to that where long names make a comparison long', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'podium-long-'));
    try {
      const text = JSON.stringify(fleet({ nodes: 60, podsPerNode: 20, urgent: 15, hopeless: 4 }));
      const long = text.replaceAll(/"name":"([a-z][a-z0-9-]{2,18})"/g, '"name":"name-of-many-words-in-a-row-$1"');
      await writeFile(
        join(folder, 'fleet.json'),
        JSON.stringify({ apiVersion: 'v1', kind: 'List', items: JSON.parse(long) as unknown }),
      );
      const { stdout } = await podium(
        ['simulate', join(folder, 'fleet.json'), '--what-if', 'remove node/ip-10-0-0-0.eu-west-1.compute.internal'],
        {
          columns: 80,
        },
      );
      assert.match(stdout, /\nAfter it: /);
      assert.ok(stdout.trimEnd().split('\n').length <= 60, stdout);
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it('keeps to that at any size, and says in each group what would help', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'podium-fleet-'));
    try {
      const objects = fleet({ nodes: 60, podsPerNode: 20, urgent: 15, hopeless: 4 });
      const path = join(folder, 'fleet.yaml');
      await writeFile(path, objects.map((object) => JSON.stringify(object)).join('\n---\n'));
      for (const columns of [80, 120]) {
        const { stdout } = await podium(['simulate', path], { columns });
        const lines = stdout.trimEnd().split('\n');
        assert.ok(lines.length <= 60, `${lines.length} lines`);
        assert.match(
          lines.slice(0, 12).join('\n'),
          /^Evicted \d+ {2}by namespace\n[^]*^ {2}namespace +ran +lost +evicted/m,
        );
        for (const group of ['Evicted', 'Pending']) {
          const start = lines.findIndex((line) => line.startsWith(group));
          const rest = lines.slice(start);
          const own = rest.slice(0, rest.indexOf(''));
          assert.ok(
            own.some((line) => line.startsWith('      podium simulate ') && line.includes(" --what-if 'add ")),
            own.join('\n'),
          );
        }
      }
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it('tells who is evicted by what is asked for, and names what is near to it', async () => {
    const { stdout } = await podium(['simulate', sample, '--by', 'class'], { columns: 80 });
    assert.match(stdout, /^Evicted 3 {2}by class$/m);
    assert.match(stdout, /^ {2}batch-low 100 +\d+ +\d+ % +\d/m);
    assert.match(stdout, /podium simulate \S+ --what-if/);
    const { losses } = JSON.parse(
      (await podium(['simulate', sample, '--by', 'zone', '--format', 'json'])).stdout,
    ) as Report;
    assert.equal(
      losses?.rows.reduce((sum, { evicted }) => sum + evicted, 0),
      3,
    );
    const { code, stderr } = await podium(['simulate', sample, '--by', 'namespce']);
    assert.equal(code, 2);
    assert.match(
      stderr,
      /--by must be namespace, .* or a label of workloads, not 'namespce'; did you mean 'namespace'\?/,
    );
  });

  it('says headline, cause and balance, a line each, with --summary', async () => {
    const { stdout } = await podium(['simulate', sample, '--summary'], { columns: 80 });
    assert.deepEqual(stdout.split('\n'), [
      'checkout evicts thumbnailer (down), search-indexer and nightly-report and breaks 1 budget; 5 pods stay pending.',
      'checkout needs 1.6 cpu on one node. No node that it may use has more than 0.75 cpu free.',
      '6 new pods = 3 scheduled + 2 pending + 1 gated. 3 evicted = 0 scheduled again + 3 pending. Without a node at the end: 2 + 3 pending + 1 gated = 6.',
      '',
    ]);
  });

  it('exits with 1 when there is what --fail-on names, and refuses what it does not know', async () => {
    assert.equal((await podium(['simulate', sample, '--fail-on', 'refused'])).code, 0);
    const down = await podium(['simulate', sample, '--fail-on', 'refused,down,budget']);
    assert.equal(down.code, 1);
    assert.match(down.stdout, /\n--fail-on down: 1 down: thumbnailer\n--fail-on budget: 1 broken: search-indexer\n$/);
    const unknown = await podium(['simulate', sample, '--fail-on', 'everything']);
    assert.equal(unknown.code, 2);
    assert.match(unknown.stderr, /--fail-on must be evicted or budget or pending or refused or down/);
  });

  it('prints Markdown that begins with the answer', async () => {
    const { stdout } = await podium(['simulate', sample, '--format', 'markdown']);
    assert.match(
      stdout,
      /^### checkout evicts thumbnailer \(down\), search-indexer and nightly-report and breaks 1 budget/,
    );
    assert.match(stdout, /\| − \| `thumbnailer` \| 1 of 1 \| \*\*down\*\*, for checkout-0/);
    assert.match(stdout, /<details><summary>Steps \(14\)<\/summary>/);
  });

  it('keeps every line within the width, and has no control characters without colour', async () => {
    const { stdout } = await podium(['simulate', sample], { columns: 80 });
    // A command is one line, so that it can be copied.
    const isCommand = (line: string): boolean => line.startsWith('      podium simulate ');
    for (const line of stdout.split('\n')) assert.ok(columnsOf(line) <= 80 || isCommand(line), line);
    assert.ok(!stdout.includes(escape));
  });

  it('says the same in colour', async () => {
    const plain = await podium(['simulate', sample], { columns: 90 });
    const coloured = await podium(['simulate', sample], { columns: 90, colour: true });
    assert.ok(coloured.stdout.includes(`${escape}[31mDOWN`));
    assert.equal(coloured.stdout.replace(paint, ''), plain.stdout);
  });

  it('colours only a terminal, and not with NO_COLOR', () => {
    assert.equal(wantsColour(true, {}), true);
    assert.equal(wantsColour(true, { NO_COLOR: '' }), true);
    assert.equal(wantsColour(true, { NO_COLOR: '1' }), false);
    assert.equal(wantsColour(true, { TERM: 'dumb' }), false);
    assert.equal(wantsColour(false, {}), false);
    assert.equal(wantsColour(false, { FORCE_COLOR: '1' }), true);
    assert.equal(wantsColour(true, { FORCE_COLOR: '0' }), false);
    assert.equal(wantsColour(false, { FORCE_COLOR: '1', NO_COLOR: '1' }), false);
  });

  it('prints the whole report as JSON', async () => {
    const { stdout } = await podium(['simulate', sample, '--format', 'json', '--workload', 'deploy/shop/checkout']);
    const report = JSON.parse(stdout) as Report;
    assert.equal(report.version, 2);
    assert.equal(report.scenario.kind, 'workload');
    const checkout = report.workloads.find(({ name }) => name === 'checkout');
    assert.match(checkout?.origin?.uri ?? '', /^file:.*\/apps\/checkout\.yaml$/);
    assert.deepEqual(checkout?.origin?.range.start, { line: 5, character: 8 });
  });

  it('[PLA-1] has in JSON what each workload asks for, as it is applied', async () => {
    const stdin = `apiVersion: apps/v1
kind: Deployment
metadata: { name: web }
spec:
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web } }
    spec:
      nodeSelector: { disk: ssd }
      tolerations: [{ key: a, operator: Exists }]
      topologySpreadConstraints: [{ maxSkew: 1, topologyKey: zone, whenUnsatisfiable: DoNotSchedule }]
      initContainers: [{ name: first, image: a, resources: { requests: { memory: 2Gi } } }]
      containers: [{ name: web, image: a, resources: { requests: { cpu: 0.1 }, limits: { memory: 1Gi, example.com/gpu: 1 } } }]
`;
    const { stdout } = await podium(['simulate', '-', '--format', 'json'], { stdin });
    const { workloads } = JSON.parse(stdout) as { workloads: readonly { scheduling?: unknown }[] };
    assert.deepEqual(
      workloads.map(({ scheduling }) => scheduling),
      [
        {
          requests: { cpu: 100, memory: 2 * 1024 ** 3, 'example.com/gpu': 1 },
          nodeSelector: { disk: 'ssd' },
          tolerations: [{ key: 'a', operator: 'Exists' }],
          topologySpreadConstraints: [{ maxSkew: 1, topologyKey: 'zone', whenUnsatisfiable: 'DoNotSchedule' }],
        },
      ],
    );
  });

  it('reads standard input, and takes nodes and pods from a snapshot', async () => {
    const web =
      'apiVersion: v1\nkind: Pod\nmetadata: {name: web}\nspec: {containers: [{name: main, image: app, resources: {requests: {cpu: 1}}}]}\n';
    const { code, stdout } = await podium(
      ['simulate', '-', '--snapshot', `${sample}/cluster/nodes.yaml`, '--format', 'json'],
      { stdin: web },
    );
    assert.equal(code, 0);
    const report = JSON.parse(stdout) as Report;
    assert.equal(report.nodes.length, 4);
    assert.ok(report.assumptions.some(({ text }) => text === '4 nodes from the cluster snapshot'));
    assert.equal(report.steps[0]?.kind, 'scheduled');
  });

  it('assumes the nodes it is told to assume', async () => {
    const { stdout } = await podium([
      'simulate',
      `${sample}/apps`,
      `${sample}/priority-classes.yaml`,
      '--assume-nodes',
      '2:8:32Gi',
      '--format',
      'json',
    ]);
    const report = JSON.parse(stdout) as Report;
    assert.deepEqual(
      report.nodes.map(({ assumed, allocatable }) => [assumed, allocatable['cpu']]),
      [
        [true, 8000],
        [true, 8000],
      ],
    );
  });

  it('assumes nodes with what each kubelet reports, so that room for files is no reason to wait', async () => {
    const pod = (size: string): string =>
      `apiVersion: v1\nkind: Pod\nmetadata: {name: web}\nspec: {containers: [{name: main, image: app, resources: {requests: {cpu: "${size}", ephemeral-storage: 1Gi}}}]}\n`;
    assert.match(
      (await podium(['simulate', '-'], { stdin: pod('1') })).stdout,
      /\+ web {2}\?1 of 1 {2}assumed nodes, at once/,
    );
    const { stdout } = await podium(['simulate', '-', '--what-if', 'add 1 node 8:32Gi', '--assume-nodes', '3'], {
      stdin: pod('6'),
    });
    assert.match(stdout, /^Adding Node added\+1 finds a place for \?1 more pod \(web\)\./);
  });

  it('marks each amount that rests on assumed nodes, and no other', async () => {
    const pods = (name: string, replicas: number, more = ''): string =>
      `apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: ${name}}\nspec: {replicas: ${replicas}, selector: {matchLabels: {app: ${name}}}, template: {metadata: {labels: {app: ${name}}}, spec: {${more}containers: [{name: main, image: app, resources: {requests: {cpu: "1"}}}]}}}\n`;
    const manifests = [
      pods('web', 20),
      pods('held', 2, 'schedulingGates: [{name: example.com/hold}], '),
      pods('none', 3, 'priorityClassName: system-absent, '),
    ].join('---\n');
    const assumed = (await podium(['simulate', '-', '--assume-nodes', '3'], { stdin: manifests })).stdout;
    for (const line of [
      '? Assumed: 3 × 4 cpu/16 Gi.',
      'Pending ?8',
      'Gated 2',
      'Refused 3',
      'Scheduled ?12',
      '25 new pods = ?12 scheduled + ?8 pending + 2 gated + 3 refused.',
    ]) {
      assert.ok(assumed.split('\n').includes(line), `${line} in\n${assumed}`);
    }
    assert.match(assumed, /; \?8 pods stay pending; 3 pods of none are refused:\s/);
    assert.match(assumed, /○ cpu {2}\?8 pods {2}/);
    assert.match(assumed, /\+ web {2}\?12 of 20 {2}/);
    assert.match(assumed, /‖ held {2}2 pods {2}/);
    assert.match(
      assumed,
      /→ it runs, \?10 pending\n {6}podium simulate - --assume-nodes 3 --what-if 'ungate deployment\/default\/held'\n/,
    );
    const markdown = (
      await podium(['simulate', '-', '--format', 'markdown', '--assume-nodes', '3'], { stdin: manifests })
    ).stdout;
    assert.match(markdown, /^\? Assumed: 3 × 4 cpu\/16 Gi\.$/m);
    const node =
      'apiVersion: v1\nkind: Node\nmetadata: {name: a}\nstatus: {allocatable: {cpu: "12", memory: 64Gi, pods: "110"}}\n';
    const known = (await podium(['simulate', '-'], { stdin: `${manifests}---\n${node}` })).stdout;
    assert.match(known, /^25 new pods = 12 scheduled \+ 8 pending \+ 2 gated \+ 3 refused\./m);
    assert.doesNotMatch(known, /\?/);
  });

  it('goes on after a document that cannot be read, and says which one', async () => {
    const broken =
      'apiVersion: v1\nkind: Pod\nspec: [\n---\napiVersion: v1\nkind: Pod\nmetadata: {name: web}\nspec: {containers: [{name: main, image: app}]}\n';
    const { code, stdout, stderr } = await podium(['simulate', '-'], { stdin: broken });
    assert.equal(code, 0);
    assert.match(stderr, /^podium: standard input:\d+: /);
    assert.match(stdout, /\+ web {2}\?1 of 1 {2}assumed nodes, at once/);
    const faults = 'apiVersion: v1\nkind: Pod\na: *b\nc: *d\ne: *f\n';
    const told = await podium(['simulate', '-'], { stdin: `${faults}---\n${broken.split('---\n')[1]}` });
    assert.match(told.stderr, /^podium: standard input:3: .* 2 more problems in this document\.\n$/);
  });

  it('never lets a name speak to the terminal', async () => {
    const hostile =
      'apiVersion: v1\nkind: Pod\nmetadata: {name: "we\\u001b[31mb\\u202e"}\nspec: {containers: [{name: main, image: app}]}\n';
    const { stdout } = await podium(['simulate', '-'], { stdin: hostile });
    assert.ok(!stdout.includes(escape));
    assert.ok(!stdout.includes('\u202e'));
    assert.match(stdout, /× we\ufffd\[31mb\ufffd {2}1 pod {2}Pod "we/);
  });

  it('reads every sample without a complaint', async () => {
    const { stderr } = await podium(['simulate', 'samples']);
    assert.equal(stderr, '');
  });

  it('writes a list of numbers in one line of JSON, for there may be one of all nodes in each decision', async () => {
    const { stdout } = await podium(['simulate', 'samples/online-shop', '--format', 'json']);
    const { decisions } = JSON.parse(stdout) as WholeReport;
    const { feasible } = decisions.find((each) => each.feasible.length > 0)!;
    assert.ok(stdout.includes(`"feasible": [${feasible.join(',')}]`));
    assert.doesNotMatch(stdout, /^ *-?\d+,?$/m);
  });

  it('writes what it knows of decisions over many nodes in JSON up to a bound, and says how to have it all', async () => {
    const nodes = Array.from({ length: 800 }, (_, index) => ({
      apiVersion: 'v1',
      kind: 'Node',
      metadata: { name: `node-${index}` },
      status: { allocatable: { cpu: '4', memory: '16Gi', pods: '110' } },
    }));
    const template = { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'web', image: 'web' }] } };
    const web = {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'web' },
      spec: { replicas: 400, selector: { matchLabels: { app: 'web' } }, template },
    };
    const stdin = JSON.stringify({ apiVersion: 'v1', kind: 'List', items: [...nodes, web] });
    const run = async (...more: string[]): Promise<{ readonly report: WholeReport; readonly stderr: string }> => {
      const { stdout, stderr } = await podium(['simulate', '-', '--format', 'json', ...more], { stdin });
      return { report: JSON.parse(stdout) as WholeReport, stderr };
    };
    const short = await run();
    const whole = await run('--decisions');
    assert.equal(whole.stderr, '');
    assert.ok(whole.report.decisions.every(({ feasible }) => feasible.length === 800));
    const atAGlance = short.report.decisions.filter((decision) => !('feasible' in decision));
    assert.match(
      short.stderr,
      new RegExp(`^podium: ${atAGlance.length} of 400 decisions without nodes, .* --decisions`),
    );
    assert.ok(atAGlance.length > 100 && atAGlance.length < 400);
    for (const [index, decision] of short.report.decisions.entries()) {
      assert.deepEqual({ ...whole.report.decisions[index], ...decision }, whole.report.decisions[index]);
    }
    assert.deepEqual({ ...short.report, decisions: [] }, { ...whole.report, decisions: [] });
    const [table, shown] = await Promise.all([
      podium(['simulate', sample, '--decisions']),
      podium(['simulate', sample, '--show', 'decisions']),
    ]);
    assert.equal(table.stdout, shown.stdout);
  });

  it('[#35] marks what rests on the order in which a quota is charged, and names the quota', async () => {
    const quota = 'apiVersion: v1\nkind: ResourceQuota\nmetadata: {name: team}\nspec: {hard: {pods: "3"}}\n';
    const pods = (name: string): string =>
      `apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: ${name}}\nspec: {replicas: 2, selector: {matchLabels: {app: ${name}}}, template: {metadata: {labels: {app: ${name}}}, spec: {containers: [{name: main, image: app}]}}}\n`;
    const answer = async (...manifests: readonly string[]): Promise<string> => {
      const { stdout } = await podium(['simulate', '-'], { stdin: manifests.join('---\n') });
      return stdout.replaceAll(/\s+/g, ' ');
    };
    const doubtful = await answer(quota, pods('a'), pods('b'));
    assert.match(doubtful, /; \?1 pod of b is refused: exceeded quota: team/);
    assert.match(doubtful, /× b \?1 pod .* which pods ResourceQuota team refuses depends on which are created first/);
    // Of one workload it is certain how many.
    const alone = await answer(quota.replace('"3"', '"1"'), pods('b'));
    assert.match(alone, /; 1 pod of b is refused: exceeded quota: team/);
    assert.doesNotMatch(alone, /created first/);
  });
});
