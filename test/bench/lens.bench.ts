/**
 * From an edit of a Deployment that is committed to what its roll-out does, above it, over a pipe to the shipped server:
 * in a workspace of Deployments of one pod each, without a snapshot. The first edit has what is committed placed.
 *
 * Run: `npm run bench -- lens`.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CodeLens } from 'vscode-languageserver/node';
import { type Probe, TestClient } from '../protocol/test-client.ts';

const edits = 7;

function deployment(name: string, cpu: string): string {
  return `apiVersion: apps/v1
kind: Deployment
metadata: { name: ${name}, namespace: team-${name.length} }
spec:
  selector: { matchLabels: { app: ${name} } }
  template:
    metadata: { labels: { app: ${name} } }
    spec:
      containers:
        - { name: main, image: 'app:1', resources: { requests: { cpu: '${cpu}', memory: 64Mi } } }
`;
}

function node(name: string): string {
  const amounts = `{ cpu: '8', memory: 32Gi, pods: '110' }`;
  return `apiVersion: v1\nkind: Node\nmetadata: { name: ${name} }\nstatus: { capacity: ${amounts}, allocatable: ${amounts} }\n`;
}

function many(amount: number, textOf: (index: number) => string): string {
  return Array.from({ length: amount }, (_, index) => textOf(index)).join('---\n');
}

function cpuOf({ cpu }: Probe): number {
  return (cpu.user + cpu.system) / 1000;
}

function spread(numbers: readonly number[]): string {
  const sorted = numbers.toSorted((a, b) => a - b);
  return `${sorted[0]!.toFixed(0)} to ${sorted.at(-1)!.toFixed(0)} ms`;
}

for (const [pods, nodes] of [
  [1_900, 190],
  [4_900, 490],
  [9_900, 990],
] as const) {
  const folder = mkdtempSync(join(tmpdir(), 'podium-bench-lens-'));
  const git = (...args: readonly string[]): void => {
    execFileSync('git', ['-c', 'user.name=Bench', '-c', 'user.email=bench@example.com', ...args], { cwd: folder });
  };
  for (let file = 0; file * 100 < pods; file += 1) {
    writeFileSync(
      join(folder, `${file}.yaml`),
      many(100, (index) => deployment(`app-${file}-${index}`, '100m')),
    );
  }
  writeFileSync(
    join(folder, 'nodes.yaml'),
    many(nodes, (index) => node(`node-${index}`)),
  );
  writeFileSync(join(folder, 'web.yaml'), deployment('web', '100m'));
  git('init', '-q');
  git('add', '.');
  git('commit', '-q', '-m', 'all');
  const client = await TestClient.start({
    folder,
    probed: true,
    initializationOptions: { workspaceTrusted: true },
  });
  const uri = await client.open('web.yaml', deployment('web', '100m'));
  const clocks: number[] = [];
  const cpus: number[] = [];
  for (let turn = 0; turn < edits; turn += 1) {
    const [cpu, expected] = turn % 2 === 0 ? (['2', /rolls out in/] as const) : (['9', /roll-out stops/] as const);
    const before = cpuOf(await client.probe());
    const began = performance.now();
    await client.change(uri, deployment('web', cpu));
    for (let text = ''; !expected.test(text);) {
      const [lens] = await client.request<CodeLens[]>('textDocument/codeLens', { textDocument: { uri } });
      text = (await client.request<CodeLens>('codeLens/resolve', lens)).command?.title ?? '';
    }
    clocks.push(performance.now() - began);
    cpus.push(cpuOf(await client.probe()) - before);
  }
  const [first, ...others] = clocks;
  const [firstCpu, ...otherCpus] = cpus;
  process.stdout.write(
    `${pods} pods: the first edit ${first!.toFixed(0)} ms by the clock, ${firstCpu!.toFixed(0)} ms of processor time; ` +
      `others ${spread(others)}, ${spread(otherCpus)} of processor time\n`,
  );
  await client.stop();
}
