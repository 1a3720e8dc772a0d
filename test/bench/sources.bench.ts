/**
 * What sources cost in the language server, over a pipe, with the real kubectl of the tests (Linux x64 only).
 *
 *   edit → lens   an edit in a base of 50 objects, until the lens above it is that of what is rendered now, beside the
 *                 time that the tool itself takes for the same
 *   hover         while a workspace of 14,000 files and 2.2 million lines with 250 kustomizations is read, and after
 *                 that while its sources are found and rendered; and how long it takes to read it. Before that the same
 *                 in a server that has nothing else to do: what of it is the wait for a core
 *
 * Exits with 1 when a bar is missed.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { CodeLens } from 'vscode-languageserver/node';
import { TestClient } from '../protocol/test-client.ts';
import { toolFolder } from '../support/kubernetes-tools.ts';

const rounds = 15;
const tools = toolFolder('v34');
const env = { PATH: `${tools}:${process.env['PATH'] ?? ''}` };

const deployment = (name: string, replicas: number): string => `apiVersion: apps/v1
kind: Deployment
metadata:
  name: ${name}
spec:
  replicas: ${replicas}
  selector:
    matchLabels: {app: ${name}}
  template:
    metadata:
      labels: {app: ${name}}
    spec:
      containers:
        - name: main
          image: registry.example/${name}:1
          resources:
            requests: {cpu: 10m, memory: 16Mi}
`;

const kustomization = (resources: readonly string[], more = ''): string =>
  `apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\nresources:\n${resources.map((path) => `  - ${path}\n`).join('')}${more}`;

function makeFolder(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'podium-bench-sources-'));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return folder;
}

/** A base of some objects with two overlays. */
function overlays(at: string, amount: number): Record<string, string> {
  const names = Array.from({ length: amount }, (_, index) => `app-${index}`);
  return {
    ...Object.fromEntries(names.map((name) => [`${at}base/${name}.yaml`, deployment(name, 1)])),
    [`${at}base/kustomization.yaml`]: kustomization(names.map((name) => `${name}.yaml`)),
    [`${at}overlays/prod/kustomization.yaml`]: kustomization(
      ['../../base'],
      'namePrefix: prod-\nreplicas:\n  - name: app-1\n    count: 3\n',
    ),
    [`${at}overlays/staging/kustomization.yaml`]: kustomization(['../../base'], 'nameSuffix: -staging\n'),
  };
}

const median = (times: readonly number[]): number => times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)]!;
const p95 = (times: readonly number[]): number =>
  times.toSorted((a, b) => a - b)[Math.min(times.length - 1, Math.ceil(times.length * 0.95) - 1)]!;
const write = (line: string): void => void process.stdout.write(`${line}\n`);

let missed = 0;
const check = (what: string, time: number, bar: number): void => {
  if (time >= bar) missed++;
  write(`${what.padEnd(58)} ${time.toFixed(1).padStart(7)} ms   bar ${bar} ms ${time < bar ? 'holds' : 'MISSED'}`);
};

async function benchEdit(): Promise<void> {
  const folder = makeFolder(overlays('', 50));
  const toolTimes = Array.from({ length: rounds }, () => {
    const started = performance.now();
    execFileSync(join(tools, 'kubectl'), ['kustomize', join(folder, 'overlays/prod')], { stdio: 'pipe' });
    return performance.now() - started;
  });
  const client = await TestClient.start({
    folder,
    env,
    probed: true,
    initializationOptions: { workspaceTrusted: true },
    capabilities: { workspace: { codeLens: { refreshSupport: true } } },
  });
  let refreshes = 0;
  client.connection.onRequest('workspace/codeLens/refresh', () => {
    refreshes++;
    client.notify();
    return null;
  });
  const uri = await client.open('base/app-1.yaml', deployment('app-1', 1));
  await client.request('podium/simulate', { scenario: { kind: 'workspace' } });
  const lens = async (): Promise<string> => {
    const [first] = await client.request<CodeLens[]>('textDocument/codeLens', { textDocument: { uri } });
    return (await client.request<CodeLens>('codeLens/resolve', first)).command?.title ?? '';
  };
  await lens();
  const times: number[] = [];
  const { cpu: before } = await client.probe();
  for (let round = 0; round < rounds; round++) {
    const cpu = round % 2 === 0 ? '900' : '1';
    const started = performance.now();
    const seen = refreshes;
    await client.change(uri, deployment('app-1', 1).replace('cpu: 10m', `cpu: ${cpu}`));
    for (;;) {
      await client.until(
        () => refreshes > seen,
        () => 'a refresh of lenses',
      );
      if ((await lens()).includes('pending') === (cpu === '900')) break;
    }
    times.push(performance.now() - started);
  }
  const { cpu: after } = await client.probe();
  const own = (after.user + after.system - before.user - before.system) / 1000 / rounds;
  await client.stop();
  const tool = median(toolTimes);
  write(
    `the tool itself ${tool.toFixed(0)} ms; edit → lens ${median(times).toFixed(0)} ms; server ${own.toFixed(0)} ms of processor time`,
  );
  check('kustomization of 50 objects, edit → lens beside the tool', median(times) - tool, 500);
}

