/**
 * Completion in a workspace of 14,000 files, over a pipe, as an editor sees it: a letter is typed, then at once what may
 * stand there is asked for; and hovers, symbols, references and renaming. p50 and p95 of the time from the edit to the answer, and the server's processor time.
 *
 * Exits with 1 when a bar is missed. `PODIUM_TEST_SERVER` names another build than that of the sources.
 */
import type { CompletionItem, CompletionList } from 'vscode-languageserver/node';
import { TestClient } from '../protocol/test-client.ts';

const warmUp = 20;
const rounds = 60;
/** Milliseconds. */
const bar = 30;

const files: Record<string, string> = {
  'classes.yaml': Array.from(
    { length: 20 },
    (_each, index) =>
      `apiVersion: scheduling.k8s.io/v1\nkind: PriorityClass\nmetadata: { name: class-${index} }\nvalue: ${index + 1}\n`,
  ).join('---\n'),
};
for (let index = 0; index < 4_000; index += 1) {
  files[`nodes/${index}.yaml`] = `apiVersion: v1
kind: Node
metadata:
  name: node-${index}
  labels: { kubernetes.io/hostname: node-${index}, topology.kubernetes.io/zone: zone-${index % 9}, pool: p-${index % 40} }
spec: { taints: [{ key: dedicated, value: p-${index % 40}, effect: NoSchedule }] }
status: { allocatable: { cpu: '8', memory: 32Gi, pods: '110' } }
`;
}
for (let index = 0; Object.keys(files).length < 14_000; index += 1) {
  files[`apps/${index % 500}/${index}.yaml`] = `apiVersion: apps/v1
kind: Deployment
metadata: { name: app-${index}, namespace: team-${index % 500} }
spec:
  replicas: 2
  selector: { matchLabels: { app: app-${index} } }
  template:
    metadata: { labels: { app: app-${index}, tier: t-${index % 7} } }
    spec:
      priorityClassName: class-${index % 20}
      containers: [{ name: main, image: "example.com/app:1", resources: { requests: { cpu: 100m } } }]
`;
}

const head = `apiVersion: apps/v1
kind: Deployment
metadata: { name: web, namespace: team-1 }
spec:
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web } }
    spec:
      containers: [{ name: main, image: "example.com/app:1", resources: { requests: { cpu: 100m } } }]
`;
const term = 'requiredDuringSchedulingIgnoredDuringExecution:\n            ';

/** What is asked for, the text before the letter that is typed, and what must be among the answers. */
const places = [
  ['a key', `${head}      pr`, 'priorityClassName'],
  ['a class', `${head}      priorityClassName: cl`, 'class-7'],
  ['labels of nodes', `${head}      nodeSelector:\n        po`, 'pool'],
  ['one of 4,000 values of a label', `${head}      nodeSelector:\n        kubernetes.io/hostname: no`, 'node-0'],
  ['one of 4,000 nodes', `${head}      nodeName: no`, 'node-0'],
  ['a taint', `${head}      tolerations:\n        - key: de`, 'dedicated'],
  [
    'one of 10,000 values of a label',
    `${head}      affinity:\n        podAffinity:\n          ${term}- labelSelector:\n                matchLabels:\n                  app: ap`,
    'app-0',
  ],
] as const;

function percentile(times: readonly number[], share: number): number {
  const sorted = [...times].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)] ?? NaN;
}

async function processorTime(client: TestClient): Promise<number> {
  const { cpu } = await client.probe();
  return (cpu.user + cpu.system) / 1000;
}

