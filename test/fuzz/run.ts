/**
 * `npm run fuzz`: does to the built server for an hour what editors and file systems do, with kubectl and helm where they
 * are, and compares it with a fresh server after each round; or shows it and the command line documents that nobody
 * writes: all with names of prototypes, and so many random ones.
 *
 *   npm run fuzz -- [--minutes 60] [--seed N] [--documents N]
 */
import { parseArgs } from 'node:util';
import { failuresOfCommands, failuresOfServer, prototypeDocuments, randomDocuments } from './documents.ts';
import { type FuzzingOutcome, fuzzProtocol } from './protocol-fuzzing.ts';

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '60' },
    seed: { type: 'string', default: String(Date.now() % 2 ** 31) },
    documents: { type: 'string' },
  },
});
const seed = Number(values.seed);
if (values.documents === undefined) await compareServers(Number(values.minutes));
else await showDocuments(Number(values.documents));

async function compareServers(minutes: number): Promise<void> {
  const end = Date.now() + minutes * 60_000;
  process.stdout.write(`seed ${seed}, ${minutes} minutes\n`);
  const all: FuzzingOutcome = { rounds: 0, edits: 0, requests: 0 };
  const renders = process.platform === 'linux' && process.arch === 'x64';
  // Now and then a server begins anew: each kind of editor, with rendering and without.
  for (let run = 0; Date.now() < end; run++) {
    const goesOn = (rounds: number): boolean => rounds < 100 && Date.now() < end;
    const kind = { asks: run % 2 === 1, renders: renders && run % 4 < 2 };
    const { rounds, edits, requests } = await fuzzProtocol({ seed: seed + run * 100, ...kind, goesOn });
    all.rounds += rounds;
    all.edits += edits;
    all.requests += requests;
    process.stdout.write(`${new Date().toISOString()} ${JSON.stringify({ ...all, ...kind })}\n`);
  }
  const { rounds, edits, requests } = all;
  process.stdout.write(
    `${rounds} rounds, ${edits} edits, ${requests} requests: the state equalled that of a fresh server each time\n`,
  );
}

async function showDocuments(count: number): Promise<void> {
  process.stdout.write(`seed ${seed}, ${count} random documents\n`);
  let failed = 0;
  const look = async (what: string, failures: Promise<readonly string[]>): Promise<void> => {
    const found = await failures;
    for (const failure of found) process.stdout.write(`${failure}\n\n`);
    failed += found.length;
    process.stdout.write(`${new Date().toISOString()} ${what}: ${found.length} failures\n`);
  };
  await look('names of prototypes, commands', failuresOfCommands(prototypeDocuments(), 200));
  await look('names of prototypes, server', failuresOfServer(prototypeDocuments()));
  // In parts, so that whoever ends it knows what was looked at.
  const part = 5_000;
  for (let first = 0; first < count; first += part) {
    const shown = Math.min(part, count - first);
    const what = `random documents ${first + 1} to ${first + shown}`;
    await look(`${what}, commands`, failuresOfCommands(randomDocuments(shown, seed + first), 500));
    await look(`${what}, server`, failuresOfServer(randomDocuments(Math.ceil(shown / 20), seed + first + 1)));
  }
  process.stdout.write(`${failed} failures\n`);
  process.exitCode = failed === 0 ? 0 : 1;
}
