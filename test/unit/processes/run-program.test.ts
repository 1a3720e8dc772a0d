import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findProgram, safePath } from '../../../server/src/processes/find-program.ts';
import { ProgramError, runProgram, type ProgramRequest } from '../../../server/src/processes/run-program.ts';

const node = basename(process.execPath);

/** A program that starts another one with its output, and neither ends by itself nor when it is asked to. */
const parent = `
  const { spawn } = require('node:child_process');
  const child = 'process.on("SIGTERM", () => {}); setInterval(() => {}, 1000); console.log(process.pid)';
  spawn(process.execPath, ['-e', child], { stdio: ['ignore', 'inherit', 'inherit'] });
  setInterval(() => {}, 1000);
`;

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** A process that was killed is there until it has been waited for, which is not ours to do. */
async function hasEnded(pid: number): Promise<void> {
  while (isAlive(pid)) await new Promise((resolve) => setImmediate(resolve));
}

describe('running a program', () => {
  const outside = process.env;
  let folder: string;

  const request = (code: string, more: Partial<ProgramRequest> = {}): ProgramRequest => ({
    program: node,
    args: ['-e', code],
    folder,
    workedOn: [],
    environment: {},
    maxBytes: 1024 * 1024,
    timeout: 60_000,
    ...more,
  });
  const failure = async (code: string, more: Partial<ProgramRequest> = {}): Promise<ProgramError> => {
    const error: unknown = await runProgram(request(code, more)).then(
      () => assert.fail('it should have failed'),
      (reason: unknown) => reason,
    );
    assert(error instanceof ProgramError);
    return error;
  };

  beforeEach(() => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'podium-programs-')));
    process.env = { ...outside, PATH: [dirname(process.execPath), outside['PATH']].join(delimiter) };
  });

  afterEach(() => {
    process.env = outside;
    rmSync(folder, { recursive: true });
  });

  it('answers what it prints, and gives it what it reads', async () => {
    const echo = 'process.stdin.pipe(process.stdout)';
    assert.equal(String(await runProgram(request(echo, { input: 'ä\n' }))), 'ä\n');
    assert.equal(String(await runProgram(request(echo))), '');
    assert.equal(String(await runProgram(request('console.log(process.cwd())'))), `${folder}\n`);
  });

  it('shows it no more of the environment than it is given', async () => {
    const printed = await runProgram(request('console.log(JSON.stringify(process.env))', { environment: { A: 'b' } }));
    assert.deepEqual(JSON.parse(String(printed)), { A: 'b' });
  });

  it('gives it arguments as they are, never to a shell', async () => {
    const args = ['-p', 'process.argv.slice(1).join()', '--', '$(touch canary)', '; touch canary', '`touch canary`'];
    const printed = await runProgram(request('', { args }));
    assert.equal(String(printed), '$(touch canary),; touch canary,`touch canary`\n');
    assert.ok(!existsSync(join(folder, 'canary')));
  });

  it('tells how it failed, in the words of the program', async () => {
    const said = await failure('console.error("warning: old"); console.error("fatal: not here"); process.exit(3)');
    assert.deepEqual([said.failure, said.message], ['failed', 'fatal: not here']);
    assert.equal(said.stderr, 'warning: old\nfatal: not here\n');
    assert.equal((await failure('process.exit(4)')).message, 'it ended with 4');
    assert.equal((await failure('', { program: 'no-such-program-of-podium' })).failure, 'not-found');
    assert.match((await failure('', { folder: join(folder, 'gone') })).message, /cannot be started \(ENOENT\)/);
  });

  it('ends it with all that it has started when it takes too long', async () => {
    const pids: string[] = [];
    const { failure: how } = await failure(parent, {
      timeout: 1500,
      onOutput: (chunk) => void pids.push(String(chunk)),
    });
    assert.equal(how, 'too-late');
    await hasEnded(Number(pids.join('')));
  });

  it('ends it when nobody wants the answer any more', async () => {
    const controller = new AbortController();
    let pid = 0;
    const onOutput = (chunk: Buffer): void => {
      pid = Number(String(chunk));
      controller.abort();
    };
    assert.equal((await failure(parent, { onOutput, signal: controller.signal })).failure, 'aborted');
    await hasEnded(pid);
    assert.equal((await failure('', { signal: AbortSignal.abort() })).failure, 'aborted');
  });

  it('ends when its guard says so', async () => {
    const pids: string[] = [];
    const guarded: number[] = [];
    const { failure: how, message } = await failure(parent, {
      onOutput: (chunk) => void pids.push(String(chunk)),
      guard: (pid) => {
        guarded.push(pid);
        return Promise.resolve(pids.length === 0 ? null : 'it is too large');
      },
    });
    assert.deepEqual([how, message], ['too-much', 'it is too large']);
    assert.equal(new Set(guarded).size, 1);
    await hasEnded(Number(pids.join('')));
  });

  it('ends it when it prints too much, on standard error without an end too', async () => {
    const endless = (stream: string) => `for (;;) require('fs').writeSync(${stream}, 'x'.repeat(10000))`;
    const { failure: how, message } = await failure(endless('1'));
    assert.deepEqual([how, message], ['too-much', 'it answers with more than 1 MiB']);
    const much = `for (let i = 0; i < 100; i++) require('fs').writeSync(2, 'x'.repeat(10000)); process.exit(1)`;
    assert.equal((await failure(much)).stderr.length, 64 * 1024);
  });

  it('hands over piece by piece what does not fit into memory, and waits for who takes it', async () => {
    const size = 64 * 1024 * 1024;
    const code = `for (let i = 0; i < 64; i++) require('fs').writeSync(1, 'x'.repeat(${size / 64}))`;
    let bytes = 0;
    let taking = 0;
    const onOutput = async (chunk: Buffer): Promise<void> => {
      assert.equal(++taking, 1);
      await new Promise((resolve) => setImmediate(resolve));
      bytes += chunk.length;
      taking--;
    };
    assert.equal((await runProgram(request(code, { maxBytes: size, onOutput }))).length, 0);
    assert.equal(bytes, size);
    const broken = new Error('full');
    const rejected = runProgram(request(parent, { onOutput: () => Promise.reject(broken) }));
    await assert.rejects(rejected, broken);
  });

  it('leaves nothing behind when a signal ends the process that asked', async () => {
    const main = fileURLToPath(new URL('../../../server/src/processes/run-program.ts', import.meta.url));
    const code = `
      import { runProgram } from ${JSON.stringify(main)};
      await runProgram({
        program: ${JSON.stringify(node)}, args: ['-e', ${JSON.stringify(parent)}], folder: '/', workedOn: [],
        environment: {}, maxBytes: 1e6, timeout: 60000, onOutput: (pid) => void process.stdout.write(pid),
      });`;
    const asker = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', code], {
      stdio: ['ignore', 'pipe', 'inherit'],
      cwd: fileURLToPath(new URL('../../..', import.meta.url)),
    });
    const [pid] = (await once(asker.stdout, 'data')) as [Buffer];
    asker.kill('SIGINT');
    assert.deepEqual(await once(asker, 'exit'), [null, 'SIGINT']);
    await hasEnded(Number(String(pid)));
  });
});

