/**
 * How long the page takes from the arrival of a report to the first paint of it, its longest task until everything is
 * drawn and while the views are gone through, and its heap then. Prints two lines for each size; the bars are those of
 * the design: first paint 200 ms for 100 nodes and 3,000 pods, 300 ms for 300 nodes, 1 s for 5,000 nodes; no task over
 * 100 ms at 300 nodes and 200 ms at 5,000; 60 MB of heap at 300 nodes.
 * Run: `node --import tsx test/bench/report.bench.ts`.
 */
import { stdout } from 'node:process';
import { pathToFileURL } from 'node:url';
import type { CDPSession } from 'playwright-core';
import type { HostMessage } from '../../client/src/report/host-messages.ts';
import type { Report } from '../../server/src/report-model/report.ts';
import { bigReport } from '../webview/big-report.ts';
import { startHarness } from '../webview/harness.ts';

const sizes = [
  { nodes: 100, pods: 3_000, bar: 200, task: 100 },
  { nodes: 300, pods: 6_000, bar: 300, task: 100 },
  { nodes: 5_000, pods: 20_000, bar: 1_000, task: 200 },
] as const;
const runs = 5;

interface Bench {
  /** Durations of tasks over 50 ms, which a browser calls long. */
  readonly benchTasks: readonly number[];
  readonly benchMessages: readonly HostMessage[];
}

/** What the panel says when a run has ended. */
function messagesOf(report: Report): readonly HostMessage[] {
  return [
    { type: 'report', report },
    { type: 'status', running: false, outdated: false, failure: '' },
  ];
}

export async function benchPage(): Promise<void> {
  const harness = await startHarness();
  for (const { nodes, pods, bar, task } of sizes) {
    const longest: number[] = [];
    const heaps: number[] = [];
    const times: number[] = [];
    const ticks: number[] = [];
    for (let run = 0; run < runs; run++) {
      const open = await harness.open();
      await open.send({ type: 'scenario', scenario: { kind: 'workspace' } });
      // The transfer into the browser is the harness's, not the page's.
      await open.page.evaluate(
        (messages) => {
          Object.assign(window, { benchMessages: messages });
        },
        messagesOf(bigReport(nodes, pods)),
      );
      const session = await open.page.context().newCDPSession(open.page);
      // In ticks of the thread, so that other programs on the machine do not count.
      await session.send('Performance.enable', { timeDomain: 'threadTicks' });
      const busyBefore = await busy(session);
      const time = await open.page.evaluate(async () => {
        const tasks: number[] = [];
        Object.assign(window, { benchTasks: tasks });
        new PerformanceObserver((list) => {
          tasks.push(...list.getEntries().map(({ duration }) => duration));
        }).observe({ type: 'longtask' });
        const start = performance.now();
        // One by one, as they come from another process.
        for (const message of (window as unknown as Bench).benchMessages) {
          window.postMessage(message, '*');
          await new Promise((resolve) => setTimeout(resolve));
        }
        // Frames go by until the cards are there; the one after has painted them.
        while (document.querySelector('.card') === null) {
          await new Promise((resolve) => requestAnimationFrame(resolve));
        }
        await new Promise((resolve) => requestAnimationFrame(resolve));
        return performance.now() - start;
      });
      times.push(time);
      ticks.push(1000 * ((await busy(session)) - busyBefore));
      for (const tab of ['Decisions', 'Pods', 'Nodes', 'Victims', 'Map']) {
        await open.page.getByRole('tab', { name: tab }).click();
        await open.settled();
      }
      longest.push(await open.page.evaluate(() => Math.max(0, ...(window as unknown as Bench).benchTasks)));
      // The page has a copy of its own.
      await open.page.evaluate(() => {
        delete (window as { benchMessages?: unknown }).benchMessages;
      });
      await session.send('HeapProfiler.collectGarbage');
      heaps.push((await session.send('Runtime.getHeapUsage')).usedSize / 1e6);
      await open.close();
    }
    stdout.write(
      `first paint, ${nodes} nodes, ${pods} pods: ${median(times)} ms, of which the page's thread works ` +
        `${median(ticks)} ms (bar ${bar} ms)\n` +
        `  longest task ${median(longest)} ms (bar ${task} ms), heap after all views ${median(heaps)} MB\n`,
    );
  }
  await harness.close();
}

function median(values: readonly number[]): string {
  return values.toSorted((left, right) => left - right)[Math.floor(values.length / 2)]!.toFixed(0);
}

/** Seconds that the page's main thread has worked. */
async function busy(session: CDPSession): Promise<number> {
  const { metrics } = await session.send('Performance.getMetrics');
  return metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0;
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  await benchPage();
}
