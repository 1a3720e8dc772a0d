import { appendFileSync } from 'node:fs';
import type { Suite } from 'mocha';

/**
 * Runs the tests that `define` loads, inside the extension host. Rejects when one fails, which is how VS Code learns
 * of it.
 */
export async function runMocha(define: () => Promise<unknown>): Promise<void> {
  // Mocha is not bundled: it finds files of its own at run time. It must be loaded before tests are declared.
  const { default: Mocha } = await import('mocha');
  const mocha = new Mocha({ ui: 'bdd', timeout: 20_000, forbidOnly: true, forbidPending: true, color: false });
  const suite: Suite = mocha.suite;
  suite.emit('pre-require', globalThis, '', mocha);
  await define();
  const failures = await new Promise<number>((resolve) => {
    const runner = mocha.run(resolve);
    runner.once('end', () => {
      const file = process.env['PODIUM_TEST_COUNTS'] ?? '';
      const { passes: passed, failures: failed } = runner.stats ?? { passes: 0, failures: 1 };
      if (file !== '') appendFileSync(file, `${JSON.stringify({ passed, failed })}\n`);
    });
  });
  if (failures > 0) throw new Error(`${failures} failed`);
}
