/**
 * How long the page takes from the arrival of a report to the first paint of it. Prints one line for each size; the
 * bars are those of the design: 200 ms for 100 nodes and 3,000 pods, 1 s for 5,000 nodes.
 * Run: `node --import tsx test/bench/report.bench.ts`.
 */
import { stdout } from 'node:process';
import { pathToFileURL } from 'node:url';
import type { CDPSession } from 'playwright-core';
import { bigReport } from '../webview/big-report.ts';
import { startHarness } from '../webview/harness.ts';

const sizes = [
  { nodes: 100, pods: 3_000, bar: 200 },
  { nodes: 5_000, pods: 20_000, bar: 1_000 },
] as const;
const runs = 5;

export async function benchPage(): Promise<void> {
  const harness = await startHarness();
  for (const { nodes, pods, bar } of sizes) {
    const times: number[] = [];
    const ticks: number[] = [];
    for (let run = 0; run < runs; run++) {
      const open = await harness.open();
      await open.send({ type: 'scenario', scenario: { kind: 'workspace' } });
      // The transfer into the browser is the harness's, not the page's.
      await open.page.evaluate(
        (report) => {
          Object.assign(window, { benchReport: report });
        },
        bigReport(nodes, pods),
      );
      const session = await open.page.context().newCDPSession(open.page);
      // In ticks of the thread, so that other programs on the machine do not count.
      await session.send('Performance.enable', { timeDomain: 'threadTicks' });
      const busyBefore = await busy(session);
      const time = await open.page.evaluate(async () => {
        const start = performance.now();
        window.postMessage({ type: 'report', report: (window as { benchReport?: unknown }).benchReport }, '*');
        // As the panel does, which would draw again what depends on it.
        window.postMessage({ type: 'status', running: false, outdated: false, failure: '' }, '*');
        // Frames go by until the cards are there; the one after has painted them.
        while (document.querySelector('.card') === null) {
          await new Promise((resolve) => requestAnimationFrame(resolve));
        }
        await new Promise((resolve) => requestAnimationFrame(resolve));
        return performance.now() - start;
      });
      times.push(time);
      ticks.push(1000 * ((await busy(session)) - busyBefore));
      await open.close();
    }
    stdout.write(
      `first paint, ${nodes} nodes, ${pods} pods: ${median(times)} ms, of which the page's thread works ` +
        `${median(ticks)} ms (bar ${bar} ms)\n`,
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
