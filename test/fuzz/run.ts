/**
 * `npm run fuzz`: does to the built server for an hour what editors and file systems do, and compares it with a fresh
 * server after each round.
 *
 *   npm run fuzz -- [--minutes 60] [--seed N]
 */
import { parseArgs } from 'node:util';
import { fuzzProtocol } from './protocol-fuzzing.ts';

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '60' },
    seed: { type: 'string', default: String(Date.now() % 2 ** 31) },
  },
});
const seed = Number(values.seed);
const end = Date.now() + Number(values.minutes) * 60_000;
process.stdout.write(`seed ${seed}, ${values.minutes} minutes\n`);
const { rounds, edits, requests } = await fuzzProtocol({ seed, goesOn: () => Date.now() < end });
process.stdout.write(
  `${rounds} rounds, ${edits} edits, ${requests} requests: the state equalled that of a fresh server each time\n`,
);
