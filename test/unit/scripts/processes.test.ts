import assert from 'node:assert/strict';
import { once } from 'node:events';
import { run, start } from '../../../scripts/lib/processes.mjs';

/** A program that starts another one with its output, which says that it is there, ignores requests to end and goes on. */
const parent = `
  const { spawn } = require('node:child_process');
  const child = 'process.on("SIGTERM", () => {}); setInterval(() => {}, 1000); console.log("here")';
  spawn(process.execPath, ['-e', child], { stdio: ['ignore', 'inherit', 'inherit'] });
`;

describe('run', () => {
  it('answers with the exit code and what was printed', async () => {
    const ended = await run(process.execPath, ['-e', 'console.log("out"); process.exit(3)'], { capture: true });
    assert.deepEqual([ended.code, ended.output], [3, 'out\n']);
  });

  it('says what processors worked for it, where the system tells', async () => {
    const { cpu } = await run(process.execPath, ['-e', ''], { capture: true });
    assert.equal(cpu > 0, process.platform === 'linux');
  });

  it('answers with 1 for a program that is not there', async () => {
    const { code, output } = await run('no-such-program-of-podium', [], { capture: true });
    assert.equal(code, 1);
    assert.match(output, /ENOENT/);
  });
});

describe('stop', () => {
  it('ends the program with everything it started', async () => {
    const { child, stop } = start(process.execPath, ['-e', parent]);
    assert(child.stdout !== null);
    await once(child.stdout, 'data');
    await stop();
    // An output is closed when nobody is left who could write to it.
    assert(child.stdout.closed);
  });

  it('does nothing for a program that has ended', async () => {
    const { ended, stop } = start(process.execPath, ['-e', '']);
    await ended;
    await stop();
  });
});
