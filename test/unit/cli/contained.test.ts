import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, describe, it } from 'mocha';
import type { Hover } from 'vscode-languageserver/node';
import { shipped } from '../../../scripts/lib/shipped.mjs';
import type { Report } from '../../../server/src/report-model/report.ts';
import { TestClient } from '../../protocol/test-client.ts';
import { describeWithTools, toolFolder } from '../../support/kubernetes-tools.ts';
import { podium, type Outcome } from './run-podium.ts';

const pod = (name: string, className: string): string =>
  `apiVersion: v1\nkind: Pod\nmetadata: {name: ${name}}\nspec: {restartPolicy: ${className}, priorityClassName: ${className}, nodeSelector: {failing-key: x}, containers: [{name: a, image: a}]}\n`;

/** In which a file system can be mounted without privileges. */
const namespace = ['unshare', '--user', '--map-root-user', '--mount'] as const;

/** A stack, or the text of a bundle. */
const insides = /\n\s+at |node:internal|dist\/chunks/;

describeWithTools('surroundings in which nothing can be written', () => {
  let folder: string;
  /** Mounts a file system that is this small, or may not be written, and runs a program with it. */
  const mounted = async (
    options: string,
    args: readonly string[],
    more: Readonly<Record<string, string | undefined>>,
    shell = 'exec "$@"',
  ): Promise<Outcome> => {
    const { podium: script } = await shipped();
    const mount = join(folder, 'mounted');
    const program = ['sh', '-c', `mount -t tmpfs -o ${options} tmpfs "$1" && shift && ${shell}`, 'sh', mount];
    const { status, stdout, stderr } = spawnSync(
      namespace[0],
      [...namespace.slice(1), ...program, process.execPath, script, ...args],
      {
        cwd: join(folder, 'work'),
        encoding: 'utf8',
        env: { ...process.env, PATH: `${toolFolder('v34')}:${process.env['PATH'] ?? ''}`, MOUNTED: mount, ...more },
      },
    );
    assert.doesNotMatch(stdout + stderr, insides);
    return { code: status, stdout, stderr };
  };

  before(() => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'podium-contained-')));
    for (const [path, text] of [
      ['mounted/x', ''],
      ['work/pod.yaml', pod('plain', 'first')],
      ['work/app/kustomization.yaml', 'resources: [pod.yaml]\nnamePrefix: made-\n'],
      ['work/app/pod.yaml', `${pod('made', 'second')}# ${'a long line '.repeat(10_000)}\n`],
    ] as const) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
  });

  after(() => {
    rmSync(folder, { recursive: true });
  });

  for (const [title, options, why] of [
    ['a temporary folder that may not be written', 'ro', 'EROFS'],
    ['a temporary folder on a full disk', 'size=32k', 'ENOSPC'],
  ] as const) {
    it(`with ${title} leave out the sources, say why, and answer all else`, async () => {
      const TMPDIR = join(folder, 'mounted');
      const check = await mounted(options, ['check', '.'], { TMPDIR });
      assert.equal(check.code, 1, check.stderr);
      assert.match(check.stderr, new RegExp(`Podium cannot work on this source: ${why}`));
      assert.match(check.stdout, /^pod\.yaml:4:\d+: error: .*"first"/m);
      const simulate = await mounted(options, ['simulate', '.', '--fail-on', 'unseen', '--format', 'json'], { TMPDIR });
      assert.equal(simulate.code, 1);
      assert.match((JSON.parse(simulate.stdout) as Report).unseen[0]!.why, new RegExp(why));
    });
  }

  it('with a home that may not be written, or none, answer as ever', async () => {
    const usual = await mounted('ro', ['check', '.', '--format', 'json'], {});
    assert.match(usual.stdout, /second/);
    for (const HOME of [join(folder, 'mounted'), '/dev/null/home', undefined]) {
      const { code, stdout } = await mounted('ro', ['check', '.', '--format', 'json'], {
        HOME,
        XDG_CACHE_HOME: undefined,
      });
      assert.deepEqual([code, stdout], [usual.code, usual.stdout], String(HOME));
    }
  });

  it('say of what is fetched that it cannot be kept', async () => {
    const server = createServer((_request, response) => response.end(pod('far', 'third')));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const far = join(folder, 'far');
    mkdirSync(far);
    const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/pod.yaml`;
    writeFileSync(join(far, 'kustomization.yaml'), `resources: ["${address}"]\n`);
    const { code, stdout, stderr } = await podium(['sources', far, '--fetch', '--yes'], {
      env: { HOME: '/dev/null/home', XDG_CACHE_HOME: '/dev/null/cache', PATH: process.env['PATH'] ?? '' },
      alone: true,
    });
    await new Promise((resolve) => server.close(resolve));
    assert.ok(code === 1 || code === 2, stderr);
    assert.match(stdout + stderr, /ENOTDIR/);
    assert.doesNotMatch(stdout + stderr, insides);
  });

  it('leave no part of an answer on a full disk, and end with 2', async () => {
    const into = 'mounted="$MOUNTED"; "$@" > "$mounted/out"; code=$?; wc -c < "$mounted/out"; exit $code';
    const args = ['simulate', '.', '--format', 'json', '--no-render'];
    const { code, stdout, stderr } = await mounted('size=4k', args, {}, into);
    assert.equal(code, 2);
    assert.equal(Number(stdout), 0);
    assert.match(stderr, /^podium: standard output cannot be written \(ENOSPC\)\.$/m);
  });

  it('say so where the device takes nothing', async () => {
    const { podium: script } = await shipped();
    const full = openSync('/dev/full', 'w');
    const { status, stderr } = spawnSync(process.execPath, [script, 'check', 'pod.yaml'], {
      cwd: join(folder, 'work'),
      stdio: ['ignore', full, 'pipe'],
      encoding: 'utf8',
    });
    closeSync(full);
    assert.deepEqual(
      [status, stderr.trim().split('\n').at(-1)],
      [2, 'podium: standard output cannot be written (ENOSPC).'],
    );
  });

  it('end no language server', async () => {
    const client = await TestClient.start({
      files: {
        'pod.yaml': readFileSync(join(folder, 'work/pod.yaml'), 'utf8'),
        'app/kustomization.yaml': 'resources: [pod.yaml]\nnamePrefix: made-\n',
        'app/pod.yaml': pod('made', 'second'),
      },
      env: {
        ...{ TMPDIR: '/dev/null/tmp', HOME: '/dev/null/home', XDG_CACHE_HOME: '/dev/null/cache' },
        PATH: `${toolFolder('v34')}:${process.env['PATH'] ?? ''}`,
      },
      initializationOptions: { workspaceTrusted: true },
    });
    const report = await client.request<Report>('podium/simulate', { scenario: { kind: 'workspace' } });
    assert.match(JSON.stringify(report.unseen), /Podium cannot work on this source: ENOTDIR/);
    const found = await client.diagnostics(
      await client.open('pod.yaml', pod('plain', 'first')),
      (all) => all.length > 0,
    );
    assert.match(JSON.stringify(found), /first/);
    assert.equal(await client.stop(), 0);
  });
});

/** Has the product fail where it looks for a name, and where it looks through a text that has one, as a mistake would. */
const mistakes = `
for (const [type, names] of [[Map, ['get', 'has']], [Set, ['has']]]) {
  for (const name of names) {
    const before = type.prototype[name];
    type.prototype[name] = function (key) {
      if (key === 'failing-class' || key === 'failing-key') throw new Error('made to fail');
      return before.call(this, key);
    };
  }
}
const test = RegExp.prototype.test;
RegExp.prototype.test = function (text) {
  if (typeof text === 'string' && text.includes('failing-document')) throw new Error('made to fail');
  return test.call(this, text);
};
`;

describe('what Podium itself gets wrong', () => {
  const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(mistakes)}`;
  const files = {
    'failing.yaml': [pod('one', 'failing-class'), pod('two', 'other'), pod('failing-document', 'unread')].join('---\n'),
    'whole.yaml': pod('three', 'third'),
  };
  let folder: string;

  before(() => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'podium-contained-')));
    for (const [path, text] of Object.entries(files)) writeFileSync(join(folder, path), text);
  });

  after(() => {
    rmSync(folder, { recursive: true });
  });

  it('with a rule or a document is a finding, and all others are judged', async () => {
    const { code, stdout, stderr } = await podium(['check', '.'], { cwd: folder, env: { NODE_OPTIONS }, alone: true });
    assert.equal(code, 1, stderr);
    assert.match(
      stdout,
      /failing\.yaml:1:1: error: Podium failed on this document, in the rule unknown-priority-class: made to fail\. Please report/,
    );
    assert.match(stdout, /failing\.yaml:\d+:1: error: Podium failed on this document: made to fail\. Please report/);
    for (const name of ['"other"', '"third"']) assert.match(stdout, new RegExp(`Unsupported value: ${name}`));
    assert.doesNotMatch(stdout, /"unread"/);
    assert.doesNotMatch(stdout + stderr, insides);
  });

  it('with a simulation or a source is one line, without what it looks like inside', async () => {
    for (const [command, ...args] of [
      ['simulate', '.'],
      ['sources', '.'],
      ['check', '.', '--format', 'json'],
    ]) {
      const outcome = await podium([command!, ...args], { cwd: folder, env: { NODE_OPTIONS }, alone: true });
      assert.ok(outcome.code !== null, command);
      assert.doesNotMatch(outcome.stdout + outcome.stderr, insides);
      if (outcome.code !== 2) continue;
      assert.match(outcome.stderr, /Podium failed on this command: made to fail\. Please report/);
    }
  });

  it('with a request ends no server, and no other answer', async () => {
    const client = await TestClient.start({ files, env: { NODE_OPTIONS } });
    const uri = await client.open('failing.yaml', files['failing.yaml']);
    const failing = await client.diagnostics(uri, (all) => all.some(({ code }) => code === 'podium-failed'));
    assert.ok(failing.some(({ message }) => JSON.stringify(message).includes('other')));
    const textDocument = { uri };
    for (const character of [30, 50, 70, 90]) {
      const position = { line: 3, character };
      for (const method of ['hover', 'completion', 'definition']) {
        await client.request(`textDocument/${method}`, { textDocument, position }).catch(String);
      }
    }
    await client.request('podium/simulate', { scenario: { kind: 'workspace' } }).catch(String);
    const whole = await client.open('whole.yaml', files['whole.yaml']);
    const found = await client.diagnostics(whole, (all) => all.length > 0);
    assert.match(JSON.stringify(found), /third/);
    const hover = await client.request<Hover | null>('textDocument/hover', {
      textDocument: { uri: whole },
      position: { line: 1, character: 7 },
    });
    assert.ok(hover !== null);
    assert.ok(client.log.some((line) => line.includes('made to fail')));
    assert.equal(await client.stop(), 0);
  });
});
