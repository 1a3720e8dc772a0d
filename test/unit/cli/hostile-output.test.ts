import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { UsageError } from '../../../server/src/cli/command.ts';
import { decideLine } from '../../../server/src/cli/decide/index.ts';
import { jsonText } from '../../../server/src/cli/terminal/json.ts';
import { shipped } from '../../../scripts/lib/shipped.mjs';
import { decide, podium } from './run-podium.ts';

/** A terminal command, a C1 control, and characters that turn the direction of text around. */
const hostile = 'a\u001b]0;x\u0007\u009b31m\u202e\u2066\u061c\u2028b';
const unsafe = /(?!\n)[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/u;

const pod = (name: string): string =>
  JSON.stringify({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, namespace: name },
    spec: { priorityClassName: name, nodeName: name, containers: [{ name, image: name }] },
  });

describe('What commands print', () => {
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'podium-hostile-'));
  });
  afterEach(async () => {
    await rm(folder, { recursive: true, force: true });
  });

  const formats = {
    check: ['text', 'json', 'github', 'sarif'],
    simulate: ['table', 'json', 'markdown', 'html'],
    sources: ['text', 'json'],
  } as const;
  for (const [command, of] of Object.entries(formats)) {
    for (const format of of) {
      it(`has no control or bidirectional characters: ${command} --format ${format}`, async () => {
        await writeFile(join(folder, `${hostile}.yaml`), pod(hostile));
        await writeFile(join(folder, 'kustomization.yaml'), JSON.stringify({ resources: [`${hostile}.yaml`] }));
        for (const from of ['.', `${hostile}.yaml`, ...(command === 'sources' ? [] : ['-'])]) {
          const { stdout, stderr } = await podium([command, from, '--format', format], {
            cwd: folder,
            stdin: pod(hostile),
          });
          assert.notEqual(stdout + stderr, '');
          // The script of the page is Podium's own.
          assert.doesNotMatch(stdout.replace(/<script type="module">[^]*<\/script>/, ''), unsafe);
          assert.doesNotMatch(stderr, unsafe);
        }
      });
    }
  }

  it('calls nobody and names no issue where comments are kept', async () => {
    const { stdout } = await podium(['simulate', '-', '--format', 'markdown'], { stdin: pod('@octocat #7') });
    const text = stdout.replace(/`[^`]*`/g, '').replaceAll('&#8203;', '|');
    assert.match(text, /@\|octocat \\#\|7/);
    assert.doesNotMatch(text, /[@#]\w/);
  });

  it('has none of those in what it says about arguments', async () => {
    const lines: readonly (readonly string[])[] = [
      [hostile],
      [`--${hostile}`],
      ['check', `--${hostile}`],
      ['check', hostile],
      ['check', '.', '--severity', `${hostile}=off`],
      ['check', '.', '--format', hostile],
      ['simulate', hostile],
      ['simulate', '.', '--workload', hostile],
      ['simulate', '.', '--snapshot', hostile],
      ['evict', hostile],
      ['lsp', hostile],
    ];
    for (const args of lines) {
      const { code, stderr } = await podium(args, { cwd: folder });
      assert.equal(code, 2, args.join(' '));
      assert.notEqual(stderr, '');
      assert.doesNotMatch(stderr, unsafe);
    }
  });

  it('is JSON that reads as what was written', async () => {
    const line = JSON.stringify({ id: hostile, mode: 'none' });
    const { stdout } = await decide(line);
    assert.doesNotMatch(stdout, unsafe);
    assert.equal((JSON.parse(stdout) as { id: string }).id, hostile);
  });
});

describe('An answer that is longer than any text can be', () => {
  it('is an error of the command, not one of the program', () => {
    const endless = Array.from({ length: 60 }, () => 'x'.repeat(10_000_000));
    assert.throws(() => jsonText(endless), UsageError);
  });

  it('is cut in an answer to a recorded case, which says how much is left out', () => {
    const owners = Array.from({ length: 4_000 }, (_, index) => ({
      apiVersion: 'v1',
      kind: 'Node',
      name: `node-${index}`,
      uid: 'u',
      controller: true,
    }));
    const pod = {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'a', ownerReferences: owners },
      spec: { containers: [{ name: 'a', image: 'a' }] },
    };
    const answer = decideLine(JSON.stringify({ mode: 'apply', kubernetes: '1.36', text: JSON.stringify(pod) }));
    assert.ok(answer.length < 2 ** 26, String(answer.length));
    assert.match(answer.slice(0, 2 ** 25), /and \d+ more refusals\]/);
  });
});

describe('Standard input without an end', function () {
  for (const args of [['check', '-'], ['simulate', '-'], ['decide']]) {
    it(`is cut with an error: ${args.join(' ')}`, async () => {
      const { podium: command, decide } = await shipped();
      const [script, ...rest] = args[0] === 'decide' ? [decide] : [command, ...args];
      const child = spawn(process.execPath, [script, ...rest], { stdio: 'pipe' });
      let stderr = '';
      child.stderr.setEncoding('utf8').on('data', (chunk: string) => (stderr += chunk));
      const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
      const chunk = Buffer.alloc(4 * 1024 * 1024, 'a: b ');
      const write = (): void => {
        while (child.stdin.writable && child.stdin.write(chunk));
      };
      child.stdin.on('error', () => undefined).on('drain', write);
      write();
      assert.equal(await ended, 2);
      assert.match(stderr, /^(?:podium \w+|decide): (?:a line of )?standard input is longer than 256 MiB[^\n]*\n$/);
    });
  }
});
