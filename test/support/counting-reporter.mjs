import Mocha from 'mocha';
import { countTests } from './counts.ts';

/** Mocha's own list, and what `scripts/test.mjs` counts. */
export default class CountingReporter extends Mocha.reporters.Spec {
  constructor(runner, options) {
    super(runner, options);
    countTests(runner);
  }
}
