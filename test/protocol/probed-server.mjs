/**
 * A language server that can be looked into from the process that started it: `probed-server.mjs SERVER …`. Every
 * message over the channel between the processes is answered with what the server has used and still waits for.
 */
import { pathToFileURL } from 'node:url';

process.on('message', () => {
  process.send?.({
    cpu: process.cpuUsage(),
    memory: process.memoryUsage.rss(),
    resources: process.getActiveResourcesInfo(),
  });
});
// The server finds its arguments where it would without us.
process.argv.splice(1, 1);
await import(pathToFileURL(process.argv[1] ?? '').href);
