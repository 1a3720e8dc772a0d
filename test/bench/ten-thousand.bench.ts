/**
 * 10,000 budgets or classes over 10,000 pods.
 *
 *   check   `podium check` over them: processor time, and the most memory
 *   edit    one of them is edited in the server over a pipe, with its file open: processor time of the server from the
 *           edit to the problems of that version
 *
 * Once with as many in one file as are read of one, once spread over 200 files. Exits with 1 when a bar is missed.
 */
import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { editorLimits } from '../../server/src/manifests/limits.ts';
import { TestClient } from '../protocol/test-client.ts';

const total = 10_000;
const bars = { check: 10_000, memory: 700, edit: 300 };
/** Edits that count, after some that do not: an editor's server runs for hours. */
const rounds = 5;
const warmUp = 2;

const budget =
  (selector: (index: number) => string) =>
  (index: number): string => `apiVersion: policy/v1
kind: PodDisruptionBudget
metadata: { name: budget-${index} }
spec: { minAvailable: 1, selector: ${selector(index)} }
`;

const podOf =
  (className: (index: number) => string) =>
  (index: number): string => `apiVersion: v1
kind: Pod
metadata: { name: pod-${index}, labels: { app: app-${index}, tier: web } }
spec: { ${className(index)}containers: [{ name: a, image: a }] }
`;

const priorityClass = (index: number): string => `apiVersion: scheduling.k8s.io/v1
kind: PriorityClass
metadata: { name: class-${index} }
value: ${index}
globalDefault: ${String(index % 2 === 0)}
`;

interface Case {
  readonly name: string;
  readonly pod: (index: number) => string;
  readonly other: (index: number) => string;
  /** What of the first other is changed, and into what. */
  readonly edit: readonly [string, string];
}

const plainPod = podOf(() => '');
const cases: readonly Case[] = [
  {
    name: 'budgets, each of all pods',
    pod: plainPod,
    other: budget(() => '{}'),
    edit: ['minAvailable: 1', 'minAvailable: 2'],
  },
  {
    name: 'budgets, each of one pod',
    pod: plainPod,
    other: budget((index) => `{ matchLabels: { app: app-${index} } }`),
    edit: ['app: app-', 'app: axx-'],
  },
  {
    name: 'classes, each of one pod',
    pod: podOf((index) => `priorityClassName: class-${index}, `),
    other: priorityClass,
    edit: ['value: ', 'value: 5'],
  },
];

function filesOf({ pod, other }: Case, perFile: number): Map<string, string> {
  const files = new Map<string, string>();
  for (const [name, make] of [
    ['pods', pod],
    ['others', other],
  ] as const) {
    for (let start = 0; start < total; start += perFile) {
      const documents = Array.from({ length: perFile }, (_, index) => make(start + index));
      files.set(`${name}-${start}.yaml`, documents.join('---\n'));
    }
  }
  return files;
}

const podium = fileURLToPath(new URL('../../dist/podium.mjs', import.meta.url));

/** Milliseconds of processor time and MiB, as the process itself tells when it ends. */
async function check(folder: string): Promise<{ readonly cpu: number; readonly memory: number }> {
  const report = `process.on('exit', () => { const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage(); process.send([(userCPUTime + systemCPUTime) / 1000, maxRSS / 1024]); });`;
  const child = spawn(
    process.execPath,
    ['--import', `data:text/javascript,${encodeURIComponent(report)}`, podium, 'check', folder],
    { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] },
  );
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('message', (message) => {
      const [cpu = NaN, memory = NaN] = message as number[];
      resolve({ cpu, memory });
    });
  });
}

/** The median of the processor time, in milliseconds, of edits in one file. */
async function edits(client: TestClient, path: string, text: string, from: string, to: string): Promise<number> {
  const uri = await client.open(path, text);
  await client.diagnostics(uri, (_, version) => version === 1);
  const line = text.split('\n').findIndex((each) => each.includes(from));
  const character = text.split('\n')[line]!.indexOf(from);
  const times: number[] = [];
  for (let round = -warmUp; round < rounds; round++) {
    const [before, after] = round % 2 === 0 ? [from, to] : [to, from];
    const start = (await client.probe()).cpu;
    const range = { start: { line, character }, end: { line, character: character + before.length } };
    const version = await client.change(uri, after, range);
    await client.diagnostics(uri, (_, shown) => shown === version);
    const end = (await client.probe()).cpu;
    if (round >= 0) times.push((end.user + end.system - start.user - start.system) / 1000);
  }
  await client.connection.sendNotification('textDocument/didClose', { textDocument: { uri } });
  return times.sort((a, b) => a - b)[Math.floor(times.length / 2)]!;
}

let missed = 0;
const write = (what: string, figure: number, unit: string, bar: number): void => {
  const holds = figure < bar;
  if (!holds) missed += 1;
  process.stdout.write(
    `${what.padEnd(64)} ${figure.toFixed(0).padStart(6)} ${unit}   bar ${bar} ${unit} ${holds ? 'holds' : 'MISSED'}\n`,
  );
};
for (const each of cases) {
  for (const [spread, perFile] of [
    ['in the fewest files', editorLimits.documents],
    ['in 200 files', 100],
  ] as const) {
    const files = filesOf(each, perFile);
    const folder = await mkdtemp(join(tmpdir(), 'podium-'));
    await mkdir(folder, { recursive: true });
    for (const [path, text] of files) await writeFile(join(folder, path), text);
    const { cpu, memory } = await check(folder);
    write(`${each.name}, ${spread}: check`, cpu, 'ms', bars.check);
    write(`${each.name}, ${spread}: memory of check`, memory, 'MiB', bars.memory);
    const client = await TestClient.start({ probed: true, folder });
    const pods = await edits(client, 'pods-0.yaml', files.get('pods-0.yaml')!, 'tier: web', 'tier: wbb');
    write(`${each.name}, ${spread}: a label of a pod edited`, pods, 'ms', bars.edit);
    const others = await edits(client, 'others-0.yaml', files.get('others-0.yaml')!, ...each.edit);
    write(`${each.name}, ${spread}: one of them edited`, others, 'ms', bars.edit);
    await client.stop();
    await rm(folder, { recursive: true, force: true });
  }
}
process.exitCode = missed === 0 ? 0 : 1;
