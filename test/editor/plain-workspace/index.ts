import { runMocha } from '../support/mocha.ts';

/** Called by VS Code. */
export function run(): Promise<void> {
  return runMocha(() => import('./rest.test.ts'));
}
