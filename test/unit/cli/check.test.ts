import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { after, before, describe, it } from 'mocha';
import { rules } from '../../../server/src/language/rules/registry.ts';
import { podium } from './run-podium.ts';
import { sarifMistakes } from './sarif-schema.ts';

const git = promisify(execFile);

const pod = (name: string, spec: string): string =>
  `apiVersion: v1\nkind: Pod\nmetadata: {name: ${name}}\nspec:\n  containers: [{name: main, image: app}]\n${spec}`;
const priorityClass = (name: string, value: number): string =>
  `apiVersion: scheduling.k8s.io/v1\nkind: PriorityClass\nmetadata: {name: ${name}}\nvalue: ${value}\n`;

const judge = 'Judged as Kubernetes 1.36: No node says which version it runs: 1.36 is assumed.\n';

describe('podium check', () => {
  let folder: string;

  async function write(files: Readonly<Record<string, string>>): Promise<void> {
    for (const [path, text] of Object.entries(files)) {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), text);
    }
  }

  const check = (...args: string[]) => podium(['check', ...args], { cwd: folder });

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'podium-check-'));
    await write({
      'good/web.yaml': pod('web', '  priorityClassName: high\n'),
      'good/classes.yaml': priorityClass('high', 1000),
      'bad/worker.yaml': `# first\n---\n${pod('worker', '  priorityClassName: high\n  priority: 7\n')}`,
      'bad/classes.yaml': priorityClass('high', 1000),
      'bad/classes/system.yaml': priorityClass('system-mine', 10),
      'unusual/a,b:50%/pod.yaml': pod('odd', '  tolerations: [{key: a, operator: Equals}]\n'),
      'suppressed/pod.yaml': pod(
        'quiet',
        '  # podium-disable-next-line invalid-toleration -- accepted\n  tolerations: [{key: a, operator: Equals}]\n',
      ),
      'several/a/kustomization.yaml': 'configMapGenerator: [{name: app, files: [config/app.conf]}]\n',
      'several/b/kustomization.yaml': 'resources: [is not there/pod.yaml]\n',
      'absent/kustomization.yaml': 'configMapGenerator: [{name: app, files: [config/app.conf]}]\n',
      'fleet/sources.yaml': Array.from(
        { length: 300 },
        (_, index) =>
          `apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: {name: k${index}, namespace: flux-system}\nspec: {path: ./absent/${index}, sourceRef: {kind: GitRepository, name: flux-system}}\n`,
      ).join('---\n'),
      'broken/pod.yaml': 'apiVersion: v1\nkind: Pod\nspec: [\n',
      'chart/templates/pod.yaml':
        'apiVersion: v1\nkind: Pod\nmetadata: {name: {{ .Values.name }}}\nspec: {priority: x}\n',
    });
  });

  after(() => rm(folder, { recursive: true, force: true }));

  it('reads hidden folders, but for those of programs; what was put away is no part of the cluster', async () => {
    const lost = pod('lost', '  priorityClassName: none\n');
    const folders = ['.argocd', '.github/e2e', '.archive', '.git', '.venv'];
    await write(Object.fromEntries(folders.map((path) => [`hidden/${path}/pod.yaml`, lost])));
    const { stdout } = await check('hidden', '--format', 'json');
    const { problems } = JSON.parse(stdout) as { problems: { code: string; path: string }[] };
    const found = problems.filter(({ code }) => code === 'unknown-priority-class').map(({ path }) => path);
    assert.deepEqual(found, ['hidden/.argocd/pod.yaml', 'hidden/.github/e2e/pod.yaml']);
  });

  it('finds what stands behind the schema of a definition, which is not kept, at its place', async () => {
    const schema = Array.from({ length: 500 }, (_, line) => `    line${line}: {type: string}\n`).join('');
    const definition = `apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: a.b}\nspec:\n  versions:\n${schema}`;
    await write({ 'crd/all.yaml': `${definition}---\n${pod('late', '  priorityClassName: none\n')}` });
    const { stdout } = await check('crd', '--format', 'json');
    const { problems } = JSON.parse(stdout) as { problems: { code: string; range: { start: { line: number } } }[] };
    const found = problems.filter(({ code }) => code === 'unknown-priority-class');
    assert.deepEqual(
      found.map(({ range }) => range.start.line),
      [511],
    );
  });

  it('ends with 0 and says so when there is nothing to say', async () => {
    assert.deepEqual(await check('good'), { code: 0, stdout: `No problems in 2 files.\n${judge}`, stderr: '' });
  });

  it('[ED-2] prints errors as compilers do, by path and line, with a summary, and ends with 1', async () => {
    const { code, stdout, stderr } = await check('bad');
    assert.deepEqual({ code, stderr }, { code: 1, stderr: '' });
    assert.equal(
      stdout,
      [
        "bad/classes/system.yaml:3:18: error: metadata.name: Forbidden: priority class names with 'system-' prefix are reserved for system use only. error: system-mine is not a known system priority class [reserved-class-name]",
        'bad/worker.yaml:9:13: error: The API server refuses this pod: the integer value of priority (7) must not be provided in pod spec; priority admission controller computed 1000 from the given PriorityClass name. [priority-mismatch]',
        '    bad/classes.yaml:4:8: PriorityClass high',
        '',
        `2 errors in 2 of 3 files.\n${judge.trimEnd()}`,
        '',
      ].join('\n'),
    );
  });

  it('[ED-6] counts what other files declare, also those that are not judged', async () => {
    const alone = await check('good/web.yaml', '--format', 'json');
    assert.match(alone.stdout, /"code": "unknown-priority-class"/);
    assert.equal((await check('good/web.yaml', '--context', 'good')).stdout, `No problems in 1 file.\n${judge}`);
  });

  it('[#37] says that there is nothing to judge where no file holds a Kubernetes object', async () => {
    await write({ 'others/compose.yaml': 'services: {web: {image: app}}\n', 'others/empty.yaml': '' });
    assert.deepEqual(await check('others'), {
      code: 0,
      stdout: `No Kubernetes manifests in 2 files.\n${judge}`,
      stderr: '',
    });
  });

  it('reads standard input', async () => {
    const { code, stdout } = await podium(['check', '-'], {
      stdin: pod('odd', '  tolerations: [{key: a, operator: Equals}]\n'),
      cwd: folder,
    });
    assert.equal(code, 1);
    assert.match(stdout, /^stdin:6:\d+: error: .*\[invalid-toleration\]$/m);
  });

  it('knows what a snapshot declares', async () => {
    await write({ 'snapshot/cluster.yaml': priorityClass('high', 1000) });
    assert.equal(
      (await check('good/web.yaml', '--snapshot', 'snapshot/cluster.yaml')).stdout,
      `No problems in 1 file.\n${judge}`,
    );
  });

  it('[ED-3] compares a file with its version at git HEAD', async () => {
    const gated = (gates: string) => pod('gated', `  schedulingGates: [${gates}]\n`);
    await write({ 'repository/pod.yaml': gated('{name: a.example/one}') });
    const cwd = join(folder, 'repository');
    const author = ['-c', 'user.name=test', '-c', 'user.email=test@example.com'];
    await git('git', ['init', '--quiet'], { cwd });
    await git('git', ['add', '.'], { cwd });
    await git('git', [...author, 'commit', '--quiet', '--message', 'one gate'], { cwd });
    assert.equal((await check('repository')).code, 0);
    await write({ 'repository/pod.yaml': gated('{name: a.example/one}, {name: a.example/two}') });
    const { code, stdout } = await check('repository');
    assert.equal(code, 1);
    assert.match(stdout, /\[gate-added\]/);
  });

  it('[ED-3] compares an object with the one in the snapshot', async () => {
    const gated = (gates: string) => pod('gated', `  schedulingGates: [${gates}]\n`);
    await write({ 'next/pod.yaml': gated('{name: a.example/one}'), 'snapshot/gated.yaml': gated('') });
    assert.equal((await check('next')).code, 0);
    const { code, stdout } = await check('next', '--snapshot', 'snapshot/gated.yaml');
    assert.equal(code, 1);
    assert.match(stdout, /snapshot.*\[gate-added\]/);
  });

  it('never lets a manifest speak to the terminal', async () => {
    const hostile = pod('odd', '  tolerations: [{key: a, operator: "\\e[31mred\\u202e"}]\n');
    const { stdout } = await podium(['check', '-'], { stdin: hostile });
    assert.match(stdout, /\[invalid-toleration\]/);
    assert.ok(!stdout.includes('\u001b') && !stdout.includes('\u202e'));
  });

  it('honours suppressions', async () => {
    assert.deepEqual(await check('suppressed'), { code: 0, stdout: `No problems in 1 file.\n${judge}`, stderr: '' });
  });

  it('finds that a file cannot be read, and checks the others', async () => {
    await write({
      'odd/latin.yaml': '',
      'odd/pod.yaml': pod('odd', '  tolerations: [{key: a, operator: Equals}]\n'),
    });
    await writeFile(join(folder, 'odd/latin.yaml'), Buffer.from(`${pod('latin', '')}# Käse\n`, 'latin1'));
    await symlink('circle.yaml', join(folder, 'odd/circle.yaml'));
    await writeFile(
      Buffer.concat([Buffer.from(join(folder, 'odd/')), Buffer.from([0xe4]), Buffer.from('.yaml')]),
      pod('a', ''),
    );
    const expected = [
      /^odd\/latin\.yaml:1:1: error: This file cannot be read: it is written in .* Windows-1252.* \[unreadable-file\]$/m,
      /^odd\/pod\.yaml:6:36: error: .*\[invalid-toleration\]$/m,
      /^odd\/\ufffd\.yaml:1:1: error: This file cannot be read: it has a name that is not UTF-8\. \[unreadable-file\]$/m,
    ];
    const { code, stdout, stderr } = await check('odd');
    assert.deepEqual([code, stderr], [1, '']);
    for (const pattern of expected) assert.match(stdout, pattern);
    const named = await check('odd/circle.yaml', 'good');
    assert.deepEqual([named.code, named.stderr], [1, '']);
    assert.match(
      named.stdout,
      /^odd\/circle\.yaml:1:1: error: This file cannot be read: .*ELOOP\)\. \[unreadable-file\]$/m,
    );
    assert.match(named.stdout, /3 files/);
    const sarif = await check('odd', '--format', 'sarif');
    assert.deepEqual(sarifMistakes(JSON.parse(sarif.stdout)), []);
  });

  it('ends with 1 when a document was left out for its size or depth', async () => {
    const large = `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: large}\ndata: {text: ${'x'.repeat(3.5 * 1024 * 1024)}}\n`;
    const deep = `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: deep}\ndata: ${'['.repeat(300)}${']'.repeat(300)}\n`;
    const leftOut = {
      'document-too-large': large,
      'document-too-deep': deep,
      'file-too-large': large + '# '.padEnd(2 ** 21),
    };
    for (const [rule, text] of Object.entries(leftOut)) {
      const { code, stdout } = await podium(['check', '-'], { stdin: text });
      assert.equal(code, 1, rule);
      assert.match(stdout, new RegExp(`warning: .*\\[${rule}\\]`));
      const simulated = await podium(['simulate', '-', 'good'], { cwd: folder, stdin: text });
      assert.equal(simulated.code, 0);
      // What is piped into a simulation may be a whole cluster, which is read piece by piece.
      if (rule === 'file-too-large') assert.equal(simulated.stderr, '');
      else assert.match(simulated.stderr, /^podium: standard input/m, `a simulation tells what is not in it: ${rule}`);
    }
  });

  it('takes the severity of a rule from --severity', async () => {
    assert.equal(
      (await check('bad', '--severity', 'priority-mismatch=warning', '--severity', 'reserved-class-name=off')).code,
      0,
    );
    const { code, stderr } = await check('bad', '--severity', 'priority-mismach=off');
    assert.equal(code, 2);
    assert.match(stderr, /no rule 'priority-mismach'; did you mean 'priority-mismatch'\?/);
    assert.equal((await check('bad', '--severity', 'priority-mismatch=fatal')).code, 2);
    assert.equal((await check('bad', '--severity', 'priority-mismatch')).code, 2);
  });

  it('tells of a file that is not there by its name, as it is written', async () => {
    const { stdout } = await check('absent', '--no-render');
    assert.match(stdout, /warning: Not rendered: the entry config\/app\.conf is not there\. .*\[not-rendered\]/);
    assert.match(stdout, /Not checked: 1 source is not rendered: .*\. The entry config\/app\.conf is not there\.\n/);
  });

  it('[PRI-2] says what is certain though something is not rendered, and counts what that may bring', async () => {
    const pod = (name: string, className: string): string =>
      `apiVersion: v1\nkind: Pod\nmetadata: { name: ${name} }\nspec: { priorityClassName: ${className}, containers: [{ name: c, image: i }] }\n`;
    await write({
      'partly/other/kustomization.yaml': 'resources: [absent.yaml]\n',
      'partly/app/app.yaml': [
        'apiVersion: scheduling.k8s.io/v1\nkind: PriorityClass\nmetadata: { name: critical }\nvalue: 10\n',
        pod('reserved', 'system-cluster-critcal'),
        pod('near', 'critcal'),
        pod('far', 'elsewhere'),
        'apiVersion: v1\nkind: Node\nmetadata: { name: n1 }\n',
        pod('nowhere', 'critical').replace('containers', 'nodeSelector: { disk: sssd }, containers'),
        'apiVersion: policy/v1\nkind: PodDisruptionBudget\nmetadata: { name: b }\nspec: { maxUnavailable: 1, selector: { matchLabels: { app: x } } }\n',
      ].join('---\n'),
    });
    const { stdout } = await check('partly', '--no-render');
    assert.match(
      stdout,
      /error: .*system-cluster-critcal.* Did you mean system-cluster-critical\? \[unknown-priority-class\]/,
    );
    assert.match(stdout, /warning: No PriorityClass named "critcal" is declared; did you mean critical\?/);
    assert.doesNotMatch(stdout, /"elsewhere"/);
    assert.match(stdout, /\[no-node-matches\]/);
    assert.match(stdout, /\[budget-selects-nothing\]/);
    assert.match(stdout, /^Not said: 1 problem \(unknown-priority-class 1\)/m);
  });

  it('fails for a kustomization that leads out of what is worked on, behind which a change could hide', async () => {
    await write({ 'leads/kustomization.yaml': `resources: [${'../'.repeat(30)}elsewhere.yaml]\n` });
    const { code, stdout } = await check('leads', '--no-render');
    assert.equal(code, 1, stdout);
    assert.match(
      stdout,
      /^Not checked: 1 source is not rendered: leads\. .* leads out of the folder that is worked on\.$/m,
    );
  });

  it('ends what is not rendered with one mark, also where the reason asks', async () => {
    await write({ 'asks/kustomization.yaml': 'resources: []\n"a\n b": c\n' });
    const { stdout } = await check('asks', '--no-render');
    assert.match(stdout, /warning: Not rendered: A key must stand on one line\. Is a “:” missing\? \(in asks\)/);
    assert.match(stdout, /^Not checked: .*missing\?$/m);
  });

  it('tells of many files that are not there as of one reason', async () => {
    const { stdout } = await check('several', '--no-render');
    assert.match(stdout, /^Not checked: 2 sources are not rendered: .*\. Their entries are not there\.$/m);
  });

  it('tells of many reasons why sources are not rendered in few lines, with the number of the others', async () => {
    await write(
      Object.fromEntries(
        Array.from({ length: 40 }, (_, index) => [
          `reasons/k${index}/kustomization.yaml`,
          `resources: [*missing${index}]\n`,
        ]),
      ),
    );
    const { stdout } = await check('reasons', '--no-render');
    const lines = stdout.split('\n').filter((line) => line.startsWith('Not checked: '));
    assert.equal(lines.length, 12);
    assert.match(
      lines[0]!,
      /^Not checked: 1 source is not rendered: k0\. There is no anchor “&missing0” before this alias\.$/,
    );
    assert.match(lines.at(-1)!, /^Not checked: 29 sources are not rendered: .*, and 28 other reasons\.$/);
    const { stderr } = await podium(['fit', 'worker', 'reasons', 'good', '--no-render'], { cwd: folder });
    assert.equal(stderr.split('\n').filter((line) => line.includes('not seen: ')).length, 12, stderr);
  });

  it('tells of a hundred sources of a file that are not rendered, and how many more there are', async () => {
    const { stdout } = await check('fleet', '--no-render');
    const lines = stdout.split('\n').filter((line) => line.includes('[not-rendered]'));
    assert.equal(lines.length, 101);
    assert.match(lines.at(-1) ?? '', /And 200 more sources of this file are not rendered\./);
  });

  it('counts templates and says nothing else of them, and an error of text that is no YAML', async () => {
    assert.equal(
      (await check('chart')).stdout,
      `No problems in 1 file.\n${judge}Not seen: 1 template is not read: pod.yaml. Written in the template language of Go, outside of a chart.\n`,
    );
    const { code, stdout } = await check('broken');
    assert.equal(code, 1);
    assert.match(stdout, /\[yaml-syntax\]/);
  });

  it('ends with 2 when it could not run', async () => {
    for (const args of [
      ['nowhere'],
      [],
      ['good', '--snapshot', 'nowhere.yaml'],
      ['good', '--format', 'xml'],
      ['good', '--context', 'nowhere'],
    ]) {
      const { code, stdout, stderr } = await check(...args);
      assert.deepEqual({ args, code, stdout }, { args, code: 2, stdout: '' });
      assert.match(stderr, /^podium check: .+\n$/);
    }
  });

  it('prints one JSON object for programs', async () => {
    const { stdout } = await check('bad', '--format', 'json');
    const { version, summary, problems } = JSON.parse(stdout) as {
      version: number;
      summary: Record<string, number>;
      problems: { path: string; code: string; severity: string; range: unknown }[];
    };
    assert.deepEqual([version, summary], [1, { files: 3, error: 2, warning: 0, information: 0, hint: 0 }]);
    assert.deepEqual(problems[1] && { ...problems[1], message: undefined }, {
      path: 'bad/worker.yaml',
      range: { start: { line: 8, character: 12 }, end: { line: 8, character: 13 } },
      severity: 'error',
      code: 'priority-mismatch',
      message: undefined,
      related: [
        {
          path: 'bad/classes.yaml',
          range: { start: { line: 3, character: 7 }, end: { line: 3, character: 11 } },
          message: 'PriorityClass high',
        },
      ],
    });
  });

  it('takes the snapshot from standard input', async () => {
    const stored =
      priorityClass('high', 7) +
      '---\n' +
      priorityClass('system-cluster-critical', 2_000_000_000) +
      '---\n' +
      priorityClass('system-node-critical', 2_000_001_000);
    const { stdout } = await podium(['check', 'good/classes.yaml', '--snapshot', '-'], { cwd: folder, stdin: stored });
    assert.match(
      stdout,
      /^good\/classes\.yaml:4:8: error: value: Forbidden: may not be changed in an update\. \(compared with the cluster snapshot\) \[class-changed\]$/m,
    );
  });

  it('prints a log that the SARIF 2.1.0 schema of OASIS accepts, with every rule', async () => {
    for (const path of ['bad', 'good', 'unusual', join('..', folder.split(/[\\/]/).at(-1)!, 'bad')]) {
      const { stdout } = await check(path, '--format', 'sarif');
      assert.deepEqual(sarifMistakes(JSON.parse(stdout)), []);
    }
    const { stdout } = await podium(['check', 'samples', '--format', 'sarif']);
    const log = JSON.parse(stdout) as {
      runs: { tool: { driver: { rules: { id: string }[] } }; results: { ruleId: string; ruleIndex: number }[] }[];
    };
    assert.deepEqual(sarifMistakes(log), []);
    const [run] = log.runs;
    assert.deepEqual(
      run?.tool.driver.rules.map(({ id }) => id),
      rules.map(({ code }) => code),
    );
    assert.ok(run.results.length > 0);
    for (const { ruleId, ruleIndex } of run.results) assert.equal(rules[ruleIndex]?.code, ruleId);
  });

  it('would notice what the SARIF schema forbids', () => {
    const result = {
      message: { text: 'x' },
      level: 'fatal',
      locations: [{ physicalLocation: { region: { startLine: 0 } } }],
    };
    const log = { version: '2.1.0', runs: [{ tool: { driver: {} }, results: [result], more: 1 }] };
    assert.deepEqual(sarifMistakes(log), [
      '/runs/0 must NOT have additional properties',
      "/runs/0/tool/driver must have required property 'name'",
      '/runs/0/results/0/level must be equal to one of the allowed values',
      "/runs/0/results/0/locations/0/physicalLocation must have required property 'address'",
      "/runs/0/results/0/locations/0/physicalLocation must have required property 'artifactLocation'",
      '/runs/0/results/0/locations/0/physicalLocation must match a schema in anyOf',
      '/runs/0/results/0/locations/0/physicalLocation/region/startLine must be >= 1',
    ]);
  });

  it('names files in SARIF by URIs relative to the source root', async () => {
    const { stdout } = await check('unusual', '--format', 'sarif');
    const location = (JSON.parse(stdout) as { runs: { results: { locations: unknown[] }[] }[] }).runs[0]?.results[0]
      ?.locations[0];
    assert.deepEqual(location, {
      physicalLocation: {
        artifactLocation: { uri: 'unusual/a%2Cb%3A50%25/pod.yaml', uriBaseId: '%SRCROOT%' },
        region: { startLine: 6, startColumn: 36, endLine: 6, endColumn: 42 },
      },
    });
  });

  it('escapes annotations for GitHub as its runner wants them', async () => {
    const { code, stdout } = await check('unusual', '--format', 'github');
    assert.equal(code, 1);
    assert.match(
      stdout,
      /^::error file=unusual\/a%2Cb%3A50%25\/pod\.yaml,line=6,endLine=6,col=36,endColumn=42,title=podium invalid-toleration::spec\.tolerations\[0\]\.operator: Unsupported value: "Equals"/,
    );
    assert.equal((await check('good', '--format', 'github')).stdout, '');
  });

  it('gives the same answer every time', async () => {
    const first = await podium(['check', 'samples']);
    assert.deepEqual({ code: first.code, stderr: first.stderr }, { code: 0, stderr: '' });
    assert.equal((await podium(['check', 'samples'])).stdout, first.stdout);
  });
});
