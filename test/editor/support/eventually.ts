import { setTimeout as pause } from 'node:timers/promises';
import { patience } from '../../support/patience.ts';

/** Between two questions, in milliseconds. */
const interval = 25;

/**
 * The first answer of `ask` that is not undefined. For what the editor has no event for, as answers of a language
 * server; rejects when none comes in time.
 */
export async function eventually<T>(
  what: string | (() => string),
  ask: () => T | undefined | Promise<T | undefined>,
): Promise<T> {
  const deadline = performance.now() + patience;
  for (;;) {
    const answer = await ask();
    if (answer !== undefined) return answer;
    if (performance.now() > deadline) {
      throw new Error(`Not within ${patience / 1000} s: ${typeof what === 'string' ? what : what()}`);
    }
    await pause(interval);
  }
}