describe('finding a program', () => {
  const outside = process.env;
  let folder: string;

  /** A file that may be run. */
  function program(path: string, mode = 0o755): string {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), '#!/bin/sh\n');
    chmodSync(join(folder, path), mode);
    return join(folder, path);
  }
  const find = (path: readonly string[], ...workedOn: string[]): string | undefined => {
    process.env = { ...outside, PATH: path.join(delimiter) };
    return findProgram('tool', workedOn);
  };

  beforeEach(() => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'podium-path-')));
  });

  afterEach(() => {
    process.env = outside;
    rmSync(folder, { recursive: true });
  });

  it('takes the first that may be run', () => {
    program('one/tool', 0o644);
    mkdirSync(join(folder, 'two/tool'), { recursive: true });
    const expected = program('three/tool');
    program('four/tool');
    const path = ['one', 'two', 'gone', 'three', 'four'].map((name) => join(folder, name));
    assert.equal(find(path), expected);
    assert.equal(find([join(folder, 'one')]), undefined);
  });

  it('takes none from a folder that is worked on, whatever leads there', () => {
    program('work/tool');
    program('work/bin/tool');
    const installed = program('installed/tool');
    mkdirSync(join(folder, 'linked'));
    symlinkSync(join(folder, 'work/tool'), join(folder, 'linked/tool'));
    symlinkSync(join(folder, 'work'), join(folder, 'other-name'));
    const hostile = ['work', 'work/bin', 'linked', 'other-name', 'other-name/bin', 'installed/../work/bin'].map(
      (name) => `${folder}/${name}`,
    );
    assert.equal(find(hostile, join(folder, 'work')), undefined);
    assert.equal(find(hostile, join(folder, 'other-name')), undefined);
    assert.equal(find([...hostile, join(folder, 'installed')], join(folder, 'work')), installed);
    assert.equal(safePath([join(folder, 'work')]), [join(folder, 'linked'), join(folder, 'installed')].join(delimiter));
  });

  it('takes none by a relative path, and none from the working folder', () => {
    const before = process.cwd();
    program('work/tool');
    process.chdir(join(folder, 'work'));
    try {
      assert.equal(find(['', '.', './', '../work', join(folder, 'work')]), undefined);
    } finally {
      process.chdir(before);
    }
  });

  it('takes those of the home folder also from somebody who works in it', () => {
    const expected = program('home/bin/tool');
    program('home/tool');
    const home = process.env['HOME'];
    process.env['HOME'] = join(folder, 'home');
    try {
      process.env = { ...process.env, PATH: [join(folder, 'home'), join(folder, 'home/bin')].join(delimiter) };
      assert.equal(findProgram('tool', [join(folder, 'home')]), expected);
      assert.equal(findProgram('tool', ['/']), join(folder, 'home/tool'));
    } finally {
      if (home === undefined) delete process.env['HOME'];
      else process.env['HOME'] = home;
    }
  });
});
