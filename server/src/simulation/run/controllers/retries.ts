/** Source: DefaultTypedControllerRateLimiter in client-go/util/workqueue/default_rate_limiters.go */
const firstPause = 0.005;
const longestPause = 1000;
/** It never gives up; a simulation does when its pauses are as long as a quarter of an hour. */
const mostFailures = 19;

/** How long the work queue of a controller waits before it tries the same object again. */
export class Retries {
  #failures = 0;
  /** When the next attempt is due; null while none is. */
  due: number | null = null;

  /** After a failed attempt: when to try again; null where no simulation waits for it. An earlier one that is due stays. */
  fail(now: number): number | null {
    if (this.#failures >= mostFailures) return null;
    const at = now + Math.min(longestPause, firstPause * 2 ** this.#failures);
    this.#failures += 1;
    this.due = this.due !== null && this.due > now && this.due < at ? this.due : at;
    return this.due;
  }

  forget(): void {
    this.#failures = 0;
    this.due = null;
  }
}
