/**
 * A language server that can be looked into from the process that started it: `probed-server.mjs SERVER --stdio`. Every
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
await import(pathToFileURL(process.argv[2] ?? '').href);
