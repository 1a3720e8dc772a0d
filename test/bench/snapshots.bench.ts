/**
 * What large clusters cost the command line: processor time and the highest resident memory. First `podium check` over a
 * pod, with a snapshot beside it; `PODIUM_SNAPSHOT_SCALE=10` makes the snapshots ten times as large. Then `podium
 * simulate` where many pods arrive, each decision of which is kept for its report.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '../../scripts/lib/paths.mjs';
import { type SnapshotForm, writeLargeSnapshot } from '../support/large-snapshots.ts';

const scale = Number(process.env['PODIUM_SNAPSHOT_SCALE'] ?? 1);
const sizes: readonly (readonly [form: SnapshotForm, nodes: number, pods: number])[] = [
  ['json', 500, 15_000],
  ['indented json', 500, 14_000],
  ['yaml', 100, 1_650],
  ['documents', 100, 1_650],
];

/** Prints what the process has used when it ends. */
const used = `data:text/javascript,process.on('exit',()=>{const u=process.resourceUsage();process.stderr.write('\\n'+JSON.stringify([(u.userCPUTime+u.systemCPUTime)/1e6,u.maxRSS/1024]))})`;

function measure(what: string, args: readonly string[]): void {
  const command = ['--import', used, join(root, 'dist', 'podium.mjs'), ...args];
  const { stderr } = spawnSync(process.execPath, command, { encoding: 'utf8', maxBuffer: Infinity });
  const [seconds, memory] = JSON.parse(stderr.trim().split('\n').at(-1)!) as [number, number];
  process.stdout.write(`${what.padEnd(60)} ${seconds.toFixed(1)} s   ${memory.toFixed(0)} MiB\n`);
}

const folder = mkdtempSync(join(tmpdir(), 'podium-bench-'));
const snapshot = join(folder, 'cluster');
const pod = join(folder, 'pod.yaml');
writeFileSync(pod, 'apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec: {containers: [{name: main, image: app}]}\n');
for (const [form, nodes, pods] of sizes) {
  const bytes = writeLargeSnapshot(snapshot, form, { nodes: nodes * scale, pods: pods * scale });
  const what = `${(bytes / 1e6).toFixed(0)} MB of ${form}, ${nodes * scale} nodes and ${pods * scale} pods`;
  measure(what, ['check', pod, '--snapshot', snapshot]);
}

const arriving = join(folder, 'arriving.yaml');
const nodes = Array.from(
  { length: 3000 },
  (_, at) => `apiVersion: v1
kind: Node
metadata: {name: node-${at}}
status: {allocatable: {cpu: "8", memory: 32Gi, pods: "110"}}
`,
);
const workloads = Array.from(
  { length: 1500 },
  (_, at) => `apiVersion: apps/v1
kind: Deployment
metadata: {name: web-${at}}
spec:
  replicas: 10
  selector: {matchLabels: {app: web-${at}}}
  template:
    metadata: {labels: {app: web-${at}}}
    spec: {containers: [{name: main, image: app, resources: {requests: {cpu: 500m, memory: 256Mi}}}]}
`,
);
writeFileSync(arriving, [...nodes, ...workloads].join('---\n'));
measure('15,000 pods that arrive on 3,000 nodes', ['simulate', arriving]);
rmSync(folder, { recursive: true });
