/**
 * A language server that can be looked into from the process that started it: `probed-server.mjs SERVER …`. Every
 * message over the channel between the processes is answered with what the server has used and still waits for; after
 * `watch`, also with the longest work for which it let nobody else go first.
 */
import { setImmediate } from 'node:timers';
import { pathToFileURL } from 'node:url';

/** The most processor time, in milliseconds, that went by between two turns of the event loop; undefined unwatched. */
let blocked;
let turn = process.cpuUsage();

function watch() {
  const { user, system } = process.cpuUsage(turn);
  turn = process.cpuUsage();
  blocked = Math.max(blocked, (user + system) / 1000);
  setImmediate(watch);
}

process.on('message', (asked) => {
  if (asked === 'watch') {
    blocked = 0;
    turn = process.cpuUsage();
    setImmediate(watch);
    return;
  }
  process.send?.({
    cpu: process.cpuUsage(),
    memory: process.memoryUsage.rss(),
    blocked,
    resources: process.getActiveResourcesInfo(),
  });
});
// The server finds its arguments where it would without us.
process.argv.splice(1, 1);
await import(pathToFileURL(process.argv[1] ?? '').href);
