/**
 * From the command to the first answer in an editor whose server runs and has read the workspace: the request over a
 * pipe, until its answer is there and has been read, and the processor time of the server for it. The bars are those of
 * the design: 0.5 s for the sample, 2 s for 300 nodes and 6,000 pods, 5 s for 2,000 nodes and 30,000 pods; the page
 * draws it in what `report.bench.ts` says.
 *
 * Run: `npm run bench -- first-answer`. Exits with 1 when the processor time misses a bar: the clock counts what else the
 * machine does.
 */
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Report } from '../../server/src/report-model/report.ts';
import { type Probe, TestClient } from '../protocol/test-client.ts';
import { fleet, fleetOf300 } from '../support/fleet.ts';

const sample = fileURLToPath(new URL('../../samples/online-shop', import.meta.url));
const sizes = [
  {
    name: 'the sample',
    bar: 0.5,
    fill: (folder: string) => {
      cpSync(sample, folder, { recursive: true });
    },
  },
  {
    name: '300 nodes, 6,000 pods',
    bar: 2,
    fill: (folder: string) => {
      writeFleet(folder, fleetOf300);
    },
  },
  {
    name: '2,000 nodes, 30,000 pods',
    bar: 5,
    fill: (folder: string) => {
      writeFleet(folder, { nodes: 2000, podsPerNode: 15, urgent: 50, hopeless: 4, urgentCpu: '10' });
    },
  },
] as const;

/** The cluster as a snapshot, and what is to arrive as manifests. */
function writeFleet(folder: string, size: Parameters<typeof fleet>[0]): void {
  const objects = fleet(size);
  const arrives = ({ kind, metadata }: (typeof objects)[number]): boolean =>
    kind === 'Deployment' && (metadata as { readonly namespace: string }).namespace === 'urgent';
  const list = (items: typeof objects): string => JSON.stringify({ apiVersion: 'v1', kind: 'List', items });
  writeFileSync(join(folder, 'cluster.json'), list(objects.filter((object) => !arrives(object))));
  writeFileSync(join(folder, 'urgent.json'), list(objects.filter(arrives)));
}

function cpuOf({ cpu }: Probe): number {
  return cpu.user + cpu.system;
}

let missed = 0;
process.stdout.write('| | clock | processor | bar | evicted | sent |\n| --- | ---: | ---: | ---: | ---: | ---: |\n');
for (const { name, bar, fill } of sizes) {
  const folder = mkdtempSync(join(tmpdir(), 'podium-bench-answer-'));
  fill(folder);
  const settings = { cluster: { snapshot: 'cluster.json' } };
  const client = await TestClient.start({ folder, probed: true, settings: name === sizes[0].name ? {} : settings });
  const before = cpuOf(await client.probe());
  const began = performance.now();
  const report = await client.request<Report>('podium/simulate', { scenario: { kind: 'workspace' }, run: 1 });
  const clock = (performance.now() - began) / 1000;
  const cpu = (cpuOf(await client.probe()) - before) / 1e6;
  if (cpu > bar) missed += 1;
  const size = (JSON.stringify(report).length / 1e6).toFixed(1);
  process.stdout.write(
    `| ${name} | ${clock.toFixed(2)} s | ${cpu.toFixed(2)} s | ${bar} s | ${report.totals.evicted} | ${size} MB |\n`,
  );
  await client.stop();
  rmSync(folder, { recursive: true, force: true });
}
process.exitCode = missed === 0 ? 0 : 1;
