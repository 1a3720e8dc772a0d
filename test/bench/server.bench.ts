/**
 * Latency of the language server over a pipe, as an editor sees it: from the edit leaving to the answer arriving.
 *
 *   hover, lens   an edit, then at once the request: p50 and p95 of the time from the edit to the answer
 *   diagnostics   an edit, then the wait for the problems of that version, without the server's pause for typing
 *   cross-file    a class that 500 workloads use is edited in another file: until their problems are there
 *   blocked       the longest work, in processor time, for which nobody is answered while a document of 2 to 3 MB is
 *                 opened, edited and checked
 *   rest          processor time that the server uses while nobody asks for anything
 *
 * Exits with 1 when a bar is missed. `PODIUM_TEST_SERVER` names another build than that of the sources.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { TestClient } from '../protocol/test-client.ts';
import { largeDocuments, refusedDocuments } from '../support/large-documents.ts';
import { pause } from '../../server/src/language/diagnostics/problems.ts';

const rounds = 60;
/** Rounds before those that count: an editor's server runs for hours. */
const warmUp = 20;

/** A Deployment of 33 lines with its separator. */
function deployment(index: number): string {
  return `apiVersion: apps/v1
kind: Deployment
metadata:
  name: app-${index}
  namespace: team-${index % 20}
  labels:
    app: app-${index}
spec:
  replicas: ${(index % 5) + 1}
  selector:
    matchLabels:
      app: app-${index}
  template:
    metadata:
      labels:
        app: app-${index}
        tier: backend
    spec:
      priorityClassName: class-${index % 8}
      affinity:
        podAntiAffinity:
          requiredDuringSchedulingIgnoredDuringExecution:
            - labelSelector: { matchLabels: { app: app-${index} } }
              topologyKey: kubernetes.io/hostname
      containers:
        - name: app
          image: registry.example.com/app-${index}:1.2.3
          resources:
            requests:
              cpu: 100m
              memory: 128Mi
---
`;
}
const linesPerDeployment = 33;

function budget(index: number): string {
  return `apiVersion: policy/v1
kind: PodDisruptionBudget
metadata:
  name: app-${index}
  namespace: team-${index % 20}
spec:
  maxUnavailable: 1
  selector:
    matchLabels:
      app: app-${index}
---
`;
}

const classes = Array.from(
  { length: 8 },
  (_, index) => `apiVersion: scheduling.k8s.io/v1
kind: PriorityClass
metadata:
  name: class-${index}
value: ${1000 * (index + 1)}
`,
).join('---\n');

function fileOf(lines: number): string {
  let text = '';
  for (let index = 0, written = 0; written < lines; index++) {
    text += deployment(index);
    written += linesPerDeployment;
    if (index % 10 === 0) {
      text += budget(index);
      written += 11;
    }
  }
  return text;
}

function percentile(times: readonly number[], share: number): number {
  const sorted = [...times].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)] ?? NaN;
}

interface Figures {
  readonly p50: number;
  readonly p95: number;
  /** Processor time of the server for each round, which other work on the machine hardly changes. */
  readonly cpu: number;
}

async function measure(client: TestClient, run: (round: number) => Promise<number>): Promise<Figures> {
  const times: number[] = [];
  for (let round = -warmUp; round < 0; round++) await run(round);
  const before = await processorTime(client);
  for (let round = 0; round < rounds; round++) times.push(await run(round));
  const cpu = ((await processorTime(client)) - before) / rounds;
  return { p50: percentile(times, 0.5), p95: percentile(times, 0.95), cpu };
}

/** Milliseconds. */
async function processorTime(client: TestClient): Promise<number> {
  const { cpu } = await client.probe();
  return (cpu.user + cpu.system) / 1000;
}

/** Types a letter into the name of an image in the middle of the file, and takes it back in the next round. */
async function edit(client: TestClient, uri: string, line: number, round: number): Promise<number> {
  const start = { line, character: 19 };
  const isTyping = round % 2 === 0;
  return client.change(uri, isTyping ? 'x' : '', { start, end: isTyping ? start : { line, character: 20 } });
}

async function benchFile(lines: number): Promise<Record<'hover' | 'lens' | 'diagnostics', Figures>> {
  const client = await TestClient.start({
    probed: true,
    files: { 'classes.yaml': classes },
  });
  const text = fileOf(lines);
  const uri = await client.open('big.yaml', text);
  await client.diagnostics(uri, () => true);
  const all = text.split('\n');
  const middle = Math.floor(lines / 2);
  const imageLine = all.findIndex((line, index) => index > middle && line.includes('image:'));
  const classLine = all.findIndex(
    (line, index) => index > imageLine - linesPerDeployment && line.includes('priorityClassName'),
  );

  const hover = await measure(client, async (round) => {
    const started = performance.now();
    await edit(client, uri, imageLine, round);
    const answer = await client.request('textDocument/hover', {
      textDocument: { uri },
      position: { line: classLine, character: 30 },
    });
    if (answer === null) throw new Error('no hover');
    return performance.now() - started;
  });
  const lens = await measure(client, async (round) => {
    const started = performance.now();
    await edit(client, uri, imageLine, round);
    const answer = await client.request<readonly unknown[]>('textDocument/codeLens', { textDocument: { uri } });
    if (answer.length < lines / 50) throw new Error('lenses are missing');
    return performance.now() - started;
  });
  const diagnostics = await measure(client, async (round) => {
    const started = performance.now();
    const version = await edit(client, uri, imageLine, round);
    await client.diagnostics(uri, (_, shown) => shown === version);
    return performance.now() - started - pause;
  });
  await client.stop();
  return { hover, lens, diagnostics };
}

