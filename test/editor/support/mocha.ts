import { format } from 'node:util';
import { countTests } from '../../support/counts.ts';
import { mark } from './mark.ts';

/**
 * Runs the tests that `load` loads, inside the extension host. Rejects when one fails, which is how VS Code learns of
 * it.
 */
export async function runMocha(load: () => Promise<unknown>): Promise<void> {
  // Mocha is not bundled: it finds files of its own at run time. It must be there before tests are declared.
  const { default: Mocha } = await import('mocha');
  Mocha.reporters.Base.consoleLog = (...args: readonly unknown[]) => {
    // VS Code hands the console of the extension host on to whoever runs the tests.
    // oxlint-disable-next-line no-console
    console.log(`${mark}${format(...args)}`);
  };
  const mocha = new Mocha({ ui: 'bdd', timeout: 600_000, forbidOnly: true, forbidPending: true, color: false });
  mocha.fgrep(process.env['PODIUM_TEST_GREP'] ?? '');
  mocha.suite.emit('pre-require', globalThis, '', mocha);
  await load();
  const failed = await new Promise<number>((resolve) => {
    countTests(mocha.run(resolve));
  });
  if (failed > 0) throw new Error(`${failed} failed`);
}
