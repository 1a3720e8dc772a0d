import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { HostMessage } from '../../client/src/report/host-messages.ts';
import { ReportSession } from '../../client/src/report/report-session.ts';
import type { SessionHost } from '../../client/src/report/session-host.ts';
import { fromColumns } from '../../server/src/contract/read-columns.ts';
import type { Report } from '../../server/src/contract/report.ts';
import { runToEnd } from '../../server/src/kit/steps.ts';
import { fleet } from '../support/fleet.ts';
import { mass, TestClient } from './test-client.ts';

/** With pods that need many others gone, but for the largest: the time that a run takes says nothing here. */
const sizes = [
  { size: { nodes: 100, podsPerNode: 30, urgent: 25, hopeless: 4 }, bar: 150_000 },
  { size: { nodes: 300, podsPerNode: 20, urgent: 126, hopeless: 4 }, bar: 300_000 },
  { size: { nodes: 5_000, podsPerNode: 10, urgent: 50, urgentCpu: '9500m', hopeless: 4 }, bar: 1_000_000 },
] as const;

describe('[ED-5] the first message to the page of a report', () => {
  for (const { size, bar } of sizes.slice(0, mass(sizes.length, 1))) {
    it(`has at most ${bar / 1000} KB with ${size.nodes} nodes and ${size.nodes * size.podsPerNode} pods, and all of it`, async () => {
      const folder = await mkdtemp(join(tmpdir(), 'podium-first-message-'));
      const objects = fleet(size);
      const arrives = ({ kind, metadata }: (typeof objects)[number]): boolean =>
        kind === 'Deployment' && (metadata as { readonly namespace: string }).namespace === 'urgent';
      const list = (items: typeof objects): string => JSON.stringify({ apiVersion: 'v1', kind: 'List', items });
      await writeFile(join(folder, 'cluster.json'), list(objects.filter((object) => !arrives(object))));
      await writeFile(join(folder, 'urgent.json'), list(objects.filter(arrives)));
      const client = await TestClient.start({ folder, settings: { cluster: { snapshot: 'cluster.json' } } });
      const report = await client.request<Report>('podium/simulate', { scenario: { kind: 'workspace' }, asks: [] });
      const posted = await postedOf(report);
      await client.stop();
      await rm(folder, { recursive: true, force: true });

      assert.deepEqual(
        posted.map(({ type }) => type),
        ['scenario', 'columns', 'status'],
      );
      const bytes = posted.reduce((sum, message) => sum + Buffer.byteLength(JSON.stringify(message)), 0);
      assert.ok(bytes <= bar, `${bytes} bytes`);
      const read = posted.flatMap((message) =>
        message.type === 'columns' ? [runToEnd(fromColumns(JSON.parse(JSON.stringify(message.columns))))] : [],
      );
      assert.deepEqual(read, [report]);
    });
  }
});

/** All that the page is sent until it shows the report. */
async function postedOf(report: Report): Promise<readonly HostMessage[]> {
  const posted: HostMessage[] = [];
  const never = new Promise<never>(() => undefined);
  const host: Partial<SessionHost> = {
    post: (message) => posted.push(message),
    simulate: () => Promise.resolve(report),
    remedies: () => never,
    after: () => () => undefined,
  };
  const session = new ReportSession({ kind: 'workspace' }, host as SessionHost);
  await new Promise((resolve) => setImmediate(resolve));
  session.receive({ type: 'ready' });
  session.dispose();
  return posted;
}