/** The same hover again and again with a pause, until it is enough. */
async function hovers(
  client: TestClient,
  uri: string,
  time: (took: number) => void,
  end: Promise<true>,
): Promise<void> {
  for (let isDone = false; !isDone;) {
    const started = performance.now();
    await client.request('textDocument/hover', { textDocument: { uri }, position: { line: 1, character: 8 } });
    time(performance.now() - started);
    isDone = await Promise.race([end, new Promise<boolean>((resolve) => setTimeout(resolve, 20, false))]);
  }
}

async function benchIdleHover(text: string): Promise<void> {
  const client = await TestClient.start({ files: { 'app.yaml': text }, env });
  const uri = await client.open('app.yaml', text);
  const times: number[] = [];
  await hovers(client, uri, (took) => times.push(took), new Promise((resolve) => setTimeout(resolve, 5_000, true)));
  await client.stop();
  write(`hover in an idle server: p50 ${median(times).toFixed(1)} ms, p95 ${p95(times).toFixed(1)} ms`);
}

async function benchHover(): Promise<void> {
  const files: Record<string, string> = {};
  for (let index = 0; index < 125; index++) Object.assign(files, overlays(`team-${index}/`, 10));
  for (let index = 0; Object.keys(files).length < 14_000; index++) {
    files[`plain/${index % 100}/app-${index}.yaml`] = Array.from({ length: 10 }, (_, part) =>
      deployment(`app-${index}-${part}`, 1),
    ).join('---\n');
  }
  await benchIdleHover(files['plain/0/app-0.yaml']!);
  const folder = makeFolder(files);
  const client = await TestClient.start({
    folder,
    env,
    early: true,
    probed: true,
    initializationOptions: { workspaceTrusted: true },
  });
  const started = performance.now();
  const read = { cpu: 0, memory: 0, time: 0 };
  client.connection.onNotification('$/progress', async ({ value }: { readonly value: { readonly kind: string } }) => {
    if (value.kind !== 'end' || read.time > 0) return;
    read.time = performance.now() - started;
    const { cpu, memory } = await client.probe();
    Object.assign(read, { cpu: (cpu.user + cpu.system) / 1000, memory });
  });
  const uri = await client.open('plain/0/app-0.yaml', files['plain/0/app-0.yaml']!);
  const whole = client.request('podium/targets', {}).then(() => true as const);
  const [whileRead, later]: [number[], number[]] = [[], []];
  await hovers(client, uri, (took) => (read.time === 0 ? whileRead : later).push(took), whole);
  const { cpu, memory } = await client.probe();
  await client.stop();
  const lines = Object.values(files).reduce((sum, text) => sum + text.split('\n').length, 0);
  const report = (what: string, { cpu, memory }: { readonly cpu: number; readonly memory: number }): void => {
    write(`${what}: ${(cpu / 1000).toFixed(1)} s of the server's processor time, ${(memory / 2 ** 20).toFixed(0)} MiB`);
  };
  report(`14,000 files, ${lines} lines, read`, read);
  report('with 250 kustomizations found and rendered', { cpu: (cpu.user + cpu.system) / 1000, memory });
  check('14,000 files read', read.time, 10_000);
  write(`hover while they are read: p50 ${median(whileRead).toFixed(1)} ms`);
  check(`hover while they are read, p95 of ${whileRead.length}`, p95(whileRead), 5);
  check('the longest', Math.max(...whileRead), 250);
  write(
    `hover while sources are found and rendered: p50 ${median(later).toFixed(1)} ms, p95 ${p95(later).toFixed(1)} ms, the longest ${Math.max(...later).toFixed(0)} ms`,
  );
  rmSync(folder, { recursive: true, force: true });
}

await benchEdit();
await benchHover();
process.exitCode = missed === 0 ? 0 : 1;
