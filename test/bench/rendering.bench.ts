/**
 * What `podium check` takes of a repository that is rendered from end to end: processor time, with that of all kubectl
 * it starts (Linux x64 only). With `PODIUM_BENCH_BEFORE`, the `podium.mjs` of another build, both take turns, and the
 * run fails when this one takes over a fifth more. `PODIUM_BENCH_KUSTOMIZATIONS` sets how many there are, 1,000 unless
 * it does, `PODIUM_BENCH_ROUNDS` how often they are rendered, 3 unless it does.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { root } from '../../scripts/lib/paths.mjs';
import { toolFolder } from '../support/kubernetes-tools.ts';

const amount = Number(process.env['PODIUM_BENCH_KUSTOMIZATIONS'] ?? 1000);
const rounds = Number(process.env['PODIUM_BENCH_ROUNDS'] ?? 3);
const before = process.env['PODIUM_BENCH_BEFORE'];
const own = join(root, 'dist', 'podium.mjs');
/** How much more it may take than the build before it. */
const bar = 1.2;

const deployment = (name: string): string =>
  `apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: ${name}}\nspec:\n  selector: {matchLabels: {app: ${name}}}\n  template:\n    metadata: {labels: {app: ${name}}}\n    spec:\n      containers: [{name: main, image: registry.example/${name}, resources: {requests: {cpu: 10m}}}]\n`;

/** Bases with nine overlays each, which set a prefix, replicas and a patch. */
function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'podium-bench-rendering-'));
  const write = (path: string, text: string): void => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  };
  for (let at = 0; at < amount; at++) {
    const app = `app-${Math.floor(at / 10)}`;
    if (at % 10 === 0) {
      write(`${app}/base/kustomization.yaml`, 'resources: [app.yaml]\n');
      write(`${app}/base/app.yaml`, deployment(app));
      continue;
    }
    const patch = `[{"op": "add", "path": "/spec/template/spec/priorityClassName", "value": "system-node-critical"}]`;
    write(
      `${app}/overlays/${at % 10}/kustomization.yaml`,
      `resources: [../../base]\nnamespace: team-${at % 10}\nnamePrefix: p${at % 10}-\nreplicas: [{name: ${app}, count: 3}]\npatches: [{target: {kind: Deployment}, patch: '${patch}'}]\n`,
    );
  }
  return folder;
}

/** Seconds of processor time that a shell sees of a program and of all that it has started. */
function processorTime(podium: string, folder: string): number {
  const script = '"$@" >/dev/null 2>&1; times';
  const printed = execFileSync('/bin/sh', ['-c', script, 'sh', process.execPath, podium, 'check', '.'], {
    cwd: folder,
    encoding: 'utf8',
    env: { ...process.env, PATH: `${toolFolder('v34')}:${process.env['PATH'] ?? ''}` },
  });
  const [, children = ''] = printed.trim().split('\n');
  return [...children.matchAll(/(\d+)m([\d.]+)s/g)].reduce(
    (sum, [, min, sec]) => sum + Number(min) * 60 + Number(sec),
    0,
  );
}

const median = (times: readonly number[]): number => times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)]!;
const folder = makeFolder();
const [now, then]: [number[], number[]] = [[], []];
for (let round = 0; round < rounds; round++) {
  now.push(processorTime(own, folder));
  if (before !== undefined) then.push(processorTime(before, folder));
}
rmSync(folder, { recursive: true });
const shown = (times: readonly number[]): string =>
  `${median(times).toFixed(1)} s (${times.map((time) => time.toFixed(1)).join(', ')})`;
process.stdout.write(`check of ${amount} kustomizations, rendered: ${shown(now)}\n`);
if (before !== undefined) {
  const ratio = median(now) / median(then);
  process.stdout.write(
    `the build before: ${shown(then)}; ${ratio.toFixed(2)} times, bar ${bar} ${ratio <= bar ? 'holds' : 'MISSED'}\n`,
  );
  process.exitCode = ratio <= bar ? 0 : 1;
}
