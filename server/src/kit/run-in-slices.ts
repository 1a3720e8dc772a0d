/** How long a slice of work may keep others waiting, in milliseconds: less than a frame. */
const slice = 8;

/**
 * Runs work that is cut into steps in slices, between which others are answered.
 *
 * @param goesOn asked before each further slice; with false the work is given up, and the answer is undefined. What it
 *   throws is thrown.
 */
export async function runInSlices<Result>(
  steps: Generator<void, Result>,
  goesOn: () => boolean,
): Promise<Result | undefined> {
  for (;;) {
    const step = runSlice(steps);
    if (step.done === true) return step.value;
    await others();
    if (!goesOn()) return undefined;
  }
}

/** Runs work for one slice: to its end, if it is short. */
export function runSlice<Result>(steps: Generator<void, Result>): IteratorResult<void, Result> {
  const started = performance.now();
  for (;;) {
    const step = steps.next();
    if (step.done === true || performance.now() - started >= slice) return step;
  }
}

/** Lets messages through that have come meanwhile, cancellations among them. */
export function others(): Promise<void> {
  return new Promise((resolve) => {
    if (typeof setImmediate === 'function') setImmediate(resolve);
    else afterMessages(resolve);
  });
}

/** What `setImmediate` does, in a browser's worker. */
function afterMessages(call: () => void): void {
  const { port1, port2 } = new MessageChannel();
  // The types of this project are those of Node.
  const port: { onmessage?: () => void; close(): void } = port1;
  port.onmessage = () => {
    port.close();
    call();
  };
  port2.postMessage(null);
}
