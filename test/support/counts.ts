import { appendFileSync } from 'node:fs';

/** What is used of Mocha's runner. */
interface Runner {
  on(event: 'fail', told: (test: { fullTitle(): string }, error: { readonly message: string }) => void): unknown;
  once(event: 'end', told: () => void): unknown;
  readonly stats?: { readonly passes: number } | undefined;
}

/** Writes, at the end, how many passed and what failed as one line of JSON to the file that `PODIUM_TEST_COUNTS` names. */
export function countTests(runner: Runner): void {
  const file = process.env['PODIUM_TEST_COUNTS'] ?? '';
  if (file === '') return;
  const failed: string[] = [];
  runner.on('fail', (test, error) => failed.push(`${test.fullTitle()}: ${error.message}`));
  runner.once('end', () => {
    appendFileSync(file, `${JSON.stringify({ passed: runner.stats?.passes ?? 0, failed })}\n`);
  });
}
