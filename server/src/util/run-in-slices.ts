/** How long a slice of work may keep others waiting, in milliseconds. */
const slice = 2;

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

/** Does something with each of many things, in slices. */
export async function eachInSlices<Item>(items: Iterable<Item>, act: (item: Item) => void): Promise<void> {
  function* steps(): Generator<void, void> {
    for (const item of items) {
      act(item);
      yield;
    }
  }
  await runInSlices(steps(), () => true);
}

/** How long work rests at most because one message comes after the other, in milliseconds. */
const longestRest = 20;

/** For so long after a message somebody counts as asking, in milliseconds. */
const askingTime = 1_000;

interface Interrupted {
  readonly goOn: () => void;
  /** Whether nobody waits for it. */
  readonly isBackground: boolean;
}

/** Work that has been interrupted, in the order in which it goes on. */
const interrupted: Interrupted[] = [];

/**
 * Lets messages through that have come meanwhile, cancellations among them. However much work is under way at the same
 * time, one slice of it runs before messages are looked for again.
 */
export function others(isBackground = false): Promise<void> {
  return new Promise((resolve) => {
    interrupted.push({ goOn: resolve, isBackground });
    if (interrupted.length === 1) soon(goOn);
  });
}

/** Whether something has come since it was last asked, and since when work has rested for that. */
let hasCome = false;
let restsSince: number | undefined;
let lastMessage = -Infinity;
let lastPause = -Infinity;

/**
 * Told of each message as it is received. It is handled a turn of the event loop later, behind work that is due in this
 * one.
 */
export function messageCame(): void {
  hasCome = true;
  lastMessage = performance.now();
}

/** Whether work lets a message go first. Somebody who never stops asking does not keep it from going on. */
function mustRest(): boolean {
  const mustRest = hasCome && performance.now() - (restsSince ??= performance.now()) < longestRest;
  hasCome = false;
  if (!mustRest) restsSince = undefined;
  return mustRest;
}

/** Whether background work pauses: a third of the time while somebody asks, who then mostly finds nobody at work. */
function mustPause(): boolean {
  const now = performance.now();
  return now - lastMessage < askingTime && now - lastPause >= slice;
}

function goOn(): void {
  if (mustRest()) {
    soon(goOn);
    return;
  }
  const [next] = interrupted;
  if (next!.isBackground && mustPause()) {
    // Nothing is done then, so that what comes is answered at once.
    setTimeout(() => {
      lastPause = performance.now();
      goOn();
    }, 1);
    return;
  }
  next!.goOn();
  // It is taken out afterwards, so that what comes meanwhile starts no second round.
  interrupted.shift();
  if (interrupted.length > 0) soon(goOn);
}

/** After what has come by now: a message that came during a slice is answered in the first turn, before the next slice. */
function soon(call: () => void): void {
  if (typeof setImmediate === 'function') setImmediate(() => setImmediate(call));
  else afterMessages(call);
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