async function benchCrossFile(): Promise<Figures> {
  const client = await TestClient.start({ probed: true });
  const uri = await client.open(
    'users.yaml',
    Array.from({ length: 500 }, (_, index) => deployment(index * 8)).join(''),
  );
  const classUri = await client.open('classes.yaml', classes);
  await client.diagnostics(uri, (diagnostics) => diagnostics.length === 0);
  const figures = await measure(client, async (round) => {
    const missing = round % 2 === 0;
    const started = performance.now();
    await client.change(classUri, missing ? classes.replace('name: class-0', 'name: other') : classes);
    // Of so many only the first are told, and how many more there are.
    await client.diagnostics(uri, (diagnostics) => diagnostics.length > 0 === missing);
    return performance.now() - started;
  });
  await client.stop();
  return figures;
}

/** Processor time for which nobody is answered, and in all, while a large document is opened and edited. */
async function benchLarge(text: string): Promise<{ readonly blocked: number; readonly cpu: number }> {
  const client = await TestClient.start({ probed: true });
  // What is loaded with the first manifest is not what is measured.
  const other = await client.open('classes.yaml', classes);
  await client.diagnostics(other, () => true);
  client.watch();
  const before = await processorTime(client);
  const uri = await client.open('large.yaml', text);
  await client.diagnostics(uri, () => true);
  const version = await client.change(uri, '# more\n', {
    start: { line: 0, character: 0 },
    end: { line: 0, character: 0 },
  });
  await client.diagnostics(uri, (_, shown) => shown === version);
  const cpu = (await processorTime(client)) - before;
  const { blocked } = await client.probe();
  await client.stop();
  return { blocked, cpu };
}

/** How long the server is watched at rest, in milliseconds. */
const restWindow = 10_000;

/** Processor time at rest after work, in milliseconds, and resident memory, in MiB. */
async function benchRest(): Promise<{ readonly cpu: number; readonly memory: number }> {
  const client = await TestClient.start({
    probed: true,
    files: { 'classes.yaml': classes },
  });
  const text = fileOf(10_000);
  const uri = await client.open('big.yaml', text);
  await client.request('textDocument/codeLens', { textDocument: { uri } });
  await client.request('podium/simulate', { scenario: { kind: 'workspace' } });
  const version = await edit(
    client,
    uri,
    text.split('\n').findIndex((line) => line.includes('image:')),
    0,
  );
  await client.diagnostics(uri, (_, shown) => shown === version);
  // What is under way ends with its timers; what Node still collects and compiles after that is not counted either.
  while ((await client.probe()).resources.includes('Timeout')) await delay(100);
  await delay(2_000);
  const before = await processorTime(client);
  await delay(restWindow);
  const cpu = (await processorTime(client)) - before;
  const { memory } = await client.probe();
  await client.stop();
  return { cpu, memory: memory / 1024 / 1024 };
}

const write = (line: string): void => void process.stdout.write(`${line}\n`);
const show = ({ p50, p95, cpu }: Figures): string =>
  `p50 ${p50.toFixed(1).padStart(6)} ms   p95 ${p95.toFixed(1).padStart(6)} ms   cpu ${cpu.toFixed(1).padStart(6)} ms`;

let missed = 0;
const check = (what: string, figures: Figures, bar: number): void => {
  const holds = figures.p95 < bar;
  if (!holds) missed += 1;
  write(`${what.padEnd(34)} ${show(figures)}   bar ${bar.toFixed(0)} ms ${holds ? 'holds' : 'MISSED'}`);
};
for (const [lines, factor] of [
  [10_000, 1],
  [50_000, 3],
] as const) {
  const { hover, lens, diagnostics } = await benchFile(lines);
  check(`${lines} lines, hover`, hover, 16 * factor);
  check(`${lines} lines, lens positions`, lens, 16 * factor);
  check(`${lines} lines, diagnostics`, diagnostics, 50 * factor);
}
check('class edited, 500 users', await benchCrossFile(), 300);
const refusedOnes = refusedDocuments.map(([what, text]) => [`${what}, refused`, text] as const);
for (const [what, text] of [...largeDocuments, ...refusedOnes]) {
  const { blocked, cpu } = await benchLarge(text);
  const holds = blocked < 250;
  if (!holds) missed += 1;
  write(
    `${what}, opened and edited`.padEnd(50) +
      ` blocked for ${blocked.toFixed(0)} ms at most   cpu ${cpu.toFixed(0)} ms   bar 250 ms ${holds ? 'holds' : 'MISSED'}`,
  );
}
const rest = await benchRest();
write(
  `at rest for ${restWindow / 1000} s`.padEnd(34) +
    ` ${rest.cpu.toFixed(1)} ms of processor time, ${rest.memory.toFixed(0)} MiB resident`,
);
process.exitCode = missed === 0 ? 0 : 1;
