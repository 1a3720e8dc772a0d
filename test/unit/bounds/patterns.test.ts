import assert from 'node:assert/strict';
import { Worker } from 'node:worker_threads';
import fc from 'fast-check';
import { check } from 'recheck';
import { patternsOfProduct } from './patterns.ts';

const megabyte = 1024 * 1024;
/** Ends a match that would take hours; one that does not backtrack takes milliseconds. */
const deadline = 60_000;

/** The analysis counts characters that are read; on a busy machine a clock would call a pattern slow that is not. */
const unhurried = { timeout: null, attackTimeout: null, incubationTimeout: null, seedingTimeout: null };

const all = patternsOfProduct();
const patterns = all.flatMap(({ source, ...rest }) => (source === null ? [] : [{ source, ...rest }]));

type KnownPattern = (typeof patterns)[number];

describe('No pattern of the product backtracks on long input', function () {
  it('finds patterns, also those that are put together', () => {
    assert.ok(patterns.length > 100);
    assert.ok(patterns.some(({ source }) => source === '^[0-9]+%$'));
  });

  it('knows every file that makes patterns of what it is given', () => {
    const files = all.filter(({ source }) => source === null).map(({ file }) => file);
    assert.deepEqual([...new Set(files)].sort(), [
      // Only `node dist/decide.mjs` has them: of names of pods.
      'server/src/cli/decide/rollout-record.ts',
      // Of a mark of its own, which is a hash.
      'server/src/sources/helm/template-places.ts',
      // Of a kind or a key, with everything escaped that means something.
      'server/src/sources/rendering/render-together.ts',
    ]);
  });

  it('would notice one that does', async () => {
    assert.equal((await check('^(a*)(a*)b$', '', unhurried)).status, 'vulnerable');
  });

  it('takes time that grows with the length and no faster, as an analysis of each pattern shows', async () => {
    const vulnerable: string[] = [];
    for (const { source, flags, file } of distinct(patterns)) {
      const { status } = await check(source, flags.replace('v', 'u'), unhurried);
      if (status !== 'safe') vulnerable.push(`${status}: /${source}/${flags} in ${file}`);
    }
    assert.deepEqual(vulnerable, []);
  });

  it('reads 1 MB of what each pattern is made of', async () => {
    const inputs = distinct(patterns).flatMap(({ source, flags, file }) =>
      fc
        .sample(hostile(source), { numRuns: 4, seed: 8 })
        .map((text): Input => ({ source, flags: flags.replace('g', ''), text, file })),
    );
    const read = await matchAll(inputs);
    assert.equal(read, inputs.length, `still reading /${inputs[read]?.source}/ of ${inputs[read]?.file}`);
  });
});

interface Input extends KnownPattern {
  readonly text: readonly [start: string, repeated: string, end: string];
}

/** Something at the start, something repeated, and an end that spoils the match: made from the pattern's own characters. */
function hostile(source: string): fc.Arbitrary<readonly [string, string, string]> {
  const characters = [
    ...new Set(
      source
        .replace(/\\[sS]/g, ' ')
        .replace(/\\[dD]/g, '0')
        .replace(/\\[wWbB]/g, 'a'),
    ),
  ];
  const piece = (minLength: number): fc.Arbitrary<string> =>
    fc
      .array(fc.constantFrom(...characters, 'a', '0', ' ', '\n'), { minLength, maxLength: 4 })
      .map((all) => all.join(''));
  return fc.tuple(
    piece(0),
    piece(1),
    piece(0).map((end) => `${end}\u0000`),
  );
}

/** How many inputs were matched before one kept the thread busy over the deadline. */
function matchAll(inputs: readonly Input[]): Promise<number> {
  const code = `
    const { parentPort, workerData } = require('node:worker_threads');
    for (const { source, flags, text: [start, repeated, end] } of workerData.inputs) {
      new RegExp(source, flags).test(start + repeated.repeat(workerData.length / repeated.length) + end);
      parentPort.postMessage('read');
    }`;
  return new Promise((resolve, reject) => {
    const worker = new Worker(code, { eval: true, workerData: { inputs, length: megabyte } });
    let read = 0;
    const stop = (): void => {
      void worker.terminate();
    };
    let timer = setTimeout(stop, deadline);
    worker.on('message', () => {
      read++;
      clearTimeout(timer);
      timer = setTimeout(stop, deadline);
    });
    worker.on('error', reject);
    worker.on('exit', () => {
      clearTimeout(timer);
      resolve(read);
    });
  });
}

function distinct(all: readonly KnownPattern[]): readonly KnownPattern[] {
  return [...new Map(all.map((pattern) => [`/${pattern.source}/${pattern.flags}`, pattern])).values()];
}
