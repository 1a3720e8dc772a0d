/**
 * Runs the shipped `podium` again and again in one process, which saves each test to start Node and to compile what the
 * test before it has compiled. Every run loads the packed entry anew, with arguments, folder, environment and streams of
 * its own, and is over when it leaves nothing behind that would keep its process from ending. What is asked and answered
 * is in `test/unit/cli/run-podium.ts`.
 */
import { Readable, Writable } from 'node:stream';
import { pathToFileURL } from 'node:url';

/** @typedef {import('../unit/cli/run-podium.ts').Asked} Asked */

const ownEnvironment = { ...process.env };
let runs = 0;
/** @type {{ stdout: string, stderr: string }} */
let written;

/** @param {Asked} asked */
function start({ script, args, cwd, env, stdin, colour }) {
  const texts = { stdout: '', stderr: '' };
  const collect = (/** @type {'stdout' | 'stderr'} */ name) =>
    new Writable({
      decodeStrings: false,
      write: (chunk, _encoding, done) => {
        texts[name] += String(chunk);
        done();
      },
    });
  const streams = {
    stdin: Readable.from([Buffer.from(stdin)], { objectMode: false }),
    stdout: Object.assign(collect('stdout'), colour ? { isTTY: true } : {}),
    stderr: collect('stderr'),
  };
  for (const [name, value] of Object.entries(streams)) {
    Object.defineProperty(process, name, { value, configurable: true });
  }
  written = texts;
  process.argv = [process.execPath, script, ...args];
  process.env = { ...ownEnvironment, ...env };
  process.chdir(cwd);
  process.exitCode = undefined;
  runs += 1;
  process.channel?.unref();
  import(`${pathToFileURL(script).href}?run=${runs}`).catch(broken);
}

/** @param {unknown} error */
function broken(error) {
  written.stderr += error instanceof Error ? error.stack : String(error);
  process.exitCode = 1;
}

process.on('message', start);
process.on('uncaughtException', broken);
process.on('beforeExit', (code) => {
  process.channel?.ref();
  process.exitCode = undefined;
  process.send?.({ outcome: { code, ...written }, memory: process.memoryUsage().rss });
});
process.on('disconnect', () => process.exit());
