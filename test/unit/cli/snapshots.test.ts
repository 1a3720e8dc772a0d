import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { parse } from 'yaml';
import { shipped } from '../../../scripts/lib/shipped.mjs';
import type { Report, WholeReport } from '../../../server/src/report-model/report.ts';
import { largeSnapshot, writeLargeSnapshot } from '../../support/large-snapshots.ts';
import { uselessSnapshots } from '../../support/useless-snapshots.ts';
import { podium } from './run-podium.ts';

const pod = 'apiVersion: v1\nkind: Pod\nmetadata: {name: web}\nspec: {containers: [{name: main, image: app}]}\n';
const node = 'apiVersion: v1\nkind: Node\nmetadata: {name: a}\nstatus: {allocatable: {cpu: "4", pods: "10"}}\n';

/** Every command that takes a snapshot, without it. */
const commands: readonly (readonly string[])[] = [
  ['simulate', 'pod.yaml'],
  ['simulate', 'pod.yaml', '--format', 'json'],
  ['check', 'pod.yaml'],
  ['evict', 'default/web', 'pod.yaml'],
  ['pressure', 'a', 'pod.yaml', '--usage', 'default/web=1Gi'],
];

describe('a snapshot on the command line', () => {
  let folder: string;

  before(() => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'podium-snapshots-')));
    writeFileSync(join(folder, 'pod.yaml'), pod);
  });

  after(() => {
    rmSync(folder, { recursive: true });
  });

  for (const [index, command] of commands.entries()) {
    it(`is refused by podium ${command.join(' ')} when no answer can rest on it`, async () => {
      // All of them read it in one way; a few texts tell that each asks whether it is of use.
      for (const [name, { text, why }] of Object.entries(uselessSnapshots).slice(0, index === 0 ? undefined : 4)) {
        writeFileSync(join(folder, 'cluster.yaml'), text);
        const { code, stdout, stderr } = await podium([...command, '--snapshot', 'cluster.yaml'], { cwd: folder });
        assert.deepEqual([code, stdout], [2, ''], name);
        assert.match(stderr, /^podium \w+: the cluster snapshot cluster\.yaml .*\n$/, name);
        assert.match(stderr, why, name);
      }
    });
  }

  it('is refused from standard input too', async () => {
    const { text, why } = uselessSnapshots['a refusal of the API server']!;
    const { code, stdout, stderr } = await podium(['simulate', 'pod.yaml', '--snapshot', '-'], {
      cwd: folder,
      stdin: text,
    });
    assert.deepEqual([code, stdout], [2, '']);
    assert.match(stderr, /the cluster snapshot standard input/);
    assert.match(stderr, why);
  });

  it('ends in a message when it is a pipe, a device, a folder or gone', async () => {
    execFileSync('mkfifo', [join(folder, 'pipe')]);
    symlinkSync('/dev/zero', join(folder, 'zero'));
    mkdirSync(join(folder, 'folder'));
    const expected = {
      pipe: /cannot read pipe \(is a named pipe\)/,
      zero: /cannot read zero \(is a device\)/,
      folder: /cannot read folder \(is a folder\)/,
      gone: /no such file or folder: gone/,
    };
    for (const [name, message] of Object.entries(expected)) {
      for (const command of commands) {
        const { code, stdout, stderr } = await podium([...command, '--snapshot', name], { cwd: folder });
        assert.deepEqual([code, stdout], [2, ''], name);
        assert.match(stderr, message);
      }
    }
  });

  it('is read from a pipe that the shell hands over, of which an error is told as of a file', async () => {
    const run = async (printed: string) => {
      const { command } = await shipped();
      const words = [...command, 'simulate', 'pod.yaml', '--show', 'assumptions', '--snapshot'];
      const line = `${words.map((word) => `'${word}'`).join(' ')} <(printf '%s' "$PRINTED")`;
      const child = spawn('bash', ['-c', line], { cwd: folder, env: { ...process.env, PRINTED: printed } });
      const printedBy = async (stream: Readable): Promise<string> =>
        (await stream.setEncoding('utf8').toArray()).join('');
      const [stdout, stderr] = await Promise.all([printedBy(child.stdout), printedBy(child.stderr)]);
      return { stdout, stderr };
    };
    assert.match((await run(node)).stdout, /1 node/);
    const { stdout, stderr } = await run('error: the server does not answer');
    assert.equal(stdout, '');
    assert.match(stderr, /^podium simulate: the cluster snapshot \/dev\/fd\/\d+ /);
  });

  it('counts and names what of a snapshot is not understood, read in pieces or as a whole', async () => {
    const items = [
      "{apiVersion: v1, kind: Node, metadata: {name: a}, status: {allocatable: {cpu: '4', memory: 8Gi, pods: '110'}}}",
      "{apiVersion: v1, kind: Node, metadata: {name: b}, status: {allocatable: {cpu: lots, pods: '110'}}}",
      '{apiVersion: v1, kind: Pod, metadata: {name: p, namespace: shop}, spec: 3}',
      '{apiVersion: policy/v1beta1, kind: PodDisruptionBudget, metadata: {name: old, namespace: shop}}',
      '{apiVersion: v1, kind: ConfigMap, metadata: {name: c, namespace: shop}, data: 7}',
      '{kind: Pod, metadata: {name: r}}',
      'nonsense',
    ];
    const list = `apiVersion: v1\nkind: List\nitems:\n${items.map((item) => `- ${item}\n`).join('')}`;
    const json = JSON.stringify(parse(list));
    for (const [name, text] of [
      ['odd.yaml', list],
      ['odd.json', json],
    ] as const) {
      writeFileSync(join(folder, name), text);
      const words = ['simulate', 'pod.yaml', '--snapshot', name];
      const { code, stdout } = await podium(words, { cwd: folder });
      assert.equal(code, 0);
      const sentence = '5 of 7 objects of the cluster snapshot are not understood: ';
      const named = `${sentence}2 items, Node b, Pod shop/p and PodDisruptionBudget shop/old`;
      assert.ok(stdout.replaceAll(/\s+/g, ' ').includes(`! ${named} `), stdout);
      const { assumptions } = JSON.parse(
        (await podium([...words, '--format', 'json'], { cwd: folder })).stdout,
      ) as WholeReport;
      const { detail, about } = assumptions.find(({ text: each }) => each === named)!;
      assert.equal(about, 'snapshot');
      assert.match(
        detail,
        /Node b: quantities must match .*; Pod shop\/p: json: cannot unmarshal number .*; PodDisruptionBudget shop\/old: policy\/v1beta1 is not read/,
      );
      assert.match(detail, /2 items: it names no apiVersion or no kind; Node b: /);
      const fit = await podium(['fit', 'web', 'pod.yaml', '--snapshot', name], { cwd: folder });
      assert.ok(fit.stderr.includes(sentence), fit.stderr);
    }
  });

  it('is read as Windows PowerShell writes it, and another encoding is named', async () => {
    const utf16 = Buffer.from(`\ufeff${node.replaceAll('\n', '\r\n')}`, 'utf16le');
    writeFileSync(join(folder, 'windows.yaml'), utf16);
    const { code, stdout } = await podium(
      ['simulate', 'pod.yaml', '--snapshot', 'windows.yaml', '--show', 'assumptions'],
      {
        cwd: folder,
      },
    );
    assert.equal(code, 0);
    assert.match(stdout, /1 node from the cluster snapshot/);
    writeFileSync(join(folder, 'latin.yaml'), Buffer.from(`${node}# Käse\n`, 'latin1'));
    const refused = await podium(['simulate', 'pod.yaml', '--snapshot', 'latin.yaml'], { cwd: folder });
    assert.equal(refused.code, 2);
    assert.match(refused.stderr, /an encoding that is not UTF-8, such as Windows-1252/);
  });

  it('is read beyond what one text can hold in memory at ease: from a file, from standard input, as manifests', async () => {
    const size = { nodes: 12, pods: 4_500 };
    assert.ok(writeLargeSnapshot(join(folder, 'large.json'), 'indented json', size) > 8 * 1024 * 1024);
    const text = [...largeSnapshot('json', size)].join('').replaceAll('\n', '');
    for (const [args, stdin] of [
      [['pod.yaml', '--snapshot', 'large.json'], ''],
      [['pod.yaml', '--snapshot', '-'], text],
      [['pod.yaml', 'large.json'], ''],
      [['pod.yaml', '-'], text],
    ] as const) {
      const { code, stdout, stderr } = await podium(['simulate', ...args, '--format', 'json'], { cwd: folder, stdin });
      assert.deepEqual([code, stderr], [0, ''], args.join(' '));
      const { nodes } = JSON.parse(stdout) as Report;
      assert.equal(nodes.length, 12, args.join(' '));
    }
  });

  it('is refused when it is too large, before much of it is read, and when it is cut off', async () => {
    const begin = { yaml: 'apiVersion: v1\nitems:\n', json: '{"apiVersion":"v1","items":[' };
    for (const [name, text] of Object.entries(begin)) writeFileSync(join(folder, `cluster.${name}`), text);
    truncateSync(join(folder, 'cluster.yaml'), 256 * 1024 * 1024 + 1);
    truncateSync(join(folder, 'cluster.json'), 1024 * 1024 * 1024 + 1);
    const text = [...largeSnapshot('json', { nodes: 12, pods: 4_500 })].join('');
    writeFileSync(join(folder, 'half.json'), text.slice(0, -3000));
    const expected = {
      'cluster.yaml': /is larger than 256 MiB, which is as much YAML as Podium reads; JSON may have 1 GiB\./,
      'cluster.json': /is larger than 1 GiB, which is as much as Podium reads\./,
      'half.json': /cannot be read at line \d+: The text ends before an object that it begins\./,
    };
    for (const [name, why] of Object.entries(expected)) {
      const { code, stdout, stderr } = await podium(['simulate', 'pod.yaml', '--snapshot', name], { cwd: folder });
      assert.deepEqual([code, stdout], [2, ''], name);
      assert.match(stderr, why, name);
    }
  });
});