const client = await TestClient.start({ files, probed: true });
const uri = await client.open('web.yaml', head);
await client.diagnostics(uri, () => true);
let missed = 0;
for (const [what, before, expected] of places) {
  await client.change(uri, before);
  const lines = before.split('\n');
  const start = { line: lines.length - 1, character: lines.at(-1)!.length };
  const typed = { line: start.line, character: start.character + 1 };
  const letter = expected[start.character - lines.at(-1)!.search(/\w+$/)] ?? '';
  const ask = async (round: number): Promise<number> => {
    const isTyping = round % 2 === 0;
    const started = performance.now();
    await client.change(uri, isTyping ? letter : '', { start, end: isTyping ? start : typed });
    const answer = await client.request<CompletionItem[] | CompletionList>('textDocument/completion', {
      textDocument: { uri },
      position: isTyping ? typed : start,
    });
    const took = performance.now() - started;
    const items = Array.isArray(answer) ? answer : answer.items;
    if (!items.some(({ label }) => label === expected)) throw new Error(`${what}: ${expected} is not offered`);
    return took;
  };
  const first = await ask(0);
  for (let round = 1; round < warmUp; round += 1) await ask(round);
  const times: number[] = [];
  const spent = await processorTime(client);
  for (let round = 0; round < rounds; round += 1) times.push(await ask(round));
  const cpu = ((await processorTime(client)) - spent) / rounds;
  const p95 = percentile(times, 0.95);
  if (p95 >= bar) missed += 1;
  process.stdout.write(
    `${what.padEnd(34)} first ${first.toFixed(0)} ms   p50 ${percentile(times, 0.5).toFixed(1)} ms   p95 ${p95.toFixed(1)} ms   cpu ${cpu.toFixed(1)} ms   bar ${bar} ms ${p95 < bar ? 'holds' : 'MISSED'}\n`,
  );
}

const position = (line: string): object => {
  const lines = whole.split('\n');
  const at = lines.findIndex((each) => each.includes(line));
  return { textDocument: { uri }, position: { line: at, character: lines[at]!.indexOf(line) + 1 } };
};
const whole = `${head}      priorityClassName: class-7\n      nodeSelector:\n        pool: p-7\n`;
/** Asked besides: what, its bar, the request for a round, and whether an answer is right. */
const others: readonly (readonly [string, number, string, (round: number) => object, (answer: unknown) => boolean])[] =
  [
    ['hover over a class', bar, 'hover', () => position('priorityClassName'), (answer) => answer !== null],
    ['hover over a selector', bar, 'hover', () => position('pool:'), (answer) => answer !== null],
    ['hover over requests', bar, 'hover', () => position('requests'), (answer) => answer !== null],
    ['symbols of the file', bar, 'documentSymbol', () => ({ textDocument: { uri } }), isFilled],
    ['symbols of the workspace', bar, '', (round) => ({ query: `app-${round}` }), isFilled],
    [
      'references to a class',
      bar,
      'references',
      () => ({ ...position('class-7'), context: { includeDeclaration: true } }),
      isFilled,
    ],
    ['rename of a class', 300, 'rename', () => ({ ...position('class-7'), newName: 'top' }), isEdit],
    ['rename of a label of nodes', 300, 'rename', () => ({ ...position('pool:'), newName: 'basin' }), isEdit],
  ];

function isFilled(answer: unknown): boolean {
  return Array.isArray(answer) && answer.length > 0;
}

function isEdit(answer: unknown): boolean {
  return typeof answer === 'object' && answer !== null && Object.keys(answer).length > 0;
}

for (const [what, ownBar, method, params, isRight] of others) {
  const times: number[] = [];
  let spent = 0;
  for (let round = -warmUp; round < rounds; round += 1) {
    if (round === 0) spent = await processorTime(client);
    await client.change(uri, `${whole}# ${round}\n`);
    const started = performance.now();
    const name = method === '' ? 'workspace/symbol' : `textDocument/${method}`;
    const answer = await client.request<unknown>(name, params(Math.abs(round)));
    if (round >= 0) times.push(performance.now() - started);
    if (!isRight(answer)) throw new Error(`${what}: ${JSON.stringify(answer)}`);
  }
  const cpu = ((await processorTime(client)) - spent) / rounds;
  const p95 = percentile(times, 0.95);
  if (p95 >= ownBar) missed += 1;
  process.stdout.write(
    `${what.padEnd(34)} p50 ${percentile(times, 0.5).toFixed(1)} ms   p95 ${p95.toFixed(1)} ms   cpu ${cpu.toFixed(1)} ms   bar ${ownBar} ms ${p95 < ownBar ? 'holds' : 'MISSED'}\n`,
  );
}
await client.stop();
process.exitCode = missed === 0 ? 0 : 1;
