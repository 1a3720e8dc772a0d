/**
 * How long the page takes from the arrival of a report to the first paint of it. Prints one line for each size; the
 * bars are those of the design: 200 ms for 100 nodes and 3,000 pods, 1 s for 5,000 nodes.
 * Run: `node --import tsx test/webview/bench.ts`.
 */
import { stdout } from 'node:process';
import { pathToFileURL } from 'node:url';
import { bigReport } from './big-report.ts';
import { startHarness } from './harness.ts';

const sizes = [
  { nodes: 100, pods: 3_000, bar: 200 },
  { nodes: 5_000, pods: 20_000, bar: 1_000 },
] as const;
const runs = 5;

export async function benchPage(): Promise<void> {
  const harness = await startHarness();
  for (const { nodes, pods, bar } of sizes) {
    const times: number[] = [];
    for (let run = 0; run < runs; run++) {
      const open = await harness.open();
      await open.send({ type: 'scenario', scenario: { kind: 'workspace' } });
      const time = await open.page.evaluate(async (report) => {
        const start = performance.now();
        window.postMessage({ type: 'report', report }, '*');
        // Frames go by until the cards are there; the one after has painted them.
        while (document.querySelector('.card') === null) {
          await new Promise((resolve) => requestAnimationFrame(resolve));
        }
        await new Promise((resolve) => requestAnimationFrame(resolve));
        return performance.now() - start;
      }, bigReport(nodes, pods));
      times.push(time);
      await open.close();
    }
    const median = times.toSorted((left, right) => left - right)[Math.floor(runs / 2)]!;
    stdout.write(`first paint, ${nodes} nodes, ${pods} pods: ${median.toFixed(0)} ms (bar ${bar} ms)\n`);
  }
  await harness.close();
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  await benchPage();
}
