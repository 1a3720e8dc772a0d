import { appendFileSync } from 'node:fs';
import Mocha from 'mocha';

/** Mocha's own list, and the counts as one line of JSON in the file that `PODIUM_TEST_COUNTS` names. */
export default class CountingReporter extends Mocha.reporters.Spec {
  constructor(runner, options) {
    super(runner, options);
    const file = process.env['PODIUM_TEST_COUNTS'];
    if (file === undefined) return;
    runner.once('end', () => {
      const { passes, failures } = runner.stats;
      appendFileSync(file, `${JSON.stringify({ passed: passes, failed: failures })}\n`);
    });
  }
}
