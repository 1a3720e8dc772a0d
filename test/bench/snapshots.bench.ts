/**
 * What reading a cluster snapshot costs the command line: processor time and the highest resident memory of
 * `podium check` over a pod, with the snapshot beside it. `PODIUM_SNAPSHOT_SCALE=10` makes the snapshots ten times as
 * large.
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

const folder = mkdtempSync(join(tmpdir(), 'podium-bench-'));
const snapshot = join(folder, 'cluster');
const pod = join(folder, 'pod.yaml');
writeFileSync(pod, 'apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec: {containers: [{name: main, image: app}]}\n');
for (const [form, nodes, pods] of sizes) {
  const bytes = writeLargeSnapshot(snapshot, form, { nodes: nodes * scale, pods: pods * scale });
  const args = ['--import', used, join(root, 'dist', 'podium.mjs'), 'check', pod, '--snapshot', snapshot];
  const { stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  const [seconds, memory] = JSON.parse(stderr.trim().split('\n').at(-1)!) as [number, number];
  const what = `${(bytes / 1e6).toFixed(0)} MB of ${form}, ${nodes * scale} nodes and ${pods * scale} pods`;
  process.stdout.write(`${what.padEnd(60)} ${seconds.toFixed(1)} s   ${memory.toFixed(0)} MiB\n`);
}
rmSync(folder, { recursive: true });
