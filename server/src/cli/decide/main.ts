/**
 * `node dist/decide.mjs < cases.jsonl > results.jsonl`: reads one case a line and prints one result a line, in the same
 * order. For the conformance tests and scripts of this repository; docs/maintainers/conformance.md describes the modes. A line that
 * cannot be read or decided gives `{"id", "mode", "error"}`, and the rest goes on.
 */
import { once } from 'node:events';
import { loadDevices } from '../../scheduler/index.ts';
import { exitCode } from '../command.ts';
import { linesOfStandardInput } from '../standard-input.ts';
import { decideLine } from './index.ts';

/** Line by line: memory stays the same however many cases there are, and a slow reader slows the reading down. */
async function decideLines(): Promise<void> {
  for await (const line of linesOfStandardInput(process.stdin)) {
    if (line.trim() === '') continue;
    if (line.includes('resource.k8s.io')) await loadDevices();
    if (!process.stdout.write(`${decideLine(line)}\n`)) await once(process.stdout, 'drain');
  }
}

// The exit code is set rather than `process.exit` called, so that everything written reaches its reader.
decideLines().catch((error: unknown) => {
  process.stderr.write(`decide: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = exitCode.usage;
});
