import process from 'node:process';

/** What is done when this process ends, the last one first: programs end before the folder that they work in. */
const work: (() => void)[] = [];
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Has something done when this process ends, by itself or by a signal; the answer takes it back. */
export function atOwnEnd(task: () => void): () => void {
  work.push(task);
  if (work.length === 1) watch();
  return () => {
    const at = work.indexOf(task);
    if (at === -1) return;
    work.splice(at, 1);
    if (work.length === 0) unwatch();
  };
}

function watch(): void {
  process.on('exit', finish);
  for (const signal of signals) process.on(signal, finishWith);
}

function unwatch(): void {
  process.off('exit', finish);
  for (const signal of signals) process.off(signal, finishWith);
}

function finish(): void {
  for (const task of work.splice(0).reverse()) task();
}

function finishWith(signal: NodeJS.Signals): void {
  finish();
  unwatch();
  // Without our listener the signal does what it does by itself; where somebody else listens, that is up to them.
  if (process.listenerCount(signal) === 0) process.kill(process.pid, signal);
}
